/* Friction laws of rigid contacts: impulses, where nothing is known of a force over time. They go
 * with every normal law, of whose impact they need the restitution alone, and with no scene.
 *
 * `stick` is the impulse that ends the slip at the end of the contact, over the normal impulse:
 *
 *   stick = m_t |slip|/(m (1 + e) v_n),   1/m_t = 1/m + R^2/I
 *
 * (2/7 m for a solid sphere). Slip does not change its direction before it has ended, so that the
 * course of the normal force does not matter.
 */

#ifndef CF_LAW_RIGID_FRICTION_H
#define CF_LAW_RIGID_FRICTION_H

#include "law/friction.h"

extern const struct cf_friction_law *const cf_rigid_friction_laws[]; /* NULL-terminated */

#endif
