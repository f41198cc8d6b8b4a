/* The force that rows show: those of one speed are one impact, which is run once. */

#include <math.h>
#include <stdlib.h>

#include "experiment/pulse_channels.h"
#include "experiment/pulse_motion.h"

/* Of each step. Derivatives are right to some 1e-6 then, where the force has a cusp at touch. */
static const double FIT_TOLERANCE = 1e-10;

/* A row whose time since touch is not known has none that is finite, so that rows can be sorted. */
static double since_of(const struct cf_dataset *d, size_t row)
{
    double since = cf_dataset_value(d, row, CF_PULSE_SINCE);
    return isnan(since) ? (double) -INFINITY : since;
}

/* A row that is asked for. */
struct asked {
    double speed_m_s, since_s;
    size_t at;
};

static int by_speed(const void *a, const void *b)
{
    const struct asked *x = a, *y = b;

    if (x->speed_m_s != y->speed_m_s)
        return x->speed_m_s < y->speed_m_s ? -1 : 1;
    return (x->since_s > y->since_s) - (x->since_s < y->since_s);
}

/* The columns that a request asks for, and which of them a wanted value is; CF_NO_CHANNEL: none. */
struct columns {
    size_t n, column[CF_PULSE_MOST_COLUMNS];
};

static size_t column_of(struct columns *c, size_t wanted)
{
    size_t i = 0;

    while (i < c->n && c->column[i] != wanted)
        i++;
    if (i == c->n)
        c->column[c->n++] = wanted;
    return i;
}

/* The number of pulse_motion.h that a number of the apparatus is. */
static const size_t wrt_of[CF_PULSE_RISE] = {
    [CF_PULSE_STIFFNESS] = CF_PULSE_BY_STIFFNESS, [CF_PULSE_HEAD] = CF_PULSE_BY_MASS,
    [CF_PULSE_DAMPING] = CF_PULSE_BY_DAMPING,     [CF_PULSE_BANDWIDTH] = CF_PULSE_BY_BANDWIDTH,
    [CF_PULSE_SPEED_GAIN] = CF_PULSE_BY_SPEED,
};

/* Which column a value of the request is, added where it is none yet. */
static size_t column_for(struct columns *c, const struct cf_request *q, size_t value)
{
    const struct cf_law *law = cf_law_normal(q->law);
    size_t parameter = value - q->law->nparam;

    if (value < q->law->nparam)
        return value < law->nparam ? column_of(c, value) : CF_NO_CHANNEL;
    if (parameter >= CF_PULSE_RISE || parameter == CF_PULSE_DRIFT || parameter == CF_PULSE_ORDER)
        return CF_NO_CHANNEL;
    return column_of(c, law->nparam + wrt_of[parameter]);
}

static double time_of(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_has(d, row, CF_PULSE_TIME) ? cf_dataset_value(d, row, CF_PULSE_TIME)
                                                 : cf_dataset_value(d, row, CF_PULSE_SINCE);
}

/* Room for the rows of one speed. */
struct room {
    struct asked *row;
    double *time_s, *force_N, *rate_N_s, *by;
};

/* What is shown of one row: number i of those of one speed. */
static void hand_out(const struct cf_request *q, const struct room *room, const struct columns *c,
                     size_t i, const struct asked *row, struct cf_response *out)
{
    const double *a = q->value + q->law->nparam;
    double time = time_of(q->data, q->row[row->at]);
    struct columns known = *c;

    out->y[row->at] =
        isinf(row->since_s) ? (double) NAN : room->force_N[i] + a[CF_PULSE_DRIFT] * time;
    if (out->by_imposed)
        out->by_imposed[row->at] = room->rate_N_s[i] + a[CF_PULSE_DRIFT];
    for (size_t k = 0; out->by_value && k < q->nby; k++) {
        size_t parameter = q->by[k] - q->law->nparam, column = column_for(&known, q, q->by[k]);
        double slope = column == CF_NO_CHANNEL ? 0 : room->by[i * c->n + column];
        if (q->by[k] >= q->law->nparam && parameter == CF_PULSE_SPEED_GAIN)
            slope *= row->speed_m_s;
        if (q->by[k] >= q->law->nparam && parameter == CF_PULSE_DRIFT)
            slope = time;
        if (q->by[k] >= q->law->nparam && parameter == CF_PULSE_NAPPARATUS + CF_PULSE_TOUCH)
            slope = -room->rate_N_s[i];
        out->by_value[row->at * q->nby + k] = slope;
    }
}

/* n rows of one speed. */
static int predict_speed(const struct cf_request *q, const struct room *room, size_t first,
                         size_t n, const struct columns *c, struct cf_response *out,
                         struct cf_error *err)
{
    const struct asked *row = room->row + first;
    const double *a = q->value + q->law->nparam;
    bool slopes = out->by_value || out->by_imposed;
    struct cf_pulse_motion motion = {
        .law = cf_law_normal(q->law),
        .p = q->value,
        .mass_kg = q->data->pair.mass_kg,
        .radius_m = q->data->pair.radius_m,
        .speed_m_s = row->speed_m_s * a[CF_PULSE_SPEED_GAIN],
        .stiffness_N_m = a[CF_PULSE_STIFFNESS],
        .head_kg = a[CF_PULSE_HEAD],
        .damping_N_s_m = a[CF_PULSE_DAMPING],
        .bandwidth_Hz = a[CF_PULSE_BANDWIDTH],
        .order = (int) a[CF_PULSE_ORDER],
        .tolerance = q->tolerance > 0 ? q->tolerance : FIT_TOLERANCE,
        .ncolumn = c->n,
        .column = c->column,
    };
    struct cf_error why = {""};
    int status;

    for (size_t i = 0; i < n; i++)
        room->time_s[i] = row[i].since_s - a[CF_PULSE_NAPPARATUS + CF_PULSE_TOUCH];
    status = cf_pulse_run(&motion, n, room->time_s, room->force_N, slopes ? room->rate_N_s : NULL,
                          out->by_value && c->n ? room->by : NULL, &why);
    if (status)
        return cf_fail(err, status, "the impact at %.4g m/s with %s: %s", row->speed_m_s,
                       q->law->name, why.text);
    for (size_t i = 0; i < n; i++)
        hand_out(q, room, c, i, &row[i], out);
    return CF_OK;
}

int cf_pulse_predict(void *work, const struct cf_request *q, struct cf_response *out,
                     struct cf_error *err)
{
    struct columns c = {.n = 0};
    struct room room = {.row = malloc((q->nrow + 1) * sizeof *room.row)};
    size_t n;
    int status = CF_OK;

    (void) work;
    for (size_t k = 0; out->by_value && k < q->nby; k++)
        column_for(&c, q, q->by[k]);
    room.time_s = malloc((q->nrow * (3 + c.n) + 1) * sizeof *room.time_s);
    if (!room.row || !room.time_s)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nrow);
    for (size_t i = 0; i < q->nrow && !status; i++)
        room.row[i] = (struct asked){cf_dataset_value(q->data, q->row[i], CF_PULSE_SPEED),
                                     since_of(q->data, q->row[i]), i};
    if (!status) {
        room.force_N = room.time_s + q->nrow;
        room.rate_N_s = room.force_N + q->nrow;
        room.by = room.rate_N_s + q->nrow;
        qsort(room.row, q->nrow, sizeof *room.row, by_speed);
    }
    for (size_t i = 0; i < q->nrow && !status; i += n) {
        n = 1;
        while (i + n < q->nrow && room.row[i + n].speed_m_s == room.row[i].speed_m_s)
            n++;
        status = predict_speed(q, &room, i, n, &c, out, err);
    }
    free(room.row);
    free(room.time_s);
    return status;
}
