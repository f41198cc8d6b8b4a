/* Where to start: Sobol points over the bounds, screened by their cost, the best polished. */

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/global.h"
#include "estimate/starts.h"

/* More rows do not show better where to look: that of a thousand lies near that of all. */
const size_t cf_most_searched = 1000;

/* Impacts that are integrated one by one take some hundred times longer than a curve, motions too.
 * So this many times fewer points are screened, and fewer polished: nearly all its starts are in
 * the same basin, because its parameters are those that the data identify nearly one by one. */
enum { SLOW_SCREEN = 16, SLOW_STARTS = 6, FEWEST_STARTS = 4 };

static bool has_few_minima(const struct cf_problem *q)
{
    for (size_t i = 0; i < q->spec->ndata; i++)
        if (!q->spec->data[i].protocol->few_minima)
            return false;
    return true;
}

struct cf_fit_options cf_start_options(const struct cf_problem *q, bool *fewer)
{
    struct cf_fit_options options = q->spec->options;

    *fewer = cf_problem_is_slow(q) && options.starts > FEWEST_STARTS;
    if (!cf_problem_is_slow(q))
        return options;
    if (*fewer) {
        size_t n = options.starts / SLOW_STARTS;
        options.starts = n < FEWEST_STARTS ? FEWEST_STARTS : n;
    }
    /* motions have many minima, unless their protocol has better ones or segments have starts */
    if (cf_law_is_slow(q->law) || has_few_minima(q) || (q->nlocal && cf_problem_is_motion(q)))
        options.screen = (options.screen + SLOW_SCREEN - 1) / SLOW_SCREEN;
    return options;
}

int cf_solution_by_cost(const void *a, const void *b)
{
    const struct cf_solution *s = a, *t = b;
    if (s->cost != t->cost)
        return (s->cost > t->cost) - (s->cost < t->cost);
    return (s->rows < t->rows) - (s->rows > t->rows);
}

/* Who says where to start: "stated" by the study, "hand" formulas; NULL: nobody. */
static const char *stated_by(const struct cf_problem *q)
{
    const char *who = NULL;
    for (size_t j = 0; j < q->nfree; j++) {
        const struct cf_unknown *w = &q->unknown[j];
        if (w->kind == CF_UNKNOWN_LAW && !isnan(w->start) && !w->by_hand)
            return "stated";
        if (w->by_hand)
            who = "hand";
    }
    return who;
}

/* Points of a low-discrepancy sequence: Sobol's, and in more dimensions than GSL has it for
 * Halton's. */
static gsl_qrng *sequence(size_t n)
{
    const gsl_qrng_type *type =
        n <= gsl_qrng_sobol->max_dimension ? gsl_qrng_sobol : gsl_qrng_reversehalton;
    return n <= type->max_dimension ? gsl_qrng_alloc(type, (unsigned) n) : NULL;
}

/* A number of a rig with a prior moves the events of a motion, and with them where the cost has its
 * minima: starts lie as far about it as the prior may be off. */
static const double PRIOR_SDS = 2;

static bool spread_by_prior(const struct cf_problem *q, const struct cf_unknown *w)
{
    return w->kind == CF_UNKNOWN_VALUE && w->has_prior && !w->by_hand && cf_problem_is_motion(q);
}

/* A share of where starts of an unknown lie: about a hand formula, or all its range. */
static double within(const struct cf_problem *q, const struct cf_unknown *w, double share)
{
    if (spread_by_prior(q, w))
        return fmin(fmax(w->prior + (2 * share - 1) * PRIOR_SDS * w->prior_sigma, w->lower),
                    w->upper);
    double lower = w->by_hand ? fmax(w->lower, w->start - w->reach) : w->lower;
    double upper = w->by_hand ? fmin(w->upper, w->start + w->reach) : w->upper;

    return lower + (upper - lower) * share;
}

/* Sobol points, turned by a random shift so that another seed gives other points. The first point
 * is the stated start, where one is stated. */
static int screen(const struct cf_problem *q, struct cf_solution point[], size_t n,
                  struct cf_error *err)
{
    gsl_qrng *sobol = sequence(q->nfree);
    gsl_rng *rng = cf_random_stream(q->spec->options.seed, 0);
    double *x = calloc(2 * q->nfree + 1, sizeof *x), *shift = x ? x + q->nfree : NULL;
    size_t rows = cf_problem_rows(q);
    int status = CF_OK;

    if (!sobol || !rng || !x) {
        if (sobol)
            gsl_qrng_free(sobol);
        if (rng)
            gsl_rng_free(rng);
        free(x);
        return cf_fail(err, CF_ENOMEM, "no memory for starts of %zu unknowns", q->nfree);
    }
    for (size_t j = 0; j < q->nfree; j++)
        shift[j] = gsl_rng_uniform(rng);
    for (size_t i = 0; i < n; i++)
        point[i].cost = INFINITY;
    for (size_t i = 0; i < n && !status; i++) {
        gsl_qrng_get(sobol, x);
        point[i].origin = i == 0 && stated_by(q) ? stated_by(q) : "sobol";
        for (size_t j = 0; j < q->nfree; j++) {
            const struct cf_unknown *w = &q->unknown[j];
            double t = fmod(x[j] + shift[j], 1);
            bool stated = !isnan(w->start) && (i == 0 || w->kind != CF_UNKNOWN_LAW) &&
                          !(i > 0 && spread_by_prior(q, w));
            point[i].theta[j] = stated ? w->start : within(q, w, t);
        }
        point[i].rows = rows;
        status = cf_cost(q, point[i].theta, &point[i].cost, err);
        if (cf_status_ends(status))
            break;
        if (status || !isfinite(point[i].cost))
            point[i].cost = INFINITY;
        status = cf_workers_check(q->workers, err);
    }
    gsl_qrng_free(sobol);
    gsl_rng_free(rng);
    free(x);
    return status;
}

void cf_solution_put(const struct cf_problem *q, const struct cf_solution *from,
                     struct cf_solution *to)
{
    double *theta = to->theta;

    memcpy(theta, from->theta, q->nfree * sizeof *theta);
    *to = *from;
    to->theta = theta;
}

/* Two thirds of the best, and a third spread evenly over the ranks of the others, so that a second
 * basin far off is seen. point[n] is sorted; a stated start is always among them. */
static void choose(const struct cf_problem *q, const struct cf_solution point[], size_t n,
                   const struct cf_solution *stated, struct cf_solution chosen[], size_t count)
{
    size_t best = count - count / 3, spread = count - best;

    for (size_t i = 0; i < best; i++)
        cf_solution_put(q, &point[i], &chosen[i]);
    for (size_t i = 0; i < spread; i++)
        cf_solution_put(q, &point[best + (i + 1) * (n - best) / (spread + 1)], &chosen[best + i]);
    for (size_t i = 0; stated && i < count; i++)
        if (strcmp(chosen[i].origin, stated->origin) == 0)
            return; /* twice, it would confirm itself */
    if (stated)
        cf_solution_put(q, stated, &chosen[best - 1]);
}

int cf_screen_best(const struct cf_problem *problem, double theta[], struct cf_error *err)
{
    bool fewer;
    size_t n = cf_start_options(problem, &fewer).screen, best = 0;
    struct cf_solution *point = cf_solutions_alloc(n, problem->nfree);
    struct cf_problem some = {0};
    int status = point ? cf_problem_thin(&some, problem, cf_most_searched, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu starts", n);

    if (!status) {
        size_t neffect = some.neffect, nrecord = some.nrecord, nserial = some.nserial;
        some.neffect = some.nrecord = some.nserial = 0; /* as where a fit begins */
        status = screen(&some, point, n, err);
        some.neffect = neffect;
        some.nrecord = nrecord;
        some.nserial = nserial;
    }
    for (size_t i = 1; i < n && !status; i++)
        if (point[i].cost < point[best].cost)
            best = i;
    if (!status)
        memcpy(theta, point[stated_by(problem) != NULL ? 0 : best].theta,
               problem->nfree * sizeof *theta);
    cf_problem_free(&some);
    free(point);
    return status;
}

size_t cf_start_count(const struct cf_fit_options *options)
{
    return options->starts + cf_global_count(options);
}

/* Global searches with the sigmas and weights as before any fit: their cost needs neither. */
static int search_globally(struct cf_problem *q, struct cf_solution solution[],
                           struct cf_error *err)
{
    size_t n = cf_global_count(&q->spec->options);
    int status = CF_OK;

    cf_sigma_reset(q);
    for (size_t i = 0; i < n && !status; i++)
        status = cf_global_search(q, i, &solution[i], err);
    return status;
}

/* Where the polishes begin: the screened points and the ends of global searches. Cancelled, the
 * best that was screened is the first. */
int cf_find_starts(struct cf_problem *q, const struct cf_fit_options *opt,
                   struct cf_solution solution[], struct cf_error *err)
{
    size_t n = opt->screen > opt->starts ? opt->screen : opt->starts;
    struct cf_solution *point = cf_solutions_alloc(n, q->nfree);
    struct cf_solution *stated = cf_solutions_alloc(1, q->nfree);
    size_t neffect = q->neffect, nrecord = q->nrecord, nserial = q->nserial;
    int status;

    if (!point || !stated) {
        free(point);
        free(stated);
        return cf_fail(err, CF_ENOMEM, "no memory for %zu starts", n);
    }
    q->neffect = q->nrecord = q->nserial = 0; /* where to begin is seen without what rows share */
    status = screen(q, point, n, err);
    if (!status) {
        cf_solution_put(q, &point[0], stated);
        qsort(point, n, sizeof *point, cf_solution_by_cost);
        choose(q, point, n, stated_by(q) != NULL ? stated : NULL, solution, opt->starts);
    }
    if (status == CF_ECANCELLED) { /* the best so far is better than none */
        qsort(point, n, sizeof *point, cf_solution_by_cost);
        if (isfinite(point[0].cost))
            cf_solution_put(q, &point[0], &solution[0]);
    }
    free(point);
    free(stated);
    if (!status)
        status = search_globally(q, &solution[opt->starts], err);
    q->neffect = neffect;
    q->nrecord = nrecord;
    q->nserial = nserial;
    return status;
}
