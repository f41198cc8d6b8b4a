/* What the name of a column says: its words, and the unit that may stand among them; for guesses,
 * private to the program. */

#ifndef CF_STUDY_HEADER_H
#define CF_STUDY_HEADER_H

#include "file/csv.h"

enum { CF_HEADER_WORDS = 12, CF_HEADER_WORD = 24, CF_HEADER_UNIT = 32, CF_HEADER_READINGS = 8 };

/* "Max. impact velocity" and "max_impact_speed" have the same words: those of no case and without
 * "of the", with one spelling of what has several. */
struct cf_words {
    size_t n;
    char word[CF_HEADER_WORDS][CF_HEADER_WORD];
    bool mean;   /* of a mean: the word itself is left out */
    bool spread; /* of a standard deviation or an error, the same way */
};

/* The words in text[0..n); those beyond the room are left out. */
void cf_words_read(const char *text, size_t n, struct cf_words *words);

/* Are they the same, in any order (but for symbols, f_t and t_f) or written as one? */
bool cf_words_equal(const struct cf_words *a, const struct cf_words *b);

/* One way to read a header: "speed in m/s" is a speed in m/s, and h_N a height in N or h_N. */
struct cf_header {
    struct cf_words name;
    char unit[CF_HEADER_UNIT]; /* "" where there is none */
    bool known;                /* the reader of tables finds that unit by itself */
};

/* All of them, the number is returned; those that leave more to the name come last. */
size_t cf_header_read(const struct cf_csv *csv, size_t column,
                      struct cf_header reading[CF_HEADER_READINGS]);

#endif
