/* Vectors of three and matrices of three by three. Results come last; a result may be one of the
 * arguments only where it says so. Matrices are not const: C11 does not pass double[3][3] as const.
 */

#ifndef CF_GEOMETRY_VECTOR_H
#define CF_GEOMETRY_VECTOR_H

#include <math.h>

static inline double cf_vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double cf_vec_norm(const double a[3])
{
    return sqrt(cf_vec_dot(a, a));
}

/* a x b */
static inline void cf_vec_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* a - b; out may be either */
static inline void cf_vec_sub(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

/* a + factor b; out may be either */
static inline void cf_vec_add_scaled(const double a[3], double factor, const double b[3],
                                     double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + factor * b[i];
}

/* factor a; out may be a */
static inline void cf_vec_scale(double factor, const double a[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = factor * a[i];
}

/* m a */
static inline void cf_vec_turn(double m[3][3], const double a[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = cf_vec_dot(m[i], a);
}

/* factor a b^T */
static inline void cf_vec_dyad(double factor, const double a[3], const double b[3],
                               double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = factor * a[i] * b[j];
}

#endif
