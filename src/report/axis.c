#include "report/axis.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

void cf_axis_linear(struct cf_chart_axis *axis, struct cf_range range)
{
    axis->range = range;
    axis->logarithmic = false;
    axis->tics = CF_TICS_STEP;
    axis->step = round_step(range, tics);
    axis->decimals = decimals_of(axis->step);
}

void cf_axis_sparser(struct cf_chart_axis *axis)
{
    double decade = pow(10, floor(log10(axis->step) + 1e-9)), digit = axis->step / decade;

    axis->step = decade * (digit < 1.5 ? 2 : digit < 3.5 ? 5 : 10);
    axis->decimals = decimals_of(axis->step);
}

/* Lab data often span less than a decade: 1, 2 and 5 are labelled as well. */
static void add_decade_tics(struct cf_chart_axis *axis, double decade_from)
{
    struct cf_range range = axis->range;
    int power = (int) fmax(floor(log10(range.low)), DBL_MIN_10_EXP);

    for (; power <= DBL_MAX_10_EXP && pow(10, power) <= range.high; power++) {
        for (int digit = 1; digit < 10; digit++) {
            double x = digit * pow(10, power);
            bool labelled =
                digit == 1 || ((digit == 2 || digit == 5) && range.high / range.low < decade_from);
            if (x < range.low || x > range.high)
                continue;
            if (labelled)
                cf_axis_add_tic(axis, x, "%g", x);
            else
                cf_axis_add_tic(axis, x, "%s", "");
        }
    }
}

/* Of a range that holds few such tics: round numbers at even distances. */
static void add_even_tics(struct cf_chart_axis *axis, double parts)
{
    double step = round_step(axis->range, parts), first = ceil(axis->range.low / step);
    int decimals = decimals_of(step);

    for (int i = 0; step * (first + i) <= axis->range.high; i++)
        cf_axis_add_tic(axis, step * (first + i), "%.*f", decimals, step * (first + i));
}

void cf_axis_log(struct cf_chart_axis *axis, struct cf_range range, double decade_from)
{
    axis->range = range;
    axis->logarithmic = true;
    axis->tics = CF_TICS_LIST;
    if (range.high / range.low < 4)
        add_even_tics(axis, tics);
    else
        add_decade_tics(axis, decade_from);
}

void cf_axis_decades(struct cf_chart_axis *axis, struct cf_range range)
{
    enum { FINE = 6 }; /* decades up to which the numbers between them have short tics */
    int first = (int) fmax(floor(log10(range.low)), DBL_MIN_10_EXP);
    int last = (int) fmin(floor(log10(range.high)), DBL_MAX_10_EXP);

    axis->range = range;
    axis->logarithmic = true;
    axis->tics = CF_TICS_LIST;
    for (int power = first; power <= last; power++)
        for (int digit = 1; digit < (last - first < FINE ? 10 : 2); digit++) {
            double x = digit * pow(10, power);
            if (x < range.low || x > range.high)
                continue;
            if (digit > 1) {
                cf_axis_add_tic(axis, x, "%s", "");
                continue;
            }
            cf_axis_add_tic(axis, x, "%d", power);
            if (axis->ntic)
                axis->tic[axis->ntic - 1].power = true;
        }
}

void cf_axis_small(struct cf_chart_axis *axis, struct cf_range range, bool logarithmic)
{
    axis->range = range;
    axis->logarithmic = logarithmic;
    axis->tics = CF_TICS_LIST;
    if (logarithmic && range.high / range.low >= 10)
        add_decade_tics(axis, 1);
    else
        add_even_tics(axis, few_tics);
}

struct cf_prefix cf_prefix_for(const char *unit, double largest)
{
    static const struct {
        double factor;
        const char *symbol;
    } prefix[] = {{1e-9, "G"}, {1e-6, "M"}, {1e-3, "k"}, {1, ""},
                  {1e3, "m"},  {1e6, "µ"},  {1e9, "n"}};
    enum { NPREFIX = sizeof prefix / sizeof prefix[0], PLAIN = 3 };

    static const char *const small[] = {"s", "m"}, *const any[] = {"N", "J", "N m"};
    size_t from = NPREFIX;

    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        from = strcmp(unit, small[i]) == 0 ? PLAIN : from;
    for (size_t i = 0; i < sizeof any / sizeof *any; i++)
        from = strcmp(unit, any[i]) == 0 ? 0 : from;
    while (from < NPREFIX && !(largest * prefix[from].factor >= 0.5))
        from++;
    if (from >= NPREFIX)
        from = PLAIN;
    return (struct cf_prefix){prefix[from].factor, prefix[from].symbol, unit};
}

struct cf_prefix cf_unit_for(const char *unit, double largest)
{
    static const struct {
        const char *unit;
        struct cf_prefix shown;
    } rows[] = {{"rad", {57.295779513082321, "", "deg"}}}; /* 180/pi */

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].unit, unit) == 0)
            return rows[i].shown;
    return cf_prefix_for(unit, largest);
}

struct cf_prefix cf_axis_prefix(const struct cf_shown_axis *shown, struct cf_range range)
{
    return cf_unit_for(shown->unit, fmax(fabs(range.low), fabs(range.high)));
}

void cf_axis_label(struct cf_text *label, const char *words, const char *symbol, const char *prefix,
                   const char *unit)
{
    bool composed = strpbrk(unit, "/ ") != NULL;

    cf_text_add(label, "%s", words);
    if (*symbol) {
        cf_text_add(label, " ");
        cf_text_symbol(label, symbol);
    }
    if (strcmp(unit, "1") == 0)
        return;
    cf_text_add(label, composed ? " / (%s" : " / %s", prefix);
    cf_text_unit(label, unit);
    cf_text_add(label, "%s", composed ? ")" : "");
}

void cf_axis_abscissa(struct cf_chart_axis *axis, const struct cf_shown_axis *shown,
                      struct cf_range range, bool logarithmic)
{
    struct cf_prefix prefix = cf_axis_prefix(shown, range);
    const double share = 0.04; /* of room at the ends */

    cf_axis_label(&axis->label, shown->label, shown->symbol, prefix.symbol, prefix.unit);
    range.low *= prefix.factor;
    range.high *= prefix.factor;
    if (!logarithmic) {
        if (shown->linear)
            cf_range_pad(&range, share);
        else if (range.low > range.high / 2) /* a narrow range would leave most of it empty */
            cf_range_pad(&range, 2 * share);
        else
            range = (struct cf_range){0, range.high * (1 + share)};
        cf_axis_linear(axis, range);
        return;
    }
    double factor = pow(range.high / range.low, share);
    if (!(factor > 1.02))
        factor = 1.02;
    cf_axis_log(axis, (struct cf_range){range.low / factor, range.high * factor}, 300);
}
