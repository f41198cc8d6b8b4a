/* What the plain tables share; private to src/export. */

#ifndef CF_EXPORT_TABLES_H
#define CF_EXPORT_TABLES_H

#include "export/target.h"

/* The law itself: its parameters are the values. */
enum cf_exactness cf_exactness_table(const struct cf_law *law, const char **why);
int cf_fill_table(struct cf_mapping *m, struct cf_error *err);

#endif
