#define _POSIX_C_SOURCE 200809L

#include "cmd/progress.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "core/clock.h"

/* Tasks that end sooner show nothing, and no line is redrawn more often: what changes faster cannot
 * be read. */
static const double patience_s = 0.3, redraw_s = 0.1;

static bool is_cancelled(void *listener)
{
    (void) listener;
    return cf_signals_wait();
}

/* Has a signal come? The first is taken, so that a second one can be told from it. */
static bool has_enough(void *listener)
{
    struct cf_progress *progress = listener;

    if (cf_signals_wait() && !atomic_exchange(&progress->early, true)) {
        progress->signal = cf_signals_take();
        fprintf(stderr,
                "%scontactfit: interrupted: what was found is written; a second signal "
                "ends it at once, and writes nothing\n",
                progress->drawn ? "\r\033[K" : "");
    }
    return progress->early;
}

/* Only what comes behind the first. */
static bool is_cancelled_again(void *listener)
{
    const struct cf_progress *progress = listener;

    return progress->signal && cf_signals_wait();
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
    double t = cf_clock_s(), task_s = (double) NAN;
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

void cf_progress_end_early(struct cf_progress *progress)
{
    progress->workers.listener = progress;
    progress->workers.enough = has_enough;
    progress->workers.cancelled = is_cancelled_again;
}

void cf_progress_end(struct cf_progress *progress, bool nothing)
{
    clear(progress);
    if (progress->workers.enough && !nothing)
        has_enough(progress); /* one that came when all was found */
    if (cf_signals_wait() || (progress->early && nothing))
        fputs("contactfit: interrupted: nothing was written\n", stderr);
    fflush(stderr);
    if (progress->early && nothing)
        cf_signals_give(progress->signal);
    if (!progress->early || nothing || cf_signals_wait())
        cf_signals_release(&progress->held);
}

void cf_progress_leave(struct cf_progress *progress)
{
    if (progress->early)
        cf_signals_give(progress->signal);
}
