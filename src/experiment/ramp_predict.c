/* What a ramp predicts: a slider on the recorded drive of its piece. */

#include <math.h>

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

/* The piece that recorded the time of row i of a request; NULL: none. */
static const struct cf_drive_piece *piece_of(const struct cf_request *q,
                                             const struct cf_recorded_drive *drive, size_t i)
{
    double time_s = cf_dataset_value(q->data, q->row[i], CF_RAMP_TIME);
    const struct cf_drive_piece *piece = cf_recorded_drive_at(drive, time_s);

    return time_s >= piece->from_s && time_s <= piece->to_s ? piece : NULL;
}

/* What was not recorded is not known. */
static void leave_open(const struct cf_request *q, size_t i, struct cf_response *out)
{
    for (size_t cell = i * q->nchannel; cell < (i + 1) * q->nchannel; cell++) {
        out->y[cell] = (double) NAN;
        if (out->by_imposed)
            out->by_imposed[cell] = 0;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[cell * q->nby + k] = 0;
    }
}

/* Rows of one piece that follow each other at once. */
static int run_all(const struct cf_request *q, const struct cf_recorded_drive *drive,
                   struct cf_response *out, struct cf_error *err)
{
    int status = CF_OK;
    size_t n;

    for (size_t i = 0; i < q->nrow && !status; i += n) {
        const struct cf_drive_piece *piece = piece_of(q, drive, i);
        size_t cell = i * q->nchannel;
        struct cf_request part = *q;
        struct cf_response of = {out->y + cell,
                                 out->by_value ? out->by_value + cell * q->nby : NULL,
                                 out->by_imposed ? out->by_imposed + cell : NULL};
        for (n = 1; i + n < q->nrow && piece && piece_of(q, drive, i + n) == piece; n++)
            ;
        part.row = q->row + i;
        part.nrow = n;
        if (piece)
            status = run(&part, drive, piece, &of, err);
        else
            leave_open(q, i, out);
    }
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
