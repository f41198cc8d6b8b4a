/* What a ramp predicts: a slider on the recorded drive of its piece. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "experiment/ramp_channels.h"

/* A run within a tolerance, beside the fixed steps of fits: one that needs more than so many steps
 * for each row of its record, and some in all, is given up. */
enum { STEPS_PER_ROW = 20, LEAST_STEPS = 20000 };

const enum cf_slider_number cf_ramp_number_of[CF_RAMP_NAPPARATUS] = {
    [CF_RAMP_APPARATUS_LOAD] = CF_SLIDER_LOAD,   [CF_RAMP_MASS] = CF_SLIDER_MASS,
    [CF_RAMP_STIFFNESS] = CF_SLIDER_STIFFNESS,   [CF_RAMP_RATIO] = CF_SLIDER_RATIO,
    [CF_RAMP_DAMPING] = CF_SLIDER_DAMPING,       [CF_RAMP_BACKLASH] = CF_SLIDER_BACKLASH,
    [CF_RAMP_DELAY] = CF_SLIDER_DELAY,           [CF_RAMP_BANDWIDTH] = CF_SLIDER_BANDWIDTH,
    [CF_RAMP_DEFLECTION] = CF_SLIDER_DEFLECTION, [CF_RAMP_ORDER] = CF_SLIDER_NNUMBER,
    [CF_RAMP_SMOOTHING] = CF_SLIDER_NNUMBER,     [CF_RAMP_GAP] = CF_SLIDER_NNUMBER,
    [CF_RAMP_TURN] = CF_SLIDER_NNUMBER,
};

/* Derivatives that are wanted, as columns of the slider: column[k] of by[k], or SIZE_MAX. */
struct columns {
    size_t n, of[CF_MAX_PARAM + CF_SLIDER_NNUMBER];
    size_t *column;
};

/* The slider's column of a value of the request; SIZE_MAX: none. */
static size_t column_of(const struct cf_law *law, size_t value)
{
    size_t from = cf_law_friction_from(law), nparam = law->friction->nparam;

    if (value < law->nparam)
        return value < from ? SIZE_MAX : value - from;
    if (cf_ramp_number_of[value - law->nparam] == CF_SLIDER_NNUMBER)
        return SIZE_MAX;
    return nparam + cf_ramp_number_of[value - law->nparam];
}

static int columns_make(struct columns *c, const struct cf_request *q, bool first,
                        struct cf_error *err)
{
    size_t delay = q->law->friction->nparam + CF_SLIDER_DELAY;

    c->n = 0;
    c->column = malloc((q->nby + 1) * sizeof *c->column);
    if (!c->column)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu derivatives", q->nby);
    for (size_t k = 0; k < q->nby; k++) {
        size_t of = column_of(q->law, q->by[k]);
        if (!first && of == q->law->friction->nparam + CF_SLIDER_DEFLECTION)
            of = SIZE_MAX; /* of the first piece alone */
        c->column[k] = of == SIZE_MAX || of == delay ? of : c->n;
        if (c->column[k] == c->n)
            c->of[c->n++] = of;
    }
    return CF_OK;
}

static struct cf_slider slider_of(const struct cf_request *q, const struct cf_drive_piece *piece)
{
    const double *a = q->value + cf_apparatus_value(q->law, 0);
    bool displaced = cf_ramp_driven(q->data) == CF_RAMP_DISPLACEMENT;
    struct cf_slider s = {
        .law = q->law->friction,
        .p = q->value + cf_law_friction_from(q->law),
        .drive = displaced ? CF_SLIDER_BY_DISPLACEMENT : CF_SLIDER_BY_FORCE,
        .seen = displaced ? CF_SLIDER_FORCE : CF_SLIDER_DISPLACEMENT,
        .piece = piece,
        .from_s = piece->from_s,
        .order = (int) a[CF_RAMP_ORDER],
        .substeps = (size_t) a[CF_RAMP_SUBSTEPS],
    };

    for (size_t i = 0; i < CF_RAMP_NAPPARATUS; i++)
        if (cf_ramp_number_of[i] != CF_SLIDER_NNUMBER)
            s.number[cf_ramp_number_of[i]] = a[i];
    s.start_N = piece->start_N;
    if (piece != q->data->drive->piece)
        s.number[CF_SLIDER_DEFLECTION] = 0;
    return s;
}

static void hand_out(const struct cf_request *q, const struct columns *c, const double by[],
                     const double by_time[], struct cf_response *out)
{
    size_t delay = q->law->friction->nparam + CF_SLIDER_DELAY;

    for (size_t i = 0; i < q->nrow; i++) {
        if (out->by_imposed)
            out->by_imposed[i] = by_time[i];
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[i * q->nby + k] = c->column[k] == SIZE_MAX ? 0
                                            : c->column[k] == delay  ? -by_time[i]
                                                                     : by[i * c->n + c->column[k]];
    }
}

static int run(const struct cf_request *q, const struct cf_drive_piece *piece,
               const struct columns *c, struct cf_response *out, struct cf_error *err)
{
    const struct cf_slider slider = slider_of(q, piece);
    const struct cf_slider_columns columns = {c->n, c->of};
    bool slopes = (out->by_value || out->by_imposed) && !(q->tolerance > 0);
    double *room = malloc((q->nrow * (2 + c->n) + 1) * sizeof *room);
    double *by_time = room + q->nrow, *by = by_time + q->nrow;
    size_t most;
    int status = room ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nrow);

    cf_smoothing_times(piece->driven, &most);
    most = LEAST_STEPS + STEPS_PER_ROW * most;
    for (size_t i = 0; i < q->nrow && !status; i++)
        room[i] = cf_dataset_value(q->data, q->row[i], CF_RAMP_TIME);
    if (!status)
        status = cf_slider_run(&slider, q->nrow, room, &columns, q->tolerance, most, out->y,
                               slopes && c->n ? by : NULL, slopes ? by_time : NULL, err);
    if (!status && slopes)
        hand_out(q, c, by, by_time, out);
    free(room);
    return status;
}

int cf_ramp_predict(void *work, const struct cf_request *q, struct cf_response *out,
                    struct cf_error *err)
{
    const struct cf_drive_piece *piece;
    struct columns c;
    int status;

    (void) work;
    if (!q->nrow)
        return CF_OK;
    if (!q->data->drive)
        return cf_fail(err, CF_EINPUT,
                       "the fit does not hold the recorded %s: its study predicts what follows "
                       "from it (contactfit validate FIT.json STUDY.yaml)",
                       q->data->protocol->channel[cf_ramp_driven(q->data)].name);
    piece =
        cf_recorded_drive_at(q->data->drive, cf_dataset_value(q->data, q->row[0], CF_RAMP_TIME));
    status = columns_make(&c, q, piece == q->data->drive->piece, err);
    if (!status)
        status = run(q, piece, &c, out, err);
    free(c.column);
    return status;
}
