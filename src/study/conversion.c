/* Fixed conversions of a column, value = sign * scale * read + offset: a sensor that counts the
 * other way, an amplifier, a zero that is not 0. What is not known exactly is a nuisance instead.
 */

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "study/parts.h"

static int read_sign(const struct cf_yaml *at, double *sign, struct cf_error *err)
{
    const char *text = NULL;
    char shown[CF_SHOWN];
    int status = cf_yaml_text(at, &text, err);

    if (status)
        return status;
    *sign = strcmp(text, "-1") ? 1 : -1;
    if (*sign > 0 && strcmp(text, "1") && strcmp(text, "+1"))
        return cf_yaml_fail(at, err, "sign: %s: 1 or -1 is wanted", cf_show(text, shown));
    return CF_OK;
}

int cf_column_conversion(const struct cf_yaml *entry, const char *unit,
                         struct cf_column_source *column, struct cf_error *err)
{
    const struct cf_yaml *sign = cf_yaml_get(entry, "sign"), *scale = cf_yaml_get(entry, "scale");
    const struct cf_yaml *offset = cf_yaml_get(entry, "offset");
    double direction = 1;
    int status = sign ? read_sign(sign, &direction, err) : CF_OK;

    column->converted = sign || scale || offset;
    column->scale = 1;
    if (status == CF_OK && scale)
        status = cf_yaml_quantity(scale, "1", &column->scale, err);
    if (status == CF_OK && column->scale == 0)
        status = cf_yaml_fail(scale, err, "scale: 0: must differ from 0");
    if (status == CF_OK && offset)
        status = cf_yaml_quantity(offset, unit, &column->offset, err);
    column->scale *= direction;
    return status;
}

int cf_column_value(const struct cf_csv *csv, const struct cf_column_source *column, size_t row,
                    double *value, struct cf_error *err)
{
    int status = column->timed ? cf_time_read(csv, &column->time, row, value, err)
                               : cf_csv_number(csv, row, column->from, value, err);

    if (status)
        return status;
    if (!column->timed)
        *value *= column->factor;
    if (column->converted)
        *value = column->scale * *value + column->offset;
    return CF_OK;
}

double cf_column_sigma(const struct cf_column_source *column, double sigma)
{
    return column->converted ? fabs(column->scale) * sigma : sigma;
}
