/* A cube in flight: a parabola, and a constant spin. Its three moments of inertia are equal, so
 * that no torque-free motion but that about a fixed axis is there, whatever the axis. */

#include <math.h>
#include <string.h>

#include "experiment/toss_channels.h"
#include "geometry/vector.h"

enum { X, Y, Z };

void cf_toss_rotation(const double from[4], const double to[4], double angle[3])
{
    /* to conj(from) */
    double w = to[0] * from[0] + to[1] * from[1] + to[2] * from[2] + to[3] * from[3];
    double v[3] = {
        -to[0] * from[1] + to[1] * from[0] - to[2] * from[3] + to[3] * from[2],
        -to[0] * from[2] + to[2] * from[0] - to[3] * from[1] + to[1] * from[3],
        -to[0] * from[3] + to[3] * from[0] - to[1] * from[2] + to[2] * from[1],
    };
    double sine = cf_vec_norm(v), sign = w < 0 ? -1 : 1;
    double per = sine > 0 ? 2 * atan2(sine, sign * w) / sine : 2 / (sign * w);

    for (int i = 0; i < 3; i++)
        angle[i] = sign * per * v[i];
}

/* The attitude that is turned from `from` by a rotation vector. */
static void turned_by(const double from[4], const double angle[3], double out[4])
{
    double size = cf_vec_norm(angle), half = size / 2, part = size > 0 ? sin(half) / size : 0.5;
    const double *q = from, t[4] = {cos(half), part * angle[0], part * angle[1], part * angle[2]};

    out[0] = t[0] * q[0] - t[1] * q[1] - t[2] * q[2] - t[3] * q[3];
    out[1] = t[0] * q[1] + t[1] * q[0] + t[2] * q[3] - t[3] * q[2];
    out[2] = t[0] * q[2] + t[2] * q[0] + t[3] * q[1] - t[1] * q[3];
    out[3] = t[0] * q[3] + t[3] * q[0] + t[1] * q[2] - t[2] * q[1];
}

/* Level at time 0 and slope of the line through y over t, by least squares. */
static void line(const double t[], const double y[], size_t n, double *level, double *slope)
{
    double t0 = 0, y0 = 0, tt = 0, ty = 0;

    for (size_t i = 0; i < n; i++) {
        t0 += t[i] / (double) n;
        y0 += y[i] / (double) n;
    }
    for (size_t i = 0; i < n; i++) {
        tt += (t[i] - t0) * (t[i] - t0);
        ty += (t[i] - t0) * (y[i] - y0);
    }
    *slope = tt > 0 ? ty / tt : 0;
    *level = y0 - *slope * t0;
}

struct cf_drive_body cf_toss_flight(const struct cf_toss_rows *toss, size_t first, size_t at,
                                    double gravity_m_s2)
{
    enum { MOST = 64 }; /* rows: more add nothing */
    size_t n = at - first + 1 < MOST ? at - first + 1 : MOST, from = at + 1 - n;
    double t[MOST], place[3][MOST], turn[3][MOST], off[3];
    struct cf_drive_body body = {.position_m = {0}};

    for (size_t i = 0; i < n; i++) {
        double angle[3];
        t[i] = toss->time_s[from + i] - toss->time_s[at];
        cf_toss_rotation(toss->turn[at], toss->turn[from + i], angle);
        for (int k = 0; k < 3; k++) {
            place[k][i] = toss->place[from + i][k];
            turn[k][i] = angle[k];
        }
        place[Z][i] += gravity_m_s2 * t[i] * t[i] / 2;
    }
    for (int k = 0; k < 3; k++) {
        line(t, place[k], n, &body.position_m[k], &body.velocity_m_s[k]);
        line(t, turn[k], n, &off[k], &body.spin_rad_s[k]);
    }
    turned_by(toss->turn[at], off, body.attitude);
    return body;
}

void cf_toss_turn(const double attitude[4], const double a[3], double out[3])
{
    /* a + 2 v x (v x a + w a), v and w being the parts of a unit quaternion */
    const double *q = attitude, *v = attitude + 1;
    double scale = 2 / (q[0] * q[0] + cf_vec_dot(v, v)), once[3], twice[3];

    cf_vec_cross(v, a, once);
    cf_vec_add_scaled(once, q[0], a, once);
    cf_vec_cross(v, once, twice);
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + scale * twice[i];
}

double cf_toss_lowest(const double attitude[4], double half_width_m, double corner_m)
{
    const double *q = attitude;
    double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double down[3] = {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]),
                            q[0] * q[0] - q[1] * q[1] - q[2] * q[2] + q[3] * q[3]};
    double reach = (fabs(down[X]) + fabs(down[Y]) + fabs(down[Z])) / square;

    return -(half_width_m - corner_m) * reach - corner_m;
}
