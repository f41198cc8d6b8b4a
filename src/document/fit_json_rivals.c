/* How the laws of a comparison fit. */

#include <math.h>
#include <stdlib.h>

#include "document/fit_json.h"

/* By the channels of q that all laws predict, in their order: rms of these alone. */
static json_t *common_rms(const struct cf_problem *q, const double rms[])
{
    double *mean_square = calloc(q->nchannel + 1, sizeof *mean_square);
    size_t n = 0;
    json_t *j;

    for (size_t c = 0; mean_square && c < q->nchannel; c++) {
        bool common =
            cf_channel_common(q->spec->data[q->channel[c].data].protocol, q->channel[c].column);
        mean_square[c] = common ? pow(rms[n++], 2) : (double) NAN;
    }
    j = mean_square ? cf_json_rms(q, mean_square) : NULL;
    free(mean_square);
    return j;
}

/* Its errors on held-out rows and, of a rival, how they differ from those of the law under study.
 */
static json_t *held_out(const struct cf_fit *fit, const struct cf_rival *v)
{
    json_t *j = json_object();

    cf_json_put(&j, "rms", common_rms(&fit->held_out, v->held_out_rms));
    if (isnan(v->against.difference))
        return j;
    cf_json_put(&j, "difference", cf_json_number(v->against.difference));
    cf_json_put(&j, "standard_error", cf_json_number(v->against.standard_error));
    cf_json_put(&j, "p", cf_json_number(v->against.p));
    cf_json_put(&j, "p_adjusted", cf_json_number(v->against.p_adjusted));
    return j;
}

static json_t *rival_parameters(const struct cf_rival *v)
{
    json_t *j = json_object();
    for (size_t i = 0; i < v->nfree; i++)
        cf_json_put(&j, v->parameter[i].name,
                    json_pack("{s:o,s:s,s:s}", "value",
                              v->parameter[i].identified ? cf_json_number(v->parameter[i].value)
                                                         : json_null(),
                              "unit", v->parameter[i].unit, "role", v->parameter[i].role));
    return j;
}

/* "hertz" where k is of the bodies, set by set. */
static json_t *rival_held(const struct cf_rival *v)
{
    json_t *j = json_object();

    for (size_t i = 0; i < v->nheld; i++) {
        const struct cf_held *h = &v->held[i];
        const char *unit = h->alias ? h->alias->unit : v->law->param[h->target].unit;
        cf_json_put(
            &j, h->given->name,
            json_pack("{s:o,s:s}", "value",
                      h->given->hertz ? json_string("hertz") : cf_json_number(h->given->value),
                      "unit", unit));
    }
    return j;
}

static json_t *rival_json(const struct cf_fit *fit, const struct cf_rival *v)
{
    const struct cf_protocol *protocol = fit->optimum.problem.spec->data[0].protocol;
    json_t *j = json_object();

    cf_json_put(&j, "law", json_string(v->law->name));
    cf_json_put(&j, "own", json_boolean(v->law == fit->optimum.problem.law));
    cf_json_put(&j, "status", json_string(v->failed ? "failed" : "ok"));
    if (v->failed) {
        cf_json_put(&j, "why", json_string(v->why.text));
        return j;
    }
    cf_json_put(&j, "n", json_integer((json_int_t) v->n));
    cf_json_put(&j, "rank", json_integer((json_int_t) (v->rank + v->nsigma)));
    cf_json_put(&j, "minus_2_log_likelihood", cf_json_number(v->cost));
    cf_json_put(&j, "aicc", cf_json_number(v->aicc));
    cf_json_put(&j, "bic", cf_json_number(v->bic));
    cf_json_put(&j, "delta_aicc", cf_json_number(v->delta_aicc));
    cf_json_put(&j, "weight", cf_json_number(v->weight));
    cf_json_put(&j, "rms_sigma", cf_json_number(v->rms_sigma));
    cf_json_put(&j, "rms", common_rms(&fit->optimum.problem, v->rms));
    cf_json_put(&j, "held_out_rms_sigma", cf_json_number(v->held_out_rms_sigma));
    if (v->nheld_out)
        cf_json_put(&j, "held_out", held_out(fit, v));
    cf_json_put(&j, "leave_one_out_rms_sigma", cf_json_number(v->loo_rms_sigma));
    cf_json_put(&j, "parameters", rival_parameters(v));
    if (v->nheld)
        cf_json_put(&j, "held", rival_held(v));
    if (v->nlacks) {
        json_t *lacks = json_array();
        for (size_t i = 0; i < v->nlacks; i++)
            cf_json_add(&lacks, json_string(v->lacks[i]));
        cf_json_put(&j, "lacks", lacks);
        cf_json_put(&j, "groups_by_reading", json_boolean(v->by_reading));
    }
    cf_json_put(&j, "curve",
                json_pack("{s:i,s:s,s:o,s:o}", "data", 0, "channel",
                          protocol->channel[protocol->headline].name, "abscissa",
                          cf_json_numbers(fit->curve_abscissa, CF_NCURVE), "value",
                          cf_json_numbers(v->curve, CF_NCURVE)));
    return j;
}

json_t *cf_fit_json_rivals(const struct cf_fit *fit)
{
    json_t *all = json_array();
    for (size_t i = 0; i < fit->nrival; i++)
        cf_json_add(&all, rival_json(fit, &fit->rival[i]));
    return all;
}
