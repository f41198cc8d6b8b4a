/* The rows of one toss, and where its impacts are: rows at which the velocity changes by more than
 * gravity's share, from the step before to the step behind.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/toss_channels.h"
#include "geometry/vector.h"

enum { X, Y, Z };

void cf_toss_rows_free(struct cf_toss_rows *toss)
{
    free(toss->row);
    free(toss->time_s);
    free(toss->place);
    free(toss->turn);
    *toss = (struct cf_toss_rows){0};
}

static bool make_room(struct cf_toss_rows *toss, size_t n)
{
    toss->row = calloc(n + 1, sizeof *toss->row);
    toss->time_s = calloc(3 * (n + 1), sizeof *toss->time_s);
    toss->place = calloc(n + 1, sizeof *toss->place);
    toss->turn = calloc(n + 1, sizeof *toss->turn);
    if (!toss->row || !toss->time_s || !toss->place || !toss->turn)
        return false;
    toss->jump = toss->time_s + n + 1;
    toss->lift = toss->jump + n + 1;
    return true;
}

/* q and -q are one attitude: the sign that is nearer to the row before. */
static void take_row(const struct cf_dataset *d, size_t row, struct cf_toss_rows *toss)
{
    size_t i = toss->n++;
    double *q = toss->turn[i], along = 0;

    toss->row[i] = row;
    toss->time_s[i] = cf_dataset_value(d, row, CF_TOSS_TIME);
    for (size_t k = 0; k < 3; k++)
        toss->place[i][k] = cf_dataset_value(d, row, CF_TOSS_X + k);
    for (size_t k = 0; k < 4; k++) {
        q[k] = cf_dataset_value(d, row, CF_TOSS_QW + k);
        along += i ? q[k] * toss->turn[i - 1][k] : 0;
    }
    for (size_t k = 0; along < 0 && k < 4; k++)
        q[k] = -q[k];
}

/* Velocity and spin of the step from row i to the next. */
static void step_of(const struct cf_toss_rows *toss, size_t i, double velocity[3], double spin[3])
{
    double per = 1 / (toss->time_s[i + 1] - toss->time_s[i]);

    cf_vec_sub(toss->place[i + 1], toss->place[i], velocity);
    cf_vec_scale(per, velocity, velocity);
    cf_toss_rotation(toss->turn[i], toss->turn[i + 1], spin);
    cf_vec_scale(per, spin, spin);
}

static void find_jumps(const struct cf_dataset *d, struct cf_toss_rows *toss)
{
    double before[3], spun_before[3], velocity[3], spin[3];

    for (size_t i = 0; i + 1 < toss->n; i++) {
        step_of(toss, i, velocity, spin);
        if (i > 0) {
            double dv[3], dw[3], apart = (toss->time_s[i + 1] - toss->time_s[i - 1]) / 2;
            cf_vec_sub(velocity, before, dv);
            cf_vec_sub(spin, spun_before, dw);
            dv[Z] += d->apparatus[CF_TOSS_GRAVITY] * apart;
            toss->lift[i] = dv[Z];
            toss->jump[i] =
                fmax(cf_vec_norm(dv), d->apparatus[CF_TOSS_HALF_WIDTH] * cf_vec_norm(dw));
        }
        memcpy(before, velocity, sizeof before);
        memcpy(spun_before, spin, sizeof spun_before);
    }
}

int cf_toss_rows_make(const struct cf_dataset *d, size_t *row, struct cf_toss_rows *toss,
                      struct cf_error *err)
{
    double number = (double) NAN;
    size_t end = *row;

    *toss = (struct cf_toss_rows){0};
    for (; end < d->nrow; end++) {
        double now = cf_dataset_value(d, end, CF_TOSS_TOSS);
        if (d->use[end] == CF_ROW_EXCLUDED)
            continue;
        if (!isnan(number) && now != number)
            break;
        number = now;
    }
    if (!make_room(toss, end - *row))
        return cf_fail(err, CF_ENOMEM, "no memory for a toss of %zu rows", end - *row);
    for (size_t i = *row; i < end; i++)
        if (d->use[i] != CF_ROW_EXCLUDED)
            take_row(d, i, toss);
    *row = end;
    find_jumps(d, toss);
    return CF_OK;
}

bool cf_toss_next_impact(const struct cf_dataset *d, const struct cf_toss_rows *toss, size_t from,
                         struct cf_toss_impact *impact)
{
    const double *a = d->apparatus;

    for (size_t i = from; i < toss->n; i++) {
        double most = 0;
        *impact = (struct cf_toss_impact){i, i};
        for (; i < toss->n && toss->jump[i] > a[CF_TOSS_QUIET]; i++) {
            most = fmax(most, toss->jump[i]);
            impact->last = i;
        }
        if (most > a[CF_TOSS_JUMP])
            return true;
    }
    return false;
}
