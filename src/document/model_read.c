#define _POSIX_C_SOURCE 200809L

#include "document/model_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "core/text.h"
#include "document/fit_file.h"
#include "document/model_parts.h"
#include "document/press_json.h"
#include "document/view.h"

/* What the protocol's apparatus was. */
static void read_apparatus(struct cf_dataset *d, const json_t *from)
{
    const json_t *apparatus = json_object_get(from, "apparatus");

    for (size_t i = 0; i < d->protocol->napparatus; i++)
        d->apparatus[i] = cf_model_number(
            json_object_get(apparatus, d->protocol->apparatus[i].name), "value", d->apparatus[i]);
}

/* Of the data set itself, or, in a file that has none of it, of the study. */
static void take_gravity(struct cf_dataset *d, const json_t *from)
{
    size_t i = d->protocol->gravity;
    const json_t *own =
        json_object_get(json_object_get(from, "apparatus"), d->protocol->apparatus[i].name);

    if (own)
        d->pair.gravity_m_s2 = d->apparatus[i];
    else
        d->apparatus[i] = d->pair.gravity_m_s2;
}

/* The body that was pressed in, where it is none of the apparatus's own. */
static int read_press(struct cf_model *m, struct cf_dataset *d, const json_t *from,
                      struct cf_error *err)
{
    const json_t *press = json_object_get(from, "press");
    struct cf_error why = {""};
    int status = press ? cf_press_of_json(press, &d->press, &why) : CF_OK;

    return status == CF_ERANGE ? cf_model_refuse(m, why.text, d->name, err)
           : status            ? cf_fail(err, status, "%s", why.text)
                               : CF_OK;
}

/* What bands and points have beside the axis. */
static void read_conditions(struct cf_dataset *d, const json_t *from)
{
    const json_t *conditions = json_object_get(from, "conditions");

    for (size_t i = 0; i < d->protocol->ncondition; i++)
        d->condition[i] = cf_model_number(
            conditions, d->protocol->channel[d->protocol->condition[i]].name, d->condition[i]);
}

/* What is measured, of channels; what of the scene is stated or freed, of the apparatus. */
static size_t made_channels(const json_t *channels, struct cf_rig_channel made[])
{
    const json_t *channel;
    size_t n = 0, i;

    json_array_foreach(channels, i, channel)
    {
        if (strcmp(cf_view_text(channel, "role"), "measured") == 0)
            made[n++] = (struct cf_rig_channel){.name = cf_view_text(channel, "name"),
                                                .unit = cf_view_text(channel, "unit"),
                                                .what = cf_view_text(channel, "label")};
    }
    return n;
}

static size_t made_paths(json_t *apparatus, struct cf_rig_path made[])
{
    const char *key;
    json_t *value;
    size_t n = 0;

    json_object_foreach(apparatus, key, value)
    {
        if (!cf_rig_is_sensors(key))
            made[n++] = (struct cf_rig_path){.name = key, .unit = cf_view_text(value, "unit")};
    }
    return n;
}

/* The protocol of a record of a scene, without the scene. */
static int make_protocol(struct cf_model *m, const json_t *from,
                         const struct cf_protocol **protocol, struct cf_error *err)
{
    const json_t *channels = json_object_get(from, "channels");
    json_t *apparatus = json_object_get(from, "apparatus");
    struct cf_rig_channel *channel = calloc(json_array_size(channels) + 1, sizeof *channel);
    struct cf_rig_path *path = calloc(json_object_size(apparatus) + 1, sizeof *path);
    struct cf_rig **longer = realloc(m->rig, (m->nrig + 1) * sizeof *longer), *rig = NULL;

    if (longer)
        m->rig = longer;
    if (channel && path && longer)
        rig = cf_rig_make(&(struct cf_rig_parts){.nchannel = made_channels(channels, channel),
                                                 .channel = channel,
                                                 .npath = made_paths(apparatus, path),
                                                 .path = path},
                          err);
    else
        cf_fail(err, CF_ENOMEM, "no memory for a scene's experiment");
    free(channel);
    free(path);
    if (!rig)
        return CF_EINPUT;
    longer[m->nrig++] = rig;
    *protocol = cf_rig_protocol(rig);
    return CF_OK;
}

static int read_set(struct cf_model *m, const struct cf_registry *registry, const json_t *from,
                    struct cf_dataset *d, struct cf_error *err)
{
    const char *name = cf_view_text(from, "protocol");
    const struct cf_protocol *protocol = cf_registry_protocol(registry, name);
    int status;

    d->name = strdup(cf_view_text(from, "name"));
    if (!d->name)
        return cf_fail(err, CF_ENOMEM, "no memory for a name");
    if (!protocol)
        return cf_model_refuse(m, "unknown protocol", name, err);
    status = protocol->by_scene ? make_protocol(m, from, &protocol, err) : CF_OK;
    if (!status)
        status = cf_dataset_alloc(d, protocol, 0, err);
    if (!status)
        status = read_press(m, d, from, err);
    if (status)
        return status;
    read_apparatus(d, from);
    read_conditions(d, from);
    snprintf(d->sha256, sizeof d->sha256, "%s", cf_view_text(from, "sha256"));
    d->pair = (struct cf_pair){
        .mass_kg =
            cf_model_number(from, "mass_kg", protocol->bodiless ? (double) INFINITY : (double) NAN),
        .radius_m = cf_model_number(from, "radius_m", (double) INFINITY),
        .modulus_Pa = cf_model_number(from, "modulus_Pa", 0),
        .gravity_m_s2 = m->gravity_m_s2,
    };
    if (protocol->gravity)
        take_gravity(d, from);
    if (!(d->pair.mass_kg > 0))
        return cf_model_refuse(m, "no mass above 0 in data set", d->name, err);
    if (!(d->pair.radius_m > 0) || !(m->gravity_m_s2 > 0))
        return cf_model_refuse(m, "no radius or gravity above 0 in data set", d->name, err);
    return CF_OK;
}

static int read_data(struct cf_model *m, const struct cf_registry *registry, const json_t *file,
                     struct cf_error *err)
{
    const json_t *data = json_object_get(file, "data");
    size_t n = json_array_size(data);
    int status = CF_OK;

    if (n == 0)
        return cf_model_refuse(m, "it has no data set", NULL, err);
    m->spec.data = calloc(n, sizeof *m->spec.data);
    if (!m->spec.data)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", n);
    m->spec.ndata = n;
    for (size_t i = 0; i < n && !status; i++)
        status = read_set(m, registry, json_array_get(data, i), &m->spec.data[i], err);
    return status;
}

static int read_given(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const char *key;
    json_t *value;

    json_object_foreach(json_object_get(json_object_get(file, "study"), "given"), key, value)
    {
        const char *name = cf_model_own_name(m->law, key);
        bool hertz = json_is_string(value) && strcmp(json_string_value(value), "hertz") == 0;
        if (!name || m->spec.ngiven == CF_MAX_PARAM)
            return cf_model_refuse(m, "study.given: the law has no parameter", key, err);
        if (!hertz && !json_is_number(value))
            return cf_model_refuse(m, "study.given: neither a number nor \"hertz\" for", key, err);
        for (size_t i = 0; i < m->spec.ndata && hertz; i++)
            if (!(m->spec.data[i].pair.modulus_Pa > 0))
                return cf_model_refuse(m, "k is from Hertz, but there is no modulus_Pa in data set",
                                       m->spec.data[i].name, err);
        m->spec.given[m->spec.ngiven++] =
            (struct cf_given){name, hertz ? 0 : json_number_value(value), hertz};
    }
    return CF_OK;
}

/* "0.5 lambda": a factor and the other parameter, as the fit wrote it. */
static int read_ties(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const char *key;
    json_t *value;

    json_object_foreach(json_object_get(json_object_get(file, "study"), "tie"), key, value)
    {
        const char *text = json_is_string(value) ? json_string_value(value) : "";
        const char *name = cf_model_own_name(m->law, key), *to = NULL;
        double factor = (double) NAN;
        size_t length;

        if (!cf_number_head(text, '.', &factor, &length, NULL) && text[length] == ' ')
            to = cf_model_own_name(m->law, text + length + 1);
        if (!name || m->spec.ntie == CF_MAX_PARAM)
            return cf_model_refuse(m, "study.tie: the law has no parameter", key, err);
        if (!to || !isfinite(factor))
            return cf_model_refuse(m, "study.tie: no factor and parameter of the law for", key,
                                   err);
        m->spec.tie[m->spec.ntie++] = (struct cf_tie){name, to, factor};
    }
    return CF_OK;
}

static void read_options(struct cf_model *m, const json_t *file)
{
    const json_t *options = json_object_get(json_object_get(file, "study"), "options");
    double level = cf_model_number(options, "level", cf_fit_defaults.level);
    double p_reject = cf_model_number(options, "p_reject", cf_fit_defaults.p_reject);

    m->spec.options = cf_fit_defaults;
    if (level > 0 && level < 1)
        m->spec.options.level = level;
    if (p_reject > 0 && p_reject < 1)
        m->spec.options.p_reject = p_reject;
    m->spec.options.pivot_m = cf_model_number(options, "pivot_m", cf_fit_defaults.pivot_m);
    m->spec.options.seed = (uint64_t) cf_model_number(file, "seed", 1);
}

/* The range of the axis that was fitted, of the first data set's protocol. */
static void read_range(struct cf_model *m, const json_t *data)
{
    m->axis_low = (double) INFINITY;
    m->axis_high = -(double) INFINITY;
    for (size_t i = 0; i < m->spec.ndata; i++) {
        const json_t *axis = json_object_get(json_array_get(data, i), "axis");
        if (m->spec.data[i].protocol != m->spec.data[0].protocol)
            continue;
        m->axis_low = fmin(m->axis_low, cf_view_number(axis, "low")); /* fmin() passes NAN over */
        m->axis_high = fmax(m->axis_high, cf_view_number(axis, "high"));
    }
}

/* The values that were fitted. */
static int read_fitted(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const json_t *rows = json_object_get(file, "observations");
    const json_t *points = json_object_get(file, "points");
    size_t n = json_array_size(rows);

    read_range(m, json_object_get(file, "data"));
    m->thinned = cf_view_count(points, "held") < cf_view_count(points, "of");
    m->fitted = calloc(n + 1, sizeof *m->fitted);
    if (!m->fitted)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu observations", n);
    for (size_t i = 0; i < n; i++) {
        const json_t *row = json_array_get(rows, i);
        size_t data = cf_view_count(row, "data");
        if (strcmp(cf_view_text(row, "use"), "fit") == 0 && data < m->spec.ndata)
            m->fitted[m->nfitted++] = (struct cf_fitted_value){
                data, cf_view_count(row, "line"),
                cf_protocol_channel(m->spec.data[data].protocol, cf_view_text(row, "channel"))};
    }
    return CF_OK;
}

/* "misfit: REASON; REASON" */
static char *verdict_text(const json_t *verdict)
{
    const json_t *reasons = json_object_get(verdict, "reasons");
    const char *status = json_string_value(json_object_get(verdict, "status"));
    size_t size = strlen(status) + 1, used;
    char *text;

    for (size_t i = 0; i < json_array_size(reasons); i++)
        size += 2 + strlen(cf_view_statement(json_array_get(reasons, i)));
    text = malloc(size);
    if (!text)
        return NULL;
    used = (size_t) snprintf(text, size, "%s", status);
    for (size_t i = 0; i < json_array_size(reasons) && used < size; i++)
        used += (size_t) snprintf(text + used, size - used, "%s%s", i ? "; " : ": ",
                                  cf_view_statement(json_array_get(reasons, i)));
    return text;
}

/* A line each; "" where there are none. */
static char *reasons_text(const json_t *verdict)
{
    const json_t *reasons = json_object_get(verdict, "reasons");
    size_t size = 1, used = 0;
    char *text;

    for (size_t i = 0; i < json_array_size(reasons); i++)
        size += 1 + strlen(cf_view_statement(json_array_get(reasons, i)));
    text = calloc(size, 1);
    for (size_t i = 0; text && i < json_array_size(reasons) && used < size; i++)
        used += (size_t) snprintf(text + used, size - used, "%s%s", i ? "\n" : "",
                                  cf_view_statement(json_array_get(reasons, i)));
    return text;
}

static int read_verdict(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const json_t *verdict = json_object_get(file, "verdict");
    const char *title = json_string_value(json_object_get(file, "title"));

    m->trusted = json_is_true(json_object_get(verdict, "trusted"));
    m->failed = strcmp(cf_view_text(verdict, "status"), cf_verdict_text(CF_VERDICT_FAILED)) == 0;
    m->partly = cf_view_partly_known(file);
    m->status = strdup(json_string_value(json_object_get(verdict, "status")));
    m->verdict = verdict_text(verdict);
    m->reasons = reasons_text(verdict);
    m->title = title ? strdup(title) : NULL;
    if (!m->status || !m->verdict || !m->reasons || (title && !m->title))
        return cf_fail(err, CF_ENOMEM, "%s: no memory for the verdict", m->path);
    return CF_OK;
}

static int read_all(struct cf_model *m, const struct cf_registry *registry, const json_t *file,
                    struct cf_error *err)
{
    const char *law = json_string_value(json_object_get(file, "law"));
    struct cf_error why = {""};
    int status = cf_registry_contact_law(registry, &m->made, NULL, law, &m->law, &why);

    if (status)
        return cf_model_refuse(m, why.text, NULL, err);
    m->spec.law = m->law;
    m->gravity_m_s2 = cf_model_number(json_object_get(file, "study"), "gravity_m_s2", (double) NAN);
    read_options(m, file);
    if ((status = read_verdict(m, file, err)) ||
        (status = cf_references_read(file, &m->reference, &m->nreference, err)) ||
        (status = read_data(m, registry, file, err)) || (status = read_fitted(m, file, err)) ||
        (status = read_given(m, file, err)) || (status = read_ties(m, file, err)) ||
        (status = cf_model_uncertainty(m, file, err)))
        return status;
    return cf_model_serial(m, file, err);
}

struct cf_model *cf_model_of(const char *path, const json_t *fit,
                             const struct cf_registry *registry, struct cf_error *err)
{
    struct cf_model *m = calloc(1, sizeof *m);

    if (m)
        m->path = strdup(path);
    if (!m || !m->path)
        cf_fail(err, CF_ENOMEM, "%s: no memory for the fit", path);
    else if (read_all(m, registry, fit, err) == CF_OK)
        return m;
    cf_model_free(m);
    return NULL;
}

struct cf_model *cf_model_read(const char *path, const struct cf_registry *registry,
                               struct cf_error *err)
{
    struct cf_model *m = NULL;
    json_t *fit = NULL;

    if (cf_fit_file_read(path, &fit, err) == CF_OK)
        m = cf_model_of(path, fit, registry, err);
    json_decref(fit);
    return m;
}
