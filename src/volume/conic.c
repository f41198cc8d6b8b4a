#include "volume/conic.h"

#include <math.h>
#include <string.h>

#include "geometry/vector.h"

struct cf_conic cf_conic_mapped(const struct cf_conic *conic, const double origin[3],
                                double map[3][3])
{
    struct cf_conic out = {.flat = conic->flat};

    out.reach = conic->reach + cf_vec_dot(conic->slope, origin);
    for (int k = 0; k < 3; k++) {
        out.offset[k] = conic->offset[k] + cf_vec_dot(conic->spread[k], origin);
        for (int l = 0; l < 3; l++) {
            out.slope[k] += conic->slope[l] * map[l][k];
            for (int m = 0; m < 3; m++)
                out.spread[k][l] += conic->spread[k][m] * map[m][l];
        }
    }
    return out;
}

/* |spread x + offset|, and the vector. */
static double spread_at(const struct cf_conic *conic, const double x[3], double u[3])
{
    for (int k = 0; k < 3; k++)
        u[k] = conic->offset[k] + cf_vec_dot(conic->spread[k], x);
    return cf_vec_norm(u);
}

double cf_conic_value(const struct cf_conic *conic, const double x[3], double gradient[3])
{
    double u[3], length = conic->flat ? 0 : spread_at(conic, x, u);

    for (int k = 0; gradient && k < 3; k++) {
        gradient[k] = -conic->slope[k];
        for (int l = 0; l < 3 && length > 0; l++)
            gradient[k] += u[l] / length * conic->spread[l][k];
    }
    return length - cf_vec_dot(conic->slope, x) - conic->reach;
}

struct cf_quadric cf_conic_quadric(const struct cf_conic *conic)
{
    struct cf_quadric q = {.flat = conic->flat, .bowl = cf_vec_norm(conic->slope) == 0};
    double length = cf_vec_norm(conic->offset);

    if (conic->flat) {
        cf_vec_scale(-0.5, conic->slope, q.half);
        q.constant = -conic->reach;
        return q;
    }
    q.constant = (length - conic->reach) * (length + conic->reach);
    for (int k = 0; k < 3; k++) {
        q.half[k] = -conic->slope[k] * conic->reach;
        for (int m = 0; m < 3; m++)
            q.half[k] += conic->spread[m][k] * conic->offset[m];
        for (int l = 0; l < 3; l++) {
            q.square[k][l] = -conic->slope[k] * conic->slope[l];
            for (int m = 0; m < 3; m++)
                q.square[k][l] += conic->spread[m][k] * conic->spread[m][l];
        }
    }
    return q;
}

struct cf_quadric cf_quadric_about(const struct cf_quadric *quadric, const double at[3])
{
    struct cf_quadric q = *quadric;
    double gradient[3];

    cf_quadric_gradient(quadric, at, gradient);
    cf_vec_scale(0.5, gradient, q.half);
    q.constant = cf_quadric_value(quadric, at);
    return q;
}

double cf_quadric_value(const struct cf_quadric *q, const double x[3])
{
    double value = q->constant;

    for (int k = 0; k < 3; k++)
        value += x[k] * (2 * q->half[k] + (q->flat ? 0 : cf_vec_dot(q->square[k], x)));
    return value;
}

void cf_quadric_gradient(const struct cf_quadric *q, const double x[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = 2 * (q->half[k] + (q->flat ? 0 : cf_vec_dot(q->square[k], x)));
}

/* The root of a w^2 + 2 b w + c of smaller magnitude, without cancellation. */
double cf_quadric_along(const struct cf_quadric *q, const double x[3], const double d[3])
{
    double gradient[3], b, c = cf_quadric_value(q, x), a = 0, square, sum;

    cf_quadric_gradient(q, x, gradient);
    b = cf_vec_dot(gradient, d) / 2;
    for (int k = 0; k < 3 && !q->flat; k++)
        a += d[k] * cf_vec_dot(q->square[k], d);
    square = b * b - a * c;
    if (!(square >= 0))
        return NAN;
    sum = b + copysign(sqrt(square), b);
    return sum != 0 ? -c / sum : NAN;
}
