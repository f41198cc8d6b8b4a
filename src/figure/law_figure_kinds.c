/* What a figure file can show: one row for each kind. */

#include <math.h>
#include <string.h>

#include "figure/law_figure.h"

enum { LAST = CF_DRAWN_POINTS - 1 };

/* The i-th abscissa of a range, ends exact. */
static double abscissa(const struct cf_drawing *drawing, int i)
{
    double share = (double) i / LAST;

    if (i == 0 || i == LAST)
        return i ? drawing->to : drawing->from;
    return drawing->logarithmic ? drawing->from * pow(drawing->to / drawing->from, share)
                                : drawing->from + share * (drawing->to - drawing->from);
}

static const char *takes_all(const struct cf_law *law)
{
    (void) law;
    return NULL;
}

static const char *takes_forces(const struct cf_law *law)
{
    return law->family == CF_FAMILY_NORMAL ? NULL : "it predicts restitution only, and no force";
}

/* Is the law k z^1.5 (1 + a zdot) with a from a wanted e? */
static const char *takes_driven(const struct cf_law *law)
{
    bool driven = law->damping && law->n == 1.5 && law->p == 1.5 &&
                  cf_param_find(law->param, law->nparam, "e") < law->nparam;
    return driven ? NULL : "it is not driven by a wanted restitution e";
}

/* Where the mass does not matter for e, any gives it. */
static double mass_or_one(const struct cf_drawn *curve)
{
    return isnan(curve->mass_kg) ? 1 : curve->mass_kg;
}

static int trace_restitution(struct cf_curves *curves, const struct cf_drawing *drawing,
                             struct cf_drawn *curve, struct cf_error *err)
{
    int status = CF_OK;

    for (int i = 0; i <= LAST && status == CF_OK; i++) {
        struct cf_impact impact;
        curve->x[i] = abscissa(drawing, i);
        status =
            cf_impact(curves, curve->law, curve->p, mass_or_one(curve), curve->x[i], &impact, err);
        curve->y[i] = status ? (double) NAN : impact.value[CF_IMPACT_RESTITUTION];
    }
    return status;
}

/* The e of a law with target e(v), over e(v). */
static int trace_ratio(struct cf_curves *curves, const struct cf_drawing *drawing,
                       struct cf_drawn *curve, struct cf_error *err)
{
    size_t e = cf_param_find(curve->law->param, curve->law->nparam, "e");
    int status = CF_OK;

    for (int i = 0; i <= LAST && status == CF_OK; i++) {
        struct cf_restitution wanted;
        struct cf_impact impact;
        double p[CF_MAX_PARAM];

        memcpy(p, curve->p, sizeof p);
        curve->x[i] = abscissa(drawing, i);
        drawing->target->restitution(drawing->target_p, curve->x[i], &wanted);
        p[e] = wanted.e;
        if (!(wanted.e > 0 && wanted.e <= 1))
            return cf_fail(err, CF_ERANGE,
                           "the target %s asks for e = %.4g at %.4g m/s: it must be above 0 and at "
                           "most 1 over the whole range of speed",
                           drawing->target->name, wanted.e, curve->x[i]);
        status = cf_impact(curves, curve->law, p, mass_or_one(curve), curve->x[i], &impact, err);
        curve->y[i] = status ? (double) NAN : impact.value[CF_IMPACT_RESTITUTION] / wanted.e;
    }
    return status;
}

/* d = a e v_i of the damping a that the law takes for e ([G07] 3.24). */
static int trace_factor(struct cf_curves *curves, const struct cf_drawing *drawing,
                        struct cf_drawn *curve, struct cf_error *err)
{
    size_t e = cf_param_find(curve->law->param, curve->law->nparam, "e");
    size_t v_small = cf_param_find(curve->law->param, curve->law->nparam, "v_small");
    const double speed_m_s = 1; /* any: a v_i is a function of e alone */

    (void) curves;
    (void) err;
    for (int i = 0; i <= LAST; i++) {
        struct cf_damping damping;
        double p[CF_MAX_PARAM];

        memcpy(p, curve->p, sizeof p);
        curve->x[i] = abscissa(drawing, i);
        p[e] = curve->x[i];
        if (v_small < curve->law->nparam)
            p[v_small] = 0;
        curve->law->damping(p, mass_or_one(curve), speed_m_s, &damping);
        curve->y[i] = damping.ratio * speed_m_s * curve->x[i];
    }
    return CF_OK;
}

/* The linear law without its clamp, from touch to z = 0: a damped half-wave. */
static int trace_unclamped(struct cf_drawn *curve, struct cf_error *err)
{
    double k = curve->p[cf_law_k(curve->law)], m = curve->mass_kg, v = curve->speed_m_s;
    double lambda = curve->p[cf_param_find(curve->law->param, curve->law->nparam, "lambda")];
    double decay = lambda / (2 * m), omega2 = k / m - decay * decay;

    if (!(omega2 > 0))
        return cf_fail(err, CF_ERANGE,
                       "lambda = %.6g N s/m: without the clamp the body comes back only where "
                       "lambda is below 2 sqrt(k m) = %.6g N s/m",
                       lambda, 2 * sqrt(k * m));
    double omega = sqrt(omega2), half_turn = acos(-1.0);
    for (int i = 0; i <= LAST; i++) {
        double angle = half_turn * i / LAST, fade = exp(-decay * angle / omega);
        double rate = v * fade * (cos(angle) - decay / omega * sin(angle));
        curve->x[i] = i == LAST ? 0 : v / omega * fade * sin(angle);
        curve->y[i] = k * curve->x[i] + lambda * rate;
    }
    return CF_OK;
}

static int trace_loop(struct cf_curves *curves, const struct cf_drawing *drawing,
                      struct cf_drawn *curve, struct cf_error *err)
{
    double t_s[CF_DRAWN_POINTS], rate_m_s[CF_DRAWN_POINTS];

    (void) curves;
    (void) drawing;
    if (curve->pulls)
        return trace_unclamped(curve, err);
    return cf_impact_trace(curve->law, curve->p, curve->mass_kg, curve->speed_m_s, CF_DRAWN_POINTS,
                           t_s, curve->x, rate_m_s, curve->y, err);
}

static const char *takes_friction(const struct cf_law *law)
{
    return law->family == CF_FAMILY_COEFFICIENT ? NULL
                                                : "a friction coefficient over the slip speed is "
                                                  "wanted, such as mu-drake";
}

static int trace_friction(struct cf_curves *curves, const struct cf_drawing *drawing,
                          struct cf_drawn *curve, struct cf_error *err)
{
    (void) curves;
    (void) err;
    for (int i = 0; i <= LAST; i++) {
        struct cf_friction_curve at;
        curve->x[i] = abscissa(drawing, i);
        curve->law->curve(curve->p, curve->x[i], &at);
        curve->y[i] = at.value;
    }
    return CF_OK;
}

static const char *const own_e[] = {"e", NULL};
static const char *const own_all[] = {"k", "e", "v_small", NULL};

static const struct cf_drawing_kind restitution = {
    .name = "restitution",
    .what = "restitution against approach speed",
    .x = {"speed", "m/s", 1e-9, 1e6},
    .y = {"restitution", "1", 0, 2},
    .ranged = true,
    .any_k = true,
    .tunable = true,
    .refuses = takes_all,
    .trace = trace_restitution,
};

static const struct cf_drawing_kind ratio = {
    .name = "restitution-ratio",
    .what = "restitution that a driven law gives over the one it is asked for, against speed",
    .x = {"speed", "m/s", 1e-9, 1e6},
    .y = {"ratio", "1", 0, 1e3},
    .ranged = true,
    .aimed = true,
    .any_k = true,
    .own = own_e,
    .refuses = takes_driven,
    .trace = trace_ratio,
};

static const struct cf_drawing_kind factor = {
    .name = "damping-factor",
    .what = "damping factor d = a e v of driven laws against the restitution asked for",
    .x = {"restitution", "1", 1e-3, 1},
    .y = {"damping_factor", "1", -1e3, 1e3},
    .ranged = true,
    .any_k = true,
    .own = own_all,
    .refuses = takes_driven,
    .trace = trace_factor,
};

static const struct cf_drawing_kind loops = {
    .name = "loops",
    .what = "force against compression over one impact",
    .x = {"depth", "m", -1e3, 1e3},
    .y = {"force", "N", -1e15, 1e15},
    .by_speed = true,
    .refuses = takes_forces,
    .trace = trace_loop,
};

static const struct cf_drawing_kind friction = {
    .name = "friction",
    .what = "friction coefficient against slip speed",
    .x = {"slip", "m/s", 0, 1e6},
    .y = {"coefficient", "1", 0, 1e3},
    .ranged = true,
    .refuses = takes_friction,
    .trace = trace_friction,
};

const struct cf_drawing_kind *const cf_drawing_kinds[] = {&restitution, &loops,    &factor,
                                                          &ratio,       &friction, NULL};
