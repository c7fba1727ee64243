#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The devices that the environment shows, whatever they are: all forms of the list agree.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

ok list --devices '*' --require 1
ok list --json --devices '*'
json 'sorted(d) == ["mesh", "platforms"]'
json 'all({"id", "name", "vendor", "version", "devices"} <= set(p) for p in d["platforms"])'
json 'all({"id", "name", "type", "excluded"} <= set(v) for p in d["platforms"] for v in p["devices"])'
json 'all(v["type"] in ("cpu", "gpu", "accelerator") for p in d["platforms"] for v in p["devices"])'
json 'all(v["id"].startswith(p["id"] + ".") for p in d["platforms"] for v in p["devices"])'
json 'all(v["excluded"] is None for p in d["platforms"] for v in p["devices"])'
json '[a["name"] for a in d["mesh"]["axes"]] == ["data"]'
json 'd["mesh"]["axes"][0]["size"] == len(d["mesh"]["positions"]) > 0'
json 'sorted(p["device"] for p in d["mesh"]["positions"]) ==
      sorted(v["id"] for p in d["platforms"] for v in p["devices"])'
json '[p["index"] for p in d["mesh"]["positions"]] == list(range(len(d["mesh"]["positions"])))'
json 'all(list(p) == ["index", "coordinates", "device", "name"] for p in d["mesh"]["positions"])'
count=$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["mesh"]["positions"]))' \
    "$scratch/out")
first=$(python3 -c '
import json, sys
print(json.load(open(sys.argv[1]))["mesh"]["positions"][0]["device"])' "$scratch/out")

# The default leaves some out, and says why; all are in the list all the same.
ok list --json
json "sum(len(p['devices']) for p in d['platforms']) == $count"
json 'all(v["excluded"] is None or len(v["excluded"]) > 5
          for p in d["platforms"] for v in p["devices"])'
cp "$scratch/out" "$scratch/default"

ok list --raw
[ "$(wc -l <"$scratch/out")" -eq "$count" ] || fail "--raw has not $count lines"
[ -z "$(awk -F'\t' 'NF != 7' "$scratch/out")" ] || fail "--raw: not 7 fields: $(cat "$scratch/out")"
python3 - "$scratch/default" "$scratch/out" <<'PY' || fail "--raw and --json differ"
import json, sys
listed = {
    v["id"]: (("used" if v["excluded"] is None else "excluded"), v["type"],
              str(v["compute_units"]), v["memory_bytes"])
    for p in json.load(open(sys.argv[1]))["platforms"] for v in p["devices"]
}
raw = {f[0]: (*f[1:4], int(f[4])) for f in (l.rstrip("\n").split("\t") for l in open(sys.argv[2]))}
if listed.keys() != raw.keys() or any(listed[i][:3] != raw[i][:3] for i in raw):
    sys.exit(1)
# PoCL calls the memory that is free at the moment a device's memory: two runs may differ.
sys.exit(any(not listed[i][3] / 4 <= raw[i][3] <= listed[i][3] * 4 for i in raw))
PY

# The tree names every device and every reason.
LC_ALL=C.UTF-8 ok
python3 - "$scratch/default" "$scratch/out" <<'PY' || fail "the tree lacks something"
import json, sys
tree = open(sys.argv[2], encoding="utf-8").read()
for p in json.load(open(sys.argv[1]))["platforms"]:
    for v in p["devices"]:
        if v["id"] + " " + v["name"] not in tree or (v["excluded"] or "") not in tree:
            sys.exit(1)
PY
if grep -q '"mesh": null' "$scratch/default"; then
    shows "--devices '*'"
else
    shows 'default mesh data='
fi
ok list --devices '*'
shows "default mesh data=$count"

# Another mesh; one device in the order and number that was asked for.
ok list --json --devices "$first" --mesh a=2,b=2 --repeat
json "[p['device'] for p in d['mesh']['positions']] == ['$first'] * 4"
json '[p["coordinates"] for p in d["mesh"]["positions"]] == [[0, 0], [0, 1], [1, 0], [1, 1]]'
CLSHARD_DEVICES=$first ok list --json
json "[p['device'] for p in d['mesh']['positions']] == ['$first']"
ok list --devices "$first" --mesh a=1,b=-1 --json
json '[a["size"] for a in d["mesh"]["axes"]] == [1, 1]'
ok plan --devices "$first" --mesh a=-1 --shape 4 --spec a
shows "$first "

refused 2 mesh_size "$((count + 1))" list --devices '*' --mesh "data=$((count + 1))"
refused 1 no_devices '' list --devices 'no such device'
refused 2 duplicate_device "$first" list --devices "$first,$first"
refused 2 text '>>>' list --devices ',,'
refused 1 no_devices "$((count + 1))" list --devices '*' --require $((count + 1))
refused 2 argument "'x'" list --require x
refused 2 argument 'exclude each other' list --raw --json
refused 2 argument 'too many' list surplus
