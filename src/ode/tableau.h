/* Coefficients of DOP853, by rows without their zeros. */

#ifndef CF_ODE_TABLEAU_H
#define CF_ODE_TABLEAU_H

enum {
    CF_DOP_STAGES = 12, /* of a step; stage 12 is the rate at its end and the next step's first */
    CF_DOP_ALL = 16,    /* with the three that only the dense output needs */
    CF_DOP_DENSE = 4,   /* terms of the dense output beyond the cubic through both ends */
    CF_DOP_ROW = 12     /* the longest row */
};

/* sum of weight[j] k[stage[j]] */
struct cf_dop_row {
    int count, stage[CF_DOP_ROW];
    double weight[CF_DOP_ROW];
};

extern const double cf_dop_c[CF_DOP_ALL];
extern const struct cf_dop_row cf_dop_a[CF_DOP_ALL];
extern const struct cf_dop_row cf_dop_error_5;
extern const struct cf_dop_row cf_dop_weight_3;
extern const struct cf_dop_row cf_dop_dense[CF_DOP_DENSE];

#endif
