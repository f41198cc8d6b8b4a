#include "volume/barrier.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "geometry/vector.h"
#include "volume/balance.h"
#include "volume/implicit.h"

enum { MOST = 4, MAX_STEPS = 500 };

const double cf_overlap_thin = 1e-11;

/* What is as many lengths of the bodies away is without an end. */
static const double FAR = 1e6;

struct problem {
    const struct cf_overlap *overlap;
    int n;
    double cost[MOST]; /* cost.x is added to the barrier */
    bool loose;        /* what it does not depend on is left as it is */
    double enough;     /* of the fourth variable: below it, it ends */
    double hold;       /* hold/2 times the square of the first three is added, too */
};

static double dot(int n, const double a[], const double b[])
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* A surface at a place: |u| <= L. The fourth variable, where there is one, is added to the reach.
 */
struct place {
    const struct cf_conic *conic;
    double L, u[3], slope[MOST];
    double room; /* what the barrier is minus the logarithm of; < 0 or NAN outside */
};

static void place_at(const struct problem *p, size_t s, const double x[], struct place *out)
{
    const struct cf_conic *conic = &p->overlap->conic[s];
    double length;

    out->conic = conic;
    memcpy(out->slope, conic->slope, sizeof conic->slope);
    out->slope[3] = s < p->overlap->nfixed ? 0 : 1;
    out->L = conic->reach + dot(p->n, out->slope, x);
    out->room = out->L;
    if (conic->flat)
        return;
    for (int k = 0; k < 3; k++)
        out->u[k] = conic->offset[k] + cf_vec_dot(conic->spread[k], x);
    length = cf_vec_norm(out->u);
    out->room = out->L > length ? (out->L - length) * (out->L + length) : -1;
}

/* Its slope of the barrier. */
static void place_slope(const struct place *at, int n, double out[MOST])
{
    for (int i = 0; i < n; i++)
        out[i] = -(at->conic->flat ? 1 : 2 * at->L) * at->slope[i] / at->room;
    for (int i = 0; i < 3 && !at->conic->flat; i++)
        for (int k = 0; k < 3; k++)
            out[i] += 2 * at->u[k] * at->conic->spread[k][i] / at->room;
}

static double barrier(const struct problem *p, const double x[])
{
    double sum = dot(p->n, p->cost, x) + p->hold / 2 * dot(3, x, x);

    for (size_t s = 0; s < p->overlap->n; s++) {
        struct place at;
        place_at(p, s, x, &at);
        if (!(at.room > 0))
            return INFINITY;
        sum -= log(at.room);
    }
    return sum;
}

static void slopes(const struct problem *p, const double x[], double g[MOST], double H[MOST][MOST])
{
    memcpy(g, p->cost, MOST * sizeof *g);
    memset(H, 0, MOST * sizeof *H);
    for (int i = 0; i < 3; i++) {
        g[i] += p->hold * x[i];
        H[i][i] = p->hold;
    }
    for (size_t s = 0; s < p->overlap->n; s++) {
        struct place at;
        double own[MOST];
        place_at(p, s, x, &at);
        place_slope(&at, p->n, own);
        for (int i = 0; i < p->n; i++) {
            g[i] += own[i];
            for (int j = 0; j <= i; j++) {
                H[i][j] += own[i] * own[j];
                if (at.conic->flat)
                    continue;
                H[i][j] -= 2 * at.slope[i] * at.slope[j] / at.room;
                for (int k = 0; k < 3 && i < 3; k++)
                    H[i][j] += 2 * at.conic->spread[k][i] * at.conic->spread[k][j] / at.room;
            }
        }
    }
}

/* H = C C' in place, lower; false where it is not positive definite to some digits and may not be
 * made so by adding to it. */
static bool factor(int n, double H[MOST][MOST], bool add)
{
    double most = 0;

    for (int i = 0; i < n; i++)
        most = fmax(most, H[i][i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = H[i][j] - dot(j, H[i], H[j]);
            if (i == j && !(sum > 1e-15 * most)) {
                if (!add)
                    return false;
                sum = 1e-15 * most;
            }
            H[i][j] = i == j ? sqrt(sum) : sum / H[j][j];
        }
    return true;
}

/* The step -H^-1 g, and the decrement: the square of its length in the metric of H. */
static double newton_step(int n, double C[MOST][MOST], const double g[MOST], double step[MOST])
{
    double square = 0;

    for (int i = 0; i < n; i++) {
        step[i] = (-g[i] - dot(i, C[i], step)) / C[i][i];
        square += step[i] * step[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            step[i] -= C[j][i] * step[j];
        step[i] /= C[i][i];
    }
    return square;
}

/* Newton's method until the decrement is below `near`; H becomes its factor there. A step of
 * 1/(1 + decrement) is always inside and downhill; a longer one is tried first. */
static int minimise(const struct problem *p, double x[MOST], double near, double C[MOST][MOST])
{
    double now = barrier(p, x), before = INFINITY;

    for (int k = 0; k < MAX_STEPS; k++) {
        double g[MOST], step[MOST] = {0}, to[MOST] = {0}, decrement, share = 1, then;
        slopes(p, x, g, C);
        if (!factor(p->n, C, p->loose))
            return CF_ERANGE;
        decrement = sqrt(newton_step(p->n, C, g, step));
        if (!isfinite(decrement))
            return CF_ESOLVE;
        /* below some 1e-4 it squares with each step, until rounding is all that is left */
        if (decrement < near || (decrement < 1e-4 && decrement > before / 2))
            return CF_OK;
        before = decrement;
        for (;; share /= 2) {
            bool sure = share <= 1.001 / (1 + decrement);
            for (int i = 0; i < p->n; i++)
                to[i] = x[i] + share * step[i];
            then = barrier(p, to);
            if (then < now || (sure && isfinite(then)))
                break;
            if (share < 1e-12)
                return CF_ESOLVE;
        }
        memcpy(x, to, sizeof to);
        if (p->n == MOST && x[MOST - 1] < p->enough)
            return CF_OK;
        now = then;
    }
    return CF_ESOLVE;
}

/* Each surface counts for 2, a flat one for 1: the cost is that much above the least at most, in
 * units of which it is told. */
static double complexity(const struct cf_overlap *overlap)
{
    double sum = 0;

    for (size_t s = 0; s < overlap->n; s++)
        sum += overlap->conic[s].flat ? 1 : 2;
    return sum;
}

static double greatest(const struct cf_overlap *overlap, const double x[3])
{
    double most = -INFINITY;

    for (size_t s = overlap->nfixed; s < overlap->n; s++)
        most = fmax(most, cf_conic_value(&overlap->conic[s], x, NULL));
    return most;
}

int cf_overlap_inside(const struct cf_overlap *overlap, double x[3], double *bound,
                      struct cf_error *err)
{
    static const double near = 0.3, quickly = 8;
    /* some ten lengths: bodies without an end are not left for far away */
    struct problem p = {.overlap = overlap, .n = MOST, .loose = true, .hold = 1e-2};
    double y[MOST] = {x[0], x[1], x[2]}, C[MOST][MOST];

    *bound = greatest(overlap, x);
    if (*bound < -cf_overlap_thin)
        return CF_OK;
    y[3] = *bound + 1;
    for (double weight = 1; weight < 1e16; weight *= quickly) {
        int status;
        p.cost[3] = weight;
        status = minimise(&p, y, near, C);
        /* what rounding leaves of the barrier at a touch is good enough */
        if (status && weight < 1e12)
            return cf_fail(err, CF_ESOLVE, "no point in the overlap was found in %d steps",
                           MAX_STEPS);
        memcpy(x, y, 3 * sizeof *x);
        *bound = greatest(overlap, x);
        if (status || *bound < -cf_overlap_thin)
            break;
    }
    return CF_OK;
}

/* What some surfaces add to the slope of the barrier, for a unit of the cost. */
static void pull(const struct problem *p, const double y[MOST], size_t from, size_t to,
                 double weight, double n[3])
{
    cf_vec_scale(0, n, n);
    for (size_t s = from; s < to; s++) {
        struct place at;
        double own[MOST];
        place_at(p, s, y, &at);
        place_slope(&at, p->n, own);
        cf_vec_add_scaled(n, 1 / weight, own, n);
    }
}

/* What is followed: x, the bound and n. */
enum { FOLLOWED = MOST + 3 };

/* The weights of the cost, each so many times the one before. */
static const double faster = 8, last = 2097152; /* faster^7 */

/* On the path of centres it is off by a power series in 1/weight: Richardson's extrapolation from
 * three weights, each `faster` times the one before. */
static void extrapolate(double at[3][FOLLOWED])
{
    for (int k = 0; k < FOLLOWED; k++) {
        double early = (faster * at[1][k] - at[0][k]) / (faster - 1),
               late = (faster * at[2][k] - at[1][k]) / (faster - 1);
        at[2][k] = (faster * faster * late - early) / (faster * faster - 1);
    }
}

int cf_overlap_deepest(const struct cf_overlap *overlap, double x[3], double *bound, double n[3],
                       struct cf_error *err)
{
    struct problem p = {.overlap = overlap, .n = MOST, .loose = true, .enough = -FAR};
    double y[MOST] = {x[0], x[1], x[2]}, C[MOST][MOST], at[3][FOLLOWED] = {{0}};

    y[3] = greatest(overlap, x) + 1;
    for (double weight = 1; weight <= last; weight *= faster) {
        bool kept = weight >= last / (faster * faster);
        int status;
        p.cost[3] = weight;
        status = minimise(&p, y, kept ? 1e-12 : 0.1, C);
        if (fabs(y[3]) > FAR || cf_vec_norm(y) > FAR)
            return cf_fail(err, CF_ERANGE, "the way into a body has no end");
        if (status)
            return cf_fail(err, CF_ESOLVE, "the deepest point was not found in %d steps",
                           MAX_STEPS);
        memmove(at[0], at[1], 2 * sizeof at[0]);
        memcpy(at[2], y, sizeof y);
        pull(&p, y, overlap->nfixed, overlap->n, weight, at[2] + MOST);
    }
    extrapolate(at);
    memcpy(x, at[2], 3 * sizeof *x);
    *bound = at[2][3];
    memcpy(n, at[2] + MOST, 3 * sizeof *n);
    return CF_OK;
}

int cf_overlap_furthest(const struct cf_overlap *overlap, const double way[3], double x[3],
                        double n[3], struct cf_error *err)
{
    struct problem p = {.overlap = overlap, .n = 3, .loose = true};
    double y[MOST] = {x[0], x[1], x[2]}, C[MOST][MOST], at[3][FOLLOWED] = {{0}};

    for (double weight = 1; weight <= last; weight *= faster) {
        bool kept = weight >= last / (faster * faster);
        cf_vec_scale(-weight, way, p.cost);
        int status = minimise(&p, y, kept ? 1e-12 : 0.1, C);
        if (cf_vec_norm(y) > FAR)
            return cf_fail(err, CF_ERANGE, "the overlap of two bodies has no end");
        if (status)
            return cf_fail(err, CF_ESOLVE, "the furthest point was not found in %d steps",
                           MAX_STEPS);
        memmove(at[0], at[1], 2 * sizeof at[0]);
        memcpy(at[2], y, sizeof y);
        pull(&p, y, 0, overlap->nfixed, weight, at[2] + MOST);
    }
    extrapolate(at);
    memcpy(x, at[2], 3 * sizeof *x);
    memcpy(n, at[2] + MOST, 3 * sizeof *n);
    return CF_OK;
}

/* The barrier in the measure of map about x. */
static void look_from(const struct cf_overlap *overlap, const double x[3], double map[3][3],
                      struct cf_conic seen[])
{
    for (size_t s = 0; s < overlap->n; s++)
        seen[s] = cf_conic_mapped(&overlap->conic[s], x, map);
}

int cf_overlap_centre(const struct cf_overlap *overlap, double x[3], double map[3][3],
                      struct cf_error *err)
{
    enum { ROUNDS = 2 }; /* each of them takes 15 digits off what is thin */
    struct cf_conic seen[CF_MAX_SURFACES];
    const struct cf_overlap near = {.conic = seen, .n = overlap->n};
    struct problem p = {.overlap = &near, .n = 3};
    double y[MOST] = {0}, C[MOST][MOST], all[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, moved[3];
    int status;

    look_from(overlap, x, all, seen);
    for (int round = 0; round < ROUNDS; round++) {
        double g[MOST], H[3][3];
        slopes(&p, y, g, C);
        for (int i = 0; i < 9; i++) /* it is lower */
            H[i / 3][i % 3] = C[i / 3 > i % 3 ? i / 3 : i % 3][i / 3 > i % 3 ? i % 3 : i / 3];
        cf_balance(H, map);
        cf_multiply(all, map, all);
        look_from(overlap, x, all, seen);
    }
    status = minimise(&p, y, 1e-6, C);
    cf_vec_turn(all, y, moved);
    cf_vec_add_scaled(x, 1, moved, x);
    /* it goes on and on, or it does not matter where it is */
    if (status == CF_ERANGE || (status && cf_vec_norm(x) > FAR))
        return cf_fail(err, CF_ERANGE, "the overlap of two bodies has no end");
    if (status)
        return cf_fail(err, CF_ESOLVE, "the centre of an overlap was not found in %d steps",
                       MAX_STEPS);
    /* the inverse of C' */
    memset(map, 0, 3 * sizeof *map);
    for (int c = 0; c < 3; c++)
        for (int r = c; r >= 0; r--) {
            double sum = r == c;
            for (int k = r + 1; k <= c; k++)
                sum -= C[k][r] * map[k][c];
            map[r][c] = sum / C[r][r];
        }
    cf_multiply(all, map, map);
    cf_straighten(map);
    return CF_OK;
}

int cf_overlap_extent(const struct cf_overlap *overlap, double low[3], double high[3],
                      struct cf_error *err)
{
    double parts = complexity(overlap);

    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            struct problem p = {.overlap = overlap, .n = 3};
            double x[MOST] = {0}, C[MOST][MOST], end;
            for (double weight = 1; weight <= 16; weight *= 4) {
                p.cost[k] = -side * weight;
                if (minimise(&p, x, 0.01, C))
                    return cf_fail(err, CF_ESOLVE, "the end of an overlap was not found");
            }
            end = x[k] + side * (parts + sqrt(parts) * 0.02) / 16;
            *(side < 0 ? &low[k] : &high[k]) = end;
        }
    return CF_OK;
}
