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

/* The phases of a touch at a speed and a step. Who asks whether e stays within two limits asks no
 * further where it does not. */
struct phases {
    const struct cf_twin *twin;
    struct cf_curves *curves;
    double speed_m_s, dt_s;
    double low, high; /* the limits */
    struct cf_spread seen;
};

static struct phases all_phases(const struct cf_twin *twin, struct cf_curves *curves,
                                double speed_m_s, double dt_s)
{
    return (struct phases){
        twin,
        curves,
        speed_m_s,
        dt_s,
        .low = -(double) INFINITY,
        .high = (double) INFINITY,
        .seen = {.e_low = (double) INFINITY, .e_high = -(double) INFINITY, .left = true}};
}

static bool is_beyond(const struct phases *phases)
{
    bool limited = isfinite(phases->low) || isfinite(phases->high);

    return limited && !(phases->seen.left && phases->seen.e_low >= phases->low &&
                        phases->seen.e_high <= phases->high);
}

static int see(struct phases *phases, struct sample *at, struct cf_seen *seen, struct cf_error *err)
{
    double way_m = phases->speed_m_s * phases->dt_s;
    int status = cf_twin_run(phases->twin, phases->curves, phases->speed_m_s, phases->dt_s,
                             way_m * at->part, seen, err);

    at->e = seen->e;
    if (!status) {
        phases->seen.e_low = fmin(phases->seen.e_low, seen->e);
        phases->seen.e_high = fmax(phases->seen.e_high, seen->e);
        phases->seen.left = phases->seen.left && seen->left;
    }
    return status;
}

static int see_samples(struct phases *phases, struct sample at[NSAMPLE], struct cf_error *err)
{
    const double edge = 1e-9;
    struct cf_spread *mean = &phases->seen;
    struct cf_seen seen;
    int status = CF_OK;

    at[0].part = edge;
    at[NSAMPLE - 1].part = 1 - edge;
    for (int i = 0; i < NSAMPLE && !status && !is_beyond(phases); i++) {
        bool phase = i > 0 && i < NSAMPLE - 1;
        if (phase)
            at[i].part = (i - 0.5) / CF_TWIN_PHASES;
        status = see(phases, &at[i], &seen, err);
        if (status || !phase)
            continue;
        mean->e_mean += seen.e / CF_TWIN_PHASES;
        mean->depth_mean_m += seen.depth_m / CF_TWIN_PHASES;
        mean->duration_mean_s += seen.duration_s / CF_TWIN_PHASES;
    }
    return status;
}

/* The highest e between two touches, or the lowest with sign = -1, by golden section: it needs no
 * slope, and e(touch) has corners. What is seen on the way widens the spread. */
static int refine(struct phases *phases, double left, double right, double sign,
                  struct cf_error *err)
{
    enum { SECTIONS = 20 }; /* to 7e-5 of the interval */
    const double golden = (sqrt(5) - 1) / 2;
    struct sample a = {.part = right - golden * (right - left)};
    struct sample b = {.part = left + golden * (right - left)};
    struct cf_seen seen;

    int status = see(phases, &a, &seen, err);
    if (!status)
        status = see(phases, &b, &seen, err);
    for (int i = 0; i < SECTIONS && !status && !is_beyond(phases); i++) {
        if (sign * a.e > sign * b.e) {
            right = b.part;
            b = a;
            a.part = right - golden * (right - left);
            status = see(phases, &a, &seen, err);
        } else {
            left = a.part;
            a = b;
            b.part = left + golden * (right - left);
            status = see(phases, &b, &seen, err);
        }
    }
    return status;
}

/* An extreme that no sample has met is beside one that stands out among its neighbours. Spreads
 * below what is printed of e are left as they are. */
static int find_spread(struct phases *phases, struct cf_error *err)
{
    const double unseen = 1e-6;
    struct sample at[NSAMPLE];
    int status = see_samples(phases, at, err);

    bool same = phases->twin->scheme == CF_SCHEME_RESTITUTION && phases->twin->gravity_m_s2 == 0;
    if (same || !(phases->seen.e_high - phases->seen.e_low > unseen))
        return status;
    for (int i = 0; i < NSAMPLE && !status && !is_beyond(phases); i++) {
        const struct sample *before = &at[i > 0 ? i - 1 : i];
        const struct sample *after = &at[i + 1 < NSAMPLE ? i + 1 : i];
        for (int sign = -1; sign <= 1 && !status; sign += 2)
            if (sign * at[i].e >= sign * before->e && sign * at[i].e >= sign * after->e)
                status = refine(phases, before->part, after->part, sign, err);
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

/* The spread, or so much of it as shows that it exceeds the limits: beyond what floats are seen to
 * be it can only be wider. */
static int see_phases(struct phases *phases, struct cf_error *err)
{
    int status = find_spread(phases, err);

    if (status || is_beyond(phases) || !phases->twin->floats.are)
        return status;
    struct cf_twin plain = *phases->twin;
    struct phases exact = all_phases(&plain, phases->curves, phases->speed_m_s, phases->dt_s);
    plain.floats.are = false;
    status = find_spread(&exact, err);
    if (!status)
        allow_floats(&phases->twin->floats, phases->speed_m_s * phases->dt_s, &phases->seen,
                     &exact.seen);
    return status;
}

int cf_twin_spread(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                   double dt_s, struct cf_spread *out, struct cf_error *err)
{
    struct phases phases = all_phases(twin, curves, speed_m_s, dt_s);
    int status = see_phases(&phases, err);

    *out = phases.seen;
    return status;
}

bool cf_twin_compensates(const struct cf_twin *twin)
{
    enum cf_scheme scheme = twin->scheme;
    return twin->law && strcmp(twin->law->name, "linear") == 0 &&
           (scheme == CF_SCHEME_SEMI_IMPLICIT || scheme == CF_SCHEME_REFERENCE ||
            scheme == CF_SCHEME_BACKWARD || scheme == CF_SCHEME_AHEAD ||
            scheme == CF_SCHEME_THROUGH);
}

static size_t damping_of(const struct cf_law *law)
{
    return cf_param_find(law->param, law->nparam, "lambda");
}

/* The damping whose mean e is the wanted one: the trial that comes nearest is kept. */
struct damping_search {
    struct cf_twin twin;
    struct cf_curves *curves;
    double speed_m_s, dt_s, e;
    double nearest, lambda;
};

/* e falls with the damping: double an upper limit, then close in until e is closer than any bound
 * that is ever stated for it. Steps too coarse for their contact know no such order: the first e
 * that rises ends the search. */
static const double enough = 1e-8;
enum { DOUBLINGS = 200, TRIALS = 60 };

/* How far the mean e is above the wanted one with this damping. */
static int try_damping(struct damping_search *search, double lambda, double *excess,
                       struct cf_error *err)
{
    struct sample at[NSAMPLE];
    struct phases phases =
        all_phases(&search->twin, search->curves, search->speed_m_s, search->dt_s);

    search->twin.p[damping_of(search->twin.law)] = lambda;
    int status = see_samples(&phases, at, err);
    *excess = phases.seen.e_mean - search->e;
    if (!status && fabs(*excess) < search->nearest) {
        search->nearest = fabs(*excess);
        search->lambda = lambda;
    }
    return status;
}

/* Between a damping that loses too little and one that loses too much: by secants of which an end
 * that stays weighs half (the Illinois rule), and by halves where these do not halve. */
static int close_in(struct damping_search *search, double low, double over, double high,
                    double under, struct cf_error *err)
{
    int status = CF_OK, last = 0;

    for (int i = 0; i < TRIALS && search->nearest >= enough && !status; i++) {
        double secant = low + (high - low) * over / (over - under), excess;
        bool halve = i % 3 == 2 || !(secant > low && secant < high);
        double lambda = halve ? (low + high) / 2 : secant;
        status = try_damping(search, lambda, &excess, err);
        if (excess > 0) {
            low = lambda;
            over = excess;
            under *= last == 1 ? 0.5 : 1;
        } else {
            high = lambda;
            under = excess;
            over *= last == -1 ? 0.5 : 1;
        }
        last = excess > 0 ? 1 : -1;
    }
    return status;
}

int cf_twin_compensate(struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                       double dt_s, double e, bool *possible, struct cf_error *err)
{
    size_t damping = damping_of(twin->law), k = cf_law_k(twin->law);
    struct damping_search search = {*twin, curves, speed_m_s,
                                    dt_s,  e,      .nearest = (double) INFINITY};
    double low = 0, high = twin->p[damping] > 0 ? twin->p[damping] : twin->p[k] * dt_s;
    double over, excess;

    int status = try_damping(&search, 0, &over, err);
    *possible = !status && over >= 0;
    excess = over;
    for (int i = 0; *possible && i < DOUBLINGS && excess > 0; i++) {
        status = try_damping(&search, high, &excess, err);
        *possible = !status && excess <= over;
        if (excess <= 0)
            break;
        low = high;
        over = excess;
        high *= 2;
    }
    if (*possible && !status)
        status = close_in(&search, low, over, high, excess, err);
    *possible = *possible && !status;
    if (!status)
        twin->p[damping] = search.lambda;
    return status;
}

bool cf_twin_scales(const struct cf_twin *twin)
{
    return twin->gravity_m_s2 == 0 && twin->engine.sees_m == 0 && twin->engine.split_m == 0;
}

/* Such a linear spring and damper shows one e at every speed, at every step, but for what floats
 * round. */
static bool same_at_every_speed(const struct cf_twin *twin)
{
    return cf_twin_compensates(twin) && cf_twin_scales(twin) && !twin->floats.are;
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

/* No spring shows more. */
static const double most_e = 1;

/* As soon as a phase of a speed is beyond the bound it is not within. */
static int see_within(const struct cf_twin *twin, struct cf_curves *curves,
                      const struct cf_goal *goal, double dt_s, bool *good, struct cf_error *err)
{
    size_t n = same_at_every_speed(twin) && goal->n ? 1 : goal->n;
    int status = CF_OK;

    for (size_t i = 0; i < n && *good && !status; i++) {
        struct phases phases = all_phases(twin, curves, goal->speed_m_s[i], dt_s);
        for (size_t k = i; k < (n < goal->n ? goal->n : i + 1); k++) {
            phases.low = fmax(phases.low, goal->e[k] - goal->bound);
            phases.high = fmin(phases.high, fmin(goal->e[k] + goal->bound, most_e));
        }
        status = see_phases(&phases, err);
        *good = !is_beyond(&phases);
    }
    return status;
}

int cf_twin_within(const struct cf_twin *twin, struct cf_curves *curves, const struct cf_goal *goal,
                   double dt_s, bool compensate, bool *good, struct cf_error *err)
{
    struct cf_twin trial = *twin;
    bool possible; /* or the damping that comes nearest may do */
    int status = CF_OK;

    *good = true;
    if (compensate)
        status = cf_twin_compensate(&trial, curves, goal->design_m_s, dt_s, goal->design_e,
                                    &possible, err);
    if (!status)
        status = see_within(&trial, curves, goal, dt_s, good, err);
    *good = *good && !status;
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

/* The time that steps are to resolve: that of a contact, or of a flight that falls to the speed,
 * and INFINITY where there is nothing to resolve. */
static int time_scale(const struct cf_twin *twin, struct cf_curves *curves, double speed_m_s,
                      double *out_s, struct cf_error *err)
{
    struct cf_twin limit = *twin;
    struct cf_seen seen;

    *out_s = twin->scheme == CF_SCHEME_RESTITUTION && twin->gravity_m_s2 > 0
                 ? speed_m_s / twin->gravity_m_s2
                 : (double) INFINITY;
    if (twin->scheme == CF_SCHEME_CONTINUOUS || twin->scheme == CF_SCHEME_RESTITUTION)
        return CF_OK;
    limit.scheme = CF_SCHEME_CONTINUOUS;
    limit.gravity_m_s2 = 0;
    int status = cf_twin_run(&limit, curves, speed_m_s, 0, 0, &seen, err);
    *out_s = seen.duration_s;
    return status;
}

int cf_twin_largest_step(const struct cf_twin *twin, struct cf_curves *curves,
                         const struct cf_goal *goal, bool compensate, double *dt_s,
                         struct cf_error *err)
{
    double lasts, low = 0;
    bool good = true, every = false;

    *dt_s = (double) INFINITY;
    int status = time_scale(twin, curves, goal->design_m_s, &lasts, err);
    if (status || isinf(lasts))
        return status;
    double high = lasts * first;
    status = cf_twin_within(twin, curves, goal, high, compensate, &good, err);
    if (good) {
        for (low = high; !status && good && low < coarsest * lasts; low = high) {
            high = low * stride;
            status = cf_twin_within(twin, curves, goal, high, compensate, &good, err);
            if (!good)
                break;
        }
        every = good;
    } else {
        for (; !status && low == 0 && high > finest * lasts; high /= stride) {
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
