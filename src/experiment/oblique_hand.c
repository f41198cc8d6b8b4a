/* Starting values of oblique impacts by hand.
 *
 *   sliding: v_t - v_t' = mu (1 + e) v_n, so that e_t = 1 - mu (1 + e)/tan(angle) without spin,
 *            while tan(angle) > (7/2) mu (1 + e) (solid sphere)
 *   rebound: tan(rebound angle) = v_t'/(e v_n)
 *
 * S = (v_t - v_t')/v_n grows with the angle while it sticks and stays at mu (1 + e) while it
 * slides: its median among the larger angles. e is the median of what was measured, or follows from
 * rebounds; where no channel gives it, the impact counts as elastic.
 *
 * Elastic spheres have kappa = 2 (1 - nu)/(2 - nu), 2/3 to 1 (Mindlin 1949); other starts lie about
 * it, for a fit has several minima along kappa: the slip swings more than once in a contact of a
 * stiff spring. With k of the materials follow k_t = kappa n k, and dampers from depth and speed.
 */

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/oblique_channels.h"

/* A row that gives S: at e, which only a rebound angle needs. */
struct point {
    double slope; /* tan(angle): rows are taken by it */
    double S;
};

/* The change of speed along the plane over v_n, against the slip, as a row gives it; NAN: it does
 * not. */
static double change_of(const struct cf_dataset *d, size_t row, double e)
{
    double angle = cf_dataset_value(d, row, CF_OBLIQUE_ANGLE) + d->apparatus[CF_OBLIQUE_OFFSET];
    double v = cf_oblique_speed(d, row, d->apparatus), w = cf_oblique_spin(d, row, d->apparatus);
    double v_n = v * cos(angle), v_t = v * sin(angle), R = d->pair.radius_m, change = (double) NAN;

    if (cf_dataset_has(d, row, CF_OBLIQUE_TANGENTIAL))
        change = v_t * (1 - cf_dataset_value(d, row, CF_OBLIQUE_TANGENTIAL));
    else if (cf_dataset_has(d, row, CF_OBLIQUE_REBOUND_SPIN))
        change = d->apparatus[CF_OBLIQUE_INERTIA] * R *
                 (cf_dataset_value(d, row, CF_OBLIQUE_REBOUND_SPIN) - w);
    else if (cf_dataset_has(d, row, CF_OBLIQUE_IMPULSE_RATIO))
        change = cf_dataset_value(d, row, CF_OBLIQUE_IMPULSE_RATIO) * (1 + e) * v_n;
    else if (cf_dataset_has(d, row, CF_OBLIQUE_REBOUND_ANGLE))
        change = v_t - e * v_n * tan(cf_dataset_value(d, row, CF_OBLIQUE_REBOUND_ANGLE));
    return (v_t - R * w < 0 ? -change : change) / v_n;
}

static double median_of(double value[], size_t n)
{
    gsl_sort(value, 1, n);
    return n ? gsl_stats_median_from_sorted_data(value, 1, n) : (double) NAN;
}

static int by_slope(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    return (p->slope > q->slope) - (p->slope < q->slope);
}

/* The rows that give S, by the angle. */
static size_t collect(const struct cf_dataset *d, double e, struct point out[])
{
    size_t n = 0;

    for (size_t row = 0; row < d->nrow; row++) {
        double S = change_of(d, row, e);
        if (d->use[row] == CF_ROW_FIT && !isnan(S))
            out[n++] = (struct point){tan(cf_dataset_value(d, row, CF_OBLIQUE_ANGLE)), S};
    }
    qsort(out, n, sizeof *out, by_slope);
    return n;
}

/* e of the rows; 1 where they give none. */
static double restitution_of(const struct cf_dataset *d, double room[])
{
    size_t n = 0;
    double e;

    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] == CF_ROW_FIT && cf_dataset_has(d, row, CF_OBLIQUE_RESTITUTION))
            room[n++] = cf_dataset_value(d, row, CF_OBLIQUE_RESTITUTION);
    e = median_of(room, n);
    return isnan(e) ? 1 : fmin(1, e);
}

/* What hand formulas take. */
struct known {
    double mu, e, beta_0;
    double k, n, depth, v_n; /* of the materials, NAN where they are not known; a typical impact */
    double damper;           /* (n - p) of the normal damping in depth */
};

static const double KAPPA = 0.8, FEW = 3, SOME = 10;

/* By what a number is called. */
static struct cf_hand start_of(const char *name, const struct known *at)
{
    if (strcmp(name, "mu") == 0 || strcmp(name, "mu_c") == 0 || strcmp(name, "mu_d") == 0)
        return (struct cf_hand){at->mu, at->mu};
    if (strcmp(name, "mu_s") == 0)
        return (struct cf_hand){1.2 * at->mu, at->mu};
    if (strcmp(name, "beta_0") == 0)
        return (struct cf_hand){at->beta_0, 0.5};
    if (strcmp(name, "e") == 0)
        return (struct cf_hand){fmin(at->e, 0.98), 0.3};
    if (strcmp(name, "kappa") == 0)
        return (struct cf_hand){KAPPA, 2};
    if (strcmp(name, "k_t") == 0)
        return (struct cf_hand){KAPPA * at->n * at->k, FEW};
    if (strcmp(name, "d_t") == 0) /* relaxes in a tenth of the time that the depth takes */
        return (struct cf_hand){KAPPA * at->n * at->k * 0.1 * at->depth / at->v_n, SOME};
    if (strcmp(name, "lambda") == 0)
        return (struct cf_hand){
            fmax(1 - at->e, 0.02) * at->k * pow(at->depth, at->damper) / at->v_n, SOME};
    return (struct cf_hand){(double) NAN, (double) NAN};
}

/* k of the materials, and how deep a typical impact goes. */
static void find_scale(const struct cf_dataset *d, const struct cf_law *law, double room[],
                       struct known *out)
{
    size_t n = 0;

    out->n = law->n;
    out->damper = law->n - law->p;
    out->k = d->pair.modulus_Pa > 0 && law->n == 1.5
                 ? cf_hertz_stiffness(d->pair.modulus_Pa, d->pair.radius_m)
                 : (double) NAN;
    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] == CF_ROW_FIT)
            room[n++] = cf_oblique_speed(d, row, d->apparatus) *
                        cos(cf_dataset_value(d, row, CF_OBLIQUE_ANGLE));
    out->v_n = median_of(room, n);
    out->depth = pow(d->pair.mass_kg * out->v_n * out->v_n / out->k, 1 / (law->n + 1));
}

int cf_oblique_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                    struct cf_error *err)
{
    enum { LEAST = 3 };

    struct point *point = calloc(d->nrow + 1, sizeof *point);
    double *room = calloc(d->nrow + 1, sizeof *room);
    struct known at = {0};
    size_t n = 0;
    int status = point && room ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    bool good = !status && law->friction;

    if (good) {
        double i = d->apparatus[CF_OBLIQUE_INERTIA];
        at.e = restitution_of(d, room);
        n = collect(d, at.e, point);
        for (size_t row = n / 2; row < n; row++)
            room[row - n / 2] = point[row].S;
        at.mu = median_of(room, n - n / 2) / (1 + at.e);
        at.beta_0 = n ? point[0].S * (1 + i) / (i * point[0].slope) - 1 : 0;
        at.beta_0 = fmin(0.9, fmax(-0.9, at.beta_0));
        find_scale(d, cf_law_normal(law), room, &at);
    }
    good = good && n >= LEAST && at.mu > 0;
    for (size_t j = 0; good && j < law->nparam + law->nalias; j++)
        start[j] =
            start_of(j < law->nparam ? law->param[j].name : law->alias[j - law->nparam].name, &at);
    free(point);
    free(room);
    return status;
}
