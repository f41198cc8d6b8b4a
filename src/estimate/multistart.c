/* Where to start: Sobol points over the bounds, screened by their cost, the best polished. */

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/global.h"

/* To rank starts, sigmas need converge only so far: the cost is flat in them at their optimum. */
static const double coarse_sigma = 1e-3, fine_sigma = 1e-9;

/* A law whose impacts are integrated one by one takes some hundred times longer than a curve. So
 * this many times fewer points are screened, and fewer polished: nearly all its starts are in the
 * same basin, because its parameters are those that the data identify nearly one by one. */
enum { SLOW_SCREEN = 16, SLOW_STARTS = 4, FEWEST_STARTS = 4 };

static struct cf_fit_options options_of(const struct cf_problem *q)
{
    struct cf_fit_options options = q->spec->options;

    if (!q->law->regular)
        return options;
    if (options.starts > FEWEST_STARTS) {
        options.starts /= SLOW_STARTS;
        if (options.starts < FEWEST_STARTS)
            options.starts = FEWEST_STARTS;
    }
    options.screen = (options.screen + SLOW_SCREEN - 1) / SLOW_SCREEN;
    return options;
}

static int by_cost(const void *a, const void *b)
{
    const struct cf_solution *s = a, *t = b;
    return (s->cost > t->cost) - (s->cost < t->cost);
}

static bool has_stated_start(const struct cf_problem *q)
{
    for (size_t j = 0; j < q->nfree; j++)
        if (!isnan(q->unknown[j].start))
            return true;
    return false;
}

/* Sobol points, turned by a random shift so that another seed gives other points. The first point
 * is the stated start, where one is stated. */
static int screen(const struct cf_problem *q, struct cf_solution point[], size_t n,
                  struct cf_error *err)
{
    gsl_qrng *sobol = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned) q->nfree);
    gsl_rng *rng = cf_random_stream(q->spec->options.seed, 0);
    double x[CF_MAX_PARAM], shift[CF_MAX_PARAM];

    if (!sobol || !rng) {
        if (sobol)
            gsl_qrng_free(sobol);
        if (rng)
            gsl_rng_free(rng);
        return cf_fail(err, CF_ENOMEM, "no memory for the starts");
    }
    for (size_t j = 0; j < q->nfree; j++)
        shift[j] = gsl_rng_uniform(rng);
    for (size_t i = 0; i < n; i++) {
        gsl_qrng_get(sobol, x);
        point[i].origin = i == 0 && has_stated_start(q) ? "stated" : "sobol";
        for (size_t j = 0; j < q->nfree; j++) {
            const struct cf_unknown *w = &q->unknown[j];
            double t = fmod(x[j] + shift[j], 1);
            point[i].theta[j] =
                i == 0 && !isnan(w->start) ? w->start : w->lower + (w->upper - w->lower) * t;
        }
        if (cf_cost(q, point[i].theta, &point[i].cost, NULL) || !isfinite(point[i].cost))
            point[i].cost = INFINITY;
    }
    gsl_qrng_free(sobol);
    gsl_rng_free(rng);
    return CF_OK;
}

/* Two thirds of the best, and a third spread evenly over the ranks of the others, so that a second
 * basin far off is seen. point[n] is sorted; a stated start (first) is always among them. */
static void choose(const struct cf_solution point[], size_t n, const struct cf_solution *stated,
                   struct cf_solution chosen[], size_t count)
{
    size_t best = count - count / 3, spread = count - best;

    for (size_t i = 0; i < best; i++)
        chosen[i] = point[i];
    for (size_t i = 0; i < spread; i++)
        chosen[best + i] = point[best + (i + 1) * (n - best) / (spread + 1)];
    if (stated)
        chosen[0] = *stated;
}

int cf_screen_best(const struct cf_problem *problem, double theta[], struct cf_error *err)
{
    size_t n = options_of(problem).screen, best = 0;
    struct cf_solution *point = calloc(n, sizeof *point);
    int status = point ? screen(problem, point, n, err)
                       : cf_fail(err, CF_ENOMEM, "no memory for %zu starts", n);

    for (size_t i = 1; i < n && !status; i++)
        if (point[i].cost < point[best].cost)
            best = i;
    if (!status)
        memcpy(theta, point[has_stated_start(problem) ? 0 : best].theta,
               problem->nfree * sizeof *theta);
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

int cf_multistart(struct cf_solver *solver, struct cf_problem *problem,
                  struct cf_solution solution[], size_t *count, struct cf_error *err)
{
    const struct cf_fit_options own = options_of(problem), *opt = &own;
    size_t n = opt->screen > opt->starts ? opt->screen : opt->starts;
    struct cf_solution stated, *point = calloc(n, sizeof *point);
    double change;
    int status;

    *count = 0;
    if (!point)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu starts", n);
    cf_sigma_reset(problem);
    status = screen(problem, point, n, err);
    stated = point[0];
    qsort(point, n, sizeof *point, by_cost);
    if (!status)
        choose(point, n, has_stated_start(problem) ? &stated : NULL, solution, opt->starts);
    free(point);
    if (!status)
        status = search_globally(problem, &solution[opt->starts], err);
    for (size_t i = 0; i < cf_start_count(opt) && !status; i++) {
        cf_sigma_reset(problem);
        status = cf_polish(solver, problem, NULL, coarse_sigma, &solution[i], err);
        *count = i + 1;
    }
    if (status)
        return status;
    qsort(solution, *count, sizeof *solution, by_cost);
    if (!isfinite(solution[0].cost))
        return cf_fail(err, CF_EFIT,
                       "%s could not be evaluated at any of %zu starts: are the bounds plausible?",
                       problem->law->name, *count);

    /* sigmas converge to slightly different values from another start: converge them at the best */
    cf_sigma_reset(problem);
    for (int i = 0; i < 2 && !status; i++)
        status = cf_sigma_update(problem, solution[0].theta, &change, err);
    if (!status)
        status = cf_polish(solver, problem, NULL, fine_sigma, &solution[0], err);
    return status;
}
