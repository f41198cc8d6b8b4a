#include "judge/rival_numbers.h"

#include <stdlib.h>

#include "core/text.h"
#include "estimate/rank.h"

static const char *role_of(const struct cf_unknown *w)
{
    if (w->of_segment)
        return "start";
    return w->kind == CF_UNKNOWN_LAW ? "fitted" : "nuisance";
}

static int note_held(const struct cf_problem *q, struct cf_rival *v, struct cf_error *err)
{
    v->held = calloc(cf_held_count(q->spec) + 1, sizeof *v->held);
    if (!v->held)
        return cf_fail(err, CF_ENOMEM, "no memory for what is held of %s", q->law->name);
    for (size_t i = 0; i < cf_held_count(q->spec); i++)
        v->nheld += cf_held_at(q, i, &v->held[v->nheld]);
    return CF_OK;
}

int cf_rival_numbers(const struct cf_problem *q, const double theta[], struct cf_rival *v,
                     struct cf_error *err)
{
    struct cf_rank rank;
    int status = cf_rank_problem(q, theta, NULL, &rank, err);

    v->rank = rank.rank;
    v->parameter = calloc(q->nfree + 1, sizeof *v->parameter);
    v->theta = calloc(q->nfree + 1, sizeof *v->theta);
    if (!status && (!v->parameter || !v->theta))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", q->nfree);
    for (size_t i = 0; i < q->nfree && !status; i++) {
        const struct cf_unknown *w = &q->unknown[i];
        v->theta[i] = theta[i];
        v->parameter[i] = (struct cf_rival_parameter){.name = cf_format("%s", w->name),
                                                      .unit = w->unit,
                                                      .value = cf_unknown_value(w, theta[i]),
                                                      .identified = cf_rank_identifies(&rank, i),
                                                      .role = role_of(w)};
        v->nfree = i + 1;
        if (!v->parameter[i].name)
            status = cf_fail(err, CF_ENOMEM, "no memory for the name of a parameter");
    }
    cf_rank_clear(&rank);
    return status ? status : note_held(q, v, err);
}
