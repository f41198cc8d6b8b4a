#include "judge/verdict_rivals.h"

#include "judge/comparison.h"
#include "judge/prior_tests.h"
#include "judge/tournament.h"

void cf_judge_rivals(struct cf_fit *fit)
{
    const struct cf_protocol *protocol = fit->optimum.problem.spec->data[0].protocol;
    double gap;
    const struct cf_rival *ahead = cf_rival_ahead(fit, &gap);

    /* the law is held to its priors, and its rivals are not */
    if (!ahead || cf_prior_contradicts(fit))
        return;
    struct cf_finding *f = cf_add_finding(
        &fit->findings, CF_RULE_RIVAL, "note: %s describes the %s far better (AICc lower by %.1f)",
        ahead->law->name, protocol->channel[protocol->headline].name, gap);
    f->quantity = protocol->channel[protocol->headline].name;
    f->size = gap;
    f->unit = "1";
    f->level = cf_rival_gap;
}

/* Does the law describe the rows that all laws predict, by its own tests? */
static int describes(const struct cf_fit *fit, const struct cf_rival *rival, bool *it_does,
                     struct cf_error *err)
{
    struct cf_contender contender = {.rival = rival};
    int status = cf_contender_study(fit, &contender, err);

    *it_does = !status && contender.describes;
    cf_contender_clear(&contender);
    return status;
}

void cf_advise_apparatus(struct cf_fit *fit)
{
    const struct cf_spec *spec = fit->optimum.problem.spec;

    for (size_t i = 0; i < spec->ndata; i++) {
        const char *advice = spec->data[i].protocol->on_misfit;
        bool said = false;
        for (size_t j = 0; j < i; j++)
            said = said || spec->data[j].protocol == spec->data[i].protocol;
        if (advice && !said)
            cf_say(&fit->advice, "%s", advice);
    }
}

int cf_advise_rival(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_law *own = fit->optimum.problem.law;
    const char *axis = fit->optimum.problem.spec->data[0].protocol->axis.name;
    size_t compared = 0;

    for (size_t i = 0; i < fit->nrival; i++) {
        const struct cf_rival *v = &fit->rival[i];
        bool it_does;
        if (v->failed || v->law == own)
            continue;
        int status = describes(fit, v, &it_does, err);
        if (status)
            return status;
        if (it_does) {
            cf_say(&fit->advice,
                   "try %s, the best of the rivals that pass their own tests here (fit --law %s), "
                   "or split the %s range",
                   v->law->name, v->law->name, axis);
            return CF_OK;
        }
        compared++;
    }
    if (compared)
        cf_say(&fit->advice,
               compared == 1 ? "the only rival does not describe these data either: check the data "
                               "before trying other laws, or split the %s range"
                             : "none of the rivals describes these data either: check the data "
                               "before trying other laws, or split the %s range",
               axis);
    return CF_OK;
}
