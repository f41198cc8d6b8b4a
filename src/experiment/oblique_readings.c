/* Readings of oblique impacts: what instruments show of an impact, and all derivatives. The
 * formulas are in oblique.c.
 */

#include <math.h>
#include <stdlib.h>

#include "experiment/oblique_planar.h"

double cf_degrees(double rad)
{
    return rad * 180 / CF_HALF_TURN;
}

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

double cf_oblique_angle(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_OBLIQUE_ANGLE);
}

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
    double angle = cf_oblique_angle(q->data, row) + numbers[CF_OBLIQUE_OFFSET];

    if (!(fabs(angle) < CF_QUARTER))
        return cf_fail(err, CF_ERANGE,
                       "angle_offset %.4g deg turns an angle of %.4g deg to %.4g deg: the sphere "
                       "would not come to the plane",
                       cf_degrees(numbers[CF_OBLIQUE_OFFSET]),
                       cf_degrees(cf_oblique_angle(q->data, row)), cf_degrees(angle));
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

int cf_oblique_predict(void *work, const struct cf_request *q, struct cf_response *out,
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

void cf_oblique_close(void *work)
{
    struct cf_oblique_work *w = work;

    if (!w)
        return;
    cf_curves_free(w->curves);
    cf_oblique_scene_free(w->scene);
    free(w);
}

void *cf_oblique_open(struct cf_curves *curves)
{
    struct cf_oblique_work *work = calloc(1, sizeof *work);

    if (!work)
        return NULL;
    work->curves = cf_curves_view(curves);
    work->scene = cf_oblique_scene_alloc();
    if (work->curves && work->scene)
        return work;
    cf_oblique_close(work);
    return NULL;
}
