/* Friction over slip speed in targets: what their own form of it is, and how far that is off. */

#ifndef CF_EXPORT_FRICTION_H
#define CF_EXPORT_FRICTION_H

#include "export/target.h"

/* Bring the friction curve out->slide into the form that the target has for it, and say in
 * out->loss how far that is off: out->tangential for a coefficient, out->slide.dry and .viscous for
 * the force or torque of a joint. Nothing where there is no curve, or the target takes it as it is.
 */
void cf_friction_reduce(const struct cf_target *target, struct cf_material *out);

/* Give a fit of impacts the friction curve of one of slides. It must be one of a coefficient. */
int cf_friction_beside(const struct cf_material *slides, struct cf_material *out,
                       struct cf_error *err);

/* "mu-stribeck as one constant, off by at most 0.02 (12 %) from 0.001 to 0.2 m/s, at 0.001 m/s"; ""
 * where there is no curve, or it is as fitted. */
void cf_friction_words(const struct cf_material *material, char *text, size_t size);

/* Map a fit of slides alone, as cf_export_map() does one of impacts. CF_EINPUT where the target has
 * no place for it: the message names those that have one. */
int cf_friction_map(const struct cf_target *target, const struct cf_material *material,
                    const struct cf_question *question, struct cf_mapping *out,
                    struct cf_error *err);

/* Is it one of a joint, a force or a torque over the speed of an axis? */
bool cf_friction_is_joint(const struct cf_material *material);

#endif
