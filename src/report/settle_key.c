#include "report/settle_key.h"

#include <math.h>
#include <stdint.h>

#include "report/layout.h"
#include "report/text_width.h"

/* Inches: between lines; from the edge to the first sample, from an entry to the next sample, from
 * a sample to its letters; how long a sample is for each letter of chart->key_sample; over the
 * lines. */
static const double line_in = 0.2, edge = 0.12, between = 0.16, gap = 0.11, sample_letter = 0.145,
                    below = 0.12;

enum { MOST_COLUMNS = 4 };

/* The entries of a key, of a panel or (NULL) of all panels. */
struct key {
    struct cf_chart *chart;
    const struct cf_panel *panel;
    enum cf_key kind;
    size_t n, columns, lines;
    bool down;
    double width[MOST_COLUMNS]; /* of the columns, samples included */
};

static bool is_entry(const struct key *key, const struct cf_chart_series *series)
{
    return series->title.nrun > 0 && series->key == key->kind;
}

/* Entry i in the order of ranks. */
static struct cf_chart_series *entry_of(const struct key *key, size_t i)
{
    size_t rank = 0, next = SIZE_MAX;

    for (;; rank = next, next = SIZE_MAX) {
        for (size_t p = 0; p < key->chart->npanel; p++) {
            const struct cf_panel *panel = key->chart->panel[p];
            for (size_t k = 0; k < panel->nseries && (!key->panel || key->panel == panel); k++) {
                struct cf_chart_series *series = panel->series[k];
                if (!is_entry(key, series))
                    continue;
                if (series->rank == rank && i-- == 0)
                    return series;
                if (series->rank > rank && series->rank < next)
                    next = series->rank;
            }
        }
        if (next == SIZE_MAX)
            return NULL;
    }
}

static size_t count(const struct key *key)
{
    size_t n = 0;
    while (entry_of(key, n))
        n++;
    return n;
}

static bool same(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static double sample_of(const struct key *key)
{
    return sample_letter * key->chart->key_sample + gap;
}

static double width_of(const struct key *key, size_t i)
{
    return sample_of(key) + CF_KEY_SIZE_IN * cf_text_width(&entry_of(key, i)->title);
}

static size_t column_of(const struct key *key, size_t i)
{
    return key->down ? i / key->lines : i % key->columns;
}

/* The width of a key of so many columns, from edge to edge. */
static double arrange(struct key *key, size_t columns)
{
    double width = 2 * edge - between;

    key->lines = (key->n + columns - 1) / columns;
    key->columns = (key->n + key->lines - 1) / key->lines;
    for (size_t c = 0; c < key->columns; c++)
        key->width[c] = 0;
    for (size_t i = 0; i < key->n; i++)
        key->width[column_of(key, i)] = fmax(key->width[column_of(key, i)], width_of(key, i));
    for (size_t c = 0; c < key->columns; c++)
        width += key->width[c] + between;
    return width;
}

/* Where not even one column has room the chart becomes wider, and its last frames with it. */
static void widen(struct cf_chart *chart, double width)
{
    double right = 0, more = width - chart->width;

    for (size_t i = 0; i < chart->npanel; i++)
        right = fmax(right, chart->panel[i]->right);
    for (size_t i = 0; i < chart->npanel; i++)
        if (chart->panel[i]->right > right - edge)
            chart->panel[i]->right += more;
    chart->width = width;
}

static void place(struct key *key, double floor)
{
    double top = floor + line_in * (double) key->lines - 0.08;
    double left[MOST_COLUMNS] = {edge + (key->panel ? key->panel->from : 0)};

    for (size_t c = 1; c < key->columns; c++)
        left[c] = left[c - 1] + key->width[c - 1] + between;
    for (size_t i = 0; i < key->n; i++) {
        size_t line = key->down ? i % key->lines : i / key->columns;
        entry_of(key, i)->place = (struct cf_place){left[column_of(key, i)] + sample_of(key),
                                                    top - line_in * (double) line};
    }
}

/* As many columns as have room, in the panel's part of the chart if it has one. Returns the height
 * that the key takes. */
static double settle_columns(struct key *key)
{
    bool part = key->panel && key->panel->to > key->panel->from;
    double room = part ? key->panel->to - key->panel->from : key->chart->width;
    size_t columns = MOST_COLUMNS;
    double width = arrange(key, columns);

    while (width > room && columns > 1)
        width = arrange(key, --columns);
    if (width > room)
        widen(key->chart, key->chart->width + width - room);
    return line_in * (double) key->lines + below - 0.08;
}

/* The keys of panels side by side stand below them, all on one height. */
static void settle_row(struct cf_chart *chart, size_t first)
{
    double bottom = chart->panel[first]->bottom, height = 0;

    for (size_t i = 0; i <= first; i++) {
        struct key key = {.chart = chart, .panel = chart->panel[i], .kind = CF_KEY_PANEL};
        key.n = same(chart->panel[i]->bottom, bottom) ? count(&key) : 0;
        height = key.n ? fmax(height, settle_columns(&key)) : height;
    }
    if (!(height > 0))
        return;
    cf_chart_lift(chart, bottom, height, 0);
    for (size_t i = 0; i <= first; i++) {
        struct key key = {.chart = chart, .panel = chart->panel[i], .kind = CF_KEY_PANEL};
        key.n = same(chart->panel[i]->bottom, bottom + height) ? count(&key) : 0;
        if (!key.n)
            continue;
        double own = settle_columns(&key);
        place(&key, chart->panel[i]->x.label_at - 0.12 - own);
    }
}

/* false: no room beside the heading. */
static bool settle_heading(struct key *key, const struct cf_panel *panel)
{
    const double over = 0.16; /* the frame */
    double last = CF_KEY_SIZE_IN * cf_text_width(&entry_of(key, key->n - 1)->title);
    double at = fmin(panel->right, key->chart->width - (CF_PHONE_LETTERS - 1) * last);
    double room = at - panel->left - CF_TEXT_SIZE_IN * cf_text_width(&panel->heading);

    for (size_t i = 0; i < key->n; i++)
        room -= width_of(key, i) + between;
    for (size_t i = key->n; i-- > 0 && room >= 0;) {
        entry_of(key, i)->place = (struct cf_place){
            at - CF_KEY_SIZE_IN * cf_text_width(&entry_of(key, i)->title), panel->top + over};
        at -= width_of(key, i) + between;
    }
    return room >= 0;
}

/* Entries that have no room beside the heading stand below. */
static void move_below(const struct key *key)
{
    struct cf_chart_series *series;

    while ((series = entry_of(key, 0)))
        series->key = CF_KEY_PANEL;
}

void cf_chart_settle_keys(struct cf_chart *chart)
{
    struct key all = {.chart = chart, .kind = CF_KEY_CHART, .down = chart->key_down};
    double lowest = HUGE_VAL;

    for (size_t i = 0; i < chart->npanel; i++) {
        struct key key = {.chart = chart, .panel = chart->panel[i], .kind = CF_KEY_HEADING};
        key.n = count(&key);
        if (key.n && !settle_heading(&key, chart->panel[i]))
            move_below(&key);
    }
    for (size_t i = chart->npanel; i-- > 0;)
        if (i + 1 == chart->npanel || !same(chart->panel[i]->bottom, chart->panel[i + 1]->bottom))
            settle_row(chart, i);
    for (size_t i = 0; i < chart->npanel; i++)
        lowest = fmin(lowest, chart->panel[i]->bottom);
    all.n = count(&all);
    if (all.n) {
        cf_chart_lift(chart, lowest, settle_columns(&all), 0);
        place(&all, 0);
    }
}

double cf_chart_key_width(struct cf_chart *chart, const struct cf_panel *panel)
{
    static const enum cf_key kinds[] = {CF_KEY_PANEL, CF_KEY_HEADING};
    double width = 0;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct key key = {.chart = chart, .panel = panel, .kind = kinds[i]};
        key.n = count(&key);
        width = key.n ? fmax(width, arrange(&key, 1)) : width;
    }
    return width;
}
