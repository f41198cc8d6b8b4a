/* The channels, the apparatus and the parts of the toss protocol; private to its files. */

#ifndef CF_EXPERIMENT_TOSS_CHANNELS_H
#define CF_EXPERIMENT_TOSS_CHANNELS_H

#include "experiment/protocol.h"

enum cf_toss_channel {
    CF_TOSS_SINCE,  /* made: time since the window's start */
    CF_TOSS_WINDOW, /* made: its number, from 1 */
    CF_TOSS_TIME,
    CF_TOSS_TOSS,
    CF_TOSS_X,
    CF_TOSS_Y,
    CF_TOSS_Z,
    CF_TOSS_QW,
    CF_TOSS_QX,
    CF_TOSS_QY,
    CF_TOSS_QZ,
    CF_TOSS_NCHANNEL
};

enum { CF_TOSS_FIRST = CF_TOSS_X, CF_TOSS_POSE = CF_TOSS_NCHANNEL - CF_TOSS_FIRST };

enum cf_toss_apparatus {
    CF_TOSS_HALF_WIDTH,
    CF_TOSS_MASS,
    CF_TOSS_INERTIA,
    CF_TOSS_GRAVITY,
    CF_TOSS_CORNER,
    CF_TOSS_HEIGHT, /* of the floor; from here on they may be fitted, up to the rules */
    CF_TOSS_SLOPE_X,
    CF_TOSS_SLOPE_Y,
    CF_TOSS_JUMP, /* from here on: rules by which a record is read */
    CF_TOSS_QUIET,
    CF_TOSS_FLIGHT_ROWS,
    CF_TOSS_FLIGHT_MOST,
    CF_TOSS_ROWS,
    CF_TOSS_ROWS_LEAST,
    CF_TOSS_SUPPORT,
    CF_TOSS_WHOLE,
    CF_TOSS_AGREE_PLACE,
    CF_TOSS_AGREE_ANGLE,
    CF_TOSS_NAPPARATUS
};

/* Rows of one toss as they were read: those that are not excluded, in their order. */
struct cf_toss_rows {
    size_t n;
    size_t *row;        /* n: of the data set */
    double *time_s;     /* n */
    double (*place)[3]; /* n [m] */
    double (*turn)[4];  /* n: quaternions (w, x, y, z), of one sign throughout */
    double *jump; /* n: change of velocity at a row beyond gravity's, or of the speed of a face's
                   * middle by the spin's, whichever is larger [m/s]; 0 at both ends */
    double *lift; /* n: change of velocity upwards beyond gravity's [m/s]; 0 at both ends */
};

/* One impact: rows first to last change velocity, those around them do not. */
struct cf_toss_impact {
    size_t first, last; /* of cf_toss_rows */
};

/* toss_rows.c. The toss whose first row is *row of the data set; *row becomes that behind it, or
 * nrow. To be freed. */
int cf_toss_rows_make(const struct cf_dataset *d, size_t *row, struct cf_toss_rows *toss,
                      struct cf_error *err);
void cf_toss_rows_free(struct cf_toss_rows *toss);

/* The next impact from row `from` on; false: none. */
bool cf_toss_next_impact(const struct cf_dataset *d, const struct cf_toss_rows *toss, size_t from,
                         struct cf_toss_impact *impact);

/* toss_flight.c. How a cube flies at row `at`, by the flight from row `first` to it: place and
 * velocity by straight lines once gravity is taken off, attitude and spin by a line through the
 * rotations from the attitude at `at`. A cube's spin is constant in flight. */
struct cf_drive_body cf_toss_flight(const struct cf_toss_rows *toss, size_t first, size_t at,
                                    double gravity_m_s2);

/* Rotation vector [rad], of the world, from attitude `from` to `to`, the short way. */
void cf_toss_rotation(const double from[4], const double to[4], double angle[3]);

/* A vector of the body as one of the world. */
void cf_toss_turn(const double attitude[4], const double a[3], double out[3]);

/* Where a cube of this half width has its lowest corner, below its centre if < 0 [m]; with rounded
 * corners the lowest point of their spheres. */
double cf_toss_lowest(const double attitude[4], double half_width_m, double corner_m);

/* toss_record.c, toss_contacts.c, toss_hand.c, toss_predict.c: for the protocol. */
int cf_toss_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                     struct cf_error *err);
int cf_toss_account(const struct cf_dataset *d, const double predicted[],
                    const struct cf_remarks *remarks, bool *agrees, struct cf_error *err);
int cf_toss_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                 struct cf_error *err);
void *cf_toss_open(struct cf_curves *curves);
void cf_toss_close(void *work);
int cf_toss_predict(void *work, const struct cf_request *q, struct cf_response *out,
                    struct cf_error *err);

/* toss_motion.c: a cube that flies from a start and meets the floor at its corners. */
struct cf_toss_scene;
struct cf_toss_scene *cf_toss_scene_alloc(void); /* NULL: no memory */
void cf_toss_scene_free(struct cf_toss_scene *scene);

/* One run. Samples at time_s[n] since the start, ascending; y[n * CF_TOSS_POSE] and (NULL to skip)
 * rate, alike; by[n * CF_TOSS_POSE * nby], derivatives by by[nby] of the values: the law's
 * parameters, then the apparatus, the floor's alone. */
struct cf_toss_run {
    const struct cf_law *law;
    const double *value; /* law's, apparatus */
    const struct cf_drive_body *start;
    double tolerance;
    size_t max_steps;
    size_t n;
    const double *time_s;
    size_t nby;
    const size_t *by;
    double *y, *rate, *by_value;
};
int cf_toss_run(struct cf_toss_scene *scene, const struct cf_toss_run *run, struct cf_error *err);

#endif
