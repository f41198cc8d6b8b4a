/* Files that appear whole or not at all, and what a command may write over. */

#ifndef CF_CORE_OUTPUT_H
#define CF_CORE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "core/paths.h"
#include "core/status.h"

/* The files of one command: those that it reads, which it never writes over under any name, and
 * those that it writes, each once. A file that is there already and is none of ours is written over
 * only by force. */
struct cf_outputs;

/* What makes a file ours: this is its first or its last line, as a comment that holds nothing else;
 * the last cell of a CSV table without comments; the comment of a PNG. A JSON document says it by
 * its first member, "contactfit": "fit/3". Drafts are their user's, and have no mark. */
#define CF_OUTPUT_MARK "Written by contactfit"

/* NULL when out of memory. */
struct cf_outputs *cf_outputs_alloc(bool force);
void cf_outputs_free(struct cf_outputs *outputs);

/* Files that the command reads; one that is not there is none. */
int cf_outputs_protect(struct cf_outputs *outputs, const char *path, struct cf_error *err);
int cf_outputs_protect_all(struct cf_outputs *outputs, const struct cf_paths *paths,
                           struct cf_error *err);

/* What a fit that the command reads was made from: a file by its path, and every file that has the
 * content of this SHA-256, in hexadecimal digits; "" is none. */
int cf_outputs_protect_source(struct cf_outputs *outputs, const char *path, struct cf_error *err);
int cf_outputs_protect_content(struct cf_outputs *outputs, const char *sha256,
                               struct cf_error *err);

/* A file in the making: what is written goes to a temporary file beside it, once there is more of
 * it than a small buffer holds. Nothing else of it is in memory. */
struct cf_output;

/* The stream that the path "-" stands for, which stays the caller's; without one it is a file. */
void cf_outputs_set_console(struct cf_outputs *outputs, FILE *console);

/* Has that stream been written, or begun? NULL is none. */
bool cf_outputs_console(const struct cf_outputs *outputs);

/* Begin; write to cf_output_stream(). The path "-" is standard output, to which all goes at the
 * end, in one piece; a file of that name is "./-". NULL when the path can be no file, or one that
 * may not be written over, with the reason. `outputs` NULL: in a folder of our own, where anything
 * may be. */
struct cf_output *cf_output_open(struct cf_outputs *outputs, const char *path,
                                 struct cf_error *err);
FILE *cf_output_stream(struct cf_output *out);

/* Has a write failed, or a signal asked for the end? Then the rest is not worth the work: commit,
 * which says the reason. */
bool cf_output_failed(struct cf_output *out);

/* Write the rest, fsync, rename the temporary file: the target appears whole or, on any error (a
 * full disk counts), stays as it was. Frees `out` either way.
 * From the first byte on disk to the end SIGHUP, SIGINT and SIGTERM are held back; where one has
 * come, nothing is left of the file when it is let through. */
int cf_output_commit(struct cf_output *out, struct cf_error *err);

/* Forget the file. NULL is allowed. */
void cf_output_discard(struct cf_output *out);

#endif
