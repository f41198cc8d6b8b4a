#include "motion/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool of_contact(const struct cf_motion_channel *channel)
{
    return channel->kind >= CF_CHANNEL_DEPTH;
}

/* Adjacent numbers, and what has them. */
static size_t parts(const struct cf_scene *scene, const struct cf_motion_channel *channel)
{
    const struct cf_contact_pair *pair = of_contact(channel) ? &scene->pair[channel->index] : NULL;

    switch (channel->kind) {
    case CF_CHANNEL_POSITION:
    case CF_CHANNEL_VELOCITY:
    case CF_CHANNEL_SPIN:
    case CF_CHANNEL_SLIP:
        return 3;
    case CF_CHANNEL_ATTITUDE:
        return 4;
    case CF_CHANNEL_ANGLE:
    case CF_CHANNEL_ANGLE_RATE:
    case CF_CHANNEL_NORMAL_FORCE:
        return 1;
    case CF_CHANNEL_DEPTH:
    case CF_CHANNEL_DEPTH_RATE:
        return pair->law ? 1 : 0;
    case CF_CHANNEL_SURFACE:
        return pair->law && pair->law->recovery ? 1 : 0;
    case CF_CHANNEL_FRICTION:
        return pair->friction ? 3 : 0;
    case CF_CHANNEL_BRISTLE:
        return pair->friction && pair->friction->nvector > 0 ? 3 : 0;
    case CF_CHANNEL_DWELL:
        return pair->friction && pair->friction->dwell ? 1 : 0;
    case CF_NCHANNEL:
        break;
    }
    return 0;
}

int cf_channel_check(const struct cf_scene *scene, size_t n,
                     const struct cf_motion_channel channel[], struct cf_error *err)
{
    for (size_t i = 0; i < n; i++) {
        bool link = channel[i].kind == CF_CHANNEL_ANGLE || channel[i].kind == CF_CHANNEL_ANGLE_RATE;
        size_t count = of_contact(&channel[i]) ? scene->npair
                       : link                  ? scene->chain.nlink
                                               : scene->nbody;
        const char *what = of_contact(&channel[i]) ? "contact" : link ? "link" : "body";
        if (channel[i].index >= count)
            return cf_fail(err, CF_ERANGE, "channel %zu: %s %zu: there are %zu", i, what,
                           channel[i].index, count);
        if (channel[i].part >= parts(scene, &channel[i]))
            return cf_fail(err, CF_ERANGE,
                           "channel %zu: part %zu: this number of %s %zu has %zu parts", i,
                           channel[i].part, what, channel[i].index, parts(scene, &channel[i]));
    }
    return CF_OK;
}

/* The state that a channel is, but for the place where the phase began; or CF_NONE. */
static size_t state_of(const struct cf_system *system, const struct cf_motion_channel *channel)
{
    const struct cf_state_layout *layout =
        of_contact(channel) ? NULL : &system->layout[channel->index];
    const struct cf_contact_state *contact =
        of_contact(channel) ? &system->contact[channel->index] : NULL;
    size_t first = CF_NONE;

    if (channel->kind == CF_CHANNEL_POSITION)
        first = layout->place;
    else if (channel->kind == CF_CHANNEL_VELOCITY)
        first = layout->velocity;
    else if (channel->kind == CF_CHANNEL_ATTITUDE)
        first = layout->attitude;
    else if (channel->kind == CF_CHANNEL_SPIN &&
             cf_rigid_round(&system->scene->body[channel->index]))
        first = layout->spin;
    else if (channel->kind == CF_CHANNEL_BRISTLE)
        first = contact->bristle + 3 * contact->pair->friction->shown;
    else if (channel->kind == CF_CHANNEL_DWELL)
        first = contact->bristle +
                cf_bristle_number(contact->pair->friction, contact->pair->friction->dwell);
    return first == CF_NONE ? CF_NONE : first + channel->part;
}

int cf_values_make(struct cf_value_list *list, const struct cf_system *system, size_t n,
                   const struct cf_motion_channel channel[], size_t ncolumn, struct cf_error *err)
{
    const struct cf_scene *scene = system->scene;

    *list = (struct cf_value_list){.system = system,
                                   .sensitivity = system->sensitivity,
                                   .n = n,
                                   .ncolumn = ncolumn,
                                   .channel = channel,
                                   .states = true};
    list->value = calloc((2 + ncolumn) * (2 * n + 1) + system->n, sizeof *list->value);
    list->state = calloc(n + 1, sizeof *list->state);
    list->body = calloc(scene->nbody + scene->npair + 1, sizeof *list->body);
    list->body_state = calloc(2 * scene->nbody + 1, sizeof *list->body_state);
    list->snapshot = calloc(2 * scene->npair + 1, sizeof *list->snapshot);
    list->pose = calloc(scene->nbody + 1, sizeof *list->pose);
    list->contact_by = calloc(scene->npair + 1, sizeof *list->contact_by);
    if (!list->value || !list->state || !list->body || !list->body_state || !list->snapshot ||
        !list->pose || !list->contact_by)
        return cf_fail(err, CF_ENOMEM, "out of memory for %zu channels", n);
    list->rate = list->value + n;
    list->by = list->rate + n;
    list->seen = list->by + ncolumn * n;
    list->rates = list->seen + (2 + ncolumn) * (n + 1);
    list->contact = list->body + scene->nbody;
    list->body_by = list->body_state + scene->nbody;
    list->snapshot_by = list->snapshot + scene->npair;
    for (size_t i = 0; i < n; i++) {
        list->state[i] = state_of(system, &channel[i]);
        list->states = list->states && list->state[i] != CF_NONE;
        if (of_contact(&channel[i]))
            list->contact[channel[i].index] = true;
        else if (channel[i].kind < CF_CHANNEL_ANGLE)
            list->body[channel[i].index] = true;
    }
    list->state[n] = system->time;
    return CF_OK;
}

void cf_values_free(struct cf_value_list *list)
{
    free(list->value);
    free(list->state);
    free(list->body);
    free(list->body_state);
    free(list->snapshot);
    free(list->pose);
    free(list->contact_by);
    *list = (struct cf_value_list){0};
}

/* For a contact in y the step is one in s, in which the time moves. */
void cf_values_of_step(struct cf_value_list *list, const struct cf_ode_dense *dense, double t)
{
    const struct cf_system *system = list->system;
    size_t n = list->n, all = n + 1;
    double *value = list->seen, *rate = value + all, *by = rate + all;
    bool in_s = system->fresh != CF_NONE;

    cf_ode_dense_states_at(dense, t, all, list->state, value, rate, by);
    for (size_t i = 0; i < n; i++) {
        const struct cf_motion_channel *channel = &list->channel[i];
        list->value[i] = value[i];
        list->rate[i] = in_s ? rate[i] / rate[n] : rate[i];
        if (channel->kind == CF_CHANNEL_POSITION)
            list->value[i] += system->reference[channel->index][channel->part];
        for (size_t c = 0; c < list->ncolumn; c++) {
            double moved = in_s ? by[c * all + n] : 0;
            list->by[c * n + i] = by[c * all + i] - (moved != 0 ? list->rate[i] * moved : 0);
        }
    }
}

static double body_number(const struct cf_motion_channel *channel, const struct cf_body_state *at)
{
    switch (channel->kind) {
    case CF_CHANNEL_POSITION:
        return at->position_m[channel->part];
    case CF_CHANNEL_VELOCITY:
        return at->velocity_m_s[channel->part];
    case CF_CHANNEL_ATTITUDE:
        return at->attitude[channel->part];
    default:
        return at->spin_rad_s[channel->part];
    }
}

static double contact_number(const struct cf_motion_channel *channel,
                             const struct cf_contact_snapshot *at)
{
    switch (channel->kind) {
    case CF_CHANNEL_DEPTH:
        return at->depth_m;
    case CF_CHANNEL_DEPTH_RATE:
        return at->rate_m_s;
    case CF_CHANNEL_SURFACE:
        return at->surface_m;
    case CF_CHANNEL_NORMAL_FORCE:
        return at->normal_N;
    case CF_CHANNEL_FRICTION:
        return at->friction_N[channel->part];
    case CF_CHANNEL_SLIP:
        return at->slip_m_s[channel->part];
    case CF_CHANNEL_BRISTLE:
        return at->bristle_m[channel->part];
    default:
        return at->dwell;
    }
}

/* Of a link, from angles that count from `down`, or their derivatives. */
static double link_number(const struct cf_system *system, const struct cf_motion_channel *channel,
                          const double of[])
{
    size_t at = (channel->kind == CF_CHANNEL_ANGLE ? system->angle : system->rate) + channel->index;

    return of[at] - (channel->index > 0 ? of[at - 1] : 0);
}

static void pick(const struct cf_value_list *list, const double states[],
                 const struct cf_body_state body[], const struct cf_contact_snapshot contact[],
                 double out[])
{
    for (size_t i = 0; i < list->n; i++) {
        const struct cf_motion_channel *channel = &list->channel[i];
        if (of_contact(channel))
            out[i] = contact_number(channel, &contact[channel->index]);
        else if (channel->kind >= CF_CHANNEL_ANGLE)
            out[i] = link_number(list->system, channel, states);
        else
            out[i] = body_number(channel, &body[channel->index]);
    }
}

static void pick_along(const struct cf_value_list *list, const struct cf_along *along,
                       const struct cf_contact_by contact[], double out[])
{
    const struct cf_system *system = list->system;

    for (size_t b = 0; b < system->scene->nbody; b++)
        if (list->body[b])
            cf_body_state_along(along, b, &list->body_state[b], &list->body_by[b]);
    for (size_t m = 0; m < system->scene->npair; m++)
        if (list->contact[m])
            cf_contact_snapshot_along(along, &system->contact[m], &system->kin[m], &contact[m],
                                      &list->snapshot_by[m]);
    pick(list, along->s, list->body_by, list->snapshot_by, out);
}

/* As time goes on. */
static void pick_rates(struct cf_value_list *list, double time_s, const double state[])
{
    const struct cf_system *system = list->system;
    const struct cf_along along = {.system = system,
                                   .time_s = time_s,
                                   .time = 1,
                                   .state = state,
                                   .s = list->rates,
                                   .pose = list->pose};

    cf_system_fill_rates(system, state, list->rates);
    cf_poses_along(&along);
    for (size_t m = 0; m < system->scene->npair; m++) {
        if (!list->contact[m])
            continue;
        cf_geometry_along(&along, &system->contact[m], &system->kin[m], &list->contact_by[m]);
        if (system->contact[m].mode == CF_MODE_TOUCHING)
            cf_forces_along(&along, &system->contact[m], &system->kin[m], &list->contact_by[m]);
    }
    pick_along(list, &along, list->contact_by, list->rate);
}

void cf_values_of_state(struct cf_value_list *list, double time_s, const double state[])
{
    const struct cf_system *system = list->system;
    struct cf_sensitivity *sensitivity = list->sensitivity;
    size_t npair = system->scene->npair;

    cf_system_time_rates(system, time_s, state, list->rates);
    for (size_t b = 0; b < system->scene->nbody; b++)
        if (list->body[b])
            cf_body_state_at(system, b, time_s, state, &list->body_state[b]);
    for (size_t m = 0; m < npair; m++) {
        if (system->contact[m].mode != CF_MODE_TOUCHING) /* else the rates have done it */
            cf_contact_geometry(system, &system->contact[m], &system->kin[m]);
        if (list->contact[m])
            cf_contact_snapshot_at(system, &system->contact[m], time_s, state, &list->snapshot[m]);
    }
    pick(list, state, list->body_state, list->snapshot, list->value);
    pick_rates(list, time_s, state);
    if (!sensitivity)
        return;
    cf_sensitivity_contacts(sensitivity, time_s, true, state, sensitivity->s, false);
    for (size_t c = 0; c < list->ncolumn; c++)
        pick_along(list, &sensitivity->along[c], sensitivity->contact + c * npair,
                   list->by + c * list->n);
}
