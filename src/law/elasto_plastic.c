/* Elasto-plastic: LuGre whose bristle is purely elastic up to a break-away deformation.
 *
 *   x' = v - alpha(|x|) max(0, v.x/|x|) sigma_0/g(v) x,   g as in lugre
 *   alpha = 0 up to x_ba, 1 from x_max = g/sigma_0 on, and between
 *           (1 + sin(pi (|x| - (x_max + x_ba)/2)/(x_max - x_ba)))/2
 *   f  = -f_n (sigma_0 x + sigma_1 x' + sigma_2 v)
 *
 * Dupont, Hayward, Armstrong & Altpeter 2002: no drift under small forces. Their
 * condition sgn(v) = sgn(x) is read as max(0, v.x) in the plane, in one dimension the same: it is
 * continuous, and a bristle that is full turns into the direction of slip. x_ba is a share of
 * x_max, so that it is below it at every speed, as they require.
 */

#include "law/lean_family.h"

enum { BREAK_AWAY = CF_LEAN_NPARAM, NPARAM };

static const double PI = 3.14159265358979323846;

static const struct cf_param param[NPARAM] = {
    CF_PARAMS_LEAN,
    [BREAK_AWAY] = {"break_away", "1", 0, 0.999, 0, 0.99, 0.7, CF_SCALE_LINEAR,
                    "x_ba/x_max, the share of the deformation that is purely elastic"},
};

/* alpha and its derivatives by r = |x|/x_max and by the share b. */
struct yielding {
    double alpha, by_r, by_b;
};

static struct yielding yielding(double r, double b)
{
    double width = 1 - b, phase = (r - 0.5 * (1 + b)) / width;

    if (!(r > b))
        return (struct yielding){0, 0, 0};
    if (!(r < 1))
        return (struct yielding){1, 0, 0};
    double slope = 0.5 * PI * cos(PI * phase) / width;
    return (struct yielding){0.5 * (1 + sin(PI * phase)), slope, slope * (phase - 0.5)};
}

/* x_max, r = |x|/x_max, and the part of slip along x that yields, over x_max. */
struct plastic {
    double most, size, r, along;
    struct yielding yields;
};

static struct plastic plastic_of(const double p[], const struct cf_slide *c)
{
    const double *v = c->velocity_m_s, *x = c->state;
    struct plastic at = {.most = cf_lean_curve(p, v) / p[CF_LEAN_SIGMA_0], .size = cf_size(x)};

    at.r = at.size / at.most;
    at.yields = yielding(at.r, p[BREAK_AWAY]);
    at.along = cf_dot(v, x) > 0 ? cf_dot(v, x) / (at.size * at.most) : 0;
    return at;
}

static void force(const double p[], const struct cf_slide *c, double f[2], double rate[])
{
    struct plastic at = plastic_of(p, c);
    struct cf_lean lean = cf_lean_of(p);

    lean.w = at.yields.alpha * at.along;
    cf_lean_force(&lean, c, f, rate);
}

static void vary(const double p[], const struct cf_slide *c, const double d[CF_FRICTION_COLUMNS],
                 double dforce[2], double drate[])
{
    const double *v = c->velocity_m_s, *x = c->state, *dp = d + CF_BY_PARAM;
    const double *dv = d + CF_BY_VELOCITY, *dx = d + CF_BY_STATE;
    struct plastic at = plastic_of(p, c);
    struct cf_lean lean = cf_lean_of(p), dlean = cf_lean_of(dp);

    lean.w = at.yields.alpha * at.along;
    if (at.along > 0) {
        double dmost = (cf_lean_curve_vary(p, v, d) - at.most * dlean.sigma_0) / lean.sigma_0;
        double dsize = cf_dot(x, dx) / at.size;
        double dr = (dsize - at.r * dmost) / at.most;
        double dalpha = at.yields.by_r * dr + at.yields.by_b * dp[BREAK_AWAY];
        double dalong = (cf_dot(dv, x) + cf_dot(v, dx)) / (at.size * at.most) -
                        at.along * (dsize / at.size + dmost / at.most);
        dlean.w = dalpha * at.along + at.yields.alpha * dalong;
    }
    cf_lean_vary(&lean, &dlean, c, d, dforce, drate);
}

static void parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    struct cf_lean lean = cf_lean_of(p);
    cf_lean_parts(&lean, c, out);
}

/* Slip turns against the bristle. */
static double corner(const double p[], const struct cf_slide *c)
{
    (void) p;
    return cf_dot(c->velocity_m_s, c->state);
}

const struct cf_friction_law cf_elasto_plastic = {
    .name = "elasto-plastic",
    .cite = "Dupont, Hayward, Armstrong & Altpeter 2002",
    .what = "lugre whose bristle is purely elastic up to break-away: it does not drift",
    .formula = "-f_n (sigma_0 x + sigma_1 x' + sigma_2 v), x' = v below break_away g(v)/sigma_0",
    .needs = CF_NEEDS_NOTHING,
    .nparam = NPARAM,
    .param = param,
    .nstate = CF_LEAN_NSTATE,
    .nvector = 1,
    .force = force,
    .vary = vary,
    .corner = {corner},
    .parts = parts,
    .slip = cf_lean_slip,
};
