#include "report/summary.h"

#include <math.h>
#include <string.h>

#include "core/decimal.h"
#include "core/wrap.h"
#include "document/view.h"

/* In quadrature a smaller share of the whole is nothing in its first two digits. */
static const double least_share = 0.05;

/* Student's t is the normal distribution to three digits from here on. */
static const double many = 1000;

/* "2.1 %" of a share, else "0.012 N/m". */
static void put_size(const json_t *number, double u, FILE *out)
{
    const char *unit = cf_view_text(number, "unit");
    bool relative = cf_view_true(number, "relative");
    char text[CF_DECIMAL];

    fputs(cf_decimal_short(relative ? 100 * u : u, 2, text), out);
    if (relative)
        fputs(" %", out);
    else if (strcmp(unit, "1") != 0)
        fprintf(out, " %s", unit);
}

/* The sources of one number, in their order. */
static void put_sources(const json_t *fit, const json_t *number, FILE *out)
{
    const json_t *sources = cf_view(fit, "budget.sources"), *source;
    double combined = cf_view_number(number, "combined");
    size_t i, small = 0;

    json_array_foreach((json_t *) sources, i, source)
    {
        double u = fabs(cf_view_item(json_object_get(number, "type_b"), i));
        if (u < least_share * combined) {
            small++;
            continue;
        }
        fputs(", ", out);
        if (isnan(u))
            fputs("an unknown part", out);
        else
            put_size(number, u, out);
        fprintf(out, " %s", cf_view_text(source, "name"));
    }
    if (small)
        fprintf(out, ", next to nothing of %zu other%s", small, small == 1 ? "" : "s");
}

/* Are all contributions known? */
static bool is_whole(const json_t *number)
{
    const json_t *by = json_object_get(number, "type_b");
    bool whole = true;

    for (size_t i = 0; i < json_array_size(by); i++)
        whole = whole && !isnan(cf_view_item(by, i));
    return whole;
}

static void put_number(const json_t *fit, const char *name, const json_t *number, FILE *out)
{
    double dof = cf_view_number(number, "dof");
    char text[CF_DECIMAL];

    fprintf(out, "  %s: " CF_WRAP_HANG "u = %s", name, is_whole(number) ? "" : "at least ");
    put_size(number, cf_view_number(number, "combined"), out);
    fputs(": ", out);
    put_size(number, cf_view_number(number, "type_a"), out);
    fputs(" of the data", out);
    put_sources(fit, number, out);
    fprintf(out, "; [%s, ", cf_decimal_short(cf_view_number(number, "low"), 4, text));
    fprintf(out, "%s]", cf_decimal_short(cf_view_number(number, "high"), 4, text));
    fprintf(out, ", coverage factor %.3g of ", cf_view_number(number, "coverage_factor"));
    if (isnan(dof))
        fputs("the normal distribution\n", out);
    else if (dof > many)
        fprintf(out, "more than %g degrees of freedom\n", many);
    else
        fprintf(out, "%.3g degrees of freedom\n", dof);
}

void cf_summary_budget(const json_t *fit, FILE *out)
{
    const json_t *budget = cf_view(fit, "budget");
    json_t *number, *source;
    const char *name;
    size_t i;

    if (!budget)
        return;
    fprintf(out, "\n  uncertainty budget, data and stated uncertainties combined, at %g %%\n",
            100 * cf_view_number(budget, "level"));
    json_object_foreach(json_object_get(budget, "numbers"), name, number)
    {
        put_number(fit, name, number, out);
    }
    json_array_foreach(json_object_get(budget, "sources"), i, source)
    {
        if (*cf_view_text(source, "remark"))
            fprintf(out, "  %s: " CF_WRAP_HANG "%s\n", cf_view_text(source, "name"),
                    cf_view_text(source, "remark"));
    }
    if (*cf_view_text(budget, "remark"))
        fprintf(out, "  %s\n", cf_view_text(budget, "remark"));
}
