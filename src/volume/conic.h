/* A surface of an implicit primitive: of a half-space, or of one sheet of a convex quadric,
 *
 *   |spread x + offset| <= slope.x + reach   inside
 *
 * The value is the left side less the right one: convex, and of a slope of at most 1 where it is a
 * distance. The square of the left side less that of the right one is a polynomial of the second
 * degree, whose Taylor series ends. Private to src/volume.
 */

#ifndef CF_VOLUME_CONIC_H
#define CF_VOLUME_CONIC_H

#include <stdbool.h>

struct cf_conic {
    double spread[3][3], offset[3];
    double slope[3], reach;
    bool flat; /* spread and offset are 0 */
};

/* The surface as seen by xi, x = origin + map xi. */
struct cf_conic cf_conic_mapped(const struct cf_conic *conic, const double origin[3],
                                double map[3][3]);

/* The value at x; gradient may be NULL. */
double cf_conic_value(const struct cf_conic *conic, const double x[3], double gradient[3]);

/* x' square x + 2 half.x + constant, < 0 inside (where slope.x + reach > 0); of a flat one its
 * value. */
struct cf_quadric {
    double square[3][3], half[3], constant;
    bool flat;
    bool bowl; /* the square part is nowhere < 0 */
};

struct cf_quadric cf_conic_quadric(const struct cf_conic *conic);

/* About another point: q(at + x) as a function of x. */
struct cf_quadric cf_quadric_about(const struct cf_quadric *quadric, const double at[3]);

double cf_quadric_value(const struct cf_quadric *quadric, const double x[3]);
void cf_quadric_gradient(const struct cf_quadric *quadric, const double x[3], double out[3]);

/* How far along d from x the surface is; of two places the nearer. NAN: it is not met, or at a
 * place where q has no slope along d. */
double cf_quadric_along(const struct cf_quadric *quadric, const double x[3], const double d[3]);

#endif
