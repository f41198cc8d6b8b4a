/* All rules of what is plausible that are built in, by number: those of every experiment, and then
 * those of protocols, each once. NULL: no more. */

#ifndef CF_EXPERIMENT_PLAUSIBLE_RULES_H
#define CF_EXPERIMENT_PLAUSIBLE_RULES_H

#include "experiment/plausible.h"

const struct cf_plausible_rule *cf_plausible_rule(size_t i);
const char *cf_plausible_rule_name(size_t i);

#endif
