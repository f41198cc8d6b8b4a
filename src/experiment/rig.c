#include "experiment/rig_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/rows.h"
#include "motion/motion.h"
#include "motion/recorded.h"

/* Of fits. Derivatives are right to some 1e-4 of the largest of their kind then (motion.h), which
 * moves an optimum by that part of its standard errors. */
static const double FIT_TOLERANCE = 1e-8;

/* Other starts of a fit lie within this factor of what the scene has, or as far to both sides. */
static const double START_FACTOR = 10;

/* ---- rows and laws */

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return CF_RIG_TIME;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_RIG_TIME);
}

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    const struct cf_rig *rig = cf_rig_of(d);
    double start = rig->origin_s[0] + d->apparatus[rig->npath + CF_RIG_START];

    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_RIG_TIME))
        return cf_fail(err, CF_EINPUT, "no time: a record's rows have one each");
    if (!rig->segmented && cf_dataset_value(d, row, CF_RIG_TIME) < start)
        return cf_fail(err, CF_EINPUT,
                       "time %.9g s: the scene begins at %.9g s of the record (apparatus: {start: "
                       "})",
                       cf_dataset_value(d, row, CF_RIG_TIME), start);
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    const struct cf_rig *rig = cf_rig_of(d);
    bool loaded = false, volume = law->family == CF_FAMILY_FOUNDATION;

    if (law->family != CF_FAMILY_NORMAL && law->family != CF_FAMILY_TANGENTIAL && !volume)
        return cf_fail(err, CF_EINPUT,
                       "%s has no force over time: a motion needs one such as azad-featherstone, "
                       "or friction such as bristle",
                       law->name);
    if (law->friction && law->friction->impulse)
        return cf_fail(err, CF_EINPUT,
                       "friction %s is of rigid impacts, and has no force over time: bristle and "
                       "clutch have",
                       law->friction->name);
    for (size_t i = 0; i < rig->npair; i++) {
        const struct cf_contact_pair *pair = &rig->base.pair[rig->pair[i]];
        loaded = loaded || (pair->law && pair->law->family == law->family);
        if (law->friction && cf_pair_is_patch(pair) && !law->friction->over_area)
            return cf_fail(err, CF_EINPUT,
                           "contact %s is over a volume, for which friction %s has no form: "
                           "bristle, coulomb and viscous-load have",
                           pair->name, law->friction->name);
    }
    if (rig->known && (!rig->npair || (law->family != CF_FAMILY_TANGENTIAL && !loaded)))
        return cf_fail(err, CF_EINPUT, "no contact of the scene has a %s over which %s could stand",
                       volume                            ? "foundation"
                       : law->family == CF_FAMILY_NORMAL ? "normal law"
                                                         : "load or normal law",
                       law->name);
    /* does it carry derivatives at all? By any number that every scene has */
    return cf_wrt_check(&rig->base, 1, &(struct cf_wrt){CF_WRT_GRAVITY, 0, 0}, err);
}

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    const struct cf_rig *rig = cf_rig_of(d);
    size_t behind = rig->npath + CF_RIG_OF_SENSORS;

    if (parameter >= behind && (parameter - behind) % CF_RIG_NNUMBER == CF_RIG_ORDER)
        return cf_fail(err, CF_EINPUT, "%s is 1 or 2: state it under apparatus",
                       d->protocol->apparatus[parameter].name);
    return CF_OK;
}

/* ---- starts: what the scene says */

static struct cf_hand start_at(const struct cf_param *row, double value)
{
    if (row->scale == CF_SCALE_LOG && value > 0)
        return (struct cf_hand){value, START_FACTOR};
    return (struct cf_hand){value,
                            value != 0 ? fabs(value) : (row->fit_upper - row->fit_lower) / 2};
}

/* The parameter of a contact's own laws that has this name and unit. */
static bool find_own(const struct cf_contact_pair *pair, const struct cf_param *row, double *value)
{
    const struct {
        size_t n;
        const struct cf_param *row;
        const double *p;
    } own[] = {{pair->law ? pair->law->nparam : 0, pair->law ? pair->law->param : NULL, pair->p},
               {pair->friction ? pair->friction->nparam : 0,
                pair->friction ? pair->friction->param : NULL, pair->friction_p}};

    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        size_t i = own[k].n ? cf_param_find(own[k].row, own[k].n, row->name) : 0;
        if (i >= own[k].n || strcmp(own[k].row[i].unit, row->unit) != 0)
            continue;
        *value = own[k].p[i];
        return true;
    }
    return false;
}

static int hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                struct cf_error *err)
{
    const struct cf_rig *rig = cf_rig_of(d);

    for (size_t i = 0; i < law->nparam; i++) {
        double value = 0;
        bool found = false;
        for (size_t m = 0; m < rig->npair && !found; m++)
            found = find_own(&rig->base.pair[rig->pair[m]], &law->param[i], &value);
        if (found)
            start[i] = start_at(&law->param[i], value);
    }
    (void) err;
    return CF_OK;
}

/* ---- making */

/* The recorded motions of the scene that are smoothed. */
static bool find_smooth(struct cf_rig *rig, const struct cf_scene *scene)
{
    struct cf_trace_smoothness s;

    rig->smooth = calloc((scene ? scene->nbody : 0) + 1, sizeof *rig->smooth);
    for (size_t b = 0; rig->smooth && scene && b < scene->nbody; b++)
        if (scene->body[b].trace && cf_trace_smoothness(scene->body[b].trace, &s))
            rig->smooth[rig->nsmooth++] = (struct cf_rig_smooth){b, s.cutoff_Hz};
    return rig->smooth != NULL;
}

static bool make_room(struct cf_rig *rig, const struct cf_rig_parts *parts)
{
    size_t napparatus = parts->npath + CF_RIG_OF_SENSORS + parts->nchannel * CF_RIG_NNUMBER;

    if (!find_smooth(rig, parts->scene))
        return false;
    rig->origin_s = calloc(parts->nsegment + 1, sizeof *rig->origin_s);
    if (!rig->origin_s)
        return false;
    rig->segmented = parts->nsegment > 0;
    if (!rig->segmented || parts->segment[0].joins)
        rig->norigin = 1;
    for (size_t i = 0; i < parts->nsegment; i++)
        if (!parts->segment[i].joins)
            rig->origin_s[rig->norigin++] = parts->segment[i].from_s;
    rig->protocol.nsmoothing = rig->nsmooth;
    rig->protocol.smoothing = napparatus;
    napparatus += rig->nsmooth;

    rig->nsensor = parts->nchannel;
    rig->npair = parts->npair;
    rig->sensor = calloc(parts->nchannel + 1, sizeof *rig->sensor);
    rig->channel = calloc(parts->nchannel + CF_RIG_FIRST_SENSOR, sizeof *rig->channel);
    rig->apparatus = calloc(napparatus, sizeof *rig->apparatus);
    rig->pair = calloc(parts->npair + 1, sizeof *rig->pair);
    rig->recorded = calloc(parts->nrecorded + 1, sizeof *rig->recorded);
    rig->path = calloc(parts->npath + 1, sizeof *rig->path);
    rig->text = calloc(napparatus + 3 * parts->nchannel + parts->npath, sizeof *rig->text);
    rig->protocol.napparatus = napparatus;
    return rig->sensor && rig->channel && rig->apparatus && rig->pair && rig->recorded &&
           rig->path && rig->text;
}

const struct cf_protocol cf_protocol_log = {
    .name = "log",
    .what = "a record of any scene: channels over time",
    .nchannel = 1,
    .channel = &cf_rig_time,
    .by_scene = true,
    .axis = {"time", "s", true, -1e12, 1e12, "times", "time", "t", false},
    .axis_channel = CF_RIG_TIME,
    .headline = CF_RIG_FIRST_SENSOR,
    .bodiless = true,
    .record = true,
    .whole = true,
    .clock = CF_RIG_TIME,
    .on_misfit = "free what of the rig may not be known, under nuisance: a bias, gain or delay of "
                 "a channel, a height or tilt, a stiffness in series",
    .on_bias = "have the scene integrated finer, solver: {tolerance: 1e-10}",
    .check_row = check_row,
    .check_law = check_law,
    .check_free = check_free,
    .imposed = imposed,
    .abscissa = abscissa,
    .hand = hand,
    .open = cf_rig_open,
    .close = cf_rig_close,
    .predict = cf_rig_predict,
};

/* What a run of the scene as it is costs, in steps per second. */
static int count_steps(struct cf_rig *rig, double start_s, struct cf_error *err)
{
    struct cf_motion_options options = cf_motion_defaults;
    struct cf_motion_result result;
    struct cf_error why;
    double *delay_s = calloc(rig->nrecorded + 1, sizeof *delay_s);

    if (!delay_s)
        return cf_fail(err, CF_ENOMEM, "no memory for the motions of a scene");
    for (size_t i = 0; i < rig->nrecorded; i++)
        delay_s[i] = rig->base.body[rig->recorded[i]].delay_s;
    options.tolerance = rig->tolerance;
    options.max_steps = CF_RIG_STEPS_UNKNOWN;
    cf_rig_begin(rig, &rig->base, delay_s, start_s);
    int status = cf_motion_run(&rig->base, &options, &result, &why);
    if (!status)
        rig->steps_per_s = (double) result.steps / rig->base.duration_s;
    cf_rig_begin(rig, &rig->base, delay_s, 0);
    free(delay_s);
    return cf_status_ends(status) ? cf_fail(err, status, "%s", why.text) : CF_OK;
}

struct cf_rig *cf_rig_make(const struct cf_rig_parts *parts, struct cf_error *err)
{
    struct cf_rig *rig = calloc(1, sizeof *rig);
    struct cf_protocol made;
    int status;

    if (!rig || !make_room(rig, parts)) {
        cf_rig_free(rig);
        cf_fail(err, CF_ENOMEM, "no memory for a scene's experiment");
        return NULL;
    }
    made = rig->protocol;
    rig->protocol = cf_protocol_log;
    rig->protocol.nchannel = CF_RIG_FIRST_SENSOR + parts->nchannel;
    rig->protocol.channel = rig->channel;
    rig->protocol.napparatus = made.napparatus;
    rig->protocol.nsmoothing = made.nsmoothing;
    rig->protocol.smoothing = made.smoothing;
    rig->protocol.apparatus = rig->apparatus;
    rig->tolerance = parts->tolerance > 0 ? parts->tolerance : FIT_TOLERANCE;
    if (parts->npair)
        memcpy(rig->pair, parts->pair, parts->npair * sizeof *rig->pair);
    rig->nrecorded = parts->nrecorded;
    if (parts->nrecorded)
        memcpy(rig->recorded, parts->recorded, parts->nrecorded * sizeof *rig->recorded);
    rig->known = parts->scene != NULL;
    status = rig->known ? cf_scene_copy(&rig->base, parts->scene, err) : CF_OK;
    if (!status)
        status = cf_scene_numbers_make(&rig->numbers, &rig->base, err);
    if (!status) {
        for (; rig->npath < parts->npath; rig->npath++) {
            rig->path[rig->npath] = parts->path[rig->npath].path;
            parts->path[rig->npath].path = (struct cf_scene_path){.value = 0};
        }
        if (!cf_rig_make_channels(rig, parts) || !cf_rig_make_apparatus(rig, parts))
            status = cf_fail(err, CF_ENOMEM, "no memory for a scene's experiment");
    }
    if (!status) {
        rig->max_steps = parts->max_steps;
        if (rig->known && !rig->max_steps)
            status = count_steps(rig, rig->origin_s[0] + parts->start_s, err);
    }
    if (!status)
        status = cf_dataset_check(&rig->protocol, err);
    if (!status)
        return rig;
    cf_rig_free(rig);
    return NULL;
}

void cf_rig_free(struct cf_rig *rig)
{
    if (!rig)
        return;
    for (size_t i = 0; i < rig->npath; i++)
        cf_scene_path_clear(&rig->path[i]);
    for (size_t i = 0; i < rig->ntext; i++)
        free(rig->text[i]);
    cf_scene_numbers_free(&rig->numbers);
    cf_scene_copy_free(&rig->base);
    free(rig->path);
    free(rig->sensor);
    free(rig->channel);
    free(rig->apparatus);
    free(rig->pair);
    free(rig->recorded);
    free(rig->smooth);
    free(rig->origin_s);
    free(rig->text);
    free(rig);
}

const struct cf_protocol *cf_rig_protocol(const struct cf_rig *rig)
{
    return &rig->protocol;
}
