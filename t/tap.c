#include "tap.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int planned, run, failed;

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

bool is_near(double got, double want, double tol, const char *format, ...)
{
    va_list args;
    bool pass = fabs(got - want) <= tol * fmax(1, fabs(want)); /* false for NaN */
    va_start(args, format);
    report(pass, format, args);
    va_end(args);
    if (!pass)
        printf("#  got %.17g\n# want %.17g within %g\n", got, want, tol);
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

int done(void)
{
    return run == planned && !failed ? 0 : 1;
}
