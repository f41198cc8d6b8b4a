/* Volumes of interference against tables of reference numbers: some inputs, ten metrics, and the
 * same ten by each component of the twist. */

#ifndef T_VOLUMES_H
#define T_VOLUMES_H

#include <stdbool.h>
#include <stdio.h>

#include "volume/volume.h"

enum { NMETRIC = 10, NEXPECTED = NMETRIC * (1 + CF_TWIST), MAX_VOLUME_INPUT = 24 };

/* The worst that was seen of V, p_c, J and of their derivatives. */
struct worst_volume {
    int rows;
    double of[3], by[3];
};

/* The metrics V, p_c, J_xx, J_yy, J_zz, J_yz, J_zx, J_xy, then all by each component. */
void volume_metrics(const struct cf_volume *v, double out[1 + CF_TWIST][NMETRIC]);

/* V and J relative to their largest, p_c to a frame's size; derivatives to the largest. */
void compare_volumes(const struct cf_volume *got, const double want[NEXPECTED], double size_m,
                     struct worst_volume *worst);

/* Calls `row` with the inputs and what is expected of each row of t/reference/NAME. */
void each_volume_row(const char *name, int ninput,
                     void (*row)(const double input[], const double want[NEXPECTED], void *data),
                     void *data);

/* Two tests: as many rows, the metrics to `metric` and their derivatives to `by`. */
void check_worst(const struct worst_volume *worst, int rows, const char *name, double metric,
                 double by);

double keep_worst(double most, double d); /* a NaN stays */

#endif
