/* What a rig predicts: the scene as the values say, run once, seen by its sensors. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/rig_parts.h"
#include "motion/recorded.h"

/* Where a search goes astray a scene may become so stiff that a run takes hours: one that needs so
 * many times the steps of the scene as its file has it fails, and costs its start alone. At least
 * so many are allowed. A scene's own max-steps stands over all of it. */
static const double STEPS_FACTOR = 20;
enum { LEAST_STEPS = 5000 };

/* ---- one worker's scene */

struct work {
    const struct cf_rig *rig; /* that it was copied of; NULL: of none yet */
    struct cf_scene scene;
    struct cf_scene_numbers numbers;
    size_t nsmooth;
    struct cf_trace **trace; /* nsmooth: at a cutoff that is not the rig's; NULL: none yet */
    double *delay_s;         /* nrecorded: as the values say */
};

void *cf_rig_open(struct cf_curves *curves)
{
    (void) curves;
    return calloc(1, sizeof(struct work));
}

static void forget(struct work *w)
{
    for (size_t i = 0; i < w->nsmooth; i++)
        cf_trace_free(w->trace[i]);
    free(w->trace);
    free(w->delay_s);
    w->trace = NULL;
    w->delay_s = NULL;
    w->nsmooth = 0;
    cf_scene_numbers_free(&w->numbers);
    cf_scene_copy_free(&w->scene);
    w->rig = NULL;
}

void cf_rig_close(void *work)
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
        w->trace = calloc(rig->nsmooth + 1, sizeof *w->trace);
        w->delay_s = calloc(rig->nrecorded + 1, sizeof *w->delay_s);
        if (!w->trace || !w->delay_s)
            return cf_fail(err, CF_ENOMEM, "no memory for the motions of a scene");
        w->nsmooth = rig->nsmooth;
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

/* Recorded motions at the cutoffs that the values say. */
static int put_motions(struct work *w, const double apparatus[], struct cf_error *err)
{
    const struct cf_rig *rig = w->rig;

    for (size_t i = 0; i < rig->nsmooth; i++) {
        const struct cf_rig_smooth *smooth = &rig->smooth[i];
        struct cf_rigid *body = &w->scene.body[smooth->body];
        double wanted = apparatus[cf_rig_cutoff(rig, i)];
        struct cf_trace_smoothness now;
        body->trace = rig->base.body[smooth->body].trace;
        if (wanted == smooth->cutoff_Hz)
            continue;
        if (!w->trace[i] || !cf_trace_smoothness(w->trace[i], &now) || now.cutoff_Hz != wanted) {
            cf_trace_free(w->trace[i]);
            w->trace[i] = cf_trace_again(body->trace, wanted, err);
        }
        if (!w->trace[i])
            return CF_ESOLVE;
        body->trace = w->trace[i];
    }
    for (size_t i = 0; i < rig->nrecorded; i++)
        w->delay_s[i] = w->scene.body[rig->recorded[i]].delay_s;
    return CF_OK;
}

/* A force of a depth stands over one, a foundation over a foundation. */
static bool stands_over(const struct cf_law *law, const struct cf_contact_pair *pair)
{
    return pair->law && pair->law->family == law->family;
}

/* The study's law stands over the scene's. */
static void put_law(const struct cf_rig *rig, struct cf_scene *scene, const struct cf_law *law,
                    const double value[])
{
    const struct cf_law *normal = cf_law_normal(law);
    size_t from = cf_law_friction_from(law);

    for (size_t i = 0; i < rig->npair; i++) {
        struct cf_contact_pair *pair = &scene->pair[rig->pair[i]];
        if (normal && stands_over(law, pair)) {
            pair->law = normal;
            pair->restitution = NULL;
            memcpy(pair->p, value, normal->nparam * sizeof *value);
        }
        if (law->friction) {
            pair->friction = cf_pair_is_patch(pair) ? law->friction->over_area : law->friction;
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
        else if (stands_over(law, &rig->base.pair[m]))
            add_column(c, (struct cf_wrt){CF_WRT_LAW, m, value}, 1);
    }
    /* a motion in the record's clock is the later the earlier the scene begins */
    if (value == law->nparam + rig->npath + CF_RIG_START)
        for (size_t i = 0; i < rig->nrecorded; i++)
            add_column(c, (struct cf_wrt){CF_WRT_DELAY, rig->recorded[i], 0}, -1);
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

/* What the wanted channels look with. */
static void look(const struct cf_rig *rig, const struct cf_request *q, struct cf_sensor sensor[])
{
    const double *a = q->value + q->law->nparam;

    for (size_t c = 0; c < q->nchannel; c++) {
        size_t s = q->channel[c] - CF_RIG_FIRST_SENSOR;
        sensor[c] = (struct cf_sensor){.channel = rig->sensor[s],
                                       .delay_s = a[cf_rig_number(rig, s, CF_RIG_DELAY)],
                                       .bandwidth_Hz = a[cf_rig_number(rig, s, CF_RIG_BANDWIDTH)],
                                       .order = (int) a[cf_rig_number(rig, s, CF_RIG_ORDER)]};
    }
}

/* By a number that is no law's and no path's. */
static double by_clock(const struct cf_rig *rig, const struct cf_request *q, size_t c, size_t value,
                       const double by_number[CF_NSENSOR_NUMBER])
{
    size_t parameter = value - q->law->nparam, s = q->channel[c] - CF_RIG_FIRST_SENSOR;

    if (parameter == rig->npath + CF_RIG_START || parameter == cf_rig_number(rig, s, CF_RIG_DELAY))
        return by_number[CF_SENSOR_DELAY];
    return parameter == cf_rig_number(rig, s, CF_RIG_BANDWIDTH) ? by_number[CF_SENSOR_BANDWIDTH]
                                                                : 0;
}

/* Of the rows at[n], one behind the other in what was seen. */
static void chain_rule(const struct cf_rig *rig, const struct cf_request *q,
                       const struct columns *columns, const struct cf_sampled *seen, size_t n,
                       const size_t at[], struct cf_response *out)
{
    for (size_t i = 0; i < n * q->nchannel; i++) {
        const double *by_number = &seen->by_number[i * CF_NSENSOR_NUMBER];
        size_t cell = at[i / q->nchannel] * q->nchannel + i % q->nchannel;
        if (out->by_imposed)
            out->by_imposed[cell] = -by_number[CF_SENSOR_DELAY];
        for (size_t k = 0; out->by_value && k < q->nby; k++) {
            double sum = 0;
            if (q->by[k] >= q->law->nparam + rig->npath)
                sum = by_clock(rig, q, cell % q->nchannel, q->by[k], by_number);
            for (size_t c = columns->first[k]; c < columns->first[k + 1]; c++)
                sum += columns->slope[c] * seen->by[i * columns->n + c];
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
        return CF_RIG_STEPS_UNKNOWN;
    return LEAST_STEPS +
           (size_t) (STEPS_FACTOR * rig->steps_per_s * fmax(last_s, rig->base.duration_s));
}

/* Run the laid out scene from this time of the record on, and hand out what was seen in the rows
 * at[n]. */
static int see_from(const struct cf_rig *rig, struct work *w, const struct cf_request *q,
                    const struct columns *columns, double origin_s, size_t n, const size_t at[],
                    struct cf_response *out, struct cf_error *err)
{
    bool slopes = (out->by_value || out->by_imposed) && !(q->tolerance > 0);
    size_t cells = n * q->nchannel, by = out->by_value ? columns->n : 0;
    double *room =
        malloc((n + cells * (1 + (slopes ? by + CF_NSENSOR_NUMBER : 0)) + 1) * sizeof *room);
    struct cf_sensor *sensor = malloc((q->nchannel + 1) * sizeof *sensor);
    struct cf_sampling want = {.n = n,
                               .time_s = room,
                               .nsensor = q->nchannel,
                               .sensor = sensor,
                               .nwrt = by,
                               .wrt = columns->wrt,
                               .tolerance = q->tolerance > 0 ? q->tolerance : rig->tolerance,
                               .max_steps = 0};
    struct cf_sampled seen = {.y = out->y ? room + n : NULL};
    double start_s = origin_s + q->value[q->law->nparam + rig->npath + CF_RIG_START], last_s = 0;
    int status = room && sensor ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu samples", n);

    for (size_t i = 0; i < n && !status; i++) {
        room[i] = cf_dataset_value(q->data, q->row[at[i]], CF_RIG_TIME) - start_s;
        last_s = fmax(last_s, room[i]);
    }
    want.max_steps = steps_for(rig, last_s);
    if (!status && slopes) {
        seen.by_number = room + n + cells;
        seen.by = by ? seen.by_number + cells * CF_NSENSOR_NUMBER : NULL;
    }
    if (!status) {
        look(rig, q, sensor);
        cf_rig_begin(rig, &w->scene, w->delay_s, start_s);
        status = cf_sample(&w->scene, &want, &seen, err);
    }
    for (size_t i = 0; i < n && !status && out->y; i++)
        memcpy(&out->y[at[i] * q->nchannel], &seen.y[i * q->nchannel],
               q->nchannel * sizeof *out->y);
    if (!status && slopes)
        chain_rule(rig, q, columns, &seen, n, at, out);
    free(room);
    free(sensor);
    return status;
}

/* A run for each time at which the scene begins. */
static int see(const struct cf_rig *rig, struct work *w, const struct cf_request *q,
               const struct columns *columns, struct cf_response *out, struct cf_error *err)
{
    size_t *at = malloc((q->nrow + 1) * sizeof *at);
    int status = at ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nrow);

    for (size_t k = 0; k < rig->norigin && !status; k++) {
        size_t n = 0;
        for (size_t i = 0; i < q->nrow; i++)
            if (cf_rig_origin(rig, cf_dataset_value(q->data, q->row[i], CF_RIG_TIME)) ==
                rig->origin_s[k])
                at[n++] = i;
        if (n)
            status = see_from(rig, w, q, columns, rig->origin_s[k], n, at, out, err);
    }
    free(at);
    return status;
}

int cf_rig_predict(void *work, const struct cf_request *q, struct cf_response *out,
                   struct cf_error *err)
{
    const struct cf_rig *rig = cf_rig_of(q->data);
    struct columns columns = {.n = 0};
    struct work *w = work;
    struct cf_error why = {""};
    int status = rig->known ? restore(w, rig, err)
                            : cf_fail(err, CF_EINPUT,
                                      "the fit does not hold the scene: its study predicts what "
                                      "it does (contactfit validate FIT.json STUDY.yaml)");

    if (status)
        return status;
    for (size_t i = 0; i < rig->npath; i++)
        cf_scene_path_put(&rig->path[i], &w->numbers, &w->scene, q->value[q->law->nparam + i]);
    put_law(rig, &w->scene, q->law, q->value);
    status = put_motions(w, q->value + q->law->nparam, err);
    if (status)
        return status;
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
