/* The names that stand beside a law in a scene: its parameters, and what they can be made of.
 * Private to src/scene. */

#ifndef CF_SCENE_LAW_KEYS_H
#define CF_SCENE_LAW_KEYS_H

#include "law/law.h"

/* Names that give k by Hertz, or kv of two bodies, besides a law's own; cf_law_params() has them.
 */
enum { CF_SCENE_NEXTRA = 9 };
extern const struct cf_scene_extra {
    enum cf_family family;
    const char *name, *unit;
} cf_scene_extra[CF_SCENE_NEXTRA];

/* The keys of a law with its parameters, `law` first; NULL behind the last. */
const char *cf_scene_law_key(const struct cf_law *law, size_t i);

#endif
