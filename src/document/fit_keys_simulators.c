/* The shape of what a fit is worth in simulators, in fit/3 files. */

#include "document/fit_keys_rows.h"

static const struct cf_json_key number = NUMBER(NULL, 0);
static const struct cf_json_key number_or_null = NUMBER(NULL, NIL);

static const struct cf_json_key target_keys[] = {TEXT("name", 0), TEXT("title", 0), END};
static const struct cf_json_key target = OBJECT(NULL, 0, target_keys);

static const struct cf_json_key step_keys[] = {
    NUMBER("e", NIL), NUMBER("low", NIL), NUMBER("high", NIL), TRUTH("good", 0), END,
};
static const struct cf_json_key step = OBJECT(NULL, 0, step_keys);

static const struct cf_json_key mark_keys[] = {
    NUMBER("speed_m_s", 0), NUMBER("e", NIL), NUMBER("low", NIL), NUMBER("high", NIL), END,
};
static const struct cf_json_key mark = OBJECT(NULL, 0, mark_keys);

static const struct cf_json_key row_keys[] = {
    LIST("targets", 0, target),
    TEXT("exactness", 0),
    TEXT("why", 0),
    TEXT("instead", NIL),
    NUMBER("e", NIL),
    NUMBER("range_error", NIL),
    NUMBER("range_speed_m_s", NIL),
    NUMBER("largest_dt_s", NIL),
    TRUTH("good", 0),
    LIST("steps", 0, step),
    LIST("curve", 0, number_or_null),
    LIST("marks", OPT, mark),
    END,
};
static const struct cf_json_key row = OBJECT(NULL, 0, row_keys);

const struct cf_json_key cf_simulators_keys[] = {
    NUMBER("speed_m_s", 0),        NUMBER("e", NIL),
    NUMBER("bound", NIL),          LIST("dt_s", 0, number),
    LIST("speeds_m_s", 0, number), LIST("fit", 0, number_or_null),
    LIST("rows", 0, row),          END,
};
