/* The ways in which a normal turns, written down once for all shapes. */

#include <string.h>

#include "geometry/rows.h"
#include "geometry/vector.h"

void cf_touch_flat(double depth_m, const double n[3], struct cf_touch *out)
{
    out->depth_m = depth_m;
    memcpy(out->n, n, sizeof out->n);
    memset(out->turn, 0, sizeof out->turn);
    memset(out->fade, 0, sizeof out->fade);
}

void cf_touch_around_point(double depth_m, const double n[3], double rate_1_m, struct cf_touch *out)
{
    out->depth_m = depth_m;
    memcpy(out->n, n, sizeof out->n);
    cf_vec_dyad(-rate_1_m, n, n, out->turn);
    for (int i = 0; i < 3; i++) {
        out->turn[i][i] += rate_1_m;
        out->fade[i] = rate_1_m * n[i];
    }
}

void cf_touch_around_axis(double depth_m, const double n[3], const double g[3], double rate_1_m,
                          const double fade[3], struct cf_touch *out)
{
    out->depth_m = depth_m;
    memcpy(out->n, n, sizeof out->n);
    memcpy(out->fade, fade, sizeof out->fade);
    cf_vec_dyad(rate_1_m, g, g, out->turn);
}

bool cf_touch_none(double depth_m, struct cf_touch *out)
{
    *out = (struct cf_touch){.depth_m = depth_m};
    return false;
}

void cf_touch_bend(const struct cf_touch *touch, const double d[3], double bend[3][3])
{
    double m[3], less = cf_vec_dot(touch->fade, d);

    for (int i = 0; i < 3; i++)
        m[i] = cf_vec_dot(touch->turn[i], d);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            bend[i][j] = -less * touch->turn[i][j] - m[i] * touch->fade[j] - touch->fade[i] * m[j];
}
