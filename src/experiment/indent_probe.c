/* The probe of an indentation: its shape and attitude, and what laws say of its volume. */

#include "experiment/indent_probe.h"

#include <gsl/gsl_math.h>

#include "experiment/indent_channels.h"
#include "experiment/rows.h"

/* A shape by its sizes, in the order of its form's table. */
enum { SPHERE, CYLINDER, CONE, BOX, NSHAPE };

static const struct {
    const char *form;
    size_t first, n; /* numbers of the apparatus */
} shapes[NSHAPE] = {
    [SPHERE] = {"sphere", CF_INDENT_SPHERE_RADIUS, 1},
    [CYLINDER] = {"cylinder", CF_INDENT_CYLINDER_RADIUS, 2},
    [CONE] = {"cone", CF_INDENT_CONE_RADIUS, 2},
    [BOX] = {"box", CF_INDENT_BOX_LENGTH, 3},
};

bool cf_indent_has_volume(const struct cf_law *law)
{
    return law->family == CF_FAMILY_FOUNDATION;
}

static const char *name_of(size_t parameter)
{
    return cf_protocol_indent.apparatus[parameter].name;
}

/* Of a shape, how many sizes are stated, and the first that is not. */
static size_t count_stated(const double a[], int shape, size_t *missing)
{
    size_t stated = 0;

    *missing = CF_INDENT_NAPPARATUS;
    for (size_t i = shapes[shape].first + shapes[shape].n; i-- > shapes[shape].first;) {
        stated += a[i] > 0;
        if (!(a[i] > 0))
            *missing = i;
    }
    return stated;
}

static int find_shape(const double a[], int *shape, struct cf_error *err)
{
    *shape = NSHAPE;
    for (int s = 0; s < NSHAPE; s++) {
        size_t missing, stated = count_stated(a, s, &missing);
        if (stated == 0)
            continue;
        if (*shape < NSHAPE)
            return cf_fail(err, CF_EINPUT, "%s and %s: one shape of the probe is wanted",
                           name_of(shapes[*shape].first), name_of(shapes[s].first));
        if (missing < CF_INDENT_NAPPARATUS)
            return cf_fail(err, CF_EINPUT, "a %s as a probe needs its %s, too", shapes[s].form,
                           name_of(missing));
        *shape = s;
    }
    return CF_OK;
}

static int check_attitude(const double a[], int shape, struct cf_error *err)
{
    if (shape == NSHAPE && (a[CF_INDENT_TILT] != 0 || a[CF_INDENT_TILT_TOWARDS] != 0))
        return cf_fail(err, CF_EINPUT,
                       "%s: of a probe without a shape nothing is tilted: state its sizes, as "
                       "cylinder_radius and cylinder_length",
                       name_of(a[CF_INDENT_TILT] != 0 ? CF_INDENT_TILT : CF_INDENT_TILT_TOWARDS));
    if (shape == SPHERE && a[CF_INDENT_TILT] != 0)
        return cf_fail(err, CF_EINPUT, "tilt: a sphere is the same at any tilt");
    if (shape != BOX && a[CF_INDENT_TILT_TOWARDS] != 0)
        return cf_fail(err, CF_EINPUT,
                       "tilt_towards: a %s is the same to all sides: it is of a box",
                       shapes[shape].form);
    return CF_OK;
}

int cf_indent_probe(const double a[], struct cf_indent_probe *probe, struct cf_error *err)
{
    double tilt = a[CF_INDENT_TILT], towards = a[CF_INDENT_TILT_TOWARDS], high[3], low[3], up[3];
    int shape, status = find_shape(a, &shape, err);

    *probe = (struct cf_indent_probe){.err = err};
    if (!status)
        status = check_attitude(a, shape, err);
    if (status || shape == NSHAPE)
        return status;
    probe->piece.form = cf_form_find(shapes[shape].form);
    for (size_t i = 0; i < shapes[shape].n; i++)
        probe->piece.size_m[i] = a[shapes[shape].first + i];
    if (shape == CONE) /* the form has its height */
        probe->piece.size_m[1] = a[CF_INDENT_CONE_RADIUS] / tan(a[CF_INDENT_CONE_ANGLE]);
    if (cf_piece_check(&probe->piece, err))
        return CF_ERANGE;
    probe->n[0] = sin(tilt) * cos(towards);
    probe->n[1] = sin(tilt) * sin(towards);
    probe->n[2] = shape == CONE ? -cos(tilt) : cos(tilt); /* its tip goes in */
    for (int k = 0; k < 3; k++)
        up[k] = -probe->n[k];
    probe->piece.form->lowest(&probe->piece, probe->n, low);
    probe->piece.form->lowest(&probe->piece, up, high);
    for (int k = 0; k < 3; k++)
        probe->extent_m += probe->n[k] * (high[k] - low[k]);
    return CF_OK;
}

/* V at a depth, and the area of contact, by which it grows. */
static bool volume_at(struct cf_indent_probe *probe, double depth_m, double *volume_m3,
                      double *area_m2)
{
    struct cf_volume v;
    struct cf_error why = {""};
    int status = CF_OK;

    *volume_m3 = *area_m2 = 0;
    if (!(depth_m > 0))
        return true;
    status = cf_volume_half_space(&probe->piece, probe->n, depth_m, &v, &why);
    if (status) {
        if (!probe->status)
            probe->status = cf_fail(probe->err, status, "%s", why.text);
        return false;
    }
    *volume_m3 = v.volume_m3;
    for (int k = 0; k < 3; k++)
        *area_m2 -= probe->n[k] * v.volume_by[k];
    return true;
}

double cf_indent_law(const struct cf_law *law, const double p[], struct cf_indent_probe *probe,
                     double depth_m, double rate_m_s, struct cf_force_slope *slope)
{
    struct cf_contact c = {.depth_m = depth_m, .rate_m_s = rate_m_s, .mass_kg = 1, .radius_m = 1};
    bool volume = cf_indent_has_volume(law);
    double area = 0;

    if (volume && !volume_at(probe, depth_m, &c.volume_m3, &area)) {
        *slope = (struct cf_force_slope){.by_depth = (double) NAN};
        return (double) NAN;
    }
    law->slope(law, p, &c, slope);
    if (volume)
        slope->by_depth = slope->by_volume * area;
    return law->force(law, p, &c);
}
