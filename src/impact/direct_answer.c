/* The answers of one impact from the states at its turn, its peak of force and its end. */

#include <math.h>

#include "impact/direct.h"

/* Where less than this was lost of m v^2, e comes from the loss; else from the speed. */
static const double MOST_KEPT = 0.375;

static void put(struct cf_direct *out, enum cf_impact_what what, const struct cf_sloped *q,
                const struct cf_regular *regular, const struct cf_instant *at, bool slopes)
{
    out->value[what] = q->value;
    for (size_t c = 0; c < regular->ngroup && slopes; c++)
        out->by_group[what][c] =
            cf_direct_along(q, regular->nstate, &at->s[c * regular->nstate], c);
}

/* e from the energy that was lost, to its full accuracy where there is little loss. */
static void restitution(const struct cf_regular *regular, const double group[], const double x[],
                        struct cf_sloped *e)
{
    struct cf_sloped stored = {0};
    double lost;

    cf_regular_speed(regular, group, x, e);
    e->value = -e->value;
    for (size_t i = 0; i < regular->nstate; i++)
        e->by_state[i] = -e->by_state[i];
    for (size_t i = 0; i < regular->ngroup; i++)
        e->by_group[i] = -e->by_group[i];
    regular->stored(group, x, &stored);
    lost = x[CF_D] + stored.value;
    if (!(lost < MOST_KEPT))
        return;
    e->value = sqrt(1 - 2 * lost);
    for (size_t i = 0; i < regular->nstate; i++)
        e->by_state[i] = -(stored.by_state[i] + (i == CF_D)) / e->value;
    for (size_t i = 0; i < regular->ngroup; i++)
        e->by_group[i] = -stored.by_group[i] / e->value;
}

/* The largest of the force's peak, its value at the turn, and a jump at touch. */
static void largest(const struct cf_regular *regular, const double group[], const double touch[],
                    const struct cf_instants *at, bool slopes, struct cf_direct *out)
{
    const struct cf_instant start = {.x = {[CF_W] = 1}}, *where = &at->turn;
    struct cf_sloped force = {0}, jump = {0};

    if (at->has_peak)
        where = &at->peak;
    regular->force(group, where->x, &force);
    regular->force(group, touch, &jump);
    if (jump.value > force.value)
        put(out, CF_IMPACT_FORCE, &jump, regular, &start, slopes);
    else
        put(out, CF_IMPACT_FORCE, &force, regular, where, slopes);
}

int cf_direct_answer(const struct cf_regular *regular, const double group[],
                     const struct cf_direct_how *how, struct cf_direct *out, struct cf_error *err)
{
    const double touch[CF_MAX_REGULAR] = {[CF_W] = 1};
    struct cf_instants at;
    struct cf_sloped e, depth = {0}, duration = {0};
    double y, power;
    int status = cf_direct_run(regular, group, touch, how, &at, err);

    *out = (struct cf_direct){.value = {0}};
    if (status)
        return status;
    y = at.turn.x[CF_Y];
    power = pow(y, regular->q - 1);
    depth.value = y * power;
    depth.by_state[CF_Y] = regular->q * power;
    duration.value = at.end.x[CF_T];
    duration.by_state[CF_T] = 1;
    restitution(regular, group, at.end.x, &e);
    put(out, CF_IMPACT_RESTITUTION, &e, regular, &at.end, how->slopes);
    put(out, CF_IMPACT_DURATION, &duration, regular, &at.end, how->slopes);
    put(out, CF_IMPACT_DEPTH, &depth, regular, &at.turn, how->slopes);
    largest(regular, group, touch, &at, how->slopes, out);
    return CF_OK;
}
