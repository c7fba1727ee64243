/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <clshard/npy.h>

#include "array/npy_file.h"
#include "support/files.h"
#include "support/refusal.h"

TestSuite(npy_refusals, .init = folder_make, .fini = folder_remove);

static void refuse_read(const char *path, clshard_status status, const char *words)
{
    char data = 0;
    clshard_tensor tensor = {&data, CLSHARD_I8, {7, {7}}, {7}, 77};
    clshard_error err = {0};

    refusal(clshard_npy_read(path, &tensor, &err), status, &err, words);
    cr_assert(tensor.data == &data && tensor.dtype == CLSHARD_I8 && tensor.shape.rank == 7);
    cr_assert(tensor.shape.extent[0] == 7 && tensor.strides[0] == 7 && tensor.bytes == 77);
    cr_assert_eq(clshard_npy_read(path, &tensor, NULL), status);
}

/* A write that fails leaves the folder as it was. */
static void refuse_write(const char *path, const clshard_tensor *tensor, clshard_status status,
                         const char *words)
{
    const size_t before = folder_count();
    clshard_error err = {0};

    refusal(clshard_npy_write(path, tensor, &err), status, &err, words);
    cr_assert_eq(clshard_npy_write(path, tensor, NULL), status);
    cr_assert_eq(folder_count(), before);
}

static void check_refused_reference(const char *name, clshard_status status, const char *words)
{
    char path[64];
    (void)snprintf(path, sizeof path, "data/npy/refused_%s.npy", name);
    refuse_read(tests_file(path), status, words);
}

Test(npy_refusals, numpys_files_that_hold_something_else_are_refused)
{
    check_refused_reference("fortran", CLSHARD_ERR_FORMAT, "numpy.ascontiguousarray(a)");
    check_refused_reference("big_endian", CLSHARD_ERR_FORMAT, "'>f4', big-endian");
    check_refused_reference("complex", CLSHARD_ERR_DTYPE, "'<c8', complex numbers");
    check_refused_reference("date", CLSHARD_ERR_DTYPE, "'<M8[s]', dates");
    check_refused_reference("object", CLSHARD_ERR_DTYPE, "'|O', Python objects");
    check_refused_reference("record", CLSHARD_ERR_DTYPE, "records");
    check_refused_reference("text", CLSHARD_ERR_DTYPE, "'<U2', text");
    check_refused_reference("bytes", CLSHARD_ERR_DTYPE, "'|S2', byte strings");
    check_refused_reference("raw", CLSHARD_ERR_DTYPE, "'|V2'");
    check_refused_reference("rank", CLSHARD_ERR_RANK, "9 dimensions; at most 8");
}

Test(npy_refusals, only_regular_files_are_read)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    cr_assert(mkfifo(folder_file("pipe"), 0644) == 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s", folder_file("socket"));
    cr_assert(fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0);
    refuse_read(folder_file("pipe"), CLSHARD_ERR_IO, "it is a pipe; only regular files");
    refuse_read(folder_file("socket"), CLSHARD_ERR_IO, "/socket'");
    refuse_read(folder_path(), CLSHARD_ERR_IO, "it is a directory");
    refuse_read("/dev/null", CLSHARD_ERR_IO, "it is a device");
    close(fd);
}

Test(npy_refusals, files_that_cannot_be_opened_are_named)
{
    const char *secret = folder_file("secret.npy");

    write_bytes(secret, "", 0);
    cr_assert(chmod(secret, 0) == 0);
    refuse_read(folder_file("missing.npy"), CLSHARD_ERR_IO, "No such file");
    refuse_read(folder_file("secret.npy/below.npy"), CLSHARD_ERR_IO, "Not a directory");
    refuse_read("", CLSHARD_ERR_IO, "No such file");
    refuse_read(NULL, CLSHARD_ERR_ARGUMENT, "path is NULL");
    cr_assert_eq(clshard_npy_read(secret, NULL, NULL), CLSHARD_ERR_ARGUMENT);
    if (geteuid() == 0) /* whom no mode keeps out */
        cr_assert(seteuid(65534) == 0);
    refuse_read(secret, CLSHARD_ERR_IO, "Permission denied");
    if (getuid() == 0)
        cr_assert(seteuid(0) == 0);
}

Test(npy_refusals, names_are_escaped_in_messages)
{
    refuse_read(folder_file("a\x1b[2J\n.npy"), CLSHARD_ERR_IO, "a\\x1b[2J\\x0a.npy");
}

Test(npy_refusals, every_wrong_size_is_refused)
{
    size_t count;
    unsigned char *bytes = read_bytes(tests_file("data/npy/dtype_f4.npy"), &count);
    const char *path = folder_file("cut.npy");
    char words[64];

    for (size_t kept = 0; kept < count; kept++) {
        (void)snprintf(words, sizeof words, "48 bytes of elements, the file holds %zu", kept - 128);
        write_bytes(path, bytes, kept);
        refuse_read(path, CLSHARD_ERR_FORMAT, kept < 128 ? "cut.npy'" : words);
    }
    write_bytes(path, bytes, count + 1); /* read_bytes() adds a NUL */
    refuse_read(path, CLSHARD_ERR_FORMAT,
                "too long: its header describes 48 bytes of elements, "
                "the file holds 49");
    free(bytes);
}

Test(npy_refusals, a_shape_that_lies_takes_no_memory)
{
    static const char text[] = "\x93NUMPY\x01\x00\x76\x00{'descr': '|u1', 'fortran_order': False, "
                               "'shape': (1152921504606846976,), }";
    static const unsigned char longer[6] = {2, 0, 0xff, 0xff, 0xff, 0xff};
    char file[128 + 100];
    const char *path = folder_file("lies.npy");

    memset(file, ' ', sizeof file);
    memcpy(file, text, sizeof text - 1);
    write_bytes(path, file, sizeof file);
    /* `memory` would say that it was asked for. */
    refuse_read(path, CLSHARD_ERR_FORMAT, "1152921504606846976 bytes of elements");
    memcpy(file + 6, longer, sizeof longer);
    write_bytes(path, file, sizeof file);
    refuse_read(path, CLSHARD_ERR_FORMAT, "claims 4294967295 bytes, but only 216 follow");
}

Test(npy_refusals, a_file_that_shrinks_is_noticed)
{
    const char *path = folder_file("short");
    char bytes[20];
    clshard_error err = {0};
    size_t count;
    int fd;

    write_bytes(path, "0123456789", 10);
    cr_assert_eq(clshard__file_open(path, &fd, &count, &err), CLSHARD_OK);
    cr_assert_eq(count, 10);
    cr_assert_eq(clshard__file_read(fd, path, 4, bytes, 6, &err), CLSHARD_OK);
    cr_assert(memcmp(bytes, "456789", 6) == 0);
    refusal(clshard__file_read(fd, path, 0, bytes, 11, &err), CLSHARD_ERR_IO, &err,
            "became shorter");
    close(fd);
    refusal(clshard__file_read(fd, path, 0, bytes, 1, &err), CLSHARD_ERR_IO, &err, "errno");
}

static void ignore(int signal_number)
{
    (void)signal_number;
}

enum { PIPED = 3000000 };

static void *drain(void *argument)
{
    const int *fd = argument;
    static unsigned char received[PIPED + 1];
    size_t count = 0;
    ssize_t got;

    do {
        got = read(*fd, received + count, sizeof received - count < 1000 ? 1 : 1000);
        count += got > 0 ? (size_t)got : 0;
    } while (got != 0 && count <= PIPED);
    for (size_t i = 0; i < count; i++)
        if (received[i] != (unsigned char)(i % 251))
            return NULL;
    return count == PIPED ? received : NULL;
}

Test(npy_refusals, interrupted_writes_go_on)
{
    struct sigaction action = {.sa_handler = ignore};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    const struct itimerspec often = {{0, 50000}, {0, 50000}};
    unsigned char *bytes = malloc(PIPED);
    pthread_t reader;
    timer_t timer;
    void *received;
    int ends[2];

    cr_assert(bytes != NULL && pipe(ends) == 0);
    for (size_t i = 0; i < PIPED; i++)
        bytes[i] = (unsigned char)(i % 251);
    cr_assert(sigaction(SIGUSR1, &action, NULL) == 0);
    cr_assert(pthread_create(&reader, NULL, drain, &ends[0]) == 0);
    cr_assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    cr_assert(timer_settime(timer, 0, &often, NULL) == 0);
    cr_assert_eq(clshard__file_write(ends[1], "pipe", bytes, PIPED, NULL), CLSHARD_OK);
    cr_assert(timer_delete(timer) == 0);
    close(ends[1]);
    cr_assert(pthread_join(reader, &received) == 0);
    cr_assert(received != NULL, "what arrived is not what was written");
    close(ends[0]);
    free(bytes);
}

static const float numbers[6] = {1, 2, 3, 4, 5, 6};

static clshard_tensor matrix(void)
{
    return clshard_tensor_of(numbers, CLSHARD_F32, CLSHARD_SHAPE(2, 3));
}

Test(npy_refusals, tensors_that_make_no_file_are_refused)
{
    const char *path = folder_file("a.npy");
    clshard_tensor tensor = matrix();

    refuse_write(NULL, &tensor, CLSHARD_ERR_ARGUMENT, "path is NULL");
    refuse_write(path, NULL, CLSHARD_ERR_ARGUMENT, "tensor is NULL");
    tensor.dtype = CLSHARD_BF16;
    refuse_write(path, &tensor, CLSHARD_ERR_DTYPE, "bf16");
    tensor.dtype = CLSHARD_DTYPE_NONE;
    refuse_write(path, &tensor, CLSHARD_ERR_DTYPE, "a.npy': the host tensor's dtype 0");
    tensor = matrix();
    tensor.shape.rank = 9;
    refuse_write(path, &tensor, CLSHARD_ERR_RANK, "rank is 9");
    tensor = matrix();
    tensor.data = NULL;
    refuse_write(path, &tensor, CLSHARD_ERR_ARGUMENT, "data is NULL");
    tensor = matrix();
    tensor.bytes = 23;
    refuse_write(path, &tensor, CLSHARD_ERR_ARGUMENT, "bytes 0 to 24 of the 23");
    tensor = matrix();
    tensor.strides[0] = -12;
    tensor.strides[1] = 4;
    refuse_write(path, &tensor, CLSHARD_ERR_ARGUMENT, "bytes -12 to 12");
    tensor.strides[0] = PTRDIFF_MAX;
    refuse_write(path, &tensor, CLSHARD_ERR_OVERFLOW, "strides");
    tensor.shape.extent[0] = SIZE_MAX;
    refuse_write(path, &tensor, CLSHARD_ERR_OVERFLOW, "size in bytes");
}

Test(npy_refusals, places_that_take_no_file_are_refused)
{
    const clshard_tensor tensor = matrix();
    char long_path[6000];
    char long_name[300];

    memset(long_path, 'x', sizeof long_path - 1);
    for (size_t i = 0; i < sizeof long_path; i += 100)
        long_path[i] = '/';
    long_path[sizeof long_path - 1] = '\0';
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';

    cr_assert(mkfifo(folder_file("pipe"), 0644) == 0);
    /* Not the device itself: the code under test might replace it. */
    cr_assert(symlink("/dev/null", folder_file("device")) == 0);
    refuse_write(folder_file("missing/a.npy"), &tensor, CLSHARD_ERR_IO, "No such file");
    refuse_write(long_path, &tensor, CLSHARD_ERR_IO, "name too long");
    refuse_write(folder_file(long_name), &tensor, CLSHARD_ERR_IO, "name too long");
    refuse_write(folder_path(), &tensor, CLSHARD_ERR_IO, "it is a directory; only regular files");
    refuse_write(folder_file("pipe"), &tensor, CLSHARD_ERR_IO, "it is a pipe");
    refuse_write(folder_file("device"), &tensor, CLSHARD_ERR_IO, "it is a device");
    refuse_write(folder_file("pipe/a.npy"), &tensor, CLSHARD_ERR_IO, "Not a directory");
}

/* Limits the size of files as a full disk would; the limit holds for this test's process. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    cr_assert(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    cr_assert(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    limit.rlim_cur = bytes;
    cr_assert(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

Test(npy_refusals, a_full_disk_leaves_what_was_there)
{
    const size_t bytes = (size_t)1 << 20;
    const char *path = folder_file("a.npy");
    const clshard_tensor small = matrix();
    char *memory = calloc(2, bytes);
    clshard_tensor large = clshard_tensor_of(memory, CLSHARD_U8, CLSHARD_SHAPE(1024, 1024));
    clshard_tensor back = {0};

    cr_assert(memory != NULL);
    cr_assert_eq(clshard_npy_write(path, &small, NULL), CLSHARD_OK);
    limit_files(100000);
    refuse_write(path, &large, CLSHARD_ERR_IO, "File too large");
    refuse_write(folder_file("b.npy"), &large, CLSHARD_ERR_IO, "File too large");
    large.bytes = 2 * bytes;
    large.strides[0] = 1;
    large.strides[1] = 1024;
    refuse_write(path, &large, CLSHARD_ERR_IO, "File too large");
    limit_files(RLIM_INFINITY);
    cr_assert_eq(clshard_npy_read(path, &back, NULL), CLSHARD_OK);
    cr_assert(back.shape.rank == 2 && back.bytes == sizeof numbers);
    for (size_t i = 0; i < 6; i++)
        cr_assert(((const float *)back.data)[i] == numbers[i]);
    clshard_npy_free(&back);
    free(memory);
}

Test(npy_refusals, a_new_file_replaces_the_name_and_obeys_the_umask)
{
    const char *path = folder_file("a.npy");
    const clshard_tensor tensor = matrix();
    struct stat facts;

    write_bytes(folder_file("other"), "kept", 4);
    cr_assert(symlink(folder_file("other"), path) == 0);
    umask(027);
    cr_assert_eq(clshard_npy_write(path, &tensor, NULL), CLSHARD_OK);
    cr_assert(lstat(path, &facts) == 0 && S_ISREG(facts.st_mode));
    cr_assert_eq(facts.st_mode & 0777, 0640);
    cr_assert(stat(folder_file("other"), &facts) == 0 && facts.st_size == 4);
    cr_assert_eq(folder_count(), 2);
}

Test(npy_refusals, a_name_without_a_folder_is_in_the_current_one)
{
    const clshard_tensor tensor = matrix();
    clshard_tensor back = {0};

    cr_assert(chdir(folder_path()) == 0);
    cr_assert_eq(clshard_npy_write("a.npy", &tensor, NULL), CLSHARD_OK);
    cr_assert_eq(folder_count(), 1);
    cr_assert_eq(clshard_npy_read("a.npy", &back, NULL), CLSHARD_OK);
    clshard_npy_free(&back);
    refuse_write("", &tensor, CLSHARD_ERR_IO, "No such file");
}

Test(npy_refusals, nothing_is_freed_twice)
{
    clshard_tensor tensor = {0};

    clshard_npy_free(NULL);
    clshard_npy_free(&tensor);
    cr_assert_eq(clshard_npy_read(tests_file("data/npy/rank_3_empty.npy"), &tensor, NULL),
                 CLSHARD_OK);
    clshard_npy_free(&tensor);
    clshard_npy_free(&tensor);
    cr_assert(tensor.data == NULL && tensor.shape.rank == 0);
}
