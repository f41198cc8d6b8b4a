#include "judge/agreement.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/evaluate.h"
#include "judge/interval.h"

/* A column of which less than this part is left beside the others is not told by the data. */
static const double least_part = 1e-6;

/* A probability that doubles round to 0 is none. */
static const double least_p = 1e-300;

/* The linear model at the optimum. */
struct linear {
    const struct cf_fit *fit;
    size_t m, n;   /* residuals, unknowns */
    double *r, *J; /* m; m * n */
};

/* The channel of a residual; CF_NO_CHANNEL: a prior's. */
static size_t channel_of(const struct linear *l, size_t i)
{
    const struct cf_problem *q = &l->fit->optimum.problem;
    return i < q->nobservation ? q->observation[i].column : CF_NO_CHANNEL;
}

/* The channels that parameter j moves, ascending. */
static size_t told_by(const struct linear *l, size_t j, struct cf_told told[])
{
    double size[CF_MAX_COLUMN] = {0}, all = 0;
    size_t n = 0;

    for (size_t i = 0; i < l->m; i++) {
        double square = gsl_pow_2(l->J[i * l->n + j]);
        size_t c = channel_of(l, i);
        all += square;
        if (c != CF_NO_CHANNEL)
            size[c] += square;
    }
    for (size_t c = 0; c < CF_MAX_COLUMN; c++)
        if (size[c] > gsl_pow_2(least_part) * all)
            told[n++] = (struct cf_told){.channel = c};
    return n;
}

/* Columns: the others', then that of j by channel; unit length, so that singular values compare. */
static void fill(const struct linear *l, size_t j, const struct cf_agreement *a, gsl_matrix *X,
                 double unit[])
{
    for (size_t i = 0; i < l->m; i++) {
        size_t to = 0, c = channel_of(l, i);
        for (size_t k = 0; k < l->n; k++)
            if (k != j)
                gsl_matrix_set(X, i, to++, l->J[i * l->n + k]);
        for (size_t k = 0; k < a->n; k++)
            gsl_matrix_set(X, i, to++, c == a->told[k].channel ? l->J[i * l->n + j] : 0);
    }
    for (size_t k = 0; k < X->size2; k++) {
        gsl_vector_view column = gsl_matrix_column(X, k);
        unit[k] = gsl_blas_dnrm2(&column.vector);
        if (unit[k] > 0)
            gsl_vector_scale(&column.vector, 1 / unit[k]);
    }
}

/* The step and its variances; false: the data do not tell all of them. */
static bool solve(const struct linear *l, gsl_matrix *X, const double unit[], double step[],
                  double variance[], double *fall)
{
    size_t p = X->size2;
    gsl_matrix *V = gsl_matrix_alloc(p, p);
    gsl_vector *S = gsl_vector_alloc(p), *work = gsl_vector_alloc(p);
    bool good = V && S && work && !gsl_linalg_SV_decomp(X, V, S, work);

    good = good && gsl_vector_get(S, p - 1) > least_part * gsl_vector_get(S, 0);
    memset(step, 0, p * sizeof *step);
    memset(variance, 0, p * sizeof *variance);
    *fall = 0;
    for (size_t s = 0; good && s < p; s++) {
        double along = 0;
        for (size_t i = 0; i < l->m; i++)
            along -= gsl_matrix_get(X, i, s) * l->r[i];
        *fall += along * along;
        for (size_t k = 0; k < p; k++) {
            double part = gsl_matrix_get(V, k, s) / (gsl_vector_get(S, s) * unit[k]);
            step[k] += part * along;
            variance[k] += part * part;
        }
    }
    gsl_matrix_free(V);
    gsl_vector_free(S);
    gsl_vector_free(work);
    return good;
}

static double probability(const struct cf_optimum *o, double fall, size_t more)
{
    double dof = o->dof - (double) more;

    if (o->sigma_known)
        return gsl_cdf_chisq_Q(fall, (double) more);
    if (!(dof > 0) || !(o->chi2 > fall))
        return (double) NAN;
    return gsl_cdf_fdist_Q(fall / (double) more / ((o->chi2 - fall) / dof), (double) more, dof);
}

/* Does a channel whose value has this half width tell something: three decades, or ten times the
 * value? */
static bool tells(const struct cf_unknown *w, double theta, double half)
{
    return half < (w->scale == CF_SCALE_LOG ? 3 * M_LN10 / 2 : 10 * fabs(theta));
}

/* Channels that tell nothing go from the list. How many went? */
static size_t leave_out(const struct cf_unknown *w, double theta, const double half[],
                        struct cf_agreement *a)
{
    size_t n = 0, gone;

    for (size_t k = 0; k < a->n; k++)
        if (tells(w, theta, half[k]))
            a->told[n++] = a->told[k];
    gone = a->n - n;
    a->n = n;
    return gone;
}

/* What the channels of the list tell of parameter j; *gone of them told nothing, and the others are
 * to be asked again. */
static int test(const struct linear *l, size_t j, struct cf_agreement *a, size_t *gone,
                struct cf_error *err)
{
    const struct cf_optimum *o = &l->fit->optimum;
    const struct cf_unknown *w = &o->problem.unknown[j];
    size_t p = l->n - 1 + a->n;
    double half[CF_MAX_COLUMN], fall, dof;

    a->unknown = j;
    a->p = (double) NAN;
    if (a->n < 2 || l->m <= p)
        return CF_OK;
    dof = o->sigma_known ? (double) INFINITY : o->dof - (double) (a->n - 1);
    gsl_matrix *X = gsl_matrix_alloc(l->m, p);
    double *room = calloc(3 * p, sizeof *room);
    if (!X || !room) {
        gsl_matrix_free(X);
        free(room);
        return cf_fail(err, CF_ENOMEM, "no memory for what channels tell of %s", w->name);
    }
    fill(l, j, a, X, room);
    if (solve(l, X, room, room + p, room + 2 * p, &fall)) {
        a->statistic = fall;
        a->p = probability(o, fall, a->n - 1);
        for (size_t k = 0; k < a->n; k++) {
            double theta = o->theta[j] + room[p + l->n - 1 + k];
            half[k] = cf_half_width_of(o, dof, room[2 * p + l->n - 1 + k]);
            a->told[k].value = cf_unknown_value(w, theta);
            a->told[k].low = cf_unknown_value(w, theta - half[k]);
            a->told[k].high = cf_unknown_value(w, theta + half[k]);
        }
        *gone = leave_out(w, o->theta[j], half, a);
    }
    gsl_matrix_free(X);
    free(room);
    return CF_OK;
}

static int by_p(const void *a, const void *b)
{
    const struct cf_agreement *s = a, *t = b;
    return s->p != t->p ? (s->p > t->p) - (s->p < t->p)
                        : (s->unknown > t->unknown) - (s->unknown < t->unknown);
}

static bool applies(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;

    for (size_t d = 0; d < q->spec->ndata; d++)
        if (!q->spec->data[d].protocol->one_event)
            return false;
    return q->nlocal == 0 && q->neffect == 0 && q->loss.kind == CF_LOSS_SQUARES &&
           fit->optimum.rank.rank == q->nfree;
}

static int test_all(struct cf_fit *fit, const struct linear *l, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double p = 0;
    int status = CF_OK;

    for (size_t j = 0; j < l->n && !status; j++) {
        struct cf_agreement *a = &fit->agreement[fit->nagreement];
        if (q->unknown[j].kind != CF_UNKNOWN_LAW)
            continue;
        size_t gone = 1;
        a->n = told_by(l, j, a->told);
        while (!status && gone) {
            gone = 0;
            status = test(l, j, a, &gone, err);
        }
        fit->nagreement += !isnan(a->p);
    }
    qsort(fit->agreement, fit->nagreement, sizeof *fit->agreement, by_p);
    for (size_t i = 0; i < fit->nagreement; i++) {
        struct cf_agreement *a = &fit->agreement[i];
        p = a->p_adjusted = cf_holm(p, fit->nagreement - i, a->p);
        a->disagrees = p < q->spec->options.p_reject;
    }
    return status;
}

int cf_agreement(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    struct linear l = {.fit = fit, .m = q->nresidual, .n = q->nfree};
    int status;

    if (!applies(fit))
        return CF_OK;
    fit->agreement = calloc(q->nfree + 1, sizeof *fit->agreement);
    l.r = malloc((l.m * (l.n + 1) + 1) * sizeof *l.r);
    if (!fit->agreement || !l.r)
        status = cf_fail(err, CF_ENOMEM, "no memory for what %zu residuals tell", l.m);
    else
        status = cf_problem_residuals(q, fit->optimum.theta, l.r, l.J = l.r + l.m, err);
    if (!status)
        status = test_all(fit, &l, err);
    free(l.r);
    return status;
}

void cf_agreement_text(const struct cf_fit *fit, const struct cf_agreement *of, char text[],
                       size_t size)
{
    const struct cf_protocol *protocol = fit->optimum.problem.spec->data[0].protocol;
    size_t used = 0;

    text[0] = '\0';
    for (size_t k = 0; k < of->n && used < size; k++)
        used += (size_t) snprintf(text + used, size - used, "%s%s %.3g", k ? ", " : "",
                                  protocol->channel[of->told[k].channel].name, of->told[k].value);
}

bool cf_say_disagreement(struct cf_fit *fit)
{
    bool any = false;

    for (size_t i = 0; i < fit->nagreement; i++) {
        const struct cf_agreement *a = &fit->agreement[i];
        char text[400];
        if (!a->disagrees)
            continue;
        any = true;
        cf_agreement_text(fit, a, text, sizeof text);
        cf_say(&fit->reasons, "the channels disagree about %s beyond their errors: %s (p %s %.2g)",
               fit->optimum.problem.unknown[a->unknown].name, text,
               a->p_adjusted < least_p ? "<" : "=", fmax(a->p_adjusted, least_p));
    }
    if (any)
        cf_say(&fit->advice, "find out which channel is off, as by its scale or zero (nuisance: "
                             "{CHANNEL.gain: {}}), whether their sigmas are too small, or whether "
                             "another law makes them agree");
    return any;
}
