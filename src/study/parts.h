/* The parts of reading a study; private to src/study. Each uses what the parts before it have put
 * into *study: bodies, law, data, parameters, held-out rows, and the check that there is enough. */

#ifndef CF_STUDY_PARTS_H
#define CF_STUDY_PARTS_H

#include "estimate/uncertain.h"
#include "experiment/rig.h"
#include "file/table.h"
#include "file/time.h"
#include "file/yaml.h"
#include "scene/scene_file.h"
#include "study/study.h"

/* What the parts of a study need to read its data sets. */
struct cf_study_reading {
    struct cf_places places;
    const struct cf_yaml *group; /* what the study says of all data sets; NULL: nothing */
    const struct cf_yaml *law;   /* the node that names the law; NULL: there is none */
    bool
        only_to_check; /* what is wrong before the data forbids more than a look at their columns */
};

int cf_study_bodies(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err);
int cf_study_law(struct cf_study *study, const struct cf_yaml *root, const char *instead,
                 struct cf_error *err);
/* The node that names the law: `law`, or of slides `friction`. */
const struct cf_yaml *cf_study_law_node(const struct cf_yaml *root);
int cf_study_data(struct cf_study *study, const struct cf_yaml *root,
                  const struct cf_study_reading *reading, struct cf_error *err);
int cf_study_parameters(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err);
int cf_study_hold_out(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err);
int cf_study_floors(const struct cf_study *study, const struct cf_yaml *root, struct cf_error *err);
int cf_study_enough(const struct cf_study *study, const struct cf_yaml *root, struct cf_error *err);
int cf_study_counted_once(const struct cf_study *study, const struct cf_yaml *root,
                          struct cf_error *err);

/* `unusual`: rules of what is plausible whose numbers are right as they stand. */
int cf_study_unusual(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err);

/* `needed`. */
int cf_study_needs(struct cf_study *study, const struct cf_yaml *root, struct cf_error *err);

/* loss, loss_scale, global, global_budget and time of `options`. */
int cf_study_methods(struct cf_study *study, const struct cf_yaml *options, struct cf_error *err);

/* `tie`: claimed[] names the key that sets each parameter of the law, NULL for none yet. */
int cf_study_ties(struct cf_study *study, const struct cf_yaml *root,
                  const struct cf_yaml *claimed[], struct cf_error *err);

/* The pair of a data set: of `between`, or (NULL) of the study's only one or two bodies. */
int cf_study_pair(const struct cf_study *study, const struct cf_yaml *set, struct cf_pair *pair,
                  struct cf_error *err);

/* A number that may be fitted. */
struct cf_estimand {
    const char *name, *unit;
    bool positive;               /* must be above 0, */
    bool by_logarithm;           /* or where it is sought, as min, max and start, */
    double lower, upper;         /* and in this range, ends included */
    double fit_lower, fit_upper; /* where a fit looks unless the study says */
    const char *whose;           /* these bounds, in messages: "the law's own bound" */
};

/* What a study says of the search for it, SI; NAN: nothing. */
struct cf_search {
    double min, max, start;
};

/* A value of it; min, max and start of the mapping `at`; the two nodes of a prior; the sigma of a
 * prior of this value. */
int cf_estimand_value(const struct cf_estimand *number, const struct cf_yaml *at, double *value,
                      struct cf_error *err);
int cf_estimand_search(const struct cf_estimand *number, const struct cf_yaml *at,
                       struct cf_search *search, struct cf_error *err);
int cf_estimand_prior(const struct cf_yaml *prior, const struct cf_yaml **value,
                      const struct cf_yaml **sigma, struct cf_error *err);
int cf_estimand_sigma(const struct cf_yaml *at, const char *unit, double value, double *sigma,
                      struct cf_error *err);

/* Add a remark. */
int cf_study_note(struct cf_study *study, struct cf_error *err, const char *format, ...)
    __attribute__((__format__(printf, 3, 4)));

/* Where the values of one column of a data set come from. */
struct cf_column_source {
    const struct cf_yaml *node; /* where the study names it; NULL: the set has no such column */
    size_t own;                 /* 1 + index of the file of its own; 0: that of the set */
    size_t from;                /* column of the table */
    double factor;              /* SI value of its unit */
    bool timed;                 /* it has times, as `time` says; `from` and `factor` are in there */
    struct cf_time_source time;
    bool is_record; /* its errors are seen in the readings that are made of it */
    bool converted; /* value = scale * read + offset, in SI: */
    double scale, offset;
    enum cf_sigma_kind kind;
    enum cf_sigma_model model; /* of an estimated one */
    const struct cf_yaml *sigma_node;
    double sigma;  /* stated for all rows, of what is read */
    bool relative; /* `sigma` is a fraction of the converted value */
    bool by_row;   /* sigma stands in a column of its own: */
    size_t sigma_from;
    double sigma_factor;
    bool dense;   /* errors of neighbouring rows resemble each other */
    bool apart;   /* an estimated one is that of this data set alone */
    bool floored; /* what is stated so is no sigma, but beside one that is estimated */
    bool counted; /* and over the square root of a count in a column: */
    size_t count_from;
};

struct cf_sound_table;

struct cf_source {
    const struct cf_yaml *set;
    const struct cf_yaml *file; /* NULL: rows, or files of the channels alone */
    const struct cf_places *places;
    struct cf_sound_table *sound;  /* what the table was made of; NULL: no recording */
    struct cf_csv *csv;            /* NULL for rows inside the study */
    struct cf_table_place place;   /* of rows that pass and are not kept in csv; path NULL: none */
    const struct cf_yaml *rows;    /* NULL for a file */
    const struct cf_yaml *group;   /* the study's `group`; NULL: none */
    const struct cf_yaml *missing; /* NULL: an empty cell alone says that nothing was measured */
    size_t nown;
    struct cf_source *own; /* files that channels of a record have of their own, each with its clock
                            */
    struct cf_column_source column[CF_MAX_COLUMN];
};

/* Free what is in it, not itself. */
void cf_source_clear(struct cf_source *source);

/* Are rows a record over time, with a channel that is its clock? */
bool cf_is_timed(const struct cf_protocol *protocol);

/* Read the table of a data set; of a record whose rows need not be kept, its head. */
int cf_source_open(struct cf_source *source, const struct cf_protocol *protocol,
                   struct cf_error *err);

/* Has any entry of `columns` a file of its own, as those of records may? */
bool cf_source_has_own(const struct cf_yaml *set, const struct cf_protocol *protocol);

/* The file of its own that an entry of `columns` names, with its clock. */
int cf_source_own(struct cf_source *source, const struct cf_protocol *protocol,
                  const struct cf_yaml *entry, size_t *own, struct cf_error *err);

/* The column of a quantity by its header, which no other quantity has, or the count of the rows,
 * and its unit: *found, one is named or none is wanted. A channel of a file of its own takes no
 * rate: that is its clock's. */
int cf_source_numbers(struct cf_source *source, const struct cf_protocol *protocol,
                      const struct cf_yaml *entry, size_t channel, bool own, bool *found,
                      struct cf_error *err);

/* Read `columns` and `sigma` of a data set. */
int cf_source_columns(struct cf_study *study, struct cf_source *source,
                      const struct cf_protocol *protocol, struct cf_error *err);

/* `sigma` of a column, and the standard deviations that came with one in memory, unless the study
 * says otherwise. */
int cf_source_sigma(const struct cf_csv *csv, const struct cf_yaml *at,
                    const struct cf_channel_row *column, struct cf_column_source *source,
                    struct cf_error *err);
void cf_source_table_sigma(const struct cf_csv *csv, struct cf_column_source *column);
/* The sigma or the floor of a row's value that is there, from its column. */
int cf_source_sigma_cell(const struct cf_source *source, const struct cf_column_source *column,
                         size_t row, double *sigma, struct cf_error *err);

/* `noise` of an entry of `columns`, of a channel of the protocol. */
int cf_source_noise(const struct cf_yaml *entry, const struct cf_protocol *protocol, size_t channel,
                    struct cf_column_source *column, struct cf_error *err);
/* What a dense column forbids elsewhere in the study. */
int cf_study_noise(const struct cf_study *study, const struct cf_yaml *root, struct cf_error *err);

/* sign, scale and offset of an entry of `columns`, whose quantity is in `unit`. */
int cf_column_conversion(const struct cf_yaml *entry, const char *unit,
                         struct cf_column_source *column, struct cf_error *err);

/* The number in a cell of the column, converted, in SI; the sigma of one whose reading has this
 * sigma. */
int cf_column_value(const struct cf_csv *csv, const struct cf_column_source *column, size_t row,
                    double *value, struct cf_error *err);
double cf_column_sigma(const struct cf_column_source *column, double sigma);

/* Drop from keep[nrow] the rows that `where` does not want. Texts go first, so that a number that
 * cannot be read matters in the rows that they leave only. */
int cf_source_choose(const struct cf_source *source, const struct cf_protocol *protocol,
                     bool keep[], struct cf_error *err);

/* Read the rows that `where` keeps, mark those of `exclude`, check each. */
int cf_source_fill(struct cf_study *study, struct cf_source *source, struct cf_dataset *d,
                   const struct cf_protocol *protocol, struct cf_error *err);

/* `missing` of a data set: texts of cells that say that nothing was measured. Is a cell empty, or
 * of such a text? */
int cf_source_missing(const struct cf_yaml *set, struct cf_error *err);
bool cf_source_is_missing(const struct cf_source *source, const char *text);
bool cf_source_is_blank(const struct cf_source *source, size_t row, size_t column);

/* Does `exclude` name the line? */
bool cf_exclude_has_line(const struct cf_yaml *set, size_t line);

/* `order` of a data set that has its rows: in which order they were measured. */
int cf_source_order(const struct cf_source *source, struct cf_dataset *d, struct cf_error *err);

/* `group` of the study: *group is it, NULL where it is silent. */
int cf_study_group(struct cf_study *study, const struct cf_yaml *root, const struct cf_yaml **group,
                   struct cf_error *err);

/* Its `of`, once parameters are known: which of these groups may differ in. */
int cf_study_group_parameters(const struct cf_study *study, const struct cf_yaml *root,
                              struct cf_error *err);

/* The names of the columns, outermost first, by which a data set's rows are grouped; NULL: none. */
const struct cf_yaml *cf_source_group_by(const struct cf_source *source);

/* Put the rows of a data set that has them into their groups. */
int cf_source_groups(struct cf_study *study, const struct cf_source *source, struct cf_dataset *d,
                     struct cf_error *err);

/* Make readings of the records of a data set that has its groups, as `rules` say. */
int cf_source_recording(struct cf_study *study, const struct cf_source *source,
                        struct cf_dataset *d, struct cf_error *err);

/* Where the study is silent, group repeats at few places by place; options are known. */
int cf_study_groups_by_place(struct cf_study *study, const struct cf_yaml *root,
                             struct cf_error *err);

/* `scene` of a data set whose protocol is made of one: that protocol, and the pair of its first
 * contact. */
int cf_source_scene(struct cf_study *study, const struct cf_yaml *set,
                    const struct cf_study_reading *reading, struct cf_dataset *d,
                    const struct cf_protocol **protocol, struct cf_error *err);
void cf_study_scenes_free(struct cf_study *study);

/* `inputs` of a data set: motions that stand over those of its scene, to be freed, also after a
 * failure; and, of a scene that was read with them, the bodies that they move. */
int cf_source_inputs(const struct cf_yaml *set, const struct cf_study_reading *reading,
                     struct cf_scene_input **input, size_t *n, struct cf_error *err);
void cf_source_inputs_free(struct cf_scene_input *input, size_t n);
int cf_source_recorded(const struct cf_yaml *set, const struct cf_scene_file *file,
                       size_t **recorded, size_t *n, struct cf_error *err);
/* Note rows before and behind what was recorded of a motion. */
int cf_source_note_rest(struct cf_study *study, const struct cf_yaml *set,
                        const struct cf_dataset *d, struct cf_error *err);
/* `segments` of a data set of a scene, to be freed, also after a failure; and of one that has its
 * rows, those that lie between them left out. */
int cf_segments_read(const struct cf_yaml *set, struct cf_rig_segment **segment, size_t *n,
                     struct cf_error *err);
int cf_source_segments(const struct cf_yaml *set, struct cf_dataset *d, struct cf_error *err);
/* `start` of its apparatus, by which they go; 0 where it is not stated. */
int cf_source_start(const struct cf_yaml *set, double *start_s, struct cf_error *err);
/* "bodies.slider.trace.smoothing", which is no path by which a scene moves? */
bool cf_is_smoothing(const char *name);

/* Refuse keys of a data set that belong to traces: its protocol is a table. */
/* Refuse keys of a data set that belong to traces, where its protocol is a table. */
int cf_source_trace_keys(const struct cf_yaml *set, const struct cf_registry *registry,
                         struct cf_error *err);

/* `apparatus` of a data set that has its rows, but no values yet. */
int cf_source_apparatus(const struct cf_yaml *set, struct cf_dataset *d, struct cf_error *err);
/* `shape` of an apparatus whose protocol presses one in. */
int cf_source_shape(const struct cf_yaml *shape, struct cf_dataset *d, struct cf_error *err);
struct cf_estimand cf_apparatus_number(const struct cf_param *row);

/* `nuisance` of a data set of the study that has its values. */
int cf_source_nuisances(struct cf_study *study, const struct cf_source *source,
                        const struct cf_dataset *d, struct cf_error *err);

/* The quantities of a protocol by name, for messages; known[CF_MAX_COLUMN]. */
size_t cf_protocol_names(const struct cf_protocol *protocol, const char *known[]);

/* Is a rule about sound? */
bool cf_is_sound_rule(const char *name);

/* Onsets of a recording as source->csv: columns time_s, peak, snr_dB, clipped. */
int cf_source_sound(struct cf_study *study, const struct cf_yaml *set, const struct cf_yaml *file,
                    const char *path, struct cf_source *source, struct cf_dataset *d,
                    struct cf_error *err);
void cf_sound_table_free(struct cf_sound_table *table);

/* "speed > 5 m/s and duration <= 1 ms"; equality is to 1e-9. */
enum { CF_MAX_TERM = 8 };
enum cf_comparison {
    CF_COMPARE_LESS,
    CF_COMPARE_LESS_EQUAL,
    CF_COMPARE_GREATER,
    CF_COMPARE_GREATER_EQUAL,
    CF_COMPARE_EQUAL,
    CF_COMPARE_UNEQUAL
};
struct cf_condition {
    size_t nterm;
    struct cf_term {
        size_t index; /* of its subject */
        enum cf_comparison op;
        double value; /* in the subject's unit */
    } term[CF_MAX_TERM];
};

/* What a term is about. */
struct cf_subject {
    size_t index;
    const char *unit;     /* of the values that are compared, and of a bare number */
    const char *namesake; /* a column that goes by the same name with other numbers, or NULL: a bare
                           * number is refused then */
    const char *hint;     /* what to say of a word; NULL: nothing */
};

/* Where subjects are found by name. */
struct cf_subjects {
    const struct cf_axis *axis; /* an example for messages */
    const void *of;
    int (*find)(const void *of, const struct cf_yaml *at, const char *name,
                struct cf_subject *subject, struct cf_error *err);
};

int cf_condition_parse(const struct cf_yaml *at, const struct cf_subjects *subjects,
                       struct cf_condition *condition, struct cf_error *err);

/* The value that a subject is compared with, in its unit. */
int cf_condition_value(const struct cf_yaml *at, const char *name, const struct cf_subject *subject,
                       const char *text, double *value, struct cf_error *err);

/* Never of x = NAN, which was not measured. */
bool cf_term_holds(const struct cf_term *term, double x);

/* Drop from keep[nrow] the rows of a table that `where` does not want: as a text; the entries of it
 * as a mapping that compare numbers. Does an entry? It is a range, or about a quantity. */
int cf_where_text(const struct cf_source *source, const struct cf_protocol *protocol,
                  const struct cf_yaml *where, bool keep[], struct cf_error *err);
int cf_where_entries(const struct cf_source *source, const struct cf_protocol *protocol,
                     const struct cf_yaml *where, bool keep[], struct cf_error *err);
bool cf_where_compares(const struct cf_source *source, const struct cf_protocol *protocol,
                       const struct cf_yaml *entry);

/* The number that a cell of this column is compared with where `text` is one; else NAN. */
double cf_where_number(const struct cf_csv *csv, size_t column, const char *text);

/* Is this the number in a cell? */
bool cf_where_same(const struct cf_csv *csv, size_t row, size_t column, double number);

/* ---- numbers that are stated with an uncertainty, "453.6 g +- 0.5 g (k=2)" */

/* A text that states one, in its parts. */
struct cf_stated {
    char *value; /* "453.6 g" */
    char *u;     /* "0.5 g"; without the unit "%", where it is relative */
    bool relative;
    enum cf_uncertain_as as;
    double k; /* u over the standard uncertainty */
};

/* Where the mark "+-" of an uncertainty is, and its length in bytes; NULL: there is none. */
const char *cf_uncertain_mark(const char *text, size_t *length);

/* Take the text of a node, which has the mark, apart. What is wrong with the text by itself fails;
 * of a quantity this is all but the size. Both texts are the caller's to free, also after a
 * failure. */
int cf_stated_read(const struct cf_yaml *at, struct cf_stated *stated, struct cf_error *err);

/* The standard uncertainty [SI] of a value [SI]. */
int cf_stated_size(const struct cf_yaml *at, const struct cf_stated *stated, const char *unit,
                   double value, double *u, struct cf_error *err);

/* All places of a tree where numbers are stated so. */
struct cf_uncertain_place {
    struct cf_yaml *node;
    struct cf_stated stated;
    char *text;      /* as the study has it */
    char *what;      /* "mass of ball"; "load" of a data set */
    const char *set; /* that data set's name; NULL: of the study */
    enum cf_uncertain_of of;
    bool has_size;     /* its uncertainty is smaller than it */
    size_t data;       /* of a data set: which */
    bool is_apparatus; /* and of its apparatus */
    double value, u;   /* SI, once it is read */
    size_t number;     /* of the study's numbers; one that is not read has none: SIZE_MAX */
};

struct cf_uncertain_places {
    size_t n;
    struct cf_uncertain_place *item;
};

/* Find them, and leave each with its value alone, so that it is read as any other number. To be
 * cleared, also after a failure. */
int cf_uncertain_find(struct cf_yaml *root, struct cf_uncertain_places *places,
                      struct cf_error *err);
void cf_uncertain_places_clear(struct cf_uncertain_places *places);

/* Once the study is read: what its numbers are. */
int cf_uncertain_number(struct cf_study *study, struct cf_uncertain_places *places,
                        struct cf_error *err);

/* Before it is read: number i of `of`, which was read from the same text, moved by `by` [SI]. */
int cf_uncertain_move(struct cf_uncertain_places *places, const struct cf_study *of, size_t i,
                      double by, struct cf_error *err);

#endif
