/* The keys of tests: of residuals, of priors, and of channels beside each other. */

#include "document/fit_keys_rows.h"

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
