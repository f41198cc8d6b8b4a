/* What single precision makes of e, against e that Bullet 3.24 showed of springs whose steps are a
 * few units in the last place: by up to 0.05 off what numbers would, or stuck. */

#include <math.h>

#include "export/predict.h"
#include "export/twin.h"
#include "tap.h"

#define LENGTH(table) ((int) (sizeof table / sizeof table[0]))

/* Radii (0: a plane), masses (0: held), stiffness, damping, speed and step; the least and the
 * largest e of eight places of the touch; e < 0: none left. */
static const struct row {
    double R[2], m[2], K, C, v, h, low, high;
} measured[] = {
    {{0.000740568469, 0.000296227388},
     {2.50987364e-05, 5.01974729e-06},
     1.7562667e+11,
     1251.26386,
     12.1916047,
     3.0664433e-11,
     0.185766792,
     0.187008205},
    {{0.00164964807, 0.0164964807},
     {0.000273557436, 0.0109422975},
     3.63178056e+09,
     418.881932,
     0.724840767,
     1.70326569e-09,
     0.580230069,
     0.58195391},
    {{0.00367466194, 0.00367466194},
     {0.000756189488, 0.000756189488},
     411569.554,
     176.204105,
     0.0689806676,
     1.90440173e-07,
     -1,
     -1},
    {{0.01823348, 0.007293392},
     {0.128336837, 0.0256673673},
     1.58507281e+10,
     2623.79648,
     2.97270451,
     7.29886449e-09,
     0.797093126,
     0.798601336},
    {{0.0406158599, 0.406158599},
     {0.475708354, 19.0283342},
     122435050,
     0.976014903,
     0.176739442,
     3.86843624e-07,
     1.03904386,
     1.03979913},
    {{0.00049619476, 0},
     {1.14511107e-05, 0},
     311.945012,
     0,
     0.001,
     1.20382859e-06,
     0.989617663,
     0.990991713},
};

static struct cf_material pair_of(const struct row *row)
{
    struct cf_material material;

    cf_material_clear(&material);
    double curved = 0, light = 0;
    for (int i = 0; i < 2; i++) {
        bool plane = row->R[i] == 0, held = row->m[i] == 0;
        material.body[i] = (struct cf_export_body){.plane = plane,
                                                   .fixed = held,
                                                   .mass_kg = held ? INFINITY : row->m[i],
                                                   .radius_m = plane ? INFINITY : row->R[i]};
        curved += plane ? 0 : 1 / row->R[i];
        light += held ? 0 : 1 / row->m[i];
    }
    material.radius_m = 1 / curved;
    material.mass_kg = 1 / light;
    return material;
}

static void engine(struct cf_curves *curves)
{
    for (int i = 0; i < LENGTH(measured); i++) {
        const struct row *row = &measured[i];
        const struct cf_material material = pair_of(row);
        struct cf_twin twin = {.scheme = row->R[1] > 0 ? CF_SCHEME_BACKWARD : CF_SCHEME_AHEAD,
                               .law = cf_law_find("linear"),
                               .p = {row->K, row->C},
                               .mass_kg = material.mass_kg,
                               .radius_m = material.radius_m};
        struct cf_spread exact, rounded;
        cf_export_floats(&material, &twin.floats);
        cf_twin_spread(&twin, curves, row->v, row->h, &rounded, NULL);
        twin.floats.are = false;
        cf_twin_spread(&twin, curves, row->v, row->h, &exact, NULL);
        if (row->low < 0) {
            ok(!rounded.left && exact.left, "its way out is rounded to nothing");
            continue;
        }
        ok(rounded.left && rounded.e_low <= row->low && rounded.e_high >= row->high,
           "e of %.6f to %.6f as measured, in %.6f to %.6f", row->low, row->high, rounded.e_low,
           rounded.e_high);
        ok(exact.e_low > row->low || exact.e_high < row->high, "and not in %.6f to %.6f of numbers",
           exact.e_low, exact.e_high);
        double middle = (row->low + row->high) / 2, off = fabs(exact.e_mean - middle);
        ok(fabs(rounded.e_mean - middle) <= 0.1 * off + 3e-4, "their mean is %.6f: %.6f", middle,
           rounded.e_mean);
    }
}

/* The bodies that are placed: those of the pair where they are known, else a sphere on a plane. */
static void places(void)
{
    struct cf_material material = pair_of(&measured[1]);
    struct cf_floats floats;

    cf_export_floats(&material, &floats);
    ok(floats.are && floats.radius_m[0] == 0.00164964807 && floats.radius_m[1] == 0.0164964807,
       "two spheres by their radii");
    is_near(floats.part[0] / floats.part[1], 0.0109422975 / 0.000273557436, 1e-12,
            "which share a kick by their masses");
    material.mass_kg = 1; /* --mass */
    cf_export_floats(&material, &floats);
    ok(floats.are && floats.radius_m[0] == material.radius_m && floats.radius_m[1] == 0 &&
           floats.part[0] == 1,
       "of another m* a sphere of R* on a plane");
    material = pair_of(&measured[5]);
    const struct cf_export_body ball = material.body[0];
    material.body[0] = material.body[1];
    material.body[1] = ball;
    cf_export_floats(&material, &floats);
    ok(floats.radius_m[0] == ball.radius_m && floats.part[0] == 1 && floats.part[1] == 0,
       "the one that comes is first, in whatever order the fit has them");
    material.radius_m = (double) NAN;
    cf_export_floats(&material, &floats);
    ok(!floats.are, "no radius, no places");
}

TEST(export_floats)
{
    struct cf_curves *curves = cf_curves_alloc();

    plan(21);
    engine(curves);
    places();
    cf_curves_free(curves);
    return done();
}
