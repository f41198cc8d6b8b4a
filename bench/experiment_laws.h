/* Laws of known truth and the impacts that they make, written from their papers without any code of
 * contactfit. A law is a row of one table; all numbers are SI. */

#include <stdbool.h>
#include <stddef.h>

enum { MOST_PARAMETERS = 6, MOST_STEPS = 16384 };

/* A contact at one moment: the depth, its rate, a state of the law's own, the mass that moves and
 * the speed of approach. */
struct moment {
    double depth_m, rate_m_s, own, mass_kg, speed_m_s;
};

/* One of force, restitution and curve is there. `loss` is the parameter that damps, 0: none (the
 * first one is a stiffness). `flow` is the rate of the law's own state, NULL: it has none. */
struct truth {
    const char *name, *parameter[MOST_PARAMETERS + 1];
    double (*force)(const double p[], const struct moment *at);
    double (*flow)(const double p[], const struct moment *at);
    double (*restitution)(const double p[], double speed_m_s);
    double (*curve)(const double p[], double speed);
    size_t loss;
};

/* An impact on a fixed body. Of n steps the time and the force behind each, where both are given
 * (MOST_STEPS places each). */
struct impact {
    double e, duration_s, depth_m, peak_N;
    double *time_s, *force_N;
    size_t n;
};

/* NULL: there is no such law. */
const struct truth *find_truth(const char *name);

/* The names of all laws, a space before each, into text of so many bytes. */
void list_truths(char *text, size_t size);

/* The force, never pulling, and none where nothing is pressed in. */
double force_at(const struct truth *law, const double p[], const struct moment *at);

/* By the classical rule of Runge and Kutta, until the force ends and the bodies part. */
void integrate(const struct truth *law, const double p[], double mass_kg, double speed_m_s,
               struct impact *out);
