/* Frames of the plane of contact: see tangent.h. */

#include "law/tangent.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Duff et al. 2017, Building an orthonormal basis, revisited: no normal is near a singular one. */
void cf_tangent_frame(const double n[3], struct cf_tangent *frame)
{
    double sign = copysign(1, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;

    frame->axis[0][0] = 1 + sign * n[0] * n[0] * a;
    frame->axis[0][1] = sign * b;
    frame->axis[0][2] = -sign * n[0];
    frame->axis[1][0] = b;
    frame->axis[1][1] = sign + n[1] * n[1] * a;
    frame->axis[1][2] = -n[1];
}

/* With w = n0 x n, the least rotation is u + w x u + w x (w x u)/(1 + n0.n). The second vector
 * follows from n and the first, which is set upright: rounding does not add up over many turns. */
void cf_tangent_carry(const double n[3], struct cf_tangent *frame)
{
    double old[3], w[3], once[3], twice[3], along, size = 0;

    cross(frame->axis[0], frame->axis[1], old);
    cross(old, n, w);
    along = 1 + dot(old, n);
    if (along > 0) {
        cross(w, frame->axis[0], once);
        cross(w, once, twice);
        for (int i = 0; i < 3; i++)
            frame->axis[0][i] += once[i] + twice[i] / along;
    }
    along = dot(frame->axis[0], n);
    for (int i = 0; i < 3; i++) {
        frame->axis[0][i] -= along * n[i];
        size += frame->axis[0][i] * frame->axis[0][i];
    }
    size = sqrt(size);
    for (int i = 0; i < 3; i++)
        frame->axis[0][i] /= size;
    cross(n, frame->axis[0], frame->axis[1]);
}

void cf_tangent_of(const struct cf_tangent *frame, const double u[3], double out[2])
{
    out[0] = dot(frame->axis[0], u);
    out[1] = dot(frame->axis[1], u);
}

void cf_tangent_vector(const struct cf_tangent *frame, const double x[2], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = x[0] * frame->axis[0][i] + x[1] * frame->axis[1][i];
}
