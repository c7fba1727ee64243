#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The picture for people: which block names which positions, its width, its characters, its bounds.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
export COLUMNS=80

# blocks: the rows of blocks of the last picture, "RANGE|BLOCK|BLOCK" without spaces.
blocks() {
    grep '|' "$scratch/out" | grep '[-0-9]' | tr -d ' ' | sed 's/|$//'
}

ok plan --mesh data=4,model=2 --shape 256x1024 --spec data,model --dtype f32
[ "$(blocks)" = $'0:64|0|1\n64:128|2|3\n128:192|4|5\n192:256|6|7' ] || fail "2-d: $(blocks)"
shows '0:512'
shows '512:1024'
shows 'shard shape 64x512, 131072 bytes (128 KiB), replicas 1'
shows 'rows     dimension 0, cut by data'

# Few bytes are said once.
ok plan --mesh a=2 --shape 6x3 --spec a --dtype f32
shows 'shard shape 3x3, 36 bytes, replicas 1'

ok plan --mesh data=4,model=2 --shape 16 --spec data
[ "$(blocks)" = '|0,1|2,3|4,5|6,7' ] || fail "replicated 1-d: $(blocks)"
shows 'replicas 2'

ok plan --mesh data=2,model=2,x=2 --shape 16x8x4 --spec data,model,x
shows '8:16 of dimension 0'
[ "$(blocks)" = $'0:4|0|1\n4:8|2|3\n0:4|4|5\n4:8|6|7' ] || fail "slabs: $(blocks)"

ok plan --mesh a=2 --shape scalar --spec ''
[ "$(blocks)" = '|0,1' ] || fail "scalar: $(blocks)"

ok plan --mesh a=16 --shape 4 --spec _
[ "$(blocks)" = '|0-15' ] || fail "replicated: $(blocks)"

ok plan --mesh a=4 --shape 10 --spec a --uneven drop
[ "$(blocks)" = '|0|1|2|3|-' ] || fail "drop: $(blocks)"
shows 'dropped'

ok plan --mesh a=4 --shape 5 --spec a --uneven pad
[ "$(blocks)" = '|0|1|2' ] || fail "pad: $(blocks)"
shows 'position 3 without data'
shows 'positions 2,3 with padding'

# A wider share is drawn wider.
ok plan --mesh a=2 --shape 100 --spec a --weights a=3,1
python3 - "$scratch/out" <<'PY' || fail "3:1 is not drawn 3:1"
import sys
line = [l for l in open(sys.argv[1]) if "| " in l and any(c.isdigit() for c in l)][0]
a, b = map(len, line.strip().strip("|").split("|"))
sys.exit(not 2.5 < a / b < 3.5)
PY

# No line is wider than the terminal; ASCII outside UTF-8, box characters inside.
for mesh in a=2,b=3 a=8,b=8 a=5,b=13 a=16,b=16 a=3,b=64; do
    for spec in a,b b,a a+b,_ _,a+b _,b a; do
        ok plan --mesh "$mesh" --shape 1000000x1000000 --spec "$spec" --uneven balanced
        ! LC_ALL=C grep -q '[^ -~]' "$scratch/out" || fail "$mesh $spec: not plain ASCII"
        [ "$(wc -l <"$scratch/out")" -le 140 ] || fail "$mesh $spec: too long"
        LC_ALL=C.UTF-8 ok plan --mesh "$mesh" --shape 1000000x1000000 --spec "$spec" \
            --uneven balanced
        python3 -c '
import sys
sys.exit(any(len(l.rstrip("\n")) > 80 for l in open(sys.argv[1], encoding="utf-8")))' \
            "$scratch/out" || fail "$mesh $spec: wider than 80 columns"
    done
done
LC_ALL=C.UTF-8 ok plan --mesh a=2,b=2 --shape 4x4 --spec a,b
shows '┌'
shows '┼'
shows '│'

# What does not fit is a table; a huge mesh says how much is not shown.
ok plan --mesh a=2,b=2,c=2,d=2 --shape 4x4x4x4 --spec a,b,c,d
shows 'coordinates'
[ "$(grep -c '^[0-9]* *[01],[01],[01],[01] ' "$scratch/out")" -eq 16 ] || fail "table of 16"
ok plan --mesh a=1024,b=1024 --shape 1024x2048 --spec a,b
[ "$(wc -l <"$scratch/out")" -le 80 ] || fail "a huge table"
shows "$((1024 * 1024 - 64)) positions are not shown"

# Every position's blocks are exactly those of the table.
ok plan --mesh a=3,b=2 --shape 7x5 --spec b,a --uneven ceil --tsv
cp "$scratch/out" "$scratch/tsv"
ok plan --mesh a=3,b=2 --shape 7x5 --spec b,a --uneven ceil
python3 - "$scratch/out" "$scratch/tsv" <<'PY' || fail "picture and table differ"
import sys
lines = open(sys.argv[1]).read().splitlines()
top = next(i for i, l in enumerate(lines) if l.lstrip().startswith("+"))
columns = lines[top - 1].split()
seen = {}
for line in lines[top:]:
    cells = [c.strip() for c in line.split("|")][:-1]
    if len(cells) > 1 and cells[0]:
        for column, cell in zip(columns, cells[1:]):
            for position in cell.split(","):
                seen[int(position)] = cells[0] + "," + column
table = {int(f[0]): f[2] for f in (l.split("\t") for l in open(sys.argv[2]))}
sys.exit(seen != table)
PY

# Colours only on a terminal that wants them.
in_terminal() {
    python3 - "$tool" <<'PY'
import os, pty, sys
def read(fd):
    data = os.read(fd, 4096)
    return data
status = pty.spawn([sys.argv[1], "plan", "--mesh", "a=2", "--shape", "4", "--spec", "a"], read)
sys.exit(os.waitstatus_to_exitcode(status))
PY
}
esc=$(printf '\033')
ok plan --mesh a=2 --shape 4 --spec a
! grep -q "$esc" "$scratch/out" || fail "colours into a file"
TERM=xterm in_terminal </dev/null >"$scratch/out"
grep -q "$esc" "$scratch/out" || fail "no colours on a terminal"
TERM=xterm NO_COLOR=1 in_terminal </dev/null >"$scratch/out"
! grep -q "$esc" "$scratch/out" || fail "NO_COLOR is not honoured"
TERM=dumb in_terminal </dev/null >"$scratch/out"
! grep -q "$esc" "$scratch/out" || fail "colours on a dumb terminal"
