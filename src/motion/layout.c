/* Which states a scene has, and what they are at the start. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "law/regular.h"
#include "motion/system.h"

/* Steps are not capped below this part of the whole run. */
static const double FLOOR = 1e-6;

static size_t take(struct cf_system *system, size_t count)
{
    size_t at = system->n;

    system->n += count;
    return count > 0 ? at : CF_NONE;
}

/* Does a solid look another way when its body turns? A sphere about the mass centre does not. */
static bool turns_with(const struct cf_solid *solid)
{
    return solid->shape->direction[0] || cf_vec_norm(solid->point_m) > 0;
}

/* Does it carry anything that matters and turns with it? */
static bool oriented(const struct cf_scene *scene, size_t index)
{
    const struct cf_rigid *body = &scene->body[index];

    for (size_t m = 0; m < scene->nmeeting; m++) {
        const struct cf_meeting *meeting = &scene->meeting[m];
        if (!meeting->law)
            continue;
        if (meeting->body[0] == index && cf_vec_norm(body->ball[meeting->ball].centre_m) > 0)
            return true;
        if (meeting->body[1] == index && turns_with(&body->solid[meeting->solid]))
            return true;
    }
    for (size_t t = 0; t < scene->ntether; t++)
        if (scene->tether[t].body == index && cf_vec_norm(scene->tether[t].at_m) > 0)
            return true;
    return false;
}

/* Can anything turn it, or does anything depend on how it is turned? Else its spin stays, and its
 * attitude is known in closed form. */
static bool turns(const struct cf_scene *scene, size_t index)
{
    const struct cf_rigid *body = &scene->body[index];

    if (!cf_rigid_turns(body))
        return false;
    if (!cf_rigid_round(body) || oriented(scene, index))
        return true;
    for (size_t m = 0; m < scene->nmeeting; m++) {
        const struct cf_meeting *meeting = &scene->meeting[m];
        if (meeting->friction && (meeting->body[0] == index || meeting->body[1] == index))
            return true;
    }
    return false;
}

static bool guided(const struct cf_scene *scene, size_t index)
{
    for (size_t m = 0; m < scene->nmeeting; m++)
        if (!scene->meeting[m].law && scene->meeting[m].body[0] == index)
            return true;
    return false;
}

static void lay_body(struct cf_system *system, size_t index)
{
    struct cf_seat *seat = &system->seat[index];
    enum cf_drive drive = system->scene->body[index].drive;

    *seat =
        (struct cf_seat){.place = CF_NONE,
                         .velocity = CF_NONE,
                         .attitude = CF_NONE,
                         .spin = CF_NONE,
                         .oriented = oriented(system->scene, index),
                         .pushed = drive == CF_FREE || drive == CF_COMMANDED || drive == CF_LINK,
                         .levered = drive == CF_LINK,
                         .guided = guided(system->scene, index)};
    if (drive != CF_FREE && drive != CF_COMMANDED)
        return;
    seat->place = take(system, 3);
    seat->velocity = take(system, 3);
    seat->levered = drive == CF_FREE && turns(system->scene, index);
    if (seat->levered) {
        seat->attitude = take(system, 4);
        seat->spin = take(system, 3);
    }
}

/* With z = y^q both q (p + 1) - 1 and q (n - p) must be whole for smooth rates. */
static bool whole_powers(double n, double p, int *q)
{
    static const int tried[] = {1, 2, 4};

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        double a = tried[i] * (p + 1) - 1, b = tried[i] * (n - p);
        if (a == floor(a) && a >= 0 && b == floor(b) && b >= 0) {
            *q = tried[i];
            return true;
        }
    }
    return false;
}

static void lay_bond(struct cf_system *system, size_t index)
{
    const struct cf_scene *scene = system->scene;
    const struct cf_meeting *meeting = &scene->meeting[index];
    const struct cf_friction_law *friction = meeting->friction;
    const struct cf_rigid *i = &scene->body[meeting->body[0]], *j = &scene->body[meeting->body[1]];
    struct cf_bond *bond = &system->bond[index];

    *bond = (struct cf_bond){.meeting = meeting, .q = 1};
    bond->state = bond->bristle = bond->stored = bond->relaxed = CF_NONE;
    bond->radius_m = cf_meeting_radius(scene, meeting);
    if (meeting->law) {
        bond->ball = &i->ball[meeting->ball];
        bond->solid = &j->solid[meeting->solid];
        memcpy(bond->p, meeting->p, sizeof bond->p);
        bond->whole =
            meeting->law->damping && whole_powers(meeting->law->n, meeting->law->p, &bond->q);
        if (!bond->whole && meeting->law->regular)
            bond->q = meeting->law->regular->q;
        bond->state = take(system, meeting->law->nstate);
        bond->relaxed = take(system, meeting->relaxation_s > 0);
    }
    if (!friction)
        return;
    /* a deformation in space, and what follows it in the law's states */
    bond->bristle = take(system, friction->nstate > 0 ? friction->nstate + 1 : 0);
}

/* What the books integrate, and no rate reads. */
static void lay_accounts(struct cf_system *system)
{
    const struct cf_scene *scene = system->scene;
    bool wanted[CF_NENERGY] = {false};

    system->nread = system->n;
    for (size_t m = 0; m < scene->nmeeting; m++) {
        const struct cf_friction_law *friction = scene->meeting[m].friction;
        system->bond[m].stored =
            take(system, friction && friction->nstate > 0 && !friction->load_free);
    }

    for (size_t m = 0; m < scene->nmeeting; m++) {
        const struct cf_meeting *meeting = &scene->meeting[m];
        wanted[CF_E_NORMAL_DAMPER] |= meeting->law != NULL;
        wanted[CF_E_TANGENTIAL_DAMPER] |= meeting->friction && meeting->friction->nstate > 0;
        wanted[CF_E_SLIDE] |= meeting->friction != NULL;
        wanted[CF_E_VISCOUS] |= meeting->friction != NULL;
        for (int side = 0; side < 2; side++) {
            enum cf_drive drive = scene->body[meeting->body[side]].drive;
            wanted[CF_E_WORK] |= drive != CF_FREE && drive != CF_FIXED && drive != CF_LINK;
        }
    }
    for (size_t t = 0; t < scene->ntether; t++)
        wanted[CF_E_TETHER_DAMPER] |= scene->tether[t].damping_N_s_m > 0;
    for (int e = 0; e < CF_NENERGY; e++)
        system->account[e] = take(system, wanted[e]);
}

int cf_system_make(struct cf_system *system, const struct cf_scene *scene, struct cf_error *err)
{
    *system =
        (struct cf_system){.scene = scene, .fresh = CF_NONE, .floor_s = FLOOR * scene->duration_s};
    system->seat = calloc(scene->nbody + 1, sizeof *system->seat);
    system->reference = calloc(scene->nbody + 1, sizeof *system->reference);
    system->pose = calloc(scene->nbody + 1, sizeof *system->pose);
    system->bond = calloc(scene->nmeeting + 1, sizeof *system->bond);
    if (!system->seat || !system->reference || !system->pose || !system->bond)
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu bodies", scene->nbody);
    for (size_t b = 0; b < scene->nbody; b++)
        lay_body(system, b);
    system->angle = take(system, scene->chain.nlink);
    system->rate = take(system, scene->chain.nlink);
    for (size_t m = 0; m < scene->nmeeting; m++)
        lay_bond(system, m);
    system->y = take(system, 1);
    system->time = take(system, 1);
    lay_accounts(system);
    return CF_OK;
}

void cf_system_free(struct cf_system *system)
{
    free(system->seat);
    free(system->reference);
    free(system->pose);
    free(system->bond);
    *system = (struct cf_system){0};
}

static void start_body(struct cf_system *system, size_t index, double state[])
{
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_seat *seat = &system->seat[index];
    double r[3][3];

    memcpy(system->reference[index], body->position_m, sizeof body->position_m);
    if (seat->velocity != CF_NONE)
        memcpy(state + seat->velocity, body->velocity_m_s, sizeof body->velocity_m_s);
    if (seat->attitude == CF_NONE)
        return;
    memcpy(state + seat->attitude, body->attitude, sizeof body->attitude);
    cf_attitude_matrix(body->attitude, r);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            state[seat->spin + i] += cf_rigid_round(body) ? (i == k) * body->spin_rad_s[k]
                                                          : r[k][i] * body->spin_rad_s[k];
}

void cf_system_start(struct cf_system *system, double state[])
{
    const struct cf_chain *chain = &system->scene->chain;
    double angle = 0, rate = 0;

    memset(state, 0, system->n * sizeof *state);
    for (size_t b = 0; b < system->scene->nbody; b++)
        start_body(system, b, state);
    for (size_t i = 0; i < chain->nlink; i++) {
        state[system->angle + i] = angle += chain->link[i].angle_rad;
        state[system->rate + i] = rate += chain->link[i].rate_rad_s;
    }
}
