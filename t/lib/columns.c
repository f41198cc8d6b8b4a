#include "columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion/sensitivity.h"
#include "motion/values.h"

/* Times at which columns are compared, and, more of them, at which their size is taken. */
enum { TIMES = 32, MORE = 12, ALL = TIMES * MORE };

const double columns_tolerance[COLUMNS_TOLERANCES] = {1e-8, 1e-10};

/* A number that moves a value by less than this part of it is not compared. */
static const double FELT = 1e-6;

/* Differences that two steps settle to this part of what is asked for are believed. */
static const double SETTLED = 0.3;
static const double wanted[COLUMNS_TOLERANCES] = {1e-4, 1e-6};

double *columns_number(struct cf_scene *scene, const struct cf_wrt *w)
{
    struct cf_contact_pair *pair = &scene->pair[w->index];
    struct cf_rigid *body = &scene->body[w->index];
    struct cf_accommodation *a = &body->accommodation;

    switch (w->kind) {
    case CF_WRT_LAW:
        return &pair->p[w->part];
    case CF_WRT_FRICTION:
        return &pair->friction_p[w->part];
    case CF_WRT_TARGET:
        return &pair->e_param[w->part];
    case CF_WRT_LOAD:
        return pair->load.n > 0 ? &pair->load.value[w->part] : &pair->load_N;
    case CF_WRT_LOAD_TIME:
        return &pair->load.time_s[w->part];
    case CF_WRT_MASS:
        return &body->mass_kg;
    case CF_WRT_GRAVITY:
        return &scene->gravity_m_s2[w->part];
    case CF_WRT_POSITION:
        return &body->position_m[w->part];
    case CF_WRT_VELOCITY:
        return &body->velocity_m_s[w->part];
    case CF_WRT_SPIN:
        return &body->spin_rad_s[w->part];
    case CF_WRT_ANGLE:
        return &scene->chain.link[w->index].angle_rad;
    case CF_WRT_RATE:
        return &scene->chain.link[w->index].rate_rad_s;
    case CF_WRT_SPRING: {
        struct cf_tether *spring = &scene->tether[w->index];
        return w->part == 0   ? &spring->stiffness_N_m
               : w->part == 1 ? &spring->damping_N_s_m
                              : &spring->anchor_m[w->part - 2];
    }
    case CF_WRT_FORCE:
        return &scene->force[w->index].force.value[w->part];
    case CF_WRT_FORCE_TIME:
        return &scene->force[w->index].force.time_s[w->part];
    case CF_WRT_ACCOMMODATION:
        return w->part == 0 ? &a->yield_m_s_N : w->part == 1 ? &a->dead_band_N : &a->lag_s;
    case CF_WRT_COMMAND:
        return &a->leg[w->part / 3].velocity_m_s[w->part % 3];
    case CF_WRT_COMMAND_TIME:
        return &a->leg[w->part].from_s;
    default:
        return NULL;
    }
}

static void turn(double v[3], size_t axis, double angle)
{
    size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
    double a = v[i], b = v[j];

    v[i] = cos(angle) * a - sin(angle) * b;
    v[j] = sin(angle) * a + cos(angle) * b;
}

static void shift_solid(struct cf_scene *scene, const struct cf_wrt *w, double h)
{
    const struct cf_contact_pair *pair = &scene->pair[w->index];
    struct cf_solid *solid = &scene->body[pair->body[1]].solid[pair->solid];

    if (w->kind == CF_WRT_SOLID_TILT) {
        for (int i = 0; i < CF_SHAPE_DIRECTIONS; i++)
            turn(solid->direction[i], w->part, h);
    } else if (solid->shape->point) {
        solid->point_m[w->part] += h;
    } else { /* a plane */
        solid->size[0] += h * solid->direction[0][w->part];
    }
}

void columns_shift(struct cf_scene *scene, const struct cf_wrt *w, double h)
{
    double axis[3] = {0}, q[4], *number = columns_number(scene, w);

    if (w->kind == CF_WRT_TILT) {
        axis[w->part] = 1;
        cf_attitude_spun(scene->body[w->index].attitude, axis, h, q);
        memcpy(scene->body[w->index].attitude, q, sizeof q);
    } else if (!number) {
        shift_solid(scene, w, h);
    } else if (w->kind == CF_WRT_MASS) {
        double share = 1 + h / *number;
        for (int k = 0; k < 3; k++)
            scene->body[w->index].inertia_kg_m2[k] *= share;
        for (size_t i = 0; i < scene->chain.nlink; i++)
            if (scene->chain.link[i].body == w->index)
                scene->chain.link[i].inertia_kg_m2 *= share;
        *number += h;
    } else {
        *number += h;
    }
}

/* The first leg of a command begins with the run; those that never come have no columns. */
static bool of_the_run(const struct cf_scene *scene, const struct cf_wrt *w)
{
    const struct cf_accommodation *a;
    size_t leg = w->kind == CF_WRT_COMMAND ? w->part / 3 : w->part;

    if (w->kind == CF_WRT_DELAY)
        return false;
    if (w->kind != CF_WRT_COMMAND && w->kind != CF_WRT_COMMAND_TIME)
        return true;
    a = &scene->body[w->index].accommodation;
    return a->leg[leg].from_s < scene->duration_s &&
           (w->kind == CF_WRT_COMMAND || a->leg[leg].from_s > 0);
}

static void list_numbers(struct columns *columns, const struct cf_scene *scene)
{
    enum { INDICES = 8, PARTS = 12 };

    for (int kind = 0; kind < CF_NWRT; kind++)
        for (size_t i = 0; i < INDICES; i++)
            for (size_t part = 0; part < PARTS; part++) {
                const struct cf_wrt w = {(enum cf_wrt_kind) kind, i, part};
                struct cf_error err;
                if (!cf_wrt_check(scene, 1, &w, &err) && of_the_run(scene, &w) &&
                    columns->nnumber < COLUMNS_NUMBERS)
                    columns->number[columns->nnumber++] = w;
            }
}

static void list_channels(struct columns *columns, const struct cf_scene *scene)
{
    enum { INDICES = 8, PARTS = 4 };

    for (int kind = 0; kind < CF_NCHANNEL; kind++)
        for (size_t i = 0; i < INDICES; i++)
            for (size_t part = 0; part < PARTS; part++) {
                const struct cf_motion_channel channel = {(enum cf_channel_kind) kind, i, part};
                struct cf_error err;
                bool fixed = kind < CF_CHANNEL_ANGLE && i < scene->nbody &&
                             scene->body[i].drive == CF_DRIVE_FIXED;
                if (!fixed && !cf_channel_check(scene, 1, &channel, &err) &&
                    columns->nchannel < COLUMNS_CHANNELS)
                    columns->channel[columns->nchannel++] = channel;
            }
}

struct keeper {
    const struct columns *columns;
    double *by, *value;
    size_t seen;
};

static void keep(void *observer, const struct cf_values *at)
{
    struct keeper *keeper = observer;
    size_t n = keeper->columns->nchannel, all = n * keeper->columns->nnumber;

    if (keeper->by)
        memcpy(keeper->by + at->sample * all, at->by, all * sizeof *at->by);
    if (keeper->value)
        memcpy(keeper->value + at->sample * n, at->value, n * sizeof *at->value);
    keeper->seen++;
}

static void measure(struct columns *columns, const double value[])
{
    size_t n = columns->nchannel;

    for (size_t k = 0; k < ALL * n; k++) {
        const struct cf_motion_channel *channel = &columns->channel[k % n];
        for (size_t i = 0; i < n; i++)
            if (columns->channel[i].kind == channel->kind &&
                columns->channel[i].index == channel->index)
                columns->size[i] = fmax(columns->size[i], fabs(value[k]));
    }
}

void columns_list(struct columns *columns, struct stage *stage)
{
    memset(columns, 0, sizeof *columns);
    columns->stage = stage;
    list_numbers(columns, &stage->file->scene);
    list_channels(columns, &stage->file->scene);
}

void columns_thin(struct columns *columns, size_t first, size_t step)
{
    size_t n = 0;

    for (size_t i = first; i < columns->nnumber; i += step)
        columns->number[n++] = columns->number[i];
    columns->nnumber = n;
}

bool columns_carry(struct columns *columns)
{
    struct stage *stage = columns->stage;
    const struct cf_scene *scene = &stage->file->scene;
    bool good = true;

    size_t all = columns->nnumber * columns->nchannel;
    double *value = calloc(ALL * columns->nchannel, sizeof *value);
    columns->time_s = calloc(ALL, sizeof *columns->time_s);
    for (int i = 0; i < ALL; i++)
        columns->time_s[i] = scene->duration_s * (i + 0.618) / ALL;
    for (int q = 0; q < COLUMNS_TOLERANCES && good; q++) {
        struct keeper keeper = {.columns = columns};
        struct cf_motion_options options = {.tolerance = columns_tolerance[q],
                                            .nwrt = columns->nnumber,
                                            .wrt = columns->number,
                                            .ntime = ALL,
                                            .time_s = columns->time_s,
                                            .on_values = keep,
                                            .nchannel = columns->nchannel,
                                            .channel = columns->channel,
                                            .observer = &keeper};
        struct cf_motion_result result;
        columns->by[q] = keeper.by = calloc(ALL * all + 1, sizeof *keeper.by);
        keeper.value = value;
        good = cf_motion_run(scene, &options, &result, &stage->err) == CF_OK && keeper.seen == ALL;
        columns->steps[q] = result.steps;
        for (size_t k = 0; k < ALL * all && good; k++)
            good = isfinite(keeper.by[k]) ||
                   columns->channel[k % columns->nchannel].kind == CF_CHANNEL_SURFACE;
    }
    measure(columns, value);
    free(value);
    for (size_t k = 0; k < ALL * all && good; k++) {
        size_t at = k % all;
        double *most = &columns->most[at / columns->nchannel][at % columns->nchannel];
        *most = fmax(*most, fabs(columns->by[1][k]));
    }
    return good;
}

bool columns_run(struct columns *columns, struct stage *stage)
{
    columns_list(columns, stage);
    return columns_carry(columns);
}

/* Values at all compared times, of a run with a number shifted. */
static bool shifted(struct columns *columns, size_t number, double h, double value[])
{
    struct cf_scene *scene = &columns->stage->file->scene;
    struct keeper keeper = {.columns = columns, .value = value};
    double time_s[TIMES];
    struct cf_motion_options options = {.tolerance = 1e-13,
                                        .ntime = TIMES,
                                        .time_s = time_s,
                                        .on_values = keep,
                                        .nchannel = columns->nchannel,
                                        .channel = columns->channel,
                                        .observer = &keeper};
    struct cf_motion_result result;
    struct cf_error err;
    int status;

    for (int i = 0; i < TIMES; i++)
        time_s[i] = columns->time_s[i * MORE];
    columns_shift(scene, &columns->number[number], h);
    status = cf_motion_run(scene, &options, &result, &err);
    columns_shift(scene, &columns->number[number], -h);
    return status == CF_OK;
}

/* Is a difference by a step as one by a smaller step, as far as that is known? Where it is not, the
 * number's range is straight only within the smaller one. */
static bool agrees(double a, double b, double b_unsure)
{
    return !(fabs(a - b) > 3 * b_unsure);
}

/* The differences by a step and by twice as much, of the size that they agree best by: and how far
 * they do. */
static void difference(struct columns *columns, size_t number, double want[], double unsure[])
{
    static const double step[] = {2e-6, 3e-5, 3e-4}; /* growing */
    size_t n = columns->nchannel, all = TIMES * n;
    double size = cf_wrt_size(&columns->stage->file->scene, &columns->number[number]);
    double *value[4];

    for (int i = 0; i < 4; i++)
        value[i] = malloc(all * sizeof *value[i]);
    for (size_t k = 0; k < all; k++)
        unsure[k] = INFINITY;
    for (int e = 0; e < 3; e++) {
        double h = step[e] * size;
        if (!shifted(columns, number, h, value[0]) || !shifted(columns, number, -h, value[1]) ||
            !shifted(columns, number, 2 * h, value[2]) ||
            !shifted(columns, number, -2 * h, value[3]))
            continue;
        for (size_t k = 0; k < all; k++) {
            double once = (value[0][k] - value[1][k]) / (2 * h);
            double twice = (value[2][k] - value[3][k]) / (4 * h);
            double apart = fabs(once - twice) + 1e-12 * fabs(value[0][k]) / h;
            if (!(apart < unsure[k]) || !agrees((4 * once - twice) / 3, want[k], unsure[k]))
                continue;
            unsure[k] = apart;
            want[k] = (4 * once - twice) / 3;
        }
    }
    for (int i = 0; i < 4; i++)
        free(value[i]);
}

/* Does a number move a channel by enough to be compared? */
static bool is_felt(const struct columns *columns, size_t number, size_t channel)
{
    double size = cf_wrt_size(&columns->stage->file->scene, &columns->number[number]);

    return columns->most[number][channel] * size > FELT * columns->size[channel];
}

void columns_compare(struct columns *columns, size_t number, struct columns_worst *worst)
{
    size_t n = columns->nchannel, all = n * columns->nnumber, felt = 0;

    for (size_t c = 0; c < n; c++)
        felt += is_felt(columns, number, c);
    if (felt == 0) /* no runs for nothing */
        return;
    double *want = calloc(TIMES * n, sizeof *want), *unsure = calloc(TIMES * n, sizeof *unsure);
    difference(columns, number, want, unsure);
    for (size_t k = 0; k < TIMES * n; k++) {
        size_t c = k % n, at = k / n * MORE * all + number * n + c;
        double most = columns->most[number][c];
        bool inner = columns->channel[c].kind == CF_CHANNEL_FRICTION ||
                     columns->channel[c].kind >= CF_CHANNEL_BRISTLE;
        if (!is_felt(columns, number, c))
            continue;
        for (int q = 0; q < COLUMNS_TOLERANCES; q++) {
            double off = fabs(columns->by[q][at] - want[k]) / most;
            if (!(unsure[k] <= SETTLED * wanted[q] * most)) {
                worst->unsure++;
                continue;
            }
            worst->compared++;
            if (inner) {
                worst->inner[q] = fmax(worst->inner[q], off);
            } else if (off > worst->off[q]) {
                worst->off[q] = off;
                worst->number[q] = number;
                worst->channel[q] = c;
                worst->time_s[q] = columns->time_s[k / n * MORE];
                worst->want[q] = want[k];
                worst->found[q] = columns->by[q][at];
            }
        }
    }
    free(want);
    free(unsure);
}

void columns_free(struct columns *columns)
{
    free(columns->time_s);
    for (int q = 0; q < COLUMNS_TOLERANCES; q++)
        free(columns->by[q]);
    memset(columns, 0, sizeof *columns);
}

const char *columns_name(const struct cf_wrt *number)
{
    static const char *const kinds[CF_NWRT] = {
        "law",           "friction", "target",       "load",     "load time", "place of solid",
        "tilt of solid", "mass",     "gravity",      "position", "velocity",  "spin",
        "tilt",          "angle",    "rate",         "spring",   "force",     "force time",
        "accommodation", "command",  "command time", "delay"};
    static char text[80];

    snprintf(text, sizeof text, "%s %zu of %zu", kinds[number->kind], number->part, number->index);
    return text;
}
