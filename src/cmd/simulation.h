/* A scene that is run by a command: what is written during the run, and what is reported. */

#ifndef CF_CMD_SIMULATION_H
#define CF_CMD_SIMULATION_H

#include <gsl/gsl_rng.h>

#include "core/output.h"
#include "scene/scene_file.h"
#include "scene/trace_columns.h"

struct cf_simulation {
    const struct cf_scene_file *file;
    struct cf_motion_options options;
    struct cf_motion_result result;
    struct cf_scene_table *table;
    double *row;              /* of the table */
    bool *watched;            /* without a trace: no contact */
    gsl_rng *noise;           /* NULL: the scene has none */
    struct cf_output *trace;  /* NULL: not wanted */
    struct cf_output *events; /* NULL: not wanted */
    bool started;
    double start_J[CF_NENERGY];
    double first_make_s, last_make_s; /* NAN: nothing touched */
    struct cf_body_state *body;       /* nbody: at the end */
    bool shows_progress;              /* on a terminal, from the third second on */
    size_t steps_seen;
    double begun_s, drawn_s; /* by the clock; 0: not yet */
};

/* Run the scene of `simulation`, of which file, options, trace and events are set. */
int cf_simulation_run(struct cf_simulation *simulation, struct cf_error *err);
void cf_simulation_clear(struct cf_simulation *simulation);

/* What happened, for people and for programs. */
int cf_simulation_print(const struct cf_simulation *simulation, FILE *out, struct cf_error *err);
int cf_simulation_json(const struct cf_simulation *simulation, FILE *out, struct cf_error *err);

#endif
