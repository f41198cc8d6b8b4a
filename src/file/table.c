/* The table that a data set is read from: its file, its marks, its columns by name. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
#include "file/layout.h"
#include "file/table.h"

/* No file that memory allows has more. */
enum { MOST_LINES = 1000000000 };

/* Lines of names that anything writes: OptiTrack five. */
enum { MOST_NAMES = 9 };

const char *const cf_table_key[CF_TABLE_NKEY] = {
    "delimiter", "decimal", "thousands", "encoding", "block", "header_line", "names", "unit_row"};

int cf_table_header(const struct cf_csv *csv, const struct cf_yaml *at, const char *name,
                    size_t *column, struct cf_error *err)
{
    char list[512], shown[CF_SHOWN], other[CF_SHOWN];
    const char *near, *hint = "";

    *column = cf_csv_column(csv, name);
    if (*column < csv->ncolumn)
        return CF_OK;
    cf_csv_headers(csv, list, sizeof list);
    for (size_t i = 0; i < csv->ncolumn; i++)
        if (strcmp(csv->header[i], name) == 0)
            return cf_yaml_fail(
                at, err,
                "%s: several columns of %s are called so: give the whole name, or the "
                "column's number, as from: 2; it has %s",
                cf_show(name, shown), csv->path, list);
    if (csv->ncolumn == 1 && strchr(csv->full[0], ';'))
        hint = "; to cut it at the semicolons, state delimiter: \";\"";
    else if (csv->ncolumn == 1 && strchr(csv->full[0], '\t'))
        hint = "; to cut it at the tabs, state delimiter: tab";
    near = *hint ? NULL : cf_nearest(name, (const char *const *) csv->full, csv->ncolumn);
    return cf_yaml_fail(at, err, "no column %s in %s%s%s%s: it has %s%s", cf_show(name, shown),
                        csv->path, near ? " (did you mean " : "", near ? cf_show(near, other) : "",
                        near ? "?)" : "", list, hint);
}

/* A word of a list; *index: which. */
static int read_word(const struct cf_yaml *at, const char *const words[], size_t n, size_t *index,
                     struct cf_error *err)
{
    const char *text = NULL;
    int status = cf_yaml_text(at, &text, err);

    if (status)
        return status;
    for (*index = 0; *index < n; ++*index)
        if (strcmp(text, words[*index]) == 0)
            return CF_OK;
    return cf_yaml_unknown(at, at->key, text, words, n, err);
}

/* The delimiter and the decimal mark, which must differ. Where commas are decimal marks, cells are
 * usually cut by semicolons. */
static int read_marks(const struct cf_yaml *set, struct cf_csv_form *form, struct cf_error *err)
{
    const struct cf_yaml *d = cf_yaml_get(set, "delimiter"), *m = cf_yaml_get(set, "decimal");
    const char *text = NULL;
    char shown[CF_SHOWN];
    int status = m ? cf_yaml_text(m, &text, err) : CF_OK;

    if (status)
        return status;
    form->decimal = m ? *text : '.';
    if (m && strcmp(text, ".") && strcmp(text, ","))
        return cf_yaml_fail(m, err, "decimal: %s: \".\" or \",\" is wanted", cf_show(text, shown));
    form->delimiter = form->decimal == ',' ? ';' : ',';
    if (!d)
        return CF_OK;
    status = cf_yaml_text(d, &text, err);
    if (status)
        return status;
    form->delimiter = strcmp(text, "tab") == 0 ? '\t' : strcmp(text, "blanks") == 0 ? ' ' : *text;
    if (strcmp(text, ",") && strcmp(text, ";") && strcmp(text, "tab") && strcmp(text, "\t") &&
        strcmp(text, "blanks"))
        return cf_yaml_fail(d, err, "delimiter: %s: \",\", \";\", tab or blanks is wanted",
                            cf_show(text, shown));
    if (form->delimiter == form->decimal)
        return cf_yaml_fail(d, err,
                            "delimiter: the comma is the decimal mark already: \";\" or "
                            "tab is wanted");
    return CF_OK;
}

/* What parts thousands, which is not the decimal mark, and how bytes are letters. */
static int read_more_marks(const struct cf_yaml *set, struct cf_csv_form *form,
                           struct cf_error *err)
{
    const struct cf_yaml *t = cf_yaml_get(set, "thousands"), *e = cf_yaml_get(set, "encoding");
    const char *other = form->decimal == '.' ? "," : ".";
    size_t i = 0;
    int status = t ? read_word(t, &other, 1, &i, err) : CF_OK;

    form->thousands = t ? *other : '\0';
    if (!status && e)
        status = read_word(e, cf_encoding_name, CF_ENCODING_COUNT, &i, err);
    form->encoding = e ? (enum cf_encoding) i : CF_ENCODING_FOUND;
    return status;
}

/* The lines that names take: a number, or none. */
static int read_names(const struct cf_yaml *names, struct cf_csv_form *form, struct cf_error *err)
{
    unsigned long long number = 0;
    int status;

    if (names->kind == CF_YAML_TEXT && strcmp(names->text, "none") == 0) {
        form->names = CF_CSV_NAMELESS;
        return CF_OK;
    }
    status = cf_yaml_whole(names, 1, MOST_NAMES, &number, err);
    form->names = (size_t) number;
    return status;
}

/* Where names and units of the columns are, and which of the file's tables it is. */
static int read_head(const struct cf_yaml *set, struct cf_table_place *place, struct cf_error *err)
{
    const struct cf_yaml *line = cf_yaml_get(set, "header_line"),
                         *row = cf_yaml_get(set, "unit_row"), *names = cf_yaml_get(set, "names"),
                         *block = cf_yaml_get(set, "block");
    unsigned long long number = 0;
    int status = line ? cf_yaml_whole(line, 1, MOST_LINES, &number, err) : CF_OK;

    place->form.header_line = (size_t) number;
    if (!status && row)
        status = cf_yaml_bool(row, &place->form.unit_row, err);
    if (!status && names)
        status = read_names(names, &place->form, err);
    number = 0;
    if (!status && block)
        status = cf_yaml_whole(block, 1, CF_MOST_BLOCKS, &number, err);
    place->block = (size_t) number;
    return status;
}

/* Does a message point into the file? If not, the file as a whole is wrong, and the message points
 * to its name in the study. */
static bool has_line(const char *path, const struct cf_error *err)
{
    size_t n = strlen(path);
    return err && strncmp(err->text, path, n) == 0 && err->text[n] == ':' &&
           isdigit((unsigned char) err->text[n + 1]);
}

/* A table in memory. */
static int take_table(const struct cf_yaml *file, const char *name, const struct cf_tables *tables,
                      struct cf_csv **csv, struct cf_error *err)
{
    const struct cf_columns *columns = cf_tables_find(tables, name);
    char shown[CF_SHOWN];

    if (!columns)
        return cf_yaml_fail(file, err, "file: %s: no table of this name is in memory",
                            cf_show(name, shown));
    *csv = cf_csv_of_columns(name, columns, err);
    return *csv ? CF_OK : CF_ENOMEM;
}

int cf_table_blame(const struct cf_yaml *file, const char *path, struct cf_error *err)
{
    return has_line(path, err) ? CF_EINPUT : cf_yaml_blame(file, "file", CF_EINPUT, err);
}

/* Where the table is and how it is cut; a table in memory is taken. */
static int find_table(const struct cf_yaml *set, const struct cf_yaml *file,
                      const struct cf_places *places, struct cf_table_place *place,
                      struct cf_csv **csv, struct cf_error *err)
{
    const char *name = NULL;
    int status = cf_yaml_text(file, &name, err);

    *csv = NULL;
    *place = (struct cf_table_place){.form = cf_csv_plain};
    if (status == CF_OK)
        status = read_marks(set, &place->form, err);
    if (status == CF_OK)
        status = read_more_marks(set, &place->form, err);
    if (status == CF_OK)
        status = read_head(set, place, err);
    if (status)
        return status;
    if (places->in_memory)
        return take_table(file, name, places->tables, csv, err);
    place->path = cf_format("%s%s", *name == '/' ? "" : places->folder, name);
    if (!place->path)
        return cf_fail(err, CF_ENOMEM, "no memory for a path");
    status = cf_paths_add(places->read, place->path, err);
    if (!status && place->block && cf_layout_find(place->path, place->block, &place->form, err))
        status = cf_table_blame(file, place->path, err);
    return status;
}

int cf_table_head(const struct cf_yaml *set, const struct cf_yaml *file,
                  const struct cf_places *places, struct cf_table_place *place, struct cf_csv **csv,
                  struct cf_error *err)
{
    int status = find_table(set, file, places, place, csv, err);

    if (status || *csv)
        return status;
    *csv = cf_csv_head(place->path, &place->form, err);
    return *csv ? CF_OK : cf_table_blame(file, place->path, err);
}

int cf_table_open(const struct cf_yaml *set, const struct cf_yaml *file,
                  const struct cf_places *places, struct cf_csv **csv, struct cf_error *err)
{
    struct cf_table_place place;
    int status = find_table(set, file, places, &place, csv, err);

    if (!status && !*csv) {
        *csv = cf_csv_read(place.path, &place.form, CF_CSV_MEMORY, err);
        status = *csv ? CF_OK : cf_table_blame(file, place.path, err);
    }
    free(place.path);
    return status;
}
