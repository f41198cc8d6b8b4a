/* What may be named in files: the laws and protocols that are built in, or a caller's own. */

#ifndef CF_EXPERIMENT_REGISTRY_H
#define CF_EXPERIMENT_REGISTRY_H

#include "experiment/protocol.h"
#include "law/contact_law.h"

/* NULL-terminated lists; a list that is NULL, and a registry that is NULL: the built-in one. */
struct cf_registry {
    const struct cf_law *const *law;
    const struct cf_protocol *const *protocol;
};

/* The lists themselves; never NULL. */
const struct cf_law *const *cf_registry_laws(const struct cf_registry *registry);
const struct cf_protocol *const *cf_registry_protocols(const struct cf_registry *registry);

/* By name; NULL when unknown. */
const struct cf_law *cf_registry_law(const struct cf_registry *registry, const char *name);
const struct cf_protocol *cf_registry_protocol(const struct cf_registry *registry,
                                               const char *name);

/* Find a law, or fail with the nearest known name. */
int cf_registry_law_get(const struct cf_registry *registry, const char *name,
                        const struct cf_law **law, struct cf_error *err);

/* Find a friction law that can be part of a contact law, or fail with the nearest known name. */
int cf_friction_part_get(const char *name, const struct cf_friction_law **friction,
                         struct cf_error *err);

/* The same for laws that may have two parts: "azad-featherstone + clutch" in full, or one of them,
 * the other being that of `like` (NULL, or a law without friction: a normal law stays one). What is
 * made is kept in `made`. */
int cf_registry_contact_law(const struct cf_registry *registry, struct cf_contact_laws *made,
                            const struct cf_law *like, const char *name, const struct cf_law **law,
                            struct cf_error *err);

#endif
