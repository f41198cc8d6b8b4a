/* Predictions of e: at the design speed, over the fitted range, at the user's step. */

#include "export/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What an error of e is held against where the fit has no interval of it. */
static const double usual_bound = 0.01;

int cf_predict_e(const struct cf_mapping *m, double speed_m_s, struct cf_curves *curves, double *e,
                 struct cf_error *err)
{
    struct cf_twin fine = m->twin;
    struct cf_seen seen;

    if (fine.scheme == CF_SCHEME_RESTITUTION)
        return cf_twin_bounce(&fine, curves, speed_m_s, e, err);
    fine.scheme = CF_SCHEME_CONTINUOUS;
    if (m->compensated)
        fine.p[cf_param_find(fine.law->param, fine.law->nparam, "lambda")] = m->plain_damping;
    int status = cf_twin_run(&fine, curves, speed_m_s, 0, 0, &seen, err);
    *e = seen.e;
    return status;
}

/* The largest difference over the fitted range, which e(v) is smooth enough to find on a grid. */
static int over_range(struct cf_mapping *m, double mass_kg, struct cf_curves *curves,
                      struct cf_error *err)
{
    enum { NSPEED = 33 };
    const struct cf_material *material = m->material;
    double low = material->speed_low_m_s, high = material->speed_high_m_s;
    struct cf_outlook *out = &m->prediction;

    out->range_error = out->range_speed_m_s = (double) NAN;
    if (!(low > 0 && high >= low))
        return CF_OK;
    out->range_error = -1;
    for (int i = 0; i < NSPEED; i++) {
        double speed = low * pow(high / low, (double) i / (NSPEED - 1)), wanted, e;
        int status =
            cf_restitution_at(curves, material->law, material->p, mass_kg, speed, &wanted, err);
        if (!status)
            status = cf_predict_e(m, speed, curves, &e, err);
        if (status)
            return status;
        if (fabs(e - wanted) > out->range_error) {
            out->range_error = fabs(e - wanted);
            out->range_speed_m_s = speed;
        }
    }
    return CF_OK;
}

/* Half of the last of the four decimals that e is printed with. */
static const double below_print = 5e-5;

bool cf_export_as_fit(const struct cf_outlook *outlook)
{
    return outlook->range_error < below_print;
}

/* e ripples with the step, and the edge is known to 1 %: what is promised is safely inside. */
static const double below_the_edge = 0.97;

/* At the user's step: with the damping that is exported, and without compensation. */
static int at_step(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    const struct cf_question *q = &m->question;
    struct cf_outlook *out = &m->prediction;
    struct cf_twin plain = m->twin;
    enum cf_scheme scheme = m->twin.scheme;

    out->stepped = scheme != CF_SCHEME_CONTINUOUS && scheme != CF_SCHEME_RESTITUTION;
    out->largest_dt_s = (double) INFINITY;
    out->unpredicted = scheme == CF_SCHEME_CONTINUOUS && !isnan(q->dt_s) && !m->target->any_step;
    if (!out->stepped)
        return CF_OK;
    if (m->compensated)
        plain.p[cf_param_find(plain.law->param, plain.law->nparam, "lambda")] = m->plain_damping;
    bool follow = cf_twin_compensates(&plain) && !q->plain;
    int status = cf_twin_largest_step(&plain, curves, q->speed_m_s, out->e_fit, out->bound_e,
                                      follow, &out->largest_dt_s, err);
    out->largest_dt_s *= below_the_edge;
    out->stepped = !isnan(q->dt_s);
    if (status || !out->stepped)
        return status;
    status = cf_twin_spread(&m->twin, curves, q->speed_m_s, q->dt_s, &out->spread, err);
    if (!status)
        status = cf_twin_spread(&plain, curves, q->speed_m_s, q->dt_s, &out->plain, err);
    return status;
}

static void judge(struct cf_outlook *p, const char *title, double dt_s)
{
    double low = p->stepped ? p->spread.e_low : p->e_target;
    double high = p->stepped ? p->spread.e_high : p->e_target;

    p->good = false;
    if (p->unpredicted)
        snprintf(p->reason, sizeof p->reason,
                 "e is not predicted at dt = %.6g s: no twin of the steps of %s is known", dt_s,
                 title);
    else if (p->stepped && !p->spread.left)
        snprintf(p->reason, sizeof p->reason, "at dt = %.6g s the contact does not end", dt_s);
    else if (high > 1)
        snprintf(p->reason, sizeof p->reason,
                 "at dt = %.6g s the bounce gains energy: e up to %.4f", dt_s, high);
    else if (!(high <= p->e_fit + p->bound_e && low >= p->e_fit - p->bound_e))
        snprintf(p->reason, sizeof p->reason,
                 "e = %.4f to %.4f is off the fit's %.4f by more than %.2g", low, high, p->e_fit,
                 p->bound_e);
    else
        p->good = true;
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
    out->bound_e = question->bound_e;
    if (!cf_material_band(material, v, &out->e_low, &out->e_high))
        out->e_low = out->e_high = (double) NAN;
    if (isnan(out->bound_e))
        out->bound_e = isnan(out->e_low) ? usual_bound
                                         : fmax(out->e_high - out->e_fit, out->e_fit - out->e_low);
    return CF_OK;
}

int cf_predict(struct cf_mapping *m, double mass_kg, struct cf_curves *curves, struct cf_error *err)
{
    struct cf_outlook *out = &m->prediction;
    int status = cf_predict_fit(m->material, &m->question, mass_kg, curves, out, err);

    if (!status)
        status = cf_predict_e(m, m->question.speed_m_s, curves, &out->e_target, err);
    if (!status)
        status = over_range(m, mass_kg, curves, err);
    if (!status)
        status = at_step(m, curves, err);
    if (!status)
        judge(out, m->target->title, m->question.dt_s);
    return status;
}
