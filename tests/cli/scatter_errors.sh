#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What scatter refuses, and that a failed --out leaves nothing behind.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
export CLSHARD_DEVICES='*'
images=$tests/data/digits_images.npy
how=(--mesh data=2 --spec data --uneven balanced --repeat)

# The command works before it is made to fail.
ok scatter "$images" "${how[@]}"

# Files.
refused 2 io "$scratch/none.npy" scatter "$scratch/none.npy" "${how[@]}"
refused 2 io '' scatter "$scratch" "${how[@]}"
: >"$scratch/empty.npy"
refused 2 format '' scatter "$scratch/empty.npy" "${how[@]}"
head -c 100000 "$images" >"$scratch/short.npy"
refused 2 format '' scatter "$scratch/short.npy" "${how[@]}"
(cat "$images" && printf x) >"$scratch/long.npy"
refused 2 format '' scatter "$scratch/long.npy" "${how[@]}"
sed "s/'fortran_order': False/'fortran_order': True /" "$images" >"$scratch/fortran.npy"
refused 2 format 'ortran' scatter "$scratch/fortran.npy" "${how[@]}"
sed "s/'|u1'/'|O1'/" "$images" >"$scratch/object.npy"
refused 2 dtype '' scatter "$scratch/object.npy" "${how[@]}"
mkfifo "$scratch/pipe.npy"
refused 2 io '' scatter "$scratch/pipe.npy" "${how[@]}"

# Arguments.
refused 2 argument 'FILE.npy' scatter "${how[@]}"
refused 2 argument 'too many' scatter "$images" "$images" "${how[@]}"
refused 2 argument '--mesh' scatter "$images" --spec data
refused 2 argument '--spec' scatter "$images" --mesh data=2 --repeat
refused 2 argument "'fast'" scatter "$images" "${how[@]}" --route fast
refused 2 argument '--dtype' scatter "$images" "${how[@]}" --dtype f32
refused 2 indivisible '1797' scatter "$images" --mesh data=2 --spec data --repeat
refused 2 rank '' scatter "$images" --mesh data=2 --spec _,_,_,data --repeat
refused 2 unknown_axis "'model'" scatter "$images" --mesh data=2 --spec model --repeat
refused 2 mesh_size 'share devices with --repeat' scatter "$images" --mesh data=1000 --spec data --uneven pad
! grep -q 'left out' "$scratch/err" || fail "nothing is left out: $(cat "$scratch/err")"
# The first device alone: the others are left out.
first=$("$tool" list --raw | head -n 1 | cut -f 1)
all=$("$tool" list --raw | cut -f 2 | grep -cx used)
if ((all > 1)); then
    refused 2 mesh_size "--devices '*' takes the $((all - 1)) that" \
        scatter "$images" --mesh data=1000 --spec data --uneven pad --devices "$first"
fi
refused 2 mesh_size 'a size is 1 or more' scatter "$images" --mesh data=0 --spec data
refused 1 no_devices '' scatter "$images" "${how[@]}" --devices 'no such device'

# untouched COMMAND...: nothing but what was there is in the working folder afterwards.
mkdir "$scratch/work"
untouched() {
    local before
    before=$(find "$scratch/work" | sort)
    "$@"
    [ "$(find "$scratch/work" | sort)" = "$before" ] ||
        fail "left behind: $(find "$scratch/work" | sort)"
}

# Folders.
echo kept >"$scratch/work/file"
untouched refused 2 io 'not a folder' scatter "$images" "${how[@]}" --out "$scratch/work/file"
[ "$(cat "$scratch/work/file")" = kept ] || fail "the file was changed"
untouched refused 2 io '' scatter "$images" "${how[@]}" --out "$scratch/work/file/below"
untouched refused 2 io "--out '$scratch/work/none/below': No such file or directory; only the folder itself" \
    scatter "$images" "${how[@]}" --out "$scratch/work/none/below"
untouched refused 2 io 'empty' scatter "$images" "${how[@]}" --out ''
if [ -d /proc/self ]; then
    refused 2 io '/proc' scatter "$images" "${how[@]}" --out /proc
    refused 2 io '/proc' scatter "$images" "${how[@]}" --out /proc/shards
fi
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 555 "$scratch/work/readonly"
    untouched refused 2 io 'readonly' scatter "$images" "${how[@]}" --out "$scratch/work/readonly"
fi

# A file that cannot be replaced, after another that could: neither the first nor a temporary stays.
mkdir -p "$scratch/work/blocked/0001.npy/in_the_way"
untouched refused 2 io '0001.npy' scatter "$images" "${how[@]}" --out "$scratch/work/blocked"

# No space: a limit on the size of files stands in for a full disk. It is far above what drivers
# write for themselves, and below a quarter of the file.
make_large() {
    PYTHONPATH=$tests/cli python3 -c '
import npy, sys
npy.write(sys.argv[1], (48 << 20,), "|u1", bytes(48 << 20))' "$scratch/large.npy"
}
# Compilers inside drivers catch the signal that comes with the limit, and may add lines of their own.
run_small() (
    trap '' XFSZ
    ulimit -f 8192
    run scatter "$scratch/large.npy" --mesh data=4 --spec data --repeat --out "$scratch/work/$1"
    [ "$rc" -eq 2 ] || fail "no space: exit status $rc"
    grep -q "^clshard: error: io: --out '$scratch/work/$1': write '0000.npy': " "$scratch/err" ||
        fail "no space: $(cat "$scratch/err")"
)
make_large
mkdir "$scratch/work/old"
untouched run_small full
untouched run_small old

# What works: a missing folder with the caller's umask, slashes, an existing one, a second time.
(umask 022 && "$tool" scatter "$images" "${how[@]}" --out "$scratch/work/new//" >/dev/null)
[ "$(stat -c %a "$scratch/work/new")" = 755 ] || fail "mode $(stat -c %a "$scratch/work/new")"
echo kept >"$scratch/work/new/other"
ok scatter "$images" "${how[@]}" --out "$scratch/work/new"
[ "$(ls -A "$scratch/work/new")" = $'0000.npy\n0001.npy\nother' ] ||
    fail "in the folder: $(ls -A "$scratch/work/new")"
(cd "$scratch/work" && ok scatter "$images" "${how[@]}" --out here --json)
json 'd["out"] == "here"'
[ -f "$scratch/work/here/0001.npy" ] || fail "a relative folder"

# What an earlier run with more positions left behind is told, and other files are not.
: >"$scratch/work/here/0002.npy"
: >"$scratch/work/here/10000.npy"
: >"$scratch/work/here/00003.npy"
: >"$scratch/work/here/0004.npy.old"
ok scatter "$images" "${how[@]}" --out "$scratch/work/here"
shows "2 files in $scratch/work/here; 2 other NNNN.npy were there already"
ok scatter "$images" "${how[@]}" --out "$scratch/work/new"
! grep -q 'already' "$scratch/out" || fail "no other files: $(cat "$scratch/out")"
