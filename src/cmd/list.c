#define _POSIX_C_SOURCE 200809L

#include "cmd/list.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"

enum { MOST = 1000000 };

static int append(const struct cf_list_kind *kind, struct cf_list *list, size_t more,
                  struct cf_error *err)
{
    if (list->n + more > MOST)
        return cf_fail(err, CF_EUSAGE, "%s: more than %d %s", kind->option, MOST, kind->many);
    double *grown = realloc(list->value, (list->n + more) * sizeof *grown);
    if (!grown)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    list->value = grown;
    return CF_OK;
}

static int read_one(const struct cf_list_kind *kind, const char *text, double *value,
                    struct cf_error *err)
{
    struct cf_error why = {""};
    char shown[CF_SHOWN];

    if (cf_quantity_parse(text, kind->unit, value, &why) != CF_OK)
        return cf_fail(err, CF_EUSAGE, "%s: %.900s", kind->option, why.text);
    if (!kind->linear && !(*value > 0))
        return cf_fail(err, CF_ERANGE, "%s: %s: %s must be above 0", kind->option,
                       cf_show(text, shown), kind->one);
    return CF_OK;
}

/* FROM:TO:COUNT, cut at its colons */
static int read_range(const struct cf_list_kind *kind, char *item, char *to, char *count,
                      struct cf_list *list, struct cf_error *err)
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
    status = append(kind, list, n, err);
    if (status)
        return status;
    /* in long double, so that 1:8:4 gives 2 and 4 where a double would be off by a digit */
    long double from = (long double) first, to_last = (long double) last;
    for (unsigned long i = 0; i < n; i++) {
        long double step = (long double) i / (long double) (n - 1);
        list->value[list->n + i] = (double) (kind->linear ? from + (to_last - from) * step
                                                          : from * powl(to_last / from, step));
    }
    list->value[list->n] = first;
    list->n += n;
    list->value[list->n - 1] = last;
    return CF_OK;
}

static int read_item(const struct cf_list_kind *kind, char *item, struct cf_list *list,
                     struct cf_error *err)
{
    char *to = strchr(item, ':'), *count = to ? strchr(to + 1, ':') : NULL, shown[CF_SHOWN];

    if (item[strspn(item, " ")] == '\0')
        return cf_fail(err, CF_EUSAGE, "%s: nothing stands %s", kind->option,
                       list->n ? "after a comma" : "there: give 0.1,0.5,2 or FROM:TO:COUNT");
    if (to && !count)
        return cf_fail(err, CF_EUSAGE, "%s: \"%s\": a range is FROM:TO:COUNT", kind->option,
                       cf_show(item, shown));
    if (count) {
        *to++ = *count++ = '\0';
        return read_range(kind, item, to, count, list, err);
    }
    int status = append(kind, list, 1, err);
    if (!status)
        status = read_one(kind, item, &list->value[list->n], err);
    list->n += !status;
    return status;
}

int cf_list_parse(const struct cf_list_kind *kind, const char *text, struct cf_list *list,
                  struct cf_error *err)
{
    char *copy = strdup(text), *item = copy;
    int status = CF_OK;

    *list = (struct cf_list){0, NULL};
    if (!copy)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    while (item && !status) {
        char *comma = strchr(item, ',');
        if (comma)
            *comma++ = '\0';
        status = read_item(kind, item, list, err);
        item = comma;
    }
    free(copy);
    if (status)
        cf_list_clear(list);
    return status;
}

void cf_list_clear(struct cf_list *list)
{
    free(list->value);
    *list = (struct cf_list){0, NULL};
}
