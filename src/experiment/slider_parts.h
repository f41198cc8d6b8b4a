/* The inside of a slider; private to its files. */

#ifndef CF_EXPERIMENT_SLIDER_PARTS_H
#define CF_EXPERIMENT_SLIDER_PARTS_H

#include <gsl/gsl_math.h>
#include <stdint.h>

#include "experiment/slider.h"

/* States: of friction along the line; x of the block, or in a frame u, the stretch of that, which
 * a stiff one would lose in the digits of x; v; the sensor's. */
enum { CF_SLIDER_STATES = CF_FRICTION_STATES + 2 + 2, CF_SLIDER_NONE = CF_SLIDER_STATES };

/* Columns at most: a law's parameters and the rig's numbers. */
enum { CF_SLIDER_COLUMNS = CF_MAX_PARAM + CF_SLIDER_NNUMBER + CF_SLIDER_STATES };

/* In place of a column: nothing but states move along it. */
#define CF_SLIDER_NOTHING SIZE_MAX

struct cf_slider_work {
    const struct cf_slider *s;
    size_t nfriction, of[CF_FRICTION_STATES]; /* the law's state of each */
    size_t place, velocity, sensor;           /* CF_SLIDER_NONE: there is none */
    size_t n;
    size_t ncolumn, column[CF_SLIDER_COLUMNS];
    double w; /* the sensor's [1/s] */

    /* the drive at the time that was looked at last, as a step looks many times; NAN: none */
    double looked_s, driven[3], load_N;

    /* directions for the law: along the slip, then of each column */
    double d[(CF_SLIDER_COLUMNS + 1) * CF_FRICTION_COLUMNS];
};

/* Everything at one instant. */
struct cf_slider_now {
    double driven[3], load_N;         /* x_d or F, and its derivatives */
    double u, v;                      /* of the frame, of the block */
    double state[CF_FRICTION_STATES]; /* of the law, as it has them */
    double friction_N, rate[CF_FRICTION_STATES];
    double frame_N; /* S */
    double seen;
};

/* How that changes along a direction. */
struct cf_slider_change {
    double v, friction_N, frame_N, rate[CF_FRICTION_STATES], seen;
};

void cf_slider_layout(struct cf_slider_work *w, const struct cf_slider *s,
                      const struct cf_slider_columns *columns);

/* 2 zeta of a sensor of order 2. */
#define CF_SLIDER_BUTTERWORTH M_SQRT2

/* Has it a frame in series that gives way? */
bool cf_slider_gives_way(const struct cf_slider *s);

void cf_slider_look(struct cf_slider_work *w, double t, const double y[],
                    struct cf_slider_now *now);

/* Along each column, whose states move by s[column * n + i]; and along time, whose states move by
 * dydt. */
void cf_slider_vary(struct cf_slider_work *w, const struct cf_slider_now *now, const double s[],
                    struct cf_slider_change out[]);
void cf_slider_drift(struct cf_slider_work *w, const struct cf_slider_now *now, double t,
                     const double dydt[], struct cf_slider_change *out);

/* Samples that are wanted of a run, and where they go. */
struct cf_slider_samples {
    size_t n, next;
    const double *time_s;
    const size_t *by_age; /* the earliest first */
    double *y, *by, *by_time;
};

/* slider_samples.c: sizes of the states, for errors; what is seen by the sample at a time whose
 * states, rates and columns these are. */
void cf_slider_scales(const struct cf_slider_work *w, double scale[]);
void cf_slider_note(struct cf_slider_work *w, struct cf_slider_samples *to, size_t sample, double t,
                    const double y[], const double dydt[], const double s[]);

/* slider_grid.c: from the states y and columns s of the start to the last sample. */
int cf_slider_grid(struct cf_slider_work *w, struct cf_slider_samples *samples, double y[],
                   double s[], struct cf_error *err);

/* For the stepper: context is a struct cf_slider_work, which keeps what was looked at last. */
void cf_slider_rates(const void *context, double t, const double y[], double dydt[]);
void cf_slider_variation(const void *context, double t, const double y[], const double s[],
                         double dsdt[]);

#endif
