/* Are the numbers of a study, and of its fit, those of things that exist? The rules are those of
 * experiment/plausible.h. */

#ifndef CF_JUDGE_PLAUSIBILITY_H
#define CF_JUDGE_PLAUSIBILITY_H

#include "estimate/spec.h"
#include "experiment/plausible.h"
#include "judge/fit_result.h"

/* Every rule that applies: to a study; and to a fit of it (NULL: none), with what its law predicts
 * where that is identified. To be cleared, also after a failure. */
int cf_plausibility(const struct cf_spec *spec, const struct cf_fit *fit,
                    struct cf_plausibility *out, struct cf_error *err);
void cf_plausibility_clear(struct cf_plausibility *plausibility);

/* "10 to 25000 kg/m^3". */
void cf_plausible_range(const struct cf_plausible_rule *rule, char text[], size_t size);

/* "density of ball: 9.25e+05 kg/m^3, where 10 to 25000 is plausible (...): is the mass in g?" The
 * caller frees it; NULL: out of memory. */
char *cf_plausible_text(const struct cf_plausible *p);

/* The line to correct, "ball.yaml:5: mass: 31 kg" or "drops.csv:8: speed 200 m/s, restitution 0.7";
 * "": none is known. And the words on a number that is not possible, behind that line. The same. */
char *cf_plausible_place(const struct cf_plausible *p);
char *cf_impossible_text(const struct cf_plausible *p);

#endif
