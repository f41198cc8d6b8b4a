/* What was measured and what is predicted: observations, the headline that follows from them,
 * curves. */

#include <math.h>
#include <stdlib.h>

#include "document/fit_json.h"
#include "estimate/leave_one_out.h"
#include "estimate/records.h"

static const struct cf_channel_row *channel_of(const struct cf_problem *q, size_t data,
                                               size_t column)
{
    return &q->spec->data[data].protocol->channel[column];
}

static struct cf_reading reading_of(const struct cf_told_rows *rows, size_t i)
{
    return rows->reading ? rows->reading[i] : (struct cf_reading){1, 0};
}

void cf_json_observations(const struct cf_told_rows *rows, json_t **all)
{
    const struct cf_problem *q = rows->problem;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_predicted *predicted = &rows->predicted[i];
        double value = o->value, sigma = cf_observation_sigma(q, i);
        json_t *j;
        if (!rows->hold[i])
            continue;
        j = json_object();
        cf_json_put(&j, "data", json_integer((json_int_t) o->data));
        cf_json_put(
            &j, "line",
            json_integer((json_int_t) cf_dataset_line(&q->spec->data[o->data], o->row, o->column)));
        cf_json_put(&j, "channel", json_string(channel_of(q, o->data, o->column)->name));
        cf_json_put(&j, "abscissa", cf_json_number(o->abscissa));
        cf_json_put(&j, "value", cf_json_number(value));
        cf_json_put(&j, "sigma", cf_json_number(sigma));
        cf_json_put(&j, "predicted", cf_json_number(predicted->value));
        cf_json_put(&j, "low", cf_json_number(predicted->low));
        cf_json_put(&j, "high", cf_json_number(predicted->high));
        cf_json_put(&j, "residual", cf_json_number((value - predicted->value) / sigma));
        cf_json_put(&j, "use", json_string(rows->use));
        if (!cf_reading_plain(reading_of(rows, i))) {
            cf_reading_undo(reading_of(rows, i), &value, &sigma);
            cf_json_put(&j, "true_value", cf_json_number(value));
            cf_json_put(&j, "true_sigma", cf_json_number(sigma));
        }
        cf_json_add(all, j);
    }
}

/* Of which branch of its protocol something is, where there are several. */
static void put_branch(const struct cf_protocol *protocol, size_t branch, json_t **j)
{
    if (protocol->nbranch)
        cf_json_put(j, "branch", json_string(protocol->branch_name[branch]));
}

void cf_json_headline_points(const struct cf_told_rows *rows, json_t **all)
{
    const struct cf_problem *q = rows->problem;

    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        const struct cf_dataset *d = &q->spec->data[o->data];
        double value = o->value, sigma = cf_observation_sigma(q, i);
        json_t *j;
        cf_reading_undo(reading_of(rows, i), &value, &sigma);
        if (!rows->hold[i] || !cf_protocol_headline(d, o->column, o->abscissa, &value, &sigma))
            continue;
        j = json_pack("{s:I,s:I,s:s,s:o,s:o,s:o,s:s}", "data", (json_int_t) o->data, "line",
                      (json_int_t) cf_dataset_line(d, o->row, o->column), "from",
                      channel_of(q, o->data, o->column)->name, "abscissa",
                      cf_json_number(o->abscissa), "value", cf_json_number(value), "sigma",
                      cf_json_number(sigma), "use", rows->use);
        put_branch(d->protocol, d->protocol->nbranch ? d->protocol->branch(d, o->row) : 0, &j);
        cf_json_add(all, j);
    }
}

/* What only the fit has of the rows that it was made from. */
static void fitted_rows(const struct cf_fit *fit, const bool hold[], json_t **all)
{
    const struct cf_problem *q = &fit->optimum.problem;
    double whole = cf_loss_weight(&q->loss, 0);

    for (size_t i = 0, n = 0; i < q->nobservation; i++) {
        bool refit = fit->left_out_how[i] == CF_LEFT_OUT_REFIT;
        json_t *j;
        if (!hold[i])
            continue;
        j = json_array_get(*all, n++);
        if (q->loss.kind != CF_LOSS_SQUARES)
            cf_json_put_within(all, j, "weight", cf_json_number(q->observation[i].robust / whole));
        if (isnan(fit->left_out[i]))
            continue;
        cf_json_put_within(all, j, "leave_one_out", cf_json_number(fit->left_out[i]));
        cf_json_put_within(all, j, "leave_one_out_by", json_string(refit ? "refit" : "influence"));
    }
}

/* Held are, too, all rows that are flagged. */
static int choose(const struct cf_fit *fit, bool fitted[], bool held_out[], struct cf_error *err)
{
    int status = cf_points_choose(&fit->optimum.problem, fitted, err);

    if (!status)
        status = cf_points_choose(&fit->held_out, held_out, err);
    for (size_t i = 0; i < fit->outliers.n && !status; i++)
        fitted[fit->outliers.item[i].observation] = true;
    return status;
}

/* What the fit finds that its instruments show, of the rows that were fitted and of the others. */
static int find_readings(const struct cf_fit *fit, struct cf_reading reading[],
                         struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    int status = cf_problem_readings(q, fit->optimum.theta, reading, err);

    return status ? status
                  : cf_problem_readings(&fit->held_out, fit->optimum.theta,
                                        reading + q->nobservation, err);
}

int cf_fit_json_put_points(const struct cf_fit *fit, json_t **document, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem, *out = &fit->held_out;
    size_t n = q->nobservation, m = out->nobservation;
    json_t *rows = json_array(), *headline = json_array(), *loops = NULL;
    bool *hold = calloc(n + m + 1, sizeof *hold);
    struct cf_reading *reading = calloc(n + m + 1, sizeof *reading);
    struct cf_told_rows fitted = {q, fit->predicted, reading, hold, "fit"},
                        held_out = {out, fit->held_out_predicted, reading ? reading + n : NULL,
                                    hold ? hold + n : NULL, "held-out"};
    int status = hold && reading ? choose(fit, hold, hold + n, err)
                                 : cf_fail(err, CF_ENOMEM, "no memory for %zu observations", n + m);

    if (!status)
        status = find_readings(fit, reading, err);
    if (!status) {
        cf_json_observations(&fitted, &rows);
        fitted_rows(fit, hold, &rows);
        cf_json_observations(&held_out, &rows);
        cf_json_headline_points(&fitted, &headline);
        cf_json_headline_points(&held_out, &headline);
        loops = cf_fit_json_loops(fit, reading);
        cf_json_put(document, "points", cf_points_json_of(q, cf_points_count(hold, n + m), n + m));
    }
    cf_json_put(document, "observations", rows);
    cf_json_put(document, "headline_points", headline);
    if (json_array_size(loops))
        cf_json_put(document, "loops", loops);
    else
        json_decref(loops);
    free(hold);
    free(reading);
    return status;
}

json_t *cf_fit_json_curves(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->ncurve; i++) {
        const struct cf_predicted_curve *c = &fit->curve[i];
        json_t *j = json_object();
        cf_json_put(&j, "data", json_integer((json_int_t) c->data));
        cf_json_put(&j, "channel",
                    json_string(channel_of(&fit->optimum.problem, c->data, c->column)->name));
        put_branch(fit->optimum.problem.spec->data[c->data].protocol, c->branch, &j);
        if (c->part)
            cf_json_put(&j, "part", json_integer((json_int_t) c->part));
        cf_json_put(&j, "abscissa", cf_json_numbers(c->abscissa, CF_NCURVE));
        cf_json_put(&j, "value", cf_json_numbers(c->value, CF_NCURVE));
        cf_json_put(&j, "low", cf_json_numbers(c->low, CF_NCURVE));
        cf_json_put(&j, "high", cf_json_numbers(c->high, CF_NCURVE));
        cf_json_add(&all, j);
    }
    return all;
}
