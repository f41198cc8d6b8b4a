/* The probe of an indentation as a solid, for laws over the volume that it has in common with the
 * half-space that it is pressed into; private to the protocol's files.
 *
 * It is stated by its sizes among the numbers of the apparatus, of one shape, and by how far its
 * axis is tilted against the direction of the press; a box towards its length or its width. Any
 * other body is pressed straight, and known by its volume over depth (volume/press.h). Depth is
 * that of its deepest point. */

#ifndef CF_EXPERIMENT_INDENT_PROBE_H
#define CF_EXPERIMENT_INDENT_PROBE_H

#include "law/law.h"
#include "volume/press.h"

/* What is round about the press: a sphere, a cylinder or a cone that is not tilted. */
enum cf_indent_round { CF_INDENT_ASKEW, CF_INDENT_BALL, CF_INDENT_PUNCH, CF_INDENT_TIP };

struct cf_indent_probe {
    struct cf_piece piece;        /* form NULL: no such sizes are stated */
    const struct cf_press *press; /* of any other body, straight; NULL: none is */
    double n[3];                  /* out of the half-space, in the frame of the piece, */
    double n_by_tilt[3];          /* and how it turns with the tilt */
    enum cf_indent_round is_round;
    double low_m[3];      /* the deepest point; of a face that lies flat, where a tilt puts it */
    double extent_m;      /* how deep the whole of it reaches */
    int status;           /* of the first volume that was not found, with why in err */
    struct cf_error *err; /* may be NULL */
};

/* Does a law act over a volume? */
bool cf_indent_has_volume(const struct cf_law *law);

/* Is a probe stated? Else laws act at a point. */
bool cf_indent_is_stated(const struct cf_indent_probe *probe);

/* The probe of an apparatus, or of the press of its data set. CF_EINPUT: several shapes, or not all
 * sizes of one; a tilt where nothing is tilted. CF_ERANGE: a cone without an angle. err is kept. */
int cf_indent_probe(const double apparatus[], const struct cf_press *press,
                    struct cf_indent_probe *probe, struct cf_error *err);

/* Its volume [m^3] at a depth; NAN where it was not found. */
double cf_indent_volume(const struct cf_indent_probe *probe, double depth_m);

/* A law's force [N] and its derivatives at a depth [m] and rate [m/s], mass and radius being 1: of
 * a law over a volume by that which the probe has at the depth, and by_tilt (may be NULL) by its
 * tilt at that depth [N/rad]; a flat face has one to larger tilts alone. NAN where the volume was
 * not found, and the probe's status says so. */
double cf_indent_law(const struct cf_law *law, const double p[], struct cf_indent_probe *probe,
                     double depth_m, double rate_m_s, struct cf_force_slope *slope,
                     double *by_tilt);

#endif
