#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/fault/symbols.sh LIBRARY OBJECTS LAYER: the fault layer stands before every OpenCL function that
# the library calls, and only base/alloc.c allocates. OBJECTS is an archive of the library's objects.
set -euo pipefail
library=$1 objects=$2 layer=$3
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

nm -D --undefined-only "$library" | awk '{print $NF}' | sed 's/@.*//' | grep -E '^cl[A-Z]' | sort -u >"$out/called"
nm --defined-only "$layer" | awk '{print $NF}' | sed -n 's/^fault_\(cl[A-Z]\)/\1/p' | sort -u >"$out/covered"
if ! [[ -s $out/called ]]; then
    echo "$library calls no OpenCL function" >&2
    exit 1
fi
missing=$(comm -23 "$out/called" "$out/covered")
if [[ -n $missing ]]; then
    printf 'not in tests/support/fault_layer/entries.h:\n%s\n' "$missing" >&2
    exit 1
fi

nm -A --undefined-only "$objects" | awk '{print $1, $NF}' |
    grep -E ' (malloc|calloc|realloc|reallocarray|free|strn?dup|aligned_alloc|posix_memalign|memalign|v?asprintf|getline|getdelim|open_memstream|scandir|realpath)$' >"$out/allocating"
grep -q ':alloc\.c\.o' "$out/allocating" || {
    echo "nm shows no allocation in base/alloc.c" >&2
    exit 1
}
if grep -v ':alloc\.c\.o' "$out/allocating"; then
    echo "the above allocate beside base/alloc.c" >&2
    exit 1
fi
