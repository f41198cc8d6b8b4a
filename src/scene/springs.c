/* Springs of a scene: from a point of a body to one of the world. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "scene/keys.h"
#include "scene/parts.h"

static int read_spring(struct cf_scene_reader *r, const struct cf_yaml *node,
                       struct cf_tether *tether, struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_scene_spring_schema.key;
    const struct cf_yaml *at[6];
    const char *name = NULL;
    int status = cf_schema_check(node, &cf_scene_spring_schema, err);

    for (int i = 0; i < 6 && status == CF_OK; i++) {
        at[i] = cf_yaml_get(node, keys[i].name);
        if (!at[i] && i < 3)
            status = cf_yaml_need(node, keys[i].name, &at[i], err);
    }
    if (status == CF_OK)
        status = cf_scene_find_body(r, at[0], &tether->body, err);
    if (status == CF_OK)
        status = cf_scene_vector(at[1], "m", 3, tether->anchor_m, err);
    if (status == CF_OK)
        status = cf_yaml_positive(at[2], "N/m", &tether->stiffness_N_m, err);
    if (status == CF_OK && at[3])
        status = cf_yaml_quantity(at[3], "N s/m", &tether->damping_N_s_m, err);
    if (status == CF_OK && !(tether->damping_N_s_m >= 0))
        status = cf_yaml_fail(at[3], err, "damping: %s: must be at least 0", at[3]->text);
    if (status == CF_OK && at[4])
        status = cf_scene_vector(at[4], "m", 3, tether->at_m, err);
    if (status == CF_OK && at[5])
        status = cf_yaml_text(at[5], &name, err);
    if (status == CF_OK && at[5])
        return cf_scene_name(at[5], name, &tether->name, err);
    if (status == CF_OK)
        tether->name = strdup(r->scene->body[tether->body].name);
    return status == CF_OK && !tether->name ? cf_fail(err, CF_ENOMEM, "no memory for the springs")
                                            : status;
}

int cf_scene_springs(struct cf_scene_reader *r, const struct cf_yaml *root, struct cf_error *err)
{
    const struct cf_yaml *springs = cf_yaml_get(root, "springs");
    int status = springs ? cf_yaml_list(springs, err) : CF_OK;

    if (status || !springs || springs->n == 0)
        return status;
    r->scene->tether = calloc(springs->n, sizeof *r->scene->tether);
    if (!r->scene->tether)
        return cf_fail(err, CF_ENOMEM, "no memory for the springs");
    for (size_t i = 0; i < springs->n && status == CF_OK; i++)
        status = read_spring(r, &springs->item[i], &r->scene->tether[r->scene->ntether++], err);
    return status;
}
