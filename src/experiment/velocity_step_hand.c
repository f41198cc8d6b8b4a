/* Where a fit of velocity steps begins: what the trace of a step says by hand.
 *
 * Of a step from V_1 to V_2, ln = ln(V_2/V_1), friction goes from its level before to a peak and
 * from there to the level behind: a = (peak - before)/ln, a - b = (behind - before)/ln (Dieterich
 * 1979; Marone, Annu. Rev. Earth Planet. Sci. 26 (1998) 643), and the area over the level behind is
 * (peak - behind) D_c/V_2 where that falls exponentially.
 *
 * Friction of a Stribeck curve, mu_c + (mu_s - mu_c) s + sigma_2 v with s = exp(-v^2/v_s^2), rises
 * at once by sigma_2 (V_2 - V_1) and falls by (mu_s - mu_c)(s_1 - s_2). One step does not identify
 * where v_s is: it is put between the speeds, v_s^2 = V_1 V_2. Bristles relax in the way
 * mu/sigma_0.
 *
 * A bristle that dwells (Gonthier 2007, eqs. 3.28-3.42) slides steadily, below its limit mu_s and
 * far below v_s, at mu_c + G/v + sigma_2 v with G = sigma_1 v_s^2: x' = 0 where s/(1 - s) is
 * v_s^2/v^2. So it falls by G (1/V_1 - 1/V_2), and in the time G/(sigma_0 V_2^2), which is D_c/V_2.
 * Of sigma_1 and v_s such a step identifies G alone; of its dwell, nothing.
 */

#include <math.h>

#include "experiment/slider.h"
#include "experiment/velocity_step_channels.h"

/* As far as hand formulas may be from a fit: a frame that gives way lowers the peak. */
static const double REACH_MU = 0.02, REACH_RATE = 2, REACH_WAY = 4, REACH_STIFFNESS = 10;

/* The part of a piece, or of one before it, that gives its level. */
static const double LEVEL = 0.2;

/* A v_s that is far above the speeds is this many times the faster one. */
static const double FAR_ABOVE = 10;

/* A time is sought within this part of the way to its neighbours. */
static const double PART = 0.5;

/* Friction over the load; NAN: not measured. */
static double friction_of(const struct cf_dataset *d, size_t row)
{
    double mu = cf_dataset_value(d, row, CF_STEP_FRICTION);

    if (!isnan(mu) || !(d->apparatus[CF_BLOCK_LOAD] > 0))
        return mu;
    return cf_dataset_value(d, row, CF_STEP_FORCE) / d->apparatus[CF_BLOCK_LOAD];
}

/* The mean of friction between two times; NAN: no row is there. */
static double level(const struct cf_dataset *d, double from_s, double to_s)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < d->nrow; i++) {
        double t = cf_step_time(d, i), mu = friction_of(d, i);
        if (d->use[i] == CF_ROW_EXCLUDED || isnan(mu) || !(t >= from_s && t < to_s))
            continue;
        sum += mu;
        n++;
    }
    return n ? sum / (double) n : (double) NAN;
}

/* A step between two speeds, and what friction did. */
struct step {
    double ln, speed_m_s;       /* ln(V_2/V_1), V_2 */
    double before, peak, after; /* of friction */
    double area_s;              /* between friction and the level behind */
};

static void follow(const struct cf_dataset *d, double from_s, double to_s, struct step *s)
{
    double last = from_s, sign = s->ln > 0 ? 1 : -1;

    s->peak = s->before;
    s->area_s = 0;
    for (size_t i = 0; i < d->nrow; i++) {
        double t = cf_step_time(d, i), mu = friction_of(d, i);
        if (d->use[i] == CF_ROW_EXCLUDED || isnan(mu) || !(t > from_s && t < to_s))
            continue;
        if (sign * mu > sign * s->peak) {
            s->peak = mu;
            s->area_s = 0; /* from the peak on */
        }
        s->area_s += (mu - s->after) * (t - last);
        last = t;
    }
}

/* The first step between two speeds above 0; false: there is none. */
static bool find_step(const struct cf_dataset *d, struct step *s)
{
    const double *a = d->apparatus;
    size_t n = cf_step_count(a), first, last;

    cf_step_ends(d, &first, &last);
    for (size_t j = 0; j < n && first < d->nrow; j++) {
        double from = j ? a[cf_step_time_of(j - 1)] : cf_step_time(d, first),
               at = a[cf_step_time_of(j)];
        double to = j + 1 < n ? a[cf_step_time_of(j + 1)] : cf_step_time(d, last);
        double V_1 = a[cf_step_speed_of(j)], V_2 = a[cf_step_speed_of(j + 1)];
        if (!(V_1 > 0 && V_2 > 0))
            continue;
        *s = (struct step){.ln = log(V_2 / V_1),
                           .speed_m_s = V_2,
                           .before = level(d, at - LEVEL * (at - from), at),
                           .after = level(d, to - LEVEL * (to - at), to)};
        follow(d, at, to, s);
        return isfinite(s->before) && isfinite(s->after);
    }
    return false;
}

int cf_step_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                  struct cf_error *err)
{
    const double *a = d->apparatus;
    size_t n = cf_step_count(a), first, last;

    cf_step_ends(d, &first, &last);
    for (size_t j = 0; j < n && first < d->nrow; j++) {
        double at = a[cf_step_time_of(j)];
        double from = j ? a[cf_step_time_of(j - 1)] : cf_step_time(d, first);
        double to = j + 1 < n ? a[cf_step_time_of(j + 1)] : cf_step_time(d, last);
        if (parameter != cf_step_time_of(j))
            continue;
        row->fit_lower = at - PART * (at - from);
        row->fit_upper = at + PART * (to - at);
    }
    (void) err;
    return CF_OK;
}

/* What is alike in all laws that a viscous part has rise at once; its size. */
static double viscous_by_hand(const struct cf_law *law, const struct step *s,
                              struct cf_hand start[])
{
    double V_1 = s->speed_m_s * exp(-s->ln);
    double sigma_2 = (s->peak - s->before) / (s->speed_m_s - V_1);

    cf_slider_hand(law, "sigma_2", "s/m", sigma_2, REACH_STIFFNESS, start);
    return sigma_2;
}

/* Of laws that slide steadily along a Stribeck curve. */
static void stribeck_by_hand(const struct cf_law *law, const struct step *s, double way_m,
                             struct cf_hand start[])
{
    double V_2 = s->speed_m_s, V_1 = V_2 * exp(-s->ln);
    double s_1 = exp(-V_1 / V_2), s_2 = exp(-V_2 / V_1); /* at v_s */
    double more = (s->peak - s->after) / (s_1 - s_2);    /* mu_s - mu_c */
    double mu_c = s->before - more * s_1 - viscous_by_hand(law, s, start) * V_1;

    cf_slider_hand(law, "mu_s", "1", mu_c + more, REACH_MU, start);
    cf_slider_hand(law, "mu_c", "1", mu_c, REACH_MU, start);
    cf_slider_hand(law, "v_s", "m/s", sqrt(V_1 * V_2), REACH_WAY, start);
    cf_slider_hand(law, "sigma_0", "1/m", s->after / way_m, REACH_STIFFNESS, start);
}

/* Of bristles that dwell. */
static void bristle_by_hand(const struct cf_law *law, const struct step *s, double way_m,
                            struct cf_hand start[])
{
    double V_2 = s->speed_m_s, V_1 = V_2 * exp(-s->ln), v_s = FAR_ABOVE * fmax(V_1, V_2);
    double G = (s->peak - s->after) / (1 / V_1 - 1 / V_2);
    double mu_c = s->before - G / V_1 - viscous_by_hand(law, s, start) * V_1;

    cf_slider_hand(law, "mu_s", "1", fmax(s->peak, fmax(s->before, s->after)), REACH_MU, start);
    cf_slider_hand(law, "mu_c", "1", mu_c, REACH_MU, start);
    cf_slider_hand(law, "v_s", "m/s", v_s, REACH_WAY, start);
    cf_slider_hand(law, "sigma_1", "s/m", G / (v_s * v_s), REACH_STIFFNESS, start);
    cf_slider_hand(law, "sigma_0", "1/m", G / (V_2 * way_m), REACH_STIFFNESS, start);
}

int cf_step_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                 struct cf_error *err)
{
    struct step s;
    double a, b, way;

    (void) err;
    if (!law->friction || !find_step(d, &s))
        return CF_OK;
    a = (s.peak - s.before) / s.ln;
    b = a - (s.after - s.before) / s.ln;
    way = s.speed_m_s * s.area_s / (s.peak - s.after);
    cf_slider_hand(law, "mu_0", "1", s.before, REACH_MU, start);
    cf_slider_hand(law, "a_rate", "1", a, REACH_RATE, start);
    cf_slider_hand(law, "b_state", "1", b, a / 2, start);
    cf_slider_hand(law, "b_state_1", "1", b, a / 2, start);
    cf_slider_hand(law, "d_c", "m", way, REACH_WAY, start);
    cf_slider_hand(law, "d_c_1", "m", way, REACH_WAY, start);
    if (law->friction->dwell)
        bristle_by_hand(law, &s, way, start);
    else
        stribeck_by_hand(law, &s, way, start);
    return CF_OK;
}
