#define _POSIX_C_SOURCE 200809L

#include "file/columns.h"

#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "core/text.h"

struct cf_tables {
    size_t n;
    struct cf_columns *table;
};

struct cf_tables *cf_tables_alloc(void)
{
    return calloc(1, sizeof(struct cf_tables));
}

void cf_tables_free(struct cf_tables *tables)
{
    for (size_t i = 0; tables && i < tables->n; i++) {
        struct cf_columns *t = &tables->table[i];
        for (size_t j = 0; j < t->ncolumn; j++) {
            free(t->column[j].name);
            free(t->column[j].unit);
        }
        free(t->column);
        free(t->name);
    }
    if (tables)
        free(tables->table);
    free(tables);
}

static struct cf_columns *find(const struct cf_tables *tables, const char *name)
{
    for (size_t i = 0; tables && i < tables->n; i++)
        if (strcmp(tables->table[i].name, name) == 0)
            return &tables->table[i];
    return NULL;
}

const struct cf_columns *cf_tables_find(const struct cf_tables *tables, const char *name)
{
    return find(tables, name);
}

/* The table of that name, an empty one of nrow rows where there is none yet. */
static struct cf_columns *find_or_add(struct cf_tables *tables, const char *name, size_t nrow)
{
    struct cf_columns *t = find(tables, name), *longer;
    char *copy;

    if (t)
        return t;
    longer = cf_list_grow(tables->table, tables->n, sizeof *longer);
    if (!longer)
        return NULL;
    tables->table = longer;
    copy = strdup(name);
    if (!copy)
        return NULL;
    t = &longer[tables->n++];
    *t = (struct cf_columns){.name = copy, .nrow = nrow};
    return t;
}

/* A column behind the others; NULL when out of memory. */
static struct cf_table_column *append(struct cf_columns *t, const char *name, const char *unit,
                                      const double value[])
{
    struct cf_table_column *longer = cf_list_grow(t->column, t->ncolumn, sizeof *longer);
    char *own = NULL, *own_unit = NULL;

    if (!longer)
        return NULL;
    t->column = longer;
    own = strdup(name);
    if (unit)
        own_unit = strdup(unit);
    if (!own || (unit && !own_unit)) {
        free(own);
        free(own_unit);
        return NULL;
    }
    longer += t->ncolumn++;
    *longer = (struct cf_table_column){.name = own, .unit = own_unit, .value = value};
    return longer;
}

static int no_memory(const char *table, struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "%s: no memory for a column", table);
}

int cf_tables_add(struct cf_tables *tables, const char *table, const struct cf_column_in *column,
                  struct cf_error *err)
{
    struct cf_columns *t = find_or_add(tables, table, column->n);
    struct cf_table_column *added;
    char *name;

    if (!t)
        return no_memory(table, err);
    if (t->nrow != column->n)
        return cf_fail(err, CF_EINPUT, "%s: column %s has %zu rows where the others have %zu",
                       table, column->name, column->n, t->nrow);
    for (size_t i = 0; i < t->ncolumn; i++)
        if (strcmp(t->column[i].name, column->name) == 0)
            return cf_fail(err, CF_EINPUT, "%s: two columns %s", table, column->name);
    added = append(t, column->name, column->unit, column->value);
    if (!added)
        return no_memory(table, err);
    if (!column->sigma)
        return CF_OK;
    name = cf_format("sigma of %s", column->name);
    size_t index = t->ncolumn - 1;
    added = name ? append(t, name, column->unit, column->sigma) : NULL;
    free(name);
    if (!added)
        return no_memory(table, err);
    t->column[index].sigma = t->ncolumn;
    return CF_OK;
}
