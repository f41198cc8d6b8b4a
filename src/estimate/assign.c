/* What sets what: the assignments of a problem, in their order, and what each data set depends on.
 */

#include <stdlib.h>
#include <string.h>

#include "estimate/records.h"
#include "estimate/values.h"

enum { NPASS = 3 };

/* Parameters themselves go first, then aliases that need an exponent, then those that need k. */
static int pass_of(const struct cf_alias *s)
{
    return !s ? 0 : s->k_power != 0 ? 2 : s->pivot_by ? 1 : 0;
}

static void assign_given(struct cf_problem *q, int pass)
{
    for (size_t i = 0; i < cf_held_count(q->spec); i++) {
        struct cf_held held;
        if (cf_held_at(q, i, &held) && pass_of(held.alias) == pass)
            q->assignment[q->nassignment++] = (struct cf_assignment){.kind = CF_ASSIGN_GIVEN,
                                                                     .target = held.target,
                                                                     .alias = held.alias,
                                                                     .value = held.given->value,
                                                                     .hertz = held.given->hertz};
    }
}

static void assign_free(struct cf_problem *q, size_t nfree, int pass)
{
    for (size_t j = 0; j < nfree; j++) {
        const struct cf_unknown *w = &q->unknown[q->set[0].own[j]];
        if (pass_of(w->alias) == pass)
            q->assignment[q->nassignment++] = (struct cf_assignment){
                .kind = CF_ASSIGN_FREE, .target = w->target, .alias = w->alias, .entry = j};
    }
}

/* The ties of the law under study: that of k, or those of the others. */
static void assign_ties(struct cf_problem *q, bool of_k)
{
    for (size_t i = 0; i < q->spec->ntie && q->law == q->spec->law; i++) {
        const struct cf_tie *t = &q->spec->tie[i];
        size_t target = cf_law_target(q->law, t->name);
        if ((target == cf_law_k(q->law)) == of_k)
            q->assignment[q->nassignment++] =
                (struct cf_assignment){.kind = CF_ASSIGN_TIE,
                                       .target = target,
                                       .alias = cf_law_alias(q->law, t->name),
                                       .value = t->factor,
                                       .to = cf_law_target(q->law, t->to),
                                       .to_alias = cf_law_alias(q->law, t->to)};
    }
}

/* The unknowns that reach a set, ascending, and where each free parameter stands among them. */
static void activate(struct cf_problem *q, size_t data, size_t nfree)
{
    struct cf_set *set = &q->set[data];

    for (size_t i = 0; i < q->nfree; i++) {
        /* rows that share an error depend on what the others' sets depend on, once independent */
        bool here = cf_shares_errors(q) ||
                    (q->unknown[i].kind != CF_UNKNOWN_LAW && q->unknown[i].data == data);
        for (size_t j = 0; j < nfree; j++) {
            if (set->own[j] != i)
                continue;
            here = true;
            set->column[j] = set->nactive;
        }
        if (here)
            set->active[set->nactive++] = i;
    }
}

/* Is a parameter of the law a number that nothing moves? An alias may contain k. */
static bool is_held(const struct cf_problem *q, size_t parameter)
{
    for (size_t i = 0; i < q->nassignment; i++)
        if (q->assignment[i].target == parameter)
            return q->assignment[i].kind == CF_ASSIGN_GIVEN && !q->assignment[i].alias;
    return false;
}

/* The values by which derivatives are needed: what is not held among the parameters of the law, and
 * what is free among apparatus and start. */
static void need_slopes(struct cf_problem *q, size_t data)
{
    struct cf_set *set = &q->set[data];

    for (size_t i = 0; i < set->nvalue; i++) {
        bool here = i < q->law->nparam && !is_held(q, i);
        for (size_t j = 0; j < set->nlocal; j++)
            here = here || (set->local[j].kind == CF_UNKNOWN_VALUE && set->local[j].target == i);
        for (size_t j = 0; j < set->nactive; j++) {
            const struct cf_unknown *w = &q->unknown[set->active[j]];
            here = here || (w->kind == CF_UNKNOWN_VALUE && w->data == data && w->target == i);
        }
        if (here)
            set->by[set->nby++] = i;
    }
}

int cf_problem_assign(struct cf_problem *problem, size_t nfree, struct cf_error *err)
{
    struct cf_problem *q = problem;
    size_t most = cf_held_count(q->spec) + nfree + q->spec->ntie;

    q->assignment = calloc(most + 1, sizeof *q->assignment);
    if (!q->assignment)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", most);
    for (int pass = 0; pass < NPASS; pass++) {
        if (pass == NPASS - 1)
            assign_ties(q, true);
        assign_given(q, pass);
        assign_free(q, nfree, pass);
    }
    assign_ties(q, false);
    for (size_t d = 0; d < q->spec->ndata; d++) {
        struct cf_set *set = &q->set[d];
        set->active = calloc(q->nfree + 1, sizeof *set->active);
        set->by = calloc(set->nvalue + 1, sizeof *set->by);
        if (!set->active || !set->by)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", q->nfree);
        activate(q, d, nfree);
        need_slopes(q, d);
    }
    return CF_OK;
}
