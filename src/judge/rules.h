/* The rules that make a verdict, and what each of them comes to: one table, in the order in which
 * findings are told. The verdict is the worst word among those that were found.
 */

#ifndef CF_JUDGE_RULES_H
#define CF_JUDGE_RULES_H

/* What a whole fit is worth, from the best to the worst. */
#define CF_VERDICT_LIST(X)                                                                         \
    X(CF_VERDICT_GOOD, "good")                                                                     \
    X(CF_VERDICT_WEAK, "weak")                                                                     \
    X(CF_VERDICT_MISFIT, "misfit")                                                                 \
    X(CF_VERDICT_UNDETERMINED, "undetermined")                                                     \
    X(CF_VERDICT_FAILED, "failed")

#define CF_VERDICT_ENUM(name, text) name,
enum cf_verdict_status { CF_VERDICT_LIST(CF_VERDICT_ENUM) CF_NVERDICT };

const char *cf_verdict_text(enum cf_verdict_status status);

/* What a finding, or a test that rejects, speaks against. */
enum cf_accused {
    CF_ACCUSES_LAW,          /* the law, as far as this test can tell */
    CF_ACCUSES_INDEPENDENCE, /* the law, or that neighbours along the axis err independently */
    CF_ACCUSES_ORDER,        /* something that changed from row to row: no law depends on it */
    CF_ACCUSES_SIGMAS,       /* the given sigmas of all channels together, or the law */
    CF_ACCUSES_SYMMETRY,     /* errors that reach as far to both sides, */
    CF_ACCUSES_SIZE,         /* that are as large all along the axis, */
    CF_ACCUSES_PAIRS,     /* and that two columns of a row do not share: the noise, not the law */
    CF_ACCUSES_SEARCH,    /* the search for the optimum */
    CF_ACCUSES_PARAMETER, /* that the data identify a parameter */
    CF_ACCUSES_PRIOR,
    CF_ACCUSES_SET, /* a data set, or a group of rows */
    CF_ACCUSES_ROW,
    CF_ACCUSES_NUMBER, /* a number of the study */
    CF_ACCUSES_NOTHING,
    CF_NACCUSED
};

extern const char *const cf_accused_name[CF_NACCUSED];

/* id, word, what is accused, name, and when it is found; a note is `good`. */
#define CF_RULE_LIST(X)                                                                            \
    X(CF_RULE_IMPOSSIBLE, MISFIT, NUMBER, "impossible",                                            \
      "a number of the study or of the fit is beyond its physical range, and the study does not "  \
      "state it as `unusual`")                                                                     \
    X(CF_RULE_ODD_ROW, MISFIT, ROW, "odd row",                                                     \
      "a reading is a factor of 2 beyond those beside it, or a place of 8 beyond all others, as "  \
      "by a slip of typing, and the law does not follow")                                          \
    X(CF_RULE_UNFINISHED, FAILED, SEARCH, "unfinished",                                            \
      "the fit was ended, by its `time` or a signal, before all was done")                         \
    X(CF_RULE_CONVERGED, FAILED, SEARCH, "not converged", "the best start did not converge")       \
    X(CF_RULE_KINK, WEAK, SEARCH, "kink",                                                          \
      "the slope does not vanish where a descent without derivatives finds nothing lower")         \
    X(CF_RULE_GRADIENT, FAILED, SEARCH, "gradient",                                                \
      "the gradient is 0.01 standard errors or more")                                              \
    X(CF_RULE_CONFIRMED, FAILED, SEARCH, "not confirmed",                                          \
      "fewer than 2 starts ended at the optimum, within 1e-3 of its chi^2")                        \
    X(CF_RULE_PROFILE, FAILED, SEARCH, "lower by profile",                                         \
      "a profile found a point that is lower by 1e-3 in chi^2")                                    \
    X(CF_RULE_START, FAILED, SEARCH, "lower by start",                                             \
      "another start ended where the same variances give a lower chi^2")                           \
    X(CF_RULE_DESCENT, FAILED, SEARCH, "lower by descent",                                         \
      "a descent without derivatives (Nelder-Mead) lowers chi^2 by 1e-3")                          \
    X(CF_RULE_VARIANCES, FAILED, SEARCH, "variances",                                              \
      "a scan along an estimated variance, from 0.1 to 10 times its scale, finds likelier ones")   \
    X(CF_RULE_SOLVER, FAILED, SEARCH, "solver error",                                              \
      "fast curves and direct integration differ by 0.1 sigma or more")                            \
    X(CF_RULE_STEPS, GOOD, SEARCH, "finer steps",                                                  \
      "more steps of a recorded motion were taken than usual, whose error would be too large")     \
    X(CF_RULE_FLAT, UNDETERMINED, PARAMETER, "combination",                                        \
      "parameters are known only together: a singular value of the scaled Jacobian is 0")          \
    X(CF_RULE_DEAD, UNDETERMINED, PARAMETER, "no influence", "nothing measured depends on it")     \
    X(CF_RULE_BOUND, UNDETERMINED, PARAMETER, "at bound", "a parameter ended at its bound")        \
    X(CF_RULE_UNSEEN, WEAK, PARAMETER, "not seen",                                                 \
      "a part of the law that may be absent, as damping, ended at nothing: it has a limit")        \
    X(CF_RULE_WIDE, WEAK, PARAMETER, "poorly determined",                                          \
      "the ends of an interval are a factor of `weak_factor` (2) apart, or one is open")           \
    X(CF_RULE_BY_PRIOR, WEAK, PARAMETER, "by prior", "only a prior identifies a parameter")        \
    X(CF_RULE_CUT, GOOD, PARAMETER, "profile cut",                                                 \
      "a profile ends where the law could not be evaluated any more")                              \
    X(CF_RULE_HARDLY, GOOD, PARAMETER, "known limit",                                              \
      "the protocol says that such data hardly identify a parameter, and these do not")            \
    X(CF_RULE_UNCLUSTERED, UNDETERMINED, PARAMETER, "no intervals",                                \
      "rows of a run or a toss share errors, and too few of these give no intervals")              \
    X(CF_RULE_FREEDOM, WEAK, LAW, "no freedom", "as many numbers were fitted as were measured")    \
    X(CF_RULE_PLACE, WEAK, LAW, "one place", "all rows lie within 5 % of one place of the axis")   \
    X(CF_RULE_PRIOR, MISFIT, PRIOR, "prior",                                                       \
      "a prior and the data without it differ, at `p_reject` (1 %), Holm over the priors")         \
    X(CF_RULE_DISAGREE, MISFIT, SET, "disagreement",                                               \
      "data sets or channels differ about a parameter, at `p_reject`, Holm over these tests")      \
    X(CF_RULE_RECORD, MISFIT, NUMBER, "contradiction",                                             \
      "a record contradicts a number of the study, as flights that meet at another height")        \
    X(CF_RULE_CONTRADICTED, MISFIT, NUMBER, "assumption contradicted",                             \
      "what is assumed of a rig is less likely than that it were otherwise, at `p_reject`")        \
    X(CF_RULE_ASSUMED, WEAK, NUMBER, "assumption",                                                 \
      "a parameter would lie outside of its interval where it were otherwise, and the data do "    \
      "not tell")                                                                                  \
    X(CF_RULE_SIGN, MISFIT, NUMBER, "sign",                                                        \
      "nineteen of twenty readings have the sign that is not predicted, of six and more")          \
    X(CF_RULE_SLOW, MISFIT, ROW, "speed within its error",                                         \
      "readings of slow rows have the sign that is not predicted, two and more each way, and "     \
      "those of faster rows have not")                                                             \
    X(CF_RULE_ONE_WAY, GOOD, NUMBER, "one direction",                                              \
      "all speeds of a friction are of one sign, and no offset is fitted along")                   \
    X(CF_RULE_CLIPPED, MISFIT, ROW, "cut off",                                                     \
      "four readings and a twelfth of all, at places of their own, are equal and the largest")     \
    X(CF_RULE_TWICE, MISFIT, ROW, "rows twice",                                                    \
      "three readings and more have a twin of the same place and value, more than chance gives, "  \
      "at 1e-6")                                                                                   \
    X(CF_RULE_PLAUSIBLE, WEAK, NUMBER, "implausible",                                              \
      "a number of the study or of the fit is none of a thing that exists")                        \
    X(CF_RULE_UNUSUAL, GOOD, NUMBER, "unusual", "the study states such a number as `unusual`")     \
    X(CF_RULE_WEIGHT, WEAK, ROW, "weight",                                                         \
      "the weight during the contact, which is left out, can move what is fitted by 2 standard "   \
      "errors")                                                                                    \
    X(CF_RULE_ONE_GROUP, GOOD, NOTHING, "one group",                                               \
      "all rows are of one group: the numbers are those of this throw, or this day")               \
    X(CF_RULE_GROUP_UNKNOWN, WEAK, INDEPENDENCE, "group error unknown",                            \
      "too few groups identify the error that their rows share: it is taken as 0")                 \
    X(CF_RULE_GROUP_OR_LAW, WEAK, INDEPENDENCE, "repeats miss the curve",                          \
      "repeats were grouped though the study states nothing, and their means miss the curve, at "  \
      "`p_reject`")                                                                                \
    X(CF_RULE_SHORT_RECORD, WEAK, INDEPENDENCE, "short record",                                    \
      "a record is shorter than 20 correlation times of its errors")                               \
    X(CF_RULE_UNSETTLED, WEAK, INDEPENDENCE, "noise model unsettled",                              \
      "each fit of a record selected another model of its noise")                                  \
    X(CF_RULE_SMOOTHING, GOOD, NUMBER, "smoothing",                                                \
      "a parameter moves by more than its standard error where a recorded motion is smoothed "     \
      "otherwise")                                                                                 \
    X(CF_RULE_UNEQUAL, GOOD, SET, "unequal scatter",                                               \
      "data sets do not scatter alike (Bartlett, at `p_reject`): each has its own sigma")          \
    X(CF_RULE_TEST, MISFIT, LAW, "residuals",                                                      \
      "a test of the residuals rejects, at `p_reject`, Holm over all tests of the law")            \
    X(CF_RULE_RUN_SIGMAS, WEAK, SIGMAS, "larger than stated",                                      \
      "rows of a run or a toss, which carry on what its start was off by, miss their stated "      \
      "sigmas, at `p_reject`")                                                                     \
    X(CF_RULE_SMALL, GOOD, SIGMAS, "small residuals",                                              \
      "chi^2 is smaller than the given sigmas let one expect, at `p_reject`")                      \
    X(CF_RULE_NOISE, WEAK, SIZE, "noise",                                                          \
      "a test of the noise rejects, at `p_reject`, Holm over these tests")                         \
    X(CF_RULE_RIVAL, GOOD, LAW, "rival", "a rival is likelier, and its AICc is lower by 10")       \
    X(CF_RULE_GROUP_OFF, WEAK, SET, "outlying group",                                              \
      "the error of a group is an outlier among those of the others, at 1 %, Holm over groups")    \
    X(CF_RULE_OUTLIER, WEAK, ROW, "outlier",                                                       \
      "the deleted residual of a row has p below 1 %, Holm over all rows")                         \
    X(CF_RULE_LIGHT_OUTLIER, GOOD, ROW, "light outlier",                                           \
      "the same under a loss that lets it count for less")                                         \
    X(CF_RULE_UNEXAMINED, GOOD, ROW, "rows not examined",                                          \
      "more rows lie as far off as were fitted without, where residuals are systematic")           \
    X(CF_RULE_DRIFT, GOOD, ORDER, "drift not shown",                                               \
      "so few rows that errors which follow each other would be missed in more than 5 %, in a "    \
      "fit to be trusted")                                                                         \
    X(CF_RULE_LOSS, GOOD, NOTHING, "loss", "the loss is not squares")

#define CF_RULE_ENUM(id, word, accuses, name, when) id,
enum cf_verdict_rule { CF_RULE_LIST(CF_RULE_ENUM) CF_NRULE };

/* A row of the table. */
struct cf_rule_row {
    enum cf_verdict_status word;
    enum cf_accused accuses;
    const char *name, *when;
};

extern const struct cf_rule_row cf_rules[CF_NRULE];

#endif
