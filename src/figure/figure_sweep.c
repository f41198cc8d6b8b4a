/* Sweeps: one result of many runs of a scene, over values of its keys. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"
#include "figure/figure_parts.h"
#include "figure/keys.h"

enum { MAX_SET = 8, MAX_VALUES = 400, MAX_VALUE = 64 };

/* What one run gives. */
struct sweep_run {
    struct cf_motion_result result;
    double start_J[CF_NENERGY];
    double bodies_J; /* of the bodies when the first touch ended; NAN: none has */
};

static double bodies(const double energy_J[CF_NENERGY])
{
    return energy_J[CF_ENERGY_KINETIC] + energy_J[CF_ENERGY_POTENTIAL];
}

/* Without what springs still hold: a damped one gives back almost nothing. */
static double energy_loss(const struct sweep_run *o)
{
    double after = isnan(o->bodies_J) ? bodies(o->result.energy_J) : o->bodies_J;
    return 100 * (bodies(o->start_J) - after) / o->start_J[CF_ENERGY_KINETIC];
}

static double touches(const struct sweep_run *o)
{
    return (double) o->result.events[CF_EVENT_MAKE];
}

static const struct {
    const char *name, *words;
    double (*of)(const struct sweep_run *o);
} results[] = {
    {"energy-loss", "energy lost / % of the kinetic one", energy_loss},
    {"touches", "touches", touches},
};
enum { NRESULT = sizeof results / sizeof *results };

const char *cf_scene_result_words(const struct cf_scene_figure *figure)
{
    return results[figure->result].words;
}

static int read_set(const struct cf_yaml *at, struct cf_scene_variation *v, struct cf_error *err)
{
    const struct cf_yaml *item = at->kind == CF_YAML_LIST ? at->item : at;
    size_t n = at->kind == CF_YAML_LIST ? at->n : 1;
    int status = CF_OK;

    if (n == 0 || n > MAX_SET)
        return cf_yaml_fail(at, err, "set: %zu keys: from 1 to %d are wanted", n, MAX_SET);
    v->set = calloc(n, sizeof *v->set);
    if (!v->set)
        return cf_fail(err, CF_ENOMEM, "no memory for a sweep");
    for (size_t i = 0; i < n && status == CF_OK; i++)
        status = cf_yaml_text(&item[i], &v->set[v->nset++], err);
    return status;
}

/* "10 mm": the number and what follows it, which is the same for all values of a variation. */
static int read_value(const struct cf_yaml *at, struct cf_scene_variation *v, double *value,
                      struct cf_error *err)
{
    const char *text = NULL;
    struct cf_unit unit;
    char *end = NULL;
    int status = cf_yaml_text(at, &text, err);

    if (status)
        return status;
    *value = strtod(text, &end);
    if (end == text || !isfinite(*value))
        return cf_yaml_fail(at, err, "%s: a number is wanted, with its unit if it has one",
                            at->text);
    end += strspn(end, " ");
    if (*end && cf_unit_parse(end, &unit, err)) /* what is shown is known to be a unit */
        return cf_yaml_blame(at, at->text, CF_EINPUT, err);
    if (!v->unit)
        v->unit = end;
    if (strcmp(v->unit, end) != 0)
        return cf_yaml_fail(at, err, "%s: the value before it is in %s: one unit for all is wanted",
                            at->text, *v->unit ? v->unit : "no unit");
    return CF_OK;
}

static int read_list(const struct cf_yaml *at, struct cf_scene_variation *v, struct cf_error *err)
{
    int status = cf_yaml_list(at, err);

    if (status == CF_OK && (at->n == 0 || at->n > MAX_VALUES))
        status = cf_yaml_fail(at, err, "values: %zu: from 1 to %d are wanted", at->n, MAX_VALUES);
    if (status)
        return status;
    v->value = calloc(at->n, sizeof *v->value);
    if (!v->value)
        return cf_fail(err, CF_ENOMEM, "no memory for a sweep");
    for (; v->n < at->n && status == CF_OK; v->n++)
        status = read_value(&at->item[v->n], v, &v->value[v->n], err);
    return status;
}

/* from, to, count: evenly. */
static int read_even(const struct cf_yaml *node, struct cf_scene_variation *v, struct cf_error *err)
{
    const struct cf_yaml *from, *to, *count;
    double span[2] = {0, 0};
    unsigned long long n = 0;
    int status = cf_yaml_need(node, "from", &from, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "to", &to, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "count", &count, err);
    if (status == CF_OK)
        status = read_value(from, v, &span[0], err);
    if (status == CF_OK)
        status = read_value(to, v, &span[1], err);
    if (status == CF_OK && !(span[1] > span[0]))
        status = cf_yaml_fail(to, err, "to: %s: it must be larger than from", to->text);
    if (status == CF_OK)
        status = cf_yaml_whole(count, 2, MAX_VALUES, &n, err);
    if (status)
        return status;
    v->n = (size_t) n;
    v->value = calloc(v->n, sizeof *v->value);
    if (!v->value)
        return cf_fail(err, CF_ENOMEM, "no memory for a sweep");
    for (size_t i = 0; i < v->n; i++)
        v->value[i] = span[0] + (span[1] - span[0]) * (double) i / (double) (v->n - 1);
    return CF_OK;
}

static int read_variation(const struct cf_yaml *node, struct cf_scene_variation *v,
                          struct cf_error *err)
{
    const struct cf_yaml *set, *as, *values;
    int status = cf_schema_check(node, &cf_scene_variation_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "set", &set, err);
    if (status == CF_OK)
        status = read_set(set, v, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "as", &as, err);
    if (status == CF_OK)
        status = cf_scene_words(as, &v->as, err);
    if (status)
        return status;
    values = cf_yaml_get(node, "values");
    return values ? read_list(values, v, err) : read_even(node, v, err);
}

static int read_result(const struct cf_yaml *node, struct cf_scene_figure *figure,
                       struct cf_error *err)
{
    const char *known[NRESULT], *name = NULL;
    const struct cf_yaml *at;
    int status = cf_yaml_need(node, "y", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    for (size_t i = 0; i < NRESULT && status == CF_OK; i++) {
        known[i] = results[i].name;
        if (strcmp(name, known[i]) == 0) {
            figure->result = i;
            return CF_OK;
        }
    }
    return status == CF_OK ? cf_yaml_unknown(at, "result", name, known, NRESULT, err) : status;
}

int cf_scene_sweep_read(const struct cf_yaml *node, struct cf_scene_figure *figure,
                        struct cf_error *err)
{
    const struct cf_yaml *over, *lines = cf_yaml_get(node, "lines");
    int status = cf_yaml_need(node, "over", &over, err);

    if (status == CF_OK)
        status = read_variation(over, &figure->over, err);
    if (status == CF_OK && lines)
        status = read_variation(lines, &figure->lines, err);
    if (status == CF_OK)
        status = read_result(node, figure, err);
    if (status == CF_OK && figure->lines.n > CF_SCENE_MAX_CURVE)
        status = cf_yaml_fail(lines, err, "lines: %zu values: at most %d are wanted",
                              figure->lines.n, CF_SCENE_MAX_CURVE);
    if (status)
        return status;
    figure->panel = calloc(1, sizeof *figure->panel);
    if (!figure->panel)
        return cf_fail(err, CF_ENOMEM, "no memory for panels");
    figure->npanel = 1;
    figure->panel->ncurve = lines ? figure->lines.n : 1;
    figure->x_axis = (struct cf_scene_axis){NULL, NULL, NULL, 1, (double) NAN, (double) NAN};
    return cf_scene_axis_read(node, NULL, NULL, "range", &figure->panel->axis, err);
}

void cf_scene_sweep_free(struct cf_scene_figure *figure)
{
    free(figure->over.set);
    free(figure->over.value);
    free(figure->lines.set);
    free(figure->lines.value);
}

static void started(void *observer, const struct cf_snapshot *at)
{
    struct sweep_run *o = observer;
    if (at->time_s == 0)
        memcpy(o->start_J, at->energy_J, sizeof o->start_J);
}

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    struct sweep_run *o = observer;

    (void) index;
    if (what == CF_EVENT_BREAK && isnan(o->bodies_J))
        o->bodies_J = bodies(at->energy_J);
}

/* The values set for one run. */
struct settings {
    size_t n;
    struct cf_override set[2 * MAX_SET];
    char value[2][MAX_VALUE];
};

static void vary(struct settings *s, const struct cf_scene_variation *v, size_t i, char *value)
{
    snprintf(value, MAX_VALUE, "%.15g%s%s", v->value[i], *v->unit ? " " : "", v->unit);
    for (size_t k = 0; k < v->nset; k++)
        s->set[s->n++] = (struct cf_override){v->set[k], value};
}

static int run_one(const char *path, const struct settings *s, struct sweep_run *o,
                   struct cf_error *err)
{
    struct cf_error why = {""};
    struct cf_scene_file *file = cf_scene_read(path, s->set, s->n, &why);
    struct cf_motion_options options;

    if (!file)
        return cf_fail(err, CF_EINPUT, "%.800s (in a sweep, with %s = %s)", why.text,
                       s->set[0].path, s->set[0].value);
    options = file->options;
    options.every_s = 0;
    options.sample = started;
    options.on_event = on_event;
    options.observer = o;
    int status = cf_scene_steps_check(file, &options, err);
    if (status) {
        cf_scene_file_free(file);
        return status;
    }
    status = cf_motion_run(&file->scene, &options, &o->result, &why);
    if (status)
        cf_fail(err, CF_ESOLVE, "%s: %.800s (in a sweep, with %s = %s)", path, why.text,
                s->set[0].path, s->set[0].value);
    cf_scene_file_free(file);
    return status ? CF_ESOLVE : CF_OK;
}

int cf_scene_sweep_run(const struct cf_scene_file *file, struct cf_scene_figure *figure,
                       struct cf_error *err)
{
    int status = CF_OK;

    figure->n = figure->over.n;
    figure->x.y = calloc(figure->n, sizeof *figure->x.y);
    if (!figure->x.y)
        return cf_fail(err, CF_ENOMEM, "no memory for a sweep");
    memcpy(figure->x.y, figure->over.value, figure->n * sizeof *figure->x.y);
    for (size_t line = 0; line < figure->panel->ncurve; line++) {
        struct cf_scene_curve *curve = &figure->panel->curve[line];
        curve->y = calloc(figure->n, sizeof *curve->y);
        if (!curve->y)
            return cf_fail(err, CF_ENOMEM, "no memory for a sweep");
        curve->value = figure->lines.n ? figure->lines.value[line] : (double) NAN;
        for (size_t i = 0; i < figure->n && status == CF_OK; i++) {
            struct settings s = {0};
            struct sweep_run o = {.bodies_J = (double) NAN};
            vary(&s, &figure->over, i, s.value[0]);
            if (figure->lines.n)
                vary(&s, &figure->lines, line, s.value[1]);
            status = run_one(file->path, &s, &o, err);
            curve->y[i] = status == CF_OK ? results[figure->result].of(&o) : (double) NAN;
        }
    }
    return status;
}
