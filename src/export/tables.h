/* What the plain tables share; private to src/export. */

#ifndef CF_EXPORT_TABLES_H
#define CF_EXPORT_TABLES_H

#include "export/target.h"

/* The law itself: its parameters are the values. */
enum cf_exactness cf_exactness_table(const struct cf_law *law, const char **why);
int cf_fill_table(struct cf_mapping *m, struct cf_error *err);

/* E* = 3 k/(4 sqrt(R*)) of a Hertz contact; NAN of others, and where k or R* is not known. */
double cf_table_modulus(const struct cf_mapping *m);

/* What the rows of csv and json say alike. */
#define CF_TABLE                                                                                   \
    .formula = "the law's own", .pair_rule = "the values are the pair's",                          \
    .source = "none: the fit itself", .comment = {NULL, NULL}, .takes = CF_TAKES_ALL,              \
    .any_values = true, .any_step = true, .exactness = cf_exactness_table, .fill = cf_fill_table

/* A field of CSV, quoted; and one after a comma, empty where there is no number. */
void cf_table_text(const char *value, FILE *out);
void cf_table_number(double value, FILE *out);
/* What every row ends with: verdict,trusted,fit_sha256,remark. */
void cf_table_origin(const struct cf_material *material, FILE *out);

#endif
