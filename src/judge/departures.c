/* What the law misses: smooth functions of where a row stands in the experiment, added to the law,
 * one family of columns each.
 *
 *   axis       a polynomial along the axis, to degree 3
 *   imposed    one in what else is imposed and varies, as a load, to degree 2; times the sign of
 *              what is predicted, where it has both
 *   row        one in the order of the rows, to degree 3; and the same times the sign of what is
 *              predicted, for what drifts in size while the directions alternate
 *   direction  a level and a size of its own where the axis is negative
 *   set        a level of its own for each data set, and a slope along the axis where they have
 *              rows for it
 *   one set    the same of the one of many sets that is furthest off, its p times their number
 *
 * Of each quantity that is measured, over all data sets. Columns and derivatives are made
 * independent by the errors of the fit, and what the columns take off the residuals of that
 * quantity is held against what is left of them: an F test, which is exact for one quantity whose
 * errors are independent and a law that is linear in its parameters; where all its sigmas are
 * known, chi^2. So an estimated sigma that the departure itself made large does not hide it. Each
 * has its size, the largest difference that it makes, and where.
 *
 * Columns are free of what the locals of their part of the data, as the offset of a record, can
 * make of them.
 *
 * A family is tested where it has two columns and more that the law does not make itself, and
 * leaves three residuals; of few rows it has fewer columns. Traces whose errors follow each other
 * are left to judge/patterns.h.
 */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/clusters.h"
#include "estimate/evaluate.h"
#include "estimate/serial.h"
#include "estimate/triangle.h"
#include "estimate/variance_work.h"
#include "estimate/whiten.h"
#include "judge/departure_columns.h"
#include "judge/residual_series.h"
#include "judge/residual_tests.h"

enum { IMPOSED_DEGREE = 2 };

/* So many numbers of columns for all data sets are held; of more, one set after the other is tested
 * alone. */
enum { MOST_CELLS = 1 << 22 };

/* What is known of the fit: derivatives and residual, independent, by columns; and the priors. */
struct base {
    const struct cf_fitted *of;
    const struct cf_problem *q;
    const bool *followed; /* nchannel: by their patterns */
    struct cf_variance_work work;
    double *X; /* work.n * (p + 1) */
    size_t p;
    size_t nlocal; /* the most that a part has */
    double *local,
        *freed; /* nlocal columns of work.n: of length 1 in each part, and their readings */
};

/* A quantity: the rows of all channels of one column of a protocol. */
struct quantity {
    size_t channel; /* the first */
    size_t n;
    size_t *row;  /* n observations */
    bool known;   /* all their sigmas are */
    double taken; /* degrees of freedom that locals take */
};

/* A family's columns, m of n observations of the problem, 0 but in the rows of the quantity. */
struct columns {
    size_t m;
    double *Z;
};

static const struct cf_protocol *protocol_of(const struct cf_problem *q, size_t channel)
{
    return q->spec->data[q->channel[channel].data].protocol;
}

static const struct cf_dataset *dataset_of(const struct cf_problem *q, size_t observation)
{
    return &q->spec->data[q->observation[observation].data];
}

/* ---- where rows stand */

/* P_first to P_last of Legendre at x[], times by[] (NULL: 1), behind the other columns. */
static void put_polynomials(struct columns *c, const struct base *b, const struct quantity *v,
                            const double x[], const double by[], size_t first, size_t last)
{
    double value[CF_DEPARTURE_DEGREE + 1];

    for (size_t i = 0; i < v->n; i++) {
        cf_legendre(x[i], last, value);
        for (size_t k = first; k <= last; k++)
            c->Z[(c->m + k - first) * b->work.n + v->row[i]] = value[k] * (by ? by[i] : 1);
    }
    c->m += last - first + 1;
}

/* Of each row of the quantity, by a function. */
static void take(const struct base *b, const struct quantity *v,
                 double (*of)(const struct base *b, size_t observation, size_t what), size_t what,
                 double x[])
{
    for (size_t i = 0; i < v->n; i++)
        x[i] = of(b, v->row[i], what);
}

static double abscissa_of(const struct base *b, size_t i, size_t what)
{
    (void) what;
    return b->q->observation[i].abscissa;
}

static double imposed_of(const struct base *b, size_t i, size_t channel)
{
    const struct cf_dataset *d = dataset_of(b->q, i);
    return cf_dataset_has(d, b->q->observation[i].row, channel)
               ? cf_dataset_value(d, b->q->observation[i].row, channel)
               : (double) NAN;
}

static double order_of(const struct base *b, size_t i, size_t what)
{
    (void) what;
    return (double) cf_dataset_order(dataset_of(b->q, i), b->q->observation[i].row);
}

static double sign_of(const struct base *b, size_t i, size_t what)
{
    (void) what;
    return GSL_SIGN(b->of->y[i]);
}

/* The signs of what is predicted: are there both? */
static bool are_signs_mixed(const struct base *b, const struct quantity *v, double sign[])
{
    bool mixed = false;

    take(b, v, sign_of, 0, sign);
    for (size_t i = 1; i < v->n; i++)
        mixed = mixed || sign[i] != sign[0];
    return mixed;
}

/* ---- the families: their columns into c, which has room; x[2 * n] is spare */

typedef void family(const struct base *b, const struct quantity *v, size_t what, double x[],
                    struct columns *c);

static void along_axis(const struct base *b, const struct quantity *v, size_t what, double x[],
                       struct columns *c)
{
    (void) what;
    take(b, v, abscissa_of, 0, x);
    if (cf_scale_axis(x, v->n))
        put_polynomials(c, b, v, x, NULL, 0, CF_DEPARTURE_DEGREE);
}

static void along_imposed(const struct base *b, const struct quantity *v, size_t channel,
                          double x[], struct columns *c)
{
    bool mixed = are_signs_mixed(b, v, x + v->n);

    take(b, v, imposed_of, channel, x);
    if (cf_scale_axis(x, v->n))
        put_polynomials(c, b, v, x, mixed ? x + v->n : NULL, 0, IMPOSED_DEGREE);
}

/* Are the rows in the order of the axis, or nearly so? Then what goes by the one goes by the other.
 * Their order is left in x, scaled; x[2 * n]. */
static bool is_order_apart(const struct base *b, const struct quantity *v, double x[])
{
    const double nearly_along = 0.9;

    take(b, v, order_of, 0, x);
    take(b, v, abscissa_of, 0, x + v->n);
    return cf_scale_axis(x, v->n) &&
           !(cf_scale_axis(x + v->n, v->n) &&
             fabs(gsl_stats_correlation(x, 1, x + v->n, 1, v->n)) > nearly_along);
}

static void along_rows(const struct base *b, const struct quantity *v, size_t what, double x[],
                       struct columns *c)
{
    (void) what;
    if (is_order_apart(b, v, x))
        put_polynomials(c, b, v, x, NULL, 1, CF_DEPARTURE_DEGREE);
}

static void along_rows_signed(const struct base *b, const struct quantity *v, size_t what,
                              double x[], struct columns *c)
{
    bool apart = is_order_apart(b, v, x);

    (void) what;
    if (are_signs_mixed(b, v, x + v->n) && apart)
        put_polynomials(c, b, v, x, x + v->n, 1, CF_DEPARTURE_DEGREE);
}

static void by_direction(const struct base *b, const struct quantity *v, size_t what, double x[],
                         struct columns *c)
{
    double below = 0;

    (void) what;
    take(b, v, abscissa_of, 0, x);
    for (size_t i = 0; i < v->n; i++) {
        below += x[i] < 0;
        x[v->n + i] = x[i] < 0;
        x[i] = fabs(b->of->y[v->row[i]]);
    }
    if (below >= CF_LEAST_COLUMNS && below + CF_LEAST_COLUMNS <= (double) v->n &&
        cf_scale_axis(x, v->n))
        put_polynomials(c, b, v, x, x + v->n, 0, 1);
}

/* More sets than this are not tested together; of fewer than that, one is not tested alone. */
enum { MOST_SETS = 64, FEW_SETS = 8 };

/* How many data sets the quantity is of. */
static size_t count_sets(const struct base *b, const struct quantity *v)
{
    size_t n = 1;

    for (size_t i = 1; i < v->n; i++)
        n += b->q->observation[v->row[i]].data != b->q->observation[v->row[i - 1]].data;
    return n;
}

/* A level of one data set, and a slope along the scaled x[n]; x[n to 2 n] is spare. */
static void put_set(const struct base *b, const struct quantity *v, size_t data, double x[],
                    bool slope, struct columns *c)
{
    bool any = false;

    for (size_t i = 0; i < v->n; i++) {
        x[v->n + i] = b->q->observation[v->row[i]].data == data;
        any = any || x[v->n + i] > 0;
    }
    if (any)
        put_polynomials(c, b, v, x, x + v->n, 0, slope);
}

static void take_axis(const struct base *b, const struct quantity *v, double x[])
{
    take(b, v, abscissa_of, 0, x);
    if (!cf_scale_axis(x, v->n))
        memset(x, 0, v->n * sizeof *x);
}

/* Of each data set but the first. */
static void by_set(const struct base *b, const struct quantity *v, size_t what, double x[],
                   struct columns *c)
{
    size_t first = b->q->observation[v->row[0]].data, sets = count_sets(b, v);

    (void) what;
    take_axis(b, v, x);
    if (sets > MOST_SETS || 2 * sets * v->n > MOST_CELLS)
        return;
    for (size_t data = first + 1; data < b->q->spec->ndata; data++)
        put_set(b, v, data, x, v->n >= CF_LEAST_OF_SET * sets, c);
}

static void of_set(const struct base *b, const struct quantity *v, size_t data, double x[],
                   struct columns *c)
{
    take_axis(b, v, x);
    put_set(b, v, data, x, true, c);
}

/* ---- locals */

/* Derivatives by locals, where a visit puts them. */
static void put_locals(void *context, size_t unit, const struct cf_stretch *at)
{
    struct base *b = context;

    (void) unit;
    for (size_t j = 0; j < b->q->set[b->q->part[at->part].data].nlocal; j++)
        memcpy(&b->freed[j * b->work.n + at->first], &at->A[j * at->ld], at->count * sizeof *at->A);
}

/* Take column j of the locals of a part off another, which is at `raw` in readings and at `w` in
 * sigmas. */
static void take_local(const struct base *b, const struct cf_part *part, size_t j, double raw[],
                       double w[])
{
    const double *local = &b->local[j * b->work.n], *freed = &b->freed[j * b->work.n];
    double dot = 0;

    for (size_t i = part->first; i < part->first + part->count; i++)
        dot += local[i] * w[i];
    for (size_t i = part->first; i < part->first + part->count; i++) {
        w[i] -= dot * local[i];
        raw[i] -= dot * freed[i];
    }
}

/* Take all of them off a column. */
static void take_locals(const struct base *b, double raw[], double w[])
{
    for (size_t p = 0; p < b->q->npart && b->nlocal; p++)
        for (size_t j = 0; j < b->q->set[b->q->part[p].data].nlocal; j++)
            take_local(b, &b->q->part[p], j, raw, w);
}

/* Make the locals of a part a basis: each of length 1, and free of those before it. One that is
 * made by these is none. */
static void make_basis(struct base *b, const struct cf_part *part)
{
    for (size_t j = 0; j < b->q->set[part->data].nlocal; j++) {
        double *local = &b->local[j * b->work.n + part->first];
        double *freed = &b->freed[j * b->work.n + part->first], length;
        double whole = cf_length(local, part->count);
        for (int again = 0; again < 2; again++) /* for the digits */
            for (size_t k = 0; k < j; k++)
                take_local(b, part, k, freed - part->first, local - part->first);
        length = cf_length(local, part->count);
        if (!cf_keeps_length(length, whole))
            length = INFINITY;
        for (size_t i = 0; i < part->count; i++) {
            local[i] /= length;
            freed[i] /= length;
        }
    }
}

/* The locals of all parts, and derivatives and residual free of them. */
static int free_of_locals(struct base *b, const double local[], struct cf_error *err)
{
    size_t n = b->work.n;
    int status;

    for (size_t i = 0; i < b->q->spec->ndata; i++)
        b->nlocal = b->q->set[i].nlocal > b->nlocal ? b->q->set[i].nlocal : b->nlocal;
    if (!b->nlocal)
        return CF_OK;
    b->local = calloc(2 * n * b->nlocal, sizeof *b->local);
    if (!b->local)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu derivatives", n * b->nlocal);
    b->freed = b->local + n * b->nlocal;
    status = cf_visit_ungrouped(b->q, b->of->theta, local, CF_WANT_SLOPES, put_locals, b, err);
    memcpy(b->local, b->freed, n * b->nlocal * sizeof *b->local);
    if (!status)
        status = cf_whiten(b->q, b->local, b->nlocal, n, NULL, err);
    for (size_t p = 0; p < b->q->npart && !status; p++)
        make_basis(b, &b->q->part[p]);
    for (size_t k = 0; k < b->work.columns && !status; k++)
        take_locals(b, &b->work.A[k * n], &b->X[k * n]);
    return status;
}

/* ---- the test */

/* Memory for the most columns that a family may have. */
struct room {
    size_t most;
    double *x, *Z, *joint, *work, *R;
};

static int room_make(const struct base *b, size_t most, struct room *r, struct cf_error *err)
{
    size_t n = b->work.n, all = b->p + most + 1;

    r->most = most;
    r->x = calloc(2 * n + n * r->most + 2 * n * all + all * (all + 2) + 1, sizeof *r->x);
    if (!r->x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    r->Z = r->x + 2 * n;
    r->joint = r->Z + n * r->most;
    r->work = r->joint + n * all;
    r->R = r->work + n * all;
    return CF_OK;
}

/* Drop columns that the law makes itself, or others before them, and those of the highest degrees
 * where there are few rows. */
static int choose_columns(const struct base *b, const struct quantity *v, const struct room *r,
                          struct columns *c, struct cf_error *err)
{
    size_t n = b->work.n, have = 0, kept = 0;
    double *basis = r->joint, *w = r->work;

    for (size_t j = 0; j < b->p; j++) {
        memcpy(&basis[have * n], &b->X[j * n], n * sizeof *basis);
        have = cf_append_column(basis, have, n, cf_length(&b->X[j * n], n));
    }
    memcpy(w, c->Z, n * c->m * sizeof *w);
    int status = cf_whiten(b->q, w, c->m, n, NULL, err);
    for (size_t j = 0; j < c->m && !status; j++) {
        double whole = cf_length(&w[j * n], n);
        take_locals(b, &c->Z[j * n], &w[j * n]);
        memcpy(&basis[have * n], &w[j * n], n * sizeof *basis);
        size_t now = cf_append_column(basis, have, n, whole);
        if (now == have)
            continue;
        have = now;
        memmove(&c->Z[kept++ * n], &c->Z[j * n], n * sizeof *c->Z);
    }
    c->m = cf_columns_held(kept, (double) v->n, (double) b->p + v->taken);
    return status;
}

/* What a family comes to. */
struct outcome {
    double F, p;
    double size; /* the largest difference, in the reading's unit */
    size_t at;   /* and its observation */
};

/* R of derivatives, columns and residual, and of the priors. */
static void make_triangle(const struct base *b, const struct room *r, size_t all)
{
    size_t n = b->work.n;

    memset(r->R, 0, all * all * sizeof *r->R);
    memcpy(r->work, r->joint, n * all * sizeof *r->work);
    cf_triangle_add(r->R, all, r->work, n, n);
    for (size_t i = 0; i < b->q->nprior && b->p; i++) {
        memset(r->work, 0, all * sizeof *r->work);
        memcpy(r->work, &b->work.prior[i * (b->p + 1)], b->p * sizeof *r->work);
        r->work[all - 1] = b->work.prior[i * (b->p + 1) + b->p];
        cf_triangle_add(r->R, all, r->work, 1, 1);
    }
}

/* The squares of the quantity's residuals about derivatives and columns times gamma[free], and the
 * share of these that it determines. */
static double squares_left(const struct base *b, const struct quantity *v, const struct room *r,
                           size_t free, const double gamma[], double *share)
{
    size_t n = b->work.n, all = free + 1;
    double *h = r->work, left = 0;

    *share = v->taken;
    for (size_t i = 0; i < v->n; i++) {
        const double *w = &r->joint[v->row[i]];
        double residual = w[free * n];
        for (size_t k = 0; k < free; k++) { /* h = R^-T w */
            double sum = w[k * n], pivot = r->R[k * all + k];
            residual -= sum * gamma[k];
            for (size_t l = 0; l < k; l++)
                sum -= r->R[l * all + k] * h[l];
            h[k] = pivot != 0 ? sum / pivot : 0;
            *share += h[k] * h[k];
        }
        left += residual * residual;
    }
    return left;
}

static void find_largest(const struct base *b, const struct quantity *v, const struct columns *c,
                         const double gamma[], struct outcome *out)
{
    size_t n = b->work.n;

    out->size = 0;
    out->at = v->row[0];
    for (size_t i = 0; i < v->n; i++) {
        double sum = 0;
        for (size_t k = 0; k < b->p; k++)
            sum += b->work.A[k * n + v->row[i]] * gamma[k];
        for (size_t k = 0; k < c->m; k++)
            sum += c->Z[k * n + v->row[i]] * gamma[b->p + k];
        if (fabs(sum) > out->size) {
            out->size = fabs(sum);
            out->at = v->row[i];
        }
    }
}

static int hold_against(const struct base *b, const struct quantity *v, const struct columns *c,
                        const struct room *r, struct outcome *out, struct cf_error *err)
{
    size_t n = b->work.n, free = b->p + c->m, all = free + 1;
    double *gamma = r->R + all * all, drop = 0, share, m = (double) c->m;

    memcpy(r->joint, b->X, n * b->p * sizeof *r->joint);
    memcpy(r->joint + n * b->p, c->Z, n * c->m * sizeof *r->joint);
    memcpy(r->joint + n * free, b->X + n * b->p, n * sizeof *r->joint);
    int status = cf_whiten(b->q, r->joint + n * b->p, c->m, n, NULL, err);
    if (status)
        return status;
    make_triangle(b, r, all);
    for (size_t k = b->p; k < free; k++)
        drop += gsl_pow_2(r->R[k * all + free]);
    cf_triangle_solve(r->R, free, all, &r->R[free], all, 1, gamma);
    double left = squares_left(b, v, r, free, gamma, &share), dof = (double) v->n - share;
    out->F = v->known ? drop : drop / m / (left / dof);
    out->p = v->known ? gsl_cdf_chisq_Q(drop, m) : gsl_cdf_fdist_Q(out->F, m, dof);
    find_largest(b, v, c, gamma, out);
    return CF_OK;
}

/* A unit behind a number: pure numbers have none. */
static const char *unit_behind(const char *unit)
{
    return strcmp(unit, "1") == 0 ? "" : unit;
}

/* A family, its name and how it goes, with the name of what it goes along where that is in it. */
struct departure {
    const char *name, *how;
    family *columns;
    size_t what; /* an imposed channel, or a data set */
    enum cf_accused accuses;
    bool by_sets; /* its columns are two for each of them, else a polynomial's */
};

static const struct departure families[] = {
    {"departure with %s", "along the %s", along_axis, 0, CF_ACCUSES_LAW, false},
    {"departure by row", "from row to row", along_rows, 0, CF_ACCUSES_ORDER, false},
    {"signed departure by row", "from row to row, with the sign of the prediction,",
     along_rows_signed, 0, CF_ACCUSES_ORDER, false},
    {"departure by direction", "where the %s is negative", by_direction, 0, CF_ACCUSES_LAW, false},
    {"departure by set", "from data set to data set", by_set, 0, CF_ACCUSES_LAW, true},
};
enum { NFAMILY = sizeof families / sizeof *families };

static void add_test(const struct base *b, const struct quantity *v, const struct departure *f,
                     const struct outcome *out, struct cf_tests *tests)
{
    const struct cf_protocol *protocol = protocol_of(b->q, v->channel);
    const char *unit = unit_behind(protocol->channel[b->q->channel[v->channel].column].unit);
    const char *axis = unit_behind(protocol->axis.unit);
    struct cf_test *t = cf_tests_add(tests, f->name, f->accuses, v->channel, v->n, out->F, out->p);

    if (!t)
        return;
    t->channels = count_sets(b, v) > 1 ? count_sets(b, v) : 0;
    t->size = out->size;
    t->unit = protocol->channel[b->q->channel[v->channel].column].unit;
    t->at = b->q->observation[out->at].abscissa;
    snprintf(t->text, sizeof t->text,
             "%s the readings depart from the law by up to %.2g%s%s, at %s %.3g%s%s", f->how,
             out->size, *unit ? " " : "", unit, protocol->axis.name,
             b->q->observation[out->at].abscissa, *axis ? " " : "", axis);
}

static size_t most_columns(const struct base *b, const struct quantity *v,
                           const struct departure *f)
{
    size_t sets = f->by_sets ? count_sets(b, v) : 0;
    bool held = sets <= MOST_SETS && 2 * sets * v->n <= MOST_CELLS;

    return f->by_sets && held ? 2 * sets + 1 : CF_DEPARTURE_DEGREE + 1;
}

/* p of *out is NAN where the family cannot be tested. */
static int find_outcome(const struct base *b, const struct quantity *v, const struct departure *f,
                        struct outcome *out, struct cf_error *err)
{
    struct room r;
    int status = room_make(b, most_columns(b, v, f), &r, err);
    struct columns c = {.Z = status ? NULL : r.Z};

    out->p = (double) NAN;
    if (status)
        return status;
    f->columns(b, v, f->what, r.x, &c);
    status = choose_columns(b, v, &r, &c, err);
    if (!status && c.m)
        status = hold_against(b, v, &c, &r, out, err);
    free(r.x);
    return status;
}

static int test_family(const struct base *b, const struct quantity *v, const struct departure *f,
                       struct cf_tests *tests, struct cf_error *err)
{
    struct outcome out;
    int status = find_outcome(b, v, f, &out, err);

    if (!status && !isnan(out.p))
        add_test(b, v, f, &out, tests);
    return status;
}

/* The one of many data sets that is furthest off. */
static int test_one_set(const struct base *b, const struct quantity *v, struct cf_tests *tests,
                        struct cf_error *err)
{
    struct departure f = {"departure of one set", NULL, of_set, 0, CF_ACCUSES_LAW, false}, most = f;
    struct outcome out, worst = {.p = (double) NAN};
    double n = 0;
    char how[80];
    int status = CF_OK;

    if (count_sets(b, v) <= FEW_SETS && 2 * count_sets(b, v) * v->n <= MOST_CELLS)
        return CF_OK;
    for (size_t i = 0; i < v->n && !status; i++) {
        f.what = b->q->observation[v->row[i]].data;
        if (i > 0 && f.what == b->q->observation[v->row[i - 1]].data)
            continue;
        status = find_outcome(b, v, &f, &out, err);
        if (status || isnan(out.p))
            continue;
        n++;
        if (isnan(worst.p) || out.p < worst.p) {
            worst = out;
            most = f;
        }
    }
    if (status || isnan(worst.p))
        return status;
    snprintf(how, sizeof how, "in %.60s", b->q->spec->data[most.what].name);
    most.how = how;
    worst.p = fmin(1, n * worst.p);
    add_test(b, v, &most, &worst, tests);
    return CF_OK;
}

/* The family with the name of what it goes along. */
static int test_along(const struct base *b, const struct quantity *v, struct departure f,
                      const char *along, struct cf_tests *tests, struct cf_error *err)
{
    char name[sizeof((struct cf_test *) NULL)->name], how[80];

    snprintf(name, sizeof name, f.name, along);
    snprintf(how, sizeof how, f.how, along);
    f.name = name;
    f.how = how;
    return test_family(b, v, &f, tests, err);
}

static int test_quantity(const struct base *b, const struct quantity *v, struct cf_tests *tests,
                         struct cf_error *err)
{
    const struct cf_protocol *protocol = protocol_of(b->q, v->channel);
    int status = CF_OK;

    for (size_t i = 0; i < NFAMILY && !status; i++)
        status = test_along(b, v, families[i], protocol->axis.name, tests, err);
    if (!status)
        status = test_one_set(b, v, tests, err);
    for (size_t i = 0; i < protocol->nchannel && !status; i++) {
        struct departure f = {
            families[0].name, families[0].how, along_imposed, i, CF_ACCUSES_LAW, false};
        if (protocol->channel[i].role == CF_ROLE_IMPOSED && i != protocol->axis_channel)
            status = test_along(b, v, f, protocol->channel[i].name, tests, err);
    }
    return status;
}

/* All channels of the first one's quantity; its rows. False: they have no residuals to speak of. */
static bool find_quantity(const struct base *b, size_t channel, struct quantity *v)
{
    const struct cf_problem *q = b->q;
    bool exact = true;

    v->channel = channel;
    v->n = 0;
    v->known = true;
    v->taken = 0;
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_channel *c = &q->channel[q->observation[i].channel];
        if (c->column != q->channel[channel].column ||
            protocol_of(q, q->observation[i].channel) != protocol_of(q, channel))
            continue;
        v->row[v->n++] = i;
        for (size_t k = 0; k < b->nlocal; k++)
            v->taken += gsl_pow_2(b->local[k * b->work.n + i]);
    }
    for (size_t i = channel; i < q->nchannel; i++)
        if (q->channel[i].column == q->channel[channel].column &&
            protocol_of(q, i) == protocol_of(q, channel)) {
            exact = exact && cf_residuals_are_exact(b->of, i);
            v->known = v->known && cf_channel_is_known(&q->channel[i]);
        }
    return !exact;
}

static bool is_first(const struct base *b, size_t channel)
{
    const struct cf_problem *q = b->q;

    for (size_t i = 0; i < channel; i++)
        if (q->channel[i].column == q->channel[channel].column &&
            protocol_of(q, i) == protocol_of(q, channel))
            return false;
    return !cf_serial_of(q, channel) && !b->followed[channel];
}

static int test_all(struct base *b, const double local[], struct cf_tests *tests,
                    struct cf_error *err)
{
    size_t n = b->work.n;
    struct quantity v = {.row = calloc(n + 1, sizeof *v.row)};
    int status = CF_OK;

    b->p = b->work.columns - 1;
    b->X = calloc(n * b->work.columns + 1, sizeof *b->X);
    if (!v.row || !b->X)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", n);
    if (!status) {
        memcpy(b->X, b->work.A, n * b->work.columns * sizeof *b->X);
        status = cf_whiten(b->q, b->X, b->work.columns, n, NULL, err);
    }
    if (!status)
        status = free_of_locals(b, local, err);
    for (size_t c = 0; c < b->q->nchannel && !status; c++) {
        if (!is_first(b, c))
            continue;
        if (find_quantity(b, c, &v))
            status = test_quantity(b, &v, tests, err);
    }
    free(v.row);
    free(b->X);
    free(b->local);
    return status;
}

int cf_test_departures(const struct cf_fitted *of, const bool followed[], struct cf_tests *tests,
                       struct cf_error *err)
{
    const struct cf_problem *q = of->problem;
    struct base b = {.of = of, .q = q, .followed = followed};
    struct cf_fold fold = {0};
    struct cf_rank rank = {0};

    if (cf_is_clustered(q))
        return CF_OK;
    int status = cf_fold_alloc(&fold, q, err);
    if (!status)
        status = cf_problem_fold(q, of->theta, &fold, err);
    if (!status)
        status = cf_rank_within_bounds(q, of->theta, &fold, &rank, err);
    if (!status)
        status = cf_variance_work_at(q, of->theta, &rank, &b.work, err);
    if (!status)
        status = test_all(&b, fold.local, tests, err);
    cf_variance_work_free(&b.work);
    cf_rank_clear(&rank);
    cf_fold_clear(&fold);
    return status;
}
