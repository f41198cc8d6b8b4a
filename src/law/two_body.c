/* Azad-Featherstone between two bodies whose recovery times differ.
 *
 * Beyond the sources: [AF14] sec. III blames the poor fits of its cases B and E on two materials
 * whose D/K differ. The gearbox g(z) = z^(1/4) of the shared patch stays, behind it the two bodies'
 * pairs of spring and damper are in series:
 *
 *   x_1 + x_2 = (4/5) z^(5/4),   F_x = (5/4) k_i x_i + lambda_i x_i',   F = z^(1/4) F_x
 *
 * k_i and lambda_i are those with the other body rigid. The state is x_1; a body with lambda_i = 0
 * is elastic, and both may be. With K = k1 + k2, L = lambda1 + lambda2, k = k1 k2/K, lambda =
 * lambda1 lambda2/L and u = x_1 - (k2/K) (4/5) z^(5/4), the deviation of x_1 from its elastic
 * share,
 *
 *   F_x = k z^(5/4) + lambda z^(1/4) zdot + (5/4) K g u,
 *   u' = g z^(1/4) zdot - (5/4) (K/L) u,   g = lambda2/L - k2/K:
 *
 * the one-body law, and beside it a spring in series with a damper, which rests where lambda_i/k_i
 * are equal. The two bodies may change places: data of one pair cannot identify which is which.
 * Behind F_x = 0 each body comes back by itself, lambda_i x_i' = -(5/4) k_i x_i, from the very
 * speed of the contact: what was lost is not made again but by what comes after it.
 *
 * Scaled as azad-featherstone, z = y^4, with beta, h = g sqrt(K/k) and rho = (5/4) (K/L) T:
 *
 *   dy/ds = w/4,   dw/ds = -y^4 f_x,   f_x = y^5 + beta y w + (5/4) h u,
 *   du/ds = y^3 (h y w - rho u)
 *
 * The relaxation rate rho makes it stiff where both lambda_i are small against k_i T: an explicit
 * method then takes about rho steps.
 */

#include <math.h>

#include "law/regular.h"
#include "law/rows.h"

enum { K1, LAMBDA1, K2, LAMBDA2, NPARAM };
enum { BETA, H, RHO, NGROUP };
enum { U = CF_NBASIC, NSTATE };

static const struct cf_param param[NPARAM] = {
    [K1] = {"k1", "N/m^1.5", 1, 1e15, 1e2, 1e13, 1e8, CF_SCALE_LOG,
            "Hertz stiffness of body 1 on a rigid one"},
    [LAMBDA1] = {"lambda1", "N s/m^1.5", 0, 1e12, 1e-1, 1e9, 1e4, CF_SCALE_LOG,
                 "damping coefficient of body 1 on a rigid one"},
    [K2] = {"k2", "N/m^1.5", 1, 1e15, 1e2, 1e13, 2e8, CF_SCALE_LOG,
            "Hertz stiffness of body 2 on a rigid one"},
    [LAMBDA2] = {"lambda2", "N s/m^1.5", 0, 1e12, 1e-1, 1e9, 4e4, CF_SCALE_LOG,
                 "damping coefficient of body 2 on a rigid one"},
};

/* The shares of the dampers in a joint motion, lambda_i/L; of the springs where there is no damper.
 */
static void shares(const double p[], double *s1, double *s2)
{
    double L = p[LAMBDA1] + p[LAMBDA2], K = p[K1] + p[K2];

    *s1 = L > 0 ? p[LAMBDA1] / L : p[K1] / K;
    *s2 = L > 0 ? p[LAMBDA2] / L : p[K2] / K;
}

/* The state of one contact. */
struct series {
    double root, x1, x2, s1, s2, lambda, fx;
};

static struct series series_of(const double p[], const struct cf_contact *c)
{
    struct series at = {.root = sqrt(sqrt(c->depth_m)), .x1 = c->state[0]};

    shares(p, &at.s1, &at.s2);
    at.x2 = 0.8 * c->depth_m * at.root - at.x1;
    at.lambda = at.s1 * p[LAMBDA2];
    at.fx =
        at.lambda * at.root * c->rate_m_s + 1.25 * (p[K1] * at.x1 * at.s2 + p[K2] * at.x2 * at.s1);
    return at;
}

static double force(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    (void) self;
    if (!(c->depth_m > 0))
        return 0;
    struct series at = series_of(p, c);
    return fmax(0, at.root * at.fx);
}

static double energy(const struct cf_law *self, const double p[], const struct cf_contact *c)
{
    (void) self;
    if (!(c->depth_m > 0))
        return 0;
    struct series at = series_of(p, c);
    return 0.625 * (p[K1] * at.x1 * at.x1 + p[K2] * at.x2 * at.x2);
}

static void slope(const struct cf_law *self, const double p[], const struct cf_contact *c,
                  struct cf_force_slope *out)
{
    double L = p[LAMBDA1] + p[LAMBDA2], flow, push;

    (void) self;
    *out = (struct cf_force_slope){0};
    if (!(c->depth_m > 0))
        return;
    struct series at = series_of(p, c);
    if (!(at.fx > 0))
        return;
    flow = at.root * c->rate_m_s;
    push = 1.25 * (p[K1] * at.x1 - p[K2] * at.x2); /* between the springs */
    out->by_depth =
        0.25 * at.root * at.fx / c->depth_m +
        at.root * (0.25 * at.lambda * flow / c->depth_m + 1.25 * p[K2] * at.s1 * at.root);
    out->by_rate = at.root * at.root * at.lambda;
    out->by_param[K1] = 1.25 * at.root * at.s2 * at.x1;
    out->by_param[K2] = 1.25 * at.root * at.s1 * at.x2;
    if (L > 0) {
        out->by_param[LAMBDA1] = at.root * at.s2 * (at.s2 * flow - push / L);
        out->by_param[LAMBDA2] = at.root * at.s1 * (at.s1 * flow + push / L);
    }
    out->by_state[0] = 1.25 * at.root * (p[K1] * at.s2 - p[K2] * at.s1);
}

/* x_1' = lambda_2 (zdot behind the gearbox)/L + (5/4) (k2 x_2 - k1 x_1)/L */
static void state_rate(const double p[], const struct cf_contact *c, double rate[])
{
    double L = p[LAMBDA1] + p[LAMBDA2];
    struct series at = series_of(p, c);

    rate[0] = at.s2 * at.root * c->rate_m_s;
    if (L > 0)
        rate[0] += 1.25 * (p[K2] * at.x2 - p[K1] * at.x1) / L;
    else
        rate[0] = p[K2] / (p[K1] + p[K2]) * at.root * c->rate_m_s;
}

static void state_slope(const double p[], const struct cf_contact *c, struct cf_force_slope *out)
{
    double L = p[LAMBDA1] + p[LAMBDA2], K = p[K1] + p[K2], flow, pull;

    *out = (struct cf_force_slope){0};
    if (!(c->depth_m > 0))
        return;
    struct series at = series_of(p, c);
    flow = at.root * c->rate_m_s;
    if (!(L > 0)) { /* x_1 keeps its elastic share */
        out->by_depth = p[K2] / K * 0.25 * flow / c->depth_m;
        out->by_rate = p[K2] / K * at.root;
        out->by_param[K1] = -p[K2] / (K * K) * flow;
        out->by_param[K2] = p[K1] / (K * K) * flow;
        return;
    }
    pull = 1.25 * (p[K2] * at.x2 - p[K1] * at.x1) / (L * L);
    out->by_depth = at.s2 * 0.25 * flow / c->depth_m + 1.25 * p[K2] * at.root / L;
    out->by_rate = at.s2 * at.root;
    out->by_param[K1] = -1.25 * at.x1 / L;
    out->by_param[K2] = 1.25 * at.x2 / L;
    out->by_param[LAMBDA1] = -at.s2 / L * flow - pull;
    out->by_param[LAMBDA2] = at.s1 / L * flow - pull;
    out->by_state[0] = -1.25 * K / L;
}

/* At rest: x_1/(x_1 + x_2) = k2/K, and so it is in the depth, dx = g dz. */
static double share(const double p[], double by_param[])
{
    double K = p[K1] + p[K2];

    by_param[K1] = -p[K2] / (K * K);
    by_param[K2] = p[K1] / (K * K);
    return p[K2] / K;
}

static double force_end(const double p[], const struct cf_contact *c)
{
    return series_of(p, c).fx;
}

static double loss(const double p[], const struct cf_contact *c)
{
    struct series at = series_of(p, c);
    double rate1, rate2;

    state_rate(p, c, &rate1);
    rate2 = at.root * c->rate_m_s - rate1;
    return p[LAMBDA1] * rate1 * rate1 + p[LAMBDA2] * rate2 * rate2;
}

/* Without a force each body follows (5/4) k x + lambda x' = 0. */
static double relaxed(double k, double lambda, double x, double time_s, double *rate)
{
    double now = !(time_s > 0) ? x : lambda > 0 ? x * exp(-1.25 * k / lambda * time_s) : 0;

    *rate = lambda > 0 ? -1.25 * k / lambda * now : 0;
    return now;
}

static void recovery(const double p[], double depth_m, const double left[], double time_s,
                     struct cf_surface *out)
{
    double x2 = 0.8 * depth_m * sqrt(sqrt(depth_m)) - left[0], rate1, rate2, sum;

    out->state[0] = relaxed(p[K1], p[LAMBDA1], left[0], time_s, &rate1);
    sum = out->state[0] + relaxed(p[K2], p[LAMBDA2], x2, time_s, &rate2);
    out->depth_m = !(time_s > 0) ? depth_m : pow(1.25 * fmax(sum, 0), 0.8);
    out->rate_m_s = out->depth_m > 0 ? (rate1 + rate2) / sqrt(sqrt(out->depth_m)) : 0;
}

/* Z = (m v^2/k)^(2/5), beta = (lambda/k) v/Z */
static void scale(const double p[], double mass_kg, double speed_m_s, struct cf_graded *length_m,
                  struct cf_graded group[], double *size)
{
    double k1 = p[K1], k2 = p[K2], l1 = p[LAMBDA1], l2 = p[LAMBDA2], K = k1 + k2, L = l1 + l2;
    double k = k1 * k2 / K, Z = pow(mass_kg * speed_m_s * speed_m_s / k, 0.4);
    double v = speed_m_s, unit = v / (k * Z);
    struct cf_graded *beta = &group[BETA], *h = &group[H], *rho = &group[RHO];

    *length_m = (struct cf_graded){Z, {0}, 0.8 * Z / v, 0.4 * Z / mass_kg};
    length_m->by_param[K1] = -0.4 * Z * k2 / (K * k1); /* dk/dk1 = (k2/K)^2 */
    length_m->by_param[K2] = -0.4 * Z * k1 / (K * k2);
    *beta = *h = *rho = (struct cf_graded){0};
    *size = 1;
    if (!(L > 0))
        return;
    beta->value = l1 * l2 / L * unit;
    beta->by_param[LAMBDA1] = l2 * l2 / (L * L) * unit;
    beta->by_param[LAMBDA2] = l1 * l1 / (L * L) * unit;
    beta->by_param[K1] = -0.6 * beta->value * k2 / (K * k1);
    beta->by_param[K2] = -0.6 * beta->value * k1 / (K * k2);
    beta->by_speed = 0.2 * beta->value / v;
    beta->by_mass = -0.4 * beta->value / mass_kg;

    double root = sqrt(k1 * k2), across = k1 * l2 - k2 * l1;
    h->value = across / (L * root);
    h->by_param[K1] = (l2 - 0.5 * across / k1) / (L * root);
    h->by_param[K2] = (-l1 - 0.5 * across / k2) / (L * root);
    h->by_param[LAMBDA1] = (-k2 - across / L) / (L * root);
    h->by_param[LAMBDA2] = (k1 - across / L) / (L * root);

    rho->value = 1.25 * K / L * Z / v;
    for (int i = K1; i <= K2; i += K2 - K1)
        rho->by_param[i] = rho->value * (1 / K + length_m->by_param[i] / Z);
    rho->by_param[LAMBDA1] = rho->by_param[LAMBDA2] = -rho->value / L;
    rho->by_speed = -0.2 * rho->value / v;
    rho->by_mass = 0.4 * rho->value / mass_kg;
    *size = fmin(1, pow(beta->value, -1.0 / 6));
}

static void rates(const double group[], const double x[], double rate[], struct cf_rates_slope *at)
{
    double y = x[CF_Y], w = x[CF_W], u = x[U], beta = group[BETA], h = group[H], rho = group[RHO];
    double y2 = y * y, y3 = y2 * y, y4 = y2 * y2, flow = y * w;
    double fx = y4 * y + beta * flow + 1.25 * h * u;

    rate[CF_Y] = 0.25 * w;
    rate[CF_W] = -y4 * fx;
    rate[CF_T] = y3;
    rate[CF_D] = y3 * (beta * flow * flow + 1.25 * rho * u * u);
    rate[U] = y3 * (h * flow - rho * u);
    if (!at)
        return;
    at->by_state[CF_Y][CF_W] = 0.25;
    at->by_state[CF_W][CF_Y] = -4 * y3 * fx - y4 * (5 * y4 + beta * w);
    at->by_state[CF_W][CF_W] = -y4 * beta * y;
    at->by_state[CF_W][U] = -1.25 * h * y4;
    at->by_group[CF_W][BETA] = -y4 * flow;
    at->by_group[CF_W][H] = -1.25 * y4 * u;
    at->by_state[CF_T][CF_Y] = 3 * y2;
    at->by_state[CF_D][CF_Y] = y2 * (5 * beta * flow * flow + 3.75 * rho * u * u);
    at->by_state[CF_D][CF_W] = 2 * y4 * beta * flow;
    at->by_state[CF_D][U] = 2.5 * y3 * rho * u;
    at->by_group[CF_D][BETA] = y3 * flow * flow;
    at->by_group[CF_D][RHO] = 1.25 * y3 * u * u;
    at->by_state[U][CF_Y] = 4 * y3 * h * w - 3 * y2 * rho * u;
    at->by_state[U][CF_W] = y4 * h;
    at->by_state[U][U] = -y3 * rho;
    at->by_group[U][H] = y3 * flow;
    at->by_group[U][RHO] = -y3 * u;
}

static void regular_force(const double group[], const double x[], struct cf_sloped *out)
{
    double y = x[CF_Y], w = x[CF_W], u = x[U], beta = group[BETA], h = group[H];
    double y2 = y * y, y4 = y2 * y2;

    out->value = y * (y4 * y + beta * y * w + 1.25 * h * u);
    out->by_state[CF_Y] = 6 * y4 * y + 2 * beta * y * w + 1.25 * h * u;
    out->by_state[CF_W] = beta * y2;
    out->by_state[U] = 1.25 * h * y;
    out->by_group[BETA] = y2 * w;
    out->by_group[H] = 1.25 * y * u;
}

static double rise(const double group[], const double x[])
{
    double rate[NSTATE];
    struct cf_sloped at = {0};

    rates(group, x, rate, NULL);
    regular_force(group, x, &at);
    return at.by_state[CF_Y] * rate[CF_Y] + at.by_state[CF_W] * rate[CF_W] +
           at.by_state[U] * rate[U];
}

static void stored(const double group[], const double x[], struct cf_sloped *out)
{
    double y = x[CF_Y], u = x[U], y3 = y * y * y, y9 = y3 * y3 * y3;

    (void) group;
    out->value = 0.4 * y9 * y + 0.625 * u * u;
    out->by_state[CF_Y] = 4 * y9;
    out->by_state[U] = 1.25 * u;
}

/* On the way in the force does not end; then f_x, with |y| in its middle term, so that it stays
 * negative behind its zero however small beta. Without u the zero is (-beta w)^(1/4), and without
 * beta, too, f_x is too flat there to find it. */
static void end(const double group[], const double x[], struct cf_sloped *out)
{
    double y = x[CF_Y], w = x[CF_W], beta = group[BETA], h = group[H], y4 = y * y * y * y;

    if (w >= 0 || (h == 0 && x[U] == 0)) {
        double size = w < 0 ? -beta * w : 0, root = sqrt(sqrt(size));
        double slope = size > 0 ? 0.25 * root / size : 0;
        out->value = y - root;
        out->by_state[CF_Y] = 1;
        out->by_state[CF_W] = slope * beta;
        out->by_group[BETA] = slope * w;
        return;
    }
    out->value = y4 * y + beta * fabs(y) * w + 1.25 * h * x[U];
    out->by_state[CF_Y] = 5 * y4 + (y > 0 ? beta * w : -beta * w);
    out->by_state[CF_W] = beta * fabs(y);
    out->by_state[U] = 1.25 * h;
    out->by_group[BETA] = fabs(y) * w;
    out->by_group[H] = 1.25 * x[U];
}

static const struct cf_regular regular = {
    .nstate = NSTATE,
    .ngroup = NGROUP,
    .q = 4,
    .scale = scale,
    .rates = rates,
    .force = regular_force,
    .rise = rise,
    .stored = stored,
    .end = end,
};

const struct cf_law cf_two_body = {
    .name = "azad-featherstone-two-body",
    .cite = "two azad-featherstone bodies in series, after Azad & Featherstone 2014, section III",
    .what = "viscoelastic sphere on another body, each with its own recovery time",
    .formula = "z^0.25 F_x, F_x = 1.25 k_i x_i + lambda_i x_i', x_1 + x_2 = 0.8 z^1.25",
    .family = CF_FAMILY_NORMAL,
    .nparam = NPARAM,
    .param = param,
    .force = force,
    .slope = slope,
    .energy = energy,
    .nstate = 1,
    .state_rate = state_rate,
    .state_slope = state_slope,
    .share = share,
    .end = force_end,
    .recovery = recovery,
    .loss = loss,
    .regular = &regular,
};
