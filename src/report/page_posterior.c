/* What the sampler has sampled: priors, the errors that were sampled along with the parameters, and
 * how long it took. */

#include <math.h>
#include <string.h>

#include "document/view.h"
#include "report/channel.h"
#include "report/html.h"
#include "report/prose.h"
#include "report/sections.h"

/* So many of the numbers of the errors are told on the page; the fit file has all. */
static const size_t most_told = 12;

static void put_priors(const json_t *fit, const json_t *parameters, FILE *out)
{
    const char *name, *before = "";
    json_t *p;

    json_object_foreach((json_t *) parameters, name, p)
    {
        fputs(before, out);
        cf_html_formula(out, name);
        fputs(" ", out);
        cf_prose(fit, cf_view_text(p, "prior"), out);
        before = "; ";
    }
}

/* What was measured, or a parameter that groups differ in. */
static void put_whose(const json_t *fit, const json_t *number, FILE *out)
{
    if (*cf_view_text(number, "parameter"))
        cf_html_formula(out, cf_view_text(number, "parameter"));
    else
        cf_html_text(out, cf_channel_label(fit, cf_view_text(number, "channel")));
}

/* "tau of ratio, shared by the rows of one throw". */
static void put_name(const json_t *fit, const json_t *number, FILE *out)
{
    const char *kind = cf_view_text(number, "kind");

    if (strcmp(kind, "correlation") == 0)
        fputs("correlation", out);
    else if (strcmp(kind, "partial") == 0)
        fprintf(out, "partial autocorrelation of the errors at lag %zu",
                cf_view_count(number, "lag"));
    else if (strcmp(kind, "slow-share") == 0)
        fputs("share of the slow part in the variance", out);
    else
        fputs(strcmp(kind, "tau") == 0 ? "<i>&tau;</i>" : "<i>&sigma;</i>", out);
    fputs(strcmp(kind, "record") == 0 ? " of each " : " of ", out);
    put_whose(fit, number, out);
    if (*cf_view_text(number, "with")) {
        fputs(" with ", out);
        cf_html_text(out, cf_channel_label(fit, cf_view_text(number, "with")));
    }
    if (*cf_view_text(number, "data")) {
        fputs(" in ", out);
        cf_html_text(out, cf_view_text(number, "data"));
    }
    if (*cf_view_text(number, "level")) {
        fputs(", shared by the rows of one ", out);
        cf_html_text(out, cf_view_text(number, "level"));
    }
    if (strcmp(kind, "base") == 0)
        fputs(", the same in all rows", out);
    if (strcmp(kind, "slope") == 0)
        fputs(", that grows along the axis, at 1 of it", out);
}

static void put_noise(const json_t *fit, const json_t *noise, FILE *out)
{
    size_t n = json_array_size(noise), i;
    json_t *number;

    if (!n)
        return;
    fputs(" Sampled along, from the likelihood of all rows with the errors that they share:<ul>",
          out);
    json_array_foreach((json_t *) noise, i, number)
    {
        if (i == most_told)
            break;
        fputs("<li>", out);
        put_name(fit, number, out);
        fputs(": ", out);
        cf_html_interval(out, cf_view_number(number, "median"), cf_view_number(number, "low"),
                         cf_view_number(number, "high"), cf_view_text(number, "unit"));
        fputs("; prior: ", out);
        cf_prose(fit, cf_view_text(number, "prior"), out);
        fputs("</li>", out);
    }
    if (n > most_told)
        fprintf(out, "<li>and %zu more, in the fit file</li>", n - most_told);
    fputs("</ul>", out);
}

/* Is how errors of a channel follow each other among what was sampled? */
static bool is_sampled(const json_t *noise, const json_t *serial)
{
    size_t i;
    json_t *number;

    json_array_foreach((json_t *) noise, i, number)
    {
        if (strcmp(cf_view_text(number, "kind"), "partial") == 0 &&
            strcmp(cf_view_text(number, "data"), cf_view_text(serial, "data")) == 0 &&
            strcmp(cf_view_text(number, "channel"), cf_view_text(serial, "channel")) == 0)
            return true;
    }
    return false;
}

/* What the errors have that is not sampled. */
static void put_held(const json_t *fit, const json_t *noise, FILE *out)
{
    const json_t *errors = cf_view(fit, "errors");
    size_t i;
    json_t *of;

    json_array_foreach(json_object_get(errors, "serial"), i, of)
    {
        if (strcmp(cf_view_text(of, "model"), "white") == 0 || is_sampled(noise, of))
            continue;
        fputs(" How errors of ", out);
        cf_html_text(out, cf_channel_label(fit, cf_view_text(of, "channel")));
        fputs(" follow each other from row to row is held at its estimate.", out);
    }
    json_array_foreach(json_object_get(errors, "shared"), i, of)
    {
        if (cf_view_true(of, "identified"))
            continue;
        fputs(" The error of ", out);
        put_whose(fit, of, out);
        fputs(" that rows of one ", out);
        cf_html_text(out, cf_view_text(of, "level"));
        fputs(" share is taken as 0: the data do not identify it.", out);
    }
}

void cf_page_posterior(const json_t *fit, const json_t *posterior, FILE *out)
{
    fputs("<li><b>Posterior</b>: ", out);
    if (!cf_view_true(posterior, "converged")) {
        fputs("not shown: ", out);
        cf_prose(fit, cf_view_text(posterior, "why"), out);
        fputs(".</li>\n", out);
        return;
    }
    fputs("median and equal tails. Prior: ", out);
    put_priors(fit, json_object_get(posterior, "parameters"), out);
    if (json_array_size(cf_view(fit, "nuisances")))
        fputs("; what was fitted along is integrated out", out);
    fprintf(out,
            ". %zu ensembles of %zu walkers, %zu steps each after %zu of warm-up; R&#770; at most ",
            cf_view_count(posterior, "ensembles"), cf_view_count(posterior, "walkers"),
            cf_view_count(posterior, "steps"), cf_view_count(posterior, "warm_up"));
    cf_html_fixed(out, cf_view_number(posterior, "rhat_max"), 4);
    fputs(", effective sample size at least ", out);
    cf_html_fixed(out, cf_view_number(posterior, "ess_min"), 0);
    fputs(".", out);
    put_held(fit, json_object_get(posterior, "noise"), out);
    put_noise(fit, json_object_get(posterior, "noise"), out);
    fputs("</li>\n", out);
}
