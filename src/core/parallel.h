/* Independent tasks on several threads.
 *
 * A task is named by its index and draws its random numbers from (seed, index), so that results
 * are the same bits whatever the number of threads.
 */

#ifndef CF_CORE_PARALLEL_H
#define CF_CORE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/status.h"

/* Thread count and progress callback. */
struct cf_workers {
    size_t jobs; /* threads; 0 and 1: the caller's alone */

    /* NULL, or called from one thread at a time with what is done; `what` names the work. */
    void (*progress)(void *listener, const char *what, size_t done, size_t total);
    void *listener;

    /* NULL, or asked often and from any thread whether to stop: what runs then ends with
     * CF_ECANCELLED as soon as it can, and leaves nothing behind. */
    bool (*cancelled)(void *listener);

    /* NULL, or the same of work that has something to show: it is to end soon with what it has.
     * Once it is true it stays so. What does not look at it goes on. */
    bool (*enough)(void *listener);
};

/* CF_ECANCELLED where the workers (NULL: none) are to stop, else CF_OK. */
int cf_workers_check(const struct cf_workers *workers, struct cf_error *err);

/* One task: i in [0, n), worker in [0, jobs) for workspaces that are not to be shared. */
typedef int cf_task(void *context, size_t i, size_t worker, struct cf_error *err);

/* How many workers cf_parallel() will use: what to allocate workspaces for. NULL is 1. */
size_t cf_workers_count(const struct cf_workers *workers);

/* Run all tasks, on the caller's thread and as many more as can be started: where the system
 * refuses threads, the others do their share. CF_ENOMEM: no memory for the list of threads. When
 * some fail, the status and the text are those of the failed task with the lowest index, and tasks
 * not yet begun are left out. A task that calls this again starts threads of its own. */
int cf_parallel(const struct cf_workers *workers, const char *what, size_t n, cf_task *task,
                void *context, struct cf_error *err);

#endif
