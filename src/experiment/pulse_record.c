/* Is a record one of pulses? Its impacts are cut, looked at one by one, and the time of each row is
 * counted from the touch that its force shows.
 */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/pulse_channels.h"

/* So many readings behind an impact give the level that it leaves. */
enum { FEW = 3 };

static int check_impact(const struct cf_dataset *d, const struct cf_pulse_seen *s,
                        const char **number, struct cf_error *err)
{
    const double *a = d->apparatus;
    double rate_Hz = s->step_s > 0 ? 1 / s->step_s : (double) INFINITY;

    if (-s->lowest_N > s->peak_N && -s->lowest_N > a[CF_PULSE_RISE] * s->noise_N)
        return cf_fail(err, CF_EINPUT,
                       "the force is negative in contact: %.4g N at %.9g s, and at most %.4g N: "
                       "sign: -1 of its column turns it",
                       s->lowest_N, s->lowest_s, s->peak_N);
    if (!(s->peak_N > a[CF_PULSE_RISE] * s->noise_N))
        return cf_fail(err, CF_EINPUT,
                       "no contact in the record: its greatest force is %.3g N above its level, "
                       "and its noise has an sd of %.3g N: at least %g times as much is a contact "
                       "(apparatus: {rise: })",
                       s->peak_N, s->noise_N, a[CF_PULSE_RISE]);
    if ((double) s->before < a[CF_PULSE_BASELINE])
        return cf_fail(
            err, CF_EINPUT,
            "contact from the first reading on: %zu before touch, at %.9g s: at least "
            "%g are needed for the level without contact (apparatus: {baseline: }); where the "
            "sensor shows 0 without a force, baseline: 0",
            s->before, s->touch_s, a[CF_PULSE_BASELINE]);
    if ((double) s->in < a[CF_PULSE_CONTACT_ROWS])
        return cf_fail(err, CF_EINPUT,
                       "%zu readings in contact, from %.9g s on: at least %g are needed for the "
                       "shape of a pulse (apparatus: {contact_rows: }): sample faster",
                       s->in, s->touch_s, a[CF_PULSE_CONTACT_ROWS]);
    if (rate_Hz < a[CF_PULSE_PERIOD_ROWS] * a[CF_PULSE_BANDWIDTH]) {
        *number = d->protocol->apparatus[CF_PULSE_BANDWIDTH].name;
        return cf_fail(err, CF_EINPUT,
                       "%.4g readings a second, and a bandwidth of %.4g Hz: fewer than %g in its "
                       "period cannot show its lag (apparatus: {period_rows: }): leave "
                       "force.bandwidth out, the sensor follows at once",
                       rate_Hz, a[CF_PULSE_BANDWIDTH], a[CF_PULSE_PERIOD_ROWS]);
    }
    return CF_OK;
}

/* The level that an impact leaves behind. */
static void note_shift(const struct cf_dataset *d, const struct cf_pulse_seen *s, char note[],
                       size_t size)
{
    double most = d->apparatus[CF_PULSE_SHIFT] * s->peak_N;
    size_t used = strlen(note);

    if (s->behind < FEW || fabs(s->shift_N) <= most ||
        fabs(s->shift_N) <= d->apparatus[CF_PULSE_RISE] * s->noise_N || used + 1 >= size)
        return;
    snprintf(note + used, size - used,
             "%sthe level is %.3g N %s behind the impact at %.9g s, more than %g of its %.4g N "
             "(apparatus: {shift: }): a sensor that sticks or drifts",
             used ? "; " : "", fabs(s->shift_N), s->shift_N > 0 ? "higher" : "lower", s->touch_s,
             d->apparatus[CF_PULSE_SHIFT], s->peak_N);
}

static int complete_impact(struct cf_dataset *d, struct cf_segment g, const char **number,
                           char note[], size_t size, struct cf_error *err)
{
    struct cf_pulse_seen s;
    int status = cf_pulse_see(d, g, &s, err);

    if (status)
        return status;
    if (!s.seen)
        return s.n ? cf_fail(err, CF_EINPUT,
                             "an impact of %zu readings: at least %g in contact are needed for its "
                             "shape (apparatus: {contact_rows: })",
                             s.n, d->apparatus[CF_PULSE_CONTACT_ROWS])
                   : cf_fail(err, CF_EINPUT, "an impact without a reading: exclude its rows");
    status = check_impact(d, &s, number, err);
    if (!status && size && !*note)
        note_shift(d, &s, note, size);
    for (size_t row = g.first; row < g.first + g.count && !status; row++)
        if (cf_dataset_has(d, row, CF_PULSE_TIME) && !cf_dataset_has(d, row, CF_PULSE_SINCE))
            status = cf_dataset_put(d, row, CF_PULSE_SINCE,
                                    cf_dataset_value(d, row, CF_PULSE_TIME) - s.touch_s,
                                    cf_dataset_sigma(d, row, CF_PULSE_TIME), err);
    return status;
}

int cf_pulse_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                      struct cf_error *err)
{
    size_t *row = &about->row;
    int status;

    if (size)
        note[0] = '\0';
    *row = 0;
    status = cf_pulse_cut(d, row, note, size, err);
    for (size_t i = 0; i < cf_pulse_count(d) && !status; i++) {
        struct cf_segment g = cf_pulse_segment(d, i);
        *row = g.first;
        status = complete_impact(d, g, &about->number, note, size, err);
    }
    return status;
}
