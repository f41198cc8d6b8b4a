/* A number that may be fitted: its value, bounds, start and prior, read in the same way for the
 * parameters of a law and for nuisances. */

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "study/keys.h"
#include "study/parts.h"

int cf_estimand_value(const struct cf_estimand *number, const struct cf_yaml *at, double *value,
                      struct cf_error *err)
{
    char shown[CF_SHOWN];
    bool pure = strcmp(number->unit, "1") == 0;
    int status = number->positive ? cf_yaml_positive(at, number->unit, value, err)
                                  : cf_yaml_quantity(at, number->unit, value, err);

    if (status || (*value >= number->lower && *value <= number->upper))
        return status;
    return cf_yaml_fail(at, err, "%s: %s: %s must be in [%g, %g]%s%s", at->key,
                        cf_show(at->text, shown), number->name, number->lower, number->upper,
                        pure ? "" : " ", pure ? "" : number->unit);
}

/* The order min < start < max, with the number's own bounds for those that are not given. */
static int check_bounds(const struct cf_estimand *number, const struct cf_yaml *at,
                        const struct cf_search *s, struct cf_error *err)
{
    const struct cf_yaml *min = cf_yaml_get(at, "min"), *start = cf_yaml_get(at, "start");
    const struct cf_yaml *max = cf_yaml_get(at, "max");
    double lower = min ? s->min : number->fit_lower, upper = max ? s->max : number->fit_upper;

    if (min && !(lower < upper))
        return cf_yaml_fail(min, err, "%s: min %g is not below max %g%s%s%s", number->name, lower,
                            upper, max ? "" : ", ", max ? "" : number->whose,
                            max ? "" : ": give max, too");
    if (max && !(lower < upper))
        return cf_yaml_fail(max, err, "%s: max %g is not above min %g, %s: give min, too",
                            number->name, upper, lower, number->whose);
    if (start && ((s->start < lower && !min) || (s->start > upper && !max)))
        return cf_yaml_fail(start, err, "%s: start %g is %s %g, %s: give %s, too", number->name,
                            s->start, s->start < lower ? "below" : "above",
                            s->start < lower ? lower : upper, number->whose,
                            s->start < lower ? "min" : "max");
    if (start && !(s->start >= lower && s->start <= upper))
        return cf_yaml_fail(start, err, "%s: start %g is outside the bounds [%g, %g]", number->name,
                            s->start, lower, upper);
    return CF_OK;
}

int cf_estimand_search(const struct cf_estimand *number, const struct cf_yaml *at,
                       struct cf_search *search, struct cf_error *err)
{
    static const char *const keys[] = {"min", "max", "start"};
    double *const into[] = {&search->min, &search->max, &search->start};
    char shown[CF_SHOWN];
    int status = CF_OK;

    *search = (struct cf_search){(double) NAN, (double) NAN, (double) NAN};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && status == CF_OK; i++) {
        const struct cf_yaml *entry = cf_yaml_get(at, keys[i]);
        if (entry)
            status = cf_estimand_value(number, entry, into[i], err);
        if (entry && !status && number->by_logarithm && !(*into[i] > 0))
            status =
                cf_yaml_fail(entry, err,
                             "%s: %s: must be above 0, since %s is sought by its logarithm "
                             "(fixed: {%s: 0} takes it out of the law)",
                             entry->key, cf_show(entry->text, shown), number->name, number->name);
    }
    return status == CF_OK ? check_bounds(number, at, search, err) : status;
}

int cf_estimand_prior(const struct cf_yaml *prior, const struct cf_yaml **value,
                      const struct cf_yaml **sigma, struct cf_error *err)
{
    int status = cf_schema_check(prior, &cf_study_prior_schema, err);

    if (status == CF_OK)
        status = cf_yaml_need(prior, "value", value, err);
    return status == CF_OK ? cf_yaml_need(prior, "sigma", sigma, err) : status;
}

int cf_estimand_sigma(const struct cf_yaml *at, const char *unit, double value, double *sigma,
                      struct cf_error *err)
{
    bool relative = false;
    int status = cf_yaml_spread(at, unit, sigma, &relative, err);

    if (status == CF_OK && relative)
        *sigma *= fabs(value);
    if (status == CF_OK && !(*sigma > 0))
        status = cf_yaml_fail(at, err, "sigma: a share of a prior of 0: give it with its unit");
    return status;
}
