#define _POSIX_C_SOURCE 200809L

#include "experiment/bounce_end.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "experiment/bounce_channels.h"

static const char *const how = "; throws end: ";

/* What all of them say together. */
struct sum {
    size_t of[CF_BOUNCE_NEND];
    const struct cf_bounce_end *slowest;
    double rest_m_s, silent_m_s; /* fastest last impact of those */
};

static struct sum sum_of(size_t n, const struct cf_bounce_end end[])
{
    struct sum s = {.slowest = end};

    for (size_t i = 0; i < n; i++) {
        s.of[end[i].kind]++;
        if (end[i].seen_m_s < s.slowest->seen_m_s)
            s.slowest = &end[i];
        if (end[i].kind == CF_BOUNCE_END_REST)
            s.rest_m_s = fmax(s.rest_m_s, end[i].last_m_s);
        if (end[i].kind == CF_BOUNCE_END_SILENT)
            s.silent_m_s = fmax(s.silent_m_s, end[i].last_m_s);
    }
    return s;
}

/* "; how throws end: 3 of 4 WHAT", or nothing; NULL: no memory, also for `before`, which is freed.
 */
static char *and_so_many(char *before, size_t k, size_t n, const char *what)
{
    const char *mark = before && strstr(before, how) ? ", " : how;
    char *text = before && k ? cf_format("%s%s%zu of %zu %s", before, mark, k, n, what) : before;

    if (text != before)
        free(before);
    return text;
}

static char *silence(const struct sum *s)
{
    return cf_format("silent when the next one was due (v_small > %.3g m/s where the ball came to "
                     "rest then, and was not caught or too quiet)",
                     s->silent_m_s);
}

static char *sentence(size_t n, const struct sum *s, const char *limit)
{
    char *silent = silence(s), *unresolved = cf_format("where the next one would be %s", limit);
    char *text =
        s->of[CF_BOUNCE_END_REST]
            ? cf_format("v_small is between %.3g m/s, where the ball came to rest, and %.3g m/s, "
                        "the slowest impact with a rebound (line %zu)",
                        s->rest_m_s, s->slowest->seen_m_s, s->slowest->line)
            : cf_format("v_small < %.3g m/s, the slowest impact with a rebound (line %zu)",
                        s->slowest->seen_m_s, s->slowest->line);

    if (!silent || !unresolved) {
        free(text);
        text = NULL;
    }
    text = and_so_many(text, s->of[CF_BOUNCE_END_REST], n, "at rest");
    text = and_so_many(text, s->of[CF_BOUNCE_END_UNRESOLVED], n, unresolved ? unresolved : "");
    text = and_so_many(text, s->of[CF_BOUNCE_END_SILENT], n, silent ? silent : "");
    text = and_so_many(text, s->of[CF_BOUNCE_END_RECORD], n,
                       "with the record, before the next one was due (throws without end)");
    text = and_so_many(text, s->of[CF_BOUNCE_END_UNKNOWN], n,
                       "where the table ends, which does not say why");
    free(silent);
    free(unresolved);
    return text;
}

/* Pages and fit files have it by its origin. */
static int add_origin(struct cf_dataset *d, const char *text, struct cf_error *err)
{
    char **list = realloc(d->provenance, (d->nprovenance + 1) * sizeof *list);
    char *line = cf_format("bounces: %s", text);

    if (list)
        d->provenance = list;
    if (!list || !line) {
        free(line);
        return cf_fail(err, CF_ENOMEM, "no memory for what is known of a data set");
    }
    d->provenance[d->nprovenance++] = line;
    return CF_OK;
}

int cf_bounce_tell_ends(struct cf_dataset *d, size_t n, const struct cf_bounce_end end[],
                        const char *limit, const struct cf_remarks *remarks, struct cf_error *err)
{
    struct sum s = sum_of(n, end);
    char *text;
    int status;

    if (!n)
        return CF_OK;
    text = sentence(n, &s, limit);
    status = text ? add_origin(d, text, err) : cf_fail(err, CF_ENOMEM, "no memory for a remark");
    if (!status)
        status = cf_bounce_remark(remarks, cf_format("data set %s: %s", d->name, text), err);
    free(text);
    return status;
}
