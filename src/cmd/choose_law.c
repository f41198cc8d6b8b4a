/* contactfit fit --choose-by hold-out. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/message.h"
#include "cmd/parts.h"
#include "core/text.h"
#include "identify/fit.h"

/* Rows that are held out are fitted, and the others held out. Their number. Sigmas that are
 * estimated are constants: few rows choose no model of their noise, least of all one a law. */
static size_t swap_rows(struct cf_spec *spec)
{
    size_t n = 0;

    for (size_t i = 0; i < spec->ndata; i++) {
        for (size_t c = 0; c < spec->data[i].protocol->nchannel; c++)
            if (spec->data[i].series[c].model == CF_SIGMA_CHOSEN)
                spec->data[i].series[c].model = CF_SIGMA_CONSTANT;
        for (size_t row = 0; row < spec->data[i].nrow; row++) {
            unsigned char *use = &spec->data[i].use[row];
            n += *use == CF_ROW_HELD_OUT;
            *use = *use == CF_ROW_HELD_OUT ? CF_ROW_FIT
                   : *use == CF_ROW_FIT    ? CF_ROW_HELD_OUT
                                           : *use;
        }
    }
    return n;
}

/* The best of them all and the one behind it, which may be missing. */
static void find_best(const struct cf_fit *fit, const struct cf_rival **best,
                      const struct cf_rival **next)
{
    *best = *next = NULL;
    for (size_t i = 0; i < fit->nrival; i++) {
        const struct cf_rival *r = &fit->rival[i];
        if (r->failed || isnan(r->aicc))
            continue;
        if (!*best || r->aicc < (*best)->aicc) {
            *next = *best;
            *best = r;
        } else if (!*next || r->aicc < (*next)->aicc) {
            *next = r;
        }
    }
}

static void say_choice(const struct cf_rival *best, const struct cf_rival *next, size_t rows)
{
    if (next)
        cf_message("contactfit fit: %s is chosen by the %zu rows that are held out, %.3g in AICc "
                   "before %s; its intervals are of the other rows, which did not choose it",
                   best->law->name, rows, next->aicc - best->aicc, next->law->name);
    else
        cf_message("contactfit fit: %s is the only law that has an AICc on the %zu rows that are "
                   "held out",
                   best->law->name, rows);
}

/* Of a study whose rows are swapped, which has the laws. */
static int choose(const struct cf_study *swapped, size_t rows, const struct cf_workers *workers,
                  bool quiet, char **name, struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    const struct cf_rival *best = NULL, *next = NULL;
    struct cf_fit *fit = NULL;
    struct cf_error why = {""};
    int status = curves ? cf_fit_run(&swapped->spec, swapped->rival, swapped->nrival, curves,
                                     workers, &fit, &why)
                        : cf_fail(&why, CF_ENOMEM, "no memory for the curves");

    if (status)
        cf_fail(err, status, "--choose-by hold-out: the held-out rows alone: %.800s", why.text);
    else
        find_best(fit, &best, &next);
    if (!status && !best)
        status = cf_fail(err, CF_EINPUT,
                         "--choose-by hold-out: %zu held-out rows are too few to choose by: no law "
                         "has an AICc there: hold out more",
                         rows);
    if (!status && !quiet)
        say_choice(best, next, rows);
    if (!status && !(*name = cf_format("%s", best->law->name)))
        status = cf_fail(err, CF_ENOMEM, "no memory for a name");
    cf_fit_free(fit);
    cf_curves_free(curves);
    return status;
}

int cf_choose_law(const struct cf_arguments *args, struct cf_study **study,
                  const struct cf_workers *workers, bool quiet, struct cf_error *err)
{
    const char *by = cf_argument(args, "choose-by");
    struct cf_study *swapped, *chosen;
    char shown[CF_SHOWN], *name = NULL;
    int status;

    if (strcmp(by, "hold-out") != 0)
        return cf_fail(err, CF_EUSAGE, "--choose-by: \"%s\": hold-out is wanted",
                       cf_show(by, shown));
    if (cf_argument(args, "law"))
        return cf_fail(err, CF_EUSAGE, "--choose-by: --law names the law: give one of the two");
    if ((*study)->nrival == 0)
        return cf_fail(err, CF_EINPUT,
                       "%s: --choose-by: there is no rival to choose from: name some under rivals",
                       (*study)->path);
    swapped = cf_study_read(args->operand[0], args->registry, err);
    if (!swapped)
        return CF_EINPUT;
    swapped->spec.options = (*study)->spec.options;
    swapped->spec.options.bootstrap = swapped->spec.options.posterior = 0;
    size_t rows = swap_rows(&swapped->spec);
    status = rows ? choose(swapped, rows, workers, quiet, &name, err)
                  : cf_fail(err, CF_EINPUT,
                            "%s: --choose-by: no rows are held out to choose by: name some under "
                            "hold-out",
                            (*study)->path);
    cf_study_free(swapped);
    if (!status && strcmp(name, (*study)->spec.law->name) != 0) {
        chosen = cf_study_read_with(args->operand[0], name, args->registry, err);
        status = chosen ? CF_OK : CF_EINPUT;
        if (chosen) {
            chosen->spec.options = (*study)->spec.options;
            cf_study_free(*study);
            *study = chosen;
        }
    }
    free(name);
    return status;
}
