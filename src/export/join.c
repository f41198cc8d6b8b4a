/* Values by body from values by pair.
 *
 * In the right variable each rule but the smaller is a sum, x_i + x_j = s over the fits: x is v in
 * sums and means, v^-p in series, -ln v in products, v/by^p in weighted means. Along a tree of fits
 * every x is a + t or a - t with one t; a circle of an odd number of fits sets t, one of an even
 * number must close, and no x may be below 0. The smaller of two: the least that a body can have is
 * the largest of its fits. */

#include "export/join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-9; /* of sums that close */
static const double same = 1e-14;    /* of values that rounding alone parts */

struct part {
    struct cf_mapping *m;
    size_t n; /* fits */
    const struct cf_join *join;
    size_t nbody;
    const struct cf_export_body **body;
    size_t (*end)[2];        /* the bodies of each fit */
    double *sum;             /* of each fit; NAN: it has no such value */
    double *x, *shift;       /* of each body: x = shift + sign t */
    int *sign;               /* 0: not reached */
    double low, high, scale; /* of t; of sums */
};

static double power_of(const struct cf_join *join)
{
    return join->power > 0 ? join->power : 1;
}

static double to_x(const struct cf_join *join, double value, double by)
{
    switch (join->how) {
    case CF_JOINED_SERIES:
        return pow(value, -power_of(join));
    case CF_JOINED_HARMONIC:
        return 1 / value;
    case CF_JOINED_PRODUCT:
        return -log(value);
    case CF_JOINED_WEIGHTED:
        return value / pow(by, power_of(join));
    default:
        return value;
    }
}

static double from_x(const struct cf_join *join, double x, double by)
{
    switch (join->how) {
    case CF_JOINED_SERIES:
        return x > 0 ? pow(x, -1 / power_of(join)) : join->neutral;
    case CF_JOINED_HARMONIC:
        return 1 / x;
    case CF_JOINED_PRODUCT:
        return exp(-x);
    case CF_JOINED_WEIGHTED:
        return x * pow(by, power_of(join));
    default:
        return x;
    }
}

/* What the target makes of a fit's sum. */
static double of_pair(const struct part *w, size_t i)
{
    const struct cf_join *join = w->join;
    const struct cf_mapping *m = &w->m[i];
    double by = 0;

    switch (join->how) {
    case CF_JOINED_MEAN:
        return w->sum[i] / 2;
    case CF_JOINED_HARMONIC:
        return 2 / w->sum[i];
    case CF_JOINED_WEIGHTED:
        for (int which = 0; which < 2; which++)
            by += pow(cf_mapping_of(m, join->by, which), -power_of(join));
        return w->sum[i] / by;
    default:
        return from_x(join, w->sum[i], 1);
    }
}

static void read_sums(struct part *w, const struct cf_join *join, double sum[])
{
    for (size_t i = 0; i < w->n; i++) {
        double x[2];
        if (cf_material_is_friction(w->m[i].material)) {
            sum[i] = (double) NAN; /* of no pair */
            continue;
        }
        for (int which = 0; which < 2; which++)
            x[which] = to_x(join, cf_mapping_of(&w->m[i], join->name, which),
                            join->by ? cf_mapping_of(&w->m[i], join->by, which) : 1);
        sum[i] = join->how == CF_JOINED_SMALLER ? x[0] <= x[1] ? x[0] : x[1] : x[0] + x[1];
    }
}

/* The least x of a body of a fit; -INFINITY: any. */
static double least(const struct part *w, size_t i, int which)
{
    double x = w->join->above ? to_x(w->join, cf_mapping_of(&w->m[i], w->join->above, which), 1)
                              : (double) NAN;
    return isnan(x) ? -(double) INFINITY : x;
}

/* Does a body of this part get two values, or one below its least? */
static bool is_at_odds(const struct part *w)
{
    double first[2] = {0};

    for (size_t b = 0; b < w->nbody; b++) {
        bool any = false;
        for (size_t i = 0; i < w->n; i++)
            for (int which = 0; which < 2 && w->sign[b]; which++) {
                if (isnan(w->sum[i]) || w->end[i][which] != b)
                    continue;
                first[any] = cf_mapping_of(&w->m[i], w->join->name, which);
                if ((any && first[0] != first[1]) ||
                    to_x(w->join, first[any], 1) < least(w, i, which))
                    return true;
                any = true;
            }
    }
    return false;
}

/* All bodies that fits lead to from one of them, and whether the circles on the way close. */
static bool reach(struct part *w, size_t from)
{
    bool more = true, closed = true;

    memset(w->sign, 0, w->nbody * sizeof *w->sign);
    w->sign[from] = 1;
    w->shift[from] = 0;
    w->low = -(double) INFINITY;
    w->high = (double) INFINITY;
    w->scale = 0;
    while (more) {
        more = false;
        for (size_t i = 0; i < 2 * w->n; i++) {
            size_t a = w->end[i / 2][i % 2], b = w->end[i / 2][1 - i % 2];
            if (isnan(w->sum[i / 2]) || !w->sign[a] || w->sign[b])
                continue;
            w->sign[b] = -w->sign[a];
            w->shift[b] = w->sum[i / 2] - w->shift[a];
            w->scale = fmax(w->scale, fabs(w->sum[i / 2]));
            more = true;
        }
    }
    for (size_t i = 0; i < w->n; i++) {
        size_t a = w->end[i][0], b = w->end[i][1];
        if (isnan(w->sum[i]) || !w->sign[a])
            continue;
        double rest = w->sum[i] - w->shift[a] - w->shift[b];
        if (w->sign[a] != w->sign[b]) {
            closed = closed && fabs(rest) <= rounding * w->scale;
            continue;
        }
        double t = rest / (w->sign[a] + w->sign[b]), slack = rounding * w->scale;
        closed = closed && t >= w->low - slack && t <= w->high + slack;
        w->low = w->high = t;
    }
    return closed;
}

/* The body that most fits of this part share. */
static size_t hub(const struct part *w)
{
    size_t best = 0, most = 0;

    for (size_t b = 0; b < w->nbody; b++) {
        size_t n = 0;
        for (size_t i = 0; i < w->n && w->sign[b]; i++)
            n += !isnan(w->sum[i]) && (w->end[i][0] == b || w->end[i][1] == b);
        if (n > most) {
            most = n;
            best = b;
        }
    }
    return best;
}

/* The least x of each body bound t. */
static void narrow(struct part *w)
{
    for (size_t i = 0; i < 2 * w->n; i++) {
        size_t b = w->end[i / 2][i % 2];
        double t = least(w, i / 2, i % 2) - w->shift[b];
        if (w->sign[b] > 0 && !isnan(w->sum[i / 2]))
            w->low = fmax(w->low, t);
        if (w->sign[b] < 0 && !isnan(w->sum[i / 2]))
            w->high = fmin(w->high, -t);
    }
}

static bool solve_sums(struct part *w)
{
    const struct cf_join *join = w->join;
    bool bounded = !join->above_1;
    double slack = rounding * w->scale, t;

    for (size_t b = 0; b < w->nbody && bounded; b++) {
        if (w->sign[b] > 0)
            w->low = fmax(w->low, -w->shift[b]);
        if (w->sign[b] < 0)
            w->high = fmin(w->high, w->shift[b]);
    }
    narrow(w);
    if (!isfinite(w->scale) || !(w->low <= w->high + slack))
        return false;
    if (isnan(join->neutral)) {
        t = (w->low + w->high) / 2;
    } else { /* x of the neutral value is 0 */
        size_t b = hub(w);
        t = fmin(fmax(-w->sign[b] * w->shift[b], w->low), w->high);
    }
    for (size_t b = 0; b < w->nbody; b++) {
        w->x[b] = w->shift[b] + w->sign[b] * t;
        if (bounded)
            w->x[b] = fmax(0, w->x[b]);
    }
    for (size_t i = 0; i < w->n; i++) { /* what differs by rounding alone is one value */
        double *x[] = {&w->x[w->end[i][0]], &w->x[w->end[i][1]]};
        if (!isnan(w->sum[i]) && fabs(*x[0] - *x[1]) <= same * w->scale)
            *x[0] = *x[1];
    }
    return true;
}

static bool solve_smaller(struct part *w)
{
    for (size_t b = 0; b < w->nbody; b++)
        w->x[b] = -(double) INFINITY;
    for (size_t i = 0; i < 2 * w->n; i++) {
        double *x = &w->x[w->end[i / 2][i % 2]];
        if (!isnan(w->sum[i / 2]))
            *x = fmax(*x, w->sum[i / 2]);
    }
    for (size_t i = 0; i < w->n; i++)
        if (!isnan(w->sum[i]) && w->sign[w->end[i][0]] &&
            fmin(w->x[w->end[i][0]], w->x[w->end[i][1]]) > w->sum[i])
            return false;
    return true;
}

/* Give the fits of this part what was found; false where that is no number that can be written. */
static bool give(struct part *w)
{
    const struct cf_join *join = w->join;

    for (size_t i = 0; i < w->n; i++)
        for (int which = 0; which < 2 && !isnan(w->sum[i]); which++) {
            size_t b = w->end[i][which];
            struct cf_mapping *m = &w->m[i];
            if (!w->sign[b])
                break;
            double x = fmax(w->x[b], least(w, i, which));
            double by = join->by ? cf_mapping_of(m, join->by, which) : 1;
            double value = from_x(join, x, by);
            if (!isfinite(value))
                return false;
            cf_mapping_set(m, join->name, which, value + 0.0); /* no -0 */
        }
    return true;
}

static const char *const verb[] = {
    [CF_JOINED_SUM] = "adds",
    [CF_JOINED_MEAN] = "takes the mean of",
    [CF_JOINED_SERIES] = "puts in series",
    [CF_JOINED_HARMONIC] = "takes the harmonic mean of",
    [CF_JOINED_PRODUCT] = "multiplies",
    [CF_JOINED_SMALLER] = "takes the smaller",
    [CF_JOINED_WEIGHTED] = "weights by the stiffness",
};

static int fail(const struct part *w, struct cf_error *err)
{
    char pairs[512] = "", others[256];
    size_t used = 0, left = 0;

    for (size_t i = 0; i < w->n; i++) {
        const struct cf_export_body *body = w->m[i].material->body;
        const char *unit = cf_mapping_unit(&w->m[i], w->join->name);
        if (isnan(w->sum[i]) || !w->sign[w->end[i][0]])
            continue;
        if (used + 2 * CF_NAME + 64 > sizeof pairs) {
            left++;
            continue;
        }
        used += (size_t) snprintf(pairs + used, sizeof pairs - used, "%s%s with %s %.6g%s%s",
                                  used ? ", " : "", body[0].name, body[1].name, of_pair(w, i),
                                  strcmp(unit, "1") ? " " : "", strcmp(unit, "1") ? unit : "");
    }
    if (left)
        snprintf(pairs + used, sizeof pairs - used, " and %zu more", left);
    cf_export_by_pair(others, sizeof others);
    return cf_fail(err, CF_EINPUT,
                   "%s %s %s of two bodies, and no values by body give each pair its own: %s; "
                   "export them apart, for scenes of their own, or to what holds values by pair: "
                   "%s",
                   w->m[0].target->name, verb[w->join->how], w->join->name, pairs, others);
}

static int solve(struct part *w, struct cf_error *err)
{
    bool *done = calloc(w->nbody + 1, sizeof *done);
    int status = done ? CF_OK : cf_fail(err, CF_ENOMEM, "out of memory");

    for (size_t b = 0; b < w->nbody && !status; b++) {
        if (done[b])
            continue;
        bool closed = reach(w, b), smaller = w->join->how == CF_JOINED_SMALLER;
        for (size_t i = 0; i < w->nbody; i++)
            done[i] = done[i] || w->sign[i];
        if (is_at_odds(w) && !((smaller ? solve_smaller(w) : closed && solve_sums(w)) && give(w)))
            status = fail(w, err);
    }
    free(done);
    return status;
}

/* The bodies of the fits, or their types, each once. Fits of slides have none. */
static void collect(struct part *w)
{
    bool by_type = w->m[0].target->by_type;

    for (size_t i = 0; i < 2 * w->n; i++) {
        const struct cf_export_body *body = &w->m[i / 2].material->body[i % 2];
        size_t b = 0;
        while (b < w->nbody && !(by_type ? cf_export_same_type(w->body[b], body)
                                         : cf_export_same_body(w->body[b], body)))
            b++;
        if (b == w->nbody)
            w->body[w->nbody++] = body;
        w->end[i / 2][i % 2] = b;
    }
}

/* The sums of all rules are those of the fits' own values, and so come before any is changed. */
static int all_rules(struct part *w, struct cf_error *err)
{
    const struct cf_join *joins = w->m[0].target->joins;
    size_t n = 0;
    int status = CF_OK;

    while (joins[n].name)
        n++;
    double *sums = calloc(n * w->n, sizeof *sums);
    if (!sums)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    for (size_t j = 0; j < n; j++)
        read_sums(w, &joins[j], sums + j * w->n);
    for (size_t j = 0; j < n && !status; j++) {
        w->join = &joins[j];
        w->sum = sums + j * w->n;
        status = solve(w, err);
    }
    free(sums);
    return status;
}

int cf_join_bodies(struct cf_mapping m[], size_t n, struct cf_error *err)
{
    struct part w = {.m = m,
                     .n = n,
                     .body = calloc(2 * n, sizeof *w.body),
                     .end = calloc(n, sizeof *w.end),
                     .x = calloc(2 * n, sizeof *w.x),
                     .shift = calloc(2 * n, sizeof *w.shift),
                     .sign = calloc(2 * n, sizeof *w.sign)};
    int status = CF_OK;

    if (!w.body || !w.end || !w.x || !w.shift || !w.sign)
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    else {
        collect(&w);
        status = all_rules(&w, err);
    }
    free(w.body);
    free(w.end);
    free(w.x);
    free(w.shift);
    free(w.sign);
    return status;
}
