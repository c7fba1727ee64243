#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every way to be refused: the status, the exit status, and the place or the value in the message.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# plan_with STATUS WORDS MESH SHAPE SPEC [ARGUMENT...]
plan_with() {
    local status=$1 words=$2 mesh=$3 shape=$4 spec=$5
    shift 5
    refused 2 "$status" "$words" plan --mesh "$mesh" --shape "$shape" --spec "$spec" "$@"
}

plan_with text '>>>' data=4,model 16 data
plan_with text '>>>' data=4, 16 data
plan_with text '>>>' data=4 16x data
plan_with text '>>>' data=4 16 'data,,'
plan_with name '1data' 1data=4 16 _
plan_with mesh_size '0' data=0 16 data
plan_with duplicate_axis "'data'" data=2,data=2 16 data
plan_with duplicate_axis "'data'" data=2 16x16 data,data
plan_with duplicate_axis "'data' is used twice in dimension 0" data=2 16x16 data+data
plan_with unknown_axis "'modle'" data=4,model=2 16 modle
plan_with rank '2' data=4 16 data,_
plan_with rank '' data=4 1x1x1x1x1x1x1x1x1 data
plan_with overflow '' data=4 99999999999x99999999999 data
plan_with overflow '' 'a=4294967296,b=4294967296,c=2' 16 _
plan_with overflow 'f64' data=4 4611686018427387904 data --dtype f64
plan_with indivisible 'balanced' data=4 10 data
plan_with abstract 'data=-1' data=-1 16 data
plan_with dtype "'f31'" data=4 16 data --dtype f31
plan_with index '--position 4' data=4 16 data --position 4
plan_with argument "'x'" data=4 16 data --position x
plan_with argument "'-1'" data=4 16 data --position=-1
plan_with argument "'odd'" data=4 16 data --uneven odd
plan_with argument "'weighted'" data=4 16 data --uneven weighted
plan_with argument 'exclude each other' data=4 16 data --rules fsdp --names data
plan_with argument 'exclude each other' data=4 16 data --lookup exact
plan_with argument 'exclude each other' data=4 16 data --json --tsv
plan_with argument '--repeat' data=4 16 data --repeat
plan_with argument 'twice' data=4 16 data --mesh data=2
plan_with argument 'too many' data=4 16 data surplus
plan_with text "--to: spec 'data,>>>" data=4 16 data --to 'data,'
plan_with unknown_axis "'modle'" data=4 16 data --to modle
plan_with duplicate_axis "--to: sharding: axis 'data'" data=4 16x16 data --to data,data
plan_with rank '2' data=4 16 data --to _,_
plan_with indivisible '--to: layout: dimension 0 of the shape 10 has extent 10' \
    data=4 10 data --uneven pad --to data --to-uneven even
plan_with indivisible '--to-uneven takes the first four' data=4 10 data --uneven pad --to data --to-uneven even
plan_with indivisible 'x=3' data=4 16 data --to x --to-mesh x=3
plan_with text '--to-mesh: ' data=4 16 data --to _ --to-mesh data=
plan_with abstract 'data=-1' data=4 16 data --to _ --to-mesh data=-1
plan_with argument "--to-uneven 'odd'" data=4 16 data --to _ --to-uneven odd
! grep -q -e --weights "$scratch/err" || fail "weights for a target: $(cat "$scratch/err")"
plan_with argument '--to-mesh needs --to' data=4 16 data --to-mesh data=4
plan_with argument '--to-uneven needs --to' data=4 16 data --to-uneven pad
plan_with argument 'exclude each other' data=4 16 data --to _ --json --tsv
plan_with index '--position 2: the mesh of the target' data=4 16 data --to _ --to-mesh x=2 --position 2
plan_with overflow 'positions' data=16 4294967296x1073741824 data --to _
plan_with overflow 'bytes' data=4 4294967296x536870912 data --dtype u16 --to _
plan_with overflow '--json' data=3 4294967296x1073741824 data --uneven balanced --to _ --json
plan_with mesh_size '4 positions cannot be dealt to 3' data=4 16 data --processes 3
plan_with mesh_size '--processes 0' data=4 16 data --processes 0
plan_with mesh_size '3 positions' data=4 16 data --processes 2 --to _ --to-mesh x=3
plan_with argument "'two'" data=4 16 data --processes two
plan_with argument 'exclude each other' data=4 16 data --processes 2 --position 0
plan_with overflow 'process 0' data=4 4294967296x1073741824 _ --dtype u8 --processes 1

by_rules() {
    local status=$1 words=$2
    shift 2
    refused 2 "$status" "$words" plan --mesh data=4,model=2 --shape 64x64 "$@"
}
by_rules unknown_name 'vocab' --rules fsdp --names data,vocab
by_rules duplicate_axis 'priority' --rules fsdp --names embed,mlp
by_rules rule_conflict 'data' --rules fsdp --names data,data --lookup strict
by_rules text '>>>' --rules 'fsdp:' --names data
by_rules argument '--names' --rules fsdp
by_rules argument "'fuzzy'" --rules fsdp --names data --lookup fuzzy
by_rules argument '--spec' --names data
by_rules argument '--spec' --uneven ceil

refused 2 argument '--mesh is missing' plan --shape 4 --spec _
refused 2 argument '--shape is missing' plan --mesh a=2 --spec _
refused 2 argument '--shape' plan --mesh a=2 --spec _ --shape
refused 2 argument '--json' plan --mesh a=2 --shape 4 --spec _ --json=yes
refused 2 argument "'plant'" plant
refused 2 argument '--bogus' --bogus
refused 2 argument '-x' plan -x

# What a user types cannot steer the terminal.
esc=$(printf '\033[31mred\007\177\302\233')
refused 2 argument '\x1b[31mred\x07\x7f\xc2\x9b' "$esc"
for argument in "--mesh=$esc" "--$esc" "--shape=$esc" "--spec=$esc" "--uneven=$esc" "--dtype=$esc" \
    "--weights=$esc" "--weights=a=$esc"; do
    for locale in C C.UTF-8; do
        LC_ALL=$locale run plan --shape 4 --mesh a=2 "$argument"
        [ "$rc" -eq 2 ] || fail "$argument is not refused"
        ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$scratch/err" ||
            fail "a control character of $argument went through"
        ! LC_ALL=C grep -q "$(printf '\302\233')" "$scratch/err" ||
            fail "a C1 control of $argument went through"
    done
done

# A message longer than any line is cut, not lost.
refused 2 argument "'xxxx" "$(printf 'x%.0s' {1..3000})"

# Output that could not be written is a failure.
if [ -w /dev/full ]; then
    rc=0
    "$tool" plan --mesh a=2 --shape 4 --spec a >/dev/full 2>"$scratch/err" || rc=$?
    [ "$rc" -eq 1 ] || fail "a full disk: exit status $rc"
    grep -q '^clshard: error: io: ' "$scratch/err" || fail "a full disk: $(cat "$scratch/err")"
fi
