/* Fitted parameters together in words: which two lie along each other, what would part them. */

#include "report/joint.h"

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"

/* The name in row i of the covariance, without its logarithm. */
static const char *name_in_row(const json_t *fit, size_t i, bool *logs)
{
    const char *name = json_string_value(json_array_get(cf_view(fit, "covariance.names"), i));

    *logs = name && strncmp(name, "ln ", 3) == 0;
    return !name ? "" : *logs ? name + 3 : name;
}

/* The row of the i-th that is no start of a segment; behind the last, how many rows there are. */
static size_t row_of(const json_t *fit, size_t i)
{
    const json_t *parameters = json_object_get(fit, "parameters");
    size_t row = 0, n = json_array_size(cf_view(fit, "covariance.names"));
    bool logs;

    for (; row < n; row++) {
        if (cf_view_is_start(json_object_get(parameters, name_in_row(fit, row, &logs))))
            continue;
        if (i-- == 0)
            return row;
    }
    return n;
}

static double item(const json_t *fit, const char *matrix, size_t a, size_t b)
{
    return cf_view_item(json_array_get(cf_view(fit, matrix), row_of(fit, a)), row_of(fit, b));
}

double cf_joint_correlation(const json_t *fit, size_t a, size_t b)
{
    return item(fit, "covariance.correlation", a, b);
}

double cf_joint_covariance(const json_t *fit, size_t a, size_t b)
{
    return item(fit, "covariance.matrix", a, b);
}

const char *cf_joint_name(const json_t *fit, size_t i, bool *logs)
{
    return name_in_row(fit, row_of(fit, i), logs);
}

size_t cf_joint_count(const json_t *fit)
{
    return json_array_size(cf_view(fit, "covariance.names")) - cf_view_starts(fit);
}

/* Does the protocol measure channels that some laws do not predict, and were none of them? Their
 * labels, with "or" before the last. */
static bool put_missing(const json_t *fit, FILE *html)
{
    const json_t *channels = json_object_get(json_array_get(cf_view(fit, "data"), 0), "channels");
    const json_t *channel, *o;
    size_t i, n = 0, left;

    json_array_foreach(cf_view(fit, "observations"), i, o)
    {
        if (!cf_view_true(cf_row_channel(fit, o), "all_laws"))
            return false;
    }
    json_array_foreach(channels, i, channel)
    {
        n += cf_view_is_false(channel, "all_laws");
    }
    left = n;
    json_array_foreach(channels, i, channel)
    {
        if (!cf_view_is_false(channel, "all_laws"))
            continue;
        fputs(left == n   ? "More of the same data shorten it slowly; a "
              : left == 1 ? " or "
                          : ", ",
              html);
        cf_html_text(html, cf_view_text(channel, "label"));
        left--;
    }
    if (n)
        cf_words_html(fit, " at a known {axis} breaks it.", html);
    return n > 0;
}

static void strongest(const json_t *fit, size_t *a, size_t *b)
{
    *a = 0;
    *b = 1;
    for (size_t i = 0; i < cf_joint_count(fit); i++)
        for (size_t j = i + 1; j < cf_joint_count(fit); j++)
            if (fabs(cf_joint_correlation(fit, i, j)) > fabs(cf_joint_correlation(fit, *a, *b))) {
                *a = i;
                *b = j;
            }
}

static void caption_mild(double r, FILE *html)
{
    const double slight = 0.3; /* below it, knowing one narrows the other by less than 5 % */

    if (fabs(r) < slight)
        fputs(". The parameters are identified nearly independently of each other.", html);
    else
        fprintf(html,
                ". Were one of the two known, the interval of the other would be narrower by "
                "%.0f&#8239;%%.",
                100 * (1 - sqrt(1 - r * r)));
}

void cf_joint_caption(const json_t *fit, FILE *html)
{
    const double strong = 0.9; /* the width left is below half of the whole one: sqrt(1 - r^2) */
    size_t a, b;
    bool logs;

    fputs("Where parameters lie together: the ellipses hold 68&#8239;% and 95&#8239;% of the "
          "probability, as far as the covariance at the best fit shows",
          html);
    if (cf_view_true(cf_view(fit, "posterior"), "converged"))
        fputs("; points are draws from the posterior", html);
    if (strcmp(cf_view_text(cf_view(fit, "verdict"), "status"), "misfit") == 0)
        fputs("; that the law misses the data by more than their scatter is not counted in them",
              html);
    strongest(fit, &a, &b);
    double r = cf_joint_correlation(fit, a, b);
    fputs(cf_joint_count(fit) > 2 ? ". The strongest correlation is that of "
                                  : ". The correlation of ",
          html);
    cf_html_formula(html, cf_joint_name(fit, a, &logs));
    fputs(" and ", html);
    cf_html_formula(html, cf_joint_name(fit, b, &logs));
    fputs(cf_joint_count(fit) > 2 ? ": " : " is ", html);
    cf_html_fixed(html, r, 2);
    if (!(fabs(r) > strong)) {
        caption_mild(r, html);
        return;
    }
    fprintf(
        html,
        ". A long and thin ellipse means that the data identify one combination of the two much "
        "better than either: %s. ",
        r > 0 ? "where one is raised, the other rises with it and the fit stays as good"
              : "where one is raised, the other falls and the fit stays as good");
    if (!put_missing(fit, html))
        cf_words_html(fit,
                      "More of the same data shorten it slowly; measurements over a wider range of "
                      "{axis}, or with another mass, break it.",
                      html);
}
