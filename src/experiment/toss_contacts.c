/* How many contacts of a toss a prediction agrees with.
 *
 * Contacts are the impacts of the rows that were predicted, as the record shows them. One agrees
 * where in all rows from it on, up to the next, the centre is within `agree_place` of where it was
 * measured, and the attitude within `agree_angle`; of a toss those are counted before the first
 * that does not. The first is reached in flight and agrees nearly always.
 */

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/toss_channels.h"
#include "geometry/vector.h"

/* One toss, or what of it was predicted. */
struct toss_count {
    size_t contacts, agree;
    double off_s; /* time of the first row that is off; NAN: none is */
};

/* Does the prediction of a row agree? One that was not predicted says nothing against it. */
static bool agrees(const struct cf_dataset *d, size_t row, const double predicted[])
{
    const double *y = predicted + row * CF_TOSS_NCHANNEL;
    double measured[4], told[4], off[3], angle[3];

    for (size_t k = 0; k < 3; k++)
        off[k] = y[CF_TOSS_X + k] - cf_dataset_value(d, row, CF_TOSS_X + k);
    for (size_t k = 0; k < 4; k++) {
        measured[k] = cf_dataset_value(d, row, CF_TOSS_QW + k);
        told[k] = y[CF_TOSS_QW + k];
    }
    cf_toss_rotation(measured, told, angle);
    return !(cf_vec_norm(off) > d->apparatus[CF_TOSS_AGREE_PLACE]) &&
           !(cf_vec_norm(angle) > d->apparatus[CF_TOSS_AGREE_ANGLE]);
}

/* From one contact to the next: rows [first, end) of the toss. */
static bool count_contact(const struct cf_dataset *d, const struct cf_toss_rows *toss, size_t first,
                          size_t end, const double predicted[], struct toss_count *c)
{
    for (size_t i = first; i < end; i++)
        if (!agrees(d, toss->row[i], predicted)) {
            c->off_s = toss->time_s[i];
            return false;
        }
    return true;
}

static struct toss_count count(const struct cf_dataset *d, const struct cf_toss_rows *toss,
                               const double predicted[])
{
    struct toss_count c = {0, 0, (double) NAN};
    struct cf_toss_impact impact, next;

    for (bool any = cf_toss_next_impact(d, toss, 0, &impact); any; impact = next) {
        any = cf_toss_next_impact(d, toss, impact.last + 1, &next);
        c.contacts++;
        if (isnan(c.off_s))
            c.agree +=
                count_contact(d, toss, impact.first, any ? next.first : toss->n, predicted, &c);
    }
    return c;
}

static int say(const struct cf_dataset *d, const struct cf_toss_rows *toss,
               const struct toss_count *c, const struct cf_remarks *remarks, struct cf_error *err)
{
    char text[200], off[64] = "";

    if (!isnan(c->off_s))
        snprintf(off, sizeof off, ", and from %.4g s on it is off", c->off_s);
    snprintf(text, sizeof text, "toss %g: %zu of %zu contacts agree%s",
             cf_dataset_value(d, toss->row[0], CF_TOSS_TOSS), c->agree, c->contacts, off);
    return remarks->add(remarks->owner, text, err);
}

/* All tosses: where `said` is there, each is said; numbers of contacts go to agree[] and all[]. */
static int go_through(const struct cf_dataset *d, const double predicted[],
                      const struct cf_remarks *said, double agree[], double all[], size_t *n,
                      struct cf_error *err)
{
    int status = CF_OK;

    *n = 0;
    for (size_t at = 0; at < d->nrow && !status;) {
        struct cf_toss_rows toss;
        status = cf_toss_rows_make(d, &at, &toss, err);
        if (!status && toss.n) {
            struct toss_count c = count(d, &toss, predicted);
            agree[*n] = (double) c.agree;
            all[(*n)++] = (double) c.contacts;
            status = said ? say(d, &toss, &c, said, err) : CF_OK;
        }
        cf_toss_rows_free(&toss);
    }
    return status;
}

/* The median over all tosses, which agree where it is that of all their contacts. */
static int say_median(const struct cf_dataset *d, double agree[], double all[], size_t n,
                      const struct cf_remarks *remarks, bool *agrees, struct cf_error *err)
{
    double some, whole;
    char text[300];

    gsl_sort(agree, 1, n);
    gsl_sort(all, 1, n);
    some = gsl_stats_median_from_sorted_data(agree, 1, n);
    whole = gsl_stats_median_from_sorted_data(all, 1, n);
    *agrees = *agrees && !(some < whole);
    snprintf(text, sizeof text,
             "whole tosses agree with their prediction for a median of %g of %g contacts, over %zu "
             "tosses (within %g mm and %g rad, by apparatus: {agree_place, agree_angle})",
             some, whole, n, 1e3 * d->apparatus[CF_TOSS_AGREE_PLACE],
             d->apparatus[CF_TOSS_AGREE_ANGLE]);
    return remarks->add(remarks->owner, text, err);
}

int cf_toss_account(const struct cf_dataset *d, const double predicted[],
                    const struct cf_remarks *remarks, bool *agrees, struct cf_error *err)
{
    double *agree;
    size_t n = 0;
    int status;

    if (!(d->apparatus[CF_TOSS_WHOLE] > 0)) /* windows begin anew: nothing is carried on */
        return CF_OK;
    agree = malloc((2 * d->nrow + 1) * sizeof *agree);
    if (!agree)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    status = go_through(d, predicted, NULL, agree, agree + d->nrow, &n, err);
    if (!status && n)
        status = say_median(d, agree, agree + d->nrow, n, remarks, agrees, err);
    if (!status)
        status = go_through(d, predicted, remarks, agree, agree + d->nrow, &n, err);
    free(agree);
    return status;
}
