/* The top of a page: the verdict in words, then the parameters. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "judge/interval.h"
#include "report/html.h"
#include "report/joint.h"
#include "report/prose.h"
#include "report/sections.h"

static const struct {
    const char *status, *mark, *word;
} words[] = {
    {"good", "&#10003;", "Good"},     {"weak", "!", "Weak"},
    {"misfit", "&#10007;", "Misfit"}, {"undetermined", "?", "Undetermined"},
    {"failed", "&#10007;", "Failed"},
};
enum { NWORD = sizeof words / sizeof words[0] };

/* NWORD: none of these, which no fit file says. */
static size_t word_of(const json_t *verdict)
{
    const char *status = cf_view_text(verdict, "status");
    size_t i = 0;

    while (i < NWORD && strcmp(status, words[i].status) != 0)
        i++;
    return i;
}

void cf_section_status(const json_t *verdict, FILE *out)
{
    size_t i = word_of(verdict);

    if (i < NWORD)
        fprintf(out, "<span class=\"status %s\">%s&nbsp;%s</span>", words[i].status, words[i].mark,
                words[i].word);
}

void cf_section_verdict(const json_t *fit, FILE *out)
{
    const json_t *verdict = cf_view(fit, "verdict");
    size_t i = word_of(verdict);

    if (i < NWORD)
        fprintf(out,
                "<section class=\"verdict %s\">\n<h2><span class=\"mark\" aria-hidden=\"true\">%s"
                "</span>%s <small>&ndash; %s</small></h2>\n<p>",
                words[i].status, words[i].mark, words[i].word,
                *cf_view_need(fit)                 ? cf_view_need(fit)
                : cf_view_true(verdict, "trusted") ? "the result may be used"
                : cf_view_partly_known(fit)        ? "what is identified may be used"
                                                   : "not to be trusted");
    cf_prose(fit, cf_view_text(verdict, "summary"), out);
    fputs("</p>\n", out);
    fputs("</section>\n", out);
}

void cf_section_why(const json_t *fit, FILE *out)
{
    const json_t *verdict = cf_view(fit, "verdict");

    cf_section_list(fit, json_object_get(verdict, "reasons"), "Why", "reasons", out);
    cf_section_list(fit, json_object_get(verdict, "advice"), "What to do", "pieces of advice", out);
}

/* The verdict, in the words "flat with lambda" where the fit has more than the one word; what it is
 * given, "fine, given k and e exactly", stands below, for it may be long. */
void cf_section_tag(const json_t *fit, const json_t *parameter, FILE *out)
{
    const char *verdict = cf_view_text(parameter, "verdict");
    const char *text = cf_view_text(parameter, "verdict_text");
    bool fine = strcmp(verdict, "fine") == 0;
    bool plain = strcmp(verdict, "held") == 0 || strcmp(verdict, "derived") == 0 ||
                 strcmp(verdict, "tied") == 0;
    const char *given = strstr(text, ", given ");

    fprintf(out, "<span class=\"tag%s\">", fine ? " fine" : plain ? "" : " warn");
    if (given)
        cf_prose_part(fit, text, (size_t) (given - text), out);
    else
        cf_prose(fit, text[0] ? text : verdict, out);
    fputs("</span>", out);
    if (!given)
        return;
    fputs("<br><span class=\"note\">", out);
    cf_prose(fit, given + strlen(", "), out);
    fputs("</span>", out);
}

void cf_section_estimate(const json_t *parameter, FILE *out)
{
    const json_t *interval = json_object_get(parameter, "interval");
    const char *unit = cf_view_text(parameter, "unit"), *side;
    double limit;

    if (!cf_view_determined(parameter)) {
        fputs("not determined", out);
        return;
    }
    side = cf_view_limit(parameter, &limit);
    if (side) {
        fprintf(out, "%s ", side);
        cf_html_number(out, limit, 3);
        cf_html_unit(out, unit);
        return;
    }
    cf_html_interval(out, cf_view_number(parameter, "value"), cf_view_number(interval, "low"),
                     cf_view_number(interval, "high"), unit);
}

/* Degrees of freedom at which a quantile of Student's t is `factor`; INFINITY: the normal one's. */
static double dof_of(double level, double factor)
{
    double low = log(0.5), high = log(1e6); /* the fewest that a fit has; as good as normal */

    if (!(factor > cf_t_quantile(level, exp(high))))
        return (double) INFINITY;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (cf_t_quantile(level, exp(middle)) > factor)
            low = middle;
        else
            high = middle;
    }
    return exp(low);
}

/* The root of a profile's threshold is a quantile of Student's t: that, and of which freedom. */
static void put_coverage(const json_t *parameter, double level, FILE *out)
{
    double factor = sqrt(cf_view_number(json_object_get(parameter, "profile"), "threshold"));
    double dof = factor > 0 ? dof_of(level, factor) : (double) NAN;

    if (isnan(dof))
        return;
    fprintf(out, "<span class=\"screen\">, coverage factor %.3g", factor);
    if (isfinite(dof))
        fprintf(out, ", <i>&nu;</i> %.3g", dof);
    fputs("</span>", out);
}

static void put_method(const json_t *parameter, FILE *out)
{
    const json_t *interval = json_object_get(parameter, "interval");
    double level = cf_view_number(interval, "level");
    const char *method = cf_view_text(interval, "method");

    if (!cf_view_determined(parameter) || !isfinite(level))
        return;
    fputs("<br><span class=\"note\">", out);
    cf_html_number(out, 100 * level, 4);
    fprintf(out, "&#8239;%% interval, %s",
            strcmp(method, "wald") == 0       ? "Wald"
            : strcmp(method, "sandwich") == 0 ? "sandwich covariance"
            : strcmp(method, "clusters") == 0 ? "jackknife over whole tosses or runs"
                                              : "profile likelihood");
    put_coverage(parameter, level, out);
    fputs("</span>", out);
}

static void put_parameter(const json_t *fit, const char *name, const json_t *parameter, FILE *out)
{
    fputs("<tr><td>", out);
    cf_html_formula(out, name);
    fputs("<br><span class=\"note\">", out);
    cf_prose(fit, cf_view_text(parameter, "what"), out);
    fputs("</span></td><td>", out);
    cf_section_estimate(parameter, out);
    put_method(parameter, out);
    fputs("</td><td>", out);
    cf_section_tag(fit, parameter, out);
    fputs("</td></tr>\n", out);
}

static void put_combinations(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Combination", "Value [interval]", "Made of"};
    const json_t *list = cf_view(fit, "combinations");

    if (!json_array_size(list))
        return;
    fputs("<h3>What the data do identify</h3>\n", out);
    cf_html_table_begin(out, heads, 3);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i), *of = json_object_get(item, "of");
        fputs("<tr><td>", out);
        cf_html_formula(out, cf_view_text(item, "name"));
        fputs("</td><td>", out);
        cf_section_estimate(item, out);
        put_method(item, out);
        fputs("</td><td>", out);
        for (size_t j = 0; j < json_array_size(of); j++) {
            fputs(j ? ", " : "", out);
            cf_html_formula(out, json_string_value(json_array_get(of, j)));
        }
        fputs("</td></tr>\n", out);
    }
    cf_html_table_end(out);
}

static void put_nuisances(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Nuisance", "Value [interval]", "Data"};
    const json_t *list = cf_view(fit, "nuisances"), *data = cf_view(fit, "data");

    if (!json_array_size(list))
        return;
    fputs("<h3>What was fitted along</h3>\n", out);
    cf_html_table_begin(out, heads, 3);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        fputs("<tr><td>", out);
        cf_html_formula(out, cf_view_text(item, "name"));
        fputs("<br><span class=\"note\">", out);
        cf_prose(fit, cf_view_text(item, "what"), out);
        fputs(cf_view_true(item, "prior") ? ", with a prior" : "", out);
        fputs("</span></td><td>", out);
        if (json_is_object(json_object_get(item, "interval"))) {
            cf_section_estimate(item, out);
            put_method(item, out);
        } else {
            fputs("not determined", out);
        }
        fputs("</td><td>", out);
        cf_html_text(out, cf_view_text(json_array_get(data, cf_view_count(item, "data")), "name"));
        fputs("</td></tr>\n", out);
    }
    cf_html_table_end(out);
}

/* Of more parameters than these only correlations of this size are told. */
enum { FEW_CORRELATED = 6 };
static const double slight = 0.3;

static void put_correlated(const json_t *fit, size_t i, FILE *out)
{
    bool logs;
    const char *name = cf_joint_name(fit, i, &logs);

    fputs(logs ? "ln " : "", out);
    cf_html_formula(out, name);
}

static void put_correlation(const json_t *fit, FILE *out)
{
    size_t n = cf_joint_count(fit);
    const char *between = " ";

    if (n < 2)
        return;
    fputs("<p class=\"note\">Correlation", out);
    if (n > FEW_CORRELATED)
        fprintf(out, ", where it is %g or more", slight);
    fputs(":", out);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            double r = cf_joint_correlation(fit, i, j);
            if (n > FEW_CORRELATED && !(fabs(r) >= slight))
                continue;
            fputs(between, out);
            between = "; ";
            put_correlated(fit, i, out);
            fputs(" with ", out);
            put_correlated(fit, j, out);
            fputs(" ", out);
            cf_html_fixed(out, r, 3);
        }
    }
    fputs(between[0] == ' ' ? " none.</p>\n" : ".</p>\n", out);
}

static void put_statistics(const json_t *fit, FILE *out)
{
    const json_t *statistics = cf_view(fit, "statistics");
    double p = cf_view_number(statistics, "chi2_p");

    fprintf(out, "<p class=\"note\">%zu measurements, %zu free parameter%s, %zu identified, ",
            cf_view_count(statistics, "n"), cf_view_count(statistics, "free"),
            cf_view_count(statistics, "free") == 1 ? "" : "s", cf_view_count(statistics, "rank"));
    fputs("<i>&chi;</i><sup>2</sup> = ", out);
    cf_html_number(out, cf_view_number(statistics, "chi2"), 4);
    fputs(" on ", out);
    cf_html_number(out, cf_view_number(statistics, "dof"), 6);
    fputs(" degrees of freedom", out);
    if (isfinite(p)) {
        fputs(" (<i>p</i> ", out);
        fputs(p < 1e-16 ? "" : "= ", out);
        cf_html_probability(out, p);
        fputs(")", out);
    } else {
        fputs(" (<i>&sigma;</i> was estimated from these residuals: <i>&chi;</i><sup>2</sup> is no "
              "test of the "
              "law)",
              out);
    }
    if (isfinite(cf_view_number(statistics, "chi2_of_data"))) {
        fputs("; of the data without the priors ", out);
        cf_html_number(out, cf_view_number(statistics, "chi2_of_data"), 4);
        fputs(" on ", out);
        cf_html_number(out, cf_view_number(statistics, "dof_of_data"), 4);
    }
    fputs("; &minus;2&#8239;ln&#8239;<i>L</i> = ", out);
    cf_html_fixed(out, cf_view_number(statistics, "minus_2_log_likelihood"), 2);
    fputs(".</p>\n", out);
}

void cf_section_parameters(const json_t *fit, FILE *out)
{
    static const char *const heads[] = {"Parameter", "Value [interval]", "Verdict"};
    const json_t *parameters = cf_view(fit, "parameters");
    const char *name;
    json_t *parameter;

    cf_html_table_begin(out, heads, 3);
    json_object_foreach((json_t *) parameters, name, parameter)
    {
        if (!cf_view_is_start(parameter))
            put_parameter(fit, name, parameter, out);
    }
    cf_html_table_end(out);
    if (cf_view_starts(fit))
        fprintf(out,
                "<p class=\"note\">Fitted along: %zu numbers of the segments&rsquo; starts, which "
                "the JSON of this result has.</p>\n",
                cf_view_starts(fit));
    put_combinations(fit, out);
    put_nuisances(fit, out);
    put_correlation(fit, out);
    put_statistics(fit, out);
}
