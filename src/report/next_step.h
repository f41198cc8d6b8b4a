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

/* The same with the paths of the study and the fit file as the reader has them. */
char *cf_next_step_of(const json_t *fit, const char *study_path, const char *fit_path,
                      const char **why);

/* The same after new data were held against a fit: of a fit that is not to be trusted, and of one
 * that new data agree with, its page; else a look at what the study says of the new data. With the
 * paths as the reader has them. */
char *cf_next_validation(const json_t *validation, const char *study_path, const char *fit_path,
                         const char **why);

/* Text and a suffix as one word of a shell: itself where no character of it means anything there,
 * else in quotes. The caller frees it; NULL where there is no memory. */
char *cf_shell_word(const char *text, const char *suffix);

#endif
