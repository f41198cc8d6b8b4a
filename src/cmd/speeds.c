#define _POSIX_C_SOURCE 200809L

#include "cmd/speeds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"

enum { MOST = 1000000 };

static int append(struct cf_speeds *s, size_t more, struct cf_error *err)
{
    if (s->n + more > MOST)
        return cf_fail(err, CF_EUSAGE, "--speed: more than %d speeds", MOST);
    double *grown = realloc(s->m_s, (s->n + more) * sizeof *grown);
    if (!grown)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    s->m_s = grown;
    return CF_OK;
}

static int read_speed(const char *text, double *m_s, struct cf_error *err)
{
    struct cf_error why = {""};
    char shown[CF_SHOWN];

    if (cf_quantity_parse(text, "m/s", m_s, &why) != CF_OK)
        return cf_fail(err, CF_EUSAGE, "--speed: %.900s", why.text);
    if (!(*m_s > 0))
        return cf_fail(err, CF_ERANGE, "--speed: %s: a speed must be above 0",
                       cf_show(text, shown));
    return CF_OK;
}

/* FROM:TO:COUNT, cut at its colons */
static int read_range(char *item, char *to, char *count, struct cf_speeds *s, struct cf_error *err)
{
    double first, last;
    char shown[CF_SHOWN];
    int status;

    if ((status = read_speed(item, &first, err)) || (status = read_speed(to, &last, err)))
        return status;
    errno = 0;
    unsigned long n = strtoul(count, NULL, 10);
    if (!*count || count[strspn(count, "0123456789")] || errno || n < 2 || n > MOST)
        return cf_fail(err, CF_EUSAGE,
                       "--speed: \"%s\": COUNT of FROM:TO:COUNT is a whole number from 2 to %d",
                       cf_show(count, shown), MOST);
    status = append(s, n, err);
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

static int read_item(char *item, struct cf_speeds *s, struct cf_error *err)
{
    char *to = strchr(item, ':'), *count = to ? strchr(to + 1, ':') : NULL, shown[CF_SHOWN];

    if (item[strspn(item, " ")] == '\0')
        return cf_fail(err, CF_EUSAGE, "--speed: nothing stands %s",
                       s->n ? "after a comma" : "there: give 0.1,0.5,2 or FROM:TO:COUNT");
    if (to && !count)
        return cf_fail(err, CF_EUSAGE, "--speed: \"%s\": a range is FROM:TO:COUNT",
                       cf_show(item, shown));
    if (count) {
        *to++ = *count++ = '\0';
        return read_range(item, to, count, s, err);
    }
    int status = append(s, 1, err);
    if (!status)
        status = read_speed(item, &s->m_s[s->n], err);
    s->n += !status;
    return status;
}

int cf_speeds_parse(const char *text, struct cf_speeds *speeds, struct cf_error *err)
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
        status = read_item(item, speeds, err);
        item = comma;
    }
    free(copy);
    if (status)
        cf_speeds_clear(speeds);
    return status;
}

void cf_speeds_clear(struct cf_speeds *speeds)
{
    free(speeds->m_s);
    *speeds = (struct cf_speeds){0, NULL};
}
