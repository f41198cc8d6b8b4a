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

enum { Y, W, SLIP, TIME, STATE, MOST_STATES = STATE + CF_FRICTION_STATES };
enum { MOST_COLUMNS = CF_MAX_PARAM + CF_OBLIQUE_NINPUT };

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

/* A number by which a column is taken. */
struct column {
    enum { BY_NORMAL_PARAM, BY_FRICTION_PARAM, BY_INPUT } kind;
    size_t part;
    double size; /* the derivative is that by (number/size) */
};

struct planar {
    const struct cf_law *normal;
    const struct cf_friction_law *friction;
    const double *p, *friction_p;
    int q, spring, damper; /* q n, q p */
    size_t k;
    double mass_kg, per_mass_t; /* 1/m_t */
    struct cf_damping damping;
    size_t n, ncolumn;
    struct column column[MOST_COLUMNS];
};

/* ---- rates */

static double power(double y, int n)
{
    double product = 1;

    while (n-- > 0)
        product *= y;
    return product;
}

/* What the contact is at a state. */
struct at {
    double h, z, normal_N, by_y, by_w; /* the normal force and its slopes */
    struct cf_slide slide;
};

static struct at look(const struct planar *c, const double x[])
{
    double k = c->p[c->k], r = c->damping.ratio, y = x[Y], w = x[W];
    double spring = power(y, c->spring), damper = power(y, c->damper);
    struct at at = {.h = power(y, c->q - 1), .z = power(y, c->q)};

    if (y < 0) /* behind the end, within a step */
        at.z = -fabs(at.z);
    at.normal_N = k * (spring + r * damper * w);
    at.by_w = k * r * damper;
    at.by_y = k * (c->spring * power(y, c->spring - 1) +
                   (c->damper ? r * w * c->damper * power(y, c->damper - 1) : 0));
    at.slide = (struct cf_slide){.depth_m = at.z,
                                 .normal_N = fmax(at.normal_N, 0),
                                 .velocity_m_s = {x[SLIP], 0},
                                 .state = x + STATE};
    return at;
}

static void rates(const void *context, double s, const double x[], double dxds[])
{
    const struct planar *c = context;
    struct at at = look(c, x);
    double force[2], rate[CF_FRICTION_STATES] = {0};

    (void) s;
    c->friction->force(c->friction_p, &at.slide, force, rate);
    dxds[Y] = x[W] / c->q;
    dxds[W] = -at.h * at.normal_N / c->mass_kg;
    dxds[SLIP] = at.h * force[0] * c->per_mass_t;
    dxds[TIME] = at.h;
    for (size_t i = 0; i < c->friction->nstate; i++)
        dxds[STATE + i] = at.h * rate[i];
}

/* The damping's own derivative along a column, and the spring's. */
static double damping_along(const struct planar *c, const struct column *j)
{
    return j->kind == BY_NORMAL_PARAM ? j->size * c->damping.by_param[j->part]
           : j->kind == BY_INPUT && j->part == CF_OBLIQUE_BY_NORMAL
               ? j->size * c->damping.by_approach
               : 0;
}

static double normal_along(const struct planar *c, const struct column *j, const struct at *at,
                           const double x[], const double s[])
{
    double sum = at->by_y * s[Y] + at->by_w * s[W] +
                 c->p[c->k] * power(x[Y], c->damper) * x[W] * damping_along(c, j);

    if (j->kind == BY_NORMAL_PARAM && j->part == c->k)
        sum += j->size * at->normal_N / c->p[c->k];
    return sum;
}

static void variation(const void *context, double time, const double x[], const double s[],
                      double dsds[])
{
    const struct planar *c = context;
    struct at at = look(c, x);
    double d[MOST_COLUMNS * CF_FRICTION_COLUMNS] = {0}, normal[MOST_COLUMNS];
    double dforce[2 * MOST_COLUMNS], drate[MOST_COLUMNS * CF_FRICTION_STATES];
    double force[2], rate[CF_FRICTION_STATES] = {0};

    (void) time;
    c->friction->force(c->friction_p, &at.slide, force, rate);
    for (size_t j = 0; j < c->ncolumn; j++) {
        const double *column = s + j * c->n;
        double *to = d + j * CF_FRICTION_COLUMNS;
        normal[j] = normal_along(c, &c->column[j], &at, x, column);
        to[CF_BY_VELOCITY] = column[SLIP];
        to[CF_BY_NORMAL] = at.normal_N > 0 ? normal[j] : 0;
        to[CF_BY_DEPTH] = c->q * at.h * column[Y];
        memcpy(to + CF_BY_STATE, column + STATE, c->friction->nstate * sizeof *to);
        if (c->column[j].kind == BY_FRICTION_PARAM)
            to[CF_BY_PARAM + c->column[j].part] = c->column[j].size;
    }
    cf_friction_vary(c->friction, c->friction_p, &at.slide, c->ncolumn, d, dforce, drate);
    for (size_t j = 0; j < c->ncolumn; j++) {
        const double *column = s + j * c->n;
        double *to = dsds + j * c->n, dh = (c->q - 1) * power(x[Y], c->q - 2) * column[Y];
        to[Y] = column[W] / c->q;
        to[W] = -(dh * at.normal_N + at.h * normal[j]) / c->mass_kg;
        to[SLIP] = (dh * force[0] + at.h * dforce[2 * j]) * c->per_mass_t;
        to[TIME] = dh;
        for (size_t i = 0; i < c->friction->nstate; i++)
            to[STATE + i] = dh * rate[i] + at.h * drate[j * CF_FRICTION_STATES + i];
        if (c->column[j].kind == BY_INPUT && c->column[j].part == CF_OBLIQUE_BY_INERTIA)
            /* 1/m_t = (1 + 1/i)/m, and the column's size is i */
            to[SLIP] -= at.h * force[0] * (c->per_mass_t - 1 / c->mass_kg);
    }
}

/* ---- events: the end of the contact, and where friction has corners */

static bool ends_with_depth(const struct planar *c)
{
    return c->spring <= c->damper || !(c->damping.ratio > 0);
}

static double end(const void *context, double s, const double x[])
{
    const struct planar *c = context;

    (void) s;
    if (ends_with_depth(c))
        return x[Y];
    return copysign(power(fabs(x[Y]), c->spring - c->damper), x[Y]) + c->damping.ratio * x[W];
}

static double end_slope(const void *context, double s, const double x[], const double column[],
                        size_t index)
{
    const struct planar *c = context;
    int n = c->spring - c->damper;

    (void) s;
    if (ends_with_depth(c))
        return column[Y];
    return n * power(fabs(x[Y]), n - 1) * column[Y] + c->damping.ratio * column[W] +
           (index == CF_ODE_TIME ? 0 : damping_along(c, &c->column[index]) * x[W]);
}

static double corner_of(const void *context, const double x[],
                        double (*of)(const double p[], const struct cf_slide *slide))
{
    const struct planar *c = context;
    struct at at = look(c, x);

    return of(c->friction_p, &at.slide);
}

static double slip(const void *context, double s, const double x[])
{
    const struct planar *c = context;

    (void) s;
    return corner_of(context, x, c->friction->slip);
}

static double first_corner(const void *context, double s, const double x[])
{
    const struct planar *c = context;

    (void) s;
    return corner_of(context, x, c->friction->corner[0]);
}

static double second_corner(const void *context, double s, const double x[])
{
    const struct planar *c = context;

    (void) s;
    return corner_of(context, x, c->friction->corner[1]);
}

/* Nobody asks when: rates do not jump there. */
static double still(const void *context, double s, const double x[], const double column[],
                    size_t index)
{
    (void) context, (void) s, (void) x, (void) column, (void) index;
    return 0;
}

enum { MOST_EVENTS = 2 + CF_FRICTION_CORNERS };

static size_t events_of(const struct planar *c, struct cf_ode_event event[MOST_EVENTS])
{
    size_t n = 0;

    event[n++] = (struct cf_ode_event){
        .name = "end of contact", .g = end, .slope = end_slope, .direction = -1, .terminal = true};
    if (c->friction->slip)
        event[n++] = (struct cf_ode_event){
            .name = "stick or slip", .g = slip, .slope = still, .corner = true};
    for (int i = 0; i < CF_FRICTION_CORNERS; i++)
        if (c->friction->corner[i])
            event[n++] = (struct cf_ode_event){.name = "a corner of friction",
                                               .g = i == 0 ? first_corner : second_corner,
                                               .slope = still,
                                               .corner = true};
    return n;
}

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

static void want(struct planar *c, const struct cf_oblique_slopes *slopes,
                 const struct cf_oblique_contact *contact)
{
    size_t nnormal = c->normal->nparam;

    for (size_t k = 0; k < slopes->nparam; k++) {
        size_t i = slopes->param[k];
        bool normal = i < nnormal;
        size_t part = normal ? i : i - nnormal;
        const struct cf_param *param = normal ? &c->normal->param[part] : &c->friction->param[part];
        c->column[c->ncolumn++] = (struct column){normal ? BY_NORMAL_PARAM : BY_FRICTION_PARAM,
                                                  part, size_of(param, c->p[i])};
    }
    for (size_t i = 0; i < CF_OBLIQUE_NINPUT; i++)
        if (i == CF_OBLIQUE_BY_INERTIA ? slopes->by_inertia : slopes->by_input)
            c->column[c->ncolumn++] =
                (struct column){BY_INPUT, i,
                                i == CF_OBLIQUE_BY_INERTIA ? contact->input[i]
                                                           : contact->input[CF_OBLIQUE_BY_NORMAL]};
}

/* What errors are held against: depth, speed and time of an elastic contact, the deflection under a
 * tenth of its force, and a slip that friction feels (motion/scales.c). */
static void scales_of(const struct planar *c, double v_n, double scale[])
{
    static const double SHARE = 0.1, ROUNDING = 1e-14, LENGTH_M = 1e-3;
    const double none[CF_FRICTION_STATES] = {0};
    double depth = pow(c->mass_kg * v_n * v_n / c->p[c->k], 1 / (c->normal->n + 1));
    double force = c->mass_kg * v_n * v_n / depth, least = v_n, length;
    struct cf_slide slide = {.depth_m = depth, .normal_N = force, .state = none};
    struct cf_friction_parts parts;

    c->friction->parts(c->friction_p, &slide, &parts);
    for (size_t i = 0; i < c->friction->nparam; i++)
        if (strcmp(c->friction->param[i].unit, "m/s") == 0 && c->friction_p[i] > 0)
            least = fmin(least, c->friction_p[i]);
    if (parts.damping_N_s_m > 0)
        least = fmin(least, SHARE * force / parts.damping_N_s_m);
    length = SHARE * force / parts.stiffness_N_m;
    scale[Y] = pow(depth, 1.0 / c->q);
    scale[W] = v_n;
    scale[SLIP] = fmax(least, ROUNDING / tolerance * v_n);
    scale[TIME] = depth / v_n;
    for (size_t i = 0; i < CF_FRICTION_STATES; i++)
        scale[STATE + i] = i == 2 ? 1 : length > 0 && isfinite(length) ? length : LENGTH_M;
}

static void take(const struct planar *c, const double x[], const double s[],
                 struct cf_oblique_contact *out)
{
    out->value[CF_OBLIQUE_OUT_NORMAL] = -x[W];
    out->value[CF_OBLIQUE_OUT_CHANGE] = out->input[CF_OBLIQUE_BY_SLIP] - x[SLIP];
    out->value[CF_OBLIQUE_OUT_DURATION] = x[TIME];
    /* slip changes with the spin, too: v_t' - v_t = (slip' - slip)/(1 + 1/i) */
    double i = out->input[CF_OBLIQUE_BY_INERTIA], share = i / (1 + i);
    out->value[CF_OBLIQUE_OUT_CHANGE] *= share;
    for (size_t j = 0; j < c->ncolumn; j++) {
        const struct column *column = &c->column[j];
        const double *at = s + j * c->n;
        bool input = column->kind == BY_INPUT;
        size_t to =
            column->kind == BY_FRICTION_PARAM ? c->normal->nparam + column->part : column->part;
        double by[CF_OBLIQUE_NOUTPUT] = {[CF_OBLIQUE_OUT_NORMAL] = -at[W] / column->size,
                                         [CF_OBLIQUE_OUT_CHANGE] = -share * at[SLIP] / column->size,
                                         [CF_OBLIQUE_OUT_DURATION] = at[TIME] / column->size};
        if (input && column->part == CF_OBLIQUE_BY_SLIP)
            by[CF_OBLIQUE_OUT_CHANGE] += share;
        if (input && column->part == CF_OBLIQUE_BY_INERTIA)
            by[CF_OBLIQUE_OUT_CHANGE] +=
                (out->input[CF_OBLIQUE_BY_SLIP] - x[SLIP]) / ((1 + i) * (1 + i));
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
    struct planar c = {.normal = normal,
                       .friction = law->friction,
                       .p = p,
                       .friction_p = p + normal->nparam,
                       .q = q,
                       .spring = (int) (q * normal->n),
                       .damper = (int) (q * normal->p),
                       .k = cf_law_k(normal),
                       .mass_kg = pair->mass_kg,
                       .per_mass_t = (1 + 1 / i) / pair->mass_kg,
                       .n = STATE + law->friction->nstate};
    double x[MOST_STATES] = {[W] = v_n, [SLIP] = contact->input[CF_OBLIQUE_BY_SLIP]};
    double column[MOST_COLUMNS * MOST_STATES] = {0}, scale[MOST_STATES], at = 0;
    struct cf_ode_event event[MOST_EVENTS];
    struct cf_ode_system system = {.rates = rates, .variation = variation, .event = event};
    struct cf_ode_options options = {.method = CF_ODE_AUTO, .scale = scale};
    struct cf_ode_result result;
    struct cf_error why = {""};
    int status = cf_param_check(law->param, law->nparam, p, err);

    if (status)
        return status;
    normal->damping(p, pair->mass_kg, v_n, &c.damping);
    want(&c, slopes, contact);
    for (size_t j = 0; j < c.ncolumn; j++)
        if (c.column[j].kind == BY_INPUT && c.column[j].part != CF_OBLIQUE_BY_INERTIA)
            column[j * c.n + (c.column[j].part == CF_OBLIQUE_BY_NORMAL ? W : SLIP)] =
                c.column[j].size;
    scales_of(&c, v_n, scale);
    system.n = c.n;
    system.ncolumn = c.ncolumn;
    system.nevent = events_of(&c, event);
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
