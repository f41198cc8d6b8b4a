/* One scaled impact, integrated by Taylor steps with its events found on the series.
 *
 * Events: w = 0, the peak of depth; dF/dt = 0, the peak of force, the only one (looked for at 100
 * places in every step, beta 1e-4 to 1e4, all named laws); F = 0, the end. Watching the force for
 * the end would be a trap: for small beta it is negative only in a narrow window before y = 0,
 * which one step can jump over. y - (-beta w)^(1/b) has the same zero and falls through it
 * steadily, with a slope that no beta makes small. For larger beta there is no such window, and P
 * is exact.
 */

#include <float.h>
#include <math.h>

#include "impact/series.h"
#include "impact/shape.h"

enum { MAX_STEP = 100000 };

/* Below it ln(e) comes from the energy that was lost, above from the depth at the end. */
static const double WEAK = 0.3;

struct run {
    struct cf_series series;
    double state[CF_NSTATE];
    struct cf_scaled *out;
};

static double whole_power(double x, int n)
{
    double product = 1;
    while (n-- > 0)
        product *= x;
    return product;
}

/* Falls steadily through 0 where the force ends. */
static double ending(const struct cf_series *series, double s)
{
    double y = cf_series_at(series, CF_Y, s), pull;

    if (series->b == 0 || series->beta == 0)
        return y; /* P > 0 on every impact: the force ends with the depth */
    if (series->beta >= WEAK)
        return cf_series_at(series, CF_P, s);
    pull = -series->beta * cf_series_at(series, CF_W, s);
    return y - copysign(pow(fabs(pull), 1.0 / series->b), pull);
}

static double speed(const struct cf_series *series, double s)
{
    return cf_series_at(series, CF_W, s);
}

/* dF/dt up to a factor that is positive in contact; it must not be 0 at touch. */
static double force_rate(const struct cf_series *series, double s)
{
    double y = cf_series_at(series, CF_Y, s), w = cf_series_at(series, CF_W, s);
    double brake = series->beta * whole_power(y, series->a) * cf_series_at(series, CF_P, s);

    if (series->p == 0)
        return w * series->n * whole_power(y, series->b - 1) - brake;
    return w * (series->n * whole_power(y, series->b) + series->beta * series->p * w) - y * brake;
}

static double force(const struct cf_series *series, double s)
{
    double y = cf_series_at(series, CF_Y, s);
    return whole_power(y, series->a - series->c) * cf_series_at(series, CF_P, s);
}

/* The results that belong to the end of contact, `s` into the step. */
static void finish(struct run *run, double s)
{
    const struct cf_series *series = &run->series;
    struct cf_scaled *out = run->out;
    double y = cf_series_at(series, CF_Y, s);
    double lost = series->beta * cf_series_at(series, CF_D, s);

    out->tau = cf_series_at(series, CF_T, s);
    if (series->b > 0) /* what is left in the spring */
        lost += pow(y, series->q * (series->n + 1)) / (series->n + 1);
    if (series->beta == 0) {
        out->log_e_per_beta = -cf_series_at(series, CF_D, s);
        out->e = 1;
    } else if (series->beta < WEAK) {
        out->log_e_per_beta = 0.5 * log1p(-2 * lost) / series->beta;
        out->e = exp(series->beta * out->log_e_per_beta);
    } else {
        out->e = series->b > 0 ? whole_power(y, series->b) / series->beta
                               : -cf_series_at(series, CF_W, s);
        out->log_e_per_beta = log(out->e) / series->beta;
    }
}

/* One step from run->state; true when the contact ended in it. */
static bool step(struct run *run, double tolerance)
{
    struct cf_series *series = &run->series;
    double h;
    bool ended;

    cf_series_expand(series, run->state);
    h = cf_series_step(series, tolerance);
    if (run->state[CF_W] > 0 && speed(series, h) <= 0) {
        double peak = cf_series_zero(series, speed, 0, h);
        run->out->zeta = whole_power(cf_series_at(series, CF_Y, peak), series->q);
    }
    if (isnan(run->out->phi) && force_rate(series, h) <= 0)
        run->out->phi = force(series, cf_series_zero(series, force_rate, 0, h));
    ended = speed(series, h) < 0 && ending(series, h) <= 0;
    if (ended) {
        h = cf_series_zero(series, ending, 0, h);
        finish(run, h);
    }
    for (int i = 0; i < CF_NSTATE; i++)
        run->state[i] = cf_series_at(series, (enum cf_state) i, h);

    /* on the way out, the smaller of two that are known to an absolute rounding */
    if (series->beta >= WEAK && series->b > 0 && run->state[CF_W] < 0)
        run->state[CF_W] =
            (run->state[CF_P] - whole_power(run->state[CF_Y], series->b)) / series->beta;
    return ended;
}

int cf_scaled_integrate(double n, double p, double beta, double tolerance, struct cf_scaled *out,
                        struct cf_error *err)
{
    struct run run = {.out = out};

    if (!cf_series_init(&run.series, n, p, beta, run.state))
        return cf_fail(err, CF_ESOLVE, "no regular form for z^%g and z^%g zdot", n, p);
    *out = (struct cf_scaled){.phi = (double) NAN};
    for (int i = 0; i < MAX_STEP; i++) {
        if (!step(&run, fmax(tolerance, DBL_EPSILON)))
            continue;
        if (p == 0) /* the force jumps to beta at touch */
            out->phi = fmax(out->phi, beta);
        return CF_OK;
    }
    return cf_fail(err, CF_ESOLVE, "beta = %g: not through after %d steps", beta, MAX_STEP);
}
