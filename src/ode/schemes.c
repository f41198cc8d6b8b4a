/* The fixed-step schemes that simulators offer (Simulink's ode1, ode3, ode4 and ode5 are these):
 * Euler; Bogacki & Shampine 1989 (Appl. Math. Lett. 2, 321); the classical one of Kutta 1901;
 * Dormand & Prince 1980 (J. Comp. Appl. Math. 6, 19), its solution of order 5. */

#include <string.h>

#include "ode/ode.h"

static const struct cf_ode_scheme euler = {
    .name = "euler",
    .what = "Euler",
    .order = 1,
    .nstage = 1,
    .a = (const double[]){0},
    .b = (const double[]){1},
    .c = (const double[]){0},
};

/* clang-format off */
static const struct cf_ode_scheme rk3 = {
    .name = "rk3",
    .what = "Bogacki-Shampine",
    .order = 3,
    .nstage = 3,
    .a = (const double[]){0, 0, 0,
                          1.0 / 2, 0, 0,
                          0, 3.0 / 4, 0},
    .b = (const double[]){2.0 / 9, 1.0 / 3, 4.0 / 9},
    .c = (const double[]){0, 1.0 / 2, 3.0 / 4},
};

static const struct cf_ode_scheme rk4 = {
    .name = "rk4",
    .what = "classical Runge-Kutta",
    .order = 4,
    .nstage = 4,
    .a = (const double[]){0, 0, 0, 0,
                          1.0 / 2, 0, 0, 0,
                          0, 1.0 / 2, 0, 0,
                          0, 0, 1, 0},
    .b = (const double[]){1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
    .c = (const double[]){0, 1.0 / 2, 1.0 / 2, 1},
};

static const struct cf_ode_scheme rk5 = {
    .name = "rk5",
    .what = "Dormand-Prince",
    .order = 5,
    .nstage = 6,
    .a = (const double[]){
        0, 0, 0, 0, 0, 0,
        1.0 / 5, 0, 0, 0, 0, 0,
        3.0 / 40, 9.0 / 40, 0, 0, 0, 0,
        44.0 / 45, -56.0 / 15, 32.0 / 9, 0, 0, 0,
        19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729, 0, 0,
        9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656, 0},
    .b = (const double[]){35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
    .c = (const double[]){0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1},
};
/* clang-format on */

const struct cf_ode_scheme *const cf_ode_schemes[] = {&euler, &rk3, &rk4, &rk5, NULL};

const struct cf_ode_scheme *cf_ode_scheme_find(const char *name)
{
    for (size_t i = 0; cf_ode_schemes[i]; i++)
        if (!strcmp(cf_ode_schemes[i]->name, name))
            return cf_ode_schemes[i];
    return NULL;
}
