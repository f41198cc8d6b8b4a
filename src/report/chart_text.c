#include "report/chart_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "document/view.h"
#include "report/symbols.h"

/* Format letters behind those that are there, or over the NUL of the last run. */
__attribute__((__format__(printf, 4, 0))) static void
put(struct cf_text *text, enum cf_face face, int level, const char *format, va_list args)
{
    const struct cf_text_run *last = text->nrun > 0 ? &text->run[text->nrun - 1] : NULL;
    bool joins = last && last->face == CF_FACE_ROMAN && last->level == 0 && face == CF_FACE_ROMAN &&
                 level == 0;
    size_t start = joins ? text->size - 1 : text->size, room = sizeof text->letters - start;

    if (room < 2 || (!joins && text->nrun == CF_TEXT_RUNS))
        return;
    int length = vsnprintf(text->letters + start, room, format, args);
    if (length <= 0 && !joins)
        return;
    text->size = start + strlen(text->letters + start) + 1;
    if (!joins)
        text->run[text->nrun++] = (struct cf_text_run){face, level, start};
}

void cf_text_put(struct cf_text *text, enum cf_face face, int level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put(text, face, level, format, args);
    va_end(args);
}

void cf_text_add(struct cf_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    put(text, CF_FACE_ROMAN, 0, format, args);
    va_end(args);
}

void cf_text_symbol(struct cf_text *text, const char *name)
{
    struct cf_symbol symbol = cf_symbol_of(name, strlen(name));
    size_t length = symbol.length;

    if (!symbol.letter) {
        cf_text_add(text, "%s", name);
        return;
    }
    if (symbol.greek)
        cf_text_put(text, CF_FACE_ITALIC, 0, "%s", symbol.greek);
    else
        cf_text_put(text, CF_FACE_ITALIC, 0, "%.*s", (int) length, name);
    /* "e_at_1": the second index belongs to the first */
    for (int level = -1; name[length]; level--) {
        name += length + 1;
        length = strcspn(name, "_");
        cf_text_put(text, CF_FACE_ROMAN, level, "%.*s", (int) length, name);
    }
}

/* Plain names with dots between them: "torque.bias", "bodies.plate.plane.height". */
static bool is_path(const char *name)
{
    while (true) {
        size_t length = strcspn(name, ".");
        char part[64];
        if (length >= sizeof part)
            return false;
        memcpy(part, name, length);
        part[length] = '\0';
        if (!cf_view_plain(part))
            return false;
        if (!name[length])
            return true;
        name += length + 1;
    }
}

bool cf_text_parameter(struct cf_text *text, const char *name)
{
    size_t length = strcspn(name, "["), all = strlen(name);
    char first[64];

    if (length >= sizeof first || (length < all && name[all - 1] != ']'))
        return false;
    memcpy(first, name, length);
    first[length] = '\0';
    if (cf_view_plain(first))
        cf_text_symbol(text, first);
    else if (is_path(first))
        cf_text_add(text, "%s", first);
    else
        return false;
    cf_text_add(text, "%s", name + length);
    return true;
}

void cf_text_unit(struct cf_text *text, const char *unit)
{
    while (*unit) {
        size_t plain = strcspn(unit, "^");
        cf_text_add(text, "%.*s", (int) plain, unit);
        unit += plain;
        if (!*unit)
            return;
        /* a number, or what stands for one: m^n, m^(p+1) */
        bool bracket = unit[1] == '(';
        size_t length = bracket ? strcspn(unit + 2, ")") : strspn(unit + 1, "-0123456789.np");
        cf_text_put(text, CF_FACE_ROMAN, 1, "%.*s", (int) length, unit + 1 + bracket);
        unit += 1 + length + bracket + (bracket && unit[length + 2]);
    }
}

void cf_text_power(struct cf_text *text, int exponent)
{
    cf_text_add(text, "10");
    cf_text_put(text, CF_FACE_ROMAN, 1, "%d", exponent);
}

const char *cf_text_letters(const struct cf_text *text, size_t i)
{
    return text->letters + text->run[i].start;
}

bool cf_text_same(const struct cf_text *a, const struct cf_text *b)
{
    bool same = a->nrun == b->nrun;

    for (size_t i = 0; i < a->nrun && same; i++)
        same = a->run[i].face == b->run[i].face && a->run[i].level == b->run[i].level &&
               strcmp(cf_text_letters(a, i), cf_text_letters(b, i)) == 0;
    return same;
}
