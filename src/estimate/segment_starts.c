#include "estimate/segment_starts.h"

#include <math.h>

#include "estimate/records.h"
#include "estimate/values.h"

static size_t segments_of(const struct cf_problem *q, size_t data)
{
    size_t n = q->spec->data[data].nsegment;

    return n ? n : 1;
}

size_t cf_starts_count(const struct cf_problem *problem)
{
    size_t n = 0;

    for (size_t d = 0; d < problem->spec->ndata && cf_shares_errors(problem); d++)
        n += problem->spec->data[d].protocol->nstart * segments_of(problem, d);
    return n;
}

static int describe(const struct cf_problem *q, size_t data, size_t i, struct cf_unknown *out,
                    struct cf_error *err)
{
    const struct cf_param *row = &q->spec->data[data].protocol->start[i];
    struct cf_unknown w = {
        .name = row->name,
        .unit = row->unit,
        .what = row->what,
        .kind = CF_UNKNOWN_VALUE,
        .scale = row->scale,
        .target = cf_set_start(q, data, i),
        .data = data,
    };

    w.lower = cf_unknown_theta(&w, row->fit_lower);
    w.upper = cf_unknown_theta(&w, row->fit_upper);
    w.start = cf_unknown_theta(&w, row->typical);
    int status = CF_OK;
    if (q->spec->data[data].protocol->start_sd) {
        status =
            q->spec->data[data].protocol->start_sd(&q->spec->data[data], i, &w.prior_sigma, err);
        w.prior = w.start;
        w.has_prior = isfinite(w.prior_sigma);
    }
    *out = w;
    return status;
}

/* "touch", "touch[2]" of several segments, "touch[three drops 2]" of several data sets. */
static const char *name_of(struct cf_problem *q, const struct cf_unknown *w, size_t segment)
{
    const char *set = q->spec->data[w->data].name;

    if (q->spec->ndata > 1)
        return cf_problem_name(q, "%s[%s %zu]", w->name, set, segment + 1);
    return segments_of(q, w->data) > 1 ? cf_problem_name(q, "%s[%zu]", w->name, segment + 1)
                                       : w->name;
}

static int add_unknowns(struct cf_problem *q, const struct cf_unknown *w, struct cf_error *err)
{
    for (size_t segment = 0; segment < segments_of(q, w->data); segment++) {
        struct cf_unknown *to = &q->unknown[q->nfree];
        *to = *w;
        to->of_segment = segment + 1;
        to->by_hand = true; /* where its row says, in all searches */
        to->name = name_of(q, w, segment);
        if (!to->name)
            return cf_fail(err, CF_ENOMEM, "no memory for the name of a start");
        q->nfree++;
    }
    return CF_OK;
}

int cf_starts_add(struct cf_problem *problem, size_t data, struct cf_error *err)
{
    struct cf_set *set = &problem->set[data];
    int status = CF_OK;

    for (size_t i = 0; i < problem->spec->data[data].protocol->nstart && !status; i++) {
        struct cf_unknown w;
        status = describe(problem, data, i, &w, err);
        if (status)
            break;
        if (cf_shares_errors(problem))
            status = add_unknowns(problem, &w, err);
        else
            set->local[set->nlocal++] = w;
    }
    return status;
}
