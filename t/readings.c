/* Readings of an instrument with a gain and a bias in the figures: they stand where the law's curve
 * is to be judged, and the captions say so. The fit is invented for these tests. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/figure.h"
#include "tap.h"

/* Forces are read with gain 2 and bias 10 N: 210 N +- 4 N tells 100 N +- 2 N; the first reading
 * lies 1.5 sigma above its prediction. Restitution is read plainly. */
static const char *const text =
    "{\"law\": \"linear\", \"data\": [{\"name\": \"a\", \"protocol\": \"p\", \"headline\": \"e\","
    " \"axis\": {\"name\": \"speed\", \"label\": \"approach speed\", \"symbol\": \"v\","
    " \"unit\": \"m/s\"}, \"channels\": ["
    " {\"name\": \"e\", \"label\": \"restitution\", \"unit\": \"1\", \"role\": \"measured\"},"
    " {\"name\": \"force\", \"label\": \"peak force\", \"unit\": \"N\", \"role\": \"measured\"},"
    " {\"name\": \"time\", \"label\": \"duration\", \"unit\": \"s\", \"role\": \"measured\"}]}],"
    "\"observations\": ["
    " {\"data\": 0, \"line\": 2, \"channel\": \"force\", \"abscissa\": 1, \"value\": 210,"
    "  \"sigma\": 4, \"predicted\": 204, \"residual\": 1.5, \"use\": \"fit\","
    "  \"true_value\": 100, \"true_sigma\": 2},"
    " {\"data\": 0, \"line\": 3, \"channel\": \"force\", \"abscissa\": 2, \"value\": 410,"
    "  \"sigma\": 4, \"predicted\": 410, \"residual\": 0, \"use\": \"fit\","
    "  \"true_value\": 200, \"true_sigma\": 2},"
    " {\"data\": 0, \"line\": 2, \"channel\": \"time\", \"abscissa\": 1, \"value\": 3,"
    "  \"sigma\": null, \"predicted\": 4, \"residual\": 0, \"use\": \"fit\"}],"
    "\"headline_points\": ["
    " {\"data\": 0, \"line\": 2, \"from\": \"e\", \"abscissa\": 1, \"value\": 0.5,"
    "  \"sigma\": 0.1, \"use\": \"fit\"}],"
    "\"curves\": []}";

/* The headline is told by this channel. */
static json_t *make_fit(const char *from)
{
    json_error_t error;
    json_t *fit = json_loads(text, 0, &error);

    if (!fit) {
        ok(false, "the fit is JSON: %s", error.text);
        exit(1);
    }
    json_object_set_new(json_array_get(json_object_get(fit, "headline_points"), 0), "from",
                        json_string(from));
    return fit;
}

static const struct cf_figure *figure_named(const char *name)
{
    for (size_t i = 0; cf_figures[i]; i++)
        if (strcmp(cf_figures[i]->name, name) == 0)
            return cf_figures[i];
    exit(99);
}

static char *caption_of(const char *name, const json_t *fit)
{
    char *caption = NULL;
    size_t size;
    FILE *out = open_memstream(&caption, &size);

    figure_named(name)->caption(fit, out);
    fclose(out);
    return caption;
}

/* The points of a panel, which has no other series. */
static const struct cf_chart_series *points_of(const struct cf_chart *chart, size_t panel)
{
    return chart->panel[panel]->series[chart->panel[panel]->nseries - 1];
}

static void measurements(void)
{
    json_t *fit = make_fit("e");
    struct cf_chart chart;
    struct cf_error err = {""};
    const struct cf_datum *datum;
    char *caption = caption_of("measurements", fit);

    ok(cf_figure_chart(figure_named("measurements"), fit, &chart, &err) == CF_OK &&
           chart.npanel == 2,
       "two panels %s", err.text);
    datum = points_of(&chart, 0)->datum;
    is_near(datum[0].y, 100, 1e-12, "a force is drawn as the true one");
    is_near(datum[0].low, 98, 1e-12, "with the sigma of the true one below");
    is_near(datum[0].high, 102, 1e-12, "and above");
    is_near(datum[1].y, 200, 1e-12, "each of them");
    ok(chart.panel[0]->y.range.high < 230 && chart.panel[0]->y.range.low > 70,
       "the axis has room for the true ones and their predictions alone: %g to %g",
       chart.panel[0]->y.range.low, chart.panel[0]->y.range.high);
    datum = points_of(&chart, 1)->datum;
    ok(datum[0].y == 3 && datum[0].low == 3 && datum[0].high == 3,
       "a plain reading is drawn as it is, without a bar where sigma is not known");
    ok(chart.panel[1]->y.range.high > 4, "with room for its prediction");
    ok(strstr(caption, " Readings of peak force are drawn as true values, corrected by "
                       "the gain or bias that was fitted along.") != NULL,
       "the caption says of which: %s", caption);
    ok(!strstr(caption, "Readings of duration"), "and of no other");
    free(caption);
    cf_chart_free(&chart);
    json_decref(fit);
}

static void headline(void)
{
    static const char *const figures[] = {"{headline}-log", "{headline}"};

    for (size_t i = 0; i < 2; i++) {
        json_t *plain = make_fit("e"), *told = make_fit("force");
        char *one = caption_of(figures[i], plain), *other = caption_of(figures[i], told);
        ok(!strstr(one, "Readings of"), "%s: measured itself, plainly: no word", figures[i]);
        ok(strstr(other, "Readings of peak force are drawn as true values") != NULL,
           "%s: computed from a channel that is not plain: told", figures[i]);
        ok(!strstr(one, "broken lines"), "%s: no rivals, no word of them", figures[i]);
        free(one);
        free(other);
        json_decref(plain);
        json_decref(told);
    }
}

/* From some tens of newtons to many kilonewtons: the prefix is that of the largest. */
static void prefix(void)
{
    json_t *fit = make_fit("e"), *rows = json_object_get(fit, "observations");
    struct cf_chart chart;
    struct cf_error err = {""};
    const struct cf_datum *datum;

    json_object_set_new(json_array_get(rows, 1), "true_value", json_real(9e4));
    ok(cf_figure_chart(figure_named("measurements"), fit, &chart, &err) == CF_OK, "drawn %s",
       err.text);
    datum = points_of(&chart, 0)->datum;
    is_near(datum[0].y, 0.1, 1e-12, "100 N in kilonewtons");
    is_near(datum[1].y, 90, 1e-12, "as 90 000 N are");
    cf_chart_free(&chart);
    json_decref(fit);
}

/* Seven data sets: five tell the headline by forces, one by
 * itself, the last by nothing. */
static void sources(void)
{
    enum { SETS = 7 };
    json_t *fit = make_fit("force"), *data = json_object_get(fit, "data");
    json_t *points = json_object_get(fit, "headline_points");
    char *caption;

    for (json_int_t i = 1; i < SETS; i++) {
        json_t *point = json_deep_copy(json_array_get(points, 0));
        json_array_append_new(data, json_deep_copy(json_array_get(data, 0)));
        json_object_set_new(point, "data", json_integer(i));
        if (i == SETS - 2)
            json_object_set_new(point, "from", json_string("e"));
        if (i < SETS - 1)
            json_array_append(points, point);
        json_decref(point);
    }
    caption = caption_of("{headline}", fit);
    ok(strstr(caption, " The 6 data sets with restitution have a marker each.") != NULL,
       "so many: %s", caption);
    ok(strstr(caption,
              " In 5 of them <i>e</i> is computed from the measured peak force and each "
              "set&rsquo;s apparatus as stated, without anything that the law predicts.") != NULL,
       "and how many of them tell it by which channel");
    free(caption);
    json_decref(fit);
}

TEST(readings)
{
    plan(21);
    measurements();
    headline();
    prefix();
    sources();
    return done();
}
