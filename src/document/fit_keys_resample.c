/* The shape of the other results in fit/3 files: the fit's starts, the bootstrap, the posterior and
 * the tournament. */

#include "document/fit_keys_rows.h"

static const struct cf_json_key text = TEXT(NULL, 0);
static const struct cf_json_key number = NUMBER(NULL, 0);
static const struct cf_json_key number_or_null = NUMBER(NULL, NIL);
static const struct cf_json_key numbers = LIST(NULL, 0, number);

static const char *const endings[] = {"converged", "no convergence", "failed", NULL};

static const char *const origins[] = {"sobol", "stated", "hand", "crs2",      "direct",
                                      "mlsl",  "isres",  "esch", "displaced", NULL};
static const struct cf_json_key start_keys[] = {
    WORD("origin", OPT, origins), COUNT("rows", OPT),
    NUMBER("cost", NIL),          WORD("status", 0, endings),
    COUNT("evaluations", 0),      MAP("parameters", 0, number_or_null),
    TRUTH("at_optimum", 0),       END,
};
const struct cf_json_key cf_start_keys = OBJECT(NULL, 0, start_keys);

static const char *const bootstrap_kinds[] = {"rows", "parametric", NULL};
static const char *const bootstrap_methods[] = {"BCa", "percentile", NULL};
static const struct cf_json_key resampled_keys[] = {
    NUMBER("standard_error", NIL),
    NUMBER("bias", NIL),
    NUMBER("low", NIL),
    NUMBER("high", NIL),
    WORD("method", 0, bootstrap_methods),
    END,
};
static const struct cf_json_key resampled = OBJECT(NULL, 0, resampled_keys);

static const struct cf_json_key bootstrap_keys[] = {
    WORD("kind", 0, bootstrap_kinds),
    NUMBER("level", 0),
    COUNT("replicates", 0),
    COUNT("failed", 0),
    TRUTH("shown", 0),
    TEXT("why", NIL),
    MAP("parameters", 0, resampled),
    MAP("combinations", 0, resampled),
    END,
};
const struct cf_json_key cf_bootstrap_keys = OBJECT(NULL, 0, bootstrap_keys);

static const struct cf_json_key posterior_number_keys[] = {
    NUMBER("median", NIL),       NUMBER("low", NIL),         NUMBER("high", NIL),
    NUMBER("rhat", NIL),         NUMBER("ess", NIL),         TEXT("prior", 0),
    NUMBER("prior_centre", OPT), NUMBER("prior_sigma", OPT), END,
};
static const struct cf_json_key posterior_number = OBJECT(NULL, 0, posterior_number_keys);

static const char *const noise_kinds[] = {"sigma",  "base",    "slope",      "correlation", "tau",
                                          "record", "partial", "slow-share", NULL};
static const struct cf_json_key noise_keys[] = {
    WORD("kind", 0, noise_kinds),
    TEXT("data", OPT),
    TEXT("level", OPT),
    NAME("channel", OPT),
    NAME("parameter", OPT), /* tau of a parameter: no channel */
    NAME("with", OPT),
    NUMBER("exponent", OPT),
    COUNT("lag", OPT),
    LABEL("unit", 0),
    NUMBER("median", NIL),
    NUMBER("low", NIL),
    NUMBER("high", NIL),
    NUMBER("rhat", NIL),
    NUMBER("ess", NIL),
    TEXT("prior", 0),
    END,
};
static const struct cf_json_key noise = OBJECT(NULL, 0, noise_keys);

static const struct cf_json_key correlation_keys[] = {
    LIST("names", 0, text),
    LIST("matrix", 0, numbers),
    END,
};

const struct cf_json_key cf_posterior_keys[] = {
    TRUTH("converged", 0),     TEXT("why", NIL),
    NUMBER("level", 0),        COUNT("ensembles", 0),
    COUNT("walkers", 0),       COUNT("warm_up", 0),
    COUNT("steps", 0),         NUMBER("rhat_max", NIL),
    NUMBER("ess_min", NIL),    MAP("parameters", 0, posterior_number),
    LIST("noise", OPT, noise), OBJECT("correlation", NIL, correlation_keys),
    MAP("draws", 0, numbers),  END,
};

static const struct cf_json_key contender_keys[] = {
    TEXT("law", 0),
    TEXT("same_as", NIL),
    TRUTH("describes", 0),
    TRUTH("rejected", 0),
    TEXT("verdict", 0),
    COUNT("starts", 0),
    COUNT("confirmed", 0),
    LIST("tests", 0, cf_test_keys),
    END,
};
static const struct cf_json_key contender = OBJECT(NULL, 0, contender_keys);

static const struct cf_json_key predicted_keys[] = {
    COUNT("n", 0),
    TEXT("best", 0),
    TEXT("next", NIL),
    TEXT("unit", OPT),
    COUNT("units", OPT),
    NUMBER("difference", OPT | NIL),
    NUMBER("standard_error", OPT | NIL),
    NUMBER("p", NIL),
    END,
};

const struct cf_json_key cf_tournament_keys[] = {
    TEXT("summary", 0),
    TEXT("best", NIL),
    COUNT("curves", 0),
    COUNT("describing", 0),
    LIST("statements", 0, text),
    OBJECT("held_out", NIL, predicted_keys),
    LIST("contenders", 0, contender),
    END,
};
