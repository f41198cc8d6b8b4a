/* What is plausible of an impact: its speed, and its time, depth and force among each other. */

#include <math.h>

#include "experiment/impact_channels.h"

/* No solid carries sound faster: diamond, 18 km/s. */
static const double fastest_sound_m_s = 2e4;

static double speed(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return r->abscissa;
}

/* A contact is over long before the body would have come down again: 2 v/g. */
static double share_of_flight(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return r->value[CF_CHANNEL_DURATION] * r->data->pair.gravity_m_s2 / (2 * r->abscissa);
}

/* Sound has crossed the sphere and come back before it leaves. */
static double transits(const struct cf_plausible_row *r, size_t sphere)
{
    return r->value[CF_CHANNEL_DURATION] * fastest_sound_m_s /
           (4 * cf_sphere_radius(&r->data->pair, sphere));
}

static double depth_over_radius(const struct cf_plausible_row *r, size_t sphere)
{
    return r->value[CF_CHANNEL_DEPTH] / cf_sphere_radius(&r->data->pair, sphere);
}

/* A half sine has 1/pi, a hard stop at the end nearly 1. */
static double depth_over_way(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return r->value[CF_CHANNEL_DEPTH] / (r->abscissa * r->value[CF_CHANNEL_DURATION]);
}

/* The force's mean is between a tenth of its peak and the peak; the momentum changes by 1 to 2 m v.
 */
static double force_by_time(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return r->value[CF_CHANNEL_PEAK_FORCE] * r->value[CF_CHANNEL_DURATION] /
           (r->data->pair.mass_kg * r->abscissa);
}

static double force_over_weight(const struct cf_plausible_row *r, size_t sphere)
{
    double weight = r->data->pair.mass_kg * r->data->pair.gravity_m_s2;
    (void) sphere;
    return weight > 0 ? r->value[CF_CHANNEL_PEAK_FORCE] / weight : (double) NAN;
}

/* Faster than sound there is a shock, and no law of contact. */
static double mach(const struct cf_plausible_row *r, size_t sphere)
{
    (void) sphere;
    return r->abscissa / sqrt(r->modulus_Pa / cf_least_density(&r->data->pair));
}

/* How far the rebound exceeds the impact, in sigmas. */
static double gain(const struct cf_plausible_row *r, size_t sphere)
{
    double v = r->abscissa, g = r->data->pair.gravity_m_s2;
    const double whole[CF_CHANNEL_NCHANNEL] = {[CF_CHANNEL_RESTITUTION] = 1,
                                               [CF_CHANNEL_REBOUND_SPEED] = v,
                                               [CF_CHANNEL_REBOUND_HEIGHT] = v * v / (2 * g)};
    double most = NAN;

    (void) sphere;
    for (size_t c = CF_CHANNEL_RESTITUTION; c <= CF_CHANNEL_REBOUND_HEIGHT; c++)
        most = fmax(most, (r->value[c] - whole[c]) / r->sigma[c]);
    return most;
}

static const struct cf_slip of_speed[] = {{1e-2, "the speed in cm/s", CF_STATED_ROW},
                                          {1e-3, "the speed in mm/s", CF_STATED_ROW},
                                          {1 / 3.6, "the speed in km/h", CF_STATED_ROW},
                                          {0}};
static const struct cf_slip of_flight[] = {{1e-3, "the duration in ms", CF_STATED_ROW},
                                           {1e-6, "the duration in us", CF_STATED_ROW},
                                           {1e2, "the speed in cm/s", CF_STATED_ROW},
                                           {0}};
static const struct cf_slip of_transits[] = {{1e3, "the diameter in mm", CF_STATED_SIZE}, {0}};
static const struct cf_slip of_depth[] = {{1e-3, "the depth in mm", CF_STATED_ROW},
                                          {1e-6, "the depth in um", CF_STATED_ROW},
                                          {1e-2, "the speed in cm/s", CF_STATED_ROW},
                                          {1e3, "the diameter in mm", CF_STATED_SIZE},
                                          {0}};
static const struct cf_slip of_way[] = {
    {1e-3, "the depth in mm", CF_STATED_ROW},   {1e3, "the duration in ms", CF_STATED_ROW},
    {1e6, "the duration in us", CF_STATED_ROW}, {1e-6, "the depth in um", CF_STATED_ROW},
    {1e2, "the speed in cm/s", CF_STATED_ROW},  {0}};
static const struct cf_slip of_force[] = {{1e-3, "the duration in ms", CF_STATED_ROW},
                                          {1e3, "the force in kN, or the mass in g", CF_STATED_ROW},
                                          {1e-6, "the duration in us", CF_STATED_ROW},
                                          {0}};
static const struct cf_slip of_weight[] = {
    {1e3, "the force in kN, or the mass in g", CF_STATED_ROW}, {0}};

/* Usual is a body that falls, and is hit by one of its own size or larger. The physical range has
 * room for a pair that is driven or hangs, as a ship at its fender, whose weight the sea carries,
 * and for one that is much larger than the other. */
const struct cf_plausible_rule cf_impact_rules[] = {
    {"impact speed", "m/s", 1e-6, 1e3, "a grain on a shaker; a gas gun", 1e-9, 1e5,
     "a continent; a meteoroid", of_speed, speed, false, CF_STATED_ROW},
    {"contact time over flight", "1", 0, 0.5,
     "contact ends before the body would have come down again", 0, 1e3,
     "a ship at its fender, whose weight the sea carries", of_flight, share_of_flight, false,
     CF_STATED_ROW},
    {"contact time over that of sound through the sphere and back", "1", 1, INFINITY,
     "no solid carries sound faster than 20 km/s", 1e-9, INFINITY,
     "a grain of dust on a sphere as large as a mountain", of_transits, transits, true,
     CF_STATED_ROW},
    {"greatest depth over radius", "1", 0, 1, "a sphere is not pressed in to its centre", 0, 1e3,
     "a bullet in gelatine", of_depth, depth_over_radius, true, CF_STATED_ROW},
    {"greatest depth over speed times contact time", "1", 0.05, 1,
     "1/pi of a half sine; the body moves on at no more than its speed", 1e-3, 100,
     "a foam that recovers slowly; a body that is laid down, which its weight presses in", of_way,
     depth_over_way, false, CF_STATED_ROW},
    {"peak force times contact time over momentum", "1", 1, 20,
     "the mean force lies below its peak, and not far below", 0.1, 1e3,
     "half of a pulse, and half of the force; a foam that recovers slowly", of_force, force_by_time,
     false, CF_STATED_ROW},
    {"peak force over weight", "1", 1, INFINITY, "an impact presses more than rest does", 1e-5,
     INFINITY, "a ship at its fender, whose weight the sea carries", of_weight, force_over_weight,
     false, CF_STATED_ROW},
    {"rebound beyond impact, in sigmas", "1", -INFINITY, 4.5,
     "an impact gives back no more than it got, but for the error of measurement", -INFINITY,
     INFINITY, "a rig that drives the body gives it more, as a shaker does", NULL, gain, false,
     CF_STATED_ROW},
    {"speed over speed of sound", "1", 0, 0.5, "no contact law holds near the speed of sound", 0,
     1e4, "a bullet in gelatine", of_speed, mach, false, CF_STATED_ROW},
    {0},
};
