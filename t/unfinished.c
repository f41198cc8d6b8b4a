/* A fit that is ended at any moment: it has the best that was found until then, or it says that
 * there is nothing. The moments are counted by how often the fit has asked whether to go on, so
 * that each of its stages is ended in its middle. */

#include "identify/fit.h"

#include <gsl/gsl_errno.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"
#include "resample/bootstrap.h"
#include "tap.h"

enum { N = 14, MOMENTS = 120 };

static const double speed[N] = {0.11, 0.17, 0.26, 0.39, 0.55, 0.83, 1.2,
                                1.7,  2.4,  3.1,  4.3,  5.9,  7.7,  9.4};
static const double scatter[N] = {-1.7, -3.6, -0.6, -3.5, 0.3, 4.4, -2.6,
                                  1.2,  0.3,  -1.5, 0.5,  3.4, 4.3, 2.1};

struct moment {
    _Atomic long asked;
    long end; /* so many questions are answered with no */
    bool cancel;
};

static bool is_enough(void *listener)
{
    struct moment *m = listener;
    return m->asked++ >= m->end;
}

static bool is_cancelled(void *listener)
{
    const struct moment *m = listener;
    return m->cancel && m->asked >= m->end;
}

static int run(const struct cf_spec *spec, struct cf_curves *curves, struct moment *m,
               struct cf_fit **fit, struct cf_error *err)
{
    const struct cf_law *const rival[] = {cf_law_find("e-constant"), cf_law_find("e-power")};
    const struct cf_workers workers = {
        .jobs = 1, .listener = m, .cancelled = is_cancelled, .enough = is_enough};

    return cf_fit_run(spec, rival, 2, curves, &workers, fit, err);
}

/* What was found is told as such, and nothing else is. */
static bool is_told(const struct cf_fit *fit, const double best[])
{
    const struct cf_optimum *o = &fit->optimum;
    bool told = fit->unfinished && fit->interrupted && fit->status == CF_VERDICT_FAILED &&
                fit->findings.n == 1 && fit->findings.item[0].rule == CF_RULE_UNFINISHED &&
                fit->nrival == 0 && fit->nleft_out == 0 && o->nstart > 0 && isfinite(o->cost);

    for (size_t i = 0; i < o->problem.nfree; i++) {
        double width = fit->estimate[i].standard_error;
        told = told && isfinite(o->value[i]) && fit->estimate[i].worth != CF_WORTH_FINE;
        if (fit->stage != CF_STAGE_SEARCH)
            told =
                told && fit->estimate[i].wald.known && fabs(o->theta[i] - best[i]) < 1e-3 * width;
    }
    for (size_t i = 0; i < o->problem.nobservation; i++)
        told = told && isfinite(fit->predicted[i].value) && isnan(fit->left_out[i]);
    return told;
}

/* All moments of a fit, of estimated or stated errors. */
static void all_moments(struct cf_curves *curves, double sigma)
{
    static const char *const names[] = {"e_at_1", "b", NULL};
    struct cf_dataset d;
    struct moment whole = {0, 1L << 40, false};
    struct cf_fit *fit = NULL;
    bool seen[CF_NSTAGE] = {false}, told = true, first = true, nothing = true;
    double e[N], best[2] = {0};
    const char *kind = sigma > 0 ? "stated errors" : "estimated errors";

    for (size_t i = 0; i < N; i++)
        e[i] = 0.82 - 0.03 * log(speed[i]) + 0.001 * scatter[i];
    lab_dataset(&d, "restitution", N, speed, e, sigma, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", names, &d, 1);
    spec.options.bootstrap = 100;
    ok(!run(&spec, curves, &whole, &fit, NULL) && !fit->unfinished, "%s: a fit that may end does",
       kind);
    if (fit)
        memcpy(best, fit->optimum.theta, sizeof best);
    cf_fit_free(fit);
    for (long k = 0; k < MOMENTS; k++) {
        struct moment m = {0, k * whole.asked / MOMENTS, false};
        struct cf_error err = {""};
        int status = run(&spec, curves, &m, &fit, &err);
        if (status) { /* only before anything was seen */
            nothing = nothing && status == CF_ECANCELLED && first && err.text[0] && !fit;
            continue;
        }
        first = false;
        seen[fit->stage] = true;
        told = told && (fit->stage == CF_STAGE_RESAMPLES
                            ? !fit->unfinished && strstr(fit->resamples.bootstrap[1].why, "interr")
                            : is_told(fit, best));
        cf_fit_free(fit);
    }
    ok(told, "%s: each moment has what was found", kind);
    ok(nothing, "%s: but the first, which say so", kind);
    ok(seen[CF_STAGE_SEARCH] && seen[CF_STAGE_RIVALS] && seen[CF_STAGE_RESAMPLES],
       "%s: the search, the rivals and the bootstrap were ended", kind);
    cf_dataset_clear(&d);
}

/* A second signal, while the first is obeyed. */
static void cancelled(struct cf_curves *curves)
{
    static const char *const names[] = {"e_at_1", "b", NULL};
    struct moment m = {0, 2000, true};
    struct cf_dataset d;
    struct cf_fit *fit = NULL;
    double e[N];

    for (size_t i = 0; i < N; i++)
        e[i] = 0.82 + 0.001 * scatter[i];
    lab_dataset(&d, "restitution", N, speed, e, 0.01, lab_pair(0.1, 0.02));
    struct cf_spec spec = lab_spec("e-log", names, &d, 1);
    ok(run(&spec, curves, &m, &fit, NULL) == CF_ECANCELLED && !fit,
       "a fit that is cancelled has nothing");
    cf_dataset_clear(&d);
}

TEST(unfinished)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(2 * 4 + 1);
    all_moments(curves, 0.004);
    all_moments(curves, 0);
    cancelled(curves);
    cf_curves_free(curves);
    return done();
}
