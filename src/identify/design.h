/* The next experiment: which interval would further measurements shrink, and by how much?
 *
 * A measurement adds a row to the Jacobian of the residuals: its sensitivities at the optimum over
 * its sigma. A whole record adds many, and brings unknowns of its own, what its segments start from
 * and what its rig leaves over; with these eliminated it comes to a triangle of as many rows as
 * there are parameters. From the longer Jacobian follow the rank, the covariance and the degrees of
 * freedom that the next fit may expect. This is first order, as Wald's interval is, and assumes
 * that the law and the optimum are true.
 */

#ifndef CF_IDENTIFY_DESIGN_H
#define CF_IDENTIFY_DESIGN_H

#include "estimate/rank.h"
#include "experiment/setting.h"

/* A measurement that could be made: a reading, or a whole record. */
struct cf_candidate {
    size_t kind;                      /* those of a kind are places of one thing, counted from 0 */
    size_t data, column;              /* on the pair of this data set; CF_NO_CHANNEL: a record, */
    const struct cf_setting *setting; /* of its rig; else NULL */
    double abscissa;                  /* on the axis; or what the rig is set to */
    double sigma;    /* of the reading, with the imposed speed's carried over; of a record NAN */
    double length_s; /* of a record */
    bool estimated;  /* it joins a channel whose sigma is estimated */
    size_t channel;  /* that one; of a record the first */
    double count;    /* readings, less unknowns of a record's own */
    size_t nrow;     /* 1; of a record as many as parameters that it shares with the study */
    double *g;       /* nrow * nfree: sensitivities to theta, over sigma */
};

/* A record that says nothing. */
struct cf_missed {
    size_t data;
    const struct cf_setting *setting;
    double value;
    struct cf_error why;
};

struct cf_design {
    const struct cf_problem *problem;
    double level;        /* of the intervals */
    struct cf_fold fold; /* at the point */
    size_t ncandidate, nkind;
    struct cf_candidate *candidate;
    size_t nmissed;
    struct cf_missed *missed;
    size_t nfailed;      /* readings that could not be predicted, which are no candidates; */
    struct cf_error why; /* what was wrong with the first */
    bool *sigmaless;     /* ndata * CF_MAX_COLUMN: predicted, without a stated sigma */
};

/* What a fit may expect of its intervals. */
struct cf_expected {
    size_t rank;
    double log_det;               /* of J'J over its rank; larger is better */
    bool *identified;             /* nfree: neither flat nor dead */
    double *standard_error, *dof; /* nfree: of theta */
    double *half; /* nfree: half width of the interval of theta; INFINITY: not identified */
};

/* Room for nfree parameters; to be cleared. */
int cf_expected_alloc(struct cf_expected *expected, size_t nfree, struct cf_error *err);
void cf_expected_clear(struct cf_expected *expected);

/* Does a data set lie along the axis of the study's first: of its protocol, or of one whose axis is
 * the same quantity? Only such sets are planned for. */
bool cf_design_along(const struct cf_spec *spec, size_t data);

/* List the candidates at abscissa[n], in the unit of the first data set's axis, for every quantity
 * that the law predicts and every pair that lies along it, at theta with the problem's current
 * sigmas. sigma[ndata * CF_MAX_COLUMN] is what the caller states, SI, row by data set; NAN takes
 * the study's: that of the same quantity at the nearest place. cf_design_clear() it also after a
 * failure. */
int cf_design_init(struct cf_design *design, const struct cf_problem *problem, const double theta[],
                   const double abscissa[], size_t n, const double sigma[], struct cf_error *err);
void cf_design_clear(struct cf_design *design);

/* Add candidates of one more record each, of the rig of a data set at value[n] of a setting, as
 * long as that set or length_s (NAN: that). It is simulated at theta with the noise that the study
 * has there (sigma as of cf_design_init()), read as any record is, and has the nuisances of the
 * data set anew with their priors. One that cannot be read, or that the law does not describe, is
 * put among those missed. */
int cf_design_add_records(struct cf_design *design, const double theta[], size_t data,
                          const struct cf_setting *setting, const double value[], size_t n,
                          double length_s, const double sigma[], struct cf_error *err);

/* Is it the first data set of its rig: none before it is of the same protocol and pair, and differs
 * in nothing but what the setting varies? */
bool cf_design_is_rig(const struct cf_spec *spec, size_t data, const struct cf_setting *setting);

/* From where to where the records of a data set's rig go; *done: some of them had that setting.
 * false: no further record can be made. */
bool cf_design_range(const struct cf_spec *spec, size_t data, const struct cf_setting *setting,
                     double *low, double *high, bool *done);

/* One more candidate of nrow rows, all 0 but for kind and g; NULL: no memory. */
struct cf_candidate *cf_design_append(struct cf_design *design, size_t kind, size_t nrow);

/* With the candidates pick[n] added (one may come more than once). *out has room. */
int cf_design_expect(const struct cf_design *design, const size_t pick[], size_t n,
                     struct cf_expected *out, struct cf_error *err);

/* The n candidates that one after the other raise first the rank, then the determinant most
 * (greedily D-optimal): pick[n]. */
int cf_design_sequence(const struct cf_design *design, size_t n, size_t pick[],
                       struct cf_error *err);

/* The candidate of which `times` repeats shrink the interval of parameter i most, among those of
 * one kind; ncandidate when there is none. `what`, with room, receives what is expected. */
int cf_design_best(const struct cf_design *design, size_t kind, size_t i, size_t times,
                   size_t *best, struct cf_expected *what, struct cf_error *err);

#endif
