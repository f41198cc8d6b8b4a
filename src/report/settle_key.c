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
    double left[MOST_COLUMNS] = {edge};

    for (size_t c = 1; c < key->columns; c++)
        left[c] = left[c - 1] + key->width[c - 1] + between;
    for (size_t i = 0; i < key->n; i++) {
        size_t line = key->down ? i % key->lines : i / key->columns;
        entry_of(key, i)->place = (struct cf_place){left[column_of(key, i)] + sample_of(key),
                                                    top - line_in * (double) line};
    }
}

/* Below this height all is lifted to make room. */
static void settle_below(struct key *key, double floor, double from)
{
    size_t columns = MOST_COLUMNS;
    double width = arrange(key, columns);

    while (width > key->chart->width && columns > 1)
        width = arrange(key, --columns);
    if (width > key->chart->width)
        widen(key->chart, width);
    cf_chart_lift(key->chart, from, line_in * (double) key->lines + below - 0.08, 0);
    place(key, floor);
}

/* false: no room beside the heading. */
static bool settle_heading(struct key *key, const struct cf_panel *panel)
{
    const double over = 0.16; /* the frame */
    double room = panel->right - panel->left - CF_TEXT_SIZE_IN * cf_text_width(&panel->heading);
    double at = panel->right;

    for (size_t i = 0; i < key->n; i++)
        room -= width_of(key, i) + between;
    for (size_t i = key->n; i-- > 0 && room >= 0;) {
        entry_of(key, i)->place = (struct cf_place){
            at - CF_KEY_SIZE_IN * cf_text_width(&entry_of(key, i)->title), panel->top + over};
        at -= width_of(key, i) + between;
    }
    return room >= 0;
}

static size_t count(const struct key *key)
{
    size_t n = 0;
    while (entry_of(key, n))
        n++;
    return n;
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
    for (size_t i = chart->npanel; i-- > 0;) {
        struct key key = {.chart = chart, .panel = chart->panel[i], .kind = CF_KEY_PANEL};
        key.n = count(&key);
        if (key.n)
            settle_below(&key, chart->panel[i]->x.label_at - 0.12, chart->panel[i]->bottom);
        lowest = fmin(lowest, chart->panel[i]->bottom);
    }
    all.n = count(&all);
    if (all.n)
        settle_below(&all, 0, lowest);
}
