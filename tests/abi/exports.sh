#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The shared library exports what exports.txt lists and nothing else, and the headers declare the same: a
# function comes and goes on purpose. "exports.sh BUILD SOURCE --update" writes the list anew.
set -euo pipefail
# shellcheck source=tests/consume/lib.bash
. "$(dirname "$0")/../consume/lib.bash"
list=$source/tests/abi/exports.txt

install_to "$scratch/prefix"
nm -D --defined-only "$(library_of "$scratch/prefix")/libclshard.so" | awk '{print $3}' | sort >"$scratch/exported"
[[ ${3:-} != --update ]] || cp "$scratch/exported" "$list"

# -fpreprocessed takes the comments away, and keeps the macros that mark a declaration.
cat "$scratch"/prefix/include/clshard/*.h | gcc -fpreprocessed -dD -E -P -x c - 2>/dev/null | tr '\n' ' ' |
    grep -oE 'CLSHARD_(API|CHECKED) [^;]*;' | grep -oE 'clshard_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$scratch/declared"

diff "$list" "$scratch/exported" || fail "tests/abi/exports.txt (<) and libclshard.so (>) differ"
diff "$list" "$scratch/declared" || fail "tests/abi/exports.txt (<) and the public headers (>) differ"
! grep -v '^clshard_' "$list" || fail "an exported name has another prefix"
