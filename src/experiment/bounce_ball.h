/* A ball that bounces, by a law and the apparatus of a request: what follows an impact at a speed,
 * with derivatives; private to the protocols of bounces. */

#ifndef CF_EXPERIMENT_BOUNCE_BALL_H
#define CF_EXPERIMENT_BOUNCE_BALL_H

#include "experiment/flight.h"
#include "experiment/protocol.h"

/* What a request predicts by. Drag and density of the air are the first two numbers of the
 * apparatus of all these protocols. */
struct cf_bounce_ball {
    void *work;
    const struct cf_request *q;
    double g, kappa, mass, contact_time;
    size_t contact_value;                       /* of the request; one that is none: no such */
    double by_drag_coefficient, by_air_density; /* of kappa */
};

/* contact: the number of the apparatus that is the contact time of laws that predict none;
 * CF_NO_CHANNEL: it is 0. */
struct cf_bounce_ball cf_ball_of(void *work, const struct cf_request *q, size_t contact);

/* The impact at a speed. */
int cf_ball_impact(const struct cf_bounce_ball *b, double v, struct cf_impact *out,
                   struct cf_error *err);

/* d kappa/d value of the request. */
double cf_ball_drag_by(const struct cf_bounce_ball *b, size_t value);

/* The interval after an impact, its end and their derivatives by the speed of the impact; those by
 * parameters through the impact's answers. */
struct cf_bounce_interval {
    struct cf_impact impact;
    struct cf_flight flight;
    double v, length_s, by_v, landing_by_v;
    bool knows_time; /* the law predicts the contact time */
};

int cf_interval_after(const struct cf_bounce_ball *b, double v, struct cf_bounce_interval *out,
                      struct cf_error *err);

/* The impact before an interval of this length. */
int cf_interval_before(const struct cf_bounce_ball *b, double length_s,
                       struct cf_bounce_interval *out, struct cf_error *err);

/* How long its contact lasts, and that by a value of the request at a constant speed. */
double cf_interval_contact(const struct cf_bounce_ball *b, const struct cf_bounce_interval *i);
double cf_interval_contact_by(const struct cf_bounce_ball *b, const struct cf_bounce_interval *i,
                              size_t value);

/* Derivatives of the interval and of the speed at its end by a value of the request, at a constant
 * speed of the impact. */
void cf_interval_by(const struct cf_bounce_ball *b, const struct cf_bounce_interval *i,
                    size_t value, double *length, double *landing);

#endif
