/* One data set in memory: what one protocol measured on one pair of bodies, in SI.
 *
 * A data set is a table of rows; each channel that was read is a series over them. A channel that
 * was not read takes no memory.
 */

#ifndef CF_EXPERIMENT_DATASET_H
#define CF_EXPERIMENT_DATASET_H

#include <stdbool.h>
#include <stddef.h>

#include "experiment/grouping.h"
#include "experiment/recorded_drive.h"
#include "law/pair.h"
#include "volume/press.h"

enum { CF_MAX_COLUMN = 12 }; /* channels of a protocol at most: cf_dataset_check() */

enum cf_sigma_kind {
    CF_SIGMA_NONE,     /* imposed without sigma: exact; or the channel is absent */
    CF_SIGMA_GIVEN,    /* stated by the study or by a column, in sigma[] */
    CF_SIGMA_ESTIMATE, /* one for the series, estimated from the residuals */
};

/* How an estimated sigma goes with the axis. */
enum cf_sigma_model {
    CF_SIGMA_CHOSEN,       /* constant, unless the residuals say otherwise */
    CF_SIGMA_CONSTANT,     /* sigma = a */
    CF_SIGMA_PROPORTIONAL, /* sigma = b |x|, x the place on the axis */
    CF_SIGMA_BOTH,         /* sigma^2 = a^2 + b^2 x^2 */
    CF_SIGMA_POWER,        /* sigma = b |x|^q, q estimated */
    CF_NSIGMA_MODEL
};

extern const char *const cf_sigma_model_name[CF_NSIGMA_MODEL];

enum cf_row_use { CF_ROW_FIT, CF_ROW_HELD_OUT, CF_ROW_EXCLUDED };

struct cf_protocol;

/* One channel over the rows. */
struct cf_series {
    enum cf_sigma_kind kind;
    enum cf_sigma_model model; /* of one that is estimated, */
    bool floored;              /* and sigma[] is then what is known of each row's, beside it */
    bool dense;                /* errors of neighbouring rows resemble each other */
    bool apart;                /* its estimated sigma is not that of other data sets */
    bool read;                 /* of several files, in `part`: */
    size_t part;
    double *value; /* nrow, SI; NAN where a row does not have it; NULL: no row has it */
    double *sigma; /* nrow; NULL: 0 in every row, none is stated */
};

/* Consecutive rows that belong together: a throw, a stroke, a window. */
struct cf_segment {
    size_t first, count; /* rows */
};

/* Rows that stand one behind the other and are excluded for one reason. */
struct cf_exclusion {
    size_t row, count;
    char *because;
};

/* One of several files of a record, whose channels have times of their own. */
struct cf_file_part {
    char *file;      /* path as written in the study */
    char sha256[65]; /* of its bytes */
    size_t nrow;
    uint32_t *row;  /* nrow: the row of the data set that each is part of, ascending */
    uint32_t *line; /* nrow: its line in the file */
};

struct cf_dataset {
    char *name;
    const struct cf_protocol *protocol;
    char *file;      /* path as written in the study; NULL for rows inside the study */
    char sha256[65]; /* of the file's bytes; of the study's for rows inside it; of several files, of
                      * the line of hashes that they have, in their order */
    size_t npart;    /* files, where there are several; else 0 */
    struct cf_file_part *part;
    struct cf_pair pair;
    size_t nrow;
    struct cf_series *series; /* protocol->nchannel */
    size_t *line;             /* nrow: line in the file that the row came from; of several, in the
                               * first that has it */
    unsigned char *use;       /* nrow: an enum cf_row_use each */
    size_t *order;            /* nrow: place in the order of measuring; NULL: as they stand */
    size_t nexclusion;
    struct cf_exclusion *exclusion; /* why rows are excluded, ascending; none overlap */
    double *apparatus;              /* protocol->napparatus, SI; NULL where it has none */
    bool steps_stated;              /* of its apparatus, protocol->steps: the study says how many */
    double *rule;                   /* of the protocol's recording, SI; NULL where it has none */
    double record_end, record_dead; /* of a recording, in the unit of its records: where it ends,
                                     * and how near two must be to be taken as one; 0: not known */
    double *condition; /* protocol->ncondition: what bands and design points have beside the axis;
                        * NAN: not known */
    struct cf_recorded_drive *drive; /* recorded, by which rows were driven; NULL: none. Copies, and
                                      * rows that are made like these, share it */
    struct cf_press *press; /* the volume over depth of a probe of the apparatus; NULL: none is.
                             * Shared as the drive is */
    size_t nsegment;        /* 0: all rows are one */
    struct cf_segment *segment;
    size_t ngroup_level; /* levels of the study's groups that its rows have */
    uint32_t *group;     /* ngroup_level * nrow, level by level: of each row; NULL: none */
    char **provenance;   /* the `#` lines at the head of the file, without the mark */
    size_t nprovenance;
    char *contradiction; /* what its record says against a number of the study; NULL: nothing, */
    size_t contradicted; /* and which: of the apparatus */
};

/* Fails with CF_ERANGE where a caller's own protocol has more channels than CF_MAX_COLUMN. */
int cf_dataset_check(const struct cf_protocol *protocol, struct cf_error *err);

/* A data set of nrow rows in which nothing is measured yet, the apparatus as its table says.
 * CF_ENOMEM when there is no room: *d is then empty. */
int cf_dataset_alloc(struct cf_dataset *d, const struct cf_protocol *protocol, size_t nrow,
                     struct cf_error *err);

/* Give it nrow rows: those that are new have no value and no line. */
int cf_dataset_resize(struct cf_dataset *d, size_t nrow, struct cf_error *err);

/* Free what is in it, not itself; accepts a half-built one. */
void cf_dataset_clear(struct cf_dataset *d);

/* The rows of `from` with their values, sigmas, lines, use and groups, its pair, apparatus and
 * segments; neither file nor provenance. *to is to be cleared, also after a failure. */
int cf_dataset_copy(struct cf_dataset *to, const struct cf_dataset *from, struct cf_error *err);

/* Some of its rows, ascending, as a data set of n rows; without segments. */
int cf_dataset_choose(struct cf_dataset *to, const struct cf_dataset *from, size_t n,
                      const size_t row[], struct cf_error *err);

/* Put a cell. sigma 0: none is stated. CF_ENOMEM for the first cell of a channel at most. */
int cf_dataset_put(struct cf_dataset *d, size_t row, size_t channel, double value, double sigma,
                   struct cf_error *err);

/* The conditions that its rows stand for: the median of each over all rows; where they are of
 * several branches, over the first that is there. */
int cf_dataset_conditions(struct cf_dataset *d, struct cf_error *err);

/* The same over the rows of one branch, as condition[protocol->ncondition]; *n: how many there are.
 */
int cf_dataset_branch(const struct cf_dataset *d, size_t branch, double condition[], size_t *n,
                      struct cf_error *err);

/* The same over the rows of one of its segments. */
int cf_dataset_segment(const struct cf_dataset *d, size_t segment, double condition[],
                       struct cf_error *err);

/* Forget what was put into a channel. */
void cf_dataset_drop(struct cf_dataset *d, size_t channel);

/* The group of a row at a level of the study's groups; CF_NO_GROUP: none. */
uint32_t cf_dataset_group(const struct cf_dataset *d, size_t row, size_t level);

/* Room for groups at so many levels, where rows are in none yet. */
int cf_dataset_group_room(struct cf_dataset *d, size_t nlevel, struct cf_error *err);

/* Where a row stands in the order of measuring; room for it, the rows as they stand. */
size_t cf_dataset_order(const struct cf_dataset *d, size_t row);
int cf_dataset_order_room(struct cf_dataset *d, struct cf_error *err);

/* Exclude a row that is not excluded yet; so many of them one behind the other. */
int cf_dataset_exclude(struct cf_dataset *d, size_t row, const char *because, struct cf_error *err);
int cf_dataset_exclude_rows(struct cf_dataset *d, size_t row, size_t count, const char *because,
                            struct cf_error *err);

/* Why a row is excluded, or NULL. */
const char *cf_dataset_because(const struct cf_dataset *d, size_t row);

/* The line of a value in the file that its channel came from; that file, as written. */
size_t cf_dataset_line(const struct cf_dataset *d, size_t row, size_t channel);
const char *cf_dataset_file(const struct cf_dataset *d, size_t channel);

/* NAN where it is not there. */
double cf_dataset_value(const struct cf_dataset *d, size_t row, size_t channel);
double cf_dataset_sigma(const struct cf_dataset *d, size_t row, size_t channel);
bool cf_dataset_has(const struct cf_dataset *d, size_t row, size_t channel);

#endif
