/* e(v) as code: what the targets share that write a table of e and the functions that read it;
 * private to src/export. */

#ifndef CF_EXPORT_E_CODE_H
#define CF_EXPORT_E_CODE_H

#include "export/e_table.h"
#include "export/runner.h"

/* One pair. */
struct cf_e_code {
    char name[2 * CF_NAME]; /* of its functions: letters, digits and single underscores */
    bool by_names;          /* do both names of its bodies tell it from the other pairs? */
    struct cf_e_table table;
};

/* n of them, the caller's to cf_e_code_free() unless the call fails: tables, and names that differ.
 */
int cf_e_code_make(const struct cf_mapping *const m[], size_t n, struct cf_e_code **out,
                   struct cf_error *err);
void cf_e_code_free(struct cf_e_code *code, size_t n);

/* The head of a pair, and below what the table of it is. */
void cf_e_code_head(const struct cf_mapping *m, const struct cf_e_code *code, FILE *out);
/* Comments above a lookup by the names of bodies or of their materials: pairs that it does not find
 * by those of the bodies. */
void cf_e_code_not_found(const struct cf_mapping *const m[], const struct cf_e_code code[],
                         size_t n, FILE *out);
/* How many rows its band of e has; 0: none that can be used. */
size_t cf_e_code_band_rows(const struct cf_material *material);
/* Rows of three numbers, each between `open` and `close`: the table, or the band. */
void cf_e_code_rows(const struct cf_e_table *table, const char *open, const char *close, FILE *out);
void cf_e_code_band(const struct cf_material *material, const char *open, const char *close,
                    FILE *out);
/* The fitted speeds; 0 and 0 where there are none. */
void cf_e_code_speeds(const struct cf_material *material, FILE *out);

/* What the rows of the targets say alike. */
enum cf_exactness cf_exactness_e_code(const struct cf_law *law, const char **why);
int cf_run_e_code(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);
int cf_fill_e_code(struct cf_mapping *m, struct cf_error *err);

#define CF_E_CODE                                                                                  \
    .formula = "v' = e(v) v, by a table over ln v and cubics between its rows",                    \
    .pair_rule = "none: the functions are the pair's", .source = "none: the fit itself",           \
    .only_e = true, .by_pair = true, .any_step = true, .exactness = cf_exactness_e_code,           \
    .run = cf_run_e_code, .fill = cf_fill_e_code, .prepare = cf_runner_prepare,                    \
    .drop = cf_runner_drop, .tolerance_e = 1e-6

#endif
