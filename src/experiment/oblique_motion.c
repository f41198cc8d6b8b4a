/* An oblique impact as one contact of the motion: a sphere that comes to a plane, until the force
 * ends. Without gravity: the contact lasts too short for it.
 *
 * By the plane's conservation of m v_t R + I w everything follows from v_n' and v_t'.
 */

#include <math.h>
#include <stdlib.h>

#include "experiment/oblique_channels.h"
#include "geometry/shape.h"
#include "motion/motion.h"

/* Of fits. Derivatives are right to some 1e-6 of the largest then (motion.h). */
static const double fit_tolerance = 1e-10;

/* Usual are 20 to 100. A stiff contact (a clutch whose spring relaxes much faster than the contact
 * lasts) takes more in proportion to its stiffness: a fit that strays there must fail early;
 * verification may take longer. */
enum { FIT_STEPS = 1000, CHECK_STEPS = 200000 };

enum { X, Y, Z };
enum { BALL, GROUND, NBODY };

/* Columns: parameters of both laws, the three components that begin it, the inertia aside. */
enum { MOST_WRT = CF_MAX_PARAM + 3 };

struct cf_oblique_scene {
    struct cf_scene scene;
    struct cf_rigid body[NBODY];
    struct cf_ball ball;
    struct cf_solid solid;
    struct cf_contact_pair pair;
    struct cf_wrt wrt[MOST_WRT];
    size_t nwrt;

    /* What was seen when the force ended. */
    bool ended;
    double began_s, duration_s, normal_m_s, along_m_s;
    double by[CF_OBLIQUE_NOUTPUT][MOST_WRT];
};

struct cf_oblique_scene *cf_oblique_scene_alloc(void)
{
    struct cf_oblique_scene *s = calloc(1, sizeof *s);
    struct cf_error why;

    if (!s)
        return NULL;
    s->solid = (struct cf_solid){.shape = cf_shape_find("plane"), .direction = {{0, 0, 1}}};
    s->body[BALL] = (struct cf_rigid){
        .name = "ball", .drive = CF_DRIVE_FREE, .attitude = {1}, .nball = 1, .ball = &s->ball};
    s->body[GROUND] = (struct cf_rigid){.name = "ground",
                                        .drive = CF_DRIVE_FIXED,
                                        .attitude = {1},
                                        .nsolid = 1,
                                        .solid = &s->solid};
    s->pair = (struct cf_contact_pair){.name = "ball-ground", .body = {BALL, GROUND}};
    s->scene = (struct cf_scene){.nbody = NBODY, .body = s->body, .npair = 1, .pair = &s->pair};
    if (!s->solid.shape || cf_solid_make(&s->solid, &why)) {
        free(s);
        return NULL;
    }
    return s;
}

void cf_oblique_scene_free(struct cf_oblique_scene *scene)
{
    free(scene);
}

/* The ball touches at rest of any turn: the slip is all of its velocity along the plane, which
 * conserved moments allow. */
static void lay_out(struct cf_oblique_scene *s, const struct cf_law *law, const double p[],
                    const struct cf_pair *pair, const struct cf_oblique_contact *c)
{
    const struct cf_law *normal = cf_law_normal(law);
    struct cf_rigid *ball = &s->body[BALL];
    double R = pair->radius_m, v_n = c->input[CF_OBLIQUE_BY_NORMAL];

    s->ball.radius_m = R;
    ball->mass_kg = pair->mass_kg;
    for (int i = 0; i < 3; i++)
        ball->inertia_kg_m2[i] = c->input[CF_OBLIQUE_BY_INERTIA] * pair->mass_kg * R * R;
    ball->position_m[Z] = R;
    ball->velocity_m_s[X] = c->input[CF_OBLIQUE_BY_SLIP];
    ball->velocity_m_s[Z] = -v_n;
    s->pair.law = normal;
    s->pair.friction = law->friction;
    for (size_t i = 0; i < normal->nparam; i++)
        s->pair.p[i] = p[i];
    for (size_t i = 0; i < law->friction->nparam; i++)
        s->pair.friction_p[i] = p[normal->nparam + i];
    /* far longer than any contact in which it comes back with a speed that could be seen */
    s->scene.duration_s = 1e3 * R / v_n;
}

/* The columns that are wanted: parameters, then the two velocities. */
static void want(struct cf_oblique_scene *s, const struct cf_law *law,
                 const struct cf_oblique_slopes *slopes)
{
    size_t nnormal = cf_law_normal(law)->nparam;

    s->nwrt = 0;
    for (size_t k = 0; k < slopes->nparam; k++) {
        size_t i = slopes->param[k];
        s->wrt[s->nwrt++] = i < nnormal
                                ? (struct cf_wrt){.kind = CF_WRT_LAW, .part = i}
                                : (struct cf_wrt){.kind = CF_WRT_FRICTION, .part = i - nnormal};
    }
    if (!slopes->by_input)
        return;
    s->wrt[s->nwrt++] = (struct cf_wrt){.kind = CF_WRT_VELOCITY, .index = BALL, .part = Z};
    s->wrt[s->nwrt++] = (struct cf_wrt){.kind = CF_WRT_VELOCITY, .index = BALL, .part = X};
}

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    struct cf_oblique_scene *s = observer;

    (void) index;
    if (what == CF_EVENT_MAKE && !s->ended)
        s->began_s = at->time_s;
    if (what != CF_EVENT_BREAK || s->ended)
        return;
    s->ended = true;
    s->duration_s = at->time_s - s->began_s;
    s->normal_m_s = at->body[BALL].velocity_m_s[Z];
    s->along_m_s = at->body[BALL].velocity_m_s[X];
    for (size_t w = 0; w < s->nwrt; w++) {
        const struct cf_body_state *by = &at->body_by[w * NBODY + BALL];
        s->by[CF_OBLIQUE_OUT_NORMAL][w] = by->velocity_m_s[Z];
        s->by[CF_OBLIQUE_OUT_CHANGE][w] = -by->velocity_m_s[X];
        s->by[CF_OBLIQUE_OUT_DURATION][w] = at->time_by[w];
    }
}

static bool stop(void *observer, double time_s)
{
    const struct cf_oblique_scene *s = observer;

    (void) time_s;
    return s->ended;
}

/* The derivatives that the run has carried. */
static void take(const struct cf_oblique_scene *s, const struct cf_oblique_slopes *slopes,
                 struct cf_oblique_contact *c)
{
    for (size_t o = 0; o < CF_OBLIQUE_NOUTPUT; o++) {
        for (size_t k = 0; k < slopes->nparam; k++)
            c->by_param[o][slopes->param[k]] = s->by[o][k];
        if (!slopes->by_input)
            continue;
        c->by_input[o][CF_OBLIQUE_BY_NORMAL] = -s->by[o][slopes->nparam];
        c->by_input[o][CF_OBLIQUE_BY_SLIP] = s->by[o][slopes->nparam + 1];
    }
    if (slopes->by_input)
        c->by_input[CF_OBLIQUE_OUT_CHANGE][CF_OBLIQUE_BY_SLIP] += 1;
}

/* One run to the end of the contact; what was seen is in *s. */
static int run(struct cf_oblique_scene *s, const struct cf_law *law, double tolerance,
               const struct cf_oblique_contact *c, struct cf_error *err)
{
    struct cf_motion_options options = cf_motion_defaults;
    struct cf_motion_result result;
    struct cf_error why = {""};
    int status = cf_scene_check(&s->scene, NULL, NULL, err);

    if (status)
        return status;
    options.tolerance = tolerance > 0 ? tolerance : fit_tolerance;
    options.max_steps = tolerance > 0 ? CHECK_STEPS : FIT_STEPS;
    options.nwrt = s->nwrt;
    options.wrt = s->wrt;
    options.on_event = on_event;
    options.stop = stop;
    options.observer = s;
    s->ended = false;
    s->began_s = 0;
    status = cf_motion_run(&s->scene, &options, &result, &why);
    if (status != CF_OK && !(status == CF_ECANCELLED && s->ended))
        return cf_fail(err, status, "%s: %s", law->name, why.text);
    if (!s->ended)
        return cf_fail(err, CF_ESOLVE,
                       "%s: at %g m/s along the normal the contact has not ended after %g s",
                       law->name, c->input[CF_OBLIQUE_BY_NORMAL], s->scene.duration_s);
    return CF_OK;
}

/* The scene takes a body's inertia with its mass alone: by it as a difference of two runs, whose
 * error of some 1e-6 is that of the other slopes. */
static int by_inertia(struct cf_oblique_scene *s, const struct cf_law *law, const double p[],
                      const struct cf_pair *pair, struct cf_oblique_contact *c,
                      struct cf_error *err)
{
    static const double STEP = 1e-3;
    struct cf_oblique_contact moved = *c;
    double h = STEP * c->input[CF_OBLIQUE_BY_INERTIA], after[2];
    int status = CF_OK;

    s->nwrt = 0;
    for (int side = 0; side < 2 && !status; side++) {
        moved.input[CF_OBLIQUE_BY_INERTIA] = c->input[CF_OBLIQUE_BY_INERTIA] + (side ? -h : h);
        lay_out(s, law, p, pair, &moved);
        status = run(s, law, 0, &moved, err);
        after[side] = s->along_m_s;
    }
    if (!status)
        c->by_input[CF_OBLIQUE_OUT_CHANGE][CF_OBLIQUE_BY_INERTIA] = (after[1] - after[0]) / (2 * h);
    return status;
}

int cf_oblique_motion(struct cf_oblique_scene *s, const struct cf_law *law, const double p[],
                      const struct cf_pair *pair, double tolerance,
                      const struct cf_oblique_slopes *slopes, struct cf_oblique_contact *c,
                      struct cf_error *err)
{
    int status;

    lay_out(s, law, p, pair, c);
    want(s, law, slopes);
    status = run(s, law, tolerance, c, err);
    if (status)
        return status;
    c->value[CF_OBLIQUE_OUT_NORMAL] = s->normal_m_s;
    c->value[CF_OBLIQUE_OUT_CHANGE] = c->input[CF_OBLIQUE_BY_SLIP] - s->along_m_s;
    c->value[CF_OBLIQUE_OUT_DURATION] = s->duration_s;
    take(s, slopes, c);
    return slopes->by_inertia ? by_inertia(s, law, p, pair, c, err) : CF_OK;
}
