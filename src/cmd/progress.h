/* The progress line of a long job, redrawn in place on a terminal and nowhere else; and the end of
 * the job where a signal asks for it. */

#ifndef CF_CMD_PROGRESS_H
#define CF_CMD_PROGRESS_H

#include <stdbool.h>

#include "core/parallel.h"
#include "core/process.h"

struct cf_progress {
    struct cf_workers workers; /* to be passed on; holds the listener */
    const char *what;          /* the job that is reported; NULL between jobs */
    double begun_s, drawn_s;   /* of its first tasks' end; of the last line */
    size_t first;              /* tasks that were done then */
    _Atomic bool drawn;        /* a line stands on the terminal */
    _Atomic bool early;        /* a first signal has come that ends the job early, */
    _Atomic int signal;        /* this one; 0: none */
    struct cf_held_signals held;
};

/* "bootstrap 412/1000, 3 s left" on stderr, if that is a terminal and not `quiet`. The progress
 * must stay where it is until its end. From here on SIGINT, SIGTERM and SIGHUP are held back and
 * cancel the workers. */
void cf_progress_begin(struct cf_progress *progress, bool quiet, size_t jobs);

/* Let the first of them bring the job to an end with what it has found (cf_workers.enough), and
 * only a second one cancel it. To be called before the job. */
void cf_progress_end_early(struct cf_progress *progress);

/* Clear the line. To be called before anything else is written to stderr, and before any file is
 * written. Where a signal came, the program ends here by it; but for a first one that has ended the
 * job early, unless it found `nothing`: signals are then held until the program ends. */
void cf_progress_end(struct cf_progress *progress, bool nothing);

/* Once all is written: where a first signal ended the job early, the program is to end by it, which
 * it does when main() releases the signals. */
void cf_progress_leave(struct cf_progress *progress);

/* For jobs that report otherwise: is stderr a terminal, and not `quiet`? */
bool cf_progress_wanted(bool quiet);

/* "412/1000, 3 s left": what the line says after the name of the job; no time where task_s, the
 * seconds that a task takes, is NAN. text[CF_PROGRESS]. */
enum { CF_PROGRESS = 80 };
void cf_progress_text(char text[], size_t done, size_t total, double task_s);

#endif
