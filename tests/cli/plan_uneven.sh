#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every row of the table of uneven splits, through the options that describe it.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# widths COLUMN: "2,1,1" from the ranges ("box") or the valid extents of the last table.
widths() {
    case $1 in
    box) awk -F'\t' '{split($3, r, ":"); print r[2] - r[1]}' "$scratch/out" | paste -sd, ;;
    valid) cut -f5 "$scratch/out" | paste -sd, ;;
    esac
}

checked=0
while IFS='|' read -r policy n k numbers granule status box valid; do
    mesh="a=$k"
    spec=a
    case $policy in
    weighted\ *)
        # "weighted data=2,model=2, spec data+model", the weights of the axes separated by ';'
        mesh=${policy#weighted }
        mesh=${mesh%, spec *}
        spec=${policy#*, spec }
        [ "$spec" = data+model ] || fail "unknown row: $policy"
        set -- --weights "data=${numbers%;*}" --weights "model=${numbers#*;}"
        ;;
    weighted) set -- --weights "a=$numbers" --granule "a=$granule" ;;
    sizes) set -- --sizes "a=$numbers" ;;
    *) set -- --uneven "$policy" ;;
    esac
    set -- plan --mesh "$mesh" --shape "$n" --spec "$spec" --tsv "$@"
    if [ "$status" = ok ]; then
        ok "$@"
        [ "$(widths box)" = "$box" ] || fail "$policy $n $k $numbers: $(widths box), not $box"
        [ "$(widths valid)" = "$valid" ] || fail "$policy $n $k $numbers: valid $(widths valid)"
    else
        refused 2 "$status" '' "$@"
    fi
    checked=$((checked + 1))
done < <(rows acceptance/15_uneven.tsv | tr '\t' '|')
[ "$checked" -ge 480 ] || fail "only $checked rows"

for number in -1 nan inf 1.5 1e3 0x10 '' ' 1' +1 4294967296 99999999999999999999; do
    refused 2 split ">>>$number<<<" plan --mesh a=2 --shape 10 --spec a --weights "a=2,$number"
done
refused 2 split '0' plan --mesh a=2 --shape 10 --spec a --weights a=0,0
refused 2 split '3' plan --mesh a=2 --shape 10 --spec a --weights a=1,2,3
refused 2 split 'a' plan --mesh a=2,b=2 --shape 10 --spec b --weights a=1,2
refused 2 duplicate_axis "--weights: axis 'a' has --weights already" \
    plan --mesh a=2 --shape 10 --spec a --weights a=1,2 --weights a=1,2
refused 2 duplicate_axis "--sizes: axis 'a' has --weights already" plan --mesh a=2 --shape 10 --spec a --weights a=1,2 --sizes a=5,5
refused 2 split '>>>-5<<<' plan --mesh a=2 --shape 10 --spec a --sizes a=15,-5
refused 2 unknown_axis "'c'" plan --mesh a=2 --shape 10 --spec a --weights c=1,2
refused 2 argument "'a'" plan --mesh a=2 --shape 10 --spec a --weights a
refused 2 argument "'=1'" plan --mesh a=2 --shape 10 --spec a --weights =1
refused 2 argument "'a=4'" plan --mesh a=2 --shape 10 --spec a --granule a=4
refused 2 split "'a=0'" plan --mesh a=2 --shape 10 --spec a --weights a=1,1 --granule a=0
refused 2 split "'a=1,2'" plan --mesh a=2 --shape 10 --spec a --weights a=1,1 --granule a=1,2
refused 2 overflow '' plan --mesh a=2,b=2,c=2 --shape 10 --spec a+b+c \
    --weights a=4294967295,1 --weights b=4294967295,1 --weights c=4294967295,1

# Weights on one dimension, a policy on the other.
ok plan --mesh a=2,b=3 --shape 8x10 --spec a,b --weights a=3,1 --uneven balanced --tsv
[ "$(cut -f5 "$scratch/out" | paste -sd' ')" = '6x4 6x3 6x3 2x4 2x3 2x3' ] || fail "mixed policies"
