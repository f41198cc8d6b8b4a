/* The probe of an indentation: its shape and attitude, and what laws say of its volume. */

#include "experiment/indent_probe.h"

#include <gsl/gsl_math.h>

#include "experiment/indent_channels.h"
#include "geometry/vector.h"

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

bool cf_indent_is_stated(const struct cf_indent_probe *probe)
{
    return probe->piece.form || probe->press;
}

static const char *name_of(size_t parameter)
{
    return cf_indent_apparatus[parameter].name;
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

/* n and what follows of it. */
static void take_attitude(const double a[], int shape, struct cf_indent_probe *probe)
{
    const double least = 1e-9; /* rad: by which a flat face is tilted to see where it is deepest */
    const struct cf_piece *piece = &probe->piece;
    double tilt = a[CF_INDENT_TILT], towards = a[CF_INDENT_TILT_TOWARDS];
    double sign = shape == CONE ? -1 : 1; /* its tip goes in */
    double off = fmax(tilt, least), high[3], up[3];
    const double askew[3] = {sin(off) * cos(towards), sin(off) * sin(towards), sign * cos(off)};

    probe->n[0] = sin(tilt) * cos(towards);
    probe->n[1] = sin(tilt) * sin(towards);
    probe->n[2] = sign * cos(tilt);
    probe->n_by_tilt[0] = cos(tilt) * cos(towards);
    probe->n_by_tilt[1] = cos(tilt) * sin(towards);
    probe->n_by_tilt[2] = -sign * sin(tilt);
    probe->is_round = shape == SPHERE     ? CF_INDENT_BALL
                      : tilt != 0         ? CF_INDENT_ASKEW
                      : shape == CYLINDER ? CF_INDENT_PUNCH
                      : shape == CONE     ? CF_INDENT_TIP
                                          : CF_INDENT_ASKEW;
    piece->form->lowest(piece, askew, probe->low_m);
    cf_vec_scale(-1, probe->n, up);
    piece->form->lowest(piece, up, high);
    probe->extent_m = cf_vec_dot(probe->n, high) - cf_vec_dot(probe->n, probe->low_m);
}

/* A body that is known by its volume over depth alone. */
static int take_press(const double a[], int shape, const struct cf_press *press,
                      struct cf_indent_probe *probe, struct cf_error *err)
{
    if (shape < NSHAPE)
        return cf_fail(err, CF_EINPUT, "shape and %s: one shape of the probe is wanted",
                       name_of(shapes[shape].first));
    if (a[CF_INDENT_TILT] != 0 || a[CF_INDENT_TILT_TOWARDS] != 0)
        return cf_fail(err, CF_EINPUT,
                       "%s: a shape is pressed straight: state its direction, as shape: {press: "
                       "[0.1, 0, -1]}",
                       name_of(a[CF_INDENT_TILT] != 0 ? CF_INDENT_TILT : CF_INDENT_TILT_TOWARDS));
    probe->press = press;
    probe->extent_m = cf_press_extent(press);
    return CF_OK;
}

int cf_indent_probe(const double a[], const struct cf_press *press, struct cf_indent_probe *probe,
                    struct cf_error *err)
{
    int shape, status = find_shape(a, &shape, err);

    *probe = (struct cf_indent_probe){.err = err};
    if (!status && press)
        return take_press(a, shape, press, probe, err);
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
    take_attitude(a, shape, probe);
    return CF_OK;
}

/* V at a depth; the area of contact, by which it grows; and V by the tilt at that depth. As n turns
 * by n', the probe turns by w = n' x n against it, and its deepest point goes down by w.(n x q). */
struct volume {
    double m3, area_m2, by_tilt;
};

/* Round about the press and not in whole: most probes are, and what is integrated otherwise has a
 * closed form. */
static bool round_volume(const struct cf_indent_probe *probe, double depth_m, struct volume *out)
{
    double R = probe->piece.size_m[0], height = probe->piece.size_m[1], r;

    if (depth_m > probe->extent_m)
        return false;
    switch (probe->is_round) {
    case CF_INDENT_BALL:
        *out = (struct volume){M_PI * depth_m * depth_m * (R - depth_m / 3),
                               M_PI * depth_m * (2 * R - depth_m), 0};
        return true;
    case CF_INDENT_PUNCH:
        *out = (struct volume){M_PI * R * R * depth_m, M_PI * R * R, -M_PI * R * R * R};
        return true;
    case CF_INDENT_TIP:
        r = R / height * depth_m;
        *out = (struct volume){M_PI / 3 * r * r * depth_m, M_PI * r * r, 0};
        return true;
    default:
        return false;
    }
}

static int volume_at(const struct cf_indent_probe *probe, double depth_m, struct volume *out,
                     struct cf_error *err)
{
    struct cf_volume v;
    double w[3], down[3];
    int status;

    *out = (struct volume){0, 0, 0};
    if (probe->press) {
        cf_press_at(probe->press, depth_m, &out->m3, &out->area_m2);
        return CF_OK;
    }
    if (!(depth_m > 0) || round_volume(probe, depth_m, out))
        return CF_OK;
    status = cf_volume_half_space(&probe->piece, probe->n, depth_m, &v, err);
    if (status)
        return status;
    out->m3 = v.volume_m3;
    out->area_m2 = -cf_vec_dot(probe->n, v.volume_by);
    cf_vec_cross(probe->n_by_tilt, probe->n, w);
    cf_vec_cross(probe->n, probe->low_m, down);
    out->by_tilt = cf_vec_dot(w, v.volume_by + 3) - out->area_m2 * cf_vec_dot(w, down);
    return CF_OK;
}

double cf_indent_volume(const struct cf_indent_probe *probe, double depth_m)
{
    struct volume v;

    return volume_at(probe, depth_m, &v, NULL) ? (double) NAN : v.m3;
}

double cf_indent_law(const struct cf_law *law, const double p[], struct cf_indent_probe *probe,
                     double depth_m, double rate_m_s, struct cf_force_slope *slope, double *by_tilt)
{
    struct cf_contact c = {.depth_m = depth_m, .rate_m_s = rate_m_s, .mass_kg = 1, .radius_m = 1};
    struct volume v = {0, 0, 0};
    struct cf_error why = {""};
    int status = cf_indent_has_volume(law) ? volume_at(probe, depth_m, &v, &why) : CF_OK;

    if (status) {
        if (!probe->status)
            probe->status = cf_fail(probe->err, status, "%s", why.text);
        v = (struct volume){(double) NAN, (double) NAN, (double) NAN};
    }
    c.volume_m3 = v.m3;
    law->slope(law, p, &c, slope);
    if (cf_indent_has_volume(law))
        slope->by_depth = slope->by_volume * v.area_m2;
    if (by_tilt)
        *by_tilt = slope->by_volume * v.by_tilt;
    return status ? (double) NAN : law->force(law, p, &c);
}
