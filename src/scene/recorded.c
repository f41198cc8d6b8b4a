/* A recorded motion that drives a body: its table, or the one that stands over it, and its
 * smoothing. */

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/table.h"
#include "file/time.h"
#include "motion/recorded.h"
#include "scene/keys.h"
#include "scene/parts.h"

static const char *const column_keys[] = {"time", "x", "y", "z"};
static const char *const column_units[] = {"s", "m", "m", "m"};
enum { NCOLUMN = 4 };

/* A table of positions by time. */
struct record {
    struct cf_csv *csv;
    struct cf_time_source time;
    size_t column[NCOLUMN]; /* of x, y, z from 1 on; ncolumn of the table: there is none */
    double factor[NCOLUMN];
    double scale, offset[3];
    double cutoff_Hz; /* of smoothing: 0, chosen; INFINITY, none */
    double *time_s, *position_m;
};

/* `time: HEADER`, or {from: HEADER, rate: 1 kHz}, or {rate: 1 kHz} where the rows are samples. */
static int find_time(const struct cf_yaml *node, struct record *record, struct cf_error *err)
{
    const struct cf_yaml *at;
    const char *name = NULL;
    bool found;
    int status = cf_yaml_need(node, column_keys[0], &at, err);

    if (status == CF_OK && at->kind == CF_YAML_MAP) {
        status = cf_schema_check(at, &cf_scene_time_schema, err);
        if (status == CF_OK)
            status = cf_time_rate(at, &record->time, err);
        at = cf_yaml_get(at, "from");
    }
    if (status || record->time.counted)
        return status;
    if (!at)
        return cf_yaml_need(cf_yaml_get(node, column_keys[0]), "from", &at, err);
    status = cf_yaml_text(at, &name, err);
    if (status == CF_OK)
        status = cf_table_header(record->csv, at, name, &record->time.column, err);
    if (status == CF_OK && !(record->time.rate_Hz > 0))
        status = cf_table_factor(record->csv, record->time.column, at, NULL, column_units[0],
                                 &record->time.factor, &found, err);
    return status;
}

static int find_columns(const struct cf_yaml *node, struct record *record, struct cf_error *err)
{
    int status = find_time(node, record, err);

    for (int i = 1; i < NCOLUMN && status == CF_OK; i++) {
        const struct cf_yaml *at = cf_yaml_get(node, column_keys[i]);
        const char *name = NULL;
        bool found;
        record->column[i] = record->csv->ncolumn;
        if (!at)
            continue;
        status = cf_yaml_text(at, &name, err);
        if (status == CF_OK)
            status = cf_table_header(record->csv, at, name, &record->column[i], err);
        if (status == CF_OK)
            status = cf_table_factor(record->csv, record->column[i], at, NULL, column_units[i],
                                     &record->factor[i], &found, err);
    }
    if (status == CF_OK && record->column[1] == record->csv->ncolumn &&
        record->column[2] == record->csv->ncolumn && record->column[3] == record->csv->ncolumn)
        status = cf_yaml_fail(node, err, "trace: no column of places: x, y or z is needed");
    return status;
}

static int read_scale(const struct cf_yaml *node, struct record *record, struct cf_error *err)
{
    const struct cf_yaml *scale = cf_yaml_get(node, "scale"), *offset = cf_yaml_get(node, "offset");
    int status = CF_OK;

    record->scale = 1;
    if (scale)
        status = cf_yaml_quantity(scale, "1", &record->scale, err);
    if (status == CF_OK && offset)
        status = cf_scene_vector(offset, "m", 3, record->offset, err);
    return status;
}

static int read_place(const struct record *record, int i, size_t row, struct cf_error *err)
{
    const struct cf_csv *csv = record->csv;
    double value = 0, *place = &record->position_m[3 * row + (size_t) i - 1];

    *place = record->offset[i - 1];
    if (record->column[i] == csv->ncolumn)
        return CF_OK;
    if (cf_csv_blank(csv, row, record->column[i]))
        return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s: nothing is there: a trace has no gaps",
                       csv->path, csv->line[row], cf_csv_at(csv, row, record->column[i]),
                       csv->full[record->column[i]]);
    int status = cf_csv_number(csv, row, record->column[i], &value, err);
    if (!status)
        *place += record->scale * value * record->factor[i];
    return status;
}

static int read_row(const struct record *record, size_t row, struct cf_error *err)
{
    const struct cf_csv *csv = record->csv;
    const struct cf_time_source *time = &record->time;
    char room[2][CF_CSV_ROOM];
    int status;

    if (!time->counted && cf_csv_blank(csv, row, time->column))
        return cf_fail(err, CF_EINPUT, "%s:%zu:%zu: %s: nothing is there: a trace has no gaps",
                       csv->path, csv->line[row], cf_csv_at(csv, row, time->column),
                       csv->full[time->column]);
    status = cf_time_read(csv, time, row, &record->time_s[row], err);
    for (int i = 1; i < NCOLUMN && !status; i++)
        status = read_place(record, i, row, err);
    if (status)
        return status;
    if (row > 0 && !(record->time_s[row] > record->time_s[row - 1]))
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu:%zu: %s %s after %s: times must grow from row to row", csv->path,
                       csv->line[row], cf_csv_at(csv, row, time->column), csv->full[time->column],
                       cf_csv_cell(csv, row, time->column, room[0]),
                       cf_csv_cell(csv, row - 1, time->column, room[1]));
    return CF_OK;
}

/* Dates count from a table's own first row: a motion in another file than the record has another
 * zero. */
static int check_dates(const struct record *record, const struct cf_scene_input *input,
                       struct cf_error *err)
{
    const struct cf_csv *csv = record->csv;
    char room[CF_CSV_ROOM];
    long long ns;
    bool zoned;

    if (!input || input->own || record->time.counted || record->time.rate_Hz > 0 || !csv->nrow ||
        !cf_time_parse(cf_csv_cell(csv, 0, record->time.column, room), &ns, &zoned))
        return CF_OK;
    return cf_yaml_fail(cf_yaml_get(input->node, column_keys[0]), err,
                        "time: %s has dates, which count from its own first row: a motion in "
                        "another file than the record has its times in seconds of the record",
                        csv->path);
}

/* `smoothing`: a frequency, none or chosen. */
static int read_smoothing(const struct cf_yaml *node, struct record *record, struct cf_error *err)
{
    static const char *const words[] = {"none", "chosen"};
    const struct cf_yaml *at = cf_yaml_get(node, "smoothing");
    const char *text = NULL;
    int status = at ? cf_yaml_text(at, &text, err) : CF_OK;

    if (!at || status)
        return status;
    if (strcmp(text, words[0]) == 0)
        record->cutoff_Hz = (double) INFINITY;
    else if (strcmp(text, words[1]) == 0)
        record->cutoff_Hz = 0;
    else if (isalpha((unsigned char) *text))
        return cf_yaml_fail(at, err,
                            "smoothing: %.40s: a frequency such as 20 Hz is wanted, none, or "
                            "chosen",
                            text);
    else
        return cf_yaml_positive(at, "Hz", &record->cutoff_Hz, err);
    return CF_OK;
}

/* Warn of a body that is at rest where nothing was recorded. */
static int remark_end(struct cf_scene_reader *r, const struct cf_rigid *body, struct cf_error *err)
{
    double from, to;

    cf_trace_span(body->trace, &from, &to);
    if (from <= 0 && to >= r->scene->duration_s)
        return CF_OK;
    return cf_scene_remark(r->file, err,
                           "%s: recorded from %.6g s to %.6g s, before and after which it stands "
                           "still",
                           body->name, from, to);
}

/* "0.12 um along x": what smoothing took off, axis by axis. */
static void print_noise(const struct cf_trace_smoothness *s, char text[], size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (int axis = 0; axis < 3; axis++) {
        bool micro = s->noise_m[axis] < 1e-3;
        if (!(s->noise_m[axis] > 0) || used >= size)
            continue;
        used += (size_t) snprintf(text + used, size - used, "%s%.2g %s along %c", used ? ", " : "",
                                  s->noise_m[axis] * (micro ? 1e6 : 1e3), micro ? "um" : "mm",
                                  "xyz"[axis]);
    }
    if (!used)
        snprintf(text, size, "0");
}

static int remark_smoothing(struct cf_scene_reader *r, const struct cf_rigid *body,
                            struct cf_error *err)
{
    struct cf_trace_smoothness s;
    char noise[120];

    if (!cf_trace_smoothness(body->trace, &s))
        return CF_OK;
    print_noise(&s, noise, sizeof noise);
    return cf_scene_remark(r->file, err,
                           "the recorded motion of %s is smoothed at %.3g Hz%s: %.4g free numbers "
                           "of %zu rows; what it takes off has an sd of %s",
                           body->name, s.cutoff_Hz, s.chosen ? " (chosen by cross-validation)" : "",
                           s.freedom, s.rows, noise);
}

/* What stands over the trace of a body; NULL: nothing. */
static const struct cf_scene_input *find_input(const struct cf_scene_reader *r, const char *body)
{
    for (size_t i = 0; i < r->file->ninput; i++)
        if (strcmp(r->file->input[i].body, body) == 0)
            return &r->file->input[i];
    return NULL;
}

/* The record of the table that `table` names and says how to cut. */
static int read_record(struct record *record, const struct cf_yaml *node,
                       const struct cf_yaml *table, const struct cf_yaml *file,
                       const struct cf_places *places, struct cf_error *err)
{
    int status = cf_table_open(table, file, places, &record->csv, err);

    if (status == CF_OK)
        status = find_columns(node, record, err);
    if (status == CF_OK)
        status = read_scale(node, record, err);
    if (status == CF_OK)
        status = read_smoothing(node, record, err);
    if (status == CF_OK) {
        record->time_s = calloc(record->csv->nrow + 1, sizeof *record->time_s);
        record->position_m = calloc(3 * record->csv->nrow + 1, sizeof *record->position_m);
        if (!record->time_s || !record->position_m)
            status = cf_fail(err, CF_ENOMEM, "no memory for %zu rows", record->csv->nrow);
    }
    return status;
}

static int read_rows(struct cf_scene_reader *r, struct record *record, const struct cf_yaml *file,
                     bool own_clock, struct cf_rigid *body, struct cf_error *err)
{
    struct cf_error why = {""};
    int status = CF_OK;

    for (size_t row = 0; status == CF_OK && row < record->csv->nrow; row++)
        status = read_row(record, row, err);
    if (status)
        return status;
    body->trace = cf_trace_smooth(record->csv->nrow, record->time_s, record->position_m,
                                  record->cutoff_Hz, &why);
    if (!body->trace)
        return cf_yaml_fail(file, err, "%s: %s", record->csv->path, why.text);
    if (own_clock)
        status = remark_end(r, body, err);
    return status == CF_OK ? remark_smoothing(r, body, err) : status;
}

int cf_scene_recorded(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_rigid *body,
                      struct cf_error *err)
{
    const struct cf_scene_input *input = find_input(r, body->name);
    const struct cf_yaml *delay = cf_yaml_get(node, "delay"), *file = NULL;
    struct record record = {.csv = NULL, .cutoff_Hz = input ? 0 : (double) INFINITY};
    struct cf_places places = {.folder = input ? input->folder : r->folder, .read = &r->file->read};
    int status = cf_schema_check(node, &cf_scene_trace_schema, err);

    if (status == CF_OK && delay)
        status = cf_yaml_quantity(delay, "s", &body->delay_s, err);
    if (status == CF_OK && input)
        file = input->file;
    else if (status == CF_OK)
        status = cf_yaml_need(node, "file", &file, err);
    if (status == CF_OK)
        status = read_record(&record, input ? input->node : node, input ? input->table : node, file,
                             &places, err);
    if (status == CF_OK)
        status = check_dates(&record, input, err);
    if (status == CF_OK)
        status = read_rows(r, &record, file, !input, body, err);
    free(record.time_s);
    free(record.position_m);
    cf_csv_free(record.csv);
    return status;
}
