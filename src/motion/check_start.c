/* Where points of bodies are at the start. */

#include <math.h>

#include "motion/check.h"
#include "motion/recorded.h"

/* v of the body, in the world. */
static void turned(const double q[4], const double v[3], double out[3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double t[3] = {2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])};

    out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
    out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
    out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

/* A point of a link in the world, at the start: along it x, across it y. */
static void link_point(const struct cf_scene *scene, size_t link, const double at[3], double out[3])
{
    const struct cf_chain *chain = &scene->chain;
    double angle = 0, joint[3];

    for (int i = 0; i < 3; i++)
        joint[i] = chain->joint_m[i];
    for (size_t l = 0;; l++) {
        const double *down = chain->down, *side = chain->side;
        angle += chain->link[l].angle_rad;
        double normal[3] = {down[1] * side[2] - down[2] * side[1],
                            down[2] * side[0] - down[0] * side[2],
                            down[0] * side[1] - down[1] * side[0]};
        double along = l == link ? chain->link[l].centre_m + at[0] : chain->link[l].length_m;
        double across = l == link ? at[1] : 0, beside = l == link ? at[2] : 0;
        for (int i = 0; i < 3; i++)
            out[i] = joint[i] + along * (cos(angle) * down[i] + sin(angle) * side[i]) +
                     across * (cos(angle) * side[i] - sin(angle) * down[i]) + beside * normal[i];
        if (l == link)
            return;
        for (int i = 0; i < 3; i++)
            joint[i] = out[i];
    }
}

/* A point of a body in the world, at the start. */
void cf_start_point(const struct cf_scene *scene, size_t index, const double at[3], double out[3])
{
    const struct cf_rigid *body = &scene->body[index];
    double origin[3], still[3];

    for (size_t l = 0; l < scene->chain.nlink; l++)
        if (scene->chain.link[l].body == index) {
            link_point(scene, l, at, out);
            return;
        }
    for (int i = 0; i < 3; i++)
        origin[i] = body->position_m[i];
    if (body->drive == CF_DRIVE_RECORDED)
        cf_trace_at(body->trace, -body->delay_s, origin, still);
    turned(body->attitude, at, out);
    for (int i = 0; i < 3; i++)
        out[i] += origin[i];
}

/* A point of the world in the frame of a body, which is no link. */
void cf_start_inside(const struct cf_scene *scene, size_t index, const double at[3], double out[3])
{
    static const double zero[3] = {0, 0, 0};
    const double *q = scene->body[index].attitude;
    double back[4] = {q[0], -q[1], -q[2], -q[3]}, origin[3], away[3];

    cf_start_point(scene, index, zero, origin);
    for (int i = 0; i < 3; i++)
        away[i] = at[i] - origin[i];
    turned(back, away, out);
}
