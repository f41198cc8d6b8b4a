/* Figures of residuals and of laws, from fits made here of t/fits/sample.json, whose residuals,
 * laws and flagged rows are such that the figure is known in closed form. */

#include "report/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/axis.h"
#include "tap.h"

static json_t *sample(void)
{
    const char *srcdir = getenv("srcdir");
    char path[4096];

    snprintf(path, sizeof path, "%s/t/fits/sample.json", srcdir ? srcdir : ".");
    return json_load_file(path, 0, NULL);
}

/* The sample with n fitted rows of its first data set and no others, of these residuals. */
static json_t *with_residuals(size_t n, const double residual[])
{
    json_t *fit = sample(), *rows = json_array();
    const json_t *first = json_array_get(json_object_get(fit, "observations"), 0);

    for (size_t i = 0; i < n; i++) {
        json_t *row = json_deep_copy(first);
        json_object_set_new(row, "residual", json_real(residual[i]));
        json_object_set_new(row, "use", json_string("fit"));
        json_array_append_new(rows, row);
    }
    json_object_set_new(fit, "observations", rows);
    json_object_set_new(fit, "points",
                        json_pack("{s:I,s:I,s:s}", "held", (json_int_t) n, "of", (json_int_t) n,
                                  "rule", "all rows"));
    return fit;
}

static struct cf_chart chart_of(const json_t *fit, const char *name)
{
    struct cf_chart chart;
    struct cf_error err = {""};
    const struct cf_figure *figure = cf_figure_find(fit, name);
    bool drawn = figure && cf_figure_chart(figure, fit, &chart, &err) == CF_OK;

    ok(drawn && chart.npanel > 0, "%s: a chart %s", name, err.text);
    return chart;
}

static bool applies(const json_t *fit, const char *name)
{
    const struct cf_figure *figure = cf_figure_find(fit, name);
    return figure && figure->applies(fit);
}

/* The distribution of a normal number, by the error function. */
static double below(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

static void quantiles(void)
{
    static const double residual[] = {0.3, -2.5, 1.7, -0.2, 0.9};
    enum { N = 5 };
    json_t *fit = with_residuals(N, residual);
    struct cf_chart chart = chart_of(fit, "quantiles");
    const struct cf_chart_series *band = chart.panel[0]->series[0],
                                 *points = chart.panel[0]->series[1];

    ok(chart.npanel == 1 && band->kind == CF_SERIES_BAND && points->n == N, "a band and points");
    ok(points->datum[0].y == -2.5 && points->datum[2].y == 0.3 && points->datum[4].y == 1.7,
       "residuals in order");
    is_within(points->datum[2].x, 0, 1e-12, "the middle one against 0");
    /* the least of n lies below u with probability 1 - (1 - u)^n */
    is_near(below(points->datum[0].x), 1 - pow(0.5, 1.0 / N), 1e-9, "the least: its median");
    is_near(below(band->datum[0].low), 1 - pow(0.975, 1.0 / N), 1e-9, "and the ends");
    is_near(below(band->datum[0].high), 1 - pow(0.025, 1.0 / N), 1e-9, "of its band");
    is_near(points->datum[4].x, -points->datum[0].x, 1e-9, "the greatest against the opposite");
    is_near(band->datum[4].high, -band->datum[0].low, 1e-9, "with the band turned over");
    ok(chart.panel[0]->rule[0].x1 == chart.panel[0]->rule[0].y1, "a line of equal quantiles");
    cf_chart_free(&chart);
    json_decref(fit);
    fit = with_residuals(4, residual);
    ok(!applies(fit, "quantiles"), "four rows are too few");
    json_decref(fit);
}

static void autocorrelation(void)
{
    static const double turns[] = {1, -1, 1, -1, 1, -1, 1, -1}, flat[8] = {0};
    enum { N = 8 };
    json_t *fit = with_residuals(N, turns);
    struct cf_chart chart = chart_of(fit, "autocorrelation");
    const struct cf_chart_series *points = chart.panel[0]->series[0];
    double worst = 0;

    ok(points->n == N / 2 && points->datum[0].x == 1, "lags up to half of the rows");
    for (size_t k = 1; k <= points->n; k++) /* of turns: (-1)^k (n - k) / n, times sqrt(n) */
        worst = fmax(worst, fabs(points->datum[k - 1].y -
                                 (k % 2 ? -1 : 1) * (N - (double) k) / N * sqrt(N)));
    ok(worst < 1e-12, "turns: %g off", worst);
    ok(chart.panel[0]->strip.low == -2 && chart.panel[0]->strip.high == 2, "the strip");
    cf_chart_free(&chart);
    json_object_set_new(json_object_get(fit, "points"), "of", json_integer(N + 1));
    ok(!applies(fit, "autocorrelation"), "rows that the file does not hold are no neighbours");
    json_decref(fit);
    fit = with_residuals(7, turns);
    ok(!applies(fit, "autocorrelation"), "seven rows are too few");
    json_decref(fit);
    fit = with_residuals(N, flat);
    chart = chart_of(fit, "autocorrelation");
    ok(chart.panel[0]->nseries == 0, "residuals that are all the same have none");
    cf_chart_free(&chart);
    json_decref(fit);
}

static void evidence(void)
{
    json_t *fit = sample();

    json_object_set_new(fit, "rivals",
                        json_pack("[{s:s,s:b,s:f},{s:s,s:b,s:f},{s:s,s:b,s:n},{s:s,s:b,s:f}]",
                                  "law", "e-log", "own", 0, "delta_aicc", 0.0, "law",
                                  "azad-featherstone", "own", 1, "delta_aicc", 9.0, "law", "power",
                                  "own", 0, "delta_aicc", "law", "hunt-crossley", "own", 0,
                                  "delta_aicc", 99.0));
    struct cf_chart chart = chart_of(fit, "evidence");
    const struct cf_panel *panel = chart.panel[0];

    ok(panel->nseries == 6 && panel->y.ntic == 3, "a row for each law with a difference");
    ok(panel->series[0]->datum[1].x == 0 && panel->series[2]->datum[1].x == 1 &&
           panel->series[4]->datum[1].x == 2,
       "0, 9 and 99 are a decade of 1 + Delta apart");
    ok(panel->series[0]->datum[0].y == 3 && panel->series[4]->datum[0].y == 1, "the best on top");
    is_str(panel->y.tic[0].label, "hunt-crossley", "the last law below");
    is_str(panel->y.tic[2].label, "e-log", "the first above");
    ok(panel->series[3]->style.filled && !panel->series[1]->style.filled, "the own law is filled");
    is_near(pow(10, panel->rule[1].x1) - 1, 10, 1e-9, "a line at 10");
    cf_chart_free(&chart);
    json_array_remove(json_object_get(fit, "rivals"), 3);
    json_array_remove(json_object_get(fit, "rivals"), 0);
    ok(!applies(fit, "evidence"), "one law is compared with nothing");
    json_decref(fit);
}

/* Two sets of which one leaves a parameter open above; and a channel that says nothing. */
static void agreement(void)
{
    json_t *fit = sample();

    json_object_set_new(fit, "parameters",
                        json_pack("{s:{s:f,s:s,s:s,s:{s:f,s:f}},s:{s:f,s:s,s:s,s:{s:f,s:f}}}", "k",
                                  "value", 2e7, "unit", "N/m^1.5", "scale", "log", "interval",
                                  "low", 1e7, "high", 4e7, "b", "value", -3.0, "unit", "s/m",
                                  "scale", "linear", "interval", "low", -4.0, "high", -2.0));
    json_object_set_new(
        fit, "agreement",
        json_pack("[{s:s,s:[{s:s,s:f,s:f,s:n},{s:s,s:f,s:f,s:f}]},{s:s,s:[{s:s,s:f,s:f,s:f},"
                  "{s:s,s:n}]},{s:s,s:[]}]",
                  "parameter", "k", "told", "label", "contact time", "value", 6e7, "low", 2e7,
                  "high", "label", "<b>", "value", 2e6, "low", 1e6, "high", 4e6, "parameter", "b",
                  "told", "label", "rebound", "value", -1.0, "low", -5.0, "high", 3.0, "label",
                  "other", "value", "parameter", "none", "told"));
    struct cf_chart chart = chart_of(fit, "agreement");
    const struct cf_panel *k = chart.panel[0], *b = chart.panel[1];

    ok(chart.npanel == 2, "a panel for each parameter that something is said of");
    ok(k->nseries == 6 && b->nseries == 4, "a line and a point for each answer");
    is_str(k->y.tic[0].label, "no. 2", "what is no plain text goes by its number");
    is_str(k->y.tic[1].label, "contact time", "others by their names");
    is_str(k->y.tic[2].label, "all together", "all on top");
    ok(k->x.logarithmic && fabs(k->series[3]->datum[0].x - 3) < 1e-12 &&
           fabs(k->series[1]->datum[0].x - 0.1) < 1e-12 &&
           fabs(k->series[5]->datum[0].x - 1) < 1e-12,
       "ratios of a scale to the value from all");
    ok(k->series[2]->datum[0].x == 1 && k->series[2]->datum[1].x == k->x.range.high,
       "an open end reaches the frame");
    ok(!b->x.logarithmic && b->series[1]->datum[0].x == -1 && b->series[0]->datum[0].x == -5,
       "others in their unit");
    cf_chart_free(&chart);
    json_decref(fit);
}

static const struct cf_chart_series *titled(const struct cf_panel *panel, const char *words)
{
    for (size_t i = 0; i < panel->nseries; i++)
        if (panel->series[i]->title.nrun &&
            strcmp(cf_text_letters(&panel->series[i]->title, 0), words) == 0)
            return panel->series[i];
    return NULL;
}

/* The area below a line, by trapezia. */
static double area(const struct cf_chart_series *series)
{
    double sum = 0;

    for (size_t i = 1; i < series->n; i++)
        sum += (series->datum[i].x - series->datum[i - 1].x) *
               (series->datum[i].y + series->datum[i - 1].y) / 2;
    return sum;
}

/* A prior of the study on a parameter between e^-1 and e of its best fit, 2e7: lognormal about 1.1
 * of that with width 0.5, cut at the bounds; the file's numbers as they are written by a fit. */
static void stated_prior(json_t *fit)
{
    json_t *number =
        json_object_get(json_object_get(json_object_get(fit, "posterior"), "parameters"), "k");
    double within = below((1 - log(1.1)) / 0.5) - below((-1 - log(1.1)) / 0.5);

    json_object_set_new(number, "prior", json_string("the study's: lognormal between the bounds"));
    struct cf_chart chart = chart_of(fit, "marginals");
    ok(!titled(chart.panel[0], "prior"), "a file that has no numbers of the prior shows none");
    cf_chart_free(&chart);
    json_object_set_new(number, "prior_centre", json_real(2.2e7));
    json_object_set_new(number, "prior_sigma", json_real(0.5));
    chart = chart_of(fit, "marginals");
    const struct cf_chart_series *prior = titled(chart.panel[0], "prior");
    for (size_t i = 20; prior && i < prior->n; i += 40) {
        double x = prior->datum[i].x, z = (log(x) - log(1.1)) / 0.5;
        is_near(prior->datum[i].y, exp(-z * z / 2) / sqrt(2 * acos(-1.0)) / (0.5 * x) / within,
                1e-9, "the study's prior at %g of the best fit", x);
    }
    cf_chart_free(&chart);
}

/* A record of ten rows: two excluded, a segment of five, one excluded for a reason that is too long
 * for a key, a segment of two behind it, of which the last row is held out. */
static void segments(void)
{
    static const int use[] = {2, 2, 0, 0, 0, 0, 0, 3, 0, 1};
    json_t *fit = sample(), *x = json_array(), *y = json_array(), *uses = json_array();

    ok(!applies(fit, "segments"), "what is no record has no segments");
    for (int i = 0; i < 10; i++) {
        json_array_append_new(x, json_real(i));
        json_array_append_new(y, json_real(100 + i * i));
        json_array_append_new(uses, json_integer(use[i]));
    }
    json_object_set_new(json_array_get(json_object_get(fit, "data"), 0), "record",
                        json_pack("{s:s,s:s,s:i,s:o,s:o,s:o,s:[f,f],s:[s,s]}", "channel",
                                  "restitution", "along", "row", "step", 1, "abscissa", x, "value",
                                  y, "use", uses, "starts", 2.0, 8.0, "reasons",
                                  "before the first trough",
                                  "a reason that is too long for the key of a figure"));
    struct cf_chart chart = chart_of(fit, "segments");
    const struct cf_panel *panel = chart.panel[0];
    const struct cf_chart_series *fitted = titled(panel, "fitted"),
                                 *before = titled(panel, "before the first trough"),
                                 *second = titled(panel, "excluded, reason 2"),
                                 *held = titled(panel, "held out"),
                                 *starts = titled(panel, "a segment begins");
    ok(fitted && fitted->n == 5 + 1 + 1 + 1 + 1 + 1 && fitted->datum[0].x == 2 &&
           fitted->datum[5].x == 7 && isnan(fitted->datum[6].x) && fitted->datum[7].x == 8,
       "what was fitted, parted where rows are excluded and where a segment begins");
    ok(before && before->n == 3 && before->datum[1].y == 101 && isnan(before->datum[2].x),
       "what was excluded, up to the segment");
    ok(second && second->datum[0].x == 7, "a long reason has its number");
    ok(held && held->n == 1 && held->datum[0].y == 181, "what was held out");
    ok(starts && starts->n == 6 && starts->datum[0].x == 2 && starts->datum[3].x == 8,
       "strokes where segments begin");
    cf_chart_free(&chart);
    json_decref(fit);
}

/* The band is that of the file, the points are those that were fitted and no others. */
static void predictive(void)
{
    json_t *fit = sample();
    size_t fitted = 0, band = 0, i;
    json_t *row;

    ok(!applies(fit, "predictive"), "without a posterior there are no replicates");
    json_object_set_new(fit, "posterior", json_pack("{s:f}", "level", 0.95));
    json_object_set_new(fit, "predictive",
                        json_pack("[{s:i,s:s,s:[f,f],s:[f,f],s:[f,f],s:[f,f]}]", "data", 0,
                                  "channel", "restitution", "abscissa", 0.5, 4.0, "value", 0.9, 0.8,
                                  "low", 0.88, 0.78, "high", 0.92, 0.83));
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        fitted += strcmp(json_string_value(json_object_get(row, "use")), "fit") == 0 &&
                  strcmp(json_string_value(json_object_get(row, "channel")), "restitution") == 0;
    }
    struct cf_chart chart = chart_of(fit, "predictive");
    ok(chart.npanel == 1, "a panel for the channel that has them");
    for (i = 0; i < chart.panel[0]->nseries; i++) {
        const struct cf_chart_series *series = chart.panel[0]->series[i];
        if (series->kind == CF_SERIES_BAND)
            band += series->n == 2 && series->datum[1].x == 4 && series->datum[1].low == 0.78 &&
                    series->datum[1].high == 0.83;
        else if (series->kind == CF_SERIES_POINTS)
            fitted -= series->n;
    }
    ok(band == 1 && fitted == 0, "its band, over what was fitted");
    cf_chart_free(&chart);
    json_decref(fit);
}

/* Draws that are numbered: 4 ensembles of 25 over 500 steps, so that draw 30 is the sixth of the
 * second, in the middle of steps 100 to 120. */
static void chains(void)
{
    json_t *fit = sample(), *draws = json_array();

    for (int i = 0; i < 100; i++)
        json_array_append_new(draws, json_real(10 + i));
    json_object_set_new(
        fit, "parameters",
        json_pack("{s:{s:f,s:s,s:s}}", "k", "value", 50.0, "unit", "N/m", "scale", "linear"));
    json_object_set_new(fit, "posterior",
                        json_pack("{s:b,s:i,s:i,s:i,s:{s:{s:s,s:f,s:f,s:f,s:f}},s:{s:o}}",
                                  "converged", 1, "ensembles", 4, "walkers", 16, "steps", 500,
                                  "parameters", "k", "prior", "uniform", "rhat", 1.0021, "ess",
                                  812.0, "low", 12.0, "high", 105.0, "draws", "k", draws));
    struct cf_chart chart = chart_of(fit, "chains");
    const struct cf_panel *panel = chart.panel[0];
    const struct cf_chart_series *second = titled(panel, "ensemble 2");

    ok(panel->nseries == 4 && second && second->n == 25, "a line for each ensemble");
    ok(second && second->datum[5].y == 40 && fabs(second->datum[5].x - 110) < 1e-9,
       "draw 30 at step 110");
    ok(panel->strip.low == 12 && panel->strip.high == 105, "the interval");
    is_str(cf_text_letters(&panel->heading, 0), "R-hat 1.002, 812 effective draws",
           "and what the sampler is worth");
    cf_chart_free(&chart);
    json_array_append_new(draws, json_real(1));
    ok(!applies(fit, "chains"), "draws that do not share out have no order");
    json_decref(fit);
}

/* Draws at the quantiles of a lognormal distribution of width 0.1 about 2e7: the histogram, the
 * normal approximation and the draws are one, and the prior spans a factor of e^2. */
static void marginals(void)
{
    enum { N = 400 };
    json_t *fit = sample(), *draws = json_array();
    double half = 0.1 * 1.959963984540054;

    for (int i = 0; i < N; i++) {
        double low = -6, high = 6, share = (i + 0.5) / N;
        for (int k = 0; k < 60; k++)
            *(below((low + high) / 2) < share ? &low : &high) = (low + high) / 2;
        json_array_append_new(draws, json_real(2e7 * exp(0.1 * low)));
    }
    json_object_set_new(fit, "parameters",
                        json_pack("{s:{s:f,s:s,s:s,s:[f,f],s:{s:f,s:f,s:f}}}", "k", "value", 2e7,
                                  "unit", "N/m^1.5", "scale", "log", "bounds", 2e7 * exp(-1),
                                  2e7 * exp(1), "wald", "level", 0.95, "low", 2e7 * exp(-half),
                                  "high", 2e7 * exp(half)));
    json_object_set_new(fit, "posterior",
                        json_pack("{s:b,s:{s:{s:s}},s:{s:o}}", "converged", 1, "parameters", "k",
                                  "prior", "uniform in ln k between the bounds", "draws", "k",
                                  draws));
    struct cf_chart chart = chart_of(fit, "marginals");
    const struct cf_chart_series *outline = titled(chart.panel[0], "draws"),
                                 *normal = titled(chart.panel[0], "normal"),
                                 *prior = titled(chart.panel[0], "prior");

    is_near(area(outline), 1, 1e-12, "the histogram has the area 1");
    is_near(area(normal), 1, 0.004, "so has the normal density, as far as there are draws");
    is_near(normal->datum[60].y,
            1 / (normal->datum[60].x * 0.1 * sqrt(2 * acos(-1.0))) *
                exp(-pow(log(normal->datum[60].x) / 0.1, 2) / 2),
            1e-9, "it is the lognormal one");
    is_near(prior->datum[60].y * prior->datum[60].x, 0.5, 1e-12, "ln k spans 2");
    cf_chart_free(&chart);
    stated_prior(fit);
    json_object_set_new(json_object_get(fit, "posterior"), "converged", json_false());
    ok(!applies(fit, "marginals"), "draws that have not converged are not drawn");
    json_decref(fit);
}

static size_t notes(const struct cf_panel *panel, const char *words)
{
    size_t n = 0;

    for (size_t i = 0; i < panel->nnote; i++)
        n += strcmp(cf_text_letters(&panel->note[i].text, 0), words) == 0;
    return n;
}

/* The sample has a row held out, in line 11, and one excluded, in line 5. */
static void flags(void)
{
    json_t *fit = sample();
    const json_t *point = json_array_get(json_object_get(fit, "headline_points"), 0);
    const json_t *set = json_array_get(json_object_get(fit, "data"), 0);
    json_int_t line = json_integer_value(json_object_get(point, "line"));
    char words[40];

    struct cf_chart chart = chart_of(fit, "headline");
    ok(chart.panel[0]->nnote == 2 && notes(chart.panel[0], "line 11") == 1 &&
           notes(chart.panel[0], "line 5") == 1,
       "rows held out and excluded are named");
    ok(!titled(chart.panel[0], "outlier"), "and none has a ring");
    cf_chart_free(&chart);
    json_object_set_new(fit, "outliers",
                        json_pack("[{s:s,s:O,s:s,s:I},{s:s,s:s,s:s,s:I}]", "kind", "outlier",
                                  "data", json_object_get(set, "name"), "channel", "restitution",
                                  "line", line, "kind", "influential", "data", "another set",
                                  "channel", "restitution", "line", line));
    chart = chart_of(fit, "headline");
    snprintf(words, sizeof words, "line %lld", (long long) line);
    const struct cf_chart_series *ring = titled(chart.panel[0], "outlier");
    ok(ring && ring->n == 1 &&
           ring->datum[0].x == json_number_value(json_object_get(point, "abscissa")) &&
           ring->datum[0].y == json_number_value(json_object_get(point, "value")),
       "an outlier has a ring");
    ok(notes(chart.panel[0], words) == 1, "and a name");
    ok(!titled(chart.panel[0], "influential"), "a row of another set has none");
    cf_chart_free(&chart);
    json_decref(fit);
}

/* Friction that falls with speed by 0.1 a decade, forward from 2 and backward from 3: turned round,
 * both are lines over the logarithm of the speed. */
static void stribeck(void)
{
    static const double speed[] = {-1, -0.1, -0.01, 0, 0.01, 0.1, 1};
    json_t *fit = sample(), *points = json_array(), *curve[3], *set;
    size_t i;

    ok(!applies(fit, "stribeck"), "impacts do not slide");
    json_array_foreach(json_object_get(fit, "data"), i, set)
    {
        json_object_set_new(json_object_get(set, "axis"), "scale", json_string("linear"));
        json_object_set_new(json_object_get(set, "axis"), "name", json_string("speed"));
    }
    for (i = 0; i < 3; i++)
        curve[i] = json_array();
    for (i = 0; i < sizeof speed / sizeof *speed; i++) {
        double v = speed[i], f = (v < 0 ? -3 : 2) - (v < 0 ? -0.1 : 0.1) * log10(fabs(v) + 1e-300);
        json_t *point = json_deep_copy(json_array_get(json_object_get(fit, "headline_points"), 0));
        json_object_set_new(point, "abscissa", json_real(v));
        json_object_set_new(point, "value", json_real(v == 0 ? 0 : f));
        json_object_set_new(point, "line", json_integer((json_int_t) (20 + i)));
        json_object_set_new(point, "sigma", json_real(0.01));
        json_array_append_new(points, point);
        json_array_append_new(curve[0], json_real(v == 0 ? 1e-9 : v));
        json_array_append_new(curve[1], json_real(v == 0 ? 0 : f));
        json_array_append_new(curve[2], json_real(v == 0 ? 0 : f - 0.2));
    }
    json_object_set_new(fit, "headline_points", points);
    json_object_set_new(fit, "curves",
                        json_pack("[{s:i,s:s,s:o,s:o,s:o,s:O}]", "data", 0, "channel",
                                  "restitution", "abscissa", curve[0], "value", curve[1], "low",
                                  curve[2], "high", curve[1]));
    struct cf_chart chart = chart_of(fit, "stribeck");
    const struct cf_panel *panel = chart.panel[0];
    ok(panel->x.logarithmic && chart.npanel == 1, "a logarithmic axis");
    static const char *const words[] = {"forward", "backward"};
    for (int k = 0; k < 2; k++) {
        char title[80];
        snprintf(title, sizeof title, "measured, %s", words[k]);
        const struct cf_chart_series *measured = titled(panel, title);
        snprintf(title, sizeof title, "%s, %s", json_string_value(json_object_get(fit, "law")),
                 words[k]);
        const struct cf_chart_series *line = titled(panel, title), *band = NULL;
        for (size_t j = 0; j < panel->nseries; j++)
            if (panel->series[j]->kind == CF_SERIES_BAND && (k || !band))
                band = panel->series[j];
        double first = k ? 3 : 2;
        ok(measured && measured->n == 3 && line && line->n == 3,
           "%s: three points and the line through them, nothing of rest", words[k]);
        for (size_t j = 0; j < 3 && measured && line && band; j++) {
            double f = first - 0.1 * log10(line->datum[j].x);
            ok(fabs(line->datum[j].y - f) < 1e-12 && line->datum[j].x > 0, "%s at %g: %g", words[k],
               line->datum[j].x, f);
            ok(fabs(band->datum[j].low - (k ? f : f - 0.2)) < 1e-12 &&
                   fabs(band->datum[j].high - (k ? f + 0.2 : f)) < 1e-12,
               "and its band, whose ends change places backward");
        }
        ok(measured && measured->style.filled == (k == 0) && measured->datum[0].line >= 20 &&
               fabs(measured->datum[0].y - first + 0.1 * log10(measured->datum[0].x)) < 1e-12,
           "%s: %s points of the table's rows", words[k], k ? "open" : "filled");
    }
    cf_chart_free(&chart);
    json_decref(fit);
}

/* The residual below a row's point is what its own numbers leave, as far as they have six digits,
 * and both lie at one place. */
static void prediction(void)
{
    json_t *fit = sample(), *row, *set;
    size_t i, n = 0;

    ok(!applies(fit, "prediction"), "impacts have a figure of residuals");
    json_array_foreach(json_object_get(fit, "data"), i, set)
    {
        json_object_set_new(json_object_get(set, "axis"), "scale", json_string("linear"));
    }
    struct cf_chart chart = chart_of(fit, "prediction");
    const struct cf_panel *above = chart.panel[0], *below = chart.panel[1];

    ok(chart.npanel == 2, "a pair of panels");
    ok(above->x.range.low == below->x.range.low && above->x.range.high == below->x.range.high &&
           above->left == below->left && above->right == below->right && below->top < above->bottom,
       "one below the other along the same axis");
    json_array_foreach(json_object_get(fit, "observations"), i, row)
    {
        double x = json_number_value(json_object_get(row, "abscissa")),
               value = json_number_value(json_object_get(row, "value")),
               left = (value - json_number_value(json_object_get(row, "predicted"))) /
                      json_number_value(json_object_get(row, "sigma"));
        bool found[2] = {false, false};
        if (strcmp(json_string_value(json_object_get(row, "channel")), "restitution") != 0 ||
            strcmp(json_string_value(json_object_get(row, "use")), "excluded") == 0)
            continue;
        n++;
        for (size_t p = 0; p < 2; p++)
            for (size_t k = 0; k < chart.panel[p]->nseries; k++)
                for (size_t j = 0; j < chart.panel[p]->series[k]->n; j++) {
                    const struct cf_datum *datum = &chart.panel[p]->series[k]->datum[j];
                    found[p] =
                        found[p] || (datum->x == x && datum->line > 0 &&
                                     fabs(datum->y - (p ? left : value)) < (p ? 6e-4 : 1e-12));
                }
        ok(found[0] && found[1], "the row at %g is above, what it leaves (%g sigma) below", x,
           left);
    }
    ok(n > 4, "%zu rows", n);
    cf_chart_free(&chart);
    json_decref(fit);
}

TEST(figure_kinds)
{
    plan(11 + 8 + 9 + 9 + 6 + 7 + 12 + 12 + 19 + 4 + 7);
    prediction();
    stribeck();
    quantiles();
    autocorrelation();
    evidence();
    agreement();
    marginals();
    chains();
    predictive();
    segments();
    flags();
    return done();
}
