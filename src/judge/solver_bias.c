#include "judge/solver_bias.h"

#include <math.h>
#include <stdlib.h>

#include "estimate/evaluate.h"
#include "estimate/twin.h"

const double cf_bias_gate = 0.1;

/* The fast way is checked against direct integration at this relative tolerance. */
static const double check_tolerance = 1e-13;

/* And that of a motion: a hundredth of a fit's own, which the steps reach in any scene. */
static const double motion_check_tolerance = 1e-10;

/* Direct integration is slow: the bias is looked for on this many rows spread over the axis. */
enum { MOST_CHECKED = 200 };

/* The largest that was found: of the value, and of sigma. */
struct bias {
    double raw, over_sigma;
};

/* Observation i of a problem by direct integration against the fast way. */
static int bias_of(const struct cf_problem *q, size_t i, const double theta[], struct bias *bias,
                   struct cf_error *err)
{
    const struct cf_observation *o = &q->observation[i];
    const struct cf_dataset *d = &q->spec->data[o->data];
    size_t row = o->row, channel = o->column;
    double fast, slow, off;
    int status = cf_problem_predict_rows(q, o->data, d, 1, &row, 1, &channel, 0, theta, &fast, NULL,
                                         NULL, err);

    if (!status)
        status = cf_problem_predict_rows(q, o->data, d, 1, &row, 1, &channel, check_tolerance,
                                         theta, &slow, NULL, NULL, err);
    if (status)
        return status;
    off = fabs(fast - slow);
    bias->raw = fmax(bias->raw, off / fabs(slow));
    bias->over_sigma = fmax(bias->over_sigma, off / o->sigma);
    return CF_OK;
}

/* The same of a data set whose motion is predicted whole: one run each, all rows at once. */
static int bias_of_motion(const struct cf_problem *q, size_t data, const double theta[],
                          struct bias *bias, struct cf_error *err)
{
    const struct cf_dataset *d = &q->spec->data[data];
    const struct cf_set *set = &q->set[data];
    size_t n = 0, cells, *row = malloc((d->nrow + 1) * sizeof *row);
    double *fast, *slow, most = 0, off = 0;
    int status;

    for (size_t i = 0; row && i < d->nrow; i++)
        if (d->use[i] == CF_ROW_FIT)
            row[n++] = i;
    cells = n * set->nchannel;
    fast = malloc((2 * cells + 1) * sizeof *fast);
    slow = fast + cells;
    status = row && fast ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", cells);
    if (!status)
        status = cf_problem_predict_rows(q, data, d, n, row, set->nchannel, set->channel, 0, theta,
                                         fast, NULL, NULL, err);
    if (!status)
        status = cf_problem_predict_rows(q, data, d, n, row, set->nchannel, set->channel,
                                         motion_check_tolerance, theta, slow, NULL, NULL, err);
    for (size_t c = 0; c < set->nchannel && !status; c++) {
        double sigma = q->channel[set->fitted[c]].sigma;
        most = off = 0;
        for (size_t i = c; i < cells; i += set->nchannel) {
            most = fmax(most, fabs(slow[i]));
            off = fmax(off, fabs(fast[i] - slow[i]));
        }
        bias->raw = fmax(bias->raw, most > 0 ? off / most : 0);
        bias->over_sigma = fmax(bias->over_sigma, off / sigma);
    }
    free(row);
    free(fast);
    return status;
}

static int bias_of_curves(const struct cf_problem *q, const double theta[], struct bias *bias,
                          struct cf_error *err)
{
    struct cf_problem some;
    int status = cf_problem_thin(&some, q, MOST_CHECKED, err);

    for (size_t i = 0; i < some.nobservation && !status; i++) {
        status = bias_of(&some, i, theta, bias, err);
        if (!status)
            status = cf_workers_check(q->workers, err);
    }
    cf_problem_free(&some);
    return status;
}

/* Is the data set predicted whole, and anything of it fitted? */
static bool is_moved(const struct cf_problem *q, size_t data)
{
    return q->spec->data[data].protocol->whole && q->set[data].nchannel;
}

int cf_solver_bias(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct bias bias = {0, 0};
    int status = CF_OK;

    if (cf_problem_is_motion(q)) {
        for (size_t i = 0; i < q->spec->ndata && !status; i++)
            if (is_moved(q, i))
                status = bias_of_motion(q, i, fit->optimum.theta, &bias, err);
    } else if (q->law->family == CF_FAMILY_NORMAL) { /* a formula has no solver */
        status = bias_of_curves(q, fit->optimum.theta, &bias, err);
    }
    fit->bias = bias.raw;
    fit->bias_over_sigma = bias.over_sigma;
    return status;
}

/* ---- steps that are fine enough */

/* Those of a data set of the spec. */
static double *steps_of(const struct cf_spec *spec, size_t data)
{
    return &spec->data[data].apparatus[spec->data[data].protocol->steps];
}

/* Twice as many until they are enough, from those that the problem takes: *enough, or 0. */
static int find_enough(const struct cf_fit *fit, size_t data, size_t *enough, struct cf_error *err)
{
    struct cf_problem q = fit->optimum.problem;
    struct cf_spec twin;
    size_t steps = (size_t) *steps_of(q.spec, data);
    int status = cf_twin_make(&twin, q.spec, err);

    *enough = 0;
    q.spec = &twin;
    while (!*enough && (steps *= 2) <= CF_MOST_STEPS && !status) {
        struct bias bias = {0, 0};
        *steps_of(&twin, data) = (double) steps;
        status = bias_of_motion(&q, data, fit->optimum.theta, &bias, err);
        *enough = bias.over_sigma < cf_bias_gate ? steps : 0;
        if (!status)
            status = cf_workers_check(q.workers, err);
    }
    cf_twin_clear(&twin);
    return status;
}

/* What is known of a data set's steps; new where its error is too large for the first time. */
static struct cf_steps *entry_of(struct cf_fit *fit, size_t data, double error)
{
    struct cf_steps *s = fit->steps;

    while (s < fit->steps + fit->nsteps && s->data != data)
        s++;
    if (s == fit->steps + fit->nsteps) {
        *s = (struct cf_steps){data, error, (size_t) *steps_of(fit->optimum.problem.spec, data), 0,
                               false};
        fit->nsteps++;
    }
    return s;
}

/* Let the fit take them. */
static int take(struct cf_fit *fit, struct cf_steps *s, struct cf_error *err)
{
    if (!fit->finer.data) {
        int status = cf_twin_make(&fit->finer, fit->optimum.problem.spec, err);
        if (status)
            return status;
        fit->optimum.problem.spec = fit->held_out.spec = &fit->finer;
    }
    *steps_of(&fit->finer, s->data) = (double) s->enough;
    s->taken = true;
    return CF_OK;
}

int cf_steps_refine(struct cf_fit *fit, bool *finer, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    int status = CF_OK;

    *finer = false;
    if (!fit->steps)
        fit->steps = calloc(q->spec->ndata + 1, sizeof *fit->steps);
    if (!fit->steps)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", q->spec->ndata);
    for (size_t i = 0; i < q->spec->ndata && !status; i++) {
        struct bias bias = {0, 0};
        struct cf_steps *s;
        if (!q->spec->data[i].protocol->steps || !is_moved(q, i))
            continue;
        status = bias_of_motion(q, i, fit->optimum.theta, &bias, err);
        if (status || bias.over_sigma < cf_bias_gate)
            continue;
        s = entry_of(fit, i, bias.over_sigma);
        status = find_enough(fit, i, &s->enough, err);
        if (status || !s->enough || q->spec->data[i].steps_stated)
            continue;
        status = take(fit, s, err);
        *finer = true;
    }
    return status;
}

/* ---- words */

/* `most`: as many as are enough for all data sets that state too few. */
static void judge_steps(struct cf_fit *fit, const struct cf_steps *s, size_t most)
{
    const struct cf_dataset *d = &fit->optimum.problem.spec->data[s->data];
    const char *name = d->protocol->apparatus[d->protocol->steps].name;
    struct cf_finding *f;

    if (s->taken) {
        f = cf_add_finding(&fit->findings, CF_RULE_STEPS,
                           "note: the motion of %s was fitted in %.0f steps from row to row "
                           "(apparatus: {%s: }): %zu would leave an error of %.2g sigma",
                           d->name, *steps_of(fit->optimum.problem.spec, s->data), name, s->stated,
                           s->error);
        f->data = d->name;
        f->size = s->error;
        f->unit = "sigma";
        f->level = cf_bias_gate;
    }
    if (fit->bias_over_sigma < cf_bias_gate)
        return;
    if (s->enough && !s->taken)
        cf_say(&fit->advice,
               "%s states %zu step%s of its motion from row to row, and %zu are enough: leave out "
               "apparatus: {%s: }, or fit --substeps %zu",
               d->name, s->stated, s->stated == 1 ? "" : "s", s->enough, name, most);
    else if (!s->enough)
        cf_say(&fit->advice,
               "no number of steps up to %d from row to row is enough for %s: its motion changes "
               "faster than its rows, or its sigma is smaller than any prediction's error",
               CF_MOST_STEPS, d->name);
}

/* Each advice once. */
static void advise(struct cf_fit *fit)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    const char *last = NULL;

    for (size_t i = 0; i < spec->ndata; i++) {
        const char *advice = spec->data[i].protocol->on_bias;
        if (advice && advice != last)
            cf_say(&fit->advice, "%s", advice);
        last = advice ? advice : last;
    }
}

void cf_judge_solver(struct cf_fit *fit)
{
    size_t most = 0;

    if (!(fit->bias_over_sigma < cf_bias_gate)) {
        struct cf_finding *f = cf_add_finding(
            &fit->findings, CF_RULE_SOLVER,
            "the solver's own error reaches %.2g sigma (allowed: %g): it could look like damping",
            fit->bias_over_sigma, cf_bias_gate);
        f->size = fit->bias_over_sigma;
        f->unit = "sigma";
        f->level = cf_bias_gate;
        advise(fit);
    }
    for (size_t i = 0; i < fit->nsteps; i++)
        most = fit->steps[i].enough > most ? fit->steps[i].enough : most;
    for (size_t i = 0; i < fit->nsteps; i++)
        judge_steps(fit, &fit->steps[i], most);
}
