/* Starting values by hand: of the impact with the greatest force, the damping that leaves the
 * restitution by its momentum, e = impulse/(m v) - 1, and the stiffness that gives its greatest
 * force, both by one computed impact after the other. Where speeds differ by enough, the exponent
 * of the spring follows from greatest forces over them, F ~ v^(2 n/(n + 1)).
 */

#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/pulse_channels.h"

/* What is read from an impact; and why the one that is computed of it has no answer. */
struct told {
    double speed_m_s, peak_N, duration_s, e;
    double mass_kg;
    int *status; /* CF_OK, or that there is no memory */
    struct cf_error *err;
};

/* Speeds identify an exponent where they differ by this factor. */
static const double LEAST_SPREAD = 1.3;

/* How far other starts are spread: factors, and of exponents. */
static const double REACH = 10, REACH_OF_EXPONENT = 0.3;

/* An impact is computed so well; hands are not exact. */
static const double HAND_TOLERANCE = 1e-6;

/* *told: does the record say anything of it? */
static int tell(const struct cf_dataset *d, size_t i, struct told *t, bool *told,
                struct cf_error *err)
{
    struct cf_segment g = cf_pulse_segment(d, i);
    struct cf_pulse_seen s;
    size_t row = g.first;
    int status;

    *told = false;
    while (row < g.first + g.count && d->use[row] == CF_ROW_EXCLUDED)
        row++;
    if (row == g.first + g.count)
        return CF_OK;
    status = cf_pulse_see(d, g, &s, err);
    if (status || !(s.peak_N > 0))
        return status;
    t->speed_m_s = cf_dataset_value(d, row, CF_PULSE_SPEED) * d->apparatus[CF_PULSE_SPEED_GAIN];
    t->peak_N = s.peak_N;
    t->duration_s = s.end_s - s.touch_s;
    t->e = s.impulse_Ns / (d->pair.mass_kg * t->speed_m_s) - 1;
    t->mass_kg = d->pair.mass_kg;
    *told = t->speed_m_s > 0 && t->duration_s > 0;
    return CF_OK;
}

int cf_pulse_depth(const struct cf_dataset *d, size_t row, double *depth_m, bool *measured,
                   struct cf_error *err)
{
    /* pi for a linear spring, 2.94 for a sphere: depth = speed duration/3, and of that about the
     * middle in the logarithm, where k and an exponent move apart */
    const double share = 0.7 / 3;
    struct told t;
    bool told = false;
    int status = CF_OK;

    *measured = false;
    *depth_m = (double) NAN;
    for (size_t i = 0; i < cf_pulse_count(d) && !status; i++) {
        if (cf_pulse_segment(d, i).first == row)
            status = tell(d, i, &t, &told, err);
        if (told)
            *depth_m = share * t.speed_m_s * t.duration_s;
        told = false;
    }
    return status;
}

/* ---- the law's numbers */

/* One of the impact's answers at parameters; NAN: none. */
static double answer(const struct cf_law *law, const double p[], const struct told *t,
                     enum cf_impact_what what)
{
    double value[CF_NIMPACT];
    struct cf_error why;
    int status = cf_impact_integrate(law, p, t->mass_kg, t->speed_m_s, HAND_TOLERANCE, value, &why);

    if (status == CF_ENOMEM)
        *t->status = cf_fail(t->err, status, "%s", why.text);
    return status ? (double) NAN : value[what];
}

/* Put a parameter, on a log scale, so that an answer that goes one way with it is as wanted; where
 * it never is, the nearest end. false: it does not depend on it, or there is none. */
static bool solve(const struct cf_law *law, size_t parameter, const struct told *t,
                  enum cf_impact_what what, double wanted, double p[])
{
    enum { ROUNDS = 40 };
    const struct cf_param *row = &law->param[parameter];
    double low = log(fmax(row->fit_lower, 1e-12)), high = log(row->fit_upper), at_low, at_high;

    p[parameter] = exp(low);
    at_low = answer(law, p, t, what);
    p[parameter] = exp(high);
    at_high = answer(law, p, t, what);
    for (int i = 0; i < ROUNDS && isnan(at_low) != isnan(at_high); i++) { /* beyond what is there */
        double middle = (low + high) / 2, now;
        p[parameter] = exp(middle);
        now = answer(law, p, t, what);
        *(isnan(at_low) ? &low : &high) = middle;
        *(isnan(at_low) ? &at_low : &at_high) = now;
    }
    if (!(fabs(at_high - at_low) > 1e-3 * (fabs(at_high) + fabs(at_low))))
        return false;
    for (int i = 0; i < ROUNDS && high - low > 1e-4; i++) {
        double middle = (low + high) / 2, now;
        p[parameter] = exp(middle);
        now = answer(law, p, t, what);
        if (isnan(now))
            return false;
        *((now < wanted) == (at_low < wanted) ? &low : &high) = middle;
    }
    p[parameter] = exp((low + high) / 2);
    return true;
}

static size_t find(const struct cf_law *law, const char *name)
{
    return cf_param_find(law->param, law->nparam, name);
}

/* The parameter that damps: another than k and the exponents, on which e depends; nparam: none. */
static size_t damper_of(const struct cf_law *law, const struct told *t, double p[])
{
    for (size_t i = 0; i < law->nparam; i++) {
        double typical = p[i], e = answer(law, p, t, CF_IMPACT_RESTITUTION), other;
        if (i == cf_law_k(law) || i == find(law, "n") || i == find(law, "p"))
            continue;
        p[i] = typical > 0 ? 2 * typical : law->param[i].fit_upper;
        p[i] = fmin(p[i], law->param[i].fit_upper);
        other = answer(law, p, t, CF_IMPACT_RESTITUTION);
        p[i] = typical;
        if (isnan(other) || fabs(other - e) > 1e-9)
            return i;
    }
    return law->nparam;
}

/* ln F over ln v is 2 n/(n + 1); NAN: the speeds do not identify it. */
static double exponent(const struct told t[], size_t n)
{
    double *x = malloc((2 * n + 1) * sizeof *x), *y, level, slope, c00, c01, c11, sum;
    double low = (double) INFINITY, high = 0;

    if (!x) {
        *t[0].status = cf_fail(t[0].err, CF_ENOMEM, "no memory for %zu impacts", n);
        return (double) NAN;
    }
    y = x + n;
    for (size_t i = 0; i < n; i++) {
        x[i] = log(t[i].speed_m_s);
        y[i] = log(t[i].peak_N);
        low = fmin(low, t[i].speed_m_s);
        high = fmax(high, t[i].speed_m_s);
    }
    slope = (double) NAN;
    if (high > LEAST_SPREAD * low)
        gsl_fit_linear(x, 1, y, 1, n, &level, &slope, &c00, &c01, &c11, &sum);
    free(x);
    return slope > 0 && slope < 2 ? slope / (2 - slope) : (double) NAN;
}

static double within(const struct cf_param *row, double value)
{
    return fmin(fmax(value, row->fit_lower), row->fit_upper);
}

/* Exponents that are parameters. */
static void put_exponents(const struct cf_law *law, const struct told t[], size_t n, double p[],
                          struct cf_hand start[])
{
    size_t spring = find(law, "n"), damper = find(law, "p");
    double by_speeds = exponent(t, n);

    if (spring == law->nparam)
        return;
    p[spring] =
        within(&law->param[spring], isnan(by_speeds) ? law->param[spring].typical : by_speeds);
    start[spring] = (struct cf_hand){p[spring], REACH_OF_EXPONENT};
    if (damper == law->nparam)
        return;
    p[damper] = within(&law->param[damper], p[spring] - 1);
    start[damper] = (struct cf_hand){p[damper], REACH_OF_EXPONENT};
}

int cf_pulse_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                  struct cf_error *err)
{
    enum { ROUNDS = 3 };
    const struct cf_law *normal = cf_law_normal(law);
    size_t k = cf_law_k(normal), n = 0, best = 0, count = cf_pulse_count(d), damper;
    struct told *t = calloc(count + 1, sizeof *t);
    double p[CF_MAX_PARAM], e;
    int status = t ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu impacts", count);
    bool good = false, told;

    for (size_t i = 0; i < count && !status; i++) {
        status = tell(d, i, &t[n], &told, err);
        t[n].status = &status;
        t[n].err = err;
        n += told;
    }
    for (size_t i = 1; i < n; i++)
        best = t[i].peak_N > t[best].peak_N ? i : best;
    if (!status && n && k < normal->nparam) {
        for (size_t i = 0; i < normal->nparam; i++)
            p[i] = normal->param[i].typical;
        put_exponents(normal, t, n, p, start);
        e = fmin(fmax(t[best].e, 0.05), 0.98); /* gains, drifts and lags may carry it beyond */
        damper = damper_of(normal, &t[best], p);
        if (damper < normal->nparam) /* typical damping alone may show more force than was seen */
            p[damper] = normal->param[damper].fit_lower;
        for (int i = 0; i < ROUNDS; i++) {
            good = solve(normal, k, &t[best], CF_IMPACT_FORCE, t[best].peak_N, p);
            if (good && damper < normal->nparam &&
                solve(normal, damper, &t[best], CF_IMPACT_RESTITUTION, e, p))
                start[damper] = (struct cf_hand){p[damper], REACH};
        }
        if (good)
            start[k] = (struct cf_hand){p[k], REACH};
    }
    for (size_t i = 0; i < law->nparam && !good; i++)
        start[i] = (struct cf_hand){(double) NAN, (double) NAN};
    free(t);
    return status;
}
