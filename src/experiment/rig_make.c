/* Channels and apparatus of a rig, from what it is made of. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "experiment/rig_parts.h"
#include "experiment/sensor_rows.h"
#include "motion/recorded.h"

const struct cf_rig *cf_rig_of(const struct cf_dataset *d)
{
    return (const struct cf_rig *) d->protocol;
}

size_t cf_rig_number(const struct cf_rig *rig, size_t sensor, enum cf_rig_number number)
{
    return rig->npath + CF_RIG_OF_SENSORS + sensor * CF_RIG_NNUMBER + number;
}

size_t cf_rig_cutoff(const struct cf_rig *rig, size_t i)
{
    return cf_rig_number(rig, rig->nsensor, (enum cf_rig_number) 0) + i;
}

double cf_rig_origin(const struct cf_rig *rig, double time_s)
{
    size_t i = rig->norigin - 1;

    while (i > 0 && rig->origin_s[i] > time_s)
        i--;
    return rig->origin_s[i];
}

void cf_rig_begin(const struct cf_rig *rig, struct cf_scene *scene, const double delay_s[],
                  double start_s)
{
    for (size_t i = 0; i < rig->nrecorded; i++)
        scene->body[rig->recorded[i]].delay_s = delay_s[i] - start_s;
}

const char *cf_rig_recorded(const struct cf_dataset *d, size_t i, double *from_s, double *to_s)
{
    const struct cf_rig *rig = cf_rig_of(d);
    const struct cf_rigid *body = i < rig->nrecorded ? &rig->base.body[rig->recorded[i]] : NULL;

    if (!body)
        return NULL;
    cf_trace_span(body->trace, from_s, to_s);
    *from_s += body->delay_s;
    *to_s += body->delay_s;
    return body->name;
}

static const char *keep_text(struct cf_rig *rig, char *text)
{
    if (text)
        rig->text[rig->ntext++] = text;
    return text;
}

static const char *const time_names[] = {"t elapsed_time timestamp stamp time_stamp", NULL};
const struct cf_channel_row cf_rig_time = {
    "time", "s", "of the record", CF_ROLE_IMPOSED, -1e12, 1e12, 0, time_names, "time", "t", false};

bool cf_rig_make_channels(struct cf_rig *rig, const struct cf_rig_parts *parts)
{
    static const char *const none[] = {NULL};
    const unsigned families =
        1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_FOUNDATION | 1u << CF_FAMILY_TANGENTIAL;

    rig->channel[CF_RIG_TIME] = cf_rig_time;
    for (size_t i = 0; i < parts->nchannel; i++) {
        const struct cf_rig_channel *c = &parts->channel[i];
        const char *name = keep_text(rig, cf_format("%s", c->name));
        const char *what = keep_text(rig, cf_format("%s", c->what));
        const char *unit = keep_text(rig, cf_format("%s", c->unit));
        if (!name || !what || !unit)
            return false;
        rig->sensor[i] = c->channel;
        rig->channel[CF_RIG_FIRST_SENSOR + i] = (struct cf_channel_row){
            name, unit, what, CF_ROLE_MEASURED, -1e12, 1e12, families, none, what, NULL, true};
    }
    return true;
}

/* Where a fit looks for a number of the scene: as its law's row says where it is a law's, by
 * factors of a hundred where it cannot be 0 or less, else as far to both sides as such numbers are
 * large. */
static struct cf_param range_of(const struct cf_rig *rig, size_t i, const char *name,
                                const char *unit)
{
    static const double FACTOR = 100, SIZES = 10;
    const struct cf_scene_path *path = &rig->path[i];
    const struct cf_scene_number *alone = cf_scene_path_alone(path, &rig->numbers);
    const struct cf_contact_pair *pair = NULL;
    struct cf_param row = {
        name, unit, -1e300, 1e300, 0, 0, path->value, CF_SCALE_LINEAR, "number of the scene"};
    double size = cf_scene_path_size(path, &rig->base);

    if (alone && (alone->wrt.kind == CF_WRT_LAW || alone->wrt.kind == CF_WRT_FRICTION)) {
        pair = &rig->base.pair[alone->wrt.index];
        row = (alone->wrt.kind == CF_WRT_LAW ? pair->law->param
                                             : pair->friction->param)[alone->wrt.part];
        row.name = name;
        row.typical = path->value;
        return row;
    }
    if (alone && path->value > 0 &&
        (alone->wrt.kind == CF_WRT_MASS || alone->wrt.kind == CF_WRT_LOAD ||
         (alone->wrt.kind == CF_WRT_SPRING && alone->wrt.part < 2) ||
         alone->wrt.kind == CF_WRT_ACCOMMODATION)) {
        row.lower = 0;
        row.scale = CF_SCALE_LOG;
        row.fit_lower = path->value / FACTOR;
        row.fit_upper = path->value * FACTOR;
        return row;
    }
    row.fit_lower = path->value - SIZES * size;
    row.fit_upper = path->value + SIZES * size;
    return row;
}

static const struct cf_param of_sensors[CF_RIG_NNUMBER] = {
    [CF_RIG_DELAY] = CF_SENSOR_DELAY_ROW("delay"),
    [CF_RIG_BANDWIDTH] = CF_SENSOR_BANDWIDTH_ROW("bandwidth"),
    [CF_RIG_ORDER] = CF_SENSOR_ORDER_ROW("order"),
};

static const struct cf_param of_clock = {"start",
                                         "s",
                                         -1e12,
                                         1e12,
                                         -1e3,
                                         1e3,
                                         0,
                                         CF_SCALE_LINEAR,
                                         "time of the record at which the scene begins"};

static const struct cf_param of_smoothing = {
    NULL, "Hz", 0, 1e12, 1e-3, 1e9, 0, CF_SCALE_LOG, "at which the recorded motion is smoothed"};

bool cf_rig_is_sensors(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool is = strcmp(name, of_clock.name) == 0;

    for (int k = 0; dot && k < CF_RIG_NNUMBER && !is; k++)
        is = strcmp(dot + 1, of_sensors[k].name) == 0;
    return is;
}

bool cf_rig_make_apparatus(struct cf_rig *rig, const struct cf_rig_parts *parts)
{
    for (size_t i = 0; i < rig->npath; i++) {
        const char *name = keep_text(rig, cf_format("%s", parts->path[i].name));
        const char *unit = keep_text(rig, cf_format("%s", parts->path[i].unit));
        if (!name || !unit)
            return false;
        rig->apparatus[i] = range_of(rig, i, name, unit);
    }
    rig->apparatus[rig->npath + CF_RIG_START] = of_clock;
    for (size_t s = 0; s < rig->nsensor; s++)
        for (int k = 0; k < CF_RIG_NNUMBER; k++) {
            struct cf_param *row = &rig->apparatus[cf_rig_number(rig, s, (enum cf_rig_number) k)];
            *row = of_sensors[k];
            row->name =
                keep_text(rig, cf_format("%s.%s", parts->channel[s].name, of_sensors[k].name));
            if (!row->name)
                return false;
        }
    for (size_t i = 0; i < rig->nsmooth; i++) {
        struct cf_param *row = &rig->apparatus[cf_rig_cutoff(rig, i)];
        *row = of_smoothing;
        row->typical = rig->smooth[i].cutoff_Hz;
        row->name = keep_text(
            rig, cf_format("bodies.%s.trace.smoothing", rig->base.body[rig->smooth[i].body].name));
        if (!row->name)
            return false;
    }
    return true;
}
