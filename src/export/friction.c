/* A friction curve in the form that a target has for it: a constant, two, a line, steps. Where the
 * form is another than the curve's, it is the one whose largest difference over the fitted speeds
 * is least: what is lost is then a number that holds at every speed. */

#include "export/friction.h"

#include <math.h>
#include <string.h>

/* Speeds at which the two are compared: evenly on a linear and on a log scale. */
enum { NSPEED = 129 };

struct speeds {
    double at[2 * NSPEED];
    size_t n;
};

static struct speeds speeds_of(const struct cf_friction_known *s)
{
    struct speeds out = {.n = 0};

    for (int i = 0; i < NSPEED; i++)
        out.at[out.n++] = s->low + (s->high - s->low) * i / (NSPEED - 1);
    for (int i = 0; i < NSPEED && s->low > 0; i++)
        out.at[out.n++] = s->low * pow(s->high / s->low, (double) i / (NSPEED - 1));
    return out;
}

static double curve_at(const struct cf_friction_known *s, double speed)
{
    struct cf_friction_curve curve;
    s->law->curve(s->p, speed, &curve);
    return curve.value;
}

/* A parameter of the curve by name; NAN where it has none. */
static double number(const struct cf_friction_known *s, const char *name)
{
    size_t i = cf_param_find(s->law->param, s->law->nparam, name);
    return i < s->law->nparam ? s->p[i] : (double) NAN;
}

/* All forms: dry + viscous v, where dry is a constant, or one that falls from `rest` to it as v_S
 * of a table says, or by the steps of Simbody. */
struct form {
    double dry, viscous, rest;
    double v_S, v_t; /* NAN: not so */
};

/* Steps from 0 to `rest` at v_t, and down to `dry` at 3 v_t: the friction law `stribeck`. */
static double steps(const struct form *form, double speed)
{
    const double p[] = {form->rest, form->dry, form->v_t};
    const struct cf_slide slide = {.normal_N = 1, .velocity_m_s = {speed, 0}};
    double force[2];

    cf_friction_find("stribeck")->force(p, &slide, force, NULL);
    return -force[0];
}

static double form_at(const struct form *form, double speed)
{
    double dry = form->dry, x = speed / form->v_S;

    if (!isnan(form->v_t))
        dry = steps(form, speed);
    else if (!isnan(form->v_S))
        dry += (form->rest - form->dry) * exp(-x * x);
    return dry + form->viscous * speed;
}

/* Below this, relative to the friction, the two are the same. */
static const double rounding = 1e-9;

static void hold_against(const struct cf_friction_known *s, const struct form *form,
                         struct cf_friction_loss *loss)
{
    struct speeds speeds = speeds_of(s);

    loss->error = loss->share = loss->at = 0;
    for (size_t i = 0; i < speeds.n; i++) {
        double want = curve_at(s, speeds.at[i]);
        double error = fabs(form_at(form, speeds.at[i]) - want);
        if (error <= loss->error || error <= rounding * want)
            continue;
        loss->error = error;
        loss->share = error / want;
        loss->at = speeds.at[i];
    }
}

/* The constant in the middle of what the line leaves over, not below 0, and its largest error. */
static double constant(const struct cf_friction_known *s, const struct speeds *speeds,
                       double viscous, double *error)
{
    double low = (double) INFINITY, high = -(double) INFINITY, middle;

    for (size_t i = 0; i < speeds->n; i++) {
        double rest = curve_at(s, speeds->at[i]) - viscous * speeds->at[i];
        low = fmin(low, rest);
        high = fmax(high, rest);
    }
    middle = fmax((low + high) / 2, 0);
    *error = fmax(high - middle, middle - low);
    return middle;
}

/* The slope with the least largest error, which is a convex function of it: by golden sections,
 * up to the steepest chord from the slowest speed. 0 where a slope is of no use. */
static double slope(const struct cf_friction_known *s, const struct speeds *speeds)
{
    const double golden = 0.6180339887498949, narrow = 1e-12;
    double low = 0, high = 0, without, error, left, right;

    for (size_t i = 0; i < speeds->n; i++)
        if (speeds->at[i] > 0)
            high = fmax(high, curve_at(s, speeds->at[i]) / speeds->at[i]);
    constant(s, speeds, 0, &without);
    for (double width = high; width > narrow * high; width = high - low) {
        constant(s, speeds, high - golden * width, &left);
        constant(s, speeds, low + golden * width, &right);
        *(left < right ? &high : &low) =
            left < right ? low + golden * width : high - golden * width;
    }
    constant(s, speeds, (low + high) / 2, &error);
    return error < without ? (low + high) / 2 : 0;
}

/* Is it dry friction and a part that goes with speed, and no more? */
static bool is_line(const struct cf_friction_known *s)
{
    double viscous = fmax(number(s, "sigma_2"), number(s, "d_2"));
    size_t n = s->law->nparam;

    return n == 1 || (n == 2 && !isnan(viscous));
}

static void line(const struct cf_friction_known *s, struct form *form)
{
    struct speeds speeds = speeds_of(s);
    double error;

    *form = (struct form){.dry = s->p[0], .v_S = (double) NAN, .v_t = (double) NAN};
    if (is_line(s)) {
        form->viscous = s->law->nparam == 2 ? s->p[1] : 0;
        return;
    }
    form->viscous = slope(s, &speeds);
    form->dry = constant(s, &speeds, form->viscous, &error);
}

static void as_joint(struct cf_material *m)
{
    struct form form;

    line(&m->slide, &form);
    m->slide.dry = form.dry;
    m->slide.viscous = form.viscous;
    m->loss.form = "dry and viscous friction";
    hold_against(&m->slide, &form, &m->loss);
}

/* What sticks: the level of sliding, and the share that it is stronger by. */
static double at_rest(const struct cf_friction_known *s)
{
    double rise = number(s, "rise");
    return s->p[0] * (1 + (isnan(rise) ? 0 : rise));
}

/* A curve whose peak is not at rest is one of steps, and its speed that of the peak. */
static bool has_steps(const struct cf_friction_known *s)
{
    return !isnan(number(s, "rise")) && curve_at(s, 0) == 0;
}

/* mu_S, mu_C, v_S, sigma_2. */
static void in_full(const struct cf_target *target, struct cf_material *m)
{
    struct cf_tangential *t = &m->tangential;
    const struct cf_friction_known *s = &m->slide;
    struct form form;

    if (isnan(number(s, "b")))
        form = (struct form){.dry = s->p[0], .viscous = fmax(number(s, "sigma_2"), 0)};
    else
        line(s, &form);
    form.rest = isnan(number(s, "b")) ? at_rest(s) : form.dry;
    t->mu_S = form.rest;
    t->mu_C = form.dry;
    t->sigma_2 = form.viscous;
    *(has_steps(s) ? &t->v_t : &t->v_S) = number(s, "v_s");
    form.v_S = target->any_values ? t->v_S : (double) NAN;
    form.v_t = target->any_values ? t->v_t : cf_tangential_peak(t);
    m->loss.form =
        target->any_values ? "mu_S, mu_C, v_S and sigma_2" : "steps and viscous friction";
    hold_against(s, &form, &m->loss);
}

/* One constant where it slides, and mu_S where the target has one. */
static void as_constant(const struct cf_target *target, struct cf_material *m)
{
    struct speeds speeds = speeds_of(&m->slide);
    struct form form = {.v_S = (double) NAN, .v_t = (double) NAN};
    double error;

    form.dry = is_line(&m->slide) && m->slide.law->nparam == 1
                   ? m->slide.p[0]
                   : constant(&m->slide, &speeds, 0, &error);
    m->tangential.mu_C = form.dry;
    m->tangential.mu_S = fmax(at_rest(&m->slide), form.dry);
    m->loss.form = target->takes & CF_TAKES_MU_S ? "mu_S at rest and one constant where it slides"
                                                 : "one constant";
    hold_against(&m->slide, &form, &m->loss);
}

bool cf_friction_is_joint(const struct cf_material *material)
{
    const struct cf_law *law = material->slide.law;
    return law && law->family != CF_FAMILY_COEFFICIENT;
}

void cf_friction_reduce(const struct cf_target *target, struct cf_material *out)
{
    bool alone = cf_material_is_friction(out);

    struct cf_tangential *t = &out->tangential;

    if (!out->slide.law || (alone && target->any_values))
        return;
    t->mu_S = t->mu_C = t->v_S = t->v_t = t->sigma_2 = (double) NAN;
    if (cf_friction_is_joint(out))
        as_joint(out);
    else if (target->takes & CF_TAKES_SIGMA_2)
        in_full(target, out);
    else if (target->takes & CF_TAKES_MU_C)
        as_constant(target, out);
}

int cf_friction_beside(const struct cf_material *slides, struct cf_material *out,
                       struct cf_error *err)
{
    const struct cf_law *law = slides->slide.law;

    if (!law)
        return cf_fail(
            err, CF_EINPUT,
            "--friction: %s is a fit of %s: it must be one of slides, to a friction curve "
            "such as mu-stribeck",
            slides->file, slides->law->name);
    if (law->family != CF_FAMILY_COEFFICIENT)
        return cf_fail(
            err, CF_EINPUT,
            "--friction: %s is a fit of %s, in %s: contacts need a coefficient, a fit of "
            "mu-%s with the load",
            slides->file, law->name, law->param[0].unit, strchr(law->name, '-') + 1);
    if (cf_material_is_friction(out))
        return cf_fail(err, CF_EINPUT, "--friction: %s is a fit of friction itself", out->file);
    out->slide = slides->slide;
    return CF_OK;
}

void cf_friction_words(const struct cf_material *material, char *text, size_t size)
{
    const struct cf_friction_known *s = &material->slide;
    const struct cf_friction_loss *loss = &material->loss;

    text[0] = '\0';
    if (!loss->form)
        return;
    const char *unit = s->law->param[0].unit;
    const char *speed = s->law->family == CF_FAMILY_FRICTION_TORQUE ? "rad/s" : "m/s";
    bool pure = strcmp(unit, "1") == 0;
    if (loss->error == 0)
        snprintf(text, size, "%s as %s, as fitted from %.3g to %.3g %s", s->law->name, loss->form,
                 s->low, s->high, speed);
    else
        snprintf(text, size,
                 "%s as %s, off by at most %.2g%s%s (%.2g %%) from %.3g to %.3g %s, at "
                 "%.3g %s",
                 s->law->name, loss->form, loss->error, pure ? "" : " ", pure ? "" : unit,
                 100 * loss->share, s->low, s->high, speed, loss->at, speed);
}
