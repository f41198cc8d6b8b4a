/* Data sets: a file or rows in the study, on one pair of bodies, by one protocol. */

#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/nearest.h"
#include "core/text.h"
#include "study/parts.h"

size_t cf_protocol_names(const struct cf_protocol *protocol, const char *known[])
{
    for (size_t i = 0; i < protocol->ncolumn; i++)
        known[i] = protocol->column[i].name;
    return protocol->ncolumn;
}

int cf_source_header(const struct cf_csv *csv, const struct cf_yaml *at, const char *name,
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
            return cf_yaml_fail(at, err,
                                "%s: several columns of %s are called so but for their unit: give "
                                "the whole name; it has %s",
                                cf_show(name, shown), csv->path, list);
    if (csv->ncolumn == 1 && strchr(csv->full[0], ';'))
        hint = "; to cut it at the semicolons, say delimiter: \";\"";
    else if (csv->ncolumn == 1 && strchr(csv->full[0], '\t'))
        hint = "; to cut it at the tabs, say delimiter: tab";
    near = *hint ? NULL : cf_nearest(name, (const char *const *) csv->full, csv->ncolumn);
    return cf_yaml_fail(at, err, "no column %s in %s%s%s%s: it has %s%s", cf_show(name, shown),
                        csv->path, near ? " (did you mean " : "", near ? cf_show(near, other) : "",
                        near ? "?)" : "", list, hint);
}

static int read_protocol(const struct cf_yaml *set, const struct cf_protocol **protocol,
                         struct cf_error *err)
{
    const char *known[16], *name = NULL;
    const struct cf_yaml *at;
    size_t n = 0;
    int status = cf_yaml_need(set, "protocol", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    if (status)
        return status;
    *protocol = cf_protocol_find(name);
    if (*protocol)
        return CF_OK;
    while (cf_protocols[n] && n < sizeof known / sizeof *known) {
        known[n] = cf_protocols[n]->name;
        n++;
    }
    return cf_yaml_unknown(at, "protocol", name, known, n, err);
}

/* The delimiter and the decimal mark, which must differ. Where commas are decimal marks, cells are
 * usually cut by semicolons. */
static int read_marks(const struct cf_yaml *set, char *delimiter, char *decimal,
                      struct cf_error *err)
{
    const struct cf_yaml *d = cf_yaml_get(set, "delimiter"), *m = cf_yaml_get(set, "decimal");
    const char *text = NULL;
    char shown[CF_SHOWN];
    int status = m ? cf_yaml_text(m, &text, err) : CF_OK;

    if (status)
        return status;
    *decimal = m ? *text : '.';
    if (m && strcmp(text, ".") && strcmp(text, ","))
        return cf_yaml_fail(m, err, "decimal: %s: \".\" or \",\" is wanted", cf_show(text, shown));
    *delimiter = *decimal == ',' ? ';' : ',';
    if (!d)
        return CF_OK;
    status = cf_yaml_text(d, &text, err);
    if (status)
        return status;
    *delimiter = strcmp(text, "tab") ? *text : '\t';
    if (strcmp(text, ",") && strcmp(text, ";") && strcmp(text, "tab") && strcmp(text, "\t"))
        return cf_yaml_fail(d, err, "delimiter: %s: \",\", \";\" or tab is wanted",
                            cf_show(text, shown));
    if (*delimiter == *decimal)
        return cf_yaml_fail(d, err,
                            "delimiter: the comma is the decimal mark already: \";\" or "
                            "tab is wanted");
    return CF_OK;
}

/* Does a message point into the file? If not, the file as a whole is wrong, and where the study
 * names it is what there is to point at. */
static bool has_line(const char *path, const struct cf_error *err)
{
    size_t n = strlen(path);
    return err && strncmp(err->text, path, n) == 0 && err->text[n] == ':' &&
           isdigit((unsigned char) err->text[n + 1]);
}

int cf_source_open(const struct cf_yaml *set, const struct cf_yaml *file, const char *folder,
                   struct cf_csv **csv, struct cf_error *err)
{
    const char *name = NULL;
    char *path, delimiter = ',', decimal = '.';
    size_t size;
    int status = cf_yaml_text(file, &name, err);

    *csv = NULL;
    if (status == CF_OK)
        status = read_marks(set, &delimiter, &decimal, err);
    if (status)
        return status;
    if (*name == '/')
        folder = "";
    size = strlen(folder) + strlen(name) + 1;
    path = malloc(size);
    if (!path)
        return cf_fail(err, CF_ENOMEM, "no memory for a path");
    snprintf(path, size, "%s%s", folder, name);
    *csv = cf_csv_read(path, delimiter, decimal, err);
    if (!*csv && !has_line(path, err))
        cf_yaml_blame(file, "file", CF_EINPUT, err);
    free(path);
    return *csv ? CF_OK : CF_EINPUT;
}

/* The file, relative to the study's folder. */
static int read_file(const struct cf_yaml *set, const struct cf_yaml *file, const char *folder,
                     struct cf_source *source, struct cf_dataset *d, struct cf_error *err)
{
    int status = cf_source_open(set, file, folder, &source->csv, err);

    if (status)
        return status;
    d->file = strdup(file->text);
    if (!d->file)
        return cf_fail(err, CF_ENOMEM, "no memory for a path");
    memcpy(d->sha256, source->csv->sha256, sizeof d->sha256);
    return CF_OK;
}

/* Rows in the study: keys that belong to files have no meaning there. */
static int read_rows(const struct cf_study *study, const struct cf_yaml *set,
                     const struct cf_yaml *rows, struct cf_source *source, struct cf_dataset *d,
                     struct cf_error *err)
{
    static const char *const of_files[] = {"columns", "where", "delimiter", "decimal"};
    int status = cf_yaml_list(rows, err);

    for (size_t i = 0; i < sizeof of_files / sizeof *of_files && status == CF_OK; i++) {
        const struct cf_yaml *at = cf_yaml_get(set, of_files[i]);
        if (at)
            status = cf_yaml_fail_key(at, err, "%s belongs to a file: these are rows", of_files[i]);
    }
    if (status == CF_OK && rows->n == 0)
        status = cf_yaml_fail(rows, err, "rows: none: at least one is wanted");
    source->rows = rows;
    memcpy(d->sha256, study->sha256, sizeof d->sha256);
    return status;
}

static int read_name(const struct cf_study *study, const struct cf_yaml *set, struct cf_dataset *d,
                     struct cf_error *err)
{
    const struct cf_yaml *at;
    const char *name = NULL;
    int status = cf_yaml_need(set, "name", &at, err);

    if (status == CF_OK)
        status = cf_yaml_text(at, &name, err);
    if (status)
        return status;
    for (const struct cf_dataset *other = study->spec.data; other < d; other++)
        if (strcmp(other->name, name) == 0)
            return cf_yaml_fail(at, err, "name: two data sets are called %.80s: names must differ",
                                name);
    d->name = strdup(name);
    return d->name ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a data set");
}

/* A law that tells nothing but e cannot be fitted to durations. NULL: nothing is to be fitted. */
static int check_law(const struct cf_law *law, const struct cf_source *source,
                     const struct cf_protocol *protocol, struct cf_error *err)
{
    for (size_t i = 0; law && i < protocol->ncolumn && law->family == CF_FAMILY_RESTITUTION; i++) {
        const struct cf_column *c = &protocol->column[i];
        if (source->column[i].node && c->role == CF_ROLE_MEASURED && !c->restitution_only)
            return cf_yaml_fail_key(source->column[i].node, err,
                                    "%s: law %s tells restitution only: leave the column out",
                                    c->name, law->name);
    }
    return CF_OK;
}

static int read_set(struct cf_study *study, const struct cf_yaml *set, const char *folder,
                    struct cf_source *source, struct cf_dataset *d, struct cf_error *err)
{
    static const char *const keys[] = {"name",      "protocol", "between", "file",
                                       "rows",      "columns",  "sigma",   "where",
                                       "delimiter", "decimal",  "exclude"};
    const struct cf_protocol *protocol = NULL;
    const struct cf_yaml *file, *rows;
    int status = cf_yaml_keys(set, keys, sizeof keys / sizeof *keys, err);

    source->set = set;
    if (status == CF_OK)
        status = read_name(study, set, d, err);
    if (status == CF_OK)
        status = read_protocol(set, &protocol, err);
    if (status == CF_OK)
        status = cf_study_pair(study, set, &d->pair, err);
    if (status)
        return status;
    file = cf_yaml_get(set, "file");
    rows = cf_yaml_get(set, "rows");
    if (!file == !rows)
        return cf_yaml_fail(set, err, "data set %s: %s: one of file and rows is needed", d->name,
                            file ? "both file and rows" : "no data");
    status = file ? read_file(set, file, folder, source, d, err)
                  : read_rows(study, set, rows, source, d, err);
    if (status == CF_OK)
        status = cf_source_columns(study, source, protocol, err);
    if (status == CF_OK)
        status = check_law(study->spec.law, source, protocol, err);
    return status == CF_OK ? cf_source_fill(study, source, d, protocol, err) : status;
}

int cf_study_data(struct cf_study *study, const struct cf_yaml *root, const char *folder,
                  struct cf_error *err)
{
    struct cf_spec *spec = &study->spec;
    const struct cf_yaml *data;
    int status = cf_yaml_need(root, "data", &data, err);

    if (status == CF_OK)
        status = cf_yaml_list(data, err);
    if (status == CF_OK && data->n == 0)
        status = cf_yaml_fail(data, err, "data: no data set: at least one is needed");
    if (status)
        return status;
    spec->data = calloc(data->n, sizeof *spec->data);
    if (!spec->data)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu data sets", data->n);
    for (size_t i = 0; i < data->n && status == CF_OK; i++) {
        struct cf_source source = {0};
        status = read_set(study, &data->item[i], folder, &source, &spec->data[spec->ndata++], err);
        cf_csv_free(source.csv);
    }
    return status;
}
