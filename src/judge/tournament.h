/* The tournament: every contender's own tests, which of them are one curve, and the conclusions.
 *
 * The comparison (comparison.h) ranks laws. A ranking of wrong laws has a winner, too, so here
 * every law's residuals are tested as the study's are; laws that draw the same curve through these
 * data are counted once; and the result on held-out rows is given with their number.
 */

#ifndef CF_JUDGE_TOURNAMENT_H
#define CF_JUDGE_TOURNAMENT_H

#include "judge/fit_result.h"

/* A law of fit->rival, at the same index. */
struct cf_contender {
    const struct cf_rival *rival;
    struct cf_problem problem; /* its common rows, current sigmas */
    double *y;                 /* predictions of the common rows */
    struct cf_tests tests;
    bool describes; /* confirmed, tested, and no test rejects */
    bool rejected;  /* by a test, or left far behind by a law that describes the data */
    size_t same_as; /* the first contender with the same curve: itself, or a better one */
    char *verdict;
};

struct cf_tournament {
    size_t n, ncurve; /* contenders; different curves among those that were fitted */
    struct cf_contender *contender;
    size_t ndescribe;            /* curves that describe the data */
    size_t nbehind;              /* curves that no test rejects, but the gap to the first */
    size_t best;                 /* the first that does; n when none does */
    size_t nheld;                /* held-out rows */
    size_t best_predictor, next; /* the two curves that predict them best; n when there are none */
    struct cf_paired predictor;  /* the second of them against the first; all NAN */
    char summary[600];
    struct cf_statements statements;
};

/* Judge the laws of fit->rival, which cf_compare() has filled. Their weights become those of the
 * different curves: laws with one curve share one place. `fit` must outlive the tournament. */
int cf_tournament_run(struct cf_fit *fit, const struct cf_workers *workers,
                      struct cf_tournament **tournament, struct cf_error *err);
void cf_tournament_free(struct cf_tournament *tournament);

/* One law of fit->rival at its optimum: its sigmas, predictions and residual tests, which judge it.
 * contender->rival is set; the rest is zero, and to be cleared, also after a failure. */
int cf_contender_study(const struct cf_fit *fit, struct cf_contender *contender,
                       struct cf_error *err);
void cf_contender_clear(struct cf_contender *contender);

/* The verdict of its residual tests on one law; then, of the laws in their order, those
 * cf_rival_gap behind the first that describes the data, their sigmas being estimated. */
int cf_contender_judge(struct cf_contender *contender, struct cf_error *err);
int cf_tournament_left_behind(struct cf_tournament *t, struct cf_error *err);

/* Fill summary and statements; called by cf_tournament_run(). */
int cf_tournament_words(const struct cf_fit *fit, struct cf_tournament *t, struct cf_error *err);

#endif
