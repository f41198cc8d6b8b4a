#include "core/parallel.h"

#ifdef _OPENMP
#    include <omp.h>
#endif

/* What the threads share; touched only in the critical section below. */
struct tally {
    size_t done, failed; /* failed: the lowest index that did */
    int status;
    struct cf_error why;
};

size_t cf_workers_count(const struct cf_workers *workers)
{
    return workers && workers->jobs > 1 ? workers->jobs : 1;
}

int cf_workers_check(const struct cf_workers *workers, struct cf_error *err)
{
    return workers && workers->cancelled && workers->cancelled(workers->listener)
               ? cf_fail(err, CF_ECANCELLED, "interrupted")
               : CF_OK;
}

static void note(struct tally *tally, const struct cf_workers *workers, const char *what, size_t n,
                 size_t i, int status, const struct cf_error *why)
{
    tally->done++;
    if (status && i < tally->failed) {
        tally->failed = i;
        tally->status = status;
        tally->why = *why;
    }
    if (workers && workers->progress)
        workers->progress(workers->listener, what, tally->done, n);
}

int cf_parallel(const struct cf_workers *workers, const char *what, size_t n, cf_task *task,
                void *context, struct cf_error *err)
{
    struct tally tally = {.failed = n};
    int jobs = (int) cf_workers_count(workers);

    /* After a failure only lower indices go on: whichever thread is faster, the lowest failure is
     * the one reported. */
#pragma omp parallel for num_threads(jobs) schedule(monotonic : dynamic, 1) if (jobs > 1)
    for (size_t i = 0; i < n; i++) {
        struct cf_error why = {""};
        bool begin;
        int status;
        size_t worker = 0;
#ifdef _OPENMP
        worker = (size_t) omp_get_thread_num();
#endif
#pragma omp critical(cf_parallel)
        begin = i < tally.failed;
        if (!begin)
            continue;
        status = cf_workers_check(workers, &why);
        if (!status)
            status = task(context, i, worker, &why);
#pragma omp critical(cf_parallel)
        note(&tally, workers, what, n, i, status, &why);
    }
    if (tally.status)
        return cf_fail(err, tally.status, "%s", tally.why.text);
    return CF_OK;
}
