#include "cmd/write_fit.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/message.h"
#include "cmd/output_path.h"
#include "core/text.h"
#include "document/fit_file.h"
#include "document/view.h"
#include "report/next_step.h"
#include "report/page.h"

void cf_print_notes(const struct cf_study *study, bool quiet)
{
    for (size_t i = 0; i < study->nnote && !quiet; i++)
        cf_message("note: %s", study->note[i]);
}

/* Commit what was written with this status, or discard it. */
static int end_output(struct cf_output *out, int status, struct cf_error *err)
{
    if (!status || cf_output_failed(out)) /* which knows the reason */
        return cf_output_commit(out, err);
    cf_output_discard(out);
    return status;
}

int cf_write_page(const struct cf_arguments *args, const char *path, const json_t *document,
                  int (*what)(const json_t *, bool draw, FILE *, struct cf_error *),
                  struct cf_error *err)
{
    int status = CF_EDRAW;

    for (int draw = 1; draw >= 0 && status == CF_EDRAW; draw--) {
        struct cf_output *out = cf_output_open(args->outputs, path, err);
        if (!out)
            return CF_EIO;
        status = end_output(out, what(document, draw, cf_output_stream(out), err), err);
        if (status == CF_EDRAW)
            cf_message("%s: without figures: %s", path, err->text);
    }
    return status;
}

static int write_file(const struct cf_arguments *args, const char *path, const json_t *document,
                      struct cf_error *err)
{
    struct cf_output *out = cf_output_open(args->outputs, path, err);
    return out ? end_output(out, cf_fit_file_write(document, cf_output_stream(out), err), err)
               : CF_EIO;
}

/* NAME, the suffix and the ending, where --output says. NULL when out of memory. */
static char *path_of(const struct cf_arguments *args, const struct cf_study *study,
                     const char *suffix, const char *ending, struct cf_error *err)
{
    char name[40], *path;

    snprintf(name, sizeof name, "%s%s", suffix, ending);
    path = cf_output_path(study->path, cf_argument(args, "output"), name);
    if (!path)
        cf_fail(err, CF_ENOMEM, "no memory for a file name");
    return path;
}

int cf_write_try(const struct cf_arguments *args, const struct cf_study *study,
                 const char *const end[], struct cf_error *err)
{
    int status = cf_outputs_protect_all(args->outputs, &study->read, err);

    for (size_t i = 0; end[i] && !status; i++) {
        char *path = path_of(args, study, end[i], "", err);
        struct cf_output *out = path ? cf_output_open(args->outputs, path, err) : NULL;
        free(path);
        status = out ? CF_OK : CF_EIO;
        cf_output_discard(out);
    }
    return status;
}

int cf_write_fit(const struct cf_arguments *args, const struct cf_study *study, const char *suffix,
                 const json_t *document, struct cf_error *err)
{
    char *json = path_of(args, study, suffix, ".json", err);
    char *html = path_of(args, study, suffix, ".html", err);
    int status = json && html ? CF_OK : CF_ENOMEM;

    if (!status)
        status = write_file(args, json, document, err);
    if (!status)
        status = cf_write_page(args, html, document, cf_page_write, err);
    if (!status && !cf_flag(args, "quiet"))
        cf_message("wrote %s and %s", json, html);
    free(json);
    free(html);
    return status;
}

/* "misfit, not to be trusted (exit status 3)"; where a need is stated, both words. */
static char *closing_text(const json_t *document)
{
    const json_t *verdict = json_object_get(document, "verdict");
    const char *status = cf_view_text(verdict, "status"), *need = cf_view_need(document);
    const char *end = cf_view_usable(document) ? "" : " (exit status 3)";

    return *need ? cf_format("%s, and %s%s", status, need, end)
                 : cf_format("%s, %sto be trusted%s", status, *end ? "not " : "", end);
}

int cf_write_closing(const struct cf_arguments *args, const struct cf_study *study,
                     const char *suffix, const json_t *document, struct cf_error *err)
{
    const json_t *verdict = json_object_get(document, "verdict");
    const char *status = cf_view_text(verdict, "status"), *unused;
    bool usable = cf_view_usable(document), good = strcmp(status, "good") == 0 && usable;
    char *path = path_of(args, study, suffix, ".json", err);
    char *text = closing_text(document);

    int failed = cf_closing_put(
        args->text,
        good     ? CF_CLOSING_GOOD
        : usable ? CF_CLOSING_DOUBT
                 : CF_CLOSING_BAD,
        text, path ? cf_next_step_of(document, args->operand[0], path, &unused) : NULL, err);
    free(path);
    free(text);
    return failed;
}
