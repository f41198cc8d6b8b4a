/* What a mapping will show; private to src/export. */

#ifndef CF_EXPORT_PREDICT_H
#define CF_EXPORT_PREDICT_H

#include "export/target.h"

/* The speeds over which e is held: those of the question, else those that were fitted. False: there
 * are none. */
bool cf_export_range(const struct cf_question *question, const struct cf_material *material,
                     double *slowest_m_s, double *fastest_m_s);
/* The fit's e at the design speed and over these speeds, and the bound of the question. */
int cf_export_goal(const struct cf_mapping *m, double mass_kg, struct cf_curves *curves,
                   struct cf_goal *out, struct cf_error *err);

/* Does e by a law depend on the mass? Where it does not, any mass serves to ask for it. */
bool cf_export_needs_mass(const struct cf_law *law);
/* The mass of a pair; where it is not known and e needs none, any. */
double cf_export_mass(const struct cf_mapping *m);

/* May the spring be any that keeps e? That of a target which has a spring and no law, where the fit
 * says nothing, or nothing to be trusted, but e. */
bool cf_export_any_spring(const struct cf_target *target, const struct cf_question *question,
                          const struct cf_material *material);
/* Some spring and damper in m->twin that has e at the design speed. */
int cf_export_start_spring(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);

/* Is it to be said what standard gravity does to e? */
bool cf_export_tells_gravity(const struct cf_mapping *m);
/* The depth at which two spheres are through each other, or from which the target no longer sees a
 * sphere on a plane; INFINITY: none. */
double cf_export_room(const struct cf_mapping *m);

/* How far a body goes in a step at the fastest speed; NAN: nobody knows, or it makes none. */
double cf_export_way(const struct cf_mapping *m);
/* Is it e(v) as code, which is told the speed of the touch and knows nothing around it? */
bool cf_export_is_code(const struct cf_mapping *m);

/* Of a largest step, what is promised. */
extern const double cf_below_the_edge;

/* CF_KEEP_STEP: make m->twin the stiffest contact, but none stiffer than it is, that keeps e over
 * the speeds of the question at its step. CF_EINPUT where none does, or where the target has no
 * spring to soften. */
int cf_export_soften(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err);

/* The two bodies as floats place them: those of the pair, where their radii and masses make its m*
 * and R*, else a sphere of m* and R* on a plane; none where R* is not known. */
void cf_export_floats(const struct cf_material *material, struct cf_floats *out);

/* What the fit says at the question's speed: e_fit, its interval and what an error is held against;
 * mass_kg as below. */
int cf_predict_fit(const struct cf_material *material, const struct cf_question *question,
                   double mass_kg, struct cf_curves *curves, struct cf_outlook *out,
                   struct cf_error *err);

/* Fill m->prediction from m->twin; mass_kg is the effective mass, or any where e needs none. */
int cf_predict(struct cf_mapping *m, double mass_kg, struct cf_curves *curves,
               struct cf_error *err);

/* What the target shows at fine steps at a speed: without compensation for its step. */
int cf_predict_seen(const struct cf_mapping *m, double speed_m_s, struct cf_curves *curves,
                    struct cf_seen *out, struct cf_error *err);
/* The e of that. */
int cf_predict_e(const struct cf_mapping *m, double speed_m_s, struct cf_curves *curves, double *e,
                 struct cf_error *err);

#endif
