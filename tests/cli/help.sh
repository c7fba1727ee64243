#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Help and manual page: a description and an example for each command, and the same options in both.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
page=$tests/../docs/man/clshard.1

ok --version
grep -qxE 'clshard [0-9]+\.[0-9]+\.[0-9]+' "$scratch/out" || fail "version: $(cat "$scratch/out")"
ok --help
cp "$scratch/out" "$scratch/help"
ok -h
cmp "$scratch/out" "$scratch/help" || fail "-h and --help differ"
shows 'Exit status: 0 done; 1'

commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$scratch/help")
[ "$(wc -w <<<"$commands")" -ge 3 ] || fail "commands: $commands"
: >"$scratch/options"
for command in $commands; do
    ok "$command" --help
    cp "$scratch/out" "$scratch/help"
    ok "$command" -h
    cmp "$scratch/out" "$scratch/help" || fail "$command: -h and --help differ"
    head -n 1 "$scratch/out" | grep -q '^[A-Z].* .* .* ' || fail "$command: no description"
    shows "Usage: clshard $command "
    grep -A1 '^Example:' "$scratch/out" | grep -q "^  clshard $command " || fail "$command: no example"
    grep -oE '^ +(-h, )?--[a-z-]+' "$scratch/out" | grep -oE -- '--[a-z-]+' >>"$scratch/options"
    grep -q "^\.It Cm $command\$" "$page" || fail "$command is not in the manual page"
    # Help wins over whatever else is wrong.
    ok "$command" --devices , --help surplus
done
echo --version >>"$scratch/options"
sort -u "$scratch/options" >"$scratch/in_help"
grep -oE '^\.It Fl (h , )?\\-[a-z-]+' "$page" | sed 's/.*\\-/--/' | sort -u >"$scratch/in_page"
diff "$scratch/in_help" "$scratch/in_page" || fail "help (<) and manual page (>) differ"

# The examples of plan work as they stand.
ok plan --help
grep '^  clshard plan ' "$scratch/out" >"$scratch/examples"
while read -r _ example; do
    # shellcheck disable=SC2086
    ok $example
done <"$scratch/examples"
