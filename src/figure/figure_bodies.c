/* The bodies of a scene to scale, at some of its times: the keys of such a figure, and the one that
 * a scene has without asking. */

#include <stdlib.h>
#include <string.h>

#include "figure/figure_parts.h"
#include "scene/parts.h"

static const char bodies_name[] = "bodies";

/* Has it an extent, that may be drawn? */
static bool is_seen(const struct cf_rigid *body)
{
    bool seen = body->drive == CF_DRIVE_LINK || body->ncell > 0 || body->nball > 2;

    for (size_t i = 0; i < body->nball; i++)
        seen = seen || body->ball[i].radius_m > 0;
    return seen && body->drive != CF_DRIVE_FIXED;
}

static int read_times(const struct cf_yaml *list, struct cf_scene_figure *figure,
                      struct cf_error *err)
{
    int status = cf_yaml_list(list, err);

    if (status == CF_OK && list->n == 0)
        return cf_yaml_fail(list, err, "times: none: one or more are wanted");
    if (status)
        return status;
    figure->time_s = calloc(list->n, sizeof *figure->time_s);
    if (!figure->time_s)
        return cf_fail(err, CF_ENOMEM, "no memory for the times of a figure");
    for (; figure->ntime < list->n; figure->ntime++) {
        const struct cf_yaml *at = &list->item[figure->ntime];
        double *time = &figure->time_s[figure->ntime];
        status = cf_yaml_quantity(at, "s", time, err);
        if (status)
            return status;
        if (!(*time >= figure->from_s && *time <= figure->to_s))
            return cf_yaml_fail(at, err, "times: %s: the figure shows %.10g s to %.10g s", at->text,
                                figure->from_s, figure->to_s);
        if (figure->ntime > 0 && !(*time > time[-1]))
            return cf_yaml_fail(at, err, "times: %s: must be later than the one before it",
                                at->text);
    }
    return CF_OK;
}

int cf_scene_bodies_read(const struct cf_yaml *node, struct cf_scene_figure *figure,
                         struct cf_error *err)
{
    const struct cf_yaml *from = cf_yaml_get(node, "from"), *times = cf_yaml_get(node, "times");
    int status = from ? cf_scene_direction(from, figure->from, err) : CF_OK;

    if (status)
        return status;
    return times ? read_times(times, figure, err) : CF_OK;
}

bool cf_scene_bodies_default(struct cf_scene_figures *figures)
{
    const struct cf_scene *scene = &figures->file->scene;
    struct cf_scene_figure *first = figures->figure;
    bool seen = false;

    for (size_t b = 0; b < scene->nbody; b++)
        seen = seen || is_seen(&scene->body[b]);
    for (size_t i = 0; i < figures->n; i++)
        seen = seen && first[i].kind != CF_SCENE_BODIES && strcmp(first[i].name, bodies_name) != 0;
    if (!seen || !(scene->duration_s > 0))
        return false;
    memmove(first + 1, first, figures->n * sizeof *first);
    figures->n++;
    *first = (struct cf_scene_figure){
        .name = bodies_name,
        .what = "The bodies to scale: thin at earlier times, thick at the last one",
        .kind = CF_SCENE_BODIES,
        .to_s = scene->duration_s};
    return true;
}
