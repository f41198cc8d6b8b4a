/* Many runs that write into one folder at once, and clear what others of them left there when they
 * were killed: none disturbs another, and nothing is left.
 *
 *     t/writers [WAVES WRITERS]     writes WAVES times with WRITERS processes */

#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/file_system.h"
#include "core/output.h"
#include "lib/scratch.h"
#include "tap.h"

enum {
    SIZE = 100000,  /* bytes of a file: more than is gathered before the disk sees it */
    FILES = 2,      /* of each writer, whose temporary files have the same name */
    KILLED_EACH = 5 /* one of so many writers ends before its file is whole */
};

static void name_file(char path[200], const struct scratch *scratch, unsigned long i, int k)
{
    snprintf(path, 200, "%s/%lu.%d.txt", scratch->folder, i, k);
}

/* A file of one letter, which says whose it is. Returns whether it is written. */
static bool write_file(const char *path, char letter, bool whole)
{
    struct cf_error err = {""};
    struct cf_output *out = cf_output_open(NULL, path, &err);

    for (size_t i = 0; out && i < SIZE; i++)
        putc(letter, cf_output_stream(out));
    if (!whole)
        _exit(out ? 0 : 1);
    if (out && !cf_output_commit(out, &err))
        return true;
    printf("# %s\n", err.text);
    fflush(stdout);
    return false;
}

static bool is_whole(const char *path, char letter)
{
    FILE *in = fopen(path, "r");
    size_t n = 0;

    while (in && getc(in) == letter)
        n++;
    bool whole = in && feof(in) && n == SIZE;
    if (in)
        fclose(in);
    return whole;
}

static bool is_killed(unsigned long i)
{
    return i % KILLED_EACH == 0;
}

static char letter_of(unsigned long i)
{
    return (char) ('a' + i % 26);
}

/* Waits until all are there: the pipe ends. */
static void be_writer(const struct scratch *scratch, unsigned long i, const int pipe_end[2])
{
    char path[200], byte;
    bool good = true;

    close(pipe_end[1]);
    while (read(pipe_end[0], &byte, 1) < 0 && errno == EINTR)
        continue;
    for (int k = 0; k < FILES; k++) {
        name_file(path, scratch, i, k);
        good = write_file(path, letter_of(i), !is_killed(i)) && good;
    }
    _exit(good ? 0 : 1);
}

/* Returns how many failed. */
static unsigned long run_wave(const struct scratch *scratch, unsigned long writers)
{
    unsigned long failed = 0, begun = 0;
    int pipe_end[2], status;

    if (pipe(pipe_end) != 0)
        return writers;
    fflush(stdout);
    while (begun < writers) {
        pid_t pid = fork();
        if (pid == 0)
            be_writer(scratch, begun, pipe_end);
        if (pid < 0)
            break;
        begun++;
    }
    close(pipe_end[0]);
    close(pipe_end[1]);
    for (unsigned long i = 0; i < begun; i++)
        if (wait(&status) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
            failed++;
    return failed + (writers - begun);
}

/* Are the files of a wave what their writers wrote? They go. */
static unsigned long count_spoiled(const struct scratch *scratch, unsigned long writers)
{
    unsigned long spoiled = 0;
    char path[200];

    for (unsigned long i = 0; i < writers; i++)
        for (int k = 0; k < FILES && !is_killed(i); k++) {
            name_file(path, scratch, i, k);
            spoiled += !is_whole(path, letter_of(i));
            cf_file_remove(path);
        }
    return spoiled;
}

/* Names of the temporary files that are there. */
static size_t count_left(const struct scratch *scratch)
{
    char **name;
    size_t n, left = 0;

    if (cf_folder_list(scratch->folder, "", &name, &n))
        return SIZE_MAX;
    for (size_t i = 0; i < n; i++) {
        left += strncmp(name[i], ".contactfit.", strlen(".contactfit.")) == 0;
        free(name[i]);
    }
    free(name);
    return left;
}

TEST(writers)
{
    bool full = is_full_check();
    unsigned long waves = full ? 50 : 5, writers = full ? 200 : 60;
    unsigned long failed = 0, spoiled = 0;
    struct scratch scratch;
    char last[200];

    plan(5);
    scratch_open(&scratch, "none");
    for (unsigned long w = 0; w < waves; w++) {
        failed += run_wave(&scratch, writers);
        spoiled += count_spoiled(&scratch, writers);
    }
    ok(failed == 0, "%lu of %lu writers failed", failed, waves * writers);
    ok(spoiled == 0, "%lu files are not what was written", spoiled);
    ok(run_wave(&scratch, 1) == 0 && count_left(&scratch) > 0, "a killed writer leaves its file");
    name_file(last, &scratch, writers, 0);
    ok(write_file(last, 'z', true) && is_whole(last, 'z'), "the next one writes");
    ok(count_left(&scratch) == 0, "and nothing is left");
    cf_folder_remove(scratch.folder);
    return done();
}
