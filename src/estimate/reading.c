#include "estimate/reading.h"

#include <math.h>
#include <stdlib.h>

int cf_problem_readings(const struct cf_problem *problem, const double theta[],
                        struct cf_reading reading[], struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < problem->npart && !status; i++) {
        const struct cf_part *part = &problem->part[i];
        const struct cf_set *set = &problem->set[part->data];
        double *value = calloc(set->nplace + 1, sizeof *value);
        status = value ? cf_set_values(problem, part->data, part->segment, theta,
                                       &problem->local[part->local], value, NULL, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu values", set->nplace);
        for (size_t k = part->first; k < part->first + part->count && !status; k++) {
            size_t c = set->index[problem->observation[k].column];
            reading[k] =
                (struct cf_reading){value[cf_set_gain(set, c)], value[cf_set_bias(set, c)]};
        }
        free(value);
    }
    return status;
}

bool cf_reading_plain(struct cf_reading by)
{
    return by.gain == 1 && by.bias == 0;
}

void cf_reading_undo(struct cf_reading by, double *value, double *sigma)
{
    *value = (*value - by.bias) / by.gain;
    *sigma /= fabs(by.gain);
}
