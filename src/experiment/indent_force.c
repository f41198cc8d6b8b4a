/* The force of a slow indentation: a law of force over depth and depth rate, attraction and drag,
 * by a rig that gives way.
 *
 *   F = f(z, w) + A(z) + drag w        z = travel - compliance F        w = drive/(1 + compliance
 * K)
 *
 * f is the law, taken at a depth that sets in over `onset` about z = 0, z the depth and w its rate,
 * travel how far the drive is beyond the contact point. A = -adhesion in contact and -adhesion
 * exp(z/range) before it: Derjaguin, Muller & Toporov 1975 (J. Colloid Interface Sci. 53), whose
 * attraction of a sphere does not depend on depth, with an attraction before contact that falls off
 * over `range`. K = dF/dz at rest: of the rate at which the rig relaxes itself, the part by the
 * change of damping is left out.
 */

#include <math.h>

#include "experiment/indent_channels.h"

/* What the depth alone decides, and its derivatives; of the stiffness K too. */
struct at_depth {
    double e, e_z, e_zz; /* the depth of the law */
    double A, A_z, A_by_adhesion, A_by_range;
    double K, K_z, K_by_adhesion, K_by_range, K_by_tilt, K_by_param[CF_MAX_PARAM];
};

/* The depth that the law is taken at: max(0, z), rounded where |z| < onset by
 *
 *   e = onset t^4 (5 - 6 t + 2 t^2),   t = (1 + z/onset)/2
 *
 * which meets both ends with two derivatives. A law whose damping goes with sqrt(z) has a cusp at
 * the contact point, a reading a width: where no row lies between, none can say how it sets in, and
 * a fit of the contact point would have an optimum of its own at each row. */
static void set_in(double z, double onset, struct at_depth *out)
{
    double t = (1 + z / onset) / 2;

    out->e = fmax(0, z);
    out->e_z = z > 0;
    out->e_zz = 0;
    if (!(fabs(z) < onset))
        return;
    out->e = onset * t * t * t * t * (5 + t * (-6 + 2 * t));
    out->e_z = t * t * t * (10 + t * (-15 + 6 * t));
    out->e_zz = t * t * (15 + t * (-30 + 15 * t)) / onset;
}

static void attract(const double a[], double z, struct at_depth *out)
{
    double F = a[CF_INDENT_ADHESION], l = a[CF_INDENT_ADHESION_RANGE], e;

    *out = (struct at_depth){0};
    if (z > 0) {
        out->A = -F;
        out->A_by_adhesion = -1;
    } else if (l > 0) {
        e = exp(z / l);
        *out = (struct at_depth){.A = -F * e,
                                 .A_z = -F / l * e,
                                 .A_by_adhesion = -e,
                                 .A_by_range = F * z / (l * l) * e,
                                 .K = -F / l * e,
                                 .K_z = -F / (l * l) * e,
                                 .K_by_adhesion = -e / l,
                                 .K_by_range = F / (l * l) * e * (1 + z / l)};
    }
}

/* A law with its parameters, and what it acts on. */
struct acting {
    const struct cf_law *law;
    const double *p;
    struct cf_indent_probe *probe;
    const double *a; /* the apparatus */
};

static double act(const struct acting *on, double z, double w, struct cf_force_slope *slope,
                  double *by_tilt)
{
    return cf_indent_law(on->law, on->p, on->probe, z, w, slope, by_tilt);
}

/* The law's stiffness at rest. */
static void stiffen(const struct acting *on, struct at_depth *out)
{
    struct cf_force_slope s;

    if (!(out->e > 0))
        return;
    act(on, out->e, 0, &s, NULL);
    out->K = s.by_depth * out->e_z;
    out->K_z = s.by_depth * out->e_zz;
}

/* How it changes with depth and parameters: derivatives of the law's slopes by a difference of
 * fourth order, good to 1e-11 of a power of depth. */
static void differ(const struct acting *on, struct at_depth *out)
{
    static const double step[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    const double h = 1e-3 * out->e; /* error h^4/30, rounding 1e-16/h */

    for (int i = 0; i < 4 && out->e > 0; i++) {
        struct cf_force_slope s;
        double by_tilt;
        act(on, out->e + step[i] * h, 0, &s, &by_tilt);
        out->K_z += weight[i] * s.by_depth * out->e_z * out->e_z / (12 * h);
        out->K_by_tilt += weight[i] * by_tilt * out->e_z / (12 * h);
        for (size_t k = 0; k < on->law->nparam; k++)
            out->K_by_param[k] += weight[i] * s.by_param[k] * out->e_z / (12 * h);
    }
}

/* What is wanted of the stiffness: nothing of a rigid rig, itself, its derivatives. */
enum stiffness { RIGID, STIFFNESS, DERIVATIVES };

/* At a depth: the force, and all that its derivatives are made of. */
struct pressed {
    double z, w, w_z, F, F_z, compliance;
    double per_K; /* dw/dK */
    double by_tilt;
    struct at_depth at;
    struct cf_force_slope law;
};

static void press(const struct acting *on, double drive, double z, enum stiffness wanted,
                  struct pressed *out)
{
    const double *a = on->a;
    double c = a[CF_INDENT_COMPLIANCE], give;

    attract(a, z, &out->at);
    set_in(z, a[CF_INDENT_ONSET], &out->at);
    if (wanted >= STIFFNESS && drive != 0)
        stiffen(on, &out->at);
    if (wanted == DERIVATIVES && drive != 0)
        differ(on, &out->at);
    give = 1 + c * out->at.K;
    out->z = z;
    out->compliance = c;
    out->w = give > 0 ? drive / give : (double) NAN;
    out->per_K = -c * out->w / give;
    out->w_z = out->per_K * out->at.K_z;
    out->F = act(on, out->at.e, out->w * out->at.e_z, &out->law, &out->by_tilt) + out->at.A +
             a[CF_INDENT_DRAG] * out->w;
    out->law.by_depth = out->law.by_depth * out->at.e_z + out->law.by_rate * out->w * out->at.e_zz;
    out->law.by_rate *= out->at.e_z;
    out->F_z = out->law.by_depth + out->at.A_z + (out->law.by_rate + a[CF_INDENT_DRAG]) * out->w_z;
}

/* z + compliance F(z) = travel: Newton's steps, without the derivative of the rate, within a
 * bracket that is halved where they leave it. Below `low` the law has no force yet, above `high` it
 * would have to pull. */
static double give_way(const struct acting *on, double travel, double drive)
{
    enum { MOST = 200 };
    const double tight = 1e-15, *a = on->a;
    double c = a[CF_INDENT_COMPLIANCE], brake = c * fabs(a[CF_INDENT_DRAG] * drive);
    double low = fmin(travel, -a[CF_INDENT_ONSET]) - brake,
           high = travel + c * a[CF_INDENT_ADHESION] + brake;
    double z = fmin(fmax(travel, low), high);

    for (int i = 0; i < MOST; i++) {
        struct pressed at;
        double off, next, close;
        press(on, drive, z, STIFFNESS, &at);
        off = z + c * at.F - travel;
        close = tight * (fabs(z) + fabs(travel));
        if (isnan(off) || fabs(off) <= close)
            return z;
        *(off > 0 ? &high : &low) = z;
        next = z - off / (1 + c * at.F_z);
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        if (high - low <= close)
            return z;
        z = next;
    }
    return (double) NAN;
}

void cf_indent_force(const struct cf_law *law, const double p[], struct cf_indent_probe *probe,
                     const double a[], double travel, double drive, enum cf_indent_wanted wanted,
                     struct cf_indent_force *out)
{
    const struct acting on = {law, p, probe, a};
    struct pressed at;
    double stiff, share, by_w, z;
    bool gives = a[CF_INDENT_COMPLIANCE] > 0;
    enum stiffness how = wanted == CF_INDENT_SLOPES_OF_RIG || (gives && wanted) ? DERIVATIVES
                         : gives                                                ? STIFFNESS
                                                                                : RIGID;
    bool step = a[CF_INDENT_ADHESION] != 0 && !(a[CF_INDENT_ADHESION_RANGE] > 0);
    bool jumps = a[CF_INDENT_COMPLIANCE] * a[CF_INDENT_ADHESION] >= a[CF_INDENT_ADHESION_RANGE];

    *out = (struct cf_indent_force){.force_N = (double) NAN};
    if (gives && a[CF_INDENT_ADHESION] != 0 && (step || jumps))
        return;
    z = gives ? give_way(&on, travel, drive) : travel;
    if (isnan(z))
        return;
    press(&on, drive, z, how, &at);
    by_w = at.law.by_rate + a[CF_INDENT_DRAG];
    stiff = at.F_z;
    share = 1 / (1 + at.compliance * stiff);
    out->force_N = at.F;
    out->by_travel = stiff * share;
    for (size_t i = 0; i < law->nparam; i++)
        out->by_param[i] = share * (at.law.by_param[i] + by_w * at.per_K * at.at.K_by_param[i]);
    out->by_apparatus[CF_INDENT_DRAG] = share * at.w;
    out->by_apparatus[CF_INDENT_ADHESION] =
        share * (at.at.A_by_adhesion + by_w * at.per_K * at.at.K_by_adhesion);
    out->by_apparatus[CF_INDENT_ADHESION_RANGE] =
        share * (at.at.A_by_range + by_w * at.per_K * at.at.K_by_range);
    out->by_apparatus[CF_INDENT_TILT] = share * (at.by_tilt + by_w * at.per_K * at.at.K_by_tilt);
    out->by_apparatus[CF_INDENT_COMPLIANCE] =
        share * (by_w * -at.w * at.at.K / (1 + at.compliance * at.at.K) - stiff * at.F);
}
