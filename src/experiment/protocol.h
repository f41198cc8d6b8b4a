/* Experiments: one row for each lab protocol. Apparatus and law give predicted channels.
 *
 * A protocol is one file and one row: what it imposes and measures, along which axis, with which
 * apparatus, and how it predicts. Nothing outside of that file uses the name of a protocol or of a
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

/* What a message about a record is about: a row, or what the study states of the rig. */
struct cf_record_about {
    size_t row;
    const char *number; /* "mass": of the apparatus, stated or missing; "": the apparatus as a
                         * whole; NULL: the row */
};

struct cf_channel_row {
    const char *name; /* "restitution": key in studies and reports */
    const char *unit; /* SI */
    const char *what; /* one line */
    enum cf_role role;
    double lower, upper;        /* accepted range, ends included */
    unsigned families;          /* bits 1u << enum cf_family: the laws that predict it */
    const char *const *guesses; /* other names of such a column, for `init`: "v impact_speed", words
                                 * of study/header.h, names apart by blanks; NULL-terminated */
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
    bool jumps;              /* predictions jump where its sign changes */
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
    double most; /* the readings leave no room for more, whatever the law's row says; 0: it says */
};

/* The records that a reading was made from: those of its own row and of rows before and behind it.
 */
struct cf_stamped {
    size_t n, row[3];                  /* ascending */
    double by_value[3], by_imposed[3]; /* derivatives of the reading and of the imposed quantity */
};

/* Where remarks on the records go. */
struct cf_remarks {
    void *owner;
    int (*add)(void *owner, const char *text, struct cf_error *err);
};

/* Of a protocol whose rows are records, stamps of events, and whose reading is made from those of
 * neighbouring rows: its errors are then the records', which neighbours share. */
struct cf_derived {
    size_t record;     /* the imposed channel that rows record */
    size_t reading;    /* the measured channel that is made of it */
    size_t nread;      /* the channels from here on are derived: no column has them */
    const char *level; /* "throw": what rows belong to, a group where the study has none */
    size_t nrule;
    const struct cf_param *rule; /* what is looked for in the records: `rules` of a data set */

    /* Fill imposed channels and the reading of a data set that has its records, groups and
     * exclusions. */
    int (*derive)(struct cf_dataset *d, const struct cf_remarks *remarks, struct cf_error *err);

    /* The number of what a row belongs to, ascending. */
    size_t (*unit)(const struct cf_dataset *d, size_t row);

    /* The records behind a row's reading, with derivatives where the reading is this one: the one
     * that is expected, so that its own error is not in them. false: it is none of records. */
    bool (*stamped)(const struct cf_dataset *d, size_t row, double reading, struct cf_stamped *out);
};
enum { CF_MOST_HAND = 2 * CF_MAX_PARAM }; /* parameters and aliases that may start so */

struct cf_setting;
struct cf_run_number;

/* A number of the apparatus by which a record is read, though it may as well be another: a fit says
 * whether its data tell (judge/smoothness.h). */
struct cf_assumption {
    size_t parameter;
    double is, otherwise;
    size_t first, last; /* it matters where one of these is a nuisance, or is not 0 */
    const char *name;   /* of the parameter */
    const char *that,
        *if_not; /* "the slope of the baseline goes on in contact", "it ended at touch" */
};

#define CF_NO_CHANNEL ((size_t) -1)

/* How the numbers of a column go from row to row. */
enum cf_gait {
    CF_GAIT_THERE,    /* somehow: the column is there */
    CF_GAIT_SAMPLED,  /* up in steps as a clock's */
    CF_GAIT_STAMPS,   /* up in steps that shrink, as impacts of a ball come */
    CF_GAIT_ONE_SIGN, /* to one side of 0, but for a little */
    CF_GAIT_CONSTANT, /* hardly at all */
    CF_GAIT_LEVELS,   /* in few levels, each of many rows */
    CF_GAIT_FALLS,    /* in parabolas of one curvature */
    CF_GAIT_RETURNS,  /* up, and back to where it began */
    CF_GAIT_SPARSE,   /* near one value in most rows */
    CF_GAIT_SAWTOOTH, /* up slowly and down at once, or the other way */
    CF_GAIT_RATIO,    /* between 0 and 1, but for noise */
};

/* What a first study makes of a shape: so much is a table more likely of this protocol where the
 * column of the channel has it, and where it has it not; CF_NEVER: it is of another. A column that
 * is not there says nothing, but of CF_GAIT_THERE. */
struct cf_trait {
    size_t channel; /* CF_NO_CHANNEL: any column */
    enum cf_gait gait;
    double with, without;
    const char *what; /* "a force of both signs is no impact": said where it decides */
};
#define CF_NEVER (-100.0)

struct cf_protocol {
    const char *name; /* "impact" */
    const char *what;
    size_t nchannel;
    const struct cf_channel_row *channel;
    struct cf_axis axis;
    size_t axis_channel; /* the imposed channel that is the axis itself: design points and bands
                          * impose it */
    size_t headline;     /* the measured channel of the first figure, in which laws are compared */
    size_t loop; /* a channel over which what is measured of the headline goes in loops, which a
                  * figure shows; 0: none is */
    size_t
        cluster; /* imposed channel: rows of one value share whatever the law leaves over, so that
                  * intervals come from the scatter between them (estimate/clusters.h); 0: none */
    size_t ncondition; /* imposed channels beside the axis: bands and design points have the median
                        * of what was imposed */
    const size_t *condition;
    size_t nneeded; /* channels without which `init` takes a table for another's */
    const size_t *needed;
    size_t ntrait;
    const struct cf_trait *trait; /* by which `init` tells its tables from others */
    bool one_event; /* channels are readings of one event: do they agree about the law? */
    bool bodiless;  /* predicts without masses and radii: a study may leave the bodies out */
    size_t napparatus;
    const struct cf_param *apparatus; /* what a study states or frees under `nuisance` */
    size_t gravity; /* the number of the apparatus that pulls on the bodies, the study's gravity
                     * where a data set states none: never fitted. 0: no prediction depends on it */
    bool presses;   /* its apparatus may have a body, `shape`: the press of a data set */

    /* Is this number of the apparatus one that is unknown for such a record, so that it is fitted
     * where a study neither states nor frees it? And the sd of a prior about its usual value;
     * INFINITY: without one. Fails without memory, as the functions below that have an error. NULL:
     * none is. */
    int (*is_unknown)(const struct cf_dataset *d, size_t parameter, bool *unknown, double *sd,
                      struct cf_error *err);

    /* So many numbers of the apparatus, from `smoothing` on, are the cutoffs [Hz] at which recorded
     * inputs are smoothed: stated or chosen, never fitted. Predictions are functions of them as of
     * the others, at half and at double, too; INFINITY is none. Where there are such, a fit says
     * what moves when they do (judge/smoothness.h). */
    size_t nsmoothing, smoothing;

    /* A number of the apparatus that is assumed where a study says nothing of it; NULL: none. */
    const struct cf_assumption *assumption;

    /* The number of the apparatus that is how many steps the fast way takes from row to row of a
     * recorded motion, where no tolerance chooses them: a fit takes more where these are too few,
     * unless the study states them (judge/solver_bias.h). 0: none is. */
    size_t steps;

    size_t nstart;
    const struct cf_param *start; /* of each segment: locals of the fit */

    /* How well a number of a segment's start is known beforehand, the sd of a prior about its usual
     * value: INFINITY, not at all. NULL: none is. */
    int (*start_sd)(const struct cf_dataset *d, size_t i, double *sd, struct cf_error *err);

    const struct cf_derived *recording; /* NULL: what rows measure, they measure themselves */

    /* For a first study, by `init`: a law to begin with; and where only channels are measured that
     * all laws predict, another one and lines of comment to it; and one where begin_with predicts
     * nothing that is measured. NULL: nothing, or begin_with. */
    const char *begin_with, *begin_common, *on_common, *begin_else;
    const char *begin_friction; /* the friction law beside it; NULL: none */
    const char *on_law;         /* lines of comment behind both; NULL: none */
    const char *on_data;        /* lines behind the columns of a draft's data set; NULL: none */

    size_t windows; /* of many quantities, each of many segments: a document holds so many of these,
                     * evenly spread, with all their rows and curves of the headline alone; 0: it
                     * holds rows and curves of all, thinned as usual (document/points.h) */

    /* A parameter of laws that such data identify as little as they do a number of the apparatus
     * beside it; and a sentence that says so. NULL: none is. */
    const char *flat_parameter, *on_flat;

    bool by_scene; /* made for each data set, of the scene that it names */
    bool whole;    /* predictions of a segment cost as much as those of one row: it is asked for all
                    * rows at once */
    bool few_minima; /* of a fit, all about where hand formulas start: fewer starts are screened */
    bool record; /* rows are a record in its order: what goes by that order is reported as a misfit,
                  */
    size_t clock;          /* and this imposed channel is its time; CF_NO_CHANNEL: none is */
    const char *on_misfit; /* advice where no law describes the data: what of the rig may be left
                            * over; NULL: none */

    const char *on_bias; /* advice where the fast way leaves too large an error: how a study has it
                          * integrated finer; NULL: none, or `steps` are what helps */

    /* What a whole row must obey once its cells are read (an imposed quantity is there; speed and
     * drop height agree; restitution below 1 + 3 sigma). The message says what is wrong with the
     * row, without file and line. Remarks that are no error go to note[size], "" when none. NULL:
     * ranges are all there is to check. */
    int (*check_row)(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err);

    /* What follows from all rows of a record: channels that the table leaves out are put, and the
     * record is checked. The message is as that of a row; *about, {0} before, what it is about.
     * Remarks go to note[size]. Of rows that are read only: a data set that is made otherwise has
     * what it needs in its channels. NULL: rows stand for themselves. */
    int (*complete)(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                    struct cf_error *err);

    /* Where a fit looks for a number of the apparatus of this data set, and where its search
     * begins, row->typical: changed where the data say more than the row of the table does. NULL:
     * they do not. */
    int (*range)(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                 struct cf_error *err);

    /* May a number of the apparatus be fitted? The message says what it needs. NULL: all may. */
    int (*check_free)(const struct cf_dataset *d, size_t parameter, struct cf_error *err);

    /* What a law needs of a data set whose rows have been read, beyond a channel that it predicts:
     * a load, a lever. The message says what is missing, without file and line. NULL: nothing. */
    int (*check_law)(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err);

    /* By what share the weight during a contact, which predictions leave out, changes each reading
     * of a row: share[nchannel], by the law's values. false: it does not act there, or what it does
     * is not known. NULL: predictions leave out none. */
    bool (*weigh)(const struct cf_dataset *d, size_t row, const struct cf_law *law,
                  const double value[], double share[]);

    /* What a rig can be set to for one more record, experiment/setting.h; none: `design` plans
     * single rows alone. */
    size_t nsetting;
    const struct cf_setting *setting;

    /* Numbers of its runs that a use may need, experiment/run_number.h; none: its rows are asked
     * for, or nothing. */
    size_t nrun_number;
    const struct cf_run_number *run_number;

    /* What is plausible of its quantities; ends with a rule without a name. NULL: nothing known. */
    const struct cf_plausible_rule *rules;

    /* Where rows are of several kinds, each with a curve of its own over the axis: the strokes of a
     * loop. Bands and design points are of the first kind, unless their conditions are stated. */
    size_t nbranch;
    const char *const *branch_name;
    size_t (*branch)(const struct cf_dataset *d, size_t row);

    /* The imposed channel that this row is driven by (speed or drop_height). */
    size_t (*imposed)(const struct cf_dataset *d, size_t row);

    /* Where the row lies on the axis, in its unit. */
    double (*abscissa)(const struct cf_dataset *d, size_t row);

    /* The headline as another measured channel gives it: value and sigma of that channel at a place
     * of the axis become those of the headline. false: it gives none. NULL: none does. */
    bool (*headline_from)(const struct cf_dataset *d, size_t channel, double abscissa,
                          double *value, double *sigma);

    /* A depth [m] that the row says something about, for laws whose coefficients are stated at a
     * pivot depth: *measured where a channel measured it, else estimated. NAN: none. NULL: no row
     * has one. */
    int (*depth)(const struct cf_dataset *d, size_t row, double *depth_m, bool *measured,
                 struct cf_error *err);

    /* Parameters of the law by hand formulas, start[law->nparam], and behind them its aliases, all
     * NAN at first, which stays where such rows say nothing. NULL: none at all. */
    int (*hand)(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                struct cf_error *err);

    /* What may be said before any fit of how well this data set can identify a law's numbers where
     * they are about p[law->nparam], in one line; "": nothing. NULL: never anything. */
    int (*foresee)(const struct cf_dataset *d, const struct cf_law *law, const double p[],
                   char text[], size_t size, struct cf_error *err);

    /* What predictions of a data set come to, beside single readings, a remark each: how many
     * contacts of a toss agree; where that is too few *agrees is cleared, and the first remark says
     * why. predicted[nrow * nchannel], NAN where nothing is. NULL: nothing. */
    int (*account)(const struct cf_dataset *d, const double predicted[],
                   const struct cf_remarks *remarks, bool *agrees, struct cf_error *err);

    /* One worker's workspace. The curves are shared: made before by cf_curves_prepare(), only read
     * here. NULL: predict needs none. */
    void *(*open)(struct cf_curves *curves);
    void (*close)(void *work);

    /* Predict. A pure function of request and data: neither the rows of other requests nor what
     * `work` was used for before change a bit. */
    int (*predict)(void *work, const struct cf_request *request, struct cf_response *out,
                   struct cf_error *err);
};

/* The protocols that are built in, NULL-terminated. */
extern const struct cf_protocol *const cf_protocols[];
const struct cf_protocol *cf_protocol_find(const char *name);

/* Index of a channel by name, or nchannel. */
size_t cf_protocol_channel(const struct cf_protocol *protocol, const char *name);

/* Are they one protocol? Those that are made of scenes are by name and channels. */
bool cf_protocol_same(const struct cf_protocol *a, const struct cf_protocol *b);

/* How many channels, from the first on, a table may have: all, unless some are made of records. */
size_t cf_protocol_read(const struct cf_protocol *protocol);

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

/* What the data's protocols say of a law's parameter that they hardly identify (on_flat); NULL:
 * nothing.
 */
const char *cf_law_flat(const struct cf_dataset data[], size_t n, const char *parameter);

/* Of a data set whose protocol says how many segments a document holds: how many these are, and the
 * k-th of them; and is a row in one of them? */
size_t cf_windows_shown(const struct cf_dataset *d);
size_t cf_window_shown(const struct cf_dataset *d, size_t k);
bool cf_row_shown(const struct cf_dataset *d, size_t row);

/* The index of a parameter of the apparatus in value[] of a request. */
size_t cf_apparatus_value(const struct cf_law *law, size_t parameter);

/* A parameter of the apparatus as a fit of this data set sees it: where it looks, and as `typical`
 * where its search begins. */
int cf_apparatus_param(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                       struct cf_error *err);

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

/* The headline as a measured channel gives it, by value and sigma in place; false: not at all. */
bool cf_protocol_headline(const struct cf_dataset *d, size_t channel, double abscissa,
                          double *value, double *sigma);

/* Points of the axis from low to high, both included, spaced as the axis is; n >= 2. */
void cf_axis_points(const struct cf_axis *axis, double low, double high, size_t n, double point[]);

/* The points of a curve; n >= 4. Where predictions jump two points lie at the jump, so near each
 * other that nothing is between them: a line through the points ends at one and begins anew at the
 * other. */
void cf_axis_curve_points(const struct cf_axis *axis, double low, double high, size_t n,
                          double point[]);

/* Widen a range of the axis: by this factor at both ends, on a linear axis its span by the factor;
 * nowhere beyond what the axis accepts, where a linear range has any room. */
void cf_axis_widen(const struct cf_axis *axis, double factor, double *low, double *high);

#endif
