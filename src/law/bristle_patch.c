/* Gonthier's bristles over an area, in translation and in torsion.
 *
 *   v_avg^2 = |v|^2 + (r w)^2,  s = exp(-v_avg^2/v_s^2)
 *   C_v,s   = s + (1 - s) C_v,  C_w,s = s + (1 - s) C_w
 *   x'      = s v + (1 - s) (mu_c dir(v) C_v,s - sigma_0 x)/sigma_1
 *   theta'  = s w + (1 - s) (mu_c dir(r w) C_w,s/(sigma_1 r) - (sigma_0/sigma_1) theta)
 *   q       = sigma_0 x + sigma_1 x',          cut at q_max C_v,s
 *   q_w     = r (sigma_0 theta + sigma_1 theta'), cut at q_max C_w,s
 *   f       = -f_n (q + sigma_2 v),   T = -f_n r (q_w + sigma_2 r w),   r = r_gyr
 *
 * q_max and s_dw as in bristle_family.h, with v_avg in place of |v|. Gonthier 2007, eqs. 4.220 to
 * 4.243. Where he prints sgn(w), which jumps, dir() is as smooth as in translation (4.226).
 *
 * The torsion is a bristle in one dimension at the lever r: its deflection is r theta, its velocity
 * r w. Both are cut and found again in the same way.
 */

#include "law/bristle_family.h"
#include "law/patch.h"

static const double V_E = 0.01; /* v_e/v_s: Gonthier 2007, section 4.4.2 */

enum { TORSION = CF_BRISTLE_NSTATE, NSTATE };

static const double rested[NSTATE] = {[CF_BRISTLE_DWELL] = 1};

/* A bristle in one direction: x and y of the translation, and the torsion. */
struct way {
    double v, x;        /* velocity, deflection [m] */
    double dir;         /* dir(v) */
    double share;       /* C_v,s or C_w,s */
    double slide, rate; /* x' of sliding; x' */
    double q;
};

struct bristles {
    struct cf_contensou_share contensou;
    double s, dwell;
    double limit; /* q_max, before the shares */
    struct way way[3];
    double cut[2]; /* of the translation, of the torsion: 1 or the factor that limits q */
};

static void find_rate(const double p[], const struct bristles *b, struct way *way)
{
    double sigma_0 = p[CF_BRISTLE_SIGMA_0], sigma_1 = p[CF_BRISTLE_SIGMA_1];

    way->slide = (p[CF_BRISTLE_MU_C] * way->dir * way->share - sigma_0 * way->x) / sigma_1;
    way->rate = b->s * way->v + (1 - b->s) * way->slide;
    way->q = sigma_0 * way->x + sigma_1 * way->rate;
}

static double cut_at(double size, double limit)
{
    return size > limit ? limit / size : 1;
}

static void look(const double p[], const struct cf_patch *c, struct bristles *b)
{
    const double *v = c->slide.velocity_m_s, *x = c->slide.state;
    double r = c->gyration_m, v_s = p[CF_BRISTLE_V_S], dir[2], turn[2] = {r * c->spin_rad_s, 0};
    double average[2], mu_c = p[CF_BRISTLE_MU_C], turn_dir[2], q[2];

    cf_contensou_share(c, V_E * v_s, &b->contensou);
    average[0] = b->contensou.average_m_s;
    average[1] = 0;
    b->s = cf_stribeck_share(average, v_s);
    b->dwell = p[CF_BRISTLE_TAU_DW] > 0 ? x[CF_BRISTLE_DWELL] : b->s;
    b->limit = mu_c + (p[CF_BRISTLE_MU_S] - mu_c) * b->dwell;
    cf_direction(v, V_E * v_s, dir);
    cf_direction(turn, V_E * v_s, turn_dir);
    for (int i = 0; i < 3; i++) {
        double share = i < 2 ? b->contensou.slide : b->contensou.spin;
        b->way[i] = i < 2 ? (struct way){.v = v[i], .x = x[i], .dir = dir[i]}
                          : (struct way){.v = turn[0], .x = r * x[TORSION], .dir = turn_dir[0]};
        b->way[i].share = b->s + (1 - b->s) * share;
        find_rate(p, b, &b->way[i]);
    }
    q[0] = b->way[0].q;
    q[1] = b->way[1].q;
    b->cut[0] = cut_at(cf_size(q), b->limit * b->way[0].share);
    b->cut[1] = cut_at(fabs(b->way[2].q), b->limit * b->way[2].share);
}

/* x' of one way where it is cut, or not. */
static double rate_of(const double p[], const struct way *way, double cut)
{
    return cut < 1 ? (cut * way->q - p[CF_BRISTLE_SIGMA_0] * way->x) / p[CF_BRISTLE_SIGMA_1]
                   : way->rate;
}

static void force(const double p[], const struct cf_patch *c, double f[CF_PATCH_FORCES],
                  double rate[])
{
    double r = c->gyration_m;
    struct bristles b;

    look(p, c, &b);
    for (int i = 0; i < 3; i++) {
        const struct way *way = &b.way[i];
        double lever = i < 2 ? 1 : r, cut = b.cut[i / 2];
        f[i] = -c->slide.normal_N * lever * (cut * way->q + p[CF_BRISTLE_SIGMA_2] * way->v);
    }
    rate[0] = rate_of(p, &b.way[0], b.cut[0]);
    rate[1] = rate_of(p, &b.way[1], b.cut[0]);
    rate[TORSION] = r > 0 ? rate_of(p, &b.way[2], b.cut[1]) / r : 0;
    rate[CF_BRISTLE_DWELL] = cf_bristle_dwell_rate(p, b.s, b.dwell);
}

/* Derivatives of what `look` found. */
struct change {
    double s, dwell, limit;
    struct cf_contensou_vary contensou;
};

/* x' and q of one way before they are cut; *rate and *q receive their derivatives. */
static void vary_way(const double p[], const struct bristles *b, const struct way *way,
                     const struct way *d, double ds, const double dp[], double *rate, double *q)
{
    double sigma_0 = p[CF_BRISTLE_SIGMA_0], sigma_1 = p[CF_BRISTLE_SIGMA_1];
    double mu_c = p[CF_BRISTLE_MU_C];
    double push = dp[CF_BRISTLE_MU_C] * way->dir * way->share +
                  mu_c * (d->dir * way->share + way->dir * d->share);
    double spring = dp[CF_BRISTLE_SIGMA_0] * way->x + sigma_0 * d->x;
    double slide = (push - spring - dp[CF_BRISTLE_SIGMA_1] * way->slide) / sigma_1;

    *rate = ds * (way->v - way->slide) + b->s * d->v + (1 - b->s) * slide;
    *q = spring + dp[CF_BRISTLE_SIGMA_1] * way->rate + sigma_1 * *rate;
}

/* The ways of a group that are cut together: n of them. */
static void vary_cut(const double p[], size_t n, const struct way way[], const struct way d[],
                     double limit, double dlimit, double cut, const double dp[], double rate[],
                     double q[])
{
    double sigma_0 = p[CF_BRISTLE_SIGMA_0], sigma_1 = p[CF_BRISTLE_SIGMA_1];
    double size = limit / cut, dsize = 0, dcut;

    for (size_t i = 0; i < n; i++)
        dsize += way[i].q * q[i] / size;
    dcut = (dlimit - cut * dsize) / size;
    for (size_t i = 0; i < n; i++) {
        double moves = (cut * way[i].q - sigma_0 * way[i].x) / sigma_1;
        q[i] = cut * q[i] + dcut * way[i].q;
        rate[i] = (q[i] - dp[CF_BRISTLE_SIGMA_0] * way[i].x - sigma_0 * d[i].x -
                   dp[CF_BRISTLE_SIGMA_1] * moves) /
                  sigma_1;
    }
}

static void change_of(const double p[], const struct cf_patch *c, const struct bristles *b,
                      const double d[], struct change *to, struct way dway[3])
{
    const double *dv = d + CF_BY_VELOCITY, *dx = d + CF_BY_STATE, *dp = d + CF_BY_PARAM;
    double r = c->gyration_m, dr = d[CF_BY_GYRATION], v_s = p[CF_BRISTLE_V_S];
    double v_e = V_E * v_s, dv_e = V_E * dp[CF_BRISTLE_V_S], ddir[2], dturn_dir[2];
    double turn[2] = {r * c->spin_rad_s, 0};
    double dturn[2] = {dr * c->spin_rad_s + r * d[CF_BY_SPIN], 0};
    double average[2] = {b->contensou.average_m_s, 0}, daverage[2] = {0, 0};

    cf_contensou_share_vary(c, &b->contensou, d, dv_e, &to->contensou);
    daverage[0] = to->contensou.average_m_s;
    to->s = cf_stribeck_share_vary(average, v_s, b->s, daverage, dp[CF_BRISTLE_V_S]);
    to->dwell = p[CF_BRISTLE_TAU_DW] > 0 ? dx[CF_BRISTLE_DWELL] : to->s;
    to->limit = dp[CF_BRISTLE_MU_C] * (1 - b->dwell) + dp[CF_BRISTLE_MU_S] * b->dwell +
                (p[CF_BRISTLE_MU_S] - p[CF_BRISTLE_MU_C]) * to->dwell;
    cf_direction_vary(c->slide.velocity_m_s, v_e, dv, dv_e, ddir);
    cf_direction_vary(turn, v_e, dturn, dv_e, dturn_dir);
    for (int i = 0; i < 3; i++) {
        double share = i < 2 ? b->contensou.slide : b->contensou.spin;
        double dshare = i < 2 ? to->contensou.slide : to->contensou.spin;
        dway[i] = i < 2 ? (struct way){.v = dv[i], .x = dx[i], .dir = ddir[i]}
                        : (struct way){.v = dturn[0],
                                       .x = dr * c->slide.state[TORSION] + r * dx[TORSION],
                                       .dir = dturn_dir[0]};
        dway[i].share = to->s * (1 - share) + (1 - b->s) * dshare;
    }
}

static void vary(const double p[], const struct cf_patch *c, const double d[CF_PATCH_COLUMNS],
                 double dforce[CF_PATCH_FORCES], double drate[])
{
    const double *dp = d + CF_BY_PARAM;
    double N = c->slide.normal_N, r = c->gyration_m, dr = d[CF_BY_GYRATION], rate[3], q[3];
    double sigma_2 = p[CF_BRISTLE_SIGMA_2];
    struct way dway[3];
    struct bristles b;
    struct change to;

    look(p, c, &b);
    change_of(p, c, &b, d, &to, dway);
    for (int i = 0; i < 3; i++)
        vary_way(p, &b, &b.way[i], &dway[i], to.s, dp, &rate[i], &q[i]);
    for (int g = 0; g < 2; g++)
        if (b.cut[g] < 1)
            vary_cut(p, 2 - (size_t) g, b.way + 2 * g, dway + 2 * g, b.limit * b.way[2 * g].share,
                     to.limit * b.way[2 * g].share + b.limit * dway[2 * g].share, b.cut[g], dp,
                     rate + 2 * g, q + 2 * g);
    for (int i = 0; i < 3; i++) {
        double lever = i < 2 ? 1 : r, dlever = i < 2 ? 0 : dr;
        double carried = b.cut[i / 2] * b.way[i].q + sigma_2 * b.way[i].v;
        double dcarried = q[i] + dp[CF_BRISTLE_SIGMA_2] * b.way[i].v + sigma_2 * dway[i].v;
        dforce[i] = -(d[CF_BY_NORMAL] * lever + N * dlever) * carried - N * lever * dcarried;
    }
    drate[0] = rate[0];
    drate[1] = rate[1];
    drate[TORSION] = r > 0 ? (rate[2] - rate_of(p, &b.way[2], b.cut[1]) / r * dr) / r : 0;
    drate[CF_BRISTLE_DWELL] = cf_bristle_dwell_rate_vary(p, b.s, b.dwell, to.s, to.dwell, dp);
}

static void parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    cf_bristle_parts(p, c->normal_N, out);
}

static const struct cf_patch_friction patch = {.torsion = TORSION, .force = force, .vary = vary};

const struct cf_friction_law cf_bristle_over_area = {
    .name = "bristle",
    .cite = "Gonthier 2007, eqs. 4.220-4.243",
    .what = "bristles in translation and torsion",
    .formula = "-f_n (sigma_0 x + sigma_1 x' + sigma_2 v), "
               "-f_n r_gyr^2 (sigma_0 theta + sigma_1 theta' + sigma_2 w)",
    .needs = CF_NEEDS_WIDTH,
    .nparam = CF_BRISTLE_NPARAM,
    .param = cf_bristle_param,
    .nstate = NSTATE,
    .nvector = 1,
    .dwell = CF_BRISTLE_DWELL,
    .rested = rested,
    .parts = parts,
    .patch = &patch,
};
