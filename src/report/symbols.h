/* Letters that names of quantities stand for, on pages and on charts alike. Private to src/report.
 */

#ifndef CF_REPORT_SYMBOLS_H
#define CF_REPORT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

/* How the name of a quantity is set: "mu_s" is a letter with a subscript, "lambda_star" is the
 * symbol that papers have for it, and "peak_force" is made of words. */
struct cf_symbol {
    bool letter;       /* is it one, Greek or Latin? */
    const char *greek; /* what stands for it in UTF-8; NULL of a Latin letter and of words */
    size_t length;     /* of the name's first part, which ends before the first '_' */
};

/* Of the name of a given length, whose first part is all up to its first '_'. */
struct cf_symbol cf_symbol_of(const char *name, size_t length);

#endif
