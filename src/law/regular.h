/* One impact of a law in scaled variables in which it is smooth, for a stepper of high order.
 *
 *   depth = Z y^q,   rate = v w,   time = T t,   T = Z/v,   ds = dt/y^(q-1),   force = (m v^2/Z) f
 *
 * In depth and time most laws have a root at touch, where every method of high order loses its
 * order; in y and s they have none. Z, and the dimensionless groups that are left, are the law's
 * choice. The loss D, what dampers took of m v^2, is a state: a solver's error in it is a share of
 * the loss and does not look like damping where there is none.
 */

#ifndef CF_LAW_REGULAR_H
#define CF_LAW_REGULAR_H

#include "law/law.h"

/* The states of a scaled impact; inner ones of the law follow. It starts from w = 1, the rest 0. In
 * the place of w a law may have another state that starts from 1 (`speed`). */
enum { CF_Y, CF_W, CF_T, CF_D, CF_NBASIC, CF_MAX_REGULAR = CF_NBASIC + CF_MAX_STATE };

enum { CF_MAX_GROUP = 3 };

/* A quantity with its derivatives by everything that an impact depends on. */
struct cf_graded {
    double value, by_param[CF_MAX_PARAM], by_speed, by_mass;
};

/* A scaled quantity with its derivatives by state and group. */
struct cf_sloped {
    double value, by_state[CF_MAX_REGULAR], by_group[CF_MAX_GROUP];
};

/* The Jacobian of the rates. */
struct cf_rates_slope {
    double by_state[CF_MAX_REGULAR][CF_MAX_REGULAR]; /* [of][by] */
    double by_group[CF_MAX_REGULAR][CF_MAX_GROUP];
};

struct cf_regular {
    size_t nstate, ngroup;
    int q;

    /* Z and the groups; *size receives about how large y becomes. */
    void (*scale)(const double p[], double mass_kg, double speed_m_s, struct cf_graded *length_m,
                  struct cf_graded group[], double *size);

    /* d(state)/ds, which depends on neither t nor D; slope is NULL where it is not wanted, and all
     * 0 before the call. */
    void (*rates)(const double group[], const double x[], double rate[],
                  struct cf_rates_slope *slope);

    /* w, where x[CF_W] holds something else; NULL: it is w. *out is all 0 before the call. */
    void (*speed)(const double group[], const double x[], struct cf_sloped *out);

    /* About how large x[CF_W] is where the force ends, if it decays until then: its error is held
     * against that. NULL: 1. */
    double (*last)(const double group[]);

    /* How far what damping decides decays on the way out, as a power of e. NULL: not far. */
    double (*decay)(const double group[]);

    /* The force, not clamped; the energy that is left in springs; and a function that falls
     * monotonically through 0 where the force ends, so that no long step misses it. *out is all 0
     * before the call. */
    void (*force)(const double group[], const double x[], struct cf_sloped *out);
    double (*rise)(const double group[], const double x[]); /* has the sign of its rate */
    void (*stored)(const double group[], const double x[], struct cf_sloped *out);
    void (*end)(const double group[], const double x[], struct cf_sloped *out);

    /* e and its slopes by the groups, where it has a closed form: a derivative that vanishes is
     * then exactly 0, and not only to the integration's rounding. NULL: none. */
    double (*restitution)(const double group[], double by_group[]);
};

/* w of a state. */
static inline void cf_regular_speed(const struct cf_regular *regular, const double group[],
                                    const double x[], struct cf_sloped *out)
{
    *out = (struct cf_sloped){.value = x[CF_W], .by_state = {[CF_W] = 1}};
    if (!regular->speed)
        return;
    *out = (struct cf_sloped){0};
    regular->speed(group, x, out);
}

/* Of k z^n + lambda z^p zdot with any exponents, and its groups: beta is that of impact.h. */
enum { CF_POWER_N, CF_POWER_P, CF_POWER_BETA };
extern const struct cf_regular cf_power_regular;

#endif
