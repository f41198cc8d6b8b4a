/* What a page says of the errors that the fit assumes. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/sections.h"

static void put_effect(const json_t *fit, const json_t *effect, FILE *out)
{
    bool relative = cf_view_true(effect, "relative");
    double per = relative ? 100 : 1;

    fputs("<tr><td>", out);
    if (*cf_view_text(effect, "parameter"))
        cf_html_formula(out, cf_view_text(effect, "parameter"));
    else
        cf_html_text(out, cf_channel_label(fit, cf_view_text(effect, "channel")));
    fputs("</td><td>", out);
    cf_html_text(out, cf_view_text(effect, "level"));
    fprintf(out, "</td><td class=\"r\">%zu</td><td class=\"r\">%zu</td><td class=\"r\">",
            cf_view_count(effect, "groups"), cf_view_count(effect, "rows"));
    if (cf_view_true(effect, "identified"))
        cf_html_interval(out, per * cf_view_number(effect, "sigma"),
                         per * cf_view_number(effect, "low"), per * cf_view_number(effect, "high"),
                         relative ? "%" : cf_view_text(effect, "unit"));
    else
        fputs("not identified: taken as 0", out);
    fputs("</td></tr>\n", out);
}

/* What is known of each row, beside what is estimated. */
static void put_beside(const json_t *channel, FILE *out)
{
    if (json_object_get(channel, "sigma_floor")) {
        fputs(" Beside it each row has the floor that its table states: their squares add, ", out);
        cf_html_number(out, cf_view_number(channel, "sigma_floor"), 3);
        fputs(" in the root mean square.", out);
    }
    if (json_object_get(channel, "sigma_imposed")) {
        fputs(" Errors of the imposed quantity add ", out);
        cf_html_number(out, cf_view_number(channel, "sigma_imposed"), 3);
        fputs(" in the root mean square, as the stated sigma of it says.", out);
    }
}

/* How a sigma goes with the axis. */
static void put_model(const json_t *channel, FILE *out)
{
    if (strcmp(cf_view_text(channel, "sigma_model"), "constant") == 0) {
        fputs(" is constant, <i>&sigma;</i> = ", out);
        cf_html_number(out, cf_view_number(channel, "sigma_base"), 3);
        fputs(" in SI units, estimated with the law.", out);
        put_beside(channel, out);
        fputs("</p>\n", out);
        return;
    }
    if (json_object_get(channel, "sigma_exponent")) {
        fputs(" goes with a power of the axis <i>x</i>: <i>&sigma;</i> = <i>b</i> "
              "|<i>x</i>|<sup><i>q</i>"
              "</sup>, <i>q</i> = ",
              out);
        cf_html_number(out, cf_view_number(channel, "sigma_exponent"), 2);
    } else {
        fputs(" grows along the axis <i>x</i>: <i>&sigma;</i><sup>2</sup> = <i>a</i><sup>2</sup> + "
              "<i>b</i><sup>2</sup><i>x</i><sup>2</sup>, <i>a</i> = ",
              out);
        cf_html_number(out, cf_view_number(channel, "sigma_base"), 3);
    }
    fputs(", <i>b</i> = ", out);
    cf_html_number(out, cf_view_number(channel, "sigma_slope"), 3);
    fputs(" in SI units, estimated with the law.", out);
    put_beside(channel, out);
    fputs("</p>\n", out);
}

/* Records that neighbouring rows share. */
static void put_records(const json_t *errors, FILE *out)
{
    size_t i;
    json_t *record;

    json_array_foreach(json_object_get(errors, "records"), i, record)
    {
        fputs("<p>Each ", out);
        cf_html_text(out, cf_view_text(record, "record"));
        fputs(" of ", out);
        cf_html_text(out, cf_view_text(record, "data"));
        fputs(" is in the readings of neighbouring rows, which share its error: <i>&sigma;</i> = ",
              out);
        if (cf_view_true(record, "identified")) {
            cf_html_number(out, cf_view_number(record, "sigma"), 3);
            cf_html_unit(out, cf_view_text(record, "unit"));
            fputs(strcmp(cf_view_text(record, "sigma_kind"), "given") == 0
                      ? ", as the study states"
                      : ", estimated with the law",
                  out);
        } else {
            fputs("0, because the data do not identify it", out);
        }
        fputs(".</p>\n", out);
    }
}

/* Errors that follow each other from row to row. */
static void put_serial(const json_t *fit, const json_t *errors, FILE *out)
{
    size_t i;
    json_t *serial;

    json_array_foreach(json_object_get(errors, "serial"), i, serial)
    {
        const char *model = cf_view_text(serial, "model");
        double step = cf_view_number(serial, "step_s"),
               rows = cf_view_number(serial, "correlation_rows");
        fputs("<p>The errors of ", out);
        cf_html_text(out, cf_channel_label(fit, cf_view_text(serial, "channel")));
        fputs(" in ", out);
        cf_html_text(out, cf_view_text(serial, "data"));
        if (strcmp(model, "white") == 0) {
            fputs(" were taken as a trace&rsquo;s, and are independent from row to row.</p>\n",
                  out);
            continue;
        }
        if (strcmp(model, "ar") == 0)
            fprintf(out, " follow each other as an autoregression of order %zu, chosen by BIC",
                    cf_view_count(serial, "order"));
        else
            fprintf(out,
                    " are white noise and a slow part beside it, an autoregression of order 1 with "
                    "%.3g&nbsp;%% of the variance",
                    100 * cf_view_number(serial, "share"));
        fprintf(out, ". They are correlated over %.3g rows", rows);
        if (isfinite(step))
            fprintf(out, ", %.3g s", rows * step);
        fprintf(out, ": as far as a mean goes, the %zu rows are worth %.3g independent ones.</p>\n",
                cf_view_count(serial, "rows"), cf_view_number(serial, "effective_rows"));
    }
}

/* Sigmas that go with the axis, and columns whose errors go together. */
static void put_noise(const json_t *fit, const json_t *errors, FILE *out)
{
    size_t i, k;
    json_t *data, *channel, *pair;

    json_array_foreach(cf_view(fit, "data"), i, data)
    {
        json_array_foreach(json_object_get(data, "channels"), k, channel)
        {
            if (!*cf_view_text(channel, "sigma_model"))
                continue;
            fputs("<p>The scatter of ", out);
            cf_html_text(out, cf_view_text(channel, "label"));
            fputs(" in ", out);
            cf_html_text(out, cf_view_text(data, "name"));
            put_model(channel, out);
        }
    }
    json_array_foreach(json_object_get(errors, "correlated"), i, pair)
    {
        fputs("<p>The errors of ", out);
        cf_html_text(out, cf_channel_label(fit, cf_view_text(pair, "channel")));
        fputs(" and ", out);
        cf_html_text(out, cf_channel_label(fit, cf_view_text(pair, "with")));
        fputs(" in the same row of ", out);
        cf_html_text(out, cf_view_text(pair, "data"));
        fputs(" correlate by ", out);
        cf_html_number(out, cf_view_number(pair, "correlation"), 2);
        fputs(", as estimated with the law; they count accordingly.</p>\n", out);
    }
}

/* Which rows are taken to share an error, and who says so. */
static const char *groups_text(const char *group)
{
    if (strcmp(group, "stated") == 0)
        return "Rows of one group share an error, as the study states (<code>group</code>).";
    if (strcmp(group, "by place") == 0)
        return "Repeats at one place are taken to share an error, because the study does not "
               "state that they are independent (<code>group: none</code>).";
    if (strcmp(group, "by record") == 0)
        return "Rows of one recording, such as the bounces of a throw, are taken to share an error "
               "(<code>group: none</code> states that they do not).";
    if (strcmp(group, "none") == 0)
        return "Rows are independent, as the study states (<code>group: none</code>): each repeat "
               "at "
               "one place counts as a measurement of its own.";
    return "Rows are independent: each has an error of its own.";
}

/* What a tau is that is none of an error that adds. */
static void put_loads(const json_t *shared, FILE *out)
{
    bool gain = false, parameter = false;

    for (size_t i = 0; i < json_array_size(shared); i++) {
        const char *of = cf_view_text(json_array_get(shared, i), "of");
        gain = gain || strcmp(of, "reading") == 0;
        parameter = parameter || strcmp(of, "parameter") == 0;
    }
    if (gain)
        fputs("<p>What a group shares is a share of the reading, as by a gain: "
              "<i>&tau;</i> is its standard deviation.</p>\n",
              out);
    if (parameter)
        fputs(
            "<p>Each group has its own value of the parameter, as a specimen has: the fitted value "
            "is their mean (on a log scale that of the logarithm), its interval is that of this "
            "mean, and <i>&tau;</i> is how far one group lies from it.</p>\n",
            out);
}

void cf_section_errors(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Error of", "Shared by the rows of one", ">Groups", ">Rows",
                                        "><i>&tau;</i>, its standard deviation"};
    const json_t *errors = cf_view(fit, "errors"), *shared = json_object_get(errors, "shared");

    if (!json_is_object(errors))
        return;
    fputs("<p>", out);
    fputs(groups_text(cf_view_text(errors, "group")), out);
    fputs("</p>\n", out);
    if (json_array_size(shared)) {
        cf_html_table_begin(out, heads, sizeof heads / sizeof heads[0]);
        for (size_t i = 0; i < json_array_size(shared); i++)
            put_effect(fit, json_array_get(shared, i), out);
        cf_html_table_end(out);
        put_loads(shared, out);
    }
    put_records(errors, out);
    put_serial(fit, errors, out);
    put_noise(fit, errors, out);
    fputs("<p>An error that all rows have in common, such as that of a mass, a radius, a "
          "calibration or an offset, is assumed to be 0: no test of these data can see it, and no "
          "interval here allows for it. Where one is possible, declare it as a nuisance with a "
          "prior.</p>\n",
          out);
}
