/* Running a scene and writing its tables. */

#include "cmd/simulation.h"
#include "cmd/progress.h"
#include "core/clock.h"

#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"
#include "core/output.h"
#include "core/random.h"

static void put_number(FILE *out, double x, char mark)
{
    if (isfinite(x))
        cf_decimal_put(x, out);
    putc(mark, out); /* nothing before it: not known */
}

/* Provenance, as the readers of tables keep it. */
static void put_head(const struct cf_scene_file *file, FILE *out)
{
    const char *slash = strrchr(file->path, '/');

    fprintf(out, "# " CF_OUTPUT_MARK "\n# %s\n", file->title);
    if (file->source)
        fprintf(out, "# source: %s\n", file->source);
    fprintf(out, "# scene: %s, sha256 %s\n", slash ? slash + 1 : file->path, file->sha256);
    for (size_t i = 0; i < file->noverride; i++)
        fprintf(out, "# overridden: %s\n", file->override[i]);
    for (size_t i = 0; i < file->nremark; i++)
        fprintf(out, "# %s\n", file->remark[i]);
    fprintf(out, "# synthetic: simulated by contactfit, not measured\n");
}

/* What a sensor would add to positions and forces. */
static void add_noise(struct cf_simulation *simulation)
{
    const struct cf_scene_noise *noise = &simulation->file->noise;
    const struct cf_scene_table *table = simulation->table;

    for (size_t i = 0; simulation->noise && i < table->n; i++) {
        const struct cf_scene_quantity *q = cf_scene_quantity_of(&table->column[i]);
        if (strcmp(q->words, "position") == 0 && noise->place_m > 0)
            simulation->row[i] += gsl_ran_gaussian(simulation->noise, noise->place_m);
        else if (strcmp(q->unit, "N") == 0 && noise->force_N > 0)
            simulation->row[i] += gsl_ran_gaussian(simulation->noise, noise->force_N);
    }
}

static void start(struct cf_simulation *simulation, const struct cf_snapshot *at)
{
    if (simulation->started)
        return;
    simulation->started = true;
    memcpy(simulation->start_J, at->energy_J, sizeof simulation->start_J);
}

static void sampled(void *observer, const struct cf_snapshot *at)
{
    struct cf_simulation *simulation = observer;
    const struct cf_scene_table *table = simulation->table;

    start(simulation, at);
    memcpy(simulation->body, at->body, simulation->file->scene.nbody * sizeof *at->body);
    if (!simulation->trace)
        return;
    cf_scene_table_row(table, at, cf_scene_energy(simulation->start_J), simulation->row);
    add_noise(simulation);
    for (size_t i = 0; i < table->n; i++)
        put_number(cf_output_stream(simulation->trace), simulation->row[i],
                   i + 1 < table->n ? ',' : '\n');
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The speed that an event is about: of approach, of rebound, of slip, of the body. */
static double event_speed(enum cf_motion_event what, size_t index, const struct cf_snapshot *at)
{
    switch (what) {
    case CF_EVENT_MAKE:
        return at->contact[index].rate_m_s;
    case CF_EVENT_BREAK:
        return -at->contact[index].rate_m_s;
    case CF_EVENT_STICK:
    case CF_EVENT_SLIP:
        return length(at->contact[index].slip_m_s);
    case CF_EVENT_APEX:
        return length(at->body[index].velocity_m_s);
    default:
        return (double) NAN;
    }
}

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    struct cf_simulation *simulation = observer;
    const struct cf_scene *scene = &simulation->file->scene;
    bool contact = what != CF_EVENT_APEX && what != CF_EVENT_REST;
    size_t body = contact ? scene->pair[index].body[0] : index;

    start(simulation, at);
    if (what == CF_EVENT_MAKE) {
        if (isnan(simulation->first_make_s))
            simulation->first_make_s = at->time_s;
        simulation->last_make_s = at->time_s;
    }
    if (!simulation->events)
        return;
    FILE *out = cf_output_stream(simulation->events);
    put_number(out, at->time_s, ',');
    fprintf(out, "%s,%s,",
            what == CF_EVENT_REST ? ""
            : contact             ? scene->pair[index].name
                                  : scene->body[index].name,
            cf_motion_event_names[what]);
    put_number(out, event_speed(what, index, at), ',');
    for (int i = 0; i < 3; i++)
        put_number(out, what == CF_EVENT_REST ? (double) NAN : at->body[body].position_m[i],
                   i < 2 ? ',' : '\n');
}

/* A line on a terminal, from the third second on. The clock is not asked at every step. */
static void show_progress(struct cf_simulation *simulation, double time_s)
{
    enum { STEPS_A_LOOK = 1024 };
    const double patience_s = 3, redraw_s = 0.2;
    double now_s;

    if (!simulation->shows_progress || ++simulation->steps_seen % STEPS_A_LOOK)
        return;
    now_s = cf_clock_s();
    if (!(simulation->begun_s > 0))
        simulation->begun_s = now_s;
    if (now_s - simulation->begun_s < patience_s || now_s - simulation->drawn_s < redraw_s)
        return;
    fprintf(stderr, "\rsimulated %.6g of %.6g s in %zu thousand steps\033[K", time_s,
            simulation->file->scene.duration_s, simulation->steps_seen / 1000);
    fflush(stderr);
    simulation->drawn_s = now_s;
}

/* Rows that go nowhere, and runs that a signal wants to end, are not worth the work. */
static bool is_lost(void *observer, double time_s)
{
    struct cf_simulation *simulation = observer;

    show_progress(simulation, time_s);
    return (simulation->trace && cf_output_failed(simulation->trace)) ||
           (simulation->events && cf_output_failed(simulation->events));
}

static void begin_tables(const struct cf_simulation *simulation)
{
    const struct cf_scene_table *table = simulation->table;

    if (simulation->trace) {
        FILE *out = cf_output_stream(simulation->trace);
        const struct cf_scene_noise *noise = &simulation->file->noise;
        put_head(simulation->file, out);
        if (simulation->noise)
            fprintf(out,
                    "# noise: normal, of %.15g m on places and %.15g N on forces, seed %" PRIu64
                    "\n",
                    noise->place_m, noise->force_N, noise->seed);
        for (size_t i = 0; i < table->n; i++)
            fprintf(out, "%s%c", table->column[i].name, i + 1 < table->n ? ',' : '\n');
    }
    if (simulation->events) {
        FILE *out = cf_output_stream(simulation->events);
        put_head(simulation->file, out);
        fprintf(out, "time_s,contact,event,speed_m_s,x_m,y_m,z_m\n");
    }
}

int cf_simulation_run(struct cf_simulation *simulation, struct cf_error *err)
{
    const struct cf_scene *scene = &simulation->file->scene;
    int status;

    simulation->first_make_s = simulation->last_make_s = (double) NAN;
    simulation->table = cf_scene_table_make(scene, err);
    if (!simulation->table)
        return CF_ENOMEM;
    simulation->row = calloc(simulation->table->n, sizeof *simulation->row);
    simulation->body = calloc(scene->nbody, sizeof *simulation->body);
    simulation->watched = calloc(scene->npair + 1, sizeof *simulation->watched);
    if (!simulation->row || !simulation->body || !simulation->watched)
        return cf_fail(err, CF_ENOMEM, "no memory for the columns of a scene");
    if (simulation->file->noise.place_m > 0 || simulation->file->noise.force_N > 0)
        if (!(simulation->noise = cf_random_stream(simulation->file->noise.seed, 0)))
            return cf_fail(err, CF_ENOMEM, "no memory for the noise of a scene");
    begin_tables(simulation);
    if (!simulation->trace)
        simulation->options.watched = simulation->watched;
    simulation->options.sample = sampled;
    simulation->options.on_event = on_event;
    simulation->options.apart = true;
    simulation->options.stop = is_lost;
    simulation->options.observer = simulation;
    status = cf_motion_run(scene, &simulation->options, &simulation->result, err);
    if (simulation->drawn_s > 0)
        fputs("\r\033[K", stderr);
    return status;
}

void cf_simulation_clear(struct cf_simulation *simulation)
{
    cf_scene_table_free(simulation->table);
    cf_output_discard(simulation->trace);
    cf_output_discard(simulation->events);
    gsl_rng_free(simulation->noise);
    free(simulation->row);
    free(simulation->watched);
    free(simulation->body);
}
