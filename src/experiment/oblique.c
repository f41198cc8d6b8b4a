/* Oblique impacts of a sphere on a fixed plane: what comes back along the normal and along the
 * plane, and how it spins, against the angle of incidence from the normal.
 *
 *   v_n = v cos(angle),  v_t = v sin(angle),  slip = v_t - R w      before; ' after
 *   e = v_n'/v_n,  e_t = v_t'/v_t,  tan(rebound angle) = v_t'/v_n'
 *   w' = w + (v_t - v_t')/(i R),  i = I/(m R^2)    moments about the plane are conserved
 *   impulse ratio = (v_t - v_t')/(v_n + v_n')
 *
 * All in the plane of incidence; w > 0 turns as rolling along v_t does. The law has two parts, one
 * of the normal and one of friction: impulses, or one contact of the motion. Weight, drag and the
 * flight before and after are left out.
 */

#include <math.h>
#include <stdio.h>

#include "core/limits.h"
#include "experiment/oblique_channels.h"
#include "experiment/rows.h"

static const char *const speed_names[] = {
    "v approach_speed incident_speed incoming_speed initial_speed collision_speed",
    "landing_speed speed_before v_in v_i v_0 v_imp v_approach v_before v_inc v_pre speed_in",
    "speed_before_bounce",
    NULL,
};
static const char *const angle_names[] = {
    "theta theta_i theta_in theta_0 theta_1 alpha alpha_i alpha_in alpha_1 incidence",
    "incident_angle incidence_angle angle_in angle_before approach_angle initial_angle",
    NULL,
};
static const char *const spin_names[] = {
    "omega w angular_speed omega_0 omega_1 omega_i omega_in omega_before w_0 w_1 w_i",
    "spin_before spin_in initial_spin initial_angular_speed angular_speed_before",
    NULL,
};
static const char *const restitution_names[] = {
    "e e_n cor cor_n restitution_coefficient normal_restitution",
    "normal_restitution_coefficient normal_cor eps eps_n coefficient_rest",
    NULL,
};
static const char *const tangential_names[] = {
    "e_t cor_t tangential_restitution_coefficient tangential_cor e_tangential",
    NULL,
};
static const char *const rebound_names[] = {
    "alpha alpha_r alpha_out alpha_2 beta theta_r theta_out theta_f theta_2 theta_rebound",
    "angle_out angle_after rebound exit_angle outgoing_angle reflection_angle reflected_angle",
    "final_angle",
    NULL,
};
static const char *const after_names[] = {
    "spin after omega w angular_speed omega_1 omega_2 omega_r omega_f omega_out omega_after",
    "omega_rebound w_1 w_2 w_r w_f spin_after spin_out final_spin rebound_angular_speed",
    "angular_speed_after",
    NULL,
};
static const char *const ratio_names[] = {
    "f j_ratio impulse mu mu_eff effective_mu",
    NULL,
};
static const char *const duration_names[] = {
    "contact_time contact_duration collision_time collision_duration pulse_duration t_c",
    "t_contact t_col t_imp dwell_time time_in_contact contact_dur",
    NULL,
};

enum {
    FORCE_LAW = 1u << CF_FAMILY_NORMAL,
    EVERY_LAW = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_RESTITUTION,
};

/* An angle is accepted here as far as degrees without their unit reach, so that check_row() can say
 * what they are. */
static const struct cf_channel_row channel[CF_OBLIQUE_NCHANNEL] = {
    [CF_OBLIQUE_SPEED] = {"speed", "m/s", "speed of the centre before the impact", CF_ROLE_IMPOSED,
                          1e-6, 1e4, 0, speed_names, "impact speed", "v", false},
    [CF_OBLIQUE_ANGLE] = {"angle", "rad", "angle of incidence, from the normal", CF_ROLE_IMPOSED,
                          -360, 360, 0, angle_names, "angle of incidence", NULL, false},
    [CF_OBLIQUE_SPIN] = {"spin", "rad/s", "spin before, positive as in rolling", CF_ROLE_IMPOSED,
                         -1e7, 1e7, 0, spin_names, "spin before", "w", false},
    [CF_OBLIQUE_RESTITUTION] = {"restitution", "1", "speed along the normal, after over before",
                                CF_ROLE_MEASURED, 0, 10, EVERY_LAW, restitution_names,
                                "normal restitution", "e", true},
    [CF_OBLIQUE_TANGENTIAL] = {"tangential_restitution", "1",
                               "speed of the centre along the plane, after over before",
                               CF_ROLE_MEASURED, -1e3, 1e3, EVERY_LAW, tangential_names,
                               "tangential restitution", "e_t", true},
    [CF_OBLIQUE_REBOUND_ANGLE] = {"rebound_angle", "rad", "angle of the rebound, from the normal",
                                  CF_ROLE_MEASURED, -360, 360, EVERY_LAW, rebound_names,
                                  "rebound angle", NULL, true},
    [CF_OBLIQUE_REBOUND_SPIN] = {"rebound_spin", "rad/s",
                                 "spin after the impact, positive as in rolling", CF_ROLE_MEASURED,
                                 -1e7, 1e7, EVERY_LAW, after_names, "rebound spin", NULL, true},
    [CF_OBLIQUE_IMPULSE_RATIO] =
        {"impulse_ratio", "1", "impulse along the plane, against v_t, over that along the normal",
         CF_ROLE_MEASURED, -100, 100, EVERY_LAW, ratio_names, "impulse ratio", NULL, true},
    [CF_OBLIQUE_DURATION] = {"duration", "s",
                             "contact time, first touch to first zero of the force",
                             CF_ROLE_MEASURED, 1e-9, 10, FORCE_LAW, duration_names,
                             "contact duration", NULL, false},
};

/* ---- apparatus: 0 where the study is silent */

static const struct cf_param apparatus[CF_OBLIQUE_NAPPARATUS] = {
    [CF_OBLIQUE_APPARATUS_SPEED] = {"speed", "m/s", 0, 1e4, 1e-3, 1e3, 0, CF_SCALE_LINEAR,
                                    "speed before the impact, where no column has it"},
    [CF_OBLIQUE_APPARATUS_SPIN] = {"spin", "rad/s", -1e7, 1e7, -1e5, 1e5, 0, CF_SCALE_LINEAR,
                                   "spin before the impact, where no column has it"},
    [CF_OBLIQUE_OFFSET] = {"angle_offset", "rad", -1, 1, -0.2, 0.2, 0, CF_SCALE_LINEAR,
                           "true angles of incidence less those read: a tilt of the plane"},
    [CF_OBLIQUE_INERTIA] = {"inertia", "1", 1e-3, 1, 0.3, 2.0 / 3, 0.4, CF_SCALE_LINEAR,
                            "moment of inertia over m R^2: 0.4 of a solid sphere, 2/3 of a shell"},
};

/* ---- what rows and laws must obey */

static int check_angle(double angle, const char *name, const char *what, double lower,
                       struct cf_error *err)
{
    if (angle >= lower && angle < CF_QUARTER)
        return CF_OK;
    if (fabs(angle) > CF_HALF_TURN)
        return cf_fail(err, CF_EINPUT,
                       "%s %g rad is %.4g deg: must be below 90 deg from the normal; state degrees "
                       "by unit: deg",
                       name, angle, cf_degrees(angle));
    if (angle < lower)
        return cf_fail(err, CF_EINPUT,
                       "%s %.4g deg: must be in [0, 90) deg: turn the signs of angle, spin and "
                       "rebound",
                       name, cf_degrees(angle));
    return cf_fail(err, CF_EINPUT,
                   "%s %.4g deg: must be below 90 deg from the normal: %s; of angles from the "
                   "plane take 90 deg less the angle (sign: -1, offset: 90 deg)",
                   name, cf_degrees(angle), what);
}

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    double angle = cf_dataset_value(d, row, CF_OBLIQUE_ANGLE);
    double e = cf_dataset_value(d, row, CF_OBLIQUE_RESTITUTION),
           sigma = cf_dataset_sigma(d, row, CF_OBLIQUE_RESTITUTION);
    int status = CF_OK;

    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_OBLIQUE_ANGLE))
        return cf_fail(err, CF_EINPUT, "no angle: it is what an oblique impact is made at");
    status = check_angle(angle, "angle", "it would not come to the plane", 0, err);
    if (!status && cf_dataset_has(d, row, CF_OBLIQUE_REBOUND_ANGLE))
        status = check_angle(cf_dataset_value(d, row, CF_OBLIQUE_REBOUND_ANGLE), "rebound_angle",
                             "it would not leave the plane", -CF_QUARTER, err);
    if (status)
        return status;
    if (!(cf_oblique_speed(d, row, d->apparatus) > 0))
        return cf_fail(err, CF_EINPUT,
                       "no speed: give a column speed, or apparatus: {speed: 3.9 m/s}");
    status = cf_limits_check_spin(cf_oblique_spin(d, row, d->apparatus), d->pair.radius_m, err);
    if (!status && cf_dataset_has(d, row, CF_OBLIQUE_REBOUND_SPIN))
        status = cf_limits_check_spin(cf_dataset_value(d, row, CF_OBLIQUE_REBOUND_SPIN),
                                      d->pair.radius_m, err);
    if (status)
        return status;
    if (angle == 0 && cf_dataset_has(d, row, CF_OBLIQUE_TANGENTIAL))
        return cf_fail(err, CF_EINPUT,
                       "tangential_restitution at angle 0: nothing moves along the plane before "
                       "the impact: leave it out, or give rebound_angle or rebound_spin");
    if (d->series[CF_OBLIQUE_RESTITUTION].kind != CF_SIGMA_ESTIMATE && e > 1 + 3 * sigma)
        return cf_fail(err, CF_EINPUT,
                       "restitution %g: must be at most 1 + 3 sigma; an impact gives back no more "
                       "than it got",
                       e);
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    const struct cf_sphere *sphere = d->pair.sphere;
    size_t which = sphere[0].name ? 0 : 1;

    if (!law->friction)
        return cf_fail(err, CF_EINPUT,
                       "an oblique impact needs friction beside %s: add friction: %s", law->name,
                       law->family == CF_FAMILY_RESTITUTION ? "rigid-coulomb, or walton"
                                                            : "clutch, or rigid-coulomb");
    if (!sphere[which].name || d->pair.mass_kg != sphere[which].mass_kg ||
        d->pair.radius_m != sphere[which].radius_m)
        return cf_fail(err, CF_EINPUT,
                       "an oblique impact is one of a sphere on a fixed plane: give one body "
                       "sphere and mass, the other plane: {} and fixed: true");
    return CF_OK;
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_OBLIQUE_ANGLE;
}

/* Bands and design points keep off 0, where nothing moves along the plane and e_t is 0/0, and off
 * 90 deg, where nothing comes to it. */
#define LEAST_ANGLE 1e-3
#define MOST_ANGLE 1.57

static const size_t condition[] = {CF_OBLIQUE_SPEED, CF_OBLIQUE_SPIN};

static const struct cf_trait trait[] = {
    {CF_NO_CHANNEL, CF_GAIT_SAMPLED, -1.5, 0, "its rows are samples"},
    {CF_OBLIQUE_RESTITUTION, CF_GAIT_RATIO, 0, CF_NEVER, "a restitution above 1"},
};

const struct cf_protocol cf_protocol_oblique = {
    .name = "oblique",
    .what = "oblique impacts of a sphere on a plane: what comes back along both, and the spin",
    .nchannel = CF_OBLIQUE_NCHANNEL,
    .ntrait = sizeof trait / sizeof *trait,
    .trait = trait,
    .channel = channel,
    .axis = {"angle", "rad", true, LEAST_ANGLE, MOST_ANGLE, "angles", "angle of incidence", NULL,
             false},
    .axis_channel = CF_OBLIQUE_ANGLE,
    .headline = CF_OBLIQUE_TANGENTIAL,
    .ncondition = 2,
    .condition = condition,
    .one_event = true,
    .napparatus = CF_OBLIQUE_NAPPARATUS,
    .apparatus = apparatus,
    .begin_with = "e-constant",
    .begin_friction = "walton",
    .on_law =
        "# Impulses: a first look, in closed form. With the stiffness along the surface, kappa, "
        "for\n"
        "# which both bodies need youngs_modulus and poissons_ratio (or one of them rigid: true):\n"
        "#   law: azad-featherstone\n"
        "#   friction: clutch\n"
        "#   fit: {lambda: {}, mu: {}, kappa: {}, d_t: {}}\n"
        "#   fixed: {k: hertz, c_v: 0}\n",
    .on_data = "    # Where no column has them: apparatus: {speed: 3.9 m/s, spin: 0 rad/s}\n"
               "    # A plane that may be tilted, a scale of the spin that is not sure:\n"
               "    # nuisance: {angle_offset: {prior: {value: 0 deg, sigma: 0.5 deg}}, "
               "rebound_spin.gain: {}}\n",
    .check_row = check_row,
    .check_law = check_law,
    .imposed = imposed,
    .abscissa = cf_oblique_angle,
    .hand = cf_oblique_hand,
    .open = cf_oblique_open,
    .close = cf_oblique_close,
    .predict = cf_oblique_predict,
};
