/* A driven block against closed forms: a rigid frame, where the age of contacts goes exponentially
 * after a jump of speed; steps so small that the answer is linear; holds; the steady states of all
 * laws; and derivatives by all numbers against differences. */

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/driven_block.h"
#include "tap.h"

enum { N = 40 };

static const double V_1 = 3e-6, V_2 = 1e-5, STEP_S = 5;
static const double P[] = {0.61, 0.0089, 3e-6, 0.0093, 7e-6, 0.002, 5e-5};

static struct cf_driven_block block(const char *law, const double p[], double stiffness)
{
    struct cf_driven_block b = {.law = cf_friction_find(law), .p = p, .nstep = 1};

    b.number[CF_BLOCK_LOAD] = 1;
    b.number[CF_BLOCK_STIFFNESS] = stiffness;
    b.number[CF_BLOCK_SPEED] = V_1;
    b.number[CF_BLOCK_STEP] = STEP_S;
    b.number[CF_BLOCK_STEP + 1] = V_2;
    return b;
}

static bool run(const struct cf_driven_block *b, size_t n, const double t[], double y[])
{
    struct cf_error err = {""};
    int status = cf_driven_block_run(b, n, t, NULL, 1e-11, 100000, y, NULL, NULL, &err);

    if (status)
        printf("# %s\n", err.text);
    return status == CF_OK;
}

static void times(double from, double to, double t[N])
{
    for (int i = 0; i < N; i++)
        t[i] = from + (to - from) * i / (N - 1);
}

/* ---- a rigid frame: v is V */

/* mu + (a - b) ... of the logarithm, which is asinh where friction is 68 a. */
static double of_theta(const double p[], double v, double theta)
{
    return p[0] + p[1] * log(v / p[2]) + p[3] * log(p[2] * theta / p[4]);
}

static void test_rigid(void)
{
    double t[N], y[N], worst[2] = {0};

    times(0, 15, t);
    for (int slip = 0; slip < 2; slip++) {
        struct cf_driven_block b = block(slip ? "rate-state-slip" : "rate-state", P, 0);
        b.nstep = 2;
        b.number[CF_BLOCK_STEP + 2] = 9;
        b.number[CF_BLOCK_STEP + 3] = 1e-6;
        ok(run(&b, N, t, y), "%s behind a rigid frame", b.law->name);
        for (int i = 0; i < N; i++) {
            double theta = P[4] / V_1, V = V_1, from = 0;
            const double at[] = {STEP_S, 9, INFINITY}, to[] = {V_2, 1e-6, 0};
            for (int j = 0; j < 3 && from < t[i]; j++) {
                double left = exp(-V * (fmin(t[i], at[j]) - from) / P[4]);
                theta = slip ? P[4] / V * pow(V * theta / P[4], left)
                             : P[4] / V + (theta - P[4] / V) * left;
                if (t[i] <= at[j])
                    break;
                from = at[j];
                V = to[j];
            }
            worst[slip] = fmax(worst[slip], fabs(y[i] - of_theta(P, V, theta)));
        }
        ok(worst[slip] < 1e-11, "theta goes as it must (%.0e)", worst[slip]);
    }
}

/* ---- a step of a part in 1e5: linear, S' = k (V - v), v = V (1 + (S - mu_ss - b psi)/a) and psi'
 * =
 * -(V/D_c) (psi + (v - V)/V) of both laws, to first order */
static void test_linear(void)
{
    const double k = 7000, e = 1e-5, V = V_1, w = V / P[4],
                 A[2][2] = {{-k * V / P[1], k * V * P[3] / P[1]},
                            {-w / P[1], -w * (1 - P[3] / P[1])}};
    double t[N], y[N], trace = A[0][0] + A[1][1], det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    double complex root = csqrt(trace * trace / 4 - det), l = trace / 2 + root,
                   m = trace / 2 - root;
    /* the new steady state is (a - b) e off in S and -e in psi; x is what is left to it */
    double x0 = -(P[1] - P[3]) * e, x1 = e, dx0 = A[0][0] * x0 + A[0][1] * x1;

    times(0, 25, t);
    for (int slip = 0; slip < 2; slip++) {
        struct cf_driven_block b = block(slip ? "rate-state-slip" : "rate-state", P, k);
        double worst = 0;
        b.number[CF_BLOCK_STEP + 1] = V * (1 + e);
        bool good = run(&b, N, t, y);
        for (int i = 0; i < N; i++) {
            double s = fmax(t[i] - STEP_S, 0);
            double complex c = (dx0 - m * x0) / (l - m), d = x0 - c;
            double want = P[0] + (P[1] - P[3]) * e + creal(c * cexp(l * s) + d * cexp(m * s));
            worst = fmax(worst, fabs(y[i] - (t[i] > STEP_S ? want : P[0])));
        }
        ok(good && worst < 1e-3 * e * P[1], "%s: a step of a part in 1e5 (%.0e of it)", b.law->name,
           worst / (e * P[1]));
    }
}

/* ---- holds: behind a stiff frame friction relaxes while it heals; v theta/D_c goes to where
 * ageing has theta = t */
static void test_hold(void)
{
    struct cf_driven_block b = block("rate-state", P, 7000);
    double t[3] = {4.9, 1e4, 1e4 + 30}, y[3], peak = 0, later[N], at[N];

    b.nstep = 2;
    b.number[CF_BLOCK_STEP + 1] = 0;
    b.number[CF_BLOCK_STEP + 2] = 1e4;
    b.number[CF_BLOCK_STEP + 3] = V_1;
    bool good = run(&b, 3, t, y);
    ok(good && y[1] < y[0] - 0.02, "in a hold friction relaxes, by %.4f", y[0] - y[1]);
    times(1e4, 1e4 + 20, at);
    ok(run(&b, N, at, later), "and it is drawn again");
    for (int i = 0; i < N; i++)
        peak = fmax(peak, later[i]);
    /* Marone 1998: about b ln(hold V/D_c) above, less by what the frame takes */
    double most = P[3] * log(1e4 * V_1 / P[4]);
    ok(peak - y[0] > 0.5 * most && peak - y[0] < most, "the peak is %.4f above, no more than %.4f",
       peak - y[0], most);
    is_near(y[2], y[0], 1e-3, "and friction comes back");
    b.law = cf_friction_find("rate-state-slip");
    run(&b, 3, t, y);
    run(&b, N, at, later);
    double slip_peak = 0;
    for (int i = 0; i < N; i++)
        slip_peak = fmax(slip_peak, later[i]);
    ok(slip_peak < peak, "the slip law heals less: %.4f above", slip_peak - y[0]);
}

/* ---- steady sliding of all laws that the load alone knows, at two speeds, by closed forms */
static double stribeck(const double p[], double v)
{
    return p[1] + (p[0] - p[1]) * exp(-(v / p[5]) * (v / p[5])) + p[4] * v;
}

static double bristle(const double p[], double v)
{
    double leak = p[1] + p[3] * v / expm1(v / p[5] * (v / p[5]));
    return fmin(leak, stribeck((double[]){p[0], p[1], 0, 0, 0, p[5]}, v)) + p[4] * v;
}

static double dry(const double p[], double v)
{
    (void) v;
    return p[0];
}

static double aged(const double p[], double v)
{
    return p[0] + (p[1] - p[3]) * log(v / p[2]);
}

static double aged_2(const double p[], double v)
{
    return p[0] + (p[1] - p[3] - p[5]) * log(v / p[2]);
}

static const struct {
    const char *law;
    double p[CF_MAX_PARAM], damping;
    double (*curve)(const double p[], double v);
} steady[] = {
    {"rate-state", {0.61, 0.0089, 1e-3, 0.0093, 7e-6}, 0, aged},
    {"rate-state-slip", {0.61, 0.0089, 1e-9, 0.0093, 7e-6}, 0, aged},
    {"rate-state-2", {0.61, 0.0089, 3e-6, 0.0093, 7e-6, 0.002, 5e-5}, 0, aged_2},
    {"rate-state-slip-2", {0.61, 0.0089, 3e-6, 0.0093, 7e-6, 0.002, 5e-5}, 0, aged_2},
    {"bristle", {0.62, 0.6, 1e3, 700, 1500, 5e-6, 2}, 0, bristle},
    {"bristle", {0.65, 0.6, 1e5, 10, 1500, 5e-6, 0}, 0, bristle},
    {"bristle-fixed", {0.62, 0.6, 1e3, 700, 1500, 5e-6, 2}, 0, bristle},
    {"lugre", {0.65, 0.6, 1e5, 1e3, 1500, 5e-6}, 0, stribeck},
    {"elasto-plastic", {0.65, 0.6, 1e5, 1e3, 1500, 5e-6, 0.7}, 0, stribeck},
    {"dahl", {0.6, 1e5}, 100, dry},
    {"coulomb", {0.6, 1e-9}, 100, dry},
};

static void test_steady(void)
{
    for (size_t i = 0; i < sizeof steady / sizeof *steady; i++) {
        const double *p = steady[i].p, t[2] = {1, 1e4};
        struct cf_driven_block b = block(steady[i].law, p, 7000);
        double y[2];
        b.number[CF_BLOCK_DAMPING] = steady[i].damping;
        bool good = run(&b, 2, t, y);
        is_near(good ? y[0] : NAN, steady[i].curve(p, V_1), 1e-12, "%s: steady at the start",
                steady[i].law);
        is_near(good ? y[1] : NAN, steady[i].curve(p, V_2), 1e-7, "%s: and long after the step",
                steady[i].law);
    }
}

/* Friction that does not know speed, behind a damper: it stays mu while the block follows the plate
 * within damping/stiffness. Spring and damper are far from linear in the scale on which the speed
 * is sought: weak and strong dampers, soft and stiff bristles, steps up, down and by many decades.
 */
static void test_dry_step(void)
{
    static const double stiff[] = {900, 1e5, 1e8}, damping[] = {0.1, 10, 1000},
                        speed[] = {10e-6, 1e-7, 1e-2};

    for (size_t i = 0; i < 27; i++) {
        const double p[] = {0.58, stiff[i % 3]};
        struct cf_driven_block b = block("dahl", p, 7000);
        double t[N], y[N], worst = 0;
        b.number[CF_BLOCK_DAMPING] = damping[i / 3 % 3];
        b.number[CF_BLOCK_STEP + 1] = speed[i / 9];
        times(0, 25, t);
        bool good = run(&b, N, t, y);
        for (int j = 0; j < N; j++)
            worst = fmax(worst, fabs(y[j] - p[0]));
        ok(good && worst < 1e-9, "dahl, %g 1/m, %g s/m, to %g m/s: mu stays (%.0e)", p[1],
           damping[i / 3 % 3], speed[i / 9], worst);
    }
}

/* ---- derivatives */

static const struct {
    const char *what, *law;
    double p[CF_MAX_PARAM];
    double stiffness, damping, mass, within;
} cases[] = {
    {"a frame", "rate-state", {0.61, 0.0089, 3e-6, 0.0093, 7e-6}, 7000, 0, 0, 1e-5},
    {"a frame with a damper",
     "rate-state-slip-2",
     {0.61, 0.0089, 3e-6, 0.0093, 7e-6, 0.002, 5e-5},
     7000,
     100,
     0,
     1e-5},
    {"a mass",
     "rate-state-2",
     {0.61, 0.0089, 3e-6, 0.0093, 7e-6, 0.002, 5e-5},
     3000,
     200,
     50,
     1e-5},
    {"no frame", "rate-state-slip", {0.61, 0.0089, 3e-6, 0.0093, 7e-6}, 0, 0, 0, 1e-5},
    {"a frame", "lugre", {0.65, 0.6, 1e5, 1e3, 1500, 5e-6}, 7000, 0, 0, 3e-4},
    {"a frame", "bristle", {0.62, 0.6, 1e3, 700, 1500, 5e-6, 2}, 7000, 0, 0, 2e-3},
};

static void test_columns(size_t which)
{
    struct cf_driven_block b = block(cases[which].law, cases[which].p, cases[which].stiffness);
    size_t of[CF_MAX_PARAM + CF_BLOCK_NNUMBER], n = 0, nparam = b.law->nparam;
    static double y[N], by[N * (CF_MAX_PARAM + CF_BLOCK_NNUMBER)], by_time[N], t[N];
    double worst = 0, worst_time = 0, size = 0.01;
    struct cf_error err = {""};
    size_t where = 0;

    b.number[CF_BLOCK_LOAD] = 3;
    b.number[CF_BLOCK_DAMPING] = cases[which].damping;
    b.number[CF_BLOCK_MASS] = cases[which].mass;
    b.number[CF_BLOCK_DRIFT] = 2.3;
    b.nstep = 3;
    b.number[CF_BLOCK_STEP + 2] = 9;
    b.number[CF_BLOCK_STEP + 3] = strcmp(cases[which].law, "bristle") ? 0 : 1e-6;
    b.number[CF_BLOCK_STEP + 4] = 14;
    b.number[CF_BLOCK_STEP + 5] = V_1;
    if (!(cases[which].stiffness > 0))
        b.number[CF_BLOCK_STEP + 3] = 1e-6; /* friction has no value at 0 */
    for (size_t i = 0; i < nparam; i++)
        of[n++] = i;
    for (size_t i = 0; i < CF_BLOCK_STEP + 6; i++)
        if (i != CF_BLOCK_START && (b.number[i] != 0 || i == CF_BLOCK_DRIFT))
            of[n++] = nparam + i;
    const struct cf_block_columns columns = {n, of};
    times(-1, 21.37, t);
    int status = cf_driven_block_run(&b, N, t, &columns, 1e-10, 100000, y, by, by_time, &err);
    for (size_t c = 0; c < n && !status; c++) {
        static double up[N], down[N];
        double p[CF_MAX_PARAM], h;
        struct cf_driven_block moved = b;
        memcpy(p, b.p, nparam * sizeof *p);
        moved.p = p;
        double *x = of[c] < nparam ? &p[of[c]] : &moved.number[of[c] - nparam];
        h = 1e-4 * *x;
        *x += h;
        status = status ? status : !run(&moved, N, t, up);
        *x -= 2 * h;
        status = status ? status : !run(&moved, N, t, down);
        for (int i = 0; i < N; i++) {
            double want = (up[i] - down[i]) / (2 * h) * *x, got = by[i * n + c] * *x;
            double error = fabs(got - want) / (fabs(want) + size);
            if (error > worst)
                where = of[c];
            worst = isnan(error) || error > worst ? error : worst;
        }
    }
    for (int side = 0; side < 1 && !status; side++) {
        double up[N], down[N], later[N], h = 1e-4;
        for (int i = 0; i < N; i++)
            later[i] = t[i] + h;
        status = !run(&b, N, later, up);
        for (int i = 0; i < N; i++)
            later[i] = t[i] - h;
        status = status || !run(&b, N, later, down);
        for (int i = 0; i < N; i++)
            worst_time = fmax(worst_time, fabs((up[i] - down[i]) / (2 * h) - by_time[i]));
    }
    ok(!status && worst < cases[which].within, "%s, %s: %zu columns (%.0e, of %zu) %s",
       cases[which].law, cases[which].what, n, worst, where, err.text);
    ok(!status && worst_time < 1e-7, "and along time (%.0e)", worst_time);
}

static void test_refusals(void)
{
    const double dahl[] = {0.6, 1e5}, t[] = {0, 10};
    struct cf_driven_block b = block("dahl", dahl, 7000);
    struct cf_error err = {""};
    double y[2];

    ok(cf_driven_block_run(&b, 2, t, NULL, 1e-9, 1000, y, NULL, NULL, &err) == CF_EINPUT,
       "friction that does not know speed");
    is_str(err.text,
           "in a frame that gives way a block without mass has no speed of its own, where neither "
           "the frame nor dahl resists the more the faster it is: state damping or mass "
           "(apparatus: {damping: 10 s/m})",
           "and what helps");
    b = block("rate-state", P, 7000);
    ok(cf_driven_block_run(&b, 2, t, NULL, 1e-9, 3, y, NULL, NULL, &err) == CF_ESOLVE,
       "too few steps: %s", err.text);
}

TEST(velocity_step)
{
    const size_t ncase = sizeof cases / sizeof *cases;

    plan((int) (4 + 2 + 5 + 2 * sizeof steady / sizeof *steady + 2 * ncase + 27 + 3));
    test_rigid();
    test_linear();
    test_hold();
    test_steady();
    test_dry_step();
    for (size_t i = 0; i < ncase; i++)
        test_columns(i);
    test_refusals();
    return done();
}
