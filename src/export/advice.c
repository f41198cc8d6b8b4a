/* Why a question has no export that keeps e, and what is nearest to it that has one.
 *
 * Both are found by asking again: without gravity, with the engine's settings written, with bodies
 * as large as their contact is deep, at a finer step; then at the largest step, over the widest
 * part of the speeds and with the least bound that serve, each with all else as it was asked for.
 */

#define _XOPEN_SOURCE 700
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/predict.h"

struct asked {
    const struct cf_target *target;
    const struct cf_material *material;
    struct cf_question question;
    struct cf_curves *curves;
    bool middle; /* the design speed is the middle of the speeds, also of narrower ones */
    double low, high;
};

/* Does it serve at these speeds? */
static bool at_speeds(const struct asked *asked, struct cf_question question, double low,
                      double high)
{
    question.slowest_m_s = low;
    question.fastest_m_s = high;
    if (asked->middle || question.speed_m_s < low || question.speed_m_s > high)
        question.speed_m_s = sqrt(low * high);
    return cf_export_serves(asked->target, asked->material, &question, asked->curves);
}

static bool serves(const struct asked *asked, const struct cf_question *question)
{
    return at_speeds(asked, *question, asked->low, asked->high);
}

/* What may be in the way, and be taken out of it. */
enum { GRAVITY = 1, SETTINGS = 2, SIZE = 4, ALL = 7 };

/* Does it serve without these? Not where one of them is not there. */
static bool serves_without(const struct asked *asked, int obstacles)
{
    struct cf_question q = asked->question;
    int there = SIZE | (q.gravity_m_s2 > 0 ? GRAVITY : 0) |
                (asked->target->settings && !q.settings ? SETTINGS : 0);

    if (obstacles & GRAVITY)
        q.gravity_m_s2 = 0;
    if (obstacles & SETTINGS)
        q.settings = true;
    q.any_depth = (obstacles & SIZE) != 0;
    return (obstacles & there) == obstacles && serves(asked, &q);
}

/* How far e of the fit is from the middle of what it is over these speeds, at most. */
static double half_fall(const struct asked *asked, double *first, double *last)
{
    const struct cf_mapping m = {.target = asked->target,
                                 .material = asked->material,
                                 .question = asked->question,
                                 .law = asked->material->law};
    struct cf_goal goal = {.n = 0};
    double least = (double) INFINITY, most = -least;

    if (cf_export_goal(&m, cf_export_mass(&m), asked->curves, &goal, NULL) || goal.n < 2)
        return 0;
    for (size_t i = 0; i < goal.n; i++) {
        least = fmin(least, goal.e[i]);
        most = fmax(most, goal.e[i]);
    }
    *first = goal.e[0];
    *last = goal.e[goal.n - 2];
    return (most - least) / 2;
}

static void say_obstacles(const struct cf_question *q, int obstacles, char *text, size_t size)
{
    char gravity[80];

    snprintf(gravity, sizeof gravity, "gravity, which changes a speed by %.3g m/s in a step",
             q->gravity_m_s2 * q->dt_s);
    snprintf(text, size, "; cause: %s%s%s%s%s", obstacles & GRAVITY ? gravity : "",
             (obstacles & GRAVITY) && obstacles > GRAVITY ? ", and " : "",
             obstacles & SETTINGS
                 ? "settings of the engine, how far ahead it sees a contact among them"
                 : "",
             obstacles == ALL || obstacles == (SETTINGS | SIZE) ? ", and " : "",
             obstacles & SIZE ? "size: a contact that such a step resolves is deeper than the "
                                "bodies have room for"
                              : "");
}

/* The fewest that are in the way; 0: e of the fit itself is too far from one number, and no step
 * helps; -1: not these. */
static int find_cause(const struct asked *asked, double bound, char *text, size_t size)
{
    static const int tried[] = {GRAVITY,        SETTINGS,        SIZE, GRAVITY | SETTINGS,
                                GRAVITY | SIZE, SETTINGS | SIZE, ALL};
    double first, last;

    text[0] = '\0';
    if (half_fall(asked, &first, &last) > bound) {
        snprintf(text, size,
                 "; cause: e of the fit goes from %.4f to %.4f there, and what keeps one e cannot "
                 "follow it",
                 first, last);
        return 0;
    }
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++)
        if (serves_without(asked, tried[i])) {
            say_obstacles(&asked->question, tried[i], text, size);
            return tried[i];
        }
    return -1;
}

/* Does the target take steps that its twin knows? */
static bool is_stepped(const struct asked *asked)
{
    struct cf_mapping m;
    bool known = !cf_export_try(asked->target, asked->material, &asked->question, NULL,
                                asked->curves, &m, NULL) &&
                 m.exactness != CF_EXACTNESS_NONE && m.twin.scheme != CF_SCHEME_CONTINUOUS;

    cf_mapping_clear(&m);
    return known;
}

/* Between what does not serve and what does, in the logarithm, to a few percent. */
struct change {
    bool (*try)(const struct asked *asked, double value);
    double fails, serves;
};

static double nearest(const struct asked *asked, struct change change)
{
    enum { HALVES = 5 };

    for (int i = 0; i < HALVES; i++) {
        double middle = sqrt(change.fails * change.serves);
        *(change.try(asked, middle) ? &change.serves : &change.fails) = middle;
    }
    return change.serves;
}

static bool try_step(const struct asked *asked, double dt_s)
{
    struct cf_question fine = asked->question;

    fine.dt_s = dt_s;
    return serves(asked, &fine);
}

static bool try_slowest(const struct asked *asked, double speed_m_s)
{
    return at_speeds(asked, asked->question, speed_m_s, asked->high);
}

static bool try_fastest(const struct asked *asked, double speed_m_s)
{
    return at_speeds(asked, asked->question, asked->low, speed_m_s);
}

static bool try_bound(const struct asked *asked, double bound)
{
    struct cf_question wide = asked->question;

    wide.bound_e = bound;
    return serves(asked, &wide);
}

/* A number of two digits that is no nearer to what fails. */
static double two_digits(double value, bool up)
{
    double unit = pow(10, floor(log10(value)) - 1), rounding = 1e-9;

    return unit * (up ? ceil(value / unit - rounding) : floor(value / unit + rounding));
}

/* The steps are halved to the thousandth part: finer ones nobody takes in place of that. */
static double largest_step(const struct asked *asked)
{
    const double finest = 1.0 / 1024;

    for (double f = 0.5; f >= finest; f /= 2)
        if (try_step(asked, f * asked->question.dt_s))
            return two_digits(nearest(asked, (struct change){try_step, 2 * f * asked->question.dt_s,
                                                             f * asked->question.dt_s}),
                              false);
    return 0;
}

/* Of e; a wider one nobody takes. */
static const double most_bound = 0.3;

static double least_bound(const struct asked *asked, double bound)
{
    const double stride = 1.6;

    for (double wide = stride * bound; wide <= most_bound; wide *= stride)
        if (try_bound(asked, wide))
            return two_digits(nearest(asked, (struct change){try_bound, wide / stride, wide}),
                              true);
    return 0;
}

/* "--slowest=..." or "--fastest=...", whichever leaves more of the speeds; "" where neither serves
 * alone. One speed is no range. */
static void add_speeds(const struct asked *asked, char *text, size_t size)
{
    const double edge = 1.02;
    double from = 0, to = 0;

    if (!(asked->high > edge * edge * asked->low))
        return;
    if (try_slowest(asked, asked->high / edge))
        from = nearest(asked, (struct change){try_slowest, asked->low, asked->high / edge});
    if (try_fastest(asked, asked->low * edge))
        to = nearest(asked, (struct change){try_fastest, asked->high, asked->low * edge});
    if (from > 0 && !(to / asked->low > asked->high / from))
        snprintf(text, size, "--slowest=\"%.3g m/s\"", from * (1 + 1e-3));
    else if (to > 0)
        snprintf(text, size, "--fastest=\"%.3g m/s\"", to * (1 - 1e-3));
}

static const char serving[] = "; it serves with ";

static void add(char *text, size_t size, const char *change)
{
    size_t used = strlen(text);

    if (change[0] && used < size)
        snprintf(text + used, size - used, "%s%s", strstr(text, serving) ? " or " : serving,
                 change);
}

void cf_export_advise(const struct cf_target *target, const struct cf_material *material,
                      const struct cf_question *question, struct cf_curves *curves, char *text,
                      size_t size)
{
    struct cf_material forced = *material;
    struct asked asked = {target, &forced, *question, curves, .middle = false};
    double bound = isnan(question->bound_e) ? cf_usual_bound : question->bound_e, step, wide;
    char change[80] = "";

    text[0] = '\0';
    forced.trusted = true; /* that is told apart */
    if (!cf_export_range(question, material, &asked.low, &asked.high) || isnan(question->dt_s))
        return;
    asked.middle = question->speed_m_s == cf_export_middle_speed(question, material);
    if (!is_stepped(&asked))
        return;
    int cause = find_cause(&asked, bound, text, size);
    step = cause ? largest_step(&asked) : 0;
    if (!text[0])
        snprintf(text, size, "; cause: %s",
                 step > 0 ? "the step" : "e, which steps of that kind do not reach");
    add(text, size, cause == SETTINGS ? "--engine-settings" : "");
    if (step > 0)
        snprintf(change, sizeof change, "--dt=\"%.2g s\"", step);
    add(text, size, change);
    change[0] = '\0';
    add_speeds(&asked, change, sizeof change);
    add(text, size, change);
    change[0] = '\0';
    wide = least_bound(&asked, bound);
    if (wide > 0)
        snprintf(change, sizeof change, "--bound=%.2g", wide);
    add(text, size, change);
    if (!strstr(text, serving))
        snprintf(text + strlen(text), size - strlen(text),
                 "; nothing near it serves: %sno part of the speeds and no bound up to %g",
                 cause ? "no step down to a thousandth of that, " : "", most_bound);
}
