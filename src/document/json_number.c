/* Numbers in JSON, which has no NaN and no infinity. */

#include <math.h>

#include "document/fit_json.h"

json_t *cf_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *cf_json_numbers(const double x[], size_t n)
{
    json_t *j = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(j, cf_json_number(x[i]));
    return j;
}
