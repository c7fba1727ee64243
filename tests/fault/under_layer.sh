#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/fault/under_layer.sh PROGRAM ARGUMENT...: passes when the program does, and the fault layer that
# the environment names was called by it.
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$@" >"$log" 2>&1
status=$?
cat "$log"
grep -q '^fault layer: called$' "$log" || {
    echo "the fault layer was not called" >&2
    exit 1
}
exit "$status"
