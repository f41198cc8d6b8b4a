/* The equations of a driven block, and how they change along its columns. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "experiment/driven_block_parts.h"

/* A correction of this part is the last of Newton's method: its square is left. A bracket is first
 * widened by so much on the scale of asinh. */
enum { MOST_ROUNDS = 200 };
static const double FINE = 1e-13, FIRST_WIDTH = 0.5;

/* Of a law without a speed of its own, parts of the fastest speed of the load point. */
static const double PART_OF_SPEED = 1e-6;

static bool by_number(const struct cf_block_work *w, enum cf_block_number number)
{
    return w->b->number[number] > 0;
}

void cf_block_layout(struct cf_block_work *w, const struct cf_driven_block *b,
                     const struct cf_block_columns *columns)
{
    double fastest = fabs(b->number[CF_BLOCK_SPEED]);

    *w = (struct cf_block_work){
        .b = b, .ncolumn = columns->n, .spring = CF_BLOCK_NONE, .velocity = CF_BLOCK_NONE};
    w->column[CF_BLOCK_COLUMNS] = SIZE_MAX;
    for (size_t i = 0; i < b->law->nstate; i++)
        if (i >= 2 * b->law->nvector || i % 2 == 0)
            w->of[w->nfriction++] = i;
    w->n = w->nfriction;
    if (by_number(w, CF_BLOCK_STIFFNESS))
        w->spring = w->n++;
    if (w->spring != CF_BLOCK_NONE && by_number(w, CF_BLOCK_MASS))
        w->velocity = w->n++;
    for (size_t j = 0; j < b->nstep; j++)
        fastest = fmax(fastest, fabs(b->number[CF_BLOCK_STEP + 2 * j + 1]));
    w->least = fmin(cf_friction_least_speed(b->law, b->p), PART_OF_SPEED * fastest);
    w->d[CF_BY_VELOCITY] = 1;
    for (size_t c = 0; c < columns->n; c++) {
        double *d = w->d + (c + 1) * CF_FRICTION_COLUMNS;
        w->column[c] = columns->of[c];
        if (columns->of[c] < b->law->nparam)
            d[CF_BY_PARAM + columns->of[c]] = 1;
        else if (cf_block_is_by(w, c, CF_BLOCK_LOAD))
            d[CF_BY_NORMAL] = 1;
    }
    cf_block_enter(w, 0);
    w->last = asinh(w->V / w->least);
}

bool cf_block_is_by(const struct cf_block_work *w, size_t c, size_t number)
{
    return w->column[c] == w->b->law->nparam + number;
}

/* The number that is V after so many steps. */
static size_t speed_number(size_t piece)
{
    return piece == 0 ? CF_BLOCK_SPEED : CF_BLOCK_STEP + 2 * piece - 1;
}

void cf_block_enter(struct cf_block_work *w, size_t piece)
{
    w->piece = piece;
    w->V = w->b->number[speed_number(piece)];
}

double cf_block_speed_by(const struct cf_block_work *w, size_t c)
{
    return cf_block_is_by(w, c, speed_number(w->piece));
}

/* ---- friction */

static struct cf_slide slide_of(const struct cf_block_work *w, const struct cf_block_now *now)
{
    return (struct cf_slide){
        .normal_N = w->b->number[CF_BLOCK_LOAD], .velocity_m_s = {now->v, 0}, .state = now->state};
}

static double friction(const struct cf_block_work *w, struct cf_block_now *now, double rate[])
{
    struct cf_slide c = slide_of(w, now);
    double force[2];

    w->b->law->force(w->b->p, &c, force, rate);
    return -force[0] / c.normal_N;
}

double cf_block_slope(const struct cf_block_work *w, const struct cf_block_now *now)
{
    struct cf_slide c = slide_of(w, now);
    double force[2], rate[CF_FRICTION_STATES];

    cf_friction_vary(w->b->law, w->b->p, &c, 1, w->d, force, rate);
    return -force[0] / c.normal_N;
}

/* What is left of the balance at v = least sinh(a): it falls as a grows. */
static double left_at(const struct cf_block_work *w, struct cf_block_now *now, double S, double a)
{
    now->v = w->least * sinh(a);
    return S + w->b->number[CF_BLOCK_DAMPING] * (w->V - now->v) - friction(w, now, NULL);
}

/* The speed at which spring, damper and friction are in balance, by Newton's method within a
 * bracket, on the scale of asinh: friction may go with the logarithm of speed. It begins where it
 * ended last. Where Newton's steps do not shrink by half, as far out against a damper, where each
 * is 1, every other one widens the bracket or halves it. NAN: there is none, as for a trial step's
 * states that are not finite. */
static void balance(const struct cf_block_work *w, double S, struct cf_block_now *now)
{
    /* what was found last is the run's own room */
    double *last = &((struct cf_block_work *) w)->last;
    double d = w->b->number[CF_BLOCK_DAMPING], a = *last, low = -INFINITY, high = INFINITY,
           width = FIRST_WIDTH, most = INFINITY;
    bool found = false;

    for (int round = 0; round < MOST_ROUNDS && !found; round++) {
        double left = left_at(w, now, S, a), slope, next;
        bool finite = isfinite(left);
        found = left == 0;
        if (found)
            break;
        bool below = finite ? left > 0 : a < 0; /* far away nothing is finite */
        *(below ? &low : &high) = a;
        slope = (d + cf_block_slope(w, now)) * hypot(w->least, now->v);
        next = a + left / slope;
        if (next > low && next < high && slope > 0 && fabs(next - a) <= most) {
            most = 0.5 * fabs(next - a);
        } else {
            next = isinf(low) ? a - width : isinf(high) ? a + width : 0.5 * (low + high);
            most = INFINITY;
        }
        width *= 2;
        found =
            finite && (fabs(next - a) <= FINE * fmax(fabs(a), 1) || next == low || next == high);
        a = next;
    }
    now->v = found ? w->least * sinh(a) : (double) NAN;
    *last = found ? a : *last;
}

static void put_states(const struct cf_block_work *w, const double y[], struct cf_block_now *now)
{
    memset(now->state, 0, sizeof now->state);
    for (size_t i = 0; i < w->nfriction; i++)
        now->state[w->of[i]] = y[i];
}

void cf_block_look(const struct cf_block_work *w, const double y[], struct cf_block_now *now)
{
    put_states(w, y, now);
    now->v = w->V;
    if (w->velocity != CF_BLOCK_NONE)
        now->v = y[w->velocity];
    else if (w->spring != CF_BLOCK_NONE)
        balance(w, y[w->spring], now);
    now->mu = friction(w, now, now->rate);
    now->shown = w->spring == CF_BLOCK_NONE
                     ? now->mu
                     : y[w->spring] + w->b->number[CF_BLOCK_DAMPING] * (w->V - now->v);
}

void cf_block_carried(const struct cf_block_work *w, const double y[], struct cf_block_now *now)
{
    put_states(w, y, now);
    now->v = w->V;
    now->shown = now->mu = friction(w, now, now->rate);
}

/* ---- along columns */

/* The rest of a change, once mu's and the rates' along the column's states and parameters are
 * there. */
static void finish(const struct cf_block_work *w, size_t c, const struct cf_block_now *now,
                   const double ds[], bool carried, double slope, const double by_slip[],
                   struct cf_block_change *out)
{
    double d = w->b->number[CF_BLOCK_DAMPING], dV = cf_block_speed_by(w, c);
    double dd = cf_block_is_by(w, c, CF_BLOCK_DAMPING);
    bool springs = w->spring != CF_BLOCK_NONE && !carried;

    if (!springs)
        out->v = dV;
    else if (w->velocity != CF_BLOCK_NONE)
        out->v = ds[w->velocity];
    else
        out->v = (ds[w->spring] + dd * (w->V - now->v) + d * dV - out->mu) / (d + slope);
    out->mu += slope * out->v;
    for (size_t i = 0; i < w->nfriction; i++)
        out->rate[w->of[i]] += by_slip[w->of[i]] * out->v;
    out->shown = springs ? ds[w->spring] + dd * (w->V - now->v) + d * (dV - out->v) : out->mu;
}

static void put_direction(struct cf_block_work *w, size_t c, const double ds[])
{
    double *d = w->d + (c + 1) * CF_FRICTION_COLUMNS + CF_BY_STATE;

    for (size_t i = 0; i < w->nfriction; i++)
        d[w->of[i]] = ds[i];
}

void cf_block_vary(struct cf_block_work *w, const struct cf_block_now *now, const double s[],
                   bool carried, struct cf_block_change out[])
{
    struct cf_slide at = slide_of(w, now);
    double force[2 * (CF_BLOCK_COLUMNS + 1)], rate[(CF_BLOCK_COLUMNS + 1) * CF_FRICTION_STATES];

    for (size_t c = 0; c < w->ncolumn; c++)
        put_direction(w, c, s + c * w->n);
    cf_friction_vary(w->b->law, w->b->p, &at, w->ncolumn + 1, w->d, force, rate);
    for (size_t c = 0; c < w->ncolumn; c++) {
        out[c].mu = -force[2 * (c + 1)] / at.normal_N;
        if (cf_block_is_by(w, c, CF_BLOCK_LOAD))
            out[c].mu -= now->mu / at.normal_N;
        memcpy(out[c].rate, rate + (c + 1) * CF_FRICTION_STATES, sizeof out[c].rate);
        finish(w, c, now, s + c * w->n, carried, -force[0] / at.normal_N, rate, &out[c]);
    }
}

void cf_block_drift(struct cf_block_work *w, const struct cf_block_now *now, const double dydt[],
                    struct cf_block_change *out)
{
    const size_t none = CF_BLOCK_COLUMNS;
    struct cf_slide at = slide_of(w, now);
    double force[2], by_slip[CF_FRICTION_STATES], along[2];

    put_direction(w, none, dydt);
    cf_friction_vary(w->b->law, w->b->p, &at, 1, w->d, force, by_slip);
    cf_friction_vary(w->b->law, w->b->p, &at, 1, w->d + (none + 1) * CF_FRICTION_COLUMNS, along,
                     out->rate);
    out->mu = -along[0] / at.normal_N;
    finish(w, none, now, dydt, false, -force[0] / at.normal_N, by_slip, out);
}

/* ---- for the stepper */

void cf_block_rates(const void *context, double t, const double y[], double dydt[])
{
    const struct cf_block_work *w = context;
    struct cf_block_now now;

    (void) t;
    cf_block_look(w, y, &now);
    for (size_t i = 0; i < w->nfriction; i++)
        dydt[i] = now.rate[w->of[i]];
    if (w->spring != CF_BLOCK_NONE)
        dydt[w->spring] = w->b->number[CF_BLOCK_STIFFNESS] * (w->V - now.v);
    if (w->velocity != CF_BLOCK_NONE)
        dydt[w->velocity] = (now.shown - now.mu) / w->b->number[CF_BLOCK_MASS];
}

void cf_block_variation(const void *context, double t, const double y[], const double s[],
                        double dsdt[])
{
    /* the directions are the run's own room: what they hold is put anew each time */
    struct cf_block_work *w = (struct cf_block_work *) context;
    struct cf_block_change change[CF_BLOCK_COLUMNS];
    struct cf_block_now now;
    double mass = w->b->number[CF_BLOCK_MASS];

    (void) t;
    cf_block_look(w, y, &now);
    cf_block_vary(w, &now, s, false, change);
    for (size_t c = 0; c < w->ncolumn; c++) {
        double *to = dsdt + c * w->n;
        for (size_t i = 0; i < w->nfriction; i++)
            to[i] = change[c].rate[w->of[i]];
        if (w->spring != CF_BLOCK_NONE)
            to[w->spring] =
                w->b->number[CF_BLOCK_STIFFNESS] * (cf_block_speed_by(w, c) - change[c].v) +
                (cf_block_is_by(w, c, CF_BLOCK_STIFFNESS) ? w->V - now.v : 0);
        if (w->velocity != CF_BLOCK_NONE) {
            to[w->velocity] = (change[c].shown - change[c].mu) / mass;
            if (cf_block_is_by(w, c, CF_BLOCK_MASS))
                to[w->velocity] -= (now.shown - now.mu) / (mass * mass);
        }
    }
}
