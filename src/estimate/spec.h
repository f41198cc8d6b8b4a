/* What is to be fitted to what. */

#ifndef CF_ESTIMATE_SPEC_H
#define CF_ESTIMATE_SPEC_H

#include <stdbool.h>
#include <stdint.h>

#include "estimate/loss.h"
#include "estimate/uncertain.h"
#include "experiment/protocol.h"

/* What shares the value of a free parameter. */
enum cf_sharing {
    CF_SHARED_BY_ALL,  /* the material: every pair, scaled by its R where the law says how */
    CF_SHARED_BY_PAIR, /* data sets of equal mass, radius and modulus */
    CF_SHARED_BY_DATA, /* one data set */
    CF_NSHARING
};

/* As studies and fit files name it: "material", "pair", "data". */
extern const char *const cf_sharing_name[CF_NSHARING];

/* A parameter to be fitted; NAN where the study does not say and the law's row decides. */
struct cf_free {
    const char *name; /* a parameter of the law or one of its aliases */
    double min, max, start;
    double prior_value, prior_sigma; /* normal on a linear scale, lognormal on a log scale */
    bool prior_hertz;                /* the prior's value is k from Hertz */
    enum cf_sharing per;
};

/* What a nuisance is: a number of a data set that is fitted along, so that the others do not pay
 * for it. Predicted readings are gain * y + bias. */
enum cf_nuisance_kind { CF_NUISANCE_APPARATUS, CF_NUISANCE_GAIN, CF_NUISANCE_BIAS };

struct cf_nuisance {
    size_t data;
    enum cf_nuisance_kind kind;
    size_t index;           /* parameter of the protocol's apparatus, or measured channel */
    double min, max, start; /* SI; NAN: from the apparatus's row; of a gain 0.1 and 10; of a bias
                             * the spread of what was measured to both sides of 0 */
    double prior_value, prior_sigma; /* NAN: none; normal on a linear scale, lognormal on a log one:
                                      * gains are on a log scale */
};

/* A parameter that is held. */
struct cf_given {
    const char *name;
    double value;
    bool hertz; /* k from the bodies' materials and radii, set by set */
};

/* A parameter that the law has not: held in each rival that has one of this name and unit. */
struct cf_rival_given {
    struct cf_given given;
    const char *unit; /* of the parameter or alias of that name */
};

/* A parameter that follows another one: name = factor * to. */
struct cf_tie {
    const char *name, *to; /* parameters of the law or their aliases */
    double factor;         /* SI */
};

/* How near a curve has to be to what is measured, for the use that it is wanted for. */
struct cf_need {
    const char *quantity; /* a channel, in every protocol that measures it */
    double within;        /* SI, or a share of the curve */
    bool relative;        /* a share */
    double low, high;     /* of the axis, SI, by its size; NAN: from the first row, to the last */
};

/* Further searches for the optimum, beside the Sobol points. */
enum cf_global_kind {
    CF_GLOBAL_NONE,
    CF_GLOBAL_CRS2,
    CF_GLOBAL_DIRECT,
    CF_GLOBAL_MLSL,
    CF_GLOBAL_ISRES,
    CF_GLOBAL_ESCH,
    CF_NGLOBAL
};

struct cf_fit_options {
    double level;       /* of intervals, 0.95 */
    size_t screen;      /* Sobol points at which the cost is evaluated */
    size_t starts;      /* how many of the best are polished */
    double weak_factor; /* upper/lower of an interval beyond which a parameter is weak */
    double p_reject;    /* a residual test below it rejects */
    bool rough_tests;   /* permutations end once a test cannot reject: same verdict, rough p */
    uint64_t seed;
    size_t bootstrap; /* replicates of each kind; 0: none */
    size_t posterior; /* steps of each walker; 0: none */
    enum cf_loss_kind loss;
    double loss_scale; /* NAN: the usual one */
    enum cf_global_kind global;
    size_t global_budget; /* evaluations of one global search */
    double time_s;        /* that a fit may take; 0: any */
    double pivot_m;       /* depth at which a power law states its force; 0: chosen from the data */
};

extern const struct cf_fit_options cf_fit_defaults;

struct cf_spec {
    const struct cf_law *law;
    size_t nfree;
    struct cf_free free[CF_MAX_PARAM];
    size_t ngiven;
    struct cf_given given[CF_MAX_PARAM];
    size_t nrival_given;
    struct cf_rival_given *rival_given;
    size_t ntie;
    struct cf_tie tie[CF_MAX_PARAM];
    size_t nnuisance;
    struct cf_nuisance *nuisance;
    size_t nneed;
    struct cf_need *need;
    size_t nunusual;
    const struct cf_plausible_rule **unusual; /* what breaks them is right as it stands */
    size_t ndata;
    struct cf_dataset *data;
    struct cf_grouping grouping; /* of the rows of all data sets */
    struct cf_uncertains uncertain;
    const char *path; /* of the study, for messages about rows inside it; NULL: none; not owned */
    struct cf_fit_options options;
};

#endif
