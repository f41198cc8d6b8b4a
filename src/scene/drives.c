/* Drives of a body: fixed, a steady motion, a command under force accommodation; a recorded one is
 * read by recorded.c. */

#include <stdlib.h>

#include "scene/keys.h"
#include "scene/parts.h"

static int read_moving(const struct cf_yaml *node, struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_yaml *velocity, *spin;
    int status = cf_schema_check(node, &cf_scene_moving_schema, err);

    if (status)
        return status;
    velocity = cf_yaml_get(node, "velocity");
    spin = cf_yaml_get(node, "spin");
    if (!velocity && !spin)
        return cf_yaml_fail(node, err, "moving: velocity or spin is needed");
    if (velocity)
        status = cf_scene_vector(velocity, "m/s", 3, body->velocity_m_s, err);
    if (status == CF_OK && spin)
        status = cf_scene_vector(spin, "rad/s", 3, body->spin_rad_s, err);
    return status;
}

static int read_leg(const struct cf_yaml *node, struct cf_command_leg *leg, struct cf_error *err)
{
    const struct cf_yaml *from, *velocity;
    int status = cf_schema_check(node, &cf_scene_leg_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "from", &from, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "velocity", &velocity, err);
    if (status == CF_OK)
        status = cf_yaml_quantity(from, "s", &leg->from_s, err);
    return status == CF_OK ? cf_scene_vector(velocity, "m/s", 3, leg->velocity_m_s, err) : status;
}

static int read_legs(const struct cf_yaml *legs, struct cf_accommodation *a, struct cf_error *err)
{
    int status = cf_yaml_list(legs, err);

    if (status == CF_OK && legs->n == 0)
        status = cf_yaml_fail(legs, err, "legs: none: at least one is needed");
    if (status)
        return status;
    a->leg = calloc(legs->n, sizeof *a->leg);
    if (!a->leg)
        return cf_fail(err, CF_ENOMEM, "no memory for the command");
    for (size_t i = 0; i < legs->n && status == CF_OK; i++) {
        status = read_leg(&legs->item[i], &a->leg[a->nleg++], err);
        if (status == CF_OK && i > 0 && !(a->leg[i].from_s > a->leg[i - 1].from_s))
            status = cf_yaml_fail(cf_yaml_get(&legs->item[i], "from"), err,
                                  "from: %s: times must grow from leg to leg",
                                  cf_yaml_get(&legs->item[i], "from")->text);
    }
    return status;
}

static int read_command(const struct cf_yaml *node, struct cf_rigid *body, struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_scene_command_schema.key;
    static const char *const units[] = {"m/(s N)", "N", "s"};
    struct cf_accommodation *a = &body->accommodation;
    double *to[] = {&a->yield_m_s_N, &a->dead_band_N, &a->lag_s};
    const struct cf_yaml *at[4];
    int status = cf_schema_check(node, &cf_scene_command_schema, err);

    for (int i = 0; i < 4 && status == CF_OK; i++)
        status = cf_yaml_need(node, keys[i].name, &at[i], err);
    for (int i = 0; i < 3 && status == CF_OK; i++) {
        status = cf_yaml_quantity(at[i], units[i], to[i], err);
        if (status == CF_OK && !(*to[i] >= 0))
            status =
                cf_yaml_fail(at[i], err, "%s: %s: must be at least 0", keys[i].name, at[i]->text);
    }
    return status == CF_OK ? read_legs(at[3], a, err) : status;
}

int cf_scene_drive(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_rigid *body,
                   struct cf_error *err)
{
    static const char *const keys[] = {"fixed", "moving", "trace", "command"};
    static const enum cf_drive drives[] = {CF_DRIVE_FIXED, CF_DRIVE_STEADY, CF_DRIVE_RECORDED,
                                           CF_DRIVE_COMMANDED};
    const struct cf_yaml *fixed = cf_yaml_get(node, "fixed"), *first = NULL;
    bool is_fixed = true;
    int status = fixed ? cf_yaml_bool(fixed, &is_fixed, err) : CF_OK;

    body->drive = CF_DRIVE_FREE;
    for (int i = 0; i < 4 && status == CF_OK; i++) {
        const struct cf_yaml *at = cf_yaml_get(node, keys[i]);
        if (!at || (at == fixed && !is_fixed))
            continue;
        if (first)
            return cf_yaml_fail_key(at, err, "body %s: %s and %s: one of them is wanted",
                                    body->name, first->key, at->key);
        first = at;
        body->drive = drives[i];
    }
    if (status == CF_OK && body->drive == CF_DRIVE_STEADY)
        status = read_moving(first, body, err);
    if (status == CF_OK && body->drive == CF_DRIVE_RECORDED)
        status = cf_scene_recorded(r, first, body, err);
    if (status == CF_OK && body->drive == CF_DRIVE_COMMANDED)
        status = read_command(first, body, err);
    return status;
}
