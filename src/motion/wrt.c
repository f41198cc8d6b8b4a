/* What derivatives may be taken by. */

#include <math.h>

#include "geometry/vector.h"
#include "motion/sensitivity.h"
#include "volume/ball.h"

/* What a length, a speed or a number that is 0 is held against. */
static const double LENGTH_M = 1e-2, SPEED_M_S = 1, SPIN_RAD_S = 1, UNIT = 1;

/* What index counts, how many the scene has, and how many parts this one has. */
struct range {
    const char *what, *name;
    size_t count, nparts;
};

static size_t solid_parts(const struct cf_contact_pair *pair)
{
    return pair->law ? 3 : 0;
}

static struct range of_pair(const struct cf_scene *scene, const struct cf_wrt *wrt)
{
    struct range range = {"contact", "", scene->npair, 0};
    const struct cf_contact_pair *pair;

    if (wrt->index >= scene->npair)
        return range;
    pair = &scene->pair[wrt->index];
    range.name = pair->name;
    if (wrt->kind == CF_WRT_LAW && pair->law)
        range.nparts = pair->law->nparam;
    else if (wrt->kind == CF_WRT_FRICTION && pair->friction)
        range.nparts = pair->friction->nparam;
    else if (wrt->kind == CF_WRT_TARGET && pair->restitution)
        range.nparts = pair->restitution->nparam;
    else if (wrt->kind == CF_WRT_LOAD && !pair->law)
        range.nparts = pair->load.n > 0 ? pair->load.n : 1;
    else if (wrt->kind == CF_WRT_LOAD_TIME)
        range.nparts = pair->load.n;
    else if (wrt->kind == CF_WRT_SOLID_PLACE || wrt->kind == CF_WRT_SOLID_TILT)
        range.nparts = solid_parts(pair);
    return range;
}

static struct range of_body(const struct cf_scene *scene, const struct cf_wrt *wrt)
{
    struct range range = {"body", "", scene->nbody, 0};
    const struct cf_rigid *body;
    enum cf_drive drive;

    if (wrt->index >= scene->nbody)
        return range;
    body = &scene->body[wrt->index];
    range.name = body->name;
    drive = body->drive;
    if (wrt->kind == CF_WRT_MASS)
        range.nparts = drive == CF_DRIVE_FREE || drive == CF_DRIVE_LINK;
    else if (wrt->kind == CF_WRT_DELAY)
        range.nparts = drive == CF_DRIVE_RECORDED;
    else if (wrt->kind == CF_WRT_ACCOMMODATION)
        range.nparts = drive == CF_DRIVE_COMMANDED ? 3 : 0;
    else if (wrt->kind == CF_WRT_COMMAND || wrt->kind == CF_WRT_COMMAND_TIME)
        range.nparts = drive != CF_DRIVE_COMMANDED   ? 0
                       : wrt->kind == CF_WRT_COMMAND ? 3 * body->accommodation.nleg
                                                     : body->accommodation.nleg;
    else if (wrt->kind == CF_WRT_POSITION || wrt->kind == CF_WRT_TILT)
        range.nparts = drive == CF_DRIVE_RECORDED || drive == CF_DRIVE_LINK ? 0 : 3;
    else if (wrt->kind == CF_WRT_VELOCITY)
        range.nparts =
            drive == CF_DRIVE_FREE || drive == CF_DRIVE_STEADY || drive == CF_DRIVE_COMMANDED ? 3
                                                                                              : 0;
    else if (wrt->kind == CF_WRT_SPIN)
        range.nparts =
            (drive == CF_DRIVE_FREE && cf_rigid_turns(body)) || drive == CF_DRIVE_STEADY ? 3 : 0;
    return range;
}

static struct range range_of(const struct cf_scene *scene, const struct cf_wrt *wrt)
{
    struct range range = {"spring", "", scene->ntether, 5};

    switch (wrt->kind) {
    case CF_WRT_LAW:
    case CF_WRT_FRICTION:
    case CF_WRT_TARGET:
    case CF_WRT_LOAD:
    case CF_WRT_LOAD_TIME:
    case CF_WRT_SOLID_PLACE:
    case CF_WRT_SOLID_TILT:
        return of_pair(scene, wrt);
    case CF_WRT_SPRING:
        if (wrt->index < scene->ntether)
            range.name = scene->tether[wrt->index].name;
        return range;
    case CF_WRT_FORCE:
    case CF_WRT_FORCE_TIME:
        range = (struct range){"force", "", scene->nforce, 0};
        if (wrt->index < scene->nforce)
            range.nparts = scene->force[wrt->index].force.n;
        return range;
    case CF_WRT_ANGLE:
    case CF_WRT_RATE:
        return (struct range){"link", "", scene->chain.nlink, 1};
    case CF_WRT_GRAVITY:
        return (struct range){"gravity", "", 1, 3};
    default:
        return of_body(scene, wrt);
    }
}

/* One number at one place. */
static int check_one(const struct cf_scene *scene, size_t c, const struct cf_wrt *wrt,
                     struct cf_error *err)
{
    static const char *const what[CF_NWRT] = {
        [CF_WRT_LAW] = "parameters of the normal law",
        [CF_WRT_FRICTION] = "parameters of the friction law",
        [CF_WRT_TARGET] = "parameters of a wanted restitution",
        [CF_WRT_LOAD] = "loads",
        [CF_WRT_LOAD_TIME] = "points of its load",
        [CF_WRT_SOLID_PLACE] = "axes of its solid's place",
        [CF_WRT_SOLID_TILT] = "axes of its solid's tilt",
        [CF_WRT_MASS] = "masses that move by forces",
        [CF_WRT_GRAVITY] = "components of gravity",
        [CF_WRT_POSITION] = "components of a position",
        [CF_WRT_VELOCITY] = "components of a velocity",
        [CF_WRT_SPIN] = "components of a spin",
        [CF_WRT_TILT] = "axes of a tilt",
        [CF_WRT_ANGLE] = "angles",
        [CF_WRT_RATE] = "rates",
        [CF_WRT_SPRING] = "numbers (stiffness, damping, three of the anchor)",
        [CF_WRT_FORCE] = "points",
        [CF_WRT_FORCE_TIME] = "points",
        [CF_WRT_ACCOMMODATION] = "numbers (yield, dead band, lag)",
        [CF_WRT_COMMAND] = "components of commands",
        [CF_WRT_COMMAND_TIME] = "commands",
        [CF_WRT_DELAY] = "recorded motions",
    };

    struct range range = range_of(scene, wrt);
    if (wrt->index >= range.count)
        return cf_fail(err, CF_ERANGE, "derivative %zu: %s %zu: there are %zu", c, range.what,
                       wrt->index, range.count);
    if (wrt->part >= range.nparts)
        return cf_fail(err, CF_ERANGE, "derivative %zu: part %zu of %s%s%s: it has %zu %s", c,
                       wrt->part, range.name[0] ? range.what : "the scene",
                       range.name[0] ? " " : "", range.name, range.nparts, what[wrt->kind]);
    return CF_OK;
}

/* May all contacts be meant at once? */
static bool takes_every(enum cf_wrt_kind kind)
{
    return kind == CF_WRT_LAW || kind == CF_WRT_FRICTION || kind == CF_WRT_TARGET;
}

/* Of a volume whose normal is an axis of its inertia the second derivatives are not known. */
static int check_volume(const struct cf_scene *scene, const struct cf_contact_pair *pair,
                        struct cf_error *err)
{
    const struct cf_rigid *j = &scene->body[pair->body[1]];

    if (!cf_pair_is_patch(pair) ||
        (!pair->cell[1] && (pair->cell[0] || cf_ball_volume_is_even(j->solid[pair->solid].shape))))
        return CF_OK;
    return cf_fail(err, CF_ERANGE,
                   "contact %s: a run carries no derivatives over the volume of %s: it cannot be "
                   "fitted",
                   pair->name, pair->cell[1] ? "two cells" : "a sphere and an edge");
}

int cf_wrt_check(const struct cf_scene *scene, size_t n, const struct cf_wrt wrt[],
                 struct cf_error *err)
{
    int status = CF_OK;

    for (size_t m = 0; m < scene->npair && n > 0 && !status; m++)
        status = check_volume(scene, &scene->pair[m], err);
    for (size_t c = 0; c < n && !status; c++) {
        struct cf_wrt one = wrt[c];
        bool every = one.index == CF_WRT_EVERY && takes_every(one.kind) && scene->npair > 0;
        for (size_t m = 0; m < (every ? scene->npair : 1) && !status; m++) {
            one.index = every ? m : one.index;
            status = check_one(scene, c, &one, err);
        }
    }
    return status;
}

static double or_typical(double value, const struct cf_param *row)
{
    return value != 0 ? fabs(value) : row->typical > 0 ? row->typical : UNIT;
}

static double largest(const double v[], size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

static double unless_0(double value)
{
    return value > 0 ? value : UNIT;
}

static double spring_size(const struct cf_tether *tether, size_t part)
{
    enum { STIFFNESS, DAMPING };

    if (part > DAMPING)
        return LENGTH_M;
    return unless_0(part == STIFFNESS ? tether->stiffness_N_m : tether->damping_N_s_m);
}

static double accommodation_size(const struct cf_accommodation *a, size_t part)
{
    const double value[] = {a->yield_m_s_N, a->dead_band_N, a->lag_s};

    return unless_0(value[part]);
}

double cf_wrt_size(const struct cf_scene *scene, const struct cf_wrt *wrt)
{
    size_t index = wrt->index == CF_WRT_EVERY ? 0 : wrt->index; /* they are alike */
    const struct cf_contact_pair *pair = &scene->pair[index];
    const struct cf_rigid *body = &scene->body[index];

    switch (wrt->kind) {
    case CF_WRT_LAW:
        return or_typical(pair->p[wrt->part], &pair->law->param[wrt->part]);
    case CF_WRT_FRICTION:
        return or_typical(pair->friction_p[wrt->part], &pair->friction->param[wrt->part]);
    case CF_WRT_TARGET:
        return or_typical(pair->e_param[wrt->part], &pair->restitution->param[wrt->part]);
    case CF_WRT_LOAD:
        return unless_0(pair->load_N);
    case CF_WRT_MASS:
        return body->mass_kg;
    case CF_WRT_GRAVITY:
        return fmax(largest(scene->gravity_m_s2, 3), UNIT);
    case CF_WRT_SOLID_PLACE:
    case CF_WRT_POSITION:
        return LENGTH_M;
    case CF_WRT_VELOCITY:
        return fmax(largest(body->velocity_m_s, 3), SPEED_M_S);
    case CF_WRT_SPIN:
        return fmax(largest(body->spin_rad_s, 3), SPIN_RAD_S);
    case CF_WRT_SPRING:
        return spring_size(&scene->tether[wrt->index], wrt->part);
    case CF_WRT_FORCE:
        return unless_0(
            largest(scene->force[wrt->index].force.value, scene->force[wrt->index].force.n));
    case CF_WRT_ACCOMMODATION:
        return accommodation_size(&body->accommodation, wrt->part);
    case CF_WRT_COMMAND:
        return unless_0(largest(body->accommodation.leg[wrt->part / 3].velocity_m_s, 3));
    case CF_WRT_LOAD_TIME:
    case CF_WRT_FORCE_TIME:
    case CF_WRT_COMMAND_TIME:
    case CF_WRT_DELAY:
        return scene->duration_s;
    case CF_WRT_SOLID_TILT:
    case CF_WRT_TILT:
    case CF_WRT_ANGLE:
    case CF_WRT_RATE:
    case CF_NWRT:
        break;
    }
    return UNIT;
}
