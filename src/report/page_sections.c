/* What a fit's page folds away, in its order: a section is a row of parts, each a text or a figure.
 */

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "report/channel.h"
#include "report/figures.h"
#include "report/sections.h"

enum { MOST_PARTS = 8 };

struct part {
    const char *title; /* HTML; NULL: none, or that of the figure */
    void (*write)(const json_t *fit, FILE *out);
    const struct cf_figure *figure;
    bool screen; /* not on paper, though the rest of the section is */
};

struct section {
    const char *id, *link, *title; /* HTML */
    bool print;                    /* paper has it, too */
    bool one_law;                  /* but that of a tournament, which is about all laws */
    struct part part[MOST_PARTS];
    bool others; /* the figures that no row has */
};

static const struct section sections[] = {
    {.id = "why",
     .link = "Why",
     .title = "Why, and what to do",
     .print = true,
     .part = {{NULL, cf_section_why, NULL}}},
    {.id = "near",
     .link = "How near",
     .title = "How near the curve is to what was measured",
     .print = false,
     .part = {{NULL, cf_section_nearness, NULL}, {NULL, NULL, &cf_figure_difference}}},
    {.id = "the-tournament",
     .link = "Tournament",
     .title = "The tournament",
     .print = true,
     .part = {{NULL, cf_section_tournament, NULL}, {NULL, NULL, &cf_figure_tournament}}},
    {.id = "parameters",
     .link = "Parameters",
     .title = "Parameters",
     .print = true,
     .part = {{NULL, cf_section_parameters, NULL}}},
    {.id = "budget",
     .link = "Budget",
     .title = "Uncertainty budget",
     .print = false,
     .part = {{NULL, cf_section_budget, NULL}}},
    {.id = "intervals",
     .link = "Intervals",
     .title = "Intervals side by side",
     .print = false,
     .part = {{NULL, cf_section_intervals, NULL}}},
    {.id = "views",
     .link = "Other views",
     .title = "Other views of the data",
     .print = false,
     .part = {{NULL, NULL, &cf_figure_headline},
              {NULL, NULL, &cf_figure_prediction},
              {NULL, NULL, &cf_figure_stribeck},
              {NULL, NULL, &cf_figure_loops},
              {NULL, NULL, &cf_figure_segments},
              {NULL, NULL, &cf_figure_measurements}}},
    {.id = "scatter",
     .link = "Residuals",
     .title = "Residuals and their tests",
     .print = true,
     .one_law = true,
     .part = {{NULL, NULL, &cf_figure_residuals},
              {"Residual tests", cf_section_tests, NULL},
              {NULL, NULL, &cf_figure_quantiles, true},
              {NULL, NULL, &cf_figure_autocorrelation, true}}},
    {.id = "identified",
     .link = "Identification",
     .title = "How well the parameters are identified",
     .print = false,
     .part = {{NULL, NULL, &cf_figure_profiles},
              {NULL, NULL, &cf_figure_correlation},
              {NULL, NULL, &cf_figure_starts},
              {NULL, NULL, &cf_figure_agreement},
              {NULL, NULL, &cf_figure_marginals},
              {NULL, NULL, &cf_figure_chains},
              {NULL, NULL, &cf_figure_predictive}}},
    {.id = "rivals",
     .link = "Rivals",
     .title = "Rival laws",
     .print = false,
     .part = {{NULL, cf_section_rivals, NULL}}},
    {.id = "differences",
     .link = "AICc",
     .title = "Differences of AICc",
     .print = false,
     .part = {{NULL, NULL, &cf_figure_evidence}}},
    {.id = "channels",
     .link = "Channels",
     .title = "Do the channels agree?",
     .print = false,
     .part = {{NULL, cf_section_agreement_channels, NULL}}},
    {.id = "sets",
     .link = "Data sets",
     .title = "Which data set identifies what, and do they agree?",
     .print = false,
     .part = {{NULL, cf_section_agreement_sets, NULL}}},
    {.id = "priors",
     .link = "Priors",
     .title = "Priors",
     .print = false,
     .part = {{NULL, cf_section_priors, NULL}}},
    {.id = "smoothing",
     .link = "Smoothing",
     .title = "Smoothing of the recorded motion",
     .print = false,
     .part = {{NULL, cf_section_smoothness, NULL}}},
    {.id = "errors",
     .link = "Errors",
     .title = "What is assumed of the errors",
     .print = false,
     .part = {{NULL, cf_section_errors, NULL}}},
    {.id = "rows",
     .link = "Rows",
     .title = "Rows to look at",
     .print = false,
     .part = {{NULL, cf_section_outliers, NULL}}},
    {.id = "held-out",
     .link = "Held out",
     .title = "Rows held out of the fit",
     .print = false,
     .part = {{NULL, cf_section_held_out, NULL}}},
    {.id = "in-simulators",
     .link = "Simulators",
     .title = "In your simulator",
     .print = false,
     .part = {{NULL, cf_section_simulators, NULL}, {NULL, NULL, &cf_figure_simulators}}},
    {.id = "plausible",
     .link = "Plausible",
     .title = "Plausible",
     .print = false,
     .part = {{NULL, cf_section_plausible, NULL}}},
    {.id = "figures", .link = "Figures", .title = "Other figures", .others = true},
    {.id = "data",
     .link = "Data",
     .title = "Data",
     .print = true,
     .part = {{NULL, cf_section_data, NULL}}},
    {.id = "law",
     .link = "Law",
     .title = "The law",
     .print = true,
     .part = {{NULL, cf_section_law, NULL}}},
    {.id = "making",
     .link = "Provenance",
     .title = "How this was made",
     .print = true,
     .part = {{NULL, cf_section_making, NULL}}},
};
enum { NSECTION = sizeof sections / sizeof sections[0] };

/* What is being written. */
struct place {
    const json_t *fit;
    const char *prefix;
    const struct cf_figure *first;
    struct cf_plotter *plotter;
    struct cf_error *err;
};

void cf_fold_begin(const char *id, const char *title, bool print, FILE *out)
{
    fprintf(out,
            "<details class=\"fold%s\">\n<summary><h2>%s</h2></summary>\n<section id=\"%s\">\n",
            print ? " print" : "", title, id);
}

void cf_fold_end(FILE *out)
{
    fputs("</section>\n</details>\n", out);
}

static int write_part(const struct place *to, const struct part *part, FILE *out)
{
    const struct cf_figure *figure = part->figure;

    if (figure && (figure == to->first || !figure->applies(to->fit)))
        return CF_OK;
    if (!figure) {
        part->write(to->fit, out);
        return CF_OK;
    }
    fputs("<h3>", out);
    cf_words_html(to->fit, figure->title, out);
    fputs("</h3>\n", out);
    return cf_page_figure(figure, to->fit, to->prefix, to->plotter, out, to->err);
}

/* Behind its title, where there is something. */
static int append_part(const struct place *to, const struct part *part, FILE *out)
{
    struct cf_text_stream text;
    int status = cf_text_begin(&text) ? write_part(to, part, text.out) : CF_OK;

    if (!cf_text_end(&text) && !status)
        status = cf_fail(to->err, CF_ENOMEM, "no memory for a page");
    if (!status && text.size > 0) {
        fputs(part->screen ? "<div class=\"screen\">\n" : "", out);
        if (part->title)
            fprintf(out, "<h3>%s</h3>\n", part->title);
        fwrite(text.bytes, 1, text.size, out);
        fputs(part->screen ? "</div>\n" : "", out);
    }
    free(text.bytes);
    return status;
}

/* Does a row above have it? */
static bool is_placed(const struct cf_figure *figure)
{
    for (size_t i = 0; i < NSECTION; i++)
        for (size_t k = 0; k < MOST_PARTS; k++)
            if (sections[i].part[k].figure == figure)
                return true;
    return false;
}

/* Figures that no row has: a new figure is on the page as soon as it is in the table of figures. */
static int append_others(const struct place *to, FILE *out)
{
    int status = CF_OK;

    for (const struct cf_figure *const *figure = cf_figures; *figure && !status; figure++)
        if (!is_placed(*figure))
            status = append_part(to, &(struct part){.figure = *figure}, out);
    return status;
}

static int write_section(const struct place *to, const struct section *section, FILE *links,
                         FILE *out)
{
    char id[80];
    struct cf_text_stream text;
    bool begun = cf_text_begin(&text);
    int status = CF_OK;

    for (size_t i = 0; begun && i < MOST_PARTS && !status; i++)
        if (section->part[i].write || section->part[i].figure)
            status = append_part(to, &section->part[i], text.out);
    if (begun && section->others && !status)
        status = append_others(to, text.out);
    if (!cf_text_end(&text) && !status)
        status = cf_fail(to->err, CF_ENOMEM, "no memory for a page");
    if (!status && text.size > 0) {
        snprintf(id, sizeof id, "%s%s", to->prefix, section->id);
        fprintf(links, "<li><a href=\"#%s\">%s</a></li>\n", id, section->link);
        bool all_laws = json_object_get(to->fit, "tournament") != NULL;
        cf_fold_begin(id, section->title, section->print && !(section->one_law && all_laws), out);
        fwrite(text.bytes, 1, text.size, out);
        cf_fold_end(out);
    }
    free(text.bytes);
    return status;
}

int cf_page_sections(const json_t *fit, const char *prefix, const struct cf_figure *first,
                     struct cf_plotter *plotter, FILE *links, FILE *out, struct cf_error *err)
{
    const struct place to = {fit, prefix, first, plotter, err};
    int status = CF_OK;

    for (size_t i = 0; i < NSECTION && !status; i++)
        status = write_section(&to, &sections[i], links, out);
    return status;
}
