/* The recurrences of twin.h. */

#include "export/twin.h"

#include <math.h>
#include <string.h>

#include "export/convert.h"

enum { K, LAMBDA }; /* of the law "linear" */

/* Steps after which a contact that has not ended is given up: none that a user would call a bounce
 * lasts as long. */
static const long patience = 2000000;

/* Two moves in turn, by that of a step at the speed of approach, by which a body rests, or creeps
 * out slower than any bounce that is asked for: at its deepest the second is larger than that, in
 * all steps that are asked about. */
static const double rest = 1e-6;

/* Under gravity it has ended as rest where it lasts longer than ten flights up and down of the
 * speed of approach, and than what steps that coarse need to bring it to an end. */
static const double flights = 10;
static const long few_steps = 1000;

/* Where the spring moves a body and leaves its rate alone it may sink for ever: it has, once it is
 * as deep as no spring lets a body be. */
static double deepest_of(const struct cf_twin *twin, double speed_m_s, double dt_s)
{
    const double beyond = 10;
    double square = twin->p[K] / twin->mass_kg;

    return twin->engine.split_m > 0 && square > 0
               ? beyond * (speed_m_s / sqrt(square) + twin->gravity_m_s2 / square +
                           speed_m_s * dt_s + twin->engine.split_m)
               : (double) INFINITY;
}

static long most_steps(const struct cf_twin *twin, double speed_m_s, double dt_s)
{
    double g = twin->gravity_m_s2, most = flights * 2 * speed_m_s / (g * dt_s) + few_steps;

    return g > 0 && most < patience ? (long) most : patience;
}

struct state {
    double x, v;
};

static double force(const struct cf_twin *twin, double speed_m_s, double x, double v)
{
    const struct cf_contact contact = {.depth_m = x,
                                       .rate_m_s = v,
                                       .approach_m_s = speed_m_s,
                                       .mass_kg = twin->mass_kg,
                                       .radius_m = twin->radius_m};
    return x > 0 ? twin->law->force(twin->law, twin->p, &contact) : 0;
}

static void semi_implicit(const struct cf_twin *twin, double speed_m_s, double h, struct state *s)
{
    s->v += h * (twin->gravity_m_s2 - force(twin, speed_m_s, s->x, s->v) / twin->mass_kg);
    s->x += h * s->v;
}

static void reference(const struct cf_twin *twin, double h, struct state *s)
{
    double d = twin->engine.impedance > 0 ? twin->engine.impedance : 1, g = twin->gravity_m_s2;
    double asked = (1 - d) * g - (twin->p[K] * s->x + twin->p[LAMBDA] * s->v) / twin->mass_kg;

    s->v += h * (s->x > 0 ? fmin(g, asked) : g);
    s->x += h * s->v;
}

/* The force at the end of a step serves the start of the next, so it sees the half-step rate. */
static void verlet(const struct cf_twin *twin, double speed_m_s, double h, struct state *s,
                   double *f)
{
    double half = s->v + h / 2 * (twin->gravity_m_s2 - *f / twin->mass_kg);
    s->x += h * half;
    *f = force(twin, speed_m_s, s->x, half);
    s->v = half + h / 2 * (twin->gravity_m_s2 - *f / twin->mass_kg);
}

/* Does a step look at the contact? */
static bool is_seen(const struct cf_twin *twin, double h, const struct state *s)
{
    double sees_m = twin->engine.sees_m > 0 ? twin->engine.sees_m : (double) INFINITY;

    return s->x > 0 ||
           (twin->scheme != CF_SCHEME_BACKWARD && s->x + h * s->v > 0 && -s->x < sees_m);
}

/* The impulse of a soft constraint of softness 1/(hK + C), never pulling. */
static void backward(const struct cf_twin *twin, double h, struct state *s)
{
    double k = twin->p[K], stiff = h * k + twin->p[LAMBDA], m = twin->mass_kg, moved = 0;
    double push = s->x > 0 || twin->scheme == CF_SCHEME_THROUGH ? k * s->x / stiff : s->x / h;
    bool split = twin->engine.split_m > 0 && s->x >= twin->engine.split_m;

    s->v += h * twin->gravity_m_s2;
    if (is_seen(twin, h, s) && stiff > 0) {
        double part = 1 / (1 + m / (h * stiff)); /* of the speed that it could take away */
        s->v -= part * fmax(s->v + (split ? 0 : push), 0);
        moved = split ? part * push : 0;
    }
    s->x += h * (s->v - moved);
}

/* The same of two bodies, whose places and rates are rounded after each step. */
struct bodies {
    float place[2], rate[2];
};

static double depth_of(const struct cf_floats *floats, const struct bodies *b)
{
    return (float) (floats->radius_m[0] + floats->radius_m[1]) - (b->place[0] - b->place[1]);
}

static void place_bodies(const struct cf_floats *floats, struct bodies *b, struct state *s)
{
    b->place[0] = (float) (floats->radius_m[0] - s->x);
    b->place[1] = (float) -floats->radius_m[1];
    b->rate[0] = (float) -s->v;
    b->rate[1] = 0;
    s->x = depth_of(floats, b);
}

/* Does anything still move? */
static bool backward_in_floats(const struct cf_twin *twin, double h, struct bodies *b,
                               struct state *s)
{
    const struct bodies was = *b;
    double before = s->v;

    backward(twin, h, s);
    for (int i = 0; i < 2; i++) {
        double kick = twin->floats.part[i] * (s->v - before);
        b->rate[i] = (float) (b->rate[i] + (i ? kick : -kick));
        b->place[i] = (float) (b->place[i] + (float) h * b->rate[i]);
    }
    s->v = b->rate[1] - b->rate[0];
    s->x = depth_of(&twin->floats, b);
    return b->place[0] != was.place[0] || b->place[1] != was.place[1] ||
           b->rate[0] != was.rate[0] || b->rate[1] != was.rate[1];
}

/* The way out: of what comes in no slower than e, and as fast as the depth is taken back. */
static void bounce(const struct cf_twin *twin, double e, double h, struct state *s)
{
    double kick = h * twin->gravity_m_s2, in = s->v + (twin->engine.bounces_kick ? kick : 0);
    double back = twin->engine.taken_back * s->x / h;
    bool touch = s->x > 0;

    s->v += kick;
    if (touch)
        s->v = fmin(s->v, -fmax(e * in, back));
    s->x += h * s->v;
}

int cf_twin_bounce(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                   double *e, struct cf_error *err)
{
    *e = speed_m_s > twin->still_m_s ? twin->e : 0;
    if (twin->rows && speed_m_s > twin->still_m_s) {
        *e = cf_e_table_at(twin->rows, speed_m_s);
        return CF_OK;
    }
    return twin->law && speed_m_s > twin->still_m_s
               ? cf_restitution_at(curves, twin->law, twin->p, twin->mass_kg, speed_m_s, e, err)
               : CF_OK;
}

/* Under gravity: by steps so fine that e is right in all digits that are printed. */
static int heavy(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                 struct cf_seen *out, struct cf_error *err)
{
    const double steps_a_contact = 1e4;
    struct cf_twin light = *twin, stepped = *twin;

    light.gravity_m_s2 = 0;
    int status = cf_twin_run(&light, curves, speed_m_s, 0, 0, out, err);
    stepped.scheme = CF_SCHEME_VERLET;
    return status || !(out->duration_s > 0)
               ? status
               : cf_twin_run(&stepped, curves, speed_m_s, out->duration_s / steps_a_contact, 0, out,
                             err);
}

/* A linear contact is the same with mass, stiffness and damping in one ratio: so its numbers are
 * those that laws take whatever a spring is for the mass. */
static int impact_of(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                     struct cf_impact *out, struct cf_error *err)
{
    const double usual = 1e3; /* N/m */
    double p[CF_MAX_PARAM], ratio = usual / twin->p[K];

    if (strcmp(twin->law->name, "linear") != 0 || !(ratio > 0 && isfinite(ratio)))
        return cf_impact(curves, twin->law, twin->p, twin->mass_kg, speed_m_s, out, err);
    memcpy(p, twin->p, sizeof p);
    p[K] = usual;
    p[LAMBDA] *= ratio;
    return cf_impact(curves, twin->law, p, ratio * twin->mass_kg, speed_m_s, out, err);
}

static int continuous(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                      struct cf_seen *out, struct cf_error *err)
{
    if (twin->gravity_m_s2 != 0)
        return heavy(twin, curves, speed_m_s, out, err);
    struct cf_impact impact;
    int status = impact_of(twin, curves, speed_m_s, &impact, err);
    if (status)
        return status;
    const double *value = impact.value;
    *out = (struct cf_seen){
        .e = value[CF_IMPACT_RESTITUTION],
        .depth_m = impact.known[CF_IMPACT_DEPTH] ? value[CF_IMPACT_DEPTH] : (double) NAN,
        .duration_s = impact.known[CF_IMPACT_DURATION] ? value[CF_IMPACT_DURATION] : (double) NAN,
        .time_s = impact.known[CF_IMPACT_DURATION] ? value[CF_IMPACT_DURATION] : (double) NAN,
        .left = true,
    };
    return CF_OK;
}

/* The speed of flight at a place where a step ends is half a kick ahead of the rate there, but for
 * Verlet's. */
static double half_kick(const struct cf_twin *twin, double h)
{
    return twin->scheme == CF_SCHEME_VERLET ? 0 : h / 2 * twin->gravity_m_s2;
}

/* The rate at the gap from which the touch has the speed. */
static double rate_at_gap(const struct cf_twin *twin, double speed_m_s, double h, double gap_m)
{
    double square = speed_m_s * speed_m_s - 2 * twin->gravity_m_s2 * gap_m;

    return sqrt(fmax(square, 0)) - half_kick(twin, h);
}

/* The speed at which it left the surface, x <= 0 and v < 0 being of the first step outside. */
static double speed_left(const struct cf_twin *twin, double h, const struct state *s)
{
    double up = fmax(-s->v - half_kick(twin, h), 0);

    return sqrt(up * up - 2 * twin->gravity_m_s2 * s->x);
}

static int check(const struct cf_twin *twin, double speed_m_s, double dt_s, double gap_m,
                 struct cf_error *err)
{
    if (!(speed_m_s > 0 && isfinite(speed_m_s)))
        return cf_fail(err, CF_ERANGE, "speed = %g m/s: must be above 0", speed_m_s);
    if (!(dt_s > 0 && isfinite(dt_s)))
        return cf_fail(err, CF_ERANGE, "dt = %g s: must be above 0", dt_s);
    if (!(twin->mass_kg > 0 && isfinite(twin->mass_kg)) && twin->scheme != CF_SCHEME_RESTITUTION)
        return cf_fail(err, CF_ERANGE, "effective mass = %g kg: must be above 0", twin->mass_kg);
    if (!(gap_m <= speed_m_s * dt_s * 1e6))
        return cf_fail(err, CF_ERANGE, "gap = %g m: not reached within a million steps", gap_m);
    if ((twin->scheme == CF_SCHEME_BACKWARD || twin->scheme == CF_SCHEME_AHEAD ||
         twin->scheme == CF_SCHEME_THROUGH || twin->scheme == CF_SCHEME_REFERENCE) &&
        strcmp(twin->law->name, "linear") != 0)
        return cf_fail(err, CF_EINPUT, "%s: only linear springs and dampers are solved so",
                       twin->law->name);
    return CF_OK;
}

int cf_twin_run(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s, double dt_s,
                double gap_m, struct cf_seen *out, struct cf_error *err)
{
    if (twin->scheme == CF_SCHEME_CONTINUOUS)
        return continuous(twin, curves, speed_m_s, out, err);
    double e = 0;
    int status = check(twin, speed_m_s, dt_s, gap_m, err);
    if (!status && twin->scheme == CF_SCHEME_RESTITUTION)
        status = cf_twin_bounce(twin, curves, speed_m_s, &e, err);
    if (status)
        return status;

    struct state s = {-gap_m, rate_at_gap(twin, speed_m_s, dt_s, gap_m)};
    struct bodies bodies;
    bool moves = true;
    if (twin->floats.are)
        place_bodies(&twin->floats, &bodies, &s);
    bool kicked = twin->scheme == CF_SCHEME_VERLET;
    long most = most_steps(twin, speed_m_s, dt_s);
    double most_deep = deepest_of(twin, speed_m_s, dt_s);
    double f = kicked ? force(twin, speed_m_s, s.x, s.v) : 0, deepest = 0;
    long changed = 0, steps = 0, still = 0;
    bool left = false;
    for (; steps < most && !left && moves && deepest < most_deep; steps++) {
        double before = s.v, place = s.x;
        switch (twin->scheme) {
        case CF_SCHEME_SEMI_IMPLICIT:
            semi_implicit(twin, speed_m_s, dt_s, &s);
            break;
        case CF_SCHEME_REFERENCE:
            reference(twin, dt_s, &s);
            break;
        case CF_SCHEME_VERLET:
            verlet(twin, speed_m_s, dt_s, &s, &f);
            break;
        case CF_SCHEME_BACKWARD:
        case CF_SCHEME_AHEAD:
        case CF_SCHEME_THROUGH:
            if (twin->floats.are)
                moves = backward_in_floats(twin, dt_s, &bodies, &s);
            else
                backward(twin, dt_s, &s);
            break;
        default:
            bounce(twin, e, dt_s, &s);
        }
        changed += s.v != before;
        deepest = fmax(deepest, s.x);
        left = s.v < 0 && s.x <= 0;
        if (twin->scheme == CF_SCHEME_RESTITUTION && s.v == 0)
            break;
        still = fabs(s.x - place) < rest * speed_m_s * dt_s ? still + 1 : 0;
        if (still > (twin->floats.are ? few_steps : 1))
            break;
    }
    *out = (struct cf_seen){s.v == 0 ? 0 : speed_left(twin, dt_s, &s) / speed_m_s, deepest,
                            (double) changed * dt_s, (double) steps * dt_s, left};
    return CF_OK;
}
