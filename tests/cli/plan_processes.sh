#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which process owns what, and which moves of a reshard go between processes.
set -euo pipefail
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

ok plan --mesh data=4,model=2 --shape 10x8 --spec data,model --uneven pad --processes 4 --tsv --dtype f32
printf '%s\t%s\t%s\t%s\n' 0 0-1 0:3,0:8 96 1 2-3 3:6,0:8 96 2 4-5 6:9,0:8 96 3 6-7 9:12,0:8 96 |
    diff - "$scratch/out" || fail "four processes"
ok plan --mesh data=4,model=2 --shape 10x8 --spec data,model --uneven pad --processes 8 --tsv
printf '%s\t%s\t%s\n' 0 0 0:3,0:4 1 1 0:3,4:8 2 2 3:6,0:4 3 3 3:6,4:8 4 4 6:9,0:4 5 5 6:9,4:8 6 6 9:12,0:4 7 7 9:12,4:8 |
    diff - "$scratch/out" || fail "a process per position"

# A process without data, and one with some positions without.
ok plan --mesh a=8 --shape 5 --spec a --uneven ceil --processes 2 --tsv
printf '%s\t%s\t%s\n' 0 0-3 0:4 1 4-7 4:5 | diff - "$scratch/out" || fail "positions without data"
ok plan --mesh a=8 --shape 3 --spec a --uneven ceil --processes 2 --tsv
printf '%s\t%s\t%s\n' 0 0-3 0:3 1 4-7 3:3 | diff - "$scratch/out" || fail "a process without data"

ok plan --mesh h=2,d=4 --shape 16 --spec h+d --processes 2 --dtype f64 --json
json 'list(d)[-1] == "processes" and d["position_count"] == 8 and len(d["processes"]) == 2'
json 'd["processes"][1] == {"index": 1, "positions": [4, 8], "within": [[8, 16]], "bytes": 64}'
ok plan --mesh a=2 --shape scalar --spec '' --processes 2 --tsv
printf '0\t0\t\n1\t1\t\n' | diff - "$scratch/out" || fail "scalar"

ok plan --mesh h=2,d=4 --shape 16 --spec h+d --processes 2 --dtype f64
shows 'mesh     h=2,d=4 (8 positions, 2 processes)'
tail -n 6 "$scratch/out" | head -n 4 >"$scratch/table"
cat >"$scratch/expected" <<'TABLE'

process  positions  within  bytes
0        0-3        0:8     64 bytes
1        4-7        8:16    64 bytes
TABLE
diff "$scratch/expected" "$scratch/table" || fail "the table"
ok plan --mesh a=100 --shape 100 --spec a --processes 100
shows '36 processes are not shown'

# A replica in the same process comes before a lower one in another.
ok plan --mesh h=2,d=2 --shape 8 --spec d --to _ --processes 2 --tsv
[[ $(cut -f1,2,5 "$scratch/out" | tr '\t\n' ' ,') == \
    '0 0 self,1 0 context,0 1 context,1 1 self,2 2 self,3 2 context,2 3 context,3 3 self,' ]] ||
    fail "not from the same process: $(cat "$scratch/out")"
ok plan --mesh h=2,d=2 --shape 8 --spec h --to _ --processes 2 --json
json 'd["reach"]["process"] == {"moves": 4, "elements": 16, "bytes": None} and d["reach"]["self"]["moves"] == 4'
ok plan --mesh h=2,d=2 --shape 8 --spec h --to _ --processes 2
shows 'process  4      16'
