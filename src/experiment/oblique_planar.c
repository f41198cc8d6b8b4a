/* An oblique impact in its plane, for fits: the motion of oblique_motion.c with nothing in it but
 * what a sphere on a plane has.
 *
 *   z'' = -f_n/m     slip' = f_t/m_t     x' = rate     1/m_t = (1 + 1/i)/m,  i = I/(m R^2)
 *
 * with f_n = k z^n + lambda z^p z' and force and rate of the friction law. The motion along the
 * normal does not depend on that along the plane. With z = y^q and dt = y^(q-1) ds, q >= 2 such
 * that q n and q p are whole, all rates are smooth in s from the touch on:
 *
 *   y' = w/q,   w' = -h f_n/m,   slip' = h f_t/m_t,   x' = h rate,   t' = h,   h = y^(q-1)
 *
 * Columns are derivatives by one number in parts of its own size, so that they are as large as the
 * states.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/oblique_planar.h"
#include "ode/ode.h"

/* No whole powers, no fast way. */
enum { MOST_ROOT = 4 };

/* Restitution is right to a few times this, derivatives to some ten times: below 1e-9, which
 * cf_rank_noise relies on. */
static const double tolerance = 1e-10;

/* Usual are 20 to 60. A stiff contact (a clutch whose spring relaxes much faster than the contact
 * lasts) takes more in proportion to its stiffness: a fit that strays there must fail early. */
enum { FIT_STEPS = 1000 };

/* No contact lasts so long in s, whose unit is its depth's root over its speed. */
static const double NEVER = 1e9;

/* ---- one contact */

static bool is_whole(double x)
{
    return x == floor(x);
}

static int root_of(const struct cf_law *normal)
{
    for (int q = 2; q <= MOST_ROOT; q++)
        if (is_whole(q * normal->n) && is_whole(q * normal->p))
            return q;
    return 0;
}

bool cf_oblique_is_planar(const struct cf_law *law)
{
    const struct cf_law *normal = cf_law_normal(law);

    return normal->damping && !normal->regular && normal->nstate == 0 && root_of(normal) > 0;
}

/* As large as a parameter is, or as it typically is where it is 0. */
static double size_of(const struct cf_param *param, double value)
{
    double size = value != 0 ? fabs(value) : fabs(param->typical);
    return size > 0 ? size : 1;
}

static void want(struct cf_planar *c, const struct cf_oblique_slopes *slopes,
                 const struct cf_oblique_contact *contact)
{
    size_t nnormal = c->normal->nparam;

    for (size_t k = 0; k < slopes->nparam; k++) {
        size_t i = slopes->param[k];
        bool normal = i < nnormal;
        size_t part = normal ? i : i - nnormal;
        const struct cf_param *param = normal ? &c->normal->param[part] : &c->friction->param[part];
        c->column[c->ncolumn++] = (struct cf_planar_column){
            normal ? CF_BY_NORMAL_PARAM : CF_BY_FRICTION_PARAM, part, size_of(param, c->p[i])};
    }
    for (size_t i = 0; i < CF_OBLIQUE_NINPUT; i++)
        if (i == CF_OBLIQUE_BY_INERTIA ? slopes->by_inertia : slopes->by_input)
            c->column[c->ncolumn++] = (struct cf_planar_column){
                CF_BY_INPUT, i,
                i == CF_OBLIQUE_BY_INERTIA ? contact->input[i]
                                           : contact->input[CF_OBLIQUE_BY_NORMAL]};
}

/* What errors are held against: depth, speed and time of an elastic contact, the deflection under a
 * tenth of its force, and a slip that friction feels (motion/scales.c). */
static void scales_of(const struct cf_planar *c, double v_n, double scale[])
{
    static const double SHARE = 0.1, ROUNDING = 1e-14, LENGTH_M = 1e-3;
    const double none[CF_FRICTION_STATES] = {0};
    double depth = pow(c->mass_kg * v_n * v_n / c->p[c->k], 1 / (c->normal->n + 1));
    double force = c->mass_kg * v_n * v_n / depth, least;
    struct cf_slide slide = {.depth_m = depth, .normal_N = force, .state = none};
    struct cf_friction_parts parts;

    c->friction->parts(c->friction_p, &slide, &parts);
    least = fmin(v_n, cf_friction_least_speed(c->friction, c->friction_p));
    if (parts.damping_N_s_m > 0)
        least = fmin(least, SHARE * force / parts.damping_N_s_m);
    scale[CF_PLANAR_Y] = pow(depth, 1.0 / c->q);
    scale[CF_PLANAR_W] = v_n;
    scale[CF_PLANAR_SLIP] = fmax(least, ROUNDING / tolerance * v_n);
    scale[CF_PLANAR_TIME] = depth / v_n;
    for (size_t i = 0; i < c->friction->nstate; i++) {
        bool deforms = i < 2 * c->friction->nvector;
        double length = deforms ? SHARE * force / parts.stiffness_N_m[i / 2] : 0;
        scale[CF_PLANAR_STATE + i] = !deforms                         ? 1
                                     : length > 0 && isfinite(length) ? length
                                                                      : LENGTH_M;
    }
}

static void take(const struct cf_planar *c, const double x[], const double s[],
                 struct cf_oblique_contact *out)
{
    out->value[CF_OBLIQUE_OUT_NORMAL] = -x[CF_PLANAR_W];
    out->value[CF_OBLIQUE_OUT_CHANGE] = out->input[CF_OBLIQUE_BY_SLIP] - x[CF_PLANAR_SLIP];
    out->value[CF_OBLIQUE_OUT_DURATION] = x[CF_PLANAR_TIME];
    /* slip changes with the spin, too: v_t' - v_t = (slip' - slip)/(1 + 1/i) */
    double i = out->input[CF_OBLIQUE_BY_INERTIA], share = i / (1 + i);
    out->value[CF_OBLIQUE_OUT_CHANGE] *= share;
    for (size_t j = 0; j < c->ncolumn; j++) {
        const struct cf_planar_column *column = &c->column[j];
        const double *at = s + j * c->n;
        bool input = column->kind == CF_BY_INPUT;
        size_t to =
            column->kind == CF_BY_FRICTION_PARAM ? c->normal->nparam + column->part : column->part;
        double by[CF_OBLIQUE_NOUTPUT] = {
            [CF_OBLIQUE_OUT_NORMAL] = -at[CF_PLANAR_W] / column->size,
            [CF_OBLIQUE_OUT_CHANGE] = -share * at[CF_PLANAR_SLIP] / column->size,
            [CF_OBLIQUE_OUT_DURATION] = at[CF_PLANAR_TIME] / column->size};
        if (input && column->part == CF_OBLIQUE_BY_SLIP)
            by[CF_OBLIQUE_OUT_CHANGE] += share;
        if (input && column->part == CF_OBLIQUE_BY_INERTIA)
            by[CF_OBLIQUE_OUT_CHANGE] +=
                (out->input[CF_OBLIQUE_BY_SLIP] - x[CF_PLANAR_SLIP]) / ((1 + i) * (1 + i));
        for (size_t o = 0; o < CF_OBLIQUE_NOUTPUT; o++)
            *(input ? &out->by_input[o][to] : &out->by_param[o][to]) = by[o];
    }
}

int cf_oblique_planar(const struct cf_law *law, const double p[], const struct cf_pair *pair,
                      const struct cf_oblique_slopes *slopes, struct cf_oblique_contact *contact,
                      struct cf_error *err)
{
    const struct cf_law *normal = cf_law_normal(law);
    double v_n = contact->input[CF_OBLIQUE_BY_NORMAL], i = contact->input[CF_OBLIQUE_BY_INERTIA];
    int q = root_of(normal);
    struct cf_planar c = {.normal = normal,
                          .friction = law->friction,
                          .p = p,
                          .friction_p = p + normal->nparam,
                          .q = q,
                          .spring = (int) (q * normal->n),
                          .damper = (int) (q * normal->p),
                          .k = cf_law_k(normal),
                          .mass_kg = pair->mass_kg,
                          .per_mass_t = (1 + 1 / i) / pair->mass_kg,
                          .n = CF_PLANAR_STATE + law->friction->nstate};
    double x[CF_PLANAR_STATES] = {
        [CF_PLANAR_W] = v_n, [CF_PLANAR_SLIP] = contact->input[CF_OBLIQUE_BY_SLIP]};
    double column[CF_PLANAR_COLUMNS * CF_PLANAR_STATES] = {0}, scale[CF_PLANAR_STATES], at = 0;
    struct cf_ode_event event[CF_PLANAR_EVENTS];
    struct cf_ode_system system = {
        .rates = cf_planar_rates, .variation = cf_planar_variation, .event = event};
    struct cf_ode_options options = {.method = CF_ODE_AUTO, .scale = scale};
    struct cf_ode_result result;
    struct cf_error why = {""};
    int status = cf_param_check(law->param, law->nparam, p, err);

    if (status)
        return status;
    normal->damping(p, pair->mass_kg, v_n, &c.damping);
    want(&c, slopes, contact);
    for (size_t j = 0; j < c.ncolumn; j++)
        if (c.column[j].kind == CF_BY_INPUT && c.column[j].part != CF_OBLIQUE_BY_INERTIA)
            column[j * c.n +
                   (c.column[j].part == CF_OBLIQUE_BY_NORMAL ? CF_PLANAR_W : CF_PLANAR_SLIP)] =
                c.column[j].size;
    scales_of(&c, v_n, scale);
    system.n = c.n;
    system.ncolumn = c.ncolumn;
    system.nevent = cf_planar_events(&c, event);
    options.tolerance = tolerance;
    options.max_steps = FIT_STEPS;
    struct cf_ode *ode = cf_ode_alloc(c.n, c.ncolumn);
    if (!ode)
        return cf_fail(err, CF_ENOMEM, "no memory for a contact");
    status = cf_ode_run(ode, &system, &c, &options, &at, x, column, NEVER, &result, &why);
    cf_ode_free(ode);
    if (status)
        return cf_fail(err, status, "%s: %s", law->name, why.text);
    if (result.reason != CF_ODE_EVENT)
        return cf_fail(err, CF_ESOLVE, "%s: at %g m/s along the normal the contact does not end",
                       law->name, v_n);
    take(&c, x, column, contact);
    return CF_OK;
}
