/* The keys of the uncertainty budget. */

#include "document/fit_keys_rows.h"

/* The observation whose prediction moves most where the number moves by u and the optimum follows.
 */
static const struct cf_json_key curve_keys[] = {
    TEXT("data", 0),     NAME("channel", 0), COUNT("line", 0),    NUMBER("abscissa", 0),
    NUMBER("change", 0), LABEL("unit", 0),   NUMBER("sigmas", 0), END,
};

/* A number of the study; u: its standard uncertainty, what is stated over k. */
static const char *const of[] = {"body", "instrument", "parameter", NULL};
static const char *const distributions[] = {"standard", "expanded", "rectangular", NULL};
static const struct cf_json_key source_keys[] = {
    TEXT("name", 0),
    TEXT("stated", 0),
    WORD("of", 0, of),
    WORD("distribution", 0, distributions),
    NUMBER("k", 0),
    NUMBER("value", 0),
    NUMBER("u", 0),
    LABEL("unit", 0),
    OBJECT("curve", NIL, curve_keys),
    TEXT("remark", OPT),
    END,
};
static const struct cf_json_key source = OBJECT(NULL, 0, source_keys);
static const struct cf_json_key contribution = NUMBER(NULL, NIL);

/* A parameter or combination. Relative: uncertainties are shares of it, else in its unit. type_b:
 * by source, with the sign of its change where that one is larger; null: not known. dof null:
 * infinite. */
static const struct cf_json_key number_keys[] = {
    NUMBER("value", 0),    LABEL("unit", 0),     TRUTH("relative", 0),
    NUMBER("type_a", 0),   NUMBER("dof_a", NIL), LIST("type_b", 0, contribution),
    NUMBER("combined", 0), NUMBER("dof", NIL),   NUMBER("coverage_factor", 0),
    NUMBER("low", NIL),    NUMBER("high", NIL),  END,
};
static const struct cf_json_key number = OBJECT(NULL, 0, number_keys);

const struct cf_json_key cf_budget_keys[] = {
    NUMBER("level", 0),
    LIST("sources", 0, source),
    MAP("numbers", 0, number),
    TEXT("remark", OPT),
    END,
};
