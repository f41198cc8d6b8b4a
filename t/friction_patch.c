/* Friction over an area that slides and spins: derivatives against differences; what it becomes
 * without spin, which is the law of a point; pure spin and the closure of [G07] 4.211 in closed
 * form; exact integrals at their limits; the power; no direction is preferred.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/patch.h"
#include "tap.h"

enum { NSTATE = 4, COLUMNS_OF_MOTION = CF_BY_STATE };

static const char *const names[] = {"bristle", "coulomb", "viscous-load"};
enum { NLAW = sizeof names / sizeof *names };

static const double params[NLAW][7] = {
    {0.3, 0.2, 1e4, 150, 0.4, 0.01, 0.05}, /* mu_s, mu_c, sigma_0, sigma_1, sigma_2, v_s, tau_dw */
    {0.3, 1e-3},                           /* mu, v_e */
    {0.7},
};

static const struct cf_friction_law *over_area(int i)
{
    return cf_friction_find(names[i])->over_area;
}

/* Slow and fast, with bristles far below their limit and beyond it, within v_e, with and without
 * spin; the power of the pressure last. */
static const double cases[][11] = {
    /* v, w, N, r, x, dwell, theta, power */
    {3e-3, -2e-3, 2.0, 12, 2e-3, 2e-6, 1e-6, 0.4, 1e-3, NAN, 1},
    {0.05, 0.02, -30, 12, 2e-3, 1e-5, -1e-5, 0.1, -5e-3, NAN, 1},
    {3e-3, -2e-3, 2.0, 12, 2e-3, 4e-5, 1e-5, 0.4, 2e-2, NAN, 0.65},
    {2e-5, 3e-5, 0.01, 5, 2e-3, 2e-6, 1e-6, 0.9, 1e-3, NAN, 1},
    {3e-3, -2e-3, 2.0, 12, 2e-3, 2e-6, 1e-6, 0.4, 1e-3, 0, 1},
    {0.05, 0.02, -30, 12, 2e-3, 1e-5, -1e-5, 0.1, -5e-3, 0.5, 1},
    {5e-3, -1e-3, 0.3, 12, 2e-3, 4e-5, 1e-5, 0.4, 2e-2, 1, 1},
    {3e-5, 2e-5, 0.02, 7, 1e-3, 1e-6, 1e-6, 0.9, 1e-3, 1, 1},
};
enum { NCASE = sizeof cases / sizeof *cases };

static struct cf_patch patch_of(const double row[11], double state[NSTATE])
{
    memcpy(state, row + 5, NSTATE * sizeof *state);
    return (struct cf_patch){
        .slide = {.normal_N = row[3], .velocity_m_s = {row[0], row[1]}, .state = state},
        .spin_rad_s = row[2],
        .gyration_m = row[4],
        .power = row[9],
        .spin_factor = row[10]};
}

/* One number of all that a law reads. */
static double *part(struct cf_patch *c, double state[], double p[], size_t column)
{
    if (column < CF_BY_NORMAL)
        return &c->slide.velocity_m_s[column];
    if (column == CF_BY_NORMAL)
        return &c->slide.normal_N;
    if (column == CF_BY_SPIN)
        return &c->spin_rad_s;
    if (column == CF_BY_GYRATION)
        return &c->gyration_m;
    if (column >= CF_BY_PARAM)
        return &p[column - CF_BY_PARAM];
    return &state[column - CF_BY_STATE];
}

enum { OUT = CF_PATCH_FORCES + CF_FRICTION_STATES };

static void evaluate(const struct cf_friction_law *law, const double p[], const struct cf_patch *c,
                     double out[OUT])
{
    cf_patch_force(law, p, c, out, out + CF_PATCH_FORCES);
}

/* The worst of one column: against a difference of fourth order. */
static double off(const struct cf_friction_law *law, const double p0[], const double row[11],
                  size_t column)
{
    static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1. / 12, -2. / 3, 2. / 3, -1. / 12};
    double d[CF_PATCH_COLUMNS] = {0}, want[OUT] = {0}, got[OUT], size[OUT] = {0}, worst = 0, step;

    for (int k = 0; k < 4; k++) {
        double p[CF_MAX_PARAM] = {0}, state[NSTATE], out[OUT];
        struct cf_patch c = patch_of(row, state);
        memcpy(p, p0, 7 * sizeof *p);
        double *x = part(&c, state, p, column);
        step = 1e-3 * (*x != 0 ? fabs(*x) : 1e-6);
        *x += at[k] * step;
        evaluate(law, p, &c, out);
        for (int i = 0; i < OUT; i++) {
            want[i] += weight[k] * out[i] / step;
            size[i] = fmax(size[i], fabs(out[i]) / step);
        }
    }
    double state[NSTATE];
    struct cf_patch c = patch_of(row, state);
    d[column] = 1;
    cf_patch_vary(law, p0, &c, d, got, got + CF_PATCH_FORCES);
    for (int i = 0; i < OUT; i++) {
        double error = fabs(got[i] - want[i]) / fmax(size[i], 1e-300);
        worst = error > worst || isnan(error) ? error : worst;
    }
    return worst;
}

static void test_derivatives(void)
{
    for (int l = 0; l < NLAW; l++) {
        const struct cf_friction_law *law = over_area(l);
        double worst = 0;
        for (int k = 0; k < NCASE; k++)
            for (size_t column = 0; column < CF_PATCH_COLUMNS; column++) {
                if (column == CF_BY_DEPTH ||
                    (column >= CF_BY_STATE + law->nstate && column < CF_BY_PARAM) ||
                    (column >= CF_BY_PARAM + law->nparam && column < CF_BY_SPIN))
                    continue;
                double error = off(law, params[l], cases[k], column);
                worst = fmax(worst, error);
            }
        ok(worst < 1e-9, "%s: derivatives (%.0e)", names[l], worst);
    }
}

/* Without spin each is the law of a point; the torque is 0, and no torsion grows. */
static void test_no_spin(void)
{
    for (int l = 0; l < NLAW; l++) {
        const struct cf_friction_law *point = cf_friction_find(names[l]), *law = over_area(l);
        double state[NSTATE] = {1e-6, -2e-6, 0.3, 0}, force[3], rate[CF_FRICTION_STATES];
        double flat[2], flat_rate[CF_FRICTION_STATES] = {0}, worst = 0;
        struct cf_patch c = patch_of(cases[1], state);
        state[3] = 0;
        c.spin_rad_s = 0;
        cf_patch_force(law, params[l], &c, force, rate);
        point->force(params[l], &c.slide, flat, flat_rate);
        for (int i = 0; i < 2; i++)
            worst = fmax(worst, fabs(force[i] / flat[i] - 1));
        for (int i = 0; i < 3 && law->nstate; i++)
            worst = fmax(worst, fabs(rate[i] / flat_rate[i] - 1));
        ok(worst < 1e-14 && force[2] == 0, "%s: without spin that of a point (%.0e)", names[l],
           worst);
    }
}

static void test_closure(void)
{
    const struct cf_friction_law *law = over_area(1);
    double force[3], rate[CF_FRICTION_STATES], v = 0.03, w = 20, r = 2e-3, N = 4, mu = 0.3;
    struct cf_patch c = {.slide = {.normal_N = N}, .gyration_m = r, .power = NAN, .spin_factor = 1};

    c.spin_rad_s = w;
    cf_patch_force(law, params[1], &c, force, rate);
    ok(fabs(force[2] / (-mu * N * r) - 1) < 1e-14 && force[0] == 0 && force[1] == 0,
       "pure spin: mu f_n r_gyr");
    c.slide.velocity_m_s[0] = v;
    cf_patch_force(law, params[1], &c, force, rate);
    double slide = -force[0] / (mu * N), spin = -force[2] / (mu * N * r);
    ok(fabs(slide * slide + spin * spin - 1) < 1e-14, "C_v^2 + C_w^2 = 1");
    ok(fabs(slide / spin - v / (w * r)) < 1e-14, "as |v| is to r_gyr w");
    c.spin_factor = 0.65;
    cf_patch_force(law, params[1], &c, force, rate);
    ok(fabs(-force[2] / (mu * N * r) / spin - 0.65) < 1e-15, "the torque, by a factor");
}

/* Friction over uniform, Hertz' and the foundation's pressure; r_gyr of each is known. */
static void test_exact(void)
{
    const double pi = acos(-1.), power[3] = {0, 0.5, 1};
    const double arm[3] = {2. / 3, 3 * pi / 16, 8. / 15}; /* mean r/R */
    const double gyration[3] = {0.5, 0.4, 1. / 3};        /* mean r^2/R^2 */
    const double N = 4, mu = 0.3, R = 3e-3;

    for (int k = 0; k < 3; k++) {
        double force[3], rate[CF_FRICTION_STATES];
        struct cf_patch c = {.slide = {.normal_N = N},
                             .spin_rad_s = -20,
                             .gyration_m = R * sqrt(gyration[k]),
                             .power = power[k],
                             .spin_factor = 1};
        cf_patch_force(over_area(1), params[1], &c, force, rate);
        ok(fabs(force[2] / (mu * N * R * arm[k]) - 1) < 1e-12, "power %g: torque of pure spin",
           power[k]);
        c.slide.velocity_m_s[1] = 1e4 * R;
        c.spin_rad_s = 0.1;
        cf_patch_force(over_area(1), params[1], &c, force, rate);
        /* a contact that slides far faster than it spins: half of the closure */
        ok(fabs(force[2] / (-mu * N * gyration[k] * R * R * 0.1 / (1e4 * R)) - 0.5) < 1e-6,
           "half of the closure at v >> w R");
    }
}

static void test_power(void)
{
    for (int l = 0; l < NLAW; l++) {
        double worst = 0, least = 1;
        for (int k = 0; k < NCASE; k++) {
            double state[NSTATE], force[3], rate[CF_FRICTION_STATES];
            struct cf_patch c = patch_of(cases[k], state);
            struct cf_patch_power to;
            cf_patch_force(over_area(l), params[l], &c, force, rate);
            cf_patch_spend(over_area(l), params[l], &c, force, rate, &to);
            double given = -force[0] * c.slide.velocity_m_s[0] -
                           force[1] * c.slide.velocity_m_s[1] - force[2] * c.spin_rad_s;
            double sum = to.slide.spring_W + to.slide.damper_W + to.slide.slide_W +
                         to.slide.viscous_W + to.torsion_W + to.spin_W;
            worst = fmax(worst, fabs(sum / given - 1));
            if (l > 0) /* no springs */
                least = fmin(least, to.spin_W);
        }
        ok(worst < 1e-12 && (l == 0 || least > 0), "%s: the power has its places (%.0e)", names[l],
           worst);
    }
}

/* Bristles that are bent by hardly anything are springs. */
static void test_springs(void)
{
    double state[NSTATE] = {1e-9, 0, 1, 2e-7}, force[3], rate[CF_FRICTION_STATES];
    struct cf_patch c = patch_of(cases[0], state);

    state[0] = 1e-9, state[1] = 0, state[2] = 1, state[3] = 2e-7;
    c.slide.velocity_m_s[0] = c.slide.velocity_m_s[1] = c.spin_rad_s = 0;
    cf_patch_force(over_area(0), params[0], &c, force, rate);
    ok(fabs(force[0] / (-12 * 1e4 * 1e-9) - 1) < 1e-12 &&
           fabs(force[2] / (-12 * 2e-3 * 2e-3 * 1e4 * 2e-7) - 1) < 1e-12,
       "at rest, springs of f_n sigma_0 and f_n r^2 sigma_0");
    ok(rate[0] == 0 && rate[3] == 0, "which hold");
}

TEST(friction_patch)
{
    plan(NLAW + NLAW + 4 + 6 + NLAW + 2);
    test_derivatives();
    test_no_spin();
    test_closure();
    test_exact();
    test_power();
    test_springs();
    return done();
}
