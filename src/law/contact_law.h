/* Contact laws: a normal law and a friction law as one, to be fitted together.
 *
 * Its name is "azad-featherstone + clutch", its parameters are those of the normal law, followed by
 * those of the friction law: p serves the normal law as it is, and p + normal->nparam the friction
 * law. Aliases are those of the normal law, and where both have a spring of the same unit `kappa`,
 * the stiffness of the contact along the surface over that along the normal.
 *
 * Where the normal force needs no law, as of a block under a load, friction may stand alone: a law
 * of the family `tangential` with the name and the parameters of the friction law.
 */

#ifndef CF_LAW_CONTACT_LAW_H
#define CF_LAW_CONTACT_LAW_H

#include "law/friction.h"

/* Those that have been made, and who frees them; {0} at first. */
struct cf_contact_laws {
    size_t n;
    struct cf_made_law **made;
};

/* The contact law of both parts (normal NULL: of friction alone); the same for the same parts.
 * CF_EINPUT where the two do not go
 * together: the message says why. */
int cf_contact_law(struct cf_contact_laws *laws, const struct cf_law *normal,
                   const struct cf_friction_law *friction, const struct cf_law **out,
                   struct cf_error *err);
void cf_contact_laws_clear(struct cf_contact_laws *laws);

/* Do both go together? A rigid friction goes with every law of impacts, one with a force over time
 * with laws of a normal force only. */
int cf_contact_law_check(const struct cf_law *normal, const struct cf_friction_law *friction,
                         struct cf_error *err);

/* A friction law that can be one part: those of scenes and the rigid ones. NULL when unknown. */
const struct cf_friction_law *cf_contact_friction_find(const char *name);

/* Its names, NULL-terminated; how many there are. */
enum { CF_MOST_FRICTIONS = 24 };
size_t cf_contact_friction_names(const char *name[CF_MOST_FRICTIONS]);

#endif
