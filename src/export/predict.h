/* What a mapping will show; private to src/export. */

#ifndef CF_EXPORT_PREDICT_H
#define CF_EXPORT_PREDICT_H

#include "export/target.h"

/* What the fit says at the question's speed: e_fit, its interval and what an error is held against;
 * mass_kg as below. */
int cf_predict_fit(const struct cf_material *material, const struct cf_question *question,
                   double mass_kg, struct cf_curves *curves, struct cf_outlook *out,
                   struct cf_error *err);

/* Fill m->prediction from m->twin; mass_kg is the effective mass, or any where e needs none. */
int cf_predict(struct cf_mapping *m, double mass_kg, struct cf_curves *curves,
               struct cf_error *err);

/* The e of the target at fine steps at a speed. */
int cf_predict_e(const struct cf_mapping *m, double speed_m_s, struct cf_curves *curves, double *e,
                 struct cf_error *err);

#endif
