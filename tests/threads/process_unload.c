/* SPDX-License-Identifier: Apache-2.0 */
/* The shared library may be loaded with dlopen() and unloaded again: it has no destructors, and
 * leaves nothing behind that would be called later. */

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "support/plain.h"

enum { ROUNDS = 3 };

/* Only called through what dlsym() finds, so that nothing else holds the library. */
typedef struct functions {
    clshard_status (*open)(const char *, const clshard_runtime_options *, clshard_runtime **,
                           clshard_error *);
    clshard_status (*mesh)(const clshard_runtime *, const char *, const clshard_mesh_options *,
                           clshard_mesh **, clshard_error *);
    clshard_status (*sharding)(const clshard_mesh *, const char *, const clshard_sharding_options *,
                               clshard_sharding **, clshard_error *);
    clshard_status (*array)(const clshard_sharding *, clshard_dtype, clshard_shape,
                            clshard_array **, clshard_error *);
    clshard_status (*scatter)(clshard_array *, const clshard_tensor *,
                              const clshard_transfer_options *, clshard_event **, clshard_error *);
    clshard_status (*gather)(const clshard_tensor *, const clshard_array *,
                             const clshard_transfer_options *, clshard_event **, clshard_error *);
    void (*release_array)(clshard_array *);
    void (*release_sharding)(clshard_sharding *);
    void (*release_mesh)(clshard_mesh *);
    void (*release_runtime)(clshard_runtime *);
} functions;

/* POSIX has dlsym() give functions as pointers to data, which C does not convert. */
static bool find(void *library, const char *name, void *out_function)
{
    void *found = dlsym(library, name);
    memcpy(out_function, &found, sizeof found);
    return expect(found != NULL, "%s", name);
}

static bool find_all(void *library, functions *all)
{
    return find(library, "clshard_runtime_open", &all->open) &&
           find(library, "clshard_mesh_parse", &all->mesh) &&
           find(library, "clshard_sharding_parse", &all->sharding) &&
           find(library, "clshard_array_create_sharded", &all->array) &&
           find(library, "clshard_scatter", &all->scatter) &&
           find(library, "clshard_gather", &all->gather) &&
           find(library, "clshard_array_release", &all->release_array) &&
           find(library, "clshard_sharding_release", &all->release_sharding) &&
           find(library, "clshard_mesh_release", &all->release_mesh) &&
           find(library, "clshard_runtime_release", &all->release_runtime);
}

static void use(const functions *call)
{
    static const int32_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int32_t back[8] = {0};
    const clshard_tensor from = {.data = (void *)(uintptr_t)numbers,
                                 .dtype = CLSHARD_I32,
                                 .shape = {1, {8}},
                                 .bytes = sizeof numbers};
    const clshard_tensor to = {.data = back, .dtype = CLSHARD_I32, .shape = {1, {8}}};
    const char *chosen = getenv("CLSHARD_DEVICES");
    clshard_runtime *runtime = NULL;
    clshard_mesh *mesh = NULL;
    clshard_sharding *sharding = NULL;
    clshard_array *array = NULL;
    clshard_error err = {0};

    if (works(call->open(chosen != NULL && chosen[0] != '\0' ? NULL : "*", NULL, &runtime, &err),
              &err) &&
        works(call->mesh(runtime, "a=-1", NULL, &mesh, &err), &err) &&
        works(call->sharding(mesh, "a",
                             CLSHARD_WITH(clshard_sharding_options, .uneven = CLSHARD_CEIL),
                             &sharding, &err),
              &err) &&
        works(call->array(sharding, CLSHARD_I32, from.shape, &array, &err), &err) &&
        works(call->scatter(array, &from, NULL, NULL, &err), &err) &&
        works(call->gather(&to, array, NULL, NULL, &err), &err))
        (void)expect(memcmp(numbers, back, sizeof back) == 0, "other numbers");
    call->release_array(array);
    call->release_sharding(sharding);
    call->release_mesh(mesh);
    call->release_runtime(runtime);
}

int main(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        void *library = dlopen(CLSHARD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
        functions all;

        if (!expect(library != NULL, "%s", dlerror()))
            break;
        if (find_all(library, &all))
            use(&all);
        (void)expect(dlclose(library) == 0, "%s", dlerror());
        (void)expect(dlopen(CLSHARD_LIBRARY, RTLD_NOW | RTLD_NOLOAD) == NULL, "still loaded");
    }
    return plain_result();
}
