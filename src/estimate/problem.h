/* The least-squares problem of a law on some data sets.
 *
 * The transformed parameter: theta = ln x for a parameter on a log scale, theta = x for one on a
 * linear scale. All derivatives, covariances and steps of the fit are in theta.
 *
 * Unknowns are counted at run time. An unknown reaches one or many places: a parameter of the law
 * in every data set (through its alias, ties and the radius of the pair), in those of one pair, in
 * one data set; or a nuisance of a data set, a number of its apparatus or the gain or bias of a
 * channel.
 *
 * Locals belong to a part of the data, a segment or a whole data set, and to nothing else: the
 * start of a segment, an offset. They have a prior or none, and are eliminated with their part: at
 * any theta they are at their best.
 *
 * Residuals are sqrt(weight robust) (measured - predicted)/sigma, one for each observation,
 * followed by one for each prior. Those of one row that share the error of an imposed quantity are
 * made independent (estimate/shared_error.h), and then those of one group that share its error
 * (estimate/effects.h). A problem with groups has no locals: its nuisances are unknowns.
 */

#ifndef CF_ESTIMATE_PROBLEM_H
#define CF_ESTIMATE_PROBLEM_H

#include <stdint.h>

#include "core/parallel.h"
#include "estimate/spec.h"

/* One measured number. */
struct cf_observation {
    uint32_t data, row, column; /* column: channel of the protocol */
    uint32_t channel;           /* index into cf_problem.channel */
    double abscissa;            /* on the axis of its protocol */
    double value;               /* measured [SI] */
    double sigma0;  /* stated, for the measurement alone; where it is estimated, its floor or 0 */
    double sigma;   /* current: stated or estimated, with the imposed quantity's carried over */
    double carried; /* that of the imposed quantity, with the sign of the derivative by it; 0 where
                     * the estimate holds it (estimate/carried.h) */
    double shared;  /* share of sigma that comes from the imposed quantity, with its sign */
    double weight;  /* of its cost in every sum: 1; count of a resampled row; 0: left out */
    double robust;  /* w(z) of the loss, kept by cf_sigma_update(); 1 with squares */
};

/* A measured column: what shares a sigma. One that is estimated is the same in all data sets of a
 * protocol, unless the study says otherwise or equal_variances.c finds that it is not. */
struct cf_channel {
    size_t data, column; /* data: the first that has it */
    double unequal;      /* p of the test that set it apart from other data sets; 0: none did */
    bool estimated;      /* sigma comes from the residuals */
    double sigma; /* estimated value, or the root mean square of the stated ones, or of those that
                   * are not plain */
    enum cf_sigma_model model; /* of an estimated one; never CF_SIGMA_CHOSEN */
    bool floored;              /* each row's sigma0 is beside what is estimated, */
    bool carries;              /* and so is the sigma of what is imposed: */
    double base2, slope2;      /* not plain: sigma^2 = base2 + slope2 |x|^(2 exponent) + sigma0^2 +
                                * carried^2, */
    double beside2;            /* and the mean of these two */
    double exponent;           /* 1, unless the model is a power */
    size_t partner;            /* channel of the same rows whose errors go with its own, behind it;
                                * CF_NO_CHANNEL: none */
    double covariance;         /* with that one's */
    size_t n;                  /* observations */
    double dof;                /* n less this channel's share of the parameters */
    double floor;              /* least sigma that the digits of the readings, and the accuracy of
                                * the predictions, can carry */
};

enum cf_unknown_kind {
    CF_UNKNOWN_LAW,     /* a parameter of the law or an alias */
    CF_UNKNOWN_VALUE,   /* a number of the apparatus or of a segment's start */
    CF_UNKNOWN_READING, /* gain or bias of a channel */
};

/* Who says where the range of an unknown ends: the row of the law or of the protocol, the data by a
 * hand formula, or the study. */
enum cf_bound_by { CF_BOUND_BY_ROW, CF_BOUND_BY_DATA, CF_BOUND_BY_STUDY, CF_NBOUND_BY };

/* As fit files name it: "default", "data", "study". */
extern const char *const cf_bound_by_name[CF_NBOUND_BY];

/* A free parameter. */
struct cf_unknown {
    const char *name; /* "k"; "k[golf at 1 m]" where it is one of several; "restitution.bias" */
    const char *unit, *what;
    enum cf_unknown_kind kind;
    enum cf_scale scale;
    double lower, upper; /* theta */
    enum cf_bound_by lower_by, upper_by;
    double start; /* theta; NAN when none is stated, and none is known by hand */
    bool by_hand; /* it is the protocol's, */
    double reach; /* and other starts lie within this of it */
    bool has_prior;
    double prior, prior_sigma;    /* theta */
    size_t target;                /* the law's parameter; else the place among a set's values */
    const struct cf_alias *alias; /* NULL for the parameter itself */
    size_t data;                  /* the first data set that it reaches */
    size_t of_segment;   /* a start of this segment of it alone, counted from 1; 0: of all */
    enum cf_sharing per; /* of a law's parameter */
};

struct cf_effect;
struct cf_record;
struct cf_serial;
struct cf_reading_link;

/* What sets a parameter of the law, in the order in which it is done (values.c). */
struct cf_assignment;

/* How a data set is predicted, and what its numbers depend on. Its values are the parameters of the
 * law, the apparatus, the start of a segment, then gain and bias of each channel below. */
struct cf_set {
    size_t nvalue;   /* of a request */
    size_t nplace;   /* nvalue + 2 nchannel */
    size_t nchannel; /* channels with observations */
    size_t *channel; /* of the protocol, ascending */
    size_t *index;   /* by channel of the protocol: place in channel[] */
    size_t *fitted;  /* of each of channel[], the problem's */
    size_t nactive;  /* unknowns that reach it */
    size_t *active;  /* ascending */
    size_t *own;     /* by free parameter of the law: its unknown here */
    size_t *column;  /* the same: its place in active[] */
    size_t nlocal;   /* locals of each of its parts */
    struct cf_unknown *local;
    size_t nby, *by; /* values of a request by which derivatives are needed */
};

/* Observations that share locals: a segment, or a whole data set. */
struct cf_part {
    size_t data;
    size_t first, count; /* observations */
    size_t local;        /* its first in cf_problem.local */
    size_t segment;      /* of its data set, from 0 */
    bool whole;          /* its rows are predicted all at once */
};

struct cf_problem {
    const struct cf_law *law;
    const struct cf_spec *spec;
    struct cf_curves *curves;         /* not owned */
    const struct cf_workers *workers; /* NULL: this thread alone; of evaluations, not of searches */
    struct cf_loss loss;
    size_t nfree;
    struct cf_unknown *unknown;
    size_t nobservation;
    struct cf_observation *observation; /* ordered by data set and row */
    size_t nchannel;
    struct cf_channel *channel;
    double pivot_m; /* depth at which a power law with free exponents states force and damping */
    size_t nprior;
    size_t nresidual; /* nobservation + nprior */
    size_t nassignment;
    struct cf_assignment *assignment;
    struct cf_set *set; /* spec->ndata */
    size_t npart;
    struct cf_part *part;
    size_t nlocal;
    double *local;  /* theta of all locals, where evaluations begin to look for their best */
    size_t neffect; /* what groups of rows share: estimate/effects.h */
    struct cf_effect *effect;
    size_t nrecord; /* what neighbouring rows share: estimate/records.h */
    struct cf_record *record;
    struct cf_reading_link *link; /* nobservation, where there are records */
    size_t nserial;               /* errors of dense traces: estimate/serial.h */
    struct cf_serial *serial;
    size_t nname;
    char **name;   /* of unknowns, where they are made here */
    bool borrowed; /* a copy: it owns observations, channels, unknowns, parts, locals and effects
                      only */
};

enum cf_scope {
    CF_SCOPE_ALL,    /* every measured column */
    CF_SCOPE_EACH,   /* the same, each data set by itself: for judging new ones */
    CF_SCOPE_COMMON, /* only what laws of every family predict: for comparing rivals */
};

/* Build the problem of spec with `law`: spec->law with the study's free and given parameters, or a
 * rival, whose parameters are all free except those that the study gives. Rows are those of `use`.
 * Curves that the law needs are made; NULL: nothing is going to be predicted.
 * *problem is the caller's to cf_problem_free(), also after a failure. */
int cf_problem_init(struct cf_problem *problem, const struct cf_spec *spec,
                    const struct cf_law *law, struct cf_curves *curves, enum cf_row_use use,
                    enum cf_scope scope, struct cf_error *err);
void cf_problem_free(struct cf_problem *problem);

/* The problem's channel of a column of a data set; CF_NO_CHANNEL: nothing of it is observed. */
size_t cf_channel_of(const struct cf_problem *problem, size_t data, size_t column);

/* How many data sets it is of. */
size_t cf_channel_sets(const struct cf_problem *problem, size_t channel);

/* Has a data set both of these channels? */
bool cf_channels_meet(const struct cf_problem *problem, size_t a, size_t b);

/* Give each data set of a channel a channel of its own, the later ones behind all others; p of the
 * test that says so. The problem must own its channels. */
void cf_channel_part(struct cf_problem *problem, size_t channel, double p);

/* Is its sigma one number: constant, and beside nothing that is known of each row? */
bool cf_channel_is_plain(const struct cf_channel *channel);

/* Sigma of an observation of an estimated channel, and without what is imposed. */
double cf_channel_sigma(const struct cf_channel *channel, const struct cf_observation *o);
double cf_channel_own_sigma(const struct cf_channel *channel, const struct cf_observation *o);

/* Is its sigma known: stated, or made by what is known of each row, beside which next to nothing is
 * left to estimate? */
bool cf_channel_is_known(const struct cf_channel *channel);

/* The root mean square of what is imposed in the readings of a channel. */
double cf_channel_carried(const struct cf_problem *problem, size_t channel);

/* How many variances there are beside one for each estimated channel, for criteria. */
size_t cf_extra_variances(const struct cf_problem *problem);

/* |x|^(2 exponent): what slope2 of a channel is multiplied by. */
double cf_channel_growth(const struct cf_channel *channel, double abscissa);

/* Are the variances found by REML (estimate/reml.h), because they are more than a sigma for each
 * channel? */
bool cf_uses_reml(const struct cf_problem *problem);

/* A copy whose observations, channels, unknowns, locals and effects' variances may be changed, and
 * those of `from` put back into it. It is to be freed before `from`. */
int cf_problem_copy(struct cf_problem *copy, const struct cf_problem *from, struct cf_error *err);
void cf_problem_restore(struct cf_problem *copy, const struct cf_problem *from);

/* The locals where their descriptions have them start. */
void cf_problem_reset_locals(struct cf_problem *problem);

/* Some `most` rows of the problem, chosen by quantiles of the axis in each data set (of each a few
 * at least), or whole segments where there are such, with all their observations; a copy as above.
 */
int cf_problem_thin(struct cf_problem *copy, const struct cf_problem *from, size_t most,
                    struct cf_error *err);

/* How many rows its observations come from. */
size_t cf_problem_rows(const struct cf_problem *problem);

/* Are predictions integrated, of a law or of a motion, so that one of them takes some hundred times
 * longer than a curve's and is smooth to the tolerance of the integration only? */
bool cf_problem_is_slow(const struct cf_problem *problem);

/* Are they of motions, each segment in one run, whose derivatives have some four digits? */
bool cf_problem_is_motion(const struct cf_problem *problem);

/* Are nuisances of the data set unknowns of the fit, and no locals of its one part: do they reach
 * all of its segments, would each cost a run, or are they among what variances are beside? */
bool cf_nuisances_are_joint(const struct cf_problem *problem, size_t data);

/* The fall of chi^2 below which a search has converged, and the share of it that is rounding. */
double cf_problem_fall(const struct cf_problem *problem);
double cf_problem_rounding(const struct cf_problem *problem);

/* The depth that the study states, or one from its data: the median of the measured depths, or of
 * those estimated from other channels; 1 mm without either. */
int cf_pivot_choose(const struct cf_spec *spec, double *pivot_m, struct cf_error *err);

/* Fill problem->unknown, set and assignment: the study's free parameters for its own law; for a
 * rival all that the study does not give; and the nuisances of the data sets. Channels must be
 * known. Called by cf_problem_init(). */
int cf_problem_choose(struct cf_problem *problem, struct cf_error *err);

/* A parameter of the problem's law that the study holds. */
struct cf_held {
    const struct cf_given *given;
    size_t target;
    const struct cf_alias *alias; /* NULL: the parameter itself */
};

/* The i-th entry of what the study holds, of cf_held_count(); false: it holds nothing of this law,
 * which has no parameter of the name, or one in another unit. */
size_t cf_held_count(const struct cf_spec *spec);
bool cf_held_at(const struct cf_problem *problem, size_t i, struct cf_held *held);

/* Where the values of a data set stand in cf_set_values(). */
size_t cf_set_apparatus(const struct cf_problem *problem, size_t parameter);
size_t cf_set_start(const struct cf_problem *problem, size_t data, size_t i);
size_t cf_set_gain(const struct cf_set *set, size_t channel_index);
size_t cf_set_bias(const struct cf_set *set, size_t channel_index);

/* The values of a segment of a data set, value[set->nplace], and (NULL to skip) their slopes
 * slope[nplace * (nlocal + nactive)] by the part's locals, then by the active unknowns.
 * local[nlocal] is theta of the part's. A parameter that is neither free nor given is NAN.
 * CF_ERANGE where one is beyond what doubles hold. */
int cf_set_values(const struct cf_problem *problem, size_t data, size_t segment,
                  const double theta[], const double local[], double value[], double slope[],
                  struct cf_error *err);

/* The law's parameters p[law->nparam] for a data set, and (NULL to skip) dp/dtheta as
 * slope[law->nparam * nfree]. */
int cf_problem_params(const struct cf_problem *problem, size_t data, const double theta[],
                      double p[], double slope[], struct cf_error *err);

/* Natural value of a theta, and back. */
double cf_unknown_value(const struct cf_unknown *unknown, double theta);
double cf_unknown_theta(const struct cf_unknown *unknown, double value);

/* -1 or +1 when theta is at the lower or upper bound of its unknown, else 0. */
int cf_unknown_at_bound(const struct cf_unknown *unknown, double theta);

#endif
