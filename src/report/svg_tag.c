#include "report/svg_tag.h"

#include <ctype.h>
#include <string.h>

bool cf_svg_is(struct cf_svg_piece piece, const char *text)
{
    return strlen(text) == piece.len && memcmp(piece.at, text, piece.len) == 0;
}

const struct cf_svg_piece *cf_svg_value(const struct cf_svg_tag *tag, const char *name)
{
    for (size_t i = 0; i < tag->n; i++)
        if (cf_svg_is(tag->attribute[i].name, name))
            return &tag->attribute[i].value;
    return NULL;
}

static bool is_name(char c)
{
    return isalnum((unsigned char) c) || c == ':' || c == '-' || c == '_';
}

static struct cf_svg_piece read_name(const char **at, const char *end)
{
    struct cf_svg_piece name = {*at, 0};

    while (*at < end && is_name(**at))
        ++*at;
    name.len = (size_t) (*at - name.at);
    return name;
}

static void skip_blanks(const char **at, const char *end)
{
    while (*at < end && isspace((unsigned char) **at))
        ++*at;
}

/* name = 'value' */
static bool read_attribute(const char **at, const char *end, struct cf_svg_tag *tag)
{
    if (tag->n == CF_SVG_ATTRIBUTES)
        return false;
    struct cf_svg_piece name = read_name(at, end);
    skip_blanks(at, end);
    if (name.len == 0 || *at >= end || **at != '=')
        return false;
    ++*at;
    skip_blanks(at, end);
    if (*at >= end || (**at != '"' && **at != '\''))
        return false;
    const char quote = **at, *value = ++*at;
    const char *close = memchr(value, quote, (size_t) (end - value));
    if (!close)
        return false;
    *at = close + 1;
    tag->attribute[tag->n].name = name;
    tag->attribute[tag->n++].value = (struct cf_svg_piece){value, (size_t) (close - value)};
    return true;
}

/* Behind the text, or NULL. */
static const char *behind(const char *at, const char *end, const char *text)
{
    size_t n = strlen(text);

    for (; (size_t) (end - at) >= n; at++)
        if (memcmp(at, text, n) == 0)
            return at + n;
    return NULL;
}

bool cf_svg_tag(const char **at, const char *end, struct cf_svg_tag *tag)
{
    *tag = (struct cf_svg_tag){.n = 0};
    if (end - *at < 3 || **at != '<')
        return false;
    if ((*at)[1] == '!' || (*at)[1] == '?') {
        bool comment = end - *at > 3 && memcmp(*at, "<!--", 4) == 0;
        *at = behind(*at, end, comment ? "-->" : ">");
        return *at != NULL;
    }
    ++*at;
    tag->closes = **at == '/';
    *at += tag->closes;
    tag->name = read_name(at, end);
    if (tag->name.len == 0)
        return false;
    for (;;) {
        skip_blanks(at, end);
        if (*at >= end)
            return false;
        if (**at == '>' || **at == '/') {
            tag->empty = **at == '/';
            *at += 1 + tag->empty;
            return *at <= end && (*at)[-1] == '>';
        }
        if (!read_attribute(at, end, tag))
            return false;
    }
}

bool cf_svg_is_paper(const struct cf_svg_tag *tag)
{
    const struct cf_svg_piece *x = cf_svg_value(tag, "x"), *y = cf_svg_value(tag, "y");
    return cf_svg_is(tag->name, "rect") && x && y && cf_svg_is(*x, "0") && cf_svg_is(*y, "0");
}
