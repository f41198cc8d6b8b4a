#include "cmd/plan_records.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/along_options.h"
#include "cmd/list.h"

/* Where nothing is asked for: so many values, over the study's range widened by this factor at both
 * ends. What a rig can be set to goes over decades, and a dwell time that is dead at one speed of
 * the plate may be told by one four times as fast. */
enum { NVALUE = 13, MOST_VALUES = 200 };
static const double beyond = 10;

/* The text that is given for a setting; NULL: none. */
static const char *text_of(const struct cf_arguments *args, const struct cf_setting *setting)
{
    char own[CF_ALONG_NAME];

    return cf_argument(args, cf_along_respell(setting->name, own));
}

static bool has_setting(const struct cf_spec *spec, const struct cf_setting *setting)
{
    for (size_t i = 0; i < spec->ndata; i++)
        for (size_t k = 0; k < spec->data[i].protocol->nsetting; k++)
            if (&spec->data[i].protocol->setting[k] == setting &&
                cf_design_is_rig(spec, i, setting))
                return true;
    return false;
}

bool cf_plan_has_settings(const struct cf_spec *spec)
{
    for (size_t i = 0; i < spec->ndata; i++)
        for (size_t k = 0; k < spec->data[i].protocol->nsetting; k++)
            if (cf_design_is_rig(spec, i, &spec->data[i].protocol->setting[k]))
                return true;
    return false;
}

/* ---- values */

static int check_values(const char *option, const struct cf_setting *setting,
                        const struct cf_list *at, struct cf_error *err)
{
    if (at->n > MOST_VALUES)
        return cf_fail(err, CF_EUSAGE, "%s: %zu %s: at most %d are compared", option, at->n,
                       setting->many, MOST_VALUES);
    for (size_t i = 0; i < at->n; i++)
        if (!(at->value[i] >= setting->lower && at->value[i] <= setting->upper))
            return cf_fail(err, CF_EUSAGE, "%s: %g %s: must be from %g to %g %s", option,
                           at->value[i], setting->unit, setting->lower, setting->upper,
                           setting->unit);
    return CF_OK;
}

/* Those that are asked for. */
static int read_values(const struct cf_arguments *args, const struct cf_setting *s,
                       struct cf_list *at, struct cf_error *err)
{
    char own[CF_ALONG_NAME], option[CF_ALONG_NAME + 2];
    struct cf_list_kind kind = {option, s->unit, s->one, s->many, false};

    snprintf(option, sizeof option, "--%s", cf_along_respell(s->name, own));
    int status = cf_list_parse(&kind, text_of(args, s), at, err);
    if (!status)
        status = check_values(option, s, at, err);
    return status && status != CF_ENOMEM ? CF_EUSAGE : status;
}

/* Those that are asked for, or so many over the range. */
static int find_values(const struct cf_arguments *args, const struct cf_record_range *r,
                       struct cf_list *at, struct cf_error *err)
{
    const struct cf_setting *s = r->setting;
    struct cf_axis axis = {.lower = s->lower, .upper = s->upper};
    double low = r->low, high = r->high;

    if (text_of(args, s))
        return read_values(args, s, at, err);
    *at = (struct cf_list){.n = NVALUE, .value = calloc(NVALUE, sizeof *at->value)};
    if (!at->value)
        return cf_fail(err, CF_ENOMEM, "no memory for %d %s", NVALUE, s->many);
    cf_axis_widen(&axis, beyond, &low, &high);
    cf_axis_points(&axis, low, high, NVALUE, at->value);
    return CF_OK;
}

int cf_plan_settings_given(const struct cf_arguments *args, const struct cf_spec *spec, size_t *n,
                           struct cf_error *err)
{
    struct cf_list at = {0, NULL};
    int status = CF_OK;

    *n = 0;
    for (size_t i = 0; i < args->nseen && !status; i++) {
        const char *option = args->seen[i].option->name;
        const struct cf_setting *setting = cf_along_setting(args->registry, option);
        if (!setting)
            continue;
        if (!has_setting(spec, setting))
            return cf_fail(err, CF_EUSAGE,
                           "--%s: no record of this study is one of a rig with %s, made in one "
                           "piece",
                           option, setting->one);
        status = read_values(args, setting, &at, err);
        cf_list_clear(&at);
        ++*n;
    }
    return status;
}

/* One more rig and setting. */
static struct cf_record_range *append(struct cf_plan *plan)
{
    struct cf_record_range *more = realloc(plan->range, (plan->nrange + 1) * sizeof *more);

    if (!more)
        return NULL;
    plan->range = more;
    return &more[plan->nrange++];
}

static int add(const struct cf_arguments *args, size_t data, const struct cf_setting *setting,
               double length_s, const double sigma[], struct cf_plan *plan, struct cf_error *err)
{
    struct cf_record_range *r = append(plan);
    struct cf_list at = {0, NULL};
    int status;

    if (!r)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rigs", plan->nrange + 1);
    *r = (struct cf_record_range){.data = data, .setting = setting};
    cf_design_range(&plan->study->spec, data, setting, &r->low, &r->high, &r->done);
    status = find_values(args, r, &at, err);
    if (!status)
        status = cf_design_add_records(&plan->design, plan->point.theta, data, setting, at.value,
                                       at.n, length_s, sigma, err);
    cf_list_clear(&at);
    return status;
}

int cf_plan_add_records(const struct cf_arguments *args, const double sigma[], struct cf_plan *plan,
                        struct cf_error *err)
{
    const struct cf_spec *spec = &plan->study->spec;
    size_t given;
    double length_s;
    int status = cf_plan_settings_given(args, spec, &given, err);

    if (!status)
        status = cf_argument_quantity(args, "length", "s", NAN, &length_s, err);
    for (size_t i = 0; i < spec->ndata && !status; i++)
        for (size_t k = 0; k < spec->data[i].protocol->nsetting && !status; k++) {
            const struct cf_setting *s = &spec->data[i].protocol->setting[k];
            if ((given == 0 || text_of(args, s)) && cf_design_is_rig(spec, i, s))
                status = add(args, i, s, length_s, sigma, plan, err);
        }
    return status;
}
