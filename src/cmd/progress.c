#define _POSIX_C_SOURCE 200809L

#include "cmd/progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Tasks that end sooner show nothing, and no line is redrawn more often: what changes faster cannot
 * be read. */
static const double patience_s = 0.3, redraw_s = 0.1;

static bool is_cancelled(void *listener)
{
    (void) listener;
    return cf_signals_wait();
}

double cf_progress_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

void cf_progress_text(char text[], size_t done, size_t total, double task_s)
{
    double left_s = task_s * (double) (total - done);

    if (!isfinite(left_s))
        snprintf(text, CF_PROGRESS, "%zu/%zu", done, total);
    else if (left_s < 100)
        snprintf(text, CF_PROGRESS, "%zu/%zu, %.0f s left", done, total, ceil(left_s));
    else
        snprintf(text, CF_PROGRESS, "%zu/%zu, %.0f min left", done, total, ceil(left_s / 60));
}

static void clear(struct cf_progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}

static void show(void *listener, const char *what, size_t done, size_t total)
{
    struct cf_progress *progress = listener;
    double t = cf_progress_clock(), task_s = (double) NAN;
    char text[CF_PROGRESS];

    if (progress->what != what) {
        progress->what = what;
        progress->begun_s = t;
        progress->first = done;
        progress->drawn_s = t + patience_s - redraw_s;
    }
    if (done == total) { /* the next report is of another job, even of the same name */
        progress->what = NULL;
        clear(progress);
        fflush(stderr);
        return;
    }
    if (t - progress->drawn_s < redraw_s)
        return;
    if (done > progress->first)
        task_s = (t - progress->begun_s) / (double) (done - progress->first);
    cf_progress_text(text, done, total, task_s);
    fprintf(stderr, "\r%s %s\033[K", what, text);
    fflush(stderr);
    progress->drawn = true;
    progress->drawn_s = t;
}

bool cf_progress_wanted(bool quiet)
{
    return !quiet && isatty(STDERR_FILENO);
}

void cf_progress_begin(struct cf_progress *progress, bool quiet, size_t jobs)
{
    *progress = (struct cf_progress){.workers = {.jobs = jobs, .cancelled = is_cancelled}};
    cf_signals_hold(&progress->held);
    if (!cf_progress_wanted(quiet))
        return;
    progress->workers.progress = show;
    progress->workers.listener = progress;
}

void cf_progress_end(struct cf_progress *progress)
{
    clear(progress);
    if (cf_signals_wait())
        fputs("contactfit: interrupted: nothing was written\n", stderr);
    fflush(stderr);
    cf_signals_release(&progress->held);
}
