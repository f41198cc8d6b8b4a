/* Points of the user's own, digitised or measured, and the parameter that is tuned to them. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "estimate/optimum.h"
#include "figure/keys.h"
#include "figure/law_figure_parts.h"
#include "file/table.h"

/* The column of an axis: its number, and the SI value of its unit. */
struct column {
    const struct cf_drawn_axis *axis;
    size_t from;
    double factor;
};

static int find_column(const struct cf_csv *csv, const struct cf_yaml *node,
                       const struct cf_drawn_axis *axis, struct column *column,
                       struct cf_error *err)
{
    const struct cf_yaml *at;
    const char *name = NULL;
    bool found;
    int status = cf_yaml_need(node, axis->key, &at, err);

    column->axis = axis;
    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    if (status == CF_OK)
        status = cf_table_header(csv, at, name, &column->from, err);
    if (status == CF_OK)
        status =
            cf_table_factor(csv, column->from, at, NULL, axis->unit, &column->factor, &found, err);
    return status;
}

static bool is_empty(const struct cf_csv *csv, size_t row, const struct column *column)
{
    return cf_csv_blank(csv, row, column->from);
}

static int read_cell(const struct cf_csv *csv, size_t row, const struct column *column,
                     bool logarithmic, double *si, struct cf_error *err)
{
    const struct cf_drawn_axis *axis = column->axis;
    double value = 0;
    int status = cf_csv_number(csv, row, column->from, &value, err);

    if (status)
        return status;
    *si = value * column->factor;
    if (*si >= axis->lower && *si <= axis->upper && !(logarithmic && !(*si > 0)))
        return CF_OK;
    return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s: %.6g%s%s: must be in [%g, %g]", csv->path,
                   csv->line[row], cf_csv_at(csv, row, column->from), axis->key, *si,
                   strcmp(axis->unit, "1") ? " " : "", strcmp(axis->unit, "1") ? axis->unit : "",
                   axis->lower, axis->upper);
}

/* Rows that lack one of the two are not points. */
static int read_rows(const struct cf_drawing *drawing, const struct cf_csv *csv,
                     const struct column column[2], struct cf_drawn_points *points,
                     struct cf_error *err)
{
    int status = CF_OK;

    points->x = calloc(csv->nrow, sizeof *points->x);
    points->y = calloc(csv->nrow, sizeof *points->y);
    if (!points->x || !points->y)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu points", csv->nrow);
    for (size_t row = 0; row < csv->nrow && status == CF_OK; row++) {
        if (is_empty(csv, row, &column[0]) || is_empty(csv, row, &column[1]))
            continue;
        status = read_cell(csv, row, &column[0], drawing->logarithmic, &points->x[points->n], err);
        if (status == CF_OK)
            status = read_cell(csv, row, &column[1], false, &points->y[points->n], err);
        points->n += status == CF_OK;
    }
    if (status == CF_OK && points->n == 0)
        status = cf_fail(err, CF_EINPUT, "%s: no row has both %s and %s", csv->path,
                         column[0].axis->key, column[1].axis->key);
    return status;
}

int cf_drawing_points(struct cf_drawing *drawing, const struct cf_yaml *node, const char *folder,
                      struct cf_drawn_points *points, struct cf_error *err)
{
    const struct cf_drawing_kind *kind = drawing->kind;
    const struct cf_schema_key *const own = cf_drawing_points_schema.key;
    const char *keys[CF_DRAWING_POINTS_KEYS + 2] = {own->name, kind->x.key, kind->y.key};
    const struct cf_yaml *file;
    struct column column[2];
    struct cf_csv *csv = NULL;
    int status;

    for (size_t i = 1; i < CF_DRAWING_POINTS_KEYS; i++)
        keys[i + 2] = own[i].name;
    status = cf_yaml_keys(node, keys, CF_DRAWING_POINTS_KEYS + 2, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "file", &file, err);
    if (status == CF_OK)
        status = cf_yaml_text(file, &points->file, err);
    if (status == CF_OK)
        status = cf_table_open(
            node, file, &(struct cf_places){.folder = folder, .read = &drawing->read}, &csv, err);
    if (status == CF_OK)
        status = find_column(csv, node, &kind->x, &column[0], err);
    if (status == CF_OK)
        status = find_column(csv, node, &kind->y, &column[1], err);
    if (status == CF_OK)
        status = read_rows(drawing, csv, column, points, err);
    cf_csv_free(csv);
    return status;
}

/* The protocol that measures y along x; NULL: none. */
static const struct cf_protocol *protocol_of(const struct cf_drawing_kind *kind)
{
    for (const struct cf_protocol *const *p = cf_protocols; *p; p++)
        if (strcmp((*p)->axis.name, kind->x.key) == 0 &&
            cf_protocol_channel(*p, kind->y.key) < (*p)->nchannel)
            return *p;
    return NULL;
}

/* The points as a data set, with one sigma for all from the residuals, so that all weigh the
 * same. */
static int make_dataset(const struct cf_drawing_kind *kind, const struct cf_drawn_points *points,
                        double mass_kg, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_protocol *protocol = protocol_of(kind);
    size_t x = 0, y = 0;
    int status;

    if (!protocol)
        return cf_fail(err, CF_EINPUT, "no protocol measures %s along %s: nothing can be fitted",
                       kind->y.key, kind->x.key);
    status = cf_dataset_alloc(d, protocol, points->n, err);
    if (status)
        return status;
    x = protocol->axis_channel;
    y = cf_protocol_channel(protocol, kind->y.key);
    d->pair.mass_kg = isnan(mass_kg) ? 1 : mass_kg; /* NAN where e does not depend on it */
    d->series[y].kind = CF_SIGMA_ESTIMATE;
    for (size_t row = 0; row < points->n && !status; row++) {
        status = cf_dataset_put(d, row, x, points->x[row], 0, err);
        if (!status)
            status = cf_dataset_put(d, row, y, points->y[row], 0, err);
    }
    return status;
}

static int solve(struct cf_problem *problem, struct cf_drawn *curve, struct cf_error *err)
{
    struct cf_solver *solver = cf_solver_alloc(problem);
    size_t room = cf_start_count(&problem->spec->options), n = 0;
    struct cf_solution *solution = cf_solutions_alloc(room, problem->nfree);
    int status = CF_ENOMEM;

    if (!solver || !solution)
        cf_fail(err, CF_ENOMEM, "no memory for a fit");
    else
        status = cf_optimum_search(problem, solver, solution, &n, err);
    if (status == CF_OK && (n == 0 || solution[0].end != CF_END_CONVERGED))
        status = cf_fail(err, CF_EFIT, "no value of %s fits the points",
                         curve->law->param[curve->tuned].name);
    if (status == CF_OK) {
        curve->p[curve->tuned] = cf_unknown_value(&problem->unknown[0], solution[0].theta[0]);
        curve->is_tuned = true;
    }
    free(solution);
    cf_solver_free(solver);
    return status;
}

static int find_rms(struct cf_curves *curves, const struct cf_drawn_points *points,
                    struct cf_drawn *curve, struct cf_error *err)
{
    double sum = 0;
    int status = CF_OK;

    for (size_t i = 0; i < points->n && status == CF_OK; i++) {
        struct cf_impact impact;
        status = cf_impact(curves, curve->law, curve->p, isnan(curve->mass_kg) ? 1 : curve->mass_kg,
                           points->x[i], &impact, err);
        double miss = status ? 0 : impact.value[CF_IMPACT_RESTITUTION] - points->y[i];
        sum += miss * miss;
    }
    curve->rms = sqrt(sum / (double) points->n);
    return status;
}

int cf_drawing_tune(struct cf_curves *curves, const struct cf_drawing_kind *kind,
                    const struct cf_drawn_points *points, struct cf_drawn *curve,
                    struct cf_error *err)
{
    struct cf_dataset dataset = {0};
    struct cf_problem problem = {0};
    struct cf_spec spec = {
        .law = curve->law, .ndata = 1, .data = &dataset, .options = cf_fit_defaults};
    int status;

    if (points->n < 2)
        return cf_fail(err, CF_EINPUT, "1 point: %s is fitted to two or more",
                       curve->law->param[curve->tuned].name);
    status = make_dataset(kind, points, curve->mass_kg, &dataset, err);
    spec.free[spec.nfree++] = (struct cf_free){
        .name = curve->law->param[curve->tuned].name,
        .min = (double) NAN,
        .max = (double) NAN,
        .start = curve->p[curve->tuned],
        .prior_value = (double) NAN,
        .prior_sigma = (double) NAN,
    };
    for (size_t i = 0; i < curve->law->nparam; i++)
        if (i != curve->tuned && !isnan(curve->p[i]))
            spec.given[spec.ngiven++] =
                (struct cf_given){curve->law->param[i].name, curve->p[i], false};
    if (status == CF_OK)
        status =
            cf_problem_init(&problem, &spec, curve->law, curves, CF_ROW_FIT, CF_SCOPE_ALL, err);
    if (status == CF_OK)
        status = solve(&problem, curve, err);
    if (status == CF_OK)
        status = find_rms(curves, points, curve, err);
    cf_problem_free(&problem);
    cf_dataset_clear(&dataset);
    return status;
}
