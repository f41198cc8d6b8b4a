/* Oblique impacts of a sphere on a fixed plane: what comes back along the normal and along the
 * plane, and how it spins, against the angle of incidence from the normal.
 *
 *   v_n = v cos(angle),  v_t = v sin(angle),  slip = v_t - R w      before; ' after
 *   e = v_n'/v_n,  e_t = v_t'/v_t,  tan(rebound angle) = v_t'/v_n'
 *   w' = w + (v_t - v_t')/(i R),  i = I/(m R^2)    moments about the plane are conserved
 *   impulse ratio = (v_t - v_t')/(v_n + v_n')
 *
 * All in the plane of incidence; w > 0 turns as rolling along v_t does. The law has two parts, one
 * of the normal and one of friction: impulses, or one contact of the motion. Weight, drag and the
 * flight before and after are left out.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/oblique_planar.h"
#include "experiment/rows.h"
#include "law/contact_law.h"

static const char *const speed_names[] = {"v", "velocity", "impact_speed", "v_in", "vi", NULL};
static const char *const angle_names[] = {"theta",           "incidence",          "impact_angle",
                                          "incidence_angle", "angle_of_incidence", NULL};
static const char *const spin_names[] = {"omega_0", "w0", "spin_before", "initial_spin", NULL};
static const char *const restitution_names[] = {"e", "e_n", "en", "cor", "normal_restitution",
                                                NULL};
static const char *const tangential_names[] = {"e_t", "et", "cor_t", NULL};
static const char *const rebound_names[] = {"alpha", "angle_out", "rebound", NULL};
static const char *const after_names[] = {"omega", "w", "spin_after", "angular_velocity", NULL};
static const char *const ratio_names[] = {"f", "j_ratio", "impulse", NULL};
static const char *const duration_names[] = {"contact_time", "t_c", "tc", NULL};

enum {
    FORCE_LAW = 1u << CF_FAMILY_NORMAL,
    EVERY_LAW = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_RESTITUTION,
};

#define HALF_TURN 3.14159265358979323846
#define QUARTER (HALF_TURN / 2)

/* An angle is accepted here as far as degrees without their unit reach, so that check_row() can say
 * what they are. */
static const struct cf_channel_row channel[CF_OBLIQUE_NCHANNEL] = {
    [CF_OBLIQUE_SPEED] = {"speed", "m/s", "speed of the centre before the impact", CF_ROLE_IMPOSED,
                          1e-6, 1e4, 0, speed_names, "impact speed", "v", false},
    [CF_OBLIQUE_ANGLE] = {"angle", "rad", "angle of incidence, from the normal", CF_ROLE_IMPOSED,
                          -360, 360, 0, angle_names, "angle of incidence", NULL, false},
    [CF_OBLIQUE_SPIN] = {"spin", "rad/s", "spin before, positive as in rolling", CF_ROLE_IMPOSED,
                         -1e7, 1e7, 0, spin_names, "spin before", "w", false},
    [CF_OBLIQUE_RESTITUTION] = {"restitution", "1", "speed along the normal, after over before",
                                CF_ROLE_MEASURED, 0, 10, EVERY_LAW, restitution_names,
                                "normal restitution", "e", true},
    [CF_OBLIQUE_TANGENTIAL] = {"tangential_restitution", "1",
                               "speed of the centre along the plane, after over before",
                               CF_ROLE_MEASURED, -1e3, 1e3, EVERY_LAW, tangential_names,
                               "tangential restitution", "e_t", true},
    [CF_OBLIQUE_REBOUND_ANGLE] = {"rebound_angle", "rad", "angle of the rebound, from the normal",
                                  CF_ROLE_MEASURED, -360, 360, EVERY_LAW, rebound_names,
                                  "rebound angle", NULL, true},
    [CF_OBLIQUE_REBOUND_SPIN] = {"rebound_spin", "rad/s", "spin after, positive as in rolling",
                                 CF_ROLE_MEASURED, -1e7, 1e7, EVERY_LAW, after_names, "spin after",
                                 NULL, true},
    [CF_OBLIQUE_IMPULSE_RATIO] =
        {"impulse_ratio", "1", "impulse along the plane, against v_t, over that along the normal",
         CF_ROLE_MEASURED, -100, 100, EVERY_LAW, ratio_names, "impulse ratio", NULL, true},
    [CF_OBLIQUE_DURATION] = {"duration", "s",
                             "contact time, first touch to first zero of the force",
                             CF_ROLE_MEASURED, 1e-9, 10, FORCE_LAW, duration_names,
                             "contact duration", NULL, false},
};

/* ---- apparatus: 0 where the study is silent */

static const struct cf_param apparatus[CF_OBLIQUE_NAPPARATUS] = {
    [CF_OBLIQUE_APPARATUS_SPEED] = {"speed", "m/s", 0, 1e4, 1e-3, 1e3, 0, CF_SCALE_LINEAR,
                                    "speed before the impact, where no column has it"},
    [CF_OBLIQUE_APPARATUS_SPIN] = {"spin", "rad/s", -1e7, 1e7, -1e5, 1e5, 0, CF_SCALE_LINEAR,
                                   "spin before the impact, where no column has it"},
    [CF_OBLIQUE_OFFSET] = {"angle_offset", "rad", -1, 1, -0.2, 0.2, 0, CF_SCALE_LINEAR,
                           "true angles of incidence less those read: a tilt of the plane"},
    [CF_OBLIQUE_INERTIA] = {"inertia", "1", 1e-3, 1, 0.3, 2.0 / 3, 0.4, CF_SCALE_LINEAR,
                            "moment of inertia over m R^2: 0.4 of a solid sphere, 2/3 of a shell"},
};

double cf_oblique_speed(const struct cf_dataset *d, size_t row, const double numbers[])
{
    return cf_dataset_has(d, row, CF_OBLIQUE_SPEED) ? cf_dataset_value(d, row, CF_OBLIQUE_SPEED)
                                                    : numbers[CF_OBLIQUE_APPARATUS_SPEED];
}

double cf_oblique_spin(const struct cf_dataset *d, size_t row, const double numbers[])
{
    return cf_dataset_has(d, row, CF_OBLIQUE_SPIN) ? cf_dataset_value(d, row, CF_OBLIQUE_SPIN)
                                                   : numbers[CF_OBLIQUE_APPARATUS_SPIN];
}

/* ---- what rows and laws must obey */

static double degrees(double rad)
{
    return rad * 180 / HALF_TURN;
}

static int check_angle(double angle, const char *name, const char *what, double lower,
                       struct cf_error *err)
{
    if (angle >= lower && angle < QUARTER)
        return CF_OK;
    if (fabs(angle) > HALF_TURN)
        return cf_fail(err, CF_EINPUT,
                       "%s %g rad is %.4g deg: must be below 90 deg from the normal; degrees are "
                       "said by unit: deg",
                       name, angle, degrees(angle));
    if (angle < lower)
        return cf_fail(err, CF_EINPUT,
                       "%s %.4g deg: must be in [0, 90) deg: turn the signs of angle, spin and "
                       "rebound",
                       name, degrees(angle));
    return cf_fail(err, CF_EINPUT,
                   "%s %.4g deg: must be below 90 deg from the normal: %s; of angles from the "
                   "plane take 90 deg less the angle (sign: -1, offset: 90 deg)",
                   name, degrees(angle), what);
}

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    double angle = cf_dataset_value(d, row, CF_OBLIQUE_ANGLE);
    double e = cf_dataset_value(d, row, CF_OBLIQUE_RESTITUTION),
           sigma = cf_dataset_sigma(d, row, CF_OBLIQUE_RESTITUTION);
    int status = CF_OK;

    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_OBLIQUE_ANGLE))
        return cf_fail(err, CF_EINPUT, "no angle: it is what an oblique impact is made at");
    status = check_angle(angle, "angle", "it would not come to the plane", 0, err);
    if (!status && cf_dataset_has(d, row, CF_OBLIQUE_REBOUND_ANGLE))
        status = check_angle(cf_dataset_value(d, row, CF_OBLIQUE_REBOUND_ANGLE), "rebound_angle",
                             "it would not leave the plane", -QUARTER, err);
    if (status)
        return status;
    if (!(cf_oblique_speed(d, row, d->apparatus) > 0))
        return cf_fail(err, CF_EINPUT,
                       "no speed: give a column speed, or apparatus: {speed: 3.9 m/s}");
    if (angle == 0 && cf_dataset_has(d, row, CF_OBLIQUE_TANGENTIAL))
        return cf_fail(err, CF_EINPUT,
                       "tangential_restitution at angle 0: nothing moves along the plane before "
                       "the impact: leave it out, or give rebound_angle or rebound_spin");
    if (d->series[CF_OBLIQUE_RESTITUTION].kind != CF_SIGMA_ESTIMATE && e > 1 + 3 * sigma)
        return cf_fail(err, CF_EINPUT,
                       "restitution %g: must be at most 1 + 3 sigma; an impact gives back no more "
                       "than it got",
                       e);
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    const struct cf_sphere *sphere = d->pair.sphere;
    size_t which = sphere[0].name ? 0 : 1;

    if (!law->friction)
        return cf_fail(err, CF_EINPUT,
                       "an oblique impact needs friction beside %s: add friction: %s", law->name,
                       law->family == CF_FAMILY_RESTITUTION ? "rigid-coulomb, or walton"
                                                            : "clutch, or rigid-coulomb");
    if (!sphere[which].name || d->pair.mass_kg != sphere[which].mass_kg ||
        d->pair.radius_m != sphere[which].radius_m)
        return cf_fail(err, CF_EINPUT,
                       "an oblique impact is one of a sphere on a fixed plane: give one body "
                       "sphere and mass, the other plane: {} and fixed: true");
    return CF_OK;
}

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_OBLIQUE_ANGLE;
}

static double incidence(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_OBLIQUE_ANGLE);
}

/* ---- prediction */

/* One row: its impact, and what it depends on. */
struct shot {
    double speed, sine, cosine, spin, inertia, radius;
    double v_n, v_t;
    struct cf_oblique_contact contact;
};

/* A channel as a function of the impact: its value and derivatives, those by v_n, v_t, the spin
 * and the inertia as they stand in it. */
struct reading {
    double value, by_v_n, by_v_t, by_spin, by_inertia, by_out[CF_OBLIQUE_NOUTPUT];
};

static struct reading read_ratio(const struct shot *at)
{
    const double *out = at->contact.value;
    double change = out[CF_OBLIQUE_OUT_CHANGE], J = at->v_n + out[CF_OBLIQUE_OUT_NORMAL];

    return (struct reading){
        .value = change / J,
        .by_v_n = -change / (J * J),
        .by_out = {[CF_OBLIQUE_OUT_NORMAL] = -change / (J * J), [CF_OBLIQUE_OUT_CHANGE] = 1 / J}};
}

static struct reading read_rebound(const struct shot *at)
{
    const double *out = at->contact.value;
    double along = at->v_t - out[CF_OBLIQUE_OUT_CHANGE], away = out[CF_OBLIQUE_OUT_NORMAL];
    double square = along * along + away * away;

    return (struct reading){
        .value = atan2(along, away),
        .by_v_t = away / square,
        .by_out = {
            [CF_OBLIQUE_OUT_NORMAL] = -along / square, [CF_OBLIQUE_OUT_CHANGE] = -away / square}};
}

static struct reading read_spin(const struct shot *at)
{
    double per = 1 / (at->inertia * at->radius), change = at->contact.value[CF_OBLIQUE_OUT_CHANGE];

    return (struct reading){.value = at->spin + per * change,
                            .by_spin = 1,
                            .by_inertia = -per * change / at->inertia,
                            .by_out = {[CF_OBLIQUE_OUT_CHANGE] = per}};
}

static struct reading read_tangential(const struct shot *at)
{
    double change = at->contact.value[CF_OBLIQUE_OUT_CHANGE];

    return (struct reading){.value = 1 - change / at->v_t,
                            .by_v_t = change / (at->v_t * at->v_t),
                            .by_out = {[CF_OBLIQUE_OUT_CHANGE] = -1 / at->v_t}};
}

static struct reading read_normal(const struct shot *at)
{
    double e = at->contact.value[CF_OBLIQUE_OUT_NORMAL] / at->v_n;

    return (struct reading){
        .value = e, .by_v_n = -e / at->v_n, .by_out = {[CF_OBLIQUE_OUT_NORMAL] = 1 / at->v_n}};
}

static struct reading read_duration(const struct shot *at)
{
    return (struct reading){.value = at->contact.value[CF_OBLIQUE_OUT_DURATION],
                            .by_out = {[CF_OBLIQUE_OUT_DURATION] = 1}};
}

static struct reading (*const reader[CF_OBLIQUE_NCHANNEL])(const struct shot *at) = {
    [CF_OBLIQUE_RESTITUTION] = read_normal,    [CF_OBLIQUE_TANGENTIAL] = read_tangential,
    [CF_OBLIQUE_REBOUND_ANGLE] = read_rebound, [CF_OBLIQUE_REBOUND_SPIN] = read_spin,
    [CF_OBLIQUE_IMPULSE_RATIO] = read_ratio,   [CF_OBLIQUE_DURATION] = read_duration,
};

/* Derivatives of a reading by what was imposed. */
struct imposed_slopes {
    double by_speed, by_angle, by_spin, by_inertia;
};

static struct imposed_slopes slopes_of(const struct shot *at, const struct reading *r)
{
    double by_normal = r->by_v_n, by_slip = 0, by_inertia = r->by_inertia;

    for (size_t o = 0; o < CF_OBLIQUE_NOUTPUT; o++) {
        const double *by = at->contact.by_input[o];
        if (r->by_out[o] == 0)
            continue;
        by_normal += r->by_out[o] * by[CF_OBLIQUE_BY_NORMAL];
        by_slip += r->by_out[o] * by[CF_OBLIQUE_BY_SLIP];
        by_inertia += r->by_out[o] * by[CF_OBLIQUE_BY_INERTIA];
    }
    double by_along = r->by_v_t + by_slip;
    return (struct imposed_slopes){by_normal * at->cosine + by_along * at->sine,
                                   by_along * at->v_n - by_normal * at->v_t,
                                   r->by_spin - by_slip * at->radius, by_inertia};
}

static double by_param(const struct shot *at, const struct reading *r, size_t parameter)
{
    double sum = 0;

    for (size_t o = 0; o < CF_OBLIQUE_NOUTPUT; o++)
        if (r->by_out[o] != 0)
            sum += r->by_out[o] * at->contact.by_param[o][parameter];
    return sum;
}

/* By number `parameter` of the apparatus. */
static double by_apparatus(const struct cf_dataset *d, size_t row, size_t parameter,
                           const struct imposed_slopes *by)
{
    switch (parameter) {
    case CF_OBLIQUE_APPARATUS_SPEED:
        return cf_dataset_has(d, row, CF_OBLIQUE_SPEED) ? 0 : by->by_speed;
    case CF_OBLIQUE_APPARATUS_SPIN:
        return cf_dataset_has(d, row, CF_OBLIQUE_SPIN) ? 0 : by->by_spin;
    case CF_OBLIQUE_OFFSET:
        return by->by_angle;
    default:
        return by->by_inertia;
    }
}

/* The shot of a row, without its impact. */
static int aim(const struct cf_request *q, size_t row, struct shot *at, struct cf_error *err)
{
    const double *numbers = q->value + cf_apparatus_value(q->law, 0);
    double angle = incidence(q->data, row) + numbers[CF_OBLIQUE_OFFSET];

    if (!(fabs(angle) < QUARTER))
        return cf_fail(err, CF_ERANGE,
                       "angle_offset %.4g deg turns an angle of %.4g deg to %.4g deg: the sphere "
                       "would not come to the plane",
                       degrees(numbers[CF_OBLIQUE_OFFSET]), degrees(incidence(q->data, row)),
                       degrees(angle));
    *at = (struct shot){.speed = cf_oblique_speed(q->data, row, numbers),
                        .sine = sin(angle),
                        .cosine = cos(angle),
                        .spin = cf_oblique_spin(q->data, row, numbers),
                        .inertia = numbers[CF_OBLIQUE_INERTIA],
                        .radius = q->data->pair.radius_m};
    at->v_n = at->speed * at->cosine;
    at->v_t = at->speed * at->sine;
    at->contact = (struct cf_oblique_contact){
        .input = {[CF_OBLIQUE_BY_NORMAL] = at->v_n,
                  [CF_OBLIQUE_BY_SLIP] = at->v_t - at->radius * at->spin,
                  [CF_OBLIQUE_BY_INERTIA] = at->inertia}};
    return CF_OK;
}

/* The derivatives of the impact that a request needs. */
static struct cf_oblique_slopes slopes_wanted(const struct cf_request *q,
                                              const struct cf_response *out)
{
    struct cf_oblique_slopes want = {.by_input = out->by_imposed != NULL};

    if (q->tolerance > 0)
        return (struct cf_oblique_slopes){0};
    for (size_t k = 0; out->by_value && k < q->nby; k++) {
        if (q->by[k] < q->law->nparam)
            want.param[want.nparam++] = q->by[k];
        else if (q->by[k] == cf_apparatus_value(q->law, CF_OBLIQUE_INERTIA))
            want.by_inertia = true;
        else
            want.by_input = true;
    }
    return want;
}

static int collide(struct cf_oblique_work *work, const struct cf_request *q,
                   const struct cf_oblique_slopes *slopes, struct shot *at, struct cf_error *err)
{
    const struct cf_pair *pair = &q->data->pair;

    if (q->law->friction->impulse)
        return cf_oblique_impulses(work->curves, q->law, q->value, pair, q->tolerance, &at->contact,
                                   err);
    if (!(q->tolerance > 0) && cf_oblique_is_planar(q->law))
        return cf_oblique_planar(q->law, q->value, pair, slopes, &at->contact, err);
    return cf_oblique_motion(work->scene, q->law, q->value, pair, q->tolerance, slopes,
                             &at->contact, err);
}

/* Row i of the request, at the impact found. */
static void respond(const struct cf_request *q, size_t i, const struct shot *at,
                    struct cf_response *out)
{
    for (size_t c = 0; c < q->nchannel; c++) {
        size_t to = i * q->nchannel + c;
        struct reading r = reader[q->channel[c]](at);
        struct imposed_slopes by = slopes_of(at, &r);

        out->y[to] = r.value;
        if (out->by_imposed)
            out->by_imposed[to] = by.by_angle;
        for (size_t k = 0; out->by_value && k < q->nby; k++)
            out->by_value[to * q->nby + k] =
                q->by[k] < q->law->nparam
                    ? by_param(at, &r, q->by[k])
                    : by_apparatus(q->data, q->row[i], q->by[k] - q->law->nparam, &by);
    }
}

static bool same_input(const struct cf_oblique_contact *a, const struct cf_oblique_contact *b)
{
    for (size_t i = 0; i < CF_OBLIQUE_NINPUT; i++)
        if (a->input[i] != b->input[i])
            return false;
    return true;
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    const struct cf_oblique_slopes slopes = slopes_wanted(q, out);
    struct shot at, last;
    int status = CF_OK;

    for (size_t i = 0; i < q->nrow && !status; i++) {
        status = aim(q, q->row[i], &at, err);
        if (!status && i > 0 && same_input(&at.contact, &last.contact)) /* shots are repeated */
            at.contact = last.contact;
        else if (!status)
            status = collide(work, q, &slopes, &at, err);
        if (!status)
            respond(q, i, &at, out);
        last = at;
    }
    return status;
}

static void close_work(void *work)
{
    struct cf_oblique_work *w = work;

    if (!w)
        return;
    cf_curves_free(w->curves);
    cf_oblique_scene_free(w->scene);
    free(w);
}

static void *open_work(struct cf_curves *curves)
{
    struct cf_oblique_work *work = calloc(1, sizeof *work);

    if (!work)
        return NULL;
    work->curves = cf_curves_view(curves);
    work->scene = cf_oblique_scene_alloc();
    if (work->curves && work->scene)
        return work;
    close_work(work);
    return NULL;
}

/* Bands and design points keep off 0, where nothing moves along the plane and e_t is 0/0, and off
 * 90 deg, where nothing comes to it. */
#define LEAST_ANGLE 1e-3
#define MOST_ANGLE 1.57

static const size_t condition[] = {CF_OBLIQUE_SPEED, CF_OBLIQUE_SPIN};

const struct cf_protocol cf_protocol_oblique = {
    .name = "oblique",
    .what = "oblique impacts of a sphere on a plane: what comes back along both, and the spin",
    .nchannel = CF_OBLIQUE_NCHANNEL,
    .channel = channel,
    .axis = {"angle", "rad", true, LEAST_ANGLE, MOST_ANGLE, "angles", "angle of incidence", NULL},
    .axis_channel = CF_OBLIQUE_ANGLE,
    .headline = CF_OBLIQUE_TANGENTIAL,
    .second_axis = CF_NO_CHANNEL,
    .ncondition = 2,
    .condition = condition,
    .one_event = true,
    .napparatus = CF_OBLIQUE_NAPPARATUS,
    .apparatus = apparatus,
    .begin_with = "e-constant",
    .begin_friction = "walton",
    .on_law =
        "# Impulses: a first look, in closed form. With the stiffness along the surface, kappa, for\n"
        "# which both bodies need youngs_modulus and poissons_ratio (or one of them rigid: true):\n"
        "#   law: azad-featherstone\n"
        "#   friction: clutch\n"
        "#   fit: {lambda: {}, mu: {}, kappa: {}, d_t: {}}\n"
        "#   fixed: {k: hertz, c_v: 0}\n",
    .on_data = "    # Where no column has them: apparatus: {speed: 3.9 m/s, spin: 0 rad/s}\n"
               "    # A plane that may be tilted, a scale of the spin that is not sure:\n"
               "    # nuisance: {angle_offset: {prior: {value: 0 deg, sigma: 0.5 deg}}, "
               "rebound_spin.gain: {}}\n",
    .check_row = check_row,
    .check_law = check_law,
    .imposed = imposed,
    .abscissa = incidence,
    .hand = cf_oblique_hand,
    .open = open_work,
    .close = close_work,
    .predict = predict,
};
