/* Units as text: a product of symbols with rational powers.
 *
 *   unit    = "-" | product
 *   product = factor { operator factor }         operator: "/", or one of space * . middle dot
 *   factor  = ( "1" | symbol | "(" product ")" ) [ power ]
 *   power   = ( "^" | "**" ) ( number | "(" number [ "/" number ] ")" ) | number | superscripts
 *
 * A factor after "/" ends the product but for further "/": "N/m s" is refused.
 */

#include "core/units.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
#include "core/unit_rows.h"

enum {
    DEEPEST = 8,    /* nested parentheses */
    HIGHEST = 9999, /* numerator and denominator of a power */
    WORD = 32,      /* longest symbol */
};

struct parser {
    const char *text; /* all of it, for messages */
    const char *at;
    int depth;
    struct cf_error *err;
};

static const struct cf_unit pure = {1, {{0, 1}, {0, 1}, {0, 1}, {0, 1}}};

static int refuse(const struct parser *p, const char *why)
{
    char shown[CF_SHOWN];
    return cf_fail(p->err, CF_EINPUT, "unit \"%s\": %s", cf_show(p->text, shown), why);
}

/* num/den reduced; den 0 when it is no power that we take */
static struct cf_ratio ratio(long long num, long long den)
{
    long long a = num < 0 ? -num : num, b = den;
    while (b) {
        long long rest = a % b;
        a = b, b = rest;
    }
    if (a)
        num /= a, den /= a;
    if (den <= 0 || den > HIGHEST || num > HIGHEST || num < -HIGHEST)
        return (struct cf_ratio){0, 0};
    return (struct cf_ratio){(int) num, (int) den};
}

/* a * b^power; false when a power or the factor leaves what we can hold */
static bool multiply(struct cf_unit *a, const struct cf_unit *b, struct cf_ratio power)
{
    a->factor *=
        power.num == power.den ? b->factor : pow(b->factor, (double) power.num / power.den);
    for (int i = 0; i < CF_NBASE; i++) {
        struct cf_ratio x = a->power[i], y = b->power[i];
        long long num = (long long) y.num * power.num, den = (long long) y.den * power.den;
        a->power[i] = ratio(x.num * den + num * x.den, x.den * den);
        if (a->power[i].den == 0)
            return false;
    }
    return isfinite(a->factor) && a->factor > 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* U+00B7 and U+22C5 */
static size_t middle_dot(const char *s)
{
    return strncmp(s, "\xC2\xB7", 2) == 0 ? 2 : strncmp(s, "\xE2\x8B\x85", 3) == 0 ? 3 : 0;
}

/* The value of the superscript at s, '-' for a minus, -1 for none; *len its bytes. */
static int superscript(const char *s, size_t *len)
{
    static const char *const text[] = {"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",
                                       "\xC2\xB3",     "\xE2\x81\xB4", "\xE2\x81\xB5",
                                       "\xE2\x81\xB6", "\xE2\x81\xB7", "\xE2\x81\xB8",
                                       "\xE2\x81\xB9", "\xE2\x81\xBB"};
    for (int i = 0; i < 11; i++) {
        *len = strlen(text[i]);
        if (strncmp(s, text[i], *len) == 0)
            return i < 10 ? i : '-';
    }
    return -1;
}

/* [+-]digits[.digits] as a fraction; den 0 when there is none or it is too long */
static struct cf_ratio decimal(const char **s)
{
    int minus = **s == '-';
    long long num = 0, den = 1;
    bool any = false, mark = false;

    *s += **s == '-' || **s == '+';
    for (;; (*s)++) {
        if (**s == '.' && !mark && is_digit((*s)[1])) {
            mark = true;
        } else if (is_digit(**s)) {
            any = true;
            num = 10 * num + (**s - '0');
            den *= mark ? 10 : 1;
            if (num > INT_MAX || den > INT_MAX)
                return (struct cf_ratio){0, 0};
        } else {
            break;
        }
    }
    return any ? ratio(minus ? -num : num, den) : (struct cf_ratio){0, 0};
}

static struct cf_ratio superscripts(const char **s)
{
    char digits[8] = "";
    size_t n = 0, len;
    for (int c; (c = superscript(*s, &len)) >= 0 && n + 1 < sizeof digits; *s += len)
        digits[n++] = c == '-' ? '-' : (char) ('0' + c);
    digits[n] = '\0';
    const char *d = digits;
    struct cf_ratio r = decimal(&d);
    return *d ? (struct cf_ratio){0, 0} : r;
}

/* The power that may stand at p->at; 1 when there is none. */
static int read_power(struct parser *p, struct cf_ratio *power)
{
    size_t len;
    *power = (struct cf_ratio){1, 1};
    if (superscript(p->at, &len) >= 0) {
        *power = superscripts(&p->at);
    } else if (is_digit(p->at[0]) || (p->at[0] == '-' && is_digit(p->at[1]))) {
        *power = decimal(&p->at);
    } else if (p->at[0] == '^' || strncmp(p->at, "**", 2) == 0) {
        p->at += p->at[0] == '^' ? 1 : 2;
        bool open = *p->at == '(';
        p->at += open;
        *power = decimal(&p->at);
        if (open && *p->at == '/') {
            p->at++;
            struct cf_ratio by = decimal(&p->at);
            *power = power->den && by.num > 0
                         ? ratio((long long) power->num * by.den, (long long) power->den * by.num)
                         : (struct cf_ratio){0, 0};
        }
        if (open && *p->at++ != ')')
            power->den = 0;
    }
    if (power->den == 0 || power->num == 0)
        return refuse(p, "a power is a number such as 2, -1.5 or (3/2), and not 0");
    return CF_OK;
}

static bool symbol_unit(const char *word, bool prefixed, double factor, struct cf_unit *unit)
{
    for (const struct cf_unit_symbol *s = cf_unit_symbols; s->name; s++) {
        if (strcmp(s->name, word) != 0 || (prefixed && !s->prefix))
            continue;
        *unit = pure;
        /* kg is 1, not 1000 * 0.001 rounded twice */
        unit->factor = factor * s->factor == rint(factor * s->factor) ? rint(factor * s->factor)
                                                                      : factor * s->factor;
        for (int i = 0; i < CF_NBASE; i++)
            unit->power[i].num = s->power[i];
        return true;
    }
    return false;
}

static int find_symbol(const struct parser *p, const char *word, struct cf_unit *unit)
{
    if (symbol_unit(word, false, 1, unit))
        return CF_OK;
    for (const struct cf_unit_prefix *x = cf_unit_prefixes; x->name; x++) {
        size_t len = strlen(x->name);
        if (strncmp(word, x->name, len) == 0 && symbol_unit(word + len, true, x->factor, unit))
            return CF_OK;
    }

    char shown[CF_SHOWN], whole[CF_SHOWN];
    const char *near = cf_nearest(word, cf_common_units, cf_ncommon_units);
    bool part = strcmp(word, p->text) != 0;
    return cf_fail(p->err, CF_EINPUT, "unknown unit \"%s\"%s%s%s%s%s%s", cf_show(word, shown),
                   part ? " in \"" : "", part ? cf_show(p->text, whole) : "", part ? "\"" : "",
                   near ? ": did you mean \"" : ": \"contactfit models --units\" lists the known",
                   near ? near : "", near ? "\"?" : "");
}

static int read_symbol(struct parser *p, struct cf_unit *unit)
{
    char word[WORD];
    size_t n = 0, len;

    while (is_letter(p->at[n]) || p->at[n] == '%' ||
           ((p->at[n] & 0x80) && !middle_dot(p->at + n) && superscript(p->at + n, &len) < 0)) {
        if (++n == sizeof word)
            return refuse(p, "too long a symbol");
    }
    if (n == 0)
        return refuse(p, is_digit(*p->at)
                             ? "a number inside; a fraction as power is written m^(3/2)"
                             : "a symbol such as m, kg or N is wanted");
    memcpy(word, p->at, n);
    word[n] = '\0';
    p->at += n;
    return find_symbol(p, word, unit);
}

static int read_product(struct parser *p, struct cf_unit *unit);

static int read_factor(struct parser *p, struct cf_unit *unit)
{
    if (*p->at == '(') {
        if (++p->depth > DEEPEST)
            return refuse(p, "too many parentheses");
        p->at++;
        int status = read_product(p, unit);
        if (status)
            return status;
        if (*p->at != ')')
            return refuse(p, "a closing parenthesis is missing");
        p->at++;
        p->depth--;
        return CF_OK;
    }
    if (*p->at == '1' && !is_digit(p->at[1]) && p->at[1] != '.') {
        p->at++;
        *unit = pure;
        return CF_OK;
    }
    return read_symbol(p, unit);
}

/* "N/m s": which is meant? Show both ways of writing it. */
static int refuse_ambiguous(const struct parser *p, const char *slash, const char *next)
{
    char shown[CF_SHOWN];
    const char *end = next;
    while (end > slash && strchr(" *.", end[-1]))
        end--;
    if (strcmp(cf_show(p->text, shown), p->text) != 0 || p->depth)
        return refuse(p, "ambiguous after \"/\"; put what it divides by in parentheses");
    return cf_fail(p->err, CF_EINPUT,
                   "unit \"%s\" is ambiguous: write \"%.*s/(%.*s %s)\" or \"%.*s %s/%.*s\"", shown,
                   (int) (slash - p->text), p->text, (int) (end - slash - 1), slash + 1, next,
                   (int) (slash - p->text), p->text, next, (int) (end - slash - 1), slash + 1);
}

static int read_product(struct parser *p, struct cf_unit *unit)
{
    const char *slash = NULL;
    *unit = pure;
    for (bool first = true;; first = false) {
        const char *before = p->at;
        p->at += strspn(p->at, " ");
        if (*p->at == '\0' || *p->at == ')')
            return first ? refuse(p, "a symbol such as m, kg or N is wanted") : CF_OK;

        bool divide = !first && *p->at == '/', explicit = divide || *p->at == '*' || *p->at == '.';
        if (!first && !divide) {
            size_t dot = explicit ? 1 : middle_dot(p->at);
            if (dot == 0 && before == p->at && *p->at != '(')
                return refuse(p, "not understood; write for example N s/m^1.5");
            p->at += dot;
        }
        const char *operator= p->at;
        p->at += divide;
        p->at += strspn(p->at, " ");
        if (slash && !divide)
            return refuse_ambiguous(p, slash, p->at);
        if (divide)
            slash = operator;

        struct cf_unit factor;
        struct cf_ratio power;
        int status = read_factor(p, &factor);
        if (!status)
            status = read_power(p, &power);
        if (status)
            return status;
        power.num = divide ? -power.num : power.num;
        if (!multiply(unit, &factor, power))
            return refuse(p, "too high a power");
    }
}

int cf_unit_parse(const char *text, struct cf_unit *unit, struct cf_error *err)
{
    struct parser p = {.text = text, .at = text, .err = err};
    int status;

    /* a dash is how tables write "no unit" */
    if (strcmp(text, "-") == 0) {
        *unit = pure;
        return CF_OK;
    }
    if (text[strspn(text, " ")] == '\0')
        return cf_fail(err, CF_EINPUT, "an empty unit; write 1 for a pure number");
    status = read_product(&p, unit);
    if (!status && *p.at)
        return refuse(&p, "a closing parenthesis without an opening one");
    return status;
}

bool cf_unit_same_dimension(const struct cf_unit *a, const struct cf_unit *b)
{
    for (int i = 0; i < CF_NBASE; i++)
        if (a->power[i].num != b->power[i].num || a->power[i].den != b->power[i].den)
            return false;
    return true;
}

double cf_unit_to_si(double value, const struct cf_unit *unit)
{
    /* 12.7 mm is 12.7/1000 rounded once; 12.7 * 0.001 would be rounded twice */
    double inverse = rint(1 / unit->factor);
    if (unit->factor < 1 && fabs(inverse * unit->factor - 1) < 4e-16)
        return value / inverse;
    return value * unit->factor;
}
