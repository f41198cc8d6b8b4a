/* The picture of parameters together: which fits have one, where its ellipses are, what it says.
 * The fits are invented for these tests. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figure.h"
#include "report/render.h"
#include "tap.h"

static const struct cf_figure *figure;

/* k and lambda on logarithms with correlation 0.96. */
static json_t *make_fit(const char *extra, const char *chi2_p)
{
    char text[4096];
    json_error_t error;

    snprintf(text, sizeof text,
             "{\"law\": \"azad-featherstone\","
             "\"parameters\": {"
             " \"k\": {\"value\": 2e7, \"unit\": \"N/m^1.5\", \"verdict\": \"fine\"},"
             " \"lambda\": {\"value\": 5000, \"unit\": \"N s/m^2.5\", \"verdict\": \"fine\"}},"
             "\"covariance\": {\"names\": [\"ln k\", \"ln lambda\"],"
             " \"matrix\": [[0.04, 0.0288], [0.0288, 0.0225]],"
             " \"correlation\": [[1, 0.96], [0.96, 1]]},"
             "\"data\": [{\"protocol\": \"p\", \"headline\": \"restitution\","
             " \"axis\": {\"name\": \"speed\"}, \"channels\": ["
             " {\"name\": \"restitution\", \"label\": \"e\", \"all_laws\": true},"
             " {\"name\": \"duration\", \"label\": \"contact duration\", \"all_laws\": false},"
             " {\"name\": \"depth\", \"label\": \"compression\", \"all_laws\": false}]}],"
             "\"observations\": [{\"data\": 0, \"channel\": \"restitution\"}],"
             "\"statistics\": {\"dof\": 7, \"chi2_p\": %s}%s}",
             chi2_p, extra);
    json_t *fit = json_loads(text, 0, &error);
    if (!fit) {
        ok(false, "the fit is JSON: %s", error.text);
        exit(1);
    }
    return fit;
}

/* What is drawn, which the caller frees. */
static struct cf_chart chart_of(const json_t *fit)
{
    struct cf_chart chart;
    struct cf_error err = {""};

    ok(cf_figure_chart(figure, fit, &chart, &err) == CF_OK, "drawn %s", err.text);
    return chart;
}

static char *caption_of(const json_t *fit)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    figure->caption(fit, out);
    fclose(out);
    return text;
}

/* The series with this title. */
static const struct cf_chart_series *titled(const struct cf_panel *panel, const char *title)
{
    for (size_t i = 0; i < panel->nseries; i++) {
        const struct cf_text *text = &panel->series[i]->title;
        if (text->nrun == 1 && strcmp(cf_text_letters(text, 0), title) == 0)
            return panel->series[i];
    }
    return NULL;
}

/* The squared distances of a series' points from the best fit, in standard deviations. */
static void check_ellipse(const struct cf_chart *chart, const char *title, double want,
                          const char *what)
{
    const struct cf_chart_series *series = titled(chart->panel[0], title);
    double low = HUGE_VAL, high = 0;
    size_t n = series ? series->n : 0;

    for (size_t i = 0; i < n; i++) {
        /* shown in 10^7 N/m^1.5 and 10^3 N s/m^1.5; the inverse of the matrix, by hand */
        double a = log(series->datum[i].x * 1e7 / 2e7), b = log(series->datum[i].y * 1e3 / 5000);
        double determinant = 0.04 * 0.0225 - 0.0288 * 0.0288;
        double d = (0.0225 * a * a - 2 * 0.0288 * a * b + 0.04 * b * b) / determinant;
        low = fmin(low, d);
        high = fmax(high, d);
    }
    ok(n > 100 && fabs(low / want - 1) < 1e-9 && fabs(high / want - 1) < 1e-9,
       "%s: %zu points from %.6f to %.6f, all at %.6f", what, n, low, high, want);
}

static void ellipses(void)
{
    /* 68 and 95 % of chi^2 with 2 degrees, and of 2 F(2, 7): tables */
    json_t *known = make_fit("", "0.4"), *estimated = make_fit("", "null");
    struct cf_chart a = chart_of(known), b = chart_of(estimated);
    struct cf_text label = {0};

    check_ellipse(&a, "68 %", 2.27886856637673, "68 %, sigmas known");
    check_ellipse(&a, "95 %", 5.99146454710798, "95 %, sigmas known");
    check_ellipse(&b, "95 %", 2 * 4.73741412777588, "95 %, sigmas estimated");
    ok(!titled(a.panel[0], "posterior"), "no points without a posterior");
    cf_text_symbol(&label, "k");
    cf_text_add(&label, " / (");
    cf_text_power(&label, 7);
    cf_text_add(&label, " ");
    cf_text_unit(&label, "N/m^1.5");
    cf_text_add(&label, ")");
    ok(cf_text_same(&a.panel[0]->x.label, &label), "an axis with its unit");
    cf_chart_free(&a);
    cf_chart_free(&b);
    json_decref(known);
    json_decref(estimated);
}

static void posterior(void)
{
    const char *draws = "\"draws\": {\"k\": [2e7, 2.1e7, 1.9e7], \"lambda\": [5000, 5200, 4800]}";
    char extra[256];

    snprintf(extra, sizeof extra, ", \"posterior\": {\"converged\": true, %s}", draws);
    json_t *fit = make_fit(extra, "0.4");
    struct cf_chart chart = chart_of(fit);
    char *caption = caption_of(fit);
    const struct cf_chart_series *series = titled(chart.panel[0], "posterior");
    ok(series && series->n == 3 && fabs(series->datum[0].x - 2) < 1e-12 &&
           fabs(series->datum[0].y - 5) < 1e-12,
       "draws in the axis' units");
    ok(strstr(caption, "points are draws from the posterior") != NULL, "and the caption says so");
    cf_chart_free(&chart);
    free(caption);
    json_decref(fit);

    snprintf(extra, sizeof extra, ", \"posterior\": {\"converged\": false, %s}", draws);
    fit = make_fit(extra, "0.4");
    chart = chart_of(fit);
    caption = caption_of(fit);
    ok(!titled(chart.panel[0], "posterior") && !strstr(caption, "draws"),
       "nothing of one that did not converge");
    cf_chart_free(&chart);
    free(caption);
    json_decref(fit);
}

static void words(void)
{
    json_t *fit = make_fit("", "0.4");
    char *caption = caption_of(fit);

    is_str(caption,
           "Where parameters lie together: the ellipses hold 68&#8239;% and 95&#8239;% of the "
           "probability, as far as the covariance at the best fit shows. The correlation of "
           "<i>k</i> and <i>λ</i> is 0.96. A long and thin ellipse means that the data "
           "identify one combination of the two much better than either: where one is raised, the "
           "other "
           "rises with it and the fit stays as good. More of the same data shorten it slowly; a "
           "contact duration or compression at a known speed breaks it.",
           "strongly correlated");
    free(caption);

    json_object_set_new(json_array_get(json_object_get(fit, "observations"), 0), "channel",
                        json_string("duration"));
    caption = caption_of(fit);
    ok(strstr(caption, "measurements over a wider range of speed, or with another mass, break it."),
       "another experiment where contact times are there");
    free(caption);

    json_object_set_new(json_object_get(fit, "covariance"), "correlation",
                        json_pack("[[f,f],[f,f]]", 1.0, -0.25, -0.25, 1.0));
    caption = caption_of(fit);
    ok(strstr(caption, "is &minus;0.25. The parameters are identified nearly independently of each "
                       "other."),
       "weakly correlated: %s", caption);
    free(caption);

    json_object_set_new(json_object_get(fit, "covariance"), "correlation",
                        json_pack("[[f,f],[f,f]]", 1.0, 0.6, 0.6, 1.0));
    json_object_set_new(fit, "verdict", json_pack("{ss}", "status", "misfit"));
    caption = caption_of(fit);
    ok(strstr(caption, "is 0.60. Were one of the two known, the interval of the other would be "
                       "narrower by 20&#8239;%."),
       "between: %s", caption);
    ok(strstr(caption, "; that the law misses the data by more than their scatter is not counted "
                       "in them."),
       "a misfit is named");
    free(caption);
    json_decref(fit);
}

static void which_fits(void)
{
    json_t *fit = make_fit("", "0.4");
    json_t *k = json_object_get(json_object_get(fit, "parameters"), "k");

    ok(figure->applies(fit), "a fit of two parameters has one");
    json_object_set_new(k, "verdict", json_string("flat"));
    ok(!figure->applies(fit), "not where a parameter is flat");
    json_object_set_new(k, "verdict", json_string("fine"));
    json_object_set_new(fit, "covariance", json_null());
    ok(!figure->applies(fit), "not without a covariance");
    json_decref(fit);
}

/* Three parameters make a triangle of three panels. */
static void triangle(void)
{
    json_t *fit = make_fit("", "0.4");
    json_t *covariance = json_object_get(fit, "covariance");

    json_object_set_new(json_object_get(fit, "parameters"), "lambda_star",
                        json_pack("{sf ss}", "value", 3.0, "verdict", "fine"));
    json_object_set_new(covariance, "names",
                        json_pack("[sss]", "ln k", "ln lambda", "lambda_star"));
    json_object_set_new(
        covariance, "matrix",
        json_pack("[[fff],[fff],[fff]]", 0.04, 0.0288, 0.02, 0.0288, 0.0225, 0.0, 0.02, 0.0, 0.25));
    json_object_set_new(
        covariance, "correlation",
        json_pack("[[fff],[fff],[fff]]", 1.0, 0.96, 0.2, 0.96, 1.0, 0.0, 0.2, 0.0, 1.0));
    ok(figure->applies(fit), "a fit of three has one");
    struct cf_chart chart = chart_of(fit);
    char *caption = caption_of(fit);
    ok(chart.npanel == 3 && chart.panel[1]->nseries == 3 && chart.panel[2]->nseries == 3,
       "a panel a pair");
    ok(strstr(caption, "The strongest correlation is that of <i>k</i> and <i>λ</i>: 0.96."),
       "the strongest pair is named");
    cf_chart_free(&chart);
    free(caption);
    struct cf_plotter plotter = CF_PLOTTER;
    struct cf_error err = {""};
    char *bytes;
    size_t len;
    chart = chart_of(fit);
    ok(cf_chart_render(&chart, "svg", &plotter, &bytes, &len, &err) == CF_OK, "gnuplot takes it %s",
       err.text);
    free(bytes);
    cf_chart_free(&chart);
    cf_plotter_end(&plotter);
    json_decref(fit);
}

TEST(correlation)
{
    plan(27);
    figure = cf_figure_find(NULL, "correlation");
    ok(figure != NULL, "there is such a figure");
    ellipses();
    posterior();
    words();
    which_fits();
    triangle();
    return done();
}
