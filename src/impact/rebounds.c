/* In contact, scaled by Z = (m v^2/k)^(2/5) with the landing's own speed v, or that of a fall
 * through the depth where the surface stood, with z = y^2, ds = dt/y, gamma = g Z/v^2:
 *
 *   dy/ds = w/2,   dw/ds = -y^2 (y^2 + beta w) + gamma y,   dt/ds = y
 *
 * In flight the body is at z_c - u t + g t^2/2 and the surface at z_g(t). Both leave z_c with the
 * same velocity. Their distance's second derivative, g - (k/lambda)^2 z_g(t), grows with time: if
 * it is positive at once, the weight keeps the contact; else the distance first falls, until it
 * turns to rise and comes back through 0 once: the body falls onto the surface, or the surface
 * reaches the body while that still rises.
 */

#include "impact/rebounds.h"

#include <math.h>
#include <string.h>

#include "ode/ode.h"

enum { Y, W, T, NSTATE };
enum { TURN, PEAK, END, STAYS, NEVENT };
enum { MAX_STEPS = 100000, MAX_HALVING = 200 };

static const double TOLERANCE = 1e-12;
static const double NEVER = 1e9;

struct scaled {
    double beta, gamma;
};

static double push(const struct scaled *c, const double x[])
{
    return x[Y] * x[Y] + c->beta * x[W];
}

static void rates(const void *context, double s, const double x[], double rate[])
{
    const struct scaled *c = context;

    (void) s;
    rate[Y] = 0.5 * x[W];
    rate[W] = -x[Y] * x[Y] * push(c, x) + c->gamma * x[Y];
    rate[T] = x[Y];
}

static double speed(const void *context, double s, const double x[])
{
    (void) context;
    (void) s;
    return x[W];
}

/* The rate of y (y^2 + beta w) */
static double rise(const void *context, double s, const double x[])
{
    const struct scaled *c = context;
    double rate[NSTATE];

    rates(c, s, x, rate);
    return (3 * x[Y] * x[Y] + c->beta * x[W]) * rate[Y] + c->beta * x[Y] * rate[W];
}

/* With y |y| it stays negative behind its zero, however small beta. */
static double end(const void *context, double s, const double x[])
{
    const struct scaled *c = context;

    (void) s;
    return x[Y] * fabs(x[Y]) + c->beta * x[W];
}

static const struct cf_ode_event events[NEVENT] = {
    [TURN] = {.name = "peak of depth", .g = speed, .direction = -1},
    [PEAK] = {.name = "peak of force", .g = rise, .direction = -1},
    [END] = {.name = "end of contact", .g = end, .direction = -1, .terminal = true},
    /* a body that swings back once within the contact never leaves it: the swings die out */
    [STAYS] = {.name = "swing within the contact", .g = speed, .direction = 1, .terminal = true},
};

struct sought {
    bool there[NEVENT];
    double x[NEVENT][NSTATE];
};

static void see(void *observer, size_t event, double s, const double x[], const double column[],
                const double dtau[])
{
    struct sought *seen = observer;

    (void) s;
    (void) column;
    (void) dtau;
    if (seen->there[event])
        return;
    seen->there[event] = true;
    memcpy(seen->x[event], x, sizeof seen->x[event]);
}

/* From touch at at->surface_m with at->approach_m_s. */
static int contact(struct cf_ode *ode, const double p[], double mass_kg, double gravity_m_s2,
                   struct cf_landing *at, struct cf_error *err)
{
    double k = p[0], v = fmax(at->approach_m_s, sqrt(gravity_m_s2 * at->surface_m));
    double Z = pow(mass_kg * v * v / k, 0.4);
    const struct scaled c = {p[1] / k * v / Z, gravity_m_s2 * Z / (v * v)};
    const struct cf_ode_system system = {
        .n = NSTATE, .rates = rates, .nevent = NEVENT, .event = events};
    const double scale[NSTATE] = {1, 1, 1};
    struct sought seen = {{false}, {{0}}};
    const struct cf_ode_options options = {.tolerance = TOLERANCE,
                                           .scale = scale,
                                           .max_steps = MAX_STEPS,
                                           .seen = see,
                                           .observer = &seen};
    double x[NSTATE] = {[Y] = sqrt(at->surface_m / Z), [W] = at->approach_m_s / v}, s = 0, force;
    struct cf_ode_result result;

    force = x[Y] * push(&c, x); /* where the ground has not recovered it jumps at touch */
    int status = cf_ode_run(ode, &system, &c, &options, &s, x, NULL, NEVER, &result, err);
    if (status)
        return status;
    if (seen.there[PEAK])
        force = fmax(force, seen.x[PEAK][Y] * push(&c, seen.x[PEAK]));
    at->depth_m = fmax(at->surface_m, Z * seen.x[TURN][Y] * seen.x[TURN][Y]);
    at->force_N = mass_kg * v * v / Z * force;
    at->duration_s = Z / v * x[T];
    at->left_m = Z * x[Y] * x[Y];
    at->rebound_m_s = seen.there[END] ? -v * x[W] : 0;
    return CF_OK;
}

/* The time of flight that ends on the law's surface, 0 where there is none. */
static double flight(const struct cf_law *law, const double p[], double g,
                     const struct cf_landing *from)
{
    double u = from->rebound_m_s, z = from->left_m, rate = p[0] / p[1], low, high = 2 * u / g;

    if (!law->recovery || !(z > 0)) {
        double square = u * u - 2 * g * z;
        return square > 0 ? (u + sqrt(square)) / g : 0;
    }
    if (!(g < rate * rate * z))
        return 0;
    low = log(rate * rate * z / g) / rate;
    for (int i = 0; i < MAX_HALVING; i++) {
        double t = 0.5 * (low + high);
        struct cf_surface surface;
        if (!(t > low && t < high))
            break;
        law->recovery(p, z, NULL, t, &surface); /* the law has no inner states */
        *(z - u * t + 0.5 * g * t * t < surface.depth_m ? &low : &high) = t;
    }
    return low;
}

static int check(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                 double gravity_m_s2, struct cf_error *err)
{
    if (law->family != CF_FAMILY_NORMAL || law->n != 1.5 || law->p != 0.5)
        return cf_fail(err, CF_ERANGE,
                       "%s: bounces on ground that recovers are those of "
                       "azad-featherstone-recovering or azad-featherstone",
                       law->name);
    if (!(mass_kg > 0 && isfinite(mass_kg)))
        return cf_fail(err, CF_ERANGE, "mass = %.15g kg: must be above 0", mass_kg);
    if (!(speed_m_s > 0 && isfinite(speed_m_s)))
        return cf_fail(err, CF_ERANGE, "speed = %.15g m/s: must be above 0", speed_m_s);
    if (!(gravity_m_s2 >= 0 && isfinite(gravity_m_s2)))
        return cf_fail(err, CF_ERANGE, "gravity = %.15g m/s^2: must not be below 0", gravity_m_s2);
    return cf_param_check(law->param, law->nparam, p, err);
}

int cf_impact_rebound(const struct cf_law *law, const double p[], double mass_kg, double speed_m_s,
                      double gravity_m_s2, size_t n, struct cf_landing landing[], size_t *count,
                      struct cf_error *err)
{
    struct cf_ode *ode;
    int status = check(law, p, mass_kg, speed_m_s, gravity_m_s2, err);

    *count = 0;
    if (status)
        return status;
    if (!(ode = cf_ode_alloc(NSTATE, 0)))
        return cf_fail(err, CF_ENOMEM, "out of memory");
    for (size_t i = 0; i < n && !status; i++) {
        struct cf_landing *at = &landing[i], *last = i ? at - 1 : NULL;
        struct cf_surface surface = {0};
        double t = 0;

        *at = (struct cf_landing){.approach_m_s = speed_m_s};
        if (last) {
            t = last->rebound_m_s > 0 && gravity_m_s2 > 0 ? flight(law, p, gravity_m_s2, last) : 0;
            if (!(t > 0))
                break;
            at->time_s = last->time_s + last->duration_s + t;
            at->approach_m_s = gravity_m_s2 * t - last->rebound_m_s;
            if (law->recovery)
                law->recovery(p, last->left_m, NULL, t, &surface);
            at->surface_m = surface.depth_m;
        }
        status = contact(ode, p, mass_kg, gravity_m_s2, at, err);
        *count = i + 1;
    }
    cf_ode_free(ode);
    return status;
}
