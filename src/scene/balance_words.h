/* What a run's balance says, in words: for the command, the page and programs. */

#ifndef CF_SCENE_BALANCE_WORDS_H
#define CF_SCENE_BALANCE_WORDS_H

#include "motion/motion.h"

/* Steps that are chosen by their error are judged, fixed ones are not. */
enum cf_balance_verdict { CF_BALANCE_CLOSES, CF_BALANCE_OPEN, CF_BALANCE_NOT_JUDGED };
enum cf_balance_verdict cf_balance_verdict(const struct cf_motion_options *options,
                                           const struct cf_motion_result *result);

/* A tolerance at which the balance would close, from how the errors of exchanges add up; NAN: none
 * is known, or it closes. */
double cf_balance_helps(const struct cf_motion_options *options,
                        const struct cf_motion_result *result);

/* "the kinetic energy of ball", "the contacts of ball": where most was; for momentum and spin the
 * name of the body alone. The caller frees it. NULL: no memory. */
char *cf_balance_account(const struct cf_scene *scene, const struct cf_balance_check *check,
                         enum cf_conserved what);

/* "the energy balance closes: ...", a clause without a full stop: which account, when, by how much,
 * and what would help. The caller frees it. NULL: no memory. */
char *cf_balance_words(const struct cf_scene *scene, const struct cf_motion_options *options,
                       const struct cf_motion_result *result);

/* "energy", "momentum", "spin"; "J", "N s", "N m s"; the same for names, "N_m_s"; "exchange",
 * "run"; "kinetic", ... */
extern const char *const cf_conserved_names[CF_NCONSERVED];
extern const char *const cf_conserved_units[CF_NCONSERVED];
extern const char *const cf_conserved_suffixes[CF_NCONSERVED];
extern const char *const cf_span_names[CF_NSPAN];
extern const char *const cf_account_names[CF_NACCOUNT];

#endif
