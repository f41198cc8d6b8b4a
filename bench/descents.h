/* Descents of two studies that ship, as table.pl puts them beside SciPy's least_squares. */

#ifndef BENCH_DESCENTS_H
#define BENCH_DESCENTS_H

#include "experiment/protocol.h"

/* Prints `pulse` and `ramp`: one descent each from values a tenth off, and the parameter that tells
 * how far it came. The studies lie in this folder. */
int bench_descents(const char *folder, struct cf_curves *curves, struct cf_error *err);

#endif
