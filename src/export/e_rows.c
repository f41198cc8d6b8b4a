#include "export/e_rows.h"

#include <math.h>
#include <stdlib.h>

double cf_e_rows_between(const struct cf_e_row *a, const struct cf_e_row *b, double t)
{
    double h = b->log_speed - a->log_speed, s = 1 - t;
    return s * s * (a->e * (1 + 2 * t) + h * t * a->slope) +
           t * t * (b->e * (3 - 2 * t) - h * s * b->slope);
}

double cf_e_rows_limit(double slope, double rise)
{
    const double most = 3;

    if (slope * rise <= 0)
        return 0;
    return fabs(slope) > most * fabs(rise) ? most * rise : slope;
}

double cf_e_table_at(const struct cf_e_table *table, double speed_m_s)
{
    const struct cf_e_row *row = table->row;
    double x = log(speed_m_s);
    size_t low = 0, high = table->n - 1;

    if (x <= row[low].log_speed)
        return row[low].e;
    if (x >= row[high].log_speed)
        return row[high].e;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        *(row[middle].log_speed <= x ? &low : &high) = middle;
    }
    return cf_e_rows_between(&row[low], &row[high],
                             (x - row[low].log_speed) / (row[high].log_speed - row[low].log_speed));
}

/* Slopes of the parabola through a row and its neighbours, as far as both sides allow. */
static void put_slopes(struct cf_e_table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct cf_e_row *a = &t->row[i ? i - 1 : i], *b = &t->row[i + 1 < t->n ? i + 1 : i];
        t->row[i].slope = (b->e - a->e) / (b->log_speed - a->log_speed);
    }
    for (size_t i = 0; i + 1 < t->n; i++) {
        struct cf_e_row *a = &t->row[i], *b = &t->row[i + 1];
        double rise = (b->e - a->e) / (b->log_speed - a->log_speed);
        a->slope = cf_e_rows_limit(a->slope, rise);
        b->slope = cf_e_rows_limit(b->slope, rise);
    }
}

int cf_e_table_smooth(const struct cf_reference *curve, bool monotone, double level,
                      struct cf_e_table *out, double low[], double high[], struct cf_error *err)
{
    const struct cf_smooth_asked asked = {level, 0, 1, monotone};
    double *e = calloc(curve->n + 1, sizeof *e);

    *out = (struct cf_e_table){.n = curve->n, .row = calloc(curve->n + 1, sizeof *out->row)};
    if (!e || !out->row) {
        free(e);
        return cf_fail(err, CF_ENOMEM, "no memory for a table of e");
    }
    cf_reference_curve(curve, &asked, e, low, high);
    for (size_t i = 0; i < curve->n; i++)
        out->row[i] = (struct cf_e_row){.log_speed = log(curve->abscissa[i]), .e = e[i]};
    put_slopes(out);
    free(e);
    return CF_OK;
}

void cf_e_table_clear(struct cf_e_table *table)
{
    free(table->row);
    *table = (struct cf_e_table){0};
}
