#include "estimate/combination.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"

/* Powers nearer than this to a multiple of 1/20 are written as that. */
static const double power_tolerance = 2e-4;

static double tidy(double power)
{
    double near = round(power * 20) / 20;
    return fabs(power - near) < power_tolerance ? near : power;
}

static bool is_k(const struct cf_unknown *w, size_t k)
{
    return w->kind == CF_UNKNOWN_LAW && w->target == k;
}

/* Null directions as N[nnull * n] with the pivots' block the identity (Gauss-Jordan on columns).
 * pivot[q] receives the pivots' indices. */
static void reduce(const struct cf_problem *q, const struct cf_rank *rank, double N[],
                   size_t pivot[], bool used[])
{
    size_t k = cf_law_k(q->law), n = rank->n;

    memcpy(N, rank->direction, rank->nnull * n * sizeof *N);
    for (size_t j = 0; j < rank->nnull; j++) {
        size_t best = 0;
        double size = -1;
        for (size_t i = 0; i < rank->n; i++) {
            double preference =
                is_k(&q->unknown[i], k) ? 1e3 : 1; /* k is the one to be eliminated */
            if (!used[i] && fabs(N[j * n + i]) * preference > size) {
                size = fabs(N[j * n + i]) * preference;
                best = i;
            }
        }
        used[best] = true;
        pivot[j] = best;
        double scale = N[j * n + best];
        for (size_t i = 0; i < n; i++)
            N[j * n + i] /= scale;
        for (size_t l = 0; l < rank->nnull; l++) {
            double share = l == j ? 0 : N[l * n + best];
            for (size_t i = 0; i < n; i++)
                N[l * n + i] -= share * N[j * n + i];
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
        if (is_k(&q->unknown[i], k) && !q->unknown[i].alias)
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

/* The power of unknown i in a product with the own-th one to the power 1, from those of theta; NAN:
 * there is none, as the unknown is on a linear scale and not above 0. */
static double power_in_product(const struct cf_problem *q, const double power[],
                               const double theta[], size_t own, size_t i)
{
    double by_own = q->unknown[own].scale == CF_SCALE_LOG ? 1 : theta[own];
    double by = q->unknown[i].scale == CF_SCALE_LOG ? 1 : theta[i];

    return by > 0 && by_own > 0 ? power[i] * by / by_own : (double) NAN;
}

/* A product of powers is one where all scales are logarithmic; and of mixed scales where powers
 * come out as such that are written down, as those of d_2/t_c do. */
static bool make_product(const struct cf_problem *q, const double theta[], size_t own,
                         struct cf_combination *g)
{
    bool product = true, mixed = false;

    for (size_t i = 0; i < q->nfree; i++)
        mixed = mixed || (g->power[i] != 0 && q->unknown[i].scale != CF_SCALE_LOG);
    for (size_t i = 0; i < q->nfree && mixed && product; i++) {
        double power = power_in_product(q, g->power, theta, own, i);
        product = g->power[i] == 0 || tidy(power) * 20 == round(power * 20);
    }
    for (size_t i = 0; i < q->nfree && mixed && product; i++) {
        if (g->power[i] == 0)
            continue;
        g->power[i] = tidy(power_in_product(q, g->power, theta, own, i));
        g->slope[i] = q->unknown[i].scale == CF_SCALE_LOG ? g->power[i] : g->power[i] / theta[i];
    }
    return product;
}

/* Name, unit and value; the own-th unknown has the power 1. */
static void finish(const struct cf_problem *q, const double theta[], size_t own,
                   struct cf_combination *g)
{
    double m_power = 0, sum = 0;

    memcpy(g->slope, g->power, q->nfree * sizeof *g->slope);
    g->product = make_product(q, theta, own, g);
    for (size_t i = 0; i < q->nfree; i++)
        if (g->power[i] != 0)
            sum += g->power[i] *
                   (g->product && q->unknown[i].scale != CF_SCALE_LOG ? log(theta[i]) : theta[i]);
    g->value = g->product ? exp(sum) : sum;
    if (!g->product) {
        name_sum(q, g);
        return;
    }
    m_power = g->mass_power = mass_power(q, g->power);
    if (m_power != 0)
        g->value *= pow(q->spec->data[0].pair.mass_kg, m_power);
    name_product(q, m_power, g);
    unit_product(q, m_power, g);
}

/* n of them with room for their powers, or NULL. */
static struct cf_combination *combinations_alloc(size_t n, size_t nfree)
{
    struct cf_combination *g = calloc(1, (n + 1) * sizeof *g + 2 * n * nfree * sizeof *g->power);
    double *power = g ? (double *) (g + n + 1) : NULL;

    for (size_t i = 0; g && i < n; i++) {
        g[i].power = power + 2 * i * nfree;
        g[i].slope = g[i].power + nfree;
    }
    return g;
}

int cf_combinations(const struct cf_problem *problem, const struct cf_rank *rank,
                    const double theta[], struct cf_combination **out, size_t *n,
                    struct cf_error *err)
{
    size_t nfree = rank->n;
    double *N = calloc(rank->nnull * nfree + 1, sizeof *N);
    size_t *pivot = calloc(rank->nnull + 1, sizeof *pivot);
    bool *used = calloc(nfree + 1, sizeof *used), room;

    *n = 0;
    *out = combinations_alloc(nfree, nfree);
    room = N && pivot && used && *out;
    if (room && rank->nnull)
        reduce(problem, rank, N, pivot, used);
    for (size_t i = 0; room && rank->nnull && i < nfree; i++) {
        struct cf_combination *g = &(*out)[*n];
        if (used[i] || !rank->flat[i])
            continue;
        ++*n;
        g->power[i] = 1;
        for (size_t j = 0; j < rank->nnull; j++)
            g->power[pivot[j]] = -tidy(N[j * nfree + i]);
        finish(problem, theta, i, g);
    }
    free(N);
    free(pivot);
    free(used);
    return room ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for combinations of %zu", nfree);
}
