/* Where the unknowns of laws start, and how far they are sought, by the hand formulas of the
 * protocols. */

#include "estimate/by_hand.h"

#include <math.h>

#include "estimate/values.h"

bool cf_shares(const struct cf_spec *spec, enum cf_sharing per, size_t a, size_t b)
{
    const struct cf_pair *p = &spec->data[a].pair, *q = &spec->data[b].pair;

    if (per == CF_SHARED_BY_DATA)
        return a == b;
    return per == CF_SHARED_BY_ALL || (p->mass_kg == q->mass_kg && p->radius_m == q->radius_m &&
                                       p->modulus_Pa == q->modulus_Pa);
}

static int ask_hand(const struct cf_problem *q, size_t data, struct cf_by_hand *hand,
                    struct cf_error *err)
{
    const struct cf_dataset *d = &q->spec->data[data];

    if (hand->asked)
        return CF_OK;
    hand->asked = true;
    for (size_t i = 0; i < CF_MOST_HAND; i++)
        hand->start[i] = (struct cf_hand){(double) NAN, (double) NAN, 0};
    if (!d->protocol->hand || q->law->nparam + q->law->nalias > CF_MOST_HAND)
        return CF_OK;
    return d->protocol->hand(d, q->law, hand->start, err);
}

/* What formulas say of an alias: their own word, or what they say of the law's parameter, target =
 * factor value R^r k^c pivot^-exponent. NAN: nothing. */
static struct cf_hand hand_of(const struct cf_problem *q, const struct cf_by_hand *hand,
                              size_t data, const struct cf_unknown *w)
{
    struct cf_hand at = hand->start[w->target], own;
    const struct cf_alias *s = w->alias;
    size_t k = cf_law_k(q->law);
    double scale = s ? s->factor : 1;

    if (!s)
        return at;
    own = hand->start[q->law->nparam + (size_t) (s - q->law->alias)];
    if (!isnan(own.value))
        return own;
    if (s->radius_power != 0)
        scale *= pow(q->spec->data[data].pair.radius_m, s->radius_power);
    if (s->k_power != 0)
        scale *= k < q->law->nparam ? pow(hand->start[k].value, s->k_power) : (double) NAN;
    if (s->pivot_by)
        scale *= pow(q->pivot_m, -hand->start[s->pivot_by - 1].value);
    at.value /= scale;
    at.most /= scale;
    if (w->scale == CF_SCALE_LINEAR)
        at.reach /= scale;
    return at;
}

/* Of the data sets that share the unknown, what the formulas of that one say which are the surest
 * of it. */
static int surest_hand(const struct cf_problem *q, struct cf_by_hand hand[],
                       const struct cf_unknown *w, struct cf_hand *surest, struct cf_error *err)
{
    *surest = (struct cf_hand){(double) NAN, (double) INFINITY, 0};
    for (size_t d = w->data; d < q->spec->ndata; d++) {
        struct cf_hand at;
        if (!cf_shares(q->spec, w->per, w->data, d))
            continue;
        int status = ask_hand(q, d, &hand[d], err);
        if (status)
            return status;
        at = hand_of(q, &hand[d], d, w);
        if ((at.value > 0 || (w->scale == CF_SCALE_LINEAR && !isnan(at.value))) &&
            at.reach < surest->reach)
            *surest = at;
    }
    return CF_OK;
}

/* The range of a law's row is of the contacts that it is mostly used for. It becomes one that holds
 * all starts about the formula's, and what the data say at most, within what the law accepts: a
 * torque is small or large with the apparatus. */
static void adapt_range(const struct cf_problem *q, const struct cf_hand *at, struct cf_unknown *w)
{
    const struct cf_param *row = &q->law->param[w->target];
    double theta = cf_unknown_theta(w, at->value);
    double accepted = cf_unknown_value(w, w->upper) * (row->upper / row->fit_upper);
    double upper = at->most > 0 ? cf_unknown_theta(w, at->most) : w->upper;

    if (w->scale == CF_SCALE_LOG && theta - w->reach < w->lower) {
        w->lower = fmax(theta - w->reach, w->lower + log(row->lower / row->fit_lower));
        w->lower_by = CF_BOUND_BY_DATA;
    }
    if (w->scale == CF_SCALE_LOG)
        upper = fmax(theta + w->reach, upper);
    if (upper == w->upper)
        return;
    w->upper = fmin(upper, cf_unknown_theta(w, accepted));
    w->upper_by = CF_BOUND_BY_DATA;
}

int cf_start_by_hand(const struct cf_problem *q, struct cf_by_hand hand[], struct cf_unknown *w,
                     struct cf_error *err)
{
    struct cf_hand at;
    int status = surest_hand(q, hand, w, &at, err);

    if (status || isnan(at.value))
        return status;
    w->by_hand = true;
    w->reach = cf_unknown_theta(w, at.reach);
    adapt_range(q, &at, w);
    w->start = cf_unknown_theta(w, at.value);
    return CF_OK;
}
