/* Drops in the target itself, beside the fit and the twin. */

#ifndef CF_EXPORT_VERIFY_H
#define CF_EXPORT_VERIFY_H

#include "export/target.h"

enum { CF_FEWEST_DROPS = 3, CF_MOST_DROPS = 64 };

struct cf_drop_result {
    double speed_m_s, dt_s;
    double e_fit;         /* of the fitted law */
    struct cf_seen asked; /* of what was exported, at fine steps */
    struct cf_seen twin;  /* at this step and gap */
    struct cf_seen seen;  /* in the target */
    bool predicted;       /* seen.e is the twin's, to the target's tolerance */
    bool good;            /* and within the bound of the mapping's prediction of the fit */
};

struct cf_verification {
    size_t n;
    struct cf_drop_result drop[CF_MOST_DROPS];
    size_t design;        /* the drop at the design speed */
    bool predicted, good; /* all of them; good counts the drop at the design speed only where the
                             target has e there only */
};

/* n drops from the lowest to the highest speed of the fit (without a range: from half to twice the
 * design speed), evenly in the logarithm but that the design speed takes the place of the nearest,
 * at the question's step, else one that resolves the contact. */
int cf_export_verify(const struct cf_mapping *m, size_t n, struct cf_curves *curves,
                     struct cf_verification *out, struct cf_error *err);

/* The table, for people. */
void cf_verification_print(const struct cf_mapping *m, const struct cf_verification *v, FILE *out);

/* What was seen, as a data table that a study can name: synthetic, and marked so. */
void cf_verification_data(const struct cf_mapping *m, const struct cf_verification *v, FILE *out);

#endif
