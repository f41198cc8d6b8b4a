#include "report/channel.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/html.h"

static const json_t *data_of(const json_t *fit, size_t data)
{
    return json_array_get(json_object_get(fit, "data"), data);
}

static void read_axis(const json_t *axis, struct cf_shown_axis *out)
{
    *out = (struct cf_shown_axis){cf_view_text(axis, "name"), cf_view_text(axis, "label"),
                                  cf_view_text(axis, "symbol"), cf_view_text(axis, "unit"),
                                  strcmp(cf_view_text(axis, "scale"), "linear") == 0};
}

static void read_channel(const json_t *data, const json_t *channel, struct cf_shown_channel *out)
{
    *out = (struct cf_shown_channel){
        .protocol = cf_view_text(data, "protocol"),
        .name = cf_view_text(channel, "name"),
        .label = cf_view_text(channel, "label"),
        .symbol = cf_view_text(channel, "symbol"),
        .unit = cf_view_text(channel, "unit"),
    };
    read_axis(json_object_get(data, "axis"), &out->axis);
}

/* Has a data set before this one the channel in the same protocol? Logs of other scenes have
 * others.
 */
static bool seen_before(const json_t *fit, size_t data, const char *channel)
{
    const char *protocol = cf_view_text(data_of(fit, data), "protocol");

    for (size_t i = 0; i < data; i++)
        if (strcmp(cf_view_text(data_of(fit, i), "protocol"), protocol) == 0 &&
            cf_view_channel(data_of(fit, i), channel))
            return true;
    return false;
}

bool cf_shown_channel(const json_t *fit, size_t i, struct cf_shown_channel *out)
{
    for (size_t d = 0; data_of(fit, d); d++) {
        const json_t *channel;
        size_t k;
        json_array_foreach(json_object_get(data_of(fit, d), "channels"), k, channel)
        {
            if (strcmp(cf_view_text(channel, "role"), "measured") != 0 ||
                seen_before(fit, d, cf_view_text(channel, "name")))
                continue;
            if (i-- > 0)
                continue;
            read_channel(data_of(fit, d), channel, out);
            return true;
        }
    }
    return false;
}

bool cf_shown_of(const json_t *fit, size_t data, const char *name, struct cf_shown_channel *out)
{
    const json_t *channel = cf_view_channel(data_of(fit, data), name);

    if (channel)
        read_channel(data_of(fit, data), channel, out);
    return channel != NULL;
}

bool cf_shown_judged(const json_t *fit, const json_t *entry, struct cf_shown_channel *out)
{
    const json_t *number = json_object_get(entry, "number");

    if (!cf_shown_of(fit, cf_view_count(entry, "data"), cf_view_text(entry, "channel"), out))
        return false;
    if (!number)
        return true;
    out->name = cf_view_text(number, "name");
    out->label = cf_view_text(number, "label");
    out->symbol = "";
    out->unit = cf_view_text(entry, "unit");
    read_axis(json_object_get(number, "axis"), &out->axis);
    if (!*out->axis.name)
        out->axis = (struct cf_shown_axis){"run", "run", "", "1", true};
    return true;
}

static void read_main(const json_t *data, struct cf_shown_channel *out)
{
    read_channel(data, cf_view_channel(data, cf_view_text(data, "headline")), out);
    out->protocol = NULL;
}

/* Do two main channels have both axes in common? */
static bool share_axes(const struct cf_shown_channel *a, const struct cf_shown_channel *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0 &&
           strcmp(a->axis.name, b->axis.name) == 0 && strcmp(a->axis.unit, b->axis.unit) == 0 &&
           a->axis.linear == b->axis.linear;
}

/* Does a data set before this one have the same main channel? */
static bool main_before(const json_t *fit, size_t data, const struct cf_shown_channel *own)
{
    struct cf_shown_channel other;

    for (size_t i = 0; i < data; i++) {
        read_main(data_of(fit, i), &other);
        if (share_axes(&other, own))
            return true;
    }
    return false;
}

bool cf_shown_main(const json_t *fit, size_t i, struct cf_shown_channel *out)
{
    for (size_t d = 0; data_of(fit, d); d++) {
        read_main(data_of(fit, d), out);
        if (!main_before(fit, d, out) && i-- == 0)
            return true;
    }
    return false;
}

bool cf_shown_headline(const json_t *fit, struct cf_shown_channel *out)
{
    read_main(NULL, out);
    return cf_shown_main(fit, 0, out);
}

bool cf_shown_in(const json_t *fit, const struct cf_shown_channel *channel, size_t data)
{
    struct cf_shown_channel own;

    if (channel->protocol)
        return strcmp(cf_view_text(data_of(fit, data), "protocol"), channel->protocol) == 0;
    read_main(data_of(fit, data), &own);
    return share_axes(&own, channel);
}

bool cf_shown_is_main(const json_t *fit, const struct cf_shown_channel *channel)
{
    for (size_t d = 0; data_of(fit, d); d++)
        if (cf_shown_in(fit, channel, d) &&
            strcmp(cf_view_text(data_of(fit, d), "headline"), channel->name) == 0)
            return true;
    return false;
}

bool cf_shown_has(const json_t *fit, const struct cf_shown_channel *channel, const json_t *item)
{
    return strcmp(cf_view_text(item, "channel"), channel->name) == 0 &&
           cf_shown_in(fit, channel, cf_view_count(item, "data"));
}

bool cf_shown_on(const struct cf_shown_axis *axis, double abscissa)
{
    return isfinite(abscissa) && (axis->linear || abscissa > 0);
}

const json_t *cf_row_channel(const json_t *fit, const json_t *row)
{
    const char *name = cf_view_text(row, json_object_get(row, "from") ? "from" : "channel");
    return cf_view_channel(data_of(fit, cf_view_count(row, "data")), name);
}

static const json_t *find(const json_t *fit, const char *name)
{
    const json_t *channel = NULL;

    for (size_t d = 0; data_of(fit, d) && !channel; d++)
        channel = cf_view_channel(data_of(fit, d), name);
    return channel;
}

const char *cf_channel_label(const json_t *fit, const char *name)
{
    const char *label = cf_view_text(find(fit, name), "label");
    return *label ? label : name;
}

const char *cf_channel_unit(const json_t *fit, const char *name)
{
    const char *unit = cf_view_text(find(fit, name), "unit");
    return *unit ? unit : "1";
}

/* What stands for a word in braces. */
static const char *replacement(const json_t *fit, const char *word)
{
    struct cf_shown_channel c = {.name = "headline",
                                 .label = "headline",
                                 .symbol = "",
                                 .axis = {.name = "axis", .label = "axis", .symbol = ""}};

    if (fit)
        cf_shown_headline(fit, &c);
    if (strcmp(word, "headline") == 0)
        return c.name;
    if (strcmp(word, "label") == 0)
        return c.label;
    if (strcmp(word, "y") == 0)
        return *c.symbol ? c.symbol : c.name;
    if (strcmp(word, "axis label") == 0)
        return c.axis.label;
    return strcmp(word, "x") == 0 && *c.axis.symbol ? c.axis.symbol : c.axis.name;
}

/* The next piece of a text: letters as they stand, or the replacement of a word in braces. Returns
 * where it ends; *length letters of *piece are it, *capital: the first as a capital. */
static const char *next_piece(const json_t *fit, const char *text, const char **piece,
                              size_t *length, bool *capital, bool *replaced)
{
    const char *close = *text == '{' ? strchr(text, '}') : NULL;
    char word[16];

    *capital = *replaced = false;
    if (!close || (size_t) (close - text) > sizeof word) {
        *piece = text;
        *length = 1 + strcspn(text + 1, "{");
        return text + *length;
    }
    *length = (size_t) (close - text) - 1;
    memcpy(word, text + 1, *length);
    word[*length] = '\0';
    *capital = isupper((unsigned char) word[0]);
    *replaced = true;
    word[0] = (char) tolower((unsigned char) word[0]);
    *piece = replacement(fit, word);
    *length = strlen(*piece);
    return close + 1;
}

/* A letter of a piece: the first as a capital where it is asked for, and in names blanks for '_'.
 */
static char shown(char c, bool capital, bool replaced)
{
    if (replaced && c == '_')
        return ' ';
    return capital ? (char) toupper((unsigned char) c) : c;
}

const char *cf_words(const json_t *fit, const char *text, char out[], size_t size)
{
    size_t used = 0;

    while (*text) {
        const char *piece;
        size_t length;
        bool capital, replaced;
        bool axis = tolower((unsigned char) text[1]) == 'a'; /* {headline} names figures, too */
        text = next_piece(fit, text, &piece, &length, &capital, &replaced);
        for (size_t i = 0; i < length && used + 1 < size; i++)
            out[used++] = shown(piece[i], capital && i == 0, replaced && axis);
    }
    out[used] = '\0';
    return out;
}

void cf_words_html(const json_t *fit, const char *text, FILE *html)
{
    while (*text) {
        const char *piece;
        size_t length;
        bool capital, replaced;
        text = next_piece(fit, text, &piece, &length, &capital, &replaced);
        if (!replaced) {
            fwrite(piece, 1, length, html);
            continue;
        }
        if (capital && *piece) {
            cf_html_text(html, (char[]){shown(*piece, true, true), '\0'});
            piece++;
        }
        for (size_t n; *piece; piece += n) {
            n = strcspn(piece, "_");
            cf_html_letters(html, piece, n);
            fputs(piece[n] ? " " : "", html);
            n += piece[n] ? 1 : 0;
        }
    }
}

void cf_caption_points(const json_t *fit, FILE *html)
{
    const json_t *points = json_object_get(fit, "points");
    size_t held = cf_view_count(points, "held"), of = cf_view_count(points, "of");

    if (held >= of)
        return;
    fprintf(html, " Drawn are %zu of %zu rows: ", held, of);
    cf_html_text(html, cf_view_text(points, "rule"));
    fputs(".", html);
}
