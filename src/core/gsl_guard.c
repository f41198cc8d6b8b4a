/* GSL has one error handler for the whole process, so that what is known of it is the process's,
 * too: how many are inside, and what was there before the first of them. A lock keeps both true. */

#define _POSIX_C_SOURCE 200809L

#include "core/gsl_guard.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>
#include <stddef.h>

static struct {
    pthread_mutex_t lock;
    size_t inside;
    gsl_error_handler_t *before;
} guard = {.lock = PTHREAD_MUTEX_INITIALIZER};

void cf_gsl_enter(void)
{
    pthread_mutex_lock(&guard.lock);
    if (guard.inside++ == 0)
        guard.before = gsl_set_error_handler_off();
    pthread_mutex_unlock(&guard.lock);
}

void cf_gsl_leave(void)
{
    pthread_mutex_lock(&guard.lock);
    if (--guard.inside == 0)
        gsl_set_error_handler(guard.before);
    pthread_mutex_unlock(&guard.lock);
}
