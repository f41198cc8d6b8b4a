/* Numbers of scenes' figures: flights in closed form, axes that are turned, energies, losses of the
 * benchmark pendulum by a table computed with SciPy; and points that can be omitted from a line. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure.h"
#include "report/thin.h"
#include "tap.h"

struct shown {
    struct cf_scene_file *file;
    struct cf_scene_figures *figures;
    const struct cf_scene_figure *figure;
};

/* One figure of a scene that ships, filled. */
static struct shown show(const char *scene, const char *name, size_t n,
                         const struct cf_override override[])
{
    const char *srcdir = getenv("srcdir");
    struct cf_error err = {""};
    struct shown s = {NULL, NULL, NULL};
    char path[1024];
    size_t i = 0;

    snprintf(path, sizeof path, "%s/scenes/%s.yaml", srcdir ? srcdir : ".", scene);
    s.file = cf_scene_read(path, override, n, &err);
    s.figures = s.file ? cf_scene_figures_read(s.file, &err) : NULL;
    if (s.figures)
        i = cf_scene_figures_find(s.figures, name);
    if (s.figures && i < s.figures->n && cf_scene_figures_run(s.figures, i, &err) == CF_OK)
        s.figure = &s.figures->figure[i];
    ok(s.figure && (s.figure->n > 1 || s.figure->nvariant), "%s: %s%s%s", scene, name,
       *err.text ? ": " : "", err.text);
    return s;
}

static void clear(struct shown *s)
{
    cf_scene_figures_free(s->figures);
    cf_scene_file_free(s->file);
}

/* Height 1 m - g t^2/2 up to the first touch, then up to e^2 m, whose e is known to 11 digits. */
static void test_fall(void)
{
    struct shown s = show("af14_steel_66g", "height", 0, NULL);
    const double e = 0.65394573872, touch_s = sqrt(0.2);
    double off = 0, apex = 0, least = 1;
    bool sorted = true;

    for (size_t i = 0; i < s.figure->n; i++) {
        double t = s.figure->x.y[i], h = s.figure->panel[0].curve[0].y[i];
        if (t <= touch_s)
            off = fmax(off, fabs(h - (1 - 5 * t * t)));
        else
            apex = fmax(apex, h);
        least = fmin(least, h);
        sorted = sorted && (i == 0 || t >= s.figure->x.y[i - 1]);
    }
    ok(off < 1e-12, "the first fall, to 1e-12 m (%.2g)", off);
    is_near(apex, e * e, 1e-6, "the first apex, between samples");
    ok(least > -1e-3 && least < 0, "a compression is below 0");
    ok(sorted, "time goes on");
    is_near(s.figure->x.y[s.figure->n - 1], 5, 1e-12, "to the end of the scene");
    ok(s.figures->ntouch == 38 && s.figures->result.events[CF_EVENT_MAKE] == 38,
       "38 touches are listed");
    is_near(s.figures->touch[0].lost_m_s / s.figures->touch[0].made_m_s, e, 1e-4,
            "with their e, on which gravity works a little");
    ok(isnan(s.figures->touch[37].lost_s), "the last one stays");
    clear(&s);
}

/* In the plane's frame, before the first impact: r turned by -20 deg, gravity along x and z. */
static void test_frame(void)
{
    const struct cf_override soon = {"duration", "0.52 s"};
    struct shown s = show("g07_ball_on_incline", "velocities", 1, &soon);
    const double a = 20 * acos(-1) / 180, g = 9.81;
    const struct cf_scene_curve *v = s.figure->panel[0].curve;
    double off = 0;

    for (size_t i = 0; i < s.figure->n && s.figure->x.y[i] < 0.511; i++) {
        double t = s.figure->x.y[i];
        off = fmax(off, fabs(v[0].y[i] - (-cos(a) + g * sin(a) * t)));
        off = fmax(off, fabs(v[1].y[i] - 0.5));
        off = fmax(off, fabs(v[2].y[i] - (-sin(a) - g * cos(a) * t)));
    }
    ok(off < 1e-12, "velocity along axes that are turned, to 1e-12 m/s (%.2g)", off);
    clear(&s);
}

/* A vector by its length, in the figure and in a span. */
static void test_length(void)
{
    struct shown s = show("g07_bowden_leben_0.05", "stick_slip", 0, NULL);
    double off = 0, first = 0;

    for (size_t i = 0; i < s.figure->n && s.figure->x.y[i] < 14.9; i++)
        off = fmax(off, fabs(s.figure->panel[0].curve[0].y[i] - 0.05 * s.figure->x.y[i]));
    for (size_t i = 0; i < s.figure->n && s.figure->x.y[i] < 20; i++)
        first = fmax(first, s.figure->panel[1].curve[0].y[i]);
    ok(off < 1e-3, "the block goes with the plate while it sticks (%.2g m)", off);
    is_near(first, 1.5, 1e-4, "up to the stiction limit");
    clear(&s);
}

/* The rows of a span, and a constant sum: m g h less the zero of `level`. */
static void test_energy(void)
{
    struct shown s = show("af10_bouncing_154g", "energy", 0, NULL), t;
    const struct cf_scene_curve *c = s.figure->panel[0].curve;
    double off = 0, parts = 0;

    for (size_t i = 0; i < s.figure->n; i++) {
        off = fmax(off, fabs(c[0].y[i] - 0.154 * 9.81 * 0.1));
        parts = fmax(parts, fabs(c[1].y[i] + c[2].y[i] + c[3].y[i] - c[0].y[i]));
    }
    ok(off < 1e-9, "the total is m g h (%.2g J off)", off);
    ok(parts < 1e-15, "and the sum of its parts (%.2g J off)", parts);
    clear(&s);
    t = show("af10_bouncing_154g", "loop", 0, NULL);
    double peak = 0;
    for (size_t i = 0; i < t.figure->n; i++)
        peak = fmax(peak, t.figure->panel[0].curve[0].y[i]);
    is_near(peak, 266.616912964, 1e-5, "the peak of a loop is not between samples");
    clear(&t);
}

/* The ground: moves with the sphere, then recovers as an exponential of lambda/k until the next
 * touch. */
static void test_surface(void)
{
    struct shown s = show("af10_second_landing", "recovery", 0, NULL);
    const double *t = s.figure->x.y, *ball = s.figure->panel[0].curve[0].y,
                 *ground = s.figure->panel[0].curve[1].y;
    double off = 0, left_s = 0.14441335133658958, left_m = 0, with = 0;
    size_t n = 0;

    for (size_t i = 0; i < s.figure->n; i++) {
        if (t[i] <= left_s) {
            with = fmax(with, fabs(ball[i] - ground[i]));
            left_m = ground[i];
        } else if (t[i] < 0.15957) {
            off = fmax(off, fabs(ground[i] - left_m * exp(-(t[i] - left_s) * 8.5e6 / 3.1e4)));
            n++;
        }
    }
    ok(with < 1e-12, "the surface goes with the sphere (%.2g m off)", with);
    ok(n > 1000 && off < 1e-8, "then comes back by its exponential (%.2g m off)", off);
    clear(&s);
}

struct loss {
    const char *scene, *e, *from, *to;
    double at[2];
};

/* From t/reference/pendulum_loss.csv, of one impact alone; here gravity does work meanwhile. */
static void test_sweep(void)
{
    static const struct loss rows[] = {
        {"g07_pendulum_benchmark_a", "1", "0.02", "0.1", {2.33851, 10.31600}},
        {"g07_pendulum_benchmark_a", "1", "0.3", "0.5", {23.46068, 30.37949}},
        {"g07_pendulum_benchmark_a", "0.5", "0.7", "1", {46.50317, 49.82029}},
        {"g07_pendulum_benchmark_b", "1", "0.3", "0.5", {26.45808, 34.87702}},
        {"g07_pendulum_benchmark_b", "0.5", "0.02", "0.1", {13.29585, 20.23947}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct cf_override set[] = {{"figures.1.over.from", rows[i].from},
                                          {"figures.1.over.to", rows[i].to},
                                          {"figures.1.over.count", "2"},
                                          {"figures.1.lines.values.1", rows[i].e}};
        struct shown s = show(rows[i].scene, "energy_loss", 4, set);
        for (int k = 0; k < 2; k++)
            is_near(s.figure->panel[0].curve[0].y[k], rows[i].at[k], 2e-3, "%s, e = %s: loss",
                    rows[i].scene, rows[i].e);
        clear(&s);
    }
}

/* Falls with other gravities and starts, each with the times of its own steps. */
static void test_variants(void)
{
    const struct cf_override figure = {
        "figures",
        "[{name: f, kind: variants, during: [0 s, 0.2 s], y: [{of: ball_z_m, times: 2}], variants: "
        "[{as: a}, {as: b, set: {gravity: 2 m/s^2, solver.method: rk4, solver.step: 7 ms}}, "
        "{as: c, set: {bodies.ball.velocity: [0, 0, 1 m/s], bodies.ball.spin: [0, 0, 1 "
        "rad/s]}}]}]"};
    static const double gravity[] = {10, 2, 10}, up[] = {0, 0, 1};
    struct shown s = show("af14_steel_66g", "f", 1, &figure);

    for (size_t v = 0; v < 3; v++) {
        const double *t, *y = s.figure->panel[0].curve[v].y;
        size_t n = cf_scene_curve_rows(s.figure, v, &t);
        double off = 0;
        for (size_t i = 0; i < n; i++)
            off =
                fmax(off, fabs(y[i] - 2 * (1.0127 + up[v] * t[i] - gravity[v] * t[i] * t[i] / 2)));
        ok(n > 20 && t[0] == 0 && fabs(t[n - 1] - 0.2) < 1e-12 && off < 1e-12,
           "variant %zu falls as it should (%.2g m off in %zu rows)", v, off, n);
    }
    clear(&s);
}

/* A top without weight that turns about its x axis, past upside down, and another about z. */
static void test_tilt(void)
{
    const struct cf_override set[] = {
        {"gravity", "1e-12 m/s^2"},
        {"duration", "0.2 s"},
        {"bodies.top.position", "[0, 0, 1 m]"},
        {"figures",
         "[{name: f, kind: variants, y: [top_tilt_rad], unit: deg, variants: [{as: over, "
         "set: {bodies.top.spin: [20 rad/s, 0, 0]}}, {as: about z, set: "
         "{bodies.top.attitude: {axis: [0, 0, 1], angle: 2 rad}, bodies.top.spin: [0, "
         "0, 20 rad/s]}}]}]"}};
    struct shown s = show("g07_tippe_top", "f", 4, set);
    const double pi = acos(-1);
    double off[2] = {0, 0};

    for (size_t v = 0; v < 2; v++) {
        const double *t, *y = s.figure->panel[0].curve[v].y;
        size_t n = cf_scene_curve_rows(s.figure, v, &t);
        for (size_t i = 0; i < n; i++) {
            double turned = 0.1 + 20 * t[i];
            off[v] = fmax(off[v], fabs(y[i] - (v ? 0 : pi - fabs(pi - turned))));
        }
    }
    ok(off[0] < 1e-9 && off[1] == 0, "tilts, to rounding (%.2g and %.2g rad)", off[0], off[1]);
    is_near(s.figure->panel[0].axis.factor, 180 / pi, 1e-12, "shown in degrees");
    clear(&s);
}

static void test_thin(void)
{
    enum { N = 401 };
    double x[N], y[N];
    const double *const xy[] = {x, y}, scale[] = {1, 1};
    bool keep[N];
    struct cf_error err;
    size_t n = 0;
    double off = 0;

    for (int i = 0; i < N; i++) {
        x[i] = i / (N - 1.0);
        y[i] = x[i] * x[i];
    }
    ok(cf_thin(2, xy, scale, N, 1e-3, keep, &err) == CF_OK, "a parabola is thinned");
    for (int i = 0, last = 0; i < N; i++) {
        if (!keep[i])
            continue;
        for (int k = last; k < i; k++) { /* from the chord */
            double slope = (y[i] - y[last]) / (x[i] - x[last]);
            off = fmax(off, fabs(y[last] + slope * (x[k] - x[last]) - y[k]) / hypot(1, slope));
        }
        last = i;
        n++;
    }
    ok(n < 40 && off <= 1e-3, "to %zu points, no more than 0.001 off (%.3g)", n, off);
    for (int i = 0; i < N; i++)
        y[i] = i == 200 ? (double) NAN : 1;
    cf_thin(2, xy, scale, N, 1e-3, keep, &err);
    n = 0;
    for (int i = 0; i < N; i++)
        n += keep[i];
    ok(n == 5 && keep[0] && keep[199] && keep[200] && keep[201] && keep[N - 1],
       "a gap parts a straight line into two");
    y[200] = 1.5;
    cf_thin(2, xy, scale, N, 1e-3, keep, &err);
    ok(keep[199] && keep[200] && keep[201], "a spike stays");
}

TEST(scene_curves)
{
    plan(48);
    test_fall();
    test_frame();
    test_length();
    test_energy();
    test_surface();
    test_sweep();
    test_variants();
    test_tilt();
    test_thin();
    return done();
}
