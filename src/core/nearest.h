/* The nearest known word, for messages: "unknown law hunt-crosley: did you mean hunt-crossley?" */

#ifndef CF_CORE_NEAREST_H
#define CF_CORE_NEAREST_H

#include <stddef.h>

/* The word of words[n] with the smallest edit distance (insert, delete, replace, swap of
 * neighbours; case ignored), the first of equals. A word of which more than half would change is
 * not near; where none is near, one that begins with `word` (three letters or more) is taken;
 * else NULL. */
const char *cf_nearest(const char *word, const char *const words[], size_t n);

/* What to say after an unknown word: "did you mean ode?", or where none is near "must be one of
 * ode, bullet", or "ode, bullet and 30 more" where no more have room. */
enum { CF_HINT = 768 };
void cf_nearest_hint(const char *word, const char *const words[], size_t n, char out[CF_HINT]);

#endif
