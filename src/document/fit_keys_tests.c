/* The keys of tests: of residuals, of priors, and of channels beside each other. */

#include "document/fit_keys_rows.h"

static const struct cf_json_key number = NUMBER(NULL, 0);

static const struct cf_json_key test_keys[] = {
    TEXT("data", 0),          TEXT("channel", 0), TEXT("test", 0),
    NUMBER("statistic", NIL), NUMBER("p", NIL),   NUMBER("p_adjusted", NIL),
    TRUTH("rejects", 0),      TEXT("text", 0),    END,
};
const struct cf_json_key cf_test_keys = OBJECT(NULL, 0, test_keys);

static const struct cf_json_key prior_test_keys[] = {
    TEXT("parameter", 0),     TEXT("prior", 0), NUMBER("by_data", NIL),
    NUMBER("statistic", NIL), NUMBER("p", NIL), NUMBER("p_adjusted", NIL),
    TRUTH("rejects", 0),      TEXT("text", 0),  END,
};
const struct cf_json_key cf_prior_test_keys = OBJECT(NULL, 0, prior_test_keys);

static const struct cf_json_key told_keys[] = {
    TEXT("channel", OPT),  TEXT("data", OPT),   TRUTH("identified_without", 0),
    NUMBER("widens", NIL), TEXT("label", 0),    NUMBER("value", NIL),
    NUMBER("low", NIL),    NUMBER("high", NIL), END,
};
static const struct cf_json_key told = OBJECT(NULL, 0, told_keys);

static const struct cf_json_key agreement_keys[] = {
    TEXT("parameter", 0),
    TEXT("unit", 0),
    TEXT("by", 0),
    LIST("told", 0, told),
    NUMBER("statistic", NIL),
    NUMBER("p", NIL),
    NUMBER("p_adjusted", NIL),
    TRUTH("rejects", 0),
    TEXT("text", 0),
    END,
};
const struct cf_json_key cf_agreement_keys = OBJECT(NULL, 0, agreement_keys);

static const struct cf_json_key cutoff_keys[] = {
    TEXT("data", 0),
    TEXT("name", 0),
    NUMBER("value_Hz", 0),
    END,
};
static const struct cf_json_key cutoff = OBJECT(NULL, 0, cutoff_keys);

static const struct cf_json_key smoothed_keys[] = {
    TEXT("parameter", 0),
    TEXT("unit", 0),
    NUMBER("value", NIL),
    NUMBER("at_half", NIL),
    NUMBER("at_double", NIL),
    NUMBER("change_at_half", NIL),
    NUMBER("change_at_double", NIL),
    TEXT("text", OPT),
    END,
};
static const struct cf_json_key smoothed = OBJECT(NULL, 0, smoothed_keys);

const struct cf_json_key cf_smoothness_keys[] = {
    LIST("cutoffs", 0, cutoff),
    LIST("parameters", 0, smoothed),
    END,
};

const char *const cf_adequacy_answers[] = {"adequate", "not adequate", "cannot tell", NULL};
const char *const cf_axis_scales[] = {"linear", "log", NULL};
static const struct cf_json_key limit_keys[] = {NUMBER("largest", 0), NUMBER("at_most", 0),
                                                NUMBER("at_least", 0), END};
/* dof: null where the sigmas are given. difference: reality less the law. */
static const struct cf_json_key reference_keys[] = {COUNT("columns", 0),
                                                    COUNT("knots", 0),
                                                    NUMBER("sd", 0),
                                                    NUMBER("dof", NIL),
                                                    NUMBER("shared", 0),
                                                    NUMBER("resolution", NIL),
                                                    NUMBER("simultaneous", 0),
                                                    LIST("abscissa", 0, number),
                                                    LIST("law", 0, number),
                                                    LIST("difference", 0, number),
                                                    LIST("standard_error", 0, number),
                                                    END};
static const struct cf_json_key needed_keys[] = {NUMBER("within", 0), TRUTH("relative", 0),
                                                 WORD("answer", 0, cf_adequacy_answers),
                                                 NUMBER("times", OPT), END};
static const struct cf_json_key number_axis_keys[] = {
    NAME("name", 0), LABEL("label", 0), LABEL("unit", 0), WORD("scale", 0, cf_axis_scales), END};
static const struct cf_json_key run_keys[] = {
    COUNT("data", 0), NUMBER("place", OPT), NUMBER("measured", 0), NUMBER("predicted", 0), END,
};
static const struct cf_json_key run = OBJECT(NULL, 0, run_keys);
/* Of the runs of records; without an axis they are repeats. */
static const struct cf_json_key number_keys[] = {
    NAME("name", 0),
    LABEL("label", 0),
    OBJECT("axis", OPT, number_axis_keys),
    LIST("runs", 0, run),
    END,
};
static const struct cf_json_key adequacy_keys[] = {
    COUNT("data", 0),
    COUNT("sets", 0),
    NAME("channel", 0),
    LABEL("unit", 0),
    OBJECT("number", OPT, number_keys),
    NAME("branch", OPT),
    NUMBER("low", 0),
    NUMBER("high", 0),
    COUNT("rows", 0),
    COUNT("places", 0),
    OBJECT("in_unit", OPT, limit_keys),
    OBJECT("relative", OPT, limit_keys),
    NUMBER("stated", OPT), /* what the limits have of stated uncertainties of instruments */
    NUMBER("worst_at", OPT),
    TRUTH("averaged", OPT), /* too few places for a curve: the runs' mean */
    OBJECT("reference", OPT, reference_keys),
    OBJECT("needed", OPT, needed_keys),
    TEXT("text", 0),
    END,
};
const struct cf_json_key cf_adequacy_keys = OBJECT(NULL, 0, adequacy_keys);
