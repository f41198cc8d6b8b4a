/* The uncertainty budget against a Monte Carlo of the whole fit: the stated numbers are drawn, the
 * study is written with what was drawn and fitted anew from all starts, and what scatters then is
 * what the budget has to say. Beside it numbers that are known by hand. Data are by formulas. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identify/fit.h"
#include "judge/budget.h"
#include "study/study.h"
#include "tap.h"

enum { MOST_ROWS = 400, MOST_COLUMNS = 8, MOST_NUMBERS = 4, MOST_DRAWS = 32, TEXT = 4096 };

/* A column of a table that a study names. */
struct column {
    const char *table, *name, *unit;
    size_t n;
    double value[MOST_ROWS];
};

/* A number that a study states: "@1" stands for the first of them. */
struct number {
    double value, u; /* in the unit; standard */
    const char *unit;
    const char *as; /* "+- 0.5 g (k=2)" */
};

struct trial {
    const char *name, *text;
    size_t ncolumn;
    struct column *column;
    struct number number[MOST_NUMBERS];
    size_t ndraw;
};

/* Scatter without a trend, between -1 and 1. */
static double scatter(size_t i)
{
    double x = sin(12.9898 * (double) (i + 1)) * 43758.5453;
    return 2 * (x - floor(x)) - 1;
}

/* ---- fits */

/* The text with its numbers: as stated, or these. */
static void write_study(const struct trial *t, const double value[], char text[TEXT])
{
    size_t used = 0;

    for (const char *c = t->text; *c && used < TEXT - 1; c++) {
        const struct number *n = &t->number[c[1] - '1'];
        if (*c != '@')
            text[used++] = *c;
        else if (value)
            used +=
                (size_t) snprintf(text + used, TEXT - used, "%.17g %s", value[c[1] - '1'], n->unit);
        else
            used += (size_t) snprintf(text + used, TEXT - used, "%.17g %s %s", n->value, n->unit,
                                      n->as);
        c += *c == '@';
    }
    text[used] = '\0';
}

static struct cf_tables *make_tables(const struct trial *t)
{
    struct cf_tables *tables = cf_tables_alloc();

    for (size_t i = 0; i < t->ncolumn; i++) {
        const struct column *c = &t->column[i];
        const struct cf_column_in in = {c->name, c->unit, c->n, c->value, NULL};
        if (!tables || cf_tables_add(tables, c->table, &in, NULL))
            abort();
    }
    return tables;
}

static struct cf_study *read_trial(const struct trial *t, const double value[],
                                   const struct cf_tables *tables)
{
    struct cf_error err = {""};
    char text[TEXT];
    struct cf_study *study;

    write_study(t, value, text);
    study = cf_study_read_text(t->name, text, tables, NULL, &err);
    if (!study)
        ok(false, "%s: %s", t->name, err.text);
    return study;
}

/* The optimum of the study with these numbers, from all starts. */
static bool fit_drawn(const struct trial *t, const double value[], struct cf_curves *curves,
                      double theta[])
{
    struct cf_tables *tables = make_tables(t);
    struct cf_study *study = read_trial(t, value, tables);
    struct cf_optimum optimum = {.theta = NULL};
    struct cf_solver *solver = NULL;
    struct cf_error err = {""};
    int status = study ? cf_optimum_init(&optimum, &study->spec, curves, NULL, &err) : CF_EINPUT;

    if (!status)
        solver = cf_solver_alloc(&optimum.problem);
    if (!status)
        status = cf_optimum_find(&optimum, solver, &err);
    if (status)
        ok(false, "%s: a drawn study: %s", t->name, err.text);
    for (size_t i = 0; i < optimum.problem.nfree && !status; i++)
        theta[i] = optimum.theta[i];
    cf_solver_free(solver);
    cf_optimum_clear(&optimum);
    cf_study_free(study);
    cf_tables_free(tables);
    return !status;
}

/* ---- draws */

static double normal(unsigned long long *state)
{
    double u[2];

    for (int i = 0; i < 2; i++) {
        *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
        u[i] = ((double) (*state >> 11) + 0.5) / 9007199254740992.0;
    }
    return sqrt(-2 * log(u[0])) * cos(2 * acos(-1.0) * u[1]);
}

/* Standard normal draws in pairs of opposite sign, each number's made of variance 1 and independent
 * of those before it, so that few of them say enough. */
static void draw(double z[MOST_NUMBERS][MOST_DRAWS], size_t ndraw)
{
    unsigned long long state = 20260101;

    for (size_t s = 0; s < MOST_NUMBERS; s++) {
        double square = 0;
        for (size_t i = 0; i < ndraw; i += 2) {
            z[s][i] = normal(&state);
            z[s][i + 1] = -z[s][i];
        }
        for (size_t r = 0; r < s; r++) {
            double product = 0;
            for (size_t i = 0; i < ndraw; i++)
                product += z[s][i] * z[r][i] / (double) ndraw;
            for (size_t i = 0; i < ndraw; i++)
                z[s][i] -= product * z[r][i];
        }
        for (size_t i = 0; i < ndraw; i++)
            square += z[s][i] * z[s][i] / (double) ndraw;
        for (size_t i = 0; i < ndraw; i++)
            z[s][i] /= sqrt(square);
    }
}

/* The standard deviation of each parameter over the draws. */
static bool scatter_of(const struct trial *t, struct cf_curves *curves, size_t nfree, double sd[])
{
    double z[MOST_NUMBERS][MOST_DRAWS], value[MOST_NUMBERS], theta[64], sum[64] = {0},
                                                                        squares[64] = {0};

    draw(z, t->ndraw);
    for (size_t i = 0; i < t->ndraw; i++) {
        for (size_t s = 0; s < MOST_NUMBERS; s++)
            value[s] = t->number[s].value + t->number[s].u * z[s][i];
        if (!fit_drawn(t, value, curves, theta))
            return false;
        for (size_t k = 0; k < nfree; k++) {
            sum[k] += theta[k] / (double) t->ndraw;
            squares[k] += theta[k] * theta[k] / (double) t->ndraw;
        }
    }
    for (size_t k = 0; k < nfree; k++)
        sd[k] = sqrt(fmax(0, squares[k] - sum[k] * sum[k]));
    return true;
}

/* ---- one study */

static struct cf_fit *fit_stated(const struct trial *t, struct cf_curves *curves,
                                 struct cf_study **study, struct cf_tables **tables)
{
    struct cf_error err = {""};
    struct cf_fit *fit = NULL;

    *tables = make_tables(t);
    *study = read_trial(t, NULL, *tables);
    if (*study && cf_fit_run(&(*study)->spec, NULL, 0, curves, NULL, &fit, &err))
        ok(false, "%s: %s", t->name, err.text);
    return fit;
}

static double type_b(const struct cf_fit *fit, size_t k)
{
    double sum = 0;

    for (size_t i = 0; i < fit->budget.n; i++)
        sum += fit->budget.source[i].by[k] * fit->budget.source[i].by[k];
    return sqrt(sum);
}

static size_t count_numbers(const struct trial *t)
{
    size_t n = 0;
    while (n < MOST_NUMBERS && t->number[n].as)
        n++;
    return n;
}

/* By each parameter that the data identify, and that the numbers move at all: within 5 %. */
static void test_trial(const struct trial *t, struct cf_curves *curves)
{
    struct cf_tables *tables = NULL;
    struct cf_study *study = NULL;
    struct cf_fit *fit = fit_stated(t, curves, &study, &tables);
    const double nothing = 0.02; /* of a standard error: not seen in the whole */
    double sd[64], worst = 0, largest = 0;
    bool drawn = fit && scatter_of(t, curves, fit->optimum.problem.nfree, sd);

    ok(fit && fit->budget.n == count_numbers(t), "%s: %zu sources, %zu are told", t->name,
       count_numbers(t), fit ? fit->budget.n : 0);
    for (size_t k = 0; drawn && k < fit->optimum.problem.nfree; k++) {
        const struct cf_budget_number *n = &fit->budget.number[k];
        double b = type_b(fit, k);
        if (!n->known || (sd[k] < nothing * n->type_a && b < nothing * n->type_a))
            continue;
        printf("# %s: %s: type A %.4g, type B %.5g, drawn %.5g\n", t->name,
               fit->optimum.problem.unknown[k].name, n->type_a, b, sd[k]);
        worst = fmax(worst, fabs(b / sd[k] - 1));
        largest = fmax(largest, b);
    }
    ok(drawn && largest > 0 && worst < 0.05, "%s: within %.2g %% of the Monte Carlo", t->name,
       100 * worst);
    cf_fit_free(fit);
    cf_study_free(study);
    cf_tables_free(tables);
}

/* ---- the studies */

#define BODIES                                                                                     \
    "contactfit: study/1\n"                                                                        \
    "bodies:\n"                                                                                    \
    "  ball: {sphere: {diameter: 40 mm}, mass: 50 g}\n"                                            \
    "  floor: {plane: {}, fixed: true}\n"

/* n values of a column, by a formula of the row. */
static struct column column(const char *table, const char *name, const char *unit, size_t n,
                            double (*formula)(size_t i))
{
    struct column c = {table, name, unit, n, {0}};

    for (size_t i = 0; i < n; i++)
        c.value[i] = formula(i);
    return c;
}

/* Impacts at 0.5 to 4 m/s: e = 1 - 0.05 v, contact times as of a Hertz spring of 1e9 N/m^1.5. */
static double speed(size_t i)
{
    return 0.5 + 0.5 * (double) i;
}
static double restitution(size_t i)
{
    return 1 - 0.05 * speed(i) + 0.004 * scatter(i);
}
static double duration(size_t i)
{
    double hertz = 2.94 * pow(25.0 / 16 * 0.05 * 0.05 / (1e9 * 1e9 * speed(i)), 0.2);
    return hertz * (1 + 0.01 * scatter(i + 40)) * 1.02;
}
static double peak_force(size_t i)
{
    double depth = pow(5.0 / 4 * 0.05 * speed(i) * speed(i) / 1e9, 0.4);
    return 1e9 * pow(depth, 1.5) * (1 + 0.02 * scatter(i + 80)) * 0.97;
}

/* Drops from 0.1 to 1 m and rebounds of e = 0.8 - 0.04 ln v. */
static double drop(size_t i)
{
    return 0.1 + 0.1 * (double) i;
}
static double rebound(size_t i)
{
    double v = sqrt(2 * 9.81 * drop(i)), e = 0.8 - 0.04 * log(v);
    return e * e * drop(i) + 0.002 * scatter(i);
}
static double low_rebound(size_t i)
{
    return rebound(i) + 0.002 * scatter(i + 20);
}

/* Slides at 1 to 20 mm/s, of mu = 0.2 + 3 s/m v under 10 N and 20 N, as forces, and as torques at a
 * lever of 50 mm. */
static double slip(size_t i)
{
    return 1e-3 * (double) (i + 1);
}
static double force_at_10(size_t i)
{
    return 10 * (0.2 + 3 * slip(i)) + 0.01 * scatter(i);
}
static double force_at_20(size_t i)
{
    return 20 * (0.2 + 3 * slip(i)) + 0.01 * scatter(i + 30);
}
static double turning(size_t i)
{
    return slip(i) / 0.05;
}
static double torque(size_t i)
{
    return 0.05 * force_at_10(i);
}

/* A press by 0 to 1 mm and back in 2 s: force 2000 N/m z, of a rig that gives way by 1e-4 m/N. */
enum { PRESSED = 200 };
static double clock_s(size_t i)
{
    return 0.01 * (double) i;
}
static double travel(size_t i)
{
    double t = clock_s(i);
    return t < 1 ? 1.2e-3 * t - 2e-4 : 1e-3 - 1.2e-3 * (t - 1);
}
static double press(size_t i)
{
    double s = 2000 / (1 + 2000 * 1e-4);
    return s * fmax(0, travel(i)) + 1e-3 * scatter(i);
}
static double hard_press(size_t i)
{
    return press(i) + 1e-3 * scatter(i + 300);
}

/* Oblique impacts at 10 to 60 deg that slide all through: e_t = 1 - mu (1 + e)/tan(angle). */
static double angle(size_t i)
{
    return (50 + 3.5 * (double) i) * acos(-1.0) / 180;
}
static double tangential(size_t i)
{
    return 1 - 0.15 * 1.8 / tan(angle(i)) + 0.003 * scatter(i);
}
static double normal_e(size_t i)
{
    return 0.8 - 0.01 * 3 * cos(angle(i)) + 0.003 * scatter(i + 50);
}

/* Stamps of a ball let go: e = 0.9 - 0.02 v, in a vacuum, from flights of 1 s on. */
enum { STAMPS = 25 };
static double stamp(size_t i)
{
    double t = 0, v = 9.81 / 2;
    for (size_t k = 0; k < i; k++) {
        v *= 0.9 - 0.02 * v + 0.003 * scatter(k);
        t += 2 * v / 9.81;
    }
    return t;
}

/* A block of 1 kg on friction that yields as a spring of 1e5 N/m with a damper of 50 N s/m, knocked
 * at 20 ms to 1 mm/s: its speed every 0.5 ms. */
enum { RUNG = 400 };
static double rung_s(size_t i)
{
    return 5e-4 * (double) i;
}
static double ringing(size_t i)
{
    double t = rung_s(i) - 0.02, a = 25, w = sqrt(1e5 - a * a);
    double v = t < 0 ? 0 : 1e-3 * exp(-a * t) * (cos(w * t) - a / w * sin(w * t));
    return v + 5e-6 * scatter(i);
}

#define COLUMN(table, name, n, formula) column(table, name, NULL, n, formula)

static void test_impacts(struct cf_curves *curves)
{
    struct column c[] = {COLUMN("t.csv", "v_m_s", 8, speed), COLUMN("t.csv", "e", 8, restitution),
                         COLUMN("t.csv", "T_s", 8, duration),
                         COLUMN("t.csv", "F_N", 8, peak_force)};
    const struct trial mass = {
        "mass and speed",
        "contactfit: study/1\n"
        "bodies:\n"
        "  ball: {sphere: {diameter: 40 mm}, mass: @1}\n"
        "  floor: {plane: {}, fixed: true}\n"
        "law: hunt-crossley\n"
        "fit: {k: {}, lambda: {}}\n"
        "data:\n"
        "  - name: a\n"
        "    protocol: impact\n"
        "    file: t.csv\n"
        "    columns: {speed: {from: v_m_s, scale: @2}, restitution: {from: e, sigma: 0.004},\n"
        "      duration: {from: T_s, sigma: estimate}}\n",
        4,
        c,
        {{50, 0.5, "g", "+- 1 g (k=2)"}, {1, 0.01, "", "+- 1 %"}},
        16};
    const struct trial gains = {
        "gains of two columns",
        BODIES "law: hunt-crossley\n"
               "fit: {k: {}, lambda: {}}\n"
               "data:\n"
               "  - name: a\n"
               "    protocol: impact\n"
               "    file: t.csv\n"
               "    columns: {speed: v_m_s, restitution: {from: e, sigma: 0.004},\n"
               "      duration: {from: T_s, sigma: 1 %, scale: @1},\n"
               "      peak_force: {from: F_N, sigma: estimate, scale: @2}}\n",
        4,
        c,
        {{1, 0.005, "", "\xc2\xb1 0.005"}, {1, 0.02, "", "+- 2 %"}},
        16};
    const struct trial held = {
        "a stiffness that is held",
        BODIES "law: azad-featherstone\n"
               "fit: {lambda: {}}\n"
               "fixed: {k: @1}\n"
               "data:\n"
               "  - name: a\n"
               "    protocol: impact\n"
               "    file: t.csv\n"
               "    columns: {speed: v_m_s, restitution: {from: e, sigma: estimate}}\n",
        2,
        c,
        {{1e9, 5e7, "N/m^1.5", "+- 5 %"}},
        16};
    const struct trial hertz = {
        "k by Hertz",
        "contactfit: study/1\n"
        "bodies:\n"
        "  ball: {sphere: {diameter: @3}, mass: 50 g, youngs_modulus: @1, poissons_ratio: @2}\n"
        "  floor: {plane: {}, fixed: true, rigid: true}\n"
        "law: azad-featherstone\n"
        "fit: {lambda: {}}\n"
        "fixed: {k: hertz}\n"
        "data:\n"
        "  - name: a\n"
        "    protocol: impact\n"
        "    file: t.csv\n"
        "    columns: {speed: v_m_s, restitution: {from: e, sigma: estimate}}\n",
        2,
        c,
        {{4.5, 0.2, "GPa", "+- 0.2 GPa"},
         {0.3, 0.02, "", "+- 0.02"},
         {40, 0.8, "mm", "+- 1.6 mm (k = 2)"}},
        16};
    const struct trial prior = {
        "a prior by Hertz",
        "contactfit: study/1\n"
        "bodies:\n"
        "  ball: {sphere: {diameter: 40 mm}, mass: @2, youngs_modulus: @1, poissons_ratio: 0.3}\n"
        "  floor: {plane: {}, fixed: true, rigid: true}\n"
        "law: hunt-crossley\n"
        "fit: {k: {prior: {value: hertz, sigma: 2e7 N/m^1.5}}, lambda: {}}\n"
        "data:\n"
        "  - name: a\n"
        "    protocol: impact\n"
        "    file: t.csv\n"
        "    columns: {speed: v_m_s, restitution: {from: e, sigma: 0.004},\n"
        "      duration: {from: T_s, sigma: 2 %}}\n",
        3,
        c,
        {{4.7, 0.2, "GPa", "+- 0.2 GPa"}, {50, 0.5, "g", "+- 1 %"}},
        16};
    test_trial(&mass, curves);
    test_trial(&gains, curves);
    test_trial(&held, curves);
    test_trial(&hertz, curves);
    test_trial(&prior, curves);
}

static void test_drops(struct cf_curves *curves)
{
    struct column c[] = {COLUMN("h.csv", "h0_m", 10, drop), COLUMN("h.csv", "h1_m", 10, rebound),
                         COLUMN("g.csv", "h0_m", 10, drop),
                         COLUMN("g.csv", "h1_m", 10, low_rebound)};
    const struct trial gravity = {
        "one gravity in two sets",
        BODIES "gravity: @1\n"
               "law: e-log\n"
               "data:\n"
               "  - {name: a, protocol: impact, file: h.csv, columns: {drop_height: h0_m,\n"
               "     rebound_height: {from: h1_m, sigma: 2 mm}}}\n"
               "  - {name: b, protocol: impact, file: g.csv, columns: {drop_height: h0_m,\n"
               "     rebound_height: {from: h1_m, sigma: estimate}}}\n",
        4,
        c,
        {{9.8, 0.1, "m/s^2", "+- 0.1 m/s^2"}},
        16};
    const struct trial ruler = {
        "one ruler in two sets",
        BODIES "gravity: @2\n"
               "law: e-power\n"
               "data:\n"
               "  - {name: a, protocol: impact, file: h.csv, apparatus: {height_scale: @1},\n"
               "     columns: {drop_height: h0_m, rebound_height: {from: h1_m, sigma: 2 mm}}}\n"
               "  - {name: b, protocol: impact, file: g.csv, apparatus: {height_scale: @1},\n"
               "     columns: {drop_height: h0_m, rebound_height: {from: h1_m, sigma: 2 mm}}}\n",
        4,
        c,
        {{1, 0.02, "", "+- 2 %"}, {9.8, 0.1, "m/s^2", "+- 0.1 m/s^2"}},
        16};
    const struct trial zero = {"zeros of heights",
                               BODIES
                               "law: e-log\n"
                               "data:\n"
                               "  - {name: a, protocol: impact, file: h.csv, columns: {\n"
                               "     drop_height: {from: h0_m, offset: @1},\n"
                               "     rebound_height: {from: h1_m, sigma: 2 mm, offset: @2}}}\n",
                               4,
                               c,
                               {{0, 1, "mm", "+- 1 mm"}, {0, 0.5, "mm", "+- 1 mm (k=2)"}},
                               16};
    test_trial(&gravity, curves);
    test_trial(&ruler, curves);
    test_trial(&zero, curves);
}

static void test_slides(struct cf_curves *curves)
{
    struct column c[] = {
        COLUMN("a.csv", "v_m_s", 20, slip),      COLUMN("a.csv", "F_N", 20, force_at_10),
        COLUMN("b.csv", "v_m_s", 20, slip),      COLUMN("b.csv", "F_N", 20, force_at_20),
        COLUMN("c.csv", "w_rad_s", 20, turning), COLUMN("c.csv", "M_N_m", 20, torque)};
    const struct trial apart = {
        "two loads",
        "contactfit: study/1\n"
        "law: mu-viscous\n"
        "data:\n"
        "  - {name: a, protocol: slide, file: a.csv, apparatus: {load: @1},\n"
        "     columns: {speed: v_m_s, force: {from: F_N, sigma: 0.01 N}}}\n"
        "  - {name: b, protocol: slide, file: b.csv, apparatus: {load: @2},\n"
        "     columns: {speed: v_m_s, force: {from: F_N, sigma: 0.01 N}}}\n",
        4,
        c,
        {{10, 0.1, "N", "+- 1 %"}, {20, 0.3, "N", "+- 0.3 N"}},
        16};
    const struct trial rig = {
        "load, lever and zero of a torque",
        "contactfit: study/1\n"
        "law: mu-viscous\n"
        "data:\n"
        "  - {name: c, protocol: slide_rotary, file: c.csv, apparatus: {load: @1, lever: @2},\n"
        "     columns: {speed: w_rad_s, torque: {from: M_N_m, sigma: estimate, offset: @3}}}\n",
        6,
        c,
        {{10, 0.1, "N", "+- 1 %"}, {50, 0.5, "mm", "+- 0.5 mm"}, {0, 1, "N mm", "+- 1 N mm"}},
        16};
    const struct trial both = {
        "one load in two sets, with a gain",
        "contactfit: study/1\n"
        "law: mu-viscous\n"
        "data:\n"
        "  - {name: a, protocol: slide, file: a.csv, apparatus: {load: @1},\n"
        "     columns: {speed: v_m_s, force: {from: F_N, sigma: 0.01 N, scale: @2}}}\n"
        "  - {name: c, protocol: slide_rotary, file: c.csv, apparatus: {load: @1, lever: 50 mm},\n"
        "     columns: {speed: w_rad_s, torque: {from: M_N_m, sigma: 0.5 N mm}}}\n",
        6,
        c,
        {{10, 0.1, "N", "+- 1 %"}, {1, 0.01, "", "+- 0.01"}},
        16};
    test_trial(&apart, curves);
    test_trial(&rig, curves);
    test_trial(&both, curves);
}

static void test_records(struct cf_curves *curves)
{
    struct column c[] = {
        COLUMN("p.csv", "t_s", PRESSED, clock_s), COLUMN("p.csv", "z_m", PRESSED, travel),
        COLUMN("p.csv", "F_N", PRESSED, press),   COLUMN("q.csv", "t_s", PRESSED, clock_s),
        COLUMN("q.csv", "z_m", PRESSED, travel),  COLUMN("q.csv", "F_N", PRESSED, hard_press)};
    struct column stamps[] = {COLUMN("s.csv", "t_s", STAMPS, stamp)};
    struct column ring[] = {COLUMN("r.csv", "t_s", RUNG, rung_s),
                            COLUMN("r.csv", "v_m_s", RUNG, ringing)};
    struct column sphere[] = {COLUMN("o.csv", "a_rad", 8, angle),
                              COLUMN("o.csv", "et", 8, tangential),
                              COLUMN("o.csv", "e", 8, normal_e)};
    const struct trial presses = {
        "one compliance in two presses",
        "contactfit: study/1\n"
        "law: linear\n"
        "fit: {k: {}}\n"
        "fixed: {lambda: 0 N s/m}\n"
        "data:\n"
        "  - {name: p, protocol: indent, file: p.csv, apparatus: {compliance: @1},\n"
        "     columns: {time: t_s, depth: z_m, force: {from: F_N, sigma: 1 mN}}}\n"
        "  - {name: q, protocol: indent, file: q.csv, apparatus: {compliance: @1},\n"
        "     columns: {time: t_s, depth: {from: z_m, scale: @2}, force: {from: F_N, sigma: 1 "
        "mN}}}\n",
        6,
        c,
        {{1e-4, 1e-5, "m/N", "+- 10 %"}, {1, 0.01, "", "+- 0.01"}},
        8};
    const struct trial bounces = {
        "gravity and drag of bounces",
        BODIES "gravity: @1\n"
               "law: e-linear\n"
               "data:\n"
               "  - {name: s, protocol: bounce, file: s.csv, columns: {time: {from: t_s,\n"
               "     sigma: 20 us}}, apparatus: {drag_coefficient: @2}}\n",
        1,
        stamps,
        {{9.81, 0.05, "m/s^2", "+- 0.05 m/s^2"}, {0.1, 0.02, "", "+- 20 %"}},
        8};
    const struct trial oblique = {
        "angles and inertia of oblique impacts",
        BODIES "law: e-constant\n"
               "friction: rigid-coulomb\n"
               "data:\n"
               "  - {name: o, protocol: oblique, file: o.csv, columns: {angle: {from: a_rad,\n"
               "     offset: @1}, tangential_restitution: {from: et, sigma: 0.003},\n"
               "     restitution: {from: e, sigma: estimate}}, apparatus: {speed: 3 m/s}}\n",
        3,
        sphere,
        {{0, 0.5, "deg", "+- 0.5 deg"}},
        8};
    const struct trial tap = {
        "mass, load and clock of a block that rings",
        "contactfit: study/1\n"
        "friction: bristle\n"
        "fit: {sigma_0: {}, sigma_1: {}}\n"
        "fixed: {mu_s: 0.15, mu_c: 0.1, sigma_2: 0 s/m, v_s: 50 mm/s, tau_dw: 2 s}\n"
        "data:\n"
        "  - {name: r, protocol: tap, file: r.csv, apparatus: {mass: @1, load: @2},\n"
        "     nuisance: {knock: {}, speed: {}}, columns: {time: {from: t_s, scale: @3},\n"
        "     velocity: {from: v_m_s, sigma: 3 um/s}}}\n",
        2,
        ring,
        {{1, 0.01, "kg", "+- 20 g (k=2)"}, {10, 0.2, "N", "+- 2 %"}, {1, 0.002, "", "+- 0.2 %"}},
        8};
    test_trial(&tap, curves);
    test_trial(&presses, curves);
    test_trial(&bounces, curves);
    test_trial(&oblique, curves);
}

/* ---- what is known by hand */

static void clear(struct cf_fit *fit, struct cf_study *study, struct cf_tables *tables)
{
    cf_fit_free(fit);
    cf_study_free(study);
    cf_tables_free(tables);
}

/* A load of 1 % in two sets is one: mu_c is off by as much. Two that are stated each for itself
 * have weights as the squares of the loads, 1 to 4. What a load does to readings is to predict them
 * larger; a gain reads them larger. */
static void test_loads(struct cf_curves *curves)
{
    struct column c[] = {
        COLUMN("a.csv", "v_m_s", 20, slip), COLUMN("a.csv", "F_N", 20, force_at_10),
        COLUMN("b.csv", "v_m_s", 20, slip), COLUMN("b.csv", "F_N", 20, force_at_20)};
    static const char text[] =
        "contactfit: study/1\n"
        "law: mu-coulomb\n"
        "data:\n"
        "  - {name: a, protocol: slide, file: a.csv, apparatus: {load: @1},\n"
        "     columns: {speed: v_m_s, force: {from: F_N, sigma: 0.1 N}}}\n"
        "  - {name: b, protocol: slide, file: b.csv, apparatus: {load: @2},\n"
        "     columns: {speed: v_m_s,\n"
        "       force: {from: F_N, sigma: 0.1 N, scale: @3}}}\n";
    const struct trial apart = {
        "loads of their own",
        text,
        4,
        c,
        {{10, 0.1, "N", "+- 1 %"}, {20, 0.2, "N", "+- 1 %"}, {1, 0.01, "", "+- 2 % (k=2)"}},
        0};
    struct trial one = apart;
    struct cf_tables *tables;
    struct cf_study *study;
    struct cf_fit *fit = fit_stated(&apart, curves, &study, &tables);
    const struct cf_budget *b = &fit->budget;
    const struct cf_problem *q = &fit->optimum.problem;
    double set_b = b->source[1].by[0], predicted = fit->predicted[0].value;

    is_str(b->source[0].of->name, "load of a", "a source is named with its data set");
    is_str(b->source[1].of->name, "load of b", "and the other with its own");
    is_str(b->source[2].of->name, "scale of force of b", "a column is named, too");
    is_near(hypot(b->source[0].by[0], set_b), 0.01 * sqrt(0.2 * 0.2 + 0.8 * 0.8), 0.02,
            "two loads of 1 %% leave 0.82 %%");
    is_near(b->source[2].by[0], -set_b, 0.02, "a gain of one set acts against its load");
    is_near(b->source[0].shift[0], -0.01 * predicted, 1e-6, "a load moves the prediction");
    ok(b->source[0].shift[q->nobservation - 1] == 0, "and that of its set alone");
    is_near(b->source[2].shift[q->nobservation - 1],
            0.01 * q->observation[q->nobservation - 1].value, 1e-6, "a gain moves the reading");
    is_near(b->source[2].of->k, 2, 1e-15, "its coverage factor is told");
    clear(fit, study, tables);
    one.number[1] = one.number[0];
    fit = fit_stated(&one, curves, &study, &tables);
    ok(fit->budget.n == 2, "one load in two sets is one source");
    is_str(fit->budget.source[0].of->name, "load", "which needs no data set's name");
    is_near(fit->budget.source[0].by[0], -0.01, 1e-3, "and of which all is left");
    is_near(fit->budget.number[0].combined, hypot(fit->budget.number[0].type_a, type_b(fit, 0)),
            1e-9, "contributions add as squares");
    clear(fit, study, tables);
}

/* Restitution alone gives lambda/(k^0.6 m^0.4) of azad-featherstone, by a group that goes with
 * v^0.2: the mass is in its name, and a speed that is off by 5 % is 1 % of it. */
static void test_combination(struct cf_curves *curves)
{
    struct column c[] = {COLUMN("t.csv", "v_m_s", 8, speed), COLUMN("t.csv", "e", 8, restitution)};
    const struct trial t = {"a combination",
                            "contactfit: study/1\n"
                            "bodies:\n"
                            "  ball: {sphere: {diameter: 40 mm}, mass: @1}\n"
                            "  floor: {plane: {}, fixed: true}\n"
                            "law: azad-featherstone\n"
                            "data:\n"
                            "  - {name: a, protocol: impact, file: t.csv, columns: {\n"
                            "     speed: {from: v_m_s, scale: @2},\n"
                            "     restitution: {from: e, sigma: 0.002}}}\n",
                            2,
                            c,
                            {{50, 1, "g", "+- 2 %"}, {1, 0.05, "", "+- 0.05"}},
                            0};
    struct cf_tables *tables;
    struct cf_study *study;
    struct cf_fit *fit = fit_stated(&t, curves, &study, &tables);
    size_t k = fit->optimum.problem.nfree;

    ok(fit->optimum.ncombination == 1 && fit->budget.number[k].known &&
           !fit->budget.number[0].known && !fit->budget.number[1].known,
       "%s has a budget, k and lambda have none",
       fit->optimum.ncombination ? fit->optimum.combination[0].name : "nothing");
    is_within(fit->budget.source[0].by[k], 0, 1e-4, "a mass that is in it adds nothing");
    is_near(fit->budget.source[1].by[k], -0.01, 0.02, "5 %% of the speed are 1 %% of it");
    ok(!fit->budget.source[0].shift, "a body's number moves no reading");
    clear(fit, study, tables);
}

/* Heights of a constant e know no gravity; degrees of freedom are Welch's and Satterthwaite's. */
static void test_freedom(struct cf_curves *curves)
{
    struct column c[] = {COLUMN("h.csv", "h0_m", 10, drop), COLUMN("h.csv", "h1_m", 10, rebound)};
    const struct trial t = {
        "a constant e",
        BODIES "gravity: @1\n"
               "law: e-constant\n"
               "data:\n"
               "  - {name: a, protocol: impact, file: h.csv, columns: {\n"
               "     drop_height: {from: h0_m, scale: @2},\n"
               "     rebound_height: {from: h1_m, sigma: {estimate: constant}}}}\n",
        2,
        c,
        {{9.8, 0.1, "m/s^2", "+- 0.1 m/s^2"}, {1, 0.01, "", "+- 0.01732050807568877 rectangular"}},
        0};
    struct cf_tables *tables;
    struct cf_study *study;
    struct cf_fit *fit = fit_stated(&t, curves, &study, &tables);
    const struct cf_budget_number *n = &fit->budget.number[0];
    double b = fit->budget.source[1].by[0];

    is_within(fit->budget.source[0].by[0], 0, 1e-8, "gravity does not matter");
    is_near(fit->budget.source[1].of->u, 0.01, 1e-12, "half a width over sqrt 3");
    is_near(b, -0.005 * fit->optimum.value[0], 1e-3, "e goes with the root of a height");
    is_near(n->combined, hypot(n->type_a, b), 1e-9, "both together");
    is_near(n->dof_a, 9, 1e-9, "10 heights, one parameter");
    is_near(n->dof, 9 * pow(n->combined / n->type_a, 4), 1e-9, "effective degrees of freedom");
    ok(n->coverage > 1.959964 && n->coverage < 2.262157, "a factor between that of 9 and of all");
    is_near(n->interval.high - fit->optimum.value[0], n->coverage * n->combined, 1e-9,
            "the interval has it");
    clear(fit, study, tables);
}

/* A Poisson's ratio of 0.5 has no larger one beside it. */
static void test_sides(struct cf_curves *curves)
{
    struct column c[] = {COLUMN("t.csv", "v_m_s", 8, speed), COLUMN("t.csv", "e", 8, restitution)};
    const struct trial t = {
        "rubber",
        "contactfit: study/1\n"
        "bodies:\n"
        "  ball: {sphere: {diameter: 40 mm}, mass: 50 g, youngs_modulus: @2, poissons_ratio: @1}\n"
        "  floor: {plane: {}, fixed: true, rigid: true}\n"
        "law: azad-featherstone\n"
        "fit: {lambda: {}}\n"
        "fixed: {k: hertz}\n"
        "data:\n"
        "  - {name: a, protocol: impact, file: t.csv, columns: {speed: v_m_s,\n"
        "     restitution: {from: e, sigma: 0.002}}}\n",
        2,
        c,
        {{0.5, 0.01, "", "+- 0.01"}, {4, 2.5, "GPa", "+- 2.5 GPa"}},
        0};
    struct cf_tables *tables;
    struct cf_study *study;
    struct cf_fit *fit = fit_stated(&t, curves, &study, &tables);
    /* lambda goes with k^0.6, and k with 1/(1 - nu^2) */
    double change = 0.6 * log((1 - 0.49 * 0.49) / 0.75);
    char text[400];

    ok(!fit->budget.source[1].moved[CF_MOVED_UP] && fit->budget.source[1].moved[CF_MOVED_DOWN],
       "it is moved down alone");
    is_near(fit->budget.source[1].by[0], change, 0.01, "and what it adds is of that side");
    ok(cf_budget_remark(fit, 1, text, sizeof text) && strstr(text, "only be moved down"),
       "which is said: %s", text);
    ok(cf_budget_remark(fit, 0, text, sizeof text) && strstr(text, "not linear"),
       "2.5 of 4 GPa are not linear: %s", text);
    clear(fit, study, tables);
}

static double falling_force(size_t i)
{
    return 2 - 100 * slip(i) * slip(i) + 0.001 * scatter(i);
}

/* Viscous friction that falls with speed ends at 0, from where nothing follows. */
static void test_bound(struct cf_curves *curves)
{
    struct column c[] = {COLUMN("a.csv", "v_m_s", 20, slip),
                         COLUMN("a.csv", "F_N", 20, falling_force)};
    const struct trial t = {"a bound",
                            "contactfit: study/1\n"
                            "law: mu-viscous\n"
                            "data:\n"
                            "  - {name: a, protocol: slide, file: a.csv, apparatus: {load: @1},\n"
                            "     columns: {speed: v_m_s, force: {from: F_N, sigma: 0.02 N}}}\n",
                            2,
                            c,
                            {{10, 0.1, "N", "+- 1 %"}},
                            0};
    struct cf_tables *tables;
    struct cf_study *study;
    struct cf_fit *fit = fit_stated(&t, curves, &study, &tables);
    char text[400];

    ok(fit->budget.number[0].known && !fit->budget.number[1].known, "what is at a bound has none");
    is_near(fit->budget.source[0].by[0], -0.01, 1e-3, "the other one follows");
    ok(cf_budget_left_out(fit, text, sizeof text) && strstr(text, "sigma_2 at a bound"),
       "which is said: %s", text);
    clear(fit, study, tables);
}

TEST(budget)
{
    struct cf_curves *curves = cf_curves_alloc();

    gsl_set_error_handler_off();
    plan(62);
    test_impacts(curves);
    test_drops(curves);
    test_slides(curves);
    test_records(curves);
    test_loads(curves);
    test_combination(curves);
    test_freedom(curves);
    test_sides(curves);
    test_bound(curves);
    cf_curves_free(curves);
    return done();
}
