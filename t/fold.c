/* What a fit spares itself: derivatives that a fold has kept, slopes that nobody asked for, impacts
 * that were repeated. None of it changes a bit. */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/fold.h"
#include "lab.h"
#include "tap.h"

enum { ROWS = 14, UNKNOWNS = 4, MORE = CF_STRETCH + 1 };

/* Scattered numbers between -1 and 1. */
static double scatter(size_t i)
{
    return sin(12.9898 * (double) (i + 1)) * cos(4.1414 * (double) (i * i + 3));
}

/* Impacts whose speeds are uncertain, so that e and duration of a row share an error. */
static void make_set(struct cf_dataset *d, size_t n, double mass_kg)
{
    const struct cf_protocol *impact = cf_protocol_find("impact");
    const char *const column[] = {"speed", "restitution", "duration"};
    const double sigma[] = {0.01, 0.002, 2e-6};
    size_t at[3];

    *d = (struct cf_dataset){.pair = lab_pair(mass_kg, 0.02)};
    if (cf_dataset_alloc(d, impact, n, NULL) || !(d->name = calloc(1, 8)))
        exit(99);
    for (size_t c = 0; c < 3; c++) {
        at[c] = cf_protocol_channel(impact, column[c]);
        d->series[at[c]].kind = CF_SIGMA_GIVEN;
    }
    for (size_t i = 0; i < n; i++) {
        const double value[] = {0.3 + 3 * (double) i / (double) n, 0.7 + 0.1 * scatter(i),
                                3e-4 + 5e-5 * scatter(i + n)};
        for (size_t c = 0; c < 3; c++)
            lab_put(d, i, at[c], value[c], sigma[c]);
    }
}

/* `law` with all of its parameters free, on two data sets of n rows. */
struct bench {
    struct cf_dataset d[2];
    struct cf_spec spec;
    struct cf_problem q;
    double theta[UNKNOWNS], other[UNKNOWNS];
};

static void open_bench(struct bench *b, const char *law, const char *const names[], size_t n,
                       struct cf_curves *curves)
{
    make_set(&b->d[0], n, 0.1);
    make_set(&b->d[1], n, 0.3);
    b->spec = lab_spec(law, names, b->d, 2);
    if (cf_problem_init(&b->q, &b->spec, b->spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL) ||
        b->q.nfree > UNKNOWNS)
        exit(99);
    for (size_t j = 0; j < b->q.nfree; j++) {
        const struct cf_unknown *w = &b->q.unknown[j];
        b->theta[j] = 0.55 * w->lower + 0.45 * w->upper;
        b->other[j] = b->theta[j] + 0.01 * (w->upper - w->lower) * scatter(j);
    }
    for (size_t i = 0; i < b->q.nobservation; i++) /* as a fit would have carried it over */
        b->q.observation[i].shared = 0.3 * scatter(i);
}

static void close_bench(struct bench *b)
{
    cf_problem_free(&b->q);
    cf_dataset_clear(&b->d[0]);
    cf_dataset_clear(&b->d[1]);
}

static double most_apart(const double a[], const double b[], size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* The fold of J at theta and r at `other`, by a fold that keeps its derivatives and by one that
 * does not, and from the dense matrix. */
static void check_kept(const struct bench *b, const char *what, bool keeps, double rounding)
{
    const struct cf_problem *q = &b->q;
    size_t n = q->nfree, all = (n + 1) * (n + 1);
    struct cf_fold plain, kept, one, other;
    double *J = malloc(q->nresidual * (n + 1) * sizeof *J), *r = J + q->nresidual * n, worst = 0,
           apart;
    double *again = malloc(q->nresidual * sizeof *again);

    if (!J || !again || cf_fold_alloc(&plain, q, NULL) || cf_fold_alloc(&kept, q, NULL) ||
        cf_fold_alloc(&one, q, NULL) || cf_fold_alloc(&other, q, NULL) ||
        cf_fold_keep(&kept, q, NULL))
        exit(99);
    ok(!cf_problem_fold(q, b->theta, &plain, NULL) && !cf_problem_fold(q, b->theta, &kept, NULL) &&
           memcmp(plain.R, kept.R, all * sizeof *kept.R) == 0,
       "%s: keeping changes no bit of the fold", what);
    ok(!plain.keeps && kept.keeps == keeps, "%s: derivatives are %skept", what,
       keeps ? "" : "too many to be ");
    ok(!cf_problem_fold_other(q, &plain, b->theta, b->other, &one, NULL) &&
           !cf_problem_fold_other(q, &kept, b->theta, b->other, &other, NULL) &&
           memcmp(one.R, other.R, all * sizeof *one.R) == 0,
       "%s: other residuals by them, bit by bit", what);

    ok(!cf_problem_residuals(q, b->theta, r, J, NULL) &&
           !cf_problem_residuals(q, b->theta, again, NULL, NULL),
       "%s: residuals with slopes and without", what);
    apart = most_apart(r, again, q->nresidual);
    ok(apart <= rounding, "%s: they are the same, off by %.0e sigma", what, apart);
    cf_problem_residuals(q, b->other, again, NULL, NULL);
    for (size_t j = 0; j < n; j++) {
        double dense = 0, folded = 0, size = 0;
        for (size_t i = 0; i < q->nresidual; i++) {
            dense += J[i * n + j] * again[i];
            size += fabs(J[i * n + j] * again[i]);
        }
        for (size_t k = 0; k <= j; k++)
            folded += other.R[k * (n + 1) + j] * other.R[k * (n + 1) + n];
        worst = fmax(worst, fabs(folded - dense) / size);
    }
    ok(worst < 1e-12, "%s: and J^T r is that of the dense matrix, off by %.0e", what, worst);
    free(J);
    free(again);
    cf_fold_clear(&plain);
    cf_fold_clear(&kept);
    cf_fold_clear(&one);
    cf_fold_clear(&other);
}

/* Room that was made for one problem, with another one that has more observations. */
static void check_another(const struct bench *few, const struct bench *many)
{
    size_t n = many->q.nfree, all = (n + 1) * (n + 1);
    struct cf_fold fold, plain;

    if (cf_fold_alloc(&fold, &few->q, NULL) || cf_fold_keep(&fold, &few->q, NULL) ||
        cf_fold_alloc(&plain, &many->q, NULL))
        exit(99);
    ok(!cf_problem_fold(&few->q, few->theta, &fold, NULL) && fold.keeps,
       "kept in a room of its own");
    ok(!cf_problem_fold(&many->q, many->theta, &fold, NULL) && !fold.keeps,
       "not in one that is too small");
    ok(!cf_problem_fold(&many->q, many->theta, &plain, NULL) &&
           memcmp(plain.R, fold.R, all * sizeof *fold.R) == 0,
       "where the fold is right all the same");
    cf_fold_clear(&fold);
    cf_fold_clear(&plain);
}

/* Rows at the same speed one after the other and apart, one given by the height of a drop. An
 * integration with sensitivities may round otherwise than one without. */
static void check_repeats(struct cf_curves *curves, const char *law, const double p[],
                          double rounding)
{
    enum { N = 6 };
    const double speed[N] = {2, 2, 2, 1, 2, 1};
    const struct cf_protocol *impact = cf_protocol_find("impact");
    size_t e = cf_protocol_channel(impact, "restitution"), by[2] = {0, 1}, row[N];
    double value[8], y[N], by_value[2 * N], by_imposed[N], alone[N];
    struct cf_dataset d = {.pair = lab_pair(0.1, 0.02)};
    const struct cf_law *found = cf_law_find(law);
    bool same = true;

    if (cf_dataset_alloc(&d, impact, N, NULL))
        exit(99);
    memcpy(value, p, found->nparam * sizeof *p);
    value[cf_apparatus_value(found, 0)] = 1;
    for (size_t i = 0; i < N; i++) {
        row[i] = i;
        lab_put(&d, i, cf_protocol_channel(impact, i == 2 ? "drop_height" : "speed"),
                i == 2 ? speed[i] * speed[i] / (2 * d.pair.gravity_m_s2) : speed[i], 0);
    }
    struct cf_request q = {.data = &d,
                           .law = found,
                           .value = value,
                           .nrow = N,
                           .row = row,
                           .nchannel = 1,
                           .channel = &e,
                           .nby = 2,
                           .by = by};
    struct cf_response out = {y, by_value, by_imposed};
    ok(cf_protocol_predict(curves, &q, &out, NULL) == CF_OK, "%s: six drops", law);
    for (size_t i = 0; i < N; i++) {
        struct cf_response single = {&alone[i], NULL, NULL};
        q.nrow = 1;
        q.row = &row[i];
        same = same && !cf_protocol_predict(curves, &q, &single, NULL) &&
               fabs(alone[i] / y[i] - 1) <= rounding;
        for (size_t k = 0; k < i; k++)
            if (speed[k] == speed[i] && i != 2 && k != 2)
                same = same && y[k] == y[i] && by_value[2 * k] == by_value[2 * i] &&
                       by_value[2 * k + 1] == by_value[2 * i + 1] && by_imposed[k] == by_imposed[i];
    }
    ok(same, "%s: each as if it were alone, repeated ones alike", law);
    ok(fabs(y[2] / y[1] - 1) < 1e-12 && by_imposed[2] != by_imposed[1],
       "%s: a height that gives the same speed has a slope of its own", law);
    ok(y[3] != y[2] && y[3] == y[5], "%s: another speed another answer", law);
    cf_dataset_clear(&d);
}

TEST(fold)
{
    static const char *const two[] = {"k", "lambda", NULL};
    static const char *const four[] = {"pivot_force", "pivot_damping", "n", "p", NULL};
    const double af[] = {2e7, 4e3}, power[] = {2e7, 4e3, 1.6, 0.7};
    struct cf_curves *curves = cf_curves_alloc();
    struct bench few, many, integrated;

    plan(3 * 6 + 3 + 2 * 4);
    open_bench(&few, "azad-featherstone", two, ROWS, curves);
    open_bench(&many, "azad-featherstone", two, MORE, curves);
    open_bench(&integrated, "power", four, ROWS, curves);
    check_kept(&few, "a curve", true, 0);
    check_kept(&integrated, "an integrated law", true, 1e-9);
    check_kept(&many, "many rows", false, 0);
    check_another(&few, &many);
    check_repeats(curves, "azad-featherstone", af, 0);
    check_repeats(curves, "power", power, 4 * DBL_EPSILON);
    close_bench(&few);
    close_bench(&many);
    close_bench(&integrated);
    cf_curves_free(curves);
    return done();
}
