#include "document/fit.h"

#include <math.h>
#include <stdlib.h>

#include "core/gsl_guard.h"
#include "document/fit_file.h"
#include "document/fit_json.h"
#include "document/model_read.h"
#include "document/view.h"
#include "identify/asked.h"
#include "identify/fit.h"

struct cf_document {
    json_t *fit;
};

static struct cf_document *wrap(json_t *fit, struct cf_error *err)
{
    struct cf_document *document = malloc(sizeof *document);

    if (document) {
        document->fit = fit;
        return document;
    }
    json_decref(fit);
    cf_fail(err, CF_ENOMEM, "no memory for a document");
    return NULL;
}

static json_t *fit_to_json(const struct cf_study *study, const struct cf_fit_request *request,
                           struct cf_curves *curves, struct cf_error *err)
{
    const struct cf_workers workers = {.jobs = request && request->jobs > 1 ? request->jobs : 1};
    struct cf_fit *fit = NULL;
    json_t *j = NULL;
    int status = cf_fit_run(&study->spec, study->rival, study->nrival, curves, &workers, &fit, err);

    if (!status) {
        j = cf_fit_json(study, fit,
                        request && request->command ? request->command : "cf_study_fit()");
        if (!j)
            cf_fail(err, CF_ENOMEM, "no memory for the document of %s", study->path);
    }
    cf_fit_free(fit);
    return j;
}

struct cf_document *cf_study_fit(const struct cf_study *study, const struct cf_fit_request *request,
                                 struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    json_t *fit = NULL;

    if (!curves) {
        cf_fail(err, CF_ENOMEM, "no memory for the curves");
        return NULL;
    }
    cf_gsl_enter();
    fit = fit_to_json(study, request, curves, err);
    cf_gsl_leave();
    cf_curves_free(curves);
    return fit ? wrap(fit, err) : NULL;
}

struct cf_document *cf_document_read(const char *path, struct cf_error *err)
{
    json_t *fit;
    return cf_fit_file_read(path, &fit, err) ? NULL : wrap(fit, err);
}

struct cf_document *cf_document_parse(const char *name, const char *text, struct cf_error *err)
{
    json_t *fit;
    return cf_fit_file_parse(name, text, &fit, err) ? NULL : wrap(fit, err);
}

void cf_document_free(struct cf_document *document)
{
    if (document)
        json_decref(document->fit);
    free(document);
}

char *cf_document_text(const struct cf_document *document, struct cf_error *err)
{
    char *text = cf_json_text_of(document->fit);

    if (!text)
        cf_fail(err, CF_ENOMEM, "no memory for the text of a document");
    return text;
}

static const json_t *verdict(const struct cf_document *document)
{
    return json_object_get(document->fit, "verdict");
}

const char *cf_document_verdict(const struct cf_document *document)
{
    return cf_view_text(verdict(document), "status");
}

bool cf_document_trusted(const struct cf_document *document)
{
    return cf_view_true(verdict(document), "trusted");
}

const char *cf_document_summary(const struct cf_document *document)
{
    return cf_view_text(verdict(document), "summary");
}

const char *cf_document_reason(const struct cf_document *document, size_t i)
{
    const json_t *reason = json_array_get(json_object_get(verdict(document), "reasons"), i);
    return reason ? cf_view_statement(reason) : NULL;
}

const char *cf_document_advice(const struct cf_document *document, size_t i)
{
    return json_string_value(json_array_get(json_object_get(verdict(document), "advice"), i));
}

const char *cf_document_parameter(const struct cf_document *document, size_t i)
{
    json_t *all = json_object_get(document->fit, "parameters");
    void *at = json_object_iter(all);

    for (; at && i > 0; i--)
        at = json_object_iter_next(all, at);
    return at ? json_object_iter_key(at) : NULL;
}

static const json_t *find(const struct cf_document *document, const char *parameter)
{
    return json_object_get(json_object_get(document->fit, "parameters"), parameter);
}

static const char *text_of(const struct cf_document *document, const char *parameter,
                           const char *key)
{
    return json_string_value(json_object_get(find(document, parameter), key));
}

const char *cf_document_unit(const struct cf_document *document, const char *parameter)
{
    return text_of(document, parameter, "unit");
}

const char *cf_document_role(const struct cf_document *document, const char *parameter)
{
    return text_of(document, parameter, "role");
}

const char *cf_document_worth(const struct cf_document *document, const char *parameter)
{
    return text_of(document, parameter, "verdict");
}

double cf_document_value(const struct cf_document *document, const char *parameter)
{
    const json_t *p = find(document, parameter);
    return cf_view_determined(p) ? cf_view_number(p, "value") : (double) NAN;
}

double cf_document_low(const struct cf_document *document, const char *parameter)
{
    return cf_view_number(json_object_get(find(document, parameter), "interval"), "low");
}

double cf_document_high(const struct cf_document *document, const char *parameter)
{
    return cf_view_number(json_object_get(find(document, parameter), "interval"), "high");
}

static int check_places(const struct cf_axis *axis, size_t n, const double at[],
                        struct cf_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(at[i] >= axis->lower && at[i] <= axis->upper))
            return cf_fail(err, CF_EUSAGE, "place %zu: %s %g %s: must be in [%g, %g]", i,
                           axis->name, at[i], axis->unit, axis->lower, axis->upper);
    return CF_OK;
}

static int predict(struct cf_asked *asked, struct cf_curves *curves, const char *quantity, size_t n,
                   const double at[], struct cf_predict_answer out[], struct cf_error *err)
{
    size_t channel;
    int status = cf_asked_channel(asked, quantity, &channel, err);

    if (!status)
        status = check_places(&asked->one.protocol->axis, n, at, err);
    for (size_t i = 0; i < n && !status; i++) {
        struct cf_answer answer;
        status = cf_asked_at(asked, curves, at[i], channel, &answer, err);
        out[i] = (struct cf_predict_answer){answer.value, answer.low, answer.high};
    }
    return status;
}

int cf_document_predict(const struct cf_document *document,
                        const struct cf_predict_request *request, size_t n, const double at[],
                        struct cf_predict_answer out[], struct cf_error *err)
{
    struct cf_model *model = cf_model_of("the document", document->fit, NULL, err);
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_asked asked = {.model = model};
    int status = model ? CF_OK : CF_EINPUT;

    cf_gsl_enter();
    if (!status && !curves)
        status = cf_fail(err, CF_ENOMEM, "no memory for the curves");
    if (!status)
        status =
            cf_asked_init(&asked, model, request->data, request->mass_kg, request->radius_m, err);
    if (!status && !request->quantity)
        status = cf_fail(err, CF_EUSAGE, "no quantity is named");
    if (!status)
        status = predict(&asked, curves, request->quantity, n, at, out, err);
    cf_gsl_leave();
    cf_asked_clear(&asked);
    cf_curves_free(curves);
    cf_model_free(model);
    return status;
}
