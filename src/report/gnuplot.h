/* Running gnuplot. */

#ifndef CF_REPORT_GNUPLOT_H
#define CF_REPORT_GNUPLOT_H

#include <stddef.h>
#include <stdio.h>

#include "core/status.h"

/* Give a script (a file open for reading and writing, wherever it stands) to gnuplot and take what
 * it writes to standard output; *bytes is the caller's to free(). */
int cf_gnuplot_run(FILE *script, char **bytes, size_t *len, struct cf_error *err);

/* The same with another limit than the minute that gnuplot is given there, in seconds. */
int cf_gnuplot_run_within(FILE *script, double within_s, char **bytes, size_t *len,
                          struct cf_error *err);

#endif
