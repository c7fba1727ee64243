#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A real file over whatever devices there are, by each route and policy, back, and into files.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
export CLSHARD_DEVICES='*'
images=$tests/data/digits_images.npy
labels=$tests/data/digits_labels.npy

# files_are_slices FILE ARGUMENT...: --out gives the slices that plan says.
files_are_slices() {
    local file=$1 shape=$2
    shift 2
    rm -rf "$scratch/shards"
    ok scatter "$file" --repeat --out "$scratch/shards" "$@"
    shows 'verified: '
    ok plan --shape "$shape" --json "$@"
    python3 "$tests/cli/npy.py" "$file" "$scratch/shards" "$scratch/out" ||
        fail "$file $*: files are not the slices"
}

for route in auto linear kernel; do
    for policy in balanced ceil pad drop; do
        ok scatter "$images" --mesh data=4,model=2 --spec data,model --uneven "$policy" \
            --repeat --route "$route"
        case $policy in
        drop) # 1797 = 4 * 449 + 1 rows of 64 bytes
            shows 'verified: 114944 bytes equal'
            shows 'dropped: 64 bytes'
            ;;
        *) shows 'verified: 115008 bytes equal' ;;
        esac
        [ "$route" = auto ] || [ "$(grep -cw "$route" "$scratch/out")" -ge 8 ] ||
            fail "$route was not taken: $(cat "$scratch/out")"
    done
done

files_are_slices "$images" 1797x8x8 --mesh data=3 --spec data --uneven balanced
[ "$(ls "$scratch/shards")" = $'0000.npy\n0001.npy\n0002.npy' ] || fail "$(ls "$scratch/shards")"
files_are_slices "$images" 1797x8x8 --mesh data=5,x=3 --spec data,_,x --uneven pad
files_are_slices "$images" 1797x8x8 --mesh x=3,y=5 --spec _,x,y --uneven drop
files_are_slices "$images" 1797x8x8 --mesh x=16 --spec _,x --uneven ceil
files_are_slices "$images" 1797x8x8 --mesh data=2 --spec data --weights data=3,1
files_are_slices "$images" 1797x8x8 --mesh data=2,model=2 --spec data --sizes data=1000,797
files_are_slices "$labels" 1797 --mesh a=2,b=2 --spec b+a --uneven balanced
files_are_slices "$labels" 1797 --mesh data=2,model=2 --rules fsdp --names data --uneven pad

# Ranks and types at the edge: a scalar, an empty array, eight dimensions.
make_npy() {
    PYTHONPATH=$tests/cli python3 -c '
import npy, sys
shape = eval(sys.argv[2])
item, count = int(sys.argv[3][2:]), 1
for n in shape:
    count *= n
npy.write(sys.argv[1], shape, sys.argv[3], bytes(i * 37 % 251 for i in range(item * count)))' "$@"
}
make_npy "$scratch/scalar.npy" '()' '<f8'
make_npy "$scratch/empty.npy" '(0, 4)' '<f4'
make_npy "$scratch/deep.npy" '(2, 1, 3, 1, 2, 2, 1, 3)' '<f2'
files_are_slices "$scratch/scalar.npy" scalar --mesh a=2 --spec ''
shape=2x1x3x1x2x2x1x3
files_are_slices "$scratch/deep.npy" "$shape" --mesh a=2,b=3 --spec _,_,b,_,a
files_are_slices "$scratch/empty.npy" 0x4 --mesh a=2,b=2 --spec a,b
ok scatter "$scratch/empty.npy" --mesh a=2 --spec a --repeat
shows 'verified: 0 bytes equal'

# The document.
ok scatter "$images" --mesh data=2,model=2 --spec data --uneven pad --repeat --json
json '{"file", "dtype", "shape", "mesh", "spec", "verified", "verified_bytes", "dropped_bytes",
       "scatter_seconds", "gather_seconds", "out", "positions"} == set(d)'
json 'd["verified"] is True and d["verified_bytes"] == 115008 and d["dropped_bytes"] == 0'
json 'd["dtype"] == "u8" and d["shape"] == [1797, 8, 8] and d["out"] is None'
json '[p["index"] for p in d["positions"]] == [0, 1, 2, 3]'
json 'all(set(p) == {"index", "coordinates", "device", "name", "box", "valid", "replica", "bytes",
                     "route", "seconds", "bytes_per_second"} for p in d["positions"])'
json '[p["bytes"] for p in d["positions"]] == [899 * 64, 899 * 64, 898 * 64, 898 * 64]'
json '[p["valid"][0] for p in d["positions"]] == [[0, 899], [0, 899], [899, 1797], [899, 1797]]'

# All devices without --repeat, an inferred size.
ok scatter "$images" --mesh data=-1 --spec data --uneven balanced
shows 'verified: 115008 bytes equal'
