/* An oblique impact in its plane, the fast way; private to the files of the protocol. */

#ifndef CF_EXPERIMENT_OBLIQUE_PLANAR_H
#define CF_EXPERIMENT_OBLIQUE_PLANAR_H

#include "experiment/oblique_channels.h"
#include "law/friction.h"
#include "ode/ode.h"

/* Is the normal force k z^n + lambda z^p zdot with fixed n and p? */
bool cf_oblique_is_planar(const struct cf_law *law);

/* One contact of such a law. CF_ESOLVE where its friction is too stiff to be integrated within the
 * steps that a fit may take. */
int cf_oblique_planar(const struct cf_law *law, const double p[], const struct cf_pair *pair,
                      const struct cf_oblique_slopes *slopes, struct cf_oblique_contact *contact,
                      struct cf_error *err);

/* ---- its equations */

enum {
    CF_PLANAR_Y,
    CF_PLANAR_W,
    CF_PLANAR_SLIP,
    CF_PLANAR_TIME,
    CF_PLANAR_STATE,
    CF_PLANAR_STATES = CF_PLANAR_STATE + CF_FRICTION_STATES
};
enum { CF_PLANAR_COLUMNS = CF_MAX_PARAM + CF_OBLIQUE_NINPUT };
enum { CF_PLANAR_EVENTS = 2 + CF_FRICTION_CORNERS };

/* A number by which a column is taken. */
struct cf_planar_column {
    enum { CF_BY_NORMAL_PARAM, CF_BY_FRICTION_PARAM, CF_BY_INPUT } kind;
    size_t part;
    double size; /* the derivative is that by (number/size) */
};

struct cf_planar {
    const struct cf_law *normal;
    const struct cf_friction_law *friction;
    const double *p, *friction_p;
    int q, spring, damper; /* q n, q p */
    size_t k;
    double mass_kg, per_mass_t; /* 1/m_t */
    struct cf_damping damping;
    size_t n, ncolumn;
    struct cf_planar_column column[CF_PLANAR_COLUMNS];
};

/* For struct cf_ode_system; the context is the cf_planar. */
void cf_planar_rates(const void *context, double s, const double x[], double dxds[]);
void cf_planar_variation(const void *context, double time, const double x[], const double s[],
                         double dsds[]);
size_t cf_planar_events(const struct cf_planar *c, struct cf_ode_event event[CF_PLANAR_EVENTS]);

#endif
