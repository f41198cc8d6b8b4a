#include "report/settle.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/abreast.h"
#include "report/axis.h"
#include "report/layout.h"
#include "report/settle_key.h"
#include "report/settle_note.h"
#include "report/text_width.h"

/* Inches: about texts; from a frame to the labels beside it; from the middle of a line of letters
 * to its end. */
static const double about = 0.06, tic_gap = 0.205, half_line = 0.095;

/* ---- tics */

/* A label of an axis: where its middle is [inches along the axis], and half of its size. */
struct label {
    double at, half;
};

/* From 0 to 1 along the axis. */
static double share_of(const struct cf_chart_axis *axis, double value)
{
    double low = axis->range.low, high = axis->range.high;
    return axis->logarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low);
}

static size_t steps_of(const struct cf_chart_axis *axis)
{
    double n =
        floor(axis->range.high / axis->step + 1e-9) - ceil(axis->range.low / axis->step - 1e-9) + 1;
    return n > 0 && n < 1e3 ? (size_t) n : 0;
}

static size_t labels_of(const struct cf_chart_axis *axis)
{
    if (!(axis->range.low < axis->range.high))
        return 0;
    return axis->tics == CF_TICS_LIST ? axis->ntic : axis->step > 0 ? steps_of(axis) : 0;
}

/* Of tic i as a text; its value. */
static double tic_text(const struct cf_chart_axis *axis, size_t i, struct cf_text *text)
{
    double value;

    *text = (struct cf_text){0};
    if (axis->tics == CF_TICS_LIST) {
        *text = cf_tic_text(&axis->tic[i]);
        return axis->tic[i].value;
    }
    value = axis->step * (ceil(axis->range.low / axis->step - 1e-9) + (double) i);
    /* the sign is drawn as a minus, which is wider than a hyphen */
    cf_text_add(text, "%s%.*f", value < 0 ? "−" : "", axis->decimals, fabs(value));
    return value;
}

/* false: a tic without a label. */
static bool label_at(const struct cf_chart_axis *axis, bool along, double length, size_t i,
                     struct label *out)
{
    struct cf_text text;
    double value = tic_text(axis, i, &text);

    out->at = length * share_of(axis, value);
    out->half = along ? CF_TEXT_SIZE_IN * cf_text_width(&text) / 2 : half_line;
    return cf_text_width(&text) > 0;
}

/* Which labels of a list stay. */
struct choice {
    long every;      /* so manieth; 1: all */
    double distance; /* of two labelled tics */
    bool by_power;   /* powers of ten first, then every so manieth of them */
};

static bool is_power(double value)
{
    double power = log10(fabs(value));
    return fabs(power - round(power)) < 1e-9;
}

/* Where there are not two powers of ten: round multiples of the tics' distance. */
static bool stays(const struct cf_chart_axis *axis, size_t i, const struct choice *choice)
{
    double value;

    if (axis->tics != CF_TICS_LIST || choice->every == 1)
        return true;
    value = axis->tic[i].value;
    if (!choice->by_power)
        return labs(lround(value / choice->distance)) % choice->every == 0;
    return is_power(value) && labs(lround(log10(fabs(value)))) % (choice->every - 1) == 0;
}

/* Does a label reach another? Along: they stand beside each other, else over each other. */
static bool crowded(const struct cf_chart_axis *axis, bool along, double length,
                    const struct choice *choice)
{
    double end = -DBL_MAX;

    for (size_t i = 0; i < labels_of(axis); i++) {
        struct label label;
        if (!stays(axis, i, choice) || !label_at(axis, along, length, i, &label))
            continue;
        if (label.at - label.half < end + (along ? about : 0))
            return true;
        end = label.at + label.half;
    }
    return false;
}

static void thin_list(struct cf_chart_axis *axis, bool along, double length, struct choice choice)
{
    double before = (double) NAN;
    size_t powers = 0;

    for (size_t i = 0; i < axis->ntic; i++) {
        double value = axis->tic[i].value;
        if (!axis->tic[i].label[0])
            continue;
        powers += is_power(value);
        choice.distance = fmin(choice.distance, isnan(before) ? DBL_MAX : value - before);
        before = value;
    }
    choice.by_power = axis->logarithmic && powers > 1;
    while (crowded(axis, along, length, &choice)) /* one label alone is not */
        choice.every++;
    for (size_t i = 0; i < axis->ntic; i++)
        if (!stays(axis, i, &choice))
            axis->tic[i].label[0] = '\0';
}

static void thin(struct cf_chart_axis *axis, bool along, double length)
{
    const struct choice all = {.every = 1, .distance = DBL_MAX};

    if (axis->tics == CF_TICS_LIST)
        thin_list(axis, along, length, all);
    else
        while (crowded(axis, along, length, &all))
            cf_axis_sparser(axis);
}

/* ---- margins */

/* The widest label beside a frame. */
static double widest(const struct cf_chart_axis *axis)
{
    double width = 0;

    for (size_t i = 0; i < labels_of(axis); i++) {
        struct cf_text text;
        tic_text(axis, i, &text);
        width = fmax(width, CF_TEXT_SIZE_IN * cf_text_width(&text));
    }
    return width;
}

static bool same(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* Are two panels side by side? */
static bool abreast(const struct cf_panel *a, const struct cf_panel *b)
{
    return a->bottom < b->top && b->bottom < a->top;
}

/* Where the letters to the left of a panel's end: the label of its axis, a panel, or the edge. */
static double left_of(const struct cf_chart *chart, const struct cf_panel *panel)
{
    double left = panel->y.label.nrun ? panel->y.label_at + half_line : 0;

    for (size_t i = 0; i < chart->npanel; i++)
        if (abreast(chart->panel[i], panel) && chart->panel[i]->right < panel->left)
            left = fmax(left, chart->panel[i]->right);
    return left + about;
}

/* Frames below each other begin on one line, behind the widest of their labels. */
static void settle_left(struct cf_chart *chart, const struct cf_panel *first)
{
    double old = first->left, left = old;

    for (size_t i = 0; i < chart->npanel; i++)
        if (!chart->panel[i]->space && same(chart->panel[i]->left, old))
            left =
                fmax(left, left_of(chart, chart->panel[i]) + widest(&chart->panel[i]->y) + tic_gap);
    for (size_t i = 0; i < chart->npanel; i++)
        if (!chart->panel[i]->space && same(chart->panel[i]->left, old))
            chart->panel[i]->left = left;
}

/* Where labels below a panel must end: before those of the next, or at the edge. */
static double right_of(const struct cf_chart *chart, const struct cf_panel *panel)
{
    double right = chart->width;

    for (size_t i = 0; i < chart->npanel; i++) {
        const struct cf_panel *next = chart->panel[i];
        if (!abreast(next, panel) || next->left < panel->right)
            continue;
        for (size_t k = 0; k < labels_of(&next->x); k++) {
            struct label label;
            if (label_at(&next->x, true, next->right - next->left, k, &label))
                right = fmin(right, next->left + label.at - label.half - about);
        }
    }
    return right - about;
}

/* Frames below each other end on one line, so that their last labels have room. */
static void settle_right(struct cf_chart *chart, const struct cf_panel *first)
{
    double old = first->right, right = old;

    for (size_t i = 0; i < chart->npanel; i++) {
        const struct cf_panel *panel = chart->panel[i];
        double most = right_of(chart, panel);
        if (panel->space || !same(panel->right, old))
            continue;
        for (size_t k = 0; k < labels_of(&panel->x); k++) {
            struct label label; /* of an axis that is one inch long */
            if (label_at(&panel->x, true, 1, k, &label) && label.at > 0)
                right = fmin(right, panel->left + (most - label.half - panel->left) / label.at);
        }
    }
    for (size_t i = 0; i < chart->npanel; i++)
        if (!chart->panel[i]->space && same(chart->panel[i]->right, old))
            chart->panel[i]->right = right;
}

/* ---- heights */

/* The label beside an axis may be longer than it, by this [inches]. */
static const double over = 0.3;

static void settle_height(struct cf_chart *chart, const struct cf_panel *panel)
{
    double length = CF_TEXT_SIZE_IN * cf_text_width(&panel->y.label);
    double short_of = length - over - (panel->top - panel->bottom);

    if (short_of > 0)
        cf_chart_lift(chart, panel->bottom, 0, short_of);
}

void cf_chart_settle(struct cf_chart *chart)
{
    /* how far the axis x of a panel in space goes to the right, in parts of the chart's width: its
     * view is always the same */
    const double reach = 0.4;

    if (chart->settled)
        return;
    chart->settled = true;
    cf_chart_abreast(chart);
    for (size_t i = 0; i < chart->npanel; i++)
        if (chart->panel[i]->space)
            thin(&chart->panel[i]->x, true, reach * chart->width);
        else
            settle_height(chart, chart->panel[i]);
    for (size_t i = 0; i < chart->npanel; i++)
        if (!chart->panel[i]->space)
            thin(&chart->panel[i]->y, false, chart->panel[i]->top - chart->panel[i]->bottom);
    for (size_t i = 0; i < chart->npanel; i++)
        if (!chart->panel[i]->space)
            settle_left(chart, chart->panel[i]);
    for (size_t i = 0; i < chart->npanel; i++)
        if (!chart->panel[i]->space) {
            settle_right(chart, chart->panel[i]);
            thin(&chart->panel[i]->x, true, chart->panel[i]->right - chart->panel[i]->left);
        }
    cf_chart_words_abreast(chart);
    cf_chart_settle_keys(chart);
    cf_chart_settle_notes(chart);
}
