#include "motion/observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

const char *const cf_happening_names[CF_NHAPPENING] = {
    [CF_MAKE] = "make", [CF_BREAK] = "break", [CF_STICK] = "stick",
    [CF_SLIP] = "slip", [CF_APEX] = "apex",   [CF_REST] = "rest",
};

/* Times that differ by less are one: rounding of a multiple. */
static const double SAME = 1e-12;

int cf_watch_make(struct cf_watch *watch, const struct cf_system *system,
                  const struct cf_motion_options *options, struct cf_motion_result *result,
                  struct cf_error *err)
{
    *watch = (struct cf_watch){.system = system, .options = options, .result = result};
    watch->body = calloc(system->scene->nbody + 1, sizeof *watch->body);
    watch->meeting = calloc(system->scene->nmeeting + 1, sizeof *watch->meeting);
    watch->time_by = calloc(options->nwrt + 1, sizeof *watch->time_by);
    watch->body_by = calloc(options->nwrt * system->scene->nbody + 1, sizeof *watch->body_by);
    watch->meeting_by =
        calloc(options->nwrt * system->scene->nmeeting + 1, sizeof *watch->meeting_by);
    if (!watch->body || !watch->meeting || !watch->time_by || !watch->body_by || !watch->meeting_by)
        return cf_fail(err, CF_ENOMEM, "out of memory for a scene's snapshot");
    return CF_OK;
}

void cf_watch_free(struct cf_watch *watch)
{
    free(watch->body);
    free(watch->meeting);
    free(watch->time_by);
    free(watch->body_by);
    free(watch->meeting_by);
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

    cf_bond_meet(system, bond, &grip);
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

static void subtract(size_t n, const double a[], const double b[], double per, double out[])
{
    for (size_t i = 0; i < n; i++)
        out[i] = (a[i] - b[i]) * per;
}

/* Every member of both structures but `touching` is a double or an array of such. */
enum {
    BODY_DOUBLES = sizeof(struct cf_body_state) / sizeof(double),
    MEETING_DOUBLES =
        (sizeof(struct cf_meeting_state) - offsetof(struct cf_meeting_state, depth_m)) /
        sizeof(double)
};

/* The snapshot's derivatives by one column. */
static void snapshot_by(struct cf_watch *watch, size_t column, double time_s, const double state[])
{
    struct cf_sense *sense = watch->sense;
    const struct cf_system *system = watch->system;
    const struct cf_scene *scene = system->scene;
    const double *s = sense->s + column * system->n;
    struct cf_body_state body[2];
    struct cf_meeting_state meeting[2];
    double per;

    watch->time_by[column] = s[system->time];
    cf_sense_shift(sense, column, state, s);
    per = 1 / (2 * sense->step);
    double at_s[2] = {time_s + sense->step * s[system->time],
                      time_s - sense->step * s[system->time]};
    for (int side = 0; side < 2; side++)
        cf_system_poses(&sense->side[side], at_s[side], sense->state[side]);
    for (size_t b = 0; b < scene->nbody; b++) {
        for (int side = 0; side < 2; side++)
            body_state(&sense->side[side], b, at_s[side], sense->state[side], &body[side]);
        subtract(BODY_DOUBLES, body[0].position_m, body[1].position_m, per,
                 watch->body_by[column * scene->nbody + b].position_m);
    }
    for (size_t m = 0; m < scene->nmeeting; m++) {
        struct cf_meeting_state *out = &watch->meeting_by[column * scene->nmeeting + m];
        for (int side = 0; side < 2; side++)
            meeting_state(&sense->side[side], &sense->side[side].bond[m], at_s[side],
                          sense->state[side], &meeting[side]);
        out->touching = meeting[0].touching;
        subtract(MEETING_DOUBLES, &meeting[0].depth_m, &meeting[1].depth_m, per, &out->depth_m);
    }
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
    for (size_t c = 0; watch->sense && c < watch->sense->ncolumn; c++)
        snapshot_by(watch, c, time_s, state);
    return (struct cf_snapshot){.time_s = time_s,
                                .body = watch->body,
                                .meeting = watch->meeting,
                                .energy_J = watch->result->energy_J,
                                .angle_rad = watch->angle,
                                .rate_rad_s = watch->rate,
                                .time_by = watch->time_by,
                                .body_by = watch->body_by,
                                .meeting_by = watch->meeting_by};
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
    watch->sampled_s = time_s;
    watch->nsample++;
    if (watch->options->every_s > 0) /* a step may be longer than the samples are apart */
        watch->nsample = (size_t) fmax((double) watch->nsample,
                                       floor(time_s * (1 + SAME) / watch->options->every_s) + 1);
}

void cf_watch_end(struct cf_watch *watch, double time_s, const double state[])
{
    if (watch->sampled_s < time_s * (1 - SAME))
        cf_watch_sample(watch, time_s, state);
    else
        cf_watch_books(watch, time_s, state);
}

double cf_watch_due(const struct cf_watch *watch)
{
    double every = watch->options->every_s, from = watch->options->from_s;

    if (!(every > 0 && watch->options->sample))
        return (double) INFINITY;
    return fmax((double) watch->nsample, ceil(from / every)) * every;
}
