/* Exponential spring: soft at first touch, hard once the skin is pressed through.
 *
 *   F = k d (exp(z/d) - 1) (1 + a zdot),   never pulling
 *
 * Gonthier 2007, section 2.2.5, describes the spring ("local stiffness low at small depth, high at
 * the order of the skin thickness") and gives no formula: this one is our reading of it. k is the
 * stiffness at first touch, d the skin's thickness. Any spring with the factor (1 + a zdot) has
 * Hunt-Crossley's e(a v) exactly, whatever k, d and the mass.
 *
 * Scaled with Z = v sqrt(m/k): f = (exp(delta y) - 1)/delta (1 + alpha w), where delta = Z/d and
 * alpha = a v.
 */

#include <math.h>

#include "law/exact.h"
#include "law/regular.h"
#include "law/rows.h"

enum { K, SKIN, A, NPARAM };
enum { DELTA, ALPHA, NGROUP };

static const double FEW = 1e-2; /* below it exp(x) - 1 - x by series: x^9 is rounding */

static const struct cf_param param[NPARAM] = {
    [K] = {"k", "N/m", 1e-3, 1e15, 1, 1e10, 1e5, CF_SCALE_LOG, "stiffness at first touch"},
    [SKIN] = {"skin", "m", 1e-9, 1, 1e-6, 1e-1, 1e-3, CF_SCALE_LOG, "thickness of the soft skin"},
    [A] = {"a", "s/m", 0, 1e4, 1e-5, 1e2, 0.1, CF_SCALE_LOG, "damping factor"},
};

/* exp(x) - 1 - x, of x and exp(x) - 1 */
static double rest(double x, double grown)
{
    double term = x * x / 2, sum = 0;

    if (fabs(x) > FEW)
        return grown - x;
    for (int k = 3; k < 9; k++) {
        sum += term;
        term *= x / k;
    }
    return sum;
}

static double force(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    (void) self;
    if (!(c->depth_m > 0))
        return 0;
    return fmax(0, p[K] * p[SKIN] * expm1(c->depth_m / p[SKIN]) * (1 + p[A] * c->rate_m_s));
}

static double energy(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    double x = c->depth_m / p[SKIN];

    (void) self;
    return c->depth_m > 0 ? p[K] * p[SKIN] * p[SKIN] * rest(x, expm1(x)) : 0;
}

static void slope(const struct cf_law *self, const double p[], const struct cf_contact *c,
                  struct cf_force_slope *out)
{
    double x = c->depth_m / p[SKIN], damper = 1 + p[A] * c->rate_m_s, spring;

    (void) self;
    *out = (struct cf_force_slope){0};
    if (!(c->depth_m > 0 && damper > 0))
        return;
    spring = p[SKIN] * expm1(x);
    out->by_depth = p[K] * exp(x) * damper;
    out->by_rate = p[K] * spring * p[A];
    out->by_param[K] = spring * damper;
    out->by_param[SKIN] = p[K] * (rest(x, expm1(x)) - x * expm1(x)) * damper;
    out->by_param[A] = p[K] * spring * c->rate_m_s;
}

static void scale(const double p[], double mass_kg, double speed_m_s, struct cf_graded *length_m,
                  struct cf_graded group[], double *size)
{
    double Z = speed_m_s * sqrt(mass_kg / p[K]), delta = Z / p[SKIN];

    *length_m = (struct cf_graded){Z, {0}, Z / speed_m_s, 0.5 * Z / mass_kg};
    length_m->by_param[K] = -0.5 * Z / p[K];
    group[DELTA] = (struct cf_graded){delta, {0}, delta / speed_m_s, 0.5 * delta / mass_kg};
    group[DELTA].by_param[K] = -0.5 * delta / p[K];
    group[DELTA].by_param[SKIN] = -delta / p[SKIN];
    group[ALPHA] = (struct cf_graded){p[A] * speed_m_s, {0}, p[A], 0};
    group[ALPHA].by_param[A] = speed_m_s;
    *size = log1p(delta) / delta;
}

/* The spring's scaled force, and its derivatives by depth and delta. */
static double spring(double delta, double y, double *by_y, double *by_delta)
{
    double x = delta * y, grown = expm1(x);

    *by_y = 1 + grown;
    *by_delta = (x * grown - rest(x, grown)) / (delta * delta);
    return grown / delta;
}

static void rates(const double group[], const double x[], double rate[], struct cf_rates_slope *at)
{
    double by_y, by_delta, w = x[CF_W], alpha = group[ALPHA], damper = 1 + alpha * w;
    double pull = spring(group[DELTA], x[CF_Y], &by_y, &by_delta);

    rate[CF_Y] = w;
    rate[CF_W] = -pull * damper;
    rate[CF_T] = 1;
    rate[CF_D] = pull * alpha * w * w;
    if (!at)
        return;
    at->by_state[CF_Y][CF_W] = 1;
    at->by_state[CF_W][CF_Y] = -by_y * damper;
    at->by_state[CF_W][CF_W] = -pull * alpha;
    at->by_state[CF_D][CF_Y] = by_y * alpha * w * w;
    at->by_state[CF_D][CF_W] = 2 * pull * alpha * w;
    at->by_group[CF_W][DELTA] = -by_delta * damper;
    at->by_group[CF_W][ALPHA] = -pull * w;
    at->by_group[CF_D][DELTA] = by_delta * alpha * w * w;
    at->by_group[CF_D][ALPHA] = pull * w * w;
}

static void regular_force(const double group[], const double x[], struct cf_sloped *out)
{
    double by_y, by_delta, damper = 1 + group[ALPHA] * x[CF_W];
    double pull = spring(group[DELTA], x[CF_Y], &by_y, &by_delta);

    out->value = pull * damper;
    out->by_state[CF_Y] = by_y * damper;
    out->by_state[CF_W] = pull * group[ALPHA];
    out->by_group[DELTA] = by_delta * damper;
    out->by_group[ALPHA] = pull * x[CF_W];
}

static double rise(const double group[], const double x[])
{
    double by_y, by_delta, pull = spring(group[DELTA], x[CF_Y], &by_y, &by_delta);

    return by_y * x[CF_W] - group[ALPHA] * pull * pull;
}

/* 1 + a zdot > 0 on every impact: the force ends with the depth, and the spring is empty. */
static void end(const double group[], const double x[], struct cf_sloped *out)
{
    (void) group;
    out->value = x[CF_Y];
    out->by_state[CF_Y] = 1;
}

static void stored(const double group[], const double x[], struct cf_sloped *out)
{
    double by_y, by_delta;

    double z = group[DELTA] * x[CF_Y];

    out->value = rest(z, expm1(z)) / (group[DELTA] * group[DELTA]);
    out->by_state[CF_Y] = spring(group[DELTA], x[CF_Y], &by_y, &by_delta);
}

static double restitution(const double group[], double by_group[])
{
    by_group[DELTA] = 0;
    return cf_hunt_crossley_restitution(group[ALPHA], &by_group[ALPHA]);
}

static const struct cf_regular regular = {
    .nstate = CF_NBASIC,
    .ngroup = NGROUP,
    .q = 1,
    .scale = scale,
    .rates = rates,
    .force = regular_force,
    .rise = rise,
    .stored = stored,
    .end = end,
    .restitution = restitution,
};

const struct cf_law cf_exponential = {
    .name = "exponential",
    .cite = "after Gonthier 2007, section 2.2.5; the formula is our choice",
    .what = "spring that hardens with depth over a soft skin, damping proportional to it",
    .formula = "k skin (exp(z/skin) - 1) (1 + a zdot)",
    .family = CF_FAMILY_NORMAL,
    .nparam = NPARAM,
    .param = param,
    .force = force,
    .slope = slope,
    .energy = energy,
    .regular = &regular,
};
