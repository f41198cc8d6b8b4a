/* What to do next with a fit: one command. */

#ifndef CF_REPORT_NEXT_STEP_H
#define CF_REPORT_NEXT_STEP_H

#include <jansson.h>

/* A command line for a shell, "contactfit design croquet.yaml", and in *why what it does ("shows
 * which next measurements would narrow the intervals most"). By the verdict: of a misfit the rival
 * that the advice names, or all laws; of parameters that are not identified well, the next
 * measurements; of a good fit its export, or predictions where no simulator takes the law. File
 * names are quoted where a shell would not take them as they are. The caller frees the command;
 * NULL where there is no memory. */
char *cf_next_step(const json_t *fit, const char **why);

#endif
