/* What every tangential law must obey: derivatives against differences of high order, no preferred
 * direction, limits, and a power balance. */

#include "law/friction.h"

#include <math.h>
#include <string.h>

#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

/* Values that differ from each other and from the typical ones. */
static const struct {
    const char *law;
    double p[CF_MAX_PARAM];
    double speed, lean;                /* sizes of v and x that belong to them */
    double limit[CF_FRICTION_VECTORS]; /* of laws with several x: where each is full */
} rows[] = {
    {"clutch", {0.37, 8.3e6, 2.9e3, 0.23}, 0.19, 7.3e-5},
    {"clutch-linear", {0.29, 4.7e4, 81, 0.17}, 0.11, 1.3e-4},
    {"bristle", {0.47, 0.31, 2.3e4, 61, 0.37, 3.1e-3, 0.73}, 2.7e-3, 1.1e-5},
    {"bristle-fixed", {0.47, 0.31, 6.1e5, 1.7e3, 9.7, 3.1e-3, 0.73}, 2.7e-3, 1.1e-5},
    {"stribeck", {0.41, 0.23, 3.7e-3}, 2.3e-3, 0},
    {"viscous-load", {0.83}, 0.31, 0},
    {"coulomb", {0.53, 2.9e-3}, 1.6e-3, 0},
    {"dahl", {0.43, 1.9e4}, 0.013, 1.3e-5},
    {"lugre", {0.47, 0.31, 2.3e4, 61, 0.37, 3.1e-3}, 2.7e-3, 1.1e-5},
    {"elasto-plastic", {0.47, 0.31, 2.3e4, 61, 0.37, 3.1e-3, 0.37}, 2.7e-3, 1.1e-5},
    /* loaded from 0, they break at (6, 0.12), (24, 0.3) um and so on */
    {"iwan-2", {0.3, 2e4, 0.4, 0.5}, 2.7e-3, 0, {6e-6, 24e-6}},
    {"iwan-3", {0.3, 2e4, 0.4, 0.5, 0.5, 0.3}, 2.7e-3, 0, {6e-6, 15e-6, 45e-6}},
    {"iwan-4", {0.3, 2e4, 0.4, 0.5, 0.5, 0.3, 0.2, 0.6}, 2.7e-3, 0, {6e-6, 15e-6, 21e-6, 61e-6}},
    {"rate-state", {0.61, 0.013, 1.7e-6, 0.017, 2.3e-5}, 2.7e-6, 3.1},
    {"rate-state-slip", {0.61, 0.013, 1.7e-6, 0.017, 2.3e-5}, 2.7e-6, 3.1},
    {"rate-state-2", {0.61, 0.013, 1.7e-6, 0.017, 2.3e-5, -0.007, 3.1e-4}, 2.7e-6, 3.1},
    {"rate-state-slip-2", {0.61, 0.013, 1.7e-6, 0.017, 2.3e-5, -0.007, 3.1e-4}, 2.7e-6, 3.1},
};

/* Directions and multiples of the row's speed and lean, load, depth, dwell: sticking and sliding,
 * leaning along and against the slip. */
static const struct place {
    double v[2], x[2], dwell, normal, depth;
} places[] = {
    {{0.71, 0.43}, {1.61, -0.37}, 0.41, 23.7, 3.1e-5},
    {{-0.13, 0.21}, {-0.07, 0.093}, 0.83, 117, 2.3e-4},
    {{2.9, -1.7}, {1.3, 0.61}, 0.19, 7.9, 4.7e-6},
    {{1.1, 1.3}, {0.29, 0.83}, 0.67, 31, 7.1e-5},
    {{-0.47, 0.83}, {1.9, -1.1}, 0.57, 13, 1.7e-5},
    {{0.0071, -0.0043}, {0.53, 0.31}, 0.97, 61, 1.7e-5},
    {{3.7, 2.1}, {23, 11}, 0.029, 3.1, 1.7e-5},
};

/* Of laws with several x, those in parts of their limits, turned one against the other. */
static const double full[][CF_FRICTION_VECTORS] = {
    {0.9953, 0.31, 0.9981, 0.57}, {0.47, 0.9967, 0.83, 0.9943}, {1.0013, 0.9979, 0.9938, 0.9972},
    {0.07, 0.93, 1.0007, 0.9961}, {0.9927, 0.61, 0.67, 1.0021}, {0.83, 0.9931, 0.9989, 0.9947},
    {1.0031, 1.0017, 0.29, 0.43},
};

/* A contact with its state. */
struct spot {
    struct cf_slide c;
    double state[CF_FRICTION_STATES];
};

static void spot_at(int row, int place, struct spot *s)
{
    const struct place *at = &places[place];

    *s = (struct spot){.c = {at->depth,
                             at->normal,
                             {rows[row].speed * at->v[0], rows[row].speed * at->v[1]},
                             NULL},
                       .state = {rows[row].lean * at->x[0], rows[row].lean * at->x[1], at->dwell}};
    for (int i = 0; i < CF_FRICTION_VECTORS && rows[row].limit[0] > 0; i++) {
        double size = full[place][i] * rows[row].limit[i], angle = atan2(at->x[1], at->x[0]) + i;
        s->state[2 * i] = size * cos(angle);
        s->state[2 * i + 1] = size * sin(angle);
    }
    s->c.state = s->state;
}

/* Force and rates where column j is moved by h. */
static void moved(const struct cf_friction_law *law, const double p[], struct spot s, int j,
                  double h, double out[2 + CF_FRICTION_STATES])
{
    double q[CF_MAX_PARAM];

    memcpy(q, p, law->nparam * sizeof *q);
    s.c.state = s.state;
    if (j < CF_BY_NORMAL)
        s.c.velocity_m_s[j - CF_BY_VELOCITY] += h;
    else if (j == CF_BY_NORMAL)
        s.c.normal_N += h;
    else if (j == CF_BY_DEPTH)
        s.c.depth_m += h;
    else if (j < CF_BY_PARAM)
        s.state[j - CF_BY_STATE] += h;
    else
        q[j - CF_BY_PARAM] += h;
    memset(out, 0, (2 + CF_FRICTION_STATES) * sizeof *out);
    law->force(q, &s.c, out, out + 2);
}

static double value_of(const struct cf_friction_law *law, const double p[], const struct spot *s,
                       int j)
{
    if (j < CF_BY_NORMAL)
        return hypot(s->c.velocity_m_s[0], s->c.velocity_m_s[1]);
    if (j <= CF_BY_DEPTH)
        return j == CF_BY_NORMAL ? s->c.normal_N : s->c.depth_m;
    if (j >= CF_BY_PARAM)
        return p[j - CF_BY_PARAM];
    j -= CF_BY_STATE;
    return j < 2 * (int) law->nvector ? hypot(s->state[j & ~1], s->state[j | 1]) : s->state[j];
}

/* The size of what entry i of force and rates belongs to. */
static double whole_of(const struct cf_friction_law *law, const double at[], int i)
{
    bool paired = i < 2 + 2 * (int) law->nvector;

    return paired ? hypot(at[i & ~1], at[i | 1]) : fabs(at[i]);
}

/* Differences of order 8, with steps of a share of the argument; worst error over the change that
 * the argument's own size would make, or over the quantity. Where sliders give way within a
 * hundredth of their deflection, a step is far less. */
static double compare(const struct cf_friction_law *law, const double p[], const struct spot *s)
{
    static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    const double SHARE = law->nvector > 1 ? 2e-4 : 4e-3;
    double at[2 + CF_FRICTION_STATES], worst = 0;
    struct cf_friction_slopes slopes;

    moved(law, p, *s, 0, 0, at);
    cf_friction_slopes(law, p, &s->c, &slopes);
    for (int j = 0; j < CF_BY_PARAM + (int) law->nparam; j++) {
        double size = value_of(law, p, s, j), h = SHARE * size, want[2 + CF_FRICTION_STATES] = {0};
        if (j >= CF_BY_STATE + (int) law->nstate && j < CF_BY_PARAM)
            continue;
        for (int k = 0; k < LENGTH(weight); k++) {
            double up[2 + CF_FRICTION_STATES], down[2 + CF_FRICTION_STATES];
            moved(law, p, *s, j, (k + 1) * h, up);
            moved(law, p, *s, j, -(k + 1) * h, down);
            for (int i = 0; i < 2 + CF_FRICTION_STATES; i++)
                want[i] += weight[k] * (up[i] - down[i]) / h;
        }
        for (int i = 0; i < 2 + (int) law->nstate; i++) {
            double got = i < 2 ? slopes.force[i][j] : slopes.rate[i - 2][j];
            double whole = whole_of(law, at, i);
            double error = fabs(got - want[i]) * size / (fabs(want[i]) * size + whole);
            worst = isnan(error) || error > worst ? error : worst;
        }
    }
    return worst;
}

static void derivatives(const struct cf_friction_law *law, int row)
{
    double worst = 0;
    bool slides = !law->slip, sticks = !law->slip;

    for (int i = 0; i < LENGTH(places); i++) {
        struct spot s;
        spot_at(row, i, &s);
        if (law->slip)
            *(law->slip(rows[row].p, &s.c) > 0 ? &slides : &sticks) = true;
        double error = compare(law, rows[row].p, &s);
        worst = isnan(error) || error > worst ? error : worst;
    }
    ok(worst < 1e-10, "%s: all derivatives by differences (worst %.1e)", law->name, worst);
    ok(slides && sticks, "%s: where it sticks and where it slides", law->name);
}

/* Asked for the force alone, a law gives the same. */
static void alone(const struct cf_friction_law *law, int row)
{
    bool same = true;

    for (int i = 0; i < LENGTH(places); i++) {
        double both[2], rate[CF_FRICTION_STATES], force[2];
        struct spot s;
        spot_at(row, i, &s);
        law->force(rows[row].p, &s.c, both, rate);
        law->force(rows[row].p, &s.c, force, NULL);
        same = same && memcmp(both, force, sizeof both) == 0;
    }
    ok(same, "%s: the same with rates or without", law->name);
}

static void turn(double angle, double u[2])
{
    double x = u[0];
    u[0] = cos(angle) * x - sin(angle) * u[1];
    u[1] = sin(angle) * x + cos(angle) * u[1];
}

/* The vectors among a law's states, or their rates. */
static void turn_all(const struct cf_friction_law *law, double angle, double state[])
{
    for (size_t i = 0; i < law->nvector; i++)
        turn(angle, state + 2 * i);
}

static void mirror_all(const struct cf_friction_law *law, double state[])
{
    for (size_t i = 0; i < law->nvector; i++)
        state[2 * i + 1] *= -1;
}

/* Everything rotated gives the rotated answer; mirrored, the mirrored one. */
static void isotropy(const struct cf_friction_law *law, int row)
{
    double worst = 0;

    for (int i = 0; i < LENGTH(places); i++)
        for (int j = 0; j < 5; j++) {
            double f[2], rate[CF_FRICTION_STATES] = {0}, f_turned[2], angle = 0.3 + 1.7 * j;
            double rate_turned[CF_FRICTION_STATES] = {0};
            struct spot s;
            spot_at(row, i, &s);
            law->force(rows[row].p, &s.c, f, rate);
            turn(angle, s.c.velocity_m_s), turn_all(law, angle, s.state);
            turn(angle, f), turn_all(law, angle, rate);
            if (j == 4) {
                s.c.velocity_m_s[1] *= -1, mirror_all(law, s.state);
                f[1] *= -1, mirror_all(law, rate);
            }
            law->force(rows[row].p, &s.c, f_turned, rate_turned);
            double size = hypot(f[0], f[1]);
            worst = fmax(worst, hypot(f[0] - f_turned[0], f[1] - f_turned[1]) / size);
            for (size_t k = 0; k < law->nstate; k++) {
                double unit = k < 2 * law->nvector ? rows[row].speed : 1;
                worst = fmax(worst, fabs(rate[k] - rate_turned[k]) / (fabs(rate[k]) + unit));
            }
        }
    ok(worst < (law->nvector > 1 ? 1e-12 : 1e-13), "%s: turned and mirrored (worst %.1e)",
       law->name, worst);
}

/* Power in is power stored and lost, dampers never give, and a new contact that slides is braked
 * directly against its slip. */
static void power(const struct cf_friction_law *law, int row)
{
    struct cf_friction_parts parts;
    double worst = 0, f[2];
    bool loses = true;
    struct spot s;

    spot_at(row, 0, &s);
    law->parts(rows[row].p, &s.c, &parts);
    /* with a damper, a bristle's sliding part may give back: not so a clutch's */
    bool bristle = parts.damping_N_s_m > 0 && !law->viscous_on_slip;
    bool sprung = law->nvector > 0 && !(parts.damping_N_s_m > 0);

    for (int i = 0; i < LENGTH(places); i++) {
        struct cf_friction_power to;
        spot_at(row, i, &s);
        law->force(rows[row].p, &s.c, f, NULL);
        cf_friction_power(law, rows[row].p, &s.c, &to);
        double in = -f[0] * s.c.velocity_m_s[0] - f[1] * s.c.velocity_m_s[1];
        double size = fabs(to.spring_W) + to.damper_W + fabs(to.slide_W) + to.viscous_W;
        double out = to.spring_W + to.damper_W + to.slide_W + to.viscous_W;
        worst = fmax(worst, fabs(in - out) / size);
        loses = loses && to.damper_W >= 0 && to.viscous_W >= 0 &&
                (bristle || to.slide_W >= -1e-12 * size);
    }
    ok(worst < 1e-13, "%s: the power goes somewhere (worst %.1e)", law->name, worst);
    ok(loses, "%s: %s only loses", law->name,
       bristle ? "what is damped or viscous" : "what slides, is damped or viscous");
    spot_at(row, 0, &s);
    memset(s.state, 0, sizeof s.state);
    double rate[CF_FRICTION_STATES] = {0}, *v = s.c.velocity_m_s;
    law->force(rows[row].p, &s.c, f, rate);
    double cosine = (f[0] * v[0] + f[1] * v[1]) / (hypot(f[0], f[1]) * hypot(v[0], v[1]));
    bool leans =
        law->nvector == 0 || fabs(rate[0] * v[1] - rate[1] * v[0]) <= 1e-13 * fabs(rate[0] * v[1]);
    if (sprung)
        ok(f[0] == 0 && f[1] == 0 && leans, "%s: no force before it leans", law->name);
    else
        ok(fabs(cosine + 1) < 1e-13 && leans, "%s: braked against the slip", law->name);
}

static bool ages(const struct cf_friction_law *law)
{
    return strcmp(law->name, "rate-state") == 0 || strcmp(law->name, "rate-state-2") == 0;
}

/* No motion, no deflection: no force, no rate. No load: no friction. */
static void nothing(const struct cf_friction_law *law, int row)
{
    struct spot s;
    double f[2] = {1, 1}, rate[CF_FRICTION_STATES] = {0}, rested[CF_FRICTION_STATES] = {0};
    double moves = 0;
    bool fixed = strcmp(law->name, "bristle-fixed") == 0;

    spot_at(row, 0, &s);
    memset(s.c.velocity_m_s, 0, sizeof s.c.velocity_m_s);
    if (law->rested)
        memcpy(rested, law->rested, law->nstate * sizeof *rested);
    s.c.state = rested;
    law->force(rows[row].p, &s.c, f, rate);
    /* under the ageing law theta' = 1, for ever */
    for (size_t i = 0; i < law->nstate; i++)
        moves += ages(law) ? fabs(rate[i] / (rows[row].p[2] / rows[row].p[4 + 2 * i]) - 1)
                           : fabs(rate[i]);
    ok(f[0] == 0 && f[1] == 0 && moves <= (ages(law) ? 1e-15 : 0),
       "%s: rested and still, nothing %s", law->name, ages(law) ? "happens but ageing" : "happens");
    struct cf_friction_slopes slopes;
    double sum = 0;
    cf_friction_slopes(law, rows[row].p, &s.c, &slopes);
    for (int j = 0; j < CF_FRICTION_COLUMNS; j++) {
        for (int i = 0; i < 2; i++)
            sum += fabs(slopes.force[i][j]);
        for (int i = 0; i < CF_FRICTION_STATES; i++)
            sum += fabs(slopes.rate[i][j]);
    }
    ok(isfinite(sum), "%s: and has finite derivatives there", law->name);

    spot_at(row, 0, &s);
    s.c.normal_N = 0, s.c.depth_m = -1e-6;
    law->force(rows[row].p, &s.c, f, rate);
    double want = fixed ? rows[row].p[4] * hypot(s.c.velocity_m_s[0], s.c.velocity_m_s[1]) : 0;
    is_near(hypot(f[0], f[1]) / (1 + want), want / (1 + want), 1e-15, "%s: no load, no friction%s",
            law->name, fixed ? " but the viscous part" : "");
}

/* What a row says that it needs of the contact is what its force and rates change with: how deep it
 * is, or whether there is one. */
static void needs(const struct cf_friction_law *law, int row)
{
    static const double depth[] = {-3e-5, 0, 1e-7, 2.3e-4};
    double at[LENGTH(depth)][2 + CF_FRICTION_STATES], by_depth = 0;
    bool deep = false, apart = false;

    for (int i = 0; i < LENGTH(places); i++) {
        struct cf_friction_slopes slopes;
        struct spot s;
        spot_at(row, i, &s);
        cf_friction_slopes(law, rows[row].p, &s.c, &slopes);
        by_depth += fabs(slopes.force[0][CF_BY_DEPTH]) + fabs(slopes.rate[0][CF_BY_DEPTH]);
        for (int k = 0; k < LENGTH(depth); k++) {
            s.c.depth_m = depth[k];
            moved(law, rows[row].p, s, 0, 0, at[k]);
        }
        apart = apart || memcmp(at[0], at[1], sizeof at[0]) != 0;
        for (int k = 2; k < LENGTH(depth); k++)
            deep = deep || memcmp(at[k], at[1], sizeof at[1]) != 0;
    }
    enum cf_friction_needs found = deep    ? CF_NEEDS_DEPTH
                                   : apart ? CF_NEEDS_CONTACT
                                           : CF_NEEDS_NOTHING;
    ok(law->needs == found && (by_depth > 0) == deep, "%s: needs what its row says", law->name);
    ok(!law->over_area || law->over_area->needs == CF_NEEDS_WIDTH,
       "%s: over an area the width of it", law->name);
}

static void table(const struct cf_friction_law *law)
{
    struct cf_error err = {""};
    double p[CF_MAX_PARAM];
    bool good = law->nparam <= CF_MAX_PARAM && law->nstate <= CF_FRICTION_STATES && law->cite[0] &&
                2 * law->nvector <= law->nstate && law->shown <= law->nvector && law->what[0] &&
                law->formula[0];

    for (size_t i = 0; i < law->nparam; i++) {
        const struct cf_param *q = &law->param[i];
        p[i] = q->typical;
        good = good && q->lower <= q->fit_lower && q->fit_lower < q->fit_upper &&
               q->fit_upper <= q->upper && q->typical > q->fit_lower && q->typical < q->fit_upper &&
               (q->scale != CF_SCALE_LOG || q->fit_lower > 0) && q->what[0];
    }
    ok(good && cf_param_check(law->param, law->nparam, p, &err) == CF_OK,
       "%s: texts, ranges and scales are in order %s", law->name, err.text);
}

TEST(friction)
{
    int count = 0;

    plan(13 * LENGTH(rows) + 1);
    for (int i = 0; i < LENGTH(rows); i++) {
        const struct cf_friction_law *law = cf_friction_find(rows[i].law);
        table(law);
        derivatives(law, i);
        alone(law, i);
        isotropy(law, i);
        power(law, i);
        nothing(law, i);
        needs(law, i);
    }
    for (const struct cf_friction_law *const *l = cf_friction_laws; *l; l++)
        count++;
    ok(count == LENGTH(rows), "every law is tested");
    return done();
}
