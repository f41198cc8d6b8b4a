/* Tasks on threads: every one runs once, the lowest failure is reported, results are the same
 * bits. */

#define _GNU_SOURCE /* pthread_setattr_default_np() */

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/parallel.h"
#include "core/process.h"
#include "core/random.h"
#include "tap.h"

enum { NTASK = 300 };

struct work {
    double sum[NTASK];
    int runs[NTASK];
    size_t jobs, wrong_worker;
    size_t first_bad, second_bad; /* fail at these; NTASK: never */
};

static int draw(void *context, size_t i, size_t worker, struct cf_error *err)
{
    struct work *work = context;
    gsl_rng *rng = cf_random_stream(7, i);

    if (!rng)
        return cf_fail(err, CF_ENOMEM, "no memory for a stream");
    work->sum[i] = 0;
    for (int k = 0; k < 100; k++)
        work->sum[i] += gsl_rng_uniform(rng);
    gsl_rng_free(rng);
    work->runs[i]++;
    if (worker >= work->jobs)
        work->wrong_worker = worker;
    if (i == work->first_bad || i == work->second_bad)
        return cf_fail(err, CF_ESOLVE, "task %zu failed", i);
    return CF_OK;
}

/* The calls of a listener. */
struct heard {
    size_t calls, last, total;
    bool in_order;
    const char *what;
};

static void listen(void *listener, const char *what, size_t done, size_t total)
{
    struct heard *heard = listener;
    heard->in_order = heard->in_order && done == heard->last + 1;
    heard->calls++;
    heard->last = done;
    heard->total = total;
    heard->what = what;
}

static void try_same_bits(void)
{
    static struct work alone, many;
    static const size_t jobs[] = {2, 3, 7, 16};
    struct cf_error err = {""};

    alone.first_bad = alone.second_bad = NTASK;
    alone.jobs = 1;
    ok(!cf_parallel(NULL, "draws", NTASK, draw, &alone, &err), "no workers are this thread alone");
    for (size_t k = 0; k < sizeof jobs / sizeof jobs[0]; k++) {
        struct heard heard = {.in_order = true};
        struct cf_workers workers = {.jobs = jobs[k], .progress = listen, .listener = &heard};
        bool once = true;
        many = (struct work){.jobs = jobs[k], .first_bad = NTASK, .second_bad = NTASK};
        ok(!cf_parallel(&workers, "draws", NTASK, draw, &many, &err), "%zu jobs run", jobs[k]);
        ok(memcmp(alone.sum, many.sum, sizeof alone.sum) == 0, "%zu jobs: the same bits", jobs[k]);
        for (size_t i = 0; i < NTASK; i++)
            once = once && many.runs[i] == 1;
        ok(once && many.wrong_worker == 0, "%zu jobs: each task once, by a worker in range",
           jobs[k]);
        ok(heard.calls == NTASK && heard.in_order && heard.total == NTASK,
           "%zu jobs: each end is reported, in order", jobs[k]);
        is_str(heard.what, "draws", "and which work it is");
    }
}

static void try_failures(void)
{
    static struct work work;

    for (size_t jobs = 1; jobs <= 4; jobs++) {
        struct cf_workers workers = {.jobs = jobs};
        struct cf_error err = {""};
        bool all_below = true;
        work = (struct work){.jobs = jobs, .first_bad = 150, .second_bad = 151};
        ok(cf_parallel(&workers, "draws", NTASK, draw, &work, &err) == CF_ESOLVE,
           "%zu jobs: a failure is the status", jobs);
        is_str(err.text, "task 150 failed", "%zu jobs: the lowest one", jobs);
        for (size_t i = 0; i < 150; i++)
            all_below = all_below && work.runs[i] == 1;
        ok(all_below, "%zu jobs: what comes before it has run", jobs);
    }
}

static void try_nothing(void)
{
    struct cf_error err = {""};
    struct cf_workers none = {.jobs = 0};

    ok(!cf_parallel(&none, "nothing", 0, draw, NULL, &err), "no tasks are no error");
    ok(cf_workers_count(&none) == 1 && cf_workers_count(NULL) == 1, "0 jobs and none are one");
}

/* Threads whose stacks are larger than any address space cannot be started. */
static void try_without_threads(void)
{
    static struct work work;
    struct heard heard = {.in_order = true};
    struct cf_workers workers = {.jobs = 6, .progress = listen, .listener = &heard};
    struct cf_error err = {""};
    pthread_attr_t usual, huge;
    pthread_t thread;
    bool once = true;

    pthread_getattr_default_np(&usual);
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, (size_t) 1 << 60);
    pthread_setattr_default_np(&huge);
    ok(pthread_create(&thread, NULL, NULL, NULL) != 0, "no thread can be started");
    work = (struct work){.jobs = 6, .first_bad = NTASK, .second_bad = NTASK};
    ok(!cf_parallel(&workers, "draws", NTASK, draw, &work, &err), "6 jobs run all the same");
    pthread_setattr_default_np(&usual);
    for (size_t i = 0; i < NTASK; i++)
        once = once && work.runs[i] == 1;
    ok(once && heard.calls == NTASK && heard.in_order, "each task once, reported in order");
}

static void try_processors(void)
{
    ok(cf_processors() >= 1 && cf_processors() < 1 << 20, "%zu processors", cf_processors());
}

TEST(parallel)
{
    plan(1 + 4 * 5 + 4 * 3 + 2 + 3 + 1);
    try_same_bits();
    try_failures();
    try_nothing();
    try_without_threads();
    try_processors();
    return done();
}
