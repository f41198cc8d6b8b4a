/* One impact as it goes, on the stepper's dense output. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "impact/direct.h"

/* Better than a figure can show: the dense output is of order 7. */
static const double trace_tolerance = 1e-10;
enum { MAX_STEPS = 100000 };

/* The regular form of any law of forces: its own, or that of k z^n + lambda z^p zdot. */
static const struct cf_regular *form(const struct cf_law *law, const double p[], double mass_kg,
                                     double speed_m_s, double *length_m, double group[],
                                     double *size)
{
    struct cf_graded length, graded[CF_MAX_GROUP];
    struct cf_damping damping;

    if (law->regular) {
        law->regular->scale(p, mass_kg, speed_m_s, &length, graded, size);
        for (size_t i = 0; i < law->regular->ngroup; i++)
            group[i] = graded[i].value;
        *length_m = length.value;
        return law->regular;
    }
    law->damping(p, mass_kg, speed_m_s, &damping);
    const double own[] = {p[cf_law_k(law)], damping.ratio * p[cf_law_k(law)], law->n, law->p};
    cf_power_regular.scale(own, mass_kg, speed_m_s, &length, graded, size);
    for (size_t i = 0; i < cf_power_regular.ngroup; i++)
        group[i] = graded[i].value;
    *length_m = length.value;
    return &cf_power_regular;
}

/* Near both ends quadratically denser: depth and force have their roots there. */
static void spread(size_t n, double share[])
{
    for (size_t i = 0; i < n; i++)
        share[i] = gsl_pow_2(sin(0.5 * M_PI * (double) i / (double) (n - 1)));
}

int cf_impact_trace(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                    size_t n, double t_s[], double depth_m[], double rate_m_s[], double force_N[],
                    struct cf_error *err)
{
    double value[CF_NIMPACT], group[CF_MAX_GROUP], Z = 0, *share;
    struct cf_direct_how how = {.tolerance = trace_tolerance, .inner = 1, .max_steps = MAX_STEPS};
    const struct cf_regular *regular;
    int status;

    if (n < 2)
        return cf_fail(err, CF_ERANGE, "a trace has %zu points: must be at least 2", n);
    status = cf_impact_integrate(law, p, mass_kg, speed_m_s, trace_tolerance, value, err);
    if (status)
        return status;
    share = calloc(n * (1 + CF_MAX_REGULAR), sizeof *share);
    if (!share)
        return cf_fail(err, CF_ENOMEM, "no memory for a trace of %zu points", n);
    double *x = share + n;
    regular = form(law, p, mass_kg, speed_m_s, &Z, group, &how.size);
    spread(n, share);
    status = cf_direct_trace(regular, group, &how, value[CF_IMPACT_DURATION] * speed_m_s / Z, n,
                             share, x, err);
    for (size_t i = 0; i < n && !status; i++) {
        const double *at = &x[i * regular->nstate];
        struct cf_sloped force = {0}, w;
        regular->force(group, at, &force);
        cf_regular_speed(regular, group, at, &w);
        t_s[i] = share[i] * value[CF_IMPACT_DURATION];
        depth_m[i] = Z * pow(fmax(0, at[CF_Y]), regular->q);
        rate_m_s[i] = speed_m_s * w.value;
        force_N[i] = mass_kg * speed_m_s * speed_m_s / Z * fmax(0, force.value);
    }
    free(share);
    return status;
}
