/* Friction in steady sliding (law/sliding.h): states that stand still, closed forms of what the
 * bristles of each law are deflected by, derivatives against differences of other runs, and a law
 * that does not settle. */

#include <math.h>
#include <string.h>

#include "law/sliding.h"
#include "tap.h"

#define LENGTH(table) (sizeof table / sizeof table[0])

/* The states at a speed under a load. */
typedef void shape(const double p[], double v, double N, double state[]);

static double curve(double mu_s, double mu_c, double v, double v_s)
{
    return mu_c + (mu_s - mu_c) / exp(v / v_s * (v / v_s));
}

/* Gonthier's: x' = s v + (1 - s) (mu_c - sigma_0 x)/sigma_1 is 0, or what the cut leaves; the
 * dwell is the share s. */
static void bristle(const double p[], double v, double N, double state[])
{
    double leak = p[1] + p[3] * v / expm1(v / p[5] * (v / p[5]));

    (void) N;
    state[0] = fmin(leak, curve(p[0], p[1], v, p[5])) / p[2];
    state[2] = 1 / exp(v / p[5] * (v / p[5]));
}

/* Stiffness and damping that do not grow with the load: less of either per load. */
static void bristle_fixed(const double p[], double v, double N, double state[])
{
    double q[7];

    memcpy(q, p, sizeof q);
    q[2] /= N;
    q[3] /= N;
    bristle(q, v, N, state);
}

static void lugre(const double p[], double v, double N, double state[])
{
    (void) N;
    state[0] = curve(p[0], p[1], v, p[5]) / p[2];
}

static void dahl(const double p[], double v, double N, double state[])
{
    (void) v;
    (void) N;
    state[0] = p[0] / p[1];
}

/* Behind its clutch, which slips as fast as the contact: the spring carries mu f_n + c_v v. */
static void clutch_linear(const double p[], double v, double N, double state[])
{
    state[0] = (p[0] * N + p[3] * v) / p[1];
}

/* Where the curve of first loading breaks: 0.3 of 0.19 at 1.7e3 1/m; of iwan-3 then half of what
 * is left at 0.6 of it, and the rest at 0.6 0.4 of it. */
static void iwan_2(const double p[], double v, double N, double state[])
{
    (void) p;
    (void) v;
    (void) N;
    state[0] = 0.057 / 1700;
    state[2] = 0.057 / 1700 + 0.133 / 1020;
}

static void iwan_3(const double p[], double v, double N, double state[])
{
    iwan_2(p, v, N, state);
    state[2] = 0.057 / 1700 + 0.0665 / 1020;
    state[4] = 0.057 / 1700 + 0.0665 / 1020 + 0.0665 / 408;
}

static void iwan_4(const double p[], double v, double N, double state[])
{
    iwan_3(p, v, N, state);
    state[4] = 0.057 / 1700 + 0.0665 / 1020 + 0.03325 / 408;
    state[6] = 0.057 / 1700 + 0.0665 / 1020 + 0.03325 / 408 + 0.03325 / 204;
}

/* theta = D_c/v */
static void rate_state(const double p[], double v, double N, double state[])
{
    (void) N;
    state[0] = state[1] = log(p[2] / v);
}

/* length: of path in which the numbers among the states follow. */
static const struct {
    const char *law;
    double p[CF_MAX_PARAM], v_m_s, length_m;
    shape *shape;
} row[] = {
    {"bristle", {0.15, 0.1, 1e4, 31.6, 0.01, 1e-3, 2}, 1e-3, 1e-5, bristle},
    {"bristle", {0.19, 0.1, 1e4, 0.31, 3.7, 1e-3, 0.3}, 1e-3, 1e-5, bristle},
    {"bristle", {0.1, 0.1, 1e4, 30, 0.1, 1e-3, 0.3}, 1e-3, 1e-5, bristle},
    {"bristle-fixed", {0.15, 0.1, 3e5, 1e3, 0.3, 1e-3, 2}, 1e-3, 1e-5, bristle_fixed},
    {"lugre", {0.15, 0.1, 1e4, 31.6, 3.1, 1e-3}, 1e-3, 1, lugre},
    {"elasto-plastic", {0.15, 0.1, 1e4, 31.6, 3.1, 1e-3, 0.6}, 1e-3, 1, lugre},
    {"dahl", {0.23, 3e4}, 1e-3, 1, dahl},
    {"clutch-linear", {0.31, 2e4, 60, 4.1}, 0.02, 1, clutch_linear},
    {"iwan-2", {0.19, 1.7e3, 0.3, 0.6}, 1e-3, 1, iwan_2},
    {"iwan-3", {0.19, 1.7e3, 0.3, 0.6, 0.5, 0.4}, 1e-3, 1, iwan_3},
    {"iwan-4", {0.19, 1.7e3, 0.3, 0.6, 0.5, 0.4, 0.5, 0.5}, 1e-3, 1, iwan_4},
    {"rate-state", {0.6, 0.011, 1e-6, 0.015, 1e-5}, 1e-6, 1e-5, rate_state},
    {"rate-state-slip", {0.6, 0.011, 1e-6, 0.015, 1e-5}, 1e-6, 1e-5, rate_state},
    {"rate-state-2", {0.6, 0.011, 1e-6, 0.015, 1e-5, 0.004, 1e-4}, 1e-6, 1e-5, rate_state},
    {"rate-state-slip-2", {0.6, 0.011, 1e-6, 0.015, 1e-5, 0.004, 1e-4}, 1e-6, 1e-5, rate_state},
};

static const double speeds[] = {0.05, 0.3, 0.7, 1.6, 2.3, 11, 200}, LOAD = 37;

/* The larger one; NaN counts as the largest. */
static double worse(double a, double b)
{
    return isnan(b) ? (double) INFINITY : fmax(a, b);
}

/* The size of a state: of a deflection itself, of a number 1. */
static double size_of(const struct cf_friction_law *law, const double state[], size_t i)
{
    return i < 2 * law->nvector ? fabs(state[i - i % 2]) : fmax(fabs(state[i]), 1);
}

/* Settled it stands still: the deflections to a part of the speed, numbers to one of the rate at
 * which they follow. The return is the worst of them. */
static double motion_of(const struct cf_friction_law *law, const double p[], double v, double N,
                        double length_m, const double state[])
{
    const struct cf_slide c = {.normal_N = N, .velocity_m_s = {v, 0}, .state = state};
    double force[2], rate[CF_FRICTION_STATES] = {0}, worst = 0;

    law->force(p, &c, force, rate);
    for (size_t i = 0; i < law->nstate; i++)
        worst = worse(worst, fabs(rate[i]) / (i < 2 * law->nvector ? v : v / length_m));
    return worst;
}

static void test_states(size_t k)
{
    const struct cf_friction_law *law = cf_friction_find(row[k].law);
    double still = 0, off = 0;
    struct cf_error err = {""};

    for (size_t i = 0; i < LENGTH(speeds); i++) {
        double v = speeds[i] * row[k].v_m_s, want[CF_FRICTION_STATES] = {0};
        struct cf_sliding s;
        if (cf_sliding_settle(law, row[k].p, v, LOAD, false, &s, &err)) {
            off = (double) INFINITY;
            break;
        }
        still = worse(still, motion_of(law, row[k].p, v, LOAD, row[k].length_m, s.state));
        row[k].shape(row[k].p, v, LOAD, want);
        for (size_t j = 0; j < law->nstate; j++)
            off = worse(off, fabs(s.state[j] - want[j]) / size_of(law, want, j));
    }
    ok(still < 1e-12, "%zu, %s: settled, it stands still (%.1e)%s%s", k, row[k].law, still,
       *err.text ? ": " : "", err.text);
    ok(off < 1e-12, "%zu, %s: where the closed form says (%.1e)", k, row[k].law, off);
}

/* The states with the speed, the load or a parameter (column) larger by the factor 1 + h. */
static bool moved(size_t k, size_t column, double h, double v, double state[])
{
    const struct cf_friction_law *law = cf_friction_find(row[k].law);
    double p[CF_MAX_PARAM], N = LOAD;
    struct cf_sliding s;
    struct cf_error err;

    memcpy(p, row[k].p, sizeof p);
    if (column == CF_SLIDING_BY_SPEED)
        v *= 1 + h;
    else if (column == CF_SLIDING_BY_LOAD)
        N *= 1 + h;
    else
        p[column - CF_SLIDING_BY_PARAM] *= 1 + h;
    if (cf_sliding_settle(law, p, v, N, false, &s, &err))
        return false;
    memcpy(state, s.state, sizeof s.state);
    return true;
}

/* The largest difference of one column, over the states' sizes, both by the factor. */
static double slope_off(size_t k, size_t column, double v, const struct cf_sliding *s)
{
    static const double h = 1e-4;
    const struct cf_friction_law *law = cf_friction_find(row[k].law);
    double y[4][CF_FRICTION_STATES], x, worst = 0;

    x = column == CF_SLIDING_BY_SPEED  ? v
        : column == CF_SLIDING_BY_LOAD ? LOAD
                                       : row[k].p[column - CF_SLIDING_BY_PARAM];
    for (int i = 0; i < 4; i++)
        if (!moved(k, column, (double[]){-2, -1, 1, 2}[i] * h, v, y[i]))
            return (double) INFINITY;
    for (size_t j = 0; j < law->nstate; j++) {
        double want = (8 * (y[2][j] - y[1][j]) - (y[3][j] - y[0][j])) / (12 * h);
        worst = worse(worst, fabs(x * s->by[column][j] - want) / size_of(law, s->state, j));
    }
    return worst;
}

static void test_slopes(size_t k)
{
    const struct cf_friction_law *law = cf_friction_find(row[k].law);
    struct cf_error err = {""};
    double worst = 0;
    const char *of = "";

    for (size_t i = 0; i < LENGTH(speeds); i++) {
        double v = speeds[i] * row[k].v_m_s;
        struct cf_sliding s;
        if (cf_sliding_settle(law, row[k].p, v, LOAD, true, &s, &err)) {
            worst = (double) INFINITY;
            break;
        }
        for (size_t c = 0; c < CF_SLIDING_BY_PARAM + law->nparam; c++) {
            double off = slope_off(k, c, v, &s);
            if (off > worst || isnan(off)) {
                worst = isnan(off) ? (double) INFINITY : off;
                of = c == CF_SLIDING_BY_SPEED  ? "speed"
                     : c == CF_SLIDING_BY_LOAD ? "load"
                                               : law->param[c - CF_SLIDING_BY_PARAM].name;
            }
        }
    }
    ok(worst < 1e-7, "%zu, %s: by speed, load and each parameter as differences (%.1e, by %s)", k,
       row[k].law, worst, of);
}

/* Every law that has states is in the table, or needs more than a load. */
static void test_table(void)
{
    const char *missing = "";

    for (size_t i = 0; cf_friction_laws[i]; i++) {
        bool has = !cf_friction_laws[i]->nstate || !cf_friction_takes_load(cf_friction_laws[i]);
        for (size_t k = 0; k < LENGTH(row) && !has; k++)
            has = strcmp(row[k].law, cf_friction_laws[i]->name) == 0;
        missing = has ? missing : cf_friction_laws[i]->name;
    }
    is_str(missing, "", "every law with states is here");
}

/* At a speed far above v_s nothing is left of sticking: mu_c/sigma_0. Of parallel elements the
 * springs together carry mu_c. */
static void test_limits(void)
{
    static const double p[] = {0.15, 0.1, 1e4, 30, 0.1, 3e-3, 0.15};
    struct cf_sliding s;
    struct cf_error err = {""};

    cf_sliding_settle(cf_friction_find("bristle"), p, 0.035, 10, true, &s, &err);
    is_near(s.state[0] * 1e5, 1, 1e-14, "a bristle far above v_s: mu_c/sigma_0");
    is_near(s.by[CF_SLIDING_BY_PARAM + 1][0] * 1e4, 1, 1e-14, "by mu_c: 1/sigma_0");
    is_near(s.by[CF_SLIDING_BY_PARAM + 2][0] * 1e9, -1, 1e-14, "by sigma_0: -mu_c/sigma_0^2");
    for (size_t k = 0; k < LENGTH(row); k++) {
        const struct cf_friction_law *law = cf_friction_find(row[k].law);
        double force[2];
        if (strncmp(row[k].law, "iwan", 4) != 0)
            continue;
        cf_sliding_settle(law, row[k].p, 2e-3, LOAD, false, &s, &err);
        const struct cf_slide c = {.normal_N = LOAD, .velocity_m_s = {2e-3, 0}, .state = s.state};
        law->force(row[k].p, &c, force, NULL);
        is_near(-force[0] / LOAD, 0.19, 1e-14, "%s: its elements carry mu_c", law->name);
    }
}

/* Sticking that strengthens at once: the dwell is no state of its own, and stays what it is. */
static void test_at_once(void)
{
    static const double p[] = {0.15, 0.1, 1e4, 31.6, 0.01, 1e-3, 0};
    double want[CF_FRICTION_STATES] = {0};
    struct cf_sliding s;
    struct cf_error err = {""};

    is_str(cf_sliding_settle(cf_friction_find("bristle"), p, 7e-4, LOAD, true, &s, &err) ? err.text
                                                                                         : "",
           "", "a bristle without a dwell time settles, too");
    bristle(p, 7e-4, LOAD, want);
    is_near(s.state[0] / want[0], 1, 1e-12, "where its closed form says");
}

static void test_none(void)
{
    static const double p_coulomb[] = {0.31, 2e-4}, p_clutch[] = {0.31, 2e6, 3e3, 4.1};
    struct cf_sliding s;
    struct cf_error err = {""};
    double worst = 0;

    memset(&s, 1, sizeof s);
    ok(cf_sliding_settle(cf_friction_find("coulomb"), p_coulomb, 0.02, LOAD, true, &s, &err) ==
           CF_OK,
       "a law without states has nothing to settle");
    for (size_t i = 0; i < CF_FRICTION_STATES; i++)
        worst = worse(worst, fabs(s.state[i]) + fabs(s.by[CF_SLIDING_BY_SPEED][i]));
    ok(worst == 0, "and they are all 0");

    ok(cf_sliding_settle(cf_friction_find("bristle"), row[0].p, (double) NAN, LOAD, true, &s,
                         &err) == CF_ESOLVE,
       "no speed, no sliding");
    is_str(err.text, "bristle does not settle in sliding at nan m/s", "its message");
    /* its spring is as the root of the depth, of which there is none here */
    ok(cf_sliding_settle(cf_friction_find("clutch"), p_clutch, 0.02, LOAD, false, &s, &err) ==
               CF_OK &&
           s.state[0] == 0,
       "a clutch without a depth holds nothing");
}

TEST(sliding)
{
    plan(1 + 3 * (int) LENGTH(row) + 3 + 3 + 2 + 5);
    test_table();
    for (size_t k = 0; k < LENGTH(row); k++) {
        test_states(k);
        test_slopes(k);
    }
    test_limits();
    test_at_once();
    test_none();
    return done();
}
