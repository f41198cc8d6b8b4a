/* What may stand in a study: the tables by which it is read, and its JSON Schema is made. Private
 * to src. */

#ifndef CF_STUDY_KEYS_H
#define CF_STUDY_KEYS_H

#include "file/schema.h"

extern const struct cf_schema cf_study_schema; /* the whole file */

/* Words of `noise` and of `begins`. */
enum { CF_NOISE_WHITE, CF_NOISE_DENSE, CF_NNOISE };
enum { CF_BEGINS_ANEW, CF_BEGINS_JOINED, CF_NBEGINS };
extern const char *const cf_noise_name[CF_NNOISE], *const cf_segment_begins[CF_NBEGINS];

extern const struct cf_schema cf_study_body_schema, cf_study_sphere_schema, cf_study_plane_schema,
    cf_study_all_bodies_schema;
extern const struct cf_schema cf_study_free_schema, cf_study_prior_schema, cf_study_options_schema;
extern const struct cf_schema cf_study_group_by_schema, cf_study_held_out_schema;
extern const struct cf_schema cf_study_set_schema;

extern const struct cf_schema cf_study_need_schema;

/* Of a data set. The first keys of an entry of `columns` are those without a file of its own, the
 * others belong to that file. */
enum { CF_COLUMN_KEYS_OF_SET = 9, CF_RANGE_KEYS_OF_QUANTITY = 2 };
extern const struct cf_schema cf_study_column_schema, cf_study_own_time_schema;
extern const struct cf_schema cf_study_sigma_column_schema, cf_study_sigma_floor_schema,
    cf_study_sigma_estimate_schema;
extern const struct cf_schema cf_study_exclude_lines_schema, cf_study_exclude_window_schema;
extern const struct cf_schema
    cf_study_range_schema;              /* of `where`; the last key is of a table's column */
extern const char cf_apparatus_shape[]; /* the key of what is pressed in */
extern const struct cf_schema cf_study_nuisance_schema, cf_study_input_schema,
    cf_study_segment_schema, cf_study_shape_schema;

#endif
