#define _POSIX_C_SOURCE 200809L

#include "cmd/speeds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"

enum { MOST = 1000000 };

/* What is listed. */
struct kind {
    const char *option, *unit, *one, *many;
};

static const struct kind speed = {"--speed", "m/s", "a speed", "speeds"};
static const struct kind height = {"--drop-height", "m", "a height", "heights"};

static int append(const struct kind *kind, struct cf_speeds *s, size_t more, struct cf_error *err)
{
    if (s->n + more > MOST)
        return cf_fail(err, CF_EUSAGE, "%s: more than %d %s", kind->option, MOST, kind->many);
    double *grown = realloc(s->m_s, (s->n + more) * sizeof *grown);
    if (!grown)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    s->m_s = grown;
    return CF_OK;
}

static int read_one(const struct kind *kind, const char *text, double *value, struct cf_error *err)
{
    struct cf_error why = {""};
    char shown[CF_SHOWN];

    if (cf_quantity_parse(text, kind->unit, value, &why) != CF_OK)
        return cf_fail(err, CF_EUSAGE, "%s: %.900s", kind->option, why.text);
    if (!(*value > 0))
        return cf_fail(err, CF_ERANGE, "%s: %s: %s must be above 0", kind->option,
                       cf_show(text, shown), kind->one);
    return CF_OK;
}

/* FROM:TO:COUNT, cut at its colons */
static int read_range(const struct kind *kind, char *item, char *to, char *count,
                      struct cf_speeds *s, struct cf_error *err)
{
    double first, last;
    char shown[CF_SHOWN];
    int status;

    if ((status = read_one(kind, item, &first, err)) || (status = read_one(kind, to, &last, err)))
        return status;
    errno = 0;
    unsigned long n = strtoul(count, NULL, 10);
    if (!*count || count[strspn(count, "0123456789")] || errno || n < 2 || n > MOST)
        return cf_fail(err, CF_EUSAGE,
                       "%s: \"%s\": COUNT of FROM:TO:COUNT is a whole number from 2 to %d",
                       kind->option, cf_show(count, shown), MOST);
    status = append(kind, s, n, err);
    if (status)
        return status;
    /* in long double, so that 1:8:4 gives 2 and 4 where a double would be off by a digit */
    long double from = (long double) first, rise = (long double) last / from;
    for (unsigned long i = 0; i < n; i++) {
        long double step = (long double) i / (long double) (n - 1);
        s->m_s[s->n + i] = (double) (from * powl(rise, step));
    }
    s->m_s[s->n] = first;
    s->n += n;
    s->m_s[s->n - 1] = last;
    return CF_OK;
}

static int read_item(const struct kind *kind, char *item, struct cf_speeds *s, struct cf_error *err)
{
    char *to = strchr(item, ':'), *count = to ? strchr(to + 1, ':') : NULL, shown[CF_SHOWN];

    if (item[strspn(item, " ")] == '\0')
        return cf_fail(err, CF_EUSAGE, "%s: nothing stands %s", kind->option,
                       s->n ? "after a comma" : "there: give 0.1,0.5,2 or FROM:TO:COUNT");
    if (to && !count)
        return cf_fail(err, CF_EUSAGE, "%s: \"%s\": a range is FROM:TO:COUNT", kind->option,
                       cf_show(item, shown));
    if (count) {
        *to++ = *count++ = '\0';
        return read_range(kind, item, to, count, s, err);
    }
    int status = append(kind, s, 1, err);
    if (!status)
        status = read_one(kind, item, &s->m_s[s->n], err);
    s->n += !status;
    return status;
}

static int parse(const struct kind *kind, const char *text, struct cf_speeds *speeds,
                 struct cf_error *err)
{
    char *copy = strdup(text), *item = copy;
    int status = CF_OK;

    *speeds = (struct cf_speeds){0, NULL};
    if (!copy)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    while (item && !status) {
        char *comma = strchr(item, ',');
        if (comma)
            *comma++ = '\0';
        status = read_item(kind, item, speeds, err);
        item = comma;
    }
    free(copy);
    if (status)
        cf_speeds_clear(speeds);
    return status;
}

int cf_speeds_parse(const char *text, struct cf_speeds *speeds, struct cf_error *err)
{
    return parse(&speed, text, speeds, err);
}

int cf_heights_parse(const char *text, double gravity_m_s2, struct cf_speeds *speeds,
                     struct cf_error *err)
{
    int status = parse(&height, text, speeds, err);
    for (size_t i = 0; i < speeds->n; i++)
        speeds->m_s[i] = sqrt(2 * gravity_m_s2 * speeds->m_s[i]);
    return status;
}

void cf_speeds_clear(struct cf_speeds *speeds)
{
    free(speeds->m_s);
    *speeds = (struct cf_speeds){0, NULL};
}
