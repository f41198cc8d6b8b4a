#include "report/prose.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/symbols.h"

/* A word may be more than text up to this length, and a unit up to this one. */
enum { LONGEST = 80, UNIT_WORDS = 3 };

static const char opening[] = "([", closing[] = ",.:;)]";
static const char blank[] = " ";

/* p below this is as good as 0: doubles say no more. */
static const double least_p = 1e-16;

/* A word of a sentence: brackets before it, what it says, and the marks that close it. */
struct word {
    const char *at;
    size_t lead, length, tail; /* bytes of the three, one behind the other */
    char core[LONGEST + 1];    /* the middle one; "" where the word is too long to be one */
};

/* Does a closing parenthesis at the end of core belong to one inside it, as in "sqrt(R)"? */
static bool closes_inside(const char *core, size_t n)
{
    int open = 0;

    for (size_t i = 0; i + 1 < n; i++)
        open += (core[i] == '(') - (core[i] == ')');
    return core[n - 1] == ')' && open > 0;
}

static struct word word_at(const char *text)
{
    size_t all = strcspn(text, blank);
    struct word word = {.at = text};

    if (all > LONGEST) {
        word.tail = all;
        return word;
    }
    word.lead = strspn(text, opening);
    word.length = all - word.lead;
    while (word.length > 0 && strchr(closing, text[word.lead + word.length - 1]) &&
           !closes_inside(text + word.lead, word.length))
        word.length--;
    word.tail = all - word.lead - word.length;
    memcpy(word.core, text + word.lead, word.length);
    return word;
}

static size_t bytes_of(const struct word *word)
{
    return word->lead + word->length + word->tail;
}

static void put_tail(const struct word *word, FILE *out)
{
    cf_html_letters(out, word->at + word->lead + word->length, word->tail);
}

/* A decimal number, wholly; not "inf", "nan" or "0x1". */
static bool is_number(const char *core, double *value)
{
    char *end;

    if (!strpbrk(core, "0123456789") || core[strspn(core, "+-.0123456789eE")])
        return false;
    *value = strtod(core, &end);
    return end != core && !*end;
}

/* As many digits as it has, a minus sign for its hyphen, and a power of ten for its exponent. */
static void put_number(const char *core, double value, FILE *out)
{
    size_t digits = 0;
    const char *exponent = strpbrk(core, "eE");

    if (!exponent) { /* no "-0.00" for what was rounded to nothing */
        fputs(*core == '-' && value != 0 ? "&minus;" : "", out);
        cf_html_text(out, core + (*core == '-'));
        return;
    }
    for (const char *c = core; c < exponent; c++)
        digits += isdigit((unsigned char) *c) ? 1 : 0;
    cf_html_number(out, value, (int) digits);
}

/* The marks that stand for others: "<=" is what a keyboard has. NULL: it is none. */
static const char *sign_of(const char *core)
{
    static const struct {
        const char *typed, *sign;
    } signs[] = {{"<=", "&le;"}, {">=", "&ge;"}, {"+-", "&plusmn;"},     {"->", "&rarr;"},
                 {"<", "&lt;"},  {">", "&gt;"},  {"sigmas", "<i>σ</i>"}, {"-", "&ndash;"}};

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strcmp(core, signs[i].typed) == 0)
            return signs[i].sign;
    return NULL;
}

/* Does a lone hyphen subtract: is there a number behind it? */
static bool subtracts(const struct word *word)
{
    const char *next = word->at + bytes_of(word);

    return strcmp(word->core, "-") == 0 && *next == ' ' && isdigit((unsigned char) next[1]);
}

/* "t_s/t_c": letters with an index, one over the other. */
static bool is_ratio(const char *core)
{
    const char *over = strchr(core, '/');
    size_t n = over ? (size_t) (over - core) : 0;

    return n > 0 && over[1] && memchr(core, '_', n) && strchr(over, '_') &&
           !over[1 + strspn(over + 1, "_abcdefghijklmnopqrstuvwxyz0123456789")] &&
           cf_symbol_of(core, n).letter && cf_symbol_of(over + 1, strlen(over + 1)).letter;
}

/* Is the next word a relation, as behind the symbol in "p = 0.01"? */
static bool has_relation(const struct word *word)
{
    const char *next = word->at + bytes_of(word);
    size_t n;

    if (word->tail > 0 || *next != ' ')
        return false;
    n = strcspn(++next, blank);
    return (n == 1 && strchr("=<>", *next)) || (n == 2 && strchr("<>", *next) && next[1] == '=');
}

/* Letters, digits and '_' from the first letter on; what belongs to it in brackets may follow. */
static size_t name_length(const char *core)
{
    size_t n = 0;

    while (isalnum((unsigned char) core[n]) || core[n] == '_')
        n++;
    return isalpha((unsigned char) core[0]) && (!core[n] || core[n] == '[') ? n : 0;
}

/* Of one letter, a and A are words, and so is I. */
static bool is_letter(const char *core)
{
    return core[0] && !core[1] && isalpha((unsigned char) core[0]) && !strchr("aAI", core[0]);
}

/* Is a word set as a formula: with an exponent, a root, a Greek letter, a parameter's name? */
static bool is_symbol(const json_t *fit, const struct word *word)
{
    const char *core = word->core;
    size_t n = name_length(core);
    bool key = word->at[word->lead + word->length] == ':'; /* "sigma: 0.1 mm" is for a study */

    if (strchr(core, '^') || strstr(core, "sqrt(") || strcmp(core, "E*") == 0 ||
        strcmp(core, "1/pi") == 0 || is_ratio(core))
        return true;
    if (isalpha((unsigned char) core[0]) && !core[1] && has_relation(word))
        return true;
    if (n == 0)
        return false;
    if (json_object_get(cf_view(fit, "parameters"), core) && (is_letter(core) || core[1]))
        return true;
    if (key)
        return false;
    if (core[n] == '[')
        return cf_symbol_of(core, n).letter;
    /* the coefficient of restitution is a letter of everybody's */
    return strcmp(core, "e") == 0 || cf_symbol_of(core, n).greek ||
           (memchr(core, '_', n) && cf_symbol_of(core, n).letter);
}

/* The symbol p, a relation and a number below all that doubles say: "< 10^-16" in their place.
 * Returns the bytes it took, or 0. */
static size_t put_probability(const struct word *word, FILE *out)
{
    const char *next = word->at + bytes_of(word);
    struct word number;
    double value;

    if (strcmp(word->core, "p") != 0 || !has_relation(word) || !strchr("=<", next[1]) ||
        next[2] != ' ')
        return 0;
    number = word_at(next + strlen(" = "));
    if (number.lead > 0 || !is_number(number.core, &value) || !(value < least_p))
        return 0;
    cf_html_letters(out, word->at, word->lead);
    fputs("<i>p</i> ", out);
    cf_html_probability(out, value);
    put_tail(&number, out);
    return (size_t) (number.at - word->at) + bytes_of(&number);
}

/* The unit in text[0..n), "N s/m^1.5" or "s": does it say one? */
static bool is_unit(const char *text, size_t n, char unit[LONGEST + 1])
{
    struct cf_unit parsed;
    struct cf_error err;

    if (n == 0 || n > LONGEST)
        return false;
    memcpy(unit, text, n);
    unit[n] = '\0';
    return !isdigit((unsigned char) *text) && !cf_unit_parse(unit, &parsed, &err);
}

/* The unit that a number before it has, after a thin space. Returns the bytes it took with the
 * blank before it, or 0. */
static size_t put_unit(const char *text, FILE *out)
{
    char unit[LONGEST + 1];
    size_t end[UNIT_WORDS], n = 0;

    if (*text != ' ')
        return 0;
    for (const char *c = text + 1; n < UNIT_WORDS && *c && *c != ' '; n++) {
        c += strcspn(c, blank);
        end[n] = (size_t) (c - text) - 1;
        c += *c ? 1 : 0;
    }
    while (n-- > 0) {
        size_t length = end[n];
        while (length > 0 && strchr(closing, text[length]))
            length--;
        if (!is_unit(text + 1, length, unit))
            continue;
        cf_html_unit(out, unit);
        return length + 1;
    }
    return 0;
}

/* A unit in brackets, "[N s/m^1.5]". Returns the bytes it took, or 0. */
static size_t put_bracketed(const char *text, FILE *out)
{
    char unit[LONGEST + 1];
    size_t n = strcspn(text, "]");

    if (*text != '[' || !text[n] || !is_unit(text + 1, n - 1, unit))
        return 0;
    fputc('[', out);
    cf_html_unit_alone(out, unit);
    fputc(']', out);
    return n + 1;
}

/* A channel of several words by its label; other names of several words have blanks for '_'. */
static void put_plain(const json_t *fit, const char *core, FILE *out)
{
    char words[LONGEST + 1];
    size_t n = name_length(core);

    memcpy(words, core, strlen(core) + 1);
    for (char *c = words; n && !core[n] && (c = strchr(c, '_'));)
        *c = ' ';
    cf_html_text(out, strchr(core, '_') && cf_channel_label(fit, core) != core
                          ? cf_channel_label(fit, core)
                          : words);
}

/* A word, or the few that are one thing. Returns the bytes that were written. */
static size_t put_word(const json_t *fit, const char *text, FILE *out)
{
    struct word word = word_at(text);
    const char *sign = sign_of(word.core);
    double value;
    size_t taken = put_bracketed(text, out);

    if (taken == 0)
        taken = put_probability(&word, out);
    if (taken > 0)
        return taken;
    cf_html_letters(out, text, word.lead);
    taken = bytes_of(&word);
    if (is_number(word.core, &value)) {
        put_number(word.core, value, out);
        if (word.tail == 0)
            return taken + put_unit(text + taken, out);
    } else if (sign) {
        fputs(subtracts(&word) ? "&minus;" : sign, out);
    } else if (is_symbol(fit, &word)) {
        cf_html_formula(out, word.core);
    } else if (text[word.lead + word.length] == ':') {
        cf_html_text(out, word.core); /* a study's key */
    } else {
        put_plain(fit, word.core, out);
    }
    put_tail(&word, out);
    return taken;
}

/* Up to the end of what is quoted, or stands in braces: as it is. */
static size_t put_verbatim(const char *text, FILE *out)
{
    int depth = 0;
    size_t n = 0;

    if (*text == '"') {
        const char *close = strchr(text + 1, '"');
        n = close ? (size_t) (close - text) + 1 : 1;
    } else {
        do {
            depth += (text[n] == '{') - (text[n] == '}');
        } while (text[n++] && depth > 0);
        n -= depth > 0; /* it never closes: the end of the text */
    }
    cf_html_letters(out, text, n);
    return n;
}

void cf_prose(const json_t *fit, const char *text, FILE *out)
{
    while (*text) {
        size_t lead = strspn(text, opening);

        if (*text == ' ') {
            fputc(*text++, out);
        } else if (text[lead] == '"' || text[lead] == '{') {
            cf_html_letters(out, text, lead);
            text += lead;
            text += put_verbatim(text, out);
        } else if (strchr(closing, *text)) {
            cf_html_letters(out, text++, 1);
        } else {
            text += put_word(fit, text, out);
        }
    }
}

void cf_prose_part(const json_t *fit, const char *text, size_t n, FILE *out)
{
    char part[LONGEST + 1];

    if (n > LONGEST) {
        cf_html_letters(out, text, n);
        return;
    }
    memcpy(part, text, n);
    part[n] = '\0';
    cf_prose(fit, part, out);
}
