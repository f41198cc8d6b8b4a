/* The fit of a study, and the document that says all about it: what fit files hold, and pages,
 * predictions and exports are made from. */

#ifndef CF_DOCUMENT_FIT_H
#define CF_DOCUMENT_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "study/read.h"

/* A fit's document. */
struct cf_document;

/* What a study leaves to the one who fits it; 0 throughout is what `contactfit fit` does on one
 * thread. */
struct cf_fit_request {
    size_t jobs;         /* threads at work; 0 and 1: the caller's alone. They change no result */
    const char *command; /* how it was made, for provenance; NULL: the library */
};

/* Fit the study's law to its data, compare it with its rivals and judge it. A result that cannot be
 * trusted is no failure: ask cf_document_trusted(). `request` may be NULL. GSL's error handler is
 * off meanwhile, and as it was after the last call that is under way in any thread. NULL when out
 * of memory, or where the law cannot be evaluated at all. The document needs the study no more. */
struct cf_document *cf_study_fit(const struct cf_study *study, const struct cf_fit_request *request,
                                 struct cf_error *err);

/* Read a fit file; its text. NULL on failure, with the place in the file or the text. */
struct cf_document *cf_document_read(const char *path, struct cf_error *err);
struct cf_document *cf_document_parse(const char *name, const char *text, struct cf_error *err);
void cf_document_free(struct cf_document *document);

/* The text of its fit file, which becomes the caller's to free(). NULL when out of memory. */
char *cf_document_text(const struct cf_document *document, struct cf_error *err);

/* "good", "weak", "misfit", "undetermined" or "failed"; are its numbers to be used? In words. All
 * texts are the document's. */
const char *cf_document_verdict(const struct cf_document *document);
bool cf_document_trusted(const struct cf_document *document);
const char *cf_document_summary(const struct cf_document *document);

/* Reasons for the verdict, and what would help: NULL behind the last. */
const char *cf_document_reason(const struct cf_document *document, size_t i);
const char *cf_document_advice(const struct cf_document *document, size_t i);

/* The parameters of the law, in the order of the fit file: those that were fitted, then those that
 * were held, then what follows from both; NULL behind the last. */
const char *cf_document_parameter(const struct cf_document *document, size_t i);

/* Of a parameter: its unit ("N/m^1.5"; "1" of a pure number), its role ("fitted", "held", "tied",
 * "derived") and what it is worth ("fine", "weak", "flat", "at bound", "dead"; of others their
 * role). NULL where it has none of that name. */
const char *cf_document_unit(const struct cf_document *document, const char *parameter);
const char *cf_document_role(const struct cf_document *document, const char *parameter);
const char *cf_document_worth(const struct cf_document *document, const char *parameter);

/* Its value in its unit, and the ends of its interval at the study's level; NAN where there is no
 * such parameter, the data do not identify it, or the interval is open on that side. */
double cf_document_value(const struct cf_document *document, const char *parameter);
double cf_document_low(const struct cf_document *document, const char *parameter);
double cf_document_high(const struct cf_document *document, const char *parameter);

/* What is to be predicted of which pair: that of a data set of the fit, with another effective mass
 * or radius where these are not 0. */
struct cf_predict_request {
    const char *quantity; /* a measured channel of its protocol: "restitution", "duration" */
    const char *data;     /* name of the data set; NULL: the first */
    double mass_kg, radius_m;
};

/* The law's curve, and the ends of its confidence band at the study's level: where the curve lies,
 * not where the next measurement does. NAN where the data do not identify what it depends on. SI.
 */
struct cf_predict_answer {
    double value, low, high;
};

/* Predict at n places at[] of the protocol's axis (of impacts: approach speeds [m/s]). CF_EUSAGE: a
 * request that cannot be meant, or a place that the axis does not have. CF_ERANGE: the law has no
 * rule for another radius. A fit that is not to be trusted predicts as well: ask
 * cf_document_trusted(). GSL's error handler is off meanwhile, as in cf_study_fit(). */
int cf_document_predict(const struct cf_document *document,
                        const struct cf_predict_request *request, size_t n, const double at[],
                        struct cf_predict_answer out[], struct cf_error *err);

#endif
