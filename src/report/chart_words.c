#include "report/chart_words.h"

#include <math.h>

/* A text without its faces: what is raised behind ^, what is lowered behind _. */
static void put_text(const struct cf_text *text, FILE *out)
{
    for (size_t i = 0; i < text->nrun; i++) {
        int level = text->run[i].level;
        fputs(level > 0 ? "^" : level < 0 ? "_" : "", out);
        fputs(cf_text_letters(text, i), out);
    }
}

static void put_number(double value, FILE *out)
{
    fprintf(out, "%s%.3g", value < 0 ? "−" : "", fabs(value));
}

/* false: they have no names. */
static bool put_axes(const struct cf_panel *panel, FILE *out)
{
    const struct cf_text *x = &panel->x.label, *y = &panel->y.label;

    if (panel->space) {
        put_text(x, out);
        fputs(", ", out);
        put_text(y, out);
        fputs(" and ", out);
        put_text(&panel->z.label, out);
        fputs(" in space", out);
        return true;
    }
    put_text(y, out);
    fputs(x->nrun && y->nrun ? " against " : "", out);
    put_text(x, out);
    return x->nrun || y->nrun;
}

/* What becomes of y along x. */
struct course {
    size_t n;
    double correlation;            /* of y with x, or with its logarithm */
    double first, last, low, high; /* y at the least and at the greatest x; its range */
};

static struct course course_of(const struct cf_panel *panel, const struct cf_chart_series *series)
{
    struct course c = {.low = HUGE_VAL, .high = -HUGE_VAL};
    double least = HUGE_VAL, most = -HUGE_VAL, mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;

    for (size_t i = 0; i < series->n; i++) {
        double x = series->datum[i].x, y = series->datum[i].y;
        x = panel->x.logarithmic ? log(x) : x;
        if (!isfinite(x) || !isfinite(y))
            continue;
        c.first = x < least ? y : c.first;
        c.last = x >= most ? y : c.last;
        least = fmin(least, x);
        most = fmax(most, x);
        c.low = fmin(c.low, y);
        c.high = fmax(c.high, y);
        /* sums about the means so far (Welford) */
        double dx = x - mean_x, dy = y - mean_y;
        c.n++;
        mean_x += dx / (double) c.n;
        mean_y += dy / (double) c.n;
        xx += dx * (x - mean_x);
        xy += dx * (y - mean_y);
        yy += dy * (y - mean_y);
    }
    c.correlation = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
    return c;
}

/* Whether it rises or falls, as far as the axis shows it. */
static void put_values(const struct cf_panel *panel, const struct course *c, FILE *out)
{
    /* correlation from which on all would call it a rise; the part of the axis below which a curve
     * looks flat */
    const double clear = 0.8, flat = 0.005;
    double shown = panel->y.range.high - panel->y.range.low;

    if (c->n == 1 || c->high - c->low <= fmax(0, flat * shown)) {
        fputs(" at ", out);
        put_number(c->high - c->low > 0 ? (c->low + c->high) / 2 : c->low, out);
        return;
    }
    bool trend = c->n > 2 && fabs(c->correlation) > clear;
    fputs(!trend ? " between " : c->correlation > 0 ? " rising from " : " falling from ", out);
    put_number(trend ? c->first : c->low, out);
    fputs(trend ? " to " : " and ", out);
    put_number(trend ? c->last : c->high, out);
}

/* false: no datum to say anything of. */
static bool put_series(const struct cf_panel *panel, const struct cf_chart_series *series,
                       const char *before, FILE *out)
{
    const struct course c = course_of(panel, series);
    bool points = series->kind == CF_SERIES_POINTS || series->kind == CF_SERIES_BARS;

    if (!c.n || series->kind == CF_SERIES_BAND)
        return false;
    fputs(before, out);
    put_text(&series->title, out);
    if (points)
        fprintf(out, "%s%zu point%s%s", series->title.nrun ? ", " : "", c.n, c.n == 1 ? "" : "s",
                series->title.nrun ? "," : "");
    else if (!series->title.nrun)
        fputs("a curve", out);
    put_values(panel, &c, out);
    return true;
}

/* Is y no quantity, but a list of names, each with a row of its own? */
static bool is_list(const struct cf_panel *panel)
{
    return !panel->space && !panel->y.label.nrun && panel->y.tics == CF_TICS_LIST &&
           panel->y.ntic > 0 && panel->x.label.nrun;
}

/* The points of a row: false, it has none. */
static bool put_row(const struct cf_panel *panel, const struct cf_tic *row, const char *before,
                    FILE *out)
{
    bool any = false;

    for (size_t i = 0; i < panel->nseries; i++) {
        const struct cf_chart_series *s = panel->series[i];
        bool points = s->kind == CF_SERIES_POINTS || s->kind == CF_SERIES_BARS;
        for (size_t k = 0; points && k < s->n; k++) {
            double x = s->datum[k].x;
            if (s->datum[k].y != row->value || !isfinite(x))
                continue;
            if (any)
                fputs(", ", out);
            else
                fprintf(out, "%s%s at ", before, row->label);
            put_number(panel->x.stated ? panel->x.stated(x) : x, out);
            any = true;
        }
    }
    return any;
}

/* From above, as they are read. */
static void put_rows(const struct cf_panel *panel, const char *before, FILE *out)
{
    enum { MOST_ROWS = 12 };
    size_t shown = 0, more = 0;

    for (size_t i = panel->y.ntic; i-- > 0;)
        if (shown == MOST_ROWS)
            more++;
        else if (put_row(panel, &panel->y.tic[i], shown ? "; " : before, out))
            shown++;
    if (more)
        fprintf(out, "; and %zu more", more);
}

/* Series with names; of a panel that has none, all. */
static void put_panel(const struct cf_panel *panel, FILE *out)
{
    const char *before = panel->heading.nrun ? ", " : "";
    bool any = false;

    put_text(&panel->heading, out);
    if (panel->x.label.nrun || panel->y.label.nrun) {
        fputs(before, out);
        before = put_axes(panel, out) ? ": " : before;
    } else if (*before) {
        before = ": ";
    }
    if (is_list(panel)) {
        put_rows(panel, before, out);
        any = true;
    }
    for (int unnamed = 0; unnamed < 2 && !panel->space && !any; unnamed++)
        for (size_t i = 0; i < panel->nseries; i++)
            if ((unnamed || panel->series[i]->title.nrun) &&
                put_series(panel, panel->series[i], any ? "; " : before, out))
                any = true;
    fputc('.', out);
}

void cf_chart_axes_words(const struct cf_chart *chart, FILE *out)
{
    if (chart->npanel > 0)
        put_axes(chart->panel[0], out);
}

void cf_chart_words(const struct cf_chart *chart, FILE *out)
{
    for (size_t i = 0; i < chart->npanel; i++) {
        fputs(i ? " " : "", out);
        put_panel(chart->panel[i], out);
    }
}
