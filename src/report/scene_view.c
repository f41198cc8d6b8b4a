#include "report/scene_view.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"
#include "report/range.h"

/* Parts of the largest extent: motion that is less out of a plane stays in it; one that rises by
 * less is level. Turns by less [rad] about level axes are none. */
static const double in_plane = 0.05, level = 0.1, turned = 0.05;

/* The view from aside [rad]. */
static const double aside = 0.5, above = 0.42, above_level = 0.9;

struct extent {
    struct cf_range along[3]; /* the axes of the frame */
};

static double width(const struct cf_range *range)
{
    return range->high > range->low ? range->high - range->low : 0;
}

static bool moves(const struct cf_rigid *body)
{
    return body->drive != CF_DRIVE_FIXED;
}

/* Against gravity, and two level axes, near those of the world. */
static void find_upright(const double gravity[3], double frame[3][3])
{
    double g = cf_vec_norm(gravity), along = 0;
    int axis = 0;

    for (int i = 0; i < 3; i++)
        frame[2][i] = g > 0 ? -gravity[i] / g : i == 2;
    axis = fabs(frame[2][0]) > 0.9;
    for (int i = 0; i < 3; i++)
        frame[0][i] = i == axis;
    along = cf_vec_dot(frame[0], frame[2]);
    cf_vec_add_scaled(frame[0], -along, frame[2], frame[0]);
    cf_vec_scale(1 / cf_vec_norm(frame[0]), frame[0], frame[0]);
    cf_vec_cross(frame[2], frame[0], frame[1]);
}

/* Turn the level axes so that the first runs along most of the motion: the principal axis of the
 * moving bodies' places about their means. Motion along one of the axes leaves them alone. */
static void turn_level(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                       double frame[3][3])
{
    double xx = 0, xy = 0, yy = 0;

    for (size_t b = 0; b < scene->nbody; b++) {
        double mean[2] = {0, 0};
        for (size_t pass = 0; pass < 2 && moves(&scene->body[b]); pass++)
            for (size_t i = 0; i < figure->n; i++) {
                const double *at = figure->pose[i * scene->nbody + b].position_m;
                double x = cf_vec_dot(frame[0], at) - mean[0];
                double y = cf_vec_dot(frame[1], at) - mean[1];
                if (pass == 0) { /* running means */
                    mean[0] += x / (double) (i + 1);
                    mean[1] += y / (double) (i + 1);
                } else {
                    xx += x * x;
                    xy += x * y;
                    yy += y * y;
                }
            }
    }
    double angle = 0.5 * atan2(2 * xy, xx - yy), c = cos(angle), s = sin(angle), old[3];
    if (!(xx + yy > 0))
        return;
    memcpy(old, frame[0], sizeof old);
    for (int i = 0; i < 3; i++) {
        frame[0][i] = c * old[i] + s * frame[1][i];
        frame[1][i] = c * frame[1][i] - s * old[i];
    }
}

/* The picture's right side is that to which an axis of the world points. */
static void face_right(double frame[3][3])
{
    int most = 0;

    for (int i = 1; i < 3; i++)
        most = fabs(frame[0][i]) > fabs(frame[0][most]) + 1e-9 ? i : most;
    if (frame[0][most] < 0)
        for (int k = 0; k < 2; k++)
            cf_vec_scale(-1, frame[k], frame[k]);
}

static void find_extent(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                        double frame[3][3], struct extent *extent, double *size)
{
    for (int k = 0; k < 3; k++)
        extent->along[k] = (struct cf_range) CF_RANGE_EMPTY;
    *size = 0;
    for (size_t b = 0; b < scene->nbody; b++) {
        struct extent own;
        for (int k = 0; k < 3; k++)
            own.along[k] = (struct cf_range) CF_RANGE_EMPTY;
        for (size_t i = 0; i < figure->n && moves(&scene->body[b]); i++)
            for (int k = 0; k < 3; k++) {
                double at = cf_vec_dot(frame[k], figure->pose[i * scene->nbody + b].position_m);
                cf_range_include(&extent->along[k], at);
                cf_range_include(&own.along[k], at);
            }
        /* of its own motion: bodies beside each other may all move in planes of the picture */
        for (int k = 0; k < 3; k++)
            *size = k == 1 ? *size : fmax(*size, width(&own.along[k]));
        for (size_t j = 0; j < scene->body[b].nball; j++)
            *size = fmax(*size, scene->body[b].ball[j].radius_m);
    }
}

/* Does a body that is no sphere turn about a level axis of the picture? */
static bool tumbles(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                    const double across[3])
{
    for (size_t b = 0; b < scene->nbody; b++) {
        const struct cf_rigid *body = &scene->body[b];
        bool round = body->nball == 1 && body->ncell == 0;
        double first[3][3], r[3][3], own[3], now[3];
        if (round || !moves(body) || figure->n == 0)
            continue;
        cf_attitude_matrix(figure->pose[b].attitude, first);
        for (int k = 0; k < 3; k++) /* the axis, in the body at first */
            own[k] = first[0][k] * across[0] + first[1][k] * across[1] + first[2][k] * across[2];
        for (size_t i = 0; i < figure->n; i++) {
            cf_attitude_matrix(figure->pose[i * scene->nbody + b].attitude, r);
            cf_vec_turn(r, own, now);
            if (!(cf_vec_dot(now, across) > cos(turned)))
                return true;
        }
    }
    return false;
}

/* The picture's axes, for an eye in this direction. */
static void look_from(const double towards[3], struct cf_scene_view *view)
{
    memcpy(view->towards, towards, sizeof view->towards);
    cf_vec_cross(view->frame[2], towards, view->right);
    double level_part = cf_vec_norm(view->right);
    if (level_part > 1e-6)
        cf_vec_scale(1 / level_part, view->right, view->right);
    else /* straight from above or below */
        memcpy(view->right, view->frame[0], sizeof view->right);
    cf_vec_cross(view->towards, view->right, view->up);
}

void cf_scene_view_find(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                        struct cf_scene_view *view)
{
    struct extent extent;
    double size, eye[3];

    find_upright(scene->gravity_m_s2, view->frame);
    turn_level(scene, figure, view->frame);
    face_right(view->frame);
    find_extent(scene, figure, view->frame, &extent, &size);
    double largest = fmax(size, fmax(width(&extent.along[0]), width(&extent.along[2])));
    cf_vec_scale(-1, view->frame[1], eye);
    if (cf_vec_norm(figure->from) > 0) {
        memcpy(eye, figure->from, sizeof eye);
        view->flat = true;
    } else {
        view->flat = width(&extent.along[1]) <= in_plane * largest && !tumbles(scene, figure, eye);
    }
    if (!view->flat) {
        double lift =
            width(&extent.along[2]) < level * width(&extent.along[0]) ? above_level : above;
        for (int i = 0; i < 3; i++)
            eye[i] = cos(lift) * (cos(aside) * eye[i] + sin(aside) * view->frame[0][i]) +
                     sin(lift) * view->frame[2][i];
    }
    look_from(eye, view);
    view->flat = view->flat && fabs(cf_vec_dot(view->towards, view->frame[2])) < 1e-6;
    view->depth_m = 0;
    for (size_t b = 0; b < scene->nbody; b++)
        if (moves(&scene->body[b]) && figure->n > 0)
            view->depth_m = cf_vec_dot(view->towards, figure->pose[b].position_m);
}

void cf_scene_place_of(const struct cf_scene_pose *pose, const double of_body_m[3],
                       double world_m[3])
{
    double r[3][3];

    cf_attitude_matrix(pose->attitude, r);
    for (int i = 0; i < 3; i++)
        world_m[i] = pose->position_m[i] + cf_vec_dot(r[i], of_body_m);
}
