#include "report/html.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "report/symbols.h"

#define MINUS "&minus;"
#define THIN "&#8239;" /* narrow, and no line breaks there */

static void put(FILE *out, char c)
{
    static const struct {
        char c;
        const char *entity;
    } special[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},
                   {'"', "&quot;"}, {'\'', "&#39;"}, {'`', "&#96;"}};

    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        if (special[i].c == c) {
            fputs(special[i].entity, out);
            return;
        }
    }
    fputc(iscntrl((unsigned char) c) ? ' ' : c, out);
}

void cf_html_none(FILE *out)
{
    fputs("<span class=\"none\">&ndash;</span>", out);
}

void cf_html_text(FILE *out, const char *text)
{
    cf_html_letters(out, text, strlen(text));
}

void cf_html_letters(FILE *out, const char *text, size_t len)
{
    for (size_t n; len; text += n, len -= n) {
        n = cf_utf8_length(text, len);
        n = n ? n : 1;
        if (n > 1 && cf_text_unsafe(text, n))
            fputs("&#xFFFD;", out);
        else
            for (size_t i = 0; i < n; i++)
                put(out, text[i]);
    }
}

/* Letters of a name up to its first '_', and how many follow from there on. */
static size_t name_length(const char *text, size_t *tail)
{
    size_t len = 0;

    *tail = 0;
    while (isalpha((unsigned char) text[len]))
        len++;
    while (text[len] == '_' &&
           (isalnum((unsigned char) text[len + *tail]) || text[len + *tail] == '_'))
        ++*tail;
    return len;
}

/* A name within a formula: a letter is a symbol, and what follows its '_' is lowered; words stay
 * as they are, and names made of words (peak_force) become these words. Returns where it ends. */
static const char *put_name(FILE *out, const char *text)
{
    size_t tail, len = name_length(text, &tail);
    struct cf_symbol name = cf_symbol_of(text, len + tail);
    bool symbol = name.letter;

    if (name.length > len) /* the symbol stands for all of it */
        tail = 0, len = name.length;
    fputs(symbol ? "<i>" : "", out);
    if (name.greek)
        fputs(name.greek, out);
    for (size_t i = 0; i < len && !name.greek; i++)
        put(out, text[i]);
    fputs(symbol ? "</i>" : "", out);
    fputs(symbol && tail > 1 ? "<sub>" : "", out);
    for (size_t i = symbol ? 1 : 0; i < tail; i++)
        put(out, text[len + i] == '_' ? ' ' : text[len + i]);
    fputs(symbol && tail > 1 ? "</sub>" : "", out);
    return text + len + tail;
}

/* A root, "sqrt(R)": of a single letter without its parentheses. Returns where it ends, or NULL
 * where text begins with none. */
static const char *put_root(FILE *out, const char *text)
{
    static const char root[] = "sqrt(";

    if (strncmp(text, root, sizeof root - 1) != 0)
        return NULL;
    fputs("&radic;", out);
    text += sizeof root - 1;
    if (!isalpha((unsigned char) text[0]) || text[1] != ')')
        return text - 1;
    put_name(out, (char[]){text[0], '\0'});
    return text + 2;
}

/* A unit with its one, "(1 m/s)", by which a logarithm's argument is made a number. Returns where
 * it ends, or NULL. */
static const char *put_unit_of_one(FILE *out, const char *text)
{
    static const char one[] = "(1 ";
    char unit[16];
    const char *close = strchr(text, ')');
    size_t n = close ? (size_t) (close - text) : 0, before = sizeof one - 1;
    struct cf_unit parsed;
    struct cf_error err;

    if (strncmp(text, one, before) != 0 || n <= before || n - before >= sizeof unit)
        return NULL;
    memcpy(unit, text + before, n - before);
    unit[n - before] = '\0';
    if (cf_unit_parse(unit, &parsed, &err))
        return NULL;
    fputs("(1", out);
    cf_html_unit(out, unit);
    fputs(")", out);
    return close + 1;
}

/* What a name belongs to, in brackets: the name of a data set is words. Returns where it ends. */
static const char *put_owner(FILE *out, const char *text)
{
    while (*text && *text != ']')
        put(out, *text++);
    return text;
}

/* What follows a '^': a number, or something in parentheses. Returns where it ends. */
static const char *put_exponent(FILE *out, const char *text)
{
    const char *close = *text == '(' ? strchr(text, ')') : NULL;
    size_t len = close ? (size_t) (close - text) - 1 : 0;

    text += close ? 1 : 0;
    if (!close) {
        size_t sign = *text == '-', digits = strspn(text + sign, "0123456789.");
        len = sign + (digits ? digits : strspn(text + sign, "abcdefghijklmnopqrstuvwxyz"));
    }
    fputs("<sup>", out);
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '-')
            fputs(MINUS, out);
        else
            put(out, text[i]);
    }
    fputs("</sup>", out);
    return text + len + (close ? 1 : 0);
}

/* "a - b", "-b" and "1-n" have a minus; "half-sphere" a hyphen. */
static bool is_hyphen(const char *formula, const char *at)
{
    return *at == '-' && at > formula && isalpha((unsigned char) at[-1]) &&
           isalpha((unsigned char) at[1]);
}

void cf_html_formula(FILE *out, const char *formula)
{
    const char *begin = formula, *end;

    while (*formula) {
        if ((end = put_root(out, formula)) || (end = put_unit_of_one(out, formula))) {
            formula = end;
        } else if (isalpha((unsigned char) *formula)) {
            formula = put_name(out, formula);
        } else if (*formula == '\'' && formula > begin && isalnum((unsigned char) formula[-1])) {
            fputs("&prime;", out);
            formula++;
        } else if (*formula == '^') {
            formula = put_exponent(out, formula + 1);
        } else if (*formula == '[') {
            formula = put_owner(out, formula);
        } else {
            if (*formula == '-' && !is_hyphen(begin, formula))
                fputs(MINUS, out);
            else
                put(out, *formula);
            formula++;
        }
    }
}

void cf_html_unit(FILE *out, const char *unit)
{
    if (strcmp(unit, "1") == 0 || !unit[0])
        return;
    fputs(THIN, out);
    cf_html_unit_alone(out, unit);
}

void cf_html_unit_alone(FILE *out, const char *unit)
{
    fputs("<span class=\"unit\">", out);
    while (*unit) {
        if (*unit == '^') {
            unit = put_exponent(out, unit + 1);
        } else {
            if (*unit == ' ')
                fputs(THIN, out);
            else
                put(out, *unit);
            unit++;
        }
    }
    fputs("</span>", out);
}

void cf_html_base64(FILE *out, const char *bytes, size_t len)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < len; i += 3) {
        uint32_t three = 0;
        for (size_t j = 0; j < 3; j++)
            three = three << 8 | (i + j < len ? (unsigned char) bytes[i + j] : 0);
        for (size_t j = 0; j < 4; j++)
            fputc(i + j <= len ? digit[three >> (18 - 6 * j) & 63] : '=', out);
    }
}

void cf_html_table_begin(FILE *out, const char *const heads[], size_t n)
{
    /* a wide table keeps its width on a phone, and scrolls; a dense one is set smaller */
    const char *kind = n > 8 ? " class=\"wide dense\"" : n > 4 ? " class=\"wide\"" : "";
    bool numbers = false;

    for (size_t i = 0; i < n; i++)
        numbers = numbers || heads[i][0] == '>' || !heads[i][0];
    /* three columns of words say what they are: on a phone they stand below each other */
    if (n == 3 && !numbers)
        kind = " class=\"few\"";

    fprintf(out, "<div class=\"scroll\"><table%s>\n<thead><tr>", kind);
    for (size_t i = 0; i < n; i++)
        fprintf(out,
                heads[i][0] == '>' ? "<th scope=\"col\" class=\"r\">%s</th>"
                                   : "<th scope=\"col\">%s</th>",
                heads[i] + (heads[i][0] == '>'));
    fputs("</tr></thead>\n<tbody>\n", out);
}

void cf_html_table_end(FILE *out)
{
    fputs("</tbody></table></div>\n", out);
}
