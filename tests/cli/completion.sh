#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bash completes what help and manual page describe: the same commands, the same options for each, the
# values that the tool says it takes, and files where files are read or written.
set -euo pipefail
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
page=$tests/../docs/man/clshard.1
# shellcheck source=tools/clshard/clshard.bash-completion
. "$tests/../tools/clshard/clshard.bash-completion"
[[ $(complete -p clshard) == *'-F _clshard clshard' ]] || fail "the completion is not registered"

# Outside of a completion bash refuses to change its options.
compopt() {
    :
}

# completes WORD...: what the last word is completed to, one candidate a line, in $scratch/out.
completes() {
    COMP_WORDS=(clshard "$@") COMP_CWORD=$#
    _clshard "$tool"
    printf '%s\n' ${COMPREPLY[@]+"${COMPREPLY[@]}"} | sort >"$scratch/out"
}

# same A B WHAT
same() {
    [[ -s $1 ]] || fail "nothing is $3"
    diff "$1" "$2" || fail "these differ: $3"
}

ok --help
sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$scratch/out" | sort >"$scratch/commands"
completes ''
same "$scratch/commands" "$scratch/out" "commands in help (<) and completed (>)"
completes pl
[[ $(<"$scratch/out") == plan ]] || fail "'pl' is completed to: $(<"$scratch/out")"

while read -r command; do
    ok "$command" --help
    grep -oE '^ {2,6}(-h, )?--[a-z-]+' "$scratch/out" | grep -oE -- '--[a-z-]+' | sort -u >"$scratch/help"
    completes "$command" -
    same "$scratch/help" "$scratch/out" "options of $command in help (<) and completed (>)"
    cat "$scratch/out" >>"$scratch/all"
done <"$scratch/commands"
completes --
cat "$scratch/out" >>"$scratch/all"
grep -oE '^\.It Fl (h , )?\\-[a-z-]+' "$page" | sed 's/.*\\-/--/' | sort -u >"$scratch/page"
sort -u "$scratch/all" | diff "$scratch/page" - || fail "options in the manual page (<) and completed (>) differ"

# values COMMAND OPTION ARGUMENT...: what is completed is what the tool lists when it refuses a value, and
# what the manual page names.
values() {
    local command=$1 option=$2
    shift 2
    completes "$command" "$option" ''
    cp "$scratch/out" "$scratch/completed"
    run "$command" "$@" "$option" no_such_value
    sed 's/.*: //; s/ are\b.*//; s/,\| and\b/ /g' "$scratch/err" | tr -s ' ' '\n' | sort >"$scratch/listed"
    same "$scratch/listed" "$scratch/completed" "values of $option that the tool lists (<) and completed (>)"
    sed -n "/^\.It Fl ..${option#--} /,/^\.It Fl/p" "$page" | grep '^\.Cm ' | grep -oE '[a-z][a-z0-9_]+' |
        grep -xFf "$scratch/completed" | sort -u >"$scratch/named"
    same "$scratch/completed" "$scratch/named" "values of $option completed (<) and in the manual page (>)"
    # As one word bash splits it in three.
    completes "$command" "$option" = ''
    same "$scratch/completed" "$scratch/out" "values of $option after a space (<) and after = (>)"
}
values plan --dtype --mesh a=2 --shape 4 --spec a
values plan --uneven --mesh a=2 --shape 4 --spec a
values plan --to-uneven --mesh a=2 --shape 4 --spec a --to _
values plan --lookup --mesh a=2 --shape 4 --rules fsdp --names data
values scatter --route "$tests/data/digits_labels.npy" --mesh a=1 --spec a
completes plan --uneven = ba
[[ $(<"$scratch/out") == balanced ]] || fail "'--uneven=ba' is completed to: $(<"$scratch/out")"

mkdir -p "$scratch/files/a folder"
touch "$scratch/files/x.npy" "$scratch/files/x.txt"
cd "$scratch/files"
completes scatter ''
[[ $(<"$scratch/out") == $'a folder\nx.npy' ]] || fail "files for scatter: $(<"$scratch/out")"
completes scatter x.npy --out ''
[[ $(<"$scratch/out") == 'a folder' ]] || fail "folders for --out: $(<"$scratch/out")"
completes plan --mesh ''
[[ $(<"$scratch/out") == '' ]] || fail "a mesh cannot be completed, and is to: $(<"$scratch/out")"
