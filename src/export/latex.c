/* LaTeX: a table for papers, with \usepackage{booktabs}. */

#include <math.h>
#include <string.h>

#include "core/decimal.h"
#include "export/rows.h"
#include "export/tables.h"

/* What comes from files is text, whatever TeX would make of it. */
static void text(const char *value, FILE *out)
{
    for (; *value; value++) {
        if (strchr("#$%&_{}", *value))
            fprintf(out, "\\%c", *value);
        else if (*value == '\\')
            fprintf(out, "\\textbackslash{}");
        else if (*value == '~' || *value == '^')
            fprintf(out, "\\%c{}", *value);
        else
            fputc(*value, out);
    }
}

/* 1.82e+08 as $1.82\times10^{8}$. */
static void number(double value, int digits, FILE *out)
{
    char buffer[64];

    if (!isfinite(value)) {
        fprintf(out, "--");
        return;
    }
    snprintf(buffer, sizeof buffer, "%.*g", digits, value);
    char *e = strchr(buffer, 'e');
    if (!e) {
        fprintf(out, "$%s$", buffer);
        return;
    }
    int power = 0;
    sscanf(e + 1, "%d", &power);
    *e = '\0';
    fprintf(out, "$%s\\times10^{%d}$", buffer, power);
}

/* "N/m^1.5" as N/m$^{1.5}$. */
static void unit(const char *value, FILE *out)
{
    while (*value) {
        size_t len = *value == '^' ? strspn(value + 1, "0123456789.-") : 0;
        if (len)
            fprintf(out, "$^{%.*s}$", (int) len, value + 1);
        else
            fputc(*value, out);
        value += len + 1;
    }
}

/* The rest of a row, behind the name of the parameter. */
static void numbers(double value, double low, double high, const char *of, FILE *out)
{
    int digits = cf_decimal_digits(value, (high - low) / 2, 4);

    fprintf(out, " & ");
    number(value, digits, out);
    fprintf(out, " & ");
    number(low, digits, out);
    fprintf(out, " & ");
    number(high, digits, out);
    fprintf(out, " & ");
    unit(of, out);
    fprintf(out, " \\\\\n");
}

static void row(const struct cf_mapping *m, size_t i, FILE *out)
{
    const struct cf_material *material = m->material;
    double low = i < m->law->nparam ? material->low[i] : (double) NAN;
    double high = i < m->law->nparam ? material->high[i] : (double) NAN;

    if (i == 0) {
        text(material->name, out);
        if (!material->trusted)
            fprintf(out, "$^{*}$");
    }
    fprintf(out, " & ");
    text(m->value[i].name, out);
    numbers(m->value[i].value, low, high, m->value[i].unit, out);
}

/* What a program is given that has a coefficient of restitution or moduli of elasticity. */
static void of_pair(const struct cf_mapping *m, FILE *out)
{
    const struct cf_outlook *p = &m->prediction;
    const double none = (double) NAN;
    double modulus = cf_table_modulus(m);

    if (!cf_material_is_friction(m->material)) {
        fprintf(out, " & $e$ at %.4g m/s", m->question.speed_m_s);
        numbers(p->e_fit, p->e_low, p->e_high, "1", out);
    }
    if (isfinite(modulus)) {
        fprintf(out, " & $E^*$");
        numbers(modulus, none, none, "Pa", out);
    }
    if (m->material->mass_kg > 0) {
        fprintf(out, " & $m^*$");
        numbers(m->material->mass_kg, none, none, "kg", out);
    }
    if (isfinite(m->material->radius_m)) {
        fprintf(out, " & $R^*$");
        numbers(m->material->radius_m, none, none, "m", out);
    }
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    bool doubt = false;

    (void) err;
    for (size_t i = 0; i < n; i++)
        cf_export_head(m[i], out);
    fprintf(out, "\\begin{tabular}{llrrrl}\n\\toprule\n"
                 "fit & parameter & value & from & to & unit \\\\\n");
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "\\midrule\n");
        doubt = doubt || !m[i]->material->trusted;
        for (size_t j = 0; j < m[i]->nvalue; j++)
            row(m[i], j, out);
        of_pair(m[i], out);
    }
    if (doubt)
        fprintf(out, "\\midrule\n\\multicolumn{6}{l}{$^{*}$ not to be trusted: see the verdict of "
                     "the fit} \\\\\n");
    fprintf(out, "\\bottomrule\n\\end{tabular}\n");
    return CF_OK;
}

const struct cf_target cf_target_latex = {
    .name = "latex",
    .title = "LaTeX",
    .what = "a table for papers (booktabs)",
    .formula = "the law's own",
    .pair_rule = "the values are the pair's",
    .source = "none: the fit itself",
    .checked = "none: as booktabs has it",
    .comment = {"% ", ""},
    .takes = CF_TAKES_ALL,
    .any_values = true,
    .any_step = true,
    .exactness = cf_exactness_table,
    .fill = cf_fill_table,
    .write = write,
};
