#include "motion/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

const char *const cf_happening_names[CF_NHAPPENING] = {
    [CF_MAKE] = "make", [CF_BREAK] = "break", [CF_STICK] = "stick",
    [CF_SLIP] = "slip", [CF_APEX] = "apex",   [CF_REST] = "rest",
};

int cf_watch_make(struct cf_watch *watch, const struct cf_system *system,
                  const struct cf_motion_options *options, struct cf_motion_result *result,
                  struct cf_error *err)
{
    *watch = (struct cf_watch){.system = system, .options = options, .result = result};
    watch->body = calloc(system->scene->nbody + 1, sizeof *watch->body);
    watch->meeting = calloc(system->scene->nmeeting + 1, sizeof *watch->meeting);
    if (!watch->body || !watch->meeting)
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene's snapshot");
    return CF_OK;
}

void cf_watch_free(struct cf_watch *watch)
{
    free(watch->body);
    free(watch->meeting);
}

static void body_state(const struct cf_system *system, size_t index, double time_s,
                       const double state[], struct cf_body_state *out)
{
    const struct cf_rigid *body = &system->scene->body[index];
    struct cf_pose *pose = &system->pose[index];
    size_t attitude = system->seat[index].attitude;

    memcpy(out->position_m, pose->x, sizeof out->position_m);
    memcpy(out->velocity_m_s, pose->v, sizeof out->velocity_m_s);
    memcpy(out->spin_rad_s, pose->w, sizeof out->spin_rad_s);
    if (body->drive == CF_LINK)
        cf_attitude_of_matrix(pose->r, out->attitude);
    else if (attitude != CF_NONE)
        memcpy(out->attitude, state + attitude, sizeof out->attitude);
    else
        cf_attitude_spun(body->attitude, body->spin_rad_s, time_s, out->attitude);
}

/* The surface goes with the body, and alone after the contact. */
static double surface(const struct cf_bond *bond, double depth, double time_s)
{
    double down = 0, rate;

    if (!bond->meeting->law || !bond->meeting->law->recovery)
        return (double) NAN;
    if (bond->mode == CF_CLAMPED)
        bond->meeting->law->recovery(bond->p, bond->left_m, time_s - bond->left_s, &down, &rate);
    return bond->mode == CF_TOUCHING ? depth : down;
}

static void meeting_state(const struct cf_system *system, const struct cf_bond *bond, double time_s,
                          const double state[], struct cf_meeting_state *out)
{
    struct cf_grip grip;

    cf_bond_meet(system, bond, state, &grip);
    *out = (struct cf_meeting_state){.touching = bond->mode == CF_TOUCHING, .dwell = NAN};
    if (out->touching)
        cf_bond_press(system, bond, state, &grip);
    out->depth_m = grip.depth;
    out->surface_m = surface(bond, grip.depth, time_s);
    out->rate_m_s = grip.rate;
    out->normal_N = out->touching ? fmax(grip.normal_N, 0) : 0;
    memcpy(out->normal, grip.n, sizeof out->normal);
    memcpy(out->slip_m_s, grip.slip, sizeof out->slip_m_s);
    for (int k = 0; k < 3 && out->touching && bond->meeting->friction; k++)
        out->friction_N[k] =
            grip.friction[0] * grip.tangent[0][k] + grip.friction[1] * grip.tangent[1][k];
    if (bond->bristle == CF_NONE)
        return;
    memcpy(out->bristle_m, state + bond->bristle, sizeof out->bristle_m);
    if (bond->meeting->friction->nstate > 2)
        out->dwell = state[bond->bristle + 3];
}

static void check_books(struct cf_watch *watch, const double energy_J[CF_NENERGY])
{
    struct cf_motion_result *result = watch->result;
    double moved = 0, off = fabs(cf_energy_sum(energy_J) - watch->sum_J);

    for (int e = 0; e < CF_NENERGY; e++)
        moved += fabs(energy_J[e] - watch->start_J[e]);
    result->moved_J = fmax(result->moved_J, moved);
    if (!(off <= result->residual_J))
        result->residual_J = off;
    memcpy(result->energy_J, energy_J, sizeof result->energy_J);
}

void cf_watch_books(struct cf_watch *watch, double time_s, const double state[])
{
    double energy_J[CF_NENERGY];

    cf_system_poses(watch->system, time_s, state);
    cf_system_energies(watch->system, state, energy_J);
    check_books(watch, energy_J);
}

void cf_watch_start(struct cf_watch *watch, const double state[])
{
    cf_system_poses(watch->system, 0, state);
    cf_system_energies(watch->system, state, watch->start_J);
    watch->sum_J = cf_energy_sum(watch->start_J);
    memcpy(watch->result->energy_J, watch->start_J, sizeof watch->start_J);
}

/* Makes the snapshot at a time and checks the books there. */
static struct cf_snapshot snapshot(struct cf_watch *watch, double time_s, const double state[])
{
    const struct cf_system *system = watch->system;

    cf_watch_books(watch, time_s, state);
    for (size_t b = 0; b < system->scene->nbody; b++)
        body_state(system, b, time_s, state, &watch->body[b]);
    for (size_t m = 0; m < system->scene->nmeeting; m++)
        meeting_state(system, &system->bond[m], time_s, state, &watch->meeting[m]);
    for (size_t i = 0; i < system->scene->chain.nlink; i++) {
        watch->angle[i] = state[system->angle + i] - (i > 0 ? state[system->angle + i - 1] : 0);
        watch->rate[i] = state[system->rate + i] - (i > 0 ? state[system->rate + i - 1] : 0);
    }
    return (struct cf_snapshot){time_s,       watch->body, watch->meeting, watch->result->energy_J,
                                watch->angle, watch->rate};
}

void cf_watch_happened(struct cf_watch *watch, enum cf_happening what, size_t index, double time_s,
                       const double state[])
{
    watch->result->happened[what]++;
    if (!watch->options->happened) {
        cf_watch_books(watch, time_s, state);
        return;
    }
    struct cf_snapshot at = snapshot(watch, time_s, state);
    watch->options->happened(watch->options->observer, what, index, &at);
}

void cf_watch_sample(struct cf_watch *watch, double time_s, const double state[])
{
    if (watch->options->sample) {
        struct cf_snapshot at = snapshot(watch, time_s, state);
        watch->options->sample(watch->options->observer, &at);
    }
    watch->nsample++;
    if (watch->options->every_s > 0) /* a step may be longer than the samples are apart */
        watch->nsample = (size_t) fmax((double) watch->nsample,
                                       floor(time_s * (1 + 1e-12) / watch->options->every_s) + 1);
}

double cf_watch_due(const struct cf_watch *watch)
{
    double every = watch->options->every_s, from = watch->options->from_s;

    if (!(every > 0 && watch->options->sample))
        return (double) INFINITY;
    return fmax((double) watch->nsample, ceil(from / every)) * every;
}
