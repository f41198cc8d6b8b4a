#include "judge/adequacy.h"

#include <float.h>
#include <gsl/gsl_bspline.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "judge/parts.h"

enum { GRID = CF_ADEQUACY_GRID, CUBIC = CF_CELLS_CUBIC };

/* Knots that a reference may have; so many columns need twice as many places. */
static const size_t knots_tried[] = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24};
enum { NTRIED = sizeof knots_tried / sizeof *knots_tried, PLACES_A_COLUMN = 2 };

/* Means are of this share of the cells, and of at least so many, where there are enough of them. */
static const double share_of_mean = 0.125;
enum { LEAST_OF_MEAN = 3, LEAST_FOR_MEANS = 8 };

/* Of a range, and in spacings: what is narrower is not seen. As counted with bumps. */
static const double seen_share = 1.0 / 6, seen_spacings = 2;

/* A given sigma holds unless chi^2 is beyond this quantile. */
static const double holds = 0.95;

static const char *const word_text[] = {
#define CF_ADEQUACY_TEXT(name, text) [name] = (text),
    CF_ADEQUACY_LIST(CF_ADEQUACY_TEXT)};

const char *cf_adequacy_text(enum cf_adequacy_word word)
{
    return word_text[word];
}

static int no_memory(size_t cells, struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "no memory for a reference of %zu places", cells);
}

/* Fixed columns, fitted to cells by least squares: delta^(x) = l(x).(Q'r). */
struct smooth {
    size_t k, knots;
    gsl_matrix *QR; /* of the columns at the cells, whitened */
    gsl_vector *tau;
    double *l;      /* GRID * k */
    double *length; /* GRID: |l|, the standard error for s = 1 */
    double *delta;  /* GRID */
    double q[CF_ADEQUACY_CELLS];
    double rss, s, dof;
};

static void clear_smooth(struct smooth *m)
{
    if (m->QR)
        gsl_matrix_free(m->QR);
    if (m->tau)
        gsl_vector_free(m->tau);
    free(m->l);
    *m = (struct smooth){0};
}

static double student(double level, double dof)
{
    return isinf(dof) ? gsl_cdf_ugaussian_Pinv(level) : gsl_cdf_tdist_Pinv(level, dof);
}

/* ---- columns */

/* Cubic B-splines on [0, 1] whose inner knots are at quantiles of the places; columns of fewer
 * places are powers. */
struct basis {
    size_t k;
    gsl_bspline_workspace *splines; /* NULL: powers */
    gsl_vector *value;
};

static void clear_basis(struct basis *b)
{
    if (b->splines)
        gsl_bspline_free(b->splines);
    if (b->value)
        gsl_vector_free(b->value);
}

static bool make_basis(const struct cf_adequacy_cells *c, size_t knots, struct basis *b)
{
    size_t few = c->places < CUBIC ? c->places : CUBIC;

    *b = (struct basis){.k = c->places < CF_ADEQUACY_PLACES ? few : CUBIC + knots};
    b->value = gsl_vector_alloc(b->k);
    if (c->places < CF_ADEQUACY_PLACES)
        return b->value;
    gsl_vector *breaks = gsl_vector_alloc(knots + 2);
    b->splines = gsl_bspline_alloc(CUBIC, knots + 2);
    if (breaks && b->splines) {
        gsl_vector_set(breaks, 0, 0);
        gsl_vector_set(breaks, knots + 1, 1);
        for (size_t i = 1; i <= knots; i++)
            gsl_vector_set(breaks, i,
                           gsl_stats_quantile_from_sorted_data(c->place, 1, c->places,
                                                               (double) i / ((double) knots + 1)));
        gsl_bspline_knots(breaks, b->splines);
    }
    bool made = breaks && b->splines && b->value;
    if (breaks)
        gsl_vector_free(breaks);
    return made;
}

static void find_columns(struct basis *b, double x)
{
    double power = 1, u = 2 * x - 1;

    if (b->splines)
        gsl_bspline_eval(fmin(fmax(x, 0), 1), b->value, b->splines);
    for (size_t j = 0; j < b->k && !b->splines; j++, power *= u)
        gsl_vector_set(b->value, j, power);
}

/* l(x) = R^-T b(x), column by column of R, and its length. */
static void put_direction(const struct smooth *m, const gsl_vector *b, double l[], double *length)
{
    double squares = 0;

    for (size_t j = 0; j < m->k; j++) {
        l[j] = gsl_vector_get(b, j);
        for (size_t i = 0; i < j; i++)
            l[j] -= gsl_matrix_get(m->QR, i, j) * l[i];
        l[j] /= gsl_matrix_get(m->QR, j, j);
        squares += l[j] * l[j];
    }
    *length = sqrt(squares);
}

static bool alloc_smooth(struct smooth *m, size_t n, size_t k)
{
    *m = (struct smooth){.k = k,
                         .QR = gsl_matrix_alloc(n, k),
                         .tau = gsl_vector_alloc(k < n ? k : n),
                         .l = calloc(GRID * (k + 2), sizeof *m->l)};
    m->length = m->l ? m->l + GRID * k : NULL;
    m->delta = m->l ? m->length + GRID : NULL;
    return m->QR && m->tau && m->l;
}

/* The columns of so many knots, factorised. */
static int make_smooth(const struct cf_adequacy_cells *c, size_t knots, struct smooth *m,
                       struct cf_error *err)
{
    struct basis b;
    bool made = make_basis(c, knots, &b) && alloc_smooth(m, c->n, b.k);

    m->knots = knots;
    for (size_t i = 0; i < c->n && made; i++) {
        find_columns(&b, c->x[i]);
        for (size_t j = 0; j < b.k; j++)
            gsl_matrix_set(m->QR, i, j, gsl_vector_get(b.value, j));
    }
    for (size_t j = 0; j < b.k && made; j++)
        cf_cells_whiten(c, gsl_matrix_ptr(m->QR, 0, j), b.k);
    if (made)
        gsl_linalg_QR_decomp(m->QR, m->tau);
    for (size_t i = 0; i < GRID && made; i++) {
        find_columns(&b, (double) i / (GRID - 1));
        put_direction(m, b.value, &m->l[i * m->k], &m->length[i]);
    }
    clear_basis(&b);
    return made ? CF_OK : no_memory(c->n, err);
}

/* ---- fitting them */

static void put_delta(struct smooth *m)
{
    for (size_t i = 0; i < GRID; i++) {
        m->delta[i] = 0;
        for (size_t j = 0; j < m->k; j++)
            m->delta[i] += m->l[i * m->k + j] * m->q[j];
    }
}

/* The spread of a cell of weight 1. A given sigma stands unless the residuals say more. */
static void put_spread(const struct cf_adequacy_cells *c, double sigma, struct smooth *m)
{
    double left = (double) c->n - (double) m->k;                       /* what the columns leave, */
    double dof = c->group ? fmin(left, (double) c->ngroup - 1) : left; /* and groups */
    bool any = dof >= 1;

    m->s = any ? sqrt(m->rss / left) : sigma;
    m->dof = any ? dof : (double) INFINITY;
    if (!isnan(sigma) &&
        !(any && m->rss > sigma * sigma * gsl_cdf_chisq_Pinv(holds, left) && m->s > sigma)) {
        m->s = sigma;
        m->dof = (double) INFINITY;
    }
}

/* Q'r of cells' residuals, and what is left of their squares. */
static void project(const struct cf_adequacy_cells *c, const double residual[], struct smooth *m)
{
    gsl_vector_view r = gsl_vector_view_array(c->work, c->n);

    memcpy(c->work, residual, c->n * sizeof *c->work);
    cf_cells_whiten(c, c->work, 1);
    gsl_linalg_QR_QTvec(m->QR, m->tau, &r.vector);
    m->rss = 0;
    for (size_t i = 0; i < c->n; i++)
        if (i < m->k)
            m->q[i] = c->work[i];
        else
            m->rss += c->work[i] * c->work[i];
    put_delta(m);
}

static int fit_knots(const struct cf_adequacy_cells *c, size_t knots, double sigma,
                     struct smooth *m, struct cf_error *err)
{
    int status = make_smooth(c, knots, m, err);

    if (status)
        return status;
    project(c, c->r, m);
    put_spread(c, sigma, m);
    return CF_OK;
}

/* How many of the references may be tried. */
static size_t count_tried(const struct cf_adequacy_cells *c)
{
    size_t n = 1;

    while (c->places >= CF_ADEQUACY_PLACES && n < NTRIED &&
           PLACES_A_COLUMN * (knots_tried[n] + CUBIC) <= c->places)
        n++;
    return n;
}

static double aicc_of(const struct cf_adequacy_cells *c, const struct smooth *m)
{
    double n = (double) c->n, k = (double) m->k + 1;

    return n * log(fmax(m->rss, DBL_MIN) / n) + 2 * k + 2 * k * (k + 1) / fmax(n - k - 1, 0.5);
}

/* The place of the reference among knots_tried. */
static int choose_reference(const struct cf_adequacy_cells *c, double sigma, size_t *best,
                            struct cf_error *err)
{
    size_t n = count_tried(c);
    double least = (double) INFINITY;
    int status = CF_OK;

    *best = 0;
    for (size_t i = 0; i < n && n > 1 && !status; i++) {
        struct smooth m = {0};
        status = fit_knots(c, knots_tried[i], sigma, &m, err);
        if (!status && aicc_of(c, &m) < least) {
            least = aicc_of(c, &m);
            *best = i;
        }
        clear_smooth(&m);
    }
    return status;
}

/* ---- the simultaneous quantile */

static double exceed(double c, double length, double dof)
{
    return isinf(dof)
               ? length / M_PI * exp(-c * c / 2) + 2 * gsl_cdf_ugaussian_Q(c)
               : length / M_PI * pow(1 + c * c / dof, -dof / 2) + 2 * gsl_cdf_tdist_Q(c, dof);
}

double cf_tube_quantile(const double l[], size_t m, size_t k, double dof, double level)
{
    double length = 0, low = 0, high = 1;

    for (size_t i = 1; i < m; i++) {
        const double *a = &l[(i - 1) * k], *b = &l[i * k];
        double aa = 0, bb = 0, step = 0;
        for (size_t j = 0; j < k; j++) {
            aa += a[j] * a[j];
            bb += b[j] * b[j];
        }
        for (size_t j = 0; j < k && aa > 0 && bb > 0; j++)
            step += gsl_pow_2(b[j] / sqrt(bb) - a[j] / sqrt(aa));
        length += sqrt(step);
    }
    while (exceed(high, length, dof) > 1 - level)
        high *= 2;
    while (high - low > high * 1e-10) {
        double c = (low + high) / 2;
        *(exceed(c, length, dof) > 1 - level ? &low : &high) = c;
    }
    return high;
}

/* ---- limits */

/* What limits are of: delta, or its share of the law. */
static double over(const struct cf_adequacy_rows *rows, bool relative, size_t i)
{
    return relative ? fabs(rows->grid_law[i]) : 1;
}

static void raise_limit(struct cf_adequacy_at *limit, double value, double x)
{
    if (value > limit->value)
        *limit = (struct cf_adequacy_at){value, x};
}

static void raise_pointwise(const struct cf_adequacy_rows *rows, const struct smooth *m,
                            bool relative, struct cf_adequacy_at *limit)
{
    double t = student(rows->level, m->dof);

    for (size_t i = 0; i < GRID; i++)
        raise_limit(limit, (fabs(m->delta[i]) + t * m->s * m->length[i]) / over(rows, relative, i),
                    (double) i / (GRID - 1));
}

/* By means of neighbouring cells, of residuals r[n], with the cubic's spread. */
static void raise_means(const struct cf_adequacy_cells *c, const double r[], double t_s,
                        bool relative, struct cf_adequacy_at *limit)
{
    size_t width = (size_t) ceil(share_of_mean * (double) c->n);

    width = width < LEAST_OF_MEAN ? LEAST_OF_MEAN : width;
    for (size_t first = 0; c->n >= LEAST_FOR_MEANS && first + width <= c->n; first++) {
        double sum = 0, all = 0, law = 0, x = 0;
        for (size_t i = first; i < first + width; i++) {
            sum += c->weight[i] * r[i];
            x += c->weight[i] * c->x[i];
            law += c->weight[i] * fabs(c->law[i]);
            all += c->weight[i];
        }
        double limit_here =
            fabs(sum / all) + t_s * sqrt(cf_cells_variance(c, first, first + width));
        raise_limit(limit, limit_here / (relative ? law / all : 1), x / all);
    }
}

static double least_surely(const struct cf_adequacy_rows *rows, const struct smooth *m,
                           bool relative)
{
    double c = cf_tube_quantile(m->l, GRID, m->k, m->dof, rows->level), most = 0;

    for (size_t i = 0; i < GRID; i++)
        most = fmax(most, (fabs(m->delta[i]) - c * m->s * m->length[i]) / over(rows, relative, i));
    return most;
}

/* Directions of the law's tangent, of which some may say the same: its band is that of the cells'
 * own error. */
struct tangent {
    size_t p, rank;
    gsl_matrix *T, *V;
    gsl_vector *S; /* values, and room */
    double *l;     /* GRID * rank */
};

static void clear_tangent(struct tangent *t)
{
    if (t->T)
        gsl_matrix_free(t->T);
    if (t->V)
        gsl_matrix_free(t->V);
    if (t->S)
        gsl_vector_free(t->S);
    free(t->l);
}

static bool make_tangent(const struct cf_adequacy_rows *rows, const struct cf_adequacy_cells *c,
                         struct tangent *t)
{
    const double same = 1e-8;
    size_t p = rows->p;

    *t = (struct tangent){.p = p,
                          .T = gsl_matrix_alloc(c->n, p),
                          .V = gsl_matrix_alloc(p, p),
                          .S = gsl_vector_alloc(2 * p),
                          .l = calloc(GRID * p, sizeof *t->l)};
    if (!t->T || !t->V || !t->S || !t->l)
        return false;
    gsl_vector_view value = gsl_vector_subvector(t->S, 0, p);
    gsl_vector_view work = gsl_vector_subvector(t->S, p, p);
    for (size_t i = 0; i < c->n * p; i++)
        gsl_matrix_set(t->T, i / p, i % p, c->slope[i]);
    for (size_t j = 0; j < p; j++)
        cf_cells_whiten(c, gsl_matrix_ptr(t->T, 0, j), p);
    gsl_linalg_SV_decomp(t->T, t->V, &value.vector, &work.vector);
    while (t->rank < p && gsl_vector_get(t->S, t->rank) > same * gsl_vector_get(t->S, 0))
        t->rank++;
    for (size_t i = 0; i < GRID; i++)
        for (size_t j = 0; j < t->rank; j++)
            for (size_t k = 0; k < p; k++)
                t->l[i * t->rank + j] += rows->grid_slope[i * p + k] * gsl_matrix_get(t->V, k, j) /
                                         gsl_vector_get(t->S, j);
    return true;
}

static int raise_own_band(const struct cf_adequacy_rows *rows, const struct cf_adequacy_cells *c,
                          const struct smooth *cubic, struct cf_adequacy_limits *limits[2],
                          struct cf_error *err)
{
    struct tangent t = {0};

    if (rows->p == 0 || rows->p > c->n)
        return CF_OK;
    if (!make_tangent(rows, c, &t)) {
        clear_tangent(&t);
        return no_memory(c->n, err);
    }
    double quantile = cf_tube_quantile(t.l, GRID, t.rank, cubic->dof, rows->level);
    for (size_t i = 0; i < GRID; i++) {
        double squares = 0;
        for (size_t j = 0; j < t.rank; j++)
            squares += gsl_pow_2(t.l[i * t.rank + j]);
        for (int relative = 0; relative < 2; relative++)
            raise_limit(&limits[relative]->at_most,
                        quantile * cubic->s * sqrt(squares) / over(rows, relative, i),
                        (double) i / (GRID - 1));
    }
    clear_tangent(&t);
    return CF_OK;
}

/* ---- blocks, where errors follow each other */

static double lag1_of(const struct cf_adequacy_cells *c, const struct smooth *m)
{
    double sum = 0, squares = 0, before = 0;

    for (size_t i = 0; i < c->n; i++) {
        double at = c->x[i] * (GRID - 1), low = fmin(floor(at), GRID - 2);
        size_t g = (size_t) low;
        double here = c->r[i] - m->delta[g] - (at - low) * (m->delta[g + 1] - m->delta[g]);
        sum += before * here;
        squares += here * here;
        before = here;
    }
    return squares > 0 ? sum / squares : 0;
}

/* Means of so many rows that neighbours are alike no more than chance makes them about a reference
 * of its columns. */
static int make_blocks(const struct cf_adequacy_rows *rows, struct cf_adequacy_cells *c,
                       struct cf_error *err)
{
    const double fewer = 0.75, owed = 0.6;
    enum { KNOTS = 2, LEAST_BLOCKS = 10 };
    size_t n = rows->n < CF_ADEQUACY_CELLS ? rows->n : CF_ADEQUACY_CELLS;
    bool alike = true;
    int status = CF_OK;

    while (alike && !status) {
        struct smooth m = {0};
        cf_cells_clear(c);
        if (!cf_cells_even(rows, n, c))
            return no_memory(n, err);
        cf_cells_count(c);
        if (n < LEAST_BLOCKS || c->places < PLACES_A_COLUMN * (KNOTS + CUBIC))
            return CF_OK;
        status = fit_knots(c, KNOTS, (double) NAN, &m, err);
        alike =
            !status && !(lag1_of(c, &m) < -owed * (double) m.k / (double) n + 1 / sqrt((double) n));
        clear_smooth(&m);
        size_t next = (size_t) (fewer * (double) n);
        if (next < LEAST_BLOCKS)
            break;
        n = alike ? next : n;
    }
    return status;
}

static int make_cells(const struct cf_adequacy_rows *rows, struct cf_adequacy_cells *c,
                      struct cf_error *err)
{
    bool many = !rows->group && rows->n > 2 * CF_ADEQUACY_CELLS;
    int status = CF_OK;

    if (rows->serial)
        return make_blocks(rows, c, err);
    if (!(many ? cf_cells_many(rows, c) : cf_cells_even(rows, rows->n, c)))
        return no_memory(rows->n, err);
    cf_cells_count(c);
    if (!rows->group)
        return CF_OK;
    if (!cf_cells_group(c, rows->group))
        return no_memory(rows->n, err);
    status = cf_cells_find_share(rows, c, err);
    if (status || !cf_cells_grouped_by_place(rows, c))
        return status;
    double share = c->share;
    size_t places = c->places;
    cf_cells_clear(c);
    if (!cf_cells_of_places(rows, places, share, c))
        return no_memory(rows->n, err);
    c->share = share;
    cf_cells_count(c);
    return CF_OK;
}

/* ---- all of it */

static bool passes_zero(const struct cf_adequacy_rows *rows)
{
    for (size_t i = 0; i < GRID; i++)
        if (!(rows->grid_law[i] * rows->grid_law[0] > 0))
            return true;
    return false;
}

/* Of fewer than that, two spacings are the whole range. */
enum { FEWEST_PLACES = 3 };

/* A reference of fewer columns than a cubic's is one of a given sigma, without groups; and a single
 * group tells nothing of how groups differ. */
static bool has_reference(const struct cf_adequacy_rows *rows, const struct cf_adequacy_cells *c)
{
    if (c->group && c->ngroup < 2)
        return false;
    return c->places >= CF_ADEQUACY_PLACES ||
           (!isnan(rows->sigma) && !rows->group && c->places >= FEWEST_PLACES);
}

static void put_reference(const struct smooth *m, const struct cf_adequacy_cells *c,
                          const struct cf_adequacy_rows *rows, struct cf_adequacy_curve *curve)
{
    curve->columns = m->k;
    curve->knots = m->knots;
    curve->s = m->s;
    curve->dof = m->dof;
    curve->resolution = seen_share;
    for (size_t i = 1; i < c->places; i++)
        curve->resolution =
            fmax(curve->resolution, seen_spacings * (c->place[i] - c->place[i - 1]));
    curve->simultaneous = cf_tube_quantile(m->l, GRID, m->k, m->dof, rows->level);
    for (size_t i = 0; i < GRID; i++) {
        curve->delta[i] = m->delta[i];
        curve->se[i] = m->s * m->length[i];
    }
}

static void put_limits(const struct cf_adequacy_rows *rows, const struct cf_adequacy_cells *c,
                       const struct smooth m[3], bool relative, struct cf_adequacy_limits *limits)
{
    const struct smooth *cubic = &m[0], *reference = &m[1], *richer = &m[2];

    for (size_t i = 0; i < GRID; i++)
        if (fabs(reference->delta[i]) / over(rows, relative, i) > fabs(limits->largest.value))
            limits->largest = (struct cf_adequacy_at){reference->delta[i] / over(rows, relative, i),
                                                      (double) i / (GRID - 1)};
    raise_pointwise(rows, reference, relative, &limits->at_most);
    raise_pointwise(rows, cubic, relative, &limits->at_most);
    raise_means(c, c->r, student(rows->level, cubic->dof) * cubic->s, relative, &limits->at_most);
    limits->at_least =
        fmin(least_surely(rows, reference, relative), least_surely(rows, richer, relative));
}

int cf_adequacy_find(const struct cf_adequacy_rows *rows, struct cf_adequacy_curve *curve,
                     struct cf_error *err)
{
    struct cf_adequacy_limits *limits[2] = {&curve->in_unit, &curve->relative};
    struct cf_adequacy_cells c = {0};
    struct smooth m[3] = {{0}};
    size_t best = 0;

    *curve = (struct cf_adequacy_curve){0};
    int status = make_cells(rows, &c, err);
    curve->places = c.places;
    curve->cells = c.n;
    curve->share = c.share;
    bool any = !status && has_reference(rows, &c);
    if (any)
        status = choose_reference(&c, rows->sigma, &best, err);
    size_t tried = any ? count_tried(&c) : 0;
    size_t which[3] = {0, best, best + 1 < tried ? best + 1 : best};
    for (int i = 0; i < 3 && any && !status; i++)
        status = fit_knots(&c, knots_tried[which[i]], rows->sigma, &m[i], err);
    for (int relative = 0; relative < 2 && any && !status; relative++)
        put_limits(rows, &c, m, relative, limits[relative]);
    if (any && !status) {
        put_reference(&m[1], &c, rows, curve);
        status = raise_own_band(rows, &c, &m[0], limits, err);
    }
    if (any && passes_zero(rows))
        curve->relative =
            (struct cf_adequacy_limits){{(double) NAN, 0}, {(double) NAN, 0}, (double) NAN};
    for (int i = 0; i < 3; i++)
        clear_smooth(&m[i]);
    cf_cells_clear(&c);
    return status;
}

enum cf_adequacy_word cf_adequacy_answer(const struct cf_adequacy_curve *curve, double need,
                                         bool relative)
{
    const struct cf_adequacy_limits *l = relative ? &curve->relative : &curve->in_unit;

    if (!curve->columns)
        return CF_CANNOT_TELL;
    return l->at_most.value <= need ? CF_ADEQUATE
           : l->at_least > need     ? CF_NOT_ADEQUATE
                                    : CF_CANNOT_TELL;
}

/* ---- more measurements */

/* So many experiments are drawn; the need is met in this share of them; and more times as many
 * measurements than this are none that anybody makes. */
enum { DRAWS = 500 };
static const double met = 0.8, most_times = 1000;

/* Experiments that are drawn: of the cubic that the data show, and as many times their cells. */
struct drawing {
    const struct cf_adequacy_rows *rows;
    struct cf_adequacy_cells c;
    struct smooth cubic;
    double *shown; /* n: its delta at the cells, less the share that is owed to noise */
    double *r;     /* n: residuals that are drawn */
    double limit[DRAWS];
    bool relative;
};

/* The cubic's numbers are larger than the truth by their noise. */
static double share_shown(const struct smooth *cubic)
{
    double squares = 0;

    for (size_t i = 0; i < cubic->k; i++)
        squares += cubic->q[i] * cubic->q[i];
    return squares > 0 ? sqrt(fmax(0, 1 - (double) cubic->k * cubic->s * cubic->s / squares)) : 0;
}

static int make_drawing(struct drawing *d, struct cf_error *err)
{
    int status = make_cells(d->rows, &d->c, err);

    if (!status)
        status = fit_knots(&d->c, 0, d->rows->sigma, &d->cubic, err);
    d->shown = status ? NULL : calloc(2 * d->c.n + 1, sizeof *d->shown);
    if (status || !d->shown)
        return status ? status : no_memory(d->c.n, err);
    d->r = d->shown + d->c.n;
    double share = share_shown(&d->cubic);
    for (size_t i = 0; i < d->c.n; i++) {
        size_t g = (size_t) (fmin(fmax(d->c.x[i], 0), 1) * (GRID - 1) + 0.5);
        d->shown[i] = share * d->cubic.delta[g];
    }
    return CF_OK;
}

static void draw_residuals(struct drawing *d, gsl_rng *rng, double noise)
{
    struct cf_adequacy_cells *c = &d->c;

    for (size_t g = 0; g < c->ngroup; g++)
        c->load[g] = gsl_ran_gaussian(rng, noise * sqrt(c->share));
    for (size_t i = 0; i < c->n; i++)
        d->r[i] = d->shown[i] + gsl_ran_gaussian(rng, noise / sqrt(c->weight[i])) +
                  (c->group ? c->load[c->group[i]] : 0);
    if (c->group)
        memset(c->load, 0, c->ngroup * sizeof *c->load);
}

/* The upper limit that four of five experiments of so many times as many measurements stay below;
 * always of the same random numbers, so that it falls with their number. */
static int find_limit(struct drawing *d, double times, double *limit, struct cf_error *err)
{
    const struct smooth *shown = &d->cubic;
    struct smooth drawn = d->cubic; /* of the same columns */
    double delta[GRID];
    double units = (double) (d->c.group ? d->c.ngroup : d->c.n);
    double dof = shown->dof + (times - 1) * units;
    gsl_rng *rng = cf_random_stream(d->rows->seed, 0);

    if (!rng)
        return cf_fail(err, CF_ENOMEM, "no memory for a random stream");
    drawn.delta = delta;
    drawn.dof = dof;
    for (size_t i = 0; i < DRAWS; i++) {
        struct cf_adequacy_at at = {0};
        double noise = shown->s / sqrt(times);
        if (!isinf(dof)) /* s is as uncertain as it is */
            noise *= sqrt(shown->dof / gsl_ran_chisq(rng, shown->dof));
        draw_residuals(d, rng, noise);
        drawn.s = noise * (isinf(dof) ? 1 : sqrt(gsl_ran_chisq(rng, dof) / dof));
        project(&d->c, d->r, &drawn);
        raise_pointwise(d->rows, &drawn, d->relative, &at);
        raise_means(&d->c, d->r, student(d->rows->level, dof) * drawn.s, d->relative, &at);
        d->limit[i] = at.value;
    }
    gsl_rng_free(rng);
    gsl_sort(d->limit, 1, DRAWS);
    *limit = gsl_stats_quantile_from_sorted_data(d->limit, 1, DRAWS, met);
    return CF_OK;
}

static int find_times(struct drawing *d, double need, double *times, struct cf_error *err)
{
    double low = 1, high = most_times, limit;
    int status = find_limit(d, high, &limit, err);

    *times = (double) INFINITY;
    if (status || limit > need)
        return status;
    while (high > 1.05 * low && !status) {
        double middle = sqrt(low * high);
        status = find_limit(d, middle, &limit, err);
        *(limit > need ? &low : &high) = middle;
    }
    *times = high;
    return status;
}

int cf_adequacy_more(const struct cf_adequacy_rows *rows, double need, bool relative, double *times,
                     struct cf_error *err)
{
    struct drawing *d = calloc(1, sizeof *d);
    int status;

    if (!d)
        return no_memory(rows->n, err);
    d->rows = rows;
    d->relative = relative;
    status = make_drawing(d, err);
    if (!status)
        status = find_times(d, need, times, err);
    clear_smooth(&d->cubic);
    cf_cells_clear(&d->c);
    free(d->shown);
    free(d);
    return status;
}
