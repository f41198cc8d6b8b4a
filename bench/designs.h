/* The table of synthetic studies, bench/studies.txt, whose head says what a block holds. */

#ifndef DESIGNS_H
#define DESIGNS_H

#include "disturb.h"
#include "estimate/serial_model.h"
#include "experiment/registry.h"
#include "identify/selftest.h"
#include "study/study.h"
#include "throws.h"

enum {
    DESIGN_WORD = 40,
    DESIGN_COLUMNS = 4,
    DESIGN_DISTURB = 4,
    DESIGN_RATES = 6,
    DESIGN_RIG = 12,
    DESIGN_ORDER = 4
};

struct design_value {
    char name[DESIGN_WORD];
    double value;
};

struct design {
    char name[DESIGN_WORD];
    const struct cf_law *truth, *fit;
    size_t ntrue, nfree, nfixed, nmeasured;
    struct design_value true_value[CF_MAX_PARAM], fixed[CF_MAX_PARAM];
    char free[CF_MAX_PARAM][DESIGN_WORD];
    const struct cf_protocol *protocol; /* impact, unless the table names another */
    double mass_kg, radius_m, load_N;   /* no load: 0 */
    bool both_directions;               /* every other speed is negative */
    struct cf_contact_laws made;        /* laws of two parts */
    struct design_value apparatus[CF_MAX_PARAM];
    size_t napparatus;
    bool linear;          /* evenly spaced */
    bool never_resampled; /* a bootstrap would take hours */
    bool drops;           /* drop heights are imposed, not speeds */
    size_t nrow;
    double from, to, imposed_sigma;
    struct {
        size_t column;
        double sigma;
        bool estimated;
    } measured[DESIGN_COLUMNS];
    struct cf_serial_model serial; /* errors of what is measured, where they follow each other */
    double partial[DESIGN_ORDER];  /* its partial autocorrelations */
    size_t nrate;                  /* of strokes: each forth and back, nrow rows each */
    double rate[DESIGN_RATES];
    size_t nrig, nrig_free; /* of the apparatus: true values, and what the fits free */
    struct design_value rig[DESIGN_RIG], rig_free[DESIGN_RIG];
    size_t repeats;             /* rows at each place; 0: one */
    bool shuffled;              /* the rows are in random order */
    size_t sessions;            /* that share an error; 0: the rows of a place do */
    double tau;                 /* of what they share, in sigmas */
    enum cf_group_origin group; /* what the fits are told */
    struct disturb disturb[DESIGN_DISTURB];
    size_t ndisturb;
    struct design_value prior[CF_MAX_PARAM]; /* its offset from the truth in its own sigmas, */
    double prior_sigma[CF_MAX_PARAM];        /* which are shares of the value */
    size_t nprior;
    double bias_sigma[DESIGN_COLUMNS]; /* prior of a nuisance of what is measured; 0: none;
                                        * INFINITY: it has none */
    struct throws throws;              /* in the place of rows; */
    char *study;                       /* or the path of a study, whose rows they are, */
    bool sizes_unknown;                /* and the fits are not told its sigmas */
    uint64_t seed;
    bool broken;   /* the data are not as the fit assumes: no interval need hold */
    size_t most;   /* studies of it; 0: as many as of the others */
    size_t starts; /* of each fit; 0: as many as of the others */
};

/* A design as cf_selftest() takes it. */
struct design_case {
    struct cf_dataset data;
    struct cf_spec truth, fitted;
    struct cf_problem problem; /* of the truth */
    struct cf_nuisance nuisance[DESIGN_COLUMNS + DESIGN_RIG];
    struct disturb_list list;
    struct cf_disturbance disturbance;
    struct cf_generator generator;
    struct cf_study *study; /* NULL: none */
    struct cf_grouping grouping;
    double theta[CF_MAX_PARAM + DESIGN_COLUMNS + DESIGN_RIG], sigma[DESIGN_COLUMNS];
};

/* All designs of a file, for design_free(). The message names file and line. */
int design_read(const char *path, struct design **list, size_t *n, struct cf_error *err);
void design_free(struct design *list, size_t n);

/* The design must outlive the case; design_case_clear() it also after a failure. */
int design_prepare(const struct design *design, struct cf_curves *curves, struct design_case *c,
                   struct cf_error *err);
void design_case_clear(struct design_case *c);

/* The design's numbers of the rig into its data, and its noise into the problem of the truth. */
int design_put_rig(const struct design *d, struct cf_dataset *data, struct cf_error *err);
void design_put_serial(const struct design *d, struct cf_problem *truth);

/* Starts and screen of a synthetic study's fits: enough for two or three parameters, and a tenth
 * of the time. */
void design_options(const struct design *d, struct cf_fit_options *options);

#endif
