/* The keys of a test of residuals. */

#include "document/fit_keys_rows.h"

static const struct cf_json_key test_keys[] = {
    TEXT("data", 0),          TEXT("channel", 0), TEXT("test", 0),
    NUMBER("statistic", NIL), NUMBER("p", NIL),   NUMBER("p_adjusted", NIL),
    TRUTH("rejects", 0),      TEXT("text", 0),    END,
};
const struct cf_json_key cf_test_keys = OBJECT(NULL, 0, test_keys);
