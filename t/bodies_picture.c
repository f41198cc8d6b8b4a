/* The picture of a scene's bodies: from where it is seen, what its window has, when the bodies are
 * drawn, and what is drawn of them. The scenes were invented for this test; what is expected
 * follows from geometry and free flight by hand.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/figure.h"
#include "geometry/vector.h"
#include "report/scene_bodies.h"
#include "report/scene_surface.h"
#include "tap.h"

struct shown {
    struct cf_scene_file *file;
    struct cf_scene_figures *figures;
    struct cf_bodies_picture picture;
    struct cf_chart chart;
};

#define HEAD "contactfit: scene/1\ntitle: t\ngravity: 10 m/s^2\nduration: 0.4 s\nbodies:\n"
#define FLOOR "  floor: {plane: {normal: [0, 0, 1], height: 0 m}, fixed: true}\n"
#define TOUCH                                                                                      \
    "contacts:\n  - {between: [a, floor], normal: {law: linear, k: 1e5 N/m, lambda: 0 N s/m}}\n"
#define EVEN ", mass: 1 kg, inertia: [1 kg m^2, 1 kg m^2, 1 kg m^2]"
#define FROM(direction)                                                                            \
    "figures: [{name: bodies, kind: bodies, from: " direction ", times: [0 s, 0.4 s]}]\n"

static void show_file(const char *path, struct shown *s)
{
    struct cf_error err = {""};
    size_t i = 0;

    s->file = cf_scene_read(path, NULL, 0, &err);
    s->figures = s->file ? cf_scene_figures_read(s->file, &err) : NULL;
    if (s->figures)
        i = cf_scene_figures_find(s->figures, "bodies");
    bool made =
        s->figures && i < s->figures->n && !cf_scene_figures_run(s->figures, i, &err) &&
        !cf_bodies_picture_make(&s->file->scene, &s->figures->figure[i], &s->picture, &err) &&
        !cf_scene_bodies_chart(&s->file->scene, &s->figures->figure[i], &s->chart, &err);
    if (!made) {
        printf("Bail out! %s\n", err.text);
        exit(99);
    }
}

static struct shown show(const char *text)
{
    char path[] = "/tmp/bodies-XXXXXX";
    struct shown s = {NULL};
    int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");

    if (!out)
        exit(99);
    fputs(text, out);
    fclose(out);
    show_file(path, &s);
    remove(path);
    return s;
}

static void hide(struct shown *s)
{
    cf_chart_free(&s->chart);
    cf_bodies_picture_free(&s->picture);
    cf_scene_figures_free(s->figures);
    cf_scene_file_free(s->file);
}

/* The series of a body at the last time, by the first word of its title. */
static const struct cf_chart_series *last(const struct shown *s, const char *name)
{
    const struct cf_panel *panel = s->chart.panel[0];

    for (size_t i = 0; i < panel->nseries; i++)
        if (panel->series[i]->title.nrun &&
            strncmp(cf_text_letters(&panel->series[i]->title, 0), name, strlen(name)) == 0)
            return panel->series[i];
    printf("Bail out! nothing is drawn of %s\n", name);
    exit(99);
}

static void check_views(void)
{
    struct shown s =
        show(HEAD "  a: {sphere: {radius: 5 cm}" EVEN
                  ", position: [0 m, 0 m, 1.2 m], velocity: [2 m/s, 1 m/s, 0 m/s]}\n" FLOOR TOUCH);
    const double *right = s.picture.view.right;

    ok(s.picture.view.flat, "a throw is seen from the side");
    is_near(right[0], 2 / sqrt(5), 1e-9, "along it: x");
    is_near(right[1], 1 / sqrt(5), 1e-9, "y");
    ok(fabs(right[2]) < 1e-12 && s.picture.view.up[2] > 1 - 1e-12, "upright");
    hide(&s);

#define TWO(away)                                                                                  \
    HEAD "  a: {sphere: {radius: 5 cm}" EVEN                                                       \
         ", position: [0 m, 0 m, 1.2 m], velocity: [2.5 m/s, 0 m/s, 0 m/s]}\n"                     \
         "  b: {sphere: {radius: 5 cm}" EVEN                                                       \
         ", position: [0 m, 0 m, 2 m], velocity: [0 m/s, " away ", 0 m/s]}\n" FLOOR TOUCH
    s = show(TWO("0.1 m/s"));
    ok(s.picture.view.flat, "what leaves the plane by 4 %% of the way stays in it");
    hide(&s);
    s = show(TWO("1 m/s"));
    ok(!s.picture.view.flat, "by 40 %% it does not");
    is_near(s.picture.view.towards[2], sin(0.42), 1e-9, "and is seen from a little above");
    is_near(cf_vec_dot(s.picture.view.right, s.picture.view.up), 0, 1e-12,
            "by axes that are across");
    hide(&s);

#define BRICK(spin)                                                                                \
    HEAD "  a: {box: {size: [2 cm, 3 cm, 4 cm]}" EVEN                                              \
         ", position: [0 m, 0 m, 1.2 m], velocity: [2 m/s, 0 m/s, 0 m/s], spin: " spin             \
         "}\n" FLOOR TOUCH
    s = show(BRICK("[0 rad/s, 5 rad/s, 0 rad/s]"));
    ok(s.picture.view.flat, "a brick that turns in the plane is seen flat");
    hide(&s);
    s = show(BRICK("[5 rad/s, 0 rad/s, 0 rad/s]"));
    ok(!s.picture.view.flat, "one that tumbles is not");
    hide(&s);

    /* nothing falls without gravity: all is level */
    s = show("contactfit: scene/1\ntitle: t\ngravity: 0 m/s^2\nduration: 0.4 s\nbodies:\n"
             "  a: {box: {size: [2 cm, 3 cm, 4 cm]}" EVEN
             ", position: [0 m, 0 m, 1.2 m], velocity: [2 m/s, 0 m/s, 0 m/s], spin: [0 rad/s, 0 "
             "rad/s, 5 rad/s]}\n" FLOOR TOUCH);
    is_near(s.picture.view.towards[2], sin(0.9), 1e-9, "what is level is seen from farther above");
    hide(&s);
}

static void check_window(void)
{
    struct shown s =
        show(HEAD "  a: {sphere: {radius: 5 cm}" EVEN
                  ", position: [0 m, 0 m, 1.2 m], velocity: [2 m/s, 0 m/s, 0 m/s]}\n" FLOOR TOUCH);
    const struct cf_range *w = s.picture.window;

    /* from -0.05 to 0.85 and 0.35 to 1.25 */
    ok(w[0].low < -0.051 && w[0].high > 0.851 && w[1].low < 0.351 - 0.002 && w[1].high > 1.251,
       "the window has all of the ball: %g to %g, %g to %g", w[0].low, w[0].high, w[1].low,
       w[1].high);
    ok(w[0].low > -0.35 && w[1].high < 1.4, "and little more");
    is_near(s.picture.time_s[s.picture.ntime - 1], 0.4, 1e-12, "it is drawn to the end");

    /* corners of the circle at the last time: on it, and near enough to each other */
    const struct cf_chart_series *ball = last(&s, "a");
    const struct cf_panel *panel = s.chart.panel[0];
    double inches = (panel->right - panel->left) / (w[0].high - w[0].low) / s.picture.factor;
    double off = 0, sagitta = 0;
    for (size_t i = 0; i + 1 < ball->n && isfinite(ball->datum[i + 1].x); i++) {
        const struct cf_datum *p = &ball->datum[i], *q = p + 1;
        double f = s.picture.factor, x = 0.8 * f, y = (1.2 - 0.8) * f;
        off = fmax(off, fabs(hypot(p->x - x, p->y - y) - 0.05 * f));
        sagitta = fmax(sagitta, 0.05 * f - hypot((p->x + q->x) / 2 - x, (p->y + q->y) / 2 - y));
    }
    ok(off < 2e-4, "its corners lie on the circle: %g", off);
    ok(sagitta * inches < 0.15 / 90 * 1.1, "and its sides near it: %g in", sagitta * inches);
    hide(&s);
}

/* Lines of a series: how many, and how many places each of them has if that is the same. */
static size_t pieces(const struct cf_chart_series *series, size_t *each)
{
    size_t n = 0, places = 0;

    *each = 0;
    for (size_t i = 0; i < series->n; i++) {
        if (isfinite(series->datum[i].x)) {
            places++;
            continue;
        }
        *each = n == 0 || *each == places ? places : 0;
        n++;
        places = 0;
    }
    return n;
}

static void check_faces(void)
{
#define CORNER                                                                                     \
    HEAD "  a: {points: [[0 m, 0 m, 0 m], [5 cm, 0 m, 0 m], [0 m, 5 cm, 0 m], [0 m, 0 m, 5 "       \
         "cm]]" EVEN ", position: [0 m, 0 m, 2 m]}\n" FLOOR TOUCH
    size_t each, n;
    struct shown s = show(CORNER FROM("[1, 1, 1]"));

    n = pieces(last(&s, "a"), &each);
    ok(n == 1 && each == 4, "of a corner one face is seen from outside, and it closes: %zu, %zu", n,
       each);
    hide(&s);
    s = show(CORNER FROM("[-1, -1, -1.5]"));
    n = pieces(last(&s, "a"), &each);
    ok(n == 3 && each == 4, "and three from behind: %zu, %zu", n, each);
    ok(s.chart.panel[0]->x.ntic == 0 && !s.chart.panel[0]->x.label.nrun, "without axes");
    const struct cf_range *w = s.picture.window;
    double low = HUGE_VAL;
    for (size_t i = 0; i < last(&s, "a")->n; i++)
        low = fmin(low, last(&s, "a")->datum[i].y / s.picture.factor);
    ok(w[1].low < low - 0.1 * (w[0].high - w[0].low), "and with room for a scale below");
    hide(&s);
}

static void check_surfaces(void)
{
    /* a floor with a dome at y = 2 m, in the plane of a ball that is thrown there */
    struct shown s =
        show(HEAD "  a: {sphere: {radius: 5 cm}" EVEN
                  ", position: [0 m, 2 m, 1.2 m], velocity: [2 m/s, 0 m/s, 0 m/s]}\n"
                  "  floor: {solids: [{plane: {normal: [0, 0, 1], height: 0.3 m}}, {sphere: "
                  "{center: [0.4 m, 2 m, 0.3 m], radius: 0.2 m}}], fixed: true}\n"
                  "contacts:\n  - {between: [a, floor], solid: 1, normal: {law: linear, k: 1e5 "
                  "N/m, lambda: 0 N s/m}}\n");
    const struct cf_chart_series *floor = last(&s, "floor");
    double top = -HUGE_VAL, at = 0, worst = 0;

    for (size_t i = 0; i < floor->n; i++) {
        double x = floor->datum[i].x / s.picture.factor, y = floor->datum[i].y / s.picture.factor;
        if (!isfinite(x))
            continue;
        if (y > top) {
            top = y;
            at = x;
        }
        double dome = 0.04 - (x - 0.4) * (x - 0.4);
        worst = fmax(worst, fabs(y - 0.3 - (dome > 0.0004 ? sqrt(dome) : 0)));
    }
    is_near(top, 0.5, 2e-3, "the section has the top of the dome");
    is_near(at, 0.4, 0.02, "where it is");
    ok(worst < 0.03, "and the floor beside it: %g", worst);
    hide(&s);
}

static void check_pendulum(void)
{
    const char *srcdir = getenv("srcdir");
    struct shown s = {NULL};
    char path[1024];
    double at[2];

    snprintf(path, sizeof path, "%s/scenes/g07_double_pendulum.yaml", srcdir ? srcdir : ".");
    show_file(path, &s);
    size_t upper = 0, lower = 0;
    for (size_t b = 0; b < s.file->scene.nbody; b++) {
        upper = strcmp(s.file->scene.body[b].name, "upper") == 0 ? b : upper;
        lower = strcmp(s.file->scene.body[b].name, "lower") == 0 ? b : lower;
    }
    const struct cf_scene_pose *pose = s.picture.figure->pose;
    cf_bodies_picture_place(&s.picture, &pose[upper], s.picture.outline[upper].line[0].at_m[0], at);
    ok(hypot(at[0], at[1]) < 1e-12, "a link begins at its joint");
    cf_bodies_picture_place(&s.picture, &pose[lower], s.picture.outline[lower].line[0].at_m[0], at);
    is_near(at[0], 0.5 * sqrt(0.5), 1e-12, "the next one where it ends");
    is_near(at[1], -0.5 * sqrt(0.5), 1e-12, "at 45 degrees");
    double end = s.picture.time_s[s.picture.ntime - 1];
    ok(end > 6.4 && end < 6.8, "it is drawn until it rests: %g s", end);
    ok(s.picture.time_s[0] == 0 && s.picture.time_s[1] == 1 && s.picture.ntime == 8,
       "at whole seconds before: %zu times", s.picture.ntime);
    hide(&s);
}

static size_t titles(const struct shown *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->chart.panel[0]->nseries; i++)
        n += s->chart.panel[0]->series[i]->title.nrun > 0;
    return n;
}

/* More bodies than colours: those of one kind have one, and one line of the key. */
static void check_many(void)
{
#define MANY(count, size)                                                                          \
    HEAD "  a: {sphere: {radius: 5 cm}" EVEN ", position: [3 m, 0 m, 1.2 m]}\n"                    \
         "  b: {count: " count ", sphere: {radius: 5 cm}" EVEN                                     \
         ", lattice: {from: [0 m, 0 m, 2 m], spacing: [20 cm, 20 cm, 0 m], size: [3, 3, 1]}}\n"    \
         "  c: {count: 2, sphere: {radius: " size "}" EVEN                                         \
         ", places: [[0 m, 0 m, 3 m], [1 m, 0 m, 3 m]]}\n" FLOOR TOUCH
    struct shown s = show(MANY("7", "6 cm"));
    const char *colour = last(&s, "b1 to b7, radius 50 mm")->style.colour;

    ok(titles(&s) == 3 + 1, "seven balls of ten are one line of the key, and so are two: %zu lines",
       titles(&s));
    last(&s, "c1 to c2, radius 60 mm");
    ok(strcmp(colour, cf_bodies_picture_colour(&s.picture, 7)) == 0 &&
           strcmp(colour, cf_bodies_picture_colour(&s.picture, 0)) != 0 &&
           strcmp(colour, cf_bodies_picture_colour(&s.picture, 8)) != 0,
       "all of one colour, which no others have");
    hide(&s);

    s = show(MANY("5", "6 cm"));
    ok(titles(&s) == 8 + 1, "as many as colours have one each: %zu lines", titles(&s));
    hide(&s);
}

TEST(bodies_picture)
{
    plan(11 + 5 + 4 + 3 + 5 + 3);
    check_views();
    check_window();
    check_faces();
    check_surfaces();
    check_pendulum();
    check_many();
    return done();
}
