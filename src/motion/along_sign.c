/* The functions that go through 0 at events, along a column. Laws give the ends of their force, the
 * recovery of their surface and the limits of stick and slip without slopes: these are differenced,
 * each a smooth function of a few numbers. */

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/along.h"

/* Shift of the number that moves most, in parts of its size: the error of a central difference goes
 * with its square, that of rounding with its inverse. */
static const double SHIFT = 6e-6;

/* The step by which no number moves more than by SHIFT of its size; one that is 0 has none. */
static double least(double step, double value, double more)
{
    return more != 0 && value != 0 ? fmin(step, SHIFT * fabs(value / more)) : step;
}

static struct cf_contact shifted(const struct cf_contact *seen, double step, double pressed,
                                 double rate, const struct cf_contact_state_by *by,
                                 const double ds[], double state[])
{
    struct cf_contact c = *seen;

    c.depth_m += step * pressed;
    c.rate_m_s += step * rate;
    if (by)
        c.approach_m_s += step * by->approach_m_s;
    if (by && by->mass_kg != 0)
        c.mass_kg += step * by->mass_kg;
    for (int i = 0; i < CF_MAX_STATE && ds; i++)
        state[i] = seen->state[i] + step * ds[i];
    if (ds)
        c.state = state;
    return c;
}

/* Of law->end(). */
static double law_end_along(const struct cf_along *along, const struct cf_contact_state *contact,
                            const struct cf_contact *seen, double pressed, double rate)
{
    const struct cf_law *law = contact->pair->law;
    const struct cf_contact_state_by *by = cf_along_fixed(along, contact);
    const double *ds = contact->state == CF_NONE ? NULL : along->s + contact->state;
    double step = INFINITY, end[2];

    step = least(step, seen->depth_m, pressed);
    step = least(step, seen->rate_m_s, rate);
    for (size_t i = 0; i < law->nstate && ds; i++)
        step = least(step, seen->state[i], ds[i]);
    for (size_t i = 0; i < law->nparam && by; i++)
        step = least(step, contact->p[i], by->p[i]);
    if (!(step > 0 && isfinite(step)))
        return 0;
    for (int side = 0; side < 2; side++) {
        double h = side ? -step : step, p[CF_MAX_PARAM], state[CF_MAX_STATE] = {0};
        struct cf_contact c = shifted(seen, h, pressed, rate, by, ds, state);
        for (int i = 0; i < CF_MAX_PARAM; i++)
            p[i] = contact->p[i] + (by ? h * by->p[i] : 0);
        end[side] = law->end(p, &c);
    }
    return (end[0] - end[1]) / (2 * step);
}

double cf_end_along(const struct cf_along *along, const struct cf_contact_state *contact,
                    const struct cf_contact_kinematics *kin, const struct cf_contact_by *by)
{
    const struct cf_law *law = contact->pair->law;
    const struct cf_contact_state_by *fixed = cf_along_fixed(along, contact);
    int above = contact->spring - contact->damper;
    bool in_y = cf_contact_in_y(along->system, contact);
    double y = in_y ? along->state[along->system->y] : cf_contact_root(contact, kin->depth);
    double dy = 0, pressed = by->depth;

    if (in_y) {
        dy = along->s[along->system->y];
        pressed = cf_depth_in_y_along(along, contact);
    } else if (kin->depth > 0) {
        dy = by->depth * y / (contact->q * kin->depth);
    }
    if (cf_contact_ends_with_depth(contact) || (!contact->whole && !(y > 0)))
        return in_y ? dy : by->depth;
    if (!contact->whole) {
        struct cf_contact seen = cf_contact_seen(contact, along->state, kin);
        seen.depth_m = cf_whole_power(y, contact->q);
        return law->end ? law_end_along(along, contact, &seen, pressed, by->rate) : pressed;
    }
    return above * cf_whole_power(fabs(y), above - 1) * dy + contact->ratio * by->rate +
           (fixed ? fixed->ratio * kin->rate : 0);
}

struct cf_surface cf_surface_along(const struct cf_along *along,
                                   const struct cf_contact_state *contact)
{
    struct cf_surface out = {0}, at[2];
    const struct cf_law *law = contact->pair->law;
    const struct cf_contact_state_by *by = cf_along_fixed(along, contact);
    double since = along->time_s - contact->left_s, later = along->time, step = INFINITY;

    if (by)
        later -= by->left_s;
    step = least(step, since, later);
    if (by)
        step = least(step, contact->left_m, by->left_m);
    for (size_t i = 0; i < law->nparam && by; i++)
        step = least(step, contact->p[i], by->p[i]);
    for (size_t i = 0; i < law->nstate && by; i++)
        step = least(step, contact->left[i], by->left[i]);
    if (!(step > 0 && isfinite(step)))
        return out;
    for (int side = 0; side < 2; side++) {
        double h = side ? -step : step, p[CF_MAX_PARAM], left[CF_MAX_STATE];
        for (int i = 0; i < CF_MAX_STATE; i++)
            left[i] = contact->left[i] + (by ? h * by->left[i] : 0);
        for (int i = 0; i < CF_MAX_PARAM; i++)
            p[i] = contact->p[i] + (by ? h * by->p[i] : 0);
        law->recovery(p, contact->left_m + (by ? h * by->left_m : 0), left, since + h * later,
                      &at[side]);
    }
    out.depth_m = (at[0].depth_m - at[1].depth_m) / (2 * step);
    for (size_t i = 0; i < law->nstate; i++)
        out.state[i] = (at[0].state[i] - at[1].state[i]) / (2 * step);
    return out;
}

double cf_slide_along(const struct cf_along *along, const struct cf_contact_state *contact,
                      const struct cf_contact_kinematics *kin, const struct cf_contact_by *by,
                      double (*of)(const double p[], const struct cf_slide *c))
{
    const struct cf_contact_pair *pair = contact->pair;
    const struct cf_slide *slide = &kin->slide;
    bool own = cf_along_is(along, CF_WRT_FRICTION, (size_t) (contact - along->system->contact));
    size_t part = own ? along->wrt->part : 0;
    double v[2], x[CF_FRICTION_STATES] = {0}, size, more, step = INFINITY, g[2];

    for (int k = 0; k < 2; k++)
        v[k] = cf_vec_dot(kin->tangent[k], by->slip);
    if (contact->bristle != CF_NONE)
        cf_bristle_along(along, contact, kin, by, x);
    size = hypot(slide->velocity_m_s[0], slide->velocity_m_s[1]);
    more = hypot(v[0], v[1]);
    step = least(step, size, more);
    for (size_t k = 0; k < 2 * pair->friction->nvector; k += 2)
        step = least(step, hypot(slide->state[k], slide->state[k + 1]), hypot(x[k], x[k + 1]));
    step = least(step, slide->normal_N, by->normal_N);
    step = least(step, slide->depth_m, by->pressed);
    if (own && pair->friction_p[part] != 0)
        step = least(step, pair->friction_p[part], 1);
    else if (own)
        step = least(step, pair->friction->param[part].typical, 1);
    if (!(step > 0 && isfinite(step)))
        return 0;
    for (int side = 0; side < 2; side++) {
        double h = side ? -step : step, p[CF_MAX_PARAM], state[CF_FRICTION_STATES] = {0};
        struct cf_slide c = *slide;
        memcpy(p, pair->friction_p, sizeof p);
        if (own)
            p[part] += h;
        for (int k = 0; k < 2; k++)
            c.velocity_m_s[k] += h * v[k];
        for (size_t k = 0; k < pair->friction->nstate; k++)
            state[k] = slide->state[k] + h * x[k];
        c.state = state;
        c.normal_N += h * by->normal_N;
        c.depth_m += h * by->pressed;
        g[side] = of(p, &c);
    }
    return (g[0] - g[1]) / (2 * step);
}
