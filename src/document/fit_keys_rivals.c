/* The shape of a comparison in fit/3 files: its laws with their curves, and rows held out of all
 * their fits. */

#include "document/fit_keys_rows.h"

static const char *const outcomes[] = {"ok", "failed", NULL};
static const struct cf_json_key number = NUMBER(NULL, 0);
static const struct cf_json_key number_or_null = NUMBER(NULL, NIL);

/* unit, units, text: where laws are compared on these. */
const struct cf_json_key cf_held_out_keys[] = {
    COUNT("n", 0),
    NUMBER("rms_sigma", NIL),
    MAP("rms", 0, number_or_null),
    TEXT("unit", OPT),
    COUNT("units", OPT),
    TEXT("text", OPT),
    END,
};

static const char *const roles[] = {"fitted", "nuisance", "start", NULL};
static const struct cf_json_key value_keys[] = {NUMBER("value", NIL), TEXT("unit", 0),
                                                WORD("role", OPT, roles), END};
static const struct cf_json_key value = OBJECT(NULL, 0, value_keys);

/* Of what the study holds; value: a number, or "hertz". */
static const struct cf_json_key held_keys[] = {ANY("value", 0), TEXT("unit", 0), END};
static const struct cf_json_key held = OBJECT(NULL, 0, held_keys);

/* difference and the rest: of root mean squares in sigmas, from that of the study's own law. */
static const struct cf_json_key predicted_keys[] = {
    MAP("rms", 0, number_or_null),       NUMBER("difference", OPT),
    NUMBER("standard_error", OPT | NIL), NUMBER("p", OPT | NIL),
    NUMBER("p_adjusted", OPT | NIL),     END,
};

/* A number of a curve is null where the law predicts none. */
const struct cf_json_key cf_curve_keys[] = {
    COUNT("data", 0),
    NAME("channel", 0),
    NAME("branch", OPT),
    COUNT("part", OPT),
    LIST("abscissa", 0, number),
    LIST("value", 0, number_or_null),
    LIST("low", OPT, number_or_null),
    LIST("high", OPT, number_or_null),
    END,
};
static const struct cf_json_key lacked = TEXT(NULL, 0);
static const struct cf_json_key rival_keys[] = {
    TEXT("law", 0),
    TRUTH("own", 0),
    WORD("status", 0, outcomes),
    TEXT("why", OPT),
    COUNT("n", OPT),
    COUNT("rank", OPT),
    NUMBER("minus_2_log_likelihood", OPT),
    NUMBER("aicc", OPT),
    NUMBER("bic", OPT),
    NUMBER("delta_aicc", OPT),
    NUMBER("weight", OPT),
    NUMBER("rms_sigma", OPT),
    MAP("rms", OPT, number_or_null),
    NUMBER("held_out_rms_sigma", OPT),
    OBJECT("held_out", OPT, predicted_keys),
    NUMBER("leave_one_out_rms_sigma", OPT | NIL),
    MAP("parameters", OPT, value),
    MAP("held", OPT, held),
    LIST("lacks", OPT, lacked), /* parameters in which groups differ */
    TRUTH("groups_by_reading", OPT),
    OBJECT("curve", OPT, cf_curve_keys),
    END,
};
const struct cf_json_key cf_rival_keys = OBJECT(NULL, 0, rival_keys);
