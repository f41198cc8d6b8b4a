/* What curves and numbers of runs have in common where they are judged: places, groups, needs. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "estimate/effects.h"
#include "judge/parts.h"

enum { GRID = CF_ADEQUACY_GRID };

static bool has_same_apparatus(const struct cf_dataset *x, const struct cf_dataset *y, size_t but)
{
    bool same = true;

    for (size_t i = 0; i < x->protocol->napparatus && same; i++)
        same = i == but || x->apparatus[i] == y->apparatus[i] ||
               (isnan(x->apparatus[i]) && isnan(y->apparatus[i]));
    return same;
}

bool cf_judged_together(const struct cf_problem *q, size_t a, size_t b, size_t but)
{
    const struct cf_dataset *x = &q->spec->data[a], *y = &q->spec->data[b];

    return a == b || (cf_protocol_same(x->protocol, y->protocol) && !x->protocol->by_scene &&
                      x->pair.mass_kg == y->pair.mass_kg && x->pair.radius_m == y->pair.radius_m &&
                      x->pair.modulus_Pa == y->pair.modulus_Pa && has_same_apparatus(x, y, but));
}

double cf_judged_place(const struct cf_axis *axis, double abscissa)
{
    return axis->linear ? fabs(abscissa) : log(abscissa);
}

double cf_judged_abscissa(const struct cf_axis *axis, double place, double side)
{
    return axis->linear ? side * place : exp(place);
}

bool cf_judged_in_range(const struct cf_need *need, double abscissa)
{
    return !need || !(fabs(abscissa) < need->low || fabs(abscissa) > need->high);
}

int cf_judged_compare(const void *a, const void *b)
{
    const struct cf_judged_row *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->observation > y->observation) - (x->observation < y->observation);
}

void cf_judged_clear(struct cf_adequacy_rows *rows)
{
    free(rows->x);
    free(rows->group);
}

bool cf_judged_alloc(struct cf_adequacy_rows *rows, size_t n, size_t p)
{
    *rows = (struct cf_adequacy_rows){
        .n = n, .p = p, .x = calloc((4 + p) * n + (1 + p) * GRID + 1, sizeof *rows->x)};
    if (!rows->x)
        return false;
    rows->r = rows->x + n;
    rows->weight = rows->r + n;
    rows->law = rows->weight + n;
    rows->slope = rows->law + n;
    rows->grid_law = rows->slope + p * n;
    rows->grid_slope = rows->grid_law + GRID;
    return true;
}

const struct cf_effect *cf_judged_effect(const struct cf_judged_source *from, size_t data,
                                         size_t column)
{
    const struct cf_effect *widest = NULL;

    for (size_t k = 0; k < from->q->neffect; k++) {
        const struct cf_effect *e = &from->q->effect[k];
        if (cf_effect_reaches(from->q, e, data, column) && (!widest || e->ngroup < widest->ngroup))
            widest = e;
    }
    return widest;
}

bool cf_judged_group(const struct cf_judged_source *from, const struct cf_effect *effect,
                     const struct cf_judged_row r[], struct cf_adequacy_rows *rows)
{
    if (!effect)
        return true;
    uint32_t *of = calloc(from->q->nobservation + 1, sizeof *of);
    uint32_t *seen = calloc(effect->ngroup + 1, sizeof *seen), n = 0;

    rows->group = calloc(rows->n + 1, sizeof *rows->group);
    for (size_t g = 0; g < effect->ngroup && of; g++)
        for (size_t k = effect->first[g]; k < effect->first[g + 1]; k++)
            of[effect->member[k]] = (uint32_t) g + 1;
    for (size_t i = 0; i < rows->n && of && seen && rows->group; i++) {
        uint32_t g = of[r[i].observation];
        if (g == 0)
            rows->group[i] = n++;
        else if (seen[g - 1] == 0)
            rows->group[i] = (seen[g - 1] = ++n) - 1;
        else
            rows->group[i] = seen[g - 1] - 1;
    }
    bool made = of && seen && rows->group;
    free(of);
    free(seen);
    return made;
}

const struct cf_need *cf_judged_need(const struct cf_spec *spec, const char *quantity, size_t *from)
{
    for (; *from < spec->nneed; ++*from)
        if (strcmp(spec->need[*from].quantity, quantity) == 0)
            return &spec->need[(*from)++];
    return NULL;
}

struct cf_judged_curve *cf_judged_append(struct cf_fit *fit)
{
    struct cf_judged_curve *longer = cf_list_grow(fit->judged, fit->njudged, sizeof *longer);

    if (!longer)
        return NULL;
    fit->judged = longer;
    longer[fit->njudged] = (struct cf_judged_curve){.data = 0};
    return &longer[fit->njudged];
}

double cf_loose_variance(const struct cf_fit *fit, const struct cf_problem *q, size_t n,
                         const size_t unknown[], const double slope[], size_t stride)
{
    const struct cf_rank *rank = &fit->optimum.rank;
    double variance = 0;

    for (size_t a = 0; a < n; a++) {
        size_t j = unknown ? unknown[a] : a;
        if (q->unknown[j].kind == CF_UNKNOWN_LAW || slope[a * stride] == 0)
            continue;
        if (!cf_rank_identifies(rank, j))
            return (double) INFINITY;
        for (size_t b = 0; b < n; b++) {
            size_t k = unknown ? unknown[b] : b;
            if (q->unknown[k].kind != CF_UNKNOWN_LAW)
                variance +=
                    slope[a * stride] * slope[b * stride] * rank->covariance[j * rank->n + k];
        }
    }
    return fmax(variance, 0); /* of rounding */
}
