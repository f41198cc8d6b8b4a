/* Curves of scaled impacts, one for each (n, p).
 *
 * Tabulated are ln(e)/beta, ln(tau), ln(zeta) and ln(phi) as piecewise Chebyshev series in
 * x = ln(beta), with their derivatives, from beta = 1e-6 to 1e8. ln(e)/beta and not ln(e), so that
 * the loss 1 - e keeps its digits where it is small.
 *
 * Below 1e-6 all of them go on linearly in beta, with errors of 1e-12, except the duration: contact
 * ends where z^(n-p) = beta e, that is beta^(1/(n-p)) before z returns to 0. So it is the time to
 * z = 0, with free flight from the end of contact, that goes on linearly. Above 1e8 there is none.
 */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "impact/scaled.h"
#include "impact/sweep.h"

/* Measured: with these pieces and terms the series end at rounding. Around beta = 1, where the peak
 * of force passes from the damper to the spring, phi has its singularities nearest. */
enum { TERMS = 18, NZONE = 4, NPIECE = 25 };

static const struct {
    double low, high; /* beta */
    int pieces, first;
} zones[NZONE] = {
    {1e-6, 0.1, 6, 0},
    {0.1, 10, 8, 6},
    {10, 1e4, 5, 14},
    {1e4, 1e8, 6, 19},
};

static const double BETA_LOW = 1e-6;
const double cf_curve_beta_most = 1e8;

/* Where the duration's slope is infinite at beta = 0 (n - p > 1, tsuji), the slope here is given.
 */
static const double BETA_TINY = 1e-12;

/* One number for each answer and its slope; one pass of the recurrence serves them all. */
struct terms {
    double value[CF_NIMPACT], slope[CF_NIMPACT];
};

struct piece {
    double middle, half; /* of ln(beta) */
    struct terms terms[TERMS];
};

struct zone {
    double low, per_x; /* pieces per unit of ln(beta) */
};

struct cf_curve {
    struct cf_curve *next;
    double n, p;
    struct zone zone[NZONE];
    struct piece piece[NPIECE];
    struct terms low; /* ln(e)/beta, time to z = 0, zeta, phi at BETA_LOW; slopes by beta */
};

/* Smaller ones change nothing but rounding: measured. */
static const double sample_tolerance = 3e-15;

struct cf_curves {
    struct cf_curve *first;
    const struct cf_curve *shared; /* of a view: the first that belongs to another workspace */
    struct cf_sweep *sweep;
};

static int sample(double n, double p, double beta, double value[], struct cf_error *err)
{
    struct cf_scaled at;
    int status = n == p ? cf_scaled_hunt_crossley(n, beta, &at, err)
                        : cf_scaled_integrate(n, p, beta, sample_tolerance, &at, err);

    if (status)
        return status;
    value[CF_IMPACT_RESTITUTION] = at.log_e_per_beta;
    value[CF_IMPACT_DURATION] = log(at.tau);
    value[CF_IMPACT_DEPTH] = log(at.zeta);
    value[CF_IMPACT_FORCE] = log(at.phi);
    return CF_OK;
}

/* From T_k(u) to powers of u, in place: T_k = 2 u T_(k-1) - T_(k-2). The terms fall by a factor of
 * six or more from one to the next, the powers' coefficients grow by two at most, so that nothing
 * is lost, and powers need half the operations of Clenshaw's recurrence. */
static void to_powers(struct terms terms[])
{
    struct terms sum[TERMS] = {{{0}, {0}}};
    double before[TERMS] = {0}, now[TERMS] = {1}, next[TERMS];

    for (int k = 0; k < TERMS; k++) {
        double share = k == 0 ? 0.5 : 1; /* the first term of a series counts half */
        for (int l = 0; l <= k; l++)
            for (int i = 0; i < CF_NIMPACT; i++) {
                sum[l].value[i] += share * now[l] * terms[k].value[i];
                sum[l].slope[i] += share * now[l] * terms[k].slope[i];
            }
        for (int l = 0; l < TERMS; l++)
            next[l] = (k == 0 ? 1 : 2) * (l > 0 ? now[l - 1] : 0) - before[l];
        for (int l = 0; l < TERMS; l++) {
            before[l] = now[l];
            now[l] = next[l];
        }
    }
    for (int k = 0; k < TERMS; k++)
        terms[k] = sum[k];
}

/* Interpolate one piece at Chebyshev's nodes; the first term of a series counts half. */
static int make_piece(const struct cf_curve *curve, struct piece *piece, struct cf_error *err)
{
    double value[TERMS][CF_NIMPACT];
    struct terms *terms = piece->terms;

    for (int j = 0; j < TERMS; j++) {
        double x = piece->middle + piece->half * cos(M_PI * (j + 0.5) / TERMS);
        int status = sample(curve->n, curve->p, exp(x), value[j], err);
        if (status)
            return status;
    }
    for (int k = 0; k < TERMS; k++)
        for (int j = 0; j < TERMS; j++)
            for (int i = 0; i < CF_NIMPACT; i++)
                terms[k].value[i] += 2.0 / TERMS * value[j][i] * cos(M_PI * k * (j + 0.5) / TERMS);

    /* of the derivative: c'_(k-1) = c'_(k+1) + 2 k c_k */
    for (int k = TERMS - 1; k > 0; k--)
        for (int i = 0; i < CF_NIMPACT; i++)
            terms[k - 1].slope[i] = (k + 1 < TERMS ? terms[k + 1].slope[i] : 0) +
                                    2 * k * terms[k].value[i] / piece->half;
    to_powers(terms);
    return CF_OK;
}

static int make_pieces(struct cf_curve *curve, struct cf_error *err)
{
    int status = CF_OK;

    for (int z = 0; z < NZONE; z++) {
        double low = log(zones[z].low), width = (log(zones[z].high) - low) / zones[z].pieces;
        curve->zone[z] = (struct zone){low, 1 / width};
        for (int i = 0; i < zones[z].pieces && !status; i++) {
            struct piece *piece = &curve->piece[zones[z].first + i];
            piece->middle = low + (i + 0.5) * width;
            piece->half = 0.5 * width;
            status = make_piece(curve, piece, err);
        }
    }
    return status;
}

static const struct piece *find_piece(const struct cf_curve *curve, double x)
{
    int z = NZONE - 1, i;

    while (z > 0 && x < curve->zone[z].low)
        z--;
    i = (int) ((x - curve->zone[z].low) * curve->zone[z].per_x);
    if (i < 0)
        i = 0;
    if (i >= zones[z].pieces)
        i = zones[z].pieces - 1;
    return &curve->piece[zones[z].first + i];
}

/* One step of Horner's rule in u^2 for all answers at once. */
static inline void step(double u2, const struct terms *c, struct terms *sum)
{
    for (int i = 0; i < CF_NIMPACT; i++) {
        sum->value[i] = u2 * sum->value[i] + c->value[i];
        sum->slope[i] = u2 * sum->slope[i] + c->slope[i];
    }
}

/* The tabulated values and their slopes by ln(beta). Even and odd powers are summed in parallel: a
 * single chain of sums would be slower. */
static void look_up(const struct cf_curve *curve, double x, struct terms *out)
{
    const struct piece *piece = find_piece(curve, x);
    const struct terms *c = piece->terms;
    double u = (x - piece->middle) / piece->half, u2 = u * u;
    struct terms even = c[TERMS - 2], odd = c[TERMS - 1];

    for (int k = TERMS - 4; k >= 0; k -= 2) {
        step(u2, &c[k], &even);
        step(u2, &c[k + 1], &odd);
    }
    for (int i = 0; i < CF_NIMPACT; i++) {
        out->value[i] = even.value[i] + u * odd.value[i];
        out->slope[i] = even.slope[i] + u * odd.slope[i];
    }
}

/* The free flight from the end of contact to z = 0. */
static double flight(const struct cf_curve *curve, double beta, double e, double e_by_beta,
                     double *slope)
{
    double g = 1 / (curve->n - curve->p), b = fmax(beta, BETA_TINY);

    *slope = 0;
    if (curve->n == curve->p)
        return 0;
    *slope = pow(b, g) * pow(e, g - 1) * (g / b + (g - 1) * e_by_beta / e);
    return pow(beta, g) * pow(e, g - 1);
}

static void below(const struct cf_curve *curve, double beta, struct cf_scaled_impact *out)
{
    const struct terms *low = &curve->low;
    double e_rate, gap, gap_slope, *value = out->value, *slope = out->by_beta;

    for (int i = 0; i < CF_NIMPACT; i++) {
        value[i] = low->value[i] + low->slope[i] * (beta - BETA_LOW);
        slope[i] = low->slope[i];
    }
    e_rate = value[CF_IMPACT_RESTITUTION] + beta * slope[CF_IMPACT_RESTITUTION];
    value[CF_IMPACT_RESTITUTION] = exp(beta * value[CF_IMPACT_RESTITUTION]);
    slope[CF_IMPACT_RESTITUTION] = value[CF_IMPACT_RESTITUTION] * e_rate;
    gap =
        flight(curve, beta, value[CF_IMPACT_RESTITUTION], slope[CF_IMPACT_RESTITUTION], &gap_slope);
    value[CF_IMPACT_DURATION] -= gap;
    slope[CF_IMPACT_DURATION] -= gap_slope;
}

void cf_curve_at(const struct cf_curve *curve, double beta, struct cf_scaled_impact *out)
{
    struct terms at;

    if (!(beta >= BETA_LOW)) {
        below(curve, beta, out);
        return;
    }
    look_up(curve, log(beta), &at);
    at.slope[CF_IMPACT_RESTITUTION] += at.value[CF_IMPACT_RESTITUTION];
    at.slope[CF_IMPACT_RESTITUTION] *= beta;
    at.value[CF_IMPACT_RESTITUTION] *= beta;
    for (int i = 0; i < CF_NIMPACT; i++) {
        out->value[i] = exp(at.value[i]);
        out->by_beta[i] = out->value[i] * at.slope[i] / beta;
    }
}

/* Duration, depth and force without damping, depth (n+1)/2 to the power 1/(n+1). */
static void elastic(double n, double value[])
{
    double share = 1 / (n + 1), depth = pow((n + 1) / 2, share);

    value[CF_IMPACT_DURATION] = 2 * depth * tgamma(0.5) * tgamma(1 + share) / tgamma(0.5 + share);
    value[CF_IMPACT_DEPTH] = depth;
    value[CF_IMPACT_FORCE] = pow(depth, n);
}

/* The start of the continuation. Its slopes lead to the elastic impact: those of the series amplify
 * the rounding of the samples. */
static void make_low(struct cf_curve *curve)
{
    struct terms *low = &curve->low;
    double e, gap, gap_slope, at_0[CF_NIMPACT];

    look_up(curve, log(BETA_LOW), low);
    for (int i = 0; i < CF_NIMPACT; i++)
        if (i != CF_IMPACT_RESTITUTION)
            low->value[i] = exp(low->value[i]);
    e = exp(BETA_LOW * low->value[CF_IMPACT_RESTITUTION]);
    gap = flight(curve, BETA_LOW, e, e * low->value[CF_IMPACT_RESTITUTION], &gap_slope);
    low->value[CF_IMPACT_DURATION] += gap;
    elastic(curve->n, at_0);
    low->slope[CF_IMPACT_RESTITUTION] /= BETA_LOW;
    for (int i = CF_IMPACT_DURATION; i < CF_NIMPACT; i++)
        low->slope[i] = (low->value[i] - at_0[i]) / BETA_LOW;
}

struct cf_curves *cf_curves_alloc(void)
{
    return calloc(1, sizeof(struct cf_curves));
}

struct cf_curves *cf_curves_view(const struct cf_curves *of)
{
    struct cf_curves *view = calloc(1, sizeof *view);

    if (view && of) {
        view->first = of->first;
        view->shared = of->first;
    }
    return view;
}

void cf_curves_free(struct cf_curves *curves)
{
    while (curves && curves->first != curves->shared) {
        struct cf_curve *next = curves->first->next;
        free(curves->first);
        curves->first = next;
    }
    if (curves)
        cf_sweep_free(curves->sweep);
    free(curves);
}

struct cf_sweep **cf_curves_sweep_of(struct cf_curves *curves)
{
    return &curves->sweep;
}

static int make(double n, double p, struct cf_curve **made, struct cf_error *err)
{
    struct cf_curve *curve = calloc(1, sizeof *curve);
    int status;

    if (!curve)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    curve->n = n;
    curve->p = p;
    if ((status = make_pieces(curve, err))) {
        free(curve);
        return status;
    }
    make_low(curve);
    *made = curve;
    return CF_OK;
}

int cf_curve_get(struct cf_curves *curves, double n, double p, const struct cf_curve **found,
                 struct cf_error *err)
{
    struct cf_curve *curve = curves->first;
    int status;

    while (curve && !(curve->n == n && curve->p == p))
        curve = curve->next;
    if (!curve) {
        if ((status = make(n, p, &curve, err)))
            return status;
        curve->next = curves->first;
        curves->first = curve;
    }
    *found = curve;
    return CF_OK;
}
