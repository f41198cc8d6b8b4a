/* Forces on bodies over time: ramps, pulses, loads. */

#include <stdlib.h>

#include "scene/keys.h"
#include "scene/parts.h"

int cf_scene_course(const struct cf_yaml *times, const struct cf_yaml *values,
                    struct cf_course *course, struct cf_error *err)
{
    int status = cf_yaml_list(times, err);

    if (status == CF_OK)
        status = cf_yaml_list(values, err);
    if (status)
        return status;
    if (times->n == 0)
        return cf_yaml_fail(times, err, "times: none: at least one is wanted");
    if (times->n != values->n)
        return cf_yaml_fail(values, err, "values: %zu, and times: %zu: as many are wanted",
                            values->n, times->n);
    course->n = times->n;
    course->time_s = calloc(course->n, sizeof *course->time_s);
    course->value = calloc(course->n, sizeof *course->value);
    if (!course->time_s || !course->value)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu points in time", course->n);
    for (size_t i = 0; i < course->n && status == CF_OK; i++) {
        status = cf_yaml_quantity(&times->item[i], "s", &course->time_s[i], err);
        if (status == CF_OK && i > 0 && !(course->time_s[i] > course->time_s[i - 1]))
            status = cf_yaml_fail(&times->item[i], err,
                                  "times: %s after %s: they must grow from point to point",
                                  times->item[i].text, times->item[i - 1].text);
        if (status == CF_OK)
            status = cf_yaml_quantity(&values->item[i], "N", &course->value[i], err);
    }
    return status;
}

static int read_force(struct cf_scene_reader *r, const struct cf_yaml *node,
                      struct cf_applied_force *force, struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_scene_force_schema.key;
    enum { NKEY = 4 };
    const struct cf_yaml *at[NKEY];
    int status = cf_schema_check(node, &cf_scene_force_schema, err);

    for (int i = 0; i < NKEY && status == CF_OK; i++)
        status = cf_yaml_need(node, keys[i].name, &at[i], err);
    if (status == CF_OK)
        status = cf_scene_find_body(r, at[0], &force->body, err);
    if (status == CF_OK && r->scene->body[force->body].drive != CF_DRIVE_FREE)
        return cf_yaml_fail(at[0], err, "body: %s: only a body that is free to move takes a force",
                            at[0]->text);
    if (status == CF_OK)
        status = cf_scene_direction(at[1], force->direction, err);
    return status == CF_OK ? cf_scene_course(at[2], at[3], &force->force, err) : status;
}

int cf_scene_forces(struct cf_scene_reader *r, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *forces = cf_yaml_get(root, "forces");
    int status = forces ? cf_yaml_list(forces, err) : CF_OK;

    if (status || !forces || forces->n == 0)
        return status;
    r->scene->force = calloc(forces->n, sizeof *r->scene->force);
    if (!r->scene->force)
        return cf_fail(err, CF_ENOMEM, "no memory for the forces");
    for (size_t i = 0; i < forces->n && status == CF_OK; i++)
        status = read_force(r, &forces->item[i], &r->scene->force[r->scene->nforce++], err);
    return status;
}
