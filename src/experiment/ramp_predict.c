/* What a ramp predicts: a slider on the recorded drive of its piece. */

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

static int run(const struct cf_request *q, const struct cf_recorded_drive *drive,
               struct cf_response *out, struct cf_error *err)
{
    const double *a = q->value + cf_apparatus_value(q->law, 0);
    bool displaced = cf_ramp_driven(q->data) == CF_RAMP_DISPLACEMENT;
    struct cf_slider s = {.drive = displaced ? CF_SLIDER_BY_DISPLACEMENT : CF_SLIDER_BY_FORCE,
                          .seen = displaced ? CF_SLIDER_FORCE : CF_SLIDER_DISPLACEMENT,
                          .order = (int) a[CF_RAMP_ORDER],
                          .substeps = (size_t) a[CF_RAMP_SUBSTEPS]};
    struct cf_slider_reading r = {
        .q = q, .clock = CF_RAMP_TIME, .number_of = number_of, .napparatus = CF_RAMP_NAPPARATUS};
    size_t n;

    s.piece = cf_recorded_drive_at(drive, cf_dataset_value(q->data, q->row[0], CF_RAMP_TIME));
    s.from_s = s.piece->from_s;
    s.start_N = s.piece->start_N;
    cf_slider_put(&s, &r);
    r.deflected = s.piece == drive->piece; /* of the first piece alone */
    if (!r.deflected)
        s.number[CF_SLIDER_DEFLECTION] = 0;
    cf_smoothing_times(s.piece->driven, &n);
    r.max_steps = LEAST_STEPS + STEPS_PER_ROW * n;
    return cf_slider_predict(&s, &r, 0, out, err);
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
        status = run(q, other ? other : q->data->drive, out, err);
    cf_recorded_drive_release(other);
    return status;
}
