#include "report/sound_drawing.h"

#include <math.h>

#include "report/axis.h"
#include "report/layout.h"
#include "report/render.h"

struct sound_drawing {
    const struct cf_onsets *onsets;
    const struct cf_onset_rules *rules;
    const struct cf_sound_picture *picture;
    struct cf_stack stack;
};

/* What is told apart among onsets. */
enum kind { CLEAR, WEAK, CLIPPED, NKIND };
static const char *const colour[NKIND] = {CF_GREEN, CF_ORANGE, CF_VERMILION};
static const enum cf_marker marker[NKIND] = {CF_MARKER_TRIANGLE_DOWN, CF_MARKER_CIRCLE,
                                             CF_MARKER_SQUARE};

static enum kind kind_of(const struct cf_onset *onset)
{
    return onset->clipped ? CLIPPED : onset->weak ? WEAK : CLEAR;
}

static double middle_s(const struct sound_drawing *d, size_t column)
{
    return d->onsets->duration_s * ((double) column + 0.5) / (double) d->picture->n;
}

static double in_dB(double level)
{
    return level > 0 ? 20 * log10(level) : (double) NAN;
}

static void add_time(const struct sound_drawing *d, struct cf_panel *panel)
{
    cf_axis_linear(&panel->x, (struct cf_range){0, d->onsets->duration_s});
    cf_axis_label(&panel->x.label, "time", "t", "", "s");
}

/* Lines across the panel, behind what is heard. */
static void add_lines(const struct sound_drawing *d, struct cf_panel *panel)
{
    struct cf_chart_series *lines = cf_panel_add_series(
        panel, CF_SERIES_LINE, (struct cf_style){.colour = "#BBBBBB", .width = 0.8});

    for (size_t i = 0; i < d->onsets->n; i++) {
        double t = d->onsets->onset[i].time_s;
        cf_series_add(lines, (struct cf_datum){.x = t, .y = panel->y.range.low});
        cf_series_add(lines, (struct cf_datum){.x = t, .y = panel->y.range.high});
        cf_series_add(lines, (struct cf_datum){.x = NAN, .y = NAN});
    }
}

/* A mark above each onset of a kind, which has entry `key` where there are any. */
static void add_marks(const struct sound_drawing *d, struct cf_panel *panel, enum kind kind,
                      const char *title)
{
    const double below = 0.05; /* the frame */
    const struct cf_style style = {
        .colour = colour[kind], .marker = marker[kind], .filled = true, .size = 0.5};
    struct cf_range y = panel->y.range;
    struct cf_chart_series *marks = cf_panel_add_series(panel, CF_SERIES_POINTS, style);

    for (size_t i = 0; i < d->onsets->n; i++)
        if (kind_of(&d->onsets->onset[i]) == kind)
            cf_series_add(marks, (struct cf_datum){.x = d->onsets->onset[i].time_s,
                                                   .y = y.high - below * (y.high - y.low)});
    if (marks->n)
        cf_series_title(marks, CF_KEY_PANEL, 1 + (size_t) kind, "%s", title);
}

static void add_onsets(const struct sound_drawing *d, struct cf_panel *panel)
{
    char weak[40];

    snprintf(weak, sizeof weak, "onset below %g dB", d->rules->value[CF_ONSET_WEAK]);
    add_marks(d, panel, CLEAR, "onset");
    add_marks(d, panel, WEAK, weak);
    add_marks(d, panel, CLIPPED, "onset, clipped");
}

static void add_waveform(const struct sound_drawing *d, struct cf_chart *chart)
{
    struct cf_panel *panel = cf_stack_add_panel(&d->stack, chart);
    const struct cf_style style = {.colour = CF_BLUE, .width = 1};
    struct cf_chart_series *line;
    double highest = 0;

    for (size_t i = 0; i < d->picture->n; i++) {
        const struct cf_sound_column *c = &d->picture->column[i];
        highest = fmax(highest, fmax(-c->low, c->high));
    }
    highest = highest > 0 ? highest : 1;
    add_time(d, panel);
    cf_axis_linear(&panel->y, (struct cf_range){-1.1 * highest, 1.25 * highest});
    cf_text_add(&panel->y.label, "sound / full scale");
    add_lines(d, panel);
    line = cf_panel_add_series(panel, CF_SERIES_LINE, style);
    for (size_t i = 0; i < d->picture->n; i++) {
        const struct cf_sound_column *c = &d->picture->column[i];
        cf_series_add(line, (struct cf_datum){.x = middle_s(d, i), .y = c->low});
        cf_series_add(line, (struct cf_datum){.x = middle_s(d, i), .y = c->high});
    }
    cf_series_title(line, CF_KEY_PANEL, 0, "recording");
    add_onsets(d, panel);
}

static void add_envelope(const struct sound_drawing *d, struct cf_chart *chart)
{
    struct cf_panel *panel = cf_stack_add_panel(&d->stack, chart);
    struct cf_range range = CF_RANGE_EMPTY;
    struct cf_chart_series *envelope = cf_panel_add_series(
        panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_BLUE, .width = 1});
    struct cf_chart_series *threshold = cf_panel_add_series(
        panel, CF_SERIES_LINE, (struct cf_style){.colour = CF_INK, .width = 1, .dash = "3,3"});

    for (size_t i = 0; i < d->picture->n; i++) {
        double x = middle_s(d, i), y = in_dB(d->picture->column[i].envelope);
        double limit = in_dB(d->picture->column[i].threshold);
        cf_series_add(envelope, (struct cf_datum){.x = x, .y = y});
        cf_series_add(threshold, (struct cf_datum){.x = x, .y = limit});
        cf_range_include(&range, y);
        cf_range_include(&range, limit);
    }
    cf_range_include(&range, in_dB(d->onsets->noise));
    cf_range_pad(&range, 0.08);
    add_time(d, panel);
    cf_axis_linear(&panel->y, range);
    cf_text_add(&panel->y.label, "envelope / dB");
    cf_series_title(envelope, CF_KEY_PANEL, 0, "rms of %g ms",
                    1e3 * d->rules->value[CF_ONSET_ENVELOPE]);
    cf_series_title(threshold, CF_KEY_PANEL, 1, "threshold, at its lowest");
}

int cf_sound_drawing_chart(const struct cf_onsets *onsets, const struct cf_onset_rules *rules,
                           const struct cf_sound_picture *picture, struct cf_chart *chart,
                           struct cf_error *err)
{
    struct sound_drawing d = {onsets, rules, picture, {.height = 2.2, .count = 2, .above = 0.12}};

    cf_stack_chart(&d.stack, chart);
    add_waveform(&d, chart);
    add_envelope(&d, chart);
    return cf_chart_status(chart, err);
}
