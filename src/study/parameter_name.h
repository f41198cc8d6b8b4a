/* A name under which a parameter of a law goes in a study, and what may stand beside it; private to
 * src/study. */

#ifndef CF_STUDY_PARAMETER_NAME_H
#define CF_STUDY_PARAMETER_NAME_H

#include "study/parts.h"

struct cf_parameter_name {
    const char *name, *unit;
    size_t target;                /* the law's parameter */
    const struct cf_param *param; /* its row; NULL for an alias */
    const struct cf_alias *alias; /* NULL for the parameter itself */
};

/* Has the law a parameter or an alias of that name? Fills *out (NULL: nothing is wanted of it). */
bool cf_parameter_named(const struct cf_law *law, const char *name, struct cf_parameter_name *out);

/* Refuses an unknown key of `at` with the nearest name: those of the law, and of the study's rivals
 * where `rivals` may be meant, too. Always fails. */
int cf_parameter_unknown(const struct cf_study *study, const struct cf_yaml *at, bool rivals,
                         struct cf_error *err);

/* The parameter as a number that may be fitted; the range of an alias is not its own. */
struct cf_estimand cf_parameter_number(const struct cf_parameter_name *name);

/* Is it k [N/m^1.5] of a law, which Hertz gives? */
bool cf_parameter_is_hertz(const struct cf_law *law, const struct cf_parameter_name *name);

/* `hertz` at a value, which takes k of that law from the pair of each data set: *k is that of the
 * first. Fails where a pair cannot give it, or the name is none of such a k. */
bool cf_parameter_says_hertz(const struct cf_yaml *at);
int cf_parameter_hertz(const struct cf_study *study, const struct cf_law *law,
                       const struct cf_parameter_name *name, const struct cf_yaml *at, double *k,
                       struct cf_error *err);

/* An alias with R needs the radius of every pair. */
int cf_parameter_radius(const struct cf_study *study, const struct cf_parameter_name *name,
                        const struct cf_yaml *at, struct cf_error *err);

/* The value that is held, as `at` says it. */
int cf_parameter_given(const struct cf_study *study, const struct cf_law *law,
                       const struct cf_parameter_name *name, const struct cf_yaml *at,
                       struct cf_given *given, struct cf_error *err);

/* An entry of `fixed` whose name is none of the law's: it is held in each rival that has it in that
 * unit. */
int cf_study_rival_given(struct cf_study *study, const struct cf_yaml *at, struct cf_error *err);

/* No rival's parameter is set by two entries of `fixed`. */
int cf_study_rivals_claims(const struct cf_study *study, const struct cf_yaml *fixed,
                           struct cf_error *err);

#endif
