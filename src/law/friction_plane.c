/* What friction laws share: a direction that is smooth at rest, and the Stribeck curve. */

#include "law/friction_rows.h"

void cf_no_parts(const double p[], const struct cf_slide *c, struct cf_friction_parts *out)
{
    (void) p, (void) c;
    *out = (struct cf_friction_parts){0};
}

void cf_unit(const double u[2], double out[2])
{
    double size = cf_size(u), per = size > 0 ? 1 / size : 0;

    out[0] = per * u[0];
    out[1] = per * u[1];
}

void cf_direction(const double u[2], double e, double out[2])
{
    double size = cf_size(u), r = size / e;
    double factor = r < 1 ? (1.5 - 0.5 * r * r) / e : 1 / size;

    out[0] = factor * u[0];
    out[1] = factor * u[1];
}

void cf_direction_vary(const double u[2], double e, const double du[2], double de, double out[2])
{
    double size = cf_size(u), r = size / e, along = cf_dot(u, du), factor, growth;

    if (r < 1) {
        factor = (1.5 - 0.5 * r * r) / e;
        growth = (1.5 * (r * r - 1) * de - along / e) / (e * e);
    } else {
        factor = 1 / size;
        growth = -along * factor * factor * factor;
    }
    out[0] = factor * du[0] + growth * u[0];
    out[1] = factor * du[1] + growth * u[1];
}

double cf_stribeck_share(const double v[2], double v_s)
{
    double square = cf_dot(v, v) / (v_s * v_s);

    /* below 1e-304, where exp() would underflow slowly, it is 0 */
    return square < 700 ? exp(-square) : 0;
}

double cf_stribeck_share_vary(const double v[2], double v_s, double s, const double dv[2],
                              double dv_s)
{
    return 2 * s * (cf_dot(v, v) * dv_s / v_s - cf_dot(v, dv)) / (v_s * v_s);
}
