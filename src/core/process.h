/* Other programs as child processes, without a shell and never for longer than a given time; and
 * the signals that ask this process to end. All that asks the operating system for processes is
 * here. */

#ifndef CF_CORE_PROCESS_H
#define CF_CORE_PROCESS_H

#include <stdbool.h>
#include <stdio.h>

/* What to run. The child has the working folder of its parent, and its environment but for what is
 * set. */
struct cf_process {
    char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
    /* Open files, which stay the caller's: `input` is read from its start, wherever it stands, and
     * what is written to the others is there for the caller after the run. NULL: an empty input,
     * an output that is thrown away. Files cannot block as pipes do when both sides write, and a
     * child that dies early raises no SIGPIPE. */
    FILE *input, *output, *messages;
    FILE *aside;            /* the child has it as /dev/fd/3; NULL: it has no such file */
    const char *const *set; /* "NAME=VALUE" of the child alone, NULL-terminated; NULL: none */
    double limit_s;         /* the longest that it may take, > 0; INFINITY: no limit */
};

enum cf_process_end {
    CF_PROCESS_EXITED,      /* by itself: `code` is its exit status, 0 to 255 */
    CF_PROCESS_SIGNALLED,   /* `code` is the number of the signal */
    CF_PROCESS_TIMED_OUT,   /* it ran beyond limit_s and was killed */
    CF_PROCESS_INTERRUPTED, /* a signal asked this process to end, and it was killed */
    CF_PROCESS_MISSING,     /* there is no such program */
    CF_PROCESS_NOT_STARTED, /* `code` is an errno, as in the next */
    CF_PROCESS_LOST,        /* it was started, but its end cannot be known */
    CF_PROCESS_ANSWERED     /* a coprocess is there, and has answered */
};

struct cf_process_result {
    enum cf_process_end end;
    int code;
};

/* Run a program and wait for its end. At the limit it is killed with its process group, which is
 * its own: whatever it started and that has not left the group ends with it, deaf to other signals
 * or not. The same where SIGHUP, SIGINT or SIGTERM comes meanwhile, which then ends this process,
 * unless the caller holds them back. An exit status of 127 of a program that is not in PATH says
 * that it is missing, on systems that cannot find out sooner; else it is the program's own. */
struct cf_process_result cf_process_run(const struct cf_process *process);

/* A child that answers requests one after the other, where its start takes longer than an answer.
 * All zero: none has been started. It ends with this process, however that ends. */
struct cf_coprocess {
    long child; /* 0: none */
    int talk;   /* a socket: its standard input, and its messages */
    const char *program;
    char said[4096]; /* its messages since the last request; where these are many, the last */
    size_t nsaid;
};

/* Send a request and wait until the messages end with the answer, for limit_s at the longest. The
 * child is started where there is none, with `output` and `aside` of the process. Where there is
 * no answer, the child is gone, and the result says how it ended; signals are as above. The
 * request is a line or two: one that does not fit into a socket would wait for the child. */
struct cf_process_result cf_coprocess_ask(struct cf_coprocess *c, const struct cf_process *process,
                                          const char *request, const char *answer);

/* Kill the child with its process group, if there is one. */
void cf_coprocess_end(struct cf_coprocess *c);

/* Ended by itself with exit status 0? */
bool cf_process_succeeded(struct cf_process_result result);

/* Is there a program of this name in PATH? */
bool cf_process_in_path(const char *program);

/* SIGHUP, SIGINT and SIGTERM, held back so that work can be ended in order: the process takes them
 * when they are released. They are held for the calling thread and those that it starts. */
enum { CF_NENDING_SIGNAL = 3 };
struct cf_held_signals {
    bool before[CF_NENDING_SIGNAL]; /* held by the caller already */
};

void cf_signals_hold(struct cf_held_signals *held);
bool cf_signals_wait(void); /* has one come? */

/* Take one that has come, so that it no longer waits: its number. Waits for one where none has; so
 * not from two threads at a time. */
int cf_signals_take(void);

/* Let one that was taken come again: it waits where signals are held. */
void cf_signals_give(int signal);
void cf_signals_release(const struct cf_held_signals *held);

/* How many processors this process may use; at least 1. */
size_t cf_processors(void);

#endif
