/* The balls of Gonthier 2007, section 5.1.3, on the inclined plane and in the cylinder, against
 * SciPy with its own equations in its own frames (t/reference/make_balls.py), against reference
 * numbers, and against the conditions of pure rolling. */

#include <math.h>
#include <string.h>

#include "lib/stage.h"
#include "tap.h"

/* columns of balls.csv behind the scene: a touch (0) or a time (1), place, velocity, spin */
enum { KIND, TIME, PLACE, VELOCITY = PLACE + 3, SPIN = VELOCITY + 3, NCOLUMN = SPIN + 3 };
enum { MOST = 24 };

/* The last touch of the balls in the cylinder is before this; swings in depth die out by then. */
static const double ROLLS_S = 0.7, QUIET_S = 1.2, EARLY_S = 2.5;

struct states {
    int n;
    double cell[MOST * NCOLUMN];
    size_t at; /* the next one of kind 1 */
    double worst, first_worst;
    double fastest_m_s, most_rad_s; /* across the cylinder, after the last touch */
    double low_J, high_J;           /* once the rest of that has died out */
    double early_m_s[3];            /* at EARLY_S */
};

static double distance(const struct cf_body_state *body, const double *row)
{
    double worst = 0;

    for (int k = 0; k < 3; k++) {
        worst = fmax(worst, fabs(body->position_m[k] - row[PLACE + k]));
        worst = fmax(worst, fabs(body->velocity_m_s[k] - row[VELOCITY + k]));
        worst = fmax(worst, 0.1 * fabs(body->spin_rad_s[k] - row[SPIN + k])); /* of the surface */
    }
    return worst;
}

static void watch(void *observer, const struct cf_snapshot *at)
{
    struct states *states = observer;
    const struct cf_body_state *ball = at->body;

    for (int i = 0; i < states->n; i++) {
        const double *row = states->cell + i * NCOLUMN;
        if (row[KIND] == 1 && fabs(row[TIME] - at->time_s) < 1e-9) {
            states->worst = fmax(states->worst, distance(ball, row));
            states->at++;
        }
    }
    if (fabs(at->time_s - EARLY_S) < 1e-9)
        memcpy(states->early_m_s, ball->velocity_m_s, sizeof states->early_m_s);
    if (at->time_s > ROLLS_S) {
        const double *v = ball->velocity_m_s;
        states->fastest_m_s = fmax(states->fastest_m_s, hypot(v[0], v[2]));
        states->most_rad_s = fmax(states->most_rad_s, fabs(ball->spin_rad_s[1]));
    }
    if (at->time_s > QUIET_S) {
        const double *e = at->energy_J;
        double sum = e[CF_ENERGY_KINETIC] + e[CF_ENERGY_POTENTIAL] + e[CF_ENERGY_NORMAL_SPRING] +
                     e[CF_ENERGY_TANGENTIAL_SPRING];
        states->low_J = fmin(states->low_J, sum);
        states->high_J = fmax(states->high_J, sum);
    }
}

/* Runs it and compares it with all of its rows in the table. */
static void compare(struct stage *stage, struct states *states, const char *scene,
                    const char *begins, const char *duration)
{
    double touch = 0;
    size_t n = 0;

    *states = (struct states){.low_J = INFINITY, .high_J = -INFINITY};
    states->n = stage_table("balls.csv", begins, NCOLUMN, MOST, states->cell);
    stage_open(stage, scene, (const char *const[]){"duration", duration, NULL});
    stage->options.every_s = 0.01;
    stage->sample = watch;
    stage->observer = states;
    ok(stage_run(stage) && states->n > 4, "%s: runs", scene);
    ok(stage_off(stage) < 1e-9, "%s: energy balance off by %.1e of what moved", scene,
       stage_off(stage));
    for (int i = 0; i < states->n; i++) {
        const double *row = states->cell + i * NCOLUMN;
        if (row[KIND] != 0 || row[TIME] > stage->file->scene.duration_s)
            continue;
        const struct stage_event *make = stage_find(stage, CF_EVENT_MAKE, n++);
        touch = fmax(touch, make ? fabs(make->time_s - row[TIME]) : (double) INFINITY);
        touch = fmax(touch, make ? fabs(make->contact.depth_m) : (double) INFINITY);
        states->first_worst =
            fmax(states->first_worst, make ? distance(&make->body, row) : (double) INFINITY);
    }
    ok(stage->result.events[CF_EVENT_MAKE] == n, "%s: touches %zu times", scene, n);
    ok(touch < 1e-5 && states->first_worst < 1e-5,
       "%s: times of touch within %.1e s, states there within %.1e m, m/s", scene, touch,
       states->first_worst);
    ok(states->at > 0 && states->worst < 1e-5, "%s: at %zu times within %.1e m, m/s", scene,
       states->at, states->worst);
}

static void test_incline(void)
{
    static const double along = 2.396584, TILT = 0.34906585039886592; /* 20 deg */
    struct states states;
    struct stage stage;

    compare(&stage, &states, "g07_ball_on_incline", "incline,", "3 s");
    const struct stage_event *make = stage_find(&stage, CF_EVENT_MAKE, 0);
    const struct stage_event *out = stage_find(&stage, CF_EVENT_BREAK, 0);
    is_near(make ? make->time_s : (double) NAN, 0.511209, 5e-7, "incline: first impact");
    const double *v = out ? out->body.velocity_m_s : stage.end.body.velocity_m_s;
    is_near(v[0] * cos(TILT) - v[2] * sin(TILT), 0.58714, 5e-6, "incline: then down the slope");
    is_within(v[1], 0.35714, 5e-6, "incline: then along it");
    is_near(v[0] * sin(TILT) + v[2] * cos(TILT), 2.48728, 5e-6, "incline: then off it");

    const double *before = states.early_m_s;
    v = stage.end.body.velocity_m_s;
    double gain = (v[0] - before[0]) * cos(TILT) - (v[2] - before[2]) * sin(TILT);
    is_near(gain / (3 - EARLY_S), along, 1e-6 / along, "incline: rolls with (5/7) g sin 20 deg");
    is_near(5.0 / 7 * 9.81 * sin(TILT), along, 5e-7, "which is that");
    is_near(v[1], before[1], 1e-7, "incline: and nothing along it");
    stage_close(&stage);
}

/* 2 s: two swings. */
static void test_cylinder(const char *scene, const char *begins)
{
    struct states states;
    struct stage stage;

    compare(&stage, &states, scene, begins, "2 s");
    is_near(states.most_rad_s, 9.84, 5e-3 / 9.84, "%s: peak of spin %.4f rad/s", scene,
            states.most_rad_s);
    is_near(states.fastest_m_s, 0.984, 5e-4, "%s: peak of speed %.5f m/s", scene,
            states.fastest_m_s);
    ok(states.high_J - states.low_J < 1e-5, "%s: energy in rolling constant to %.1e J", scene,
       states.high_J - states.low_J);
    stage_close(&stage);
}

TEST(balls)
{
    plan(5 + 7 + 2 * (5 + 3));
    test_incline();
    test_cylinder("g07_ball_in_cylinder_2d", "cylinder_2d,");
    test_cylinder("g07_ball_in_cylinder_3d", "cylinder_3d,");
    return done();
}
