/* What the weight does during the contact of a body that falls, which the impact protocol leaves
 * out: one impact with it and one without, in the same steps.
 *
 *   m z'' = m g - F(z, z')    from  z = 0, z' = v  to the first F = 0
 *
 * By the classical Runge-Kutta scheme, whose error is far below what is asked for here: whether
 * some share of a reading is more than its sigma.
 */

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>

#include "experiment/impact_channels.h"
#include "impact/impact.h"

/* Steps in the duration without weight; with it no impact that is one at all takes four of these.
 */
enum { STEPS = 400, MOST = 4 * STEPS, HALVINGS = 40 };

static const double tolerance = 1e-6; /* of that duration */

struct falling {
    const struct cf_law *law;
    const double *p;
    double mass_kg, approach_m_s, radius_m, gravity_m_s2;
};

struct motion {
    double depth_m, rate_m_s;
};

static double force(const struct falling *f, const struct motion *at)
{
    const struct cf_contact c = {.depth_m = at->depth_m,
                                 .rate_m_s = at->rate_m_s,
                                 .approach_m_s = f->approach_m_s,
                                 .mass_kg = f->mass_kg,
                                 .radius_m = f->radius_m};
    return f->law->force(f->law, f->p, &c);
}

static struct motion rates(const struct falling *f, const struct motion *at)
{
    return (struct motion){at->rate_m_s, f->gravity_m_s2 - force(f, at) / f->mass_kg};
}

static struct motion ahead(const struct motion *at, const struct motion *rate, double by_s)
{
    return (struct motion){at->depth_m + by_s * rate->depth_m,
                           at->rate_m_s + by_s * rate->rate_m_s};
}

static struct motion step(const struct falling *f, const struct motion *at, double by_s)
{
    struct motion x, k1 = rates(f, at), k2, k3, k4, mean;

    x = ahead(at, &k1, by_s / 2);
    k2 = rates(f, &x);
    x = ahead(at, &k2, by_s / 2);
    k3 = rates(f, &x);
    x = ahead(at, &k3, by_s);
    k4 = rates(f, &x);
    mean.depth_m = (k1.depth_m + 2 * (k2.depth_m + k3.depth_m) + k4.depth_m) / 6;
    mean.rate_m_s = (k1.rate_m_s + 2 * (k2.rate_m_s + k3.rate_m_s) + k4.rate_m_s) / 6;
    return ahead(at, &mean, by_s);
}

/* The part of the step from `at` in which the force ends. */
static double end_within(const struct falling *f, const struct motion *at, double by_s)
{
    double low = 0, high = by_s;

    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        struct motion x = step(f, at, middle);
        if (force(f, &x) > 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* false: the body has not left in four times the duration without weight. */
static bool run(const struct falling *f, double duration_s, double value[CF_NIMPACT])
{
    double by_s = duration_s / STEPS;
    struct motion at = {DBL_MIN, f->approach_m_s}; /* in touch: a damper pushes from there on */

    value[CF_IMPACT_DEPTH] = value[CF_IMPACT_FORCE] = 0;
    for (int i = 0; i < MOST; i++) {
        struct motion next = step(f, &at, by_s);
        double F = force(f, &next);
        if (!(F > 0)) {
            double last_s = end_within(f, &at, by_s);
            next = step(f, &at, last_s);
            value[CF_IMPACT_DURATION] = i * by_s + last_s;
            value[CF_IMPACT_RESTITUTION] = -next.rate_m_s / f->approach_m_s;
            return value[CF_IMPACT_RESTITUTION] > 0;
        }
        value[CF_IMPACT_DEPTH] = fmax(value[CF_IMPACT_DEPTH], next.depth_m);
        value[CF_IMPACT_FORCE] = fmax(value[CF_IMPACT_FORCE], F);
        at = next;
    }
    return false;
}

bool cf_impact_weigh(const struct cf_dataset *d, size_t row, const struct cf_law *law,
                     const double value[], double share[])
{
    static const size_t channel[CF_NIMPACT] = {
        [CF_IMPACT_RESTITUTION] = CF_CHANNEL_RESTITUTION,
        [CF_IMPACT_DURATION] = CF_CHANNEL_DURATION,
        [CF_IMPACT_DEPTH] = CF_CHANNEL_DEPTH,
        [CF_IMPACT_FORCE] = CF_CHANNEL_PEAK_FORCE,
    };
    double without[CF_NIMPACT], with[CF_NIMPACT], direct[CF_NIMPACT];
    struct falling f = {
        law, value, d->pair.mass_kg, d->protocol->abscissa(d, row), d->pair.radius_m, 0};

    if (!cf_dataset_has(d, row, CF_CHANNEL_DROP_HEIGHT) &&
        !cf_dataset_has(d, row, CF_CHANNEL_REBOUND_HEIGHT))
        return false; /* it may not fall at all */
    if (!law->force || law->nstate ||
        cf_impact_integrate(law, value, f.mass_kg, f.approach_m_s, tolerance, direct, NULL) ||
        !run(&f, direct[CF_IMPACT_DURATION], without))
        return false;
    f.gravity_m_s2 = d->pair.gravity_m_s2;
    if (!run(&f, direct[CF_IMPACT_DURATION], with))
        return false;
    for (size_t i = 0; i < CF_NIMPACT; i++)
        share[channel[i]] = with[i] / without[i] - 1;
    share[CF_CHANNEL_REBOUND_SPEED] = share[CF_CHANNEL_RESTITUTION];
    share[CF_CHANNEL_REBOUND_HEIGHT] = gsl_pow_2(1 + share[CF_CHANNEL_RESTITUTION]) - 1;
    return true;
}
