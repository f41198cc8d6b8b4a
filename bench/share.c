/* Which studies are whose, and the files of their records. */

#define _POSIX_C_SOURCE 200809L

#include "share.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/list.h"
#include "core/output.h"
#include "core/text.h"
#include "document/json_value.h"
#include "document/selftest_json.h"

enum { LARGEST_TABLE = 1 << 20 };

struct paths {
    size_t n;
    char **path;
};

int share_begin(struct share *share, const char *table, size_t most, struct cf_error *err)
{
    char *text = NULL;
    size_t len;
    int status = cf_file_read(table, LARGEST_TABLE, &text, &len, share->table_sha256, err);

    free(text);
    if (!status && share->tasks)
        status = cf_selftest_tasks(share->tasks, most, &share->from, &share->to, err);
    return status;
}

static int write_record(const char *path, json_t *record, struct cf_error *err)
{
    struct cf_output *out = cf_output_open(NULL, path, err);
    int status;

    if (!out)
        return CF_EIO;
    status = cf_json_write(record, cf_output_stream(out), err);
    if (!status)
        return cf_output_commit(out, err);
    cf_output_discard(out);
    return status;
}

/* plan->first and so many, into a file. */
static int make(const struct share *share, const struct cf_selftest_source *source,
                const struct cf_selftest_plan *plan, const struct cf_workers *workers,
                struct cf_replicates *out, struct cf_error *err)
{
    char *path = cf_format("%s/%s.%zu-%zu.json", share->folder, source->name, plan->first,
                           plan->first + plan->replicates);
    json_t *record = NULL;
    int status = path ? cf_selftest_run(plan, workers, out, err)
                      : cf_fail(err, CF_ENOMEM, "no memory for a path");

    if (!status && !(record = cf_selftest_json(source, plan, out)))
        status = cf_fail(err, CF_ENOMEM, "no memory for a record");
    if (!status)
        status = write_record(path, record, err);
    json_decref(record);
    free(path);
    return status;
}

/* "af-e-only.0-100.json" is a record of the design af-e-only. */
static bool is_record(const char *file, const char *design)
{
    size_t n = strlen(design), length = strlen(file), end = strlen(".json");

    return length > n + end && strncmp(file, design, n) == 0 && file[n] == '.' &&
           strcmp(file + length - end, ".json") == 0;
}

static int add_path(struct paths *paths, const char *folder, const char *file, struct cf_error *err)
{
    char **longer = cf_list_grow(paths->path, paths->n, sizeof *longer);

    if (longer) {
        paths->path = longer;
        longer[paths->n] = cf_format("%s/%s", folder, file);
    }
    if (!longer || !longer[paths->n])
        return cf_fail(err, CF_ENOMEM, "no memory for the names of records");
    paths->n++;
    return CF_OK;
}

static int find_records(const char *folder, const char *design, struct paths *paths,
                        struct cf_error *err)
{
    DIR *all = opendir(folder);
    int status = all ? CF_OK : cf_fail(err, CF_EIO, "%s: no folder of records", folder);

    for (struct dirent *entry; status == CF_OK && (entry = readdir(all));)
        if (is_record(entry->d_name, design))
            status = add_path(paths, folder, entry->d_name, err);
    if (all)
        closedir(all);
    return status;
}

static int merge(const struct share *share, const struct cf_selftest_source *source,
                 const struct cf_selftest_plan *plan, struct cf_replicates *out,
                 struct cf_error *err)
{
    struct paths paths = {0};
    struct cf_error why = {""};
    int status = find_records(share->folder, source->name, &paths, &why);

    if (!status)
        status = cf_selftest_merge(source, plan, paths.n, paths.path, out, &why);
    if (status)
        cf_fail(err, status, "%s: %s", source->name, why.text);
    for (size_t i = 0; i < paths.n; i++)
        free(paths.path[i]);
    free(paths.path);
    return status;
}

int share_run(struct share *share, const char *design, const struct cf_selftest_plan *whole,
              const struct cf_workers *workers, struct cf_replicates *out, struct cf_error *err)
{
    size_t first = share->before, end = first + whole->replicates;
    const struct cf_selftest_source source = {design, share->table_sha256, first};
    struct cf_selftest_plan plan = *whole;

    share->before = end;
    if (!share->tasks)
        return share->folder ? merge(share, &source, whole, out, err)
                             : cf_selftest_run(whole, workers, out, err);
    if (share->from >= end || share->to <= first)
        return CF_OK;
    plan.first = share->from > first ? share->from - first : 0;
    plan.replicates = (share->to < end ? share->to - first : whole->replicates) - plan.first;
    return make(share, &source, &plan, workers, out, err);
}
