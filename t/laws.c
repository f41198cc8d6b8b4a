/* What every row must obey, whatever the law, and every derivative against complex steps taken on
 * formulas written here again. */

#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "law/law.h"
#include "law/pair.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

typedef double complex cplx;

static const double STEP = 1e-30; /* a complex step has no difference to lose digits in */

/* The arguments of a law's formula: its parameters, depth, rate, approach speed, mass, inner state.
 */
struct at {
    cplx p[CF_MAX_PARAM], z, w, v, m, x;
};

static double worse(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

static double relative(double got, double want)
{
    return fabs(got - want) / (fabs(want) > 0 ? fabs(want) : 1);
}

/* d/e of (1 + d/e)/(1 - d) = exp(d (1 + 1/e)): from a real bisection, complex Newton. */
static cplx gonthier_x(cplx e)
{
    double lo = 1e-9, hi = 1 / creal(e) - 1e-15, r = creal(e);
    cplx x;

    for (int i = 0; i < 200; i++) {
        double mid = (lo + hi) / 2;
        *(log1p(mid) - log1p(-r * mid) > mid * (1 + r) ? &hi : &lo) = mid;
    }
    x = lo;
    for (int i = 0; i < 5; i++)
        x -=
            (clog(1 + x) - clog(1 - e * x) - x * (1 + e)) / (1 / (1 + x) + e / (1 - e * x) - 1 - e);
    return x;
}

static cplx driven(const struct at *c, cplx x)
{
    cplx v = creal(c->v) > creal(c->p[2]) ? c->v : c->p[2];
    return c->p[0] * cpow(c->z, 1.5) * (1 + x / v * c->w);
}

static cplx linear(const struct at *c)
{
    return c->p[0] * c->z + c->p[1] * c->w;
}

static cplx hunt_crossley(const struct at *c)
{
    return c->p[0] * cpow(c->z, 1.5) * (1 + c->p[1] * c->w);
}

static cplx lee_wang(const struct at *c)
{
    return c->p[0] * cpow(c->z, 1.5) + c->p[1] * c->z * c->w;
}

static cplx azad_featherstone(const struct at *c)
{
    return c->p[0] * cpow(c->z, 1.5) + c->p[1] * cpow(c->z, 0.5) * c->w;
}

static cplx tsuji(const struct at *c)
{
    return c->p[0] * cpow(c->z, 1.5) + c->p[1] * csqrt(c->m * c->p[0]) * cpow(c->z, 0.25) * c->w;
}

static cplx gonthier(const struct at *c)
{
    return driven(c, gonthier_x(c->p[1]));
}

static cplx hunt_crossley_e(const struct at *c)
{
    return driven(c, (3 - 3 * c->p[1]) / 2);
}

static cplx lankarani_nikravesh(const struct at *c)
{
    return driven(c, (3 - 3 * c->p[1] * c->p[1]) / 4);
}

/* (2 e - 1)^2 + 3 = 4 (1 - e + e^2) */
static cplx herbert_mcwhannell(const struct at *c)
{
    cplx e = c->p[1];
    return driven(c, 1.5 * (1 - e) / (1 - e + e * e));
}

static cplx hu_guo(const struct at *c)
{
    return driven(c, 1.5 / c->p[1] - 1.5);
}

static cplx flores(const struct at *c)
{
    return driven(c, 1.6 / c->p[1] - 1.6);
}

static cplx power(const struct at *c)
{
    return c->p[0] * cpow(c->z, c->p[2]) + c->p[1] * cpow(c->z, c->p[3]) * c->w;
}

/* The dampers share zdot behind the gearbox so that both bodies carry the same force. */
static cplx two_body(const struct at *c)
{
    cplx root = cpow(c->z, 0.25), x2 = 4.0 / 5 * cpow(c->z, 1.25) - c->x;
    cplx spring1 = 1.25 * c->p[0] * c->x, spring2 = 1.25 * c->p[2] * x2;
    return root * (root * c->w + spring1 / c->p[1] + spring2 / c->p[3]) /
           (1 / c->p[1] + 1 / c->p[3]);
}

/* d (exp(z/d) - 1) = z (1 + x/2 + x^2/6 + ...), x = z/d */
static cplx exponential(const struct at *c)
{
    cplx sum = 0, term = c->z;
    for (int j = 2; j < 20; j++) {
        sum += term;
        term *= c->z / c->p[1] / j;
    }
    return c->p[0] * sum * (1 + c->p[2] * c->w);
}

static cplx e_constant(const struct at *c)
{
    return c->p[0];
}

static cplx e_linear(const struct at *c)
{
    return 1 - c->p[0] * c->v;
}

static cplx e_log(const struct at *c)
{
    return c->p[0] - c->p[1] * clog(c->v);
}

static cplx e_power(const struct at *c)
{
    return c->p[0] * cexp(-c->p[1] * clog(c->v));
}

static cplx e_thornton(const struct at *c)
{
    cplx r = c->p[0] / c->v;
    return csqrt(6 * sqrt(3) / 5) * csqrt(1 - r * r / 6) *
           cpow(r / (r + 2 * csqrt(6.0 / 5 - r * r / 5)), 0.25);
}

static const struct {
    const char *name;
    cplx (*formula)(const struct at *c);
} formulas[] = {
    {"linear", linear},
    {"hunt-crossley", hunt_crossley},
    {"lee-wang", lee_wang},
    {"azad-featherstone", azad_featherstone},
    {"tsuji", tsuji},
    {"gonthier", gonthier},
    {"hunt-crossley-e", hunt_crossley_e},
    {"lankarani-nikravesh", lankarani_nikravesh},
    {"herbert-mcwhannell", herbert_mcwhannell},
    {"hu-guo", hu_guo},
    {"flores", flores},
    {"power", power},
    {"azad-featherstone-two-body", two_body},
    {"azad-featherstone-recovering", azad_featherstone},
    {"exponential", exponential},
    {"e-constant", e_constant},
    {"e-linear", e_linear},
    {"e-log", e_log},
    {"e-power", e_power},
    {"e-thornton", e_thornton},
};

/* Depth, rate, approach speed, mass: pressing in, going out, at rest, and slower than v_small. */
static const struct cf_contact contacts[] = {
    {1.7e-5, 0.211, 0.317, 0.0421, 0.0231, NULL},
    {6.3e-5, -0.0531, 1.93, 0.154, 0.0231, NULL},
    {2.9e-7, 0, 0.0127, 0.066, 0.0231, NULL},
    {4.1e-6, 2.3e-4, 3.7e-4, 0.066, 0.0231, NULL},
};

/* Depth, rate, approach speed, mass, inner state. */
enum { NWHERE = 5 };

/* Worst relative error of value and derivatives at one contact. */
static double compare_force(const struct cf_law *law, cplx (*formula)(const struct at *),
                            const double p[], const struct cf_contact *c)
{
    struct at at = {.z = c->depth_m, .w = c->rate_m_s, .v = c->approach_m_s, .m = c->mass_kg};
    const double inner = 0.3 * 0.8 * pow(c->depth_m, 1.25);
    const struct cf_contact with = {c->depth_m, c->rate_m_s, c->approach_m_s,
                                    c->mass_kg, c->radius_m, &inner};
    struct cf_force_slope slope;
    double worst;
    cplx *const where[] = {&at.z, &at.w, &at.v, &at.m, &at.x};
    const double *const got[] = {&slope.by_depth, &slope.by_rate, &slope.by_approach,
                                 &slope.by_mass, &slope.by_state[0]};

    for (size_t i = 0; i < law->nparam; i++)
        at.p[i] = p[i];
    at.x = inner;
    law->slope(law, p, &with, &slope);
    worst = relative(law->force(law, p, &with), creal(formula(&at)));
    for (size_t i = 0; i < law->nparam + NWHERE; i++) {
        cplx *x = i < NWHERE ? where[i] : &at.p[i - NWHERE], kept = *x;
        double size = fabs(creal(kept)) > 0 ? fabs(creal(kept)) : 1, want;
        *x += size * STEP * (cplx) I;
        want = cimag(formula(&at)) / (size * STEP);
        *x = kept;
        worst = worse(worst, relative(i < NWHERE ? *got[i] : slope.by_param[i - NWHERE], want));
    }
    return worst;
}

static double compare_restitution(const struct cf_law *law, cplx (*formula)(const struct at *),
                                  const double p[], double speed)
{
    struct at at = {.v = speed};
    struct cf_restitution got;
    double worst;

    for (size_t i = 0; i < law->nparam; i++)
        at.p[i] = p[i];
    law->restitution(p, speed, &got);
    worst = relative(got.e, creal(formula(&at)));
    for (size_t i = 0; i <= law->nparam; i++) {
        cplx *x = i < law->nparam ? &at.p[i] : &at.v, kept = *x;
        *x += STEP * (cplx) I;
        worst = worse(worst, relative(i < law->nparam ? got.by_param[i] : got.by_speed,
                                      cimag(formula(&at)) / STEP));
        *x = kept;
    }
    return worst;
}

static void typical(const struct cf_law *law, double p[])
{
    for (size_t i = 0; i < law->nparam; i++)
        p[i] = law->param[i].typical;
}

static void derivatives(const struct cf_law *law, cplx (*formula)(const struct at *))
{
    double p[CF_MAX_PARAM], worst = 0;

    typical(law, p);
    for (int i = 0; i < LENGTH(contacts); i++)
        worst = worse(worst, law->family == CF_FAMILY_NORMAL
                                 ? compare_force(law, formula, p, &contacts[i])
                                 : compare_restitution(law, formula, p, 0.8 + 1.3 * i));
    ok(worst < 1e-13, "%s: value and all derivatives by complex step (worst %.1e)", law->name,
       worst);
}

/* x_1' of two bodies: the same force through both, (5/4) k_i x_i + lambda_i x_i', and x_1' + x_2' =
 * z^(1/4) zdot; without dampers x_1 keeps its elastic share. */
static cplx two_body_rate(const struct at *c)
{
    cplx k1 = c->p[0], l1 = c->p[1], k2 = c->p[2], l2 = c->p[3], root = cpow(c->z, 0.25);
    cplx x2 = 0.8 * c->z * root - c->x;

    if (creal(l1 + l2) == 0)
        return k2 / (k1 + k2) * root * c->w;
    return (l2 * root * c->w + 1.25 * (k2 * x2 - k1 * c->x)) / (l1 + l2);
}

/* Rates of inner states and their derivatives, by complex step; without dampers none by these. */
static void state_rates(double lambda)
{
    const struct cf_law *law = cf_law_find("azad-featherstone-two-body");
    const double p[] = {1.3e8, lambda, 2.7e8, 3 * lambda};
    double worst = 0;

    for (int k = 0; k < LENGTH(contacts); k++) {
        const struct cf_contact *c = &contacts[k];
        struct at at = {.z = c->depth_m, .w = c->rate_m_s};
        const double inner = 0.3 * 0.8 * pow(c->depth_m, 1.25);
        const struct cf_contact with = {c->depth_m, c->rate_m_s, c->approach_m_s,
                                        c->mass_kg, c->radius_m, &inner};
        struct cf_force_slope slope;
        double rate;
        cplx *const where[] = {&at.z, &at.w, &at.x, &at.p[0], &at.p[2], &at.p[1], &at.p[3]};
        const double *const got[] = {&slope.by_depth,    &slope.by_rate,     &slope.by_state[0],
                                     &slope.by_param[0], &slope.by_param[2], &slope.by_param[1],
                                     &slope.by_param[3]};

        for (size_t i = 0; i < law->nparam; i++)
            at.p[i] = p[i];
        at.x = inner;
        law->state_rate(p, &with, &rate);
        law->state_slope(p, &with, &slope);
        worst = worse(worst, relative(rate, creal(two_body_rate(&at))));
        for (int i = 0; i < LENGTH(where) - (lambda > 0 ? 0 : 2); i++) {
            cplx kept = *where[i];
            double size = fabs(creal(kept)) > 0 ? fabs(creal(kept)) : 1;
            *where[i] += size * STEP * (cplx) I;
            worst = worse(worst, relative(*got[i], cimag(two_body_rate(&at)) / (size * STEP)));
            *where[i] = kept;
        }
    }
    ok(worst < 1e-13, "%s, lambda %g: rates of its state (worst %.1e)", law->name, lambda, worst);
}

/* Rows are well formed. */
static void table(const struct cf_law *law)
{
    struct cf_error err = {""};
    double p[CF_MAX_PARAM];
    bool good = law->nparam <= CF_MAX_PARAM && law->cite[0] && law->what[0] && law->formula[0];

    typical(law, p);
    ok(cf_param_check(law->param, law->nparam, p, &err) == CF_OK,
       "%s: typical values are in range %s", law->name, err.text);
    for (size_t i = 0; i < law->nparam; i++) {
        const struct cf_param *q = &law->param[i];
        good = good && q->lower <= q->fit_lower && q->fit_lower < q->fit_upper &&
               q->fit_upper <= q->upper && q->typical > q->fit_lower && q->typical < q->fit_upper &&
               (q->scale != CF_SCALE_LOG || q->fit_lower > 0) && q->what[0];
    }
    for (size_t i = 0; i < law->nalias; i++)
        good = good && law->alias[i].target < law->nparam && law->alias[i].factor > 0 &&
               cf_law_alias(law, law->alias[i].name) == &law->alias[i];
    ok(good, "%s: texts, ranges, scales and aliases are in order", law->name);
}

/* Force is the slope of energy at rest; nothing pulls; no force out of contact. */
static void mechanics(const struct cf_law *law)
{
    double p[CF_MAX_PARAM], h, slope;
    struct cf_contact c = contacts[0], a, b;
    struct cf_force_slope at, none = {0};
    double inner[3];

    typical(law, p);
    c.rate_m_s = 0;
    h = 1e-4 * c.depth_m;
    a = b = c;
    a.depth_m -= h, b.depth_m += h;
    for (int i = 0; i < 3; i++) /* of two bodies at rest: each its elastic share */
        inner[i] = 0.8 * pow(c.depth_m + (i - 1) * h, 1.25) * p[2] / (p[0] + p[2]);
    a.state = &inner[0], c.state = &inner[1], b.state = &inner[2];
    slope = (law->energy(law, p, &b) - law->energy(law, p, &a)) / (2 * h);
    is_near(slope / law->force(law, p, &c), 1, 1e-8, "%s: force is dE/dz at rest", law->name);

    c.rate_m_s = -1e4;
    law->slope(law, p, &c, &at);
    ok(law->force(law, p, &c) == 0 && memcmp(&at, &none, sizeof at) == 0,
       "%s: torn apart it does not pull", law->name);
    c.rate_m_s = 0.2, c.depth_m = 0;
    a = c, a.depth_m = -1e-3;
    law->slope(law, p, &a, &at);
    ok(law->force(law, p, &c) == 0 && law->force(law, p, &a) == 0 && law->energy(law, p, &a) == 0 &&
           memcmp(&at, &none, sizeof at) == 0,
       "%s: no force out of contact", law->name);
    ok(law->regular ? !law->damping : cf_law_k(law) == 0 && law->damping,
       "%s: its impact has a curve, with k as first parameter, or a regular form", law->name);
}

/* An e(v) falls to 0, where three of the driven laws would divide by it. */
static void no_restitution(void)
{
    static const char *const names[] = {"gonthier", "hu-guo", "flores"};

    for (int i = 0; i < LENGTH(names); i++) {
        const struct cf_law *law = cf_law_find(names[i]);
        double at_0 = law->force(law, (double[]){1e8, 0, 1e-3}, &contacts[0]);
        double at_small = law->force(law, (double[]){1e8, 1e-3, 1e-3}, &contacts[0]);
        ok(at_0 == at_small && at_0 > 0, "%s: an e(v) of 0 counts as 0.001", names[i]);
    }
}

/* Outside (0, 1) an e-law stays at the end and is flat. */
static void flat_ends(void)
{
    static const struct {
        const char *law;
        double p[2], speed, e;
    } rows[] = {
        {"e-linear", {0.1, 0}, 11, 0},    {"e-log", {0.7, 0.2}, 40, 0},
        {"e-log", {0.7, 0.2}, 0.2, 1},    {"e-power", {0.7, 0.25}, 0.2, 1},
        {"e-thornton", {0.3, 0}, 0.3, 1},
    };

    for (int i = 0; i < LENGTH(rows); i++) {
        struct cf_restitution at;
        cf_law_find(rows[i].law)->restitution(rows[i].p, rows[i].speed, &at);
        ok(at.e == rows[i].e && at.by_speed == 0 && at.by_param[0] == 0 && at.by_param[1] == 0,
           "%s is %g at %g m/s, and flat there", rows[i].law, rows[i].e, rows[i].speed);
    }
}

/* Call f with every name that a user may type for a law, parameter or alias. */
static const char *name_of(const struct cf_law *law, size_t i)
{
    if (i < law->nparam)
        return law->param[i].name;
    i -= law->nparam;
    return i < law->nalias ? law->alias[i].name : NULL;
}

static void names(void)
{
    int laws = 0, doubled = 0, by_case = 0;
    const char *x, *y;

    for (const struct cf_law *const *a = cf_laws; *a; a++) {
        laws += !(*a)->curve && (*a)->family != CF_FAMILY_FOUNDATION;
        for (const struct cf_law *const *b = a + 1; *b; b++)
            doubled += strcasecmp((*a)->name, (*b)->name) == 0;
        for (const struct cf_law *const *b = cf_laws; *b; b++)
            for (size_t i = 0; (x = name_of(*a, i)); i++)
                for (size_t j = 0; (y = name_of(*b, j)); j++) {
                    by_case += strcasecmp(x, y) == 0 && strcmp(x, y) != 0;
                    doubled += *a == *b && i != j && strcmp(x, y) == 0;
                }
    }
    ok(doubled == 0, "law names, and names within a law, are unique");
    ok(by_case == 0, "no two names differ in case only");
    ok(laws == LENGTH(formulas),
       "every law has its formula in this test, friction_curves or volumetric_laws");
}

TEST(laws)
{
    int normal = 0;
    for (const struct cf_law *const *law = cf_laws; *law; law++)
        normal += (*law)->family == CF_FAMILY_NORMAL;
    plan(3 * LENGTH(formulas) + 4 * normal + 3 + 5 + 3 + 2);
    state_rates(1e4);
    state_rates(0);
    for (int i = 0; i < LENGTH(formulas); i++) {
        const struct cf_law *law = cf_law_find(formulas[i].name);
        table(law);
        derivatives(law, formulas[i].formula);
        if (law->family == CF_FAMILY_NORMAL)
            mechanics(law);
    }
    no_restitution();
    flat_ends();
    names();
    return done();
}
