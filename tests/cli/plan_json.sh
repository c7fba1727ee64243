#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The document of plan --json: its keys, its agreement with --tsv, and its cost on a huge mesh.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

ok plan --mesh data=4,model=2 --shape 10x1024 --spec data,model --uneven pad --json --dtype f32
json 'list(d) == ["mesh", "shape", "spec", "dtype", "shard_shape", "shard_bytes", "replicas",
                  "position_count", "positions"]'
json 'd["mesh"] == {"axes": [{"name": "data", "size": 4}, {"name": "model", "size": 2}]}'
json 'd["shape"] == [10, 1024] and d["spec"] == "data,model" and d["dtype"] == "f32"'
json 'd["shard_shape"] == [3, 512] and d["shard_bytes"] == 3 * 512 * 4 and d["replicas"] == 1'
json 'd["position_count"] == 8 == len(d["positions"])'
json 'all(list(p) == ["index", "coordinates", "box", "valid", "replica", "bytes", "device"]
          for p in d["positions"])'
json 'd["positions"][7] == {"index": 7, "coordinates": [3, 1], "box": [[9, 12], [512, 1024]],
      "valid": [[9, 10], [512, 1024]], "replica": 0, "bytes": 6144, "device": None}'

cp "$scratch/out" "$scratch/json"
ok plan --mesh data=4,model=2 --shape 10x1024 --spec data,model --uneven pad --tsv
python3 - "$scratch/json" "$scratch/out" <<'PY' || fail "--json and --tsv differ"
import json, sys
positions = json.load(open(sys.argv[1]))["positions"]
lines = [
    "\t".join([
        str(p["index"]),
        ",".join(map(str, p["coordinates"])),
        ",".join("%d:%d" % tuple(r) for r in p["box"]),
        str(p["replica"]),
        "x".join(str(b - a) for a, b in p["valid"]),
    ])
    for p in positions
]
sys.exit(lines != open(sys.argv[2]).read().splitlines())
PY

ok plan --mesh a=2 --shape scalar --spec '' --json
json 'd["shape"] == [] and d["shard_bytes"] is None and d["replicas"] == 2'
json '[p["valid"] for p in d["positions"]] == [[], []]'

# One position of a million costs no more than one of eight.
start=$(date +%s%N)
ok plan --mesh a=1024,b=1024 --shape 1024x2048 --spec a,b --json --position 777777
took=$((($(date +%s%N) - start) / 1000000))
json 'd["position_count"] == 1 << 20 and len(d["positions"]) == 1'
json 'd["positions"][0]["coordinates"] == [759, 561]'
json 'd["positions"][0]["box"] == [[759, 760], [1122, 1124]]'
[ "$took" -lt 1000 ] || fail "one position took $took ms"

# Integers that JSON readers would round are refused, not rounded.
refused 2 overflow '2^62' plan --mesh a=2 --shape 9223372036854775808 --spec _ --json
