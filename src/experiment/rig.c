#include "experiment/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "experiment/rows.h"

/* Of fits. Derivatives are right to some 1e-4 of the largest of their kind then (motion.h), which
 * moves an optimum by that part of its standard errors. */
static const double FIT_TOLERANCE = 1e-8;

/* Where a search goes astray a scene may become so stiff that a run takes hours: one that needs so
 * many times the steps of the scene as its file has it fails, and costs its start alone. At least
 * so many are allowed; and so many where the scene itself cannot be run. A scene's own max-steps
 * stands over all of it. */
static const double STEPS_FACTOR = 20;
enum { LEAST_STEPS = 5000, STEPS_UNKNOWN = 200000 };

/* Other starts of a fit lie within this factor of what the scene has, or as far to both sides. */
static const double START_FACTOR = 10;

enum { TIME = 0, FIRST_SENSOR = 1 };

/* Of the apparatus, behind the paths. */
enum { START, FIRST_OF_SENSORS };
enum of_sensor { DELAY, BANDWIDTH, ORDER, NOF_SENSOR };

struct cf_rig {
    struct cf_protocol protocol; /* first: a data set's protocol is its rig */
    bool known;                  /* its scene is */
    struct cf_scene base;
    struct cf_scene_numbers numbers; /* of base */
    size_t npath, nsensor, npair;
    struct cf_scene_path *path;
    struct cf_motion_channel *sensor;
    size_t *pair;
    double tolerance;
    size_t max_steps;   /* stated; 0: by */
    double steps_per_s; /* those of the scene as it is; 0: not known */
    struct cf_channel_row *channel;
    struct cf_param *apparatus;
    char **text; /* names that are made here */
    size_t ntext;
};

static const struct cf_rig *rig_of(const struct cf_dataset *d)
{
    return (const struct cf_rig *) d->protocol;
}

/* ---- one worker's scene */

struct work {
    const struct cf_rig *rig; /* that it was copied of; NULL: of none yet */
    struct cf_scene scene;
    struct cf_scene_numbers numbers;
};

static void *open_work(struct cf_curves *curves)
{
    (void) curves;
    return calloc(1, sizeof(struct work));
}

static void forget(struct work *w)
{
    cf_scene_numbers_free(&w->numbers);
    cf_scene_copy_free(&w->scene);
    w->rig = NULL;
}

static void close_work(void *work)
{
    forget(work);
    free(work);
}

/* The scene as the file says. */
static int restore(struct work *w, const struct cf_rig *rig, struct cf_error *err)
{
    int status = CF_OK;

    if (w->rig != rig) {
        forget(w);
        status = cf_scene_copy(&w->scene, &rig->base, err);
        if (!status)
            status = cf_scene_numbers_make(&w->numbers, &w->scene, err);
        w->rig = status ? NULL : rig;
        return status;
    }
    for (size_t m = 0; m < rig->base.npair; m++) {
        /* laws first: the list of numbers is that of the scene's own */
        struct cf_contact_pair *pair = &w->scene.pair[m];
        struct cf_course load = pair->load;
        *pair = rig->base.pair[m];
        pair->load = load;
    }
    for (size_t i = 0; i < w->numbers.n; i++)
        *w->numbers.number[i].at = *rig->numbers.number[i].at;
    for (size_t b = 0; b < rig->base.nbody; b++)
        memcpy(w->scene.body[b].attitude, rig->base.body[b].attitude,
               sizeof rig->base.body[b].attitude);
    return CF_OK;
}

/* The study's law stands over the scene's. */
static void put_law(const struct cf_rig *rig, struct cf_scene *scene, const struct cf_law *law,
                    const double value[])
{
    const struct cf_law *normal = law->family == CF_FAMILY_NORMAL ? cf_law_normal(law) : NULL;
    size_t from = cf_law_friction_from(law);

    for (size_t i = 0; i < rig->npair; i++) {
        struct cf_contact_pair *pair = &scene->pair[rig->pair[i]];
        if (normal && pair->law) {
            pair->law = normal;
            pair->restitution = NULL;
            memcpy(pair->p, value, normal->nparam * sizeof *value);
        }
        if (law->friction) {
            pair->friction = law->friction;
            memcpy(pair->friction_p, value + from, law->friction->nparam * sizeof *value);
        }
    }
}

/* ---- columns */

/* What derivatives by the wanted values are made of: reach[first[k]] to reach[first[k + 1]]. */
struct columns {
    size_t n;
    struct cf_wrt *wrt;
    double *slope;
    size_t *first;
};

static void columns_free(struct columns *c)
{
    free(c->wrt);
    free(c->slope);
    free(c->first);
}

static void add_column(struct columns *c, struct cf_wrt wrt, double slope)
{
    if (c->wrt) {
        c->wrt[c->n] = wrt;
        c->slope[c->n] = slope;
    }
    c->n++;
}

/* Those of a value of the request, or (wrt NULL) how many. */
static void reach(const struct cf_rig *rig, const struct cf_law *law, size_t value,
                  struct columns *c)
{
    size_t from = cf_law_friction_from(law);

    for (size_t i = 0; value < law->nparam && i < rig->npair; i++) {
        size_t m = rig->pair[i];
        if (law->friction && value >= from)
            add_column(c, (struct cf_wrt){CF_WRT_FRICTION, m, value - from}, 1);
        else if (rig->base.pair[m].law)
            add_column(c, (struct cf_wrt){CF_WRT_LAW, m, value}, 1);
    }
    if (value < law->nparam || value - law->nparam >= rig->npath)
        return;
    const struct cf_scene_path *path = &rig->path[value - law->nparam];
    for (size_t i = 0; i < path->nreach; i++)
        add_column(c, path->reach[i].wrt, path->reach[i].slope);
}

static int columns_make(struct columns *c, const struct cf_rig *rig, const struct cf_request *q,
                        struct cf_error *err)
{
    size_t n;

    *c = (struct columns){.n = 0};
    for (size_t k = 0; k < q->nby; k++)
        reach(rig, q->law, q->by[k], c);
    n = c->n;
    c->n = 0;
    c->wrt = calloc(n + 1, sizeof *c->wrt);
    c->slope = calloc(n + 1, sizeof *c->slope);
    c->first = calloc(q->nby + 1, sizeof *c->first);
    if (!c->wrt || !c->slope || !c->first)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu derivatives", n);
    for (size_t k = 0; k < q->nby; k++) {
        reach(rig, q->law, q->by[k], c);
        c->first[k + 1] = c->n;
    }
    return CF_OK;
}

/* ---- prediction */

static size_t sensor_number(const struct cf_rig *rig, size_t sensor, enum of_sensor number)
{
    return rig->npath + FIRST_OF_SENSORS + sensor * NOF_SENSOR + number;
}

/* What the wanted channels look with. */
static void look(const struct cf_rig *rig, const struct cf_request *q, struct cf_sensor sensor[])
{
    const double *a = q->value + q->law->nparam;

    for (size_t c = 0; c < q->nchannel; c++) {
        size_t s = q->channel[c] - FIRST_SENSOR;
        sensor[c] = (struct cf_sensor){.channel = rig->sensor[s],
                                       .delay_s = a[sensor_number(rig, s, DELAY)],
                                       .bandwidth_Hz = a[sensor_number(rig, s, BANDWIDTH)],
                                       .order = (int) a[sensor_number(rig, s, ORDER)]};
    }
}

/* By a number that is no law's and no path's. */
static double by_clock(const struct cf_rig *rig, const struct cf_request *q, size_t c, size_t value,
                       const double by_number[CF_NSENSOR_NUMBER])
{
    size_t parameter = value - q->law->nparam, s = q->channel[c] - FIRST_SENSOR;

    if (parameter == rig->npath + START || parameter == sensor_number(rig, s, DELAY))
        return by_number[CF_SENSOR_DELAY];
    return parameter == sensor_number(rig, s, BANDWIDTH) ? by_number[CF_SENSOR_BANDWIDTH] : 0;
}

static void chain_rule(const struct cf_rig *rig, const struct cf_request *q,
                       const struct columns *columns, const struct cf_sampled *seen,
                       struct cf_response *out)
{
    for (size_t cell = 0; cell < q->nrow * q->nchannel; cell++) {
        const double *by_number = &seen->by_number[cell * CF_NSENSOR_NUMBER];
        if (out->by_imposed)
            out->by_imposed[cell] = -by_number[CF_SENSOR_DELAY];
        for (size_t k = 0; out->by_value && k < q->nby; k++) {
            double sum = 0;
            if (q->by[k] >= q->law->nparam + rig->npath)
                sum = by_clock(rig, q, cell % q->nchannel, q->by[k], by_number);
            for (size_t i = columns->first[k]; i < columns->first[k + 1]; i++)
                sum += columns->slope[i] * seen->by[cell * columns->n + i];
            out->by_value[cell * q->nby + k] = sum;
        }
    }
}

/* The steps that a run up to this time may take. */
static size_t steps_for(const struct cf_rig *rig, double last_s)
{
    if (rig->max_steps)
        return rig->max_steps;
    if (!(rig->steps_per_s > 0))
        return STEPS_UNKNOWN;
    return LEAST_STEPS +
           (size_t) (STEPS_FACTOR * rig->steps_per_s * fmax(last_s, rig->base.duration_s));
}

/* Run the laid out scene and hand out what was seen. */
static int see(const struct cf_rig *rig, struct work *w, const struct cf_request *q,
               const struct columns *columns, struct cf_response *out, struct cf_error *err)
{
    bool slopes = (out->by_value || out->by_imposed) && !(q->tolerance > 0);
    size_t cells = q->nrow * q->nchannel, by = out->by_value ? columns->n : 0;
    double *room =
        malloc((q->nrow + cells * ((slopes ? by + CF_NSENSOR_NUMBER : 0)) + 1) * sizeof *room);
    struct cf_sensor *sensor = malloc((q->nchannel + 1) * sizeof *sensor);
    struct cf_sampling want = {.n = q->nrow,
                               .time_s = room,
                               .nsensor = q->nchannel,
                               .sensor = sensor,
                               .nwrt = by,
                               .wrt = columns->wrt,
                               .tolerance = q->tolerance > 0 ? q->tolerance : rig->tolerance,
                               .max_steps = 0};
    struct cf_sampled seen = {.y = out->y};
    double last_s = 0;
    int status =
        room && sensor ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu samples", q->nrow);

    for (size_t i = 0; i < q->nrow && !status; i++)
        room[i] = cf_dataset_value(q->data, q->row[i], TIME) -
                  q->value[q->law->nparam + rig->npath + START];
    for (size_t i = 0; i < q->nrow && !status; i++)
        last_s = fmax(last_s, room[i]);
    want.max_steps = steps_for(rig, last_s);
    if (!status && slopes) {
        seen.by_number = room + q->nrow;
        seen.by = by ? seen.by_number + cells * CF_NSENSOR_NUMBER : NULL;
    }
    if (!status) {
        look(rig, q, sensor);
        status = cf_sample(&w->scene, &want, &seen, err);
    }
    if (!status && slopes)
        chain_rule(rig, q, columns, &seen, out);
    free(room);
    free(sensor);
    return status;
}

static int predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    const struct cf_rig *rig = rig_of(q->data);
    struct columns columns = {.n = 0};
    struct work *w = work;
    struct cf_error why = {""};
    int status = rig->known ? restore(w, rig, err)
                            : cf_fail(err, CF_EINPUT,
                                      "the fit does not hold the scene of data set %s: its study "
                                      "predicts it (contactfit validate FIT.json STUDY.yaml)",
                                      q->data->name ? q->data->name : "");

    if (status)
        return status;
    for (size_t i = 0; i < rig->npath; i++)
        cf_scene_path_put(&rig->path[i], &w->numbers, &w->scene, q->value[q->law->nparam + i]);
    put_law(rig, &w->scene, q->law, q->value);
    if (cf_scene_check(&w->scene, NULL, NULL, &why))
        return cf_fail(err, CF_ESOLVE, "the scene with %s: %s", q->law->name, why.text);
    status = columns_make(&columns, rig, q, err);
    if (!status) {
        status = see(rig, w, q, &columns, out, &why);
        if (status)
            cf_fail(err, status, "the scene with %s: %s", q->law->name, why.text);
    }
    columns_free(&columns);
    return status;
}

/* ---- rows and laws */

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    (void) d;
    (void) row;
    return TIME;
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, TIME);
}

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    const struct cf_rig *rig = rig_of(d);
    double start = d->apparatus[rig->npath + START];

    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, TIME))
        return cf_fail(err, CF_EINPUT, "no time: a record's rows have one each");
    if (cf_dataset_value(d, row, TIME) < start)
        return cf_fail(err, CF_EINPUT,
                       "time %.9g s: the scene begins at %.9g s of the record (apparatus: {start: "
                       "})",
                       cf_dataset_value(d, row, TIME), start);
    return CF_OK;
}

static int check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err)
{
    const struct cf_rig *rig = rig_of(d);
    bool loaded = false;

    if (law->family != CF_FAMILY_NORMAL && law->family != CF_FAMILY_TANGENTIAL)
        return cf_fail(err, CF_EINPUT,
                       "%s has no force over time: a motion needs one such as azad-featherstone, "
                       "or friction such as bristle",
                       law->name);
    if (law->friction && law->friction->impulse)
        return cf_fail(err, CF_EINPUT,
                       "friction %s is of rigid impacts, and has no force over time: bristle and "
                       "clutch have",
                       law->friction->name);
    for (size_t i = 0; i < rig->npair; i++)
        loaded = loaded || rig->base.pair[rig->pair[i]].law;
    if (rig->known && (!rig->npair || (law->family == CF_FAMILY_NORMAL && !loaded)))
        return cf_fail(err, CF_EINPUT, "no contact of the scene has a %s over which %s could stand",
                       law->family == CF_FAMILY_NORMAL ? "normal law" : "load or normal law",
                       law->name);
    return CF_OK;
}

static int check_free(const struct cf_dataset *d, size_t parameter, struct cf_error *err)
{
    const struct cf_rig *rig = rig_of(d);
    size_t behind = rig->npath + FIRST_OF_SENSORS;

    if (parameter >= behind && (parameter - behind) % NOF_SENSOR == ORDER)
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

static bool hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[])
{
    const struct cf_rig *rig = rig_of(d);
    bool any = false;

    for (size_t i = 0; i < law->nparam; i++) {
        double value = 0;
        bool found = false;
        for (size_t m = 0; m < rig->npair && !found; m++)
            found = find_own(&rig->base.pair[rig->pair[m]], &law->param[i], &value);
        if (found)
            start[i] = start_at(&law->param[i], value);
        any = any || found;
    }
    return any;
}

/* ---- making */

static const char *keep_text(struct cf_rig *rig, char *text)
{
    if (text)
        rig->text[rig->ntext++] = text;
    return text;
}

static const char *const time_names[] = {"t elapsed_time timestamp stamp time_stamp", NULL};
static const struct cf_channel_row time_row = {
    "time", "s", "of the record", CF_ROLE_IMPOSED, -1e12, 1e12, 0, time_names, "time", "t", false};

static bool make_channels(struct cf_rig *rig, const struct cf_rig_parts *parts)
{
    static const char *const none[] = {NULL};
    const unsigned families = 1u << CF_FAMILY_NORMAL | 1u << CF_FAMILY_TANGENTIAL;

    rig->channel[TIME] = time_row;
    for (size_t i = 0; i < parts->nchannel; i++) {
        const struct cf_rig_channel *c = &parts->channel[i];
        const char *name = keep_text(rig, cf_format("%s", c->name));
        const char *what = keep_text(rig, cf_format("%s", c->what));
        const char *unit = keep_text(rig, cf_format("%s", c->unit));
        if (!name || !what || !unit)
            return false;
        rig->sensor[i] = c->channel;
        rig->channel[FIRST_SENSOR + i] = (struct cf_channel_row){
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

static const struct cf_param of_sensors[NOF_SENSOR] = {
    [DELAY] = {"delay", "s", -1e6, 1e6, -0.1, 0.1, 0, CF_SCALE_LINEAR,
               "by which the channel shows things late"},
    [BANDWIDTH] = {"bandwidth", "Hz", 0, 1e9, 1e-2, 1e6, 0, CF_SCALE_LOG,
                   "up to which the channel follows; 0: it follows at once"},
    [ORDER] = {"order", "1", 1, 2, 1, 2, 1, CF_SCALE_LINEAR,
               "of the channel's bandwidth: 1, or 2 as Butterworth"},
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

bool cf_rig_is_sensors(const char *name)
{
    const char *dot = strrchr(name, '.');
    bool is = strcmp(name, of_clock.name) == 0;

    for (int k = 0; dot && k < NOF_SENSOR && !is; k++)
        is = strcmp(dot + 1, of_sensors[k].name) == 0;
    return is;
}

static bool make_apparatus(struct cf_rig *rig, const struct cf_rig_parts *parts)
{
    for (size_t i = 0; i < rig->npath; i++) {
        const char *name = keep_text(rig, cf_format("%s", parts->path[i].name));
        const char *unit = keep_text(rig, cf_format("%s", parts->path[i].unit));
        if (!name || !unit)
            return false;
        rig->apparatus[i] = range_of(rig, i, name, unit);
    }
    rig->apparatus[rig->npath + START] = of_clock;
    for (size_t s = 0; s < rig->nsensor; s++)
        for (int k = 0; k < NOF_SENSOR; k++) {
            struct cf_param *row = &rig->apparatus[sensor_number(rig, s, (enum of_sensor) k)];
            *row = of_sensors[k];
            row->name =
                keep_text(rig, cf_format("%s.%s", parts->channel[s].name, of_sensors[k].name));
            if (!row->name)
                return false;
        }
    return true;
}

static bool make_room(struct cf_rig *rig, const struct cf_rig_parts *parts)
{
    size_t napparatus = parts->npath + FIRST_OF_SENSORS + parts->nchannel * NOF_SENSOR;

    rig->nsensor = parts->nchannel;
    rig->npair = parts->npair;
    rig->sensor = calloc(parts->nchannel + 1, sizeof *rig->sensor);
    rig->channel = calloc(parts->nchannel + FIRST_SENSOR, sizeof *rig->channel);
    rig->apparatus = calloc(napparatus, sizeof *rig->apparatus);
    rig->pair = calloc(parts->npair + 1, sizeof *rig->pair);
    rig->path = calloc(parts->npath + 1, sizeof *rig->path);
    rig->text = calloc(napparatus + 3 * parts->nchannel + parts->npath, sizeof *rig->text);
    rig->protocol.napparatus = napparatus;
    return rig->sensor && rig->channel && rig->apparatus && rig->pair && rig->path && rig->text;
}

const struct cf_protocol cf_protocol_log = {
    .name = "log",
    .what = "a record of any scene: channels over time",
    .nchannel = 1,
    .channel = &time_row,
    .by_scene = true,
    .axis = {"time", "s", true, -1e12, 1e12, "times", "time", "t", false},
    .axis_channel = TIME,
    .headline = FIRST_SENSOR,
    .second_axis = CF_NO_CHANNEL,
    .bodiless = true,
    .record = true,
    .whole = true,
    .clock = TIME,
    .on_misfit = "free what of the rig may not be known, under nuisance: a bias, gain or delay of "
                 "a channel, a height or tilt, a stiffness in series",
    .check_row = check_row,
    .check_law = check_law,
    .check_free = check_free,
    .imposed = imposed,
    .abscissa = abscissa,
    .hand = hand,
    .open = open_work,
    .close = close_work,
    .predict = predict,
};

/* What a run of the scene as it is costs. */
static double steps_of(const struct cf_rig *rig)
{
    struct cf_motion_options options = cf_motion_defaults;
    struct cf_motion_result result;
    struct cf_error why;

    options.tolerance = rig->tolerance;
    options.max_steps = STEPS_UNKNOWN;
    return cf_motion_run(&rig->base, &options, &result, &why)
               ? 0
               : (double) result.steps / rig->base.duration_s;
}

struct cf_rig *cf_rig_make(const struct cf_rig_parts *parts, struct cf_error *err)
{
    struct cf_rig *rig = calloc(1, sizeof *rig);
    size_t napparatus;
    int status;

    if (!rig || !make_room(rig, parts)) {
        cf_rig_free(rig);
        cf_fail(err, CF_ENOMEM, "no memory for a scene's experiment");
        return NULL;
    }
    napparatus = rig->protocol.napparatus;
    rig->protocol = cf_protocol_log;
    rig->protocol.nchannel = FIRST_SENSOR + parts->nchannel;
    rig->protocol.channel = rig->channel;
    rig->protocol.napparatus = napparatus;
    rig->protocol.apparatus = rig->apparatus;
    rig->tolerance = parts->tolerance > 0 ? parts->tolerance : FIT_TOLERANCE;
    if (parts->npair)
        memcpy(rig->pair, parts->pair, parts->npair * sizeof *rig->pair);
    rig->known = parts->scene != NULL;
    status = rig->known ? cf_scene_copy(&rig->base, parts->scene, err) : CF_OK;
    if (!status)
        status = cf_scene_numbers_make(&rig->numbers, &rig->base, err);
    if (!status) {
        for (; rig->npath < parts->npath; rig->npath++) {
            rig->path[rig->npath] = parts->path[rig->npath].path;
            parts->path[rig->npath].path = (struct cf_scene_path){.value = 0};
        }
        if (!make_channels(rig, parts) || !make_apparatus(rig, parts))
            status = cf_fail(err, CF_ENOMEM, "no memory for a scene's experiment");
    }
    if (!status) {
        rig->max_steps = parts->max_steps;
        rig->steps_per_s = rig->known && !rig->max_steps ? steps_of(rig) : 0;
        status = cf_dataset_check(&rig->protocol, err);
    }
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
    free(rig->text);
    free(rig);
}

const struct cf_protocol *cf_rig_protocol(const struct cf_rig *rig)
{
    return &rig->protocol;
}
