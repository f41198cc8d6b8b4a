/* Vectors, names and remarks of scene files. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "scene/keys.h"
#include "scene/parts.h"

int cf_scene_vector(const struct cf_yaml *at, const char *unit, size_t n, double v[],
                    struct cf_error *err)
{
    const char *what = at->key ? at->key : "this entry";
    bool pure = strcmp(unit, "1") == 0;
    int status = cf_yaml_list(at, err);

    if (status == CF_OK && at->n != n)
        status = cf_yaml_fail(at, err, "%s: %zu values: %zu are wanted", what, at->n, n);
    for (size_t i = 0; i < n && status == CF_OK; i++) {
        const struct cf_yaml *item = &at->item[i];
        double si = 0;
        if (item->kind != CF_YAML_TEXT || !*item->text)
            return cf_yaml_fail(item, err, "%s: value %zu: a number%s%s%s is wanted", what, i + 1,
                                pure ? "" : " with its unit [", pure ? "" : unit, pure ? "" : "]");
        *item->read_as = unit;
        status = cf_quantity_parse(item->text, unit, &si, err);
        if (status)
            return cf_yaml_blame(item, what, status, err);
        v[i] = si;
    }
    return status;
}

int cf_scene_direction(const struct cf_yaml *at, double v[3], struct cf_error *err)
{
    int status = cf_scene_vector(at, "1", 3, v, err);
    double largest = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2])), norm;

    if (status)
        return status;
    if (!(largest > 0))
        return cf_yaml_fail(at, err, "%s: [0, 0, 0]: a direction is wanted, which is not 0",
                            at->key ? at->key : "this entry");
    for (int i = 0; i < 3; i++)
        v[i] /= largest;
    norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= norm;
    return CF_OK;
}

int cf_scene_attitude(const struct cf_yaml *node, double attitude[4], struct cf_error *err)
{
    const struct cf_yaml *axis, *angle;
    double n[3] = {0, 0, 1}, a = 0;
    int status = cf_schema_check(node, &cf_scene_attitude_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "axis", &axis, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "angle", &angle, err);
    if (status == CF_OK)
        status = cf_scene_direction(axis, n, err);
    if (status == CF_OK)
        status = cf_yaml_quantity(angle, "rad", &a, err);
    attitude[0] = cos(a / 2);
    for (int i = 0; i < 3; i++)
        attitude[1 + i] = sin(a / 2) * n[i];
    return status;
}

int cf_scene_name(const struct cf_yaml *at, const char *text, char **name, struct cf_error *err)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char marks[] = "0123456789_-";
    char shown[CF_SHOWN];
    size_t n = 0;

    while (text[n] && (strchr(letters, text[n]) || (n > 0 && strchr(marks, text[n]))))
        n++;
    if (text[n] || n == 0) {
        static const char rule[] = "name %s: a letter, then letters, digits, _ and - are wanted";
        return text == at->key ? cf_yaml_fail_key(at, err, rule, cf_show(text, shown))
                               : cf_yaml_fail(at, err, rule, cf_show(text, shown));
    }
    *name = strdup(text);
    return *name ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a name");
}

struct named {
    const char *name;
    size_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

int cf_scene_twin(const char *(*name)(const void *things, size_t i), const void *things, size_t n,
                  size_t *first, size_t *second, struct cf_error *err)
{
    struct named *all = calloc(n + 1, sizeof *all);

    *first = *second = n;
    if (!all)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu names", n);
    for (size_t i = 0; i < n; i++)
        all[i] = (struct named){name(things, i), i};
    qsort(all, n, sizeof *all, by_name);
    for (size_t i = 1; i < n; i++)
        if (strcmp(all[i].name, all[i - 1].name) == 0 && all[i].index < *second) {
            *first = all[i - 1].index;
            *second = all[i].index;
        }
    free(all);
    return CF_OK;
}

int cf_scene_remark(struct cf_scene_file *file, struct cf_error *err, const char *format, ...)
{
    char **remark = realloc(file->remark, (file->nremark + 1) * sizeof *remark), text[1024];
    va_list args;

    if (!remark)
        return cf_fail(err, CF_ENOMEM, "no memory for remarks");
    file->remark = remark;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    remark[file->nremark] = strdup(text);
    if (!remark[file->nremark])
        return cf_fail(err, CF_ENOMEM, "no memory for remarks");
    file->nremark++;
    return CF_OK;
}
