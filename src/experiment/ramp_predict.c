/* What a ramp predicts: a slider on the recorded drive of its piece. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/ramp_channels.h"

/* A run within a tolerance, beside the fixed steps of fits: one that needs more than so many steps
 * for each row of its record, and some in all, is given up. */
enum { STEPS_PER_ROW = 20, LEAST_STEPS = 20000 };

static const enum cf_slider_number number_of[CF_RAMP_NAPPARATUS] = {
    [CF_RAMP_APPARATUS_LOAD] = CF_SLIDER_LOAD,   [CF_RAMP_MASS] = CF_SLIDER_MASS,
    [CF_RAMP_STIFFNESS] = CF_SLIDER_STIFFNESS,   [CF_RAMP_RATIO] = CF_SLIDER_RATIO,
    [CF_RAMP_DAMPING] = CF_SLIDER_DAMPING,       [CF_RAMP_BACKLASH] = CF_SLIDER_BACKLASH,
    [CF_RAMP_DELAY] = CF_SLIDER_DELAY,           [CF_RAMP_BANDWIDTH] = CF_SLIDER_BANDWIDTH,
    [CF_RAMP_DEFLECTION] = CF_SLIDER_DEFLECTION,
};

/* A request of one piece's rows. */
static int run(const struct cf_request *q, const struct cf_recorded_drive *drive,
               const struct cf_drive_piece *piece, struct cf_response *out, struct cf_error *err)
{
    const double *a = q->value + cf_apparatus_value(q->law, 0);
    bool displaced = cf_ramp_driven(q->data) == CF_RAMP_DISPLACEMENT;
    struct cf_slider s = {.drive = displaced ? CF_SLIDER_BY_DISPLACEMENT : CF_SLIDER_BY_FORCE,
                          .seen = displaced ? CF_SLIDER_FORCE : CF_SLIDER_DISPLACEMENT,
                          .piece = piece,
                          .from_s = piece->from_s,
                          .start_N = piece->start_N,
                          .order = (int) a[CF_RAMP_ORDER],
                          .substeps = (size_t) a[CF_RAMP_SUBSTEPS]};
    struct cf_slider_reading r = {.q = q,
                                  .clock = CF_RAMP_TIME,
                                  .number_of = number_of,
                                  .napparatus = CF_RAMP_NAPPARATUS,
                                  .deflected = piece == drive->piece}; /* of the first alone */
    size_t n;

    cf_slider_put(&s, &r);
    if (!r.deflected)
        s.number[CF_SLIDER_DEFLECTION] = 0;
    cf_smoothing_times(piece->driven, &n);
    r.max_steps = LEAST_STEPS + STEPS_PER_ROW * n;
    return cf_slider_predict(&s, &r, 0, out, err);
}

static double time_of(const struct cf_request *q, size_t i)
{
    return cf_dataset_value(q->data, q->row[i], CF_RAMP_TIME);
}

/* Is the row's time one that the piece recorded? */
static bool holds(const struct cf_recorded_drive *drive, const struct cf_drive_piece *piece,
                  double time_s)
{
    return cf_recorded_drive_at(drive, time_s) == piece && time_s >= piece->from_s &&
           time_s <= piece->to_s;
}

/* The rows of one piece, of which `place` are their places in the request; the rest of a request
 * keeps what it has. */
static int run_piece(const struct cf_request *q, const struct cf_recorded_drive *drive,
                     const struct cf_drive_piece *piece, struct cf_response *out,
                     struct cf_error *err)
{
    size_t *row = malloc((2 * q->nrow + 1) * sizeof *row), *place = row + q->nrow, n = 0;
    double *room = malloc((q->nrow * (2 + q->nby) + 1) * sizeof *room);
    struct cf_request part = *q;
    struct cf_response of = {.y = room,
                             .by_imposed = out->by_imposed ? room + q->nrow : NULL,
                             .by_value = out->by_value ? room + 2 * q->nrow : NULL};
    int status = row && room ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nrow);

    for (size_t i = 0; i < q->nrow && !status; i++)
        if (holds(drive, piece, time_of(q, i))) {
            place[n] = i;
            row[n++] = q->row[i];
        }
    part.row = row;
    part.nrow = n;
    if (!status && n)
        status = run(&part, drive, piece, &of, err);
    for (size_t k = 0; k < n && !status; k++) {
        out->y[place[k]] = of.y[k];
        if (of.by_imposed)
            out->by_imposed[place[k]] = of.by_imposed[k];
        if (of.by_value)
            memcpy(out->by_value + place[k] * q->nby, of.by_value + k * q->nby,
                   q->nby * sizeof *of.by_value);
    }
    free(row);
    free(room);
    return status;
}

/* Piece by piece; what lies between or beyond them was not recorded, and is not known. */
static int run_all(const struct cf_request *q, const struct cf_recorded_drive *drive,
                   struct cf_response *out, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < q->nrow; i++) {
        out->y[i] = (double) NAN;
        if (out->by_imposed)
            out->by_imposed[i] = 0;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[i * q->nby + k] = 0;
    }
    for (size_t p = 0; p < drive->npiece && !status; p++)
        status = run_piece(q, drive, &drive->piece[p], out, err);
    return status;
}

int cf_ramp_predict(void *work, const struct cf_request *q, struct cf_response *out,
                    struct cf_error *err)
{
    double cutoff_Hz = q->value[cf_apparatus_value(q->law, CF_RAMP_SMOOTHING)];
    struct cf_recorded_drive *other = NULL;
    enum cf_ramp_channel driven = cf_ramp_driven(q->data);
    int status = CF_OK;

    (void) work;
    if (!q->nrow)
        return CF_OK;
    if (!q->data->drive)
        return cf_fail(err, CF_EINPUT,
                       "the fit does not hold the recorded %s: its study predicts what follows "
                       "from it (contactfit validate FIT.json STUDY.yaml)",
                       q->data->protocol->channel[driven].name);
    if (cutoff_Hz != q->data->apparatus[CF_RAMP_SMOOTHING] && q->data->series[driven].value)
        status = cf_ramp_drive(q->data, cutoff_Hz, &other, err);
    if (!status)
        status = run_all(q, other ? other : q->data->drive, out, err);
    cf_recorded_drive_release(other);
    return status;
}
