/* Folds of a motion whose locals are followed by derivatives: three records of stick and slip,
 * where each cycle has time and force of its trough as locals. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "estimate/fold.h"
#include "estimate/solve.h"
#include "study/study.h"
#include "tap.h"

static void must(int status, const struct cf_error *err)
{
    if (!status)
        return;
    printf("Bail out! %s\n", err->text);
    exit(1);
}

static struct cf_study *read_study(void)
{
    const char *srcdir = getenv("srcdir");
    char path[1000];
    struct cf_error err = {""};
    struct cf_study *study;

    snprintf(path, sizeof path, "%s/bench/stick_slip.yaml", srcdir ? srcdir : ".");
    study = cf_study_read(path, NULL, &err);
    must(!study, &err);
    return study;
}

static double distance(const double a[], const double b[], size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum = hypot(sum, a[i] - b[i]);
    return sum;
}

/* Of the observations, with the problem's locals as they are. */
static double chi2_at(const struct cf_problem *q, const double theta[])
{
    double *y = malloc(q->nobservation * sizeof *y), sum = 0;
    struct cf_error err = {""};

    must(cf_problem_predict(q, theta, y, NULL, &err), &err);
    for (size_t i = 0; i < q->nobservation; i++)
        sum += pow((q->observation[i].value - y[i]) / q->observation[i].sigma, 2);
    free(y);
    return sum;
}

/* Far from theta by `by` in all unknowns: what chi^2 is above that of the best locals where these
 * are followed, as a share of what it is where they stay. */
static double missed(struct cf_problem *q, const struct cf_fold *from, struct cf_fold *to,
                     const double theta[], double by)
{
    double moved[CF_MAX_PARAM], change[CF_MAX_PARAM], best, stayed, followed;
    struct cf_error err = {""};

    for (size_t i = 0; i < q->nfree; i++) {
        change[i] = by * (i % 2 ? 1 : -1);
        moved[i] = theta[i] + change[i];
    }
    stayed = chi2_at(q, moved);
    cf_fold_follow(from, q, change, q->local);
    followed = chi2_at(q, moved);
    must(cf_problem_fold(q, moved, to, &err), &err);
    memcpy(q->local, to->local, q->nlocal * sizeof *q->local);
    best = chi2_at(q, moved);
    memcpy(q->local, from->local, q->nlocal * sizeof *q->local);
    printf("# %.6g best, %.6g followed, %.6g stayed\n", best, followed, stayed);
    return (followed - best) / (stayed - best);
}

/* Locals a little off their best stay there in a quick fold, whose chi^2 is that of their best. */
static void quick(struct cf_problem *q, const struct cf_fold *best, struct cf_fold *fold,
                  const double theta[])
{
    double *kept = malloc(q->nlocal * sizeof *kept);
    struct cf_error err = {""};

    memcpy(kept, q->local, q->nlocal * sizeof *kept);
    for (size_t i = 0; i < q->nlocal; i++)
        q->local[i] = best->local[i] + (i % 2 ? 2e-5 : 0);
    fold->quick = true;
    must(cf_problem_fold(q, theta, fold, &err), &err);
    ok(distance(fold->local, q->local, q->nlocal) == 0, "locals near their best stay");
    ok(fabs(fold->chi2 - best->chi2) < 2e-3, "chi^2 is that of their best: %.3g off",
       fold->chi2 - best->chi2);
    double left = 0;
    for (size_t i = 0; i < fold->npart; i++)
        left += fold->part[i].left;
    ok(left > 2e-3, "%.3g above which they are", left);
    for (size_t i = 0; i < q->nlocal; i++)
        q->local[i] = best->local[i] + (i % 2 ? 2e-2 : 0);
    must(cf_problem_fold(q, theta, fold, &err), &err);
    ok(fabs(fold->chi2 - best->chi2) < 1, "from far off they are moved: chi^2 %.3g off",
       fold->chi2 - best->chi2);
    fold->quick = false;
    memcpy(q->local, kept, q->nlocal * sizeof *kept);
    free(kept);
}

int main(void)
{
    static const double truth[] = {0.15, 0.1, 3e-3, 0.15};
    struct cf_study *study = read_study();
    struct cf_problem q;
    struct cf_fold best, other;
    struct cf_error err = {""};
    double theta[CF_MAX_PARAM], wide, small;

    plan(6);
    must(cf_problem_init(&q, &study->spec, study->spec.law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, &err),
         &err);
    cf_sigma_reset(&q);
    for (size_t i = 0; i < q.nfree; i++) /* mu_s, mu_c, v_s, tau_dw: as the study names them */
        theta[i] = cf_unknown_theta(&q.unknown[i], truth[i]);
    must(cf_fold_alloc(&best, &q, &err), &err);
    must(cf_fold_alloc(&other, &q, &err), &err);
    must(cf_problem_fold(&q, theta, &best, &err), &err);
    memcpy(q.local, best.local, q.nlocal * sizeof *q.local);
    wide = missed(&q, &best, &other, theta, 3e-3);
    small = missed(&q, &best, &other, theta, 1e-3);
    ok(fabs(wide) < 0.2, "locals are followed: %.2g of chi^2 missed", wide);
    ok(fabs(small) < 0.01, "nearer the better: %.2g", small);
    quick(&q, &best, &other, theta);
    cf_fold_clear(&best);
    cf_fold_clear(&other);
    cf_problem_free(&q);
    cf_study_free(study);
    return done();
}
