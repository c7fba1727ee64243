#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A machine without any OpenCL platform: listing is no failure, needing a device is.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"
export OCL_ICD_VENDORS=/nonexistent

ok list --require 0
ok
shows 'pocl-opencl-icd'
shows "OCL_ICD_VENDORS is '/nonexistent': No such file or directory."
shows "'clshard check' tells which entries of the loader are broken."
ok list --json
json 'd == {"platforms": [], "mesh": None}'
ok --json
json 'd == {"platforms": [], "mesh": None}'
ok list --raw
[ ! -s "$scratch/out" ] || fail "--raw shows a device"
refused 1 no_devices '1' list --require 1
shows 'pocl-opencl-icd'
refused 1 no_devices '1' --require=1 --json
json 'd["mesh"] is None'
refused 1 no_devices "'clshard list' says what to install" list --mesh data=2
refused 1 no_devices "'clshard check' tells" list --devices 0.0
refused 1 no_devices '' scatter "$tests/data/digits_images.npy" --mesh data=2 --spec _
refused 1 no_devices '' plan --devices gpu --mesh data=-1 --shape 4 --spec _
# A plan needs none.
ok plan --mesh data=2 --shape 4 --spec data
