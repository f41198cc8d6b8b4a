/* Timing of a block on a moving plate. */

#ifndef BENCH_PLATE_H
#define BENCH_PLATE_H

#include "core/status.h"

/* 60 s at 1 kHz with derivatives by all seven parameters of bristle. */
int bench_plate(struct cf_error *err);

#endif
