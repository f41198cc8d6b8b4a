/* The shape of the volume over depth of a probe in fit/3 files. */

#include "document/fit_keys_rows.h"

static const struct cf_json_key number = NUMBER(NULL, 0);

/* Pieces one after the other from 0 on, with the volume where each ends and dV/dz at both of its
 * ends; error: of the volume, relative. */
const struct cf_json_key cf_press_keys[] = {
    TEXT("shape", 0),
    NUMBER("error", 0),
    LIST("to_m", 0, number),
    LIST("volume_m3", 0, number),
    LIST("area_from_m2", 0, number),
    LIST("area_to_m2", 0, number),
    END,
};

/* The record of a data set that was cut into segments: use counts as in fit_json_record.c. */
static const struct cf_json_key record_use = COUNT(NULL, 0);
static const struct cf_json_key record_text = TEXT(NULL, 0);
static const struct cf_json_key record_place = NUMBER(NULL, NIL);
const struct cf_json_key cf_record_keys[] = {
    NAME("channel", 0),
    TEXT("along", 0),
    COUNT("step", 0),
    LIST("abscissa", 0, number),
    LIST("value", 0, number),
    LIST("use", 0, record_use),
    LIST("starts", 0, record_place),
    LIST("reasons", 0, record_text),
    END,
};
