#include "fit/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No scatter below the accuracy of the predictions can be seen. */
static const double model_accuracy = 1e-10;

double cf_walk_value(const struct cf_walk *walk, double theta)
{
    return walk->scale == CF_LOG ? exp(theta) : theta;
}

double cf_walk_theta(const struct cf_walk *walk, double value)
{
    return walk->scale == CF_LOG ? log(value) : value;
}

void cf_problem_free(struct cf_problem *problem)
{
    free(problem->observation);
    free(problem->channel);
    *problem = (struct cf_problem){0};
}

static struct cf_channel *channel_of(struct cf_problem *q, size_t data, size_t column)
{
    for (size_t i = 0; i < q->nchannel; i++)
        if (q->channel[i].data == data && q->channel[i].column == column)
            return &q->channel[i];
    q->channel[q->nchannel] = (struct cf_channel){
        .data = data,
        .column = column,
        .estimated = q->spec->data[data].kind[column] == CF_SIGMA_ESTIMATE,
    };
    return &q->channel[q->nchannel++];
}

static void observe(struct cf_problem *q, size_t data, size_t row, size_t column)
{
    const struct cf_dataset *d = &q->spec->data[data];
    struct cf_channel *c = channel_of(q, data, column);
    double value = cf_dataset_value(d, row, column);
    double sigma = c->estimated ? 0 : cf_dataset_sigma(d, row, column);

    /* until it is estimated, a tenth of the values' size */
    c->sigma = c->estimated ? fmax(c->sigma, 0.1 * fabs(value)) : hypot(c->sigma, sigma);
    c->floor = fmax(c->floor, model_accuracy * fabs(value));
    c->n++;
    q->observation[q->nobservation++] = (struct cf_observation){
        .data = data,
        .row = row,
        .column = column,
        .channel = (size_t) (c - q->channel),
        .speed_m_s = d->protocol->abscissa(d, row),
        .value = value,
        .sigma0 = sigma,
        .sigma = sigma,
    };
}

static int collect(struct cf_problem *q, enum cf_row_use use, enum cf_scope scope,
                   struct cf_error *err)
{
    const struct cf_spec *spec = q->spec;
    size_t nobservation = 1, nchannel = 1;

    for (size_t i = 0; i < spec->ndata; i++) {
        nobservation += spec->data[i].nrow * spec->data[i].protocol->ncolumn;
        nchannel += spec->data[i].protocol->ncolumn;
    }
    q->observation = calloc(nobservation, sizeof *q->observation);
    q->channel = calloc(nchannel, sizeof *q->channel);
    if (!q->observation || !q->channel)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu observations", nobservation);
    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        for (size_t row = 0; row < d->nrow; row++)
            for (size_t j = 0; j < d->protocol->ncolumn && d->use[row] == use; j++) {
                const struct cf_column *c = &d->protocol->column[j];
                if (c->role == CF_MEASURED && cf_dataset_has(d, row, j) &&
                    (scope == CF_SCOPE_ALL || c->restitution_only))
                    observe(q, i, row, j);
            }
    }
    for (size_t i = 0; i < q->nobservation; i++) {
        struct cf_observation *o = &q->observation[i];
        if (q->channel[o->channel].estimated)
            o->sigma = q->channel[o->channel].sigma;
    }
    for (size_t i = 0; i < q->nchannel; i++) {
        struct cf_channel *c = &q->channel[i];
        c->dof = (double) c->n;
        if (!c->estimated)
            c->sigma /= sqrt((double) c->n);
    }
    return CF_OK;
}

/* The row that describes a parameter of the law or the target of a spelling. */
static int describe(const struct cf_law *law, const char *name, struct cf_walk *walk,
                    struct cf_error *err)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_spelling *s = NULL;

    if (i == law->nparam) {
        s = cf_law_spelling(law, name);
        if (!s)
            return cf_fail(err, CF_EINPUT, "%s has no parameter %s", law->name, name);
        i = s->target;
    }
    *walk = (struct cf_walk){
        .name = s ? s->name : law->param[i].name,
        .unit = s ? s->unit : law->param[i].unit,
        .what = s ? s->what : law->param[i].what,
        .scale = law->param[i].scale,
        .start = NAN,
        .target = i,
        .spelling = s,
    };
    return CF_OK;
}

/* Bounds of a spelling follow from those of its target at the pair's radius and, where the
 * spelling needs k, at the middle of k's range. */
static void default_bounds(const struct cf_problem *q, struct cf_walk *w)
{
    const struct cf_param *row = &q->law->param[w->target];
    double scale = 1;

    if (w->spelling) {
        double R = q->spec->data[0].pair.radius_m;
        size_t k = cf_law_k(q->law);
        scale = w->spelling->factor;
        if (w->spelling->radius_power != 0)
            scale *= pow(R, w->spelling->radius_power);
        if (w->spelling->k_power != 0 && k < q->law->nparam)
            scale *= pow(q->law->param[k].fit_lower * q->law->param[k].fit_upper,
                         w->spelling->k_power / 2);
    }
    w->lower = cf_walk_theta(w, row->fit_lower / scale);
    w->upper = cf_walk_theta(w, row->fit_upper / scale);
}

static int set_prior(struct cf_problem *q, struct cf_walk *w, const struct cf_free *f,
                     struct cf_error *err)
{
    const struct cf_pair *pair = &q->spec->data[0].pair;
    double value = f->prior_value;

    if (f->prior_hertz)
        value = cf_hertz_stiffness(pair->modulus_Pa, pair->radius_m);
    if (isnan(f->prior_sigma))
        return CF_OK;
    if (w->scale == CF_LOG && !(value > 0))
        return cf_fail(err, CF_ERANGE, "prior of %s = %g %s: must be above 0", w->name, value,
                       w->unit);
    w->has_prior = true;
    w->prior = cf_walk_theta(w, value);
    w->prior_sigma = w->scale == CF_LOG ? f->prior_sigma / value : f->prior_sigma;
    q->nprior++;
    return CF_OK;
}

static int add_free(struct cf_problem *q, const struct cf_free *f, struct cf_error *err)
{
    struct cf_walk *w = &q->walk[q->nfree];
    int status = describe(q->law, f->name, w, err);

    if (status)
        return status;
    q->nfree++;
    default_bounds(q, w);
    if (!isnan(f->min))
        w->lower = cf_walk_theta(w, f->min);
    if (!isnan(f->max))
        w->upper = cf_walk_theta(w, f->max);
    if (!isnan(f->start))
        w->start = cf_walk_theta(w, f->start);
    if (!(isfinite(w->lower) && isfinite(w->upper) && w->lower < w->upper))
        return cf_fail(err, CF_ERANGE, "%s: bounds %g to %g %s leave nothing to fit", f->name,
                       cf_walk_value(w, w->lower), cf_walk_value(w, w->upper), w->unit);
    return set_prior(q, w, f, err);
}

/* The target of a given name, or nparam when the (rival) law has no such thing. */
static size_t target_of(const struct cf_law *law, const char *name)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_spelling *s = i < law->nparam ? NULL : cf_law_spelling(law, name);
    return s ? s->target : i;
}

/* Does a given k mean the same in this law? A linear law's k [N/m] is not Hertz's [N/m^1.5]. */
static bool same_meaning(const struct cf_problem *q, const char *name)
{
    size_t own = target_of(q->spec->law, name), here = target_of(q->law, name);
    return own < q->spec->law->nparam && here < q->law->nparam &&
           strcmp(q->spec->law->param[own].unit, q->law->param[here].unit) == 0;
}

static int choose_rivals_parameters(struct cf_problem *q, struct cf_error *err)
{
    for (size_t i = 0; i < q->law->nparam; i++) {
        bool given = false;
        for (size_t j = 0; j < q->spec->ngiven; j++)
            given = given || (same_meaning(q, q->spec->given[j].name) &&
                              target_of(q->law, q->spec->given[j].name) == i);
        if (!given) {
            struct cf_free f = {q->law->param[i].name, NAN, NAN, NAN, NAN, NAN, false};
            int status = add_free(q, &f, err);
            if (status)
                return status;
        }
    }
    return CF_OK;
}

int cf_problem_init(struct cf_problem *problem, const struct cf_spec *spec,
                    const struct cf_law *law, struct cf_curves *curves, enum cf_row_use use,
                    enum cf_scope scope, struct cf_error *err)
{
    int status;

    *problem = (struct cf_problem){.law = law, .spec = spec, .curves = curves};
    status = collect(problem, use, scope, err);
    if (status)
        return status;
    if (law == spec->law) {
        for (size_t i = 0; i < spec->nfree && !status; i++)
            status = add_free(problem, &spec->free[i], err);
    } else {
        status = choose_rivals_parameters(problem, err);
    }
    problem->nresidual = problem->nobservation + problem->nprior;
    return status ? status : cf_curves_prepare(curves, law, err);
}

/* Put one value, spelled or not, into p and dp/dtheta. */
static void place(const struct cf_problem *q, double radius_m, size_t target,
                  const struct cf_spelling *s, double value, double dvalue, size_t column,
                  double p[], double slope[])
{
    size_t k = cf_law_k(q->law);
    double scale = 1;

    if (s) {
        scale = s->factor;
        if (s->radius_power != 0)
            scale *= pow(radius_m, s->radius_power);
        if (s->k_power != 0)
            scale *= pow(p[k], s->k_power);
    }
    p[target] = scale * value;
    if (!slope)
        return;
    if (column < q->nfree)
        slope[target * q->nfree + column] = scale * dvalue;
    if (s && s->k_power != 0)
        for (size_t i = 0; i < q->nfree; i++)
            slope[target * q->nfree + i] += p[target] * s->k_power / p[k] * slope[k * q->nfree + i];
}

/* k goes first (pass 0): other spellings may need it (pass 1). */
static void place_pass(const struct cf_problem *q, size_t data, int pass, const double theta[],
                       double p[], double slope[])
{
    const struct cf_pair *pair = &q->spec->data[data].pair;
    size_t k = cf_law_k(q->law);

    for (size_t i = 0; i < q->spec->ngiven; i++) {
        const struct cf_given *g = &q->spec->given[i];
        size_t target = target_of(q->law, g->name);
        double value = g->value;
        if (target == q->law->nparam || (target == k) != (pass == 0) || !same_meaning(q, g->name))
            continue;
        if (g->hertz)
            value = cf_hertz_stiffness(pair->modulus_Pa, pair->radius_m);
        place(q, pair->radius_m, target, cf_law_spelling(q->law, g->name), value, 0, q->nfree, p,
              slope);
    }
    for (size_t i = 0; i < q->nfree; i++) {
        const struct cf_walk *w = &q->walk[i];
        double value = cf_walk_value(w, theta[i]);
        if ((w->target == k) == (pass == 0))
            place(q, pair->radius_m, w->target, w->spelling, value, w->scale == CF_LOG ? value : 1,
                  i, p, slope);
    }
}

int cf_problem_params(const struct cf_problem *problem, size_t data, const double theta[],
                      double p[], double slope[], struct cf_error *err)
{
    for (size_t i = 0; i < problem->law->nparam; i++)
        p[i] = NAN;
    if (slope)
        memset(slope, 0, problem->law->nparam * problem->nfree * sizeof *slope);
    place_pass(problem, data, 0, theta, p, slope);
    place_pass(problem, data, 1, theta, p, slope);
    for (size_t i = 0; i < problem->law->nparam; i++)
        if (isinf(p[i]))
            return cf_fail(err, CF_ERANGE, "%s = %g %s is beyond what doubles hold",
                           problem->law->param[i].name, p[i], problem->law->param[i].unit);
    return CF_OK;
}

/* One observation from the prediction of its row. */
static int pick(const struct cf_problem *q, size_t i, const struct cf_prediction *row,
                const double dp[], double y[], double slope[], double by_imposed[],
                struct cf_error *err)
{
    size_t column = q->observation[i].column, nparam = q->law->nparam;

    if (!(row->known >> column & 1u) || !isfinite(row->value[column]))
        return cf_fail(err, CF_ESOLVE, "%s predicts no %s at %g m/s with these parameters",
                       q->law->name,
                       q->spec->data[q->observation[i].data].protocol->column[column].name,
                       q->observation[i].speed_m_s);
    y[i] = row->value[column];
    if (by_imposed)
        by_imposed[i] = row->by_imposed[column];
    for (size_t j = 0; slope && j < q->nfree; j++) {
        double sum = 0;
        for (size_t m = 0; m < nparam; m++)
            if (dp[m * q->nfree + j] != 0)
                sum += row->by_param[column][m] * dp[m * q->nfree + j];
        slope[i * q->nfree + j] = sum;
    }
    return CF_OK;
}

int cf_problem_predict(const struct cf_problem *problem, const double theta[], double y[],
                       double slope[], double by_imposed[], struct cf_error *err)
{
    const struct cf_observation *o = problem->observation;
    double p[CF_MAX_PARAM], dp[CF_MAX_PARAM * CF_MAX_PARAM];
    struct cf_prediction row;
    int status = CF_OK;

    for (size_t i = 0; i < problem->nobservation && !status; i++) {
        const struct cf_dataset *d = &problem->spec->data[o[i].data];
        if (i == 0 || o[i].data != o[i - 1].data)
            status = cf_problem_params(problem, o[i].data, theta, p, dp, err);
        if (!status && (i == 0 || o[i].data != o[i - 1].data || o[i].row != o[i - 1].row))
            status = d->protocol->predict(problem->curves, problem->law, p, d, o[i].row, &row, err);
        if (!status)
            status = pick(problem, i, &row, dp, y, slope, by_imposed, err);
    }
    return status;
}

int cf_problem_residuals(const struct cf_problem *problem, const double theta[], double r[],
                         double J[], struct cf_error *err)
{
    size_t n = problem->nobservation, nfree = problem->nfree;
    int status = cf_problem_predict(problem, theta, r, J, NULL, err);

    if (status)
        return status;
    for (size_t i = 0; i < n; i++) {
        const struct cf_observation *o = &problem->observation[i];
        r[i] = (o->value - r[i]) / o->sigma;
        for (size_t j = 0; J && j < nfree; j++)
            J[i * nfree + j] /= -o->sigma;
    }
    for (size_t j = 0; j < nfree; j++) {
        const struct cf_walk *w = &problem->walk[j];
        if (!w->has_prior)
            continue;
        r[n] = (w->prior - theta[j]) / w->prior_sigma;
        for (size_t m = 0; J && m < nfree; m++)
            J[n * nfree + m] = m == j ? -1 / w->prior_sigma : 0;
        n++;
    }
    return CF_OK;
}
