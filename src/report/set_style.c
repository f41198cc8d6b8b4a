#include "report/set_style.h"

#include <ctype.h>
#include <string.h>

#include "document/view.h"
#include "report/layout.h"

enum cf_point_use cf_point_use(const json_t *point)
{
    const char *use = cf_view_text(point, "use");
    return strcmp(use, "fit") == 0        ? CF_POINT_FIT
           : strcmp(use, "held-out") == 0 ? CF_POINT_HELD_OUT
                                          : CF_POINT_EXCLUDED;
}

static const enum cf_marker shapes[] = {
    CF_MARKER_CIRCLE,  CF_MARKER_SQUARE,   CF_MARKER_TRIANGLE, CF_MARKER_TRIANGLE_DOWN,
    CF_MARKER_DIAMOND, CF_MARKER_PENTAGON, CF_MARKER_PLUS,     CF_MARKER_STAR};

/* Of each round of shapes: the points that were fitted, and those that were held out. */
static const struct {
    const char *fit, *held_out;
} rounds[] = {
    {CF_INK, CF_VERMILION}, {CF_GREEN, CF_ORANGE},  {"#AB4B9E", CF_PURPLE}, {CF_BLUE, CF_SKY},
    {"#8B6914", "#B98A2E"}, {"#2F8040", "#6E9A2C"}, {CF_VIOLET, "#9A86DA"}, {"#B5503C", "#DB7560"},
};
enum { NSHAPE = sizeof shapes / sizeof *shapes, NROUND = sizeof rounds / sizeof *rounds };

struct cf_style cf_set_style(size_t set, enum cf_point_use use, bool second)
{
    const double larger = 1.25;
    size_t again = set / (NSHAPE * NROUND), round = set / NSHAPE % NROUND;
    struct cf_style style = {.colour = rounds[round].fit,
                             .width = 1.2,
                             .marker = shapes[set % NSHAPE],
                             .filled = use == CF_POINT_FIT && !second,
                             .size = 1 / (1 + 0.5 * (double) again)};

    if (use == CF_POINT_HELD_OUT) {
        style.colour = rounds[round].held_out;
        style.size *= larger;
    } else if (use == CF_POINT_EXCLUDED) {
        style.colour = CF_GREY;
        style.marker = CF_MARKER_CROSS;
    }
    return style;
}

bool cf_readable(const char *name)
{
    enum { LONGEST = 32 };
    size_t length = strlen(name);

    for (const char *c = name; *c; c++)
        if ((unsigned char) *c > 127 ||
            (!isalnum((unsigned char) *c) && !strchr(" .,()+-=/_%", *c)))
            return false;
    return length > 0 && length <= LONGEST;
}

void cf_set_title(const json_t *fit, struct cf_chart_series *series, enum cf_key key, size_t set,
                  enum cf_point_use use, bool alone)
{
    static const char *const words[] = {"measured", "held out", "excluded"};
    const char *name = cf_view_text(json_array_get(json_object_get(fit, "data"), set), "name");
    const char *behind = use == CF_POINT_HELD_OUT ? ", held out" : "";
    size_t rank = CF_NPOINT_USE * set + (size_t) use;

    if (alone || use == CF_POINT_EXCLUDED)
        cf_series_title(series, key, rank, "%s", words[use]);
    else if (cf_readable(name))
        cf_series_title(series, key, rank, "%s%s", name, behind);
    else
        cf_series_title(series, key, rank, "set %zu%s", set + 1, behind);
}
