/* Experiments: one row for each lab protocol. Apparatus and law give predicted channels.
 *
 * A protocol is one file and one row: what it imposes and measures, along which axis, with which
 * apparatus, and how it predicts. Nothing outside of that file knows the name of a protocol or of a
 * channel.
 */

#ifndef CF_EXPERIMENT_PROTOCOL_H
#define CF_EXPERIMENT_PROTOCOL_H

#include "experiment/plausible.h"
#include "impact/impact.h"

enum cf_role {
    CF_ROLE_IMPOSED,  /* what was done: read, not predicted */
    CF_ROLE_MEASURED, /* what was seen: predicted, and compared */
};

struct cf_channel_row {
    const char *name; /* "restitution": key in studies and reports */
    const char *unit; /* SI */
    const char *what; /* one line */
    enum cf_role role;
    double lower, upper;        /* accepted range, ends included */
    unsigned families;          /* bits 1u << enum cf_family: the laws that predict it */
    const char *const *guesses; /* other names of such a channel, for `init`; NULL-terminated */
    const char *label;          /* "contact duration": in figures and on pages */
    const char *symbol;         /* "e", beside the label of the main figure; NULL: none */
    bool usual;                 /* predicted unless other channels are asked for */
};

/* What tests, bands and figures run along. */
struct cf_axis {
    const char *name, *unit; /* "speed", SI */
    bool linear;             /* signed, evenly spaced; else positive and log-spaced */
    double lower, upper;     /* accepted range */
    const char *plural;      /* "speeds" */
    const char *label;       /* "approach speed": in figures and on pages */
    const char *symbol;      /* "v"; NULL: none */
};

/* Rows to be predicted. */
struct cf_request {
    const struct cf_dataset *data;
    const struct cf_law *law;
    const double *value; /* law->nparam parameters, the protocol's apparatus, the start of the
                          * segment that the rows belong to; SI */
    size_t nrow;
    const size_t *row; /* in any order */
    size_t nchannel;
    const size_t *channel; /* measured ones */
    size_t nby;
    const size_t *by; /* indices of value[] by which derivatives are wanted */
    double tolerance; /* 0: the fast way; else by direct integration at this relative tolerance and
                       * without derivatives: the reference for the bias of the fast way */
};

/* Where the predictions go; NULL: not wanted. Row by row, and in it channel by channel. */
struct cf_response {
    double *y;          /* nrow * nchannel; NAN: the law does not determine it */
    double *by_value;   /* nrow * nchannel * nby */
    double *by_imposed; /* nrow * nchannel, by the imposed channel in use */
};

/* Where a hand formula has a fit start, and how far about it other starts are spread: by so much,
 * on a log scale by this factor. */
struct cf_hand {
    double value, reach; /* SI; NAN: no formula for this parameter */
};

enum { CF_MOST_HAND = 2 * CF_MAX_PARAM }; /* parameters and aliases that may start so */

struct cf_protocol {
    const char *name; /* "impact" */
    const char *what;
    size_t nchannel;
    const struct cf_channel_row *channel;
    struct cf_axis axis;
    size_t axis_channel; /* the imposed channel that is the axis itself: design points and bands
                          * impose it */
    size_t headline;     /* the measured channel of the first figure, in which laws are compared */
    size_t second_axis;  /* measured channel along whose prediction residuals are tested, too;
                          * CF_NO_CHANNEL: none */
    size_t ncondition; /* imposed channels beside the axis: bands and design points have the median
                        * of what was imposed */
    const size_t *condition;
    bool one_event; /* channels are readings of one event: do they agree about the law? */
    bool bodiless; /* predicts without masses and radii: a study may leave the bodies out */
    size_t napparatus;
    const struct cf_param *apparatus; /* what a study states or frees under `nuisance` */

    size_t nstart;
    const struct cf_param *start; /* of each segment: locals of the fit */

    /* For a first study, by `init`: a law to begin with; and where only channels are measured that
     * all laws predict, another one and lines of comment to it. NULL: nothing, or begin_with. */
    const char *begin_with, *begin_common, *on_common;
    const char *begin_friction; /* the friction law beside it; NULL: none */
    const char *on_law;         /* lines of comment behind both; NULL: none */
    const char *on_data; /* lines behind the columns of a draft's data set; NULL: none */

    /* What a whole row must obey once its cells are read (an imposed quantity is there; speed and
     * drop height agree; restitution below 1 + 3 sigma). The message says what is wrong with the
     * row, without file and line. Remarks that are no error go to note[size], "" when none. NULL:
     * ranges are all there is to check. */
    int (*check_row)(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err);

    /* What a law needs of a data set whose rows have been read, beyond a channel that it predicts:
     * a load, a lever. The message says what is missing, without file and line. NULL: nothing. */
    int (*check_law)(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err);

    /* What is plausible of its quantities; ends with a rule without a name. NULL: nothing known. */
    const struct cf_plausible_rule *rules;

    /* The imposed channel that this row is driven by (speed or drop_height). */
    size_t (*imposed)(const struct cf_dataset *d, size_t row);

    /* Where the row lies on the axis, in its unit. */
    double (*abscissa)(const struct cf_dataset *d, size_t row);

    /* The headline as another measured channel tells it: value and sigma of that channel at a place
     * of the axis become those of the headline. false: it tells nothing of it. NULL: none does. */
    bool (*headline_from)(const struct cf_dataset *d, size_t channel, double abscissa,
                          double *value, double *sigma);

    /* A depth [m] that the row says something about, for laws whose coefficients are stated at a
     * pivot depth: *measured where a channel measured it, else estimated. NAN: none. NULL: no row
     * has one. */
    double (*depth)(const struct cf_dataset *d, size_t row, bool *measured);

    /* Parameters of the law by hand formulas, start[law->nparam], and behind them its aliases, all
     * NAN at first; false: none for such rows. NULL: none at all. */
    bool (*hand)(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[]);

    /* One worker's workspace. The curves are shared: made before by cf_curves_prepare(), only read
     * here. NULL: predict needs none. */
    void *(*open)(struct cf_curves *curves);
    void (*close)(void *work);

    /* Predict. A pure function of request and data: neither the rows of other requests nor what
     * `work` was used for before change a bit. */
    int (*predict)(void *work, const struct cf_request *request, struct cf_response *out,
                   struct cf_error *err);
};

#define CF_NO_CHANNEL ((size_t) -1)

/* The protocols that are built in, NULL-terminated. */
extern const struct cf_protocol *const cf_protocols[];
const struct cf_protocol *cf_protocol_find(const char *name);

/* Index of a channel by name, or nchannel. */
size_t cf_protocol_channel(const struct cf_protocol *protocol, const char *name);

/* Does the channel drive the rows: one from which their place on the axis follows, and no condition
 * beside it? */
bool cf_channel_drives(const struct cf_protocol *protocol, size_t channel);

/* Do laws of this family predict the channel? */
bool cf_channel_predicted(const struct cf_channel_row *channel, enum cf_family family);

/* Is it predicted by laws of every family that predicts anything here? Rivals are compared in such
 * channels. */
bool cf_channel_common(const struct cf_protocol *protocol, size_t channel);

/* May the law be fitted to the data set? */
int cf_law_suits(const struct cf_law *law, const struct cf_dataset *d, struct cf_error *err);

/* The index of a parameter of the apparatus in value[] of a request. */
size_t cf_apparatus_value(const struct cf_law *law, size_t parameter);

/* A data set of n rows on the pair, the apparatus and the conditions of `like`; nothing else is
 * known of it. */
int cf_dataset_like(const struct cf_dataset *like, size_t n, struct cf_dataset *out,
                    struct cf_error *err);

/* A data set of n rows at points of the axis, on the pair and apparatus of `like`; nothing is
 * measured in it. */
int cf_dataset_along(const struct cf_dataset *like, size_t n, const double abscissa[],
                     struct cf_dataset *out, struct cf_error *err);

/* The prediction of one row. */
struct cf_prediction {
    unsigned known; /* bit mask over channels */
    double value[CF_MAX_COLUMN];
    double by_param[CF_MAX_COLUMN][CF_MAX_PARAM];
    double by_imposed[CF_MAX_COLUMN]; /* by the imposed channel in use */
};

/* All measured channels of one row with the data set's own apparatus; tolerance as in a request. */
int cf_predict_row(struct cf_curves *curves, const struct cf_law *law, const double p[],
                   const struct cf_dataset *d, size_t row, double tolerance,
                   struct cf_prediction *out, struct cf_error *err);

/* Predict with a workspace of its own. */
int cf_protocol_predict(struct cf_curves *curves, const struct cf_request *request,
                        struct cf_response *out, struct cf_error *err);

/* The headline as a measured channel tells it, by value and sigma in place; false: not at all. */
bool cf_protocol_headline(const struct cf_dataset *d, size_t channel, double abscissa,
                          double *value, double *sigma);

/* Points of the axis from low to high, both included, spaced as the axis is; n >= 2. */
void cf_axis_points(const struct cf_axis *axis, double low, double high, size_t n, double point[]);

/* Widen a range of the axis: by this factor at both ends, on a linear axis its span by the factor;
 * nowhere beyond what the axis accepts, where a linear range has any room. */
void cf_axis_widen(const struct cf_axis *axis, double factor, double *low, double *high);

#endif
