#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What docs/plans.md shows is true: its table of collectives, the output that it prints, and that each of
# its commands works.
set -euo pipefail
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
page=$tests/../docs/plans.md

rows=0
while IFS='|' read -r from to name bytes; do
    ok plan --mesh x=2,y=4 --shape 16x24 --dtype f32 --spec "$from" --to "$to" --json
    [[ $name != – ]] || name=
    json "(d['collective'] or '') == '$name'"
    json "sum(r['bytes'] for n, r in d['reach'].items() if n != 'self') == $bytes"
    rows=$((rows + 1))
done < <(tr -d '`' <"$page" | sed -nE 's/^\| ([^ ]+) \| ([^ ]+) \| ([^ ]+) \| ([0-9]+) \|$/\1|\2|\3|\4/p')
((rows >= 10)) || fail "docs/plans.md names $rows collectives"

shown=0
while read -r _ _ command; do
    read -ra words <<<"$command"
    ok "${words[@]}"
    awk -v command="\$ clshard $command" '/^```$/ {inside = 0} inside {print} $0 == command {inside = 1}' "$page" |
        diff - "$scratch/out" || fail "docs/plans.md shows another output of: $command"
    shown=$((shown + 1))
done < <(grep '^\$ clshard ' "$page")
((shown >= 1)) || fail "docs/plans.md shows no output"

commands=0
while read -r _ command; do
    read -ra words <<<"$command"
    ok "${words[@]}"
    commands=$((commands + 1))
done < <(grep '^    clshard ' "$page")
((commands >= 4)) || fail "docs/plans.md has $commands commands"
