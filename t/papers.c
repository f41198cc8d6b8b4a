/* The figures of the papers, from the files that ship: their sources' statements about them, in
 * numbers. Oracles are the sources' words, energy balances and the reference numbers of [G07] 3.23;
 * none of them is the formula that made the curves. */

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figure/law_figure.h"
#include "law/friction.h"
#include "tap.h"

enum { N = CF_DRAWN_POINTS, LAST = CF_DRAWN_POINTS - 1 };

static struct cf_drawing *read_figure(const char *name)
{
    const char *srcdir = getenv("srcdir");
    struct cf_error err = {""};
    char path[512];

    snprintf(path, sizeof path, "%s/figures/%s.yaml", srcdir ? srcdir : ".", name);
    struct cf_drawing *drawing = cf_drawing_read(path, &err);
    ok(drawing && !*err.text, "%s is read %s", name, err.text);
    if (!drawing)
        exit(1);
    return drawing;
}

/* y at x between two points of a curve whose x rises. */
static double at(const struct cf_drawn *c, double x)
{
    int i = 1;
    while (i < LAST && c->x[i] < x)
        i++;
    return c->y[i - 1] + (c->y[i] - c->y[i - 1]) * (x - c->x[i - 1]) / (c->x[i] - c->x[i - 1]);
}

static bool falls(const struct cf_drawn *c)
{
    for (int i = 1; i < N; i++)
        if (!(c->y[i] < c->y[i - 1]))
            return false;
    return true;
}

/* The largest distance of e from its least-squares line in ln v. */
static double off_line(const struct cf_drawn *c)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, worst = 0;

    for (int i = 0; i < N; i++) {
        double x = log(c->x[i]);
        sx += x;
        sy += c->y[i];
        sxx += x * x;
        sxy += x * c->y[i];
    }
    double slope = (N * sxy - sx * sy) / (N * sxx - sx * sx), level = (sy - slope * sx) / N;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(c->y[i] - level - slope * log(c->x[i])));
    return worst;
}

/* The work of the force over compression from point i to point j,
 * by trapezoids: good to 5e-4. */
static double work(const struct cf_drawn *c, int i, int j)
{
    double sum = 0;
    for (; i < j; i++)
        sum += 0.5 * (c->y[i] + c->y[i + 1]) * (c->x[i + 1] - c->x[i]);
    return sum;
}

static int deepest(const struct cf_drawn *c)
{
    int i = 0;
    for (int j = 1; j < N; j++)
        if (c->x[j] > c->x[i])
            i = j;
    return i;
}

static void test_af_speed(const char *name)
{
    struct cf_drawing *d = read_figure(name);
    const struct cf_drawn *c = d->panel[0].curve;
    double low = HUGE_VAL, high = 0;

    for (int i = 0; i < N; i++) {
        low = fmin(low, c[0].y[i]);
        high = fmax(high, c[0].y[i]);
    }
    ok(high - low < 1e-12, "%s: the linear model is constant", name);
    ok(falls(&c[1]) && falls(&c[2]), "%s: both nonlinear models fall with speed", name);
    ok(c[1].y[0] > 0.999 && c[2].y[0] < 0.95, "%s: Hunt-Crossley starts at 1, the new model below",
       name);
    /* shapes: the share of the fall from 1 that is done by a fifth of the range */
    double early_hc = (1 - at(&c[1], 1)) / (1 - at(&c[1], 5));
    double early_new = (1 - at(&c[2], 1)) / (1 - at(&c[2], 5));
    ok(early_new > 0.75 && early_hc < 0.5, "%s: with different shapes (%.2f, %.2f)", name,
       early_new, early_hc);
    cf_drawing_free(d);
}

static void test_af_log(const char *name, double straight, double bent)
{
    struct cf_drawing *d = read_figure(name);
    const struct cf_drawn *c = d->panel[0].curve;

    ok(d->panel[0].ncurve == 6 && d->logarithmic, "%s: three curves a model", name);
    for (int i = 0; i < 3; i++) {
        ok(off_line(&c[i]) < straight, "%s: the new model is almost straight (%.4f)", name,
           off_line(&c[i]));
        ok(off_line(&c[3 + i]) > bent, "%s: Hunt-Crossley is not (%.4f)", name,
           off_line(&c[3 + i]));
        ok(off_line(&c[3 + i]) > 2 * off_line(&c[i]), "%s: and less so than the new model", name);
    }
    cf_drawing_free(d);
}

static void test_af14_meeting(void)
{
    struct cf_drawing *d = read_figure("af14_fig3");
    for (int i = 0; i < 3; i++)
        ok(fabs(at(&d->panel[0].curve[i], 1) - 0.7246) < 5e-4, "the models meet at 1 m/s: %.5f",
           at(&d->panel[0].curve[i], 1));
    cf_drawing_free(d);
}

/* Radii of the captions; moduli as the files' heads say. */
static void test_pairs(const char *name, const char *letters, size_t curves)
{
    static const struct {
        char letter;
        double R, E1, nu1, E2, nu2, density, free_bodies;
    } pair[] = {
        {'A', 0.0075, 105e9, 0.35, 105e9, 0.35, 8500, 2},
        {'B', 0.0127, 210e9, 0.30, 110e9, 0.26, 7800, 1},
        {'C', 0.0083, 20e6, 0, 20e6, 0, 200, 2},
        {'D', 0.0165, 210e9, 0.30, 20e6, 0, 7800, 1},
        {'E', 0.0127, 210e9, 0.30, 105e9, 0.35, 7800, 1},
        {'F', 0.0127, 210e9, 0.30, 16e9, 0.44, 7800, 1},
    };
    struct cf_drawing *d = read_figure(name);

    ok(d->npanel == strlen(letters), "%s: %zu panels", name, strlen(letters));
    for (size_t i = 0; i < d->npanel; i++) {
        const struct cf_drawn_panel *p = &d->panel[i];
        size_t j = (size_t) (letters[i] - 'A');
        double sphere = pair[j].free_bodies * pair[j].R; /* two equal spheres: R is the half */
        double mass = 4.18879020478639 * sphere * sphere * sphere * pair[j].density;
        double compliance = (1 - pair[j].nu1 * pair[j].nu1) / pair[j].E1 +
                            (1 - pair[j].nu2 * pair[j].nu2) / pair[j].E2;
        double k = 4 * sqrt(pair[j].R) / (3 * compliance);
        ok(p->ncurve == curves && fabs(p->pair.radius_m / pair[j].R - 1) < 1e-12, "%s %c: radius",
           name, letters[i]);
        ok(fabs(p->mass_kg * pair[j].free_bodies / mass - 1) < 1e-3, "%s %c: mass", name,
           letters[i]);
        for (size_t c = 0; c < p->ncurve; c++)
            ok(p->curve[c].hertz && fabs(p->curve[c].p[0] / k - 1) < 1e-12 && !p->points.file &&
                   p->curve[c].tune && !p->curve[c].is_tuned,
               "%s %c: k by Hertz, no points", name, letters[i]);
        ok(off_line(&p->curve[0]) < 0.016, "%s %c: almost straight (%.4f)", name, letters[i],
           off_line(&p->curve[0]));
        if (curves > 1)
            ok(off_line(&p->curve[1]) > 5 * off_line(&p->curve[0]) &&
                   fabs(at(&p->curve[0], 1) - at(&p->curve[1], 1)) < 1e-3,
               "%s %c: Hunt-Crossley bends, and meets it at 1 m/s", name, letters[i]);
    }
    cf_drawing_free(d);
}

static void test_loops_of_two_models(void)
{
    struct cf_drawing *d = read_figure("af10_fig6_7");
    const struct cf_drawn *hc = &d->panel[0].curve[0], *af = &d->panel[1].curve[0];

    ok(fabs(hc->x[LAST]) < 1e-9 && fabs(hc->y[LAST]) < 1e-9, "Fig. 6: both reach zero together");
    ok(fabs(af->y[LAST]) < 1e-6 && fabs(af->x[LAST] - 0.2263e-3) < 1e-7,
       "Fig. 7: the force is gone with %.4f mm left", 1e3 * af->x[LAST]);
    ok(hc->y[0] == 0 && af->y[0] == 0, "both begin at zero");
    cf_drawing_free(d);
}

static void test_damping_factor(void)
{
    struct cf_drawing *d = read_figure("g07_fig3_4");
    const struct cf_drawn *c = d->panel[0].curve;

    for (int i = 0; i < N; i++)
        if (!(c[0].y[i] >= 0 && c[0].y[i] <= 1))
            ok(false, "d = %g at e = %g", c[0].y[i], c[0].x[i]);
    ok(falls(&c[0]) || c[0].y[0] == 1, "d is never above 1 and falls");
    ok(c[0].y[LAST] == 0 && c[1].y[LAST] == 0 && c[2].y[LAST] == 0, "d(1) = 0");
    ok(fabs(at(&c[0], 0.5) - 0.716375266635687514) < 2e-5, "d(0.5) = %.6f", at(&c[0], 0.5));
    ok(fabs(at(&c[0], 0.9) - 0.149833755616777) < 2e-5, "d(0.9) = %.6f", at(&c[0], 0.9));
    ok(fabs(at(&c[1], 0.5) - 0.375) < 2e-5 && fabs(at(&c[2], 0.5) - 0.28125) < 2e-5,
       "the definitions at e = 0.5");
    int worse = 0;
    for (int i = 0; i < LAST; i++)
        worse += !(c[0].y[i] > c[1].y[i] && c[1].y[i] > c[2].y[i]);
    ok(worse == 0, "Hunt and Crossley's definition is the nearer one everywhere below 1");
    ok(c[0].y[LAST - 4] - c[2].y[LAST - 4] < 1e-3 && c[0].y[N / 2] - c[1].y[N / 2] > 0.3,
       "both are good near e = 1 only");
    cf_drawing_free(d);
}

static void test_ratio(void)
{
    struct cf_drawing *d = read_figure("g07_fig5_1");
    const struct cf_drawn *c = d->panel[0].curve;
    double worst = 0;

    for (int i = 0; i < N; i++)
        worst = fmax(worst, fabs(c[0].y[i] - 1));
    ok(worst < 1e-10, "the exact model gives what it is asked for: %.1e", worst);
    ok(fabs(c[1].y[0] - 1) < 1e-6, "Hunt and Crossley's does as v goes to 0");
    bool above = true;
    for (int i = 1; i < N; i++)
        above = above && c[1].y[i] > c[1].y[i - 1];
    ok(above, "and rises above 1");
    ok(fabs(at(&c[1], 2.5) - 2 * 0.66296) < 2e-4, "to 1.326 where 0.5 is asked for: %.5f",
       at(&c[1], 2.5));
    cf_drawing_free(d);
}

static void test_linear_and_hysteretic(void)
{
    struct cf_drawing *d = read_figure("g07_fig3_3");
    const struct cf_drawn *linear = &d->panel[0].curve[0], *gonthier = &d->panel[0].curve[1];

    ok(fabs(linear->y[0] - 94.685825) < 1e-9, "the linear force jumps at touch");
    ok(fabs(linear->y[LAST] + 47.3429) < 1e-3, "and is negative at the end: %.4f", linear->y[LAST]);
    ok(gonthier->y[0] == 0 && fabs(gonthier->y[LAST]) < 1e-6, "the hysteretic one is zero at both");
    ok(fabs(work(linear, 0, LAST) - 0.375) < 2e-4, "a loop holds the energy lost: %.5f J",
       work(linear, 0, LAST));
    ok(fabs(work(gonthier, 0, LAST) - 0.375) < 2e-4, "the other loop, too: %.5f J",
       work(gonthier, 0, LAST));
    ok(fabs(linear->x[deepest(linear)] / gonthier->x[deepest(gonthier)] - 1) < 1e-4,
       "both come equally deep");
    cf_drawing_free(d);
}

static void test_loops(void)
{
    static const double e[] = {0.1, 0.2, 0.4, 0.6, 0.8, 1};
    const double energy = 0.5 * 0.454;
    struct cf_drawing *d = read_figure("g07_fig5_2");
    double share[6];

    for (int i = 0; i < 6; i++) {
        const struct cf_drawn *c = &d->panel[0].curve[i];
        int turn = deepest(c);
        /* the spring holds k (2/5) z^2.5 at the turn; the rest of the initial energy is lost by
         * then */
        double stored = 0.4 * 3.4e10 * pow(c->x[turn], 2.5);
        double lost = energy * (1 - e[i] * e[i]);
        share[i] = (energy - stored) / lost;
        ok(fabs(work(c, 0, LAST) / energy - (1 - e[i] * e[i])) < 6e-4,
           "e = %g: the loop holds %.5f", e[i], work(c, 0, LAST) / energy);
    }
    ok(share[0] > share[1] && share[1] > share[2] && share[2] > share[3] && share[3] > share[4],
       "the smaller e, the more is lost in compression");
    ok(fabs(share[0] - 0.857) < 1e-3 && fabs(share[4] - 0.542) < 1e-3,
       "nearly half at large e, most at small e: %.3f, %.3f", share[4], share[0]);
    cf_drawing_free(d);
}

/* Drake's curve: level at the top and at the ends of the fall, halfway at half of each way, and
 * what friction over time has in steady sliding. */
static void test_drake(void)
{
    struct cf_drawing *d = read_figure("drake_fig3");
    const struct cf_drawn *two = &d->panel[0].curve[0], *one = &d->panel[0].curve[1];
    const struct cf_friction_law *law = cf_friction_find("stribeck");
    const double v_s = 1e-3, mu_s = 0.6, mu_d = 0.4, load_N = 7;
    double p[CF_MAX_PARAM], off = 0, most = 0;

    for (size_t i = 0; i < law->nparam; i++) {
        const char *name = law->param[i].name;
        p[i] = strcmp(name, "mu_s") == 0 ? mu_s : strcmp(name, "mu_d") == 0 ? mu_d : v_s;
    }
    for (int i = 0; i < N; i++) {
        struct cf_slide slide = {.normal_N = load_N,
                                 .velocity_m_s = {0.6 * two->x[i], -0.8 * two->x[i]}};
        double f[2];
        law->force(p, &slide, f, NULL);
        off = fmax(off, fabs(hypot(f[0], f[1]) / load_N - two->y[i]));
        most = fmax(most, two->y[i]);
    }
    ok(two->x[0] == 0 && two->y[0] == 0 && two->x[LAST] == 5 * v_s, "from rest to 5 v_s");
    ok(fabs(at(two, v_s / 2) - mu_s / 2) < 1e-3, "half of it at v_s/2: %.4f", at(two, v_s / 2));
    ok(fabs(at(two, v_s) - mu_s) < 1e-6 && most <= mu_s * (1 + 1e-15), "sticking at v_s: %.6f",
       at(two, v_s));
    ok(fabs(at(two, 2 * v_s) - (mu_s + mu_d) / 2) < 1e-6, "halfway down at 2 v_s: %.6f",
       at(two, 2 * v_s));
    ok(fabs(at(two, 3 * v_s) - mu_d) < 1e-6 && two->y[LAST] == mu_d, "sliding from 3 v_s on");
    ok(fabs(at(one, v_s) - mu_d) < 1e-6 && fabs(at(one, 1.7 * v_s) - mu_d) < 1e-15,
       "of one coefficient it stays");
    ok(off < 1e-15, "as friction stribeck slides: %.0e", off);
    cf_drawing_free(d);
}

TEST(papers)
{
    plan(125 + 8);
    gsl_set_error_handler_off();
    test_af_speed("af14_fig3");
    test_af_speed("af10_fig2");
    test_af14_meeting();
    test_af_log("af14_fig4", 0.021, 0.03);
    test_af_log("af10_fig3", 0.021, 0.03);
    test_pairs("af14_fig5", "ABCDEF", 2);
    test_pairs("af10_fig4", "BDEF", 1);
    test_loops_of_two_models();
    test_damping_factor();
    test_ratio();
    test_linear_and_hysteretic();
    test_loops();
    test_drake();
    return done();
}
