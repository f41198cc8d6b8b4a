/* Units are looked for where people put them: in brackets or parentheses, behind a solidus, a
 * comma, "in" or an underscore, and spelled out. Single letters and words that mean something else
 * in names (v_in, t_min, mu_h) are no units behind an underscore or a blank. */

#define _POSIX_C_SOURCE 200809L

#include "study/header.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/units.h"

struct spelling {
    const char *as, *word;
};

/* ---- words */

/* Letters that names of quantities have, and digits below the line. */
static const struct spelling letters[] = {
    {"\xCE\xB1", "alpha"},   {"\xCE\xB2", "beta"},  {"\xCE\xB4", "delta"}, {"\xCE\x94", "delta"},
    {"\xCE\xB5", "epsilon"}, {"\xCE\xB8", "theta"}, {"\xCE\xBC", "mu"},    {"\xC2\xB5", "mu"},
    {"\xCF\x83", "sigma"},   {"\xCF\x84", "tau"},   {"\xCF\x86", "phi"},   {"\xCF\x89", "omega"},
    {"\xCE\xA9", "omega"},   {"\xE2\x82\x80", "0"}, {"\xE2\x82\x81", "1"}, {"\xE2\x82\x82", "2"},
};

static const struct spelling synonyms[] = {
    {"maximum", "max"},         {"maximal", "max"},        {"peak", "max"},
    {"largest", "max"},         {"greatest", "max"},       {"velocity", "speed"},
    {"vel", "speed"},           {"coeff", "coefficient"},  {"coef", "coefficient"},
    {"frictional", "friction"}, {"fric", "friction"},      {"rotational", "angular"},
    {"displ", "displacement"},  {"disp", "displacement"},  {"pos", "position"},
    {"tang", "tangential"},     {"no", "number"},          {"nr", "number"},
    {"pre", "before"},          {"post", "after"},         {"zeit", "time"},
    {"kraft", "force"},         {"weg", "displacement"},   {"geschwindigkeit", "speed"},
    {"winkel", "angle"},        {"drehmoment", "torque"},  {"last", "load"},
    {"hoehe", "height"},        {"h\xC3\xB6he", "height"}, {"tiefe", "depth"},
};

/* Whole words of other tongues, and names that programs have for columns, by those of quantities.
 */
static const struct spelling whole[] = {
    {"pr\xC3\xBC"
     "fzeit",
     "time"},
    {"standardweg", "displacement"},
    {"traversenweg", "displacement"},
    {"standardkraft", "force"},
    {"pr\xC3\xBC"
     "fkraft",
     "force"},
    {"fallh\xC3\xB6he", "drop_height"},
    {"fallhoehe", "drop_height"},
    {"r\xC3\xBC"
     "ckprallh\xC3\xB6he",
     "rebound_height"},
    {"rueckprallhoehe", "rebound_height"},
    {"reibungszahl", "friction_coefficient"},
    {"reibwert", "friction_coefficient"},
    {"reibkraft", "friction_force"},
    {"normalkraft", "normal_force"},
    {"eindringtiefe", "depth"},
    {"x_value", "time"},
    {"compressive extension", "displacement"},
    {"crosshead travel", "displacement"},
    {"axial displacement", "displacement"},
    {"axial force", "force"},
};

/* They distinguish no quantity from another. */
static const char *const fillers[] = {"of",       "the",    "at",       "a",        "an",    "for",
                                      "measured", "meas",   "exp",      "observed", "value", "ball",
                                      "sphere",   "impact", "standard", "pose",     "msg"};
static const char *const means[] = {"mean", "average", "avg"};
static const char *const spreads[] = {"sigma", "sd",  "std",         "stdev",    "err",
                                      "error", "unc", "uncertainty", "deviation"};

static const char *const errors_of_means[] = {"sem", "se"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static bool is_in(const char *word, const char *const list[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

/* "times" is one of "time"; "mass", "radius", "axis" and "bias" are none. */
static void make_singular(char *word)
{
    size_t n = strlen(word);

    if (n > 4 && word[n - 1] == 's' && !strchr("suia", word[n - 2]))
        word[n - 1] = '\0';
}

static void end_word(struct cf_words *words)
{
    char *word = words->word[words->n];
    bool mean, spread, both;

    make_singular(word);
    both = is_in(word, errors_of_means, LENGTH(errors_of_means));
    mean = both || is_in(word, means, LENGTH(means));
    spread = both || is_in(word, spreads, LENGTH(spreads));
    for (size_t i = 0; i < LENGTH(synonyms); i++)
        if (strcmp(word, synonyms[i].as) == 0)
            snprintf(word, CF_HEADER_WORD, "%s", synonyms[i].word);
    words->mean |= mean;
    words->spread |= spread;
    if (*word && !mean && !spread && !is_in(word, fillers, LENGTH(fillers)))
        words->n++;
    if (words->n < CF_HEADER_WORDS)
        words->word[words->n][0] = '\0';
}

static void add_text(struct cf_words *words, const char *text, size_t n)
{
    char *word = words->word[words->n];
    size_t used = strlen(word);

    for (size_t i = 0; i < n && used + 1 < CF_HEADER_WORD; i++)
        word[used++] = (char) tolower((unsigned char) text[i]);
    word[used] = '\0';
}

/* The letter of that table at text[0..n); NULL: none. */
static const struct spelling *letter_at(const char *text, size_t n)
{
    for (size_t i = 0; i < LENGTH(letters); i++)
        if (strlen(letters[i].as) <= n && strncmp(text, letters[i].as, strlen(letters[i].as)) == 0)
            return &letters[i];
    return NULL;
}

void cf_words_read(const char *text, size_t n, struct cf_words *words)
{
    *words = (struct cf_words){.n = 0};
    for (size_t i = 0, size; i < n && words->n < CF_HEADER_WORDS; i += size) {
        const struct spelling *letter = letter_at(text + i, n - i);
        unsigned char c = (unsigned char) text[i];
        bool hump = i && isupper(c) && islower((unsigned char) text[i - 1]);

        size = letter ? strlen(letter->as) : 1;
        if (letter) {
            add_text(words, letter->word, strlen(letter->word));
        } else if (isalnum(c) || c >= 0x80) {
            if (hump)
                end_word(words);
            if (words->n < CF_HEADER_WORDS)
                add_text(words, text + i, 1);
        } else {
            end_word(words);
        }
    }
    if (words->n < CF_HEADER_WORDS)
        end_word(words);
    if (words->n == 0 && !words->spread && !words->mean) { /* "impact", a filler and no more */
        words->word[0][0] = '\0';
        add_text(words, text, n);
        make_singular(words->word[0]);
        words->n = words->word[0][0] != '\0';
    }
    if (words->n > 1 && strcmp(words->word[0], "u") == 0) { /* u_speed, an uncertainty */
        words->spread = true;
        memmove(words->word[0], words->word[1], --words->n * sizeof words->word[0]);
    }
}

static bool same_set(const struct cf_words *a, const struct cf_words *b)
{
    bool taken[CF_HEADER_WORDS] = {false};

    for (size_t i = 0; i < a->n; i++) {
        size_t j = 0;
        while (j < b->n && (taken[j] || strcmp(a->word[i], b->word[j]) != 0))
            j++;
        if (j == b->n)
            return false;
        taken[j] = true;
    }
    return a->n == b->n;
}

/* A symbol with its index, whose order matters: f_t is no t_f. */
static bool is_symbol(const struct cf_words *words)
{
    for (size_t i = 0; i < words->n; i++)
        if (strlen(words->word[i]) > 2)
            return false;
    return true;
}

static void join(const struct cf_words *words, char text[CF_HEADER_WORDS * CF_HEADER_WORD])
{
    size_t used = 0, room = CF_HEADER_WORDS * CF_HEADER_WORD;

    text[0] = '\0';
    for (size_t i = 0; i < words->n; i++)
        used += (size_t) snprintf(text + used, room - used, "%s", words->word[i]);
}

bool cf_words_equal(const struct cf_words *a, const struct cf_words *b)
{
    char x[CF_HEADER_WORDS * CF_HEADER_WORD], y[CF_HEADER_WORDS * CF_HEADER_WORD];

    join(a, x);
    join(b, y);
    return *x && (strcmp(x, y) == 0 || (!is_symbol(a) && same_set(a, b)));
}

/* ---- units */

static const struct spelling spelled[] = {
    {"mps", "m/s"},       {"cmps", "cm/s"},      {"mmps", "mm/s"},      {"radps", "rad/s"},
    {"degps", "deg/s"},   {"meter", "m"},        {"metre", "m"},        {"centimeter", "cm"},
    {"centimetre", "cm"}, {"millimeter", "mm"},  {"millimetre", "mm"},  {"micrometer", "um"},
    {"micrometre", "um"}, {"micron", "um"},      {"nanometer", "nm"},   {"nanometre", "nm"},
    {"second", "s"},      {"millisecond", "ms"}, {"microsecond", "us"}, {"msec", "ms"},
    {"usec", "us"},       {"newton", "N"},       {"kilonewton", "kN"},  {"millinewton", "mN"},
    {"degree", "deg"},    {"radian", "rad"},     {"percent", "%"},      {"inches", "in"},
};

/* Not behind an underscore or a blank: see core/unit_rows.c. */
static const char *const other_meanings[] = {"in", "min", "h", "t", "bar", "l", "L", "d"};

/* A word that spells a unit, in the singular or plural. */
static const char *unit_of_word(const char *word)
{
    size_t n = strlen(word);

    for (size_t i = 0; i < LENGTH(spelled); i++) {
        size_t m = strlen(spelled[i].as);
        bool plural = n == m + 1 && tolower((unsigned char) word[m]) == 's';
        size_t same = 0;
        while (same < m && tolower((unsigned char) word[same]) == spelled[i].as[same])
            same++;
        if (same == m && (n == m || plural))
            return spelled[i].word;
    }
    return word;
}

static bool is_unit(const char *text)
{
    struct cf_unit unit;
    return cf_unit_parse(text, &unit, NULL) == CF_OK;
}

/* "m_s", "m per s", "meters per second" and "m/s" as the last; false where a word is no unit. */
static bool quotient(const char *text, char unit[CF_HEADER_UNIT])
{
    char copy[CF_HEADER_UNIT], *rest = copy, *word;
    size_t used = 0, n = 0;

    snprintf(copy, sizeof copy, "%s", text);
    unit[0] = '\0';
    while ((word = strtok_r(rest, " _", &rest)) != NULL) {
        if (strcmp(word, "per") == 0)
            continue;
        if (n++ == 2 || !is_unit(unit_of_word(word)))
            return false;
        used += (size_t) snprintf(unit + used, CF_HEADER_UNIT - used, "%s%s", used ? "/" : "",
                                  unit_of_word(word));
        if (used >= CF_HEADER_UNIT)
            return false;
    }
    return n > 0 && is_unit(unit);
}

/* The unit that text[0..n) is, parentheses or brackets about it or not; false: none. */
static bool unit_of(const char *text, size_t n, bool alone, char unit[CF_HEADER_UNIT])
{
    bool about =
        n > 1 && ((text[0] == '(' && text[n - 1] == ')') || (text[0] == '[' && text[n - 1] == ']'));

    alone &= !about;
    n -= 2 * about;
    if (n == 0 || n >= CF_HEADER_UNIT)
        return false;
    snprintf(unit, CF_HEADER_UNIT, "%.*s", (int) n, text + about);
    if (alone && (is_in(unit, other_meanings, LENGTH(other_meanings)) || unit[0] == '1'))
        return false;
    if (strcmp(unit, "-") == 0)
        snprintf(unit, CF_HEADER_UNIT, "1");
    return is_unit(unit) || quotient(unit, unit);
}

/* ---- headers */

static void add(struct cf_header *reading, size_t *n, const char *name, size_t size,
                const char *unit, bool known)
{
    if (*n == CF_HEADER_READINGS)
        return;
    for (size_t i = 0; i < LENGTH(whole); i++)
        if (strlen(whole[i].as) == size && strncasecmp(whole[i].as, name, size) == 0) {
            name = whole[i].word;
            size = strlen(name);
            break;
        }
    cf_words_read(name, size, &reading[*n].name);
    snprintf(reading[*n].unit, CF_HEADER_UNIT, "%s", unit);
    reading[*n].known = known;
    if (reading[*n].name.n)
        ++*n;
}

/* The unit is the reader's: "NAME [UNIT]", a row of units, or a suffix, which may be none. */
static size_t read_known(const struct cf_csv *csv, size_t column, struct cf_header reading[])
{
    const char *full = csv->full[column], *name = csv->header[column], *unit = csv->unit[column];
    bool below = csv->unit_line && csv->unit_at[column];
    char other[CF_HEADER_UNIT];
    size_t n = 0;

    if (!is_unit(unit)) {
        bool spelled_out = strlen(unit) < sizeof other && unit_of(unit, strlen(unit), false, other);
        add(reading, &n, name, strlen(name), spelled_out ? other : "", false);
        return n;
    }
    add(reading, &n, name, strlen(name), unit, true);
    if (!below && !strchr(full, '['))
        add(reading, &n, full, strlen(full), unit, true);
    return n;
}

/* Where the name ends that stands before a unit: without "in" and what parts them. */
static size_t name_before(const char *full, size_t n)
{
    static const char marks[] = " _/,;:-.";

    for (bool more = true; more;) {
        while (n && strchr(marks, full[n - 1]))
            n--;
        more = n > 3 && strncmp(full + n - 2, "in", 2) == 0 && strchr(" _", full[n - 3]);
        n -= more ? 2 : 0;
    }
    return n;
}

/* Without what programs put about a name: the run before it, as "Latest: Time", or behind it, as
 * "Time (s) Run #1", and the path of a message's field. */
static const char *bare_name(const char *text, size_t *n)
{
    static const char run[] = " Run #";
    const char *end = text + *n, *begin = text;

    for (const char *c = text; c + 2 < end; c++)
        if (c[0] == ':' && c[1] == ' ')
            begin = c + 2;
    for (const char *c = begin + 1; c + sizeof run <= end; c++)
        if (strncmp(c, run, sizeof run - 1) == 0)
            end = c;
    if (strncmp(begin, "field.", 6) == 0)
        begin += 6;
    *n = (size_t) (end - begin);
    return begin;
}

size_t cf_header_read(const struct cf_csv *csv, size_t column,
                      struct cf_header reading[CF_HEADER_READINGS])
{
    size_t size = strlen(csv->full[column]), n = 0;
    const char *full = bare_name(csv->full[column], &size);
    char unit[CF_HEADER_UNIT];

    if (csv->unit[column])
        return read_known(csv, column, reading);
    for (size_t i = 1; i < size; i++) {
        bool mark = strchr(" _/,([", full[i]) != NULL, open = strchr("([", full[i]) != NULL;
        size_t tail = open ? i : i + 1 + strspn(full + i + 1, " ");
        if (mark && tail < size && n + 1 < CF_HEADER_READINGS &&
            unit_of(full + tail, size - tail, strchr(" _", full[i]) != NULL, unit))
            add(reading, &n, full, name_before(full, i), unit, false);
    }
    add(reading, &n, full, size, "", false);
    return n;
}
