#include "report/abreast.h"

#include <math.h>

#include "report/layout.h"
#include "report/settle_key.h"
#include "report/text_width.h"

enum { COLUMNS = 2, FEWEST = 4 };

/* Inches: a chart that takes half of a sheet as it is printed, 104 mm wide (page_style.c); a frame
 * in which a curve is still seen; a cell in two columns against one alone; what is kept free about
 * headings, and to their left for the label of the axis. */
static const double most_height = 8, least_frame = 1.3, narrower = 0.8, about = 0.05, beside = 0.3;

static double width_of(const struct cf_text *text)
{
    return CF_TEXT_SIZE_IN * cf_text_width(text);
}

/* Do the texts of a panel have room in a column of this width? */
static bool fits(struct cf_chart *chart, const struct cf_panel *panel, double column)
{
    return !panel->space && width_of(&panel->x.label) < column - 2 * about &&
           width_of(&panel->heading) < column - beside - about &&
           cf_chart_key_width(chart, panel) < column;
}

static bool all_fit(struct cf_chart *chart, double column)
{
    for (size_t i = 0; i < chart->npanel; i++)
        if (!fits(chart, chart->panel[i], column))
            return false;
    return true;
}

/* Is this the upper one of the panels of a cell, or the only one? */
static bool is_upper(const struct cf_chart *chart, const struct cf_panel *panel)
{
    for (size_t i = 0; i < chart->npanel; i++)
        if (chart->panel[i]->cell == panel->cell && chart->panel[i]->top > panel->top)
            return false;
    return true;
}

/* By how much cells can become lower: the upper frames do. */
static double spare_of(const struct cf_chart *chart)
{
    double spare = HUGE_VAL;

    for (size_t i = 0; i < chart->npanel; i++)
        if (is_upper(chart, chart->panel[i]))
            spare = fmin(spare, chart->panel[i]->top - chart->panel[i]->bottom - least_frame);
    return fmax(spare, 0);
}

/* A panel to its column and row, where cells are lower by so much. */
static void move(const struct cf_chart *chart, struct cf_panel *panel, size_t columns, size_t rows,
                 double lower)
{
    double old = chart->cell_height, new = old - lower, width = chart->width / (double) columns;
    double from = width * (double) (panel->cell % columns);
    double right = chart->width - panel->right;
    double up = new *(double) (rows - 1 - panel->cell / columns) -
                old *(double) (chart->cells - 1 - panel->cell);

    panel->bottom += up;
    panel->top += up;
    panel->x.label_at += up;
    if (columns == 1)
        return;
    panel->left += from;
    panel->y.label_at += from;
    panel->right = from + width - right;
    panel->from = from;
    panel->to = from + width;
}

void cf_chart_abreast(struct cf_chart *chart)
{
    size_t n = chart->cells, columns;
    double height, spare;

    if (!chart->abreast || n == 0)
        return;
    columns = n >= FEWEST && all_fit(chart, chart->width / COLUMNS) ? COLUMNS : 1;
    size_t rows = (n + columns - 1) / columns;
    height = fmin(columns > 1 ? narrower * chart->cell_height : chart->cell_height,
                  most_height / (double) rows);
    spare = fmin(spare_of(chart), chart->cell_height - height);
    for (size_t i = 0; i < chart->npanel; i++)
        if (is_upper(chart, chart->panel[i]))
            chart->panel[i]->top -= spare;
    for (size_t i = 0; i < chart->npanel; i++)
        move(chart, chart->panel[i], columns, rows, spare);
    chart->height = (chart->cell_height - spare) * (double) rows;
    chart->cell_height -= spare;
}

void cf_chart_words_abreast(struct cf_chart *chart)
{
    for (size_t i = 0; i < chart->npanel; i++) {
        struct cf_panel *panel = chart->panel[i];
        double begins = panel->to - about - width_of(&panel->heading);
        double middle = panel->to - about - width_of(&panel->x.label) / 2;
        if (!(panel->to > panel->from))
            continue;
        if (begins < panel->left)
            panel->heading_at = begins;
        if (middle < (panel->left + panel->right) / 2)
            panel->middle = middle;
    }
}
