/* The load of an elastic foundation: see the header. With the lever l = p_c x n the approach is
 * -(n.v + l.w) and the torque of f_n about the origin l f_n. */

#include "volume/foundation.h"

#include <math.h>

#include "geometry/vector.h"

/* n is as long as 1 to this. */
static const double UNIT = 1e-9;

static int check(const struct cf_foundation *foundation, const double n[3],
                 const double twist[CF_TWIST], struct cf_error *err)
{
    double kv = foundation->stiffness_N_m3, a = foundation->damping_s_m;

    if (!(kv > 0) || !isfinite(kv))
        return cf_fail(err, CF_ERANGE,
                       "stiffness of a foundation = %.15g N/m^3: must be finite and above 0", kv);
    if (!(a >= 0) || !isfinite(a))
        return cf_fail(err, CF_ERANGE,
                       "damping of a foundation = %.15g s/m: must be finite and not below 0", a);
    if (!(fabs(cf_vec_norm(n) - 1) <= UNIT))
        return cf_fail(err, CF_ERANGE,
                       "normal of a foundation = (%.15g, %.15g, %.15g): must be a unit vector",
                       n[0], n[1], n[2]);
    for (int t = 0; t < CF_TWIST; t++)
        if (!isfinite(twist[t]))
            return cf_fail(err, CF_ERANGE,
                           "%s velocity over a foundation, %c = %.15g %s: must be "
                           "finite",
                           t < 3 ? "linear" : "angular", "xyz"[t % 3], twist[t],
                           t < 3 ? "m/s" : "rad/s");
    return CF_OK;
}

/* J_v, or how it changes by a component of the pose, with a vector; less what is along n. */
static void turn_inertia(const struct cf_volume *v, int by, const double n[3], const double w[3],
                         double out[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int k = 0; k < 3; k++)
            out[i] += (by < 0 ? v->inertia_m5[i][k] : v->inertia_by[i][k][by]) * w[k];
    }
    cf_vec_add_scaled(out, -cf_vec_dot(n, out), n, out);
}

/* A force along n, at the lever, and a torque of `size` times turn. */
static void put(const double n[3], const double lever[3], double force, double size,
                const double turn[3], double out[CF_TWIST])
{
    for (int i = 0; i < 3; i++) {
        out[i] = force * n[i];
        out[3 + i] = force * lever[i] + size * turn[i];
    }
}

static void put_column(const double column[CF_TWIST], int by, double out[CF_TWIST][CF_TWIST])
{
    for (int i = 0; i < CF_TWIST; i++)
        out[i][by] = column[i];
}

static void by_pose(const struct cf_foundation *foundation, const struct cf_volume *v,
                    const double n[3], const double lever[3], const double w[3],
                    const double across[3], struct cf_foundation_load *out)
{
    double kv = foundation->stiffness_N_m3, a = foundation->damping_s_m;

    for (int t = 0; t < CF_TWIST; t++) {
        double moved[3], moved_lever[3], turn[3], force, column[CF_TWIST];
        for (int i = 0; i < 3; i++)
            moved[i] = v->centroid_by[i][t];
        cf_vec_cross(moved, n, moved_lever);
        force = out->normal_N / v->volume_m3 * v->volume_by[t] -
                kv * v->volume_m3 * a * cf_vec_dot(moved_lever, w);
        turn_inertia(v, t, n, across, turn);
        put(n, lever, force, -kv * a, turn, column);
        cf_vec_add_scaled(column + 3, out->normal_N, moved_lever, column + 3);
        put_column(column, t, out->by_pose);
    }
}

static void by_twist(const struct cf_foundation *foundation, const struct cf_volume *v,
                     const double n[3], const double lever[3], struct cf_foundation_load *out)
{
    double kv = foundation->stiffness_N_m3, a = foundation->damping_s_m;

    for (int t = 0; t < CF_TWIST; t++) {
        double unit[3] = {0}, turn[3] = {0}, column[CF_TWIST];
        if (t >= 3) {
            unit[t - 3] = 1;
            cf_vec_add_scaled(unit, -n[t - 3], n, unit);
            turn_inertia(v, -1, n, unit, turn);
        }
        put(n, lever, -kv * v->volume_m3 * a * (t < 3 ? n[t] : lever[t - 3]), -kv * a, turn,
            column);
        put_column(column, t, out->by_twist);
    }
}

int cf_foundation_load(const struct cf_foundation *foundation, const struct cf_volume *volume,
                       const double n[3], const double twist[CF_TWIST],
                       struct cf_foundation_load *out, struct cf_error *err)
{
    double kv = foundation->stiffness_N_m3, a = foundation->damping_s_m;
    double V = volume->volume_m3, lever[3], approach, across[3], turn[3];
    int status = check(foundation, n, twist, err);

    *out = (struct cf_foundation_load){.normal_N = 0};
    if (status)
        return status;
    cf_vec_cross(volume->centroid_m, n, lever);
    approach = -cf_vec_dot(n, twist) - cf_vec_dot(lever, twist + 3);
    if (V == 0 || 1 + a * approach <= 0)
        return CF_OK;
    cf_vec_add_scaled(twist + 3, -cf_vec_dot(n, twist + 3), n, across);
    turn_inertia(volume, -1, n, across, turn);
    out->normal_N = kv * V * (1 + a * approach);
    put(n, lever, out->normal_N, -kv * a, turn, out->wrench);
    put(n, lever, V * (1 + a * approach), -a, turn, out->by_stiffness);
    put(n, lever, kv * V * approach, -kv, turn, out->by_damping);
    by_pose(foundation, volume, n, lever, twist + 3, across, out);
    by_twist(foundation, volume, n, lever, out);
    return CF_OK;
}
