#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The table of JAX's answer, by a spec and by rules; and every layout that JAX computed.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

rows acceptance/04_plan.tsv >"$scratch/expected"
[ "$(wc -l <"$scratch/expected")" -eq 8 ] || fail "acceptance/04_plan.tsv has not 8 rows"
for how in '--spec data,model' '--rules fsdp --names data,embed' \
    '--rules fsdp:data,model --names data,mlp --lookup priority'; do
    # shellcheck disable=SC2086
    ok plan --mesh data=4,model=2 --shape 256x1024 $how --tsv
    cmp "$scratch/out" "$scratch/expected" || fail "$how: another table"
done
for i in 0 3 7; do
    ok plan --mesh data=4,model=2 --shape 256x1024 --spec data,model --tsv --position "$i"
    sed -n "$((i + 1))p" "$scratch/expected" | cmp - "$scratch/out" || fail "position $i differs"
done

# A scalar has no ranges, and its extent is named.
ok plan --mesh a=2 --shape scalar --spec '' --tsv
printf '0\t0\t\t0\tscalar\n1\t1\t\t1\tscalar\n' | cmp - "$scratch/out" || fail "scalar"

checked=0
while IFS='|' read -r mesh shape spec status _ ranges replicas; do
    if [ "$status" != ok ]; then
        refused 2 "$status" '' plan --mesh "$mesh" --shape "$shape" --spec "$spec" --tsv
        continue
    fi
    ok plan --mesh "$mesh" --shape "$shape" --spec "$spec" --tsv
    [ "$(cut -f3 "$scratch/out" | paste -sd';')" = "$ranges" ] ||
        fail "$mesh $shape $spec: not the ranges $ranges"
    [ "$(cut -f4 "$scratch/out" | paste -sd,)" = "$replicas" ] ||
        fail "$mesh $shape $spec: not the replicas $replicas"
    checked=$((checked + 1))
done < <(rows golden/layouts.tsv | tr '\t' '|')
[ "$checked" -ge 400 ] || fail "only $checked layouts"
