#include "report/plot.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

const struct cf_quantity cf_quantities[] = {
    {"restitution", "coefficient of restitution", "1"},
    {"duration", "contact duration", "s"},
    {"depth", "greatest compression", "m"},
    {"peak_force", "peak force", "N"},
    {"rebound_speed", "rebound speed", "m/s"},
    {"rebound_height", "rebound height", "m"},
    {NULL, NULL, NULL},
};

const struct cf_quantity *cf_quantity_find(const char *name)
{
    for (const struct cf_quantity *q = cf_quantities; q->name; q++)
        if (strcmp(q->name, name) == 0)
            return q;
    return NULL;
}

const char *cf_quantity_label(const char *name)
{
    const struct cf_quantity *quantity = cf_quantity_find(name);
    return quantity ? quantity->label : name;
}

void cf_range_include(struct cf_range *range, double x)
{
    range->low = fmin(range->low, x);
    range->high = fmax(range->high, x);
}

void cf_range_pad(struct cf_range *range, double share)
{
    double width = range->high - range->low;
    if (!(width > 0))
        width = fmax(fabs(range->high), 1e-3) * 0.1;
    range->low -= share * width;
    range->high += share * width;
}

void cf_plot_frame(FILE *script)
{
    fputs("set encoding utf8\n"
          "set border 3 linecolor rgb '" CF_INK "' linewidth 1\n"
          "set tics nomirror out scale 0.7,0.4 textcolor rgb '" CF_INK "'\n"
          "set xtics offset 0,0.3\n"
          "set minussign\n"
          "set grid linetype 1 linewidth 0.5 linecolor rgb '#DDDDDD'\n"
          "set key Left reverse samplen 2.9 noenhanced\n"
          "set style fill transparent solid 0.2 noborder\n"
          "set errorbars 0.6\n"
          "set samples 2\n",
          script);
}

/* What a panel has room for; a small one of several beside each other. */
static const double tics = 5, few_tics = 2.2;

/* A step of 1, 2 or 5 times a power of ten that divides the range into about so many. */
static double round_step(struct cf_range range, double parts)
{
    double rough = (range.high - range.low) / parts, decade = pow(10, floor(log10(rough)));
    return decade * (rough / decade < 1.5   ? 1
                     : rough / decade < 3.5 ? 2
                     : rough / decade < 7.5 ? 5
                                            : 10);
}

/* Decimals that multiples of a step need. */
static int decimals_of(double step)
{
    int decimals = (int) -floor(log10(step) + 1e-9);
    return decimals > 0 ? decimals : 0;
}

void cf_plot_range(FILE *script, char axis, struct cf_range range)
{
    double step = round_step(range, tics);

    fprintf(script, "set %crange [%.17g:%.17g]\nset %ctics %.17g\nset format %c '%%.%df'\n", axis,
            range.low, range.high, axis, step, axis, decimals_of(step));
}

/* A title of more than so many characters runs into the next of three. */
enum { KEY_ROOM = 20 };
static const double key_line_in = 0.2, left_in = 0.95, right_in = 0.14, bottom_in = 0.64;

static size_t key_columns(const struct cf_panel *panel)
{
    return panel->longest > KEY_ROOM ? 2 : 3;
}

static double key_height(const struct cf_panel *panel)
{
    size_t rows = (panel->nkey + key_columns(panel) - 1) / key_columns(panel);
    return rows ? key_line_in * (double) rows + 0.05 : 0;
}

void cf_plot_key_word(struct cf_panel *panel, const char *title)
{
    size_t length = strlen(title);
    panel->longest = length > panel->longest ? length : panel->longest;
}

void cf_plot_panel(FILE *script, const struct cf_panel *panel)
{
    double whole = panel->height * (double) panel->count;
    double ceiling = whole - panel->height * (double) panel->index, floor = ceiling - panel->height;

    fprintf(script,
            "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
            "set tmargin at screen %.6f\nset bmargin at screen %.6f\n",
            left_in / panel->width, 1 - right_in / panel->width, (ceiling - panel->above) / whole,
            (floor + bottom_in + key_height(panel)) / whole);
}

void cf_plot_title(FILE *script, const struct cf_panel *panel, size_t i, const char *title)
{
    double whole = panel->height * (double) panel->count;
    double ceiling = whole - panel->height * (double) panel->index;
    size_t columns = key_columns(panel);
    double x = 0.5 + 0.975 * panel->width * (double) (i % columns) / (double) columns;
    double y = panel->nkey ? ceiling - panel->height + key_height(panel) - 0.08 -
                                 key_line_in * (double) (i / columns)
                           : ceiling - panel->above + 0.16;

    if (!panel->nkey) /* above: the heading stands at the left */
        x = panel->width - 0.85 - 1.02 * (double) i;
    fprintf(script, "title '%s' at screen %.6f, screen %.6f", title, x / panel->width, y / whole);
}

void cf_plot_heading(FILE *script, const char *text)
{
    fprintf(script, "set label 1 '%s' at graph 0, graph 1 left offset 0,0.7\n", text);
}

void cf_plot_label_begin(FILE *script, char axis)
{
    fprintf(script, "set label %d '", axis == 'x' ? 2 : 3);
}

void cf_plot_label_end(FILE *script, const struct cf_panel *panel, char axis)
{
    double whole = panel->height * (double) panel->count;
    double floor = whole - panel->height * (double) (panel->index + 1);

    if (axis == 'x')
        fprintf(script, "' at graph 0.5, screen %.6f center\n",
                (floor + key_height(panel) + 0.12) / whole);
    else
        fprintf(script, "' at screen %.6f, graph 0.5 center rotate\n", 0.14 / panel->width);
}

/* gnuplot labels whole decades only, and lab data often span less than one: 1, 2 and 5 here. */
static void put_decade_tics(FILE *script, struct cf_range range, double decade_from)
{
    const char *between = "";
    int power = (int) fmax(floor(log10(range.low)), DBL_MIN_10_EXP);

    for (; power <= DBL_MAX_10_EXP && pow(10, power) <= range.high; power++) {
        for (int digit = 1; digit < 10; digit++) {
            double x = digit * pow(10, power);
            bool labelled =
                digit == 1 || ((digit == 2 || digit == 5) && range.high / range.low < decade_from);
            if (x < range.low || x > range.high)
                continue;
            fprintf(script, "%s'", between);
            if (labelled)
                fprintf(script, "%g", x);
            fprintf(script, "' %.17g %d", x, labelled ? 0 : 1);
            between = ", ";
        }
    }
}

/* Of a range that holds few such tics: round numbers at even distances. */
static void put_even_tics(FILE *script, struct cf_range range, double parts)
{
    double step = round_step(range, parts), first = ceil(range.low / step);
    int decimals = decimals_of(step);

    for (int i = 0; step * (first + i) <= range.high; i++)
        fprintf(script, "%s'%.*f' %.17g", i ? ", " : "", decimals, step * (first + i),
                step * (first + i));
}

void cf_plot_log_range(FILE *script, char axis, struct cf_range range, double decade_from)
{
    fprintf(script, "set logscale %c\nset %crange [%.17g:%.17g]\nset format %c '%%g'\n", axis, axis,
            range.low, range.high, axis);
    fprintf(script, "set %ctics (", axis);
    if (range.high / range.low < 4)
        put_even_tics(script, range, tics);
    else
        put_decade_tics(script, range, decade_from);
    fputs(")\n", script);
}

void cf_plot_small_range(FILE *script, char axis, struct cf_range range, bool logarithmic)
{
    fprintf(script, "%sset logscale %c\nset %crange [%.17g:%.17g]\nset %ctics (",
            logarithmic ? "" : "un", axis, axis, range.low, range.high, axis);
    if (logarithmic && range.high / range.low >= 10)
        put_decade_tics(script, range, 1);
    else
        put_even_tics(script, range, few_tics);
    fputs(")\n", script);
}

void cf_plot_speed_axis(FILE *script, const struct cf_panel *panel, struct cf_range speed,
                        bool logarithmic)
{
    cf_plot_label_begin(script, 'x');
    fputs("approach speed {/:Italic v} / (m/s)", script);
    cf_plot_label_end(script, panel, 'x');
    if (!logarithmic) {
        fputs("unset logscale x\n", script);
        if (speed.low > speed.high / 2) /* a narrow range would leave most of the axis empty */
            cf_range_pad(&speed, 0.08);
        else
            speed = (struct cf_range){0, speed.high * 1.04};
        cf_plot_range(script, 'x', speed);
        return;
    }
    double share = pow(speed.high / speed.low, 0.04);
    if (!(share > 1.02))
        share = 1.02;
    struct cf_range range = {speed.low / share, speed.high * share};
    cf_plot_log_range(script, 'x', range, 300);
}

void cf_plot_begin(FILE *script, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputc('$', script);
    vfprintf(script, format, args);
    va_end(args);
    fputs(" << EOD\n", script);
}

void cf_plot_end(FILE *script)
{
    fputs("EOD\n", script);
}

void cf_plot_number(FILE *script, double value)
{
    if (isfinite(value))
        fprintf(script, " %.17g", value);
    else
        fputs(" NaN", script);
}

void cf_plot_clause(FILE *script, bool *begun)
{
    fputs(*begun ? ", \\\n    " : "plot ", script);
    *begun = true;
}

struct cf_axis_prefix cf_plot_prefix(const char *unit, double largest)
{
    static const struct cf_axis_prefix prefix[] = {{1e-9, "G"}, {1e-6, "M"}, {1e-3, "k"}, {1, ""},
                                                   {1e3, "m"},  {1e6, "µ"},  {1e9, "n"}};
    enum { NPREFIX = sizeof prefix / sizeof prefix[0], PLAIN = 3 };

    if (strcmp(unit, "s") != 0 && strcmp(unit, "m") != 0 && strcmp(unit, "N") != 0 &&
        strcmp(unit, "J") != 0)
        return prefix[PLAIN];
    for (size_t i = strcmp(unit, "N") == 0 || strcmp(unit, "J") == 0 ? 0 : PLAIN; i < NPREFIX; i++)
        if (largest * prefix[i].factor >= 0.5)
            return prefix[i];
    return prefix[PLAIN];
}

void cf_plot_symbol(FILE *script, const char *name)
{
    static const struct {
        const char *name, *glyph;
    } greek[] = {{"lambda", "λ"}, {"alpha", "α"}};
    const char *rest = strchr(name, '_');
    size_t len = rest ? (size_t) (rest - name) : strlen(name);
    const char *glyph = NULL;

    for (size_t i = 0; i < sizeof greek / sizeof greek[0]; i++)
        if (strlen(greek[i].name) == len && strncmp(greek[i].name, name, len) == 0)
            glyph = greek[i].glyph;
    if (glyph)
        fprintf(script, "{/:Italic %s}", glyph);
    else
        fprintf(script, "{/:Italic %.*s}", (int) len, name);
    if (rest)
        fprintf(script, "_{%s}", rest + 1);
}

void cf_plot_unit(FILE *script, const char *unit)
{
    for (; *unit; unit++) {
        fputc(*unit, script);
        if (*unit != '^')
            continue;
        /* a number, or what stands for one: m^n, m^(p+1) */
        bool bracket = unit[1] == '(';
        size_t len = bracket ? strcspn(unit + 2, ")") : strspn(unit + 1, "-0123456789.np");
        fprintf(script, "{%.*s}", (int) len, unit + 1 + bracket);
        unit += len + bracket + (bracket && unit[len + 2]);
    }
}
