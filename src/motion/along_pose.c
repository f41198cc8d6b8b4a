/* Poses along a column. */

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "geometry/vector.h"
#include "motion/along.h"
#include "motion/frame.h"
#include "motion/recorded.h"

void cf_turned_along(const struct cf_pose_by *by, const double a[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = by->turned ? cf_vec_dot(by->r[i], a) : 0;
}

void cf_into_body_along(const struct cf_pose *pose, const struct cf_pose_by *by, const double a[3],
                        const double da[3], double out[3])
{
    cf_into_body(pose, da, out);
    for (int i = 0; i < 3 && by->turned; i++)
        out[i] += by->r[0][i] * a[0] + by->r[1][i] * a[1] + by->r[2][i] * a[2];
}

void cf_out_of_body_along(const struct cf_pose *pose, const struct cf_pose_by *by,
                          const double a[3], const double da[3], double out[3])
{
    double turned[3];

    cf_out_of_body(pose, da, out);
    cf_turned_along(by, a, turned);
    cf_vec_add_scaled(out, 1, turned, out);
}

/* dR = w x R */
static void turn_by(const struct cf_pose *pose, const double w[3], struct cf_pose_by *by)
{
    for (int j = 0; j < 3; j++) {
        double column[3], turned[3];
        for (int i = 0; i < 3; i++)
            column[i] = pose->turned ? pose->r[i][j] : i == j;
        cf_vec_cross(w, column, turned);
        for (int i = 0; i < 3; i++)
            by->r[i][j] = turned[i];
    }
    by->turned = true;
}

void cf_pose_spun(const struct cf_pose *pose, const struct cf_pose_by *by, double w[3])
{
    double skew[3][3] = {{0}};

    memset(w, 0, 3 * sizeof *w);
    if (!by->turned)
        return;
    for (int i = 0; i < 3; i++) /* dR R^T */
        for (int k = 0; k < 3; k++)
            skew[i][k] = pose->turned ? cf_vec_dot(by->r[i], pose->r[k]) : by->r[i][k];
    w[0] = 0.5 * (skew[2][1] - skew[1][2]);
    w[1] = 0.5 * (skew[0][2] - skew[2][0]);
    w[2] = 0.5 * (skew[1][0] - skew[0][1]);
}

/* A body whose spin is constant: as time goes on, by its spin, and by its attitude at the start. */
static void spun(const struct cf_along *along, size_t index, struct cf_pose_by *by)
{
    const struct cf_rigid *body = &along->system->scene->body[index];
    double w[3], angle[3], more[3] = {0}, turned[3];

    memcpy(w, body->spin_rad_s, sizeof w);
    cf_vec_scale(along->time_s, w, angle);
    cf_vec_scale(along->time, w, w);
    if (cf_along_is(along, CF_WRT_SPIN, index)) {
        by->w[along->wrt->part] = 1;
        more[along->wrt->part] = along->time_s;
        cf_attitude_grown(angle, more, turned);
        cf_vec_add_scaled(w, 1, turned, w);
    }
    if (cf_along_is(along, CF_WRT_TILT, index)) { /* turned on with the spin */
        double size = cf_vec_norm(angle), once[3], twice[3];
        more[along->wrt->part] = 1;
        cf_vec_add_scaled(w, 1, more, w);
        if (size > 0) {
            cf_vec_scale(1 / size, angle, angle);
            cf_vec_cross(angle, more, once);
            cf_vec_cross(angle, once, twice);
            cf_vec_add_scaled(w, sin(size), once, w);
            cf_vec_add_scaled(w, 1 - cos(size), twice, w);
        }
    }
    if (cf_vec_dot(w, w) > 0)
        turn_by(&along->system->pose[index], w, by);
}

/* With the matrix of cf_attitude_matrix(), homogeneous in q. */
static void turning(const struct cf_along *along, size_t index, struct cf_pose_by *by)
{
    const struct cf_state_layout *layout = &along->system->layout[index];
    const struct cf_pose *pose = &along->system->pose[index];
    const double *q = along->state + layout->attitude, *dq = along->s + layout->attitude;
    const double *spin = along->state + layout->spin, *dspin = along->s + layout->spin;
    double per = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), w[3];

    /* w of dq = (1/2) w q, in the world: 2 dq conj(q)/|q|^2 */
    w[0] = per * (-dq[0] * q[1] + dq[1] * q[0] - dq[2] * q[3] + dq[3] * q[2]);
    w[1] = per * (-dq[0] * q[2] + dq[2] * q[0] - dq[3] * q[1] + dq[1] * q[3]);
    w[2] = per * (-dq[0] * q[3] + dq[3] * q[0] - dq[1] * q[2] + dq[2] * q[1]);
    if (pose->turned)
        turn_by(pose, w, by);
    if (cf_rigid_round(&along->system->scene->body[index])) {
        memcpy(by->w, dspin, sizeof by->w);
        return;
    }
    cf_out_of_body_along(pose, by, spin, dspin, by->w);
}

static void place(const struct cf_along *along, size_t index, struct cf_pose_by *by)
{
    const struct cf_rigid *body = &along->system->scene->body[index];
    const struct cf_state_layout *layout = &along->system->layout[index];

    /* the matrix only where it turns: this is the inmost loop */
    memset(by, 0, offsetof(struct cf_pose_by, r));
    by->turned = false;
    if (layout->place != CF_NONE) {
        memcpy(by->x, along->s + layout->place, sizeof by->x);
        memcpy(by->v, along->s + layout->velocity, sizeof by->v);
    } else if (body->drive == CF_DRIVE_RECORDED) {
        double later = along->time - (cf_along_is(along, CF_WRT_DELAY, index) ? 1 : 0), bend[3];
        cf_trace_bend(body->trace, along->time_s - body->delay_s, bend);
        cf_vec_scale(later, along->system->pose[index].v, by->x);
        cf_vec_scale(later, bend, by->v);
    } else {
        if (body->drive == CF_DRIVE_STEADY)
            cf_vec_scale(along->time, body->velocity_m_s, by->x);
        if (cf_along_is(along, CF_WRT_POSITION, index))
            by->x[along->wrt->part] += 1;
        if (cf_along_is(along, CF_WRT_VELOCITY, index)) {
            by->x[along->wrt->part] += along->time_s;
            by->v[along->wrt->part] = 1;
        }
    }
    if (layout->attitude != CF_NONE)
        turning(along, index, by);
    else
        spun(along, index, by);
}

void cf_poses_along(const struct cf_along *along)
{
    const struct cf_scene *scene = along->system->scene;

    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive != CF_DRIVE_LINK)
            place(along, b, &along->pose[b]);
    if (scene->chain.nlink > 0)
        cf_chain_poses_along(along);
}
