/* What a run's balance says, in words. */

#include "scene/balance_words.h"

#include <math.h>
#include <stdlib.h>

#include "core/text.h"
#include "scene/scene_file.h"

const char *const cf_conserved_names[CF_NCONSERVED] = {
    [CF_CONSERVED_ENERGY] = "energy",
    [CF_CONSERVED_MOMENTUM] = "momentum",
    [CF_CONSERVED_SPIN] = "spin",
};
const char *const cf_conserved_units[CF_NCONSERVED] = {
    [CF_CONSERVED_ENERGY] = "J",
    [CF_CONSERVED_MOMENTUM] = "N s",
    [CF_CONSERVED_SPIN] = "N m s",
};
const char *const cf_conserved_suffixes[CF_NCONSERVED] = {
    [CF_CONSERVED_ENERGY] = "J",
    [CF_CONSERVED_MOMENTUM] = "N_s",
    [CF_CONSERVED_SPIN] = "N_m_s",
};
const char *const cf_span_names[CF_NSPAN] = {
    [CF_SPAN_EXCHANGE] = "exchange",
    [CF_SPAN_RUN] = "run",
};
const char *const cf_account_names[CF_NACCOUNT] = {
    [CF_ACCOUNT_KINETIC] = "kinetic",   [CF_ACCOUNT_POTENTIAL] = "potential",
    [CF_ACCOUNT_CONTACTS] = "contacts", [CF_ACCOUNT_SPRINGS] = "springs",
    [CF_ACCOUNT_LOST] = "lost",         [CF_ACCOUNT_WORK] = "work",
};

static const char *const account_words[CF_NACCOUNT] = {
    [CF_ACCOUNT_KINETIC] = "the kinetic energy of",
    [CF_ACCOUNT_POTENTIAL] = "the potential energy of",
    [CF_ACCOUNT_CONTACTS] = "the contacts of",
    [CF_ACCOUNT_SPRINGS] = "the springs at",
    [CF_ACCOUNT_LOST] = "the losses of",
    [CF_ACCOUNT_WORK] = "the work on",
};

static bool is_good(const struct cf_balance_check *check)
{
    return check->body == SIZE_MAX || fabs(check->off) <= check->limit;
}

enum cf_balance_verdict cf_balance_verdict(const struct cf_motion_options *options,
                                           const struct cf_motion_result *result)
{
    enum cf_span span;
    enum cf_conserved what;

    if (options->scheme)
        return CF_BALANCE_NOT_JUDGED;
    return is_good(cf_balance_worst(result, &span, &what)) ? CF_BALANCE_CLOSES : CF_BALANCE_OPEN;
}

/* What is off by so many limits in one exchange is not so for want of a tolerance. */
static const double FAR_OFF = 10;

static bool is_far_off(const struct cf_motion_result *result)
{
    bool any = false;

    for (int what = 0; what < CF_NCONSERVED; what++) {
        const struct cf_balance_check *check = &result->balance[CF_SPAN_EXCHANGE][what];
        any = any || (check->body != SIZE_MAX && !(fabs(check->off) <= FAR_OFF * check->limit));
    }
    return any;
}

/* Errors of exchanges have one sign at worst, and each is as large as a tolerance or the part that
 * was seen: both are to stay within the limit of the run. */
double cf_balance_helps(const struct cf_motion_options *options,
                        const struct cf_motion_result *result)
{
    double helps = options->tolerance;
    bool drifts = false;

    if (cf_balance_verdict(options, result) != CF_BALANCE_OPEN || is_far_off(result))
        return (double) NAN;
    for (int what = 0; what < CF_NCONSERVED; what++) {
        const struct cf_balance_check *check = &result->balance[CF_SPAN_RUN][what];
        if (is_good(check))
            continue;
        drifts = true;
        helps = fmin(helps, options->tolerance * check->limit / fabs(check->off));
        helps = fmin(helps, check->limit / check->most / fmax((double) result->exchanges, 1));
    }
    helps = pow(10, floor(log10(helps))); /* a round one */
    return drifts && helps >= cf_scene_least_tolerance ? helps : (double) NAN;
}

char *cf_balance_account(const struct cf_scene *scene, const struct cf_balance_check *check,
                         enum cf_conserved what)
{
    const char *name = scene->body[check->body].name;

    return what == CF_CONSERVED_ENERGY ? cf_format("%s %s", account_words[check->account], name)
                                       : cf_format("%s", name);
}

/* Whose it is: "ball", "ball and 3 more bodies". */
static char *group_words(const struct cf_scene *scene, const struct cf_balance_check *check)
{
    const char *name = scene->body[check->body].name;

    if (check->others == 0)
        return cf_format("%s", name);
    return cf_format("%s and %zu more %s", name, check->others,
                     check->others == 1 ? "body" : "bodies");
}

static bool has_octree(const struct cf_scene *scene)
{
    bool any = false;

    for (size_t m = 0; m < scene->npair; m++)
        any = any || cf_pair_by_octree(scene, &scene->pair[m]);
    return any;
}

static char *help_words(const struct cf_scene *scene, const struct cf_motion_options *options,
                        const struct cf_motion_result *result)
{
    double helps = cf_balance_helps(options, result);

    if (isfinite(helps))
        return cf_format("--tolerance %g would help", helps);
    if (has_octree(scene))
        return cf_format("a smaller error of the octree (solver.octree.error) may help");
    return cf_format("%s", is_far_off(result) ? "no tolerance is known to help"
                                              : "a smaller --tolerance may help");
}

static char *bad_words(const struct cf_scene *scene, const struct cf_balance_check *check,
                       enum cf_span span, enum cf_conserved what, const char *help)
{
    char *group = group_words(scene, check), *account = cf_balance_account(scene, check, what);
    char *text = NULL;
    const char *unit = cf_conserved_units[what];
    double allowed = check->limit / check->most;

    if (group && account && help && span == CF_SPAN_EXCHANGE)
        text =
            cf_format("the %s balance does not close: at t = %.6g s an exchange of %s is off by "
                      "%.2g %s, %.2g of what %s had at most (%.3g %s), where %.2g is allowed; %s",
                      cf_conserved_names[what], check->time_s, group, check->off, unit,
                      cf_balance_part(check), account, check->most, unit, allowed, help);
    else if (group && account && help)
        text = cf_format("the %s balance does not close: %s, from t = %.6g s on, drifted by up to "
                         "%.2g %s, %.2g of the %.3g %s that took part, where %.2g is allowed; %s",
                         cf_conserved_names[what], group, check->time_s, check->off, unit,
                         cf_balance_part(check), check->most, unit, allowed, help);
    free(group);
    free(account);
    return text;
}

static char *good_words(const struct cf_scene *scene, const struct cf_motion_result *result,
                        bool judged)
{
    const struct cf_balance_check *once = &result->balance[CF_SPAN_EXCHANGE][CF_CONSERVED_ENERGY];
    const struct cf_balance_check *run = &result->balance[CF_SPAN_RUN][CF_CONSERVED_ENERGY];
    const char *begins = judged ? "closes" : "is not judged at fixed steps";
    char *account, *text = NULL;

    if (once->body == SIZE_MAX || run->body == SIZE_MAX)
        return cf_format("the energy balance %s: no energy was exchanged", begins);
    account = cf_balance_account(scene, once, CF_CONSERVED_ENERGY);
    if (account && judged)
        text = cf_format("the energy balance closes: residual %.2g of what %s had at most, %.2g is "
                         "allowed; drift %.2g of what took part, %.2g is allowed",
                         cf_balance_part(once), account, once->limit / once->most,
                         cf_balance_part(run), run->limit / run->most);
    else if (account)
        text = cf_format("the energy balance is not judged at fixed steps: residual %.2g of what "
                         "%s had at most, drift %.2g of what took part",
                         cf_balance_part(once), account, cf_balance_part(run));
    free(account);
    return text;
}

char *cf_balance_words(const struct cf_scene *scene, const struct cf_motion_options *options,
                       const struct cf_motion_result *result)
{
    enum cf_balance_verdict verdict = cf_balance_verdict(options, result);
    enum cf_span span;
    enum cf_conserved what;
    const struct cf_balance_check *worst = cf_balance_worst(result, &span, &what);

    if (verdict != CF_BALANCE_OPEN)
        return good_words(scene, result, verdict == CF_BALANCE_CLOSES);
    char *help = help_words(scene, options, result);
    char *text = bad_words(scene, worst, span, what, help);
    free(help);
    return text;
}
