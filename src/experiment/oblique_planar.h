/* An oblique impact in its plane, the fast way; private to the files of the protocol. */

#ifndef CF_EXPERIMENT_OBLIQUE_PLANAR_H
#define CF_EXPERIMENT_OBLIQUE_PLANAR_H

#include "experiment/oblique_channels.h"
#include "law/friction.h"

/* Is the normal force k z^n + lambda z^p zdot with fixed n and p? */
bool cf_oblique_is_planar(const struct cf_law *law);

/* One contact of such a law. CF_ESOLVE where its friction is too stiff to be integrated within the
 * steps that a fit may take. */
int cf_oblique_planar(const struct cf_law *law, const double p[], const struct cf_pair *pair,
                      const struct cf_oblique_slopes *slopes, struct cf_oblique_contact *contact,
                      struct cf_error *err);

#endif
