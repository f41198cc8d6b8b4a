/* Rows into a data set: chosen, excluded, filled, and then the whole of them checked. Those of a
 * record over time pass one by one and are not kept as text; those of its several files are filled
 * file by file and put beside each other. */

#define _POSIX_C_SOURCE 200809L

#include <sha256.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/record_read.h"
#include "study/record_values.h"

/* A column without a value gives no information; a sigma from residuals, where one is wanted, needs
 * three at least. */
static int check_filled(const struct cf_source *source, const struct cf_dataset *d, bool fitted,
                        struct cf_error *err)
{
    enum { LEAST = 3 };

    for (size_t i = 0; i < d->protocol->nchannel; i++) {
        const struct cf_column_source *column = &source->column[i];
        const char *name = d->protocol->channel[i].name;
        size_t n = 0;

        for (size_t row = 0; row < d->nrow; row++)
            n += d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, i);
        if (!column->node)
            continue;
        if (n == 0)
            return cf_yaml_fail_key(column->node, err,
                                    "%s: no row of data set %s has a value: leave it out", name,
                                    d->name);
        if (fitted && column->kind == CF_SIGMA_ESTIMATE && !column->is_record && n < LEAST)
            return cf_yaml_fail(column->sigma_node ? column->sigma_node : column->node, err,
                                "%s: %zu value%s: a sigma cannot be estimated from fewer than %d; "
                                "give it, as in sigma: {%s: 1 %%}",
                                name, n, n == 1 ? "" : "s", LEAST, name);
    }
    return CF_OK;
}

static int copy_provenance(const struct cf_csv *csv, struct cf_dataset *d, struct cf_error *err)
{
    if (!csv || !csv->nprovenance)
        return CF_OK;
    d->provenance = calloc(csv->nprovenance, sizeof *d->provenance);
    for (size_t i = 0; d->provenance && i < csv->nprovenance; i++) {
        d->provenance[i] = strdup(csv->provenance[i]);
        if (!d->provenance[i])
            return cf_fail(err, CF_ENOMEM, "no memory for the head of a table");
        d->nprovenance++;
    }
    return d->provenance ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the head of a table");
}

/* Where the study states the number of the apparatus, or would. */
static int fail_number(const struct cf_source *source, const struct cf_dataset *d,
                       const char *number, const char *what, struct cf_error *err)
{
    const struct cf_yaml *apparatus = cf_yaml_get(source->set, "apparatus");
    const struct cf_yaml *at = apparatus ? cf_yaml_get(apparatus, number) : NULL;

    if (at)
        return cf_yaml_fail(at, err, "data set %s: %s", d->name, what);
    if (apparatus)
        return cf_yaml_fail_key(apparatus, err, "data set %s: %s", d->name, what);
    return cf_yaml_fail(source->set, err, "data set %s: %s", d->name, what);
}

/* The record as a whole, once its rows are there. */
static int complete(struct cf_study *study, const struct cf_source *source, struct cf_dataset *d,
                    struct cf_error *err)
{
    struct cf_error what = {""};
    struct cf_cell_place at;
    char note[256] = "";
    struct cf_record_about about = {0};
    int status =
        d->protocol->complete ? d->protocol->complete(d, &about, note, sizeof note, &what) : CF_OK;

    if (status == CF_OK && !*note)
        return CF_OK;
    if (status && cf_status_ends(status))
        return cf_fail(err, status, "%s", what.text);
    if (status && about.number)
        return fail_number(source, d, about.number, what.text, err);
    at = cf_row_place(source, source->rows ? about.row : 0); /* rows of the study are all kept */
    at.line = d->line[about.row];
    if (status)
        return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: data set %s: %s", at.file, at.line, at.column,
                       d->name, what.text);
    return cf_study_note(study, err, "%s: data set %s: %s", at.file, d->name, note);
}

/* What the study says of the series as such. */
static void put_kinds(const struct cf_source *source, struct cf_dataset *d)
{
    for (size_t i = 0; i < d->protocol->nchannel; i++) {
        const struct cf_column_source *column = &source->column[i];
        d->series[i].kind = column->node ? column->kind : CF_SIGMA_NONE;
        d->series[i].model = column->model;
        d->series[i].floored = column->floored;
        d->series[i].apart = column->apart;
        d->series[i].dense = column->dense;
    }
}

/* ---- rows that are kept as text, or stand in the study */

static size_t count_rows(const struct cf_source *source)
{
    return source->csv ? source->csv->nrow : source->rows->n;
}

static int fill_kept(struct cf_filling *f, const bool keep[], struct cf_error *err)
{
    struct cf_dataset *d = f->d;
    size_t all = count_rows(f->source);
    int status;

    for (size_t i = 0, row = 0; i < all; i++)
        if (keep[i])
            d->line[row++] = cf_row_place(f->source, i).line;
    status = cf_excludes_put(f->excludes, false, d, err);
    for (size_t i = 0, row = 0; !cf_status_ends(status) && i < all; i++)
        if (keep[i])
            status = status && !f->status ? status : cf_fill_row(f, row++, i, err);
    return status;
}

/* Choose the rows, and fill those. */
static int fill_table(struct cf_filling *f, struct cf_error *err)
{
    size_t all = count_rows(f->source), n = 0;
    bool *keep = malloc((all + 1) * sizeof *keep);
    int status = keep ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", all);

    for (size_t i = 0; keep && i < all; i++)
        keep[i] = true;
    if (status == CF_OK && f->source->csv)
        status = cf_source_choose(f->source, f->d->protocol, keep, err);
    for (size_t i = 0; status == CF_OK && i < all; i++)
        n += keep[i];
    if (status == CF_OK)
        status = cf_dataset_resize(f->d, n, err);
    if (status == CF_OK)
        status = fill_kept(f, keep, err);
    free(keep);
    return status;
}

/* ---- rows of one file that pass, or of several */

static int tell_record(struct cf_filling *f, struct cf_error *err)
{
    int status = cf_record_tell_times(f->study, f->source, f->d, f->clock, err);
    return status ? status : cf_record_tell_values(f->study, f->source, f->d, f->clock->rule, err);
}

/* The i-th file as a source of its own, with its channels and its clock alone. */
static struct cf_source source_of_file(const struct cf_source *source, size_t i,
                                       const struct cf_protocol *protocol)
{
    bool first = source->csv && i == 0;
    size_t k = first ? 0 : i - (source->csv != NULL) + 1; /* as column[].own counts */
    struct cf_source file = k ? source->own[k - 1] : *source;

    for (size_t c = 0; c < protocol->nchannel; c++)
        if (c != protocol->clock) {
            file.column[c] = source->column[c];
            if (source->column[c].own != k)
                file.column[c].node = NULL;
        }
    file.missing = source->missing;
    return file;
}

/* Read one file into a data set of its own, whose channels those of the record address by its
 * number. */
static int fill_part(const struct cf_filling *record, const struct cf_source *file, size_t i,
                     struct cf_dataset *part, struct cf_error *err)
{
    struct cf_dataset *d = record->d;
    struct cf_record_clock clock = {.rule = record->clock->rule};
    struct cf_filling f = *record;
    int status = cf_dataset_alloc(part, d->protocol, 0, err);

    f.source = file;
    f.d = part;
    f.clock = &clock;
    f.parts = true;
    d->part[i].file = strdup(file->file->text);
    if (!status && !d->part[i].file)
        status = cf_fail(err, CF_ENOMEM, "no memory for a path");
    if (!status)
        status = cf_record_read(&f, d->part[i].sha256, err);
    if (!status)
        status = cf_fill_end(&f, err);
    if (!status)
        status = tell_record(&f, err);
    for (size_t c = 0; c < d->protocol->nchannel; c++)
        if (file->column[c].node && c != d->protocol->clock) {
            d->series[c].read = true;
            d->series[c].part = i;
        }
    return status;
}

/* The hash of a record of several files is that of the line of their hashes. */
static void put_hash(struct cf_dataset *d)
{
    SHA2_CTX hash;

    SHA256Init(&hash);
    for (size_t i = 0; i < d->npart; i++) {
        SHA256Update(&hash, (const uint8_t *) d->part[i].sha256, strlen(d->part[i].sha256));
        SHA256Update(&hash, (const uint8_t *) (i + 1 < d->npart ? " " : "\n"), 1);
    }
    SHA256End(&hash, d->sha256);
}

/* Rows that were passed over as excluded when they were read are excluded with their reasons: those
 * of lines that were not known before, and those of windows. */
static int exclude(struct cf_filling *f, bool lines, struct cf_error *err)
{
    struct cf_dataset *d = f->d;
    int status;

    memset(d->use, CF_ROW_FIT, d->nrow);
    for (size_t i = 0; i < d->nexclusion; i++)
        memset(&d->use[d->exclusion[i].row], CF_ROW_EXCLUDED, d->exclusion[i].count);
    status = lines ? cf_excludes_put(f->excludes, false, d, err) : CF_OK;
    return status ? status : cf_excludes_put(f->excludes, true, d, err);
}

static int fill_parts(struct cf_filling *f, struct cf_error *err)
{
    const struct cf_source *source = f->source;
    struct cf_dataset *d = f->d, *part;
    size_t n = source->nown + (source->csv != NULL);
    struct cf_error one;
    int status = CF_OK;

    part = calloc(n, sizeof *part);
    d->part = calloc(n, sizeof *d->part);
    if (!part || !d->part)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu files", n);
    for (size_t i = 0; i < n && !cf_status_ends(status); i++) {
        struct cf_source file = source_of_file(source, i, d->protocol);
        d->npart++;
        status = cf_gather(err, status, fill_part(f, &file, i, &part[i], &one), &one);
    }
    if (!status)
        status = cf_record_merge(part, n, d, err);
    for (size_t i = 0; part && i < n; i++)
        cf_dataset_clear(&part[i]);
    free(part);
    if (status)
        return status;
    put_hash(d);
    status = exclude(f, false, err);
    for (size_t row = 0; row < d->nrow && !cf_status_ends(status); row++)
        status = cf_fill_check(f, row, err);
    return status ? status : cf_fill_end(f, err);
}

/* Rows of a record or a table, and what is excluded of them. */
static int fill(struct cf_filling *f, struct cf_error *err)
{
    const struct cf_source *source = f->source;
    bool passes = source->place.path != NULL;
    int status;

    if (source->nown)
        return fill_parts(f, err);
    status = passes ? cf_record_read(f, f->d->sha256, err) : fill_table(f, err);
    if (!status)
        status = cf_fill_end(f, err);
    if (!status)
        status = exclude(f, passes, err);
    return !status && f->clock ? tell_record(f, err) : status;
}

int cf_source_fill(struct cf_study *study, struct cf_source *source, struct cf_dataset *d,
                   const struct cf_protocol *protocol, struct cf_error *err)
{
    double rule[CF_RECORD_NRULE];
    struct cf_record_clock clock = {.rule = rule};
    struct cf_excludes excludes = {0};
    struct cf_filling f = {
        .study = study, .source = source, .d = d, .excludes = &excludes, .clock = NULL};
    int status = cf_dataset_alloc(d, protocol, 0, err);

    if (status == CF_OK && cf_is_timed(protocol) && source->column[protocol->clock].node) {
        f.clock = &clock;
        status = cf_record_zero(source, protocol, err);
    }
    if (status == CF_OK && cf_is_timed(protocol))
        status = cf_record_rules(source->set, rule, err);
    if (status == CF_OK)
        status = cf_source_apparatus(source->set, d, err);
    if (status == CF_OK)
        status = cf_excludes_read(source->set, protocol, source->nown > 0, &excludes, err);
    if (status == CF_OK)
        put_kinds(source, d);
    if (status == CF_OK)
        status = fill(&f, err);
    cf_excludes_clear(&excludes);
    if (status == CF_OK)
        status = complete(study, source, d, err);
    if (status == CF_OK)
        status = check_filled(source, d, study->spec.law != NULL, err);
    return status == CF_OK ? copy_provenance(source->csv, d, err) : status;
}
