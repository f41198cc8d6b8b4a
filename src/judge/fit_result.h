/* A fit: optimum, intervals, tests, rivals, verdict. Everything that a report says is here. */

#ifndef CF_JUDGE_FIT_RESULT_H
#define CF_JUDGE_FIT_RESULT_H

#include "estimate/split.h"
#include "judge/adequacy.h"
#include "judge/findings.h"
#include "judge/statements.h"
#include "judge/test_list.h"
#include "resample/resample.h"

/* What a single parameter's number is worth. */
#define CF_WORTH_LIST(X)                                                                           \
    X(CF_WORTH_FINE, "fine")                                                                       \
    X(CF_WORTH_WEAK, "weak")                                                                       \
    X(CF_WORTH_FLAT, "flat")                                                                       \
    X(CF_WORTH_AT_BOUND, "at bound")                                                               \
    X(CF_WORTH_DEAD, "dead")

#define CF_FIT_ENUM(name, text) name,
#define CF_FIT_TEXT(name, text) [name] = (text),
enum cf_worth { CF_WORTH_LIST(CF_FIT_ENUM) CF_NWORTH };

const char *cf_worth_text(enum cf_worth worth);

/* An interval in natural units; an open end is at the parameter's bound. */
struct cf_interval {
    bool known;
    double low, high;
    bool open_low, open_high;
};

enum { CF_MAX_PROFILE = 128 };

/* The profile of a parameter: rise of chi^2 over its minimum, all other parameters at their best.
 */
struct cf_profile {
    size_t n;
    double value[CF_MAX_PROFILE]; /* natural units, ascending */
    double delta[CF_MAX_PROFILE];
    double threshold; /* squared quantile of Student's t at the interval's level */
    bool cut;         /* an open end is where the law could not be evaluated any further */
};

struct cf_estimate {
    double standard_error; /* of theta */
    double dof;            /* of its t distribution; INFINITY when all sigmas were given */
    enum cf_worth worth;
    struct cf_interval wald, likelihood; /* of theta by the covariance; by the profile */
    struct cf_profile profile;
};

/* A row to look at. */
struct cf_outlier {
    size_t observation;
    bool outlier;       /* else only influential */
    double studentized; /* deleted residual over its own standard deviation */
    double p_adjusted;  /* Holm's over all rows */
    double cook;        /* Cook's distance */
    char *text;
};

/* All such rows: outliers first, the surest first; then the influential ones, in their order. */
struct cf_outlier_list {
    size_t n, noutlier; /* all; outliers */
    struct cf_outlier *item;
    size_t examined, unexamined; /* rows that stand off under systematic residuals: outliers.h */
};

/* An unknown of one part of the data, at its best. */
struct cf_local_estimate {
    size_t part;                      /* of the problem */
    const struct cf_unknown *unknown; /* what it is */
    double value;                     /* natural units */
    struct cf_interval interval; /* by the covariance; not known where the part does not identify it
                                  * apart from its others */
};

/* Prediction of one observation. */
struct cf_predicted {
    double value, low, high; /* with the predictive interval */
};

/* A parameter of a law in the comparison. */
struct cf_rival_parameter {
    char *name;
    const char *unit;
    double value;
    bool identified;  /* false: flat or dead, the value means nothing */
    const char *role; /* "fitted" of the law, "nuisance" of a rig, "start" of a segment */
};

/* Values that are not independent in a comparison: those of one toss, of one record, of one row
 * (judge/held_out.h). */
struct cf_held_units {
    size_t nvalue, n; /* values, units */
    size_t *of;       /* nvalue */
    char *one, *many; /* "toss", "tosses" */
};

/* A law against another one on held-out values. */
struct cf_paired {
    double difference;     /* of the root mean squares, in sigmas: above 0 where it is worse */
    double standard_error; /* by the scatter between units; NAN with fewer than two */
    double p, p_adjusted;  /* of no difference, by random signs; Holm's over all rivals */
};

/* A law in the comparison on the rows that all laws can predict. */
struct cf_rival {
    const struct cf_law *law;
    bool failed;
    struct cf_error why; /* it failed */
    size_t nfree, rank, nsigma, n;
    struct cf_rival_parameter *parameter; /* nfree */
    size_t nheld;
    struct cf_held *held; /* what the study holds of it, by the spec's own entries */
    size_t nlacks;
    const char *lacks[CF_MAX_PARAM]; /* parameters in which groups differ, and which it has not, */
    bool by_reading;                 /* any of them: what groups share is a share of its readings */
    double cost, aicc, bic;          /* aicc NAN where n is too small */
    double delta_aicc, weight;
    double rms_sigma;          /* of residuals, in sigmas of the law under study */
    double *rms;               /* raw, by channel of the rows that all laws predict */
    double held_out_rms_sigma; /* NAN without held-out rows */
    size_t nheld_out;
    double *held_out;         /* nheld_out: errors on these, in sigmas of the law under study */
    double *held_out_rms;     /* raw, by channel of those that all laws predict */
    struct cf_paired against; /* the law under study, there; all NAN: itself, or no such rows */
    double loo_rms_sigma;     /* NAN where no row can be left out */
    double *curve;            /* the headline channel at cf_fit.curve_abscissa */
    double *theta;            /* nfree */
    bool converged;           /* the best start converged */
    size_t confirmed, nstart; /* starts that ended at the optimum, of how many */
};

/* What a rule of judge/plausibility.h found: the worst number, of all rows and spheres. */
struct cf_plausible {
    const struct cf_plausible_rule *rule;
    double number;
    char of[160];         /* "ball", "drops, line 7" or "restitution of drops" */
    bool inside;          /* of the rule's usual range, */
    bool possible;        /* and of its physical one */
    bool stated;          /* the study says that it is unusual, and right */
    const char *slip;     /* "the mass in g": what would explain it; NULL: nothing known does */
    enum cf_stated_in in; /* where it is to be corrected, */
    const struct cf_dataset *data; /* of this data set, which is the spec's, */
    size_t row, sphere;            /* in this row, or of this sphere of the pair */
};

struct cf_plausibility {
    size_t n;
    struct cf_plausible *item; /* in the order of the rules */
};

/* A prior beside what the data say without it. */
struct cf_prior_test {
    size_t unknown;
    bool tested;       /* the data say something of it */
    double by_data;    /* where they alone put the parameter, natural units */
    double z, p;       /* the difference in its standard errors; two-sided */
    double p_adjusted; /* Holm's over all priors */
    bool contradicts;
};

/* What one part of the data says of a parameter, natural units. */
struct cf_told {
    size_t source; /* channel of the protocol, or data set */
    bool says;     /* else the rest is NAN: nothing that could be distinguished from anything */
    double value, low, high;
    double widens; /* the standard error without this part, over that with all; INFINITY: not
                    * identified without it */
};

/* What all of them say of it, side by side. */
struct cf_agreement {
    size_t unknown;
    enum cf_split_by by;
    size_t n;
    struct cf_told *told;
    double statistic, p; /* fall of chi^2 where each has its own value; NAN: fewer than two say
                          * anything */
    double p_adjusted;   /* Holm's over all that were tested */
    bool disagrees;
};

/* A parameter where recorded inputs are smoothed at another cutoff. */
enum cf_smoothed_at { CF_SMOOTHED_HALF, CF_SMOOTHED_DOUBLE, CF_NSMOOTHED };
struct cf_smoothed {
    bool known;
    double value;  /* natural units */
    double change; /* from the fit, in standard errors */
};

/* A number of the apparatus that is a cutoff. */
struct cf_cutoff {
    size_t data, parameter;
};

/* judge/smoothness.h */
struct cf_smoothness {
    size_t n; /* 0: nothing is smoothed */
    struct cf_cutoff *cutoff;
    struct cf_smoothed *of; /* problem.nfree * CF_NSMOOTHED */
};

/* The fit once more, where a number that is assumed is another one: judge/smoothness.h. */
struct cf_otherwise {
    const struct cf_assumption *of; /* NULL: nothing is assumed */
    double fall;                    /* of chi^2 at the fit's variances; below 0: it rises */
    double *value;                  /* problem.nfree, natural units */
    double *change;                 /* from the fit, in standard errors; NAN: not identified */
};

/* The two sides to which a number of the study is moved: judge/budget.h. */
enum cf_moved_side { CF_MOVED_UP, CF_MOVED_DOWN, CF_NMOVED };

/* A number of the study that has an uncertainty. */
struct cf_budget_source {
    const struct cf_uncertain *of;
    bool moved[CF_NMOVED];     /* to both sides, or why not: */
    struct cf_error why;       /* of the last that could not */
    bool stalled;              /* the optimum did not come to rest on a side */
    double *by;                /* of each number of the budget: its contribution, with the sign of
                                * the number's change where this one is larger; NAN: not moved */
    double *uneven;            /* the same: half the sum of both changes, 0 where it is linear */
    double *shift;             /* problem.nobservation: by how much more readings stand above
                                * the law, at the fit's parameters, in their unit; NULL: it is no
                                * number of an instrument, or was not moved */
    size_t most;               /* the observation whose prediction moves most, in its sigmas, */
    double curve, curve_sigma; /* once the optimum has followed: in its unit, in sigmas */
};

/* An unknown or, behind them, a combination, on the scale of its interval: theta, the logarithm of
 * a product, a sum. */
struct cf_budget_number {
    bool known; /* else the data do not identify it */
    double type_a, dof_a;
    double combined, dof; /* dof INFINITY: known exactly */
    double coverage;      /* factor of the interval */
    struct cf_interval interval;
};

struct cf_budget {
    size_t n; /* 0: no uncertainty is stated */
    struct cf_budget_source *source;
    struct cf_budget_number *number; /* problem.nfree + ncombination */
};

enum { CF_NCURVE = 361 };

/* A predicted curve of one channel of one data set. */
struct cf_predicted_curve {
    size_t data, column;
    size_t branch; /* of the protocol, where its rows are of several */
    size_t part;   /* of a data set of several segments: from 1 on, the one whose conditions it
                    * has; 0: those of all rows */
    double abscissa[CF_NCURVE];
    double value[CF_NCURVE], low[CF_NCURVE], high[CF_NCURVE];
};

/* A number of a run, as it was measured and as the law gives it; SI. */
struct cf_judged_run {
    size_t data;
    double place, measured, predicted;
};

/* How far a curve, or a number of runs, is from what was measured. */
struct cf_judged_curve {
    size_t data, column;                /* the first data set of those that are judged together */
    const struct cf_run_number *number; /* of runs, `rows` of them; NULL: a channel over its axis */
    bool averaged;                      /* no curve: the runs' mean difference */
    struct cf_judged_run *run;
    size_t sets, rows;
    size_t branch;      /* of the protocol, where it has any */
    double low, high;   /* of the axis, the one that is nearer to 0 first */
    double least, most; /* sizes of places that were measured, also where nothing is needed */
    struct cf_adequacy_curve of;
    double worst;                   /* place of the upper limit on the axis */
    double stated, stated_relative; /* what both limits have for what is not known of the
                                     * instruments: stated, or fitted along; 0 without */
    double abscissa[CF_ADEQUACY_GRID], law[CF_ADEQUACY_GRID]; /* the fitted curve */
    const struct cf_need *need;                               /* NULL: none is stated */
    enum cf_adequacy_word word;                               /* where there is one */
    double times; /* as many measurements would tell, where it cannot be told; INFINITY: hardly any
                   * number; NAN: it is told, or there are too few places */
    char why_not[200]; /* there is no reference, whatever the number of places; "": nothing */
    char text[500];
};

/* Steps of a recorded motion that leave too large an error: judge/solver_bias.h */
struct cf_steps {
    size_t data;
    double error;          /* that the study's leave, in sigmas */
    size_t stated, enough; /* the study's, or the usual ones; as many as would do; 0: no number up
                            * to CF_MOST_STEPS would */
    bool taken;            /* the fit took as many as would do */
};

/* What a fit does, in this order. */
#define CF_STAGE_LIST(X)                                                                           \
    X(CF_STAGE_SEARCH, "the search for the optimum")                                               \
    X(CF_STAGE_INTERVALS, "the intervals")                                                         \
    X(CF_STAGE_TESTS, "the tests")                                                                 \
    X(CF_STAGE_LEFT_OUT, "the fits without each row")                                              \
    X(CF_STAGE_RIVALS, "the rivals")                                                               \
    X(CF_STAGE_VERDICT, "the verdict")                                                             \
    X(CF_STAGE_RESAMPLES, "the bootstrap and the posterior")

enum cf_stage { CF_STAGE_LIST(CF_FIT_ENUM) CF_NSTAGE };

struct cf_fit {
    enum cf_stage stage; /* that is being done */
    bool unfinished;     /* it was ended there: what is here is what was found until then, */
    bool interrupted;    /* by a signal, else by its time */
    struct cf_optimum optimum;
    struct cf_problem held_out;      /* rows kept out of the fit; nobservation 0 without any */
    struct cf_estimate *estimate;    /* problem.nfree */
    bool profiled;                   /* their likelihood intervals are of profiles; else those of
                                      * the covariance, a sandwich's or clusters' */
    double lowest, *lowest_theta;    /* the least rise of all profiles, below 0 where they went
                                      * lower than the optimum; and where: problem.nfree */
    struct cf_interval *combination; /* of optimum.combination */
    struct cf_local_estimate *local; /* problem.nlocal */
    struct cf_predicted *predicted;  /* problem.nobservation */
    struct cf_predicted *held_out_predicted; /* held_out.nobservation */
    double *held_out_sigma; /* held_out.nobservation: of each, with all that a new row is off by */
    double held_out_rms_sigma;
    double *left_out; /* problem.nobservation: predicted by the fit without the row, or NAN */
    unsigned char *left_out_how; /* the same: enum cf_left_out_how */
    size_t nleft_out;
    double loo_rms_sigma;
    struct cf_outlier_list outliers;
    struct cf_tests tests;
    struct cf_tests noise_tests; /* of what the noise is taken to be: judge/noise_tests.h */
    size_t nprior_test;
    struct cf_prior_test *prior_test; /* of each prior of a parameter, the surest first */
    struct cf_smoothness smoothness;
    struct cf_otherwise otherwise;
    struct cf_budget budget;
    size_t nagreement;
    struct cf_agreement *agreement; /* of parameters by channel and by data set, the surest
                                     * first */
    size_t nrival;
    struct cf_rival *rival;          /* best first; the law under study is one */
    struct cf_held_units held_units; /* of held-out rows that all laws predict */
    char *held_out_text; /* the law under study and its best rival on these; NULL: nothing to say */
    double curve_abscissa[CF_NCURVE];
    size_t ncurve;
    struct cf_predicted_curve *curve;
    size_t njudged;
    struct cf_judged_curve *judged;
    double bias, bias_over_sigma; /* solver bias of the predictions at the optimum */
    size_t nsteps;
    struct cf_steps *steps; /* by data set */
    struct cf_spec finer;   /* the study in those that were taken, of which all problems here then
                             * are; data NULL: the study's own do */
    struct cf_findings findings;
    enum cf_verdict_status status; /* the worst word among the findings */
    struct cf_resamples resamples;
    struct cf_plausibility plausibility;
    char summary[800];
    struct cf_statements advice;
};

/* May the result be used as it is? (good, weak) */
bool cf_fit_trusted(const struct cf_fit *fit);

/* Has the study needs of curves? *word is then the least of their answers. */
bool cf_fit_needs(const struct cf_fit *fit, enum cf_adequacy_word *word);

/* Does the law not describe the data, also where something is undetermined, and that is the status?
 */
bool cf_fit_misfits(const struct cf_fit *fit);

#endif
