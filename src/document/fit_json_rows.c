/* The loss, the rows to look at, the leave-one-out error, and ties. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fit_json.h"
#include "estimate/leave_one_out.h"

json_t *cf_fit_json_loss(const struct cf_fit *fit)
{
    return json_pack("{s:s,s:o}", "name", cf_loss_name[fit->optimum.problem.loss.kind], "scale",
                     cf_json_number(fit->optimum.problem.loss.scale));
}

json_t *cf_fit_json_outliers(const struct cf_fit *fit)
{
    json_t *all = json_array();

    for (size_t i = 0; i < fit->outliers.n; i++) {
        const struct cf_outlier *x = &fit->outliers.item[i];
        const struct cf_observation *o = &fit->optimum.problem.observation[x->observation];
        const struct cf_dataset *d = &fit->optimum.problem.spec->data[o->data];
        json_t *j = json_object();
        cf_json_put(&j, "kind", json_string(x->outlier ? "outlier" : "influential"));
        cf_json_put(&j, "data", json_string(d->name));
        cf_json_put(&j, "channel", json_string(d->protocol->channel[o->column].name));
        cf_json_put(&j, "line", json_integer((json_int_t) cf_dataset_line(d, o->row, o->column)));
        cf_json_put(&j, "abscissa", cf_json_number(o->abscissa));
        cf_json_put(&j, "studentized", cf_json_number(x->studentized));
        cf_json_put(&j, "p_adjusted", cf_json_number(x->p_adjusted));
        cf_json_put(&j, "cook", cf_json_number(x->cook));
        cf_json_put(&j, "text", json_string(x->text));
        cf_json_add(&all, j);
    }
    return all;
}

json_t *cf_fit_json_leave_one_out(const struct cf_fit *fit)
{
    size_t influence = 0, n = fit->optimum.problem.nobservation;
    json_t *j;

    if (!fit->nleft_out)
        return json_null();
    for (size_t i = 0; i < n; i++)
        influence += !isnan(fit->left_out[i]) && fit->left_out_how[i] == CF_LEFT_OUT_INFLUENCE;
    j = json_object();
    cf_json_put(&j, "n", json_integer((json_int_t) fit->nleft_out));
    if (!cf_left_out_all(fit->left_out_how, n))
        cf_json_put(&j, "of", json_integer((json_int_t) n));
    cf_json_put(&j, "by_influence", json_integer((json_int_t) influence));
    cf_json_put(&j, "rms_sigma", cf_json_number(fit->loo_rms_sigma));
    return j;
}

json_t *cf_fit_json_ties(const struct cf_spec *spec)
{
    json_t *all = json_object();
    for (size_t i = 0; i < spec->ntie; i++)
        cf_json_put(&all, spec->tie[i].name,
                    json_sprintf("%.15g %s", spec->tie[i].factor, spec->tie[i].to));
    return all;
}
