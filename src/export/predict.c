/* Predictions of e: at the design speed, over the fitted range, at the user's step. */

#include "export/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int by_twin(const struct cf_mapping *m, double speed_m_s, struct cf_curves *curves,
                   struct cf_seen *out, struct cf_error *err)
{
    struct cf_twin fine = m->twin;

    if (fine.scheme == CF_SCHEME_RESTITUTION) {
        *out = (struct cf_seen){0, (double) NAN, (double) NAN, (double) NAN, true};
        return cf_twin_bounce(&fine, curves, speed_m_s, &out->e, err);
    }
    fine.scheme = CF_SCHEME_CONTINUOUS;
    if (m->twin.scheme != CF_SCHEME_CONTINUOUS)
        fine.gravity_m_s2 = 0;
    if (m->compensated)
        fine.p[cf_param_find(fine.law->param, fine.law->nparam, "lambda")] = m->plain_damping;
    return cf_twin_run(&fine, curves, speed_m_s, 0, 0, out, err);
}

int cf_predict_seen(const struct cf_mapping *m, double speed_m_s, struct cf_curves *curves,
                    struct cf_seen *out, struct cf_error *err)
{
    if (!m->target->shape)
        return by_twin(m, speed_m_s, curves, out, err);
    m->target->shape(m, speed_m_s, out);
    return CF_OK;
}

int cf_predict_e(const struct cf_mapping *m, double speed_m_s, struct cf_curves *curves, double *e,
                 struct cf_error *err)
{
    struct cf_seen seen;
    int status = by_twin(m, speed_m_s, curves, &seen, err);

    *e = seen.e;
    return status;
}

/* The least and the largest of a ratio; NAN once one of its parts is not known. */
static void widen(double part, double whole, double *low, double *high)
{
    double ratio = part / whole;

    *low = isnan(ratio) || isnan(*low) ? (double) NAN : fmin(*low, ratio);
    *high = isnan(ratio) || isnan(*high) ? (double) NAN : fmax(*high, ratio);
}

/* One speed of the range. */
static int at_speed(struct cf_mapping *m, double mass_kg, double speed, struct cf_curves *curves,
                    struct cf_error *err)
{
    const struct cf_material *material = m->material;
    struct cf_outlook *out = &m->prediction;
    struct cf_impact wanted;
    struct cf_seen seen;
    double e;

    int status = cf_impact(curves, material->law, material->p, mass_kg, speed, &wanted, err);
    if (!status)
        status = cf_predict_e(m, speed, curves, &e, err);
    if (!status)
        status = cf_predict_seen(m, speed, curves, &seen, err);
    if (status)
        return status;
    const double *fit = wanted.value;
    /* depths and durations of a fit that identified e alone are no measure */
    const bool nothing[CF_NIMPACT] = {false}, *known = wanted.known;
    double error = fabs(e - fit[CF_IMPACT_RESTITUTION]), unknown = (double) NAN;
    if (error > out->range_error) {
        out->range_error = error;
        out->range_speed_m_s = speed;
    }
    if (cf_export_any_spring(m->target, &m->question, material))
        known = nothing;
    widen(seen.depth_m, known[CF_IMPACT_DEPTH] ? fit[CF_IMPACT_DEPTH] : unknown, &out->depth_low,
          &out->depth_high);
    widen(seen.duration_s, known[CF_IMPACT_DURATION] ? fit[CF_IMPACT_DURATION] : unknown,
          &out->duration_low, &out->duration_high);
    out->deepest_m = seen.depth_m;
    return CF_OK;
}

/* The largest difference over the range, which e(v) is smooth enough to find on a grid. */
static int over_range(struct cf_mapping *m, double mass_kg, struct cf_curves *curves,
                      struct cf_error *err)
{
    enum { NSPEED = 33 };
    struct cf_outlook *out = &m->prediction;
    double low, high;
    int status = CF_OK;

    out->range_error = out->range_speed_m_s = out->slowest_m_s = out->fastest_m_s = (double) NAN;
    out->depth_low = out->depth_high = out->duration_low = out->duration_high = (double) NAN;
    out->deepest_m = (double) NAN;
    if (!cf_export_range(&m->question, m->material, &low, &high))
        return CF_OK;
    out->slowest_m_s = low;
    out->fastest_m_s = high;
    out->range_error = -1;
    out->depth_low = out->duration_low = (double) INFINITY;
    out->depth_high = out->duration_high = 0;
    for (int i = 0; i < NSPEED && !status; i++)
        status =
            at_speed(m, mass_kg, low * pow(high / low, (double) i / (NSPEED - 1)), curves, err);
    return status;
}

/* Half of the last of the four decimals that e is printed with. */
static const double below_print = 5e-5;

bool cf_export_as_fit(const struct cf_outlook *outlook)
{
    return outlook->range_error < below_print;
}

/* The conventional value, for simulators whose users state no other. */
static const double standard_gravity_m_s2 = 9.80665;

static int under_gravity(struct cf_mapping *m, const struct cf_goal *goal, struct cf_curves *curves,
                         struct cf_error *err)
{
    struct cf_twin heavy = m->twin;

    heavy.gravity_m_s2 = standard_gravity_m_s2;
    return cf_twin_miss(&heavy, curves, goal, m->question.dt_s, &m->prediction.heavy, err);
}

bool cf_export_tells_gravity(const struct cf_mapping *m)
{
    return m->question.keep == CF_KEEP_STEP && !(m->question.gravity_m_s2 > 0) &&
           !m->question.only_good;
}

double cf_export_room(const struct cf_mapping *m)
{
    const struct cf_material *material = m->material;

    if (m->question.any_depth)
        return (double) INFINITY;
    if (cf_export_two_spheres(material))
        return material->body[0].radius_m + material->body[1].radius_m;
    return m->target->lost_radii > 0 && material->radius_m > 0
               ? m->target->lost_radii * material->radius_m
               : (double) INFINITY;
}

/* At the user's step: with the damping that is exported, and without compensation. */
static int at_step(struct cf_mapping *m, const struct cf_goal *goal, struct cf_curves *curves,
                   struct cf_error *err)
{
    const struct cf_question *q = &m->question;
    struct cf_outlook *out = &m->prediction;
    struct cf_twin plain = m->twin, rounded = m->twin;
    enum cf_scheme scheme = m->twin.scheme;

    out->stepped =
        scheme != CF_SCHEME_CONTINUOUS &&
        (scheme != CF_SCHEME_RESTITUTION || (m->twin.gravity_m_s2 > 0 && !isnan(q->dt_s)));
    out->largest_dt_s = (double) INFINITY;
    out->unpredicted = scheme == CF_SCHEME_CONTINUOUS && !isnan(q->dt_s) && !m->target->any_step;
    if (!out->stepped)
        return CF_OK;
    if (m->compensated)
        plain.p[cf_param_find(plain.law->param, plain.law->nparam, "lambda")] = m->plain_damping;
    bool follow = cf_twin_compensates(&plain) && !q->plain;
    int status = q->only_good
                     ? CF_OK
                     : cf_twin_largest_step(&plain, curves, goal, follow, &out->largest_dt_s, err);
    out->largest_dt_s *= cf_below_the_edge;
    out->stepped = !isnan(q->dt_s);
    if (status || !out->stepped)
        return status;
    if (m->target->single)
        cf_export_floats(m->material, &rounded.floats);
    out->rounded = rounded.floats.are;
    status = cf_twin_spread(&rounded, curves, q->speed_m_s, q->dt_s, &out->spread, err);
    if (!status && !q->only_good)
        status = cf_twin_spread(&plain, curves, q->speed_m_s, q->dt_s, &out->plain, err);
    if (!status)
        status = cf_twin_miss(&rounded, curves, goal, q->dt_s, &out->miss, err);
    return status || !cf_export_tells_gravity(m) ? status : under_gravity(m, goal, curves, err);
}

/* Why a step does not serve; "" where it does. */
static void judge_step(const struct cf_mapping *m, char *why, size_t size)
{
    const struct cf_outlook *p = &m->prediction;
    double dt = m->question.dt_s;

    if (p->unpredicted)
        snprintf(why, size,
                 "e is not predicted at dt = %.6g s: no twin of the steps of %s is known", dt,
                 m->target->title);
    else if (!p->stepped)
        return;
    else if (!p->spread.left || !p->miss.left)
        snprintf(why, size, "at dt = %.6g s the contact does not end%s", dt,
                 p->rounded ? ", or single precision rounds its way out to nothing" : "");
    else if (p->miss.e_high > 1)
        snprintf(why, size, "at dt = %.6g s the bounce gains energy: e up to %.4f", dt,
                 p->miss.e_high);
}

double cf_export_way(const struct cf_mapping *m)
{
    bool steps = m->twin.scheme != CF_SCHEME_CONTINUOUS && !cf_export_is_code(m);

    return steps ? m->question.dt_s * m->prediction.fastest_m_s : (double) NAN;
}

static void judge_depth(const struct cf_mapping *m, char *why, size_t size)
{
    const struct cf_outlook *p = &m->prediction;
    double room = cf_export_room(m), way = cf_export_way(m);
    const char *where = cf_export_two_spheres(m->material) ? "the spheres are through each other"
                                                           : "a sphere is through the plane";

    if (way > room)
        snprintf(why, size, "in a step of %.4g s a body goes %.2g m at %.4g m/s, and at %.2g m %s",
                 m->question.dt_s, way, p->fastest_m_s, room, where);
    else if (p->deepest_m > room)
        snprintf(why, size, "the contact gives way by %.2g m at %.4g m/s, and at %.2g m %s",
                 p->deepest_m, p->fastest_m_s, room, where);
    else if (p->deepest_m + way > room)
        snprintf(
            why, size,
            "the contact gives way by %.2g m at %.4g m/s, and a step goes %.2g m; at %.2g m %s",
            p->deepest_m, p->fastest_m_s, way, room, where);
}

/* Why e is not that of the fit, at the design speed or at another. */
static void judge_e(const struct cf_mapping *m, char *why, size_t size)
{
    const struct cf_outlook *p = &m->prediction;
    double low = p->stepped ? p->spread.e_low : p->e_target;
    double high = p->stepped ? p->spread.e_high : p->e_target;
    double error = p->stepped ? p->miss.error : p->range_error;
    double speed = p->stepped ? p->miss.speed_m_s : p->range_speed_m_s;

    if (!(high <= p->e_fit + p->bound_e && low >= p->e_fit - p->bound_e))
        snprintf(why, size, "e = %.4f to %.4f is off the fit's %.4f by more than %.2g", low, high,
                 p->e_fit, p->bound_e);
    else if (error > p->bound_e)
        snprintf(why, size, "e is off the fit by up to %.2g at %.4g m/s, by more than %.2g", error,
                 speed, p->bound_e);
}

static void judge(struct cf_mapping *m)
{
    struct cf_outlook *p = &m->prediction;

    p->reason[0] = '\0';
    judge_step(m, p->reason, sizeof p->reason);
    if (!p->reason[0])
        judge_depth(m, p->reason, sizeof p->reason);
    if (!p->reason[0] && !m->twin.rows) /* measurements are not held against a law */
        judge_e(m, p->reason, sizeof p->reason);
    p->good = !p->reason[0];
}

int cf_predict_fit(const struct cf_material *material, const struct cf_question *question,
                   double mass_kg, struct cf_curves *curves, struct cf_outlook *out,
                   struct cf_error *err)
{
    double v = question->speed_m_s;
    int status =
        cf_restitution_at(curves, material->law, material->p, mass_kg, v, &out->e_fit, err);

    if (status)
        return status;
    out->bound_e = isnan(question->bound_e) ? cf_usual_bound : question->bound_e;
    if (material->smooth.n || !cf_material_band(material, v, &out->e_low, &out->e_high))
        out->e_low = out->e_high = (double) NAN;
    return CF_OK;
}

int cf_predict(struct cf_mapping *m, double mass_kg, struct cf_curves *curves, struct cf_error *err)
{
    struct cf_outlook *out = &m->prediction;
    struct cf_goal goal;
    int status = cf_predict_fit(m->material, &m->question, mass_kg, curves, out, err);

    if (!status)
        status = cf_predict_e(m, m->question.speed_m_s, curves, &out->e_target, err);
    if (!status)
        status = over_range(m, mass_kg, curves, err);
    if (!status)
        status = cf_export_goal(m, mass_kg, curves, &goal, err);
    if (!status)
        status = at_step(m, &goal, curves, err);
    if (!status)
        judge(m);
    return status;
}
