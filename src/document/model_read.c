#define _POSIX_C_SOURCE 200809L

#include "document/model_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "document/fit_file.h"

static double number(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

static int refuse(const struct cf_model *m, const char *what, const char *name,
                  struct cf_error *err)
{
    char shown[CF_SHOWN];
    return cf_fail(err, CF_EINPUT, "%s: %s%s%s", m->path, what, name ? " " : "",
                   name ? cf_show(name, shown) : "");
}

/* The name of a parameter or alias as the law's own tables have it: it outlives the file. */
static const char *own_name(const struct cf_law *law, const char *name)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *s = cf_law_alias(law, name);
    return i < law->nparam ? law->param[i].name : s ? s->name : NULL;
}

static int read_data(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const json_t *data = json_object_get(file, "data");
    size_t n = json_array_size(data);

    if (n == 0)
        return refuse(m, "it has no data set", NULL, err);
    m->spec.data = calloc(n, sizeof *m->spec.data);
    if (!m->spec.data)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", n);
    m->spec.ndata = n;
    for (size_t i = 0; i < n; i++) {
        const json_t *from = json_array_get(data, i);
        struct cf_dataset *d = &m->spec.data[i];
        const char *protocol = json_string_value(json_object_get(from, "protocol"));
        int status;
        d->name = strdup(json_string_value(json_object_get(from, "name")));
        if (!d->name)
            return cf_fail(err, CF_ENOMEM, "no memory for a name");
        if (!cf_protocol_find(protocol))
            return refuse(m, "unknown protocol", protocol, err);
        status = cf_dataset_alloc(d, cf_protocol_find(protocol), 0, err);
        if (status)
            return status;
        snprintf(d->sha256, sizeof d->sha256, "%s",
                 json_string_value(json_object_get(from, "sha256")));
        d->pair = (struct cf_pair){
            .mass_kg = number(from, "mass_kg", (double) NAN),
            .radius_m = number(from, "radius_m", (double) INFINITY),
            .modulus_Pa = number(from, "modulus_Pa", 0),
            .gravity_m_s2 = m->gravity_m_s2,
        };
        if (!(d->pair.mass_kg > 0))
            return refuse(m, "no mass above 0 in data set", d->name, err);
        if (!(d->pair.radius_m > 0) || !(m->gravity_m_s2 > 0))
            return refuse(m, "no radius or gravity above 0 in data set", d->name, err);
    }
    return CF_OK;
}

static int read_given(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const char *key;
    json_t *value;

    json_object_foreach(json_object_get(json_object_get(file, "study"), "given"), key, value)
    {
        const char *name = own_name(m->law, key);
        bool hertz = json_is_string(value) && strcmp(json_string_value(value), "hertz") == 0;
        if (!name || m->spec.ngiven == CF_MAX_PARAM)
            return refuse(m, "study.given: the law has no parameter", key, err);
        if (!hertz && !json_is_number(value))
            return refuse(m, "study.given: neither a number nor \"hertz\" for", key, err);
        for (size_t i = 0; i < m->spec.ndata && hertz; i++)
            if (!(m->spec.data[i].pair.modulus_Pa > 0))
                return refuse(m, "k is from Hertz, but there is no modulus_Pa in data set",
                              m->spec.data[i].name, err);
        m->spec.given[m->spec.ngiven++] =
            (struct cf_given){name, hertz ? 0 : json_number_value(value), hertz};
    }
    return CF_OK;
}

/* to[rows * columns], row by row. */
static bool read_matrix(const json_t *from, size_t rows, size_t columns, double to[])
{
    if (json_array_size(from) != rows)
        return false;
    for (size_t a = 0; a < rows; a++) {
        const json_t *row = json_array_get(from, a);
        if (json_array_size(row) != columns)
            return false;
        for (size_t b = 0; b < columns; b++)
            to[a * columns + b] = json_number_value(json_array_get(row, b));
    }
    return true;
}

static int read_unknown(struct cf_model *m, const json_t *file, const json_t *names,
                        struct cf_error *err)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *text = json_string_value(json_array_get(names, i));
        const char *name = own_name(m->law, text);
        const json_t *bounds =
            json_object_get(json_object_get(json_object_get(file, "parameters"), text), "bounds");
        const json_t *low = json_array_get(bounds, 0), *high = json_array_get(bounds, 1);
        if (!name)
            return refuse(m, "uncertainty.names: the law has no parameter", text, err);
        m->spec.free[m->spec.nfree++] = (struct cf_free){
            .name = name,
            .min = json_is_number(low) ? json_number_value(low) : (double) NAN,
            .max = json_is_number(high) ? json_number_value(high) : (double) NAN,
            .start = (double) NAN,
            .prior_value = (double) NAN,
            .prior_sigma = (double) NAN,
        };
    }
    return cf_problem_init(&m->problem, &m->spec, m->law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, err);
}

static int read_channels(struct cf_model *m, const json_t *channels, struct cf_error *err)
{
    size_t n = json_array_size(channels), n2 = m->problem.nfree * m->problem.nfree;

    m->channel = calloc(n + 1, sizeof *m->channel);
    if (!m->channel)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu channels", n);
    for (size_t i = 0; i < n; i++) {
        const json_t *from = json_array_get(channels, i);
        struct cf_model_channel *c = &m->channel[i];
        const struct cf_protocol *protocol;
        m->nchannel = i + 1;
        c->data = (size_t) json_integer_value(json_object_get(from, "data"));
        if (c->data >= m->spec.ndata)
            return refuse(m, "uncertainty.channels: no such data set", NULL, err);
        protocol = m->spec.data[c->data].protocol;
        c->column =
            cf_protocol_channel(protocol, json_string_value(json_object_get(from, "quantity")));
        c->estimated = json_is_true(json_object_get(from, "estimated"));
        c->sigma = number(from, "sigma", (double) NAN);
        c->dof = number(from, "dof", (double) NAN);
        c->share = calloc(n2 + 1, sizeof *c->share);
        if (!c->share)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu channels", n);
        if (c->column == protocol->nchannel ||
            (c->estimated && !read_matrix(json_object_get(from, "share"), m->problem.nfree,
                                          m->problem.nfree, c->share)))
            return refuse(m, "uncertainty.channels: a share is not of one row and column a name",
                          NULL, err);
    }
    return CF_OK;
}

static int read_uncertainty(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const json_t *u = json_object_get(file, "uncertainty");
    const json_t *names = json_object_get(u, "names"), *null = json_object_get(u, "null");
    const json_t *theta = json_object_get(u, "theta"), *dead = json_object_get(u, "dead");
    size_t n = json_array_size(names);
    int status;

    if (!json_is_object(u))
        return refuse(m,
                      "no key \"uncertainty\": an older program wrote it, without what bands are "
                      "made from: fit again",
                      NULL, err);
    if (n == 0 || n > CF_MAX_PARAM)
        return refuse(m, "uncertainty.names: no parameter, or more than a law has", NULL, err);
    status = read_unknown(m, file, names, err);
    if (status)
        return status;
    m->nnull = json_array_size(null);
    m->theta = calloc(n + 1, sizeof *m->theta);
    m->dead = calloc(n + 1, sizeof *m->dead);
    m->covariance = calloc(n * n + 1, sizeof *m->covariance);
    m->null = calloc(n * m->nnull + 1, sizeof *m->null);
    if (!m->theta || !m->dead || !m->covariance || !m->null)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", n);
    if (json_array_size(theta) != n || json_array_size(dead) != n || m->nnull > n ||
        !read_matrix(json_object_get(u, "covariance"), n, n, m->covariance) ||
        !read_matrix(null, m->nnull, n, m->null))
        return refuse(m,
                      "uncertainty: theta, dead, covariance and null are not of one entry a name",
                      NULL, err);
    for (size_t i = 0; i < n; i++) {
        m->theta[i] = json_number_value(json_array_get(theta, i));
        m->dead[i] = json_is_true(json_array_get(dead, i));
    }
    return read_channels(m, json_object_get(u, "channels"), err);
}

static void read_options(struct cf_model *m, const json_t *file)
{
    const json_t *options = json_object_get(json_object_get(file, "study"), "options");
    double level = number(options, "level", cf_fit_defaults.level);
    double p_reject = number(options, "p_reject", cf_fit_defaults.p_reject);

    m->spec.options = cf_fit_defaults;
    if (level > 0 && level < 1)
        m->spec.options.level = level;
    if (p_reject > 0 && p_reject < 1)
        m->spec.options.p_reject = p_reject;
    m->spec.options.seed = (uint64_t) number(file, "seed", 1);
}

/* The values that were fitted, and the range of their speeds. */
static int read_fitted(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const json_t *rows = json_object_get(file, "observations");
    size_t n = json_array_size(rows);

    m->axis_low = (double) INFINITY;
    m->fitted = calloc(n + 1, sizeof *m->fitted);
    if (!m->fitted)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu observations", n);
    for (size_t i = 0; i < n; i++) {
        const json_t *row = json_array_get(rows, i);
        size_t data = (size_t) json_integer_value(json_object_get(row, "data"));
        if (strcmp(json_string_value(json_object_get(row, "use")), "fit") != 0)
            continue;
        m->axis_low = fmin(m->axis_low, number(row, "speed_m_s", (double) NAN));
        m->axis_high = fmax(m->axis_high, number(row, "speed_m_s", (double) NAN));
        if (data < m->spec.ndata)
            m->fitted[m->nfitted++] = (struct cf_fitted_value){
                data, (size_t) json_integer_value(json_object_get(row, "line")),
                cf_protocol_channel(m->spec.data[data].protocol,
                                    json_string_value(json_object_get(row, "quantity")))};
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
        size += 2 + json_string_length(json_array_get(reasons, i));
    text = malloc(size);
    if (!text)
        return NULL;
    used = (size_t) snprintf(text, size, "%s", status);
    for (size_t i = 0; i < json_array_size(reasons) && used < size; i++)
        used += (size_t) snprintf(text + used, size - used, "%s%s", i ? "; " : ": ",
                                  json_string_value(json_array_get(reasons, i)));
    return text;
}

static int read_verdict(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const json_t *verdict = json_object_get(file, "verdict");
    const char *title = json_string_value(json_object_get(file, "title"));

    m->trusted = json_is_true(json_object_get(verdict, "trusted"));
    m->status = strdup(json_string_value(json_object_get(verdict, "status")));
    m->verdict = verdict_text(verdict);
    m->title = title ? strdup(title) : NULL;
    if (!m->status || !m->verdict || (title && !m->title))
        return cf_fail(err, CF_ENOMEM, "%s: no memory for the verdict", m->path);
    return CF_OK;
}

static int read_all(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const char *law = json_string_value(json_object_get(file, "law"));
    struct cf_error why = {""};
    int status = cf_law_get(law, &m->law, &why);

    if (status)
        return refuse(m, why.text, NULL, err);
    m->spec.law = m->law;
    m->gravity_m_s2 = number(json_object_get(file, "study"), "gravity_m_s2", (double) NAN);
    read_options(m, file);
    if ((status = read_verdict(m, file, err)) || (status = read_data(m, file, err)) ||
        (status = read_fitted(m, file, err)) || (status = read_given(m, file, err)))
        return status;
    return read_uncertainty(m, file, err);
}

struct cf_model *cf_model_read(const char *path, struct cf_error *err)
{
    struct cf_model *m = calloc(1, sizeof *m);
    json_t *file = NULL;
    int status;

    if (m)
        m->path = strdup(path);
    if (!m || !m->path)
        status = cf_fail(err, CF_ENOMEM, "%s: no memory for the fit", path);
    else
        status = cf_fit_file_read(path, &file, err);
    if (!status)
        status = read_all(m, file, err);
    json_decref(file);
    if (!status)
        return m;
    cf_model_free(m);
    return NULL;
}
