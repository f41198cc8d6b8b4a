/* Friction of fit files: that of impacts at an angle, beside the normal law, and that of slides,
 * which is a curve over speed. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/view.h"
#include "export/material.h"

const struct cf_tangential cf_tangential_unknown = {.mu_S = (double) NAN,
                                                    .mu_C = (double) NAN,
                                                    .v_S = (double) NAN,
                                                    .sigma_2 = (double) NAN,
                                                    .kv = (double) NAN,
                                                    .kappa = (double) NAN,
                                                    .d_t = (double) NAN,
                                                    .v_t = (double) NAN};

/* At 0.416 v_S the steps have their peak where the Stribeck curve has fallen to 1/e of its height:
 * fitted to the polynomial of Simbody's CompliantContactSubsystem. */
static const double transition = 0.416;

double cf_tangential_peak(const struct cf_tangential *t)
{
    return isnan(t->v_t) ? transition * t->v_S : t->v_t;
}

bool cf_material_is_friction(const struct cf_material *material)
{
    return material->law->curve != NULL;
}

/* A parameter of the friction law by name; NAN: it has none, or the data do not tell it. */
static double known(const struct cf_material *m, const char *name)
{
    size_t i = cf_param_find(m->friction->param, m->friction->nparam, name);
    return i < m->friction->nparam && m->friction_identified[i] ? m->friction_p[i] : (double) NAN;
}

static double first(double a, double b)
{
    return isnan(a) ? b : a;
}

/* A parameter of the friction law over one of the normal law where both have the same unit, so that
 * they go with the same power of depth; NAN: they do not. */
static double over_normal(const json_t *fit, const struct cf_material *m, const char *along,
                          size_t normal)
{
    const struct cf_friction_law *friction = m->friction;
    size_t i = cf_param_find(friction->param, friction->nparam, along);

    if (i == friction->nparam || normal >= m->law->nparam ||
        strcmp(friction->param[i].unit, m->law->param[normal].unit) != 0)
        return (double) NAN;
    return known(m, along) / cf_view_number(json_object_get(json_object_get(fit, "parameters"),
                                                            m->law->param[normal].name),
                                            "value");
}

/* As targets know friction, by the names of the laws' parameters. A law with mu_d rises and falls
 * by steps: its v_s is where the peak is, and no Stribeck speed. One without mu_s sticks no
 * stronger than it slides. */
static void take(const json_t *fit, struct cf_material *m)
{
    struct cf_tangential *t = &m->tangential;
    size_t lambda = cf_param_find(m->law->param, m->law->nparam, "lambda");
    bool peaked =
        cf_param_find(m->friction->param, m->friction->nparam, "mu_s") < m->friction->nparam;
    double mu = known(m, "mu");

    t->mu_S = peaked ? known(m, "mu_s") : first(mu, known(m, "mu_c"));
    t->mu_C = first(first(known(m, "mu_c"), known(m, "mu_d")), mu);
    *(isnan(known(m, "mu_d")) ? &t->v_S : &t->v_t) = known(m, "v_s");
    t->sigma_2 = first(known(m, "sigma_2"), known(m, "mu_v"));
    t->kappa = over_normal(fit, m, "k_t", cf_law_k(m->law)) / m->law->n;
    if (!isnan(over_normal(fit, m, "d_t", lambda)))
        t->d_t = known(m, "d_t");
}

void cf_material_read_friction(const json_t *fit, const struct cf_friction_law *friction,
                               struct cf_material *out)
{
    out->friction = friction;
    for (size_t i = 0; i < friction->nparam; i++) {
        const json_t *parameter =
            json_object_get(json_object_get(fit, "parameters"), friction->param[i].name);
        out->friction_p[i] = cf_view_number(parameter, "value");
        out->friction_identified[i] = cf_view_determined(parameter);
    }
    take(fit, out);
}

bool cf_material_is_left(const struct cf_material *m, size_t i)
{
    static const char *const placed[] = {"mu", "mu_s", "mu_c", "mu_d", "mu_v", "v_s", "sigma_2"};
    const char *name = m->friction->param[i].name;

    if (isnan(m->friction_p[i]) || m->friction_p[i] == 0 || !m->friction_identified[i])
        return false;
    for (size_t k = 0; k < sizeof placed / sizeof *placed; k++)
        if (strcmp(name, placed[k]) == 0)
            return false;
    return !(strcmp(name, "k_t") == 0 && !isnan(m->tangential.kappa)) &&
           !(strcmp(name, "d_t") == 0 && !isnan(m->tangential.d_t));
}

/* What turns the speed of an axis into that of the surfaces, for laws of the latter. */
static double lever_of(const json_t *data, const struct cf_law *law)
{
    bool about = strcmp(cf_view_text(cf_view(data, "axis"), "unit"), "rad/s") == 0;
    return about && law->family != CF_FAMILY_FRICTION_TORQUE
               ? cf_view_number(cf_view(data, "apparatus.lever"), "value")
               : 1;
}

/* Takes the speeds `one` and `other` into the range. fmin() and fmax() pass NAN over. */
static void widen(struct cf_friction_known *s, double one, double other)
{
    s->low = fmin(s->low, fmin(fabs(one), fabs(other)));
    s->high = fmax(s->high, fmax(fabs(one), fabs(other)));
}

/* Of the rows that the file has, and from end to end of the axis: but where that has both
 * directions, the slowest is not at an end. */
static void read_range(const json_t *fit, struct cf_friction_known *s)
{
    const json_t *sets = json_object_get(fit, "data"), *row, *data;
    size_t i;

    s->low = s->high = (double) NAN;
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        double from = cf_view_number(row, "data"), speed = cf_view_number(row, "abscissa");
        data = from >= 0 ? json_array_get(sets, (size_t) from) : NULL;
        if (data && strcmp(cf_view_text(row, "use"), "fit") == 0)
            widen(s, speed * lever_of(data, s->law), (double) NAN);
    }
    json_array_foreach(sets, i, data)
    {
        const json_t *axis = json_object_get(data, "axis");
        double factor = lever_of(data, s->law);
        double low = factor * cf_view_number(axis, "low"),
               high = factor * cf_view_number(axis, "high");
        if (low * high > 0)
            widen(s, low, high);
        else
            s->high = fmax(s->high, fmax(-low, high));
    }
}

void cf_material_read_slide(const json_t *fit, struct cf_material *out)
{
    struct cf_friction_known *s = &out->slide;

    s->law = out->law;
    memcpy(s->p, out->p, sizeof s->p);
    memcpy(s->name, out->name, sizeof s->name);
    memcpy(s->file, out->file, sizeof s->file);
    memcpy(s->sha256, out->sha256, sizeof s->sha256);
    read_range(fit, s);
    for (int i = 0; i < 2; i++) /* slides do without bodies, and texts name both */
        if (!out->body[i].name[0])
            snprintf(out->body[i].name, sizeof out->body[i].name, "body %d", i + 1);
}
