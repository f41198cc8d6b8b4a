/* Sliders against what is known of them without their equations: Dahl's exponentials of the path, a
 * spring and damper in series with a frame, on a mass, after a knock and under a force in closed
 * form; fixed steps against steps within a tolerance, and all columns against differences. */

#include "experiment/slider.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

#include "tap.h"

enum { MOST = 4001 };

static double record_t[MOST], record_x[MOST];

/* A drive through n samples of f at a spacing of h. */
static struct cf_drive_piece drive(size_t n, double h, double (*f)(double t))
{
    struct cf_drive_piece piece = {.from_s = 0, .to_s = h * (double) (n - 1)};
    struct cf_error err;

    for (size_t i = 0; i < n; i++) {
        record_t[i] = h * (double) i;
        record_x[i] = f(record_t[i]);
    }
    piece.driven = cf_smoothing_make(n, record_t, record_x, (double) INFINITY, &err);
    return piece;
}

static void drop(struct cf_drive_piece *piece)
{
    cf_smoothing_free(piece->driven);
    cf_smoothing_free(piece->load);
}

static const double STROKE = 2e-4, SPEED = 1e-3;

static double to_and_fro(double t)
{
    return STROKE * (1 - cos(2 * M_PI * t)) / 2;
}

static double steadily(double t)
{
    return SPEED * t;
}

static double three_newtons(double t)
{
    (void) t;
    return 3;
}

/* A load that grows. */
static double heavier(double t)
{
    return 8 + 2 * t;
}

static const double p_dahl[] = {0.3, 2e4, 1};
static const double p_bristle[] = {0.25, 0.2, 1e4, 20, 0.5, 5e-3, 0.1};
static const double p_stuck[] = {10, 10, 1e4, 5, 0, 1e3, 0.1}; /* a spring and a damper */

static struct cf_slider slider(const char *law, const double p[],
                               const struct cf_drive_piece *piece)
{
    return (struct cf_slider){.law = cf_friction_find(law),
                              .p = p,
                              .drive = CF_SLIDER_BY_DISPLACEMENT,
                              .seen = CF_SLIDER_FORCE,
                              .piece = piece,
                              .number = {[CF_SLIDER_LOAD] = 10, [CF_SLIDER_RATIO] = 1},
                              .order = 1,
                              .substeps = 1};
}

static bool run(const struct cf_slider *s, size_t n, const double t[], double tolerance, double y[])
{
    struct cf_error err;
    bool ran = !cf_slider_run(s, n, t, NULL, tolerance, 1000000, y, NULL, NULL, &err);

    return ran || ok(false, "it runs: %s", err.text);
}

static double largest(size_t n, const double a[], const double b[])
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, b ? fabs(a[i] - b[i]) : fabs(a[i]));
    return most;
}

/* ---- Dahl: along a path one way f goes to the level as exp(-way/length), whatever the speed */

static void dahl_over_a_path(void)
{
    enum { N = 2001 };
    static double y[N], want[N];
    struct cf_drive_piece piece = drive(N, 1e-3, to_and_fro);
    struct cf_slider s = slider("dahl", p_dahl, &piece);
    double level = 0.3 * 10, length = level / (2e4 * 10), f = 0, x = 0, error[2] = {1, 1};

    for (size_t i = 0; i < N; i++) {
        double way = record_x[i] - x, goal = way < 0 ? -level : level;
        f = goal + (f - goal) * exp(-fabs(way) / length);
        x = record_x[i];
        want[i] = f;
    }
    if (run(&s, N, record_t, 1e-10, y))
        ok(largest(N, y, want) < 1e-7 * level, "dahl within a tolerance: %.1e of the level",
           largest(N, y, want) / level);
    for (int k = 0; k < 2; k++) {
        s.substeps = k ? 4 : 1;
        if (run(&s, N, record_t, 0, y))
            error[k] = largest(N, y, want) / level;
    }
    ok(error[0] < 2e-5, "dahl in fixed steps: %.1e", error[0]);
    ok(error[1] < error[0] / 12, "of second order: %.1e in quarters of them", error[1]);
    drop(&piece);
}

/* ---- a spring and a damper behind a frame, drawn steadily: one exponential */

static void frame_in_series(void)
{
    enum { N = 201 };
    static double y[N], want[N];
    struct cf_drive_piece piece = drive(N, 1e-4, steadily);
    struct cf_slider s = slider("bristle", p_stuck, &piece);
    double k = 1e5, c = 50, K = 3e5, d = 100, C = c + d, x0 = -c * SPEED / K;
    double a = K * SPEED / (K + k), b = (d * SPEED + k * x0 - a * C) / (K + k), tau = C / (K + k);

    s.number[CF_SLIDER_STIFFNESS] = K;
    s.number[CF_SLIDER_DAMPING] = d;
    for (size_t i = 0; i < N; i++) {
        double t = record_t[i], e = exp(-t / tau), x = a * t + b + (x0 - b) * e;
        want[i] = K * (SPEED * t - x) + d * (SPEED - a + (x0 - b) * e / tau);
    }
    if (run(&s, N, record_t, 1e-10, y))
        ok(largest(N, y, want) < 1e-8 * largest(N, want, NULL), "a block without mass: %.1e",
           largest(N, y, want) / largest(N, want, NULL));
    if (run(&s, N, record_t, 0, y))
        ok(largest(N, y, want) < 2e-3 * largest(N, want, NULL), "in fixed steps: %.1e",
           largest(N, y, want) / largest(N, want, NULL));
    s.number[CF_SLIDER_STIFFNESS] = 0;
    s.number[CF_SLIDER_MASS] = 2;
    for (size_t i = 0; i < N; i++)
        want[i] = k * SPEED * record_t[i] + c * SPEED;
    if (run(&s, N, record_t, 0, y))
        ok(largest(N, y, want) < 1e-9, "in a rigid frame: %.1e N", largest(N, y, want));
    drop(&piece);
}

/* ---- a mass on a spring and a damper */

static const double MASS = 1, K_LAW = 1e5, C_LAW = 50;

static void after_a_knock(void)
{
    enum { N = 60 };
    double t[N], y[N], want[3][N], w = sqrt(K_LAW / MASS), z = C_LAW / (2 * MASS * w);
    double wd = w * sqrt(1 - z * z);
    static const char *const what[] = {"place", "speed", "acceleration"};
    static const enum cf_slider_seen seen[] = {CF_SLIDER_DISPLACEMENT, CF_SLIDER_VELOCITY,
                                               CF_SLIDER_ACCELERATION};
    struct cf_slider s = slider("bristle", p_stuck, NULL);

    s.drive = CF_SLIDER_LEFT_ALONE;
    s.number[CF_SLIDER_MASS] = MASS;
    s.number[CF_SLIDER_SPEED] = SPEED;
    s.number[CF_SLIDER_DELAY] = 3.3e-3;
    for (size_t i = 0; i < N; i++) {
        double since = (t[i] = 1e-3 * (double) i) - 3.3e-3, e = exp(-z * w * since) * SPEED;
        double x = e * sin(wd * since) / wd,
               v = e * (cos(wd * since) - z * w / wd * sin(wd * since));
        want[0][i] = since < 0 ? 0 : x;
        want[1][i] = since < 0 ? 0 : v;
        want[2][i] = since < 0 ? 0 : -(K_LAW * x + C_LAW * v) / MASS;
    }
    for (size_t k = 0; k < 3; k++) {
        s.seen = seen[k];
        if (run(&s, N, t, 1e-10, y))
            ok(largest(N, y, want[k]) < 1e-8 * largest(N, want[k], NULL), "%s after a knock: %.1e",
               what[k], largest(N, y, want[k]) / largest(N, want[k], NULL));
    }
}

static void under_a_force(void)
{
    enum { N = 101 };
    static double y[N], want[N];
    struct cf_drive_piece piece = drive(N, 1e-3, three_newtons);
    struct cf_slider s = slider("bristle", p_stuck, &piece);
    double w = sqrt(K_LAW / MASS), z = C_LAW / (2 * MASS * w), wd = w * sqrt(1 - z * z), K = 4e5;

    s.drive = CF_SLIDER_BY_FORCE;
    s.seen = CF_SLIDER_DISPLACEMENT;
    s.number[CF_SLIDER_MASS] = MASS;
    s.number[CF_SLIDER_STIFFNESS] = K;
    for (size_t i = 0; i < N; i++) {
        double t = record_t[i];
        want[i] =
            3 / K_LAW * (1 - exp(-z * w * t) * (cos(wd * t) + z * w / wd * sin(wd * t))) + 3 / K;
    }
    if (run(&s, N, record_t, 1e-10, y))
        ok(largest(N, y, want) < 1e-8 * largest(N, want, NULL),
           "drawn by a force, seen at a drive that gives way: %.1e",
           largest(N, y, want) / largest(N, want, NULL));
    drop(&piece);
}

/* ---- columns against differences of what fixed steps answer */

struct rig {
    const char *what;
    double stiffness, ratio, mass, damping, backlash, bandwidth, delay, start_N;
    int order;
    bool loaded;
};

static const struct rig rigs[] = {
    {"a rigid frame", 0, 1, 0.3, 0, 0, 0, 0.4e-3, 1.5, 1, false},
    {"a recorded load", 0, 1, 0, 0, 0, 0, 0, -1, 1, true},
    {"a frame without mass", 2e5, 0.5, 0, 80, 4e-6, 0, 0, 0, 1, false},
    {"a frame and a mass", 2e5, 2, 0.5, 200, 4e-6, 0, 0.4e-3, 0.5, 1, false},
    {"a slow sensor", 2e5, 0.5, 0.5, 200, 0, 30, 0.4e-3, 0, 1, false},
    {"a slow sensor of order 2", 0, 1, 0, 0, 0, 30, 0, 0.5, 2, false},
};

static struct cf_slider laid_out(const struct rig *rig, const double p[],
                                 const struct cf_drive_piece *piece)
{
    struct cf_slider s = slider("bristle", p, piece);

    s.number[CF_SLIDER_STIFFNESS] = rig->stiffness;
    s.number[CF_SLIDER_RATIO] = rig->ratio;
    s.number[CF_SLIDER_MASS] = rig->mass;
    s.number[CF_SLIDER_DAMPING] = rig->damping;
    s.number[CF_SLIDER_BACKLASH] = rig->backlash;
    s.number[CF_SLIDER_BANDWIDTH] = rig->bandwidth;
    s.number[CF_SLIDER_DELAY] = rig->delay;
    s.number[CF_SLIDER_DEFLECTION] = 1e-6;
    s.start_N = rig->start_N;
    s.order = rig->order;
    return s;
}

/* The number that column `of` is by, and a step for a difference. */
static double *number_of(struct cf_slider *s, double p[], size_t of, double *h)
{
    static const double size[CF_SLIDER_NNUMBER] = {
        [CF_SLIDER_LOAD] = 10,      [CF_SLIDER_MASS] = 1,      [CF_SLIDER_STIFFNESS] = 1e5,
        [CF_SLIDER_RATIO] = 1,      [CF_SLIDER_DAMPING] = 100, [CF_SLIDER_BACKLASH] = 1e-5,
        [CF_SLIDER_BANDWIDTH] = 30, [CF_SLIDER_DELAY] = 1e-3,  [CF_SLIDER_DEFLECTION] = 1e-5,
        [CF_SLIDER_SPEED] = 1e-3,
    };

    if (of < s->law->nparam) {
        *h = 1e-5 * p[of];
        return &p[of];
    }
    *h = 1e-5 * size[of - s->law->nparam];
    return &s->number[of - s->law->nparam];
}

static bool applies(const struct rig *rig, enum cf_slider_number number)
{
    switch (number) {
    case CF_SLIDER_STIFFNESS:
    case CF_SLIDER_RATIO:
    case CF_SLIDER_DAMPING:
    case CF_SLIDER_BACKLASH:
        return rig->stiffness > 0;
    case CF_SLIDER_MASS:
        return rig->mass > 0;
    case CF_SLIDER_BANDWIDTH:
        return rig->bandwidth > 0;
    case CF_SLIDER_LOAD:
        return !rig->loaded;
    case CF_SLIDER_NO_NUMBER:
    case CF_SLIDER_SPEED: /* of what moves by itself from the start */
        return false;
    default:
        return true;
    }
}

/* Differences over which a corner of the law passes are those of both sides: such samples, at most
 * a few, are left out by taking the error that nine in ten of them keep below. */
static double usual_error(size_t n, const double d[], const double column[], size_t stride)
{
    double most = 0, below;
    size_t beyond;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(d[i]));
    for (below = 1e-10; below < 1; below *= 1.5) {
        beyond = 0;
        for (size_t i = 0; i < n; i++)
            beyond += !(fabs(d[i] - column[i * stride]) <= below * most);
        if (10 * beyond <= n)
            break;
    }
    return below;
}

static void columns_of(const struct rig *rig)
{
    enum { N = 401 };
    static double y[N], up[N], down[N], d[N], by[N * (CF_MAX_PARAM + CF_SLIDER_NNUMBER)],
        by_time[N];
    struct cf_drive_piece load = drive(N, 5e-3, heavier), piece = drive(N, 5e-3, to_and_fro);
    double p[7], worst = 0;
    size_t of[CF_MAX_PARAM + CF_SLIDER_NNUMBER], nof = 0, at = 0;
    struct cf_slider s;
    struct cf_slider_columns columns = {0, of};
    struct cf_error err;

    memcpy(p, p_bristle, sizeof p);
    if (rig->loaded) {
        piece.load = load.driven;
        load.driven = NULL;
    }
    s = laid_out(rig, p, &piece);
    for (size_t k = 0; k < s.law->nparam + CF_SLIDER_DELAY; k++)
        if (k < s.law->nparam || applies(rig, (enum cf_slider_number)(k - s.law->nparam)))
            of[nof++] = k;
    columns.n = nof;
    ok(!cf_slider_run(&s, N, record_t, &columns, 0, 0, y, by, by_time, &err),
       "%s runs with columns", rig->what);
    for (size_t c = 0; c < nof; c++) {
        double h, *number = number_of(&s, p, of[c], &h), keep = *number, error;
        *number = keep + h;
        run(&s, N, record_t, 0, up);
        *number = keep - h;
        run(&s, N, record_t, 0, down);
        *number = keep;
        for (size_t i = 0; i < N; i++)
            d[i] = (up[i] - down[i]) / (2 * h);
        error = usual_error(N, d, by + c, nof);
        if (error > worst) {
            worst = error;
            at = of[c];
        }
    }
    ok(worst < 1e-5, "%s: its columns are differences of what it answers, to %.1e (%zu)", rig->what,
       worst, at);
    s.number[CF_SLIDER_DELAY] = rig->delay + 1e-6;
    run(&s, N, record_t, 0, up);
    s.number[CF_SLIDER_DELAY] = rig->delay - 1e-6;
    run(&s, N, record_t, 0, down);
    for (size_t i = 0; i < N; i++)
        d[i] = -(up[i] - down[i]) / 2e-6;
    worst = usual_error(N, d, by_time, 1);
    ok(worst < 3e-3, "%s: its slope by time, to %.1e", rig->what, worst);
    run(&s, N, record_t, 1e-10, up);
    run(&s, N, record_t, 0, down);
    ok(largest(N, up, down) < 1e-2 * largest(N, up, NULL), "%s: fixed steps are near: %.1e",
       rig->what, largest(N, up, down) / largest(N, up, NULL));
    drop(&piece);
    drop(&load);
}

/* ---- a knock's columns, by the stepper */

static void columns_of_a_knock(int order, double bandwidth)
{
    enum { N = 200 };
    static double t[N], y[N], up[N], down[N], d[N], by[N * 5];
    double p[7], worst = 0;
    struct cf_slider s;
    size_t of[5];
    struct cf_slider_columns columns = {5, of};
    struct cf_error err;

    memcpy(p, p_bristle, sizeof p);
    s = slider("bristle", p, NULL);
    s.drive = CF_SLIDER_LEFT_ALONE;
    s.seen = CF_SLIDER_ACCELERATION;
    s.order = order;
    s.number[CF_SLIDER_MASS] = MASS;
    s.number[CF_SLIDER_SPEED] = SPEED;
    s.number[CF_SLIDER_BANDWIDTH] = bandwidth;
    of[0] = 2;
    of[1] = 3;
    of[2] = s.law->nparam + CF_SLIDER_MASS;
    of[3] = s.law->nparam + CF_SLIDER_SPEED;
    of[4] = s.law->nparam + (bandwidth > 0 ? CF_SLIDER_BANDWIDTH : CF_SLIDER_LOAD);
    for (size_t i = 0; i < N; i++)
        t[i] = 5e-4 * (double) i - 1e-3;
    ok(!cf_slider_run(&s, N, t, &columns, 1e-10, 100000, y, by, NULL, &err),
       "a knock with columns");
    for (size_t c = 0; c < 5; c++) {
        double h, *number = number_of(&s, p, of[c], &h), keep = *number;
        *number = keep + h;
        run(&s, N, t, 1e-11, up);
        *number = keep - h;
        run(&s, N, t, 1e-11, down);
        *number = keep;
        for (size_t i = 0; i < N; i++)
            d[i] = (up[i] - down[i]) / (2 * h);
        worst = fmax(worst, usual_error(N, d, by + c, 5));
    }
    ok(worst < 1e-3, "are differences, to %.1e", worst);
}

/* ---- starts and what cannot be */

static void starts_and_errors(void)
{
    enum { N = 50 };
    double y[N];
    struct cf_drive_piece piece = drive(N, 1e-3, to_and_fro);
    struct cf_slider s = slider("bristle", p_stuck, &piece);
    struct cf_error err;

    s.start_N = 1.25;
    run(&s, N, record_t, 0, y);
    is_near(y[0], 1.25, 1e-4, "friction begins with what is held there");
    s.number[CF_SLIDER_DEFLECTION] = 1e-6;
    run(&s, N, record_t, 0, y);
    is_near(y[0], 1.35, 1e-4, "and with a deflection beside it");
    s.number[CF_SLIDER_STIFFNESS] = 1e5;
    ok(cf_slider_check(&s, &err) != 0, "a frame that gives way, without mass and damping");
    is_str(err.text,
           "in a frame that gives way a block without mass has no speed of its own, where neither "
           "the frame nor bristle has viscous damping: state one of them (apparatus: {mass: 1 kg} "
           "or {damping: 10 N s/m})",
           "in words");
    s.number[CF_SLIDER_STIFFNESS] = 0;
    s.drive = CF_SLIDER_BY_FORCE;
    ok(cf_slider_check(&s, &err) != 0, "a force on a block without mass");
    is_str(err.text, "a block that forces move needs its mass (apparatus: {mass: 1 kg})",
           "in words");
    drop(&piece);
}

TEST(slider)
{
    const size_t nrig = sizeof rigs / sizeof *rigs;

    plan(3 + 3 + 3 + 1 + 4 * (int) nrig + 3 * 2 + 6);
    dahl_over_a_path();
    frame_in_series();
    after_a_knock();
    under_a_force();
    for (size_t i = 0; i < nrig; i++)
        columns_of(&rigs[i]);
    columns_of_a_knock(1, 0);
    columns_of_a_knock(1, 200);
    columns_of_a_knock(2, 200);
    starts_and_errors();
    return done();
}
