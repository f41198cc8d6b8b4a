/* A fitted law asked about other places of its axis, or about a pair of another mass or radius. */

#ifndef CF_IDENTIFY_ASKED_H
#define CF_IDENTIFY_ASKED_H

#include "identify/model.h"

/* The pair that is asked about. */
struct cf_asked {
    const struct cf_model *model;
    size_t data;           /* the data set of the fit that it is like */
    struct cf_dataset one; /* a row of it */
};

/* Like the data set of that name (NULL: the first), but for its effective mass [kg] and radius [m],
 * where these are not 0. CF_EINPUT: no such data set. CF_EUSAGE: no mass, or no radius. CF_ERANGE:
 * the law has no rule for another radius. To be cleared, also after a failure. */
int cf_asked_init(struct cf_asked *asked, const struct cf_model *model, const char *data,
                  double mass_kg, double radius_m, struct cf_error *err);
void cf_asked_clear(struct cf_asked *asked);

/* Does the law predict this channel of the pair's protocol? */
bool cf_asked_predicts(const struct cf_asked *asked, size_t channel);

/* The channel of that name, which the law predicts; CF_EUSAGE says which there are. */
int cf_asked_channel(const struct cf_asked *asked, const char *name, size_t *channel,
                     struct cf_error *err);

/* The law's curve at one place of the axis, and the ends of its confidence band at the study's
 * level: where the curve lies, not where the next measurement does. */
struct cf_answer {
    bool known;              /* the law and its parameters determine it */
    bool identified;         /* and the data identify all that it depends on */
    double value, low, high; /* NAN unless it is identified */
};
int cf_asked_at(struct cf_asked *asked, struct cf_curves *curves, double abscissa, size_t channel,
                struct cf_answer *answer, struct cf_error *err);

#endif
