/* The states of a scene, and their initial values. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"
#include "law/regular.h"
#include "motion/patch.h"

/* Steps are not capped below this part of the whole run. */
static const double FLOOR = 1e-6;

size_t cf_keeper(const struct cf_scene *scene, size_t body)
{
    return scene->body[body].drive == CF_DRIVE_LINK ? scene->chain.link[0].body : body;
}

static size_t take(struct cf_system *system, size_t count)
{
    size_t at = system->n;

    system->n += count;
    return count > 0 ? at : CF_NONE;
}

/* Does a solid change its direction when its body turns? A sphere about the mass centre does
 * not. */
static bool turns_with(const struct cf_solid *solid)
{
    return solid->shape->direction[0] || cf_vec_norm(solid->point_m) > 0;
}

/* What the contacts and springs of a body ask of its states. */
struct use {
    bool oriented; /* it carries something that matters and turns with it */
    bool twisted;  /* a contact can turn it */
    bool guided;   /* a load presses it on another */
};

static void use_pair(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                     struct use use[])
{
    size_t i = pair->body[0], j = pair->body[1];
    bool twists = pair->friction || cf_pair_is_patch(pair);

    use[i].twisted |= twists;
    use[j].twisted |= twists;
    if (!pair->law) {
        use[i].guided = true;
        return;
    }
    use[i].oriented |= pair->cell[0] || cf_vec_norm(scene->body[i].ball[pair->ball].centre_m) > 0;
    use[j].oriented |= pair->cell[1] || turns_with(&scene->body[j].solid[pair->solid]);
}

/* Of all bodies in one pass: there may be as many contacts as pairs of bodies. */
static void find_uses(const struct cf_scene *scene, const struct cf_motion_options *options,
                      struct use use[])
{
    for (size_t m = 0; m < scene->npair; m++)
        use_pair(scene, &scene->pair[m], use);
    for (size_t t = 0; t < scene->ntether; t++)
        use[scene->tether[t].body].oriented |= cf_vec_norm(scene->tether[t].at_m) > 0;
    /* a sphere that is moved off the mass centre goes round it */
    for (size_t i = 0; i < options->nwrt; i++)
        if (options->wrt[i].kind == CF_WRT_SOLID_PLACE)
            use[scene->pair[options->wrt[i].index].body[1]].oriented = true;
}

/* Can anything turn it, or does anything depend on its attitude? Else its spin is constant, and its
 * attitude is known in closed form. */
static bool turns(const struct cf_rigid *body, const struct use *use)
{
    return cf_rigid_turns(body) && (!cf_rigid_round(body) || use->oriented || use->twisted);
}

static void lay_body(struct cf_system *system, size_t index, const struct use *use)
{
    struct cf_state_layout *layout = &system->layout[index];
    const struct cf_rigid *body = &system->scene->body[index];
    enum cf_drive drive = body->drive;

    *layout = (struct cf_state_layout){
        .place = CF_NONE,
        .velocity = CF_NONE,
        .attitude = CF_NONE,
        .spin = CF_NONE,
        .lost = CF_NONE,
        .work = CF_NONE,
        .oriented = use->oriented,
        .pushed = drive == CF_DRIVE_FREE || drive == CF_DRIVE_COMMANDED || drive == CF_DRIVE_LINK,
        .levered = drive == CF_DRIVE_LINK,
        .guided = use->guided};
    if (drive != CF_DRIVE_FREE && drive != CF_DRIVE_COMMANDED)
        return;
    layout->place = take(system, 3);
    layout->velocity = take(system, 3);
    layout->levered = drive == CF_DRIVE_FREE && turns(body, use);
    if (layout->levered) {
        layout->attitude = take(system, 4);
        layout->spin = take(system, 3);
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

/* What touches and what is touched. */
static void lay_parts(struct cf_contact_state *contact, const struct cf_rigid *i,
                      const struct cf_rigid *j)
{
    const struct cf_contact_pair *pair = contact->pair;

    if (pair->cell[0])
        contact->cell[0] = &i->cell[pair->cell[0] - 1];
    else
        contact->ball = &i->ball[pair->ball];
    if (pair->cell[1])
        contact->cell[1] = &j->cell[pair->cell[1] - 1];
    else
        contact->solid = &j->solid[pair->solid];
    contact->lever_m = pair->cell[0] ? contact->cell[0]->radius_m : contact->ball->radius_m;
    if (pair->cell[1] && isinf(contact->lever_m))
        contact->lever_m = contact->cell[1]->radius_m;
}

void cf_contact_lay(struct cf_system *system, struct cf_contact_state *contact)
{
    const struct cf_contact_pair *pair = contact->pair;

    if (pair->law) {
        contact->state = take(system, pair->law->nstate);
        contact->relaxed = take(system, pair->relaxation_s > 0);
    }
    if (pair->friction)
        contact->bristle = take(system, cf_bristle_count(pair->friction));
}

void cf_contact_lay_accounts(struct cf_system *system, struct cf_contact_state *contact)
{
    const struct cf_friction_law *friction = contact->pair->friction;

    contact->stored = take(system, friction && friction->nvector > 0 && !friction->load_free);
    contact->pressed =
        take(system, contact->patch && !cf_patch_has_potential(contact->pair, system->scene));
}

/* Of two bodies the first that can hold energy, else the first that moves. */
static size_t keeper_of(const struct cf_scene *scene, const struct cf_contact_pair *pair)
{
    for (int side = 0; side < 2; side++)
        if (cf_rigid_holds_energy(&scene->body[pair->body[side]]))
            return cf_keeper(scene, pair->body[side]);
    return pair->body[scene->body[pair->body[0]].drive == CF_DRIVE_FIXED];
}

/* Where the force acts: in the middle of the overlap, unless it is known how two bodies share it.
 */
static void lay_share(const struct cf_scene *scene, struct cf_contact_state *contact)
{
    const struct cf_contact_pair *pair = contact->pair;

    if (pair->on_first || !cf_contact_pair_is_curved(scene, pair))
        return;
    contact->share =
        pair->law->share ? pair->law->share(contact->p, contact->share_by) : 0.5 + pair->uneven;
}

static void lay_contact(struct cf_system *system, size_t index)
{
    const struct cf_scene *scene = system->scene;
    const struct cf_contact_pair *pair = &scene->pair[index];
    const struct cf_rigid *i = &scene->body[pair->body[0]], *j = &scene->body[pair->body[1]];
    struct cf_contact_state *contact = &system->contact[index];

    *contact = (struct cf_contact_state){.pair = pair, .q = 1, .keeper = keeper_of(scene, pair)};
    contact->state = contact->bristle = contact->stored = contact->relaxed = CF_NONE;
    contact->pressed = CF_NONE;
    contact->patch = cf_pair_is_patch(pair);
    contact->radius_m = cf_contact_pair_radius(scene, pair);
    if (pair->law) {
        lay_parts(contact, i, j);
        if (cf_pair_by_octree(scene, pair))
            contact->octree = &system->octree;
        memcpy(contact->p, pair->p, sizeof contact->p);
        lay_share(scene, contact);
        contact->whole = !contact->patch && pair->law->damping &&
                         whole_powers(pair->law->n, pair->law->p, &contact->q);
        if (!contact->whole && pair->law->regular)
            contact->q = pair->law->regular->q;
    }
    cf_contact_lay(system, contact);
}

/* What is lost and put in on each body's account. */
static void lay_keepers(struct cf_system *system)
{
    const struct cf_scene *scene = system->scene;
    size_t keepers = 0;

    for (size_t m = 0; m < scene->npair; m++)
        system->layout[system->contact[m].keeper].keeps = true;
    for (size_t t = 0; t < scene->ntether; t++)
        system->layout[cf_keeper(scene, scene->tether[t].body)].keeps = true;
    for (size_t i = 0; i < scene->nforce; i++)
        system->layout[scene->force[i].body].keeps = true;
    for (size_t b = 0; b < scene->nbody; b++)
        keepers += system->layout[b].keeps;
    for (size_t b = 0; b < scene->nbody && keepers > 1; b++) {
        struct cf_state_layout *layout = &system->layout[b];
        layout->lost = take(system, layout->keeps);
        layout->work = take(system, layout->keeps && system->account[CF_ENERGY_WORK] != CF_NONE);
    }
}

/* What the energy balance integrates, and no rate reads. */
static void lay_accounts(struct cf_system *system)
{
    const struct cf_scene *scene = system->scene;
    bool wanted[CF_NENERGY] = {false};

    system->nread = system->n;
    for (size_t m = 0; m < scene->npair; m++)
        cf_contact_lay_accounts(system, &system->contact[m]);

    for (size_t m = 0; m < scene->npair; m++) {
        const struct cf_contact_pair *pair = &scene->pair[m];
        wanted[CF_ENERGY_LOOP] |= system->contact[m].pressed != CF_NONE;
        wanted[CF_ENERGY_NORMAL_DAMPER] |= pair->law != NULL;
        wanted[CF_ENERGY_TANGENTIAL_DAMPER] |= pair->friction && pair->friction->nvector > 0;
        wanted[CF_ENERGY_SLIDE] |= pair->friction != NULL;
        wanted[CF_ENERGY_VISCOUS] |= pair->friction != NULL;
        wanted[CF_ENERGY_ROLLING] |= cf_pair_is_patch(pair);
        wanted[CF_ENERGY_SPINNING] |= pair->friction && pair->friction->patch;
        for (int side = 0; side < 2; side++)
            wanted[CF_ENERGY_WORK] |= cf_rigid_is_driven(&scene->body[pair->body[side]]);
    }
    for (size_t t = 0; t < scene->ntether; t++)
        wanted[CF_ENERGY_TETHER_DAMPER] |= scene->tether[t].damping_N_s_m > 0;
    wanted[CF_ENERGY_WORK] |= scene->nforce > 0;
    for (int e = 0; e < CF_NENERGY; e++)
        system->account[e] = take(system, wanted[e]);
    lay_keepers(system);
}

int cf_system_make(struct cf_system *system, const struct cf_scene *scene,
                   const struct cf_motion_options *options, struct cf_error *err)
{
    struct use *use;

    *system =
        (struct cf_system){.scene = scene, .fresh = CF_NONE, .floor_s = FLOOR * scene->duration_s};
    system->octree = cf_scene_octree(scene);
    system->layout = calloc(scene->nbody + 1, sizeof *system->layout);
    system->reference = calloc(scene->nbody + 1, sizeof *system->reference);
    system->pose = calloc(scene->nbody + 1, sizeof *system->pose);
    system->now_s = calloc(1, sizeof *system->now_s);
    system->contact = calloc(scene->npair + 1, sizeof *system->contact);
    system->kin = calloc(scene->npair + 1, sizeof *system->kin);
    system->why = calloc(1, sizeof *system->why);
    use = calloc(scene->nbody + 1, sizeof *use);
    if (!use || !system->why || !system->layout || !system->now_s || !system->reference ||
        !system->pose || !system->contact || !system->kin) {
        free(use);
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene of %zu bodies", scene->nbody);
    }
    find_uses(scene, options, use);
    for (size_t b = 0; b < scene->nbody; b++)
        lay_body(system, b, &use[b]);
    free(use);
    system->angle = take(system, scene->chain.nlink);
    system->rate = take(system, scene->chain.nlink);
    for (size_t m = 0; m < scene->npair; m++)
        lay_contact(system, m);
    system->y = take(system, 1);
    system->time = take(system, 1);
    lay_accounts(system);
    return CF_OK;
}

void cf_system_free(struct cf_system *system)
{
    free(system->layout);
    free(system->reference);
    free(system->pose);
    free(system->now_s);
    free(system->contact);
    free(system->kin);
    cf_near_free(&system->near);
    free(system->why);
    *system = (struct cf_system){0};
}

static void start_body(struct cf_system *system, size_t index, double state[])
{
    const struct cf_rigid *body = &system->scene->body[index];
    const struct cf_state_layout *layout = &system->layout[index];
    double r[3][3];

    memcpy(system->reference[index], body->position_m, sizeof body->position_m);
    if (layout->velocity != CF_NONE)
        memcpy(state + layout->velocity, body->velocity_m_s, sizeof body->velocity_m_s);
    if (layout->attitude == CF_NONE)
        return;
    memcpy(state + layout->attitude, body->attitude, sizeof body->attitude);
    cf_attitude_matrix(body->attitude, r);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            state[layout->spin + i] += cf_rigid_round(body) ? (i == k) * body->spin_rad_s[k]
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
