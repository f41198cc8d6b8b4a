/* The references of judged curves, from a fit file. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/model_read.h"
#include "document/view.h"

static enum cf_adequacy_word word_of(const char *text)
{
    for (int i = 0; i < CF_NADEQUACY_WORD; i++)
        if (strcmp(text, cf_adequacy_text((enum cf_adequacy_word) i)) == 0)
            return (enum cf_adequacy_word) i;
    return CF_CANNOT_TELL;
}

static bool read_points(const json_t *from, struct cf_reference *r)
{
    static const char *const key[] = {"abscissa", "law", "difference", "standard_error"};
    enum { NKEY = sizeof key / sizeof *key };

    r->n = json_array_size(json_object_get(from, key[0]));
    for (int k = 1; k < NKEY; k++)
        if (json_array_size(json_object_get(from, key[k])) != r->n)
            r->n = 0;
    r->abscissa = calloc(NKEY * r->n + 1, sizeof *r->abscissa);
    if (!r->abscissa)
        return false;
    for (size_t i = 0; i < NKEY * r->n; i++)
        r->abscissa[i] = cf_view_item(json_object_get(from, key[i / r->n]), i % r->n);
    r->law = r->abscissa + r->n;
    r->difference = r->law + r->n;
    r->standard_error = r->difference + r->n;
    return true;
}

static bool read_one(const json_t *from, struct cf_reference *r)
{
    const json_t *needed = json_object_get(from, "needed");
    const json_t *reference = json_object_get(from, "reference");
    const char *branch = cf_view_text(from, "branch");

    r->channel = strdup(cf_view_text(from, "channel"));
    r->branch = *branch ? strdup(branch) : NULL;
    r->data = (size_t) cf_view_number(from, "data");
    r->low = cf_view_number(from, "low");
    r->high = cf_view_number(from, "high");
    r->at_most = cf_view_number(json_object_get(from, "in_unit"), "at_most");
    double stated = cf_view_number(from, "stated");
    r->stated = isnan(stated) ? 0 : stated;
    r->needed = needed != NULL;
    r->word = word_of(cf_view_text(needed, "answer"));
    r->dof = cf_view_number(reference, "dof");
    r->dof = isnan(r->dof) ? (double) INFINITY : r->dof;
    return r->channel && (r->branch || !*branch) && read_points(reference, r);
}

int cf_references_read(const json_t *fit, struct cf_reference **list, size_t *n,
                       struct cf_error *err)
{
    const json_t *from = json_object_get(fit, "adequacy");

    *n = 0;
    *list = calloc(json_array_size(from) + 1, sizeof **list);
    for (size_t i = 0; *list && i < json_array_size(from); i++) {
        if (json_object_get(json_array_get(from, i), "number")) /* no curve of a channel */
            continue;
        if (!read_one(json_array_get(from, i), &(*list)[(*n)++]))
            return cf_fail(err, CF_ENOMEM, "no memory for the references of a fit");
    }
    return *list ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the references of a fit");
}
