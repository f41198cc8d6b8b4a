/* The links of a pendulum, as bodies after the others. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "scene/keys.h"
#include "scene/parts.h"

/* The ball at the end of a link: {radius:}, by default a point. */
static int read_tip(const struct cf_yaml *node, const struct cf_link *link, struct cf_rigid *body,
                    struct cf_error *err)
{
    const struct cf_yaml *tip = cf_yaml_get(node, "tip"), *radius;
    struct cf_ball *ball = cf_scene_add_ball(body);
    int status = CF_OK;

    if (!ball)
        return cf_fail(err, CF_ENOMEM, "no memory for a link");
    ball->centre_m[0] = link->length_m - link->centre_m;
    if (!tip)
        return CF_OK;
    status = cf_schema_check(tip, &cf_scene_tip_schema, err);
    if (status == CF_OK)
        status = cf_yaml_need(tip, "radius", &radius, err);
    if (status == CF_OK)
        status = cf_yaml_quantity(radius, "m", &ball->radius_m, err);
    if (status == CF_OK && !(ball->radius_m >= 0))
        status = cf_yaml_fail(radius, err, "radius: %s: must be at least 0", radius->text);
    return status;
}

static int read_link(const struct cf_yaml *node, struct cf_link *link, struct cf_rigid *body,
                     struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_scene_link_schema.key;
    static const char *const units[] = {"m", "kg", "m", "kg m^2", "rad", "rad/s"};
    double *to[] = {&link->length_m,      &body->mass_kg,   &link->centre_m,
                    &link->inertia_kg_m2, &link->angle_rad, &link->rate_rad_s};
    const struct cf_yaml *name, *at;
    const char *text = NULL;
    int status = cf_schema_check(node, &cf_scene_link_schema, err);

    body->drive = CF_DRIVE_LINK;
    body->attitude[0] = 1;
    if (status == CF_OK)
        status = cf_yaml_need(node, "name", &name, err);
    if (status == CF_OK)
        status = cf_yaml_text(name, &text, err);
    if (status == CF_OK)
        status = cf_scene_name(name, text, &body->name, err);
    for (int i = 0; i < 6 && status == CF_OK; i++) {
        status = cf_yaml_need(node, keys[i].name, &at, err);
        if (status == CF_OK)
            status = i < 2 ? cf_yaml_positive(at, units[i], to[i], err)
                           : cf_yaml_quantity(at, units[i], to[i], err);
    }
    /* about the mass centre: of a thin link, and along it none */
    body->inertia_kg_m2[1] = body->inertia_kg_m2[2] = link->inertia_kg_m2;
    return status == CF_OK ? read_tip(node, link, body, err) : status;
}

static int check_name(const struct cf_scene_reader *r, size_t body, struct cf_error *err)
{
    for (size_t i = 0; i < body; i++)
        if (strcmp(r->scene->body[i].name, r->scene->body[body].name) == 0)
            return cf_yaml_fail(r->body[body], err, "link %s: another body is called so",
                                r->scene->body[body].name);
    return CF_OK;
}

static int read_links(struct cf_scene_reader *r, const struct cf_yaml *links, struct cf_error *err)
{
    struct cf_chain *chain = &r->scene->chain;
    int status = cf_yaml_list(links, err);

    if (status == CF_OK && (links->n == 0 || links->n > CF_MAX_LINK))
        status =
            cf_yaml_fail(links, err, "links: %zu: from 1 to %d are wanted", links->n, CF_MAX_LINK);
    for (size_t i = 0; i < links->n && status == CF_OK; i++) {
        size_t body = r->scene->nbody++;
        r->body[body] = &links->item[i];
        chain->link[i].body = body;
        chain->nlink++;
        status = read_link(&links->item[i], &chain->link[i], &r->scene->body[body], err);
        if (status == CF_OK)
            status = check_name(r, body, err);
    }
    return status;
}

int cf_scene_chain(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_scene_chain_schema.key;
    struct cf_chain *chain = &r->scene->chain;
    const struct cf_yaml *at[4];
    double dot = 0, norm = 0;
    int status = cf_schema_check(node, &cf_scene_chain_schema, err);

    for (int i = 0; i < 4 && status == CF_OK; i++)
        status = cf_yaml_need(node, keys[i].name, &at[i], err);
    if (status == CF_OK)
        status = cf_scene_vector(at[0], "m", 3, chain->joint_m, err);
    if (status == CF_OK)
        status = cf_scene_direction(at[1], chain->down, err);
    if (status == CF_OK)
        status = cf_scene_direction(at[2], chain->side, err);
    if (status)
        return status;
    /* a component along `down` from rounding is removed; more is an error */
    for (int i = 0; i < 3; i++)
        dot += chain->down[i] * chain->side[i];
    if (!(fabs(dot) <= 1e-6))
        return cf_yaml_fail(at[2], err, "side: it must be across down: their product is %.3g", dot);
    for (int i = 0; i < 3; i++)
        chain->side[i] -= dot * chain->down[i];
    for (int i = 0; i < 3; i++)
        norm += chain->side[i] * chain->side[i];
    for (int i = 0; i < 3; i++)
        chain->side[i] /= sqrt(norm);
    return read_links(r, at[3], err);
}
