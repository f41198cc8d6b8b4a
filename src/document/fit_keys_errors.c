/* The keys of what a fit takes the errors of its rows to be. */

#include "document/fit_keys_rows.h"

static const char *const sigma_kinds[] = {"given", "estimated", NULL};

/* sigma: what the rows of one group of the level share in the channel, or in the parameter, over
 * all data sets. Relative: a share of the reading; of a parameter on a log scale. */
static const char *const shared_of[] = {"shift", "reading", "parameter", NULL};
static const struct cf_json_key shared_keys[] = {
    TEXT("level", 0),       WORD("of", OPT, shared_of),
    NAME("protocol", OPT),  NAME("channel", OPT),
    NAME("parameter", OPT), LABEL("unit", 0),
    TRUTH("relative", OPT), COUNT("groups", 0),
    COUNT("rows", 0),       TRUTH("identified", 0),
    NUMBER("sigma", NIL),   NUMBER("low", NIL),
    NUMBER("high", NIL),    END,
};
static const struct cf_json_key shared = OBJECT(NULL, 0, shared_keys);
static const char *const group_origins[] = {"silent",    "stated", "by place",
                                            "by record", "none",   NULL};
/* Errors of two columns of the same rows. */
static const struct cf_json_key correlated_keys[] = {
    TEXT("data", 0), NAME("channel", 0), NAME("with", 0), NUMBER("correlation", 0), END};
static const struct cf_json_key correlated = OBJECT(NULL, 0, correlated_keys);
/* Errors of records that neighbouring rows share. */
static const struct cf_json_key record_keys[] = {
    TEXT("data", 0),
    NAME("record", 0),
    LABEL("unit", 0),
    WORD("sigma_kind", 0, sigma_kinds),
    TRUTH("identified", 0),
    NUMBER("sigma", NIL),
    END,
};
static const struct cf_json_key record = OBJECT(NULL, 0, record_keys);
/* Errors that follow each other from row to row. step_s: of the rows; NULL: no clock. */
static const char *const serial_models[] = {"white", "ar", "white-ar", NULL};
static const struct cf_json_key coefficient = NUMBER(NULL, 0);
static const struct cf_json_key serial_keys[] = {
    TEXT("data", 0),
    NAME("channel", 0),
    WORD("model", 0, serial_models),
    COUNT("order", 0),
    LIST("coefficients", 0, coefficient),
    NUMBER("share", OPT),
    COUNT("rows", 0),
    COUNT("runs", 0),
    NUMBER("effective_rows", 0),
    NUMBER("correlation_rows", 0),
    NUMBER("step_s", NIL),
    TRUTH("settled", 0),
    END,
};
static const struct cf_json_key serial = OBJECT(NULL, 0, serial_keys);
const struct cf_json_key cf_errors_keys[] = {
    WORD("group", 0, group_origins), LIST("correlated", OPT, correlated),
    LIST("records", OPT, record),    LIST("serial", OPT, serial),
    LIST("shared", 0, shared),       END,
};
