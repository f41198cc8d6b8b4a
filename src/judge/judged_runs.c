/* Numbers of the runs of a record: how far the law is off in them.
 *
 * The number of a run is made of its readings, and of what the law predicts of them, in the same
 * way: their difference is a residual of the run. Along an axis on which runs differ these are
 * judged as rows are (judge/adequacy.h), the law's number between two runs by a line. Where they
 * lie at fewer places there is no curve: their mean difference is told, by Student's t, and no less
 * than the largest single one where runs differ.
 */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "estimate/evaluate.h"
#include "experiment/run_number.h"
#include "judge/interval.h"
#include "judge/parts.h"

enum { GRID = CF_ADEQUACY_GRID };

/* The runs that are judged together. */
struct runs {
    const struct cf_judged_source *from;
    const struct cf_run_number *number;
    const struct cf_need *need;
    double side; /* 1 or -1: the sign of their places */
    size_t n, p;
    struct cf_judged_row *row; /* in the order of `run` until they are put by place */
    struct cf_judged_run *run;
    double *slope; /* p of each run, of the law's number */
    double *loose; /* sd of what is not known of the rig and the instruments */
    size_t sets, last_set;
    double least, most; /* places, also where nothing is needed */
};

/* Readings of one run; room for as many as a data set has. */
struct readings {
    size_t n;
    size_t *observation;
    double *at, *measured, *predicted, *by, *spare;
};

static bool alloc_readings(struct readings *r, size_t n)
{
    *r = (struct readings){.observation = calloc(n + 1, sizeof *r->observation),
                           .at = calloc(5 * n + 1, sizeof *r->at)};
    r->measured = r->at ? r->at + n : NULL;
    r->predicted = r->at ? r->measured + n : NULL;
    r->by = r->at ? r->predicted + n : NULL;
    r->spare = r->at ? r->by + n : NULL;
    return r->observation && r->at;
}

static void clear_readings(struct readings *r)
{
    free(r->observation);
    free(r->at);
}

static void clear_runs(struct runs *of)
{
    free(of->row);
    free(of->run);
    free(of->slope);
    free(of->loose);
}

static bool grow_runs(struct runs *of, size_t more)
{
    size_t room = of->n + more + 1;
    struct cf_judged_row *row = realloc(of->row, room * sizeof *row);
    of->row = row ? row : of->row;
    struct cf_judged_run *run = realloc(of->run, room * sizeof *run);
    of->run = run ? run : of->run;
    double *slope = realloc(of->slope, (room * of->p + 1) * sizeof *slope);
    of->slope = slope ? slope : of->slope;
    double *loose = realloc(of->loose, room * sizeof *loose);
    of->loose = loose ? loose : of->loose;
    return row && run && slope && loose;
}

/* ---- the number of a run */

/* The readings of a run, from observation `next` on, which goes on behind them; corrected for what
 * was fitted along of the instrument. Returns how many lie before the split. */
static size_t gather_readings(const struct runs *of, size_t data, const struct cf_run *run,
                              size_t *next, struct readings *r)
{
    const struct cf_problem *q = of->from->q;
    const struct cf_dataset *d = &q->spec->data[data];
    size_t before = 0;

    r->n = 0;
    for (; *next < q->nobservation; ++*next) {
        const struct cf_observation *o = &q->observation[*next];
        if (o->data != data || o->row >= run->first + run->count)
            break;
        double value = o->value, sigma = 1, law = of->from->y[*next];
        if (o->row < run->first || o->column != of->number->channel || !(o->weight > 0))
            continue;
        cf_reading_undo(of->from->reading[*next], &value, &sigma);
        cf_reading_undo(of->from->reading[*next], &law, &sigma);
        r->observation[r->n] = *next;
        r->at[r->n] = cf_dataset_value(d, o->row, of->number->over);
        r->measured[r->n] = value;
        r->predicted[r->n++] = law;
        before += o->row < run->split;
    }
    return before;
}

/* The variance that the run's own unknowns leave of the number; INFINITY: one of them is open. */
static double find_local(const struct cf_judged_source *from, const struct readings *r)
{
    double variance = 0;

    for (size_t l = 0; l < from->nlocal; l++) {
        double shift = 0;
        for (size_t i = 0; i < r->n; i++)
            if (r->by[i] != 0)
                shift += r->by[i] * from->local[r->observation[i] * from->nlocal + l];
        variance += isfinite(shift) ? shift * shift : (double) INFINITY;
    }
    return variance;
}

/* What is not known of the rig leaves of the number, its sd: of numbers that were fitted along, of
 * the run's own start, of stated uncertainties. INFINITY: one of them is open. */
static double find_loose(const struct runs *of, const struct readings *r, const double slope[])
{
    const struct cf_fit *fit = of->from->fit;
    const struct cf_problem *q = of->from->q;
    double variance = cf_loose_variance(fit, q, q->nfree, NULL, slope, 1) + find_local(of->from, r);

    if (isinf(variance))
        return variance;
    if (variance > 0 && of->from->law_open)
        return (double) INFINITY;
    for (size_t k = 0; k < fit->budget.n; k++) {
        double shift = 0;
        for (size_t i = 0; fit->budget.source[k].shift && i < r->n; i++)
            shift += r->by[i] * fit->budget.source[k].shift[r->observation[i]];
        variance += shift * shift;
    }
    return sqrt(variance);
}

/* Number, derivatives and residual of a run, if its readings have any. */
static void add_run(struct runs *of, size_t data, const struct cf_run *run, struct readings *r,
                    size_t split)
{
    const struct cf_problem *q = of->from->q;
    struct cf_run_readings readings = {.n = r->n, .split = split, .at = r->at, .y = r->measured};
    struct cf_judged_run *out = &of->run[of->n];
    double *slope = &of->slope[of->n * of->p];

    *out = (struct cf_judged_run){.data = data, .place = run->place};
    if (!r->n || (run->place < 0) != (of->side < 0) ||
        !of->number->find(&readings, &out->measured, r->spare))
        return;
    readings.y = r->predicted;
    if (!of->number->find(&readings, &out->predicted, r->by) ||
        !isfinite(out->measured - out->predicted))
        return;
    of->least = fmin(of->least, fabs(run->place));
    of->most = fmax(of->most, fabs(run->place));
    if (of->number->axis && !cf_judged_in_range(of->need, run->place))
        return;
    for (size_t j = 0; j < of->p; j++) {
        slope[j] = 0;
        for (size_t i = 0; i < r->n; i++)
            slope[j] += r->by[i] * of->from->slope[r->observation[i] * q->nfree + j];
    }
    of->loose[of->n] = find_loose(of, r, slope);
    of->row[of->n] = (struct cf_judged_row){
        .place = of->number->axis ? cf_judged_place(of->number->axis, run->place) : 0,
        .residual = out->measured - out->predicted,
        .law = out->predicted,
        .sigma = 1,
        .by = 1,
        .observation = r->observation[0]};
    of->sets += of->n == 0 || of->last_set != data;
    of->last_set = data;
    of->n++;
}

/* The runs of one data set. Loops share the row where one ends and the next begins. */
static int add_set(struct runs *of, size_t data, struct cf_error *err)
{
    const struct cf_problem *q = of->from->q;
    const struct cf_dataset *d = &q->spec->data[data];
    struct cf_run *run = NULL;
    struct readings r;
    size_t n = 0, next, begin = 0;
    int status = cf_runs_cut(d, of->number, &run, &n, err);

    if (!alloc_readings(&r, d->nrow) || (!status && !grow_runs(of, n)))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu runs", n);
    while (begin < q->nobservation && q->observation[begin].data < data)
        begin++;
    for (size_t i = 0; i < n && !status; i++) {
        while (begin < q->nobservation && q->observation[begin].data == data &&
               q->observation[begin].row < run[i].first)
            begin++;
        next = begin;
        size_t split = gather_readings(of, data, &run[i], &next, &r);
        add_run(of, data, &run[i], &r, split);
    }
    free(run);
    clear_readings(&r);
    return status;
}

/* ---- a curve of them */

struct by_place {
    double place;
    size_t i;
};

static int compare_by_place(const void *a, const void *b)
{
    const struct by_place *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

/* Put runs in the order of their places. */
static bool sort_runs(struct runs *of)
{
    struct by_place *order = calloc(of->n + 1, sizeof *order);
    struct runs to = {.p = of->p};

    if (!order || !grow_runs(&to, of->n)) {
        free(order);
        clear_runs(&to);
        return false;
    }
    for (size_t i = 0; i < of->n; i++)
        order[i] = (struct by_place){of->row[i].place, i};
    qsort(order, of->n, sizeof *order, compare_by_place);
    for (size_t i = 0; i < of->n; i++) {
        size_t k = order[i].i;
        to.row[i] = of->row[k];
        to.run[i] = of->run[k];
        to.loose[i] = of->loose[k];
        memcpy(&to.slope[i * of->p], &of->slope[k * of->p], of->p * sizeof *to.slope);
    }
    free(order);
    clear_runs(of);
    of->row = to.row;
    of->run = to.run;
    of->slope = to.slope;
    of->loose = to.loose;
    return true;
}

/* The law's number and its slopes at a point of the grid: by a line between the places beside it,
 * at each the mean of its runs. */
static void put_point(const struct runs *of, double place, double *law, double slope[])
{
    size_t low = 0, end = of->n, begin[2], behind[2];
    double at[2], weight[2];

    while (low + 1 < of->n && of->row[low + 1].place <= place)
        low++;
    begin[0] = low;
    while (begin[0] > 0 && of->row[begin[0] - 1].place == of->row[low].place)
        begin[0]--;
    behind[0] = low + 1;
    begin[1] = behind[0] < end ? behind[0] : begin[0];
    behind[1] = begin[1] + 1;
    while (behind[1] < end && of->row[behind[1]].place == of->row[begin[1]].place)
        behind[1]++;
    at[0] = of->row[begin[0]].place;
    at[1] = of->row[begin[1]].place;
    weight[1] = at[1] > at[0] ? (place - at[0]) / (at[1] - at[0]) : 0;
    weight[0] = 1 - weight[1];
    *law = 0;
    memset(slope, 0, of->p * sizeof *slope);
    for (int side = 0; side < 2; side++)
        for (size_t i = begin[side]; i < behind[side]; i++) {
            double w = weight[side] / (double) (behind[side] - begin[side]);
            *law += w * of->row[i].law;
            for (size_t j = 0; j < of->p; j++)
                slope[j] += w * of->slope[i * of->p + j];
        }
}

/* Places that lie all together within this part of themselves are one, which was set or read with
 * some error. */
static const double one_place = 0.05;

static void merge_places(struct runs *of)
{
    double low = (double) INFINITY, high = 0, mean = 0;

    for (size_t i = 0; i < of->n; i++) {
        low = fmin(low, fabs(of->run[i].place));
        high = fmax(high, fabs(of->run[i].place));
        mean += of->run[i].place / (double) of->n;
    }
    for (size_t i = 0; i < of->n && of->number->axis && high - low < one_place * high; i++) {
        of->run[i].place = mean;
        of->row[i].place = cf_judged_place(of->number->axis, mean);
    }
}

static void put_rows(const struct runs *of, struct cf_adequacy_rows *rows)
{
    const struct cf_fit_options *options = &of->from->q->spec->options;
    double first = of->row[0].place, range = of->row[of->n - 1].place - first;

    for (size_t i = 0; i < of->n; i++) {
        rows->x[i] = range > 0 ? (of->row[i].place - first) / range : 0;
        rows->r[i] = of->row[i].residual;
        rows->law[i] = of->row[i].law;
        rows->weight[i] = 1;
    }
    memcpy(rows->slope, of->slope, of->n * of->p * sizeof *rows->slope);
    for (size_t i = 0; i < GRID; i++)
        put_point(of, first + (double) i / (GRID - 1) * range, &rows->grid_law[i],
                  &rows->grid_slope[i * of->p]);
    rows->sigma = (double) NAN;
    rows->level = options->level;
    rows->seed = options->seed;
}

/* ---- too few places for a curve */

/* Limits of the mean of n numbers. */
static struct cf_adequacy_limits limit_mean(const double x[], size_t n, bool differ, double level,
                                            double *mean, double *se)
{
    double dof = (double) n - 1, squares = 0, largest = 0;
    struct cf_adequacy_limits out = {.at_most = {.value = (double) NAN}};

    *mean = 0;
    for (size_t i = 0; i < n; i++) {
        *mean += x[i] / (double) n;
        largest = fmax(largest, fabs(x[i]));
    }
    for (size_t i = 0; i < n; i++)
        squares += gsl_pow_2(x[i] - *mean);
    *se = sqrt(squares / dof / (double) n);
    out.largest.value = *mean;
    out.at_most.value = fabs(*mean) + cf_t_quantile(2 * level - 1, dof) * *se;
    out.at_most.value = differ ? fmax(out.at_most.value, largest) : out.at_most.value;
    out.at_least = fmax(0, fabs(*mean) - cf_t_quantile(level, dof) * *se);
    return out;
}

/* x[2n]: room. */
static void find_mean(const struct runs *of, const struct cf_adequacy_rows *rows, double x[],
                      struct cf_adequacy_curve *c)
{
    bool differ = of->row[0].place < of->row[of->n - 1].place, passes = false;
    double mean, se;

    for (size_t i = 0; i < of->n; i++) {
        x[i] = of->row[i].residual;
        x[of->n + i] = of->row[i].residual / fabs(of->row[i].law);
        passes = passes || of->row[i].law * of->row[0].law <= 0;
    }
    c->relative = limit_mean(x + of->n, of->n, differ, rows->level, &mean, &se);
    if (passes)
        c->relative.largest.value = c->relative.at_most.value = c->relative.at_least = (double) NAN;
    c->in_unit = limit_mean(x, of->n, differ, rows->level, &mean, &se);
    c->columns = 1;
    c->cells = of->n;
    c->dof = (double) of->n - 1;
    c->s = se * sqrt((double) of->n);
    c->resolution = (double) NAN;
    c->simultaneous = cf_t_quantile(rows->level, c->dof);
    for (size_t i = 0; i < GRID; i++) {
        c->delta[i] = mean;
        c->se[i] = se;
    }
}

/* ---- */

static void put_range(const struct runs *of, struct cf_judged_curve *c)
{
    const struct cf_axis *axis = of->number->axis;
    double first = of->row[0].place, range = of->row[of->n - 1].place - first;
    double two_sided = cf_t_quantile(of->from->q->spec->options.level, (double) INFINITY);

    c->rows = of->n;
    c->sets = of->sets;
    c->low = of->run[0].place;
    c->high = of->run[of->n - 1].place;
    c->least = of->least;
    c->most = of->most;
    c->worst = axis ? cf_judged_abscissa(axis, first + c->of.in_unit.at_most.x * range, of->side)
                    : (double) NAN;
    for (size_t i = 0; i < GRID; i++)
        c->abscissa[i] =
            axis ? cf_judged_abscissa(axis, first + (double) i / (GRID - 1) * range, of->side) : 0;
    for (size_t i = 0; i < of->n; i++) {
        c->stated = fmax(c->stated, two_sided * of->loose[i]);
        c->stated_relative =
            fmax(c->stated_relative, two_sided * of->loose[i] / fabs(of->row[i].law));
    }
}

static int judge_curve(struct runs *of, struct cf_adequacy_rows *rows, struct cf_judged_curve *c,
                       struct cf_error *err)
{
    double *room;
    int status;

    put_rows(of, rows);
    if (!cf_judged_group(of->from, cf_judged_effect(of->from, c->data, c->column), of->row, rows))
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu runs", of->n);
    status = cf_adequacy_find(rows, &c->of, err);
    memcpy(c->law, rows->grid_law, sizeof c->law);
    c->averaged = !status && !c->of.columns && of->n > 1;
    if (c->averaged) {
        room = calloc(2 * of->n, sizeof *room);
        if (!room)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu runs", of->n);
        find_mean(of, rows, room, &c->of);
        free(room);
    }
    put_range(of, c);
    if (!status && of->n == 1)
        snprintf(c->why_not, sizeof c->why_not,
                 "one run tells nothing of the next: two are needed at least");
    if (!status && isinf(c->stated)) {
        snprintf(c->why_not, sizeof c->why_not,
                 "the fit leaves a gain, a bias or a number of the apparatus open, which it has");
        c->of.columns = 0;
    }
    return status;
}

/* Tell of the runs that were gathered; of none, only where a need asks. */
static int tell_runs(struct runs *of, size_t data, struct cf_error *err)
{
    struct cf_judged_curve *c = cf_judged_append(of->from->fit);
    struct cf_adequacy_rows rows = {0};
    int status = CF_OK;

    merge_places(of);
    if (!c || (of->n && (!sort_runs(of) || !cf_judged_alloc(&rows, of->n, of->p))))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu runs", of->n);
    if (!status) {
        c->data = data;
        c->column = of->number->channel;
        c->number = of->number;
        c->need = of->need;
        c->sets = 1;
        if (of->n)
            status = judge_curve(of, &rows, c, err);
        else
            snprintf(c->why_not, sizeof c->why_not, "no run that is fitted has it");
    }
    if (!status) {
        status = cf_judged_finish(of->from->q->spec, &rows, c, err);
        c->run = of->run;
        of->run = NULL;
        of->from->fit->njudged++;
    }
    cf_judged_clear(&rows);
    return status;
}

/* Both signs of an axis apart, as rows are. */
static int judge_number(const struct cf_judged_source *from, size_t data,
                        const struct cf_run_number *number, const struct cf_need *need,
                        struct cf_error *err)
{
    bool any = false;
    int status = CF_OK;

    for (double side = 1; side >= -1 && !status; side -= 2) {
        struct runs of = {.from = from,
                          .number = number,
                          .need = need,
                          .side = side,
                          .p = from->q->nfree,
                          .least = (double) INFINITY};
        for (size_t d = data; d < from->q->spec->ndata && !status; d++)
            if (cf_judged_together(from->q, data, d, number->but))
                status = add_set(&of, d, err);
        any = any || of.n > 0;
        if (!status && (of.n > 1 || (need && (of.n == 1 || (side < 0 && !any)))))
            status = tell_runs(&of, data, err);
        clear_runs(&of);
    }
    return status;
}

int cf_judge_runs(const struct cf_judged_source *from, size_t data, struct cf_error *err)
{
    const struct cf_spec *spec = from->q->spec;
    const struct cf_protocol *protocol = spec->data[data].protocol;
    int status = CF_OK;

    for (size_t i = 0; i < protocol->nrun_number && !status; i++) {
        const struct cf_run_number *number = &protocol->run_number[i];
        size_t next = 0;
        bool first = true;
        for (size_t before = 0; before < data && first; before++)
            first = !cf_judged_together(from->q, before, data, number->but);
        const struct cf_need *need = first ? cf_judged_need(spec, number->name, &next) : NULL;
        if (first && !need && i == 0)
            status = judge_number(from, data, number, NULL, err);
        for (; need && !status; need = cf_judged_need(spec, number->name, &next))
            status = judge_number(from, data, number, need, err);
    }
    return status;
}
