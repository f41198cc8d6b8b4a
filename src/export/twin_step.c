/* What follows from twins: the spread over phases, compensated damping, the largest step. */

#include <math.h>
#include <string.h>

#include "export/twin.h"

/* Where within a step the touch falls, and e there: the two ends, at which e jumps, and the middles
 * of CF_TWIN_PHASES equal parts. */
enum { NSAMPLE = CF_TWIN_PHASES + 2 };
struct sample {
    double part, e;
};

static int see(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s, double dt_s,
               struct sample *at, struct cf_seen *seen, struct cf_spread *out, struct cf_error *err)
{
    int status = cf_twin_run(twin, curves, speed_m_s, dt_s, speed_m_s * dt_s * at->part, seen, err);

    at->e = seen->e;
    if (!status) {
        out->e_low = fmin(out->e_low, seen->e);
        out->e_high = fmax(out->e_high, seen->e);
        out->left = out->left && seen->left;
    }
    return status;
}

static int see_samples(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                       double dt_s, struct sample at[NSAMPLE], struct cf_spread *out,
                       struct cf_error *err)
{
    const double edge = 1e-9;
    struct cf_seen seen;
    int status = CF_OK;

    *out =
        (struct cf_spread){.e_low = (double) INFINITY, .e_high = -(double) INFINITY, .left = true};
    at[0].part = edge;
    at[NSAMPLE - 1].part = 1 - edge;
    for (int i = 0; i < NSAMPLE && !status; i++) {
        bool phase = i > 0 && i < NSAMPLE - 1;
        if (phase)
            at[i].part = (i - 0.5) / CF_TWIN_PHASES;
        status = see(twin, curves, speed_m_s, dt_s, &at[i], &seen, out, err);
        if (status || !phase)
            continue;
        out->e_mean += seen.e / CF_TWIN_PHASES;
        out->depth_mean_m += seen.depth_m / CF_TWIN_PHASES;
        out->duration_mean_s += seen.duration_s / CF_TWIN_PHASES;
    }
    return status;
}

/* The highest e between two touches, or the lowest with sign = -1, by golden section: it needs no
 * slope, and e(touch) has corners. What is seen on the way widens the spread. */
static int refine(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                  double dt_s, double left, double right, double sign, struct cf_spread *out,
                  struct cf_error *err)
{
    enum { SECTIONS = 20 }; /* to 7e-5 of the interval */
    const double golden = (sqrt(5) - 1) / 2;
    struct sample a = {.part = right - golden * (right - left)};
    struct sample b = {.part = left + golden * (right - left)};
    struct cf_seen seen;

    int status = see(twin, curves, speed_m_s, dt_s, &a, &seen, out, err);
    if (!status)
        status = see(twin, curves, speed_m_s, dt_s, &b, &seen, out, err);
    for (int i = 0; i < SECTIONS && !status; i++) {
        if (sign * a.e > sign * b.e) {
            right = b.part;
            b = a;
            a.part = right - golden * (right - left);
            status = see(twin, curves, speed_m_s, dt_s, &a, &seen, out, err);
        } else {
            left = a.part;
            a = b;
            b.part = left + golden * (right - left);
            status = see(twin, curves, speed_m_s, dt_s, &b, &seen, out, err);
        }
    }
    return status;
}

/* An extreme that no sample has met is beside one that stands out among its neighbours. Spreads
 * below what is printed of e are left as they are. */
static int find_spread(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                       double dt_s, struct cf_spread *out, struct cf_error *err)
{
    const double unseen = 1e-6;
    struct sample at[NSAMPLE];
    int status = see_samples(twin, curves, speed_m_s, dt_s, at, out, err);

    if (twin->scheme == CF_SCHEME_RESTITUTION || !(out->e_high - out->e_low > unseen))
        return status;
    for (int i = 0; i < NSAMPLE && !status; i++) {
        const struct sample *before = &at[i > 0 ? i - 1 : i];
        const struct sample *after = &at[i + 1 < NSAMPLE ? i + 1 : i];
        for (int sign = -1; sign <= 1 && !status; sign += 2)
            if (sign * at[i].e >= sign * before->e && sign * at[i].e >= sign * after->e)
                status = refine(twin, curves, speed_m_s, dt_s, before->part, after->part, sign, out,
                                err);
    }
    return status;
}

/* As far again beyond what is exact as floats are seen to be. A way out of which a step is not one
 * unit in the last place, of the body that goes most of it, may be rounded to nothing, and then
 * nothing leaves. */
static void allow_floats(const struct cf_floats *floats, double way_m, struct cf_spread *out,
                         const struct cf_spread *exact)
{
    float radius = (float) floats->radius_m[floats->part[1] > floats->part[0]];

    if (!(exact->e_low * way_m > nextafterf(radius, INFINITY) - radius))
        out->left = false;
    out->e_low = fmin(exact->e_low, 2 * out->e_low - exact->e_low);
    out->e_high = fmax(exact->e_high, 2 * out->e_high - exact->e_high);
    out->e_low = fmax(out->e_low, 0);
}

int cf_twin_spread(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                   double dt_s, struct cf_spread *out, struct cf_error *err)
{
    struct cf_twin plain = *twin;
    struct cf_spread exact;
    int status = find_spread(twin, curves, speed_m_s, dt_s, out, err);

    if (status || !twin->floats.are)
        return status;
    plain.floats.are = false;
    status = find_spread(&plain, curves, speed_m_s, dt_s, &exact, err);
    if (!status)
        allow_floats(&twin->floats, speed_m_s * dt_s, out, &exact);
    return status;
}

bool cf_twin_compensates(const struct cf_twin *twin)
{
    enum cf_scheme scheme = twin->scheme;
    return twin->law && strcmp(twin->law->name, "linear") == 0 &&
           (scheme == CF_SCHEME_SEMI_IMPLICIT || scheme == CF_SCHEME_BACKWARD ||
            scheme == CF_SCHEME_AHEAD || scheme == CF_SCHEME_THROUGH);
}

static size_t damping_of(const struct cf_law *law)
{
    return cf_param_find(law->param, law->nparam, "lambda");
}

/* The mean e of a twin with this damping. */
static int mean_e(struct cf_twin *twin, struct cf_curves *curves, size_t damping, double lambda,
                  double speed_m_s, double dt_s, double *e, struct cf_error *err)
{
    struct sample at[NSAMPLE];
    struct cf_spread spread;

    twin->p[damping] = lambda;
    int status = see_samples(twin, curves, speed_m_s, dt_s, at, &spread, err);
    *e = spread.e_mean;
    return status;
}

/* e falls with the damping: double an upper limit, then halve the interval until e is closer than
 * any bound that is ever stated for it. Steps too coarse for their contact know no such order: the
 * first e that rises ends the search. */
static const double enough = 1e-8;
enum { DOUBLINGS = 200, HALVINGS = 60 };

/* The trial that comes nearest is kept. */
struct damping_search {
    double e, nearest, lambda;
};

static int try_damping(struct cf_twin *trial, struct cf_curves *curves, double lambda,
                       double speed_m_s, double dt_s, struct damping_search *search, double *seen,
                       struct cf_error *err)
{
    int status = mean_e(trial, curves, damping_of(trial->law), lambda, speed_m_s, dt_s, seen, err);
    if (!status && fabs(*seen - search->e) < search->nearest) {
        search->nearest = fabs(*seen - search->e);
        search->lambda = lambda;
    }
    return status;
}

int cf_twin_compensate(struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                       double dt_s, double e, bool *possible, struct cf_error *err)
{
    size_t damping = damping_of(twin->law), k = cf_law_k(twin->law);
    struct cf_twin trial = *twin;
    struct damping_search search = {.e = e, .nearest = (double) INFINITY};
    double low = 0, high = twin->p[damping] > 0 ? twin->p[damping] : twin->p[k] * dt_s;
    double before, seen;

    int status = try_damping(&trial, curves, 0, speed_m_s, dt_s, &search, &seen, err);
    *possible = !status && seen >= e;
    for (int i = 0; *possible && i < DOUBLINGS && seen > e; i++) {
        before = seen;
        status = try_damping(&trial, curves, high, speed_m_s, dt_s, &search, &seen, err);
        *possible = !status && seen <= before;
        if (seen <= e)
            break;
        low = high;
        high *= 2;
    }
    for (int i = 0; *possible && i < HALVINGS && search.nearest >= enough; i++) {
        double middle = (low + high) / 2;
        status = try_damping(&trial, curves, middle, speed_m_s, dt_s, &search, &seen, err);
        *possible = !status;
        *(seen > e ? &low : &high) = middle;
    }
    if (!status)
        twin->p[damping] = search.lambda;
    return status;
}

/* Without gravity a linear spring and damper shows one e at every speed, at every step, but for
 * what floats round. */
static bool same_at_every_speed(const struct cf_twin *twin)
{
    return cf_twin_compensates(twin) && twin->gravity_m_s2 == 0 && !twin->floats.are;
}

int cf_twin_miss(const struct cf_twin *twin, struct cf_curves *curves, const struct cf_goal *goal,
                 double dt_s, struct cf_miss *out, struct cf_error *err)
{
    struct cf_spread spread;
    int status = CF_OK;

    *out = (struct cf_miss){.error = -1, .e_high = -(double) INFINITY, .left = true};
    for (size_t i = 0; i < goal->n && !status; i++) {
        if (i == 0 || !same_at_every_speed(twin))
            status = cf_twin_spread(twin, curves, goal->speed_m_s[i], dt_s, &spread, err);
        if (status)
            break;
        double error = fmax(spread.e_high - goal->e[i], goal->e[i] - spread.e_low);
        if (error > out->error) {
            out->error = error;
            out->speed_m_s = goal->speed_m_s[i];
        }
        out->e_high = fmax(out->e_high, spread.e_high);
        out->left = out->left && spread.left;
    }
    return status;
}

int cf_twin_within(const struct cf_twin *twin, struct cf_curves *curves, const struct cf_goal *goal,
                   double dt_s, bool compensate, bool *good, struct cf_error *err)
{
    struct cf_twin trial = *twin;
    struct cf_miss miss = {0};
    bool possible = true;
    int status = CF_OK;

    if (compensate)
        status = cf_twin_compensate(&trial, curves, goal->design_m_s, dt_s, goal->design_e,
                                    &possible, err);
    if (!status)
        status = cf_twin_miss(&trial, curves, goal, dt_s, &miss, err);
    *good = !status && possible && miss.left && miss.error <= goal->bound;
    return status;
}

/* The search walks up from a step that serves most, at most to one that steps over the contact; or
 * down where that one is too coarse already, at most to one that resolves every contact. */
static const double first = 1.0 / 200, finest = 1.0 / 2000, coarsest = 10;
static const double stride = 1.3, precision = 1.01;

/* e ripples with the number of steps in a contact, so that between two steps that serve one may
 * not: the largest up to which all do is looked for in strides that see the ripple of few steps. */
static const double down_to = 0.5, fine_stride = 1.02;

static int settle(const struct cf_twin *twin, struct cf_curves *curves, const struct cf_goal *goal,
                  bool compensate, double *dt_s, struct cf_error *err)
{
    int status = CF_OK;
    bool good;

    for (double dt = *dt_s / fine_stride; !status && dt > down_to * *dt_s; dt /= fine_stride) {
        status = cf_twin_within(twin, curves, goal, dt, compensate, &good, err);
        if (!status && !good)
            *dt_s = dt / fine_stride;
    }
    return status;
}

int cf_twin_largest_step(const struct cf_twin *twin, struct cf_curves *curves,
                         const struct cf_goal *goal, bool compensate, double *dt_s,
                         struct cf_error *err)
{
    struct cf_twin limit = *twin;
    struct cf_seen seen;
    bool good = true;

    *dt_s = (double) INFINITY;
    if (twin->scheme == CF_SCHEME_CONTINUOUS || twin->scheme == CF_SCHEME_RESTITUTION)
        return CF_OK;
    limit.scheme = CF_SCHEME_CONTINUOUS;
    int status = cf_twin_run(&limit, curves, goal->design_m_s, 0, 0, &seen, err);
    if (status)
        return status;
    double low = 0, high = seen.duration_s * first;
    bool every = false;
    status = cf_twin_within(twin, curves, goal, high, compensate, &good, err);
    if (good) {
        for (low = high; !status && good && low < coarsest * seen.duration_s; low = high) {
            high = low * stride;
            status = cf_twin_within(twin, curves, goal, high, compensate, &good, err);
            if (!good)
                break;
        }
        every = good;
    } else {
        for (; !status && low == 0 && high > finest * seen.duration_s; high /= stride) {
            status = cf_twin_within(twin, curves, goal, high / stride, compensate, &good, err);
            if (good) {
                low = high / stride;
                break;
            }
        }
    }
    while (!status && !every && low > 0 && high / low > precision) {
        double middle = sqrt(low * high);
        status = cf_twin_within(twin, curves, goal, middle, compensate, &good, err);
        *(good ? &low : &high) = middle;
    }
    if (!every)
        *dt_s = low;
    return status || every || low == 0 ? status : settle(twin, curves, goal, compensate, dt_s, err);
}
