#include "experiment/flight.h"

#include <gsl/gsl_math.h>
#include <math.h>
#include <stddef.h>

/* (arctan(s) + arsinh(s))/s = sum of (-1)^k SHAPE[k] s^(2k), SHAPE[k] = (1 + C(2k, k)/4^k)/(2k +
 * 1): right to the last digit up to this s^2, and much faster there than the closed form, whose
 * derivative loses digits besides. */
static const double small_shape = 0.0625;
static const double SHAPE[] = {2,
                               (1 + 1.0 / 2) / 3,
                               (1 + 3.0 / 8) / 5,
                               (1 + 5.0 / 16) / 7,
                               (1 + 35.0 / 128) / 9,
                               (1 + 63.0 / 256) / 11,
                               (1 + 231.0 / 1024) / 13,
                               (1 + 429.0 / 2048) / 15,
                               (1 + 6435.0 / 32768) / 17,
                               (1 + 12155.0 / 65536) / 19,
                               (1 + 46189.0 / 262144) / 21,
                               (1 + 88179.0 / 524288) / 23,
                               (1 + 676039.0 / 4194304) / 25,
                               (1 + 1300075.0 / 8388608) / 27,
                               (1 + 5014575.0 / 33554432) / 29,
                               (1 + 9694845.0 / 67108864) / 31};
enum { NSHAPE = sizeof SHAPE / sizeof *SHAPE };

/* And its derivative by x = s^2. */
static void shape(double x, double *value, double *by_x)
{
    if (x > small_shape) {
        double s = sqrt(x);
        *value = (atan(s) + asinh(s)) / s;
        *by_x = (1 / (1 + x) + 1 / sqrt(1 + x) - *value) / (2 * x);
        return;
    }
    *value = *by_x = 0;
    for (size_t k = NSHAPE; k-- > 0;) {
        *by_x = *value - x * *by_x;
        *value = SHAPE[k] - x * *value;
    }
    *by_x = -*by_x;
}

struct cf_flight cf_flight(double launch_m_s, double gravity_m_s2, double drag_1_m)
{
    double u = launch_m_s, g = gravity_m_s2, x = u * u * drag_1_m / g, root = sqrt(1 + x);
    struct cf_flight out = {.landing_m_s = u / root};
    double value, by_x;

    shape(x, &value, &by_x);
    out.time_s = u / g * value;
    out.time_by_launch = (1 / (1 + x) + 1 / root) / g;
    out.time_by_drag = gsl_pow_3(u) / (g * g) * by_x;
    out.landing_by_launch = 1 / gsl_pow_3(root);
    out.landing_by_drag = -gsl_pow_3(u) / (2 * g * gsl_pow_3(root));
    return out;
}

double cf_flight_launch(double time_s, double gravity_m_s2, double drag_1_m)
{
    enum { MOST = 50 };
    double free = gravity_m_s2 * time_s / 2, x = free * free * drag_1_m / gravity_m_s2;
    double u = free * (1 + x / (4 + x));

    /* T is concave in u: once below the root Newton's steps rise towards it */
    for (int i = 0; i < MOST && drag_1_m > 0; i++) {
        struct cf_flight at = cf_flight(u, gravity_m_s2, drag_1_m);
        double step = (time_s - at.time_s) / at.time_by_launch;
        u += step;
        if (!(fabs(step) > GSL_SQRT_DBL_EPSILON * u)) /* the next one is of its square */
            break;
    }
    return u;
}

double cf_flight_launch_of_landing(double landing_m_s, double gravity_m_s2, double drag_1_m)
{
    double rest = 1 - landing_m_s * landing_m_s * drag_1_m / gravity_m_s2;

    return rest > 0 ? landing_m_s / sqrt(rest) : (double) NAN;
}

/* (1 - exp(-x))/x and ln(1 + x)/x with their derivatives; the series where these lose digits. */
static const double small_x = 1e-2;

static void fall_shape(double x, double *value, double *by_x)
{
    *value = x > 0 ? -expm1(-x) / x : 1;
    *by_x = x < small_x ? -1.0 / 2 + x * (1.0 / 3 - x * (1.0 / 8 - x * (1.0 / 30 - x / 144)))
                        : (exp(-x) - *value) / x;
}

static void rise_shape(double x, double *value, double *by_x)
{
    *value = x > 0 ? log1p(x) / x : 1;
    *by_x =
        x < small_x
            ? -1.0 / 2 + x * (2.0 / 3 - x * (3.0 / 4 - x * (4.0 / 5 - x * (5.0 / 6 - x * 6 / 7))))
            : (1 / (1 + x) - *value) / x;
}

struct cf_ascent cf_fall_speed(double height_m, double gravity_m_s2, double drag_1_m)
{
    double x = 2 * drag_1_m * height_m, square = 2 * gravity_m_s2 * height_m, value, by_x, v;

    fall_shape(x, &value, &by_x);
    v = sqrt(square * value);
    return (struct cf_ascent){v, gravity_m_s2 * exp(-x) / v, square * by_x * height_m / v};
}

struct cf_ascent cf_rise_height(double launch_m_s, double gravity_m_s2, double drag_1_m)
{
    double u = launch_m_s, x = drag_1_m * u * u / gravity_m_s2, value, by_x;
    double free = u * u / (2 * gravity_m_s2);

    rise_shape(x, &value, &by_x);
    return (struct cf_ascent){free * value, u / (gravity_m_s2 * (1 + x)),
                              free * by_x * u * u / gravity_m_s2};
}

double cf_sphere_drag(double coefficient, double air_density_kg_m3, double radius_m, double mass_kg)
{
    return coefficient * air_density_kg_m3 * M_PI * radius_m * radius_m / (2 * mass_kg);
}

/* sqrt(2 h/g), times what drag makes of it, which is near 1 */
static double time_of(double height_m, double gravity_m_s2, double drag_1_m, double (*of)(double s))
{
    double x = 2 * drag_1_m * height_m, s = sqrt(expm1(x)),
           free = sqrt(2 * height_m / gravity_m_s2);

    return s > 0 ? free * sqrt(expm1(x) / x) * of(s) / s : free;
}

double cf_fall_time(double height_m, double gravity_m_s2, double drag_1_m)
{
    return time_of(height_m, gravity_m_s2, drag_1_m, asinh);
}

double cf_rise_time(double height_m, double gravity_m_s2, double drag_1_m)
{
    return time_of(height_m, gravity_m_s2, drag_1_m, atan);
}
