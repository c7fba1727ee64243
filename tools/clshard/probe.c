/* SPDX-License-Identifier: Apache-2.0 */
#include "probe.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clshard/runtime.h>

#include "check_lines.h"
#include "fail.h"
#include "json_out.h"
#include "process.h"

#define DEFAULT_FOLDER "/etc/OpenCL/vendors"
enum { FOLDER_BYTES = 4000, PATH_BYTES = FOLDER_BYTES + 300, LIBRARY_BYTES = 1024 };

/* One entry of the loader. */
typedef struct entry {
    char path[PATH_BYTES]; /* absolute where it is a file */
    char library[LIBRARY_BYTES];
    const char *name; /* of the file, within path */
} entry;

/* A file's name has at most 255 bytes; longer folders were refused. */
static void set_path(entry *tried, const char *folder, const char *name)
{
    (void)snprintf(tried->path, sizeof tried->path, "%.*s/%.255s", FOLDER_BYTES, folder, name);
    tried->name = name;
}

static bool ends_in_icd(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".icd") == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/* The names of the folder's entries, sorted. A folder that cannot be read has none. */
static clshard_status list_folder(const char *folder, char ***out_names, size_t *out_count,
                                  clshard_error *err)
{
    DIR *open = opendir(folder);
    char **names = NULL;
    size_t count = 0;
    struct dirent *file;
    bool enough = true;

    while (open != NULL && enough && (file = readdir(open)) != NULL) {
        char **more;
        if (!ends_in_icd(file->d_name))
            continue;
        more = realloc(names, (count + 1) * sizeof *names);
        enough = more != NULL && (more[count] = strdup(file->d_name)) != NULL;
        names = more != NULL ? more : names;
        count += enough;
    }
    if (open != NULL)
        (void)closedir(open);
    if (!enough) {
        free_names(names, count);
        return fail_memory(err, "check");
    }
    if (count > 0)
        qsort(names, count, sizeof *names, compare_names);
    *out_names = names;
    *out_count = count;
    return CLSHARD_OK;
}

/* The library that a file names: its first line. What cannot be read is empty. */
static void read_library(entry *read)
{
    FILE *file = ends_in_icd(read->path) ? fopen(read->path, "r") : NULL;

    read->library[0] = '\0';
    if (file == NULL) {
        if (!ends_in_icd(read->path))
            (void)snprintf(read->library, sizeof read->library, "%.*s", LIBRARY_BYTES - 1,
                           read->path);
        return;
    }
    if (fgets(read->library, (int)sizeof read->library, file) == NULL)
        read->library[0] = '\0';
    read->library[strcspn(read->library, "\r\n")] = '\0';
    (void)fclose(file);
}

/* What the child told, as an entry's verdict and sentence. */
static json_t *describe(const entry *tried, const char *verdict, json_t *told, const char *sentence)
{
    return json_pack("{s:o, s:o, s:s, s:I, s:I, s:o}", "file", json_text(tried->path), "library",
                     json_text(tried->library), "verdict", verdict, "platforms",
                     json_integer_value(json_object_get(told, "platforms")), "devices",
                     json_integer_value(json_object_get(told, "devices")), "sentence",
                     json_text(sentence));
}

static json_t *judge(const entry *tried, const process_end *end, double seconds, FILE *out)
{
    char sentence[LIBRARY_BYTES + 200];
    json_t *told = check_lines_next(out);
    const char *problem = json_string_value(json_object_get(told, "problem"));
    const json_int_t platforms = json_integer_value(json_object_get(told, "platforms"));
    const char *verdict = "works";
    json_t *described;

    (void)snprintf(sentence, sizeof sentence, "%s", problem == NULL ? "" : problem);
    if (end->timed_out) {
        verdict = "timed_out";
        (void)snprintf(sentence, sizeof sentence,
                       "the library '%s' did not answer within %g seconds", tried->library,
                       seconds);
    } else if (end->signal != 0 || told == NULL) {
        verdict = "crashed";
        (void)snprintf(sentence, sizeof sentence, "the library '%s' ends the process: %s",
                       tried->library, process_end_text(end).text);
    } else if (problem != NULL) {
        verdict = "broken";
    } else if (platforms == 0) {
        verdict = "no_platform";
        (void)snprintf(sentence, sizeof sentence,
                       "the library '%s' can be loaded, but shows no platform", tried->library);
    }
    described = describe(tried, verdict, told, sentence);
    json_decref(told);
    return described;
}

/* Runs the child on one entry. */
static clshard_status try_entry(const entry *tried, const char *vendors, double seconds,
                                json_t **out, clshard_error *err)
{
    const char *const words[] = {"check", "--entry", tried->library, NULL};
    const process child = {.words = words, .vendors = vendors, .silent = true, .seconds = seconds};
    FILE *output = tmpfile();
    process_end end;
    clshard_status status;

    if (output == NULL)
        return fail_io(err, "opening", "a scratch file");
    status = process_run(&child, output, &end, err);
    if (status == CLSHARD_OK) {
        rewind(output);
        *out = judge(tried, &end, seconds, output);
        if (*out == NULL)
            status = fail_memory(err, "check");
    }
    (void)fclose(output);
    return status;
}

static bool is_verdict(const json_t *described, const char *verdict)
{
    const char *text = json_string_value(json_object_get(described, "verdict"));
    return text != NULL && strcmp(text, verdict) == 0;
}

/* Whether the entry takes down a process that the loader shows it to. */
static bool is_dangerous(const json_t *described)
{
    return is_verdict(described, "crashed") || is_verdict(described, "timed_out");
}

/* A folder that shows the loader one entry, or several. */
static clshard_status link_into(const char *folder, const entry *tried, clshard_error *err)
{
    char path[2 * PATH_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, tried->name);
    return symlink(tried->path, path) == 0 ? CLSHARD_OK : fail_io(err, "linking", path);
}

static void empty_folder(const char *folder)
{
    char **names = NULL;
    size_t count = 0;
    clshard_error err;
    char path[2 * PATH_BYTES];

    if (list_folder(folder, &names, &count, &err) != CLSHARD_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    free_names(names, count);
}

static clshard_status keep(probe_result *out, json_t *described, clshard_error *err)
{
    out->broken += is_dangerous(described) || is_verdict(described, "broken");
    out->entries = json_append(out->entries, described);
    return out->entries == NULL ? fail_memory(err, "check") : CLSHARD_OK;
}

/* Tries each name alone in the scratch folder. */
static clshard_status try_names(char **names, size_t count, const char *absolute, double seconds,
                                probe_result *out, bool *dangerous, clshard_error *err)
{
    clshard_status status = CLSHARD_OK;

    for (size_t i = 0; status == CLSHARD_OK && i < count; i++) {
        entry tried;
        json_t *described = NULL;
        set_path(&tried, absolute, names[i]);
        read_library(&tried);
        status = link_into(out->scratch, &tried, err);
        if (status == CLSHARD_OK)
            status = try_entry(&tried, out->vendors, seconds, &described, err);
        empty_folder(out->scratch);
        if (status != CLSHARD_OK)
            break;
        dangerous[i] = is_dangerous(described);
        status = keep(out, described, err);
    }
    return status;
}

/* Leaves the harmless entries in the scratch folder, or nothing where all are. */
static clshard_status leave_harmless(char **names, size_t count, const char *absolute,
                                     const bool *dangerous, probe_result *out, clshard_error *err)
{
    size_t found = 0;
    clshard_status status = CLSHARD_OK;

    for (size_t i = 0; i < count; i++)
        found += dangerous[i];
    if (found == 0) {
        free(out->vendors);
        out->vendors = NULL;
        return CLSHARD_OK;
    }
    for (size_t i = 0; status == CLSHARD_OK && i < count; i++) {
        entry harmless;
        if (dangerous[i])
            continue;
        set_path(&harmless, absolute, names[i]);
        status = link_into(out->scratch, &harmless, err);
    }
    return status;
}

/* ocl-icd takes for a folder what ends in a slash. */
static clshard_status make_scratch(probe_result *out, clshard_error *err)
{
    const char *parent = getenv("TMPDIR");
    char path[FOLDER_BYTES + 40];
    char folder[FOLDER_BYTES + 42];

    (void)snprintf(path, sizeof path, "%.4000s/clshard-check-XXXXXX",
                   parent == NULL || parent[0] == '\0' ? "/tmp" : parent);
    if (mkdtemp(path) == NULL)
        return fail_io(err, "making the folder", path);
    (void)snprintf(folder, sizeof folder, "%s/", path);
    out->scratch = strdup(path);
    out->vendors = strdup(folder);
    return out->scratch == NULL || out->vendors == NULL ? fail_memory(err, "check") : CLSHARD_OK;
}

/* Links need it so. */
static clshard_status make_absolute(const char *folder, char absolute[FOLDER_BYTES],
                                    clshard_error *err)
{
    char here[FOLDER_BYTES / 2] = "";
    int needed;

    if (folder[0] != '/' && getcwd(here, sizeof here) == NULL)
        return fail_io(err, "finding", ".");
    needed = snprintf(absolute, FOLDER_BYTES, "%s%s%s", here, here[0] == '\0' ? "" : "/", folder);
    if (needed < 0 || needed >= FOLDER_BYTES)
        return fail(err, CLSHARD_ERR_ARGUMENT, "OCL_ICD_VENDORS: the path is too long");
    return CLSHARD_OK;
}

static clshard_status probe_folder(double seconds, probe_result *out, clshard_error *err)
{
    char absolute[FOLDER_BYTES];
    char **names = NULL;
    size_t count = 0;
    bool *dangerous;
    clshard_status status;

    status = make_absolute(out->folder, absolute, err);
    if (status == CLSHARD_OK)
        status = list_folder(absolute, &names, &count, err);
    if (status != CLSHARD_OK || count == 0)
        return status;
    dangerous = calloc(count, sizeof *dangerous);
    if (dangerous == NULL) {
        free_names(names, count);
        return fail_memory(err, "check");
    }
    status = make_scratch(out, err);
    if (status == CLSHARD_OK)
        status = try_names(names, count, absolute, seconds, out, dangerous, err);
    if (status == CLSHARD_OK)
        status = leave_harmless(names, count, absolute, dangerous, out, err);
    free(dangerous);
    free_names(names, count);
    return status;
}

static clshard_status probe_file(double seconds, probe_result *out, clshard_error *err)
{
    entry tried;
    json_t *described = NULL;
    clshard_status status;

    (void)snprintf(tried.path, sizeof tried.path, "%s", out->folder);
    tried.name = tried.path;
    read_library(&tried);
    status = try_entry(&tried, NULL, seconds, &described, err);
    if (status != CLSHARD_OK)
        return status;
    if (is_dangerous(described)) {
        status = make_scratch(out, err);
        if (status != CLSHARD_OK) {
            json_decref(described);
            return status;
        }
    }
    return keep(out, described, err);
}

clshard_status probe_entries(double seconds, probe_result *out, clshard_error *err)
{
    const char *named = getenv("OCL_ICD_VENDORS");
    struct stat facts;

    out->folder = named == NULL || named[0] == '\0' ? DEFAULT_FOLDER : named;
    out->entries = json_array();
    if (out->entries == NULL)
        return fail_memory(err, "check");
    if (stat(out->folder, &facts) != 0)
        return CLSHARD_OK;
    return S_ISDIR(facts.st_mode) ? probe_folder(seconds, out, err) : probe_file(seconds, out, err);
}

void probe_free(probe_result *result)
{
    json_decref(result->entries);
    if (result->scratch != NULL) {
        empty_folder(result->scratch);
        (void)rmdir(result->scratch);
    }
    free(result->scratch);
    free(result->vendors);
}

/* Why the loader shows nothing of a library; NULL: it is a driver without platforms. */
static const char *library_problem(const char *library, char *buffer, size_t buffer_bytes)
{
    void *loaded = library[0] == '\0' ? NULL : dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    bool driver;

    if (library[0] == '\0') {
        (void)snprintf(buffer, buffer_bytes, "the file names no library");
        return buffer;
    }
    if (loaded == NULL) {
        (void)snprintf(buffer, buffer_bytes, "the library '%s' cannot be loaded: %s", library,
                       dlerror());
        return buffer;
    }
    driver = dlsym(loaded, "clGetExtensionFunctionAddress") != NULL ||
             dlsym(loaded, "clIcdGetPlatformIDsKHR") != NULL;
    (void)dlclose(loaded);
    if (driver)
        return NULL;
    (void)snprintf(buffer, buffer_bytes, "the library '%s' is no OpenCL driver", library);
    return buffer;
}

clshard_status probe_tell(const char *library, clshard_error *err)
{
    clshard_runtime *runtime = NULL;
    const clshard_platform_info *platform;
    const char *problem = NULL;
    char buffer[LIBRARY_BYTES + 600];
    size_t platforms = 0;
    size_t devices = 0;

    (void)unsetenv("CLSHARD_DEVICES");
    if (clshard_runtime_open(NULL, NULL, &runtime, err))
        problem = err->message;
    for (; (platform = clshard_runtime_platform(runtime, platforms)) != NULL; platforms++) {
        devices += platform->device_count;
        problem = platform->problem != NULL ? platform->problem : problem;
    }
    if (problem == NULL && platforms == 0)
        problem = library_problem(library, buffer, sizeof buffer);
    check_lines_tell(json_pack("{s:I, s:I, s:o}", "platforms", (json_int_t)platforms, "devices",
                               (json_int_t)devices, "problem", json_text(problem)));
    clshard_runtime_release(runtime);
    return CLSHARD_OK;
}
