/* "453.6 g +- 0.5 g (k=2)": a value, its uncertainty, and what that is. */

#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"
#include "core/units.h"
#include "study/parts.h"

const char *cf_uncertain_mark(const char *text, size_t *length)
{
    static const char *const marks[] = {"+-", "+/-", "\xc2\xb1"};

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(text, marks[i]);
        *length = strlen(marks[i]);
        if (at)
            return at;
    }
    return NULL;
}

static int refuse(const struct cf_yaml *at, const char *why, struct cf_error *err)
{
    char shown[CF_SHOWN];

    return cf_yaml_fail(at, err, "%s: %s: %s", at->key, cf_show(at->text, shown), why);
}

/* The same of a text that is not of this form. */
static int refuse_form(const struct cf_yaml *at, const char *why, struct cf_error *err)
{
    char shown[CF_SHOWN];

    return cf_yaml_fail(
        at, err,
        "%s: %s: %s; VALUE +- UNCERTAINTY is wanted, both with their unit or the "
        "latter in %%, and (k=2) or rectangular where it is no standard uncertainty",
        at->key, cf_show(at->text, shown), why);
}

/* text[0..n) without blanks at its ends. NULL: no memory. */
static char *trimmed(const char *text, size_t n)
{
    while (n && isspace((unsigned char) *text)) {
        text++;
        n--;
    }
    while (n && isspace((unsigned char) text[n - 1]))
        n--;
    return strndup(text, n);
}

/* "k = 2" of what stands in brackets. */
static int read_factor(const struct cf_yaml *at, const char *text, struct cf_stated *stated,
                       struct cf_error *err)
{
    struct cf_error why;

    text += strspn(text, " ");
    if (*text != 'k')
        return refuse_form(at, "in brackets a coverage factor is wanted, (k=2)", err);
    text += 1 + strspn(text + 1, " ");
    if (*text != '=')
        return refuse_form(at, "in brackets a coverage factor is wanted, (k=2)", err);
    if (cf_quantity_parse(text + 1, "1", &stated->k, &why))
        return refuse_form(at, why.text, err);
    if (!(stated->k >= 1))
        return refuse(at, "a coverage factor is at least 1", err);
    stated->as = CF_STATED_EXPANDED;
    return CF_OK;
}

/* Cut off what stands behind the uncertainty, and read it. */
static int read_kind(const struct cf_yaml *at, char *u, struct cf_stated *stated,
                     struct cf_error *err)
{
    static const char word[] = "rectangular";
    size_t n = strlen(u), nword = strlen(word);
    char *open = strchr(u, '(');

    stated->as = CF_STATED_STANDARD;
    stated->k = 1;
    if (n >= nword && strcmp(u + n - nword, word) == 0) {
        u[n - nword] = '\0';
        stated->as = CF_STATED_RECTANGULAR;
        stated->k = sqrt(3);
        return CF_OK;
    }
    /* brackets of a unit, "1 N/(m s)", are none of a factor */
    if (n && u[n - 1] == ')' && open && open > u && isspace((unsigned char) open[-1])) {
        u[n - 1] = *open = '\0';
        return read_factor(at, open + 1, stated, err);
    }
    return CF_OK;
}

/* Number and unit of one of the two; *why: what is wrong with the number. */
static int split(const char *text, double *number, const char **unit, struct cf_error *why)
{
    size_t n = 0;
    int status = cf_number_head(text, '.', number, &n, why);

    *unit = text + n + strspn(text + n, " \t");
    return status;
}

/* Both have a unit, of one dimension, or neither has. A value that is wrong by itself is told where
 * it is read. */
static int check_units(const struct cf_yaml *at, const struct cf_stated *stated,
                       struct cf_error *err)
{
    struct cf_error why;
    struct cf_unit of;
    const char *unit, *own;
    double value, u, si;

    if (split(stated->u, &u, &own, &why))
        return refuse_form(at, why.text, err);
    if (!(u > 0))
        return refuse(at, "an uncertainty is above 0: a number that is exact has none", err);
    if (split(stated->value, &value, &unit, &why))
        return CF_OK;
    if (stated->relative && value == 0)
        return refuse(at, "a share of 0 is 0: state the uncertainty in the unit", err);
    if (stated->relative)
        return *own ? refuse_form(at, "% is the unit of a relative uncertainty", err) : CF_OK;
    if (!*unit != !*own)
        return refuse_form(at,
                           *unit ? "the uncertainty has no unit, the value has one"
                                 : "the value has no unit, its uncertainty has one",
                           err);
    if (!*unit || cf_unit_parse(unit, &of, &why))
        return CF_OK;
    return cf_quantity_parse(stated->u, unit, &si, &why) ? refuse(at, why.text, err) : CF_OK;
}

int cf_stated_read(const struct cf_yaml *at, struct cf_stated *stated, struct cf_error *err)
{
    size_t length, n;
    const char *mark = cf_uncertain_mark(at->text, &length);
    int status;

    stated->value = trimmed(at->text, (size_t) (mark - at->text));
    stated->u = trimmed(mark + length, strlen(mark + length));
    if (!stated->value || !stated->u)
        return cf_fail(err, CF_ENOMEM, "no memory for an uncertainty");
    status = read_kind(at, stated->u, stated, err);
    if (status)
        return status;
    n = strlen(stated->u);
    while (n && isspace((unsigned char) stated->u[n - 1]))
        stated->u[--n] = '\0';
    stated->relative = n && stated->u[n - 1] == '%';
    if (stated->relative)
        stated->u[n - 1] = '\0';
    return check_units(at, stated, err);
}

int cf_stated_size(const struct cf_yaml *at, const struct cf_stated *stated, const char *unit,
                   double value, double *u, struct cf_error *err)
{
    struct cf_error why;

    if (cf_quantity_parse(stated->u, stated->relative ? "1" : unit, u, &why))
        return refuse(at, why.text, err);
    if (stated->relative)
        *u *= fabs(value) / 100;
    *u /= stated->k;
    return CF_OK;
}
