/* What the tables of keys cannot say of a fit file: lists that belong together, and indices. */

#include "document/fit_links.h"

#include "document/view.h"

/* Two lists of equal length. A missing or null `second` is right. */
static int same_length(struct cf_json_place *place, const json_t *object, const char *first,
                       const char *second)
{
    const json_t *a = json_object_get(object, first), *b = json_object_get(object, second);

    if (!json_is_array(b) || json_array_size(a) == json_array_size(b))
        return CF_OK;
    return cf_json_refuse(place, "%zu numbers in \"%s\" beside %zu in \"%s\"", json_array_size(b),
                          second, json_array_size(a), first);
}

/* A curve, an observation, a point: its data set is there and measures the channel. */
static int check_item(struct cf_json_place *place, const json_t *item, const json_t *data)
{
    static const char *const beside[] = {"value", "low", "high", "predicted"};
    const char *key = json_object_get(item, "from") ? "from" : "channel";
    const char *name = cf_view_text(item, key), *along = cf_view_text(item, "along");
    size_t ndata = json_array_size(data);

    if (!json_is_object(item))
        return CF_OK;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        int status = same_length(place, item, "abscissa", beside[i]);
        if (status)
            return status;
    }
    json_int_t set = json_integer_value(json_object_get(item, "data"));
    if (set >= (json_int_t) ndata)
        return cf_json_refuse(place, "data %" JSON_INTEGER_FORMAT " of %zu: counted from 0", set,
                              ndata);
    if (!cf_view_channel(json_array_get(data, (size_t) set), name))
        return cf_json_refuse(place, "%s: data %" JSON_INTEGER_FORMAT " has no channel \"%s\"", key,
                              set, name);
    if (json_object_get(item, "along") &&
        !cf_view_channel(json_array_get(data, (size_t) set), along))
        return cf_json_refuse(place, "along: data %" JSON_INTEGER_FORMAT " has no channel \"%s\"",
                              set, along);
    return CF_OK;
}

/* The channel of the main figure is one of its data set. */
static int check_headlines(struct cf_json_place *place, const json_t *data)
{
    const json_t *set;
    size_t i;

    json_array_foreach(data, i, set)
    {
        if (!cf_view_channel(set, cf_view_text(set, "headline")))
            return cf_json_refuse(place, "data[%zu].headline: it has no channel \"%s\"", i,
                                  cf_view_text(set, "headline"));
    }
    return CF_OK;
}

static int check_matrix(struct cf_json_place *place, const json_t *covariance, const char *key)
{
    size_t n = json_array_size(json_object_get(covariance, "names"));
    const json_t *matrix = json_object_get(covariance, key);
    bool square = json_array_size(matrix) == n;

    for (size_t i = 0; i < json_array_size(matrix); i++)
        square = square && json_array_size(json_array_get(matrix, i)) == n;
    if (json_is_object(covariance) && !square)
        return cf_json_refuse(place, "covariance.%s is not of %zu rows and columns, one a name",
                              key, n);
    return CF_OK;
}

int cf_fit_check_links(struct cf_json_place *place, const json_t *fit)
{
    static const struct {
        const char *list, *inside; /* inside: the curve within the item, NULL for the item itself */
    } curved[] = {{"curves", NULL},  {"observations", NULL}, {"headline_points", NULL},
                  {"loops", NULL},   {"predictive", NULL},   {"rivals", "curve"},
                  {"adequacy", NULL}};
    const json_t *data = json_object_get(fit, "data");
    const json_t *covariance = json_object_get(fit, "covariance");
    int status = check_headlines(place, data);
    const char *key;
    json_t *item;
    size_t i, before;

    if (status)
        return status;
    for (size_t j = 0; j < sizeof curved / sizeof curved[0]; j++) {
        json_array_foreach(json_object_get(fit, curved[j].list), i, item)
        {
            before = cf_json_step_in(place, "%s[%zu]%s%s", curved[j].list, i,
                                     curved[j].inside ? "." : "",
                                     curved[j].inside ? curved[j].inside : "");
            status = check_item(
                place, curved[j].inside ? json_object_get(item, curved[j].inside) : item, data);
            place->path[before] = '\0';
            if (status)
                return status;
        }
    }
    json_object_foreach(json_object_get(fit, "parameters"), key, item)
    {
        before = cf_json_step_in(place, "parameters.%s.profile", key);
        status = same_length(place, json_object_get(item, "profile"), "value", "delta");
        place->path[before] = '\0';
        if (status)
            return status;
    }
    status = check_matrix(place, covariance, "matrix");
    return status ? status : check_matrix(place, covariance, "correlation");
}
