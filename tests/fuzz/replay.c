/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target on files: each argument is a file, or a folder of files. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

static size_t replayed;

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = calloc(1 << 20, 1);
    size_t bytes;

    fuzz_require(file != NULL && data != NULL, path);
    bytes = fread(data, 1, 1 << 20, file);
    (void)fclose(file);
    (void)LLVMFuzzerTestOneInput(data, bytes);
    free(data);
    replayed++;
}

static void replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    char name[4096];

    fuzz_require(folder != NULL, path);
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        replay_file(name);
    }
    (void)closedir(folder);
}

int main(int argc, char **argv)
{
    struct stat facts;

    for (int i = 1; i < argc; i++) {
        fuzz_require(stat(argv[i], &facts) == 0, argv[i]);
        if (S_ISDIR(facts.st_mode))
            replay_folder(argv[i]);
        else
            replay_file(argv[i]);
    }
    (void)printf("%zu inputs replayed\n", replayed);
    return replayed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
