/* Properties of a pair of bodies. */

#ifndef CF_LAW_PAIR_H
#define CF_LAW_PAIR_H

#include "core/status.h"

/* What a contact law needs of the two bodies. */
struct cf_pair {
    double mass_kg;    /* effective mass, 1/m = 1/m1 + 1/m2; fixed bodies count as infinite */
    double radius_m;   /* effective radius, 1/R = 1/R1 + 1/R2; INFINITY for two planes */
    double modulus_Pa; /* E* of the two materials; 0 when not known */
    double gravity_m_s2;
    const char *between[2]; /* the bodies, where a data set names them; else NULL; not owned */
    /* Those of the bodies that are spheres with a mass, for what is plausible. */
    struct cf_sphere {
        const char *name; /* NULL: it is none; not owned */
        double mass_kg, radius_m;
        /* "ball.yaml:5: mass: 31 kg", for messages; NULL: no file states it; not owned */
        const char *mass_at, *size_at;
    } sphere[2];
    const char *modulus_at; /* the same, of the softer material */
};

/* 1/x = 1/x1 + 1/x2; INFINITY stands for a fixed mass, a plane, a rigid material. A concave radius
 * is negative. */
double cf_series(double x1, double x2);

/* 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2 ([AF14] 6); E2 = INFINITY for a rigid body. */
double cf_effective_modulus(double E1_Pa, double nu1, double E2_Pa, double nu2);

/* Hertz: k = (4/3) E* sqrt(R) [N/m^1.5] ([AF14] 5). */
double cf_hertz_stiffness(double modulus_Pa, double radius_m);

/* Drake's pair rules for point contact, from per-body values ([DR]). */
double cf_drake_stiffness(double k1, double k2);
double cf_drake_dissipation(double k1, double d1, double k2, double d2);
double cf_drake_friction(double mu1, double mu2);

#endif
