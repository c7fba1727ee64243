#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The moves of a reshard: what JAX lacked is what moves, each form of output says the same, and the
# collectives have their names.
set -euo pipefail
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
python=$(command -v python3)

# Every step of the chains that JAX computed: the bytes that positions lacked, all of four bytes.
steps=0
while IFS='|' read -r chain mesh from to bytes; do
    case $chain in
    test_shard_consistency) shape=8x4 ;;
    test_gather_from_shards) shape=8x8 ;;
    layouts_2x4) shape=16x24 ;;
    three_dims) shape=8x6x4 ;;
    *) fail "no chain '$chain' is known" ;;
    esac
    ok plan --mesh "$mesh" --shape "$shape" --spec "$from" --to "$to" --dtype f32 --tsv
    moved=$(awk -F '\t' '$5 != "self" {sum += $6} END {print sum + 0}' "$scratch/out")
    [[ $moved == "$bytes" ]] || fail "$chain, '$from' to '$to': $moved bytes, not $bytes"
    steps=$((steps + 1))
done < <(rows acceptance/06_reshard_chain.tsv | awk -F '\t' -v OFS='|' '$4 != "host" {print $1, $2, $4, $5, $6}' | sort -u)
((steps >= 18)) || fail "only $steps steps"

# named COLLECTIVE FROM TO: in the sentence and in JSON; "null" has no sentence.
named() {
    ok plan --mesh x=2,y=4 --shape 16x24 --spec "$2" --to "$3"
    if [[ $1 == null ]]; then
        ! grep -q '^This is' "$scratch/out" || fail "'$2' to '$3' is called: $(tail -n 1 "$scratch/out")"
    else
        tail -n 1 "$scratch/out" | grep -qE "^This is an? (local )?$1: " || fail "'$2' to '$3' is no $1"
    fi
    ok plan --mesh x=2,y=4 --shape 16x24 --spec "$2" --to "$3" --json
    json "d['collective'] == $([[ $1 == null ]] && echo None || echo "'$1'")"
}
named all-gather x ''
named slice '' x
named all-to-all x _,x
named null x y
named null x,y y,x
named permute x+y y+x
named all-gather x+y x
named slice x x+y
named all-to-all x,y x+y
named all-to-all _,y y
ok plan --mesh x=2,y=1 --shape 4 --spec x --to x+y
shows 'Both layouts are the same, and nothing moves.'

# The table, its totals and both machine forms.
ok plan --mesh x=2 --shape 4x6 --spec x --to _,x --dtype f32
cat >"$scratch/expected" <<'TABLE'
mesh     x=2 (2 positions)
array    4x6 f32, 96 bytes
spec     x
to       _,x

from  to  slice    elements  bytes     reach
0     0   0:2,0:3  6         24 bytes  self
1     0   2:4,0:3  6         24 bytes  context
0     1   0:2,3:6  6         24 bytes  context
1     1   2:4,3:6  6         24 bytes  self

reach    moves  elements  bytes
self     2      12        48 bytes
context  2      12        48 bytes

This is an all-to-all: in each group every position takes a piece from every one.
TABLE
diff "$scratch/expected" "$scratch/out" || fail "the table"
ok plan --mesh x=2 --shape 4x6 --spec x --to _,x --tsv
printf '0\t0\t0:2,0:3\t6\tself\n1\t0\t2:4,0:3\t6\tcontext\n0\t1\t0:2,3:6\t6\tcontext\n1\t1\t2:4,3:6\t6\tself\n' |
    diff - "$scratch/out" || fail "--tsv"
ok plan --mesh x=2 --shape 4x6 --spec x --to _,x --tsv --position 1
printf '0\t1\t0:2,3:6\t6\tcontext\n1\t1\t2:4,3:6\t6\tself\n' | diff - "$scratch/out" || fail "--position"

ok plan --mesh x=2 --shape 4x6 --spec x --to _,y --to-mesh y=3 --json --dtype u8
json 'list(d) == ["shape", "dtype", "from", "to", "collective", "missing", "reach", "move_count", "moves"]'
json 'd["from"] == {"mesh": {"axes": [{"name": "x", "size": 2}]}, "spec": "x"}'
json 'd["to"] == {"mesh": {"axes": [{"name": "y", "size": 3}]}, "spec": "_,y"}'
json 'd["collective"] is None and d["missing"] == 0 and d["move_count"] == 6 == len(d["moves"])'
json 'd["moves"][5] == {"from": 1, "to": 2, "box": [[2, 4], [4, 6]], "elements": 4, "bytes": 4, "reach": "context"}'
json 'd["reach"]["self"] == {"moves": 2, "elements": 8, "bytes": 8}'
json 'd["reach"]["context"] == {"moves": 4, "elements": 16, "bytes": 16} and len(d["reach"]) == 5'

# All forms agree on a large plan, of which people see the start.
ok plan --mesh a=40 --shape 80x80 --spec a --to _,a
[[ $(grep -cE '^[0-9]+ +[0-9]+ +[0-9]' "$scratch/out") -eq 64 ]] || fail "not 64 moves are shown"
shows '1536 moves are not shown; --position N'
ok plan --mesh a=40 --shape 80x80 --spec a --to _,a --json
cp "$scratch/out" "$scratch/json"
ok plan --mesh a=40 --shape 80x80 --spec a --to _,a --tsv
"$python" - "$scratch/json" "$scratch/out" <<'PY' || fail "--json and --tsv differ"
import json, sys
document = json.load(open(sys.argv[1]))
lines = [
    "\t".join([str(m["from"]), str(m["to"]), ",".join("%d:%d" % tuple(r) for r in m["box"]),
               str(m["elements"]), m["reach"]])
    for m in document["moves"]
]
sums = {name: [0, 0] for name in document["reach"]}
for m in document["moves"]:
    sums[m["reach"]][0] += 1
    sums[m["reach"]][1] += m["elements"]
assert all([r["moves"], r["elements"]] == sums[n] for n, r in document["reach"].items())
sys.exit(lines != open(sys.argv[2]).read().splitlines() or len(lines) != 1600)
PY

# Uneven sides: --uneven holds for both unless the target has its own; weights are the source's.
ok plan --mesh a=4 --shape 10 --spec a --uneven balanced --to a --tsv
[[ $(cut -f5 "$scratch/out" | sort -u) == self ]] || fail "the target does not follow --uneven"
ok plan --mesh a=4 --shape 10 --spec a --uneven balanced --to a --to-uneven ceil --tsv
[[ $(cut -f1-3 "$scratch/out" | tr '\t\n' '  ') == '0 0 0:3 1 1 3:6 2 2 6:8 3 2 8:9 3 3 9:10 ' ]] ||
    fail "balanced to ceil: $(cat "$scratch/out")"
ok plan --mesh a=2 --shape 8 --spec a --weights a=3,1 --to a --tsv
[[ $(cut -f1-3 "$scratch/out" | tr '\t\n' '  ') == '0 0 0:4 0 1 4:6 1 1 6:8 ' ]] ||
    fail "weights: $(cat "$scratch/out")"
ok plan --mesh a=4 --shape 10 --spec a --uneven drop --to _
shows '8 wanted elements are held by no position of the source'
ok plan --mesh a=4 --shape 10 --spec a --uneven drop --to _ --position 1
shows '2 wanted elements are held by no position of the source'
ok plan --mesh a=4 --shape 0x4 --spec a --to _
shows 'no moves'
ok plan --mesh a=2 --shape scalar --spec '' --to '' --tsv
printf '0\t0\t\t1\tself\n1\t1\t\t1\tself\n' | diff - "$scratch/out" || fail "scalar"

# Rules may describe the source.
ok plan --mesh data=2,model=2 --shape 4x4 --rules fsdp --names data,embed --to data --json
json 'd["from"]["spec"] == "data,model" and d["collective"] == "all-gather"'
