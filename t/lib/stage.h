/* Scenes run for tests, and what happened in them. */

#ifndef STAGE_H
#define STAGE_H

#include "scene/scene_file.h"

/* One event: the body that is followed, and the contact concerned. */
struct stage_event {
    enum cf_motion_event what;
    size_t index;
    double time_s;
    struct cf_body_state body;
    struct cf_contact_snapshot contact; /* the first one for an event of no contact */
    double energy_J[CF_NENERGY];
    double angle_rad[2], rate_rad_s[2]; /* of a chain */
};

struct stage {
    struct cf_scene_file *file; /* NULL: it could not be read */
    struct cf_motion_options options;
    struct cf_motion_result result;
    struct cf_error err;
    int status;
    size_t follow; /* a body: by default the first that moves */
    size_t n, room;
    struct stage_event *event;
    struct cf_body_state *last; /* nbody: at the end of the run */
    struct stage_event end;     /* the last sample */
    cf_on_sample *sample;       /* NULL, or also called for each sample */
    void *observer;
};

/* scenes/NAME.yaml of the sources; overrides are pairs of path and value, NULL at their end. */
void stage_open(struct stage *stage, const char *name, const char *const overrides[]);

/* A scene from its text, below the first line and the gravity of 9.81 m/s^2; written to
 * tmp/NAME.yaml. A text that begins with "gravity" brings its own. */
__attribute__((__format__(printf, 3, 4))) void stage_write(struct stage *stage, const char *name,
                                                           const char *text, ...);

/* Runs it as its options say; true on success. May be repeated. */
bool stage_run(struct stage *stage);

/* The nth, from 0, of a kind; NULL: there was none. */
const struct stage_event *stage_find(const struct stage *stage, enum cf_motion_event what,
                                     size_t n);

/* The residual of the energy balance: of the most that an account held in an exchange, or of what
 * took part in the run, the larger. */
double stage_off(const struct stage *stage);

void stage_close(struct stage *stage);

/* Rows of numbers of t/reference/NAME, the words before them skipped; -1 where it cannot be read.
 * Empty cells are NAN. */
int stage_table(const char *name, const char *begins, size_t columns, size_t most, double cell[]);

#endif
