#include "study/record_read.h"

#include <stdlib.h>
#include <string.h>

/* ---- dates */

struct first_row {
    size_t column;
    bool dated, zoned;
    long long ns;
};

/* The first row is all that is wanted. */
static int take_first(void *owner, const struct cf_csv *head, size_t row, char *const cell[],
                      struct cf_error *err)
{
    struct first_row *first = owner;

    (void) row;
    (void) err;
    first->dated = cf_time_parse(cell[first->column], &first->ns, &first->zoned);
    return head->nrow ? CF_EIO : CF_OK;
}

/* The date of a file's first row; what cannot be read is reported with its rows. A table in memory
 * has none. */
static void find_date(const struct cf_source *source, struct cf_time_source *time)
{
    struct first_row first = {.column = time->column};
    const struct cf_csv *csv = source->csv;

    if (time->rate_Hz > 0 || csv->columns)
        return;
    if (source->place.path)
        cf_csv_free(
            cf_csv_stream(source->place.path, &source->place.form, take_first, &first, NULL));
    else
        first.dated =
            cf_time_parse(cf_csv_cell(csv, 0, time->column, NULL), &first.ns, &first.zoned);
    time->dated = first.dated;
    time->zoned = first.zoned;
    time->zero_ns = first.ns;
}

/* Files that stand beside each other: that of the data set first, where it has one. */
static struct cf_source *file_of(struct cf_source *source, size_t i)
{
    size_t first = source->csv != NULL;
    return i < first ? source : &source->own[i - first];
}

static size_t count_files(const struct cf_source *source)
{
    return source->nown + (source->csv != NULL);
}

static int check_dates(struct cf_source *source, const struct cf_protocol *protocol,
                       struct cf_error *err)
{
    const struct cf_source *first = file_of(source, 0);
    const struct cf_time_source *a = &first->column[protocol->clock].time;

    for (size_t i = 1; i < count_files(source); i++) {
        const struct cf_source *other = file_of(source, i);
        const struct cf_time_source *b = &other->column[protocol->clock].time;
        const struct cf_yaml *at = other->column[protocol->clock].node;
        if (a->dated != b->dated)
            return cf_yaml_fail(at, err,
                                "the times of %s are %s, and those of %s are %s: of samples with a "
                                "rate, start: states when they began",
                                other->csv->path, b->dated ? "dates" : "no dates", first->csv->path,
                                a->dated ? "dates" : "none");
        if (a->dated && a->zoned != b->zoned)
            return cf_yaml_fail(at, err,
                                "the dates of %s are %s a zone, and those of %s %s one: which is "
                                "before which?",
                                other->csv->path, b->zoned ? "with" : "without", first->csv->path,
                                a->zoned ? "with" : "without");
    }
    return CF_OK;
}

int cf_record_zero(struct cf_source *source, const struct cf_protocol *protocol,
                   struct cf_error *err)
{
    size_t n = count_files(source);
    long long zero = 0;
    int status;

    for (size_t i = 0; i < n; i++)
        find_date(file_of(source, i), &file_of(source, i)->column[protocol->clock].time);
    status = check_dates(source, protocol, err);
    for (size_t i = 0; i < n && !status; i++) {
        const struct cf_time_source *time = &file_of(source, i)->column[protocol->clock].time;
        zero = i == 0 || time->zero_ns < zero ? time->zero_ns : zero;
    }
    for (size_t i = 0; i < n && !status; i++) {
        struct cf_time_source *time = &file_of(source, i)->column[protocol->clock].time;
        if (time->dated && time->rate_Hz > 0)
            time->start_s = 1e-9 * (double) (time->zero_ns - zero);
        time->begun = true;
        time->zero_ns = zero;
    }
    return status;
}

/* ---- rows */

struct passing {
    struct cf_filling *f;
    struct cf_source source; /* whose table is the one that passes */
    struct cf_csv csv;
    size_t n;
    struct cf_error *err; /* of rows, whose messages are gathered */
};

/* Room for another row: a quarter more than there is. */
static int make_room(struct cf_dataset *d, size_t n, struct cf_error *err)
{
    enum { LEAST = 1024 };
    return n < d->nrow ? CF_OK : cf_dataset_resize(d, n + n / 4 + LEAST, err);
}

static int take_row(void *owner, const struct cf_csv *head, size_t row, char *const cell[],
                    struct cf_error *err)
{
    struct passing *p = owner;
    int status = make_room(p->f->d, p->n, err);

    (void) row;
    (void) cell;
    if (status)
        return status;
    p->csv = *head;
    p->f->d->line[p->n] = head->line[0];
    status = cf_fill_row(p->f, p->n++, 0, p->err);
    return cf_status_ends(status) ? status : CF_OK;
}

/* Rows that pass. */
static int stream(struct cf_filling *f, char sha256[65], struct cf_error *err)
{
    const struct cf_source *source = f->source;
    struct passing p = {.f = f, .source = *source, .err = err};
    struct cf_error one;
    struct cf_csv *csv;

    p.source.csv = &p.csv;
    f->source = &p.source;
    csv = cf_csv_stream(source->place.path, &source->place.form, take_row, &p, &one);
    f->source = source;
    if (csv)
        memcpy(sha256, csv->sha256, sizeof csv->sha256);
    else if (!cf_status_ends(f->status)) { /* else the row has said why */
        cf_table_blame(source->file, source->place.path, &one);
        f->status = cf_gather(err, f->status, CF_EINPUT, &one);
    }
    cf_csv_free(csv);
    return f->status ? f->status : cf_dataset_resize(f->d, p.n, err);
}

int cf_record_read(struct cf_filling *f, char sha256[65], struct cf_error *err)
{
    const struct cf_csv *csv = f->source->csv;
    int status;

    if (f->source->place.path)
        return stream(f, sha256, err);
    memcpy(sha256, csv->sha256, sizeof csv->sha256);
    status = cf_dataset_resize(f->d, csv->nrow, err);
    for (size_t i = 0; i < csv->nrow && !status; i++) {
        f->d->line[i] = csv->line[i];
        cf_fill_row(f, i, i, err);
        status = cf_status_ends(f->status) ? f->status : CF_OK;
    }
    return status ? status : f->status;
}
