/* The events of a phase: functions of the states that go through 0 where something changes. */

#include <math.h>

#include "geometry/vector.h"
#include "motion/phase.h"
#include "motion/sensitivity.h"

static const struct cf_contact_state *see(const struct cf_phase_event *about, double s,
                                          const double y[], struct cf_contact_kinematics *kin)
{
    const struct cf_system *system = about->system;
    const struct cf_contact_state *contact = &system->contact[about->contact];

    cf_contact_poses(system, contact, cf_system_time(system, s, y), y);
    cf_contact_geometry(system, contact, kin);
    return contact;
}

static double end(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;
    struct cf_contact_kinematics kin;
    const struct cf_contact_state *contact = see(about, s, y, &kin);

    return cf_contact_end(about->system, contact, y, &kin);
}

static double depth(const void *context, double s, const double y[])
{
    struct cf_contact_kinematics kin;

    see(context, s, y, &kin);
    return kin.depth;
}

/* A separating open contact is no touch, whatever the rounding of its depth just after it left. */
static double closing(const void *context, double s, const double y[])
{
    static const double NOISE = 1e-6; /* of the depth that its touches come to */
    struct cf_contact_kinematics kin;
    const struct cf_contact_state *contact = see(context, s, y, &kin);
    double noise_m = kin.rate < 0 ? NOISE * contact->depth_scale_m : 0;

    return kin.depth - fmax(contact->begins_m, noise_m);
}

/* The part of the depth at which it was lost by which a contact is in its surface where it begins
 * again: it parts from that with one velocity, and the function must not begin at its own zero. */
static const double IN_SURFACE = 1e-10;

/* Over the surface of a law whose surface comes back slowly. */
static double landing(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;
    struct cf_contact_kinematics kin;
    const struct cf_contact_state *contact = see(about, s, y, &kin);
    double time_s = cf_system_time(about->system, s, y);

    return kin.depth - IN_SURFACE * contact->left_m - cf_contact_surface(contact, time_s).depth_m;
}

static double slide(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;
    struct cf_contact_kinematics kin;
    const struct cf_contact_state *contact = see(about, s, y, &kin);
    const struct cf_contact_pair *pair = contact->pair;

    cf_contact_forces(about->system, contact, y, &kin);
    return pair->friction->slip(pair->friction_p, &kin.slide);
}

/* Where derivatives of friction jump: a step that ends there carries its columns exactly. */
static double corner(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;
    struct cf_contact_kinematics kin;
    const struct cf_contact_state *contact = see(about, s, y, &kin);
    const struct cf_contact_pair *pair = contact->pair;

    cf_contact_forces(about->system, contact, y, &kin);
    return pair->friction->corner[about->which](pair->friction_p, &kin.slide);
}

/* The dead band of a body under force accommodation, along one axis. */
static double dead_band(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;
    const struct cf_system *system = about->system;
    size_t body = about->contact / 3, axis = about->contact % 3;

    cf_system_time_rates(system, cf_system_time(system, s, y), y, about->phase->later);
    return fabs(system->pose[body].force[axis]) -
           system->scene->body[body].accommodation.dead_band_N;
}

/* Where the ball comes over another part of the solid's surface. */
static double seam(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;
    struct cf_contact_kinematics kin;
    const struct cf_contact_state *contact = see(about, s, y, &kin);

    return contact->solid->shape->seam[about->which](contact->solid, kin.inside);
}

/* Of the list of near pairs of two bodies. */
static double margin(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;
    const struct cf_system *system = about->system;

    cf_system_poses(system, cf_system_time(system, s, y), y);
    return cf_near_left(system, &system->near.group[about->contact]);
}

static double ball_margin(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;
    const struct cf_system *system = about->system;

    cf_system_poses(system, cf_system_time(system, s, y), y);
    return cf_near_balls_left(system);
}

static double stop(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;

    (void) s;
    return y[about->system->time] - about->phase->stop_s;
}

static double rest(const void *context, double s, const double y[])
{
    const struct cf_phase_event *about = context;

    return cf_phase_unrest(about->phase, s, y) - cf_at_rest * cf_at_rest;
}

/* So short that even the fastest state changes by little of its size. */
static double nudge(const struct cf_phase *phase, const double y[], const double rate[])
{
    static const double NUDGE = 1e-6;
    double fastest = 0;

    for (size_t i = 0; i < phase->system->n; i++)
        fastest = fmax(fastest, fabs(rate[i]) / fmax(fabs(y[i]), phase->scale[i]));
    return fastest > 0 ? NUDGE / fastest : NUDGE;
}

/* Their derivatives along a column, whose poses have been made. */
static double end_along(const struct cf_phase_event *about, const struct cf_along *along,
                        const struct cf_contact_kinematics *kin, const struct cf_contact_by *by)
{
    return cf_end_along(along, &about->system->contact[about->contact], kin, by);
}

static double depth_along(const struct cf_phase_event *about, const struct cf_along *along,
                          const struct cf_contact_kinematics *kin, const struct cf_contact_by *by)
{
    (void) about, (void) along, (void) kin;
    return by->depth;
}

static double landing_along(const struct cf_phase_event *about, const struct cf_along *along,
                            const struct cf_contact_kinematics *kin, const struct cf_contact_by *by)
{
    (void) kin;
    return by->depth - cf_surface_along(along, &about->system->contact[about->contact]).depth_m;
}

static double seam_along(const struct cf_phase_event *about, const struct cf_along *along,
                         const struct cf_contact_kinematics *kin, const struct cf_contact_by *by)
{
    static const double SHIFT = 6e-6; /* the third root of rounding, of the distance */
    const struct cf_solid *solid = about->system->contact[about->contact].solid;
    double size = cf_vec_norm(by->inside), at[2][3], step, apart[3];

    (void) along;
    if (!(size > 0))
        return 0;
    cf_vec_sub(kin->inside, solid->point_m, apart);
    step = SHIFT * cf_vec_norm(apart) / size;
    cf_vec_add_scaled(kin->inside, step, by->inside, at[0]);
    cf_vec_add_scaled(kin->inside, -step, by->inside, at[1]);
    return (solid->shape->seam[about->which](solid, at[0]) -
            solid->shape->seam[about->which](solid, at[1])) /
           (2 * step);
}

static double slide_along(const struct cf_phase_event *about, const struct cf_along *along,
                          const struct cf_contact_kinematics *kin, const struct cf_contact_by *by)
{
    const struct cf_contact_state *contact = &about->system->contact[about->contact];
    const struct cf_friction_law *friction = contact->pair->friction;

    return cf_slide_along(along, contact, kin, by, friction->slip);
}

/* Its g along a column, for struct cf_ode_event. */
static double slope(const void *context, double t, const double y[], const double s[],
                    size_t column)
{
    const struct cf_phase_event *about = context;
    const struct cf_system *system = about->system;
    const struct cf_contact_state *contact = &system->contact[about->contact];
    double time = system->fresh != CF_NONE ? s[system->time] : column == CF_ODE_TIME;
    struct cf_along along = cf_sensitivity_along(about->phase->sensitivity,
                                                 column == CF_ODE_TIME ? 0 : column, 0, time, y, s);
    struct cf_contact_kinematics kin;
    struct cf_contact_by by;

    if (about->turn == CF_TURN_STOP)
        return s[system->time];
    if (!about->along) /* a corner of which nobody asks when */
        return 0;
    along.time_s = cf_system_time(system, t, y);
    if (column == CF_ODE_TIME) { /* the scene stays as it is */
        along.wrt = NULL;
        along.by = NULL;
    }
    cf_system_poses(system, along.time_s, y);
    cf_contact_geometry(system, contact, &kin);
    cf_poses_along(&along);
    cf_geometry_along(&along, contact, &kin, &by);
    if (contact->mode == CF_MODE_TOUCHING) {
        cf_contact_forces(system, contact, y, &kin);
        cf_forces_along(&along, contact, &kin, &by);
    }
    return about->along(about, &along, &kin, &by);
}

static void watch_for(struct cf_phase *phase, enum cf_turn turn, size_t contact,
                      double (*g)(const void *, double, const double[]), int direction,
                      cf_event_along *along)
{
    static const char *const names[] = {
        [CF_TURN_STOP] = "the end",
        [CF_TURN_LEAVE] = "the end of a contact",
        [CF_TURN_TOUCH] = "a touch",
        [CF_TURN_LIFT] = "a lift-off",
        [CF_TURN_SLIDE] = "stick or slip",
        [CF_TURN_REST] = "rest",
        [CF_TURN_FAR] = "the end of a list of near cells",
        [CF_TURN_CORNER] = "a corner of friction",
    };
    struct cf_phase_event *about = &phase->about[phase->nevent];

    *about = (struct cf_phase_event){.phase = phase,
                                     .system = phase->system,
                                     .g = g,
                                     .along = along,
                                     .turn = turn,
                                     .contact = contact};
    phase->event[phase->nevent++] =
        (struct cf_ode_event){.name = names[turn],
                              .context = about,
                              .g = g,
                              .slope = slope,
                              .direction = direction,
                              .corner = turn == CF_TURN_SLIDE || turn == CF_TURN_CORNER,
                              .terminal = turn != CF_TURN_SLIDE && turn != CF_TURN_CORNER};
}

static void contact_events(struct cf_phase *phase, size_t m)
{
    const struct cf_contact_state *contact = &phase->system->contact[m];
    const struct cf_contact_pair *pair = contact->pair;

    if (contact->mode == CF_MODE_OPEN) {
        watch_for(phase, CF_TURN_TOUCH, m, closing, 1, depth_along);
    } else if (contact->mode == CF_MODE_CLAMPED && pair->law->recovery) {
        watch_for(phase, CF_TURN_TOUCH, m, landing, 1, landing_along);
    } else if (contact->mode == CF_MODE_CLAMPED) {
        watch_for(phase, CF_TURN_TOUCH, m, end, 1, end_along);
        watch_for(phase, CF_TURN_LIFT, m, depth, -1, depth_along);
    } else {
        if (pair->law)
            watch_for(phase, CF_TURN_LEAVE, m, end, -1, end_along);
        if (pair->friction && pair->friction->slip)
            watch_for(phase, CF_TURN_SLIDE, m, slide, 0, slide_along);
        for (int i = 0; i < CF_SHAPE_SEAMS && phase->sensitivity && contact->solid; i++)
            if (contact->solid->shape->seam[i]) {
                watch_for(phase, CF_TURN_CORNER, m, seam, 0, seam_along);
                phase->about[phase->nevent - 1].which = i;
                phase->event[phase->nevent - 1].jumps = true;
            }
        for (int i = 0; i < CF_FRICTION_CORNERS && phase->sensitivity && pair->friction; i++)
            if (pair->friction->corner[i]) {
                watch_for(phase, CF_TURN_CORNER, m, corner, 0, NULL);
                phase->about[phase->nevent - 1].which = i;
            }
    }
}

/* Which open contacts just touch: they begin a rounding deeper than they are, as what moves their
 * bodies from here on decides. */
static void find_resting(struct cf_system *system)
{
    for (size_t k = 0; k < system->near.n; k++) {
        struct cf_contact_state *contact = &system->contact[system->near.pair[k]];
        struct cf_contact_kinematics kin;
        contact->begins_m = 0;
        if (contact->mode != CF_MODE_OPEN || !contact->pair->law)
            continue;
        double rounding_m = cf_contact_rounding(system, contact);
        cf_contact_geometry(system, contact, &kin);
        if (kin.depth >= -rounding_m)
            contact->begins_m = fmax(kin.depth, 0) + rounding_m;
    }
}

void cf_phase_list_events(struct cf_phase *phase)
{
    const struct cf_scene *scene = phase->system->scene;
    const struct cf_near *near = &phase->system->near;

    phase->nevent = 0;
    find_resting(phase->system);
    for (size_t k = 0; k < near->n; k++)
        contact_events(phase, near->pair[k]);
    for (size_t g = 0; g < near->ngroup; g++)
        watch_for(phase, CF_TURN_FAR, g, margin, -1, NULL);
    if (near->balls.n > 0)
        watch_for(phase, CF_TURN_FAR, 0, ball_margin, -1, NULL);
    for (size_t b = 0; b < scene->nbody && phase->sensitivity; b++)
        for (size_t axis = 0; axis < 3 && scene->body[b].drive == CF_DRIVE_COMMANDED; axis++)
            if (scene->body[b].accommodation.dead_band_N > 0)
                watch_for(phase, CF_TURN_CORNER, 3 * b + axis, dead_band, 0, NULL);
    if (phase->can_rest)
        watch_for(phase, CF_TURN_REST, 0, rest, -1, NULL);
    if (phase->system->fresh != CF_NONE)
        watch_for(phase, CF_TURN_STOP, 0, stop, 1, NULL);
}

/* Does it begin to slide? By g a little later along the rates. */
bool cf_phase_begins(struct cf_phase *phase, const struct cf_phase_event *about, double s,
                     const double y[])
{
    double step, *later = phase->later;

    cf_system_rates(phase->system, s, y, phase->rate);
    step = nudge(phase, y, phase->rate);
    for (size_t i = 0; i < phase->system->n; i++)
        later[i] = y[i] + step * phase->rate[i];
    return slide(about, s + step, later) > slide(about, s, y);
}
