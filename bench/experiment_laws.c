/* Laws of known truth, each from its paper, and their impacts by a rule of Runge and Kutta. */

#include "experiment_laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { HALVINGS = 100 }; /* of an interval, until only rounding is left */

/* ---- force laws; p[0] is the stiffness */

static double hertz(double k, double z)
{
    return k * z * sqrt(z);
}

/* Azad & Featherstone 2014, eqs. 8 and 11 */
static double azad_featherstone(const double p[], const struct moment *at)
{
    return hertz(p[0], at->depth_m) + p[1] * sqrt(at->depth_m) * at->rate_m_s;
}

/* Hunt & Crossley 1975 */
static double hunt_crossley(const double p[], const struct moment *at)
{
    return hertz(p[0], at->depth_m) * (1 + p[1] * at->rate_m_s);
}

/* Lee & Wang 1983 */
static double lee_wang(const double p[], const struct moment *at)
{
    return hertz(p[0], at->depth_m) + p[1] * at->depth_m * at->rate_m_s;
}

/* Tsuji, Tanaka & Ishida 1992 */
static double tsuji(const double p[], const struct moment *at)
{
    return hertz(p[0], at->depth_m) +
           p[1] * sqrt(at->mass_kg * p[0]) * pow(at->depth_m, 0.25) * at->rate_m_s;
}

static double linear(const double p[], const struct moment *at)
{
    return p[0] * at->depth_m + p[1] * at->rate_m_s;
}

/* Azad & Featherstone 2014, eq. 1 */
static double power(const double p[], const struct moment *at)
{
    return p[0] * pow(at->depth_m, p[2]) + p[1] * pow(at->depth_m, p[3]) * at->rate_m_s;
}

/* A spring that hardens over a skin, after Gonthier 2007, section 2.2.5. */
static double exponential(const double p[], const struct moment *at)
{
    return p[0] * p[1] * (exp(at->depth_m / p[1]) - 1) * (1 + p[2] * at->rate_m_s);
}

/* Laws that are given the restitution: a Hertz spring times 1 + factor zdot/v_i. */
static double driven(const double p[], const struct moment *at, double factor)
{
    return hertz(p[0], at->depth_m) * (1 + factor * at->rate_m_s / at->speed_m_s);
}

/* d of (1 + d/e)/(1 - d) = exp(d (1 + 1/e)), Gonthier 2007, eq. 3.24; 0 is the other root */
static double gonthier_root(double e)
{
    double low = 1e-12, high = 1 - 1e-12;

    for (int i = 0; i < HALVINGS; i++) {
        double d = (low + high) / 2;
        *(log1p(d / e) - log1p(-d) < d * (1 + 1 / e) ? &low : &high) = d;
    }
    return low;
}

static double gonthier(const double p[], const struct moment *at)
{
    return driven(p, at, gonthier_root(p[1]) / p[1]);
}

/* Gonthier 2007, eqs. 3.13 and 3.26 */
static double hunt_crossley_e(const double p[], const struct moment *at)
{
    return driven(p, at, 1.5 * (1 - p[1]));
}

/* Lankarani & Nikravesh 1990 */
static double lankarani_nikravesh(const double p[], const struct moment *at)
{
    return driven(p, at, 0.75 * (1 - p[1] * p[1]));
}

/* Herbert & McWhannell 1977 */
static double herbert_mcwhannell(const double p[], const struct moment *at)
{
    double twice = 2 * p[1] - 1;
    return driven(p, at, 6 * (1 - p[1]) / (twice * twice + 3));
}

/* Hu & Guo 2015 */
static double hu_guo(const double p[], const struct moment *at)
{
    return driven(p, at, 1.5 * (1 - p[1]) / p[1]);
}

/* Flores, Machado, Silva & Martins 2011 */
static double flores(const double p[], const struct moment *at)
{
    return driven(p, at, 1.6 * (1 - p[1]) / p[1]);
}

/* Two azad-featherstone bodies in series, k1, lambda1, k2, lambda2. In x = 0.8 z^1.25 each is
 * linear: the force is z^0.25 times 1.25 k x + lambda x'. Their own state is the x of the first. */
static double two_body_flow(const double p[], const struct moment *at)
{
    double x = 0.8 * pow(at->depth_m, 1.25), rate = pow(at->depth_m, 0.25) * at->rate_m_s;

    return (1.25 * p[2] * (x - at->own) + p[3] * rate - 1.25 * p[0] * at->own) / (p[1] + p[3]);
}

static double two_body(const double p[], const struct moment *at)
{
    return pow(at->depth_m, 0.25) * (1.25 * p[0] * at->own + p[1] * two_body_flow(p, at));
}

/* A Hertz spring k beside one of the share `soft` of it, which relaxes in tau_s. */
static double zener(const double p[], const struct moment *at)
{
    return hertz(p[0], at->depth_m) + at->own;
}

static double zener_flow(const double p[], const struct moment *at)
{
    return 1.5 * p[0] * p[1] * sqrt(at->depth_m) * at->rate_m_s - at->own / p[2];
}

/* ---- restitution */

static double e_constant(const double p[], double v)
{
    (void) v;
    return p[0];
}

/* Gonthier 2007, eq. 3.12 */
static double e_linear(const double p[], double v)
{
    return fmax(0, 1 - p[0] * v);
}

static double e_log(const double p[], double v)
{
    return p[0] - p[1] * log(v);
}

/* Johnson 1985, section 11.5 */
static double e_power(const double p[], double v)
{
    return p[0] * pow(v, -p[1]);
}

/* Thornton 1997 */
static double e_thornton(const double p[], double v)
{
    double x = p[0] / v;

    if (x >= 1)
        return 1;
    return sqrt(6 * sqrt(3) / 5 * (1 - x * x / 6)) *
           pow(x / (x + 2 * sqrt(1.2 - 0.2 * x * x)), 0.25);
}

/* ---- friction: p[0] is the level, and speeds are above 0 */

static double coulomb(const double p[], double v)
{
    (void) v;
    return p[0];
}

static double viscous(const double p[], double v)
{
    return p[0] + p[1] * v;
}

/* Bo & Pavelescu 1982 */
static double stribeck(const double p[], double v)
{
    return p[0] * (1 + p[1] * exp(-(v / p[2]) * (v / p[2]))) + p[3] * v;
}

/* Tustin 1947 */
static double stribeck_exponential(const double p[], double v)
{
    return p[0] * (1 + p[1] * exp(-v / p[2])) + p[3] * v;
}

static double stribeck_free(const double p[], double v)
{
    return p[0] * (1 + p[1] * exp(-pow(v / p[2], p[4]))) + p[3] * v;
}

/* From 0 to 1 with two derivatives that are 0 at either end. */
static double smooth_step(double x)
{
    return x <= 0 ? 0 : x >= 1 ? 1 : x * x * x * (10 - 15 * x + 6 * x * x);
}

/* Drake, Computing contact forces: up to the peak at v_s, and down until 3 v_s. */
static double drake(const double p[], double v)
{
    double peak = p[0] * (1 + p[1]), x = v / p[2];

    return x < 1 ? peak * smooth_step(x) : peak - p[0] * p[1] * smooth_step((x - 1) / 2);
}

/* Armstrong-Helouvry, Dupont & Canudas de Wit 1994 */
static double power_viscous(const double p[], double v)
{
    return p[0] + p[1] * pow(v, p[2]);
}

static double smooth_coulomb(const double p[], double v)
{
    return p[0] * tanh(v / p[1]) + p[2] * v;
}

/* ---- the table */

static const struct truth truths[] = {
    {.name = "azad-featherstone",
     .force = azad_featherstone,
     .loss = 1,
     .parameter = {"k", "lambda"}},
    /* as before, for its ground has recovered before the first impact */
    {.name = "azad-featherstone-recovering",
     .force = azad_featherstone,
     .loss = 1,
     .parameter = {"k", "lambda"}},
    {.name = "yielding", .force = azad_featherstone, .loss = 1, .parameter = {"k", "lambda"}},
    {.name = "azad-featherstone-two-body",
     .force = two_body,
     .flow = two_body_flow,
     .parameter = {"k1", "lambda1", "k2", "lambda2"}},
    {.name = "zener", .force = zener, .flow = zener_flow, .parameter = {"k", "soft", "tau_s"}},
    {.name = "hunt-crossley", .force = hunt_crossley, .loss = 1, .parameter = {"k", "a"}},
    {.name = "lee-wang", .force = lee_wang, .loss = 1, .parameter = {"k", "lambda"}},
    {.name = "tsuji", .force = tsuji, .loss = 1, .parameter = {"k", "alpha"}},
    {.name = "linear", .force = linear, .loss = 1, .parameter = {"k", "lambda"}},
    {.name = "power", .force = power, .loss = 1, .parameter = {"k", "lambda", "n", "p"}},
    {.name = "exponential", .force = exponential, .loss = 2, .parameter = {"k", "skin", "a"}},
    {.name = "gonthier", .force = gonthier, .parameter = {"k", "e"}},
    {.name = "hunt-crossley-e", .force = hunt_crossley_e, .parameter = {"k", "e"}},
    {.name = "lankarani-nikravesh", .force = lankarani_nikravesh, .parameter = {"k", "e"}},
    {.name = "herbert-mcwhannell", .force = herbert_mcwhannell, .parameter = {"k", "e"}},
    {.name = "hu-guo", .force = hu_guo, .parameter = {"k", "e"}},
    {.name = "flores", .force = flores, .parameter = {"k", "e"}},
    {.name = "e-constant", .restitution = e_constant, .parameter = {"e"}},
    {.name = "e-linear", .restitution = e_linear, .parameter = {"slope"}},
    {.name = "e-log", .restitution = e_log, .parameter = {"e_at_1", "b"}},
    {.name = "e-power", .restitution = e_power, .parameter = {"e_at_1", "q"}},
    {.name = "e-thornton", .restitution = e_thornton, .parameter = {"yield_speed"}},
    {.name = "mu-coulomb", .curve = coulomb, .parameter = {"mu_c"}},
    {.name = "mu-viscous", .curve = viscous, .parameter = {"mu_c", "sigma_2"}},
    {.name = "mu-stribeck", .curve = stribeck, .parameter = {"mu_c", "rise", "v_s", "sigma_2"}},
    {.name = "mu-stribeck-exponential",
     .curve = stribeck_exponential,
     .parameter = {"mu_c", "rise", "v_s", "sigma_2"}},
    {.name = "mu-stribeck-free",
     .curve = stribeck_free,
     .parameter = {"mu_c", "rise", "v_s", "sigma_2", "alpha"}},
    {.name = "mu-drake", .curve = drake, .parameter = {"mu_c", "rise", "v_s"}},
    {.name = "mu-power-viscous", .curve = power_viscous, .parameter = {"mu_c", "b", "alpha"}},
    {.name = "mu-tanh", .curve = smooth_coulomb, .parameter = {"mu_c", "v_t", "sigma_2"}},
    {.name = "f-coulomb", .curve = coulomb, .parameter = {"f_c"}},
    {.name = "f-viscous", .curve = viscous, .parameter = {"f_c", "d_2"}},
    {.name = "f-stribeck", .curve = stribeck, .parameter = {"f_c", "rise", "v_s", "d_2"}},
    {.name = "f-stribeck-exponential",
     .curve = stribeck_exponential,
     .parameter = {"f_c", "rise", "v_s", "d_2"}},
    {.name = "f-stribeck-free",
     .curve = stribeck_free,
     .parameter = {"f_c", "rise", "v_s", "d_2", "alpha"}},
    {.name = "f-drake", .curve = drake, .parameter = {"f_c", "rise", "v_s"}},
    {.name = "f-power-viscous", .curve = power_viscous, .parameter = {"f_c", "b", "alpha"}},
    {.name = "f-tanh", .curve = smooth_coulomb, .parameter = {"f_c", "v_t", "d_2"}},
    {.name = "t-coulomb", .curve = coulomb, .parameter = {"t_c"}},
    {.name = "t-viscous", .curve = viscous, .parameter = {"t_c", "d_2"}},
    {.name = "t-stribeck", .curve = stribeck, .parameter = {"t_c", "rise", "w_s", "d_2"}},
    {.name = "t-stribeck-exponential",
     .curve = stribeck_exponential,
     .parameter = {"t_c", "rise", "w_s", "d_2"}},
    {.name = "t-stribeck-free",
     .curve = stribeck_free,
     .parameter = {"t_c", "rise", "w_s", "d_2", "alpha"}},
    {.name = "t-drake", .curve = drake, .parameter = {"t_c", "rise", "w_s"}},
    {.name = "t-power-viscous", .curve = power_viscous, .parameter = {"t_c", "b", "alpha"}},
    {.name = "t-tanh", .curve = smooth_coulomb, .parameter = {"t_c", "w_t", "d_2"}},
};

static const size_t ntruth = sizeof truths / sizeof truths[0];

const struct truth *find_truth(const char *name)
{
    for (size_t i = 0; i < ntruth; i++)
        if (strcmp(truths[i].name, name) == 0)
            return &truths[i];
    return NULL;
}

void list_truths(char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < ntruth && used < size; i++)
        used += (size_t) snprintf(text + used, size - used, " %s", truths[i].name);
}

/* ---- an impact */

double force_at(const struct truth *law, const double p[], const struct moment *at)
{
    return at->depth_m > 0 ? fmax(0, law->force(p, at)) : 0;
}

/* Of y, which are depth, its rate and the law's own state. */
static struct moment moment_of(const struct moment *from, const double y[3])
{
    struct moment at = *from;

    at.depth_m = fmax(0, y[0]);
    at.rate_m_s = y[1];
    at.own = y[2];
    return at;
}

/* In s, t = s^2, in which the square root of the depth is smooth at the touch. */
static void derive(const struct truth *law, const double p[], const struct moment *from, double s,
                   const double y[3], double dy[3])
{
    struct moment at = moment_of(from, y);

    dy[0] = 2 * s * at.rate_m_s;
    dy[1] = -2 * s * law->force(p, &at) / at.mass_kg;
    dy[2] = law->flow ? 2 * s * law->flow(p, &at) : 0;
}

static void step(const struct truth *law, const double p[], const struct moment *from, double s,
                 double h, double y[3])
{
    static const double place[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[4][3] = {{0}}, sum[3] = {0}, here[3];

    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++)
            here[j] = y[j] + (i ? place[i] * h * k[i - 1][j] : 0);
        derive(law, p, from, s + place[i] * h, here, k[i]);
        for (int j = 0; j < 3; j++)
            sum[j] += weight[i] * k[i][j];
    }
    for (int j = 0; j < 3; j++)
        y[j] += h * sum[j] / 6;
}

/* About as long as an impact lasts: half a period of a spring that is as deep where it has taken
 * the energy up. */
static double typical_s(const struct truth *law, const double p[], const struct moment *from)
{
    double low = 1e-12, high = 1, energy = from->mass_kg * from->speed_m_s * from->speed_m_s / 2;

    for (int i = 0; i < HALVINGS; i++) {
        double y[3] = {sqrt(low * high), 0, 0};
        struct moment at = moment_of(from, y);
        *(law->force(p, &at) * y[0] / 2 < energy ? &low : &high) = y[0];
    }
    return pi * low / from->speed_m_s;
}

void integrate(const struct truth *law, const double p[], double mass_kg, double speed_m_s,
               struct impact *out)
{
    struct moment from = {.mass_kg = mass_kg, .speed_m_s = speed_m_s}, at;
    double y[3] = {0, speed_m_s, 0}, before[3], s = 0;
    double h = sqrt(typical_s(law, p, &from)) / 2000, low = 0, high = h, f;

    out->n = 0;
    out->peak_N = out->depth_m = 0;
    for (;; s += h) {
        memcpy(before, y, sizeof y);
        step(law, p, &from, s, h, y);
        at = moment_of(&from, y);
        f = law->force(p, &at);
        if (f <= 0 && at.rate_m_s < 0)
            break;
        out->peak_N = fmax(out->peak_N, f);
        out->depth_m = fmax(out->depth_m, at.depth_m);
        if (out->time_s && out->n < MOST_STEPS) {
            out->time_s[out->n] = (s + h) * (s + h);
            out->force_N[out->n++] = f;
        }
    }
    for (int i = 0; i < HALVINGS; i++) { /* of the last step, where the force is 0 */
        double half = (low + high) / 2;
        memcpy(y, before, sizeof y);
        step(law, p, &from, s, half, y);
        at = moment_of(&from, y);
        *(law->force(p, &at) > 0 ? &low : &high) = half;
    }
    out->duration_s = (s + low) * (s + low);
    out->e = -y[1] / speed_m_s;
}
