#define _POSIX_C_SOURCE 200809L

#include "core/parallel.h"

#include <pthread.h>
#include <stdlib.h>

/* One call of cf_parallel(). The lock guards what stands behind it. */
struct crew {
    const struct cf_workers *workers;
    const char *what;
    size_t n;
    cf_task *task;
    void *context;
    pthread_mutex_t lock;
    size_t next, done, failed; /* failed: the lowest index that did, else n */
    int status;
    struct cf_error why;
};

struct hand {
    struct crew *crew;
    size_t worker;
    pthread_t thread;
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

static void note(struct crew *c, size_t i, int status, const struct cf_error *why)
{
    c->done++;
    if (status && i < c->failed) {
        c->failed = i;
        c->status = status;
        c->why = *why;
    }
    if (c->workers && c->workers->progress)
        c->workers->progress(c->workers->listener, c->what, c->done, c->n);
}

/* Task after task. They are begun in their order: whichever thread is faster, all below a failure
 * are done, and the lowest failure is the one reported. */
static void *work(void *context)
{
    const struct hand *hand = context;
    struct crew *c = hand->crew;

    pthread_mutex_lock(&c->lock);
    while (c->next < c->failed) {
        size_t i = c->next++;
        struct cf_error why = {""};
        int status;

        pthread_mutex_unlock(&c->lock);
        status = cf_workers_check(c->workers, &why);
        if (!status)
            status = c->task(c->context, i, hand->worker, &why);
        pthread_mutex_lock(&c->lock);
        note(c, i, status, &why);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

int cf_parallel(const struct cf_workers *workers, const char *what, size_t n, cf_task *task,
                void *context, struct cf_error *err)
{
    struct crew crew = {workers, what, n, task, context, PTHREAD_MUTEX_INITIALIZER,
                        0,       0,    n, 0,    {""}};
    size_t jobs = cf_workers_count(workers), most = n > 1 ? n : 1, started = 1;
    struct hand *hand;

    jobs = jobs < most ? jobs : most;
    hand = malloc(jobs * sizeof *hand);
    if (!hand)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu threads", jobs);
    for (size_t i = 0; i < jobs; i++)
        hand[i] = (struct hand){.crew = &crew, .worker = i};
    while (started < jobs && !pthread_create(&hand[started].thread, NULL, work, &hand[started]))
        started++;
    work(&hand[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(hand[i].thread, NULL);
    free(hand);
    pthread_mutex_destroy(&crew.lock);
    return crew.status ? cf_fail(err, crew.status, "%s", crew.why.text) : CF_OK;
}
