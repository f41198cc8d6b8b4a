/* Hydroelastic contact of any shape of the table: stiffness, force of a depth, depth under a force.
 */

#include "volume/hydroelastic.h"

#include <float.h>
#include <gsl/gsl_math.h>
#include <string.h>

/* Moduli and a kv beside them that differ by more are not the same stiffness written twice. */
static const double alike = 1e-3;

const struct cf_hydroelastic *cf_hydroelastic_find(const char *name)
{
    const struct cf_hydroelastic *const *shape = cf_hydroelastic_shapes;

    while (*shape && strcmp((*shape)->name, name) != 0)
        shape++;
    return *shape;
}

/* An angle is printed in degrees, as it is mostly given. */
static int check_angle(const struct cf_param *row, double value, struct cf_error *err)
{
    if (value >= row->lower && value <= row->upper)
        return CF_OK;
    return cf_fail(err, CF_ERANGE,
                   "%s = %.15g deg: must be in [%g, %g] deg: at 0 and 90 deg a cone is a line or a "
                   "plane",
                   row->name, value / M_PI * 180, row->lower / M_PI * 180, row->upper / M_PI * 180);
}

int cf_hydroelastic_check(const struct cf_hydroelastic *shape, const double size[],
                          struct cf_error *err)
{
    int status = CF_OK;

    for (size_t i = 0; i < shape->nsize && !status; i++)
        status = strcmp(shape->param[i].unit, "rad") == 0
                     ? check_angle(&shape->param[i], size[i], err)
                     : cf_param_check(&shape->param[i], 1, &size[i], err);
    return status;
}

/* ---- stiffness */

static int check_given(const struct cf_hydroelastic *shape, const char *name, double value,
                       struct cf_error *err)
{
    size_t i = cf_param_find(shape->param, shape->nparam, name);

    return isnan(value) ? CF_OK : cf_param_check(&shape->param[i], 1, &value, err);
}

static const char *const modulus_name[2] = {"modulus", "modulus_2"};
static const char *const thickness_name[2] = {"thickness", "thickness_2"};

/* 1/kv of one body; 0 where it is rigid. */
static int compliance_of(const struct cf_hydroelastic *shape, const double size[], int body,
                         struct cf_hydroelastic_stiffness *s, double *compliance,
                         struct cf_error *err)
{
    bool own = body == 0 || shape->pair;

    *compliance = 0;
    if (isnan(s->modulus_Pa[body])) {
        if (!isnan(s->thickness_m[body]))
            return cf_fail(err, CF_EINPUT,
                           "%s = %.15g m: the modulus of that foundation is wanted, too: give %s",
                           thickness_name[body], s->thickness_m[body], modulus_name[body]);
        return CF_OK;
    }
    if (isnan(s->thickness_m[body]) && !own)
        return cf_fail(err, CF_EINPUT,
                       "%s = %.15g Pa: a half-space has no size from which the thickness of its "
                       "foundation follows: give %s",
                       modulus_name[body], s->modulus_Pa[body], thickness_name[body]);
    if (isnan(s->thickness_m[body]))
        s->thickness_m[body] = shape->thickness(size, body);
    *compliance = s->thickness_m[body] / s->modulus_Pa[body];
    return CF_OK;
}

/* Of a pair all moduli or none; of others the first one where the second is given. */
static int check_moduli(const struct cf_hydroelastic *shape,
                        const struct cf_hydroelastic_stiffness *s, struct cf_error *err)
{
    bool first = !isnan(s->modulus_Pa[0]), second = !isnan(s->modulus_Pa[1]);
    int missing = first ? 1 : 0;

    if (shape->pair && first != second)
        return cf_fail(err, CF_EINPUT,
                       "%s is missing: both spheres are compliant, and kv follows of both moduli",
                       modulus_name[missing]);
    if (!first && !second && isnan(s->kv_N_m3))
        return cf_fail(err, CF_EINPUT, "the stiffness is missing: give kv, or %s",
                       shape->pair ? "modulus and modulus_2" : "modulus");
    return CF_OK;
}

int cf_hydroelastic_stiffness(const struct cf_hydroelastic *shape, const double size[],
                              struct cf_hydroelastic_stiffness *s, struct cf_error *err)
{
    double compliance[2], kv;
    int status = check_given(shape, "kv", s->kv_N_m3, err);

    for (int body = 0; body < 2 && !status; body++) {
        status = check_given(shape, modulus_name[body], s->modulus_Pa[body], err);
        if (!status)
            status = check_given(shape, thickness_name[body], s->thickness_m[body], err);
        if (!status)
            status = compliance_of(shape, size, body, s, &compliance[body], err);
    }
    if (!status)
        status = check_moduli(shape, s, err);
    if (status)
        return status;
    kv = 1 / (compliance[0] + compliance[1]);
    if (!isnan(s->kv_N_m3) && compliance[0] + compliance[1] > 0 &&
        !(fabs(s->kv_N_m3 / kv - 1) <= alike))
        return cf_fail(err, CF_EINPUT,
                       "kv = %.15g N/m^3, but modulus over thickness makes %.15g N/m^3: give one "
                       "of them",
                       s->kv_N_m3, kv);
    if (isnan(s->kv_N_m3))
        s->kv_N_m3 = kv;
    if (isnan(s->modulus_Pa[0]) && isnan(s->modulus_Pa[1]) && !shape->pair) {
        s->thickness_m[0] = shape->thickness(size, 0);
        s->modulus_Pa[0] = s->kv_N_m3 * s->thickness_m[0];
    }
    return CF_OK;
}

/* ---- contacts */

static int check_positive(const char *name, const char *unit, double value, struct cf_error *err)
{
    if (value > 0 && isfinite(value))
        return CF_OK;
    return cf_fail(err, CF_ERANGE, "%s = %.15g %s: must be finite and above 0", name, value, unit);
}

static int check_depth(const struct cf_hydroelastic *shape, const double size[], double depth_m,
                       struct cf_error *err)
{
    double limit = shape->limit(size);

    if (depth_m >= 0 && depth_m <= limit)
        return CF_OK;
    return cf_fail(err, CF_ERANGE, "depth = %.15g m: must be in [0, %.15g] m, %s", depth_m, limit,
                   shape->deepest);
}

int cf_hydroelastic_at(const struct cf_hydroelastic *shape, const double size[], double kv_N_m3,
                       double depth_m, struct cf_hydroelastic_contact out[CF_HYDROELASTIC_NFORM],
                       struct cf_error *err)
{
    double area;
    int status = cf_hydroelastic_check(shape, size, err);

    if (!status)
        status = check_positive("kv", "N/m^3", kv_N_m3, err);
    if (!status)
        status = check_depth(shape, size, depth_m, err);
    if (!status)
        status = shape->exact(size, depth_m, &out[CF_HYDROELASTIC_EXACT].volume_m3, &area, err);
    if (status)
        return status;
    out[CF_HYDROELASTIC_CLOSED].volume_m3 = shape->coefficient(size) * pow(depth_m, shape->power);
    for (int i = 0; i < CF_HYDROELASTIC_NFORM; i++) {
        out[i].depth_m = depth_m;
        out[i].force_N = kv_N_m3 * out[i].volume_m3;
    }
    return CF_OK;
}

static double closed_depth(const struct cf_hydroelastic *shape, const double size[],
                           double volume_m3)
{
    return pow(volume_m3 / shape->coefficient(size), 1 / shape->power);
}

/* Newton's steps in logarithms, where V is nearly a straight line, within what is known to hold
 * the depth: at `high` V is the target or more. */
static int exact_depth(const struct cf_hydroelastic *shape, const double size[], double target,
                       double high, double *depth_m, struct cf_error *err)
{
    enum { ROUNDS = 100 };
    double low = 0, x = fmin(closed_depth(shape, size, target), high), volume, area;
    int status = CF_OK;

    for (int i = 0; i < ROUNDS && !status; i++) {
        double next;
        status = shape->exact(size, x, &volume, &area, err);
        if (status)
            break;
        if (volume < target)
            low = x;
        else
            high = x;
        next = x * exp(-log(volume / target) * volume / (area * x));
        if (!(next >= low && next <= high))
            next = (low + high) / 2;
        *depth_m = next;
        if (fabs(next - x) <= 4 * DBL_EPSILON * next)
            return CF_OK;
        x = next;
    }
    return status ? status
                  : cf_fail(err, CF_ESOLVE,
                            "%s: the depth of the volume %.15g m^3 was not found in %d rounds",
                            shape->name, target, ROUNDS);
}

int cf_hydroelastic_under(const struct cf_hydroelastic *shape, const double size[], double kv_N_m3,
                          double force_N, struct cf_hydroelastic_contact out[CF_HYDROELASTIC_NFORM],
                          struct cf_error *err)
{
    double limit, most, area, volume = force_N / kv_N_m3;
    int status = cf_hydroelastic_check(shape, size, err);

    if (!status)
        status = check_positive("kv", "N/m^3", kv_N_m3, err);
    if (!status && !(force_N >= 0 && isfinite(force_N)))
        status =
            cf_fail(err, CF_ERANGE, "force = %.15g N: must be finite and not below 0", force_N);
    if (status)
        return status;
    limit = shape->limit(size);
    status = shape->exact(size, limit, &most, &area, err);
    if (status)
        return status;
    most = fmin(most, shape->coefficient(size) * pow(limit, shape->power));
    if (volume > most)
        return cf_fail(err, CF_ERANGE,
                       "force = %.15g N: must be at most %.6g N, where the depth is %.6g m, %s",
                       force_N, kv_N_m3 * most, limit, shape->deepest);
    for (int i = 0; i < CF_HYDROELASTIC_NFORM; i++)
        out[i] = (struct cf_hydroelastic_contact){0, volume, force_N};
    if (volume > 0) {
        out[CF_HYDROELASTIC_CLOSED].depth_m = closed_depth(shape, size, volume);
        status = exact_depth(shape, size, volume, limit, &out[CF_HYDROELASTIC_EXACT].depth_m, err);
    }
    return status;
}

int cf_hydroelastic_kv_of_depth(const struct cf_hydroelastic *shape, const double size[],
                                double force_N, double depth_m, double *kv_N_m3,
                                struct cf_error *err)
{
    double volume, area;
    int status = cf_hydroelastic_check(shape, size, err);

    if (!status)
        status = check_positive("force", "N", force_N, err);
    if (!status)
        status = check_positive("depth", "m", depth_m, err);
    if (!status)
        status = check_depth(shape, size, depth_m, err);
    if (!status)
        status = shape->exact(size, depth_m, &volume, &area, err);
    if (!status)
        *kv_N_m3 = force_N / volume;
    return status;
}

int cf_hydroelastic_kv_of_radius(const struct cf_hydroelastic *shape, const double size[],
                                 double force_N, double radius_m, double *kv_N_m3,
                                 struct cf_error *err)
{
    double depth;
    int status = cf_hydroelastic_check(shape, size, err);

    if (!status)
        status = check_positive("force", "N", force_N, err);
    if (!status)
        status = check_positive("contact_radius", "m", radius_m, err);
    if (status)
        return status;
    if (!shape->depth_of_radius)
        return cf_fail(err, CF_ERANGE,
                       "contact_radius = %.15g m: the contact of a flat end is its own at any "
                       "stiffness: give a depth",
                       radius_m);
    depth = shape->depth_of_radius(size, radius_m);
    if (depth > shape->limit(size))
        return cf_fail(err, CF_ERANGE,
                       "contact_radius = %.15g m: takes a depth of %.6g m, beyond %.6g m, %s",
                       radius_m, depth, shape->limit(size), shape->deepest);
    *kv_N_m3 = force_N / (shape->coefficient(size) * pow(depth, shape->power));
    return CF_OK;
}
