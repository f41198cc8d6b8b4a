#include "fit/spec.h"

/* 1024 Sobol points find a basin in a box of 20 by 20 decades; 24 polished starts show whether it
 * is the only one. An interval whose ends differ by more than a factor of 2 is of little use to a
 * simulator. 1 % is the level at which a residual test is believed. */
const struct cf_fit_options cf_fit_defaults = {
    .level = 0.95,
    .screen = 1024,
    .starts = 24,
    .weak_factor = 2,
    .p_reject = 0.01,
    .seed = 1,
};
