#include "judge/prediction.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "judge/interval.h"

/* Pictures go on beyond the data by this factor on both sides. */
static const double beyond = 1.25;

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
        double half = cf_half_width(fit, &slope[i * p], sigma * sigma);
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

static void speed_span(const struct cf_fit *fit, double *low, double *high)
{
    *low = INFINITY;
    *high = 0;
    for (size_t i = 0; i < fit->optimum.problem.spec->ndata; i++) {
        const struct cf_dataset *d = &fit->optimum.problem.spec->data[i];
        for (size_t row = 0; row < d->nrow; row++) {
            double v = d->protocol->abscissa(d, row);
            *low = fmin(*low, v);
            *high = fmax(*high, v);
        }
    }
    *low /= beyond;
    *high *= beyond;
}

/* A data set of bare speeds on the pair of another. */
static int speeds_only(const struct cf_dataset *like, const double speed[], size_t n,
                       struct cf_dataset *out, struct cf_error *err)
{
    size_t column = cf_protocol_column(like->protocol, "speed");
    int status;

    *out = (struct cf_dataset){.pair = like->pair};
    status = cf_dataset_alloc(out, like->protocol, n, err);
    for (size_t i = 0; i < n && !status; i++) {
        out->value[i * like->protocol->ncolumn + column] = speed[i];
        out->measured[i] = 1u << column;
    }
    return status;
}

/* One curve and its band: y, and the slope by theta at each speed. */
static int curve_of(const struct cf_fit *fit, struct cf_predicted_curve *curve,
                    struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double p[CF_MAX_PARAM], dp[CF_MAX_PARAM * CF_MAX_PARAM];
    struct cf_dataset d;
    int status = speeds_only(&q->spec->data[curve->data], fit->curve_speed, CF_NCURVE, &d, err);

    if (!status)
        status = cf_problem_params(q, curve->data, fit->optimum.theta, p, dp, err);
    for (size_t i = 0; i < CF_NCURVE && !status; i++) {
        struct cf_prediction row;
        double g[CF_MAX_PARAM] = {0}, half;
        status = d.protocol->predict(q->curves, q->law, p, &d, i, &row, err);
        if (status)
            break;
        for (size_t j = 0; j < q->nfree; j++)
            for (size_t m = 0; m < q->law->nparam; m++)
                if (dp[m * q->nfree + j] != 0)
                    g[j] += row.by_param[curve->column][m] * dp[m * q->nfree + j];
        half = cf_half_width(fit, g, 0);
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
    bool restitution_identified = false;

    for (size_t c = 0; c < fit->optimum.problem.nchannel; c++) {
        const struct cf_channel *ch = &fit->optimum.problem.channel[c];
        if (ch->data == data && ch->column == column)
            return true;
        restitution_identified =
            restitution_identified ||
            (ch->data == data && protocol->column[ch->column].restitution_only);
    }
    return restitution_identified && column == cf_protocol_column(protocol, "restitution");
}

int cf_predict_curves(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;
    double low, high;
    size_t most = 0;
    int status = CF_OK;

    speed_span(fit, &low, &high);
    for (size_t i = 0; i < CF_NCURVE; i++)
        fit->curve_speed[i] = low * pow(high / low, (double) i / (CF_NCURVE - 1));
    for (size_t i = 0; i < spec->ndata; i++)
        most += spec->data[i].protocol->ncolumn;
    fit->curve = calloc(most + 1, sizeof *fit->curve);
    if (!fit->curve)
        status = cf_fail(err, CF_ENOMEM, "no memory for the curves");
    for (size_t i = 0; i < spec->ndata && !status; i++)
        for (size_t j = 0; j < spec->data[i].protocol->ncolumn && !status; j++)
            if (wanted(fit, i, j)) {
                fit->curve[fit->ncurve] = (struct cf_predicted_curve){.data = i, .column = j};
                status = curve_of(fit, &fit->curve[fit->ncurve], err);
                fit->ncurve += !status;
            }
    return status;
}

int cf_predict_restitution(const struct cf_problem *problem, const double theta[], size_t n,
                           const double speed_m_s[], double e[], struct cf_error *err)
{
    double p[CF_MAX_PARAM];
    struct cf_dataset d;
    size_t column = cf_protocol_column(problem->spec->data[0].protocol, "restitution");
    int status = speeds_only(&problem->spec->data[0], speed_m_s, n, &d, err);

    if (!status)
        status = cf_problem_params(problem, 0, theta, p, NULL, err);
    for (size_t i = 0; i < n && !status; i++) {
        struct cf_prediction row;
        status = d.protocol->predict(problem->curves, problem->law, p, &d, i, &row, err);
        e[i] = status ? (double) NAN : row.value[column];
    }
    cf_dataset_clear(&d);
    return status;
}
