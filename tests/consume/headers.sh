#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every installed header compiles alone, as C11 and as C++17, by gcc and by clang, at the warnings that
# other projects have, and brings no header of OpenCL.
set -euo pipefail
# shellcheck source=tests/consume/lib.bash
. "$(dirname "$0")/lib.bash"

install_to "$scratch/prefix"
warnings=(-Wall -Wextra -pedantic -Wshadow -Wconversion -Wundef -Werror -fsyntax-only)
count=0
for header in "$scratch"/prefix/include/clshard/*.h; do
    name=${header##*/}
    # Twice, for the guard.
    printf '#include <clshard/%s>\n' "$name" "$name" >"$scratch/alone.c"
    for compiler in gcc clang; do
        "$compiler" -std=c11 -Wstrict-prototypes "${warnings[@]}" -I"$scratch/prefix/include" "$scratch/alone.c" ||
            fail "$name as C11 by $compiler"
        "$compiler" -std=c++17 "${warnings[@]}" -I"$scratch/prefix/include" -x c++ "$scratch/alone.c" ||
            fail "$name as C++17 by $compiler"
    done
    ! gcc -M -I"$scratch/prefix/include" "$scratch/alone.c" | grep 'CL/' || fail "$name includes OpenCL's headers"
    count=$((count + 1))
done
[[ $count -eq $(find "$source/include/clshard" -name '*.h' | wc -l) ]] || fail "$count headers are installed"
