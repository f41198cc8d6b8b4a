/* Root mean squares of residuals, by channel. */

#include <math.h>
#include <string.h>

#include "document/fit_json.h"

json_t *cf_json_rms(const struct cf_problem *problem, const double mean_square[])
{
    json_t *j = json_object();

    for (size_t c = 0; c < problem->nchannel; c++) {
        const struct cf_channel *first = &problem->channel[c];
        double sum = 0, n = 0;
        const char *name = problem->spec->data[first->data].protocol->channel[first->column].name;
        if (isnan(mean_square[c]) || json_object_get(j, name))
            continue;
        for (size_t i = c; i < problem->nchannel; i++) {
            const struct cf_channel *ch = &problem->channel[i];
            const char *other = problem->spec->data[ch->data].protocol->channel[ch->column].name;
            if (strcmp(other, name) == 0 && !isnan(mean_square[i])) {
                sum += (double) ch->n * mean_square[i];
                n += (double) ch->n;
            }
        }
        cf_json_put(&j, name, cf_json_number(sqrt(sum / n)));
    }
    return j;
}
