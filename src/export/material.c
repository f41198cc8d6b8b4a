/* Materials from fit files. */

#include "export/material.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "document/model_read.h"
#include "document/view.h"
#include "law/contact_law.h"
#include "law/pair.h"
#include "law/radius.h"

/* What simulators are compared in; the channel of fits that has its name. */
static const char headline[] = "restitution";

void cf_material_clear(struct cf_material *material)
{
    const double unknown = (double) NAN;
    const struct cf_export_body body = {.mass_kg = unknown, .radius_m = unknown};

    *material = (struct cf_material){.mass_kg = unknown,
                                     .radius_m = unknown,
                                     .fitted_radius_m = unknown,
                                     .fitted_mass_kg = unknown,
                                     .body = {body, body},
                                     .speed_low_m_s = unknown,
                                     .speed_high_m_s = unknown,
                                     .level = unknown,
                                     .tangential = cf_tangential_unknown};
    for (size_t i = 0; i < CF_MAX_PARAM; i++)
        material->p[i] = material->low[i] = material->high[i] = material->friction_p[i] = unknown;
}

void cf_material_unlink(struct cf_material *copy)
{
    copy->band = (struct cf_band){0};
    copy->smooth = (struct cf_e_table){0};
    copy->reference = NULL;
    copy->nreference = 0;
    copy->curve = NULL;
}

void cf_material_free(struct cf_material *material)
{
    free(material->band.speed_m_s);
    free(material->band.low);
    free(material->band.high);
    cf_e_table_clear(&material->smooth);
    cf_references_free(material->reference, material->nreference);
    cf_material_unlink(material);
}

/* Cut behind a whole character: half of one would be no text to what reads an export. */
static void copy_text(char out[CF_NAME], const char *text)
{
    char shown[CF_SHOWN];
    const char *end = cf_show(text, shown);

    while (*end) {
        size_t n = cf_utf8_length(end, strlen(end));
        if (n == 0 || (size_t) (end - shown) + n >= CF_NAME)
            break;
        end += n;
    }
    snprintf(out, CF_NAME, "%.*s", (int) (end - shown), shown);
}

/* What is not there, such as the k of hunt-crossley where only e was measured, is not known: NAN.
 */
static int read_parameters(const json_t *fit, struct cf_material *out, struct cf_error *err)
{
    const json_t *table = json_object_get(fit, "parameters");

    for (size_t i = 0; i < out->law->nparam; i++) {
        const json_t *parameter = json_object_get(table, out->law->param[i].name);
        const json_t *interval = json_object_get(parameter, "interval");
        out->p[i] = cf_view_number(parameter, "value");
        out->low[i] = cf_view_number(interval, "low");
        out->high[i] = cf_view_number(interval, "high");
        out->identified[i] = cf_view_determined(parameter);
        if (interval && isnan(out->level))
            out->level = cf_view_number(interval, "level");
    }
    struct cf_error why = {""};
    for (size_t i = 0; i < out->law->nparam; i++)
        if (!isnan(out->p[i]) && cf_param_check(&out->law->param[i], 1, &out->p[i], &why))
            return cf_fail(err, CF_EINPUT, "parameters: %.900s", why.text);
    return CF_OK;
}

/* Body i of the pair: that of `between`, where a data set names its bodies, else of the study. What
 * another data set says of another body of the same material is that material's: only its size is
 * not known. */
static const json_t *body_of(const json_t *bodies, const json_t *data, size_t i, bool *sized)
{
    const json_t *one, *first = NULL;
    size_t k;

    json_array_foreach(data, k, one)
    {
        const char *name = json_string_value(json_array_get(json_object_get(one, "between"), i));
        const json_t *body, *found = json_array_get(bodies, i);
        size_t j;
        json_array_foreach(bodies, j, body)
        {
            if (name && strcmp(cf_view_text(body, "name"), name) == 0)
                found = body;
        }
        if (!first)
            first = found;
        *sized = *sized && found == first;
    }
    return first ? first : json_array_get(bodies, i);
}

static void read_bodies(const json_t *fit, struct cf_material *out)
{
    const json_t *bodies = cf_view(fit, "study.bodies"), *data = json_object_get(fit, "data");

    for (size_t i = 0; i < 2; i++) {
        bool sized = true;
        const json_t *body = body_of(bodies, data, i, &sized);
        struct cf_export_body *b = &out->body[i];
        copy_text(b->name, cf_view_text(body, "name"));
        copy_text(b->material, cf_view_text(body, "material"));
        b->fixed = cf_view_true(body, "fixed");
        b->plane = strcmp(cf_view_text(body, "shape"), "plane") == 0;
        b->mass_kg = b->fixed ? (double) INFINITY
                     : sized  ? cf_view_number(body, "mass_kg")
                              : (double) NAN;
        b->radius_m = b->plane ? (double) INFINITY
                      : sized  ? cf_view_number(body, "radius_m")
                               : (double) NAN;
    }
}

/* m* and R*: of the data sets where they agree on one, else not known. Masses that differ by a
 * rounding of their sum are the same. */
static double shared(const json_t *data, const char *key)
{
    const double rounding = 1e-12;
    double value = cf_view_number(json_array_get(data, 0), key);

    for (size_t i = 1; i < json_array_size(data); i++) {
        double other = cf_view_number(json_array_get(data, i), key);
        if (!(fabs(other / value - 1) < rounding))
            return (double) NAN;
    }
    return value;
}

/* Of a ball that was pressed in without bodies being named: its radius, where all data sets have
 * the same; else what is known already. */
static double probe_radius(const json_t *data, double known)
{
    double radius = (double) NAN;
    const json_t *one;
    size_t i;

    json_array_foreach(data, i, one)
    {
        double own = cf_view_number(cf_view(one, "apparatus.sphere_radius"), "value");
        if (!(own > 0) || (i > 0 && own != radius))
            return known;
        radius = own;
    }
    return isnan(known) ? radius : known;
}

/* Was a data set measured along approach speeds? What simulators are asked for is an impact. */
static bool is_of_impacts(const json_t *data)
{
    return strcmp(cf_view_text(data, "headline"), headline) == 0 &&
           strcmp(cf_view_text(cf_view(data, "axis"), "unit"), "m/s") == 0;
}

static void read_speeds(const json_t *fit, struct cf_material *out)
{
    const json_t *data;
    size_t i;

    json_array_foreach(json_object_get(fit, "data"), i, data)
    {
        const json_t *axis = json_object_get(data, "axis");
        if (!is_of_impacts(data) || !(cf_view_number(axis, "low") > 0))
            continue;
        /* fmin() passes NAN over */
        out->speed_low_m_s = fmin(out->speed_low_m_s, cf_view_number(axis, "low"));
        out->speed_high_m_s = fmax(out->speed_high_m_s, cf_view_number(axis, "high"));
    }
}

/* The first curve of the restitution that has a band. */
static int read_band(const json_t *fit, struct cf_material *out, struct cf_error *err)
{
    const json_t *curves = json_object_get(fit, "curves"), *curve;
    size_t i;

    json_array_foreach(curves, i, curve)
    {
        const json_t *low = json_object_get(curve, "low"), *high = json_object_get(curve, "high");
        const json_t *speed = json_object_get(curve, "abscissa");
        size_t n = json_array_size(low);
        struct cf_band *band = &out->band;
        if (strcmp(cf_view_text(curve, "channel"), headline) != 0 || n == 0)
            continue;
        band->speed_m_s = calloc(n, sizeof *band->speed_m_s);
        band->low = calloc(n, sizeof *band->low);
        band->high = calloc(n, sizeof *band->high);
        if (!band->speed_m_s || !band->low || !band->high) {
            cf_material_free(out);
            return cf_fail(err, CF_ENOMEM, "out of memory");
        }
        band->n = n;
        for (size_t j = 0; j < n; j++) {
            band->speed_m_s[j] = cf_view_item(speed, j);
            band->low[j] = cf_view_item(low, j);
            band->high[j] = cf_view_item(high, j);
        }
        return CF_OK;
    }
    return CF_OK;
}

/* The normal law, which targets are asked for, and friction beside it, where the fit has both. */
static int read_law(const json_t *fit, struct cf_material *out, struct cf_error *err)
{
    const char *name = cf_view_text(fit, "law"), *plus = strstr(name, " + ");
    const struct cf_friction_law *friction = plus ? cf_contact_friction_find(plus + 3) : NULL;
    char normal[CF_NAME];

    if (!plus)
        return cf_law_get(name, &out->law, err);
    if (!friction)
        return cf_fail(err, CF_EINPUT, "unknown friction law %.80s", plus + 3);
    snprintf(normal, sizeof normal, "%.*s", (int) (plus - name), name);
    int status = cf_law_get(normal, &out->law, err);
    if (!status)
        cf_material_read_friction(fit, friction, out);
    return status;
}

/* e(v) as it was measured: of misfits and of fits that are undetermined it may be near enough. */
static int read_curve(const json_t *fit, struct cf_material *out, struct cf_error *err)
{
    int status = cf_references_read(fit, &out->reference, &out->nreference, err);

    /* where data sets have other bodies, the curves are of several pairs */
    for (size_t i = 0; i < out->nreference && !status && !out->curve && !isnan(out->mass_kg); i++)
        if (strcmp(out->reference[i].channel, "restitution") == 0 && out->reference[i].n > 0)
            out->curve = &out->reference[i];
    out->by_curve = !out->trusted && !out->partly_known && out->curve && out->curve->needed &&
                    out->curve->word == CF_ADEQUATE && cf_view_usable(fit);
    out->partly_known = out->partly_known || out->by_curve;
    if (out->by_curve) { /* it is known there */
        out->speed_low_m_s = out->curve->low;
        out->speed_high_m_s = out->curve->high;
    }
    if (status)
        cf_material_free(out);
    return status;
}

/* What the curve is known by is of this pair alone. */
static void forget_curve(struct cf_material *material)
{
    material->partly_known = material->partly_known && !material->by_curve;
    material->by_curve = false;
    material->curve = NULL;
}

int cf_material_read(const json_t *fit, const char *path, const char *sha256,
                     struct cf_material *out, struct cf_error *err)
{
    const json_t *data = json_object_get(fit, "data");
    const char *slash = strrchr(path, '/');

    cf_material_clear(out);
    int status = read_law(fit, out, err);
    if (!status)
        status = read_parameters(fit, out, err);
    if (status)
        return status;
    copy_text(out->name, cf_view_text(fit, "name"));
    copy_text(out->file, slash ? slash + 1 : path);
    copy_text(out->verdict, cf_view_text(cf_view(fit, "verdict"), "status"));
    out->trusted = cf_view_true(cf_view(fit, "verdict"), "trusted");
    out->partly_known = cf_view_partly_known(fit);
    snprintf(out->sha256, sizeof out->sha256, "%s", sha256);
    read_bodies(fit, out);
    out->mass_kg = shared(data, "mass_kg");
    out->radius_m = probe_radius(data, shared(data, "radius_m"));
    if (isnan(out->radius_m) && out->body[0].plane && out->body[1].plane)
        out->radius_m = (double) INFINITY;
    read_speeds(fit, out);
    if (cf_material_is_friction(out))
        cf_material_read_slide(fit, out);
    status = read_curve(fit, out, err);
    return status ? status : read_band(fit, out, err);
}

int cf_material_at_radius(struct cf_material *material, double radius_m, struct cf_error *err)
{
    const struct cf_law *law = material->law;
    double from = material->radius_m, factor[CF_MAX_PARAM];
    size_t damping = cf_param_find(law->param, law->nparam, "lambda");

    if (isnan(from) || from == radius_m) {
        material->radius_m = radius_m;
        return CF_OK;
    }
    int status = cf_radius_factors(law, material->p, from, radius_m, factor, err);
    if (status)
        return status;
    for (size_t i = 0; i < law->nparam; i++) {
        material->p[i] *= factor[i];
        material->low[i] *= factor[i];
        material->high[i] *= factor[i];
        if (factor[i] != 1)
            material->band.n = 0;
    }
    if (damping < law->nparam)
        material->tangential.d_t *= factor[damping];
    material->fitted_radius_m = from;
    forget_curve(material);
    material->radius_m = radius_m;
    return CF_OK;
}

void cf_material_at_mass(struct cf_material *material, double mass_kg)
{
    const struct cf_law *law = material->law;
    double from = material->mass_kg, k_power, mass_power;

    material->mass_kg = mass_kg;
    if (isnan(from) || from == mass_kg)
        return;
    material->fitted_mass_kg = from;
    forget_curve(material);
    if (law->family != CF_FAMILY_NORMAL || !cf_impact_group(law, &k_power, &mass_power) ||
        mass_power != 0)
        material->band.n = 0;
}

int cf_material_smooth(struct cf_material *material, bool monotone, struct cf_error *err)
{
    const struct cf_reference *curve = material->curve;
    struct cf_band *band = &material->band;
    size_t n = curve ? curve->n : 0;
    double *number = calloc(3 * n + 1, sizeof *number);

    if (!curve) {
        free(number);
        return cf_fail(err, CF_EINPUT,
                       "%s: no smoothed measurements of e: they are of the fitted bodies, and need "
                       "%d speeds",
                       material->name, CF_ADEQUACY_PLACES);
    }
    free(band->speed_m_s);
    free(band->low);
    free(band->high);
    *band = (struct cf_band){.speed_m_s = number,
                             .low = calloc(n + 1, sizeof *band->low),
                             .high = calloc(n + 1, sizeof *band->high)};
    if (!number || !band->low || !band->high)
        return cf_fail(err, CF_ENOMEM, "no memory for a table of e");
    band->n = n;
    for (size_t i = 0; i < n; i++)
        band->speed_m_s[i] = curve->abscissa[i];
    material->speed_low_m_s = curve->low;
    material->speed_high_m_s = curve->high;
    return cf_e_table_smooth(curve, monotone, material->level, &material->smooth, band->low,
                             band->high, err);
}

bool cf_material_band(const struct cf_material *material, double speed_m_s, double *low,
                      double *high)
{
    const struct cf_band *b = &material->band;

    for (size_t i = 1; i < b->n; i++) {
        double left = b->speed_m_s[i - 1], right = b->speed_m_s[i];
        if (!(speed_m_s >= left && speed_m_s <= right && right > left))
            continue;
        double t = log(speed_m_s / left) / log(right / left);
        *low = b->low[i - 1] + t * (b->low[i] - b->low[i - 1]);
        *high = b->high[i - 1] + t * (b->high[i] - b->high[i - 1]);
        return isfinite(*low) && isfinite(*high);
    }
    return false;
}

bool cf_export_two_spheres(const struct cf_material *material)
{
    const struct cf_export_body *b = material->body;
    return b[0].radius_m > 0 && isfinite(b[0].radius_m) && b[1].radius_m > 0 &&
           isfinite(b[1].radius_m);
}

double cf_material_middle_speed(const struct cf_material *material)
{
    return sqrt(material->speed_low_m_s * material->speed_high_m_s);
}

/* Both unknown counts as the same. */
static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

bool cf_export_same_body(const struct cf_export_body *a, const struct cf_export_body *b)
{
    return strcmp(a->name, b->name) == 0 && a->plane == b->plane && a->fixed == b->fixed &&
           same(a->mass_kg, b->mass_kg) && same(a->radius_m, b->radius_m);
}

bool cf_export_same_material(const struct cf_export_body *a, const struct cf_export_body *b)
{
    return a->material[0] && strcmp(a->material, b->material) == 0;
}

bool cf_export_same_type(const struct cf_export_body *a, const struct cf_export_body *b)
{
    if (a->material[0] || b->material[0])
        return a->plane == b->plane && strcmp(a->material, b->material) == 0;
    return cf_export_same_body(a, b);
}

const char *cf_export_type_name(const struct cf_export_body *body)
{
    return body->material[0] && !body->plane ? body->material : body->name;
}

bool cf_export_is_pair(const struct cf_material *material, const struct cf_export_body *a,
                       const struct cf_export_body *b)
{
    const struct cf_export_body *x = material->body;
    return (cf_export_same_body(&x[0], a) && cf_export_same_body(&x[1], b)) ||
           (cf_export_same_body(&x[0], b) && cf_export_same_body(&x[1], a));
}

bool cf_export_same_pair(const struct cf_material *a, const struct cf_material *b)
{
    return cf_export_is_pair(a, &b->body[0], &b->body[1]);
}
