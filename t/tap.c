#define _XOPEN_SOURCE 700

#include "tap.h"

#include <ftw.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int planned, run, failed;
static const struct test *first_test;

void add_test(struct test *test)
{
    test->next = first_test;
    first_test = test;
}

static const struct test *find_test(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const struct test *test = first_test;

    while (test && strcmp(test->name, name) != 0)
        test = test->next;
    return test;
}

static char folder[] = "/tmp/contactfit-test-XXXXXX";
static pid_t owner;

static int remove_entry(const char *path, const struct stat *state, int type, struct FTW *where)
{
    (void) state, (void) type, (void) where;
    return remove(path);
}

static void remove_folder(void)
{
    if (getpid() == owner) /* a child that a test forks may exit, too */
        nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* A test runs in a folder of its own, with an empty folder tmp, so that two runs at once do not
 * disturb each other. What it reads it finds by srcdir, which is absolute from here on. */
static bool enter_folder(void)
{
    const char *given = getenv("srcdir");
    char *source = realpath(given ? given : ".", NULL);
    bool there = source && setenv("srcdir", source, 1) == 0 && mkdtemp(folder);

    free(source);
    owner = getpid();
    return there && atexit(remove_folder) == 0 && chdir(folder) == 0 && mkdir("tmp", 0777) == 0;
}

int main(int argc, char **argv)
{
    const struct test *test = argc > 0 ? find_test(argv[0]) : NULL;

    if (!test && argc > 1)
        test = find_test(argv[1]);
    if (test && !enter_folder()) {
        printf("Bail out! no folder to run in, below /tmp\n");
        return 99;
    }
    if (test)
        return test->run();
    fprintf(stderr, "usage: tests NAME, or a link NAME to it; NAME is one of\n");
    for (test = first_test; test; test = test->next)
        fprintf(stderr, "  %s\n", test->name);
    return 2;
}

void plan(int n)
{
    planned = n;
    printf("1..%d\n", n);
}

__attribute__((__format__(printf, 2, 0))) static bool report(bool pass, const char *format,
                                                             va_list args)
{
    printf("%sok %d - ", pass ? "" : "not ", ++run);
    vprintf(format, args);
    putchar('\n');
    fflush(stdout);
    failed += !pass;
    return pass;
}

bool ok(bool pass, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(pass, format, args);
    va_end(args);
    return pass;
}

__attribute__((__format__(printf, 4, 0))) static bool
compare(double got, double want, double distance, const char *format, va_list args)
{
    bool pass = report(fabs(got - want) <= distance, format, args); /* false for NaN */

    if (!pass)
        printf("#  got %.17g\n# want %.17g within %g\n", got, want, distance);
    return pass;
}

bool is_near(double got, double want, double part, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool pass = compare(got, want, part * fabs(want), format, args);
    va_end(args);
    return pass;
}

bool is_within(double got, double want, double distance, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool pass = compare(got, want, distance, format, args);
    va_end(args);
    return pass;
}

bool is_str(const char *got, const char *want, const char *format, ...)
{
    va_list args;
    bool pass = strcmp(got, want) == 0;
    va_start(args, format);
    report(pass, format, args);
    va_end(args);
    if (!pass)
        printf("#  got %s\n# want %s\n", got, want);
    return pass;
}

bool is_full_check(void)
{
    return getenv("CHECK_FULL") != NULL;
}

int done(void)
{
    return run == planned && !failed ? 0 : 1;
}
