/* Texts of charts: runs of letters in a face, on the line or raised or lowered from it. What draws
 * a chart has a way of its own to say so. Private to src/report.
 */

#ifndef CF_REPORT_CHART_TEXT_H
#define CF_REPORT_CHART_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum cf_face { CF_FACE_ROMAN, CF_FACE_ITALIC, CF_FACE_BOLD };

struct cf_text_run {
    enum cf_face face;
    int level;    /* 0: on the line, 1: superscript, -1: subscript, -2: subscript of a subscript */
    size_t start; /* in the text's letters, which are NUL-terminated there */
};

enum { CF_TEXT_SIZE = 512, CF_TEXT_RUNS = 64 };

/* Starts as {0}. It needs no memory of its own, and is copied by assignment; what it has no room
 * for is left out. */
struct cf_text {
    size_t nrun, size;
    struct cf_text_run run[CF_TEXT_RUNS];
    char letters[CF_TEXT_SIZE];
};

/* Append a run; roman letters on the line join those before them. */
void cf_text_put(struct cf_text *text, enum cf_face face, int level, const char *format, ...)
    __attribute__((__format__(printf, 4, 5)));

/* Append roman letters on the line. */
void cf_text_add(struct cf_text *text, const char *format, ...)
    __attribute__((__format__(printf, 2, 3)));

/* Append the symbol of a quantity by its name: "lambda_star" is an italic lambda with a
 * subscript, and a name made of words, "kk_time", stays as it is. */
void cf_text_symbol(struct cf_text *text, const char *name);

/* Append a parameter's name: a symbol, with its data set or segment behind it as in "k[drops]", or
 * a path as it is, "torque.bias". false: it is none of these, and nothing was appended. */
bool cf_text_parameter(struct cf_text *text, const char *name);

/* Append a unit, "N/m^1.5", its exponents raised. */
void cf_text_unit(struct cf_text *text, const char *unit);

/* Append a power of ten. */
void cf_text_power(struct cf_text *text, int exponent);

/* The letters of run i. */
const char *cf_text_letters(const struct cf_text *text, size_t i);

/* Are two texts the same, letters, faces and levels? */
bool cf_text_same(const struct cf_text *a, const struct cf_text *b);

#endif
