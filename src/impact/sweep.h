/* Answers at many speeds for one set of parameters; private to src/impact. */

#ifndef CF_IMPACT_SWEEP_H
#define CF_IMPACT_SWEEP_H

#include "impact/impact.h"

struct cf_sweep;

/* One impact; `slopes`: with its derivatives. */
typedef int cf_impact_one(const struct cf_law *law, const double p[], double mass_kg,
                          double speed_m_s, bool slopes, struct cf_impact *out,
                          struct cf_error *err);

/* Answers of `one` at speed[n], or at nodes between which they are interpolated. */
int cf_sweep_alloc(cf_impact_one *one, const struct cf_law *law, const double p[], double mass_kg,
                   size_t n, const double speed_m_s[], bool slopes, struct cf_sweep **out,
                   struct cf_error *err);
void cf_sweep_free(struct cf_sweep *sweep);

/* False: not in the sweep. */
bool cf_sweep_at(const struct cf_sweep *sweep, const struct cf_law *law, const double p[],
                 double mass_kg, double speed_m_s, struct cf_impact *out);

/* The sweep of a workspace, NULL where there is none, and whether it wants values only. */
struct cf_sweep **cf_curves_sweep_of(struct cf_curves *curves);

#endif
