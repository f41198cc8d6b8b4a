/* Targets of one simulator that differ in the text only: what their rows share, so that a mapping
 * stands once; private to src/export. A row is { CF_DRAKE_POINT, .name = ..., .write = ... }. */

#ifndef CF_EXPORT_FAMILIES_H
#define CF_EXPORT_FAMILIES_H

#include "export/join.h"

enum cf_exactness cf_drake_point_exactness(const struct cf_law *law, const char **why);
int cf_drake_point_fill(struct cf_mapping *m, struct cf_error *err);
int cf_drake_sap_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);
int cf_drake_sap_fill(struct cf_mapping *m, struct cf_error *err);
enum cf_exactness cf_drake_hydroelastic_exactness(const struct cf_law *law, const char **why);
int cf_drake_hydroelastic_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);
int cf_drake_hydroelastic_fill(struct cf_mapping *m, struct cf_error *err);
extern const struct cf_join cf_drake_joins[];
void cf_drake_fill_friction(struct cf_mapping *m);
/* Which solvers of discrete contact read what was mapped: a comment, where dissipation was. */
void cf_drake_solver(const struct cf_mapping *m, FILE *out);
/* <drake:proximity_properties> of a body, indented so far: each value as an attribute or as text.
 */
void cf_drake_properties(const struct cf_mapping *m, int which, int indent, bool attributes,
                         FILE *out);

/* btCollisionObject's word for a rigid body, BT_LARGE_FLOAT. */
extern const double cf_bullet_rigid;
#define CF_BULLET_RIGID 1e18
#define CF_BULLET_JOINS(stiffness, damping, friction)                                              \
    {                                                                                              \
        {stiffness, CF_JOINED_SERIES, .neutral = CF_BULLET_RIGID},                                 \
            {damping, CF_JOINED_SUM, .neutral = 0},                                                \
            {friction, CF_JOINED_PRODUCT, .neutral = 1, .above_1 = true},                          \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }
int cf_bullet_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);
/* What Bullet adds: how far ahead it looks, and its split impulse. */
void cf_bullet_adds(struct cf_mapping *m);
/* The spring and damper of body 1 against a rigid body 2, under these names. */
void cf_bullet_fill(struct cf_mapping *m, const char *stiffness, const char *damping,
                    const char *friction);
void cf_bullet_fill_friction(struct cf_mapping *m, const char *friction);

/* The joint that holds a link of a pair: a URDF is one tree. */
void cf_urdf_joint(size_t i, int which, FILE *out);

enum cf_exactness cf_simbody_exactness(const struct cf_law *law, const char **why);
/* The frictions of ContactMaterial, 0 where nothing is known, and v_t; the same in C++. */
void cf_simbody_friction(struct cf_mapping *m);
void cf_simbody_transition(const struct cf_mapping *m, size_t i, FILE *out);
int cf_simbody_fill(struct cf_mapping *m, struct cf_error *err);

/* Parts of both programs that drop a ball: what holds it, and how it begins. */
#define CF_SIMBODY_SYSTEM                                                                          \
    "    MultibodySystem system;\n"                                                                \
    "    SimbodyMatterSubsystem matter(system);\n"                                                 \
    "    ContactTrackerSubsystem tracker(system);\n"                                               \
    "    CompliantContactSubsystem contact(system, tracker);\n"                                    \
    "    Body::Rigid body(MassProperties(m, Vec3(0), UnitInertia::sphere(R)));\n"
#define CF_SIMBODY_BALL                                                                            \
    "    MobilizedBody::Slider ball(matter.Ground(), Transform(), body, Transform());\n"           \
    "    system.realizeTopology();\n"                                                              \
    "    State state = system.getDefaultState();\n"                                                \
    "    system.realizeModel(state);\n"                                                            \
    "    ball.setOneQ(state, 0, R + gap);\n"                                                       \
    "    ball.setOneU(state, 0, -v);\n"                                                            \
    "    RungeKuttaMersonIntegrator integrator(system);\n"

enum cf_exactness cf_chrono_exactness(const struct cf_law *law, const char **why);
extern const struct cf_join cf_chrono_joins[];
int cf_chrono_fill(struct cf_mapping *m, struct cf_error *err);

#define CF_DRAKE_SOURCE "Drake of August 2026, revision be259df7: "
#define CF_DRAKE_MATERIAL "multibody/plant/contact_properties.cc, discrete_update_manager.cc"

#define CF_DRAKE_POINT                                                                             \
    .formula = "f = k x (1 + d xdot), never pulling",                                              \
    .pair_rule = "stiffnesses in series; dissipations weighted by the other's stiffness; "         \
                 "frictions 2 m1 m2/(m1 + m2)",                                                    \
    .needs = CF_NEEDS_MASS, .takes = CF_TAKES_MU_S | CF_TAKES_MU_C,                                \
    .approximate = cf_laws_damped_by_force, .exactness = cf_drake_point_exactness,                 \
    .run = cf_run_depth, .fill = cf_drake_point_fill, .fill_friction = cf_drake_fill_friction

#define CF_DRAKE_SAP                                                                               \
    .formula = "f = K (x + h v') + tau K v' >= 0",                                                 \
    .pair_rule = "stiffnesses in series; relaxation times added, 0.1 s where there is none; "      \
                 "frictions 2 m1 m2/(m1 + m2)",                                                    \
    .needs = CF_NEEDS_MASS, .takes = CF_TAKES_MU_S | CF_TAKES_MU_C, .spring = true,                \
    .exactness = cf_exactness_linear, .run = cf_drake_sap_run, .fill = cf_drake_sap_fill,          \
    .fill_friction = cf_drake_fill_friction

#define CF_DRAKE_HYDROELASTIC                                                                      \
    .formula = "p = (E/H) depth (1 + d v), H = R of a sphere",                                     \
    .pair_rule = "moduli in series by E/H: the other body is rigid",                               \
    .source = CF_DRAKE_SOURCE "multibody/plant/hydroelastic_traction_calculator.cc, "              \
                              "geometry/proximity/make_sphere_field.h",                            \
    .needs = CF_NEEDS_RADIUS, .takes = CF_TAKES_MU_S | CF_TAKES_MU_C | CF_TAKES_KV,                \
    .approximate = cf_laws_damped_by_force, .exactness = cf_drake_hydroelastic_exactness,          \
    .run = cf_drake_hydroelastic_run, .fill = cf_drake_hydroelastic_fill

#define CF_SIMBODY                                                                                 \
    .formula = "F = (4/3) E sqrt(R) x^1.5 (1 + 1.5 c xdot)",                                       \
    .pair_rule = "E = (s1 E1^(2/3))^1.5, s1 = E2^(2/3)/(E1^(2/3) + E2^(2/3)); "                    \
                 "frictions 2 u1 u2/(u1 + u2)",                                                    \
    .source = "Simbody 3.9: Simbody/src/CompliantContactSubsystem.cpp", .needs = CF_NEEDS_RADIUS,  \
    .takes = CF_TAKES_MU_S | CF_TAKES_MU_C | CF_TAKES_V_S | CF_TAKES_SIGMA_2, .any_step = true,    \
    .approximate = cf_laws_damped_by_force, .exactness = cf_simbody_exactness,                     \
    .fill = cf_simbody_fill

#define CF_CHRONO                                                                                  \
    .formula = "PlainCoulomb: F = sqrt(x) (kn x + gn xdot) >= 0",                                  \
    .pair_rule = "kn and gn averaged, friction the smaller", .takes = CF_TAKES_MU_C,               \
    .joins = cf_chrono_joins, .approximate = cf_laws_damped_by_patch,                              \
    .exactness = cf_chrono_exactness, .fill = cf_chrono_fill

#endif
