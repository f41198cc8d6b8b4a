/* The clock of the benchmarks. A time is the best of several, so that a busy machine spoils it
 * least. */

#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <stdio.h>
#include <time.h>

static inline double bench_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* One line of what table.pl reads. */
static inline void bench_print(const char *key, double seconds, double value, const char *remark)
{
    printf("%s\t%.9g\t%.15g\t%s\n", key, seconds, value, remark);
}

#endif
