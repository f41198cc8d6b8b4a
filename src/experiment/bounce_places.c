/* Where a bounce lies on the axis, what e follows from its interval, and what both need. */

#include <math.h>
#include <stdlib.h>

#include "experiment/bounce_channels.h"
#include "experiment/flight.h"

double cf_bounce_drag(const struct cf_dataset *d, const double value[])
{
    if (!(value[CF_BOUNCE_DRAG] > 0))
        return 0;
    return cf_sphere_drag(value[CF_BOUNCE_DRAG], value[CF_BOUNCE_AIR_DENSITY], d->pair.radius_m,
                          d->pair.mass_kg);
}

int cf_bounce_remark(const struct cf_remarks *remarks, char *text, struct cf_error *err)
{
    int status = text ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a remark");

    if (!status && remarks)
        status = remarks->add(remarks->owner, text, err);
    free(text);
    return status;
}

/* Without the contact time, which takes a law to predict. */
double cf_bounce_speed(const struct cf_dataset *d, size_t row)
{
    double interval = cf_dataset_value(d, row, CF_BOUNCE_INTERVAL), kappa, g, flight;

    if (!isfinite(interval))
        return cf_dataset_value(d, row, CF_BOUNCE_SPEED);
    g = d->pair.gravity_m_s2;
    kappa = cf_bounce_drag(d, d->apparatus);
    flight = fmax(interval - d->apparatus[CF_BOUNCE_CONTACT_TIME], 0);
    return cf_flight(cf_flight_launch(flight, g, kappa), g, kappa).landing_m_s;
}

/* e of two intervals, without contact times. */
bool cf_bounce_headline(const struct cf_dataset *d, size_t from, double v, double *value,
                        double *sigma)
{
    double g = d->pair.gravity_m_s2, kappa = cf_bounce_drag(d, d->apparatus);
    double contact = d->apparatus[CF_BOUNCE_CONTACT_TIME];
    double length = cf_flight(cf_flight_launch_of_landing(v, g, kappa), g, kappa).time_s + contact;
    double e;

    if (from != CF_BOUNCE_RATIO)
        return false;
    e = cf_flight_launch(fmax(*value * length - contact, 0), g, kappa) / v;
    *sigma *= e / *value;
    *value = e;
    return true;
}

int cf_bounce_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                        struct cf_error *err)
{
    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_BOUNCE_TIME))
        return cf_fail(err, CF_EINPUT, "no time: a bounce is stamped");
    return CF_OK;
}

int cf_bounce_check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    (void) law;
    if (!(d->pair.gravity_m_s2 > 0))
        return cf_fail(err, CF_EINPUT, "gravity %g m/s^2: a ball that bounces needs some above 0",
                       d->pair.gravity_m_s2);
    if (d->apparatus[CF_BOUNCE_DRAG] > 0 && !isfinite(cf_bounce_drag(d, d->apparatus)))
        return cf_fail(err, CF_EINPUT,
                       "the drag of the flight needs radius and mass of the ball: give the bodies, "
                       "or apparatus: {drag_coefficient: 0}");
    return CF_OK;
}
