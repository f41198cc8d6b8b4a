/* Rates, columns and events of an oblique impact in its plane: the equations are in
 * oblique_planar.c.
 */

#include <math.h>
#include <string.h>

#include "experiment/oblique_planar.h"

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

static struct at look(const struct cf_planar *c, const double x[])
{
    double k = c->p[c->k], r = c->damping.ratio, y = x[CF_PLANAR_Y], w = x[CF_PLANAR_W];
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
                                 .velocity_m_s = {x[CF_PLANAR_SLIP], 0},
                                 .state = x + CF_PLANAR_STATE};
    return at;
}

void cf_planar_rates(const void *context, double s, const double x[], double dxds[])
{
    const struct cf_planar *c = context;
    struct at at = look(c, x);
    double force[2], rate[CF_FRICTION_STATES] = {0};

    (void) s;
    c->friction->force(c->friction_p, &at.slide, force, rate);
    dxds[CF_PLANAR_Y] = x[CF_PLANAR_W] / c->q;
    dxds[CF_PLANAR_W] = -at.h * at.normal_N / c->mass_kg;
    dxds[CF_PLANAR_SLIP] = at.h * force[0] * c->per_mass_t;
    dxds[CF_PLANAR_TIME] = at.h;
    for (size_t i = 0; i < c->friction->nstate; i++)
        dxds[CF_PLANAR_STATE + i] = at.h * rate[i];
}

/* The damping's own derivative along a column, and the spring's. */
static double damping_along(const struct cf_planar *c, const struct cf_planar_column *j)
{
    return j->kind == CF_BY_NORMAL_PARAM ? j->size * c->damping.by_param[j->part]
           : j->kind == CF_BY_INPUT && j->part == CF_OBLIQUE_BY_NORMAL
               ? j->size * c->damping.by_approach
               : 0;
}

static double normal_along(const struct cf_planar *c, const struct cf_planar_column *j,
                           const struct at *at, const double x[], const double s[])
{
    double sum =
        at->by_y * s[CF_PLANAR_Y] + at->by_w * s[CF_PLANAR_W] +
        c->p[c->k] * power(x[CF_PLANAR_Y], c->damper) * x[CF_PLANAR_W] * damping_along(c, j);

    if (j->kind == CF_BY_NORMAL_PARAM && j->part == c->k)
        sum += j->size * at->normal_N / c->p[c->k];
    return sum;
}

void cf_planar_variation(const void *context, double time, const double x[], const double s[],
                         double dsds[])
{
    const struct cf_planar *c = context;
    struct at at = look(c, x);
    double d[CF_PLANAR_COLUMNS * CF_FRICTION_COLUMNS] = {0}, normal[CF_PLANAR_COLUMNS];
    double dforce[2 * CF_PLANAR_COLUMNS], drate[CF_PLANAR_COLUMNS * CF_FRICTION_STATES];
    double force[2], rate[CF_FRICTION_STATES] = {0};

    (void) time;
    c->friction->force(c->friction_p, &at.slide, force, rate);
    for (size_t j = 0; j < c->ncolumn; j++) {
        const double *column = s + j * c->n;
        double *to = d + j * CF_FRICTION_COLUMNS;
        normal[j] = normal_along(c, &c->column[j], &at, x, column);
        to[CF_BY_VELOCITY] = column[CF_PLANAR_SLIP];
        to[CF_BY_NORMAL] = at.normal_N > 0 ? normal[j] : 0;
        to[CF_BY_DEPTH] = c->q * at.h * column[CF_PLANAR_Y];
        memcpy(to + CF_BY_STATE, column + CF_PLANAR_STATE, c->friction->nstate * sizeof *to);
        if (c->column[j].kind == CF_BY_FRICTION_PARAM)
            to[CF_BY_PARAM + c->column[j].part] = c->column[j].size;
    }
    cf_friction_vary(c->friction, c->friction_p, &at.slide, c->ncolumn, d, dforce, drate);
    for (size_t j = 0; j < c->ncolumn; j++) {
        const double *column = s + j * c->n;
        double *to = dsds + j * c->n,
               dh = (c->q - 1) * power(x[CF_PLANAR_Y], c->q - 2) * column[CF_PLANAR_Y];
        to[CF_PLANAR_Y] = column[CF_PLANAR_W] / c->q;
        to[CF_PLANAR_W] = -(dh * at.normal_N + at.h * normal[j]) / c->mass_kg;
        to[CF_PLANAR_SLIP] = (dh * force[0] + at.h * dforce[2 * j]) * c->per_mass_t;
        to[CF_PLANAR_TIME] = dh;
        for (size_t i = 0; i < c->friction->nstate; i++)
            to[CF_PLANAR_STATE + i] = dh * rate[i] + at.h * drate[j * CF_FRICTION_STATES + i];
        if (c->column[j].kind == CF_BY_INPUT && c->column[j].part == CF_OBLIQUE_BY_INERTIA)
            /* 1/m_t = (1 + 1/i)/m, and the column's size is i */
            to[CF_PLANAR_SLIP] -= at.h * force[0] * (c->per_mass_t - 1 / c->mass_kg);
    }
}

/* ---- events: the end of the contact, and where friction has corners */

static bool ends_with_depth(const struct cf_planar *c)
{
    return c->spring <= c->damper || !(c->damping.ratio > 0);
}

static double end(const void *context, double s, const double x[])
{
    const struct cf_planar *c = context;

    (void) s;
    if (ends_with_depth(c))
        return x[CF_PLANAR_Y];
    return copysign(power(fabs(x[CF_PLANAR_Y]), c->spring - c->damper), x[CF_PLANAR_Y]) +
           c->damping.ratio * x[CF_PLANAR_W];
}

static double end_slope(const void *context, double s, const double x[], const double column[],
                        size_t index)
{
    const struct cf_planar *c = context;
    int n = c->spring - c->damper;

    (void) s;
    if (ends_with_depth(c))
        return column[CF_PLANAR_Y];
    return n * power(fabs(x[CF_PLANAR_Y]), n - 1) * column[CF_PLANAR_Y] +
           c->damping.ratio * column[CF_PLANAR_W] +
           (index == CF_ODE_TIME ? 0 : damping_along(c, &c->column[index]) * x[CF_PLANAR_W]);
}

static double corner_of(const void *context, const double x[],
                        double (*of)(const double p[], const struct cf_slide *slide))
{
    const struct cf_planar *c = context;
    struct at at = look(c, x);

    return of(c->friction_p, &at.slide);
}

static double slip(const void *context, double s, const double x[])
{
    const struct cf_planar *c = context;

    (void) s;
    return corner_of(context, x, c->friction->slip);
}

/* Events have the whole contact as their context: each corner is a function of its own. */
#define CORNER(which)                                                                              \
    static double corner_##which(const void *context, double s, const double x[])                  \
    {                                                                                              \
        const struct cf_planar *c = context;                                                       \
                                                                                                   \
        (void) s;                                                                                  \
        return corner_of(context, x, c->friction->corner[which]);                                  \
    }
CORNER(0)
CORNER(1)
CORNER(2)
CORNER(3)

static double (*const corners[CF_FRICTION_CORNERS])(const void *, double, const double[]) = {
    corner_0, corner_1, corner_2, corner_3};

/* Nobody asks when: rates do not jump there. */
static double still(const void *context, double s, const double x[], const double column[],
                    size_t index)
{
    (void) context, (void) s, (void) x, (void) column, (void) index;
    return 0;
}

size_t cf_planar_events(const struct cf_planar *c, struct cf_ode_event event[CF_PLANAR_EVENTS])
{
    size_t n = 0;

    event[n++] = (struct cf_ode_event){
        .name = "end of contact", .g = end, .slope = end_slope, .direction = -1, .terminal = true};
    if (c->friction->slip)
        event[n++] = (struct cf_ode_event){
            .name = "stick or slip", .g = slip, .slope = still, .corner = true};
    for (int i = 0; i < CF_FRICTION_CORNERS; i++)
        if (c->friction->corner[i])
            event[n++] = (struct cf_ode_event){
                .name = "a corner of friction", .g = corners[i], .slope = still, .corner = true};
    return n;
}
