/* SPDX-License-Identifier: Apache-2.0 */
#include "opencl/program_binary.h"

#include <string.h>

#include <clshard/version.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/text.h"

enum { KEY_PARTS = 8, LENGTH_CHARS = 24 };

/* Each part stands after its length, so that no two lists of parts read alike. */
bool clshard__program_key(const clshard__device *device, const char *options, const char *source,
                          clshard__bytes *out_key)
{
    const char *const parts[KEY_PARTS] = {clshard_version(),
                                          device->info.platform,
                                          device->platform_version,
                                          device->info.name,
                                          device->info.version,
                                          device->info.driver,
                                          options,
                                          source};
    size_t room = (size_t)KEY_PARTS * LENGTH_CHARS;
    clshard__writer writer;
    unsigned char *data;

    for (size_t i = 0; i < KEY_PARTS; i++)
        if (!clshard__add(room, strlen(parts[i]), &room))
            return false;
    data = clshard__alloc(room, 1);
    if (data == NULL)
        return false;
    writer = clshard__writer_of((char *)data, room);
    for (size_t i = 0; i < KEY_PARTS; i++)
        clshard__write(&writer, "%zu:%s", strlen(parts[i]), parts[i]);
    *out_key = (clshard__bytes){data, writer.needed};
    return true;
}

cl_program clshard__program_from_binary(cl_context context, const clshard__device *device,
                                        const char *options, clshard__bytes binary)
{
    const unsigned char *data = binary.data;
    cl_int code = CL_SUCCESS;
    cl_int status = CL_SUCCESS;
    cl_program program =
        clCreateProgramWithBinary(context, 1, &device->id, &binary.count, &data, &status, &code);

    if (code != CL_SUCCESS)
        return NULL;
    if (status == CL_SUCCESS &&
        clBuildProgram(program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS)
        return program;
    (void)clReleaseProgram(program);
    return NULL;
}

/* One entry for each device of the program's context. */
typedef struct entries {
    cl_uint count;
    cl_device_id *devices;
    size_t *bytes;
    unsigned char **data;
} entries;

static void end_entries(entries *all)
{
    for (cl_uint i = 0; all->data != NULL && i < all->count; i++)
        clshard__free(all->data[i]);
    clshard__free(all->devices);
    clshard__free(all->bytes);
    clshard__free(all->data);
}

static bool read_sizes(cl_program program, entries *all)
{
    if (clGetProgramInfo(program, CL_PROGRAM_NUM_DEVICES, sizeof all->count, &all->count, NULL) !=
            CL_SUCCESS ||
        all->count == 0)
        return false;
    all->devices = clshard__alloc(all->count, sizeof(cl_device_id));
    all->bytes = clshard__alloc(all->count, sizeof(size_t));
    all->data = clshard__alloc(all->count, sizeof(unsigned char *));
    return all->devices != NULL && all->bytes != NULL && all->data != NULL &&
           clGetProgramInfo(program, CL_PROGRAM_DEVICES, all->count * sizeof(cl_device_id),
                            all->devices, NULL) == CL_SUCCESS &&
           clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, all->count * sizeof(size_t),
                            all->bytes, NULL) == CL_SUCCESS;
}

/* Room for every entry: PoCL 3.1 writes to the pointer of an entry that has bytes even where it is
 * NULL, which means by the specification that the entry is not wanted. */
static bool read_data(cl_program program, entries *all)
{
    for (cl_uint i = 0; i < all->count; i++) {
        if (all->bytes[i] > CLSHARD__BINARY_FILE_MAX_BYTES)
            return false;
        all->data[i] = clshard__alloc(all->bytes[i], 1);
        if (all->data[i] == NULL)
            return false;
    }
    return clGetProgramInfo(program, CL_PROGRAM_BINARIES, all->count * sizeof(unsigned char *),
                            all->data, NULL) == CL_SUCCESS;
}

/* The only entry with bytes, since the program was built for one device. By the device's place only
 * where others have bytes too: PoCL 3.1 puts the one that was built first, whatever its place in
 * CL_PROGRAM_DEVICES. */
static cl_uint entry_of(const entries *all, cl_device_id device)
{
    cl_uint found = all->count;
    cl_uint filled = 0;
    cl_uint last = 0;

    for (cl_uint i = 0; i < all->count; i++) {
        if (all->devices[i] == device)
            found = i;
        if (all->bytes[i] > 0) {
            filled++;
            last = i;
        }
    }
    return filled == 1 ? last : found;
}

bool clshard__program_to_binary(cl_program program, const clshard__device *device,
                                clshard__bytes *out_binary)
{
    entries all = {0, NULL, NULL, NULL};
    bool done = read_sizes(program, &all) && read_data(program, &all);

    if (done) {
        const cl_uint entry = entry_of(&all, device->id);
        done = entry < all.count && all.bytes[entry] > 0;
        if (done) {
            *out_binary = (clshard__bytes){all.data[entry], all.bytes[entry]};
            all.data[entry] = NULL;
        }
    }
    end_entries(&all);
    return done;
}
