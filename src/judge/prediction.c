#include "judge/prediction.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "judge/interval.h"

/* Pictures go on beyond the data by this factor on both sides. */
static const double beyond = 1.25;

/* On a linear axis, by this share of their span. */
static const double linear_margin = 0.05;

/* Sigma of a held-out observation: stated, or that of its channel among the fitted rows. */
static double sigma_of(const struct cf_fit *fit, const struct cf_problem *q, size_t i,
                       double by_imposed)
{
    const struct cf_observation *o = &q->observation[i];
    const struct cf_dataset *d = &q->spec->data[o->data];

    if (!q->channel[o->channel].estimated)
        return hypot(o->sigma0,
                     by_imposed * cf_dataset_sigma(d, o->row, d->protocol->imposed(d, o->row)));
    for (size_t c = 0; c < fit->optimum.problem.nchannel; c++)
        if (fit->optimum.problem.channel[c].data == o->data &&
            fit->optimum.problem.channel[c].column == o->column)
            return fit->optimum.problem.channel[c].sigma;
    return o->sigma;
}

static int predict_problem(const struct cf_fit *fit, struct cf_problem *q,
                           struct cf_predicted out[], struct cf_error *err)
{
    size_t n = q->nobservation, p = q->nfree;
    double *y = calloc(n * (p + 2) + 1, sizeof *y), *by = y + n, *slope = by + n;
    int status = y ? cf_problem_predict(q, fit->optimum.theta, y, slope, by, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", n);

    for (size_t i = 0; i < n && !status; i++) {
        double sigma = sigma_of(fit, q, i, by[i]);
        double half = cf_half_width(&fit->optimum, &slope[i * p], sigma * sigma);
        q->observation[i].sigma = sigma;
        out[i] = (struct cf_predicted){y[i], y[i] - half, y[i] + half};
    }
    free(y);
    return status;
}

int cf_predict_rows(struct cf_fit *fit, struct cf_error *err)
{
    size_t n = fit->optimum.problem.nobservation, m = fit->held_out.nobservation;
    double sum = 0;
    int status = CF_OK;

    fit->predicted = calloc(n + 1, sizeof *fit->predicted);
    fit->held_out_predicted = calloc(m + 1, sizeof *fit->held_out_predicted);
    if (!fit->predicted || !fit->held_out_predicted)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", n + m);
    if (!status)
        status = predict_problem(fit, &fit->optimum.problem, fit->predicted, err);
    if (!status)
        status = predict_problem(fit, &fit->held_out, fit->held_out_predicted, err);
    for (size_t i = 0; i < m && !status; i++) {
        const struct cf_observation *o = &fit->held_out.observation[i];
        sum += gsl_pow_2((o->value - fit->held_out_predicted[i].value) / o->sigma);
    }
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
    cf_axis_points(axis, low, high, CF_NCURVE, point);
}

/* One curve and its band: y, and the slope by theta at each speed. */
static int curve_of(const struct cf_fit *fit, struct cf_predicted_curve *curve,
                    struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double p[CF_MAX_PARAM], dp[CF_MAX_PARAM * CF_MAX_PARAM];
    struct cf_dataset d;
    int status = cf_dataset_along(&q->spec->data[curve->data], CF_NCURVE, curve->abscissa, &d, err);

    if (!status)
        status = cf_problem_params(q, curve->data, fit->optimum.theta, p, dp, err);
    for (size_t i = 0; i < CF_NCURVE && !status; i++) {
        struct cf_prediction row;
        double g[CF_MAX_PARAM] = {0}, half;
        status = cf_predict_row(q->curves, q->law, p, &d, i, 0, &row, err);
        if (status)
            break;
        for (size_t j = 0; j < q->nfree; j++)
            for (size_t m = 0; m < q->law->nparam; m++)
                if (dp[m * q->nfree + j] != 0)
                    g[j] += row.by_param[curve->column][m] * dp[m * q->nfree + j];
        half = cf_half_width(&fit->optimum, g, 0);
        curve->value[i] = row.value[curve->column];
        curve->low[i] = curve->value[i] - half;
        curve->high[i] = curve->value[i] + half;
    }
    cf_dataset_clear(&d);
    return status;
}

static bool wanted(const struct cf_fit *fit, size_t data, size_t column)
{
    const struct cf_protocol *protocol = fit->optimum.problem.spec->data[data].protocol;
    bool common = false; /* a channel is measured that identifies what every law predicts */

    for (size_t c = 0; c < fit->optimum.problem.nchannel; c++) {
        const struct cf_channel *ch = &fit->optimum.problem.channel[c];
        if (ch->data == data && ch->column == column)
            return true;
        common = common || (ch->data == data && cf_channel_common(protocol, ch->column));
    }
    return common && column == protocol->headline;
}

int cf_predict_curves(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    size_t most = 0;
    int status = CF_OK;

    axis_points(spec, spec->data[0].protocol, fit->curve_abscissa);
    for (size_t i = 0; i < spec->ndata; i++)
        most += spec->data[i].protocol->nchannel;
    fit->curve = calloc(most + 1, sizeof *fit->curve);
    if (!fit->curve)
        status = cf_fail(err, CF_ENOMEM, "no memory for the curves");
    for (size_t i = 0; i < spec->ndata && !status; i++)
        for (size_t j = 0; j < spec->data[i].protocol->nchannel && !status; j++)
            if (wanted(fit, i, j)) {
                struct cf_predicted_curve *curve = &fit->curve[fit->ncurve];
                *curve = (struct cf_predicted_curve){.data = i, .column = j};
                axis_points(spec, spec->data[i].protocol, curve->abscissa);
                status = curve_of(fit, curve, err);
                fit->ncurve += !status;
            }
    return status;
}

int cf_predict_headline(const struct cf_problem *problem, const double theta[], size_t n,
                        const double abscissa[], double y[], struct cf_error *err)
{
    double p[CF_MAX_PARAM];
    struct cf_dataset d;
    size_t column = problem->spec->data[0].protocol->headline;
    int status = cf_dataset_along(&problem->spec->data[0], n, abscissa, &d, err);

    if (!status)
        status = cf_problem_params(problem, 0, theta, p, NULL, err);
    for (size_t i = 0; i < n && !status; i++) {
        struct cf_prediction row;
        status = cf_predict_row(problem->curves, problem->law, p, &d, i, 0, &row, err);
        y[i] = status ? (double) NAN : row.value[column];
    }
    cf_dataset_clear(&d);
    return status;
}
