/* The spring's force or the block's place over rows: one run from each trough. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/stick_slip_channels.h"

/* Of each step, relative to the sizes of its states. Derivatives, which take the same steps, are
 * right to some 1e-4 then. */
static const double FIT_TOLERANCE = 1e-9;

/* The number of plate.h that each number of the apparatus, and of a start, is. */
static const enum cf_plate_number number_of[CF_STICK_HYSTERESIS] = {
    [CF_STICK_APPARATUS_LOAD] = CF_PLATE_LOAD,
    [CF_STICK_MASS] = CF_PLATE_MASS,
    [CF_STICK_STIFFNESS] = CF_PLATE_STIFFNESS,
    [CF_STICK_DAMPING] = CF_PLATE_DAMPING,
    [CF_STICK_SPEED] = CF_PLATE_SPEED,
    [CF_STICK_RIPPLE_RATE] = CF_PLATE_RIPPLE_RATE,
    [CF_STICK_RIPPLE_COSINE] = CF_PLATE_RIPPLE_COSINE,
    [CF_STICK_RIPPLE_SINE] = CF_PLATE_RIPPLE_SINE,
};
static const enum cf_plate_number start_of[CF_STICK_NSTART] = {
    [CF_STICK_TROUGH_TIME] = CF_PLATE_TROUGH_S,
    [CF_STICK_TROUGH_FORCE] = CF_PLATE_TROUGH_N,
};

void cf_stick_plate(const double apparatus[], struct cf_plate *plate)
{
    for (size_t i = 0; i < CF_STICK_HYSTERESIS; i++)
        plate->number[number_of[i]] = apparatus[i];
}

/* The plate's column of a value of the request; SIZE_MAX: none. */
static size_t column_of(const struct cf_law *law, size_t value)
{
    size_t from = cf_law_friction_from(law), nparam = law->friction->nparam, parameter;

    if (value < law->nparam)
        return value < from ? SIZE_MAX : value - from;
    parameter = value - law->nparam;
    if (parameter < CF_STICK_HYSTERESIS)
        return nparam + number_of[parameter];
    return parameter < CF_STICK_NAPPARATUS ? SIZE_MAX
                                           : nparam + start_of[parameter - CF_STICK_NAPPARATUS];
}

/* A row that is asked for. */
struct asked {
    double time_s, trough_s, trough_N;
    size_t at;
};

/* Rows of one trough stand together, in the order of time. */
static int by_trough(const void *a, const void *b)
{
    const struct asked *x = a, *y = b;

    if (x->trough_s != y->trough_s)
        return x->trough_s < y->trough_s ? -1 : 1;
    if (x->trough_N != y->trough_N)
        return x->trough_N < y->trough_N ? -1 : 1;
    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Where no record says when the trough was, at time 0. */
static struct asked ask(const struct cf_dataset *d, size_t row, size_t at)
{
    double since = cf_dataset_value(d, row, CF_STICK_SINCE);
    double trough = cf_dataset_has(d, row, CF_STICK_TROUGH_AT)
                        ? cf_dataset_value(d, row, CF_STICK_TROUGH_AT)
                        : 0;
    double time = cf_dataset_has(d, row, CF_STICK_TIME) ? cf_dataset_value(d, row, CF_STICK_TIME)
                                                        : trough + since;

    return (struct asked){time, trough, cf_dataset_value(d, row, CF_STICK_TROUGH), at};
}

struct room {
    struct asked *row;
    double *time_s, *y[2], *by[2], *rate[2]; /* of force and place */
};

static int room_make(struct room *room, const struct cf_request *q, struct cf_error *err)
{
    size_t n = q->nrow + 1, each = 2 + q->nby;
    double *at = malloc(n * (1 + 2 * each) * sizeof *at);

    *room = (struct room){.row = malloc(n * sizeof *room->row), .time_s = at};
    if (!at || !room->row)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nrow);
    for (int k = 0; k < 2; k++) {
        room->y[k] = at + n * (1 + k * each);
        room->rate[k] = room->y[k] + n;
        room->by[k] = room->rate[k] + n;
    }
    for (size_t i = 0; i < q->nrow; i++)
        room->row[i] = ask(q->data, q->row[i], i);
    qsort(room->row, q->nrow, sizeof *room->row, by_trough);
    return CF_OK;
}

static void hand_out(const struct cf_request *q, const struct room *room, const size_t column[],
                     size_t ncolumn, size_t i, const struct asked *row, struct cf_response *out)
{
    for (size_t c = 0; c < q->nchannel; c++) {
        int which = q->channel[c] == CF_STICK_PLACE;
        size_t to = row->at * q->nchannel + c;
        out->y[to] = room->y[which][i];
        if (out->by_imposed)
            out->by_imposed[to] = room->rate[which][i];
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[to * q->nby + k] =
                column[k] == SIZE_MAX ? 0 : room->by[which][i * ncolumn + column[k]];
    }
}

/* The rows [first, first + n), of one trough. */
static int predict_cycle(const struct cf_request *q, struct room *room, size_t first, size_t n,
                         const struct cf_plate_columns *columns, const size_t column[],
                         struct cf_response *out, struct cf_error *err)
{
    const struct cf_law *law = q->law;
    const double *a = q->value + cf_apparatus_value(law, 0);
    const struct asked *row = room->row + first;
    double load = cf_dataset_value(q->data, q->row[row->at], CF_STICK_LOAD);
    bool slopes = out->by_value && columns->n && !(q->tolerance > 0);
    struct cf_plate plate = {.law = law->friction, .p = q->value + cf_law_friction_from(law)};
    struct cf_plate_samples samples = {.n = n,
                                       .time_s = room->time_s,
                                       .force_N = room->y[0],
                                       .place_m = room->y[1],
                                       .force_by = slopes ? room->by[0] : NULL,
                                       .place_by = slopes ? room->by[1] : NULL,
                                       .force_by_time = room->rate[0],
                                       .place_by_time = room->rate[1]};
    int status;

    cf_stick_plate(a, &plate);
    if (!isnan(load))
        plate.number[CF_PLATE_LOAD] = load;
    plate.number[CF_PLATE_TROUGH_S] = row->trough_s + a[CF_STICK_NAPPARATUS + CF_STICK_TROUGH_TIME];
    plate.number[CF_PLATE_TROUGH_N] =
        row->trough_N + a[CF_STICK_NAPPARATUS + CF_STICK_TROUGH_FORCE];
    for (size_t i = 0; i < n; i++)
        room->time_s[i] = row[i].time_s;
    status = cf_plate_run(&plate, columns, q->tolerance > 0 ? q->tolerance : FIT_TOLERANCE,
                          CF_STICK_MOST_STEPS, &samples, err);
    for (size_t i = 0; i < n && !status; i++)
        hand_out(q, room, column, columns->n, i, &row[i], out);
    return status;
}

int cf_stick_predict(void *work, const struct cf_request *q, struct cf_response *out,
                     struct cf_error *err)
{
    size_t of[CF_MAX_PARAM + CF_PLATE_NNUMBER], *column = malloc((q->nby + 1) * sizeof *column);
    struct cf_plate_columns columns = {0, of};
    struct room room = {0};
    size_t n;
    int status = column ? room_make(&room, q, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for %zu derivatives", q->nby);

    (void) work;
    for (size_t k = 0; k < q->nby && !status; k++) {
        column[k] = column_of(q->law, q->by[k]);
        if (column[k] == SIZE_MAX)
            continue;
        of[columns.n] = column[k];
        column[k] = columns.n++;
    }
    for (size_t i = 0; i < q->nrow && !status; i += n) {
        n = 1;
        while (i + n < q->nrow && room.row[i + n].trough_s == room.row[i].trough_s &&
               room.row[i + n].trough_N == room.row[i].trough_N)
            n++;
        status = predict_cycle(q, &room, i, n, &columns, column, out, err);
    }
    free(column);
    free(room.row);
    free(room.time_s);
    return status;
}
