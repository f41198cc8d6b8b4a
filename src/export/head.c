/* The comment at the head of every export: whose numbers these are, and what they are worth. */

#include <config.h>

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "export/friction.h"
#include "export/predict.h"

/* Two hyphens may not stand in a comment of XML; three quotes open a text of many lines in LAMMPS
 * and in Python; a line that ends in a backslash or in & goes on in the next. */
static void defuse(char *text, bool xml)
{
    size_t len = strlen(text);

    if (xml)
        for (char *c = strstr(text, "--"); c; c = strstr(c, "--"))
            c[1] = '_';
    for (char *c = strstr(text, "\"\"\""); c; c = strstr(c, "\"\"\""))
        c[1] = '\'';
    if (len && strchr("\\&", text[len - 1]))
        text[len - 1] = '_';
}

void cf_export_comment(const struct cf_mapping *m, FILE *out, const char *format, ...)
{
    char text[1024];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    defuse(text, m->target->comment[1][0] != '\0');
    fprintf(out, "%s%s%s\n", m->target->comment[0], text, m->target->comment[1]);
}

static void list_values(const struct cf_param param[], size_t n, const double p[], char *text,
                        size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < n && used < size; i++) {
        bool pure = strcmp(param[i].unit, "1") == 0;
        if (isnan(p[i]))
            continue;
        used += (size_t) snprintf(text + used, size - used, "%s %s = %.9g%s%s", used ? "," : "",
                                  param[i].name, p[i], pure ? "" : " ", pure ? "" : param[i].unit);
    }
}

static void law(const struct cf_mapping *m, FILE *out)
{
    const struct cf_material *material = m->material;
    char text[512] = "";

    list_values(material->law->param, material->law->nparam, material->p, text, sizeof text);
    if (material->foundation)
        cf_export_comment(m, out, "law: %s: kv = %.9g N/m^3,%s", material->foundation->name,
                          material->tangential.kv, text);
    else
        cf_export_comment(m, out, "law: %s:%s", material->law->name, text);
    if (m->approximated)
        cf_export_comment(m, out, "in its place: %s, e off by up to %.2g over the fitted speeds",
                          m->law->name, m->approximation_error);
}

static void pair(const struct cf_mapping *m, FILE *out)
{
    const struct cf_material *material = m->material;
    cf_export_comment(m, out, "pair: %s with %s, m* = %.9g kg, R* = %.9g m", material->body[0].name,
                      material->body[1].name, material->mass_kg, material->radius_m);
    if (!isnan(material->fitted_radius_m))
        cf_export_comment(
            m, out,
            "fitted at R* = %.9g m: what depends on R* has been scaled to that above, "
            "as predict does",
            material->fitted_radius_m);
    if (!isnan(material->fitted_mass_kg))
        cf_export_comment(m, out, "fitted at m* = %.9g kg: %s", material->fitted_mass_kg,
                          material->law->family == CF_FAMILY_RESTITUTION
                              ? "a formula for e knows no mass, and says the same at that above"
                              : "what depends on m* is that of the law at that above");
}

/* e over the speeds that it is held for, at fine steps. */
static void range(const struct cf_mapping *m, FILE *out)
{
    const struct cf_outlook *p = &m->prediction;

    if (cf_export_as_fit(p))
        cf_export_comment(m, out, "at %.4g to %.4g m/s: e as the fit everywhere", p->slowest_m_s,
                          p->fastest_m_s);
    else if (!isnan(p->range_error))
        cf_export_comment(m, out, "at %.4g to %.4g m/s: e off by at most %.2g, at %.4g m/s",
                          p->slowest_m_s, p->fastest_m_s, p->range_error, p->range_speed_m_s);
}

/* Half of the last of the three digits that ratios are printed with. */
static bool is_one(double low, double high)
{
    return fabs(low - 1) < 5e-3 && fabs(high - 1) < 5e-3;
}

/* What a contact of another form gets wrong of depth and duration. */
static void sizes(const struct cf_mapping *m, FILE *out)
{
    const struct cf_outlook *p = &m->prediction;

    if (!isnan(p->depth_low) && !isnan(p->duration_low) &&
        !(is_one(p->depth_low, p->depth_high) && is_one(p->duration_low, p->duration_high)))
        cf_export_comment(m, out,
                          "at %.4g to %.4g m/s: depth %.3g to %.3g of the fit's, duration %.3g to "
                          "%.3g",
                          p->slowest_m_s, p->fastest_m_s, p->depth_low, p->depth_high,
                          p->duration_low, p->duration_high);
}

/* With the stiffness by f, times at one speed go by f^(-1/(n+1)), and so do depths; under one load
 * a depth goes by f^(-1/n). */
static void softened(const struct cf_mapping *m, FILE *out)
{
    double f = m->softened, n = m->twin.law->n;
    double at_speed = pow(f, -1 / (n + 1));

    if (f < 1)
        cf_export_comment(m, out,
                          "softened for dt: stiffness by %.3g; at one speed depth and duration by "
                          "%.3g, force by %.3g; under one load depth by %.3g",
                          f, at_speed, 1 / at_speed, pow(f, -1 / n));
    else
        cf_export_comment(m, out, "dt is fine enough: nothing was softened");
}

/* What --keep step made, and what that costs. Of gravity, what would be seen in e. */
static const double seen = 1e-3;

static void kept(const struct cf_mapping *m, FILE *out)
{
    const struct cf_outlook *p = &m->prediction;
    const struct cf_material *material = m->material;
    double low = p->slowest_m_s, high = p->fastest_m_s, gravity = m->question.gravity_m_s2;

    if (!cf_export_any_spring(m->target, &m->question, material))
        softened(m, out);
    if (p->deepest_m > 0)
        cf_export_comment(m, out, "it gives way by %.3g m at %.4g m/s%s", p->deepest_m, high,
                          p->deepest_m > material->radius_m
                              ? ", more than R*: on a plane, not on a thin plate"
                              : "");
    if (!(gravity > 0) && p->heavy.error > p->miss.error + seen && low > 0)
        cf_export_comment(
            m, out,
            "under gravity of 9.81 m/s^2 along the approach e is off by at most %.2g, "
            "at %.4g m/s%s",
            p->heavy.error, p->heavy.speed_m_s,
            p->heavy.error > p->bound_e ? ": the option gravity chooses for it" : "");
}

static void at_step(const struct cf_mapping *m, FILE *out)
{
    const struct cf_outlook *p = &m->prediction;

    if (p->stepped) {
        cf_export_comment(
            m, out, "at dt = %.6g s: e = %.4f (%.4f to %.4f by where in a step the touch falls)",
            m->question.dt_s, p->spread.e_mean, p->spread.e_low, p->spread.e_high);
        if (p->rounded)
            cf_export_comment(m, out,
                              "with what single precision rounds, for a touch at the origin of the "
                              "scene: farther out it is more, in double precision less");
        cf_export_comment(m, out, "steps as read in %s", m->target->source);
        if (cf_export_way(m) > m->material->radius_m)
            cf_export_comment(
                m, out,
                "a body goes up to %.2g m in a step, more than R*: on a floor that is "
                "as deep",
                cf_export_way(m));
        if (!isnan(p->slowest_m_s))
            cf_export_comment(
                m, out, "at that step, at %.4g to %.4g m/s: e off by at most %.2g, at %.4g m/s",
                p->slowest_m_s, p->fastest_m_s, p->miss.error, p->miss.speed_m_s);
    }
    if (m->twin.gravity_m_s2 > 0)
        cf_export_comment(m, out, "held under gravity of %.6g m/s^2 along the approach",
                          m->twin.gravity_m_s2);
    if (p->stepped && m->compensated && m->compensable)
        cf_export_comment(m, out, "damping chosen for that step: with that of the fit e = %.4f",
                          p->plain.e_mean);
    if (m->compensated && !m->compensable)
        cf_export_comment(m, out,
                          "at that step no damping shows the e of the fit: this one comes nearest");
    if (m->question.keep == CF_KEEP_STEP)
        return;
    if (p->largest_dt_s == 0)
        cf_export_comment(m, out, "no dt keeps e within %.2g of the fit", p->bound_e);
    else if (isfinite(p->largest_dt_s))
        cf_export_comment(m, out, "largest dt that keeps e within %.2g of the fit: %.3g s",
                          p->bound_e, p->largest_dt_s);
}

static void points(const struct cf_mapping *m, FILE *out)
{
    unsigned n = m->question.points;

    if (m->target->per_point && n > 1)
        cf_export_comment(
            m, out,
            "of each of %u contact points, 1/%u of stiffness and damping: e is that "
            "of a body that lands flat on all of them, and not of an edge or a sphere",
            n, n);
    else if (m->target->per_point)
        cf_export_comment(m, out,
                          "of one contact point, as a sphere has: where N touch at once, as under "
                          "a box that lands flat, each is to get 1/N of stiffness and damping: "
                          "--points N");
}

static void prediction(const struct cf_mapping *m, FILE *out)
{
    const struct cf_outlook *p = &m->prediction;
    double v = m->question.speed_m_s;

    if (isnan(p->e_low))
        cf_export_comment(m, out, "at %.6g m/s: e = %.4f by the fit, %.4f here", v, p->e_fit,
                          p->e_target);
    else
        cf_export_comment(m, out, "at %.6g m/s: e = %.4f (%.4f to %.4f) by the fit, %.4f here", v,
                          p->e_fit, p->e_low, p->e_high, p->e_target);
    if (v < m->material->speed_low_m_s || v > m->material->speed_high_m_s)
        cf_export_comment(m, out,
                          "EXTRAPOLATED: %.4g m/s is beyond the fitted speeds, %.4g to %.4g m/s: e "
                          "there holds if the law does",
                          v, m->material->speed_low_m_s, m->material->speed_high_m_s);
    range(m, out);
    sizes(m, out);
    points(m, out);
    if (m->twin.still_m_s > 0)
        cf_export_comment(m, out,
                          "at %.4g m/s and below it does not bounce: e of 0 to %.4g, by which it "
                          "takes back the depth",
                          m->twin.still_m_s, m->target->pushed_out);
    at_step(m, out);
    if (m->question.keep == CF_KEEP_STEP)
        kept(m, out);
    if (!p->good)
        cf_export_comment(m, out, "NOT GOOD: %s", p->reason);
}

/* Names of what is true of them, "k, lambda"; "" for none. */
static void add_name(char *text, size_t size, const char *name, bool is)
{
    size_t used = strlen(text);
    if (is && used < size)
        snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
}

void cf_export_left(const struct cf_mapping *m, char *text, size_t size)
{
    const struct cf_tangential *t = &m->material->tangential;
    const struct cf_friction_law *friction = m->material->friction;
    unsigned takes = m->target->takes & ~m->beyond;
    bool of_its_own = !(takes & CF_TAKES_MU_C && t->mu_S == t->mu_C);

    text[0] = '\0';
    add_name(text, size, "mu_S", !isnan(t->mu_S) && !(takes & CF_TAKES_MU_S) && of_its_own);
    add_name(text, size, "mu_C", !isnan(t->mu_C) && !(takes & CF_TAKES_MU_C));
    add_name(text, size, "v_S", (!isnan(t->v_S) || !isnan(t->v_t)) && !(takes & CF_TAKES_V_S));
    add_name(text, size, "sigma_2", !isnan(t->sigma_2) && !(takes & CF_TAKES_SIGMA_2));
    add_name(text, size, "kv", !isnan(t->kv) && !(takes & CF_TAKES_KV));
    add_name(text, size, "kappa", !isnan(t->kappa) && !(takes & CF_TAKES_KAPPA));
    add_name(text, size, "d_t", !isnan(t->d_t) && !(takes & CF_TAKES_D_T));
    for (size_t i = 0; friction && i < friction->nparam; i++)
        add_name(text, size, friction->param[i].name, cf_material_is_left(m->material, i));
}

/* What the data do not tell, of the normal law and of friction. */
static void unidentified(const struct cf_mapping *m, FILE *out)
{
    const struct cf_material *material = m->material;
    const struct cf_friction_law *friction = material->friction;
    char text[256] = "";

    add_name(text, sizeof text, "kv", material->foundation && !material->foundation_identified);
    for (size_t i = 0; i < material->law->nparam; i++)
        add_name(text, sizeof text, material->law->param[i].name,
                 !material->identified[i] && !(material->foundation && isnan(material->p[i])));
    for (size_t i = 0; friction && i < friction->nparam; i++)
        add_name(text, sizeof text, friction->param[i].name, !material->friction_identified[i]);
    if (text[0])
        cf_export_comment(m, out, "not identified by the data: %s", text);
}

static void gaps(const struct cf_mapping *m, FILE *out)
{
    const struct cf_friction_known *slide = &m->material->slide;
    char text[CF_WHY];

    unidentified(m, out);
    cf_export_left(m, text, sizeof text);
    if (text[0])
        cf_export_comment(m, out, "not carried, %s has no place for it: %s", m->target->title,
                          text);
    if (slide->law && !cf_material_is_friction(m->material))
        cf_export_comment(m, out, "friction of slides: %s, %s, sha256 %s", slide->name, slide->file,
                          slide->sha256);
    cf_friction_words(m->material, text, sizeof text);
    if (text[0])
        cf_export_comment(m, out, "friction: %s", text);
}

static void friction_law(const struct cf_mapping *m, FILE *out)
{
    const struct cf_material *material = m->material;
    char text[512] = "";

    if (!material->friction)
        return;
    list_values(material->friction->param, material->friction->nparam, material->friction_p, text,
                sizeof text);
    cf_export_comment(m, out, "friction of the fit: %s:%s", material->friction->name, text);
}

/* Why e may be taken of a fit that is not to be trusted. */
static const char *e_is_known_by(const struct cf_material *material)
{
    return material->smooth.n   ? "; e, all that is taken here, is that of the measurements"
           : material->by_curve ? "; e, all that is taken here, is adequate for what is needed"
                                : "; e, all that is taken here, is identified";
}

/* How near e(v) is to what was measured. */
static void measured(const struct cf_reference *curve, const struct cf_mapping *m, FILE *out)
{
    if (curve)
        cf_export_comment(
            m, out,
            "e of the fit is off by at most %#.2g of what was measured, smoothed, from "
            "%.4g to %.4g m/s",
            curve->at_most, curve->low, curve->high);
}

void cf_export_head(const struct cf_mapping *m, FILE *out)
{
    static const char *const whose[] = {"the pair", NULL, NULL, "each body", "the scene"};
    const struct cf_material *material = m->material;

    if (!m->target->comment[0])
        return;
    cf_export_comment(m, out, "contactfit %s for %s: %s", PACKAGE_VERSION, m->target->title,
                      cf_mapping_exactness(m));
    cf_export_comment(m, out, "%s", m->why);
    cf_export_comment(m, out, "fit: %s, %s, sha256 %s", material->name, material->file,
                      material->sha256);
    cf_export_comment(m, out, "verdict: %s%s", material->verdict,
                      material->trusted ? ""
                      : cf_export_trusted(m->target, &m->question, material)
                          ? e_is_known_by(material)
                          : ": NOT TO BE TRUSTED, exported all the same");
    measured(material->curve, m, out);
    law(m, out);
    friction_law(m, out);
    gaps(m, out);
    if (!cf_material_is_friction(material)) {
        pair(m, out);
        prediction(m, out);
    }
    for (size_t i = 0; i < m->nvalue; i++) {
        const struct cf_value *v = &m->value[i];
        if (isnan(v->value))
            continue;
        const char *of = v->whose == CF_OF_BODY_1   ? material->body[0].name
                         : v->whose == CF_OF_BODY_2 ? material->body[1].name
                                                    : whose[v->whose];
        cf_export_comment(m, out, "%s = %.9g%s%s of %s: %s", v->name, v->value,
                          strcmp(v->unit, "1") ? " " : "", strcmp(v->unit, "1") ? v->unit : "", of,
                          v->what);
    }
}

int cf_export_each(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    const struct cf_target *target = m[0]->target;
    bool xml = target->comment[1][0] != '\0';

    (void) err;
    if (target->opening)
        fputs(target->opening, out);
    for (size_t i = 0; i < n; i++) {
        if (!xml && (i || target->opening))
            fputc('\n', out);
        cf_export_head(m[i], out);
        target->one(m[i], i, out);
    }
    if (target->closing)
        fputs(target->closing, out);
    return CF_OK;
}

bool cf_value_of(const struct cf_value *value, int which)
{
    return value->whose == CF_OF_BOTH || value->whose == (which ? CF_OF_BODY_2 : CF_OF_BODY_1);
}
