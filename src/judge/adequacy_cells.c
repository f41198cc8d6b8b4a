#include "judge/parts.h"

#include <float.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void cf_cells_clear(struct cf_adequacy_cells *c)
{
    free(c->x);
    free(c->group);
    free(c->of_group);
    *c = (struct cf_adequacy_cells){0};
}

static bool alloc_cells(struct cf_adequacy_cells *c, size_t n, size_t p)
{
    *c = (struct cf_adequacy_cells){.n = n, .p = p, .x = calloc(n * (6 + p) + 1, sizeof *c->x)};
    if (!c->x)
        return false;
    c->r = c->x + n;
    c->weight = c->r + n;
    c->law = c->weight + n;
    c->place = c->law + n;
    c->work = c->place + n;
    c->slope = c->work + n;
    return true;
}

bool cf_cells_group(struct cf_adequacy_cells *c, const uint32_t group[])
{
    for (size_t i = 0; i < c->n; i++)
        c->ngroup = group[i] >= c->ngroup ? group[i] + 1 : c->ngroup;
    c->group = calloc(c->n + 1, sizeof *c->group);
    c->of_group = calloc(2 * c->ngroup + 1, sizeof *c->of_group);
    if (!c->group || !c->of_group)
        return false;
    c->load = c->of_group + c->ngroup;
    for (size_t i = 0; i < c->n; i++) {
        c->group[i] = group[i];
        c->of_group[group[i]] += c->weight[i];
    }
    return true;
}

/* One cell of rows [from, to). */
static void put_cell(const struct cf_adequacy_rows *rows, size_t from, size_t to,
                     struct cf_adequacy_cells *c, size_t at)
{
    double all = 0;

    for (size_t i = from; i < to; i++)
        all += rows->weight[i];
    c->weight[at] = all;
    for (size_t i = from; i < to; i++) {
        double share = rows->weight[i] / all;
        c->x[at] += share * rows->x[i];
        c->r[at] += share * rows->r[i];
        c->law[at] += share * rows->law[i];
        for (size_t k = 0; k < c->p; k++)
            c->slope[at * c->p + k] += share * rows->slope[i * c->p + k];
    }
    if (rows->x[from] == rows->x[to - 1])
        c->x[at] = rows->x[from]; /* one place is one, without rounding */
}

/* So many cells of equal count; as many as rows: each is one. */
bool cf_cells_even(const struct cf_adequacy_rows *rows, size_t n, struct cf_adequacy_cells *c)
{
    if (!alloc_cells(c, n, rows->p))
        return false;
    for (size_t i = 0; i < n; i++)
        put_cell(rows, i * rows->n / n, (i + 1) * rows->n / n, c, i);
    return true;
}

static size_t end_of_place(const struct cf_adequacy_rows *rows, size_t from)
{
    size_t to = from + 1;

    while (to < rows->n && rows->x[to] == rows->x[from])
        to++;
    return to;
}

bool cf_cells_many(const struct cf_adequacy_rows *rows, struct cf_adequacy_cells *c)
{
    size_t n = 0, places = 0, most = CF_ADEQUACY_CELLS;

    for (size_t i = 0; i < rows->n; i = end_of_place(rows, i))
        places++;
    if (places > most)
        return cf_cells_even(rows, most, c);
    if (!alloc_cells(c, most + places, rows->p))
        return false;
    for (size_t i = 0, to; i < rows->n; i = to) {
        to = end_of_place(rows, i);
        size_t here = to - i, pieces = here * most / rows->n + 1;
        for (size_t k = 0; k < pieces; k++)
            put_cell(rows, i + k * here / pieces, i + (k + 1) * here / pieces, c, n++);
    }
    c->n = n;
    return true;
}

void cf_cells_count(struct cf_adequacy_cells *c)
{
    c->places = 0;
    for (size_t i = 0; i < c->n; i++)
        if (i == 0 || c->x[i] != c->x[i - 1])
            c->place[c->places++] = c->x[i];
}

/* Has each place one group, and each group one place? */
bool cf_cells_grouped_by_place(const struct cf_adequacy_rows *rows,
                               const struct cf_adequacy_cells *c)
{
    bool apart = true;
    size_t groups = 0;

    for (size_t i = 0, to; i < rows->n; i = to) {
        to = end_of_place(rows, i);
        for (size_t k = i + 1; k < to; k++)
            apart = apart && rows->group[k] == rows->group[i];
        groups++;
    }
    return apart && groups == c->ngroup;
}

/* One cell a place, each of its own variance and the share of its group's. */
bool cf_cells_of_places(const struct cf_adequacy_rows *rows, size_t places, double share,
                        struct cf_adequacy_cells *c)
{
    size_t at = 0;

    if (!alloc_cells(c, places, rows->p))
        return false;
    for (size_t i = 0, to; i < rows->n; i = to) {
        to = end_of_place(rows, i);
        put_cell(rows, i, to, c, at);
        c->weight[at] = 1 / (share + 1 / c->weight[at]);
        at++;
    }
    return true;
}

/* Make x[i * stride], one of each cell, independent and of the variance of weight 1. */
void cf_cells_whiten(const struct cf_adequacy_cells *c, double x[], size_t stride)
{
    for (size_t i = 0; i < c->n; i++)
        x[i * stride] *= sqrt(c->weight[i]);
    if (!c->group)
        return;
    for (size_t i = 0; i < c->n; i++)
        c->load[c->group[i]] += sqrt(c->weight[i]) * x[i * stride];
    for (size_t i = 0; i < c->n; i++) {
        double all = c->of_group[c->group[i]];
        x[i * stride] -=
            sqrt(c->weight[i]) * c->load[c->group[i]] / all * (1 - 1 / sqrt(1 + c->share * all));
    }
    memset(c->load, 0, c->ngroup * sizeof *c->load);
}

/* The variance of the weighted mean of cells [first, end), over that of weight 1. */
double cf_cells_variance(const struct cf_adequacy_cells *c, size_t first, size_t end)
{
    double all = 0, shared = 0;

    for (size_t i = first; i < end; i++)
        all += c->weight[i];
    for (size_t i = first; i < end && c->group; i++)
        c->load[c->group[i]] += c->weight[i];
    for (size_t i = first; i < end && c->group; i++) {
        shared += gsl_pow_2(c->load[c->group[i]]);
        c->load[c->group[i]] = 0;
    }
    return 1 / all + c->share * shared / (all * all);
}

/* ---- the share that groups have, by restricted likelihood under the cubic */

/* Sums over rows from which it follows for any share. */
struct sums {
    const struct cf_adequacy_rows *rows;
    const struct cf_adequacy_cells *c; /* of the rows */
    size_t k;
    double whole[CF_CELLS_CUBIC + 1]
                [CF_CELLS_CUBIC + 1];    /* of weight b b', b the columns and behind them r */
    double (*group)[CF_CELLS_CUBIC + 1]; /* of weight b, by group */
};

static void put_powers(const struct sums *s, size_t i, double b[CF_CELLS_CUBIC + 1])
{
    b[0] = 1;
    for (size_t j = 1; j < s->k; j++)
        b[j] = b[j - 1] * (2 * s->c->x[i] - 1);
    b[s->k] = s->c->r[i];
}

static void add_sums(struct sums *s)
{
    for (size_t i = 0; i < s->c->n; i++) {
        double b[CF_CELLS_CUBIC + 1];
        put_powers(s, i, b);
        for (size_t j = 0; j <= s->k; j++) {
            s->group[s->c->group[i]][j] += s->c->weight[i] * b[j];
            for (size_t k = 0; k <= s->k; k++)
                s->whole[j][k] += s->c->weight[i] * b[j] * b[k];
        }
    }
}

/* -2 ln L_R, but for a constant: by Cholesky's factor of the sums with the residuals behind. */
static double restricted(const struct sums *s, double share)
{
    double a[CF_CELLS_CUBIC + 1][CF_CELLS_CUBIC + 1], log_det = 0;
    size_t k = s->k;

    memcpy(a, s->whole, sizeof a);
    for (size_t g = 0; g < s->c->ngroup; g++) {
        double all = s->c->of_group[g], less = share / (1 + share * all);
        log_det += log1p(share * all);
        for (size_t i = 0; i <= k; i++)
            for (size_t j = 0; j <= k; j++)
                a[i][j] -= less * s->group[g][i] * s->group[g][j];
    }
    for (size_t i = 0; i < k; i++) { /* what is left in a[k][k] is the sum of squares */
        log_det += log(a[i][i]);
        for (size_t j = i + 1; j <= k; j++)
            for (size_t l = i + 1; l <= k; l++)
                a[j][l] -= a[j][i] * a[i][l] / a[i][i];
    }
    double rss = fmax(a[k][k], DBL_MIN), dof = (double) s->c->n - (double) k;
    return isnan(s->rows->sigma) ? log_det + dof * log(rss)
                                 : log_det + rss / gsl_pow_2(s->rows->sigma);
}

/* The least of a function of one minimum between low and high. */
static double find_least(const struct sums *s, double low, double high)
{
    const double golden = 0.6180339887498949, near = 1e-4;
    double a = high - golden * (high - low), b = low + golden * (high - low);

    while (high - low > near) {
        if (restricted(s, exp(a)) < restricted(s, exp(b)))
            high = b;
        else
            low = a;
        a = high - golden * (high - low);
        b = low + golden * (high - low);
    }
    return exp((low + high) / 2);
}

/* From a share that no data show to one beside which rows have no error of their own. */
int cf_cells_find_share(const struct cf_adequacy_rows *rows, struct cf_adequacy_cells *c,
                        struct cf_error *err)
{
    const double least = log(1e-4), most = log(1e6), step = log(2);
    struct sums s = {
        .rows = rows, .c = c, .k = c->places < CF_CELLS_CUBIC ? c->places : CF_CELLS_CUBIC};
    double one = 0, best, at = least;

    s.group = calloc(c->ngroup + 1, sizeof *s.group);
    if (!s.group)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu groups", c->ngroup);
    add_sums(&s);
    for (size_t i = 0; i < c->n; i++)
        one += c->weight[i] / (double) c->n;
    best = restricted(&s, 0);
    c->share = 0;
    for (double by = least; by <= most; by += step)
        if (restricted(&s, exp(by) / one) < best) {
            best = restricted(&s, exp(by) / one);
            at = by;
            c->share = exp(by) / one;
        }
    if (c->share > 0)
        c->share = find_least(&s, at - step - log(one), at + step - log(one));
    free(s.group);
    return CF_OK;
}
