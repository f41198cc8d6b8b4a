/* A block on a moving plate (experiment/plate.h) against what is known of it without its code:
 * while it slides under constant or viscous friction it swings as an oscillator does, in closed
 * form; while it sticks two springs in series are drawn; whole cycles are those of scenes, which
 * motion/ runs in space by other equations; derivatives are differences of other runs. */

#include "experiment/plate.h"

#include <complex.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/scratch.h"
#include "lib/stage.h"
#include "tap.h"

#define LENGTH(table) (sizeof table / sizeof table[0])

enum { MOST = 16000, MOST_STEPS = 200000 };

static double time_s[MOST], place_m[MOST], force_N[MOST], rate_m_s[MOST], rate_N_s[MOST];

/* Runs to n times, in the arrays above. */
static bool run(const struct cf_plate *plate, size_t n, double tolerance)
{
    static const struct cf_plate_columns none;
    struct cf_plate_samples out = {.n = n,
                                   .time_s = time_s,
                                   .force_N = force_N,
                                   .place_m = place_m,
                                   .force_by_time = rate_N_s,
                                   .place_by_time = rate_m_s};
    struct cf_error err = {""};

    return !cf_plate_run(plate, &none, tolerance, MOST_STEPS, &out, &err) ||
           ok(false, "it runs: %s", err.text);
}

/* ---- it slides: m u'' + (c + b) u' + k u = mu f_n + b V(t), b = f_n sigma_2 */

static const struct {
    const char *what, *law;
    double mu, sigma_2, number[CF_PLATE_NNUMBER];
    bool stops;
} swing[] = {
    {"dry, too little to stop", "bristle", 0.1, 0, {10, 1, 50, 0, 0.1, 0, 0, 0, 0.5, 0.37}, false},
    {"dry, until it stops", "bristle", 0.1, 0, {10, 1, 50, 0, 0.1, 0, 0, 0, -0.2, 0.37}, true},
    {"a damped rig", "bristle", 0.1, 0, {10, 1.3, 70, 2, 0.1, 0, 0, 0, 0.45, -3}, false},
    {"viscous", "bristle", 0.1, 0.3, {10, 1.3, 70, 1.3, 0.1, 0, 0, 0, 0.45, 0}, false},
    {"viscous, until it stops", "lugre", 0.2, 0.03, {7, 2, 90, 0, 0.1, 0, 0, 0, -0.9, 0}, true},
    {"dry, on a rippling plate",
     "bristle",
     0.1,
     0,
     {10, 1, 50, 0, 0.1, 3.1, 0.05, -0.08, 0.5, 1.3},
     false},
    {"viscous, on a rippling plate",
     "lugre",
     0.1,
     0.3,
     {10, 1.3, 70, 0, 0.1, 3.1, 0.2, -0.1, 0.45, 1.3},
     false},
    {"viscous, on a plate that ripples as fast as it swings",
     "bristle",
     0.1,
     0.1,
     {10, 1, 50, 0.5, 0.1, 1.1, -0.1, 0.05, 0.7, 1.3},
     false},
};

/* The oscillator's place and speed at a time after its start at rest. */
static void oscillator(size_t i, double t, double *u, double *rate)
{
    const double *a = swing[i].number;
    double m = a[CF_PLATE_MASS], k = a[CF_PLATE_STIFFNESS], V = a[CF_PLATE_SPEED],
           b = a[CF_PLATE_LOAD] * swing[i].sigma_2, loss = a[CF_PLATE_DAMPING] + b,
           w = 2 * M_PI * a[CF_PLATE_RIPPLE_RATE], from = a[CF_PLATE_TROUGH_S];
    double mean = (swing[i].mu * a[CF_PLATE_LOAD] + b * V) / k;
    double complex ripple = b * V * (a[CF_PLATE_RIPPLE_COSINE] - I * a[CF_PLATE_RIPPLE_SINE]) /
                            (k - m * w * w + I * w * loss),
                   root = -loss / (2 * m) + I * sqrt(k / m - loss * loss / (4 * m * m)), own;
    double complex then = ripple * cexp(I * w * from), now = ripple * cexp(I * w * (from + t));
    double u_0 = a[CF_PLATE_TROUGH_N] / k - mean - creal(then), rate_0 = -creal(I * w * then);

    /* Re(own e^(root t)) is u_0 and goes at rate_0 at first */
    own = u_0 + I * (creal(root) * u_0 - rate_0) / cimag(root);
    *u = mean + creal(now + own * cexp(root * t));
    *rate = creal(I * w * now + root * own * cexp(root * t));
}

static void test_swing(size_t i)
{
    const double *a = swing[i].number;
    double p[7] = {swing[i].mu, swing[i].mu, 1e4, 30, swing[i].sigma_2, 1e-9, 0.1},
           period = 2 * M_PI * sqrt(a[CF_PLATE_MASS] / a[CF_PLATE_STIFFNESS]), u, rate,
           w = 2 * M_PI * a[CF_PLATE_RIPPLE_RATE], off = 0, off_rate = 0, most = 0;
    struct cf_plate plate = {.law = cf_friction_find(swing[i].law), .p = p};
    size_t n;
    bool stops = false;

    memcpy(plate.number, a, sizeof plate.number);
    for (n = 0; n < 600 && !stops; n++) {
        double t = (double) (n + 1) * period / 150;
        double V = a[CF_PLATE_SPEED] *
                   (1 + a[CF_PLATE_RIPPLE_COSINE] * cos(w * (a[CF_PLATE_TROUGH_S] + t)) +
                    a[CF_PLATE_RIPPLE_SINE] * sin(w * (a[CF_PLATE_TROUGH_S] + t)));
        time_s[n] = a[CF_PLATE_TROUGH_S] + t;
        oscillator(i, t, &u, &rate);
        stops = V - rate < 1e-3 * V;
    }
    n -= stops;
    ok(stops == swing[i].stops && n > 10 && run(&plate, n, 1e-12), "%s: %zu samples of it",
       swing[i].what, n);
    for (size_t s = 0; s < n; s++) {
        oscillator(i, time_s[s] - a[CF_PLATE_TROUGH_S], &u, &rate);
        most = fmax(most, fabs(u - a[CF_PLATE_TROUGH_N] / a[CF_PLATE_STIFFNESS]));
        off = fmax(off, fabs(place_m[s] - u) + fabs(force_N[s] / a[CF_PLATE_STIFFNESS] - u));
        off_rate = fmax(off_rate, fabs(rate_m_s[s] - rate) +
                                      fabs(rate_N_s[s] / a[CF_PLATE_STIFFNESS] - rate));
    }
    ok(most > 0 && off / most < 1e-9, "%s: it swings as an oscillator (%.1e)", swing[i].what,
       off / most);
    ok(off_rate < 1e-7 * a[CF_PLATE_SPEED], "%s: and so goes its speed (%.1e)", swing[i].what,
       off_rate / a[CF_PLATE_SPEED]);
}

/* ---- it sticks: the spring and the bristle in series */

static void test_stick(double damping)
{
    static const double p[] = {0.15, 0.1, 1e4, 30, 0.1, 3e-3, 0.7};
    const double k = 50, bristle = 1e4 * 10;
    struct cf_plate plate = {.law = cf_friction_find("elasto-plastic"),
                             .p = p,
                             .number = {10, 1, k, damping, 0.01, 0, 0, 0, 0.5, 2}};

    time_s[0] = 2.5; /* it has rung down; elastic up to 0.7 mu_s f_n = 1.05 N */
    time_s[1] = 2.9;
    if (run(&plate, 2, 1e-12))
        is_near((force_N[1] - force_N[0]) / 0.4 / (0.01 * k * bristle / (k + bristle)), 1, 1e-8,
                "damping %g: a stick rises by V k K/(k + K)", damping);
}

/* ---- cycles of a scene */

/* The block of a scene over time. */
struct film {
    size_t n;
    double t[MOST], x[MOST], from_s;
};

static void watch(void *observer, const struct cf_snapshot *at)
{
    struct film *film = observer;
    const double *x = at->body[0].position_m;

    if (at->time_s < film->from_s || film->n == MOST)
        return;
    film->t[film->n] = at->time_s;
    film->x[film->n++] = copysign(hypot(x[0], x[1]), x[0]);
}

/* The first row behind from_s whose place is the least of all within about_s. */
static size_t trough_behind(const struct film *film, double from_s, double about_s)
{
    for (size_t i = 0; i < film->n; i++) {
        bool least = film->t[i] > from_s;
        for (size_t j = 0; least && j < film->n; j++)
            least = fabs(film->t[j] - film->t[i]) > about_s || film->x[j] >= film->x[i];
        if (least)
            return i;
    }
    return SIZE_MAX;
}

/* Where a parabola through the place there and `step` rows away on both sides turns. */
static void turn(const double t[], const double x[], size_t i, size_t step, double *turns_s,
                 double *turns_m)
{
    double before = x[i - step] - x[i], behind = x[i + step] - x[i], h = t[i + step] - t[i],
           slope = (behind - before) / (2 * h), bend = (behind + before) / (h * h);

    *turns_s = t[i] - slope / bend;
    *turns_m = x[i] - slope * slope / (2 * bend);
}

/* A cycle of the scene, from the first trough behind from_s to past the next; within `near` of the
 * block's range, the next trough within near_s. The return is the period. */
static double test_scene(const char *what, struct stage *stage, struct cf_plate *plate,
                         double every_s, double from_s, double near, double near_s)
{
    static struct film film;
    double about_s =
               1.5 * M_PI * sqrt(plate->number[CF_PLATE_MASS] / plate->number[CF_PLATE_STIFFNESS]),
           low = (double) INFINITY, high = (double) -INFINITY, off = 0, at_s[2], at_m[2], mine_s,
           mine_m;
    size_t first, next, n = 0, least = 0;

    film.n = 0;
    film.from_s = from_s - 2 * about_s;
    stage->options.every_s = every_s;
    stage->options.tolerance = 1e-11;
    stage->sample = watch;
    stage->observer = &film;
    if (!ok(stage_run(stage), "%s: the scene runs", what))
        return (double) NAN;
    first = trough_behind(&film, from_s, about_s);
    next = first < film.n ? trough_behind(&film, film.t[first] + 1e-6, about_s) : SIZE_MAX;
    if (!ok(next < film.n, "%s: two troughs", what))
        return (double) NAN;
    turn(film.t, film.x, first, 5, &at_s[0], &at_m[0]);
    turn(film.t, film.x, next, 5, &at_s[1], &at_m[1]);
    plate->number[CF_PLATE_TROUGH_S] = at_s[0];
    plate->number[CF_PLATE_TROUGH_N] = at_m[0] * plate->number[CF_PLATE_STIFFNESS];
    for (size_t i = first; i < film.n && film.t[i] < at_s[1] + about_s / 3; i++, n++)
        time_s[n] = film.t[i];
    if (!run(plate, n, 1e-11))
        return (double) NAN;
    for (size_t i = 0; i < n; i++) {
        low = fmin(low, film.x[first + i]);
        high = fmax(high, film.x[first + i]);
        off = fmax(off, fabs(place_m[i] - film.x[first + i]));
        least = i > n / 2 && place_m[i] < place_m[least] ? i : i <= n / 2 ? n / 2 : least;
    }
    turn(time_s, place_m, least, 5, &mine_s, &mine_m);
    ok(off / (high - low) < near, "%s: a cycle of %zu samples is the scene's (%.1e of its range)",
       what, n, off / (high - low));
    ok(fabs(mine_s - at_s[1]) < near_s, "%s: the next trough within %.1e s", what,
       fabs(mine_s - at_s[1]));
    return mine_s - at_s[0];
}

/* Gonthier's rig; its period is SciPy's (t/bowden_leben.c). */
static void test_rig(void)
{
    static const double p[] = {0.15, 0.1, 1e4, 31.622776601683793, 0.01, 1e-3, 2};
    struct cf_plate plate = {
        .law = cf_friction_find("bristle"), .p = p, .number = {10, 1, 2, 0, 0.05, 0, 0, 0, 0, 0}};
    struct stage stage;

    stage_open(&stage, "g07_bowden_leben_0.05", NULL);
    double period = test_scene("Gonthier's rig", &stage, &plate, 2e-3, 30, 1e-5, 1e-4);
    is_near(period, 11.8445, 2e-4 / 11.8, "its period as by SciPy");
    stage_close(&stage);
}

enum { TRACE_ROWS = 2400 }; /* 6 s of them */

/* The plate's place from time 0 on, every 2.5 ms, of the speed V (1 + r_c cos + r_s sin). */
static void write_plate(const double a[])
{
    double w = 2 * M_PI * a[CF_PLATE_RIPPLE_RATE];
    FILE *file = scratch_create("tmp/plate_ripple.csv");

    fprintf(file, "t,x\n");
    for (int i = 0; i < TRACE_ROWS; i++) {
        double t = 2.5e-3 * i;
        fprintf(file, "%.17g,%.17g\n", t,
                a[CF_PLATE_SPEED] * (t + (a[CF_PLATE_RIPPLE_COSINE] * sin(w * t) +
                                          a[CF_PLATE_RIPPLE_SINE] * (1 - cos(w * t))) /
                                             w));
    }
    fclose(file);
}

static const double p_bristle[] = {0.15, 0.1, 1e4, 30, 0.1, 3e-3, 0.15},
                    p_lugre[] = {0.15, 0.1, 1e4, 30, 0.1, 3e-3},
                    p_elastic[] = {0.15, 0.1, 1e4, 30, 0.1, 3e-3, 0.7};

/* A plate that a table of places moves. */
static void test_ripple(const char *law, const char *last, const double p[], double ripple,
                        double near)
{
    struct cf_plate plate = {
        .law = cf_friction_find(law),
        .p = p,
        .number = {10, 1, 50, 0, 0.035, 1.7, 0.6 * ripple, 0.8 * ripple, 0, 0}};
    char what[64];
    struct stage stage;

    snprintf(what, sizeof what, "%s, ripple %g", law, ripple);
    write_plate(plate.number);
    stage_write(&stage, "plate_ripple",
                "duration: 5.5 s\n"
                "bodies:\n"
                "  block: {point: {}, mass: 1 kg, turns: false}\n"
                "  plate: {point: {}, trace: {file: plate_ripple.csv, time: t, x: x}}\n"
                "contacts:\n"
                "  - between: [block, plate]\n"
                "    normal: {load: 10 N, direction: [0, 0, 1]}\n"
                "    friction: {law: %s, mu_s: 0.15, mu_c: 0.1, sigma_0: 1e4, sigma_1: 30,\n"
                "               sigma_2: 0.1, v_s: 0.003%s}\n"
                "    stuck: true\n"
                "springs:\n"
                "  - {body: block, anchor: [0 m, 0 m, 0 m], stiffness: 50 N/m}\n",
                law, last);
    test_scene(what, &stage, &plate, 1e-3, 2.2, near, 1e-4);
    stage_close(&stage);
}

/* ---- derivatives */

enum { ROWS = 300, MOST_BY = CF_MAX_PARAM + CF_PLATE_NNUMBER };

/* Force and place, one behind the other, with the number or parameter of a column moved by h. */
static bool moved(const struct cf_plate *plate, size_t column, double h, double to[])
{
    struct cf_plate other = *plate;
    double p[CF_MAX_PARAM];

    memcpy(p, plate->p, plate->law->nparam * sizeof *p);
    other.p = p;
    if (column < plate->law->nparam)
        p[column] += h;
    else
        other.number[column - plate->law->nparam] += h;
    if (!run(&other, ROWS, 1e-13))
        return false;
    memcpy(to, force_N, ROWS * sizeof *to);
    memcpy(to + ROWS, place_m, ROWS * sizeof *to);
    return true;
}

/* The largest differences of a column's force and place, over the column's largest. */
static double column_off(const struct cf_plate *plate, size_t column, const double by[])
{
    static double y[4][2 * ROWS];
    double value = column < plate->law->nparam ? plate->p[column]
                                               : plate->number[column - plate->law->nparam],
           h = 3e-5 * fmax(fabs(value), 0.03), off[2] = {0}, most[2] = {0};

    for (int i = 0; i < 4; i++)
        if (!moved(plate, column, (double[]){-2, -1, 1, 2}[i] * h, y[i]))
            return (double) INFINITY;
    for (size_t i = 0; i < 2 * ROWS; i++) {
        double want = (8 * (y[2][i] - y[1][i]) - (y[3][i] - y[0][i])) / (12 * h);
        off[i / ROWS] = isnan(by[i]) ? (double) INFINITY : fmax(off[i / ROWS], fabs(by[i] - want));
        most[i / ROWS] = fmax(most[i / ROWS], fabs(want));
    }
    return most[0] > 0 && most[1] > 0 ? fmax(off[0] / most[0], off[1] / most[1])
                                      : (double) INFINITY;
}

static const char *const number_name[CF_PLATE_NNUMBER] = {
    "load",        "mass",          "stiffness",   "damping",        "plate's speed",
    "ripple rate", "ripple cosine", "ripple sine", "trough's force", "trough's time"};

static void test_columns(const char *law, const double p[], double tolerance, double near)
{
    static double by[2][ROWS * MOST_BY], mine[2 * ROWS];
    const struct cf_plate plate = {.law = cf_friction_find(law),
                                   .p = p,
                                   .number = {10, 1, 50, 0.7, 0.035, 1.7, 0.02, 0.03, 0.48, 0.31}};
    size_t of[MOST_BY], nparam = plate.law->nparam, n = nparam + CF_PLATE_NNUMBER;
    const struct cf_plate_columns columns = {n, of};
    struct cf_plate_samples out = {
        .n = ROWS, .time_s = time_s, .force_by = by[0], .place_by = by[1]};
    struct cf_error err = {""};

    for (size_t i = 0; i < n; i++)
        of[i] = i;
    for (size_t i = 0; i < ROWS; i++)
        time_s[i] = 0.31 + 1.3 * ((double) i + 1) / ROWS;
    if (cf_plate_run(&plate, &columns, tolerance, MOST_STEPS, &out, &err))
        printf("# %s\n", err.text);
    for (size_t c = 0; c < n; c++) {
        for (size_t i = 0; i < ROWS; i++) {
            mine[i] = by[0][i * n + c];
            mine[ROWS + i] = by[1][i * n + c];
        }
        double off = column_off(&plate, c, mine);
        ok(off < near, "%s at %.0e by %s as differences (%.1e)", law, tolerance,
           c < nparam ? plate.law->param[c].name : number_name[c - nparam], off);
    }
}

/* Some columns alone, in another order, are those of all. */
static void test_some(void)
{
    static const size_t few[] = {7 + CF_PLATE_STIFFNESS, 0, 7 + CF_PLATE_TROUGH_S, 6};
    static double one[ROWS], by[ROWS * LENGTH(few)];
    const struct cf_plate plate = {.law = cf_friction_find("bristle"),
                                   .p = p_bristle,
                                   .number = {10, 1, 50, 0.7, 0.035, 0, 0, 0, 0.48, 0.31}};
    double worst = 0;
    struct cf_error err = {""};

    for (size_t i = 0; i < ROWS; i++)
        time_s[i] = 0.31 + 1.3 * ((double) i + 1) / ROWS;
    for (size_t c = 0; c <= LENGTH(few); c++) {
        bool all = c == 0;
        const struct cf_plate_columns columns = {all ? LENGTH(few) : 1, all ? few : &few[c - 1]};
        struct cf_plate_samples out = {.n = ROWS, .time_s = time_s, .force_by = all ? by : one};
        if (cf_plate_run(&plate, &columns, 1e-9, MOST_STEPS, &out, &err))
            worst = (double) INFINITY;
        for (size_t i = 0; i < ROWS && !all; i++)
            worst = fmax(worst, fabs(one[i] - by[i * LENGTH(few) + c - 1]));
    }
    ok(worst < 1e-12, "columns do not hang on which others are asked for (%.1e)", worst);
}

/* ---- before the trough, and what cannot be run */

static void test_before(void)
{
    static const size_t of[] = {7 + CF_PLATE_TROUGH_N, 7 + CF_PLATE_TROUGH_S,
                                7 + CF_PLATE_STIFFNESS, 7 + CF_PLATE_SPEED, 0};
    enum { N = 4, NBY = 5 };
    const struct cf_plate plate = {.law = cf_friction_find("bristle"),
                                   .p = p_bristle,
                                   .number = {10, 1, 50, 0, 0.035, 0, 0, 0, 0.4, 2}};
    static const double at[N] = {-1, 0.5, 1.9, 2};
    double f[N], x[N], f_rate[N], x_rate[N], f_by[N * NBY], x_by[N * NBY];
    const struct cf_plate_columns columns = {NBY, of};
    struct cf_plate_samples out = {N, at, f, x, f_by, x_by, f_rate, x_rate};
    struct cf_error err = {""};
    double worst = 0;

    ok(cf_plate_run(&plate, &columns, 1e-9, 1, &out, &err) == CF_OK,
       "samples that all lie before the trough need no step");
    for (int i = 0; i < N; i++) {
        double want_f[NBY] = {1}, want_x[NBY] = {0.02, 0, -0.4 / 2500};
        worst =
            fmax(worst, fabs(f[i] - 0.4) + fabs(x[i] - 8e-3) + fabs(f_rate[i]) + fabs(x_rate[i]));
        for (int c = 0; c < NBY; c++)
            worst = fmax(worst,
                         fabs(f_by[i * NBY + c] - want_f[c]) + fabs(x_by[i * NBY + c] - want_x[c]));
    }
    ok(worst < 1e-15, "they are as at it, a block that does not move (%.1e)", worst);
}

/* The plate's speed by hand at a few phases, and its change as differences. */
static void test_speed(void)
{
    const struct cf_plate plate = {.number = {0, 0, 0, 0, 0.04, 2.5, 0.3, -0.2, 0, 0}};
    double rate, ignored;

    is_near(cf_plate_speed(&plate, 0, &rate) / 0.052, 1, 1e-15, "with the cosine at time 0");
    is_near(rate / (0.04 * -0.2 * 5 * M_PI), 1, 1e-15, "it changes there with the sine");
    is_near(cf_plate_speed(&plate, 0.1, &rate) / 0.032, 1, 1e-14, "a quarter of a ripple later");
    is_near(rate / (0.04 * -0.3 * 5 * M_PI), 1, 1e-14, "and its change");
    is_near((cf_plate_speed(&plate, 0.37 + 1e-5, &ignored) -
             cf_plate_speed(&plate, 0.37 - 1e-5, &ignored)) /
                2e-5 / (cf_plate_speed(&plate, 0.37, &rate), rate),
            1, 1e-8, "somewhere: as differences");
}

static void test_refused(void)
{
    static const struct cf_plate_columns none;
    static const double at[] = {3};
    struct cf_plate plate = {.law = cf_friction_find("bristle"),
                             .p = p_bristle,
                             .number = {10, 1, 50, 0, -0.035, 0, 0, 0, 0.4, 0}};
    double f[1];
    struct cf_plate_samples out = {.n = 1, .time_s = at, .force_N = f};
    struct cf_error err = {""};

    ok(cf_plate_run(&plate, &none, 1e-9, 1000, &out, &err) == CF_ESOLVE, "a plate that goes back");
    is_str(err.text, "the plate moves at -0.035 m/s at the trough: not forward", "its message");
    plate.number[CF_PLATE_SPEED] = 0.035;
    plate.number[CF_PLATE_RIPPLE_RATE] = 2;
    plate.number[CF_PLATE_RIPPLE_COSINE] = -1;
    ok(cf_plate_run(&plate, &none, 1e-9, 1000, &out, &err) == CF_ESOLVE,
       "a ripple that stops it at the trough");
    is_str(err.text, "the plate moves at 0 m/s at the trough: not forward", "its message");
    plate.number[CF_PLATE_RIPPLE_COSINE] = 0;
    ok(cf_plate_run(&plate, &none, 1e-9, 5, &out, &err) == CF_ESOLVE,
       "more steps than are allowed");
    ok(strncmp(err.text, "integration stopped at t = 0.0", 30) == 0 &&
           strstr(err.text, ": the limit of 5 steps ran out"),
       "its message: %s", err.text);
    plate.number[CF_PLATE_SPEED] = (double) NAN;
    ok(cf_plate_run(&plate, &none, 1e-9, 1000, &out, &err) == CF_ESOLVE,
       "a speed that is no number");
    is_str(err.text, "the plate moves at nan m/s at the trough: not forward", "its message");
}

TEST(plate)
{
    plan(3 * (int) LENGTH(swing) + 2 + 5 + 4 * 4 + (7 + 6 + 7 + 7 + 4 * CF_PLATE_NNUMBER) + 1 + 2 +
         5 + 8);
    for (size_t i = 0; i < LENGTH(swing); i++)
        test_swing(i);
    test_stick(0);
    test_stick(0.9);
    test_rig();
    test_ripple("bristle", ", tau_dw: 0.15", p_bristle, 0, 1e-4);
    test_ripple("bristle", ", tau_dw: 0.15", p_bristle, 0.05, 1e-4);
    test_ripple("lugre", "", p_lugre, 0.05, 1e-4);
    test_ripple("elasto-plastic", ", break_away: 0.7", p_elastic, 0.05, 1e-4);
    test_columns("bristle", p_bristle, 1e-12, 1e-4);
    test_columns("lugre", p_lugre, 1e-12, 1e-4);
    test_columns("elasto-plastic", p_elastic, 1e-12, 1e-4);
    test_columns("bristle", p_bristle, 1e-9, 2e-3);
    test_some();
    test_before();
    test_speed();
    test_refused();
    return done();
}
