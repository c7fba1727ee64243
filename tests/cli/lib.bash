# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the scripts of this folder share. Each is called as "bash SCRIPT TOOL TESTS_DIR".

tool=$1
tests=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Messages and pictures must not depend on who runs the tests.
export LC_ALL=C
unset CLSHARD_DEVICES CLSHARD_ROUTE CLSHARD_LOG NO_COLOR

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# run ARGUMENT...: the tool's output lands in $scratch/out and $scratch/err, its exit status in $rc.
run() {
    rc=0
    "$tool" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || rc=$?
    case $rc in
    0 | 1 | 2) ;;
    *) fail "clshard $*: exit status $rc: $(cat "$scratch/err")" ;;
    esac
}

# ok ARGUMENT...: it must succeed, and say nothing on stderr.
ok() {
    run "$@"
    [ "$rc" -eq 0 ] || fail "clshard $*: exit status $rc: $(cat "$scratch/err")"
    [ ! -s "$scratch/err" ] || fail "clshard $*: on stderr: $(cat "$scratch/err")"
}

# refused EXIT STATUS WORDS ARGUMENT...: one line on stderr, of this form, that contains the words.
refused() {
    local exit=$1 status=$2 words=$3
    shift 3
    run "$@"
    [ "$rc" -eq "$exit" ] || fail "clshard $*: exit status $rc, not $exit: $(cat "$scratch/err")"
    [ "$(wc -l <"$scratch/err")" -eq 1 ] || fail "clshard $*: not one line: $(cat "$scratch/err")"
    grep -q "^clshard: error: $status: " "$scratch/err" ||
        fail "clshard $*: not the status $status: $(cat "$scratch/err")"
    grep -qF -- "$words" "$scratch/err" ||
        fail "clshard $*: '$words' is not in: $(cat "$scratch/err")"
}

# shows TEXT: the last run's output contains it.
shows() {
    grep -qF -- "$1" "$scratch/out" || fail "'$1' is not in: $(cat "$scratch/out")"
}

# json EXPRESSION: true of the last run's output, as d.
json() {
    python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(0 if eval("(" + sys.argv[2] + ")") else 1)' "$scratch/out" "$1" || fail "not so in JSON: $1"
}

# rows TABLE: its lines without the comments.
rows() {
    grep -v '^#' "$tests/$1"
}
