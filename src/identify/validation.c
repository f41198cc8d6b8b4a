#include "identify/validation.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/twin.h"

void cf_validation_free(struct cf_validation *v)
{
    if (!v)
        return;
    cf_problem_free(&v->problem);
    free(v->set);
    free(v->predicted);
    free(v->gradient);
    free(v->channel);
    free(v->white);
    cf_tests_clear(&v->tests);
    cf_statements_clear(&v->reasons);
    cf_statements_clear(&v->cautions);
    cf_statements_clear(&v->accounts);
    cf_twin_clear(&v->spec);
    free(v);
}

/* The fit's data set of the same protocol and pair, else its first of that protocol, else its
 * first. */
static size_t like(const struct cf_model *model, const struct cf_dataset *d)
{
    size_t found = model->spec.ndata;

    for (size_t i = 0; i < model->spec.ndata; i++) {
        const struct cf_pair *p = &model->spec.data[i].pair;
        if (!cf_protocol_same(model->spec.data[i].protocol, d->protocol))
            continue;
        if (p->radius_m == d->pair.radius_m && p->mass_kg == d->pair.mass_kg)
            return i;
        found = found < model->spec.ndata ? found : i;
    }
    return found < model->spec.ndata ? found : 0;
}

/* Was a data set's file fitted, in this protocol? */
static bool was_fitted(const struct cf_model *m, const struct cf_dataset *d)
{
    for (size_t i = 0; i < m->spec.ndata; i++)
        if (cf_protocol_same(m->spec.data[i].protocol, d->protocol) &&
            strcmp(m->spec.data[i].sha256, d->sha256) == 0)
            return true;
    return false;
}

/* A fitted value by its place in a file. */
struct place {
    size_t line, column;
};

static int compare_place(const void *a, const void *b)
{
    const struct place *s = a, *t = b;
    if (s->line != t->line)
        return s->line < t->line ? -1 : 1;
    return (s->column > t->column) - (s->column < t->column);
}

/* The places of fitted values that come from the file of a data set, sorted. */
static size_t find_places(const struct cf_model *m, const struct cf_dataset *d,
                          struct place places[])
{
    size_t n = 0, last = SIZE_MAX;
    bool same = false;

    for (size_t i = 0; i < m->nfitted; i++) {
        const struct cf_dataset *from = &m->spec.data[m->fitted[i].data];
        if (m->fitted[i].data != last)
            same = cf_protocol_same(from->protocol, d->protocol) &&
                   strcmp(from->sha256, d->sha256) == 0;
        last = m->fitted[i].data;
        if (same)
            places[n++] = (struct place){m->fitted[i].line, m->fitted[i].column};
    }
    qsort(places, n, sizeof *places, compare_place);
    return n;
}

/* How many of each data set's values, by file, line and channel, are among the fitted ones? Of a
 * fit that holds only some of its rows, all values of a file that was fitted. The observations are
 * ordered by data set. */
static int count_fitted(struct cf_validation *v, struct cf_error *err)
{
    struct place *places = calloc(v->model->nfitted + 1, sizeof *places);
    size_t n = 0, last = SIZE_MAX;
    bool whole = false;

    if (!places)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu fitted values", v->model->nfitted);
    for (size_t i = 0; i < v->problem.nobservation; i++) {
        const struct cf_observation *o = &v->problem.observation[i];
        const struct cf_dataset *d = &v->spec.data[o->data];
        struct place here = {cf_dataset_line(d, o->row, o->column), o->column};
        if (o->data != last) {
            n = find_places(v->model, d, places);
            whole = v->model->thinned && was_fitted(v->model, d);
        }
        last = o->data;
        v->set[o->data].fitted +=
            whole || bsearch(&here, places, n, sizeof *places, compare_place) != NULL;
    }
    free(places);
    return CF_OK;
}

/* The sigma of a row: stated, with that of the imposed quantity carried over, or the fit's. */
static int set_sigma(struct cf_validation *v, size_t i, const struct cf_model_prediction *y,
                     struct cf_error *err)
{
    struct cf_observation *o = &v->problem.observation[i];
    const struct cf_dataset *d = &v->spec.data[o->data];
    const struct cf_model_channel *c =
        cf_model_channel_of(v->model, v->set[o->data].data, o->column);

    double carried = y->by_imposed * cf_dataset_sigma(d, o->row, d->protocol->imposed(d, o->row));

    if (!v->problem.channel[o->channel].estimated) {
        o->sigma = hypot(o->sigma0, carried);
        o->sigma = c ? cf_model_sigma(c, o->sigma, y->value) : o->sigma;
        return CF_OK;
    }
    if (!c)
        return cf_fail(err, CF_EINPUT,
                       "%s of %s: no sigma is stated and the fit has none of it: state it",
                       d->protocol->channel[o->column].name, d->name);
    o->sigma = cf_model_own_sigma(c, o->abscissa, o->sigma0, carried, y->value);
    v->channel[i] = c->estimated ? c : NULL;
    return CF_OK;
}

/* The parts of the problem without the rows that are dropped, of which kept[nobservation + 1] are
 * left before each. */
static void close_up(struct cf_problem *q, const size_t kept[])
{
    for (size_t p = 0; p < q->npart; p++) {
        size_t first = q->part[p].first, end = first + q->part[p].count;
        q->part[p].first = kept[first];
        q->part[p].count = kept[end] - kept[first];
    }
}

/* What stands in one request: a row's value; of records that are predicted whole, a part. */
struct stretch {
    size_t *row, *column;
    struct cf_model_prediction *y;
    double *gradient;
};

static void stretch_free(struct stretch *s)
{
    free(s->row);
    free(s->column);
    free(s->y);
    free(s->gradient);
}

static int stretch_make(struct stretch *s, size_t n, size_t nfree, struct cf_error *err)
{
    *s = (struct stretch){.row = calloc(n + 1, sizeof *s->row),
                          .column = calloc(n + 1, sizeof *s->column),
                          .y = calloc(n + 1, sizeof *s->y),
                          .gradient = calloc(n * nfree + 1, sizeof *s->gradient)};
    if (!s->row || !s->column || !s->y || !s->gradient)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);
    for (size_t i = 0; i < n; i++)
        s->y[i].gradient = s->gradient + i * nfree;
    return CF_OK;
}

/* Keep a prediction at `kept` unless the fit does not identify it. */
static int keep(struct cf_validation *v, const struct cf_model_prediction *y, size_t *kept,
                struct cf_error *err)
{
    struct cf_problem *q = &v->problem;
    size_t nfree = v->model->problem.nfree;
    struct cf_observation *o = &q->observation[*kept];
    double half;
    int status;

    if (!y->identified)
        return CF_OK;
    memcpy(&v->gradient[*kept * nfree], y->gradient, nfree * sizeof *y->gradient);
    status = set_sigma(v, *kept, y, err);
    if (status)
        return status;
    half = cf_model_half_width(v->model, y->gradient, o->sigma * o->sigma, v->channel[*kept]);
    v->predicted[*kept] = (struct cf_predicted){y->value, y->value - half, y->value + half};
    q->channel[o->channel].n++;
    ++*kept;
    return CF_OK;
}

/* Predict observations [first, first + n), of one data set, which close up at `kept`. */
static int predict_stretch(struct cf_validation *v, struct cf_curves *curves, size_t first,
                           size_t n, struct stretch *s, size_t before[], size_t *kept,
                           struct cf_error *err)
{
    struct cf_problem *q = &v->problem;
    size_t data = q->observation[first].data;
    int status;

    for (size_t i = 0; i < n; i++) {
        s->row[i] = q->observation[first + i].row;
        s->column[i] = q->observation[first + i].column;
    }
    status = cf_model_predict(v->model, curves, v->set[data].data, &v->spec.data[data], n, s->row,
                              s->column, s->y, err);
    for (size_t i = 0; i < n && !status; i++) {
        before[first + i] = *kept;
        q->observation[*kept] = q->observation[first + i];
        status = keep(v, &s->y[i], kept, err);
    }
    return status;
}

/* Predict all values; those that the fit does not identify are dropped, the others close up. */
static int predict(struct cf_validation *v, struct cf_curves *curves, size_t before[],
                   struct cf_error *err)
{
    struct cf_problem *q = &v->problem;
    size_t kept = 0, n = q->nobservation;
    int status = CF_OK;

    for (size_t c = 0; c < q->nchannel; c++)
        q->channel[c].n = 0;
    for (size_t p = 0; p < q->npart && !status; p++) {
        size_t count = q->part[p].count, step = q->part[p].whole ? count : 1;
        struct stretch s;
        status = stretch_make(&s, step, v->model->problem.nfree, err);
        for (size_t i = 0; i < count && !status; i += step)
            status = predict_stretch(v, curves, q->part[p].first + i, step, &s, before, &kept, err);
        stretch_free(&s);
    }
    if (status)
        return status;
    before[n] = kept;
    close_up(q, before);
    v->unjudged = n - kept;
    q->nobservation = q->nresidual = kept;
    return CF_OK;
}

static int predict_all(struct cf_validation *v, struct cf_curves *curves, struct cf_error *err)
{
    size_t n = v->problem.nobservation, *before = calloc(n + 1, sizeof *before);
    int status = before ? predict(v, curves, before, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);

    free(before);
    return status;
}

/* Sums over the rows, and the worst of them. */
static void count(struct cf_validation *v)
{
    const struct cf_problem *q = &v->problem;
    double squares = 0, predictive = 0, share = 0, n = (double) q->nobservation;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        double r = o->value - v->predicted[i].value, s2 = o->sigma * o->sigma;
        double own = cf_model_variance(v->model, &v->gradient[i * v->model->problem.nfree]);
        squares += r * r / s2;
        predictive += r * r / (s2 + own);
        share += own / (s2 + own);
        v->inside += o->value >= v->predicted[i].low && o->value <= v->predicted[i].high;
    }
    v->rms_sigma = sqrt(squares / n);
    v->rms_predictive = sqrt(predictive / n);
    v->parameter_share = share / n;
}

/* How far outside its interval a row lies, in half widths; at most 1 inside. */
static double outside(const struct cf_validation *v, size_t i)
{
    const struct cf_predicted *p = &v->predicted[i];
    return fabs(v->problem.observation[i].value - p->value) / (p->high - p->value);
}

static void find_worst(struct cf_validation *v)
{
    enum { MOST = sizeof v->worst / sizeof v->worst[0] };

    for (size_t i = 0; i < v->problem.nobservation; i++) {
        size_t at = v->nworst;
        if (!(outside(v, i) > 1))
            continue;
        v->noutside++;
        while (at > 0 && outside(v, i) > outside(v, v->worst[at - 1])) {
            if (at < MOST)
                v->worst[at] = v->worst[at - 1];
            at--;
        }
        if (at < MOST) {
            v->worst[at] = i;
            v->nworst += v->nworst < MOST;
        }
    }
}

/* The new data in the steps that the fit took, unless their study states its own. */
static int take_steps(struct cf_validation *v, const struct cf_spec *data, struct cf_error *err)
{
    const struct cf_spec own = {.law = v->model->law,
                                .data = data->data,
                                .ndata = data->ndata,
                                .options = v->model->spec.options};
    int status = cf_twin_make(&v->spec, &own, err);

    for (size_t i = 0; i < v->spec.ndata && !status; i++) {
        const struct cf_dataset *d = &v->spec.data[i];
        const struct cf_dataset *of = &v->model->spec.data[like(v->model, d)];
        size_t steps = d->protocol->steps;
        if (steps && !d->steps_stated && cf_protocol_same(of->protocol, d->protocol))
            d->apparatus[steps] = of->apparatus[steps];
    }
    return status;
}

static int prepare(struct cf_validation *v, const struct cf_spec *data, struct cf_curves *curves,
                   struct cf_error *err)
{
    size_t n;
    int status = take_steps(v, data, err);

    if (!status)
        status = cf_problem_init(&v->problem, &v->spec, v->spec.law, curves, CF_ROW_FIT,
                                 CF_SCOPE_EACH, err);
    n = v->problem.nobservation;
    v->set = calloc(v->spec.ndata + 1, sizeof *v->set);
    v->predicted = calloc(n + 1, sizeof *v->predicted);
    v->gradient = calloc(n * v->model->problem.nfree + 1, sizeof *v->gradient);
    v->channel = calloc(n + 1, sizeof *v->channel);
    if (!status && (!v->set || !v->predicted || !v->gradient || !v->channel))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);
    for (size_t i = 0; i < v->spec.ndata && !status; i++)
        v->set[i].data = like(v->model, &v->spec.data[i]);
    return status;
}

int cf_validate(const struct cf_model *model, const struct cf_spec *data, struct cf_curves *curves,
                struct cf_validation **out, struct cf_error *err)
{
    struct cf_validation *v = calloc(1, sizeof *v);
    int status;

    *out = NULL;
    if (!v)
        return cf_fail(err, CF_ENOMEM, "no memory for a validation");
    v->model = model;
    status = prepare(v, data, curves, err);
    if (!status)
        status = predict_all(v, curves, err);
    if (!status)
        status = cf_validate_starts(v, curves, data, err);
    if (!status && v->problem.nobservation == 0)
        status = cf_fail(err, CF_EINPUT,
                         "none of its %zu measured values is one that the fit of %s in %s predicts",
                         v->unjudged, model->law->name, model->path);
    if (!status)
        status = count_fitted(v, err);
    if (!status)
        status = cf_validate_whiten(v, err);
    if (!status) {
        count(v);
        find_worst(v);
        status = cf_validate_tests(v, err);
    }
    if (!status)
        status = cf_validate_accounts(v, err);
    if (!status)
        status = cf_validate_words(v, err);
    if (status) {
        cf_validation_free(v);
        return status;
    }
    *out = v;
    return CF_OK;
}
