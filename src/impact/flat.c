/* Restitution at many speeds of one law. e is smooth in ln(v), and interpolated between Chebyshev's
 * nodes on pieces that are halved until the last terms of their series say that nothing is lost.
 * Where halving does not help, every speed is asked for: that costs a fraction of a microsecond
 * where the law has a curve, and a whole integration where it has none.
 */

#include "impact/flat.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/gsl_guard.h"
#include "core/list.h"
#include "impact/impact.h"

/* Terms of a piece, and how many of the last must be small; its width in ln(v) at first, and below
 * which it is not halved. */
enum { TERMS = 16, TAIL = 2 };
static const double first_width = 1.5, least_width = 0.05;

/* The last terms may be this large: e of curves is accurate to 1e-12, that of an impact that is
 * integrated to some 1e-10. */
static const double curve_tolerance = 1e-13, integration_tolerance = 3e-10;

struct piece {
    double low, high; /* ln(v) */
    bool smooth;
    double term[TERMS];
};

struct question {
    struct cf_curves *curves;
    const struct cf_law *law;
    const double *p;
    double mass_kg;
    size_t npiece;
    struct piece *piece; /* ascending */
};

static int one(const struct question *q, double speed_m_s, double *e, struct cf_error *err)
{
    struct cf_impact impact;
    int status = cf_impact(q->curves, q->law, q->p, q->mass_kg, speed_m_s, &impact, err);

    if (!status)
        *e = impact.value[CF_IMPACT_RESTITUTION];
    return status;
}

static int expand(const struct question *q, struct piece *piece, struct cf_error *err)
{
    double middle = 0.5 * (piece->low + piece->high), half = 0.5 * (piece->high - piece->low);
    double e[TERMS], tolerance = q->law->regular ? integration_tolerance : curve_tolerance;
    int status = CF_OK;

    for (int j = 0; j < TERMS && !status; j++)
        status = one(q, exp(middle + half * cos(M_PI * (j + 0.5) / TERMS)), &e[j], err);
    for (int k = 0; k < TERMS && !status; k++) {
        piece->term[k] = 0;
        for (int j = 0; j < TERMS; j++)
            piece->term[k] += (k ? 2.0 : 1.0) / TERMS * e[j] * cos(M_PI * k * (j + 0.5) / TERMS);
    }
    piece->smooth = !status;
    for (int k = TERMS - TAIL; k < TERMS && !status; k++)
        piece->smooth = piece->smooth && fabs(piece->term[k]) <= tolerance;
    return status;
}

/* Pieces from low to high, in order. */
static int cover(struct question *q, double low, double high, struct cf_error *err)
{
    struct piece piece = {.low = low, .high = high};
    int status = expand(q, &piece, err);

    if (status)
        return status;
    if (!piece.smooth && high - low > least_width) {
        status = cover(q, low, 0.5 * (low + high), err);
        return status ? status : cover(q, 0.5 * (low + high), high, err);
    }
    struct piece *longer = cf_list_grow(q->piece, q->npiece, sizeof *longer);
    if (!longer)
        return cf_fail(err, CF_ENOMEM, "no memory for the restitution at many speeds");
    q->piece = longer;
    longer[q->npiece++] = piece;
    return CF_OK;
}

/* Clenshaw's sum. */
static double sum_of(const struct piece *piece, double x)
{
    double u = (2 * x - piece->low - piece->high) / (piece->high - piece->low), next = 0, sum = 0;

    for (int k = TERMS - 1; k > 0; k--) {
        double before = next;
        next = sum;
        sum = 2 * u * sum - before + piece->term[k];
    }
    return u * sum - next + piece->term[0];
}

static const struct piece *find(const struct question *q, double x)
{
    size_t low = 0, high = q->npiece;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (x < q->piece[middle].low)
            high = middle;
        else
            low = middle;
    }
    return &q->piece[low];
}

/* Pieces over all speeds, where these are so many that it is worth it. */
static int prepare(struct question *q, size_t n, const double speed_m_s[], struct cf_error *err)
{
    double low = (double) INFINITY, high = -(double) INFINITY;
    size_t pieces;
    int status = CF_OK;

    if (q->law->family == CF_FAMILY_RESTITUTION)
        return CF_OK; /* a formula, which may have corners */
    for (size_t i = 0; i < n; i++) {
        if (!(speed_m_s[i] > 0 && isfinite(speed_m_s[i])))
            return CF_OK; /* cf_impact() says why that is none */
        low = fmin(low, log(speed_m_s[i]));
        high = fmax(high, log(speed_m_s[i]));
    }
    if (!(high > low))
        return CF_OK;
    pieces = (size_t) ceil((high - low) / first_width);
    if (n < 2 * TERMS * pieces)
        return CF_OK;
    for (size_t i = 0; i < pieces && !status; i++)
        status = cover(q, low + (high - low) * (double) i / (double) pieces,
                       low + (high - low) * (double) (i + 1) / (double) pieces, err);
    return status;
}

static int answer(struct question *q, size_t n, const double speed_m_s[], double e[],
                  struct cf_error *err)
{
    int status = prepare(q, n, speed_m_s, err);

    for (size_t i = 0; i < n && !status; i++) {
        double x = q->npiece ? log(speed_m_s[i]) : 0;
        const struct piece *piece = q->npiece ? find(q, x) : NULL;
        if (piece && piece->smooth)
            e[i] = sum_of(piece, x);
        else
            status = one(q, speed_m_s[i], &e[i], err);
    }
    free(q->piece);
    return status;
}

int cf_restitution(const char *name, size_t np, const double p[], double mass_kg, size_t n,
                   const double speed_m_s[], double e[], struct cf_error *err)
{
    struct question q = {.p = p, .mass_kg = mass_kg};
    int status = cf_law_get(name, &q.law, err) ? CF_EUSAGE : CF_OK;

    if (!status && np != q.law->nparam)
        status = cf_fail(err, CF_EUSAGE, "%s has %zu parameters, not %zu", name, q.law->nparam, np);
    if (!status)
        status = cf_param_check(q.law->param, q.law->nparam, p, err);
    if (status)
        return status;
    q.curves = cf_curves_alloc();
    if (!q.curves)
        return cf_fail(err, CF_ENOMEM, "no memory for the curves");
    cf_gsl_enter();
    status = answer(&q, n, speed_m_s, e, err);
    cf_gsl_leave();
    cf_curves_free(q.curves);
    return status;
}
