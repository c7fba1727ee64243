#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What README.md shows is true: its C is in examples/mesh.c word for word, its CMake is what tests/consume
# builds programs with, each `clshard plan` in it prints what stands below it, and every file that it links
# to exists.
set -euo pipefail
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
export LC_ALL=C.UTF-8 COLUMNS=80
root=$(dirname "$tests")

trimmed() {
    sed -E 's/^ +//; s/ +$//'
}

# blocks LANGUAGE: what README.md's fenced blocks of that language hold.
blocks() {
    awk -v fence="\`\`\`$1" '$0 == "```" {inside = 0} inside {print} $0 == fence {inside = 1}' "$root/README.md" |
        trimmed
}

blocks c >"$scratch/c"
[[ -s $scratch/c ]] || fail "README.md shows no C"
trimmed <"$root/examples/mesh.c" >"$scratch/example"
[[ $(<"$scratch/example") == *"$(<"$scratch/c")"* ]] ||
    fail "README.md shows C that examples/mesh.c does not have"

lines=0
while read -r line; do
    grep -qxF "$line" "$tests"/consume/*/CMakeLists.txt || fail "no project of tests/consume has: $line"
    lines=$((lines + 1))
done < <(blocks cmake)
((lines >= 4)) || fail "README.md shows $lines lines of CMake"

blocks console >"$scratch/console"
plans=0
while IFS=: read -r number command; do
    read -ra words <<<"${command#\$ clshard }"
    { "$tool" "${words[@]}" 2>&1 || true; } | trimmed >"$scratch/printed"
    tail -n "+$((number + 1))" "$scratch/console" | awk '/^\$ / {exit} {print}' >"$scratch/shown"
    diff "$scratch/shown" "$scratch/printed" || fail "README.md shows another output of: $command"
    plans=$((plans + 1))
done < <(grep -n '^\$ clshard plan' "$scratch/console")
((plans >= 2)) || fail "README.md shows $plans plans"

links=0
while read -r file; do
    [[ -e $root/$file ]] || fail "README.md links to $file, which does not exist"
    links=$((links + 1))
done < <(grep -oE '\]\([A-Za-z][A-Za-z0-9_./-]*\)' "$root/README.md" | tr -d ']()')
((links > 0)) || fail "README.md links to nothing"
