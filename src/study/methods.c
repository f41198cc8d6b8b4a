/* The methods among the options of a study: the loss, and the global search. */

#include <math.h>

#include "estimate/global.h"
#include "study/parts.h"

static int read_loss(struct cf_fit_options *o, const struct cf_yaml *options, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(options, "loss");
    const struct cf_yaml *scale = cf_yaml_get(options, "loss_scale");
    const char *name = NULL;
    int status = at ? cf_yaml_text(at, &name, err) : CF_OK;

    if (status == CF_OK && at && cf_loss_find(name, &o->loss, NULL))
        return cf_yaml_unknown(at, "loss", name, cf_loss_name, CF_NLOSS, err);
    if (status || !scale)
        return status;
    if (o->loss == CF_LOSS_SQUARES)
        return cf_yaml_fail_key(
            scale, err, "loss_scale: squares have none: give loss: huber or student-t, too");
    status = cf_yaml_quantity(scale, "1", &o->loss_scale, err);
    if (status == CF_OK &&
        !(o->loss_scale >= cf_loss_scale_lower && o->loss_scale <= cf_loss_scale_upper))
        return cf_yaml_fail(scale, err, "loss_scale: %s: must be in [%g, %g]", scale->text,
                            cf_loss_scale_lower, cf_loss_scale_upper);
    return status;
}

int cf_study_methods(struct cf_study *study, const struct cf_yaml *options, struct cf_error *err)
{
    struct cf_fit_options *o = &study->spec.options;
    const struct cf_yaml *at = cf_yaml_get(options, "global");
    const char *name = NULL;
    unsigned long long whole = o->global_budget;
    int status = read_loss(o, options, err);

    if (status == CF_OK && at) {
        status = cf_yaml_text(at, &name, err);
        if (status == CF_OK && cf_global_find(name, &o->global, NULL))
            return cf_yaml_unknown(at, "global search", name, cf_global_name, CF_NGLOBAL, err);
    }
    if (status == CF_OK && (at = cf_yaml_get(options, "global_budget")))
        status = cf_yaml_whole(at, 100, 100000000, &whole, err);
    o->global_budget = (size_t) whole;
    if (status == CF_OK && (at = cf_yaml_get(options, "time"))) {
        status = cf_yaml_quantity(at, "s", &o->time_s, err);
        if (status == CF_OK && !(o->time_s > 0))
            status = cf_yaml_fail(at, err, "time: %s: must be above 0 s", at->text);
    }
    return status;
}
