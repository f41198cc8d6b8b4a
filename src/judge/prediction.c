#include "judge/prediction.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/clusters.h"
#include "estimate/effects.h"
#include "estimate/leverage.h"
#include "estimate/own_values.h"
#include "estimate/records.h"
#include "judge/interval.h"

/* Pictures go on beyond the data by this factor on both sides. */
static const double beyond = 1.25;

/* On a linear axis, by this share of their span. */
static const double linear_margin = 0.05;

/* The channel of an observation among the fitted rows: of its data set, else, where all of that is
 * held out, of another one that measures the same. */
static size_t find_fitted(const struct cf_problem *fitted, const struct cf_observation *o)
{
    const struct cf_dataset *data = fitted->spec->data;
    size_t c = cf_channel_of(fitted, o->data, o->column);

    for (size_t k = 0; k < fitted->nchannel && c == CF_NO_CHANNEL; k++)
        if (fitted->channel[k].column == o->column && fitted->channel[k].estimated &&
            cf_protocol_same(data[fitted->channel[k].data].protocol, data[o->data].protocol))
            c = k;
    return c;
}

/* Sigma of a held-out observation: stated, or that of its channel among the fitted rows. */
static double sigma_of(const struct cf_fit *fit, const struct cf_problem *q, size_t i,
                       double by_imposed)
{
    const struct cf_observation *o = &q->observation[i];
    const struct cf_dataset *d = &q->spec->data[o->data];

    double carried = by_imposed * cf_dataset_sigma(d, o->row, d->protocol->imposed(d, o->row));

    if (!q->channel[o->channel].estimated)
        return hypot(o->sigma0, carried);
    size_t c = find_fitted(&fit->optimum.problem, o);
    if (c == CF_NO_CHANNEL)
        return o->sigma;
    const struct cf_channel *fitted = &fit->optimum.problem.channel[c];
    return hypot(cf_channel_own_sigma(fitted, o), fitted->carries ? carried : 0);
}

/* ---- rows with their bands */

/* A visit of the fit's observations, or of those held out. */
struct band_work {
    const struct cf_fit *fit;
    struct cf_problem *problem;
    const size_t *part; /* of the problem's parts: the fit's, SIZE_MAX: it has none */
    struct cf_predicted *out;
    double *scatter;     /* standard deviation of a row of a new group about what is predicted */
    atomic_bool lacking; /* memory; parts are visited by several threads */
};

/* The slopes x[ncolumn] by a part's columns as g[nfree], by the unknowns. */
static void spread(const struct band_work *w, const struct cf_stretch *at, const double x[],
                   double g[])
{
    const struct cf_set *set = &w->problem->set[w->problem->part[at->part].data];

    for (size_t j = 0; j < w->problem->nfree; j++)
        g[j] = 0;
    for (size_t j = 0; j < set->nactive; j++)
        g[set->active[j]] = x[set->nlocal + j];
}

/* Degrees of freedom of a prediction with slopes g[nfree]. */
static double dof_of(const struct band_work *w, const double g[])
{
    const struct cf_optimum *optimum = &w->fit->optimum;
    return optimum->sigma_known ? (double) INFINITY : cf_effective_dof(optimum, g);
}

/* Variance of such a prediction. column[ncolumn] and g are spare. */
static double variance_of(const struct band_work *w, const struct cf_stretch *at, const double x[],
                          double g[], double column[])
{
    const struct cf_optimum *optimum = &w->fit->optimum;
    const struct cf_rank *rank = &optimum->rank;
    size_t part = w->part[at->part], nlocal = at->ncolumn;
    double total = 0;

    nlocal -= w->problem->set[w->problem->part[at->part].data].nactive;
    for (size_t k = 0; k < rank->rank + nlocal && part != SIZE_MAX; k++) {
        double along = 0;
        if (k < nlocal) {
            cf_part_local_root(&optimum->fold.part[part], k, column);
        } else {
            for (size_t i = 0; i < rank->n; i++)
                g[i] = rank->root[i * rank->rank + k - nlocal];
            cf_part_follow(&optimum->problem, &optimum->fold, part, g, column);
        }
        for (size_t j = 0; j < at->ncolumn; j++)
            along += x[j] * column[j];
        total += along * along;
    }
    return total;
}

/* g . C . g of a part without locals or without a part in the fit. */
static double plain_variance(const struct band_work *w, const struct cf_stretch *at,
                             const double x[])
{
    const struct cf_rank *rank = cf_optimum_spread(&w->fit->optimum);
    const struct cf_set *set = &w->problem->set[w->problem->part[at->part].data];
    double sum = 0;

    for (size_t a = 0; a < set->nactive; a++)
        for (size_t b = 0; b < set->nactive; b++)
            sum += x[set->nlocal + a] * x[set->nlocal + b] *
                   rank->covariance[set->active[a] * rank->n + set->active[b]];
    return sum;
}

static void add_bands(void *context, size_t unit, const struct cf_stretch *at)
{
    struct band_work *w = context;
    const struct cf_set *set = &w->problem->set[w->problem->part[at->part].data];
    size_t nfree = w->problem->nfree;
    double *x = malloc((2 * at->ncolumn + nfree + 1) * sizeof *x), *column, *g;

    (void) unit;
    if (!x) {
        w->lacking = true;
        return;
    }
    column = x + at->ncolumn;
    g = column + at->ncolumn;
    for (size_t i = 0; i < at->count; i++) {
        struct cf_observation *o = &w->problem->observation[at->first + i];
        double y = at->y[i], dof, half, sigma, variance;
        o->sigma = sigma_of(w->fit, w->problem, at->first + i, at->by_imposed[i]);
        cf_record_link(w->problem, at->first + i, y, at->by_imposed[i]);
        sigma = cf_observation_sigma(w->problem, at->first + i);
        for (size_t j = 0; j < at->ncolumn; j++)
            x[j] = at->A[j * at->ld + i];
        variance = set->nlocal && w->part[at->part] != SIZE_MAX ? variance_of(w, at, x, g, column)
                                                                : plain_variance(w, at, x);
        spread(w, at, x, g);
        w->scatter[at->first + i] =
            sqrt(sigma * sigma +
                 cf_shared_variance_at(&w->fit->optimum.problem, o->data, o->column, y, g));
        dof = dof_of(w, g);
        if (!(dof > 0))
            w->lacking = true;
        half = cf_half_width_of(&w->fit->optimum, dof,
                                variance + gsl_pow_2(w->scatter[at->first + i]));
        w->out[at->first + i] = (struct cf_predicted){y, y - half, y + half};
    }
    free(x);
}

/* out[], and the scatter[] of rows of new groups about it. */
static int predict_problem(const struct cf_fit *fit, struct cf_problem *q,
                           struct cf_predicted out[], double scatter[], struct cf_error *err)
{
    size_t *part = malloc((q->npart + 1) * sizeof *part);
    struct cf_problem mean = {0}; /* of all groups: their own values are not shown */
    struct band_work w = {.fit = fit, .problem = q, .part = part, .out = out, .scatter = scatter};
    const struct cf_problem *own = &fit->optimum.problem;
    int status;

    if (!part)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu segments", q->npart);
    if (q != own)
        cf_records_take(q, own);
    for (size_t p = 0; p < q->npart; p++) {
        part[p] = q == own ? p : SIZE_MAX;
        for (size_t i = 0; i < own->npart && q != own; i++)
            if (own->part[i].data == q->part[p].data &&
                !own->spec->data[own->part[i].data].nsegment)
                part[p] = i;
    }
    status = cf_own_any(q) ? cf_problem_copy(&mean, q, err) : CF_OK;
    if (!status && cf_own_any(q)) {
        cf_own_forget(&mean);
        w.problem = &mean;
    }
    if (!status)
        status = cf_problem_visit(w.problem, fit->optimum.theta, NULL, CF_WANT_SLOPES, add_bands,
                                  &w, err);
    cf_problem_free(&mean);
    if (!status && w.lacking)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", q->nobservation);
    for (size_t i = 0; i < q->nobservation && !status; i++)
        if (isnan(out[i].low))
            status = cf_fail(err, CF_ESOLVE, "derivatives of %s are not finite", q->law->name);
    free(part);
    return status;
}

int cf_settle_held_out(const struct cf_problem *fitted, const double theta[], struct cf_problem *q,
                       struct cf_error *err)
{
    struct cf_fold fold;
    int status;

    if (!q->nlocal)
        return CF_OK;
    status = cf_fold_alloc(&fold, q, err);
    if (!status)
        status = cf_problem_fold(q, theta, &fold, err);
    if (!status)
        memcpy(q->local, fold.local, q->nlocal * sizeof *q->local);
    cf_fold_clear(&fold);
    for (size_t p = 0; p < q->npart; p++)
        for (size_t i = 0; i < fitted->npart; i++)
            if (fitted->part[i].data == q->part[p].data &&
                !fitted->spec->data[fitted->part[i].data].nsegment)
                memcpy(&q->local[q->part[p].local], &fitted->local[fitted->part[i].local],
                       q->set[q->part[p].data].nlocal * sizeof *q->local);
    return status;
}

int cf_predict_rows(struct cf_fit *fit, struct cf_error *err)
{
    size_t n = fit->optimum.problem.nobservation, m = fit->held_out.nobservation;
    double sum = 0, *scatter = calloc(n + 1, sizeof *scatter);
    int status = CF_OK;

    fit->predicted = calloc(n + 1, sizeof *fit->predicted);
    fit->held_out_predicted = calloc(m + 1, sizeof *fit->held_out_predicted);
    fit->held_out_sigma = calloc(m + 1, sizeof *fit->held_out_sigma);
    if (!fit->predicted || !fit->held_out_predicted || !fit->held_out_sigma || !scatter)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", n + m);
    if (!status)
        status = predict_problem(fit, &fit->optimum.problem, fit->predicted, scatter, err);
    if (!status)
        status = cf_settle_held_out(&fit->optimum.problem, fit->optimum.theta, &fit->held_out, err);
    if (!status)
        status =
            predict_problem(fit, &fit->held_out, fit->held_out_predicted, fit->held_out_sigma, err);
    for (size_t i = 0; i < m && !status; i++) {
        const struct cf_observation *o = &fit->held_out.observation[i];
        sum += gsl_pow_2((o->value - fit->held_out_predicted[i].value) / fit->held_out_sigma[i]);
    }
    free(scatter);
    fit->held_out_rms_sigma = m ? sqrt(sum / (double) m) : (double) NAN;
    return status;
}

/* Points over all rows of a protocol's data sets and a little beyond. */
static void axis_points(const struct cf_spec *spec, const struct cf_protocol *protocol,
                        double point[])
{
    double low = INFINITY, high = -INFINITY;
    const struct cf_axis *axis = &protocol->axis;

    for (size_t i = 0; i < spec->ndata; i++) {
        const struct cf_dataset *d = &spec->data[i];
        for (size_t row = 0; row < d->nrow && d->protocol == protocol; row++) {
            low = fmin(low, protocol->abscissa(d, row));
            high = fmax(high, protocol->abscissa(d, row));
        }
    }
    if (axis->linear) {
        double margin = linear_margin * (high > low ? high - low : fabs(high));
        low = fmax(low - margin, axis->lower);
        high = fmin(high + margin, axis->upper);
    } else {
        low /= beyond;
        high *= beyond;
    }
    cf_axis_curve_points(axis, low, high, CF_NCURVE, point);
}

/* The rows of a curve: along the axis, at the conditions of its branch. */
static int rows_along(const struct cf_fit *fit, const struct cf_predicted_curve *curve,
                      struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_dataset *own = &fit->optimum.problem.spec->data[curve->data];
    struct cf_dataset like = *own;
    double condition[CF_MAX_COLUMN];
    size_t n;
    int status = CF_OK;

    if (curve->part)
        status = cf_dataset_segment(own, curve->part - 1, condition, err);
    else if (own->protocol->nbranch)
        status = cf_dataset_branch(own, curve->branch, condition, &n, err);
    if (curve->part || own->protocol->nbranch)
        like.condition = condition;
    return status ? status : cf_dataset_along(&like, CF_NCURVE, curve->abscissa, d, err);
}

/* One curve and its band, of true values: y, and the slope by theta at each point. */
static int curve_of(const struct cf_fit *fit, struct cf_predicted_curve *curve,
                    struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double *slope = malloc((CF_NCURVE * q->nfree + 1) * sizeof *slope);
    size_t row[CF_NCURVE];
    struct cf_dataset d = {0};
    int status = rows_along(fit, curve, &d, err);

    for (size_t i = 0; i < CF_NCURVE; i++)
        row[i] = i;
    if (!status && !slope)
        status = cf_fail(err, CF_ENOMEM, "no memory for a curve");
    if (!status)
        status = cf_problem_predict_rows(q, curve->data, &d, CF_NCURVE, row, 1, &curve->column, 0,
                                         fit->optimum.theta, curve->value, slope, NULL, err);
    for (size_t i = 0; i < CF_NCURVE && !status; i++) {
        double half = cf_half_width(&fit->optimum, &slope[i * q->nfree], 0);
        curve->low[i] = curve->value[i] - half;
        curve->high[i] = curve->value[i] + half;
        if (isnan(half))
            status = cf_fail(err, CF_ESOLVE, "derivatives of %s are not finite", q->law->name);
    }
    free(slope);
    cf_dataset_clear(&d);
    return status;
}

static bool wanted(const struct cf_fit *fit, size_t data, size_t column)
{
    const struct cf_protocol *protocol = fit->optimum.problem.spec->data[data].protocol;
    const struct cf_set *set = &fit->optimum.problem.set[data];
    bool common = false; /* a channel is measured that identifies what every law predicts */

    for (size_t c = 0; c < set->nchannel; c++) {
        if (set->channel[c] == column)
            return !protocol->windows || column == protocol->headline;
        common = common || cf_channel_common(protocol, set->channel[c]);
    }
    return common && column == protocol->headline;
}

/* Has the data set rows of the branch? Of a protocol without any, all are one. */
static bool has_branch(const struct cf_dataset *d, size_t branch)
{
    bool has = !d->protocol->nbranch;

    for (size_t row = 0; row < d->nrow && !has; row++)
        has = d->use[row] != CF_ROW_EXCLUDED && d->protocol->branch(d, row) == branch;
    return has;
}

/* More segments than this have a curve of every n-th of them. */
enum { MOST_PARTS = 6 };

static size_t parts_shown(const struct cf_dataset *d)
{
    size_t n = d->nsegment < MOST_PARTS ? d->nsegment : MOST_PARTS;
    return d->protocol->windows ? cf_windows_shown(d) : n;
}

/* One of each segment, at its conditions. */
static int add_parts(struct cf_fit *fit, size_t data, size_t column, struct cf_error *err)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    const struct cf_dataset *d = &spec->data[data];
    size_t n = parts_shown(d);
    int status = CF_OK;

    for (size_t k = 0; k < n && !status; k++) {
        struct cf_predicted_curve *curve = &fit->curve[fit->ncurve];
        *curve = (struct cf_predicted_curve){
            .data = data, .column = column, .part = 1 + k * (d->nsegment - 1) / (n - 1)};
        axis_points(spec, d->protocol, curve->abscissa);
        status = curve_of(fit, curve, err);
        fit->ncurve += !status;
    }
    return status;
}

/* The curves of a channel of a data set. */
static int add_curves(struct cf_fit *fit, size_t data, size_t column, struct cf_error *err)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    const struct cf_dataset *d = &spec->data[data];
    int status = CF_OK;

    if (d->nsegment > 1 && d->protocol->ncondition)
        return add_parts(fit, data, column, err);
    for (size_t k = 0; k < d->protocol->nbranch + !d->protocol->nbranch && !status; k++) {
        struct cf_predicted_curve *curve = &fit->curve[fit->ncurve];
        if (!has_branch(d, k))
            continue;
        *curve = (struct cf_predicted_curve){.data = data, .column = column, .branch = k};
        axis_points(spec, d->protocol, curve->abscissa);
        status = curve_of(fit, curve, err);
        fit->ncurve += !status;
    }
    return status;
}

int cf_predict_curves(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    size_t most = 0;
    int status = CF_OK;

    axis_points(spec, spec->data[0].protocol, fit->curve_abscissa);
    for (size_t i = 0; i < spec->ndata; i++)
        most += spec->data[i].protocol->nchannel *
                (1 + spec->data[i].protocol->nbranch + parts_shown(&spec->data[i]));
    fit->curve = calloc(most + 1, sizeof *fit->curve);
    if (!fit->curve)
        status = cf_fail(err, CF_ENOMEM, "no memory for the curves");
    for (size_t i = 0; i < spec->ndata && !status; i++)
        for (size_t j = 0; j < spec->data[i].protocol->nchannel && !status; j++)
            if (wanted(fit, i, j))
                status = add_curves(fit, i, j, err);
    return status;
}

int cf_predict_headline(const struct cf_problem *problem, const double theta[], size_t n,
                        const double abscissa[], double y[], struct cf_error *err)
{
    size_t column = problem->spec->data[0].protocol->headline;
    size_t *row = malloc((n + 1) * sizeof *row);
    struct cf_dataset d;
    int status = cf_dataset_along(&problem->spec->data[0], n, abscissa, &d, err);

    if (!status && !row)
        status = cf_fail(err, CF_ENOMEM, "no memory for a curve");
    for (size_t i = 0; i < n && row; i++)
        row[i] = i;
    if (!status)
        status = cf_problem_predict_rows(problem, 0, &d, n, row, 1, &column, 0, theta, y, NULL,
                                         NULL, err);
    free(row);
    cf_dataset_clear(&d);
    return status;
}
