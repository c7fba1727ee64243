#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The picture to keep: well-formed, readable, every position named where it holds something; a file that is
# whole or not there.
set -euo pipefail
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
reader=$tests/cli/svg.py
picture=$scratch/x.svg
command -v xmllint >/dev/null || fail "xmllint is missing (Debian: libxml2-utils)"

# draw ARGUMENT...: a picture that keeps its promises; its blocks are in $scratch/blocks.
draw() {
    ok plan --tsv --svg "$picture" "$@"
    xmllint --noout "$picture" || fail "not XML: $*"
    python3 "$reader" "$picture" "$scratch/out" >"$scratch/blocks" || fail "clshard plan $*"
}

# many NAME ARGUMENT...: one of the pictures that are looked at together, by check_many.
mkdir "$scratch/many"
many() {
    local file=$scratch/many/$1-$made
    shift
    ok plan --tsv --svg "$file.svg" "$@"
    mv "$scratch/out" "$file.tsv"
    echo "clshard plan $*" >"$file.command"
    made=$((made + 1))
}
made=0
check_many() {
    xmllint --noout "$scratch/many/"*.svg || fail "not XML"
    python3 "$reader" "$scratch/many" 2>"$scratch/err" && return
    fail "$(<"$scratch/err"): $(cat "$(sed -n 's/\.svg: .*/.command/p' "$scratch/err")")"
}

# drawn COUNT CLASS: so many blocks of this class.
drawn() {
    [[ $(grep -c "^$2"$'\t' "$scratch/blocks") -eq $1 ]] || fail "not $1 of class $2: $(<"$scratch/blocks")"
}

# says TEXT...: the picture contains each.
says() {
    local text
    for text in "$@"; do
        grep -qF -- "$text" "$picture" || fail "'$text' is not in the picture"
    done
}

draw --mesh data=4,model=2 --shape 256x1024 --spec data,model --dtype f32
drawn 8 block
says '>array 256x1024 f32 on mesh data=4,model=2<' 'spec data,model' 'policy even' '131072 bytes (128 KiB)' \
    '>dimension 0 (256)<' '>cut by data<' '>dimension 1 (1024), cut by model<' '>0:512<' '>192:256<' '>7 (3,1)<'
diff -u "$tests/../docs/plan.svg" "$picture" ||
    fail "docs/plan.svg is not what clshard plan --mesh data=4,model=2 --shape 256x1024 --spec data,model" \
        "--dtype f32 --svg docs/plan.svg writes"

draw --mesh data=4 --shape 16 --spec data
drawn 4 block
draw --mesh data=2,model=4 --shape 1024x512 --spec data+model
drawn 8 block
says '>cut by data+model<' '>dimension 1 (512), not cut<'
draw --mesh a=2,b=2,c=2 --shape 8x6x4 --spec a,b,c
drawn 8 block
says '>slabs: dimension 0 (8), cut by a<' '>slab 0:4<' '>slab 4:8<'
draw --mesh data=5 --shape 1797x8x8 --spec data --uneven balanced
drawn 5 block
says '>dimension 2 (8) is not drawn: it is not cut<' '>not to scale: '
draw --mesh gpu=4 --shape 10x6 --spec gpu --weights gpu=3,1,1,1
drawn 4 block
says 'policy weights gpu=3,1,1,1'
draw --mesh a=2 --shape scalar --spec ''
[[ $(<"$scratch/blocks") == $'block\t0,1\t' ]] || fail "scalar: $(<"$scratch/blocks")"

draw --mesh data=4 --shape 10 --spec data --uneven pad
drawn 4 block
[[ $(grep padding "$scratch/blocks") == $'padding\t3\t10:12' ]] || fail "padding: $(<"$scratch/blocks")"
says "past the array&apos;s end: position 3<"
draw --mesh data=4 --shape 5 --spec data --uneven pad
[[ $(grep padding "$scratch/blocks") == $'padding\t2\t5:6\npadding\t3\t6:8' ]] || fail "padding: $(<"$scratch/blocks")"
draw --mesh a=2,b=3,c=3 --shape 3x10x10 --spec a,b,c --uneven pad
drawn 18 block
drawn $((4 * 4 * 3 - 18)) padding
draw --mesh data=4 --shape 10 --spec data --uneven drop
[[ $(grep dropped "$scratch/blocks") == $'dropped\t\t8:10' ]] || fail "dropped: $(<"$scratch/blocks")"
says 'dropped: no position holds it'
draw --mesh data=4 --shape 5 --spec data --uneven ceil
drawn 3 block
says 'no elements: position 3<' '>3 (3)<'

# All holders are named: on the block as far as there is room, and always where the pointer rests.
draw --mesh x=16,data=8 --shape 64x48 --spec _,data
drawn 8 block
says '>0,8 … (16)<' '>positions 0,8,16,24,32,40,48,56,64,72,80,88,96,104,112,120: 0:64,0:6<'
says '>64 more positions are not listed.<'

# A part keeps its proportion, and a tiny one is still seen.
draw --mesh a=3 --shape 1000000 --spec a --sizes a=749999,1,250000
python3 - "$picture" <<'PY' || fail "not in proportion"
import re, sys
wide, tiny, middle = [int(w) for w in re.findall(r'class="block".*\n<rect .* width="(\d+)"', open(sys.argv[1]).read())]
sys.exit(not (tiny >= 10 and 2.8 < wide / middle < 3.2))
PY
says '>not to scale: '

# The table agrees, no text lies over another, and nothing leaves the sheet, whatever the mesh and the shape.
for mesh in a=1,b=1 a=2,b=3 a=5,b=13 a=8,b=8 a=64,b=1 a=3,b=64 a=20,b=20; do
    for shape in 7 3x1048576 1000000x1000000 100x100x100; do
        for spec in a b a+b; do
            many plan --mesh "$mesh" --shape "$shape" --spec "$spec" --uneven balanced
        done
        many plan --mesh "$mesh" --shape "$shape" --spec a+b --uneven pad
        [[ $shape != *x* ]] || many plan --mesh "$mesh" --shape "$shape" --spec b,a --uneven ceil
    done
done
long=a234567890123456789012345678901
draw --mesh "$long=2,b=2,c=2,d=2,e=2,f=2,g=1,h=1" --shape 64x640 --spec "$long+b,c+d+e+f"
grep -qE '>cut by a[0-9]{9,}…<' "$picture" || fail 'a long name is not cut short'

# What cannot be drawn is said, and listed as far as there is room.
draw --mesh a=2,b=2,c=2,d=2 --shape 4x4x4x4 --spec a,b,c,d
says '>The blocks are not drawn: more than 3 dimensions are cut.<' '>15 (1,1,1,1) holds 2:4,2:4,2:4,2:4<'
draw --mesh data=4 --shape 0x4 --spec data
says '>The blocks are not drawn: no position holds an element.<'
draw --mesh a=65 --shape 65 --spec a
says '>The blocks are not drawn: a dimension is cut into more than 64 parts.<' '>1 more position is not listed.<'
ok plan --mesh a=1024,b=1024 --shape 1024x2048 --spec a,b --svg "$picture"
says '>The blocks are not drawn: the mesh has more than 256 positions.<' "$((1024 * 1024 - 64)) more positions"

# A reshard is drawn with both layouts, and a cell for each pair of positions.
draw_moves() {
    ok plan --tsv --svg "$picture" "$@"
    xmllint --noout "$picture" || fail "not XML: $*"
    python3 "$reader" "$picture" "$scratch/out" to >"$scratch/blocks" || fail "clshard plan $*"
}
draw_moves --mesh data=4 --shape 64x64 --dtype f32 --spec data --to _,data
drawn 8 block
drawn 12 move
drawn 4 kept
says '>reshard of 64x64 f32 from data to _,data<' '>before: data, policy even<' '>after: _,data, policy even<' \
    'all-to-all' '>self: 4 KiB, ' '>context: 12 KiB, ' '<path '
draw_moves --mesh data=4 --shape 10 --spec data --uneven drop --to data --to-uneven pad
says '2 wanted elements are held by no position' '>after: data, policy pad<' '>self: 3 elements, '
draw_moves --mesh data=4 --shape 100 --spec data --uneven balanced --to-mesh x=3 --to x
[[ $(grep -c '>One colour for each slice.<' "$picture") == 2 ]] || fail 'the lists of two meshes have no colours'
says '>mesh data=4 to x=3<' '>3 (3)<' '>Position (x)<'
for mesh in a=1,b=1 a=2,b=3 a=4,b=4 a=8,b=8 a=20,b=20; do
    for to in b,a _ a+b _,b+a; do
        many to --mesh "$mesh" --shape 1000x3000 --spec a,b --uneven balanced --to "$to"
        many to --mesh "$mesh" --shape 7x60000 --dtype u8 --spec b --uneven pad --to "$to" --to-uneven ceil
    done
done
check_many
draw_moves --mesh a=65 --shape 65 --spec a --to _
says '>The moves are not drawn: a mesh has more than 64 positions.<'
ok plan --mesh data=4 --shape 64x64 --spec data --to _,data --svg "$picture"
ok plan --mesh data=4 --shape 64x64 --spec data --to _,data --svg -
cmp "$scratch/out" "$picture" || fail "standard output and file differ for --to"

# Devices have names in the list.
ids=$("$tool" list --raw | awk -F'\t' '$2 == "used" {print $1}' || true)
if [[ -n $ids ]]; then
    draw --mesh data=-1 --devices "${ids//$'\n'/,}" --shape 1000 --spec data --uneven balanced
    says '>Position (data) and device<' ">0 (0) ${ids%%$'\n'*} "
fi

# With a file the rest is printed as ever; "-" prints only the picture.
plan=(plan --mesh a=2 --shape 4 --spec a)
ok "${plan[@]}"
cp "$scratch/out" "$scratch/printed"
ok "${plan[@]}" --svg "$picture"
cmp "$scratch/out" "$scratch/printed" || fail "a file changes what is printed"
ok "${plan[@]}" --svg -
cmp "$scratch/out" "$picture" || fail "standard output and file differ"
refused 2 argument '--svg and --json exclude each other' "${plan[@]}" --svg - --json
refused 2 argument '--svg and --tsv exclude each other' "${plan[@]}" --svg - --tsv
refused 2 argument '--svg and --position exclude each other' "${plan[@]}" --svg "$picture" --position 1

# A file is replaced when all is written, and only then; nothing else is left behind.
folder=$scratch/folder
mkdir "$folder"
echo old >"$folder/x.svg"
chmod 600 "$folder/x.svg"
ok "${plan[@]}" --svg "$folder/x.svg"
cmp "$folder/x.svg" "$picture" || fail "an old file is not replaced"
refused 2 indivisible '' plan --mesh a=3 --shape 4 --spec a --svg "$folder/y.svg"
refused 2 io "'$folder': it is a folder" "${plan[@]}" --svg "$folder"
refused 2 io 'empty' "${plan[@]}" --svg=
refused 2 io "'$folder/x.svg/y'" "${plan[@]}" --svg "$folder/x.svg/y"
refused 2 io "'$folder/none/y&<>.svg': No such" "${plan[@]}" --svg "$folder/none/y&<>.svg"
mkfifo "$scratch/pipe"
refused 2 io "'$scratch/pipe': it is no regular file" "${plan[@]}" --svg "$scratch/pipe"
if [[ -c /dev/null ]]; then
    refused 2 io "'/dev/null': it is no regular file" "${plan[@]}" --svg /dev/null
    [[ -c /dev/null ]] || fail "/dev/null was replaced"
fi
ok "${plan[@]}" --svg "$folder/<a&\"b'.svg"
[[ $(find "$folder" | wc -l) -eq 3 ]] || fail "left behind: $(find "$folder")"
(
    ulimit -f 1
    trap '' XFSZ
    rc=0
    "$tool" plan --mesh a=64 --shape 64 --spec a --svg "$folder/x.svg" >"$scratch/out" 2>"$scratch/err" || rc=$?
    [[ $rc -eq 2 ]] || fail "a file too large: exit status $rc"
)
grep -q "^clshard: error: io: --svg '$folder/x.svg': " "$scratch/err" || fail "a file too large: $(<"$scratch/err")"
cmp "$folder/x.svg" "$picture" || fail "a failure changed the old file"
[[ $(find "$folder" | wc -l) -eq 3 ]] || fail "left behind: $(find "$folder")"
