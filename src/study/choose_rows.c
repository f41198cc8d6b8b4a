/* Which rows of a table `where` wants. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/parts.h"

/* A cell of a column, to be sorted by its text. */
struct text_cell {
    const char *text;
    size_t row;
};

static int compare_text(const void *a, const void *b)
{
    const struct text_cell *s = a, *t = b;
    int order = strcmp(s->text, t->text);
    return order ? order : (s->row > t->row) - (s->row < t->row);
}

static int compare_row(const void *a, const void *b)
{
    const struct text_cell *s = a, *t = b;
    return (s->row > t->row) - (s->row < t->row);
}

/* The different texts of a column where they first stand: text[nrow]. Returns their number. */
static size_t different_texts(const struct cf_csv *csv, size_t column, struct text_cell cell[],
                              const char *text[])
{
    size_t n = 0;

    for (size_t row = 0; row < csv->nrow; row++)
        cell[row] = (struct text_cell){cf_csv_cell(csv, row, column, NULL), row};
    qsort(cell, csv->nrow, sizeof *cell, compare_text);
    for (size_t i = 0; i < csv->nrow; i++)
        if (!n || strcmp(cell[n - 1].text, cell[i].text) != 0)
            cell[n++] = cell[i];
    qsort(cell, n, sizeof *cell, compare_row);
    for (size_t i = 0; i < n; i++)
        text[i] = cell[i].text;
    return n;
}

/* No row has that text: list the texts that exist, and how many more there are. */
static int no_such_text(const struct cf_csv *csv, const struct cf_yaml *at, size_t column,
                        struct cf_error *err)
{
    char list[256], shown[CF_SHOWN];

    if (csv->columns)
        return cf_yaml_fail(at, err, "where: no row whose %.80s is %s", csv->full[column],
                            cf_show(at->text, shown));
    struct text_cell *cell = calloc(csv->nrow + 1, sizeof *cell);
    const char **text = calloc(csv->nrow + 1, sizeof *text);
    int status = CF_ENOMEM;

    if (cell && text) {
        cf_join_some(list, sizeof list, text, different_texts(csv, column, cell, text));
        status = cf_yaml_fail(at, err, "where: no row whose %.80s is %s: there are %s",
                              csv->full[column], cf_show(at->text, shown), list);
    } else {
        cf_fail(err, status, "no memory for the texts of %zu rows", csv->nrow);
    }
    free(cell);
    free(text);
    return status;
}

int cf_source_choose(const struct cf_source *source, const struct cf_protocol *protocol,
                     bool keep[], struct cf_error *err)
{
    const struct cf_csv *csv = source->csv;
    const struct cf_yaml *where = cf_yaml_get(source->set, "where");
    bool condition = where && where->kind == CF_YAML_TEXT && *where->text;
    int status = where && !condition ? cf_yaml_map(where, err) : CF_OK;

    if (condition)
        return cf_where_text(source, protocol, where, keep, err);
    for (size_t i = 0; where && i < where->n && status == CF_OK; i++) {
        const struct cf_yaml *at = &where->item[i];
        struct cf_yaml key = *at;
        const char *text = NULL;
        size_t column, n = 0;
        double number = 0;

        if (cf_where_compares(source, protocol, at))
            continue;
        key.line = at->key_line;
        key.column = at->key_column;
        status = cf_table_header(csv, &key, at->key, &column, err);
        if (status == CF_OK)
            status = cf_yaml_text(at, &text, err);
        if (status == CF_OK)
            number = cf_where_number(csv, column, text);
        for (size_t row = 0; row < csv->nrow && status == CF_OK; row++) {
            char room[CF_CSV_ROOM];
            keep[row] = keep[row] && (strcmp(cf_csv_cell(csv, row, column, room), text) == 0 ||
                                      cf_where_same(csv, row, column, number));
            n += keep[row];
        }
        if (status == CF_OK && n == 0)
            status = no_such_text(csv, at, column, err);
    }
    return where && status == CF_OK ? cf_where_entries(source, protocol, where, keep, err) : status;
}
