/* The table of figures, and how a row becomes an image. */

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "report/channel.h"
#include "report/chart_words.h"
#include "report/figures.h"
#include "report/render.h"

const struct cf_figure *const cf_figures[] = {
    &cf_figure_tournament,  &cf_figure_headline_log,    &cf_figure_headline,
    &cf_figure_difference,  &cf_figure_loops,       &cf_figure_prediction,      &cf_figure_stribeck,
    &cf_figure_segments,    &cf_figure_measurements,    &cf_figure_residuals,
    &cf_figure_quantiles,   &cf_figure_autocorrelation, &cf_figure_profiles,
    &cf_figure_correlation, &cf_figure_marginals,       &cf_figure_chains,
    &cf_figure_predictive,  &cf_figure_starts,          &cf_figure_evidence,
    &cf_figure_agreement,   &cf_figure_simulators,      NULL,
};

const char *cf_figure_name(const struct cf_figure *figure, const json_t *fit,
                           char out[CF_FIGURE_NAME])
{
    return cf_words(fit, figure->name, out, CF_FIGURE_NAME);
}

const char *cf_figure_what(const struct cf_figure *figure, const json_t *fit, char out[],
                           size_t size)
{
    return cf_words(fit, figure->what, out, size);
}

const struct cf_figure *cf_figure_find(const json_t *fit, const char *name)
{
    char own[CF_FIGURE_NAME];

    for (const struct cf_figure *const *figure = cf_figures; *figure; figure++)
        if (strcmp(cf_figure_name(*figure, fit, own), name) == 0 ||
            strcmp(cf_figure_name(*figure, NULL, own), name) == 0)
            return *figure;
    return NULL;
}

int cf_figure_chart(const struct cf_figure *figure, const json_t *fit, struct cf_chart *chart,
                    struct cf_error *err)
{
    cf_chart_init(chart, 0, 0);
    int status = figure->chart(fit, chart, err);
    return status ? status : cf_chart_status(chart, err);
}

int cf_figure_words(const struct cf_figure *figure, const json_t *fit, char **words,
                    struct cf_error *err)
{
    struct cf_chart chart;
    struct cf_text_stream text;
    int status = cf_figure_chart(figure, fit, &chart, err);

    if (cf_text_begin(&text) && !status)
        cf_chart_words(&chart, text.out);
    cf_chart_free(&chart);
    if (!cf_text_end(&text) && !status)
        status = cf_fail(err, CF_ENOMEM, "no memory for the words of a figure");
    if (status)
        free(text.bytes);
    *words = status ? NULL : text.bytes;
    return status;
}
