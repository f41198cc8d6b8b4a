#include "cmd/point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
#include "core/units.h"
#include "estimate/evaluate.h"
#include "estimate/fold.h"
#include "estimate/optimum.h"
#include "estimate/serial_choose.h"
#include "judge/residual_tests.h"

static int unknown_name(const struct cf_problem *q, const char *name, struct cf_error *err)
{
    const char **names = calloc(q->nfree + 1, sizeof *names), *nearest;
    char shown[CF_SHOWN], list[300];
    size_t used = 0;

    for (size_t i = 0; i < q->nfree && names; i++)
        names[i] = q->unknown[i].name;
    nearest = names ? cf_nearest(name, names, q->nfree) : NULL;
    free(names);
    cf_show(name, shown);
    if (nearest)
        return cf_fail(err, CF_EUSAGE,
                       "-p: %s is fitted with no parameter \"%s\": did you mean %s?", q->law->name,
                       shown, nearest);
    list[0] = '\0';
    for (size_t i = 0; i < q->nfree && used < sizeof list; i++)
        used += (size_t) snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                  q->unknown[i].name);
    return cf_fail(err, CF_EUSAGE, "-p: %s is fitted with no parameter \"%s\", but with %s",
                   q->law->name, shown, list);
}

/* One NAME=VALUE into theta. */
static int read_one(const struct cf_problem *q, const char *text, double theta[], bool seen[],
                    struct cf_error *err)
{
    const char *equals = strchr(text, '=');
    struct cf_error why = {""};
    char name[CF_SHOWN], shown[CF_SHOWN];
    double value;
    size_t i = 0;

    if (!equals || equals == text || (size_t) (equals - text) >= sizeof name)
        return cf_fail(
            err, CF_EUSAGE, "-p: \"%s\": NAME=VALUE is wanted, such as %s=%.4g",
            cf_show(text, shown), q->unknown[0].name,
            cf_unknown_value(&q->unknown[0], (q->unknown[0].lower + q->unknown[0].upper) / 2));
    memcpy(name, text, (size_t) (equals - text));
    name[equals - text] = '\0';
    while (i < q->nfree && strcmp(q->unknown[i].name, name))
        i++;
    if (i == q->nfree)
        return unknown_name(q, name, err);
    const struct cf_unknown *w = &q->unknown[i];
    if (seen[i])
        return cf_fail(err, CF_EUSAGE, "-p: %s is given twice", w->name);
    if (cf_quantity_parse(equals + 1, w->unit, &value, &why))
        return cf_fail(err, CF_EUSAGE, "-p %s: %.900s", w->name, why.text);
    theta[i] = w->scale == CF_SCALE_LOG && !(value > 0) ? (double) NAN : cf_unknown_theta(w, value);
    if (!(theta[i] > w->lower && theta[i] < w->upper))
        return cf_fail(err, CF_EUSAGE,
                       "-p: %s = %g %s: must lie within the bounds of the fit, %g to %g %s",
                       w->name, value, w->unit, cf_unknown_value(w, w->lower),
                       cf_unknown_value(w, w->upper), w->unit);
    seen[i] = true;
    return CF_OK;
}

/* Either all of the law's parameters or none; *rest: nuisances or starts of segments are left to
 * the fit, NAN. */
static int read_given(const struct cf_arguments *args, struct cf_point *point, bool *rest,
                      struct cf_error *err)
{
    const struct cf_problem *q = &point->problem;
    bool *seen = calloc(q->nfree + 1, sizeof *seen);
    int status = seen ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", q->nfree);

    *rest = false;
    for (size_t i = 0; i < q->nfree; i++)
        point->theta[i] = NAN;
    for (size_t i = 0; i < args->nseen && !status; i++)
        if (strcmp(args->seen[i].option->name, "parameter") == 0) {
            status = read_one(q, args->seen[i].value, point->theta, seen, err);
            point->given = true;
        }
    for (size_t i = 0; i < q->nfree && point->given && !status; i++) {
        bool of_law = q->unknown[i].kind == CF_UNKNOWN_LAW;
        *rest = *rest || (!seen[i] && !of_law);
        if (!seen[i] && of_law)
            status = cf_fail(err, CF_EUSAGE,
                             "-p: %s [%s] is not given: give all parameters that are fitted, or "
                             "none for those of the study's own fit",
                             q->unknown[i].name, q->unknown[i].unit);
    }
    free(seen);
    return status;
}

/* Where parameters are given the fit is for the noise and the nuisances alone. */
static int fit(struct cf_problem *q, bool given, bool rest, double theta[], struct cf_error *err)
{
    size_t n, same = 0, starts = cf_start_count(&q->spec->options);
    struct cf_solution *solution = cf_solutions_alloc(starts, q->nfree);
    struct cf_solver *solver = cf_solver_alloc(q);
    int status = solution && solver ? cf_optimum_search(q, solver, solution, &n, err)
                                    : cf_fail(err, CF_ENOMEM, "no memory for %zu starts", starts);

    if (!status)
        same = cf_solutions_confirmed(solution, n);
    if (!status && same < 2)
        status = cf_fail(err, CF_EFIT, "only %zu of %zu starts ended at the optimum of %s: %s",
                         same, n, q->law->name,
                         !given ? "give its parameters with -p NAME=VALUE"
                         : rest ? "numbers of the rig or of segments, which the study leaves to "
                                  "the fit, are not known: give them with -p, too"
                                : "the noise of these data, which the study leaves to the fit, is "
                                  "not known: state it (sigma: under columns)");
    if (!status)
        status = cf_serial_settle(q, solver, &solution[0], err);
    if (!status)
        memcpy(theta, solution[0].theta, q->nfree * sizeof *theta);
    cf_solver_free(solver);
    free(solution);
    return status;
}

/* Sigmas at theta, with the estimated ones as they were fitted. */
static int put_sigmas(struct cf_point *point, struct cf_error *err)
{
    struct cf_problem *q = &point->problem;
    double change;
    int status = cf_sigma_update(q, point->theta, &change, err);

    for (size_t i = 0; i < q->nobservation && !status; i++) {
        struct cf_observation *o = &q->observation[i];
        struct cf_channel *c = &q->channel[o->channel];
        if (c->estimated)
            o->sigma = c->sigma = point->sigma[o->channel];
    }
    return status;
}

/* Can the law predict all that the study measures? */
static int check_law(const struct cf_problem *q, struct cf_error *err)
{
    for (size_t i = 0; i < q->nchannel; i++) {
        const struct cf_dataset *d = &q->spec->data[q->channel[i].data];
        const struct cf_channel_row *c = &d->protocol->channel[q->channel[i].column];
        if (!cf_channel_predicted(c, q->law->family))
            return cf_fail(err, CF_EUSAGE, "%s predicts no %s, which data \"%s\" hold",
                           q->law->name, c->name, d->name);
    }
    return CF_OK;
}

/* What is asked at a point where the law does not describe the data stands on a misfit. */
static int find_misfit(struct cf_point *point, struct cf_error *err)
{
    const struct cf_problem *q = &point->problem;
    const double *theta = point->theta;
    struct cf_tests tests = {0};
    struct cf_fold fold = {0};
    double *y = calloc(q->nobservation + 1, sizeof *y);
    struct cf_fitted of = {.problem = q, .theta = theta, .y = y};
    int status = y ? cf_problem_predict(q, theta, y, NULL, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", q->nobservation);

    if (!status)
        status = cf_fold_alloc(&fold, q, err);
    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    of.chi2 = fold.chi2;
    of.dof = (double) q->nresidual - (double) q->nfree;
    if (!status)
        status = cf_residual_tests_of(&of, &tests, err);
    point->ntest = status ? 0 : tests.n;
    for (size_t i = 0; i < tests.n && !status && !*point->misfit; i++)
        if (tests.item[i].rejects)
            snprintf(
                point->misfit, sizeof point->misfit,
                "%s does not describe the study's data: %s. What follows would hold only if it did",
                q->law->name, tests.item[i].text);
    cf_tests_clear(&tests);
    cf_fold_clear(&fold);
    free(y);
    return status;
}

int cf_point_find(const struct cf_arguments *args, const struct cf_spec *spec,
                  const struct cf_law *law, struct cf_curves *curves, struct cf_point *point,
                  struct cf_error *err)
{
    struct cf_problem *q = &point->problem;
    bool estimated = false, rest = false;
    double *theta = NULL;
    int status;

    *point = (struct cf_point){.given = false};
    status = cf_problem_init(q, spec, law, curves, CF_ROW_FIT, CF_SCOPE_ALL, err);
    if (!status)
        status = check_law(q, err);
    point->sigma = calloc(q->nchannel + 1, sizeof *point->sigma);
    point->theta = calloc(2 * q->nfree + 1, sizeof *point->theta);
    if (!status && (!point->sigma || !point->theta))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu sigmas", q->nchannel);
    if (!status)
        theta = point->theta + q->nfree;
    if (!status)
        status = read_given(args, point, &rest, err);
    for (size_t i = 0; i < q->nchannel; i++)
        estimated = estimated || q->channel[i].estimated;
    if (!status && (!point->given || rest || estimated || q->nserial))
        status = fit(q, point->given, rest, theta, err);
    else if (!status)
        cf_sigma_reset(q);
    if (status)
        return status;
    for (size_t i = 0; i < q->nchannel; i++)
        point->sigma[i] = q->channel[i].sigma;
    for (size_t i = 0; i < q->nfree; i++)
        if (isnan(point->theta[i]))
            point->theta[i] = theta[i];
    status = put_sigmas(point, err);
    return status || point->given || q->loss.kind != CF_LOSS_SQUARES ? status
                                                                     : find_misfit(point, err);
}

void cf_point_clear(struct cf_point *point)
{
    cf_problem_free(&point->problem);
    free(point->sigma);
    free(point->theta);
    point->sigma = point->theta = NULL;
}

void cf_point_text(const struct cf_point *point, char text[], size_t size)
{
    size_t used = 0, nstart = 0;

    text[0] = '\0';
    for (size_t i = 0; i < point->problem.nfree && used < size; i++) {
        const struct cf_unknown *w = &point->problem.unknown[i];
        nstart += w->of_segment > 0;
        if (w->of_segment)
            continue;
        bool pure = strcmp(w->unit, "1") == 0;
        used += (size_t) snprintf(text + used, size - used, "%s%s = %.4g%s%s", i ? ", " : "",
                                  w->name, cf_unknown_value(w, point->theta[i]), pure ? "" : " ",
                                  pure ? "" : w->unit);
    }
    if (nstart && used < size)
        snprintf(text + used, size - used, ", and %zu numbers of starts of segments", nstart);
}

int cf_with_study(const struct cf_arguments *args,
                  int (*ask)(const struct cf_arguments *args, struct cf_study *study,
                             struct cf_error *err),
                  struct cf_error *err)
{
    struct cf_study *study = cf_study_read(args->operand[0], args->registry, err);
    int status;

    if (!study)
        return CF_EINPUT;
    status = ask(args, study, err);
    cf_study_free(study);
    return status;
}

int cf_measured_column(const struct cf_protocol *protocol, const char *option, const char *name,
                       size_t *column, struct cf_error *err)
{
    const char *names[CF_MAX_COLUMN], *nearest;
    char shown[CF_SHOWN];
    size_t n = 0;

    *column = cf_protocol_channel(protocol, name);
    if (*column < protocol->nchannel && protocol->channel[*column].role == CF_ROLE_MEASURED)
        return CF_OK;
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (protocol->channel[i].role == CF_ROLE_MEASURED)
            names[n++] = protocol->channel[i].name;
    nearest = cf_nearest(name, names, n);
    return cf_fail(err, CF_EUSAGE, "%s: protocol %s measures no \"%s\"%s%s%s", option,
                   protocol->name, cf_show(name, shown), nearest ? ": did you mean " : "",
                   nearest ? nearest : "", nearest ? "?" : "");
}
