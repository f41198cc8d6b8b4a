/* What belongs to the new data alone is fitted to them, by Gauss-Newton at the fit's
 * parameters: where their segments begin, and the nuisances that their study names. Predictions,
 * and their derivatives as these follow the parameters, are then those of the best of them.
 */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/gsl_guard.h"
#include "identify/validation.h"

enum { ROUNDS = 30, HALVINGS = 12 };

/* A step that would lower chi^2 by less is none. */
static const double LEAST_FALL = 1e-6;

/* A number that is fitted: a value of the request, or gain or bias of a channel. */
struct local {
    enum cf_nuisance_kind kind; /* CF_NUISANCE_APPARATUS: a value, a start of the segment, too */
    size_t index;               /* among the values; the channel */
    const char *name, *unit;
    double at, prior, sigma; /* INFINITY: no prior */
    double lower, upper;     /* what its row accepts */
};

/* One segment's observations. */
struct segment {
    struct cf_validation *v;
    const struct cf_dataset *d;
    struct cf_curves *curves;
    size_t first, n;
    size_t nlocal, nvalue; /* the first nvalue of the locals are values */
    struct local *local;
    double *value, *y, *by, *by_value, *kept, *best; /* by: n * nlocal; by_value: n * nvalue */
    size_t *row, *asked;
};

/* What instruments make of a prediction. */
static void read_out(struct segment *s, size_t i)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first + i];
    double *by = s->by + i * s->nlocal, gain = 1, bias = 0, y = s->y[i];

    for (size_t a = s->nvalue; a < s->nlocal; a++)
        if (s->local[a].index == o->column)
            *(s->local[a].kind == CF_NUISANCE_GAIN ? &gain : &bias) = s->local[a].at;
    for (size_t a = 0; a < s->nvalue; a++)
        by[a] = gain * s->by_value[i * s->nvalue + a];
    for (size_t a = s->nvalue; a < s->nlocal; a++)
        by[a] = s->local[a].index != o->column ? 0 : s->local[a].kind == CF_NUISANCE_GAIN ? y : 1;
    s->y[i] = gain * y + bias;
}

static double off_prior(const struct local *l)
{
    return isfinite(l->sigma) ? (l->prior - l->at) / l->sigma : 0;
}

/* Predictions at the values, and their derivatives by the locals; chi^2. */
static int predict(struct segment *s, double *chi2, struct cf_error *err)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first];
    int status = CF_OK;
    size_t n;

    *chi2 = 0;
    for (size_t a = 0; a < s->nvalue; a++)
        s->value[s->local[a].index] = s->local[a].at;
    for (size_t i = 0; i < s->n && !status; i += n) { /* of one channel after the other */
        size_t channel = o[i].column;
        struct cf_request q = {.data = s->d,
                               .law = s->v->model->law,
                               .value = s->value,
                               .row = s->row,
                               .nchannel = 1,
                               .channel = &channel,
                               .nby = s->nvalue,
                               .by = s->asked};
        struct cf_response out = {s->y + i, s->by_value + i * s->nvalue, NULL};
        for (n = 0; i + n < s->n && o[i + n].column == channel; n++)
            s->row[n] = o[i + n].row;
        q.nrow = n;
        status = cf_protocol_predict(s->curves, &q, &out, err);
    }
    for (size_t i = 0; i < s->n && !status; i++) {
        read_out(s, i);
        *chi2 += gsl_pow_2((o[i].value - s->y[i]) / o[i].sigma);
    }
    for (size_t a = 0; a < s->nlocal; a++)
        *chi2 += gsl_pow_2(off_prior(&s->local[a]));
    return status;
}

/* The normal equations of the locals, factorised; false: the data do not identify one. */
static bool factor(const struct segment *s, gsl_matrix *N)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first];

    gsl_matrix_set_zero(N);
    for (size_t i = 0; i < s->n; i++)
        for (size_t a = 0; a < s->nlocal; a++)
            for (size_t b = 0; b < s->nlocal; b++)
                *gsl_matrix_ptr(N, a, b) +=
                    s->by[i * s->nlocal + a] * s->by[i * s->nlocal + b] / (o[i].sigma * o[i].sigma);
    for (size_t a = 0; a < s->nlocal; a++)
        *gsl_matrix_ptr(N, a, a) +=
            isfinite(s->local[a].sigma) ? gsl_pow_2(1 / s->local[a].sigma) : 0;
    return gsl_linalg_cholesky_decomp1(N) == GSL_SUCCESS;
}

/* What the locals follow a change of predictions by: x = N^-1 J^T (change/sigma^2), and,
 * `searching`, towards their priors. */
static void solve(const struct segment *s, const gsl_matrix *N, const double change[],
                  size_t stride, bool searching, gsl_vector *x)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first];

    for (size_t a = 0; a < s->nlocal; a++)
        gsl_vector_set(x, a,
                       searching && isfinite(s->local[a].sigma)
                           ? off_prior(&s->local[a]) / s->local[a].sigma
                           : 0);
    for (size_t i = 0; i < s->n; i++)
        for (size_t a = 0; a < s->nlocal; a++)
            *gsl_vector_ptr(x, a) +=
                s->by[i * s->nlocal + a] * change[i * stride] / (o[i].sigma * o[i].sigma);
    gsl_linalg_cholesky_svx(N, x);
}

static void put(struct segment *s, const double at[])
{
    for (size_t a = 0; a < s->nlocal; a++)
        s->local[a].at = at[a];
}

static int search(struct segment *s, gsl_matrix *N, gsl_vector *x, struct cf_error *err)
{
    const struct cf_observation *o = &s->v->problem.observation[s->first];
    double *left = s->best + s->nlocal, chi2, now, share;
    int status;

    for (size_t a = 0; a < s->nlocal; a++)
        s->best[a] = s->local[a].at;
    status = predict(s, &chi2, err);
    for (int k = 0; k < ROUNDS && !status && factor(s, N); k++) {
        for (size_t i = 0; i < s->n; i++)
            left[i] = o[i].value - s->y[i];
        solve(s, N, left, 1, true, x);
        now = (double) INFINITY;
        share = 1;
        for (int h = 0; h < HALVINGS && !status && !(now < chi2); h++, share /= 2) {
            for (size_t a = 0; a < s->nlocal; a++)
                s->kept[a] =
                    fmin(fmax(s->best[a] + share * gsl_vector_get(x, a), s->local[a].lower),
                         s->local[a].upper);
            put(s, s->kept);
            status = predict(s, &now, err);
            if (status == CF_ESOLVE) { /* too far */
                now = (double) INFINITY;
                status = CF_OK;
            }
        }
        if (status)
            return status;
        if (!(now < chi2)) { /* no step helps: back to where it was */
            put(s, s->best);
            return predict(s, &chi2, err);
        }
        memcpy(s->best, s->kept, s->nlocal * sizeof *s->best);
        if (chi2 - now < LEAST_FALL)
            break;
        chi2 = now;
    }
    return status;
}

/* Predictions and gradients at the best locals. */
static void take(struct segment *s, gsl_matrix *N, gsl_vector *x)
{
    struct cf_validation *v = s->v;
    size_t nfree = v->model->problem.nfree;
    bool told = factor(s, N);

    for (size_t j = 0; j < nfree && told; j++) {
        double *g = &v->gradient[s->first * nfree + j];
        solve(s, N, g, nfree, false, x);
        for (size_t i = 0; i < s->n; i++)
            for (size_t a = 0; a < s->nlocal; a++)
                g[i * nfree] -= s->by[i * s->nlocal + a] * gsl_vector_get(x, a);
    }
    for (size_t i = 0; i < s->n; i++) {
        const struct cf_observation *o = &v->problem.observation[s->first + i];
        double half = cf_model_half_width(v->model, &v->gradient[(s->first + i) * nfree],
                                          o->sigma * o->sigma, v->channel[s->first + i]);
        v->predicted[s->first + i] = (struct cf_predicted){s->y[i], s->y[i] - half, s->y[i] + half};
    }
}

/* The segment's starts, then the nuisances that the study of the new data names, values first. */
static int list_locals(struct segment *s, const struct cf_spec *of, size_t data,
                       struct cf_error *err)
{
    const struct cf_protocol *protocol = s->d->protocol;
    size_t nparam = s->v->model->law->nparam;

    for (size_t a = 0; a < protocol->nstart; a++) {
        const struct cf_param *start = &protocol->start[a];
        s->local[s->nlocal++] = (struct local){.kind = CF_NUISANCE_APPARATUS,
                                               .index = nparam + protocol->napparatus + a,
                                               .at = start->typical,
                                               .sigma = (double) INFINITY,
                                               .lower = start->lower,
                                               .upper = start->upper};
    }
    for (int values = 1; values >= 0; values--) {
        for (size_t i = 0; i < of->nnuisance; i++) {
            const struct cf_nuisance *w = &of->nuisance[i];
            bool value = w->kind == CF_NUISANCE_APPARATUS, gain = w->kind == CF_NUISANCE_GAIN;
            struct local *to = &s->local[s->nlocal];
            if (w->data != data || value != values)
                continue;
            *to =
                (struct local){.kind = w->kind,
                               .index = value ? nparam + w->index : w->index,
                               .at = gain ? 1 : 0,
                               .prior = w->prior_value,
                               .sigma = isnan(w->prior_sigma) ? (double) INFINITY : w->prior_sigma,
                               .lower = -INFINITY,
                               .upper = INFINITY};
            if (value) {
                struct cf_param row;
                int status = cf_apparatus_param(s->d, w->index, &row, err);
                if (status)
                    return status;
                to->name = row.name;
                to->unit = row.unit;
                to->at = isnan(w->start) ? row.typical : w->start;
                to->lower = row.lower;
                to->upper = row.upper;
            } else {
                to->name = protocol->channel[w->index].name;
                to->unit = gain ? "1" : protocol->channel[w->index].unit;
            }
            s->nlocal++;
        }
        if (values)
            s->nvalue = s->nlocal;
    }
    for (size_t a = 0; a < s->nvalue; a++)
        s->asked[a] = s->local[a].index;
    return CF_OK;
}

/* What was found of the nuisances. */
static void say(const struct segment *s, size_t segment)
{
    static const char *const what[] = {[CF_NUISANCE_GAIN] = ".gain", [CF_NUISANCE_BIAS] = ".bias"};
    char where[40] = "";

    if (s->d->nsegment > 1)
        snprintf(where, sizeof where, ", segment %zu", segment + 1);
    for (size_t a = s->d->protocol->nstart; a < s->nlocal; a++) {
        const struct local *l = &s->local[a];
        bool pure = strcmp(l->unit, "1") == 0;
        cf_say(&s->v->cautions,
               "fitted to the new data, as their study asks: %s%s of %s%s = %.5g%s%s", l->name,
               what[l->kind] ? what[l->kind] : "", s->d->name, where, l->at, pure ? "" : " ",
               pure ? "" : l->unit);
    }
}

static int settle(struct segment *s, size_t segment, struct cf_error *err)
{
    gsl_matrix *N = gsl_matrix_alloc(s->nlocal, s->nlocal);
    gsl_vector *x = gsl_vector_alloc(s->nlocal);
    int status =
        N && x ? search(s, N, x, err) : cf_fail(err, CF_ENOMEM, "no memory for %zu values", s->n);

    if (!status) {
        take(s, N, x);
        say(s, segment);
    }
    if (N)
        gsl_matrix_free(N);
    if (x)
        gsl_vector_free(x);
    return status;
}

static int settle_part(struct cf_validation *v, struct cf_curves *curves, const struct cf_spec *of,
                       size_t part, struct cf_error *err)
{
    const struct cf_part *p = &v->problem.part[part];
    const struct cf_dataset *d = &v->spec.data[p->data];
    const struct cf_protocol *protocol = d->protocol;
    size_t most = protocol->nstart + of->nnuisance, n = p->count;
    size_t nvalue = v->model->law->nparam + protocol->napparatus + protocol->nstart;
    struct segment s = {.v = v, .d = d, .curves = curves, .first = p->first, .n = n};
    int status = CF_OK;

    s.value = malloc((nvalue + n * (2 + 2 * most) + 2 * most) * sizeof *s.value);
    s.row = malloc((n + most) * sizeof *s.row);
    s.local = calloc(most, sizeof *s.local);
    if (!s.value || !s.row || !s.local)
        status = cf_fail(err, CF_ENOMEM, "no memory for a segment of %zu rows", n);
    if (!status)
        status =
            cf_model_params(v->model, v->set[p->data].data, d->pair.radius_m, s.value, NULL, err);
    if (!status) {
        s.y = s.value + nvalue;
        s.by = s.y + n;
        s.by_value = s.by + n * most;
        s.kept = s.by_value + n * most;
        s.best = s.kept + most; /* and behind it n residuals */
        s.asked = s.row + n;
        memcpy(s.value + v->model->law->nparam, d->apparatus,
               protocol->napparatus * sizeof *d->apparatus);
        status = list_locals(&s, of, p->data, err);
        if (!status && s.nlocal)
            status = settle(&s, p->segment, err);
    }
    free(s.value);
    free(s.row);
    free(s.local);
    return status;
}

int cf_validate_starts(struct cf_validation *v, struct cf_curves *curves, const struct cf_spec *of,
                       struct cf_error *err)
{
    int status = CF_OK;

    cf_gsl_enter(); /* a factor that is not there is an answer */
    for (size_t p = 0; p < v->problem.npart && !status; p++)
        if ((of->nnuisance || v->spec.data[v->problem.part[p].data].protocol->nstart) &&
            v->problem.part[p].count) {
            status = settle_part(v, curves, of, p, err);
            v->set[v->problem.part[p].data].settled = true;
        }
    cf_gsl_leave();
    return status;
}
