/* Friction in steady sliding, as a curve over slip speed: what a friction law shows once its
 * bristles have settled.
 *
 * Each form comes three times, as a coefficient, as a force and as a torque over the speed of an
 * axis: a test without load and lever identifies no coefficient. Armstrong-Helouvry, Dupont &
 * Canudas de Wit 1994, Automatica 30, sections 2 and 5.1; the laws that a form belongs to are said
 * in its line.
 *
 * Sticking is stronger by a share of the level, rise >= 0: so mu_s = mu_c (1 + rise) is never below
 * mu_c, and its name and unit are the same in all three.
 */

#include <math.h>

#include "law/rows.h"

/* The numbers of a form, where it has them: level, rise, speed, viscous, exponent. */
static void level(const double p[], double v, struct cf_friction_curve *out)
{
    (void) v;
    *out = (struct cf_friction_curve){.value = p[0], .by_param = {1}};
}

static void add_viscous(const double p[], double v, size_t i, struct cf_friction_curve *out)
{
    out->value += p[i] * v;
    out->by_speed += p[i];
    out->by_param[i] = v;
}

static void viscous(const double p[], double v, struct cf_friction_curve *out)
{
    level(p, v, out);
    add_viscous(p, v, 1, out);
}

/* c (1 + rise S(v/v_s)), S and its slope by x given. */
static void risen(const double p[], double x, double s, double slope, struct cf_friction_curve *out)
{
    *out = (struct cf_friction_curve){
        .value = p[0] * (1 + p[1] * s),
        .by_speed = p[0] * p[1] * slope / p[2],
        .by_param = {1 + p[1] * s, p[0] * s, -p[0] * p[1] * slope * x / p[2]}};
}

static void stribeck(const double p[], double v, struct cf_friction_curve *out)
{
    double x = v / p[2], s = exp(-x * x);

    risen(p, x, s, -2 * x * s, out);
    add_viscous(p, v, 3, out);
}

static void stribeck_exponential(const double p[], double v, struct cf_friction_curve *out)
{
    double x = v / p[2], s = exp(-x);

    risen(p, x, s, -s, out);
    add_viscous(p, v, 3, out);
}

static void stribeck_free(const double p[], double v, struct cf_friction_curve *out)
{
    double x = v / p[2], power = pow(x, p[4]), s = exp(-power);

    risen(p, x, s, x > 0 ? -p[4] * power / x * s : 0, out);
    add_viscous(p, v, 3, out);
    out->by_param[4] = x > 0 ? -p[0] * p[1] * s * power * log(x) : 0;
}

/* Drake's: falls by a step of the fifth degree from v_s to 3 v_s, below v_s it rises from 0. */
static void drake(const double p[], double v, struct cf_friction_curve *out)
{
    double r = v / p[2], x = r < 1 ? r : fmin(1, (r - 1) / 2);
    double step = x * x * x * (10 + x * (6 * x - 15)), slope = 30 * x * x * (1 - x) * (1 - x);

    if (r >= 1) {
        risen(p, r, 1 - step, -slope / 2, out);
        return;
    }
    double top = p[0] * (1 + p[1]);
    *out = (struct cf_friction_curve){
        .value = top * step,
        .by_speed = top * slope / p[2],
        .by_param = {(1 + p[1]) * step, p[0] * step, -top * slope * r / p[2]}};
}

/* c + b (v/1)^m */
static void power_viscous(const double p[], double v, struct cf_friction_curve *out)
{
    double power = pow(v, p[2]);

    *out = (struct cf_friction_curve){.value = p[0] + p[1] * power,
                                      .by_speed = v > 0 ? p[1] * p[2] * power / v : 0,
                                      .by_param = {1, power, v > 0 ? p[1] * power * log(v) : 0}};
}

static void hyperbolic(const double p[], double v, struct cf_friction_curve *out)
{
    double x = v / p[1], t = tanh(x), slope = 1 - t * t;

    *out = (struct cf_friction_curve){.value = p[0] * t,
                                      .by_speed = p[0] * slope / p[1],
                                      .by_param = {t, -p[0] * slope * x / p[1]}};
    add_viscous(p, v, 2, out);
}

/* ---- parameters: of a coefficient over m/s, a force over m/s, a torque over rad/s */

#define MU_LEVEL                                                                                   \
    {                                                                                              \
        "mu_c", "1", 1e-9, 10, 1e-3, 2, 0.1, CF_SCALE_LOG, "friction coefficient of sliding"       \
    }
#define F_LEVEL                                                                                    \
    {                                                                                              \
        "f_c", "N", 1e-12, 1e9, 1e-4, 1e5, 1, CF_SCALE_LOG, "friction force of sliding"            \
    }
#define T_LEVEL                                                                                    \
    {                                                                                              \
        "t_c", "N m", 1e-15, 1e9, 1e-6, 1e4, 0.1, CF_SCALE_LOG, "friction torque of sliding"       \
    }
#define RISE(what)                                                                                 \
    {                                                                                              \
        "rise", "1", 0, 100, 0, 3, 0.3, CF_SCALE_LINEAR, what                                      \
    }
#define MU_RISE RISE("by which share sticking is stronger, mu_s/mu_c - 1")
#define F_RISE RISE("by which share sticking is stronger, f_s/f_c - 1")
#define T_RISE RISE("by which share sticking is stronger, t_s/t_c - 1")
#define MU_SPEED                                                                                   \
    {                                                                                              \
        "v_s", "m/s", 1e-9, 1e3, 1e-5, 10, 0.01, CF_SCALE_LOG, "Stribeck speed"                    \
    }
#define F_SPEED MU_SPEED
#define T_SPEED                                                                                    \
    {                                                                                              \
        "w_s", "rad/s", 1e-9, 1e6, 1e-3, 1e3, 1, CF_SCALE_LOG, "Stribeck speed of the axis"        \
    }
#define MU_SMOOTH                                                                                  \
    {                                                                                              \
        "v_t", "m/s", 1e-9, 1e3, 1e-5, 10, 0.01, CF_SCALE_LOG, "speed at which friction settles"   \
    }
#define F_SMOOTH MU_SMOOTH
#define T_SMOOTH                                                                                   \
    {                                                                                              \
        "w_t", "rad/s", 1e-9, 1e6, 1e-3, 1e3, 1, CF_SCALE_LOG,                                     \
            "speed of the axis at which friction settles"                                          \
    }
#define MU_VISCOUS                                                                                 \
    {                                                                                              \
        "sigma_2", "s/m", 0, 1e9, 0, 10, 0.01, CF_SCALE_LINEAR, "viscous friction over the load"   \
    }
#define F_VISCOUS                                                                                  \
    {                                                                                              \
        "d_2", "N s/m", 0, 1e9, 0, 1e3, 1, CF_SCALE_LINEAR, "viscous friction"                     \
    }
#define T_VISCOUS                                                                                  \
    {                                                                                              \
        "d_2", "N m s/rad", 0, 1e9, 0, 1, 0.01, CF_SCALE_LINEAR, "viscous friction of the axis"    \
    }
#define EXPONENT(what)                                                                             \
    {                                                                                              \
        "alpha", "1", 0.01, 20, 0.3, 6, 1, CF_SCALE_LOG, what                                      \
    }
#define FALL EXPONENT("exponent of the fall with speed")
#define MU_POWER                                                                                   \
    {                                                                                              \
        "b", "1", 0, 1e9, 0, 10, 0.1, CF_SCALE_LINEAR, "what speed adds at 1 m/s"                  \
    }
#define F_POWER                                                                                    \
    {                                                                                              \
        "b", "N", 0, 1e9, 0, 1e4, 1, CF_SCALE_LINEAR, "what speed adds at 1 m/s"                   \
    }
#define T_POWER                                                                                    \
    {                                                                                              \
        "b", "N m", 0, 1e9, 0, 1e2, 0.01, CF_SCALE_LINEAR, "what speed adds at 1 rad/s"            \
    }
#define GROWTH EXPONENT("exponent of the growth with speed")

/* ---- the rows */

#define ROW(id, kind_, n, param_, name_, cite_, what_, formula_, curve_)                           \
    static const struct cf_param id##_param[] = param_;                                            \
    const struct cf_law cf_##id = {                                                                \
        .name = name_,                                                                             \
        .cite = cite_,                                                                             \
        .what = what_,                                                                             \
        .formula = formula_,                                                                       \
        .family = kind_,                                                                           \
        .nparam = n,                                                                               \
        .param = id##_param,                                                                       \
        .curve = curve_,                                                                           \
    };

/* param(X) lists the parameters with the prefix MU, F or T; the letters stand for f/f_n, f and the
 * torque. */
#define LIST(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define THREE(id, n, param, name, cite, what, formula, curve)                                      \
    ROW(mu_##id, CF_FAMILY_COEFFICIENT, n, param(MU), "mu-" name, cite, what,                      \
        formula("mu", "v", "sigma_2"), curve)                                                      \
    ROW(f_##id, CF_FAMILY_FRICTION_FORCE, n, param(F), "f-" name, cite, what,                      \
        formula("f", "v", "d_2"), curve)                                                           \
    ROW(t_##id, CF_FAMILY_FRICTION_TORQUE, n, param(T), "t-" name, cite, what,                     \
        formula("t", "w", "d_2"), curve)

#define SURVEY "Armstrong-Helouvry, Dupont & Canudas de Wit 1994"

#define COULOMB_P(X) LIST(X##_LEVEL)
#define COULOMB_F(x, v, d) x "_c"
THREE(coulomb, 1, COULOMB_P, "coulomb", "Coulomb 1785",
      "the same friction at every speed: coulomb, dahl, clutch", COULOMB_F, level)

#define VISCOUS_P(X) LIST(X##_LEVEL, X##_VISCOUS)
#define VISCOUS_F(x, v, d) x "_c + " d " |" v "|"
THREE(viscous, 2, VISCOUS_P, "viscous", SURVEY, "dry friction and a viscous part", VISCOUS_F,
      viscous)

#define STRIBECK_P(X) LIST(X##_LEVEL, X##_RISE, X##_SPEED, X##_VISCOUS)
#define STRIBECK_F(x, v, d) x "_c (1 + rise exp(-(" v "/" v "_s)^2)) + " d " |" v "|"
THREE(stribeck, 4, STRIBECK_P, "stribeck", "Bo & Pavelescu 1982; Gonthier 2007, eq. 3.35",
      "falls from sticking to sliding: bristle, lugre, elasto-plastic", STRIBECK_F, stribeck)

#define EXPONENTIAL_F(x, v, d) x "_c (1 + rise exp(-|" v "|/" v "_s)) + " d " |" v "|"
THREE(stribeck_exponential, 4, STRIBECK_P, "stribeck-exponential", "Tustin 1947",
      "falls from sticking to sliding, at once and slowly", EXPONENTIAL_F, stribeck_exponential)

#define FREE_P(X) LIST(X##_LEVEL, X##_RISE, X##_SPEED, X##_VISCOUS, FALL)
#define FREE_F(x, v, d) x "_c (1 + rise exp(-(|" v "|/" v "_s)^alpha)) + " d " |" v "|"
THREE(stribeck_free, 5, FREE_P, "stribeck-free", "Bo & Pavelescu 1982",
      "falls from sticking to sliding, its exponent free", FREE_F, stribeck_free)

#define DRAKE_P(X) LIST(X##_LEVEL, X##_RISE, X##_SPEED)
#define DRAKE_F(x, v, d)                                                                           \
    x "_c (1 + rise (1 - S((|" v "|/" v "_s - 1)/2))), below " v "_s a rise S from 0"
THREE(drake, 3, DRAKE_P, "drake", "Drake, Computing contact forces",
      "a peak at the Stribeck speed, from which it falls: stribeck", DRAKE_F, drake)

#define POWER_P(X) LIST(X##_LEVEL, X##_POWER, GROWTH)
#define POWER_F(x, v, d) x "_c + b (|" v "|/1)^alpha"
THREE(power_viscous, 3, POWER_P, "power-viscous", SURVEY,
      "dry friction, and a part that grows with a power of speed", POWER_F, power_viscous)

#define TANH_P(X) LIST(X##_LEVEL, X##_SMOOTH, X##_VISCOUS)
#define TANH_F(x, v, d) x "_c tanh(|" v "|/" v "_t) + " d " |" v "|"
THREE(tanh, 3, TANH_P, "tanh", SURVEY,
      "dry friction that is smooth through rest, and a viscous part", TANH_F, hyperbolic)
