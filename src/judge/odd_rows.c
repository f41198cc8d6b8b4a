#include "judge/odd_rows.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/list.h"
#include "core/text.h"

/* Of fewer rows nothing is usual; more were typed by nobody. */
enum { LEAST_ROWS = 6, MOST_ROWS = 2000 };

/* Beyond the range of its neighbours by this factor; and so often the usual distance from the line
 * between them. No law of contact goes that far at one place and comes back. */
static const double least_factor = 2, most_usual = 10;

/* A place beyond all others by the first factor, in a file that is in order without it, or by the
 * second; and so many times the largest step between the others. */
static const double far_factor = 8, very_far_factor = 50, far_steps = 3;

/* More odd rows than this share, and than one, are a kind of rows. */
static const double most_odd = 0.1;

/* Two conditions are the same to this share: they may be measured, and scatter. */
static const double same_condition = 0.05;

/* The rows of one column, along the axis. */
struct column {
    const struct cf_dataset *data;
    size_t channel, n;
    size_t *row;   /* along x */
    double *x, *y; /* logarithms where all are above 0 */
    bool is_log;   /* y is one */
    double *work;  /* n */
};

static void column_free(struct column *c)
{
    free(c->row);
    free(c->x);
}

static int column_alloc(const struct cf_dataset *d, struct column *c, struct cf_error *err)
{
    *c = (struct column){.data = d,
                         .row = calloc(d->nrow + 1, sizeof *c->row),
                         .x = calloc(3 * d->nrow + 1, sizeof *c->x)};
    if (!c->row || !c->x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    c->y = c->x + d->nrow;
    c->work = c->y + d->nrow;
    return CF_OK;
}

static bool is_same_condition(const struct cf_dataset *d, size_t a, size_t b)
{
    for (size_t i = 0; i < d->protocol->ncondition; i++) {
        double x = cf_dataset_value(d, a, d->protocol->condition[i]);
        double y = cf_dataset_value(d, b, d->protocol->condition[i]);
        if (isnan(x) != isnan(y) || fabs(x - y) > same_condition * fmax(fabs(x), fabs(y)))
            return false;
    }
    return true;
}

/* The first row in use of the same conditions: the one by which they are called. */
static size_t first_alike(const struct cf_dataset *d, size_t row)
{
    size_t i = 0;

    while (i < row && (d->use[i] == CF_ROW_EXCLUDED || !is_same_condition(d, i, row)))
        i++;
    return i;
}

static bool take_logarithms(double x[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(x[i] > 0))
            return false;
    for (size_t i = 0; i < n; i++)
        x[i] = log(x[i]);
    return true;
}

/* The rows that have this channel, of the conditions that `first` has, sorted along the axis. */
static void fill(struct column *c, size_t channel, size_t first)
{
    const struct cf_dataset *d = c->data;

    c->channel = channel;
    c->n = 0;
    for (size_t row = first; row < d->nrow; row++) {
        double x = d->protocol->abscissa(d, row);
        size_t at = c->n;
        if (d->use[row] == CF_ROW_EXCLUDED || !cf_dataset_has(d, row, channel) || !isfinite(x) ||
            !is_same_condition(d, first, row))
            continue;
        for (; at > 0 && c->x[at - 1] > x; at--) {
            c->x[at] = c->x[at - 1];
            c->row[at] = c->row[at - 1];
        }
        c->x[at] = x;
        c->row[at] = row;
        c->n++;
    }
    for (size_t i = 0; i < c->n; i++)
        c->y[i] = cf_dataset_value(d, c->row[i], channel);
    take_logarithms(c->x, c->n);
    c->is_log = take_logarithms(c->y, c->n);
}

/* How far y of b lies from the line between a and e. */
static double off_line(const struct column *c, size_t a, size_t b, size_t e)
{
    double dx = c->x[e] - c->x[a];
    double share = dx > 0 ? (c->x[b] - c->x[a]) / dx : 0.5;

    return fabs(c->y[b] - c->y[a] - share * (c->y[e] - c->y[a]));
}

/* The median of how far the rows but one lie from the lines between their neighbours. */
static double usual_without(const struct column *c, size_t without)
{
    size_t n = 0, before[2] = {SIZE_MAX, SIZE_MAX};

    for (size_t i = 0; i < c->n; i++) {
        if (i == without)
            continue;
        if (before[0] != SIZE_MAX)
            c->work[n++] = off_line(c, before[0], before[1], i);
        before[0] = before[1];
        before[1] = i;
    }
    gsl_sort(c->work, 1, n);
    return n ? gsl_stats_median_from_sorted_data(c->work, 1, n) : INFINITY;
}

/* The range of the two rows before and behind row i. */
static void neighbours(const struct column *c, size_t i, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t k = i < 2 ? 0 : i - 2; k < c->n && k <= i + 2; k++)
        if (k != i) {
            *low = fmin(*low, c->y[k]);
            *high = fmax(*high, c->y[k]);
        }
}

/* By how much a reading has to leave the range of its neighbours: where signs change, by the whole
 * range of the others. */
static double least_beyond(const struct column *c, size_t i)
{
    double low = INFINITY, high = -INFINITY;

    for (size_t k = 0; k < c->n && !c->is_log; k++)
        if (k != i) {
            low = fmin(low, c->y[k]);
            high = fmax(high, c->y[k]);
        }
    return c->is_log ? log(least_factor) : high - low;
}

static bool is_remarked(const struct cf_dataset *d, size_t row)
{
    char note[CF_SHOWN] = "";
    struct cf_error unused;

    return d->protocol->check_row &&
           (d->protocol->check_row(d, row, note, sizeof note, &unused) || *note);
}

static bool is_odd(const struct column *c, size_t i, double low, double high)
{
    double beyond = fmax(c->y[i] - high, low - c->y[i]), off = beyond;
    bool inner = i > 0 && i + 1 < c->n;

    if (!(beyond > least_beyond(c, i)))
        return false;
    if (inner)
        off = off_line(c, i - 1, i, i + 1);
    else if (!is_remarked(c->data, c->row[i]))
        return false;
    return off > most_usual * usual_without(c, i);
}

/* ---- what is said of them */

static int add(struct cf_odd_rows *out, struct cf_odd_row row, struct cf_error *err)
{
    struct cf_odd_row *longer = row.text ? cf_list_grow(out->item, out->n, sizeof row) : NULL;

    if (!longer) {
        free(row.text);
        return cf_fail(err, CF_ENOMEM, "no memory for rows that are odd");
    }
    out->item = longer;
    longer[out->n++] = row;
    return CF_OK;
}

static const char *unit_of(const char *unit)
{
    return strcmp(unit, "1") ? unit : "";
}

static const char *space_before(const char *unit)
{
    return strcmp(unit, "1") ? " " : "";
}

/* "drops.csv:8"; of rows inside a study its own path. */
static char *place_of(const struct cf_spec *spec, size_t data, size_t row, size_t channel)
{
    const struct cf_dataset *d = &spec->data[data];
    const char *file = d->file ? cf_dataset_file(d, channel) : spec->path;

    return cf_format("%s:%zu", file ? file : d->name, cf_dataset_line(d, row, channel));
}

static int add_reading(const struct cf_spec *spec, size_t data, const struct column *c, size_t i,
                       struct cf_odd_rows *out, struct cf_error *err)
{
    const struct cf_dataset *d = &spec->data[data];
    const struct cf_channel_row *channel = &d->protocol->channel[c->channel];
    const struct cf_axis *axis = &d->protocol->axis;
    struct cf_odd_row odd = {.data = data,
                             .row = c->row[i],
                             .channel = c->channel,
                             .value = cf_dataset_value(d, c->row[i], c->channel)};
    char *place = place_of(spec, data, odd.row, c->channel);
    char value[CF_DECIMAL], at[CF_DECIMAL], from[CF_DECIMAL], to[CF_DECIMAL];
    double low, high;

    neighbours(c, i, &low, &high);
    odd.nearest = c->y[i] > high ? high : low;
    if (c->is_log) {
        odd.nearest = exp(odd.nearest);
        low = exp(low);
        high = exp(high);
    }
    if (place)
        odd.text = cf_format("%s: %s %s%s%s at %s %s%s%s, where rows beside it have %s to %s%s%s",
                             place, channel->name, cf_decimal_short(odd.value, 4, value),
                             space_before(channel->unit), unit_of(channel->unit), axis->name,
                             cf_decimal_short(d->protocol->abscissa(d, odd.row), 4, at),
                             space_before(axis->unit), unit_of(axis->unit),
                             cf_decimal_short(low, 3, from), cf_decimal_short(high, 3, to),
                             space_before(channel->unit), unit_of(channel->unit));
    free(place);
    return add(out, odd, err);
}

/* Readings of one column under one condition. */
static int find_readings(const struct cf_spec *spec, size_t data, const struct column *c,
                         struct cf_odd_rows *out, struct cf_error *err)
{
    size_t before = out->n, found;
    int status = CF_OK;

    for (size_t i = 0; i < c->n && c->n >= LEAST_ROWS && !status; i++) {
        double low, high;
        neighbours(c, i, &low, &high);
        if (is_odd(c, i, low, high))
            status = add_reading(spec, data, c, i, out, err);
    }
    found = out->n - before;
    for (; found > 1 && (double) found > most_odd * (double) c->n && out->n > before; out->n--)
        free(out->item[out->n - 1].text);
    return status;
}

/* ---- places on the axis */

/* Are the rows but one in order in the file, and would it not be their first or last? */
static bool breaks_order(const struct column *c, const double place[], size_t odd)
{
    bool up = true, down = true;
    size_t rank = 0;
    double last = NAN;

    for (size_t row = 0; row < c->data->nrow; row++) {
        double here = place[row];
        if (isnan(here) || row == odd)
            continue;
        up = up && !(here < last);
        down = down && !(here > last);
        last = here;
        rank += row < odd;
    }
    return (up || down) && rank > 0 && rank + 1 < c->n;
}

/* Is the row at this end of the sorted |x| a place of its own? */
static bool is_far(const struct column *c, const double place[], bool top)
{
    size_t odd = top ? c->n - 1 : 0;
    double gap = top ? c->x[odd] - c->x[odd - 1] : c->x[1] - c->x[0], largest = 0;

    for (size_t i = top ? 1 : 2; i + top < c->n; i++)
        largest = fmax(largest, c->x[i] - c->x[i - 1]);
    if (!(gap > log(far_factor)) || !(gap > far_steps * largest))
        return false;
    return gap > log(very_far_factor) || breaks_order(c, place, c->row[odd]);
}

static int add_place(const struct cf_spec *spec, size_t data, const struct column *c, bool top,
                     struct cf_odd_rows *out, struct cf_error *err)
{
    const struct cf_dataset *d = &spec->data[data];
    const struct cf_axis *axis = &d->protocol->axis;
    size_t row = c->row[top ? c->n - 1 : 0];
    double low = exp(c->x[top ? 0 : 1]), high = exp(c->x[top ? c->n - 2 : c->n - 1]);
    struct cf_odd_row odd = {.data = data,
                             .row = row,
                             .channel = CF_NO_CHANNEL,
                             .value = d->protocol->abscissa(d, row),
                             .nearest = top ? high : low};
    char *place = place_of(spec, data, row, d->protocol->imposed(d, row));
    char value[CF_DECIMAL], from[CF_DECIMAL], to[CF_DECIMAL];
    const char *space = space_before(axis->unit), *unit = unit_of(axis->unit);

    if (place)
        odd.text =
            cf_format("%s: %s %s%s%s, where all other rows have %s to %s%s%s", place, axis->name,
                      cf_decimal_short(odd.value, 4, value), space, unit,
                      cf_decimal_short(low, 3, from), cf_decimal_short(high, 3, to), space, unit);
    free(place);
    return add(out, odd, err);
}

/* The sizes of all places that are not 0, sorted; place[nrow] as they stand, NAN for the others. */
static void fill_places(struct column *c, double place[])
{
    const struct cf_dataset *d = c->data;

    c->n = 0;
    for (size_t row = 0; row < d->nrow; row++) {
        double x = d->use[row] == CF_ROW_EXCLUDED ? 0 : fabs(d->protocol->abscissa(d, row));
        size_t at = c->n;
        place[row] = NAN;
        if (!(x > 0) || !isfinite(x))
            continue;
        place[row] = log(x);
        for (; at > 0 && c->x[at - 1] > place[row]; at--) {
            c->x[at] = c->x[at - 1];
            c->row[at] = c->row[at - 1];
        }
        c->x[at] = place[row];
        c->row[at] = row;
        c->n++;
    }
}

static int find_places(const struct cf_spec *spec, size_t data, struct column *c,
                       struct cf_odd_rows *out, struct cf_error *err)
{
    double *place = c->work;
    int status = CF_OK;

    fill_places(c, place);
    for (int top = 0; top < 2 && c->n >= LEAST_ROWS && !status; top++)
        if (is_far(c, place, top))
            status = add_place(spec, data, c, top, out, err);
    return status;
}

/* ---- all of them */

/* Rows that stand for themselves: no record, in which a reading may jump, and no runs. */
static bool is_judged(const struct cf_dataset *d)
{
    const struct cf_protocol *p = d->protocol;

    return d->nrow <= MOST_ROWS && !p->record && !p->recording && !p->by_scene && !p->cluster &&
           !p->nbranch && !d->nsegment && p->imposed && p->abscissa;
}

static int judge_set(const struct cf_spec *spec, size_t data, struct cf_odd_rows *out,
                     struct cf_error *err)
{
    const struct cf_dataset *d = &spec->data[data];
    struct column c;
    int status = column_alloc(d, &c, err);

    if (!status)
        status = find_places(spec, data, &c, out, err);
    for (size_t first = 0; first < d->nrow && !status; first++) {
        if (d->use[first] == CF_ROW_EXCLUDED || first_alike(d, first) != first)
            continue;
        for (size_t channel = 0; channel < d->protocol->nchannel && !status; channel++)
            if (d->protocol->channel[channel].role == CF_ROLE_MEASURED) {
                fill(&c, channel, first);
                status = find_readings(spec, data, &c, out, err);
            }
    }
    column_free(&c);
    return status;
}

int cf_odd_rows(const struct cf_spec *spec, struct cf_odd_rows *out, struct cf_error *err)
{
    int status = CF_OK;

    *out = (struct cf_odd_rows){0};
    for (size_t i = 0; i < spec->ndata && !status; i++)
        if (is_judged(&spec->data[i]))
            status = judge_set(spec, i, out, err);
    return status;
}

void cf_odd_rows_clear(struct cf_odd_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        free(rows->item[i].text);
    free(rows->item);
    *rows = (struct cf_odd_rows){0};
}
