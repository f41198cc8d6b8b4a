/* The point at which selftest and design ask their questions: parameters of a law on a study's
 * design, and the noise of what it measures. */

#ifndef CF_CMD_POINT_H
#define CF_CMD_POINT_H

#include "cmd/command.h"
#include "estimate/problem.h"
#include "study/study.h"

struct cf_point {
    struct cf_problem problem; /* sigmas at theta */
    double *theta;             /* problem.nfree */
    double *sigma;    /* by problem.channel: where it is estimated, the scatter about the fit */
    bool given;       /* by -p, else fitted */
    size_t ntest;     /* how many tests of the law there were; 0: none, also where it is given */
    char misfit[400]; /* that the fit is none, in words; "" where it passes its tests */
};

/* Find it for `law`, the study's own or another one: from --parameter NAME=VALUE, which must then
 * name all free parameters of the law, or by a fit to the study's data. Nuisances and starts of
 * segments that are not named, and estimated sigmas, are always those of the fit. spec and curves
 * must outlive the point; cf_point_clear() it also after a failure. */
int cf_point_find(const struct cf_arguments *args, const struct cf_spec *spec,
                  const struct cf_law *law, struct cf_curves *curves, struct cf_point *point,
                  struct cf_error *err);
void cf_point_clear(struct cf_point *point);

/* "k = 3.1e+07 N/m^1.5, lambda = 4700 N s/m^1.5" */
void cf_point_text(const struct cf_point *point, char text[], size_t size);

/* Read the study that a command's operand names, and ask. */
int cf_with_study(const struct cf_arguments *args,
                  int (*ask)(const struct cf_arguments *args, struct cf_study *study,
                             struct cf_error *err),
                  struct cf_error *err);

/* Find the column that a text names, among what the protocol measures, or fail with the nearest;
 * `option` begins the message. */
int cf_measured_column(const struct cf_protocol *protocol, const char *option, const char *name,
                       size_t *column, struct cf_error *err);

#endif
