/* A cube that flies from a start and meets the floor: one run of the motion, its eight corners as
 * points or, where they are rounded, as spheres that its faces touch from inside; by a foundation
 * one contact over its volume. The floor is the plane z = height + slope_x x + slope_y y.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/toss_channels.h"
#include "geometry/vector.h"
#include "motion/motion.h"

/* A run goes on by this factor beyond its last sample, which is then taken whatever rounding makes
 * of the run's end. */
static const double BEYOND = 1 + 1e-6;

enum { CUBE, FLOOR, NBODY };
enum { X, Y, Z };
enum { NCORNER = 8, NAME = 16 };

/* Columns: the law's parameters, the floor's height, its tilt about three axes. */
enum { MOST_WRT = CF_MAX_PARAM + 4 };

struct cf_toss_scene {
    struct cf_scene scene;
    struct cf_rigid body[NBODY];
    struct cf_ball corner[NCORNER];
    struct cf_cell whole; /* for a foundation: against a plane it needs no faces */
    struct cf_solid floor;
    struct cf_contact_pair pair[NCORNER];
    char name[NCORNER][NAME];
    struct cf_motion_channel channel[CF_TOSS_POSE];
    size_t nwrt;
    struct cf_wrt wrt[MOST_WRT];
    const struct cf_toss_run *run;
    size_t nseen; /* samples so far */
};

struct cf_toss_scene *cf_toss_scene_alloc(void)
{
    struct cf_toss_scene *s = calloc(1, sizeof *s);
    struct cf_error why;

    if (!s)
        return NULL;
    s->floor = (struct cf_solid){.shape = cf_shape_find("plane"), .direction = {{0, 0, 1}}};
    s->body[CUBE] = (struct cf_rigid){.name = "cube",
                                      .drive = CF_DRIVE_FREE,
                                      .attitude = {1},
                                      .nball = NCORNER,
                                      .ball = s->corner,
                                      .ncell = 1,
                                      .cell = &s->whole};
    s->body[FLOOR] = (struct cf_rigid){
        .name = "floor", .drive = CF_DRIVE_FIXED, .attitude = {1}, .nsolid = 1, .solid = &s->floor};
    for (size_t i = 0; i < NCORNER; i++)
        snprintf(s->name[i], NAME, "corner %zu", i + 1);
    for (size_t i = 0; i < CF_TOSS_POSE; i++)
        s->channel[i] = i < 3 ? (struct cf_motion_channel){CF_CHANNEL_POSITION, CUBE, i}
                              : (struct cf_motion_channel){CF_CHANNEL_ATTITUDE, CUBE, i - 3};
    s->whole.piece.form = cf_form_find("box");
    for (int k = 0; k < 3; k++)
        s->whole.at.turn[k][k] = 1;
    s->scene = (struct cf_scene){.nbody = NBODY, .body = s->body, .pair = s->pair};
    if (!s->floor.shape || cf_solid_make(&s->floor, &why)) {
        free(s);
        return NULL;
    }
    return s;
}

void cf_toss_scene_free(struct cf_toss_scene *scene)
{
    free(scene);
}

/* ---- laying it out */

static void lay_floor(struct cf_toss_scene *s, const double a[])
{
    double normal[3] = {-a[CF_TOSS_SLOPE_X], -a[CF_TOSS_SLOPE_Y], 1};

    cf_vec_scale(1 / cf_vec_norm(normal), normal, s->floor.direction[0]);
    s->floor.point_m[Z] = a[CF_TOSS_HEIGHT];
    s->floor.size[0] = s->floor.direction[0][Z] * a[CF_TOSS_HEIGHT];
}

static void lay_cube(struct cf_toss_scene *s, const double a[], const struct cf_drive_body *start)
{
    struct cf_rigid *cube = &s->body[CUBE];
    double reach = a[CF_TOSS_HALF_WIDTH] - a[CF_TOSS_CORNER];

    cube->mass_kg = a[CF_TOSS_MASS];
    for (int i = 0; i < 3; i++)
        cube->inertia_kg_m2[i] = a[CF_TOSS_INERTIA];
    memcpy(cube->position_m, start->position_m, sizeof cube->position_m);
    memcpy(cube->attitude, start->attitude, sizeof cube->attitude);
    memcpy(cube->velocity_m_s, start->velocity_m_s, sizeof cube->velocity_m_s);
    memcpy(cube->spin_rad_s, start->spin_rad_s, sizeof cube->spin_rad_s);
    for (int k = 0; k < 3; k++)
        s->whole.piece.size_m[k] = 2 * a[CF_TOSS_HALF_WIDTH];
    s->whole.radius_m = sqrt(3) * a[CF_TOSS_HALF_WIDTH];
    for (size_t i = 0; i < NCORNER; i++) {
        s->corner[i].radius_m = a[CF_TOSS_CORNER];
        for (size_t k = 0; k < 3; k++)
            s->corner[i].centre_m[k] = i >> k & 1 ? reach : -reach;
    }
}

/* ---- which corners may touch */

/* How high a corner's lowest point is over the floor at the start. */
static double gap_of(const struct cf_toss_scene *s, size_t corner)
{
    const struct cf_rigid *cube = &s->body[CUBE];
    const double *n = s->floor.direction[0];
    double r[3];

    cf_toss_turn(cube->attitude, s->corner[corner].centre_m, r);
    cf_vec_add_scaled(r, 1, cube->position_m, r);
    return cf_vec_dot(n, r) - s->floor.size[0] - s->corner[corner].radius_m;
}

/* The way that no corner can go along the normal: with all energy in it that there is, a corner has
 * the speed v of v^2 = 2 E (1/m + r^2/I), and E grows by gravity's work alone on the way. */
static double reach_of(const struct cf_toss_scene *s, const struct cf_law *law, const double p[],
                       const double gap[])
{
    const struct cf_rigid *cube = &s->body[CUBE];
    double m = cube->mass_kg, I = cube->inertia_kg_m2[X], r = 0, energy, T = s->scene.duration_s;
    double fall = -s->scene.gravity_m_s2[Z] * T;

    energy = (m * cf_vec_dot(cube->velocity_m_s, cube->velocity_m_s) +
              I * cf_vec_dot(cube->spin_rad_s, cube->spin_rad_s)) /
             2;
    for (size_t i = 0; i < NCORNER; i++) {
        const struct cf_contact at = {.depth_m = fmax(-gap[i], 0),
                                      .mass_kg = m,
                                      .radius_m = (double) INFINITY,
                                      .state = (double[CF_MAX_STATE]){0}};
        energy += cf_law_normal(law)->energy(cf_law_normal(law), p, &at);
        r = fmax(r, cf_vec_norm(s->corner[i].centre_m) + s->corner[i].radius_m);
    }
    /* sqrt(E) grows by sqrt(m/2) g T at most */
    return (sqrt(2 * energy * (1 / m + r * r / I)) + fall * sqrt(1 + m * r * r / I)) * T;
}

static void lay_volume(struct cf_toss_scene *s, const struct cf_law *law, const double p[])
{
    const struct cf_law *normal = cf_law_normal(law);
    struct cf_contact_pair *pair = &s->pair[0];

    *pair = (struct cf_contact_pair){.name = s->name[0],
                                     .body = {CUBE, FLOOR},
                                     .cell = {1, 0},
                                     .law = normal,
                                     .pressure_power = (double) NAN,
                                     .spin_factor = 1};
    memcpy(pair->p, p, normal->nparam * sizeof *p);
    if (law->friction) {
        pair->friction = law->friction->over_area;
        memcpy(pair->friction_p, p + cf_law_friction_from(law), law->friction->nparam * sizeof *p);
    }
    s->scene.npair = 1;
}

/* The others are left out: they would cost as much as those that do. */
static void lay_pairs(struct cf_toss_scene *s, const struct cf_law *law, const double p[])
{
    const struct cf_law *normal = cf_law_normal(law);
    size_t from = cf_law_friction_from(law);
    double gap[NCORNER], reach;

    for (size_t i = 0; i < NCORNER; i++)
        gap[i] = gap_of(s, i);
    reach = reach_of(s, law, p, gap);
    s->scene.npair = 0;
    for (size_t i = 0; i < NCORNER; i++) {
        struct cf_contact_pair *pair = &s->pair[s->scene.npair];
        /* one at least: the floor is known by its pairs */
        if (gap[i] > reach && (s->scene.npair > 0 || i + 1 < NCORNER))
            continue;
        *pair = (struct cf_contact_pair){.name = s->name[i],
                                         .body = {CUBE, FLOOR},
                                         .ball = i,
                                         .law = normal,
                                         .friction = law->friction};
        memcpy(pair->p, p, normal->nparam * sizeof *p);
        if (law->friction)
            memcpy(pair->friction_p, p + from, law->friction->nparam * sizeof *p);
        s->scene.npair++;
    }
}

/* ---- columns */

/* What a value of the request is made of: its columns' slopes. */
struct parts {
    size_t n, column[3];
    double slope[3];
};

static size_t column_of(struct cf_toss_scene *s, struct cf_wrt wrt)
{
    size_t i = 0;

    while (i < s->nwrt && (s->wrt[i].kind != wrt.kind || s->wrt[i].part != wrt.part))
        i++;
    if (i == s->nwrt)
        s->wrt[s->nwrt++] = wrt;
    return i;
}

/* A slope turns the floor about its point: w = n x dn. */
static void tilt(struct cf_toss_scene *s, const double a[], size_t axis, struct parts *parts)
{
    const double *n = s->floor.direction[0];
    double length =
        sqrt(1 + a[CF_TOSS_SLOPE_X] * a[CF_TOSS_SLOPE_X] + a[CF_TOSS_SLOPE_Y] * a[CF_TOSS_SLOPE_Y]);
    double dn[3] = {0}, w[3];

    dn[axis] = -1 / length;
    cf_vec_cross(n, dn, w);
    for (size_t i = 0; i < 3; i++) {
        parts->column[parts->n] = column_of(s, (struct cf_wrt){CF_WRT_SOLID_TILT, 0, i});
        parts->slope[parts->n++] = w[i];
    }
}

static struct parts parts_of(struct cf_toss_scene *s, size_t value)
{
    const struct cf_law *law = s->run->law;
    const double *a = s->run->value + law->nparam;
    size_t from = cf_law_friction_from(law);
    struct parts parts = {.n = 0};

    if (value < law->nparam) {
        parts.column[parts.n] =
            column_of(s, law->friction && value >= from
                             ? (struct cf_wrt){CF_WRT_FRICTION, CF_WRT_EVERY, value - from}
                             : (struct cf_wrt){CF_WRT_LAW, CF_WRT_EVERY, value});
        parts.slope[parts.n++] = 1;
    } else if (value - law->nparam == CF_TOSS_HEIGHT) {
        parts.column[parts.n] = column_of(s, (struct cf_wrt){CF_WRT_SOLID_PLACE, 0, Z});
        parts.slope[parts.n++] = 1;
    } else if (value - law->nparam == CF_TOSS_SLOPE_X) {
        tilt(s, a, X, &parts);
    } else if (value - law->nparam == CF_TOSS_SLOPE_Y) {
        tilt(s, a, Y, &parts);
    }
    return parts;
}

/* ---- running */

static void on_values(void *observer, const struct cf_values *at)
{
    struct cf_toss_scene *s = observer;
    const struct cf_toss_run *r = s->run;
    size_t first = at->sample * CF_TOSS_POSE;

    s->nseen = at->sample + 1;
    memcpy(r->y + first, at->value, CF_TOSS_POSE * sizeof *r->y);
    if (r->rate)
        memcpy(r->rate + first, at->rate, CF_TOSS_POSE * sizeof *r->rate);
    for (size_t k = 0; r->by_value && k < r->nby; k++) {
        struct parts parts = parts_of(s, r->by[k]);
        for (size_t i = 0; i < CF_TOSS_POSE; i++) {
            double sum = 0;
            for (size_t j = 0; j < parts.n; j++)
                sum += parts.slope[j] * at->by[parts.column[j] * CF_TOSS_POSE + i];
            r->by_value[(first + i) * r->nby + k] = sum;
        }
    }
}

int cf_toss_run(struct cf_toss_scene *s, const struct cf_toss_run *r, struct cf_error *err)
{
    const double *a = r->value + r->law->nparam;
    struct cf_motion_options options = cf_motion_defaults;
    struct cf_motion_result result;
    int status;

    s->run = r;
    s->nwrt = 0;
    s->scene.gravity_m_s2[Z] = -a[CF_TOSS_GRAVITY];
    s->nseen = 0;
    s->scene.duration_s = r->time_s[r->n - 1] * BEYOND;
    lay_floor(s, a);
    lay_cube(s, a, r->start);
    (r->law->family == CF_FAMILY_FOUNDATION ? lay_volume : lay_pairs)(s, r->law, r->value);
    for (size_t k = 0; r->by_value && k < r->nby; k++)
        parts_of(s, r->by[k]);
    options.tolerance = r->tolerance;
    options.max_steps = r->max_steps;
    options.nwrt = s->nwrt;
    options.wrt = s->wrt;
    options.ntime = r->n;
    options.time_s = r->time_s;
    options.nchannel = CF_TOSS_POSE;
    options.channel = s->channel;
    options.on_values = on_values;
    options.observer = s;
    /* of a floor that reaches into the cube at its start the force is the law's, however deep */
    status = cf_motion_run(&s->scene, &options, &result, err);
    if (!status && s->nseen < r->n)
        return cf_fail(err, CF_ESOLVE, "%zu of %zu samples seen", s->nseen, r->n);
    return status;
}
