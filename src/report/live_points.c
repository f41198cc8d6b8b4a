#include "report/live_points.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "document/json_value.h"
#include "document/view.h"

/* Coordinates are written with nine digits: what differs by less is the same, in parts of the
 * largest one. */
static const double same_part = 1e-9;

/* A number of a row, and its place in a row of the script's (live.c). */
struct field {
    const char *name;
    size_t place;
};
static const struct field fields[] = {{"value", 4}, {"residual", 7}};

/* How the points of a series may follow from rows: those of a channel, by these factors. */
struct form {
    const json_t *rows;
    const char *channel;
    const struct field *field;
    double x, y;           /* factors */
    double x_most, y_most; /* the largest coordinates */
};

/* The next row of a point from `from` on, round the table; of any channel for NULL. */
static size_t find_row(const json_t *rows, size_t from, const struct cf_datum *datum,
                       const char *channel)
{
    size_t n = json_array_size(rows);

    for (size_t k = 0; k < n; k++) {
        size_t i = (from + k) % n;
        const json_t *row = json_array_get(rows, i);
        if (cf_view_count(row, "line") == datum->line &&
            cf_view_count(row, "data") == datum->data &&
            (!channel || strcmp(cf_view_text(row, "channel"), channel) == 0))
            return i;
    }
    return SIZE_MAX;
}

static bool same(double a, double b, double most)
{
    return fabs(a - b) <= same_part * most;
}

/* Is a point where this row has it? */
static bool holds(const struct form *form, const struct cf_datum *datum, bool bars,
                  const json_t *row)
{
    double y = cf_view_number(row, form->field->name), sigma = cf_view_number(row, "sigma");

    if (!same(datum->x, form->x * cf_view_number(row, "abscissa"), form->x_most) ||
        !same(datum->y, form->y * y, form->y_most))
        return false;
    sigma = isfinite(sigma) ? sigma : 0;
    return !bars || (form->field->place == fields[0].place &&
                     same(datum->low, form->y * (y - sigma), form->y_most) &&
                     same(datum->high, form->y * (y + sigma), form->y_most));
}

/* Is every point where its row has it? */
static bool all_hold(const struct form *form, const struct cf_chart_series *points)
{
    size_t at = 0;

    for (size_t i = 0; i < points->n; i++) {
        const struct cf_datum *datum = &points->datum[i];
        at = find_row(form->rows, at, datum, form->channel);
        if (at == SIZE_MAX ||
            !holds(form, datum, points->kind == CF_SERIES_BARS, json_array_get(form->rows, at)))
            return false;
    }
    return true;
}

/* The places of the rows of all points, which are there; NULL where memory ran out. */
static json_t *places_of(const struct form *form, const struct cf_chart_series *points)
{
    json_t *places = json_array();
    size_t at = 0;

    for (size_t i = 0; i < points->n; i++) {
        at = find_row(form->rows, at, &points->datum[i], form->channel);
        cf_json_add(&places, cf_json_count(at));
    }
    return places;
}

/* The points with the largest coordinates, which tell the factors; false: there are none. */
static bool find_largest(const struct cf_chart_series *points, const struct cf_datum *largest[2])
{
    largest[0] = largest[1] = points->datum;
    for (size_t i = 0; i < points->n; i++) {
        const struct cf_datum *datum = &points->datum[i];
        if (!datum->line || !isfinite(datum->x) || !isfinite(datum->y))
            return false;
        if (fabs(datum->x) > fabs(largest[0]->x))
            largest[0] = datum;
        if (fabs(datum->y) > fabs(largest[1]->y))
            largest[1] = datum;
    }
    return points->n > 0 && largest[0]->x != 0 && largest[1]->y != 0;
}

/* Do they follow by one channel and field? */
static bool try_form(struct form *form, const struct cf_chart_series *points,
                     const struct cf_datum *const largest[2], const json_t *row)
{
    size_t of_x;

    form->channel = cf_view_text(row, "channel");
    of_x = find_row(form->rows, 0, largest[0], form->channel);
    if (of_x == SIZE_MAX)
        return false;
    form->x_most = fabs(largest[0]->x);
    form->y_most = fabs(largest[1]->y);
    form->x = largest[0]->x / cf_view_number(json_array_get(form->rows, of_x), "abscissa");
    form->y = largest[1]->y / cf_view_number(row, form->field->name);
    return isfinite(form->x) && isfinite(form->y) && all_hold(form, points);
}

bool cf_live_points(const json_t *fit, const struct cf_chart_series *points, json_t **series)
{
    struct form form = {.rows = json_object_get(fit, "observations")};
    const struct cf_datum *largest[2];
    bool follow = false;

    if (!find_largest(points, largest))
        return false;
    size_t first = find_row(form.rows, 0, largest[1], NULL);
    for (size_t i = first; i != SIZE_MAX && i < json_array_size(form.rows) && !follow; i++) {
        const json_t *row = json_array_get(form.rows, i);
        if (cf_view_count(row, "line") != largest[1]->line ||
            cf_view_count(row, "data") != largest[1]->data)
            continue;
        for (size_t k = 0; k < sizeof fields / sizeof *fields && !follow; k++) {
            form.field = &fields[k];
            follow = try_form(&form, points, largest, row);
        }
    }
    if (!follow)
        return false;
    json_t *by = json_array();
    cf_json_add(&by, cf_json_number(form.x));
    cf_json_add(&by, cf_json_number(form.y));
    cf_json_put(series, "rows", places_of(&form, points));
    cf_json_put(series, "field", cf_json_count(form.field->place));
    cf_json_put(series, "by", by);
    return true;
}
