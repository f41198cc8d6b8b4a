/* The law against tests of its residuals: those that reject it in a table, the others in a
 * sentence.
 */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/prose.h"
#include "report/sections.h"

static void put_test(const json_t *fit, const json_t *test, const char *rejected, FILE *out)
{
    const char *data = cf_view_text(test, "data"), *channel = cf_view_text(test, "channel");

    fputs("<tr><td>", out);
    cf_prose(fit, cf_view_text(test, "test"), out);
    fputs("<br><span class=\"note\">", out);
    cf_html_text(out, data);
    if (channel[0] && strcmp(channel, data) != 0) {
        fputs(", ", out);
        cf_html_text(out, cf_channel_label(fit, channel));
    }
    fputs("</span></td><td class=\"r\">", out);
    cf_html_number(out, cf_view_number(test, "statistic"), 3);
    fputs("</td>", out);
    cf_section_outcome(fit, test, rejected, out);
}

/* The tests that reject nothing, in one sentence, which is folded where it is long; of many their
 * number. */
static void put_passed(const json_t *fit, const json_t *tests, FILE *out)
{
    enum { FEW = 4 };
    size_t n = 0;
    const char *between = "";

    for (size_t i = 0; i < json_array_size(tests); i++)
        n += !cf_view_true(json_array_get(tests, i), "rejects");
    bool folds = n > FEW && n <= CF_OPEN_ROWS, listed = n <= CF_OPEN_ROWS;
    if (n == 0)
        return;
    fputs(folds ? "<details><summary>" : "<p>", out);
    fprintf(out, n == 1 ? "1 test passes" : "%zu tests pass", n);
    fputs(folds ? "</summary>\n<p>" : listed ? ": " : "", out);
    for (size_t i = 0; i < json_array_size(tests) && listed; i++) {
        const json_t *test = json_array_get(tests, i);
        if (cf_view_true(test, "rejects"))
            continue;
        fputs(between, out);
        between = "; ";
        cf_prose(fit, cf_view_text(test, "test"), out);
        fputs(" of ", out);
        cf_html_text(out, cf_view_text(test, "data"));
        fputs(" (", out);
        cf_prose(fit, cf_view_text(test, "text"), out);
        fputs(", adjusted <i>p</i> ", out);
        fputs(cf_view_number(test, "p_adjusted") < 1e-16 ? "" : "= ", out);
        cf_html_probability(out, cf_view_number(test, "p_adjusted"));
        fputs(")", out);
    }
    fputs(folds ? ".</p>\n</details>\n" : ".</p>\n", out);
}

/* The tests that reject, in a table. */
static void put_tests(const json_t *fit, const json_t *tests, const char *rejected, FILE *out)
{
    static const char *const heads[] = {"Test", ">Statistic", "><i>p</i>", ">Adjusted <i>p</i>",
                                        "Outcome"};
    struct cf_listing listing = {.out = out,
                                 .what = "tests",
                                 .open = CF_OPEN_ROWS,
                                 .heads = heads,
                                 .nhead = sizeof heads / sizeof heads[0]};
    size_t i = SIZE_MAX;

    for (size_t k = 0; k < json_array_size(tests); k++)
        listing.n += cf_view_true(json_array_get(tests, k), "rejects");
    put_passed(fit, tests, out);
    if (!listing.n)
        return;

    if (cf_listing_is_long(listing.n, listing.open))
        fputs("<p class=\"note\">The smallest <i>p</i> first.</p>\n", out);
    cf_listing_begin(&listing);
    while ((i = cf_listing_next_test(tests, i)) != SIZE_MAX) {
        if (!cf_view_true(json_array_get(tests, i), "rejects"))
            continue;
        if (!cf_listing_next(&listing))
            break;
        put_test(fit, json_array_get(tests, i), rejected, out);
    }
    cf_listing_end(&listing);
}

void cf_section_tests(const json_t *fit, FILE *out)
{
    const json_t *tests = cf_view(fit, "tests"), *noise = cf_view(fit, "noise_tests");
    double limit = cf_view_number(cf_view(fit, "study.options"), "p_reject");

    if (!json_array_size(tests) && !json_array_size(noise))
        return;
    fputs("<p>Do the residuals look like scatter? ", out);
    if (isfinite(limit)) {
        fputs("A test rejects where its adjusted <i>p</i> is below ", out);
        cf_html_number(out, limit, 3);
        fputs("; ", out);
    }
    fputs("the adjustment allows for the number of tests.</p>\n", out);
    if (json_array_size(tests))
        put_tests(fit, tests, "rejects the law", out);
    if (json_array_size(noise)) {
        fputs("<h3>Is the noise as assumed?</h3>\n<p>Normal, of one size for each quantity, and "
              "independent from column to column: where it is not, estimates stay nearly right and "
              "intervals do not.</p>\n",
              out);
        put_tests(fit, noise, "other noise", out);
    }
}
