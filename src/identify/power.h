/* The power of a design: the least departure that its verdict sees in most experiments.
 *
 * Experiments are drawn and fitted as a self-test does, with a departure of some size in their
 * readings. All sizes have the same random numbers, so that what is seen grows with the size. Seen
 * is a departure where a rule finds a misfit; a correlation of errors also where one finds that the
 * noise is not as assumed. The size is sought by steps of a quarter about the share that is wanted,
 * and interpolated between two of these, as a normal distribution in the logarithm of the size.
 *
 * A departure is a difference in the readings of one quantity, which grows with its size, or a
 * correlation of their errors:
 *
 *   smooth      the first polynomial along the axis, of degree 0 to 3, of which a change of the
 *               parameters leaves at least half of the length, or that of which it leaves most. Its
 *               size is the largest difference that is left in the quantity.
 *   drift       straight in the order of the rows; its size is the change from the first row to
 *               the last
 *   set         one of several data sets is off by its size: the one that is hardest to see among
 *               those that the parameters cannot follow
 *   neighbours  errors of the quantity follow those of the row before, in the order of the rows,
 *               as an autoregression of order 1; its size is the correlation
 */

#ifndef CF_IDENTIFY_POWER_H
#define CF_IDENTIFY_POWER_H

#include "identify/selftest.h"

enum cf_departure_kind {
    CF_DEPARTURE_SMOOTH,
    CF_DEPARTURE_DRIFT,
    CF_DEPARTURE_SET,
    CF_DEPARTURE_NEIGHBOURS
};

struct cf_departure {
    enum cf_departure_kind kind;
    const struct cf_channel_row *quantity;
    const struct cf_axis *axis;
    const char *data; /* the set; else NULL */
    size_t degree;    /* of the polynomial; else 0 */
    size_t n;         /* readings of the quantity, */
    size_t *row;      /* observations in the order of the rows, data set by data set */
    double *by;       /* n: what size 1 adds to them [SI]; NULL of neighbours */
    double typical;   /* root mean square of what is predicted of them */
    double length;    /* in sigmas, of what is left of size 1 beside the parameters; NAN of
                       * neighbours; 0: they take all of it */
    size_t columns;   /* of the test of departures that sees it; 0: it has too few rows */
    double dof;       /* of that test; INFINITY: chi^2 */
    bool plain;       /* no errors are shared and there are no locals: these numbers are exact for a
                       * law that is linear in its parameters */
};

struct cf_departures {
    size_t n;
    struct cf_departure *item;
};

/* Those of all quantities at theta, with the problem's sigmas there. Locals and errors that rows
 * share are not looked at for lengths. To be cleared, also after a failure. */
int cf_departures_make(const struct cf_problem *problem, const double theta[],
                       struct cf_departures *departures, struct cf_error *err);
void cf_departures_clear(struct cf_departures *departures);

/* "smooth", "drift", "set", "neighbours" */
extern const char *const cf_departure_name[];

/* The size that an F or chi^2 test of departures alone, at this level, sees with this probability;
 * INFINITY: none, or the parameters take all of it; NAN: that test is not made, or of neighbours.
 * First order. */
double cf_departure_seen(const struct cf_departure *departure, double level, double power);

struct cf_power {
    bool reached;     /* some size is seen often enough; else the next three are NAN */
    double size;      /* that is seen in that share */
    double low, high; /* where it lies, by the 95 % interval of a share of so many experiments */
    double largest;   /* else the largest that was tried: as large as the readings, a correlation
                       * of 0.99, or what the range of their column holds; 0: none */
};

/* In which share of experiments is this departure of this size seen? Size 0: how often something is
 * seen where nothing is, by the rules that see this kind. CF_ERANGE: it takes readings
 * out of the range of their column. Of the plan the rivals and the disturbance are not looked at.
 */
int cf_power_share(const struct cf_selftest_plan *plan, const struct cf_departure *departure,
                   double size, const struct cf_workers *workers, double *share,
                   struct cf_error *err);

/* Seek the size that is seen in `share`, which is above what is seen of none. */
int cf_power_find(const struct cf_selftest_plan *plan, const struct cf_departure *departure,
                  double share, const struct cf_workers *workers, struct cf_power *power,
                  struct cf_error *err);

#endif
