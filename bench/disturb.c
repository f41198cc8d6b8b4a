/* The disturbances, by name. */

#include "disturb.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

typedef void disturb_noise(const struct disturb *d, const struct cf_problem *truth, gsl_rng *rng,
                           double sigma[], double extra[]);

struct disturb_kind {
    const char *name;
    disturb_noise *disturb;
};

/* The observation of a channel before i, or nobservation. */
static size_t before(const struct cf_problem *q, size_t i)
{
    for (size_t j = i; j-- > 0;)
        if (q->observation[j].channel == q->observation[i].channel)
            return j;
    return q->nobservation;
}

/* drift RHO: each error is RHO times that of the row before and new noise, of the same sigma in
 * all: AR(1) in the order of the rows. */
static void drift(const struct disturb *d, const struct cf_problem *q, gsl_rng *rng, double sigma[],
                  double extra[])
{
    for (size_t i = 0; i < q->nobservation; i++) {
        size_t j = before(q, i);
        double fresh = gsl_ran_gaussian(rng, sigma[i]);
        extra[i] += j < q->nobservation ? d->a * extra[j] + sqrt(1 - d->a * d->a) * fresh : fresh;
    }
    memset(sigma, 0, q->nobservation * sizeof *sigma);
}

/* outliers SHARE SIZE: that share of the rows of the first channel lies lower by SIZE sigma or
 * more, exponentially. */
static void outliers(const struct disturb *d, const struct cf_problem *q, gsl_rng *rng,
                     double sigma[], double extra[])
{
    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == 0 && gsl_rng_uniform(rng) < d->a)
            extra[i] -= gsl_ran_exponential(rng, d->b * sigma[i]);
}

/* growing FACTOR: sigma grows with the speed, by FACTOR from the first row's to the last one's,
 * about the stated one. */
static void growing(const struct disturb *d, const struct cf_problem *q, gsl_rng *rng,
                    double sigma[], double extra[])
{
    double low = INFINITY, high = 0;

    (void) rng;
    (void) extra;
    for (size_t i = 0; i < q->nobservation; i++) {
        low = fmin(low, q->observation[i].abscissa);
        high = fmax(high, q->observation[i].abscissa);
    }
    for (size_t i = 0; i < q->nobservation; i++)
        sigma[i] *= pow(d->a, log(q->observation[i].abscissa / low) / log(high / low) - 0.5);
}

/* offset SD: one error for all rows of the first channel, of SD sigmas. */
static void offset(const struct disturb *d, const struct cf_problem *q, gsl_rng *rng,
                   double sigma[], double extra[])
{
    double shared = gsl_ran_gaussian(rng, d->a);

    for (size_t i = 0; i < q->nobservation; i++)
        if (q->observation[i].channel == 0)
            extra[i] += shared * sigma[i];
}

/* correlated RHO: the errors of a row's channels correlate by RHO. */
static void correlated(const struct disturb *d, const struct cf_problem *q, gsl_rng *rng,
                       double sigma[], double extra[])
{
    double shared = 0;

    for (size_t i = 0; i < q->nobservation; i++) {
        if (i == 0 || q->observation[i].row != q->observation[i - 1].row)
            shared = gsl_ran_gaussian(rng, 1);
        extra[i] += sqrt(d->a) * shared * sigma[i];
        sigma[i] *= sqrt(1 - d->a);
    }
}

/* onset SHARE SIZE: the first channel lies lower over the upper SHARE of the (logarithmic) range,
 * by up to SIZE sigmas at its end. */
static void onset(const struct disturb *d, const struct cf_problem *q, gsl_rng *rng, double sigma[],
                  double extra[])
{
    double low = INFINITY, high = 0;

    (void) rng;
    for (size_t i = 0; i < q->nobservation; i++) {
        low = fmin(low, log(q->observation[i].abscissa));
        high = fmax(high, log(q->observation[i].abscissa));
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        double at = (log(q->observation[i].abscissa) - low) / (high - low);
        if (q->observation[i].channel == 0 && at > 1 - d->a)
            extra[i] -= d->b * sigma[i] * (at - 1 + d->a) / d->a;
    }
}

static const struct disturb_kind kind[] = {
    {"drift", drift},   {"outliers", outliers},     {"growing", growing},
    {"offset", offset}, {"correlated", correlated}, {"onset", onset},
};

bool disturb_find(const char *name, double a, double b, struct disturb *out)
{
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        if (strcmp(kind[i].name, name) == 0) {
            *out = (struct disturb){&kind[i], a, b};
            return true;
        }
    return false;
}

void disturb_all(const void *list, const struct cf_problem *truth, gsl_rng *rng, double sigma[],
                 double extra[])
{
    const struct disturb_list *all = list;

    for (size_t i = 0; i < all->n; i++)
        all->item[i].kind->disturb(&all->item[i], truth, rng, sigma, extra);
}
