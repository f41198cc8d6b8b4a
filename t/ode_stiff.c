/* The stiff method: its coefficients by the polynomials that they must integrate, its accuracy
 * against closed forms and published references, its events, and when it takes over from the
 * explicit one. */

#include "ode/ode.h"

#include <math.h>
#include <string.h>

#include "ode/stiff.h"
#include "tap.h"

static const double ones[] = {1, 1, 1, 1};
static const double PI = 3.14159265358979323846;

/* y' = -(y - cos t)/eps - sin t, y = cos t (Prothero and Robinson) */
static void follow(const void *context, double t, const double y[], double dydt[])
{
    dydt[0] = -(y[0] - cos(t)) / *(const double *) context - sin(t);
}

/* y = exp(-2 t), exp(-t) for any eps (Kaps) */
static void kaps(const void *context, double t, const double y[], double dydt[])
{
    double eps = *(const double *) context;
    (void) t;
    dydt[0] = -(1 / eps + 2) * y[0] + y[1] * y[1] / eps;
    dydt[1] = y[0] - y[1] * (1 + y[1]);
}

static void van_der_pol(const void *context, double t, const double y[], double dydt[])
{
    (void) t;
    dydt[0] = y[1];
    dydt[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / *(const double *) context;
}

static void robertson(const void *context, double t, const double y[], double dydt[])
{
    (void) context, (void) t;
    dydt[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    dydt[2] = 3e7 * y[1] * y[1];
    dydt[1] = -dydt[0] - dydt[2];
}

static void kepler(const void *context, double t, const double y[], double dydt[])
{
    double r = hypot(y[0], y[1]);
    (void) context, (void) t;
    dydt[0] = y[2];
    dydt[1] = y[3];
    dydt[2] = -y[0] / (r * r * r);
    dydt[3] = -y[1] / (r * r * r);
}

static void grow(const void *context, double t, const double y[], double dydt[])
{
    (void) context, (void) t;
    dydt[0] = y[0] * y[0];
}

static void end_at_one(const void *context, double t, const double y[], double dydt[])
{
    (void) context, (void) y;
    dydt[0] = t < 1 ? 1 : (double) NAN;
}

/* A block of 1 kg on a belt at 1 m/s by a spring of 100 N/m: friction of 5 N, straight up to a slip
 * of 1e-6 m/s; then what it spends, and the work of the belt. */
enum { X, V, SPENT, WORK };

static void belt(const void *context, double t, const double y[], double dydt[])
{
    double slip = y[V] - 1, f = -5 * fmax(-1, fmin(1, slip / 1e-6));
    (void) context, (void) t;
    dydt[X] = y[V];
    dydt[V] = -100 * y[X] + f;
    dydt[SPENT] = -f * slip;
    dydt[WORK] = f;
}

typedef void cf_rates(const void *context, double t, const double y[], double dydt[]);

static int run(cf_rates *rates, size_t n, const double *eps, const struct cf_ode_options *options,
               double y[], double t_end, struct cf_ode_result *out, struct cf_error *err)
{
    const struct cf_ode_system system = {.n = n, .rates = rates};
    struct cf_ode *ode = cf_ode_alloc(n, 0);
    double t = 0;
    int status = cf_ode_run(ode, &system, eps, options, &t, y, NULL, t_end, out, err);

    cf_ode_free(ode);
    return status;
}

static struct cf_ode_options stiffly(double tolerance)
{
    return (struct cf_ode_options){
        .method = CF_ODE_STIFF, .tolerance = tolerance, .scale = ones, .max_steps = 100000};
}

/* A of the method from its eigenvalues and vectors. */
static void tableau(double a[CF_RADAU_STAGES][CF_RADAU_STAGES])
{
    enum { S = CF_RADAU_STAGES };
    double block[S][S] = {{1 / cf_radau_real}};

    for (int p = 0; p < CF_RADAU_PAIRS; p++) { /* the block's inverse */
        double re = cf_radau_pair[p][0], im = cf_radau_pair[p][1], size = re * re + im * im;
        int k = 1 + 2 * p;
        block[k][k] = block[k + 1][k + 1] = re / size;
        block[k][k + 1] = -im / size;
        block[k + 1][k] = im / size;
    }
    for (int i = 0; i < S; i++)
        for (int j = 0; j < S; j++) {
            a[i][j] = 0;
            for (int k = 0; k < S; k++)
                for (int l = 0; l < S; l++)
                    a[i][j] += cf_radau_T[i][k] * block[k][l] * cf_radau_T_inverse[l][j];
        }
}

static void test_coefficients(void)
{
    enum { S = CF_RADAU_STAGES };
    double a[S][S], worst = 0, sixth = 0;

    tableau(a);
    for (int i = 0; i < S; i++)
        for (int power = 1; power <= S; power++) {
            double sum = 0;
            for (int j = 0; j < S; j++)
                sum += a[i][j] * pow(cf_radau_c[j], power - 1);
            worst = fmax(worst, fabs(sum - pow(cf_radau_c[i], power) / power));
        }
    ok(worst < 1e-14, "each stage integrates powers up to t^4: %g", worst);
    worst = 0;
    for (int power = 1; power <= 2 * S - 1; power++) {
        double sum = 0;
        for (int j = 0; j < S; j++)
            sum += a[S - 1][j] * pow(cf_radau_c[j], power - 1);
        worst = fmax(worst, fabs(sum - 1.0 / power));
    }
    ok(worst < 1e-14, "the last one up to t^8: %g", worst);
    worst = 0;
    for (int power = 1; power <= S + 1; power++) {
        double sum = power == 1;
        for (int j = 0; j < S; j++)
            sum += cf_radau_error[j] * pow(cf_radau_c[j], power) / power;
        if (power <= S)
            worst = fmax(worst, fabs(sum));
        else
            sixth = fabs(sum);
    }
    ok(worst < 1e-13 && sixth > 1e-3, "the error is of order 5: %g, %g", worst, sixth);
}

static void test_linear(void)
{
    static const double eps[] = {1e-2, 1e-4, 1e-6, 1e-9};

    for (size_t i = 0; i < sizeof eps / sizeof eps[0]; i++) {
        struct cf_ode_options options = stiffly(1e-10);
        struct cf_ode_result out;
        double y[] = {1};
        run(follow, 1, &eps[i], &options, y, 10, &out, NULL);
        ok(fabs(y[0] - cos(10)) < 1e-10 && out.steps < 250 && out.stiff_steps == out.steps,
           "cos t through a decay of %g: error %g in %zu steps", eps[i], fabs(y[0] - cos(10)),
           out.steps);
    }
}

static void test_kaps(void)
{
    static const double eps[] = {1e-8, 1e-5, 1e-2};

    for (size_t i = 0; i < sizeof eps / sizeof eps[0]; i++) {
        double worst = 0;
        size_t steps = 0;
        for (double tolerance = 1e-4; tolerance > 5e-12; tolerance *= 0.1) {
            struct cf_ode_options options = stiffly(tolerance);
            struct cf_ode_result out;
            double y[] = {1, 1};
            run(kaps, 2, &eps[i], &options, y, 1, &out, NULL);
            worst = fmax(worst, fabs(y[0] - exp(-2)) / tolerance);
            worst = fmax(worst, fabs(y[1] - exp(-1)) / tolerance);
            steps = out.steps;
        }
        ok(worst < 0.1 && steps < 30,
           "Kaps' problem, eps %g: errors below a tenth of tolerances 1e-4 to 1e-11 (%g), %zu "
           "steps",
           eps[i], worst, steps);
    }
}

static void test_references(void)
{
    /* Mazzia & Magherini, Test Set for IVP Solvers 2.4, 2008: VDPOL and ROBER */
    static const double eps = 1e-6, pol[] = {1.706167732170483, -0.8928097010247975},
                        kinetics[] = {0.2083340149701255e-7, 0.8333360770334713e-13,
                                      0.9999999791665050};
    static const double small[] = {1e-8, 1e-14, 1};

    for (double tolerance = 1e-6; tolerance > 5e-11; tolerance *= 0.01) {
        struct cf_ode_options options = stiffly(tolerance);
        struct cf_ode_result out;
        double y[] = {2, 0};
        run(van_der_pol, 2, &eps, &options, y, 2, &out, NULL);
        ok(fabs(y[0] - pol[0]) < 10 * tolerance && fabs(y[1] - pol[1]) < 10 * tolerance &&
               out.steps < 1000,
           "van der Pol's oscillator at 1e6, tolerance %g: errors %g %g in %zu steps", tolerance,
           fabs(y[0] - pol[0]), fabs(y[1] - pol[1]), out.steps);
    }
    struct cf_ode_options options = stiffly(1e-9);
    struct cf_ode_result out;
    double y[] = {1, 0, 0}, worst = 0;
    options.scale = small;
    run(robertson, 3, NULL, &options, y, 1e11, &out, NULL);
    for (int i = 0; i < 3; i++)
        worst = fmax(worst, fabs(y[i] / kinetics[i] - 1));
    ok(worst < 1e-6 && out.steps < 500, "Robertson's kinetics at 1e11: %g in %zu steps", worst,
       out.steps);
}

struct between {
    double worst, longest;
    size_t steps;
};

static void look(void *observer, const struct cf_ode_dense *dense)
{
    struct between *b = observer;
    double from, to, y[1];

    cf_ode_dense_span(dense, &from, &to);
    for (int i = 0; i <= 16; i++) {
        double t = from + (to - from) * i / 16;
        cf_ode_dense_at(dense, t, y);
        b->worst = fmax(b->worst, fabs(y[0] - cos(t)));
    }
    b->longest = fmax(b->longest, to - from);
    b->steps++;
}

static void test_dense(void)
{
    const double eps = 1e-6;

    for (double tolerance = 1e-5; tolerance > 5e-12; tolerance *= 1e-2) {
        struct cf_ode_options options = stiffly(tolerance);
        struct cf_ode_result out;
        struct between b = {0};
        double y[] = {1};
        options.step = look;
        options.observer = &b;
        options.max_step = 0.3;
        run(follow, 1, &eps, &options, y, 10, &out, NULL);
        ok(b.worst < tolerance && b.steps == out.steps && b.longest <= 0.3 * (1 + 1e-12),
           "within the steps, tolerance %g: error %g", tolerance, b.worst);
    }
}

static double half(const void *context, double t, const double y[])
{
    (void) context, (void) t;
    return y[0] - 0.5;
}

/* Dips below 0 for 2e-4 at pi. */
static double bottom(const void *context, double t, const double y[])
{
    (void) context, (void) t;
    return y[0] + cos(1e-4);
}

static void kick(const void *context, double t, const double y[], double after[])
{
    (void) context, (void) t;
    after[0] = y[0] + 1;
}

struct seen {
    double at[8];
    size_t count;
};

static void note(void *observer, size_t event, double t, const double y[], const double s[],
                 const double dtau[])
{
    struct seen *seen = observer;

    (void) event, (void) y, (void) s, (void) dtau;
    if (seen->count < sizeof seen->at / sizeof seen->at[0])
        seen->at[seen->count++] = t;
}

static void test_events(void)
{
    static const double eps = 1e-7;
    const struct cf_ode_event both[] = {{.name = "half", .g = half},
                                        {.name = "bottom", .g = bottom}};
    const struct cf_ode_event kicked[] = {
        {.name = "half", .g = half, .direction = -1, .reset = kick}};
    const struct cf_ode_event last[] = {
        {.name = "half", .g = half, .direction = 1, .terminal = true}};
    struct cf_ode_system system = {.n = 1, .rates = follow, .nevent = 2, .event = both};
    struct cf_ode_options options = stiffly(1e-11);
    struct cf_ode *ode = cf_ode_alloc(1, 0);
    struct cf_ode_result out;
    struct seen seen = {0};
    double t = 0, y[] = {1};

    options.seen = note;
    options.observer = &seen;
    cf_ode_run(ode, &system, &eps, &options, &t, y, NULL, 6, &out, NULL);
    ok(seen.count == 4 && fabs(seen.at[0] - PI / 3) < 1e-10 &&
           fabs(seen.at[3] - 5 * PI / 3) < 1e-10,
       "%zu events, those that cross to %g", seen.count, fabs(seen.at[0] - PI / 3));
    ok(fabs(seen.at[1] - (PI - 1e-4)) < 1e-7 && fabs(seen.at[2] - (PI + 1e-4)) < 1e-7,
       "and a dip within a step, of 5e-9: %g %g", seen.at[1] - PI, seen.at[2] - PI);

    /* the decay from the kick passes 0.5 again, 1 behind it */
    seen.count = 0;
    system.nevent = 1;
    system.event = kicked;
    t = 0, y[0] = 1;
    cf_ode_run(ode, &system, &eps, &options, &t, y, NULL, 1.0471975, &out, NULL);
    size_t before = seen.count;
    cf_ode_run(ode, &system, &eps, &options, &t, y, NULL, 1.0471976, &out, NULL);
    ok(before == 0 && seen.count > 0 && fabs(seen.at[0] - PI / 3) < 1e-10,
       "a kick at its moment: %g", seen.at[0] - PI / 3);

    system.event = last;
    t = 0, y[0] = 1;
    cf_ode_run(ode, &system, &eps, &options, &t, y, NULL, 10, &out, NULL);
    ok(out.reason == CF_ODE_EVENT && fabs(t - 5 * PI / 3) < 1e-10 && fabs(y[0] - 0.5) < 1e-14,
       "a terminal one ends the run: %g", t - 5 * PI / 3);
    cf_ode_free(ode);
}

static void test_auto(void)
{
    static const double eps = 1e-5;

    for (double tolerance = 1e-4; tolerance > 5e-11; tolerance *= 1e-2) {
        struct cf_ode_options options = stiffly(tolerance);
        struct cf_ode_result stiff, orbits;
        double y[] = {1, 1}, orbit[] = {0.5, 0, 0, sqrt(3)};
        options.method = CF_ODE_AUTO;
        run(kaps, 2, &eps, &options, y, 10, &stiff, NULL);
        run(kepler, 4, NULL, &options, orbit, 20, &orbits, NULL);
        ok(stiff.stiff_steps > 0 && stiff.stiff_steps < stiff.steps && stiff.steps < 250 &&
               fabs(y[1] - exp(-10)) < 10 * tolerance && orbits.stiff_steps == 0,
           "tolerance %g: of %zu steps %zu are stiff; of an orbit's %zu %zu", tolerance,
           stiff.steps, stiff.stiff_steps, orbits.steps, orbits.stiff_steps);
    }
    struct cf_ode_options options = stiffly(1e-8);
    struct cf_ode_result out;
    double y[] = {1, 1};
    options.method = CF_ODE_AUTO;
    options.tolerance = 1e-12;
    run(kaps, 2, &eps, &options, y, 1, &out, NULL);
    ok(out.steps < 1000 && out.stiff_steps > 0,
       "what hides its stiffness is found by trial: %zu steps", out.steps);
    y[0] = y[1] = 1;
    options.tolerance = 1e-8;
    options.method = CF_ODE_EXPLICIT;
    run(kaps, 2, &eps, &options, y, 1, &out, NULL);
    ok(out.steps > 5000 && out.stiff_steps == 0, "the explicit method alone: %zu steps", out.steps);
}

/* Sticks and slips, with two corners in each turn. */
static void test_corners(void)
{
    double slips[2];

    for (int i = 0; i < 2; i++) {
        struct cf_ode_options options = stiffly(1e-10);
        struct cf_ode_result out;
        double y[4] = {0}, energy;
        options.method = i == 0 ? CF_ODE_STIFF : CF_ODE_AUTO;
        int status = run(belt, 4, NULL, &options, y, 20, &out, NULL);
        energy = 0.5 * y[V] * y[V] + 50 * y[X] * y[X] + y[SPENT] - y[WORK];
        ok(status == CF_OK && fabs(energy) < 1e-8 * y[WORK] && out.steps < 20000,
           "a block on a belt: %zu steps (%zu stiff), energy balance to %g of %g J", out.steps,
           out.stiff_steps, energy, y[WORK]);
        slips[i] = y[SPENT];
    }
    ok(fabs(slips[0] / slips[1] - 1) < 1e-7, "both ways spend the same: %.10g %.10g J", slips[0],
       slips[1]);
}

static void test_reasons(void)
{
    static const double eps = 1e-6;
    struct cf_ode_options options = stiffly(1e-8);
    struct cf_ode_result out;
    struct cf_error err;
    double y[] = {1};

    run(end_at_one, 1, NULL, &options, y, 2, &out, &err);
    ok(out.reason == CF_ODE_NOT_FINITE, "rates that end: %s", err.text);
    y[0] = 1;
    run(grow, 1, NULL, &options, y, 2, &out, &err);
    ok((out.reason == CF_ODE_TOO_SMALL || out.reason == CF_ODE_NOT_FINITE) && out.steps < 1000,
       "a pole: %s", err.text);
    options.max_steps = 7;
    y[0] = 1;
    run(follow, 1, &eps, &options, y, 10, &out, &err);
    ok(out.reason == CF_ODE_STEPS && out.steps + out.rejected == 7, "steps run out");
    is_str(strchr(err.text, ':'), ": the limit of 7 steps ran out", "and it says so");
}

TEST(ode_stiff)
{
    plan(3 + 4 + 3 + 3 + 1 + 4 + 4 + 6 + 3 + 4);
    test_coefficients();
    test_linear();
    test_kaps();
    test_references();
    test_dense();
    test_events();
    test_auto();
    test_corners();
    test_reasons();
    return done();
}
