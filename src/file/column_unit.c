/* The unit of a column: in its header or in the study, which wins where the header's is of another
 * dimension, as the g of a load cell; where both are of one they must agree. */

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "file/table.h"

/* The unit in the head of a table, parsed; its errors are placed there. */
static int header_unit(const struct cf_csv *csv, size_t column, struct cf_unit *unit,
                       struct cf_error *err)
{
    bool below = csv->unit_line && csv->unit_at[column];
    struct cf_error what;

    if (cf_unit_parse(csv->unit[column], unit, &what) == CF_OK)
        return CF_OK;
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %.80s: %.400s", csv->path,
                   below ? csv->unit_line : csv->header_line,
                   below ? csv->unit_at[column] : csv->full_at[column], csv->full[column],
                   what.text);
}

int cf_table_factor(const struct cf_csv *csv, size_t column, const struct cf_yaml *entry,
                    const struct cf_yaml *unit, const char *want, double *factor, bool *found,
                    struct cf_error *err)
{
    const double rounding = 1e-12;
    struct cf_unit wanted, there, said;
    char shown[CF_SHOWN];
    const char *text = csv->unit[column];
    /* what stands in brackets may be a remark, where the study says the unit */
    bool in_header = text && (!unit || cf_unit_parse(text, &there, NULL) == CF_OK);
    int status = cf_unit_parse(want, &wanted, err);

    *found = text || unit;
    if (status == CF_OK && in_header)
        status = header_unit(csv, column, &there, err);
    if (status == CF_OK && unit)
        status = cf_yaml_text(unit, &text, err);
    if (status)
        return status;
    if (unit && cf_unit_parse(text, &said, err))
        return cf_yaml_blame(unit, "unit", CF_EINPUT, err);
    if (unit && in_header && cf_unit_same_dimension(&there, &said) &&
        fabs(there.factor - said.factor) > rounding * fabs(there.factor))
        return cf_yaml_fail(unit, err, "unit: %s here and %.40s in the header of column %.80s",
                            cf_show(text, shown), csv->unit[column], csv->full[column]);
    if (!unit)
        said = *found ? there : wanted;
    if (!cf_unit_same_dimension(&said, &wanted))
        return cf_yaml_fail(entry, err, "%s: column %.80s is in %.40s: %s%s is wanted",
                            entry->key ? entry->key : "column", csv->full[column], text,
                            strcmp(want, "1") ? want : "a pure number",
                            strcmp(want, "1") ? ", or another unit of its dimension," : "");
    *factor = said.factor;
    return CF_OK;
}
