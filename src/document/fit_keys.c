/* The shape of fit/3 files, a table for every object in them. */

#include "document/fit_keys_rows.h"

static const char *const verdicts[] = {"good", "weak", "misfit", "undetermined", "failed", NULL};
static const char *const parameter_verdicts[] = {"fine", "weak",    "flat", "at bound", "dead",
                                                 "held", "derived", "tied", NULL};
static const char *const roles[] = {"fitted", "start", "held", "derived", "tied", NULL};
static const char *const channel_roles[] = {"imposed", "measured", NULL};
static const char *const bounds_by[] = {"default", "data", "study", NULL};
static const char *const methods[] = {"profile", "wald", "sandwich", "clusters", NULL};
static const char *const sigma_kinds[] = {"given", "estimated", NULL};
static const char *const sigma_models[] = {"constant", "proportional", "both", "power", NULL};
static const char *const uses[] = {"fit", "held-out", "excluded", NULL};
static const char *const left_out_by[] = {"refit", "influence", NULL};
static const struct cf_json_key text = TEXT(NULL, 0);
static const struct cf_json_key number = NUMBER(NULL, 0);
static const struct cf_json_key number_or_null = NUMBER(NULL, NIL);
static const struct cf_json_key bound_by = WORD(NULL, 0, bounds_by);
static const struct cf_json_key any = ANY(NULL, 0);
static const struct cf_json_key numbers = LIST(NULL, 0, number);

static const struct cf_json_key body_keys[] = {
    TEXT("name", 0),
    TEXT("material", OPT),
    TEXT("shape", 0),
    NUMBER("radius_m", OPT),
    NUMBER("mass_kg", OPT),
    TRUTH("fixed", OPT),
    END,
};
static const struct cf_json_key body = OBJECT(NULL, 0, body_keys);

static const struct cf_json_key study_keys[] = {
    TEXT("path", 0),          TEXT("sha256", 0),      NUMBER("gravity_m_s2", 0),
    LIST("bodies", 0, body),  TEXT("law", 0),         LIST("fit", 0, text),
    MAP("given", OPT, any),   MAP("tie", OPT, text),  LIST("rivals", 0, text),
    MAP("options", OPT, any), COUNT("hold_out", OPT), END,
};

static const struct cf_json_key excluded_keys[] = {COUNT("line", 0), TEXT("because", 0),
                                                   COUNT("to_line", OPT), COUNT("rows", OPT), END};
static const struct cf_json_key excluded = OBJECT(NULL, 0, excluded_keys);

/* low and high: of the rows that were fitted. */
static const struct cf_json_key axis_keys[] = {
    NAME("name", 0),
    LABEL("unit", 0),
    WORD("scale", 0, cf_axis_scales),
    LABEL("label", 0),
    NAME("symbol", OPT),
    NUMBER("low", NIL),
    NUMBER("high", NIL),
    END,
};

/* n: rows of the fit that have it. sigma_kind, sigma and rms: of what was fitted. */
static const struct cf_json_key channel_keys[] = {
    NAME("name", 0),
    LABEL("unit", 0),
    LABEL("label", 0),
    NAME("symbol", OPT),
    WORD("role", 0, channel_roles),
    TRUTH("all_laws", OPT),
    COUNT("n", 0),
    WORD("sigma_kind", OPT, sigma_kinds),
    NUMBER("sigma", OPT), /* of another model than a constant: the root mean square */
    WORD("sigma_model", OPT, sigma_models),
    NUMBER("sigma_base", OPT),
    NUMBER("sigma_slope", OPT),
    NUMBER("sigma_exponent", OPT),
    NUMBER("sigma_floor", OPT), /* sigma is then beside one known of each row: root mean square, */
    NUMBER("sigma_imposed", OPT), /* and beside what the error of the imposed quantity carries over
                                   */
    NUMBER("rms", OPT),
    END,
};
static const struct cf_json_key channel = OBJECT(NULL, 0, channel_keys);

/* A number of the apparatus; usual: as the protocol's table has it. */
static const struct cf_json_key part_keys[] = {
    NUMBER("value", NIL),
    TEXT("unit", 0),
    TRUTH("usual", 0),
    END,
};
static const struct cf_json_key part = OBJECT(NULL, 0, part_keys);

/* One of several files of a record. */
static const struct cf_json_key part_file_keys[] = {
    TEXT("file", 0), TEXT("sha256", 0), COUNT("rows", 0), LIST("channels", 0, text), END};
static const struct cf_json_key part_file = OBJECT(NULL, 0, part_file_keys);

static const struct cf_json_key data_keys[] = {
    TEXT("name", 0),
    TEXT("protocol", 0),
    TEXT("file", NIL),
    TEXT("sha256", 0),
    LIST("files", OPT, part_file),
    COUNT("rows", 0),
    COUNT("rows_held_out", 0),
    COUNT("rows_excluded", 0),
    LIST("between", OPT, text),
    NUMBER("mass_kg", NIL),
    NUMBER("radius_m", NIL),
    NUMBER("modulus_Pa", OPT),
    LIST("excluded", 0, excluded),
    OBJECT("axis", 0, axis_keys),
    NAME("headline", 0),
    LIST("channels", 0, channel),
    MAP("apparatus", 0, part),
    OBJECT("press", OPT, cf_press_keys),
    MAP("conditions", OPT, number),
    OBJECT("record", OPT, cf_record_keys),
    LIST("provenance", 0, text),
    END,
};
static const struct cf_json_key data = OBJECT(NULL, 0, data_keys);

static const struct cf_json_key reason_keys[] = {TEXT("rule", 0),        TEXT("word", 0),
                                                 TEXT("accuses", 0),     TEXT("test", OPT),
                                                 NUMBER("p", OPT),       NUMBER("level", OPT),
                                                 NUMBER("size", OPT),    TEXT("unit", OPT),
                                                 TEXT("data", OPT),      NAME("channel", OPT),
                                                 TEXT("parameter", OPT), NUMBER("at", OPT),
                                                 TEXT("text", 0),        END};
static const struct cf_json_key reason = OBJECT(NULL, 0, reason_keys);

static const struct cf_json_key verdict_keys[] = {
    WORD("status", 0, verdicts),
    TRUTH("trusted", 0),
    TRUTH("misfit", OPT), /* also where
                             something is
                             undetermined
                           */
    WORD("needed", OPT, cf_adequacy_answers),
    TEXT("summary", 0),
    LIST("reasons", 0, reason),
    LIST("advice", 0, text),
    END,
};

static const struct cf_json_key interval_keys[] = {
    NUMBER("level", 0), NUMBER("low", NIL), NUMBER("high", NIL), WORD("method", 0, methods), END,
};
static const struct cf_json_key wald_keys[] = {
    NUMBER("level", 0),
    NUMBER("low", NIL),
    NUMBER("high", NIL),
    END,
};
static const struct cf_json_key profile_keys[] = {
    LIST("value", 0, number),
    LIST("delta", 0, number),
    NUMBER("threshold", 0),
    END,
};
static const struct cf_json_key parameter_keys[] = {
    NUMBER("value", NIL),
    LABEL("unit", 0),
    TEXT("what", 0),
    WORD("role", 0, roles),
    WORD("verdict", 0, parameter_verdicts),
    TEXT("verdict_text", OPT),
    OBJECT("interval", NIL, interval_keys),
    OBJECT("wald", NIL, wald_keys),
    LIST("bounds", OPT, number_or_null),
    LIST("bounds_by", OPT, bound_by),
    WORD("scale", OPT, cf_axis_scales),
    OBJECT("profile", NIL, profile_keys),
    END,
};
static const struct cf_json_key parameter = OBJECT(NULL, 0, parameter_keys);

static const struct cf_json_key combination_keys[] = {
    TEXT("name", 0),     NUMBER("value", NIL),
    TEXT("unit", 0),     OBJECT("interval", NIL, interval_keys),
    LIST("of", 0, text), END,
};
static const struct cf_json_key combination = OBJECT(NULL, 0, combination_keys);

/* Of one data set; data: its place in the list of them. */
static const struct cf_json_key nuisance_keys[] = {
    TEXT("name", 0),
    COUNT("data", 0),
    NUMBER("value", NIL),
    LABEL("unit", 0),
    TEXT("what", 0),
    TRUTH("prior", 0),
    OBJECT("interval", NIL, interval_keys),
    END,
};
static const struct cf_json_key nuisance = OBJECT(NULL, 0, nuisance_keys);

static const struct cf_json_key covariance_keys[] = {
    LIST("names", 0, text),
    LIST("matrix", 0, numbers),
    LIST("correlation", 0, numbers),
    END,
};

/* In theta, the logarithms of parameters on a log scale; one row for each parameter. */
static const struct cf_json_key share_keys[] = {
    COUNT("data", 0),
    LIST("sets", OPT, number),
    NAME("channel", 0),
    NUMBER("sigma", 0),
    NUMBER("base", OPT), /* not constant, or beside what is known of each row: sigma^2 = base^2 +
                          * slope^2 |x|^(2 exponent) */
    NUMBER("slope", OPT),
    NUMBER("exponent", OPT), /* 1 where it is not there */
    NUMBER("imposed", OPT),  /* what errors of the imposed quantity add: root mean square */
    NUMBER("shared", OPT),   /* of what the rows of a group share */
    NUMBER("gain", OPT),     /* of what they share as a share of the reading */
    TRUTH("estimated", 0),
    NUMBER("dof", 0),
    LIST("share", OPT, numbers),
    END,
};
static const struct cf_json_key share = OBJECT(NULL, 0, share_keys);
static const struct cf_json_key truth = TRUTH(NULL, 0);

/* A parameter that groups have values of their own of: the standard deviation of these in theta,
 * and its degrees of freedom. */
static const struct cf_json_key differ_keys[] = {
    NAME("parameter", 0),
    NUMBER("sigma", 0),
    NUMBER("dof", 0),
    END,
};
static const struct cf_json_key differ = OBJECT(NULL, 0, differ_keys);

static const struct cf_json_key uncertainty_keys[] = {
    LIST("names", 0, text),         LIST("shared_by", OPT, text), LIST("theta", 0, number),
    LIST("covariance", 0, numbers), LIST("null", 0, numbers),     LIST("dead", 0, truth),
    LIST("channels", 0, share),     LIST("differ", OPT, differ),  END,
};

static const struct cf_json_key statistics_keys[] = {
    COUNT("n", 0),
    COUNT("free", 0),
    COUNT("rank", 0),
    NUMBER("dof", 0),
    NUMBER("chi2", NIL),
    NUMBER("chi2_per_dof", NIL),
    NUMBER("chi2_p", NIL),
    NUMBER("chi2_of_data", OPT),
    NUMBER("dof_of_data", OPT),
    NUMBER("minus_2_log_likelihood", NIL),
    NUMBER("aicc", NIL),
    NUMBER("bic", NIL),
    END,
};

static const struct cf_json_key points_keys[] = {
    COUNT("held", 0),
    COUNT("of", 0),
    TEXT("rule", 0),
    END,
};

static const struct cf_json_key observation_keys[] = {
    COUNT("data", 0),
    COUNT("line", 0),
    NAME("channel", 0),
    NUMBER("abscissa", 0),
    NUMBER("value", 0),
    NUMBER("sigma", NIL),
    NUMBER("predicted", NIL),
    NUMBER("low", OPT),
    NUMBER("high", OPT),
    NUMBER("residual", NIL),
    WORD("use", 0, uses),
    NUMBER("true_value", OPT),
    NUMBER("true_sigma", OPT),
    NUMBER("weight", OPT),
    NUMBER("leave_one_out", OPT),
    WORD("leave_one_out_by", OPT, left_out_by),
    END,
};
static const struct cf_json_key observation = OBJECT(NULL, 0, observation_keys);

static const struct cf_json_key point_keys[] = {
    COUNT("data", 0),      COUNT("line", 0),     NAME("from", 0),
    NUMBER("abscissa", 0), NUMBER("value", NIL), NUMBER("sigma", NIL),
    WORD("use", 0, uses),  NAME("branch", OPT),  END,
};
static const struct cf_json_key point = OBJECT(NULL, 0, point_keys);

static const struct cf_json_key curve = OBJECT(NULL, 0, cf_curve_keys);

/* A row whose numbers are null parts what lies on both sides of a gap. */
static const struct cf_json_key loop_keys[] = {
    COUNT("data", 0),
    NAME("channel", 0),
    NAME("along", 0),
    COUNT("step", 0),
    LIST("abscissa", 0, number_or_null),
    LIST("value", 0, number_or_null),
    LIST("predicted", 0, number_or_null),
    END,
};
static const struct cf_json_key loop = OBJECT(NULL, 0, loop_keys);

static const char *const losses[] = {"squares", "huber", "student-t", NULL};
static const struct cf_json_key loss_keys[] = {
    WORD("name", 0, losses),
    NUMBER("scale", NIL),
    END,
};

static const char *const kinds[] = {"outlier", "influential", NULL};
static const struct cf_json_key outlier_keys[] = {
    WORD("kind", 0, kinds),    TEXT("data", 0),
    NAME("channel", 0),        COUNT("line", 0),
    NUMBER("abscissa", 0),     NUMBER("studentized", NIL),
    NUMBER("p_adjusted", NIL), NUMBER("cook", NIL),
    TEXT("text", 0),           END,
};
static const struct cf_json_key outlier = OBJECT(NULL, 0, outlier_keys);

/* n: of refits and by influence; of: where only those were left out that move the fit most. */
static const struct cf_json_key leave_keys[] = {
    COUNT("n", 0), COUNT("of", OPT), COUNT("by_influence", 0), NUMBER("rms_sigma", NIL), END,
};

static const struct cf_json_key bias_keys[] = {
    NUMBER("max", NIL), NUMBER("max_over_sigma", NIL), NUMBER("gate", 0), TRUTH("passed", 0), END,
};

static const struct cf_json_key plausible_keys[] = {
    TEXT("rule", 0),    TEXT("of", 0),          NUMBER("value", NIL), LABEL("unit", 0),
    NUMBER("low", NIL), NUMBER("high", NIL),    TEXT("why", 0),       TRUTH("plausible", 0),
    TEXT("slip", OPT),  TRUTH("possible", OPT), TRUTH("stated", OPT), END,
};
static const struct cf_json_key plausible = OBJECT(NULL, 0, plausible_keys);

static const struct cf_json_key fit_keys[] = {
    TEXT("contactfit", 0),
    TEXT("version", 0),
    TEXT("name", 0),
    TEXT("title", 0),
    TEXT("command", 0),
    COUNT("seed", 0),
    OBJECT("study", 0, study_keys),
    TEXT("law", 0),
    TEXT("law_cite", 0),
    TEXT("law_formula", 0),
    LIST("data", 0, data),
    OBJECT("verdict", 0, verdict_keys),
    MAP("parameters", 0, parameter),
    LIST("combinations", 0, combination),
    LIST("nuisances", OPT, nuisance),
    OBJECT("covariance", NIL, covariance_keys),
    OBJECT("uncertainty", OPT, uncertainty_keys),
    OBJECT("statistics", 0, statistics_keys),
    LIST("plausibility", OPT, plausible),
    LIST("adequacy", OPT, cf_adequacy_keys),
    OBJECT("errors", OPT, cf_errors_keys),
    LIST("tests", 0, cf_test_keys),
    LIST("noise_tests", OPT, cf_test_keys),
    LIST("prior_tests", OPT, cf_prior_test_keys),
    OBJECT("smoothness", OPT, cf_smoothness_keys),
    OBJECT("budget", OPT, cf_budget_keys),
    LIST("agreement", OPT, cf_agreement_keys),
    OBJECT("points", 0, points_keys),
    LIST("observations", 0, observation),
    LIST("headline_points", 0, point),
    OBJECT("held_out", NIL, cf_held_out_keys),
    LIST("loops", OPT, loop),
    LIST("curves", 0, curve),
    LIST("predictive", OPT, curve),
    LIST("rivals", 0, cf_rival_keys),
    OBJECT("tournament", OPT, cf_tournament_keys),
    LIST("starts", 0, cf_start_keys),
    OBJECT("loss", OPT, loss_keys),
    LIST("outliers", OPT, outlier),
    OBJECT("leave_one_out", OPT | NIL, leave_keys),
    OBJECT("solver_bias", NIL, bias_keys),
    LIST("bootstrap", OPT, cf_bootstrap_keys),
    OBJECT("posterior", OPT, cf_posterior_keys),
    OBJECT("simulators", OPT, cf_simulators_keys),
    END,
};

const struct cf_json_key cf_fit_keys = OBJECT(NULL, 0, fit_keys);
