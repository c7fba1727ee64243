#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The self-tests of the tool: the form of what it reports, and entries of the loader that are broken.
set -eu
# shellcheck source=tests/cli/lib.bash
. "$(dirname "$0")/lib.bash"

# The devices that the environment shows.
ok list --raw --devices '*'
count=$(wc -l <"$scratch/out")
two=$(head -n 2 "$scratch/out" | cut -f 1 | paste -sd ,)
first=$(head -n 1 "$scratch/out" | cut -f 1)
ok check --quick --json
json 'list(d) == ["entries", "devices", "pairs", "summary"]'
json 'all(list(e) == ["file", "library", "verdict", "platforms", "devices", "sentence"]
          for e in d["entries"])'
json 'all(list(v) == ["id", "name", "platform", "version", "driver", "findings"]
          for v in d["devices"])'
json 'all(list(p) == ["from", "to", "findings"] for p in d["pairs"])'
json 'all(list(f) == ["test", "verdict", "sentence", "seconds"]
          for t in d["devices"] + d["pairs"] for f in t["findings"])'
json 'list(d["summary"]) == ["passed", "unsupported", "disabled", "failed", "broken_entries"]'
json 'all(d["summary"][v] == sum(f["verdict"] == v for t in d["devices"] + d["pairs"]
                                 for f in t["findings"])
          for v in ("passed", "unsupported", "disabled", "failed"))'
json 'd["summary"]["failed"] == d["summary"]["broken_entries"] == 0 < d["summary"]["passed"]'
json "len(d['devices']) == $count and len(d['pairs']) == $count * ($count - 1) // 2"
json 'len(d["entries"]) > 0 and all(e["verdict"] in ("works", "no_platform") for e in d["entries"])'
json "sum(e['devices'] for e in d['entries']) == $count"
json '{"start", "route linear", "route kernel", "shared memory", "division", "f64", "64-bit integers"}
      <= {f["test"] for f in d["devices"][0]["findings"]}'

# One device, as a table: no pairs, and a sentence only where a test did not pass.
ok check --quick --devices "$first"
shows "device $first "
shows '1 device, 0 pairs: '
grep -qE '^  start +passed$' "$scratch/out" || fail "no row 'start': $(cat "$scratch/out")"
CLSHARD_DEVICES=$first ok check --quick --json
json "[v['id'] for v in d['devices']] == ['$first']"
if ((count > 1)); then
    ok check --json --devices "$two"
    json 'len(d["pairs"]) == 2 and d["pairs"][0]["from"] == d["pairs"][1]["to"]'
fi

# A driver that fails a call, or crashes or hangs within a test: a layer of the loader does it for one
# that only the test of padding makes. The other devices and the pairs are tested all the same.
cc -shared -fPIC -x c -o "$scratch/layer.so" - <<'C'
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static struct _cl_icd_dispatch table;
static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem buffer, const void *pattern,
                               size_t pattern_bytes, size_t offset, size_t bytes, cl_uint count,
                               const cl_event *list, cl_event *event)
{
    const char *fault = getenv("FILL_FAULT");
    (void)queue, (void)buffer, (void)pattern, (void)pattern_bytes, (void)offset, (void)bytes;
    (void)count, (void)list, (void)event;
    if (strcmp(fault, "crash") == 0) abort();
    while (strcmp(fault, "hang") == 0) pause();
    return CL_OUT_OF_RESOURCES;
}
CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void *value, size_t *needed)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name != CL_LAYER_API_VERSION) return CL_INVALID_VALUE;
    if (value != NULL && bytes >= sizeof version) memcpy(value, &version, sizeof version);
    if (needed != NULL) *needed = sizeof version;
    return CL_SUCCESS;
}
CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch *target,
                                            cl_uint *count, const cl_icd_dispatch **own)
{
    memcpy(&table, target, entries * sizeof(void *) < sizeof table ? entries * sizeof(void *) : sizeof table);
    table.clEnqueueFillBuffer = fill;
    *count = sizeof table / sizeof(void *);
    *own = &table;
    return CL_SUCCESS;
}
C
# faulty FAULT TEST SENTENCE: what the last test of each device, and the pairs, come to.
faulty() {
    OPENCL_LAYERS=$scratch/layer.so FILL_FAULT=$1 run check --quick --json --timeout 1 --devices "$two"
    [ "$rc" -eq 1 ] || fail "a driver with $1: exit status $rc: $(cat "$scratch/err")"
    grep -q '^clshard: error: opencl: check: [12] tests\? failed, 0 loader' "$scratch/err" || fail "$1: $(cat "$scratch/err")"
    json "len(d['devices']) == len('$two'.split(','))"
    json "all([(f['test'], '$3' in f['sentence']) for f in v['findings'] if f['verdict'] == 'failed']
              == [('$2', True)] for v in d['devices'])"
    json "len(d['pairs']) == len(d['devices']) - 1"
    json "all(f['verdict'] == 'passed' for p in d['pairs'] for f in p['findings'])"
}
faulty call padding clEnqueueFillBuffer
json "all(v['findings'][-1]['test'] == '64-bit integers' for v in d['devices'])"
faulty crash process 'signal 6 (Aborted)'
json "all(\"after the test 'route \" in v['findings'][-1]['sentence'] for v in d['devices'])"
faulty hang process 'longer than 6 seconds'

# Entries that are broken are named, and the others are tested. A library that hangs or crashes while
# it is loaded is kept from the tests.
vendors=$scratch/vendors
mkdir "$vendors"
source=${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}
if [ -d "$source" ]; then
    cp "$source"/*.icd "$vendors/"
else
    cp "$source" "$vendors/"
fi
whole=$(find "$vendors" -name '*.icd' | wc -l)
entry() {
    echo "$scratch/$1.so" >"$vendors/$1.icd"
}
cc_shared() {
    cc -shared -fPIC -x c -o "$scratch/$1.so" -
    entry "$1"
}
cc_shared crashes <<'C'
#include <stdlib.h>
__attribute__((constructor)) static void load(void) { abort(); }
C
cc_shared hangs <<'C'
#include <unistd.h>
__attribute__((constructor)) static void load(void) { for (;;) pause(); }
C
cc_shared foreign <<'C'
int nothing_of_opencl;
C
cc_shared silent <<'C'
int clIcdGetPlatformIDsKHR(unsigned entries, void **platforms, unsigned *count);
int clIcdGetPlatformIDsKHR(unsigned entries, void **platforms, unsigned *count)
{
    (void)entries, (void)platforms;
    if (count) *count = 0;
    return -1001;
}
void *clGetExtensionFunctionAddress(const char *name);
void *clGetExtensionFunctionAddress(const char *name)
{
    return name[5] == 'G' ? (void *)clIcdGetPlatformIDsKHR : 0;
}
C
echo 'this is a text, not a library, and long enough to be taken for one by its size alone.' \
    >"$scratch/text.so"
entry text
entry missing
mkdir "$scratch/tmp"
export OCL_ICD_VENDORS=$vendors TMPDIR=$scratch/tmp
run check --quick --json --timeout 2
[ "$rc" -eq 1 ] || fail "broken entries: exit status $rc: $(cat "$scratch/err")"
grep -q '^clshard: error: no_devices: check: 0 tests failed, 5 loader entries are broken$' "$scratch/err" ||
    fail "broken entries: $(cat "$scratch/err")"
verdict() {
    json "[(e['verdict'], e['library'] in e['sentence']) for e in d['entries']
           if e['file'] == '$vendors/$1.icd'] == [('$2', True)]"
}
verdict crashes crashed
verdict hangs timed_out
verdict foreign broken
verdict text broken
verdict missing broken
verdict silent no_platform
json "sum(e['verdict'] == 'works' for e in d['entries']) == $whole"
json "d['summary']['broken_entries'] == 5 and d['summary']['failed'] == 0"
json "len(d['devices']) == $count and all(v['findings'] for v in d['devices'])"
[ -z "$(ls "$scratch/tmp")" ] || fail 'a scratch folder is left'

# For people: what is wrong stands beside each; one entry by its file.
run check --quick --timeout 2 --devices "$first"
[ "$rc" -eq 1 ] || fail "broken entries: exit status $rc"
shows ' 0 failed, 5 entries broken'
shows 'ends the process: signal 6'
shows 'did not answer within 2 seconds'
shows 'is no OpenCL driver'
shows 'cannot be loaded'
OCL_ICD_VENDORS=$vendors/crashes.icd run check --quick --timeout 2
[ "$rc" -eq 1 ] || fail "only a broken entry: exit status $rc"
shows 'crashed'
grep -q '^clshard: error: no_devices: .*: 1 of 1 loader entry is broken' "$scratch/err" ||
    fail "no devices: $(cat "$scratch/err")"

# Without any entry there is no device to test.
rm "$vendors"/*.icd
refused 1 no_devices "no OpenCL device to test: '$vendors' holds no loader entry" check
shows 'none'
refused 1 no_devices "no device matches 'gpu'" check --devices gpu
OCL_ICD_VENDORS=$scratch/nowhere refused 1 no_devices "'$scratch/nowhere': No such file" check --json
json 'd["entries"] == d["devices"] == d["pairs"] == []'

refused 2 argument '--timeout' check --timeout 0
refused 2 argument "'soon'" check --timeout soon
refused 2 argument 'too many' check surplus
CLSHARD_ROUTE=fast OCL_ICD_VENDORS=$source refused 2 argument "'fast'" check --quick --devices "$first"
refused 2 text '>>>' check --devices ',,'
