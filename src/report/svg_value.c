#define _POSIX_C_SOURCE 200809L
#include "report/svg_value.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { DEEPEST = 30 };

/* Colours of ours that go with the page. */
static const struct {
    const char *from, *to;
} colours[] = {
    {"black", "var(--ink)"},    {"#000000", "var(--ink)"},   {"#222222", "var(--ink)"},
    {"white", "var(--paper)"},  {"#ffffff", "var(--paper)"}, {"#dddddd", "var(--grid)"},
    {"#999999", "var(--soft)"}, {"#666666", "var(--soft)"},
};

bool cf_svg_harmless(struct cf_svg_piece value)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789#+-.,()% \t\n";

    for (size_t i = 0; i < value.len; i++)
        if (!value.at[i] || !strchr(allowed, value.at[i]))
            return false;
    for (size_t i = 0; i + 3 <= value.len; i++)
        if (strncasecmp(value.at + i, "url", 3) == 0)
            return false;
    return true;
}

bool cf_svg_is_plain(struct cf_svg_piece name)
{
    static const char *const plain[] = {"x",
                                        "y",
                                        "dx",
                                        "dy",
                                        "x1",
                                        "y1",
                                        "x2",
                                        "y2",
                                        "cx",
                                        "cy",
                                        "r",
                                        "rx",
                                        "ry",
                                        "width",
                                        "height",
                                        "transform",
                                        "fill-opacity",
                                        "fill-rule",
                                        "stroke-dasharray",
                                        "stroke-opacity",
                                        "opacity",
                                        "font-weight"};

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (cf_svg_is(name, plain[i]))
            return true;
    return false;
}

void cf_svg_colour(struct cf_svg_piece value, char out[CF_SVG_VALUE])
{
    unsigned r, g, b;
    char text[CF_SVG_VALUE];

    snprintf(text, sizeof text, "%.*s", (int) value.len, value.at);
    if (sscanf(text, "rgb(%u,%u,%u)", &r, &g, &b) == 3 ||
        (strlen(text) == 7 && sscanf(text, "#%2x%2x%2x", &r, &g, &b) == 3))
        snprintf(out, CF_SVG_VALUE, "#%02x%02x%02x", r & 255, g & 255, b & 255);
    else
        snprintf(out, CF_SVG_VALUE, "%s", text);
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (strcmp(out, colours[i].from) == 0)
            snprintf(out, CF_SVG_VALUE, "%s", colours[i].to);
}

void cf_svg_number(struct cf_svg_piece value, char out[CF_SVG_VALUE])
{
    snprintf(out, CF_SVG_VALUE, "%.*s", (int) value.len, value.at);
    size_t n = strlen(out);
    if (!strchr(out, '.') || strspn(out, "0123456789.") != n)
        return;
    while (out[n - 1] == '0')
        out[--n] = '\0';
    if (out[n - 1] == '.')
        out[n - 1] = '\0';
}

/* Definitions refer to earlier ones: so many in a row are no figure of gnuplot. */
static bool is_used(const char *svg, const char *end, struct cf_svg_piece id, size_t depth)
{
    const char *close = NULL;

    for (const char *at = svg; end - at > 7 && !close; at++)
        if (memcmp(at, "</defs>", 7) == 0)
            close = at;
    for (const char *at = svg; (size_t) (end - at) > id.len + 1; at++) {
        if (*at != '#' || memcmp(at + 1, id.at, id.len) != 0 || !strchr("'\"", at[1 + id.len]))
            continue;
        if (!close || at > close)
            return true;
        /* another definition does: is that one used? */
        struct cf_svg_tag by;
        const char *begin = at;
        while (begin > svg && *begin != '<')
            begin--;
        if (depth < DEEPEST && cf_svg_tag(&begin, end, &by) && cf_svg_value(&by, "id") &&
            is_used(svg, end, *cf_svg_value(&by, "id"), depth + 1))
            return true;
    }
    return false;
}

bool cf_svg_used(const char *svg, const char *end, struct cf_svg_piece id)
{
    return is_used(svg, end, id, 0);
}

struct cf_svg_piece cf_svg_description(const char *svg, const char *end)
{
    static const char open[] = "<desc>";
    size_t n = strlen(open);

    for (const char *at = svg; (size_t) (end - at) > n; at++) {
        if (memcmp(at, open, n) != 0)
            continue;
        const char *close = memchr(at + n, '<', (size_t) (end - at) - n);
        return (struct cf_svg_piece){at + n, close ? (size_t) (close - at) - n : 0};
    }
    return (struct cf_svg_piece){svg, 0};
}
