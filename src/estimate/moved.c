#include "estimate/moved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "estimate/left_out_fit.h"

/* Are the rows those of the fit? */
static bool has_same_rows(const struct cf_dataset *a, const struct cf_dataset *b)
{
    bool same = a->nrow == b->nrow && a->nsegment == b->nsegment &&
                memcmp(a->use, b->use, a->nrow * sizeof *a->use) == 0;

    for (size_t i = 0; i < a->nsegment && same; i++)
        same = a->segment[i].first == b->segment[i].first &&
               a->segment[i].count == b->segment[i].count;
    return same;
}

/* Read each observation again. A stated sigma goes with the scale of its column. */
static bool observe_again(struct cf_problem *q)
{
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        const struct cf_dataset *d = &q->spec->data[o->data];
        double sigma = cf_dataset_sigma(d, o->row, o->column), value;
        if (!cf_dataset_has(d, o->row, o->column))
            return false;
        value = cf_dataset_value(d, o->row, o->column);
        if (o->sigma0 > 0 && sigma > 0 && !q->channel[o->channel].estimated)
            o->sigma *= sigma / o->sigma0;
        o->sigma0 = o->sigma0 > 0 ? sigma : o->sigma0;
        o->value = value;
        o->abscissa = d->protocol->abscissa(d, o->row);
    }
    return true;
}

/* Bounds by the data, priors by Hertz and what is held, as the study has them now. False: it fits
 * other parameters. */
static bool take_unknowns(struct cf_problem *q, const struct cf_problem *anew)
{
    bool same = q->nfree == anew->nfree && q->nassignment == anew->nassignment;

    for (size_t i = 0; i < q->nfree && same; i++)
        same = strcmp(q->unknown[i].name, anew->unknown[i].name) == 0;
    for (size_t i = 0; i < q->nfree && same; i++) {
        struct cf_unknown *w = &q->unknown[i];
        w->lower = anew->unknown[i].lower;
        w->upper = anew->unknown[i].upper;
        w->prior = anew->unknown[i].prior;
        w->prior_sigma = anew->unknown[i].prior_sigma;
    }
    q->assignment = anew->assignment;
    return same;
}

static void take_steps(const struct cf_spec *from, struct cf_spec *to)
{
    for (size_t i = 0; i < from->ndata; i++) {
        size_t steps = from->data[i].protocol->steps;
        if (steps)
            to->data[i].apparatus[steps] = from->data[i].apparatus[steps];
    }
}

int cf_moved_problem_make(struct cf_moved_problem *made, const struct cf_problem *from,
                          struct cf_spec *moved, struct cf_error *err)
{
    const struct cf_spec *spec = from->spec;
    bool same = true;
    int status;

    *made = (struct cf_moved_problem){.spec = moved ? *moved : *spec};
    made->spec.law = spec->law;
    made->spec.options = spec->options;
    for (size_t i = 0; i < spec->ndata && moved && same; i++)
        same = has_same_rows(&spec->data[i], &moved->data[i]);
    if (!same)
        return cf_fail(err, CF_ERANGE, "other rows are read with it");
    if (moved)
        take_steps(spec, moved);
    status = cf_problem_copy(&made->problem, from, err);
    if (status)
        return status;
    made->problem.spec = &made->spec;
    status =
        cf_problem_init(&made->anew, &made->spec, from->law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, err);
    if (status)
        return status;
    if (!take_unknowns(&made->problem, &made->anew))
        return cf_fail(err, CF_ERANGE, "other parameters are fitted with it");
    return observe_again(&made->problem) ? CF_OK
                                         : cf_fail(err, CF_ERANGE, "other rows are read with it");
}

void cf_moved_problem_clear(struct cf_moved_problem *made)
{
    if (made->problem.borrowed)
        cf_problem_free(&made->problem);
    if (made->anew.spec)
        cf_problem_free(&made->anew);
}

int cf_moved_follow(struct cf_moved_problem *made, struct cf_solver *solver, double theta[],
                    enum cf_end *end, struct cf_error *err)
{
    struct cf_problem *q = &made->problem;
    struct cf_solution s = {.theta = theta};
    int status =
        cf_polish(solver, q, NULL, cf_sigma_moves(q) ? cf_left_out_tolerance(q) : 0, &s, err);

    *end = s.end;
    return status;
}

int cf_moved_predict(struct cf_moved_problem *made, struct cf_solver *solver, const double theta[],
                     double reading[], double predicted[], struct cf_error *err)
{
    struct cf_problem *q = &made->problem;
    bool *held = malloc((q->nfree + 1) * sizeof *held);
    double *at = malloc((q->nfree + 1) * sizeof *at), chi2;
    enum cf_end end;
    int status =
        held && at ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", q->nfree);

    for (size_t i = 0; i < q->nfree && !status; i++) {
        held[i] = true;
        at[i] = theta[i];
    }
    if (!status && q->nlocal)
        status = cf_lower(solver, q, held, cf_least_fall(q), at, &end, &chi2, err);
    if (!status)
        status = cf_problem_predict(q, theta, predicted, NULL, err);
    for (size_t i = 0; i < q->nobservation; i++)
        reading[i] = q->observation[i].value;
    free(held);
    free(at);
    return status;
}
