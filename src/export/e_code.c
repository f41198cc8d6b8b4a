/* e(v) as code: mapping, names and numbers. What comes from a fit is text, never code: names of
 * functions have but letters, digits and underscores, and the rest is quoted where it is written.
 */

#include "export/e_code.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal.h"

enum cf_exactness cf_exactness_e_code(const struct cf_law *law, const char **why)
{
    *why = "e of the law at each speed, for the m* and R* of the pair; no depth, no duration";
    return law->family == CF_FAMILY_RESTITUTION ? CF_EXACTNESS_LAW : CF_EXACTNESS_E_ALONE;
}

int cf_run_e_code(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    cf_run_law(m, CF_SCHEME_RESTITUTION);
    if (m->material->smooth.n) {
        m->twin.rows = &m->material->smooth;
        m->why = "smoothed measurements of e, and no law; no depth, no duration";
    }
    return cf_twin_bounce(&m->twin, curves, m->question.speed_m_s, &m->twin.e, err);
}

int cf_fill_e_code(struct cf_mapping *m, struct cf_error *err)
{
    (void) err;
    cf_mapping_add(m, "e", "1", m->twin.e, CF_OF_PAIR, "restitution at the design speed");
    return CF_OK;
}

/* "golf ball, 2nd" is golf_ball_2nd. Two underscores in a row are C++'s own, as is a name that
 * begins with one; contactfit_ begins what all pairs share. */
static void identifier(const char *text, char out[CF_NAME + 8])
{
    static const char shared[] = "contactfit";
    size_t used = 0;

    for (; *text && used < CF_NAME; text++) {
        bool plain = isalnum((unsigned char) *text) && (unsigned char) *text < 0x80;
        if (plain)
            out[used++] = *text;
        else if (used && out[used - 1] != '_')
            out[used++] = '_';
    }
    while (used && out[used - 1] == '_')
        used--;
    out[used] = '\0';
    if (!isalpha((unsigned char) out[0]) || strncmp(out, shared, strlen(shared)) == 0) {
        memmove(out + 4, out, used + 1);
        memcpy(out, "fit_", 4);
        if (used == 0)
            out[3] = '\0';
    }
}

static bool is_taken(const struct cf_e_code code[], size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(code[i].name, name) == 0)
            return true;
    return false;
}

/* The second of the same name is NAME_2. */
static void name_pair(const struct cf_mapping *m, struct cf_e_code code[], size_t i)
{
    char name[CF_NAME + 8];
    char *out = code[i].name;

    identifier(m->material->name, name);
    snprintf(out, sizeof code[i].name, "%s", name);
    for (size_t k = 2; is_taken(code, i, out); k++)
        snprintf(out, sizeof code[i].name, "%s_%zu", name, k);
}

static bool is_called(const struct cf_export_body *body, const char *name)
{
    return strcmp(body->name, name) == 0 || (body->material[0] && !strcmp(body->material, name));
}

/* Would the names of a's bodies find b, too? */
static bool same_names(const struct cf_material *a, const struct cf_material *b)
{
    const struct cf_export_body *x = a->body, *y = b->body;
    return (is_called(&y[0], x[0].name) && is_called(&y[1], x[1].name)) ||
           (is_called(&y[0], x[1].name) && is_called(&y[1], x[0].name));
}

static bool is_told_apart(const struct cf_mapping *const m[], size_t n, size_t i)
{
    for (size_t j = 0; j < n; j++)
        if (j != i && same_names(m[i]->material, m[j]->material))
            return false;
    return true;
}

int cf_e_code_make(const struct cf_mapping *const m[], size_t n, struct cf_e_code **out,
                   struct cf_error *err)
{
    struct cf_e_code *code = calloc(n, sizeof *code);
    int status = code ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for tables of e");

    for (size_t i = 0; i < n && !status; i++) {
        name_pair(m[i], code, i);
        code[i].by_names = is_told_apart(m, n, i);
        status = cf_e_table_make(m[i], &code[i].table, err);
    }
    if (status) {
        cf_e_code_free(code, n);
        code = NULL;
    }
    *out = code;
    return status;
}

void cf_e_code_free(struct cf_e_code *code, size_t n)
{
    for (size_t i = 0; code && i < n; i++)
        cf_e_table_clear(&code[i].table);
    free(code);
}

size_t cf_e_code_band_rows(const struct cf_material *material)
{
    const struct cf_band *b = &material->band;

    for (size_t i = 0; i < b->n; i++)
        if (!(b->speed_m_s[i] > (i ? b->speed_m_s[i - 1] : 0) && isfinite(b->speed_m_s[i]) &&
              isfinite(b->low[i]) && isfinite(b->high[i])))
            return 0;
    return b->n < 2 ? 0 : b->n;
}

void cf_e_code_head(const struct cf_mapping *m, const struct cf_e_code *code, FILE *out)
{
    const double smallest = 1e-9, rounding = 1.05;
    const struct cf_e_table *t = &code->table;
    const struct cf_band *band = &m->material->band;
    double low = exp(t->row[0].log_speed), high = exp(t->row[t->n - 1].log_speed);

    cf_export_head(m, out);
    if (m->twin.rows) {
        cf_export_comment(m, out,
                          "table: the measurements, smoothed%s, from %.4g to %.4g m/s in %zu rows; "
                          "beyond, e of the last row, which nothing measured",
                          m->question.monotone ? " and sorted" : "", low, high, t->n);
        return;
    }
    cf_export_comment(m, out,
                      "table: the law from %.4g to %.4g m/s in %zu rows, within %.2g of it between "
                      "them; beyond, e of the last row",
                      low, high, t->n, fmax(t->error * rounding, smallest));
    if (m->material->speed_low_m_s > 0)
        cf_export_comment(m, out,
                          "fitted: %.9g to %.9g m/s; elsewhere EXTRAPOLATED, e holds if "
                          "the law does",
                          m->material->speed_low_m_s, m->material->speed_high_m_s);
    else
        cf_export_comment(m, out, "no speeds were fitted: EXTRAPOLATED everywhere");
    if (cf_e_code_band_rows(m->material))
        cf_export_comment(m, out, "band: %.9g to %.9g m/s, of the fit's confidence",
                          band->speed_m_s[0], band->speed_m_s[band->n - 1]);
    else
        cf_export_comment(m, out, "band: the fit has none");
}

void cf_e_code_not_found(const struct cf_mapping *const m[], const struct cf_e_code code[],
                         size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++)
        if (!code[i].by_names)
            cf_export_comment(m[i], out,
                              "not found by the names of its bodies, %s and %s, which another "
                              "pair has: %s_e()",
                              m[i]->material->body[0].name, m[i]->material->body[1].name,
                              code[i].name);
}

static void row(const double number[3], const char *open, const char *close, FILE *out)
{
    fputs(open, out);
    for (int i = 0; i < 3; i++) {
        cf_decimal_put(number[i], out);
        fputs(i < 2 ? ", " : close, out);
    }
}

void cf_e_code_rows(const struct cf_e_table *table, const char *open, const char *close, FILE *out)
{
    for (size_t i = 0; i < table->n; i++) {
        const struct cf_e_row *r = &table->row[i];
        row((const double[]){r->log_speed, r->e, r->slope}, open, close, out);
    }
}

void cf_e_code_band(const struct cf_material *material, const char *open, const char *close,
                    FILE *out)
{
    const struct cf_band *b = &material->band;

    for (size_t i = 0; i < b->n; i++)
        row((const double[]){log(b->speed_m_s[i]), b->low[i], b->high[i]}, open, close, out);
}

void cf_e_code_speeds(const struct cf_material *material, FILE *out)
{
    bool known = material->speed_low_m_s > 0;

    cf_decimal_put(known ? material->speed_low_m_s : 0, out);
    fputs(", ", out);
    cf_decimal_put(known ? material->speed_high_m_s : 0, out);
}
