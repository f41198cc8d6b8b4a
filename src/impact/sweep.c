/* A fit asks for the same parameters at many speeds. Where these are few different ones, they are
 * integrated once each. Where they are many, all answers about an impact, and their derivatives,
 * are smooth in ln(v): they are integrated at Chebyshev's nodes and interpolated (barycentric
 * formula). The interpolation error is judged by the last coefficients of its series; where those
 * are not small, there is no interpolation, and every speed is integrated.
 */

#include "impact/sweep.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two decades of speed, for a law whose beta is proportional to v, need this many nodes for
 * 1e-10. */
enum { NODES = 16, TAIL = 2 };

/* The last coefficients may be this part of the largest value; values are accurate to some 1e-10,
 * derivatives to 1e-9, as if integrated. */
static const double TAIL_OF_VALUE = 3e-10, TAIL_OF_SLOPE = 3e-9;

/* The answers about an impact, as one row of numbers. */
enum { NQUANTITY = CF_NIMPACT * (CF_MAX_PARAM + 3) };

struct cf_sweep {
    const struct cf_law *law;
    double p[CF_MAX_PARAM], mass_kg;
    size_t n;
    bool interpolates;
    double *speed_m_s; /* n; grows where it does not interpolate */
    struct cf_impact *at;
};

static void to_row(const struct cf_impact *from, double row[])
{
    size_t n = 0;
    for (int i = 0; i < CF_NIMPACT; i++) {
        row[n++] = from->value[i];
        row[n++] = from->by_speed[i];
        row[n++] = from->by_mass[i];
        for (size_t j = 0; j < CF_MAX_PARAM; j++)
            row[n++] = from->by_param[i][j];
    }
}

static void from_row(const double row[], struct cf_impact *to)
{
    size_t n = 0;
    for (int i = 0; i < CF_NIMPACT; i++) {
        to->known[i] = true;
        to->value[i] = row[n++];
        to->by_speed[i] = row[n++];
        to->by_mass[i] = row[n++];
        for (size_t j = 0; j < CF_MAX_PARAM; j++)
            to->by_param[i][j] = row[n++];
    }
}

void cf_sweep_free(struct cf_sweep *sweep)
{
    if (!sweep)
        return;
    free(sweep->speed_m_s);
    free(sweep->at);
    free(sweep);
}

static int integrate(struct cf_sweep *s, cf_impact_one *one, bool slopes, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < s->n && !status; i++)
        status = one(s->law, s->p, s->mass_kg, s->speed_m_s[i], slopes, &s->at[i], err);
    return status;
}

/* The angle of node i. */
static double angle(size_t i)
{
    return M_PI * ((double) i + 0.5) / NODES;
}

/* The last coefficients of every quantity, against its size and that of the value. */
static bool converged(const struct cf_sweep *s)
{
    static const size_t per = CF_MAX_PARAM + 3;
    double row[NODES][NQUANTITY], sum, most;

    for (size_t i = 0; i < NODES; i++)
        to_row(&s->at[i], row[i]);
    for (size_t q = 0; q < NQUANTITY; q++) {
        most = 0;
        for (size_t i = 0; i < NODES; i++)
            most = fmax(most, fabs(row[i][q]));
        for (size_t k = NODES - TAIL; k < NODES; k++) {
            sum = 0;
            for (size_t i = 0; i < NODES; i++)
                sum += 2.0 / NODES * row[i][q] * cos((double) k * angle(i));
            if (!(fabs(sum) <= (q % per == 0 ? TAIL_OF_VALUE : TAIL_OF_SLOPE) * most))
                return false;
        }
    }
    return true;
}

/* The different ones of n speeds, growing. */
static size_t different(size_t n, double speed[])
{
    size_t m = 0;

    gsl_sort(speed, 1, n);
    for (size_t i = 0; i < n; i++)
        if (m == 0 || speed[i] != speed[m - 1])
            speed[m++] = speed[i];
    return m;
}

static void spread(struct cf_sweep *s)
{
    double low = log(s->speed_m_s[0]), high = log(s->speed_m_s[s->n - 1]);

    s->n = NODES;
    s->interpolates = true;
    for (size_t i = 0; i < NODES; i++)
        s->speed_m_s[i] = exp(0.5 * (low + high) + 0.5 * (high - low) * cos(angle(i)));
}

int cf_sweep_alloc(cf_impact_one *one, const struct cf_law *law, const double p[], double mass_kg,
                   size_t n, const double speed_m_s[], bool slopes, struct cf_sweep **out,
                   struct cf_error *err)
{
    struct cf_sweep *s = calloc(1, sizeof *s);
    int status;

    *out = s;
    if (!s || !(s->speed_m_s = calloc(n + NODES, sizeof *s->speed_m_s)) ||
        !(s->at = calloc(n + NODES, sizeof *s->at))) {
        cf_sweep_free(s);
        *out = NULL;
        return cf_fail(err, CF_ENOMEM, "out of memory");
    }
    s->law = law;
    s->mass_kg = mass_kg;
    memcpy(s->p, p, law->nparam * sizeof *p);
    memcpy(s->speed_m_s, speed_m_s, n * sizeof *speed_m_s);
    s->n = different(n, s->speed_m_s);
    if (s->n > NODES)
        spread(s);
    status = integrate(s, one, slopes, err);
    if (cf_status_ends(status)) {
        cf_sweep_free(s);
        *out = NULL;
        return status;
    }
    if (status || (s->interpolates && !converged(s)))
        s->n = 0; /* such speeds are then integrated one by one, which gives the reason */
    return CF_OK;
}

/* Chebyshev's nodes of the first kind have the weights (-1)^i sin(angle). */
static void interpolate(const struct cf_sweep *s, double speed_m_s, struct cf_impact *out)
{
    double row[NQUANTITY], sum[NQUANTITY] = {0}, weights = 0, x = log(speed_m_s);

    for (size_t i = 0; i < s->n; i++) {
        double w = (i % 2 ? -1 : 1) * sin(angle(i)) / (x - log(s->speed_m_s[i]));
        to_row(&s->at[i], row);
        weights += w;
        for (size_t q = 0; q < NQUANTITY; q++)
            sum[q] += w * row[q];
    }
    for (size_t q = 0; q < NQUANTITY; q++)
        sum[q] /= weights;
    from_row(sum, out);
}

bool cf_sweep_at(const struct cf_sweep *s, const struct cf_law *law, const double p[],
                 double mass_kg, double speed_m_s, struct cf_impact *out)
{
    double low = (double) INFINITY, high = 0;

    if (s->n == 0 || law != s->law || mass_kg != s->mass_kg ||
        memcmp(p, s->p, law->nparam * sizeof *p) != 0)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        if (speed_m_s == s->speed_m_s[i]) {
            *out = s->at[i];
            return true;
        }
        low = fmin(low, s->speed_m_s[i]);
        high = fmax(high, s->speed_m_s[i]);
    }
    if (!s->interpolates)
        return false;
    /* the outermost nodes are a little inside the range of the speeds asked for */
    if (!(speed_m_s > low * low / high && speed_m_s < high * high / low))
        return false;
    interpolate(s, speed_m_s, out);
    return true;
}
