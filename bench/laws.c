/* Time of one evaluation of every law and every geometry pair: lines KIND<tab>NAME<tab>SECONDS<tab>
 * SECONDS, the first without derivatives (nan: it always computes them), the second with all of
 * them.
 *
 * Parameters are the typical ones of the rows; contacts differ from call to call, by depth, rate or
 * slip within their usual range, so that nothing can be kept from the last one.
 */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/shape.h"
#include "law/friction.h"
#include "law/law.h"
#include "timing.h"

enum { TURNS = 7, CALLS = 20000, PLACES = 64 };

/* Sum of the results, so that no compiler omits them. */
struct bench {
    double sum;
    double place[PLACES]; /* from 0 to 1 */
};

/* The best time of one of CALLS calls. */
static double time_calls(struct bench *b, void (*call)(struct bench *b, const void *what, double x),
                         const void *what)
{
    double best = INFINITY;

    for (int turn = 0; turn < TURNS; turn++) {
        double begin = bench_now_s();
        for (int i = 0; i < CALLS; i++)
            call(b, what, b->place[i % PLACES]);
        best = fmin(best, (bench_now_s() - begin) / CALLS);
    }
    return best;
}

struct normal {
    const struct cf_law *law;
    double p[CF_MAX_PARAM];
};

static const double states[CF_FRICTION_STATES] = {1e-6, 2e-6, 0.5};

static struct cf_contact contact_at(double x)
{
    return (struct cf_contact){.depth_m = 1e-5 * (1 + x),
                               .rate_m_s = 0.1 * x,
                               .approach_m_s = 0.5,
                               .mass_kg = 0.1,
                               .radius_m = 0.01,
                               .state = states};
}

static void call_force(struct bench *b, const void *what, double x)
{
    const struct normal *n = what;
    struct cf_contact c = contact_at(x);

    b->sum += n->law->force(n->law, n->p, &c);
}

static void call_force_slope(struct bench *b, const void *what, double x)
{
    const struct normal *n = what;
    struct cf_contact c = contact_at(x);
    struct cf_force_slope slope;

    n->law->slope(n->law, n->p, &c, &slope);
    b->sum += n->law->force(n->law, n->p, &c) + slope.by_depth;
}

static void call_restitution(struct bench *b, const void *what, double x)
{
    const struct normal *n = what;
    struct cf_restitution r;

    n->law->restitution(n->p, 0.1 + x, &r);
    b->sum += r.e + r.by_speed;
}

static void call_curve(struct bench *b, const void *what, double x)
{
    const struct normal *n = what;
    struct cf_friction_curve curve;

    n->law->curve(n->p, 0.01 + x, &curve);
    b->sum += curve.value + curve.by_speed;
}

struct tangential {
    const struct cf_friction_law *law;
    double p[CF_MAX_PARAM];
};

static struct cf_slide slide_at(double x)
{
    return (struct cf_slide){.depth_m = 1e-5,
                             .normal_N = 10,
                             .velocity_m_s = {0.002 * x, 0.001 * (1 - x)},
                             .state = states};
}

static void call_friction(struct bench *b, const void *what, double x)
{
    const struct tangential *t = what;
    struct cf_slide c = slide_at(x);
    double force[2], rate[CF_FRICTION_STATES] = {0};

    t->law->force(t->p, &c, force, rate);
    b->sum += force[0] + rate[0];
}

static void call_friction_slopes(struct bench *b, const void *what, double x)
{
    const struct tangential *t = what;
    struct cf_slide c = slide_at(x);
    struct cf_friction_slopes slopes;

    cf_friction_slopes(t->law, t->p, &c, &slopes);
    b->sum += slopes.force[0][0];
}

static void call_touch(struct bench *b, const void *what, double x)
{
    const double centre_m[3] = {0.3 + 0.01 * x, 0.2 - 0.01 * x, 0.1 * x};
    struct cf_touch touch;

    if (cf_solid_touch(what, 0.01, centre_m, &touch))
        b->sum += touch.depth_m + touch.n[0];
}

static void print_times(const char *kind, const char *name, double plain, double with)
{
    printf("%s\t%s\t%.4g\t%.4g\n", kind, name, plain, with);
}

static void time_normals(struct bench *b)
{
    for (const struct cf_law *const *law = cf_laws; *law; law++) {
        struct normal n = {.law = *law};
        for (size_t i = 0; i < (*law)->nparam; i++)
            n.p[i] = (*law)->param[i].typical;
        if ((*law)->force)
            print_times("normal", (*law)->name, time_calls(b, call_force, &n),
                        time_calls(b, call_force_slope, &n));
        else if ((*law)->curve)
            print_times("steady", (*law)->name, NAN, time_calls(b, call_curve, &n));
        else
            print_times("restitution", (*law)->name, NAN, time_calls(b, call_restitution, &n));
    }
}

static void time_tangentials(struct bench *b)
{
    for (const struct cf_friction_law *const *law = cf_friction_laws; *law; law++) {
        struct tangential t = {.law = *law};
        for (size_t i = 0; i < (*law)->nparam; i++)
            t.p[i] = (*law)->param[i].typical;
        print_times("tangential", (*law)->name, time_calls(b, call_friction, &t),
                    time_calls(b, call_friction_slopes, &t));
    }
}

static int time_shapes(struct bench *b, struct cf_error *err)
{
    for (const struct cf_shape *const *shape = cf_shapes; *shape; shape++) {
        struct cf_solid solid = {.shape = *shape, .direction = {{0, 0, 1}, {1, 0, 0}}};
        for (size_t i = 0; i < (*shape)->nsize; i++)
            solid.size[i] = (*shape)->size[i].typical;
        int status = cf_solid_make(&solid, err);
        if (status)
            return status;
        print_times("sphere and", (*shape)->name, NAN, time_calls(b, call_touch, &solid));
    }
    return CF_OK;
}

int main(void)
{
    struct bench b = {.sum = 0};
    struct cf_error err = {""};

    for (int i = 0; i < PLACES; i++)
        b.place[i] = fmod(0.618 * i, 1);
    time_normals(&b);
    time_tangentials(&b);
    int status = time_shapes(&b, &err);
    if (status)
        fprintf(stderr, "laws: %s: %s\n", cf_status_text(status), err.text);
    return status || !isfinite(b.sum) ? 1 : 0;
}
