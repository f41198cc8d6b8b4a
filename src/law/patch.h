/* Friction over an area of contact that slides and spins: a force in the plane of contact and a
 * torque about its normal, [G07] 4.4. What slides limits what spins and the other way round (the
 * Contensou effect): each ring of the area has one friction, against its own velocity.
 *
 * Signs are those of friction.h: velocities are those of body i on body j, force and torque act on
 * body i, and -f.v - T w >= 0 but for what springs give back. The torque is about the centroid.
 */

#ifndef CF_LAW_PATCH_H
#define CF_LAW_PATCH_H

#include "law/friction.h"

struct cf_patch {
    struct cf_slide slide; /* of the centroid */
    double spin_rad_s;     /* w_n, about the normal */
    double gyration_m;     /* r_gyr >= 0: of the pressure about the normal, r_gyr^2 = n.J_v n/V */
    double power;          /* of the pressure (1 - r^2/R^2)^power over a disc, whose friction is
                            * integrated (contensou.h); NAN: [G07]'s closure 4.211 */
    double spin_factor; /* of the torque: 1, or what a measurement asks for ([G07] 5.2.2: 0.65) */
};

/* The variables of derivatives, as in friction.h, and two more. */
enum { CF_BY_SPIN = CF_FRICTION_COLUMNS, CF_BY_GYRATION, CF_PATCH_COLUMNS };
enum { CF_PATCH_TORQUE = 2, CF_PATCH_FORCES };

struct cf_patch_friction {
    size_t torsion; /* the state that is the angle of torsion [rad]; 0: none */

    /* Force [N], torque [N m], and the states' rates; rate may be NULL where there are none. */
    void (*force)(const double p[], const struct cf_patch *c, double force[CF_PATCH_FORCES],
                  double rate[]);

    /* Derivatives of both along d, as cf_friction_law's `vary`. */
    void (*vary)(const double p[], const struct cf_patch *c, const double d[CF_PATCH_COLUMNS],
                 double dforce[CF_PATCH_FORCES], double drate[]);
};

/* The law's force and rates with the factor of the torque; and along d. Rates that the law lacks
 * are 0. */
void cf_patch_force(const struct cf_friction_law *law, const double p[], const struct cf_patch *c,
                    double force[CF_PATCH_FORCES], double rate[CF_FRICTION_STATES]);
void cf_patch_vary(const struct cf_friction_law *law, const double p[], const struct cf_patch *c,
                   const double d[CF_PATCH_COLUMNS], double dforce[CF_PATCH_FORCES],
                   double drate[CF_FRICTION_STATES]);

/* Where the power -f.v - T w goes: that of the force as in friction.h, and that of the torque into
 * the spring of torsion, and lost. Their sum is -f.v - T w. The springs of torsion have the
 * stiffness, damping and viscous parts of the law times r_gyr^2. */
struct cf_patch_power {
    struct cf_friction_power slide;
    double torsion_W, spin_W;
};
void cf_patch_spend(const struct cf_friction_law *law, const double p[], const struct cf_patch *c,
                    const double force[CF_PATCH_FORCES], const double rate[],
                    struct cf_patch_power *out);

/* How much of the friction acts against the sliding of the centroid and against the spin, by their
 * speeds: of the force mu f_n and of the torque mu f_n r_gyr the parts C_v and C_w, each from 0 to
 * 1 (some more with integrals), 0 where both speeds are 0. Below the average velocity v_e, v_avg^2
 * = |v|^2 + (r_gyr w)^2, both fall to 0 with it ([G07] 4.212, 4.224, 4.236; here as smoothly as
 * cf_direction() does, where he has a corner). With a power the integrals of contensou.h stand for
 * the closure C_v = |v|/v_avg, C_w = r_gyr |w|/v_avg. NAN where those fail. */
struct cf_contensou_share {
    double average_m_s; /* v_avg */
    double slide, spin; /* C_v, C_w */
    /* derivatives by |v| and by r_gyr |w| [s/m], and of both by v_e */
    double slide_by[2], spin_by[2], by_v_e[2];
};
void cf_contensou_share(const struct cf_patch *c, double v_e, struct cf_contensou_share *out);

/* Their derivatives along d and dv_e. */
struct cf_contensou_vary {
    double average_m_s, slide, spin;
};
void cf_contensou_share_vary(const struct cf_patch *c, const struct cf_contensou_share *share,
                             const double d[CF_PATCH_COLUMNS], double dv_e,
                             struct cf_contensou_vary *out);

#endif
