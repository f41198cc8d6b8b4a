#include "report/html_svg.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "report/html.h"
#include "report/svg_gather.h"
#include "report/svg_marks.h"
#include "report/svg_path.h"
#include "report/svg_tag.h"
#include "report/svg_value.h"

/* Bytes of a tag, and of numbers in an attribute: of what is longer nothing is written. */
enum { DEEPEST = 30, TAG = 2048, NUMBERS = 1200 };

/* What draws. Of everything else nothing is written, nor of what stands inside it. */
static const char *const elements[] = {"g",        "path",    "rect", "circle", "ellipse", "line",
                                       "polyline", "polygon", "use",  "text",   "tspan",   "defs"};

/* What an element has from the one it stands in, where it does not say otherwise; and what all of a
 * figure begins with, by the style of the page. */
static const char *const inherited[] = {"color",        "fill",           "stroke",
                                        "stroke-width", "stroke-linecap", "stroke-linejoin",
                                        "font-size",    "text-anchor"};
enum { COLOR, FILL, STROKE, STROKE_WIDTH, FONT_SIZE = 6, ANCHOR };
enum { NINHERITED = sizeof inherited / sizeof inherited[0] };
static const char *const initial[NINHERITED] = {"var(--ink)", "none",  "currentColor", "1.3",
                                                "round",      "round", "15",           "start"};

/* An element that is open. Its tag is written once something stands in it; of a group in which
 * nothing does, nothing is left. */
struct level {
    struct cf_svg_piece name;
    bool kept, shown, written; /* with what stands in it; with a tag; which is written */
    bool defines;              /* in <defs> */
    char tag[TAG];
    char value[NINHERITED][CF_SVG_VALUE];
    struct cf_svg_piece transform; /* of a group of text, for the text */
};

struct writer {
    const struct cf_html_svg *figure;
    const char *svg, *end;
    FILE *out;
    bool cut; /* something was too long to be written */
    struct cf_svg_marks marks;
    size_t depth;
    struct level level[DEEPEST];
};

static bool draws(struct cf_svg_piece name)
{
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (cf_svg_is(name, elements[i]))
            return true;
    return false;
}

static void append(char tag[TAG], const char *name, const char *value)
{
    size_t at = strlen(tag);
    snprintf(tag + at, TAG - at, " %s=\"%s\"", name, value);
}

/* The value of an inherited attribute at this level; true where it is said here. */
static bool take(struct level *level, const struct level *around, const struct cf_svg_tag *from,
                 size_t i)
{
    const struct cf_svg_piece *value = cf_svg_value(from, inherited[i]);
    char *now = level->value[i];

    snprintf(now, CF_SVG_VALUE, "%s", around ? around->value[i] : initial[i]);
    if (!value || value->len >= CF_SVG_VALUE || !cf_svg_harmless(*value))
        return false;
    if (i <= STROKE)
        cf_svg_colour(*value, now);
    else
        cf_svg_number(*value, now);
    /* the ink is the current colour, where that is the ink */
    if (i > COLOR && strcmp(now, level->value[COLOR]) == 0)
        snprintf(now, CF_SVG_VALUE, "currentColor");
    return true;
}

/* References within the figure, and what is referred to. */
static void put_links(const struct writer *w, const struct cf_svg_tag *from, struct level *level)
{
    const struct cf_svg_piece *id = cf_svg_value(from, "id"), *to = cf_svg_value(from, "href");
    char name[CF_SVG_VALUE + 80];

    to = to ? to : cf_svg_value(from, "xlink:href");
    if (id && level->defines && id->len < CF_SVG_VALUE && cf_svg_harmless(*id)) {
        level->kept = level->kept && cf_svg_used(w->svg, w->end, *id);
        snprintf(name, sizeof name, "%s-%.*s", w->figure->id, (int) id->len, id->at);
        append(level->tag, "id", name);
    }
    if (to && to->len > 1 && to->at[0] == '#' && to->len < CF_SVG_VALUE && cf_svg_harmless(*to)) {
        snprintf(name, sizeof name, "#%s-%.*s", w->figure->id, (int) to->len - 1, to->at + 1);
        append(level->tag, "href", name);
    }
}

/* "translate(67.12,230.37)" of a group is the place of its text; else its transformation. */
static void put_place(struct cf_svg_piece transform, struct level *text)
{
    double x, y;
    int used = 0;
    char value[80], number[CF_SVG_VALUE];

    snprintf(value, sizeof value, "%.*s", (int) transform.len, transform.at);
    if (sscanf(value, "translate(%lf,%lf)%n", &x, &y, &used) == 2 && !value[used]) {
        for (int i = 0; i < 2; i++) { /* to a tenth of a pixel, as paths have it */
            snprintf(number, sizeof number, "%g", round(10 * (i ? y : x)) / 10);
            append(text->tag, i ? "y" : "x", number);
        }
    } else if (transform.len && transform.len < sizeof value && cf_svg_harmless(transform)) {
        append(text->tag, "transform", value);
    }
}

/* Text has its style from the page: what differs from it stands in its tag, its anchor as a class.
 */
static void put_text(const struct level *around, struct level *text)
{
    char style[CF_SVG_VALUE + 8];

    if (around && around->transform.at)
        put_place(around->transform, text);
    if (strcmp(text->value[FONT_SIZE], initial[FONT_SIZE]) != 0)
        append(text->tag, "font-size", text->value[FONT_SIZE]);
    if (strcmp(text->value[ANCHOR], initial[ANCHOR]) != 0)
        append(text->tag, "class", strcmp(text->value[ANCHOR], "end") == 0 ? "e" : "m");
    bool ink = strcmp(text->value[FILL], "currentColor") == 0 &&
               strcmp(text->value[COLOR], initial[COLOR]) == 0;
    if (!ink && strcmp(text->value[FILL], "none") != 0) {
        snprintf(style, sizeof style, "fill:%s", text->value[FILL]);
        append(text->tag, "style", style);
    }
}

/* Attributes that are inherited: of what is drawn those that differ from what a figure begins with,
 * since groups are not written for them; of a definition those that are its own. */
static void put_inherited(const struct level *around, struct level *level,
                          const struct cf_svg_tag *from)
{
    bool group = cf_svg_is(from->name, "g"), run = cf_svg_is(from->name, "tspan");
    bool text = cf_svg_is(from->name, "text"), root = cf_svg_is(from->name, "svg");
    const struct cf_svg_piece *class = cf_svg_value(from, "class");
    bool grid = class && cf_svg_is(*class, "gridline");

    if (grid)
        append(level->tag, "class", "g");
    for (size_t i = 0; i < NINHERITED; i++) {
        bool said = take(level, around, from, i);
        if (group || text || root || (grid && (i == STROKE || i == STROKE_WIDTH)))
            continue;
        if (level->defines || run ? said : i < FONT_SIZE && strcmp(level->value[i], initial[i]))
            append(level->tag, inherited[i], level->value[i]);
    }
}

static void put_plain(struct writer *w, struct level *level, const struct cf_svg_tag *from,
                      bool of_text)
{
    for (size_t i = 0; i < from->n; i++) {
        struct cf_svg_piece name = from->attribute[i].name, value = from->attribute[i].value;
        char word[NUMBERS], key[CF_SVG_VALUE];
        if (of_text && cf_svg_is(name, "transform")) {
            level->transform = value;
            continue;
        }
        if (cf_svg_is(name, "font-style") && cf_svg_is(value, "italic"))
            append(level->tag, "class", "i");
        if (!cf_svg_is_plain(name) || !cf_svg_harmless(value))
            continue;
        w->cut = w->cut || value.len >= NUMBERS;
        snprintf(key, sizeof key, "%.*s", (int) name.len, name.at);
        snprintf(word, sizeof word, "%.*s", (int) (value.len < NUMBERS ? value.len : 0), value.at);
        append(level->tag, key, word);
    }
}

static void open_element(struct writer *w, const struct cf_svg_tag *from)
{
    const struct level *around = w->depth ? &w->level[w->depth - 1] : NULL;
    struct level *level = &w->level[w->depth];
    bool group = cf_svg_is(from->name, "g"), text = cf_svg_is(from->name, "text");
    bool of_text = group && cf_svg_value(from, "font-size");
    bool known = !around || (draws(from->name) && !cf_svg_is_paper(from));
    bool polygon = cf_svg_is(from->name, "polygon");

    *level = (struct level){.name = from->name, .kept = known && (!around || around->kept)};
    level->defines = cf_svg_is(from->name, "defs") || (around && around->defines);
    if (!level->kept)
        return;
    if (!text && around)
        level->transform = around->transform;
    /* the points of a polygon are written as those of a path */
    snprintf(level->tag, TAG, "<%.*s", (int) (polygon ? 4 : from->name.len),
             polygon ? "path" : from->name.at);
    size_t bare = strlen(level->tag);
    put_inherited(around, level, from);
    if (around)
        put_plain(w, level, from, of_text);
    put_links(w, from, level);
    if (text)
        put_text(around, level);
    /* a run of text without a style of its own is text, and a group that says nothing is none */
    bool silent = strlen(level->tag) == bare;
    level->shown = around && !(silent && (group || cf_svg_is(from->name, "tspan")));
}

/* Is a tag open and not written yet? */
static bool waits(const struct writer *w)
{
    for (size_t i = 0; i < w->depth; i++)
        if (w->level[i].shown && !w->level[i].written)
            return true;
    return false;
}

/* The tags that are open and not written yet, behind the marks before them. */
static void write_tags(struct writer *w)
{
    cf_svg_marks_end(&w->marks);
    for (size_t i = 0; i < w->depth; i++) {
        struct level *level = &w->level[i];
        if (level->shown && !level->written)
            fprintf(w->out, "%s>", level->tag);
        level->written = level->shown;
    }
}

static void put_path(struct writer *w, const struct level *level, const struct cf_svg_tag *from)
{
    const struct cf_svg_piece *data = cf_svg_value(from, "d");
    const struct cf_svg_piece *points = cf_svg_value(from, "points");

    fprintf(w->out, "%s d=\"", level->tag);
    if (data)
        cf_svg_path(data->at, data->len, w->out);
    if (points) {
        cf_svg_path(points->at, points->len, w->out);
        fputc('z', w->out);
    }
    fputs("\"/>", w->out);
}

/* An element without content. */
static void put_empty(struct writer *w, const struct cf_svg_tag *from)
{
    const struct level *level = &w->level[w->depth];

    if (!level->kept || !level->shown)
        return;
    if (waits(w))
        write_tags(w);
    if (!level->defines && cf_svg_mark(&w->marks, level->tag))
        return;
    write_tags(w);
    if (cf_svg_is(from->name, "path") || cf_svg_is(from->name, "polygon"))
        put_path(w, level, from);
    else
        fprintf(w->out, "%s/>", level->tag);
}

static void close_element(struct writer *w)
{
    struct level *level = &w->level[--w->depth];

    if (level->written) {
        cf_svg_marks_end(&w->marks);
        fprintf(w->out, "</%.*s>", (int) level->name.len, level->name.at);
    }
}

/* What stands between tags: the words of the figure. */
static void put_words(struct writer *w, const char *from, const char *to)
{
    const struct level *level = w->depth ? &w->level[w->depth - 1] : NULL;
    bool words =
        level && level->kept && (cf_svg_is(level->name, "text") || cf_svg_is(level->name, "tspan"));

    if (!words || from == to)
        return;
    write_tags(w);
    fwrite(from, 1, (size_t) (to - from), w->out);
}

static int put_root(struct writer *w, const struct cf_svg_tag *root, struct cf_error *err)
{
    const struct cf_svg_piece *width = cf_svg_value(root, "width"),
                              *height = cf_svg_value(root, "height");
    const char *id = w->figure->id;
    struct cf_svg_piece shown = cf_svg_description(w->svg, w->end);

    if (!width || !height || !cf_svg_harmless(*width) || !cf_svg_harmless(*height))
        return cf_fail(err, CF_EDRAW, "gnuplot drew a figure without a size");
    fprintf(w->out,
            "<svg class=\"f\" role=\"img\" aria-labelledby=\"%s-t%s%s%s\" width=\"%.*s\" "
            "height=\"%.*s\" viewBox=\"0 0 %.*s %.*s\">\n<title id=\"%s-t\">",
            id, shown.len ? " " : "", shown.len ? id : "", shown.len ? "-d" : "", (int) width->len,
            width->at, (int) height->len, height->at, (int) width->len, width->at,
            (int) height->len, height->at, id);
    cf_html_text(w->out, w->figure->title);
    fputs("</title>\n", w->out);
    if (shown.len)
        fprintf(w->out, "<desc id=\"%s-d\">%.*s</desc>\n", id, (int) shown.len, shown.at);
    return CF_OK;
}

static int put_tag(struct writer *w, const struct cf_svg_tag *tag, struct cf_error *err)
{
    int status = CF_OK;

    if (tag->closes) {
        if (w->depth == 0 || w->level[w->depth - 1].name.len != tag->name.len ||
            memcmp(w->level[w->depth - 1].name.at, tag->name.at, tag->name.len) != 0)
            return cf_fail(err, CF_EDRAW, "gnuplot drew no SVG: </%.*s> ends nothing",
                           (int) tag->name.len, tag->name.at);
        close_element(w);
        return CF_OK;
    }
    if (w->depth == 0)
        status = cf_svg_is(tag->name, "svg") ? put_root(w, tag, err)
                                             : cf_fail(err, CF_EDRAW, "gnuplot drew no SVG");
    if (!status && w->depth == DEEPEST)
        return cf_fail(err, CF_EDRAW, "gnuplot drew an SVG deeper than %d elements", DEEPEST);
    if (status)
        return status;
    open_element(w, tag);
    if (tag->empty)
        put_empty(w, tag);
    else
        w->depth++;
    return CF_OK;
}

static int put_all(struct writer *w, struct cf_error *err)
{
    int status = CF_OK;
    bool any = false;

    for (const char *at = w->svg; at < w->end && !status;) {
        const char *open = memchr(at, '<', (size_t) (w->end - at));
        struct cf_svg_tag tag;
        put_words(w, at, open ? open : w->end);
        if (!open)
            break;
        at = open;
        if (!cf_svg_tag(&at, w->end, &tag))
            return cf_fail(err, CF_EDRAW, "gnuplot drew no SVG: a tag does not end");
        if (tag.name.len)
            status = put_tag(w, &tag, err);
        any = any || tag.name.len;
    }
    if (!status && w->cut)
        status = cf_fail(err, CF_EDRAW,
                         "gnuplot drew an SVG with more than %d bytes of numbers "
                         "in an attribute",
                         NUMBERS);
    if (!status && (!any || w->depth > 0))
        return cf_fail(err, CF_EDRAW, "gnuplot drew no SVG: it does not end");
    cf_svg_marks_end(&w->marks);
    fputs("</svg>\n", w->out);
    return status;
}

int cf_html_svg(const struct cf_html_svg *figure, const char *svg, size_t len, FILE *out,
                struct cf_error *err)
{
    struct writer *w = calloc(1, sizeof *w);
    struct cf_text_stream text;
    int status = CF_OK;

    if (cf_text_begin(&text) && w) {
        w->out = text.out;
        w->figure = figure;
        w->svg = svg;
        w->end = svg + len;
        w->marks = (struct cf_svg_marks){.out = w->out, .id = figure->id};
        status = put_all(w, err);
    }
    if (!cf_text_end(&text) || !w)
        status = cf_fail(err, CF_ENOMEM, "no memory for a figure");
    if (!status)
        cf_svg_gather(text.bytes, out);
    free(text.bytes);
    free(w);
    return status;
}
