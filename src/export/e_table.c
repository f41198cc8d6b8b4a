/* e(v) as a table: rows where the law bends, slopes that keep it monotone (Fritsch & Carlson 1980,
 * SIAM J. Numer. Anal. 17, 238). */

#include "export/e_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"

/* Rows to begin with, to each side of the speeds that are asked for and between them. */
enum { NPART = 6, NBEGIN = 3 * NPART + 1 };

/* Beyond them, as factors. */
static const double below = 1e-3, above = 100;

/* What the error is to be, and the width in ln(v) that is not halved any more: at a jump. */
static const double tolerance = 3e-8, narrowest = 1e-9;

/* The law between a row and the next, at these shares: for the search, and once more, denser, for
 * the error that is stated. */
enum { NCHECK = 3, NSTATED = 8 };

struct place {
    struct cf_e_row row;  /* slope: the law's own */
    double check[NCHECK]; /* the law's e between this row and the next */
    bool checked;
};

struct maker {
    const struct cf_twin *twin;
    struct cf_curves *curves;
    size_t n;
    struct place *place;
};

static int law_at(const struct maker *maker, double log_speed, struct cf_e_row *out,
                  struct cf_error *err)
{
    double v = exp(log_speed);
    const struct cf_twin *twin = maker->twin;
    struct cf_impact impact;

    int status = cf_impact(maker->curves, twin->law, twin->p, twin->mass_kg, v, &impact, err);
    if (!status)
        *out = (struct cf_e_row){log_speed, impact.value[CF_IMPACT_RESTITUTION],
                                 v * impact.by_speed[CF_IMPACT_RESTITUTION]};
    return status;
}

/* The end of the table nearest to `far` at which the law has an answer: tried in steps back to the
 * fitted speed, the last of which must have one. */
static int find_end(const struct maker *maker, double fitted, double far, double *end,
                    struct cf_error *err)
{
    struct cf_e_row row;
    int status = CF_ERANGE;

    for (int i = 0; i <= NPART && status; i++) {
        *end = i < NPART ? far + (fitted - far) * i / NPART : fitted;
        status = law_at(maker, *end, &row, i < NPART ? NULL : err);
        if (status == CF_ENOMEM)
            break;
    }
    return status;
}

/* The rows as they are written: with slopes that both sides allow. */
static void limit_slopes(const struct maker *maker, struct cf_e_row row[])
{
    for (size_t i = 0; i < maker->n; i++)
        row[i] = maker->place[i].row;
    for (size_t i = 0; i + 1 < maker->n; i++) {
        double rise = (row[i + 1].e - row[i].e) / (row[i + 1].log_speed - row[i].log_speed);
        row[i].slope = cf_e_rows_limit(row[i].slope, rise);
        row[i + 1].slope = cf_e_rows_limit(row[i + 1].slope, rise);
    }
}

static double between(const struct cf_e_row *a, const struct cf_e_row *b, double t)
{
    return a->log_speed + (b->log_speed - a->log_speed) * t;
}

static int check_place(const struct maker *maker, size_t i, struct cf_error *err)
{
    struct place *place = &maker->place[i];
    struct cf_e_row at;
    int status = CF_OK;

    for (int j = 0; j < NCHECK && !place->checked && !status; j++) {
        double t = (j + 1.0) / (NCHECK + 1);
        status = law_at(maker, between(&place->row, &place[1].row, t), &at, err);
        place->check[j] = at.e;
    }
    place->checked = true;
    return status;
}

static bool is_good(const struct maker *maker, const struct cf_e_row row[], size_t i)
{
    const struct place *place = &maker->place[i];
    bool good = true;

    if (row[i + 1].log_speed - row[i].log_speed <= narrowest)
        return true;
    for (int j = 0; j < NCHECK; j++) {
        double e = cf_e_rows_between(&row[i], &row[i + 1], (j + 1.0) / (NCHECK + 1));
        good = good && fabs(e - place->check[j]) <= tolerance;
    }
    return good;
}

/* One more row in the middle behind row i. */
static int split(struct maker *maker, size_t i, struct cf_error *err)
{
    struct place *longer = cf_list_grow(maker->place, maker->n, sizeof *maker->place);

    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for a table of e");
    maker->place = longer;
    for (size_t j = maker->n++; j > i + 1; j--)
        longer[j] = longer[j - 1];
    longer[i].checked = false;
    longer[i + 1] = (struct place){.checked = false};
    return law_at(maker, between(&longer[i].row, &longer[i + 2].row, 0.5), &longer[i + 1].row, err);
}

/* One pass over all intervals; *added: rows were. */
static int refine(struct maker *maker, bool *added, struct cf_error *err)
{
    struct cf_e_row *row = malloc(maker->n * sizeof *row);
    int status = row ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a table of e");

    *added = false;
    if (!status)
        limit_slopes(maker, row);
    /* from behind, so that rows that are added move none that is still to come */
    for (size_t i = maker->n - 1; i-- > 0 && !status;) {
        status = check_place(maker, i, err);
        if (!status && !is_good(maker, row, i)) {
            status = split(maker, i, err);
            *added = true;
        }
    }
    free(row);
    return status;
}

static int begin(struct maker *maker, const double end[4], struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < NBEGIN && !status; i++) {
        size_t part = i / NPART;
        double from = end[part], to = end[part < 3 ? part + 1 : part];
        double at = from + (to - from) * (double) (i % NPART) / NPART;
        struct place *longer;
        if (maker->n && !(at > maker->place[maker->n - 1].row.log_speed))
            continue;
        longer = cf_list_grow(maker->place, maker->n, sizeof *maker->place);
        if (!longer)
            return cf_fail(err, CF_ENOMEM, "no memory for a table of e");
        maker->place = longer;
        longer[maker->n] = (struct place){.checked = false};
        status = law_at(maker, at, &longer[maker->n].row, err);
        maker->n++;
    }
    if (!status && maker->n < 2)
        status = cf_fail(err, CF_ERANGE, "e is known at %g m/s only", exp(end[0]));
    return status;
}

static int finish(const struct maker *maker, struct cf_e_table *out, struct cf_error *err)
{
    struct cf_e_row at;
    int status = CF_OK;

    out->row = malloc(maker->n * sizeof *out->row);
    if (!out->row)
        return cf_fail(err, CF_ENOMEM, "no memory for a table of e");
    out->n = maker->n;
    limit_slopes(maker, out->row);
    for (size_t i = 0; i + 1 < out->n && !status; i++)
        for (int j = 0; j < NSTATED && !status; j++) {
            double t = (j + 0.5) / NSTATED;
            status = law_at(maker, between(&out->row[i], &out->row[i + 1], t), &at, err);
            out->error =
                fmax(out->error, fabs(cf_e_rows_between(&out->row[i], &out->row[i + 1], t) - at.e));
        }
    return status;
}

static int copy(const struct cf_e_table *from, struct cf_e_table *out, struct cf_error *err)
{
    out->row = malloc(from->n * sizeof *out->row);
    if (!out->row)
        return cf_fail(err, CF_ENOMEM, "no memory for a table of e");
    memcpy(out->row, from->row, from->n * sizeof *out->row);
    out->n = from->n;
    return CF_OK;
}

int cf_e_table_make(const struct cf_mapping *m, struct cf_e_table *out, struct cf_error *err)
{
    struct maker maker = {.twin = &m->twin};
    const struct cf_material *material = m->material;
    double v = m->question.speed_m_s, end[4];
    bool added = true;

    *out = (struct cf_e_table){0};
    if (m->twin.rows)
        return copy(m->twin.rows, out, err);
    /* fmin() and fmax() pass NAN over */
    maker.curves = cf_curves_alloc();
    double low = fmin(v, fmin(material->speed_low_m_s, m->prediction.slowest_m_s));
    double high = fmax(v, fmax(material->speed_high_m_s, m->prediction.fastest_m_s));
    int status = maker.curves ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a table of e");
    end[1] = log(low);
    end[2] = log(high);
    if (!status)
        status = find_end(&maker, end[1], log(low * below), &end[0], err);
    if (!status)
        status = find_end(&maker, end[2], log(high * above), &end[3], err);
    if (!status)
        status = begin(&maker, end, err);
    while (added && !status)
        status = refine(&maker, &added, err);
    if (!status)
        status = finish(&maker, out, err);
    free(maker.place);
    cf_curves_free(maker.curves);
    return status;
}
