/* What a fit file says of the parameters' errors, into a model. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "document/model_parts.h"

double cf_model_number(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

int cf_model_refuse(const struct cf_model *m, const char *what, const char *name,
                    struct cf_error *err)
{
    char shown[CF_SHOWN];
    return cf_fail(err, CF_EINPUT, "%s: %s%s%s", m->path, what, name ? " " : "",
                   name ? cf_show(name, shown) : "");
}

const char *cf_model_own_name(const struct cf_law *law, const char *name)
{
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *s = cf_law_alias(law, name);
    return i < law->nparam ? law->param[i].name : s ? s->name : NULL;
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

/* What shares the unknown number i; all data sets, where the file does not state it. */
static enum cf_sharing sharing(const json_t *u, size_t i)
{
    const char *text = json_string_value(json_array_get(json_object_get(u, "shared_by"), i));

    for (int k = 0; text && k < CF_NSHARING; k++)
        if (strcmp(text, cf_sharing_name[k]) == 0)
            return (enum cf_sharing) k;
    return CF_SHARED_BY_ALL;
}

/* One free parameter of the law; those of "k[golf]" and "k[tennis]" are one that is not shared. */
static int read_one_unknown(struct cf_model *m, const json_t *u, const json_t *file,
                            const char *text, size_t i, struct cf_error *err)
{
    const json_t *bounds =
        json_object_get(json_object_get(json_object_get(file, "parameters"), text), "bounds");
    const json_t *low = json_array_get(bounds, 0), *high = json_array_get(bounds, 1);
    enum cf_sharing per = sharing(u, i);
    char base[CF_SHOWN];
    const char *name;

    snprintf(base, sizeof base, "%.*s",
             (int) (per == CF_SHARED_BY_ALL ? strlen(text) : strcspn(text, "[")), text);
    name = cf_model_own_name(m->law, base);
    if (!name)
        return cf_model_refuse(m, "uncertainty.names: the law has no parameter", text, err);
    if (m->spec.nfree && m->spec.free[m->spec.nfree - 1].name == name)
        return CF_OK;
    if (m->spec.nfree == CF_MAX_PARAM)
        return cf_model_refuse(m, "uncertainty.names: more parameters than a law has", text, err);
    m->spec.free[m->spec.nfree++] = (struct cf_free){
        .name = name,
        .min = json_is_number(low) ? json_number_value(low) : (double) NAN,
        .max = json_is_number(high) ? json_number_value(high) : (double) NAN,
        .start = (double) NAN,
        .prior_value = (double) NAN,
        .prior_sigma = (double) NAN,
        .per = per,
    };
    return CF_OK;
}

static int read_unknown(struct cf_model *m, const json_t *u, const json_t *file,
                        const json_t *names, struct cf_error *err)
{
    size_t n = json_array_size(names);
    int status = CF_OK;

    for (size_t i = 0; i < n && !status; i++)
        status = read_one_unknown(m, u, file, json_string_value(json_array_get(names, i)), i, err);
    if (!status)
        status =
            cf_problem_init(&m->problem, &m->spec, m->law, NULL, CF_ROW_FIT, CF_SCOPE_ALL, err);
    for (size_t i = 0; i < n && !status; i++) {
        const char *text = json_string_value(json_array_get(names, i));
        if (m->problem.nfree != n || strcmp(text, m->problem.unknown[i].name) != 0)
            status = cf_model_refuse(m, "uncertainty.names: not those of its data sets, from", text,
                                     err);
    }
    return status;
}

static int read_channel(struct cf_model *m, const json_t *from, struct cf_model_channel *c,
                        struct cf_error *err)
{
    size_t n = m->problem.nfree, i;
    const struct cf_protocol *protocol;
    const json_t *set;

    c->data = (size_t) json_integer_value(json_object_get(from, "data"));
    if (c->data >= m->spec.ndata)
        return cf_model_refuse(m, "uncertainty.channels: no such data set", NULL, err);
    protocol = m->spec.data[c->data].protocol;
    c->column = cf_protocol_channel(protocol, json_string_value(json_object_get(from, "channel")));
    c->estimated = json_is_true(json_object_get(from, "estimated"));
    c->sigma = cf_model_number(from, "sigma", (double) NAN);
    c->dof = cf_model_number(from, "dof", (double) NAN);
    c->base = cf_model_number(from, "base", c->sigma);
    c->slope = cf_model_number(from, "slope", 0);
    c->exponent = cf_model_number(from, "exponent", 1);
    c->imposed = cf_model_number(from, "imposed", 0);
    c->shared = cf_model_number(from, "shared", 0);
    c->gain = cf_model_number(from, "gain", 0);
    c->share = calloc(n * n + 1, sizeof *c->share);
    c->of = calloc(m->spec.ndata + 1, sizeof *c->of);
    if (!c->share || !c->of)
        return cf_fail(err, CF_ENOMEM, "no memory for the channels");
    c->of[c->data] = true;
    json_array_foreach(json_object_get(from, "sets"), i,
                       set) if ((size_t) json_integer_value(set) < m->spec.ndata)
        c->of[json_integer_value(set)] = true;
    if (c->column == protocol->nchannel ||
        (c->estimated && !read_matrix(json_object_get(from, "share"), n, n, c->share)))
        return cf_model_refuse(
            m, "uncertainty.channels: a share is not of one row and column a name", NULL, err);
    return CF_OK;
}

static int read_channels(struct cf_model *m, const json_t *channels, struct cf_error *err)
{
    size_t n = json_array_size(channels);
    int status = CF_OK;

    m->channel = calloc(n + 1, sizeof *m->channel);
    if (!m->channel)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu channels", n);
    while (m->nchannel < n && !status) {
        size_t i = m->nchannel++;
        status = read_channel(m, json_array_get(channels, i), &m->channel[i], err);
    }
    return status;
}

/* What groups differ in: of several levels on one parameter the fewest degrees of freedom. */
static int read_differ(struct cf_model *m, const json_t *differ, struct cf_error *err)
{
    size_t n = m->problem.nfree, i;
    const json_t *one;

    json_array_foreach((json_t *) differ, i, one)
    {
        const char *name = json_string_value(json_object_get(one, "parameter"));
        double sigma = cf_model_number(one, "sigma", 0), dof = cf_model_number(one, "dof", 0);
        size_t j = 0;
        while (j < n && strcmp(m->problem.unknown[j].name, name ? name : "") != 0)
            j++;
        if (j == n)
            return cf_model_refuse(m, "uncertainty.differ: no such parameter,", name, err);
        m->differ_dof[j] = m->differ[j] > 0 ? fmin(m->differ_dof[j], dof) : dof;
        m->differ[j] += sigma * sigma;
    }
    return CF_OK;
}

int cf_model_uncertainty(struct cf_model *m, const json_t *file, struct cf_error *err)
{
    const json_t *u = json_object_get(file, "uncertainty");
    const json_t *names = json_object_get(u, "names"), *null = json_object_get(u, "null");
    const json_t *theta = json_object_get(u, "theta"), *dead = json_object_get(u, "dead");
    size_t n = json_array_size(names);
    int status;

    if (!json_is_object(u))
        return cf_model_refuse(
            m,
            "no key \"uncertainty\": an older program wrote it, without what bands are "
            "made from: fit again",
            NULL, err);
    if (n == 0)
        return cf_model_refuse(m, "uncertainty.names: no parameter", NULL, err);
    status = read_unknown(m, u, file, names, err);
    if (status)
        return status;
    m->nnull = json_array_size(null);
    m->theta = calloc(n + 1, sizeof *m->theta);
    m->dead = calloc(n + 1, sizeof *m->dead);
    m->covariance = calloc(n * n + 1, sizeof *m->covariance);
    m->null = calloc(n * m->nnull + 1, sizeof *m->null);
    m->differ = calloc(n + 1, sizeof *m->differ);
    m->differ_dof = calloc(n + 1, sizeof *m->differ_dof);
    if (!m->differ || !m->differ_dof || !m->theta || !m->dead || !m->covariance || !m->null)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu parameters", n);
    if (json_array_size(theta) != n || json_array_size(dead) != n || m->nnull > n ||
        !read_matrix(json_object_get(u, "covariance"), n, n, m->covariance) ||
        !read_matrix(null, m->nnull, n, m->null))
        return cf_model_refuse(
            m, "uncertainty: theta, dead, covariance and null are not of one entry a name", NULL,
            err);
    for (size_t i = 0; i < n; i++) {
        m->theta[i] = json_number_value(json_array_get(theta, i));
        m->dead[i] = json_is_true(json_array_get(dead, i));
    }
    status = read_differ(m, json_object_get(u, "differ"), err);
    return status ? status : read_channels(m, json_object_get(u, "channels"), err);
}
