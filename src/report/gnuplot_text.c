/* Words of gnuplot's language that charts have a hand in: nothing of them may become a command. */

#include <string.h>

#include "report/gnuplot_parts.h"

static void fail(struct cf_gnuplot *to, const char *what)
{
    if (to->status == CF_OK)
        to->status = cf_fail(to->err, CF_EINPUT, "a figure cannot be drawn: %s", what);
}

/* Letters between single quotes, where nothing but the quote means more than itself to gnuplot,
 * which takes a doubled one for two ends at some places: it is put in between two texts, within
 * double quotes. Enhanced text has marks of its own. */
static void put_letters(struct cf_gnuplot *to, const char *letters, bool enhanced)
{
    for (const char *c = letters; *c; c++) {
        if ((unsigned char) *c < ' ' || *c == 127) {
            fail(to, "a control character in a text");
            return;
        }
        if (enhanced && strchr("{}^_@&~\\", *c))
            fputc('\\', to->script);
        fputs(*c == '\'' ? "'.\"'\".'" : (char[]){*c, '\0'}, to->script);
    }
}

/* Braces are opened and closed so that the next run stands at its level: one further out than the
 * last run's lies within that run's. */
static int put_level(struct cf_gnuplot *to, int from, int level)
{
    bool deeper = from * level > 0 && (level > 0 ? level > from : level < from);

    for (int depth = from > 0 ? from : -from; depth > 0 && !deeper; depth--)
        fputc('}', to->script);
    for (int at = deeper ? from : 0; at != level; at += level > 0 ? 1 : -1)
        fputs(level > 0 ? "^{" : "_{", to->script);
    return level;
}

void cf_gnuplot_text(struct cf_gnuplot *to, const struct cf_text *text, bool enhanced)
{
    static const char *const face[] = {
        [CF_FACE_ROMAN] = NULL, [CF_FACE_ITALIC] = "Italic", [CF_FACE_BOLD] = "Bold"};
    int level = 0;

    fputc('\'', to->script);
    for (size_t i = 0; i < text->nrun; i++) {
        const char *name = enhanced ? face[text->run[i].face] : NULL;
        if (enhanced)
            level = put_level(to, level, text->run[i].level);
        if (name)
            fprintf(to->script, "{/:%s ", name);
        put_letters(to, cf_text_letters(text, i), enhanced);
        if (name)
            fputc('}', to->script);
    }
    put_level(to, level, 0);
    fputc('\'', to->script);
}

void cf_gnuplot_colour(struct cf_gnuplot *to, const char *option, const char *colour)
{
    bool known = colour && colour[0] == '#' && strlen(colour) == 7 &&
                 strspn(colour + 1, "0123456789ABCDEFabcdef") == 6;
    if (known)
        fprintf(to->script, " %s rgb '%s'", option, colour);
    else
        fail(to, "a colour that is none");
}

void cf_gnuplot_fill(struct cf_gnuplot *to, const char *colour, double opacity)
{
    cf_gnuplot_colour(to, "fillcolor", colour);
    fprintf(to->script, " fillstyle transparent solid %g noborder", opacity > 0 ? opacity : 1);
}

void cf_gnuplot_line(struct cf_gnuplot *to, const struct cf_style *style)
{
    fprintf(to->script, " linewidth %g", style->width > 0 ? style->width : 1);
    if (style->dash && (!*style->dash || style->dash[strspn(style->dash, "0123456789,")]))
        fail(to, "a dash that is none");
    else if (style->dash)
        fprintf(to->script, " dashtype (%s)", style->dash);
    cf_gnuplot_colour(to, "linecolor", style->colour);
}
