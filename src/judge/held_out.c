#include "judge/held_out.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "core/decimal.h"
#include "core/text.h"
#include "judge/permutation.h"
#include "judge/prediction.h"
#include "judge/test_list.h"

const double cf_held_out_least_p = 0.05;

/* Root mean squares that differ by less than this share print alike. */
static const double alike = 5e-4;

/* ---- errors of a law */

/* The sigma of an observation, which `all` has from *at on: both are ordered alike. NAN: it has
 * not.
 */
static double sigma_in(const struct cf_problem *all, const double sigma[],
                       const struct cf_observation *o, size_t *at)
{
    for (; *at < all->nobservation; ++*at) {
        const struct cf_observation *here = &all->observation[*at];
        if (here->data == o->data && here->row == o->row && here->column == o->column)
            return sigma[(*at)++];
    }
    return (double) NAN;
}

/* From what a law predicts, held_out[nobservation], to what it is off by. */
static int take_errors(const struct cf_fit *fit, const struct cf_problem *out, struct cf_rival *v,
                       struct cf_error *err)
{
    double sum = 0;
    size_t at = 0;

    for (size_t i = 0; i < out->nobservation; i++) {
        const struct cf_observation *o = &out->observation[i];
        double off = o->value - v->held_out[i];
        double sigma = sigma_in(&fit->held_out, fit->held_out_sigma, o, &at);
        if (!(sigma > 0))
            return cf_fail(err, CF_EFIT, "a held-out value of data set %s has no sigma",
                           out->spec->data[o->data].name);
        v->held_out_rms[o->channel] += gsl_pow_2(off) / (double) out->channel[o->channel].n;
        v->held_out[i] = off / sigma;
        sum += gsl_pow_2(v->held_out[i]);
    }
    for (size_t c = 0; c < out->nchannel; c++)
        v->held_out_rms[c] = sqrt(v->held_out_rms[c]);
    v->nheld_out = out->nobservation;
    v->held_out_rms_sigma = v->nheld_out ? sqrt(sum / (double) v->nheld_out) : (double) NAN;
    return CF_OK;
}

int cf_held_out_errors(const struct cf_fit *fit, const struct cf_problem *q, const double theta[],
                       struct cf_rival *v, struct cf_error *err)
{
    struct cf_problem out = {0};
    int status =
        cf_problem_init(&out, q->spec, q->law, q->curves, CF_ROW_HELD_OUT, CF_SCOPE_COMMON, err);

    v->held_out = calloc(out.nobservation + 1, sizeof *v->held_out);
    v->held_out_rms = calloc(out.nchannel + 1, sizeof *v->held_out_rms);
    if (!status && (!v->held_out || !v->held_out_rms))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu predictions", out.nobservation);
    if (!status)
        status = cf_settle_held_out(q, theta, &out, err);
    if (!status)
        status = cf_problem_predict(&out, theta, v->held_out, NULL, err);
    if (!status)
        status = take_errors(fit, &out, v, err);
    cf_problem_free(&out);
    return status;
}

/* ---- a pair of laws */

int cf_held_out_pair(const struct cf_held_units *units, const double a[], const double b[],
                     uint64_t seed, struct cf_paired *pair, struct cf_error *err)
{
    double *S = calloc(units->n + 1, sizeof *S), n = (double) units->nvalue;
    double U = (double) units->n, of_a = 0, of_b = 0, scatter = 0, mean, both;
    int status;

    *pair = (struct cf_paired){(double) NAN, (double) NAN, (double) NAN, (double) NAN};
    if (!S)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu units", units->n);
    for (size_t i = 0; i < units->nvalue; i++) {
        S[units->of[i]] += gsl_pow_2(a[i]) - gsl_pow_2(b[i]);
        of_a += gsl_pow_2(a[i]);
        of_b += gsl_pow_2(b[i]);
    }
    mean = (of_a - of_b) / U;
    both = sqrt(of_a / n) + sqrt(of_b / n);
    for (size_t u = 0; u < units->n; u++)
        scatter += gsl_pow_2(S[u] - mean);
    pair->difference = both > 0 ? U * mean / (n * both) : 0;
    if (units->n > 1)
        pair->standard_error = both > 0 ? sqrt(U / (U - 1) * scatter) / (n * both) : 0;
    status = units->n > 1 ? cf_sign_flip_p(S, units->n, seed, &pair->p, err) : CF_OK;
    pair->p_adjusted = pair->p;
    free(S);
    return status;
}

char *cf_held_out_chance(const struct cf_held_units *units, const struct cf_paired *pair, double p,
                         size_t times, const char *counted)
{
    char both[2 * CF_DECIMAL];
    /* all signs alike, or all changed */
    double least = (double) times * ldexp(1, 1 - (int) fmin((double) units->n, 100));
    const char *is = p < cf_held_out_least_p        ? "is more than chance"
                     : least >= cf_held_out_least_p ? "may be chance, as they are so few"
                                                    : "is no more than chance";

    if (units->n < 2)
        return cf_format(units->nvalue == 1
                             ? "%zu value of one %s cannot show whether the difference is chance."
                             : "%zu values of one %s cannot show whether the difference is "
                               "chance.",
                         units->nvalue, units->one);
    return cf_format(
        "The difference, %s sigma over %zu %s, %s (p = %.2g by random "
        "signs%s).",
        cf_decimal_plus_minus(fabs(pair->difference), pair->standard_error, both, sizeof both),
        units->n, units->many, is, p, counted);
}

/* ---- all rivals against the law under study */

static bool is_rival(const struct cf_rival *v, const struct cf_rival *own)
{
    return v != own && !v->failed && isfinite(v->held_out_rms_sigma);
}

/* Holm's p of all rivals, the smallest first. */
static void adjust(struct cf_fit *fit, const struct cf_rival *own)
{
    size_t left = 0;
    double before = 0, last = -INFINITY;

    for (size_t i = 0; i < fit->nrival; i++)
        left += is_rival(&fit->rival[i], own);
    while (left) {
        double p = INFINITY;
        size_t n = 0;
        for (size_t i = 0; i < fit->nrival; i++)
            if (is_rival(&fit->rival[i], own) && fit->rival[i].against.p > last)
                p = fmin(p, fit->rival[i].against.p);
        if (!isfinite(p))
            return; /* of one unit there is no p */
        before = cf_holm(before, left, p);
        for (size_t i = 0; i < fit->nrival; i++)
            if (is_rival(&fit->rival[i], own) && fit->rival[i].against.p == p) {
                fit->rival[i].against.p_adjusted = before;
                n++;
            }
        last = p;
        left -= n;
    }
}

/* The rival that predicts held-out rows best, of how many. */
static const struct cf_rival *best_rival(const struct cf_fit *fit, const struct cf_rival *own,
                                         size_t *n)
{
    const struct cf_rival *best = NULL;

    *n = 0;
    for (size_t i = 0; i < fit->nrival; i++) {
        const struct cf_rival *v = &fit->rival[i];
        if (!is_rival(v, own))
            continue;
        ++*n;
        if (!best || v->held_out_rms_sigma < best->held_out_rms_sigma)
            best = v;
    }
    return best;
}

/* "Held-out tosses are predicted better by A, the study's law: 0.75 sigma rms, against 0.79 of B.
 * The difference, ...", of two laws whose names have what they are behind them. */
static char *better(const struct cf_held_units *units, const struct cf_rival *first,
                    const char *first_is, const struct cf_rival *second, const char *second_is,
                    const char *chance)
{
    double rms = first->held_out_rms_sigma;

    if (second->held_out_rms_sigma - rms <= alike * rms)
        return cf_format("Held-out %s are predicted alike by %s%s and %s%s: %.3g sigma rms.",
                         units->many, first->law->name, first_is, second->law->name, second_is,
                         rms);
    return cf_format("Held-out %s are predicted better by %s%s: %.3g sigma rms, against %.3g of "
                     "%s%s. %s",
                     units->many, first->law->name, first_is, rms, second->held_out_rms_sigma,
                     second->law->name, second_is, chance);
}

static int say_better(struct cf_fit *fit, const struct cf_rival *own, struct cf_error *err)
{
    const struct cf_held_units *units = &fit->held_units;
    const char *ours = ", the study's law";
    char *chance, *among, *counted;
    size_t n;
    const struct cf_rival *best = best_rival(fit, own, &n);

    if (!best)
        return CF_OK;
    among = n > 1 ? cf_format(", the best of %zu rivals there", n) : cf_format("%s", "");
    counted = n > 1 ? cf_format(", adjusted for %zu rivals", n) : cf_format("%s", "");
    chance = counted
                 ? cf_held_out_chance(units, &best->against, best->against.p_adjusted, n, counted)
                 : NULL;
    if (chance && among)
        fit->held_out_text = own->held_out_rms_sigma <= best->held_out_rms_sigma
                                 ? better(units, own, ours, best, among, chance)
                                 : better(units, best, among, own, ours, chance);
    free(chance);
    free(among);
    free(counted);
    return fit->held_out_text ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a sentence");
}

int cf_held_out_compare(struct cf_fit *fit, struct cf_error *err)
{
    const struct cf_problem *p = &fit->optimum.problem;
    const struct cf_rival *own = NULL;
    struct cf_problem out = {0};
    bool any = false;
    int status;

    for (size_t i = 0; i < fit->nrival; i++) {
        struct cf_rival *v = &fit->rival[i];
        bool predicts = !v->failed && isfinite(v->held_out_rms_sigma);
        v->against = (struct cf_paired){(double) NAN, (double) NAN, (double) NAN, (double) NAN};
        any = any || predicts;
        if (v->law == p->law && predicts)
            own = v;
    }
    if (!any)
        return CF_OK;
    status = cf_problem_init(&out, p->spec, p->law, NULL, CF_ROW_HELD_OUT, CF_SCOPE_COMMON, err);
    if (!status)
        status = cf_held_units_make(&out, &fit->held_units, err);
    cf_problem_free(&out);
    for (size_t i = 0; i < fit->nrival && own && !status; i++)
        if (is_rival(&fit->rival[i], own))
            status = cf_held_out_pair(&fit->held_units, fit->rival[i].held_out, own->held_out,
                                      p->spec->options.seed, &fit->rival[i].against, err);
    if (status || !own)
        return status; /* the law under study is not compared */
    adjust(fit, own);
    return say_better(fit, own, err);
}
