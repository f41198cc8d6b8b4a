/* A vertical flight under gravity and the drag of still air, up and down again to where it began.
 *
 * With the deceleration kappa v^2 of drag, kappa = C_d rho pi r^2/(2 m) [1/m], and s^2 = u^2
 * kappa/g:
 *
 *     T = (u/g) (arctan(s) + arsinh(s))/s,     landing speed = u/sqrt(1 + s^2),
 *
 * u being the speed of the launch (from the equations of the ascent and of the descent; L. Euler,
 * E853). Buoyancy and the mass of the air that is carried along are neglected.
 */

#ifndef CF_EXPERIMENT_FLIGHT_H
#define CF_EXPERIMENT_FLIGHT_H

struct cf_flight {
    double time_s, landing_m_s;
    double time_by_launch, time_by_drag;       /* dT/du, dT/dkappa */
    double landing_by_launch, landing_by_drag; /* the same of the landing speed */
};

/* launch_m_s > 0, gravity_m_s2 > 0, drag_1_m >= 0. */
struct cf_flight cf_flight(double launch_m_s, double gravity_m_s2, double drag_1_m);

/* The launch speed of a flight of this length, and that of one that lands with this speed; NAN:
 * drag lets none land so fast. */
double cf_flight_launch(double time_s, double gravity_m_s2, double drag_1_m);
double cf_flight_launch_of_landing(double landing_m_s, double gravity_m_s2, double drag_1_m);

/* A fall from rest: the speed at its end, v^2 = (g/kappa) (1 - exp(-2 kappa h)), and a rise from a
 * launch: h = ln(1 + kappa u^2/g)/(2 kappa); with derivatives. */
struct cf_ascent {
    double value, by_argument, by_drag;
};
struct cf_ascent cf_fall_speed(double height_m, double gravity_m_s2, double drag_1_m);
struct cf_ascent cf_rise_height(double launch_m_s, double gravity_m_s2, double drag_1_m);

/* How long a fall from rest through a height takes, and a rise to rest through it: arsinh(s) and
 * arctan(s) over sqrt(g kappa), s^2 = exp(2 kappa h) - 1. height_m >= 0. */
double cf_fall_time(double height_m, double gravity_m_s2, double drag_1_m);
double cf_rise_time(double height_m, double gravity_m_s2, double drag_1_m);

/* kappa of a sphere. */
double cf_sphere_drag(double coefficient, double air_density_kg_m3, double radius_m,
                      double mass_kg);

/* Gravity as a number of an apparatus (struct cf_protocol's gravity). */
#define CF_GRAVITY_ROW                                                                             \
    {                                                                                              \
        "gravity", "m/s^2", 1e-6, 1e6, 1, 100, 9.80665, CF_SCALE_LOG, "on what falls"              \
    }

#endif
