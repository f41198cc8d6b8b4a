#include "estimate/combination.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/units.h"

/* Powers nearer than this to a multiple of 1/20 are written as that. */
static const double power_tolerance = 2e-4;

static double tidy(double power)
{
    double near = round(power * 20) / 20;
    return fabs(power - near) < power_tolerance ? near : power;
}

/* Null directions as N[p][q] with the pivots' block the identity (Gauss-Jordan on columns).
 * pivot[q] receives the pivots' indices. */
static void reduce(const struct cf_problem *q, const struct cf_rank *rank, double N[][CF_MAX_PARAM],
                   size_t pivot[])
{
    size_t k = cf_law_k(q->law);
    bool used[CF_MAX_PARAM] = {false};

    for (size_t j = 0; j < rank->nnull; j++)
        for (size_t i = 0; i < rank->n; i++)
            N[j][i] = rank->direction[j][i];
    for (size_t j = 0; j < rank->nnull; j++) {
        size_t best = 0;
        double size = -1;
        for (size_t i = 0; i < rank->n; i++) {
            double preference =
                q->unknown[i].target == k ? 1e3 : 1; /* k is the one to be eliminated */
            if (!used[i] && fabs(N[j][i]) * preference > size) {
                size = fabs(N[j][i]) * preference;
                best = i;
            }
        }
        used[best] = true;
        pivot[j] = best;
        double scale = N[j][best];
        for (size_t i = 0; i < rank->n; i++)
            N[j][i] /= scale;
        for (size_t l = 0; l < rank->nnull; l++) {
            double share = l == j ? 0 : N[l][best];
            for (size_t i = 0; i < rank->n; i++)
                N[l][i] -= share * N[j][i];
        }
    }
}

static bool one_mass(const struct cf_problem *q)
{
    for (size_t i = 1; i < q->spec->ndata; i++)
        if (q->spec->data[i].pair.mass_kg != q->spec->data[0].pair.mass_kg)
            return false;
    return true;
}

/* The power that the mass takes in the group lambda k^a m^b, 0 where this is no such group. */
static double mass_power(const struct cf_problem *q, const double power[])
{
    double k_power, m_power, found = 0;
    size_t k = cf_law_k(q->law), own = 0;

    if (q->law->family != CF_FAMILY_NORMAL || !one_mass(q))
        return 0;
    if (!cf_impact_group(q->law, &k_power, &m_power))
        return 0;
    for (size_t i = 0; i < q->nfree; i++) {
        if (power[i] == 0)
            continue;
        if (q->unknown[i].target == k && !q->unknown[i].alias)
            found = power[i];
        else if (power[i] == 1)
            own++;
        else
            return 0;
    }
    return own == 1 && fabs(found - k_power) < power_tolerance ? m_power : 0;
}

/* Append "name^power" to a numerator or a denominator. */
static void factor_text(char *text, size_t size, const char *name, double power)
{
    size_t used = strlen(text);
    const char *space = used ? " " : "";

    if (power == 1)
        snprintf(text + used, size - used, "%s%s", space, name);
    else
        snprintf(text + used, size - used, "%s%s^%.4g", space, name, power);
}

static void quotient(char *out, size_t size, const char *above, const char *below)
{
    if (!*below)
        snprintf(out, size, "%s", *above ? above : "1");
    else
        snprintf(out, size, strchr(below, ' ') ? "%s/(%s)" : "%s/%s", *above ? above : "1", below);
}

static void name_product(const struct cf_problem *q, double m_power, struct cf_combination *g)
{
    char above[80] = "", below[80] = "";

    for (size_t i = q->nfree; i-- > 0;)
        if (g->power[i] != 0)
            factor_text(g->power[i] > 0 ? above : below, sizeof above, q->unknown[i].name,
                        fabs(g->power[i]));
    if (m_power != 0)
        factor_text(m_power > 0 ? above : below, sizeof above, "m", fabs(m_power));
    quotient(g->name, sizeof g->name, above, below);
}

static void unit_product(const struct cf_problem *q, double m_power, struct cf_combination *g)
{
    static const char *const base[CF_NBASE] = {
        [CF_BASE_M] = "m", [CF_BASE_KG] = "kg", [CF_BASE_S] = "s", [CF_BASE_RAD] = "rad"};
    double power[CF_NBASE] = {[CF_BASE_KG] = m_power};
    char above[40] = "", below[40] = "";

    for (size_t i = 0; i < q->nfree; i++) {
        struct cf_unit unit;
        if (g->power[i] == 0)
            continue;
        if (cf_unit_parse(q->unknown[i].unit, &unit, NULL)) { /* it changes with an exponent */
            snprintf(g->unit, sizeof g->unit, "SI");
            return;
        }
        for (size_t b = 0; b < CF_NBASE; b++)
            power[b] += g->power[i] * unit.power[b].num / unit.power[b].den;
    }
    for (size_t b = 0; b < CF_NBASE; b++) {
        double p = tidy(power[b]);
        if (fabs(p) > power_tolerance)
            factor_text(p > 0 ? above : below, sizeof above, base[b], fabs(p));
    }
    quotient(g->unit, sizeof g->unit, above, below);
}

static void name_sum(const struct cf_problem *q, struct cf_combination *g)
{
    for (size_t i = 0; i < q->nfree; i++) {
        size_t used = strlen(g->name);
        if (g->power[i] != 0)
            snprintf(g->name + used, sizeof g->name - used, "%s%s%.4g*%s%s%s", used ? " " : "",
                     used && g->power[i] > 0 ? "+ " : "", g->power[i],
                     q->unknown[i].scale == CF_SCALE_LOG ? "ln(" : "", q->unknown[i].name,
                     q->unknown[i].scale == CF_SCALE_LOG ? ")" : "");
    }
    snprintf(g->unit, sizeof g->unit, "1");
}

static void finish(const struct cf_problem *q, struct cf_combination *g)
{
    double m_power = 0;

    g->product = true;
    g->factor = 1;
    for (size_t i = 0; i < q->nfree; i++)
        g->product = g->product && (g->power[i] == 0 || q->unknown[i].scale == CF_SCALE_LOG);
    if (!g->product) {
        name_sum(q, g);
        return;
    }
    m_power = mass_power(q, g->power);
    if (m_power != 0)
        g->factor = pow(q->spec->data[0].pair.mass_kg, m_power);
    name_product(q, m_power, g);
    unit_product(q, m_power, g);
}

static double value_of(const struct cf_combination *c, size_t nfree, const double theta[])
{
    double sum = 0;
    for (size_t i = 0; i < nfree; i++)
        if (c->power[i] != 0)
            sum += c->power[i] * theta[i];
    return c->product ? c->factor * exp(sum) : sum;
}

size_t cf_combinations(const struct cf_problem *problem, const struct cf_rank *rank,
                       const double theta[], struct cf_combination out[])
{
    double N[CF_MAX_PARAM][CF_MAX_PARAM];
    size_t pivot[CF_MAX_PARAM], n = 0;

    if (rank->nnull == 0)
        return 0;
    reduce(problem, rank, N, pivot);
    for (size_t i = 0; i < rank->n; i++) {
        bool is_pivot = false;
        for (size_t j = 0; j < rank->nnull; j++)
            is_pivot = is_pivot || pivot[j] == i;
        if (is_pivot || !rank->flat[i])
            continue;
        struct cf_combination *g = &out[n++];
        *g = (struct cf_combination){.power = {0}};
        g->power[i] = 1;
        for (size_t j = 0; j < rank->nnull; j++)
            g->power[pivot[j]] = -tidy(N[j][i]);
        finish(problem, g);
        g->value = value_of(g, rank->n, theta);
    }
    return n;
}
