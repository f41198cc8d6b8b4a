/* The names that stand beside a law in a scene: its parameters, and what they can be made of.
 * Private to src/scene. */

#ifndef CF_SCENE_LAW_KEYS_H
#define CF_SCENE_LAW_KEYS_H

#include "file/schema.h"
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

/* What its table knows of such a key. */
void cf_scene_law_note(const struct cf_law *law, size_t i, struct cf_schema_note *out);

/* What a row of a table knows of its number. */
void cf_schema_note_of(const struct cf_param *row, struct cf_schema_note *out);

/* What the laws and frictions know of a parameter or another name of one: each unit once, the range
 * that holds all of theirs, and what it is where they agree. */
void cf_schema_note_parameter(const char *name, struct cf_schema_note *out);

#endif
