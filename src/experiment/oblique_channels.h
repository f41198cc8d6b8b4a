/* The channels and apparatus of oblique impacts, and the two ways to predict one; private to the
 * files of the protocol. */

#ifndef CF_EXPERIMENT_OBLIQUE_CHANNELS_H
#define CF_EXPERIMENT_OBLIQUE_CHANNELS_H

#include "experiment/protocol.h"

enum cf_oblique_channel {
    CF_OBLIQUE_SPEED,
    CF_OBLIQUE_ANGLE,
    CF_OBLIQUE_SPIN,
    CF_OBLIQUE_RESTITUTION,
    CF_OBLIQUE_TANGENTIAL,
    CF_OBLIQUE_REBOUND_ANGLE,
    CF_OBLIQUE_REBOUND_SPIN,
    CF_OBLIQUE_IMPULSE_RATIO,
    CF_OBLIQUE_DURATION,
    CF_OBLIQUE_NCHANNEL
};

enum cf_oblique_apparatus {
    CF_OBLIQUE_APPARATUS_SPEED,
    CF_OBLIQUE_APPARATUS_SPIN,
    CF_OBLIQUE_OFFSET,
    CF_OBLIQUE_INERTIA,
    CF_OBLIQUE_NAPPARATUS
};

/* What an impact depends on beside the law. */
enum cf_oblique_input {
    CF_OBLIQUE_BY_NORMAL,  /* v_n, towards the plane [m/s] */
    CF_OBLIQUE_BY_SLIP,    /* of the point that touches, v_t - R w [m/s] */
    CF_OBLIQUE_BY_INERTIA, /* I/(m R^2) */
    CF_OBLIQUE_NINPUT
};

/* And what follows from it. */
enum cf_oblique_output {
    CF_OBLIQUE_OUT_NORMAL,   /* v_n', away from the plane [m/s] */
    CF_OBLIQUE_OUT_CHANGE,   /* v_t - v_t' = J_t/m [m/s] */
    CF_OBLIQUE_OUT_DURATION, /* [s]; NAN where the law predicts none */
    CF_OBLIQUE_NOUTPUT
};

struct cf_oblique_contact {
    double input[CF_OBLIQUE_NINPUT];
    double value[CF_OBLIQUE_NOUTPUT];
    double by_input[CF_OBLIQUE_NOUTPUT][CF_OBLIQUE_NINPUT];
    double by_param[CF_OBLIQUE_NOUTPUT][CF_MAX_PARAM];
};

#define CF_HALF_TURN 3.14159265358979323846
#define CF_QUARTER (CF_HALF_TURN / 2)

double cf_degrees(double rad);

/* The workspace of a worker. */
struct cf_oblique_work {
    struct cf_curves *curves;
    struct cf_oblique_scene *scene;
};

/* A rigid friction: impulses, in closed form beside the restitution. tolerance as in a request. */
int cf_oblique_impulses(struct cf_curves *curves, const struct cf_law *law, const double p[],
                        const struct cf_pair *pair, double tolerance,
                        struct cf_oblique_contact *contact, struct cf_error *err);

/* The derivatives that are wanted; all others stay as they are. */
struct cf_oblique_slopes {
    size_t nparam, param[CF_MAX_PARAM]; /* by these parameters of the law */
    bool by_input, by_inertia;
};

/* A friction with a force over time: one contact of the motion. */
struct cf_oblique_scene *cf_oblique_scene_alloc(void);
void cf_oblique_scene_free(struct cf_oblique_scene *scene);
int cf_oblique_motion(struct cf_oblique_scene *scene, const struct cf_law *law, const double p[],
                      const struct cf_pair *pair, double tolerance,
                      const struct cf_oblique_slopes *slopes, struct cf_oblique_contact *contact,
                      struct cf_error *err);

/* Parameters of the friction law by hand: rows that slide give mu, rows that stick the stiffness.
 */
int cf_oblique_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                    struct cf_error *err);

/* The conditions of a row: its own, else those of the apparatus. */
double cf_oblique_speed(const struct cf_dataset *d, size_t row, const double apparatus[]);
double cf_oblique_spin(const struct cf_dataset *d, size_t row, const double apparatus[]);
double cf_oblique_angle(const struct cf_dataset *d, size_t row);

/* For the protocol's row. */
void *cf_oblique_open(struct cf_curves *curves);
void cf_oblique_close(void *work);
int cf_oblique_predict(void *work, const struct cf_request *request, struct cf_response *out,
                       struct cf_error *err);

#endif
