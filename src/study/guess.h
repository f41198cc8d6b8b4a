/* Guesses about a table that no study describes yet, for `contactfit init`. */

#ifndef CF_STUDY_GUESS_H
#define CF_STUDY_GUESS_H

#include "experiment/protocol.h"
#include "file/csv.h"

struct cf_guess {
    size_t column[CF_MAX_COLUMN]; /* column of each quantity; csv->ncolumn where none matches */
    size_t sigma[CF_MAX_COLUMN];  /* the column of its sigmas, the same way */
    size_t floor[CF_MAX_COLUMN];  /* the column of floors beside an estimated sigma, */
    size_t count[CF_MAX_COLUMN];  /* and of the counts by whose root they are divided */
    char unit[CF_MAX_COLUMN][32]; /* to be stated in the study; "" where the header says it */
    char sigma_unit[CF_MAX_COLUMN][32]; /* the same of its sigmas */
    char as_force[CF_MAX_COLUMN][8]; /* of a force that is in a unit of mass: gf for g; "" else */
    bool assumed[CF_MAX_COLUMN];     /* that unit is given nowhere: it is assumed SI */
    bool asked[CF_MAX_COLUMN]; /* no column yet: several, or one that fits another quantity as well
                                */
};

/* Which column holds which quantity, by its name; units must fit. */
void cf_guess_columns(const struct cf_csv *csv, const struct cf_protocol *protocol,
                      struct cf_guess *guess);

/* May this column be what is asked for; and in which unit, "" where the header says it? */
bool cf_guess_may(const struct cf_csv *csv, const struct cf_protocol *protocol,
                  const struct cf_guess *guess, size_t channel, size_t column, char unit[32]);

/* Is nothing known against this column but its name: it has a unit, and that fits? */
bool cf_guess_by_unit(const struct cf_csv *csv, const struct cf_channel_row *channel,
                      size_t column);

#endif
