#include "cmd/write_fit.h"

#include <stdlib.h>

#include "cmd/output_path.h"
#include "core/file.h"
#include "document/fit_file.h"
#include "report/page.h"

void cf_print_notes(const struct cf_study *study, bool quiet)
{
    for (size_t i = 0; i < study->nnote && !quiet; i++)
        fprintf(stderr, "note: %s\n", study->note[i]);
}

int cf_write_whole(const char *path, const json_t *document,
                   int (*what)(const json_t *, FILE *, struct cf_error *), struct cf_error *err)
{
    struct cf_output *out = cf_output_open(path, err);
    int status;

    if (!out)
        return CF_EIO;
    status = what(document, cf_output_stream(out), err);
    if (!status)
        return cf_output_commit(out, err);
    cf_output_discard(out);
    return status;
}

int cf_write_try(const struct cf_study *study, const char *folder, const char *suffix,
                 struct cf_error *err)
{
    char ending[40], *path;
    struct cf_output *out;

    snprintf(ending, sizeof ending, "%s.json", suffix);
    path = cf_output_path(study->path, folder, ending);
    if (!path)
        return cf_fail(err, CF_ENOMEM, "no memory for a file name");
    out = cf_output_open(path, err);
    free(path);
    if (!out)
        return CF_EIO;
    cf_output_discard(out);
    return CF_OK;
}

int cf_write_fit(const struct cf_study *study, const char *folder, const char *suffix,
                 const json_t *document, bool quiet, struct cf_error *err)
{
    char ending[2][40], *json, *html;
    int status;

    snprintf(ending[0], sizeof ending[0], "%s.json", suffix);
    snprintf(ending[1], sizeof ending[1], "%s.html", suffix);
    json = cf_output_path(study->path, folder, ending[0]);
    html = cf_output_path(study->path, folder, ending[1]);
    status = json && html ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a file name");
    if (!status)
        status = cf_write_whole(json, document, cf_fit_file_write, err);
    if (!status)
        status = cf_write_whole(html, document, cf_page_write, err);
    if (!status && !quiet)
        fprintf(stderr, "wrote %s and %s\n", json, html);
    free(json);
    free(html);
    return status;
}
