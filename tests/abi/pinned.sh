#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# struct_sizes.c and enum_values.c hold as C11 and as C++17, by gcc and by clang, and miss nothing: each
# struct, member and enumerator of the public headers is in them.
set -euo pipefail
# shellcheck source=tests/consume/lib.bash
. "$(dirname "$0")/../consume/lib.bash"
abi=$source/tests/abi

install_to "$scratch/prefix"
include=$scratch/prefix/include
for file in "$abi/struct_sizes.c" "$abi/enum_values.c"; do
    for compiler in gcc clang; do
        "$compiler" -std=c11 -Wall -Wextra -Werror -fsyntax-only -I"$include" "$file" || fail "$file as C11 by $compiler"
        "$compiler" -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$include" -x c++ "$file" ||
            fail "$file as C++17 by $compiler"
    done
done

# The headers in one line, without comments and macros.
cat "$include"/clshard/*.h | gcc -E -P -I"$include" -x c - | tr -s '\n ' ' ' >"$scratch/headers"

# A member's name is the last word of its declaration, before its extents or its parameters.
grep -oE 'typedef struct clshard_[a-z_]+ \{[^}]*\}' "$scratch/headers" | while read -r _ _ type _ members; do
    echo "$type,"
    grep -oE '[^;]+;' <<<"$members" | sed -E "s/\)\(.*//; s/(\[[^]]*\])*;\$//; s/.*[ *]//; s/^/$type, /; s/\$/,/"
done >"$scratch/members"
grep -oE 'enum [a-z_]* ?\{[^}]*\}' "$scratch/headers" | grep -oE 'CLSHARD_[A-Z0-9_]+' | sed 's/$/,/' >"$scratch/values"

for count in members values; do
    (($(wc -l <"$scratch/$count") > 50)) || fail "no $count found in the headers"
done
missing=$(grep -vxFf <(grep -ohE '\((clshard|CLSHARD)_[a-z_A-Z0-9]+,( [a-z0-9_]+,)?' "$abi"/*.c | tr -d '(' |
    sed -E 's/^(clshard_[a-z_]+,) [0-9]+,$/\1/') "$scratch/members" "$scratch/values" | sed 's/.*://; s/,$//') || true
[[ -z $missing ]] || fail "pinned neither in struct_sizes.c nor in enum_values.c: $missing"
