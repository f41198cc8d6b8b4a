/* A block under a load that is drawn along a line against friction: the equations of ramps, loops
 * and taps.
 *
 *   m v' = S - f        x' = v        f the friction of the law, against the slip v under the load
 *
 * Drawn by a displacement x_d(t) it follows at once where the frame is rigid (stiffness 0 is read
 * so): v = x_d', and the force of the drive is S = m x_d'' + f. A frame in series gives way,
 *
 *   S = k_+ max(u - b/2, 0) + k_- min(u + b/2, 0) + d u'        u = x_d - x
 *
 * with a backlash b and k_- = ratio k_+; a block without a mass in it has the v that balances it,
 * which its damping d or that of the friction makes unique. Drawn by a force, S = F(t) and the
 * displacement that is seen is that of the drive, x + S/k. Undrawn, S = 0.
 *
 * What is seen is S, the displacement, the velocity or the acceleration; through a sensor of
 * bandwidth w/(2 pi),
 *
 *   order 1: y' = w (s - y)        order 2: y'' = w^2 (s - y) - sqrt(2) w y'     (Butterworth)
 *
 * from rest at what it sees first, of a block that is left alone at 0. Everything is along one
 * line: states are the friction law's own, of its vectors the component along it; x and v where
 * they move by themselves; the sensor's. Private to src/experiment.
 */

#ifndef CF_EXPERIMENT_SLIDER_H
#define CF_EXPERIMENT_SLIDER_H

#include <stdbool.h>

#include "experiment/protocol.h"
#include "experiment/recorded_drive.h"
#include "law/friction.h"
#include "ode/ode.h"

enum cf_slider_drive {
    CF_SLIDER_BY_DISPLACEMENT,
    CF_SLIDER_BY_FORCE,
    CF_SLIDER_LEFT_ALONE, /* from a speed, or a deflection */
};

enum cf_slider_seen {
    CF_SLIDER_FORCE,
    CF_SLIDER_DISPLACEMENT,
    CF_SLIDER_VELOCITY,
    CF_SLIDER_ACCELERATION
};

/* The numbers of the rig, each a column that derivatives may be by. */
enum cf_slider_number {
    CF_SLIDER_NO_NUMBER,  /* where a table says nothing */
    CF_SLIDER_LOAD,       /* [N] */
    CF_SLIDER_MASS,       /* [kg] */
    CF_SLIDER_STIFFNESS,  /* k_+ [N/m]; 0: rigid */
    CF_SLIDER_RATIO,      /* k_-/k_+ */
    CF_SLIDER_DAMPING,    /* d [N s/m] */
    CF_SLIDER_BACKLASH,   /* b [m] */
    CF_SLIDER_BANDWIDTH,  /* of the sensor [Hz]; 0: it follows at once */
    CF_SLIDER_DEFLECTION, /* of the friction's springs at the start [m] */
    CF_SLIDER_SPEED,      /* at the start [m/s], where the block moves by itself */
    CF_SLIDER_DELAY,      /* by which the sensor shows things late [s] */
    CF_SLIDER_NNUMBER
};

struct cf_slider {
    const struct cf_friction_law *law;
    const double *p; /* law->nparam */
    enum cf_slider_drive drive;
    enum cf_slider_seen seen;
    const struct cf_drive_piece *piece; /* NULL where it is left alone */
    double from_s;                      /* when it begins */
    double start_N; /* friction that its springs hold then, beside what DEFLECTION says */
    double number[CF_SLIDER_NNUMBER];
    int order;       /* of the sensor */
    size_t substeps; /* of each interval of the drive's samples, where steps are fixed; >= 1 */
};

/* A column of derivatives: by a parameter of the law, or behind those by a number. */
struct cf_slider_columns {
    size_t n;
    const size_t *of; /* < law->nparam, or law->nparam + an enum cf_slider_number */
};

/* CF_EINPUT where the slider cannot move as its numbers say: a frame without mass and damping
 * before a law without damping, a force on a block without mass. */
int cf_slider_check(const struct cf_slider *s, struct cf_error *err);

/* What is seen at n times, in any order, those before the start as at the start, those beyond a
 * recorded drive as at its end: y[n]; by[n * columns->n], by_time[n]: NULL, not wanted. A tolerance
 * of the steps, relative to the deflection under a tenth of the load; or 0 for the fixed steps of a
 * recorded drive (slider_grid.c), whose answers are as smooth in all numbers as the equations are.
 * CF_ESOLVE where it cannot be integrated in max_steps. */
int cf_slider_run(const struct cf_slider *s, size_t n, const double time_s[],
                  const struct cf_slider_columns *columns, double tolerance, size_t max_steps,
                  double y[], double by[], double by_time[], struct cf_error *err);

/* A protocol's request as runs of a slider, one for each wanted channel. */
struct cf_slider_reading {
    const struct cf_request *q;
    size_t clock;                           /* the channel that has the time */
    const enum cf_slider_number *number_of; /* napparatus: the number that each is, or */
    size_t napparatus;                      /* CF_SLIDER_NO_NUMBER; what delays, CF_SLIDER_DELAY */
    bool deflected;   /* a derivative by DEFLECTION is wanted, if any; else it is 0 */
    size_t max_steps; /* of a run within a tolerance */
    double tolerance; /* 0: fixed steps */
};

/* The numbers of the apparatus that `of` holds, each added to the slider's. */
void cf_slider_put(struct cf_slider *s, const struct cf_slider_reading *r);

/* Fill channel `c` of the response with what the slider shows; its law and parameters are put
 * here. */
int cf_slider_predict(struct cf_slider *s, const struct cf_slider_reading *r, size_t c,
                      struct cf_response *out, struct cf_error *err);

/* May a law be that of a slider: has it friction that holds by a deflection, whatever the depth,
 * under a load that all rows have? `load` is the channel that may have it, `apparatus` where it
 * stands otherwise. */
int cf_slider_check_law(const struct cf_dataset *d, const struct cf_law *law, size_t load,
                        size_t apparatus, struct cf_error *err);

/* Put a number by hand at a parameter of friction with this name and unit, where it is above 0. */
void cf_slider_hand(const struct cf_law *law, const char *name, const char *unit, double value,
                    double reach, struct cf_hand start[]);

#endif
