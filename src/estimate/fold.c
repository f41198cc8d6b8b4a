#include "estimate/fold.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/fold_channels.h"
#include "estimate/fold_units.h"
#include "estimate/triangle.h"

/* The locals are at their best when a step would lower chi^2 by no more than this: a millionth of a
 * standard error squared. */
static const double local_fall = 1e-12;

/* Smaller differences are below the error of a motion's columns. In a quick fold a tenth of a
 * standard error is near enough: what the derivatives take off chi^2 is then right to some 1e-6. */
static const double motion_local_fall = 1e-6, quick_local_fall = 1e-2;

/* A fall by less than this share of chi^2 is lost in its rounding. */
static const double rounding = 1e-14;

/* Where chi^2 of a motion's part is so many times the number of its observations the unknowns are
 * far off, and what its locals could still gain is no matter: they are moved once, and only where
 * that is to take off this share of it. */
static const double far_off = 10, far_fall = 1e-2;
enum { MAX_LOCAL_STEP = 50, MAX_HALVING = 30 };

/* Where a step keeps less of its promise, a sample lies at a kink of the motion, about which steps
 * go to and fro: a quick fold leaves it to the next. */
static const double least_kept = 0.25;

/* A local whose column keeps less than this of its length beside the others is not moved. */
static const double least_pivot = 1e-12;

void cf_fold_clear(struct cf_fold *fold)
{
    free(fold->room);
    free(fold->part);
    free(fold->kept);
    *fold = (struct cf_fold){0};
}

int cf_fold_alloc(struct cf_fold *fold, const struct cf_problem *problem, struct cf_error *err)
{
    size_t n = problem->nfree, own = 2 * (n + 1) * (n + 1) + n, total = own + problem->nlocal;
    double *at;

    *fold = (struct cf_fold){.n = n, .npart = problem->npart};
    fold->part = calloc(problem->npart + 1, sizeof *fold->part);
    for (size_t i = 0; fold->part && i < problem->npart; i++) {
        const struct cf_set *set = &problem->set[problem->part[i].data];
        struct cf_part_fold *p = &fold->part[i];
        p->nlocal = set->nlocal;
        p->ncolumn = set->nlocal + set->nactive;
        total += (set->nchannel + 1) * (p->ncolumn + 1) * (p->ncolumn + 1);
    }
    fold->room = calloc(total + 1, sizeof *fold->room);
    if (!fold->part || !fold->room) {
        cf_fold_clear(fold);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", n);
    }
    fold->R = fold->room;
    fold->data = fold->R + (n + 1) * (n + 1);
    fold->norm = fold->data + (n + 1) * (n + 1);
    fold->local = fold->norm + n;
    at = fold->local + problem->nlocal;
    for (size_t i = 0; i < problem->npart; i++) {
        struct cf_part_fold *p = &fold->part[i];
        size_t size = (p->ncolumn + 1) * (p->ncolumn + 1);
        p->R = at;
        p->channel = at + size;
        at += size * (1 + problem->set[problem->part[i].data].nchannel);
    }
    return CF_OK;
}

/* ---- parts with locals */

static void add_to_part(void *context, size_t unit, const struct cf_stretch *at)
{
    (void) unit;
    cf_fold_stretch(context, at);
}

static double chi2_of(const struct cf_part_fold *p)
{
    size_t n = p->ncolumn + 1;
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += gsl_pow_2(p->R[i * n + n - 1]);
    return sum;
}

/* What folding a part needs. */
struct part_work {
    const struct cf_problem *problem;
    const double *theta;
    struct cf_fold *fold;
};

/* The step of the locals, with what chi^2 should fall by. */
static double local_step(const struct cf_part_fold *p, double step[])
{
    size_t n = p->ncolumn + 1;
    double fall = 0;

    for (size_t i = p->nlocal; i-- > 0;) {
        double pivot = p->R[i * n + i], size = 0, sum = -p->R[i * n + n - 1];
        for (size_t j = 0; j <= i; j++)
            size = hypot(size, p->R[j * n + i]);
        for (size_t j = i + 1; j < p->nlocal; j++)
            sum -= p->R[i * n + j] * step[j];
        step[i] = fabs(pivot) > least_pivot * size ? sum / pivot : 0;
        fall += step[i] != 0 ? gsl_pow_2(p->R[i * n + n - 1]) : 0;
    }
    return fall;
}

/* R_ll dl = -(r_l + R_la da) of a part's factor, whose columns are locals, active unknowns and
 * residual. */
static void follow_part(const struct cf_part_fold *p, const struct cf_set *set, const double from[],
                        const double change[], double local[])
{
    size_t n = p->ncolumn + 1;

    for (size_t i = p->nlocal; i-- > 0;) {
        double pivot = p->R[i * n + i], size = 0, sum = p->R[i * n + n - 1];
        for (size_t j = 0; j <= i; j++)
            size = hypot(size, p->R[j * n + i]);
        for (size_t j = 0; j < set->nactive; j++)
            sum += p->R[i * n + p->nlocal + j] * change[set->active[j]];
        for (size_t j = i + 1; j < p->nlocal; j++)
            sum += p->R[i * n + j] * (local[j] - from[j]);
        local[i] = fabs(pivot) > least_pivot * size ? from[i] - sum / pivot : from[i];
        local[i] = fmin(fmax(local[i], set->local[i].lower), set->local[i].upper);
    }
}

void cf_fold_follow(const struct cf_fold *fold, const struct cf_problem *problem,
                    const double change[], double local[])
{
    for (size_t i = 0; i < problem->npart && problem->nlocal; i++) {
        size_t first = problem->part[i].local;
        follow_part(&fold->part[i], &problem->set[problem->part[i].data], &fold->local[first],
                    change, &local[first]);
    }
}

static bool is_far(const struct part_work *w, size_t part)
{
    return cf_problem_is_motion(w->problem) &&
           chi2_of(&w->fold->part[part]) > far_off * (double) w->problem->part[part].count;
}

/* What chi^2 of a part should fall by, for a step of its locals to be taken. */
static double least_fall(const struct part_work *w, size_t part)
{
    double chi2 = chi2_of(&w->fold->part[part]);

    if (!cf_problem_is_motion(w->problem))
        return fmax(local_fall, rounding * chi2);
    if (is_far(w, part))
        return far_fall * chi2;
    return fmax(w->fold->quick ? quick_local_fall : motion_local_fall,
                cf_problem_rounding(w->problem) * chi2);
}

/* Fold one part with given locals. */
static int fold_part(const struct part_work *w, size_t part, const double local[], double work[],
                     struct cf_error *err)
{
    struct cf_part_fold *p = &w->fold->part[part];
    const struct cf_set *set = &w->problem->set[w->problem->part[part].data];
    size_t size = (p->ncolumn + 1) * (p->ncolumn + 1);
    struct cf_unit_fold to = {p->channel, work};
    int status;

    memset(p->channel, 0, set->nchannel * size * sizeof *p->channel);
    status =
        cf_part_visit(w->problem, part, w->theta, local, CF_WANT_RESIDUALS, add_to_part, &to, err);
    if (!status)
        cf_fold_join_channels(w->problem, part, &local[w->problem->part[part].local], p, work);
    return status;
}

/* Try a step of the locals, which should lower chi^2 by `fall`, halved until it does by anything,
 * or until there is nothing left to be seen of it. *moved is false where no length helps. */
static int try_step(const struct part_work *w, size_t part, const double step[], double fall,
                    double local[], double work[], bool *moved, struct cf_error *err)
{
    const struct cf_part *at = &w->problem->part[part];
    const struct cf_set *set = &w->problem->set[at->data];
    double before = chi2_of(&w->fold->part[part]), share = 1, *own = &local[at->local];
    double *kept = work + CF_STRETCH * (w->fold->part[part].ncolumn + 1);
    int status = CF_OK;

    memcpy(kept, own, set->nlocal * sizeof *own);
    for (int k = 0; k < MAX_HALVING && (k == 0 || share * fall > least_fall(w, part)); k++) {
        for (size_t i = 0; i < set->nlocal; i++)
            own[i] =
                fmin(fmax(kept[i] + share * step[i], set->local[i].lower), set->local[i].upper);
        status = fold_part(w, part, local, work, err);
        *moved = !status && chi2_of(&w->fold->part[part]) < before;
        if (*moved || (status && status != CF_ESOLVE))
            return status;
        share /= 2;
    }
    memcpy(own, kept, set->nlocal * sizeof *own);
    return fold_part(w, part, local, work, err);
}

/* The part at its locals' best. */
static int settle_part(void *context, size_t part, size_t worker, struct cf_error *err)
{
    const struct part_work *w = context;
    struct cf_part_fold *p = &w->fold->part[part];
    size_t n = p->ncolumn + 1, rows = n > CF_STRETCH ? n : CF_STRETCH;
    double *work = malloc((rows * n + 2 * p->nlocal + 1) * sizeof *work);
    double *step = work + rows * n + p->nlocal, before;
    bool moved = true;
    int status = work ? fold_part(w, part, w->fold->local, work, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for a segment");

    (void) worker;
    p->left = 0;
    for (int k = 0; k < MAX_LOCAL_STEP && p->nlocal && moved && !status; k++) {
        double fall = local_step(p, step);
        if (!(fall > least_fall(w, part)) || (k > 0 && is_far(w, part))) {
            p->left = w->fold->quick && !is_far(w, part) ? fall : 0;
            break;
        }
        before = chi2_of(p);
        status = try_step(w, part, step, fall, w->fold->local, work, &moved, err);
        if (w->fold->quick && !(before - chi2_of(p) > least_kept * fall))
            break;
    }
    free(work);
    return status;
}

/* ---- all parts into one factor */

/* The rows of a part that are left when its locals are eliminated, among all unknowns' columns. */
static void add_part(const struct cf_problem *q, size_t part, struct cf_fold *fold, double work[])
{
    const struct cf_part_fold *p = &fold->part[part];
    const struct cf_set *set = &q->set[q->part[part].data];
    size_t n = p->ncolumn + 1, m = set->nactive + 1, all = fold->n + 1;

    memset(work, 0, m * all * sizeof *work);
    for (size_t i = 0; i < m; i++)
        for (size_t j = i; j < m; j++) {
            size_t column = j < set->nactive ? set->active[j] : fold->n;
            work[column * m + i] = p->R[(p->nlocal + i) * n + p->nlocal + j];
        }
    cf_triangle_add(fold->data, all, work, m, m);
    for (size_t j = 0; j < set->nactive; j++)
        for (size_t i = 0; i <= p->nlocal + j; i++)
            fold->norm[set->active[j]] += gsl_pow_2(p->R[i * n + p->nlocal + j]);
    fold->chi2 += chi2_of(p) - p->left;
}

static void add_priors(const struct cf_problem *q, const double other[], struct cf_fold *fold,
                       double work[])
{
    for (size_t i = 0; i < fold->n; i++) {
        const struct cf_unknown *w = &q->unknown[i];
        if (!w->has_prior)
            continue;
        memset(work, 0, (fold->n + 1) * sizeof *work);
        work[i] = -1 / w->prior_sigma;
        work[fold->n] = (w->prior - other[i]) / w->prior_sigma;
        fold->chi2 += gsl_pow_2(work[fold->n]);
        fold->norm[i] += gsl_pow_2(work[i]);
        cf_triangle_add(fold->R, fold->n + 1, work, 1, 1);
    }
}

/* `other`: where the residuals are from. */
static int join_parts(const struct cf_problem *q, const double other[], struct cf_fold *fold,
                      struct cf_error *err)
{
    size_t all = fold->n + 1;
    double *work = malloc((all * all + 1) * sizeof *work);

    if (!work)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", fold->n);
    memset(fold->data, 0, all * all * sizeof *fold->data);
    memset(fold->norm, 0, fold->n * sizeof *fold->norm);
    fold->chi2 = 0;
    for (size_t p = 0; p < q->npart; p++)
        add_part(q, p, fold, work);
    memcpy(fold->R, fold->data, all * all * sizeof *fold->R);
    add_priors(q, other, fold, work);
    free(work);
    for (size_t i = 0; i < fold->n; i++)
        fold->norm[i] = sqrt(fold->norm[i]);
    for (size_t i = 0; i < all * all; i++)
        if (!isfinite(fold->R[i]))
            return cf_fail(err, CF_ESOLVE, "a derivative is not finite");
    return CF_OK;
}

int cf_problem_fold(const struct cf_problem *problem, const double theta[], struct cf_fold *fold,
                    struct cf_error *err)
{
    struct part_work w = {problem, theta, fold};
    struct cf_workers silent = {.jobs = cf_threads_for(problem, problem->npart)};
    int status;

    memcpy(fold->local, problem->local, problem->nlocal * sizeof *fold->local);
    status = problem->nlocal ? cf_parallel(&silent, "", problem->npart, settle_part, &w, err)
                             : cf_fold_units(problem, theta, fold, err);
    return status ? status : join_parts(problem, theta, fold, err);
}

int cf_problem_fold_other(const struct cf_problem *problem, const struct cf_fold *here,
                          const double theta[], const double other[], struct cf_fold *fold,
                          struct cf_error *err)
{
    double *r = malloc((problem->nresidual + 1) * sizeof *r);
    int status = r ? cf_problem_residuals(problem, other, r, NULL, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu residuals", problem->nresidual);

    if (!status)
        status = cf_fold_units_other(problem, here, theta, r, fold, err);
    if (!status)
        status = join_parts(problem, other, fold, err);
    free(r);
    return status;
}
