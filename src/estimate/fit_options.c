#include "estimate/spec.h"

#include <math.h>

/* 1024 Sobol points find a basin in a box of 20 by 20 decades; 24 polished starts show whether it
 * is the only one. An interval whose ends differ by more than a factor of 2 is of little use in a
 * simulator. 1 % is the level of the residual tests. Ten thousand evaluations let a global search
 * come near the optimum of six parameters; the polish does the rest. */
const struct cf_fit_options cf_fit_defaults = {
    .level = 0.95,
    .screen = 1024,
    .starts = 24,
    .weak_factor = 2,
    .p_reject = 0.01,
    .seed = 1,
    .loss = CF_LOSS_SQUARES,
    .loss_scale = NAN,
    .global = CF_GLOBAL_NONE,
    .global_budget = 10000,
};

const char *const cf_sharing_name[CF_NSHARING] = {
    [CF_SHARED_BY_ALL] = "material",
    [CF_SHARED_BY_PAIR] = "pair",
    [CF_SHARED_BY_DATA] = "data",
};
