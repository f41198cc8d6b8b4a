/* What a row of drops and collisions must obey, and what its drag needs. */

#include <math.h>
#include <stdio.h>

#include "experiment/impact_channels.h"

int cf_impact_check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    double radius = d->pair.radius_m;

    (void) law;
    return d->apparatus[CF_IMPACT_DRAG] > 0 && !(radius > 0 && isfinite(radius))
               ? cf_fail(err, CF_EINPUT,
                         "the drag of the flight needs the radius of the ball: give the bodies, or "
                         "apparatus: {drag_coefficient: 0}")
               : CF_OK;
}

/* A speed and a drop height in one row must agree. Drag and a rough height make some difference; a
 * factor of 1.5 is a wrong unit. */
static int check_fall(const struct cf_dataset *d, size_t row, struct cf_error *err)
{
    const double most = 1.5;
    double v = cf_dataset_value(d, row, CF_CHANNEL_SPEED),
           h = cf_dataset_value(d, row, CF_CHANNEL_DROP_HEIGHT);
    double fall = cf_impact_fall(d, h);

    if (fall < most * v && v < most * fall)
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   "speed %g m/s against drop_height %g m is implausible: a fall from there ends "
                   "at %.3g m/s, and %g m/s takes %.3g m; is one of them in another unit (mm, cm)?",
                   v, h, fall, v, v * v / (2 * d->pair.gravity_m_s2));
}

/* No rebound may exceed its impact by more than 3 sigma; where sigma is to be estimated, that is
 * judged when it is known (impact_rules.c). */
static int check_gain(const struct cf_dataset *d, size_t row, size_t out, double whole, char note[],
                      size_t size, struct cf_error *err)
{
    const struct cf_channel_row *c = &d->protocol->channel[out];
    double value = cf_dataset_value(d, row, out), sigma = cf_dataset_sigma(d, row, out);
    const char *unit = out == CF_CHANNEL_RESTITUTION ? "" : c->unit, *space = *unit ? " " : "";

    if (value <= whole)
        return CF_OK;
    if (value <= whole + 3 * sigma) {
        snprintf(note, size, "%s %g%s%s is above %g%s%s but within 3 sigma (%g): accepted", c->name,
                 value, space, unit, whole, space, unit, sigma);
        return CF_OK;
    }
    if (d->series[out].kind == CF_SIGMA_ESTIMATE) {
        snprintf(note, size, "%s %g%s%s is above %g%s%s: judged when its sigma is known", c->name,
                 value, space, unit, whole, space, unit);
        return CF_OK;
    }
    return cf_fail(err, CF_EINPUT,
                   "%s %g%s%s: must be at most %g%s%s + 3 sigma%s; an impact gives back no more "
                   "than it got",
                   c->name, value, space, unit, whole, space, unit,
                   sigma > 0 ? "" : " (and no sigma is given)");
}

int cf_impact_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                        struct cf_error *err)
{
    bool has_speed = cf_dataset_has(d, row, CF_CHANNEL_SPEED),
         has_drop = cf_dataset_has(d, row, CF_CHANNEL_DROP_HEIGHT);
    double v, g = d->pair.gravity_m_s2;

    if (size)
        note[0] = '\0';
    if (!has_speed && !has_drop)
        return cf_fail(err, CF_EINPUT, "neither speed nor drop_height: one of them is needed");
    if (has_speed && has_drop) {
        int status = check_fall(d, row, err);
        if (status)
            return status;
    }
    v = d->protocol->abscissa(d, row);
    const double whole[CF_CHANNEL_NCHANNEL] = {[CF_CHANNEL_RESTITUTION] = 1,
                                               [CF_CHANNEL_REBOUND_SPEED] = v,
                                               [CF_CHANNEL_REBOUND_HEIGHT] = v * v / (2 * g)};
    for (size_t i = CF_CHANNEL_RESTITUTION; i <= CF_CHANNEL_REBOUND_HEIGHT; i++) {
        int status = CF_OK;
        if (cf_dataset_has(d, row, i))
            status = check_gain(d, row, i, whole[i], note, size, err);
        if (status)
            return status;
    }
    return CF_OK;
}
