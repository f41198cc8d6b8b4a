/* Drives of a body: fixed, a steady motion, a recorded one, a command under force accommodation. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "file/table.h"
#include "file/time.h"
#include "motion/recorded.h"
#include "scene/parts.h"

static const char *const column_keys[] = {"time", "x", "y", "z"};
static const char *const column_units[] = {"s", "m", "m", "m"};
enum { NCOLUMN = 4 };

static int read_moving(const struct cf_yaml *node, struct cf_rigid *body, struct cf_error *err)
{
    static const char *const keys[] = {"velocity", "spin"};
    const struct cf_yaml *velocity, *spin;
    int status = cf_yaml_keys(node, keys, 2, err);

    if (status)
        return status;
    velocity = cf_yaml_get(node, "velocity");
    spin = cf_yaml_get(node, "spin");
    if (!velocity && !spin)
        return cf_yaml_fail(node, err, "moving: velocity or spin is needed");
    if (velocity)
        status = cf_scene_vector(velocity, "m/s", 3, body->velocity_m_s, err);
    if (status == CF_OK && spin)
        status = cf_scene_vector(spin, "rad/s", 3, body->spin_rad_s, err);
    return status;
}

/* A table of positions by time. */
struct record {
    struct cf_csv *csv;
    struct cf_time_source time;
    size_t column[NCOLUMN]; /* of x, y, z from 1 on; ncolumn of the table: there is none */
    double factor[NCOLUMN];
    double scale, offset[3];
    double *time_s, *position_m;
};

/* `time: HEADER`, or {from: HEADER, rate: 1 kHz}, or {rate: 1 kHz} where the rows are samples. */
static int find_time(const struct cf_yaml *node, struct record *record, struct cf_error *err)
{
    static const char *const keys[] = {"from", "rate"};
    const struct cf_yaml *at;
    const char *name = NULL;
    bool found;
    int status = cf_yaml_need(node, column_keys[0], &at, err);

    if (status == CF_OK && at->kind == CF_YAML_MAP) {
        status = cf_yaml_keys(at, keys, 2, err);
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

static int read_trace(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_rigid *body,
                      struct cf_error *err)
{
    static const char *const keys[] = {"file",    "time",        "x",       "y",
                                       "z",       "scale",       "offset",  "delimiter",
                                       "decimal", "header_line", "unit_row"};
    struct record record = {.csv = NULL};
    const struct cf_yaml *file;
    struct cf_error why = {""};
    int status = cf_yaml_keys(node, keys, sizeof keys / sizeof *keys, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "file", &file, err);
    if (status == CF_OK)
        status = cf_table_open(node, file,
                               &(struct cf_places){.folder = r->folder, .read = &r->file->read},
                               &record.csv, err);
    if (status == CF_OK)
        status = find_columns(node, &record, err);
    if (status == CF_OK)
        status = read_scale(node, &record, err);
    if (status == CF_OK) {
        record.time_s = calloc(record.csv->nrow, sizeof *record.time_s);
        record.position_m = calloc(3 * record.csv->nrow, sizeof *record.position_m);
        if (!record.time_s || !record.position_m)
            status = cf_fail(err, CF_ENOMEM, "no memory for %zu rows", record.csv->nrow);
    }
    for (size_t row = 0; status == CF_OK && row < record.csv->nrow; row++)
        status = read_row(&record, row, err);
    if (status == CF_OK) {
        body->trace = cf_trace_make(record.csv->nrow, record.time_s, record.position_m, &why);
        if (!body->trace)
            status = cf_yaml_fail(file, err, "%s: %s", record.csv->path, why.text);
    }
    if (status == CF_OK)
        status = remark_end(r, body, err);
    free(record.time_s);
    free(record.position_m);
    cf_csv_free(record.csv);
    return status;
}

static int read_leg(const struct cf_yaml *node, struct cf_command_leg *leg, struct cf_error *err)
{
    static const char *const keys[] = {"from", "velocity"};
    const struct cf_yaml *from, *velocity;
    int status = cf_yaml_keys(node, keys, 2, err);

    if (status == CF_OK)
        status = cf_yaml_need(node, "from", &from, err);
    if (status == CF_OK)
        status = cf_yaml_need(node, "velocity", &velocity, err);
    if (status == CF_OK)
        status = cf_yaml_quantity(from, "s", &leg->from_s, err);
    return status == CF_OK ? cf_scene_vector(velocity, "m/s", 3, leg->velocity_m_s, err) : status;
}

static int read_legs(const struct cf_yaml *legs, struct cf_accommodation *a, struct cf_error *err)
{
    int status = cf_yaml_list(legs, err);

    if (status == CF_OK && legs->n == 0)
        status = cf_yaml_fail(legs, err, "legs: none: at least one is needed");
    if (status)
        return status;
    a->leg = calloc(legs->n, sizeof *a->leg);
    if (!a->leg)
        return cf_fail(err, CF_ENOMEM, "no memory for the command");
    for (size_t i = 0; i < legs->n && status == CF_OK; i++) {
        status = read_leg(&legs->item[i], &a->leg[a->nleg++], err);
        if (status == CF_OK && i > 0 && !(a->leg[i].from_s > a->leg[i - 1].from_s))
            status = cf_yaml_fail(cf_yaml_get(&legs->item[i], "from"), err,
                                  "from: %s: times must grow from leg to leg",
                                  cf_yaml_get(&legs->item[i], "from")->text);
    }
    return status;
}

static int read_command(const struct cf_yaml *node, struct cf_rigid *body, struct cf_error *err)
{
    static const char *const keys[] = {"yield", "dead-band", "lag", "legs"};
    static const char *const units[] = {"m/(s N)", "N", "s"};
    struct cf_accommodation *a = &body->accommodation;
    double *to[] = {&a->yield_m_s_N, &a->dead_band_N, &a->lag_s};
    const struct cf_yaml *at[4];
    int status = cf_yaml_keys(node, keys, 4, err);

    for (int i = 0; i < 4 && status == CF_OK; i++)
        status = cf_yaml_need(node, keys[i], &at[i], err);
    for (int i = 0; i < 3 && status == CF_OK; i++) {
        status = cf_yaml_quantity(at[i], units[i], to[i], err);
        if (status == CF_OK && !(*to[i] >= 0))
            status = cf_yaml_fail(at[i], err, "%s: %s: must be at least 0", keys[i], at[i]->text);
    }
    return status == CF_OK ? read_legs(at[3], a, err) : status;
}

int cf_scene_drive(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_rigid *body,
                   struct cf_error *err)
{
    static const char *const keys[] = {"fixed", "moving", "trace", "command"};
    static const enum cf_drive drives[] = {CF_DRIVE_FIXED, CF_DRIVE_STEADY, CF_DRIVE_RECORDED,
                                           CF_DRIVE_COMMANDED};
    const struct cf_yaml *fixed = cf_yaml_get(node, "fixed"), *first = NULL;
    bool is_fixed = true;
    int status = fixed ? cf_yaml_bool(fixed, &is_fixed, err) : CF_OK;

    body->drive = CF_DRIVE_FREE;
    for (int i = 0; i < 4 && status == CF_OK; i++) {
        const struct cf_yaml *at = cf_yaml_get(node, keys[i]);
        if (!at || (at == fixed && !is_fixed))
            continue;
        if (first)
            return cf_yaml_fail_key(at, err, "body %s: %s and %s: one of them is wanted",
                                    body->name, first->key, at->key);
        first = at;
        body->drive = drives[i];
    }
    if (status == CF_OK && body->drive == CF_DRIVE_STEADY)
        status = read_moving(first, body, err);
    if (status == CF_OK && body->drive == CF_DRIVE_RECORDED)
        status = read_trace(r, first, body, err);
    if (status == CF_OK && body->drive == CF_DRIVE_COMMANDED)
        status = read_command(first, body, err);
    return status;
}
