/* Whole records among what `design` compares: --plate-speed LIST and the like, an option for each
 * setting of a protocol. Private to src/cmd. */

#ifndef CF_CMD_PLAN_RECORDS_H
#define CF_CMD_PLAN_RECORDS_H

#include "cmd/plan.h"

/* How many settings are asked for. CF_EUSAGE for one that no experiment of the study has, and for
 * values that it cannot take: that is said before anything is computed. */
int cf_plan_settings_given(const struct cf_arguments *args, const struct cf_spec *spec, size_t *n,
                           struct cf_error *err);

/* Can one more record be made of any data set, whatever is asked for? */
bool cf_plan_has_settings(const struct cf_spec *spec);

/* Add the records of all rigs: at what is asked for, or, where nothing is, at 13 values of each
 * setting over ten times the study's range. sigma as of cf_design_init(). */
int cf_plan_add_records(const struct cf_arguments *args, const double sigma[], struct cf_plan *plan,
                        struct cf_error *err);

#endif
