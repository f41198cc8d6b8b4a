/* The curves of a fit, as rows along an axis for judge/adequacy.h. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/evaluate.h"
#include "estimate/reading.h"
#include "estimate/records.h"
#include "estimate/serial.h"
#include "judge/interval.h"
#include "judge/parts.h"

enum { GRID = CF_ADEQUACY_GRID };

/* What is judged: a quantity of the data sets that are alike, on one side of the axis. */
struct subject {
    size_t data, column, branch;
    double side; /* 1 or -1: the sign of its places */
    const struct cf_need *need;
};

/* Which locals of a part move along with parameters that the data leave open; room[ncolumn]. */
static void find_open(const struct cf_fit *fit, const struct cf_stretch *at, double room[],
                      size_t nlocal, bool open[])
{
    const double still = 1e-6; /* of a direction of length 1 */
    const struct cf_rank *rank = &fit->optimum.rank;

    for (size_t k = 0; k < rank->nnull && nlocal; k++) {
        cf_part_follow(at->problem, &fit->optimum.fold, at->part, &rank->direction[k * rank->n],
                       room);
        for (size_t l = 0; l < nlocal; l++)
            open[l] = open[l] || fabs(room[l]) > still;
    }
}

/* What an sd of each local of a part moves a reading by, of its interval. */
static void put_locals(const struct cf_fit *fit, const struct cf_set *set,
                       const struct cf_stretch *at, const bool open[], size_t i, double by[])
{
    double q = cf_t_quantile(at->problem->spec->options.level, (double) INFINITY);

    for (size_t l = 0; l < set->nlocal; l++) {
        const struct cf_interval *in = &fit->local[at->problem->part[at->part].local + l].interval;
        double x = at->A[l * at->ld + i];
        double width =
            set->local[l].scale == CF_SCALE_LOG ? log(in->high / in->low) : in->high - in->low;
        by[l] = x == 0 ? 0 : !in->known || open[l] ? (double) INFINITY : x * width / (2 * q);
    }
}

/* Has a parameter of the law that the derivatives identify an interval that is open? What is fitted
 * along may then go with it, further than any derivative tells. */
static bool is_law_open(const struct cf_fit *fit)
{
    const struct cf_problem *q = &fit->optimum.problem;
    bool open = false;

    for (size_t i = 0; i < q->nfree; i++) {
        const struct cf_interval *in = &fit->estimate[i].likelihood;
        open = open || (q->unknown[i].kind == CF_UNKNOWN_LAW && in->known &&
                        (in->open_low || in->open_high));
    }
    return open;
}

static void take_slopes(void *context, size_t unit, const struct cf_stretch *at)
{
    struct cf_judged_source *from = context;
    const struct cf_problem *q = at->problem;
    const struct cf_set *set = &q->set[q->part[at->part].data];

    double *room = calloc(at->ncolumn + 1, sizeof *room);
    bool *open = calloc(set->nlocal + 1, sizeof *open);

    (void) unit;
    if (room && open)
        find_open(from->fit, at, room, set->nlocal, open);
    else
        from->lacking = true;
    for (size_t i = 0; i < at->count && open; i++) {
        for (size_t j = 0; j < set->nactive; j++)
            from->slope[(at->first + i) * q->nfree + set->active[j]] =
                at->A[(at->ncolumn - set->nactive + j) * at->ld + i];
        double *local = &from->local[(at->first + i) * from->nlocal];
        const double *x = &at->A[(at->ncolumn - set->nactive) * at->ld + i];
        double variance =
            cf_loose_variance(from->fit, at->problem, set->nactive, set->active, x, at->ld);
        put_locals(from->fit, set, at, open, i, local);
        for (size_t l = 0; l < set->nlocal; l++)
            variance += local[l] * local[l];
        from->loose[at->first + i] =
            variance > 0 && from->law_open ? (double) INFINITY : sqrt(variance);
    }
    free(room);
    free(open);
}

/* ---- which rows belong to it */

/* Is the quantity itself observed in the row of an observation? */
static bool is_read_itself(const struct cf_problem *q, size_t i, size_t column)
{
    const struct cf_observation *o = q->observation;
    size_t k = i;

    while (k > 0 && o[k - 1].data == o[i].data && o[k - 1].row == o[i].row)
        k--;
    for (; k < q->nobservation && o[k].data == o[i].data && o[k].row == o[i].row; k++)
        if (o[k].column == column)
            return true;
    return false;
}

/* The quantity as an observation gives it: itself, or the headline by another channel. */
static bool read_quantity(const struct cf_judged_source *from, const struct subject *of, size_t i,
                          struct cf_judged_row *r)
{
    const struct cf_observation *o = &from->q->observation[i];
    const struct cf_dataset *d = &from->q->spec->data[o->data];
    double value = o->value, sigma = cf_observation_sigma(from->q, i), own = sigma, same = sigma;

    *r = (struct cf_judged_row){.place = cf_judged_place(&d->protocol->axis, o->abscissa),
                                .law = from->y[i],
                                .observation = i};
    cf_reading_undo(from->reading[i], &value, &sigma);
    cf_reading_undo(from->reading[i], &r->law, &same);
    if (o->column != of->column &&
        (of->column != d->protocol->headline || is_read_itself(from->q, i, of->column) ||
         !cf_protocol_headline(d, o->column, o->abscissa, &value, &sigma) ||
         !cf_protocol_headline(d, o->column, o->abscissa, &r->law, &same)))
        return false;
    r->residual = value - r->law;
    r->by = sigma / own;
    /* a robust loss takes an outlier for no part of reality: it counts as little here */
    r->sigma = sigma / sqrt(o->robust / cf_loss_weight(&from->q->loss, 0));
    return isfinite(r->residual) && r->sigma > 0;
}

static bool is_of(const struct cf_judged_source *from, const struct subject *of, size_t i)
{
    const struct cf_observation *o = &from->q->observation[i];
    const struct cf_dataset *d = &from->q->spec->data[o->data];

    return cf_judged_together(from->q, of->data, o->data, CF_NO_CHANNEL) && o->weight > 0 &&
           (o->abscissa < 0) == (of->side < 0) && cf_judged_in_range(of->need, o->abscissa) &&
           (!d->protocol->nbranch || d->protocol->branch(d, o->row) == of->branch);
}

static size_t gather_readings(const struct cf_judged_source *from, const struct subject *of,
                              struct cf_judged_row r[], size_t *sets)
{
    size_t n = 0, last = from->q->spec->ndata;

    *sets = 0;
    for (size_t i = 0; i < from->q->nobservation; i++)
        if (is_of(from, of, i) && read_quantity(from, of, i, &r[n])) {
            *sets += from->q->observation[i].data != last;
            last = from->q->observation[i].data;
            n++;
        }
    qsort(r, n, sizeof *r, cf_judged_compare);
    return n;
}

/* ---- the rows of judge/adequacy.h */

/* The law at the grid, at the conditions of the first data set. */
static int put_grid(const struct cf_judged_source *from, const struct subject *of, double first,
                    double last, struct cf_adequacy_rows *rows, struct cf_error *err)
{
    const struct cf_dataset *own = &from->q->spec->data[of->data];
    struct cf_dataset like = *own, d = {0};
    double abscissa[GRID], condition[CF_MAX_COLUMN];
    size_t row[GRID], n;
    int status = CF_OK;

    for (size_t i = 0; i < GRID; i++) {
        double share = (double) i / (GRID - 1);
        row[i] = i;
        abscissa[i] =
            cf_judged_abscissa(&own->protocol->axis, first + share * (last - first), of->side);
    }
    if (own->protocol->nbranch) {
        status = cf_dataset_branch(own, of->branch, condition, &n, err);
        like.condition = condition;
    }
    if (!status)
        status = cf_dataset_along(&like, GRID, abscissa, &d, err);
    if (!status)
        status = cf_problem_predict_rows(from->q, of->data, &d, GRID, row, 1, &of->column, 0,
                                         from->fit->optimum.theta, rows->grid_law, rows->grid_slope,
                                         NULL, err);
    cf_dataset_clear(&d);
    return status;
}

/* Are the sigmas of all of them stated? */
static bool are_known(const struct cf_judged_source *from, const struct cf_judged_row r[], size_t n)
{
    bool known = true;

    for (size_t i = 0; i < n && known; i++)
        known =
            cf_channel_is_known(&from->q->channel[from->q->observation[r[i].observation].channel]);
    return known;
}

static int put_rows(const struct cf_judged_source *from, const struct subject *of,
                    const struct cf_judged_row r[], struct cf_adequacy_rows *rows,
                    struct cf_error *err)
{
    size_t n = rows->n, p = rows->p;
    double first = r[0].place, last = r[n - 1].place, mean = 0;
    const struct cf_effect *effect = cf_judged_effect(from, of->data, of->column);
    bool known = are_known(from, r, n);

    for (size_t i = 0; i < n; i++)
        mean += 1 / (r[i].sigma * r[i].sigma) / (double) n;
    for (size_t i = 0; i < n; i++) {
        const struct cf_observation *o = &from->q->observation[r[i].observation];
        rows->x[i] = last > first ? (r[i].place - first) / (last - first) : 0;
        rows->r[i] = r[i].residual;
        rows->law[i] = r[i].law;
        rows->weight[i] = 1 / (r[i].sigma * r[i].sigma) / mean;
        for (size_t k = 0; k < p; k++)
            rows->slope[i * p + k] = r[i].by * from->slope[r[i].observation * p + k];
        rows->serial = rows->serial || cf_serial_of(from->q, o->channel);
    }
    rows->sigma = known ? 1 / sqrt(mean) : (double) NAN;
    rows->level = from->q->spec->options.level;
    rows->seed = from->q->spec->options.seed;
    if (!rows->serial && !cf_judged_group(from, effect, r, rows))
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu readings", n);
    return put_grid(from, of, first, last, rows, err);
}

/* ---- judging them */

/* The largest error of the rows that uncertainties of instruments make, stated ones and those of
 * what was fitted along, as a gain: all rows share it, so that no residual shows it, and it has a
 * sign. Sources are independent. */
static void find_stated(const struct cf_judged_source *from, const struct cf_judged_row r[],
                        size_t n, struct cf_judged_curve *out)
{
    const struct cf_budget *budget = &from->fit->budget;
    double two_sided = cf_t_quantile(from->q->spec->options.level, (double) INFINITY);

    for (size_t i = 0; i < n; i++) {
        double squares = gsl_pow_2(r[i].by * from->loose[r[i].observation]);
        for (size_t k = 0; k < budget->n; k++)
            if (budget->source[k].shift)
                squares += gsl_pow_2(r[i].by * budget->source[k].shift[r[i].observation]);
        out->stated = fmax(out->stated, two_sided * sqrt(squares));
        out->stated_relative =
            fmax(out->stated_relative, two_sided * sqrt(squares) / fabs(r[i].law));
    }
}

/* Does the law predict the curve all the way between the rows? */
static bool is_predicted(const struct cf_adequacy_rows *rows)
{
    bool finite = true;

    for (size_t i = 0; i < GRID * (1 + rows->p) && finite; i++)
        finite = isfinite(rows->grid_law[i]); /* and its slopes, behind it */
    return finite;
}

/* The widest part of the axis between two rows, as a share of the range. */
static double find_gap(const struct cf_judged_row r[], size_t n, size_t *behind)
{
    double widest = 0, range = r[n - 1].place - r[0].place;

    for (size_t i = 1; i < n && range > 0; i++)
        if ((r[i].place - r[i - 1].place) / range > widest) {
            widest = (r[i].place - r[i - 1].place) / range;
            *behind = i;
        }
    return widest;
}

/* Does what is imposed beside the axis, as a load, change from row to row? Its channel. */
static size_t find_varied(const struct cf_judged_source *from, const struct cf_judged_row r[],
                          size_t n)
{
    const double rounding = 1e-6;
    const struct cf_observation *first = &from->q->observation[r[0].observation];
    const struct cf_protocol *protocol = from->q->spec->data[first->data].protocol;

    for (size_t k = 0; k < protocol->ncondition; k++) {
        double low = (double) INFINITY, high = -low;
        for (size_t i = 0; i < n; i++) {
            const struct cf_observation *o = &from->q->observation[r[i].observation];
            const struct cf_dataset *d = &from->q->spec->data[o->data];
            if (!cf_dataset_has(d, o->row, protocol->condition[k]))
                continue;
            low = fmin(low, cf_dataset_value(d, o->row, protocol->condition[k]));
            high = fmax(high, cf_dataset_value(d, o->row, protocol->condition[k]));
        }
        if (high - low > rounding * fmax(fabs(high), fabs(low)))
            return protocol->condition[k];
    }
    return CF_NO_CHANNEL;
}

/* From where to where it was measured, also where no need is. */
static void find_measured(const struct cf_judged_source *from, const struct subject *of,
                          struct cf_judged_curve *out)
{
    struct subject all = *of;

    all.need = NULL;
    out->least = (double) INFINITY;
    for (size_t i = 0; i < from->q->nobservation; i++)
        if (is_of(from, &all, i)) {
            out->least = fmin(out->least, fabs(from->q->observation[i].abscissa));
            out->most = fmax(out->most, fabs(from->q->observation[i].abscissa));
        }
}

/* What forbids a reference, whatever the number of places. */
static void find_why_not(const struct cf_judged_source *from, const struct subject *of,
                         const struct cf_judged_row r[], size_t n, struct cf_judged_curve *out)
{
    const double half = 0.5, rounding = 1e-9;
    const struct cf_protocol *protocol = from->q->spec->data[of->data].protocol;
    const struct cf_axis *axis = &protocol->axis;
    size_t behind = 0, varied = find_varied(from, r, n);

    if (varied != CF_NO_CHANNEL)
        snprintf(out->why_not, sizeof out->why_not,
                 "the %.60s differs from row to row: data sets of one %.60s each can be judged",
                 protocol->channel[varied].label, protocol->channel[varied].label);
    else if (isinf(out->stated))
        snprintf(out->why_not, sizeof out->why_not,
                 "the fit leaves a gain, a bias or a number of the apparatus open, which all "
                 "readings have");
    else if (find_gap(r, n, &behind) > half + rounding)
        snprintf(out->why_not, sizeof out->why_not,
                 "no row lies between %.3g and %.3g %.20s, which is more than half of the range",
                 cf_judged_abscissa(axis, r[behind - 1].place, of->side),
                 cf_judged_abscissa(axis, r[behind].place, of->side), axis->unit);
    else if (!out->of.columns && out->of.places >= CF_ADEQUACY_PLACES)
        snprintf(out->why_not, sizeof out->why_not,
                 "all rows are of one group and share its error: two groups are needed");
    if (*out->why_not)
        out->of.columns = 0;
}

/* Judged where there are any readings; and where a need has none, that is its answer. */
static int judge_subject(const struct cf_judged_source *from, const struct subject *of,
                         struct cf_error *err)
{
    const struct cf_problem *q = from->q;
    const struct cf_axis *axis = &q->spec->data[of->data].protocol->axis;
    struct cf_judged_row *r = calloc(q->nobservation + 1, sizeof *r);
    struct cf_judged_curve *out = cf_judged_append(from->fit);
    struct cf_adequacy_rows rows = {0};
    int status = CF_OK;

    if (!out) {
        free(r);
        return cf_fail(err, CF_ENOMEM, "no memory for a curve");
    }
    out->data = of->data;
    out->column = of->column;
    out->branch = of->branch;
    out->need = of->need;
    size_t n = r ? gather_readings(from, of, r, &out->sets) : 0;
    if (!r || (n && !cf_judged_alloc(&rows, n, q->nfree)))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu readings", q->nobservation);
    if (!status && n)
        status = put_rows(from, of, r, &rows, err);
    if (!status && n && !is_predicted(&rows))
        n = 0;
    if (!status && n)
        status = cf_adequacy_find(&rows, &out->of, err);
    if (!status && n) {
        out->rows = n;
        out->low = cf_judged_abscissa(axis, r[0].place, of->side);
        out->high = cf_judged_abscissa(axis, r[n - 1].place, of->side);
        out->worst = cf_judged_abscissa(
            axis, r[0].place + out->of.in_unit.at_most.x * (r[n - 1].place - r[0].place), of->side);
        memcpy(out->law, rows.grid_law, sizeof out->law);
        for (size_t i = 0; i < GRID; i++)
            out->abscissa[i] = cf_judged_abscissa(
                axis, r[0].place + (double) i / (GRID - 1) * (r[n - 1].place - r[0].place),
                of->side);
        find_measured(from, of, out);
        find_stated(from, r, n, out);
        find_why_not(from, of, r, n, out);
        status = cf_judged_finish(q->spec, &rows, out, err);
        from->fit->njudged++;
    }
    cf_judged_clear(&rows);
    free(r);
    return status;
}

static int judge_sides(const struct cf_judged_source *from, struct subject *of,
                       struct cf_error *err)
{
    const struct cf_protocol *protocol = from->q->spec->data[of->data].protocol;
    int status = CF_OK;

    for (of->branch = 0; of->branch < GSL_MAX(protocol->nbranch, 1) && !status; of->branch++)
        for (of->side = 1; of->side >= -1 && !status; of->side -= 2)
            status = judge_subject(from, of, err);
    return status;
}

/* The headline, and what else there is a need of. */
static int judge_column(const struct cf_judged_source *from, size_t data, size_t column,
                        struct cf_error *err)
{
    const struct cf_protocol *protocol = from->q->spec->data[data].protocol;
    struct subject of = {.data = data, .column = column};
    size_t next = 0;
    int status = CF_OK;

    of.need = cf_judged_need(from->q->spec, protocol->channel[column].name, &next);
    if (!of.need && column != protocol->headline)
        return CF_OK;
    do {
        status = judge_sides(from, &of, err);
        of.need = cf_judged_need(from->q->spec, protocol->channel[column].name, &next);
    } while (!status && of.need);
    return status;
}

static bool is_first(const struct cf_problem *q, size_t data)
{
    bool first = !q->spec->data[data].protocol->record;

    for (size_t before = 0; before < data && first; before++)
        first = !cf_judged_together(q, before, data, CF_NO_CHANNEL);
    return first;
}

static int judge_all(const struct cf_judged_source *from, struct cf_error *err)
{
    const struct cf_spec *spec = from->q->spec;
    int status = CF_OK;

    for (size_t d = 0; d < spec->ndata && !status; d++)
        status = cf_judge_runs(from, d, err);
    for (size_t d = 0; d < spec->ndata && !status; d++)
        for (size_t c = 0; c < spec->data[d].protocol->nchannel && is_first(from->q, d) && !status;
             c++)
            if (spec->data[d].protocol->channel[c].role == CF_ROLE_MEASURED)
                status = judge_column(from, d, c, err);
    return status;
}

int cf_judge_curves(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *q = &fit->optimum.problem;
    size_t n = q->nobservation;
    struct cf_judged_source from = {.fit = fit, .q = q, .law_open = is_law_open(fit)};
    int status = CF_OK;

    for (size_t d = 0; d < q->spec->ndata; d++)
        from.nlocal = GSL_MAX(from.nlocal, q->set[d].nlocal);
    from.y = calloc(n * (2 + from.nlocal + q->nfree) + 1, sizeof *from.y);
    from.reading = calloc(n + 1, sizeof *from.reading);
    if (!from.y || !from.reading)
        status = cf_fail(err, CF_ENOMEM, "no memory for the slopes of %zu readings", n);
    from.loose = status ? NULL : from.y + n;
    from.local = status ? NULL : from.loose + n;
    from.slope = status ? NULL : from.local + n * from.nlocal;
    if (!status)
        status = cf_problem_predict(q, fit->optimum.theta, from.y, NULL, err);
    if (!status)
        status =
            cf_problem_visit(q, fit->optimum.theta, NULL, CF_WANT_SLOPES, take_slopes, &from, err);
    if (!status && from.lacking)
        status = cf_fail(err, CF_ENOMEM, "no memory for the slopes of %zu readings", n);
    if (!status)
        status = cf_problem_readings(q, fit->optimum.theta, from.reading, err);
    if (!status)
        status = judge_all(&from, err);
    free(from.y);
    free(from.reading);
    return status;
}

/* The least of the answers to a need; one without any, as of a fit that ended before, is not told.
 */
static enum cf_adequacy_word answer_of(const struct cf_fit *fit, const struct cf_need *need)
{
    enum cf_adequacy_word word = CF_ADEQUATE;
    bool any = false;

    for (size_t i = 0; i < fit->njudged; i++) {
        if (fit->judged[i].need != need)
            continue;
        any = true;
        word = fit->judged[i].word > word ? fit->judged[i].word : word;
    }
    return any ? word : CF_CANNOT_TELL;
}

bool cf_fit_needs(const struct cf_fit *fit, enum cf_adequacy_word *word)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;

    *word = CF_ADEQUATE;
    for (size_t i = 0; i < spec->nneed; i++) {
        enum cf_adequacy_word one = answer_of(fit, &spec->need[i]);
        *word = one > *word ? one : *word;
    }
    return spec->nneed > 0;
}
