/* Status codes and error text: every fallible function returns a status. */

#ifndef CF_CORE_STATUS_H
#define CF_CORE_STATUS_H

#include <stdbool.h>
#include <stddef.h>

/* One list, expanded to the enum here and to the text in status.c. */
#define CF_STATUS_LIST(X)                                                                          \
    X(CF_OK, "success")                                                                            \
    X(CF_EUSAGE, "bad command line")                                                               \
    X(CF_EINPUT, "bad input file")                                                                 \
    X(CF_ERANGE, "value outside its range")                                                        \
    X(CF_EIO, "a file cannot be read or written")                                                  \
    X(CF_ENOMEM, "out of memory")                                                                  \
    X(CF_ESOLVE, "integration failed")                                                             \
    X(CF_EFIT, "fit did not converge")                                                             \
    X(CF_EUNTRUSTED, "the result is there but not to be trusted")                                  \
    X(CF_ECANCELLED, "interrupted")                                                                \
    X(CF_EDRAW, "figures cannot be drawn")

#define CF_STATUS_ENUM(name, text) name,
enum cf_status { CF_STATUS_LIST(CF_STATUS_ENUM) CF_NSTATUS };

/* Where a failing call says what was wrong; the caller owns it. One line; or a line for each of
 * several things that are wrong and do not hang on each other, the last one "and N more" where
 * there are too many. No newline at the end. */
struct cf_error {
    char text[4096];
};

/* Write the message into err (may be NULL) and return status. */
int cf_fail(struct cf_error *err, int status, const char *format, ...)
    __attribute__((__format__(printf, 3, 4)));

/* Gather what is wrong in one of several things that are read independently: where `status` is a
 * failure, its message `one` becomes a further line of err (may be NULL). Returns the failure so
 * far, or this one. One that ends the whole (below) replaces what was gathered. */
int cf_gather(struct cf_error *err, int so_far, int status, const struct cf_error *one);

/* Count things that are wrong, too, without a line for each. */
void cf_gather_more(struct cf_error *err, size_t n);

/* Does a failure say nothing about the value that was asked for, so that no other value helps: no
 * memory, an interruption, a file? Where the failure at one value is a result, that a start failed
 * or a law cannot describe the data, these are none: they end the whole. */
bool cf_status_ends(int status);

/* The text of a status code; never NULL. */
const char *cf_status_text(int status);

#endif
