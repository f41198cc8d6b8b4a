/* Friction curves against formulas of their own, written once more here, and their derivatives by
 * complex steps through these. */

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "law/law.h"
#include "tap.h"

typedef double complex number;

/* The numbers of a curve by what they are called in all three families. */
struct numbers {
    number level, rise, v_s, v_t, viscous, b, alpha;
};

static number coulomb(const struct numbers *p, number v)
{
    (void) v;
    return p->level;
}

static number viscous(const struct numbers *p, number v)
{
    return p->level + p->viscous * v;
}

static number stribeck(const struct numbers *p, number v)
{
    number top = p->level * (1 + p->rise); /* falls from the top to the level */
    return p->level + (top - p->level) * cexp(-(v / p->v_s) * (v / p->v_s)) + p->viscous * v;
}

static number exponential(const struct numbers *p, number v)
{
    number top = p->level * (1 + p->rise);
    return p->level + (top - p->level) * cexp(-v / p->v_s) + p->viscous * v;
}

static number of_any_power(const struct numbers *p, number v)
{
    number top = p->level * (1 + p->rise);
    return p->level + (top - p->level) * cexp(-cexp(p->alpha * clog(v / p->v_s))) + p->viscous * v;
}

/* Drake's words: mu_s S(r) below v_s, mu_s - (mu_s - mu_d) S((r - 1)/2) up to 3 v_s, then mu_d. */
static number step(number x)
{
    return 10 * x * x * x - 15 * x * x * x * x + 6 * x * x * x * x * x;
}

static number drake(const struct numbers *p, number v)
{
    number top = p->level * (1 + p->rise), r = v / p->v_s;

    if (creal(r) < 1)
        return top * step(r);
    return creal(r) < 3 ? top - (top - p->level) * step((r - 1) / 2) : p->level;
}

static number power_viscous(const struct numbers *p, number v)
{
    return p->level + p->b * cexp(p->alpha * clog(v));
}

static number hyperbolic(const struct numbers *p, number v)
{
    return p->level * ctanh(v / p->v_t) + p->viscous * v;
}

static const struct {
    const char *name;
    number (*value)(const struct numbers *p, number v);
} forms[] = {
    {"coulomb", coulomb},
    {"viscous", viscous},
    {"stribeck", stribeck},
    {"stribeck-exponential", exponential},
    {"stribeck-free", of_any_power},
    {"drake", drake},
    {"power-viscous", power_viscous},
    {"tanh", hyperbolic},
};
enum { NFORM = sizeof forms / sizeof forms[0] };

static const struct {
    const char *prefix, *level, *unit, *speed, *viscous;
    enum cf_family family;
} kinds[] = {
    {"mu-", "mu_c", "1", "m/s", "sigma_2", CF_FAMILY_COEFFICIENT},
    {"f-", "f_c", "N", "m/s", "d_2", CF_FAMILY_FRICTION_FORCE},
    {"t-", "t_c", "N m", "rad/s", "d_2", CF_FAMILY_FRICTION_TORQUE},
};

static const double speeds[] = {1e-5, 0.003, 0.02, 0.05, 0.11, 0.4, 7};
enum { NSPEED = sizeof speeds / sizeof speeds[0] };

/* The number that a parameter is, by its name. */
static number *place(struct numbers *p, const char *name, const char *level, const char *damping)
{
    if (strcmp(name, level) == 0)
        return &p->level;
    if (strcmp(name, damping) == 0)
        return &p->viscous;
    if (strcmp(name, "v_s") == 0 || strcmp(name, "w_s") == 0)
        return &p->v_s;
    if (strcmp(name, "v_t") == 0 || strcmp(name, "w_t") == 0)
        return &p->v_t;
    return strcmp(name, "rise") == 0 ? &p->rise : strcmp(name, "b") == 0 ? &p->b : &p->alpha;
}

static void compare(const struct cf_law *law, int kind, int form)
{
    static const double h = 1e-30;
    const number step_h = h * (number) I;
    const struct numbers at = {.level = 0.13,
                               .rise = 0.4,
                               .v_s = 0.05,
                               .v_t = 0.02,
                               .viscous = 0.31,
                               .b = 0.7,
                               .alpha = 1.3};
    struct numbers all = at;
    double p[CF_MAX_PARAM], worst = 0, by_worst = 0;

    for (size_t i = 0; i < law->nparam; i++)
        p[i] = creal(*place(&all, law->param[i].name, kinds[kind].level, kinds[kind].viscous));
    for (int s = 0; s < NSPEED; s++) {
        struct cf_friction_curve got;
        double want = creal(forms[form].value(&at, speeds[s]));
        law->curve(p, speeds[s], &got);
        worst = fmax(worst, fabs(got.value - want) / fabs(want));
        want = cimag(forms[form].value(&at, speeds[s] + step_h)) / h;
        by_worst = fmax(by_worst, fabs(got.by_speed - want) / (1e-3 + fabs(want)));
        for (size_t i = 0; i < law->nparam; i++) {
            struct numbers moved = at;
            *place(&moved, law->param[i].name, kinds[kind].level, kinds[kind].viscous) += step_h;
            want = cimag(forms[form].value(&moved, speeds[s])) / h;
            by_worst = fmax(by_worst, fabs(got.by_param[i] - want) / (1e-3 + fabs(want)));
        }
    }
    ok(worst < 1e-14, "%s: %.0e from its formula", law->name, worst);
    ok(by_worst < 1e-11, "its derivatives are %.0e off", by_worst);
}

static void test(int kind, int form)
{
    char name[64];
    const struct cf_law *law;

    snprintf(name, sizeof name, "%s%s", kinds[kind].prefix, forms[form].name);
    law = cf_law_find(name);
    ok(law && law->family == kinds[kind].family && !law->force && !law->restitution &&
           strcmp(law->param[0].name, kinds[kind].level) == 0 &&
           strcmp(law->param[0].unit, kinds[kind].unit) == 0 &&
           (law->nparam < 3 || form == 6 ||
            strcmp(law->param[form == 7 ? 1 : 2].unit, kinds[kind].speed) == 0),
       "%s", name);
    if (law)
        compare(law, kind, form);
}

/* At rest and just above it derivatives are finite. */
static void at_rest(void)
{
    for (const struct cf_law *const *law = cf_laws; *law; law++) {
        struct cf_friction_curve at;
        double p[CF_MAX_PARAM], sum = 0;
        if (!(*law)->curve)
            continue;
        for (size_t i = 0; i < (*law)->nparam; i++)
            p[i] = (*law)->param[i].typical;
        (*law)->curve(p, 0, &at);
        for (size_t i = 0; i < (*law)->nparam; i++)
            sum += at.by_param[i];
        ok(isfinite(at.value + at.by_speed + sum) && at.value >= 0, "%s at rest", (*law)->name);
    }
}

TEST(friction_curves)
{
    plan(3 * (3 * NFORM) + 3 * NFORM);
    for (int kind = 0; kind < 3; kind++)
        for (int form = 0; form < NFORM; form++)
            test(kind, form);
    at_rest();
    return done();
}
