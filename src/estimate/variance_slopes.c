/* -2 ln L_R with its derivatives by the variances, from its values at places about them. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/variance_stream.h"

/* Derivatives by central differences of this share of a variance's scale: their error, of the
 * square of it, moves the minimum by a few 1e-9 of the variance. */
static const double difference = 1e-4;

int cf_variance_values(struct cf_variance_work *w, const double v[], size_t n,
                       struct cf_variance_value at[], struct cf_error *err)
{
    size_t m = w->nvariance;
    double *plain = calloc(n * m + 1, sizeof *plain);
    int status = plain ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu variances", m);

    for (size_t i = 0; i < n && !status; i++)
        cf_variance_plain(w, &v[i * m], &plain[i * m]);
    if (!status && w->stream)
        status = cf_variance_stream(w, plain, n, at, err);
    for (size_t i = 0; i < n && !status; i++) {
        if (!w->stream)
            status = cf_variance_evaluate(w, &plain[i * m], &at[i], err);
        else if (!isfinite(at[i].log_det) || !isfinite(at[i].square))
            status = cf_fail(err, CF_ESOLVE, "the likelihood of the variances is not finite");
    }
    free(plain);
    return status;
}

/* Where the places lie: here, up and down each variance, and for two of them both up, and the
 * second one alone down. */
enum { HERE = 0 };

static size_t place_up(size_t k)
{
    return 1 + 2 * k;
}

static size_t place_down(size_t k)
{
    return 2 + 2 * k;
}

static size_t place_both(size_t n, size_t k, size_t l)
{
    return 1 + 2 * n + k * (k - 1) + 2 * l; /* l < k */
}

static size_t place_other(size_t n, size_t k, size_t l)
{
    return place_both(n, k, l) + 1;
}

static void put_places(const struct cf_variance_work *w, double v[])
{
    size_t n = w->nvariance;

    for (size_t i = 0; i < 1 + n + n * n; i++)
        memcpy(&v[i * n], w->v, n * sizeof *v);
    for (size_t k = 0; k < n; k++) {
        double h = difference * w->scale[k];
        v[place_up(k) * n + k] += h;
        v[place_down(k) * n + k] -= h;
        for (size_t l = 0; l < k; l++) {
            v[place_both(n, k, l) * n + k] += h;
            v[place_other(n, k, l) * n + k] -= h;
            v[place_both(n, k, l) * n + l] += difference * w->scale[l];
            v[place_other(n, k, l) * n + l] += difference * w->scale[l];
        }
    }
}

/* Two variances: (+,+) - (-,+), less what it is without the second. */
static void mix(struct cf_variance_work *w, const struct cf_variance_value at[], size_t k, size_t l)
{
    const struct cf_variance_value *up = &at[place_up(k)], *down = &at[place_down(k)];
    const struct cf_variance_value *both = &at[place_both(w->nvariance, k, l)];
    const struct cf_variance_value *other = &at[place_other(w->nvariance, k, l)];
    double cross = both->log_det - other->log_det - (up->log_det - down->log_det);
    double more = both->square - other->square - (up->square - down->square);
    double area = 2 * gsl_pow_2(difference);
    size_t n = w->nvariance;

    w->hessian[k * n + l] = w->hessian[l * n + k] = -cross / area;
    w->observed[k * n + l] = w->observed[l * n + k] = (cross + more) / area;
}

/* Gradient of all of it, and the expected curvature: that of -ln det (Harville's eq. 5.4), since
 * the derivative of tr P V_k by variance l is -tr P V_l P V_k. */
static void take_slopes(struct cf_variance_work *w, const struct cf_variance_value at[])
{
    size_t n = w->nvariance;

    for (size_t k = 0; k < n; k++) {
        const struct cf_variance_value *up = &at[place_up(k)], *down = &at[place_down(k)];
        double bend = up->log_det + down->log_det - 2 * at[HERE].log_det;
        double more = up->square + down->square - 2 * at[HERE].square;
        w->gradient[k] =
            (up->log_det + up->square - down->log_det - down->square) / (2 * difference);
        w->hessian[k * n + k] = -bend / gsl_pow_2(difference);
        w->observed[k * n + k] = (bend + more) / gsl_pow_2(difference);
        for (size_t l = 0; l < k; l++)
            mix(w, at, k, l);
    }
}

int cf_variance_differentiate(struct cf_variance_work *w, struct cf_variance_value *here,
                              struct cf_error *err)
{
    size_t n = w->nvariance, places = 1 + n + n * n;
    double *v = calloc(places * n + 1, sizeof *v);
    struct cf_variance_value *at = calloc(places, sizeof *at);
    int status = v && at ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu variances", n);

    if (!status) {
        put_places(w, v);
        status = cf_variance_values(w, v, places, at, err);
    }
    if (!status) {
        *here = at[HERE];
        take_slopes(w, at);
    }
    free(v);
    free(at);
    return status;
}
