/* The order in which rows were measured, where it is not that of the table: by the numbers of a
 * column, a time or the number of a run. */

#include <stdlib.h>

#include "study/parts.h"

/* A row and its number. */
struct place {
    double number;
    size_t row, line;
};

static int compare(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    return p->number != q->number ? (p->number > q->number) - (p->number < q->number)
                                  : (p->row > q->row) - (p->row < q->row);
}

/* The numbers of the rows that are not excluded; *n of them. Rows stand in the order of lines. */
static int read_places(const struct cf_csv *csv, size_t column, const struct cf_dataset *d,
                       struct place place[], size_t *n, struct cf_error *err)
{
    int status = CF_OK;

    *n = 0;
    for (size_t row = 0, from = 0; row < d->nrow && !status; row++) {
        struct place *at = &place[*n];
        while (csv->line[from] != d->line[row])
            from++;
        if (d->use[row] == CF_ROW_EXCLUDED)
            continue;
        *at = (struct place){.row = row, .line = d->line[row]};
        status = cf_csv_number(csv, from, column, &at->number, err);
        ++*n;
    }
    return status;
}

/* What stands twice leaves open which was first. */
static int check_places(const struct cf_yaml *at, const struct place place[], size_t n,
                        struct cf_error *err)
{
    for (size_t i = 1; i < n; i++)
        if (place[i].number == place[i - 1].number)
            return cf_yaml_fail(at, err,
                                "order: %g stands in line %zu and in line %zu: which was measured "
                                "first?",
                                place[i].number, place[i - 1].line, place[i].line);
    return CF_OK;
}

int cf_source_order(const struct cf_source *source, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(source->set, "order");
    struct place *place;
    const char *name = NULL;
    size_t column, n = 0;
    int status = at ? cf_yaml_text(at, &name, err) : CF_OK;

    if (status || !at)
        return status;
    if (d->protocol->record || d->protocol->recording)
        return cf_yaml_fail_key(at, err, "order: rows of %s are a record, in its own order",
                                d->protocol->name);
    status = cf_table_header(source->csv, at, name, &column, err);
    if (!status)
        status = cf_dataset_order_room(d, err);
    if (status)
        return status;
    place = malloc((d->nrow + 1) * sizeof *place);
    status = place ? read_places(source->csv, column, d, place, &n, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for the order of the rows");
    if (!status) {
        qsort(place, n, sizeof *place, compare);
        status = check_places(at, place, n, err);
    }
    for (size_t i = 0; i < n && !status; i++)
        d->order[place[i].row] = i;
    free(place);
    return status;
}
