/* What rows show: those of one window are one run from its start. */

#include <math.h>
#include <stdlib.h>

#include "experiment/toss_channels.h"

/* Of each step of fits: derivatives are right to some 1e-4 of the largest of their kind (motion.h),
 * which moves an optimum by that part of its standard errors. */
static const double FIT_TOLERANCE = 1e-8;

/* A window of 40 ms takes some hundred steps, a whole toss some thousand; one that a search has led
 * astray, to a floor as hard as glass, fails early; verification may take longer. */
static const double STEPS_PER_S = 5e4;
enum { LEAST_STEPS = 1000, CHECK_STEPS = 2000000 };

void *cf_toss_open(struct cf_curves *curves)
{
    (void) curves;
    return cf_toss_scene_alloc();
}

void cf_toss_close(void *work)
{
    cf_toss_scene_free(work);
}

/* A row that is asked for, and its window, counted from 0. */
struct asked {
    size_t window, at;
    double since_s;
};

static int by_window(const void *a, const void *b)
{
    const struct asked *x = a, *y = b;

    if (x->window != y->window)
        return x->window < y->window ? -1 : 1;
    if (x->since_s != y->since_s)
        return x->since_s < y->since_s ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

/* Room for the rows of one window. */
struct room {
    struct asked *row;
    double *time_s, *y, *rate, *by;
};

static int make_room(struct room *room, const struct cf_request *q, bool slopes,
                     struct cf_error *err)
{
    size_t cells = (q->nrow + 1) * CF_TOSS_POSE;

    room->row = malloc((q->nrow + 1) * sizeof *room->row);
    room->time_s =
        malloc((q->nrow + 1 + cells * (2 + (slopes ? q->nby : 0))) * sizeof *room->time_s);
    if (!room->row || !room->time_s)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nrow);
    room->y = room->time_s + q->nrow + 1;
    room->rate = room->y + cells;
    room->by = room->rate + cells;
    return CF_OK;
}

/* Which window a row is of; one that is of none has no time. */
static struct asked find_row(const struct cf_request *q, size_t i)
{
    size_t n = q->data->drive->npiece;
    double number = cf_dataset_value(q->data, q->row[i], CF_TOSS_WINDOW);
    double since = cf_dataset_value(q->data, q->row[i], CF_TOSS_SINCE);
    bool known = number >= 1 && number < (double) n + 1 && since >= 0;

    return (struct asked){known ? (size_t) number - 1 : n, i, known ? since : 0};
}

static void hand_out(const struct cf_request *q, const struct room *room, size_t sample,
                     const struct asked *row, struct cf_response *out)
{
    for (size_t c = 0; c < q->nchannel; c++) {
        size_t from = sample * CF_TOSS_POSE + q->channel[c] - CF_TOSS_FIRST;
        size_t to = row->at * q->nchannel + c;
        out->y[to] = room->y[from];
        if (out->by_imposed)
            out->by_imposed[to] = room->rate[from];
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[to * q->nby + k] = room->by[from * q->nby + k];
    }
}

static void leave_open(const struct cf_request *q, const struct asked *row, struct cf_response *out)
{
    for (size_t to = row->at * q->nchannel; to < (row->at + 1) * q->nchannel; to++) {
        out->y[to] = (double) NAN;
        if (out->by_imposed)
            out->by_imposed[to] = 0;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[to * q->nby + k] = 0;
    }
}

/* n rows of one window; rows of one time are one sample. */
static int predict_window(struct cf_toss_scene *scene, const struct cf_request *q,
                          const struct room *room, size_t first, size_t n, struct cf_response *out,
                          struct cf_error *err)
{
    const struct asked *row = room->row + first;
    struct cf_toss_run run = {
        .law = q->law,
        .value = q->value,
        .tolerance = q->tolerance > 0 ? q->tolerance : FIT_TOLERANCE,
        .time_s = room->time_s,
        .nby = q->nby,
        .by = q->by,
        .y = room->y,
        .rate = out->by_imposed ? room->rate : NULL,
        .by_value = out->by_value ? room->by : NULL,
    };
    struct cf_error why = {""};
    int status;

    if (row->window == q->data->drive->npiece) {
        for (size_t i = 0; i < n; i++)
            leave_open(q, &row[i], out);
        return CF_OK;
    }
    run.start = &q->data->drive->piece[row->window].body;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || row[i].since_s > room->time_s[run.n - 1])
            room->time_s[run.n++] = row[i].since_s;
    if (run.time_s[run.n - 1] == 0) { /* nothing has moved: a run has a length */
        room->time_s[run.n++] = 1e-3;
    }
    run.max_steps = q->tolerance > 0 ? CHECK_STEPS
                                     : LEAST_STEPS + (size_t) (STEPS_PER_S * run.time_s[run.n - 1]);
    status = cf_toss_run(scene, &run, &why);
    if (status)
        return cf_fail(err, status, "window %zu with %s: %s", row->window + 1, q->law->name,
                       why.text);
    for (size_t i = 0, sample = 0; i < n; i++) {
        sample += row[i].since_s > room->time_s[sample];
        hand_out(q, room, sample, &row[i], out);
    }
    return CF_OK;
}

int cf_toss_predict(void *work, const struct cf_request *q, struct cf_response *out,
                    struct cf_error *err)
{
    struct room room = {NULL, NULL, NULL, NULL, NULL};
    int status = CF_OK;
    size_t n;

    if (!q->data->drive)
        return cf_fail(err, CF_EINPUT,
                       "the fit does not hold the flights that its windows begin with: its study "
                       "predicts what follows from them (contactfit validate FIT.json STUDY.yaml)");
    status = make_room(&room, q, out->by_value != NULL, err);
    for (size_t i = 0; i < q->nrow && !status; i++)
        room.row[i] = find_row(q, i);
    if (!status)
        qsort(room.row, q->nrow, sizeof *room.row, by_window);
    for (size_t i = 0; i < q->nrow && !status; i += n) {
        n = 1;
        while (i + n < q->nrow && room.row[i + n].window == room.row[i].window)
            n++;
        status = predict_window(work, q, &room, i, n, out, err);
    }
    free(room.row);
    free(room.time_s);
    return status;
}
