#include "report/chart.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Room for one more of n things of this size; NULL when there is none. */
static void *grow(void *things, size_t n, size_t *room, size_t size)
{
    if (n < *room)
        return things;
    size_t more = *room ? 2 * *room : 8;
    void *larger = more <= SIZE_MAX / size ? realloc(things, more * size) : NULL;
    if (larger)
        *room = more;
    return larger;
}

void cf_chart_init(struct cf_chart *chart, double width, double height)
{
    *chart = (struct cf_chart){.width = width, .height = height, .key_sample = CF_SAMPLE_LINE};
}

static void free_panel(struct cf_panel *panel)
{
    for (size_t i = 0; i < panel->nseries; i++) {
        free(panel->series[i]->datum);
        free(panel->series[i]);
    }
    free(panel->series);
    free(panel->note);
    free(panel->spare.datum);
    free(panel->x.tic);
    free(panel->y.tic);
    free(panel->z.tic);
}

void cf_chart_free(struct cf_chart *chart)
{
    for (size_t i = 0; i < chart->npanel; i++) {
        free_panel(chart->panel[i]);
        free(chart->panel[i]);
    }
    free(chart->panel);
    free_panel(&chart->spare);
    cf_chart_init(chart, 0, 0);
}

static bool panel_failed(const struct cf_panel *panel)
{
    bool failed = panel->failed || panel->x.failed || panel->y.failed || panel->z.failed;

    for (size_t i = 0; i < panel->nseries; i++)
        failed = failed || panel->series[i]->failed;
    return failed;
}

int cf_chart_status(const struct cf_chart *chart, struct cf_error *err)
{
    bool failed = chart->failed;

    for (size_t i = 0; i < chart->npanel; i++)
        failed = failed || panel_failed(chart->panel[i]);
    return failed ? cf_fail(err, CF_ENOMEM, "no memory for a figure") : CF_OK;
}

struct cf_panel *cf_chart_add_panel(struct cf_chart *chart)
{
    void *panels = grow(chart->panel, chart->npanel, &chart->room, sizeof *chart->panel);
    struct cf_panel *panel = panels ? calloc(1, sizeof *panel) : NULL;

    if (panels)
        chart->panel = panels;
    if (!panel) {
        chart->failed = true;
        return &chart->spare;
    }
    chart->panel[chart->npanel++] = panel;
    return panel;
}

struct cf_chart_series *cf_panel_add_series(struct cf_panel *panel, enum cf_series_kind kind,
                                            struct cf_style style)
{
    void *all = grow(panel->series, panel->nseries, &panel->room, sizeof(struct cf_chart_series *));
    struct cf_chart_series *series = all ? calloc(1, sizeof *series) : NULL;

    if (all)
        panel->series = all;
    if (!series) {
        panel->failed = true;
        return &panel->spare;
    }
    series->kind = kind;
    series->style = style;
    panel->series[panel->nseries++] = series;
    return series;
}

void cf_panel_add_rule(struct cf_panel *panel, struct cf_rule rule)
{
    if (panel->nrule < CF_PANEL_RULES)
        panel->rule[panel->nrule++] = rule;
}

void cf_panel_add_note(struct cf_panel *panel, double x, double y, const char *words, ...)
{
    void *larger = grow(panel->note, panel->nnote, &panel->note_room, sizeof *panel->note);
    char text[CF_TEXT_SIZE];
    va_list args;

    if (!larger) {
        panel->failed = true;
        return;
    }
    panel->note = larger;
    struct cf_note *note = &panel->note[panel->nnote++];
    *note = (struct cf_note){.x = x, .y = y};
    va_start(args, words);
    vsnprintf(text, sizeof text, words, args);
    va_end(args);
    cf_text_add(&note->text, "%s", text);
}

void cf_series_add(struct cf_chart_series *series, struct cf_datum datum)
{
    void *larger = grow(series->datum, series->n, &series->room, sizeof datum);

    if (!larger) {
        series->failed = true;
        return;
    }
    series->datum = larger;
    series->datum[series->n++] = datum;
}

void cf_axis_add_tic(struct cf_chart_axis *axis, double value, const char *label, ...)
{
    void *larger = grow(axis->tic, axis->ntic, &axis->room, sizeof *axis->tic);
    va_list args;

    if (!larger) {
        axis->failed = true;
        return;
    }
    axis->tic = larger;
    struct cf_tic *tic = &axis->tic[axis->ntic++];
    *tic = (struct cf_tic){.value = value};
    va_start(args, label);
    vsnprintf(tic->label, sizeof tic->label, label, args);
    va_end(args);
}

struct cf_text cf_tic_text(const struct cf_tic *tic)
{
    struct cf_text text = {0};
    bool negative = tic->label[0] == '-';

    if (tic->power && tic->label[0])
        cf_text_power(&text, atoi(tic->label));
    else
        cf_text_add(&text, "%s%s", negative ? "−" : "", tic->label + negative);
    return text;
}
