/* The inside of a driven block; private to its files. */

#ifndef CF_EXPERIMENT_DRIVEN_BLOCK_PARTS_H
#define CF_EXPERIMENT_DRIVEN_BLOCK_PARTS_H

#include <stdint.h>

#include "experiment/driven_block.h"
#include "ode/ode.h"

/* States: friction's along the line, S, v. */
enum { CF_BLOCK_STATES = CF_FRICTION_STATES + 2, CF_BLOCK_NONE = CF_BLOCK_STATES };
enum { CF_BLOCK_COLUMNS = CF_MAX_PARAM + CF_BLOCK_NNUMBER };

struct cf_block_work {
    const struct cf_driven_block *b;
    size_t nfriction, of[CF_FRICTION_STATES]; /* the law's state of each */
    size_t spring, velocity;                  /* CF_BLOCK_NONE: there is none */
    size_t n;
    size_t ncolumn, column[CF_BLOCK_COLUMNS + 1]; /* the last is by none */
    double V;                                     /* at present, after so many steps */
    size_t piece;
    double least; /* the speed below which friction shows nothing new */
    double last;  /* asinh(v/least) that balanced the block last; where the search begins */

    /* directions for the law: along the slip, then of each column, then along states alone */
    double d[(CF_BLOCK_COLUMNS + 2) * CF_FRICTION_COLUMNS];
};

/* Everything at one instant. */
struct cf_block_now {
    double v;
    double state[CF_FRICTION_STATES]; /* of the law, as it has them */
    double mu, rate[CF_FRICTION_STATES];
    double shown; /* without drift */
};

/* How that changes along a column. */
struct cf_block_change {
    double v, mu, shown, rate[CF_FRICTION_STATES];
};

void cf_block_layout(struct cf_block_work *w, const struct cf_driven_block *b,
                     const struct cf_block_columns *columns);
void cf_block_enter(struct cf_block_work *w, size_t piece);

/* Is column c by this number? */
bool cf_block_is_by(const struct cf_block_work *w, size_t c, size_t number);

/* How V of the present piece goes with column c. */
double cf_block_speed_by(const struct cf_block_work *w, size_t c);

void cf_block_look(const struct cf_block_work *w, const double y[], struct cf_block_now *now);

/* As the block slides at V, whatever S and v are. */
void cf_block_carried(const struct cf_block_work *w, const double y[], struct cf_block_now *now);

/* Along the columns, whose states move by s[column * n + i]. `carried`: it slides at V. */
void cf_block_vary(struct cf_block_work *w, const struct cf_block_now *now, const double s[],
                   bool carried, struct cf_block_change out[]);

/* Along time, in which states move by dydt. */
void cf_block_drift(struct cf_block_work *w, const struct cf_block_now *now, const double dydt[],
                    struct cf_block_change *out);

/* Derivative of mu by the slip. */
double cf_block_slope(const struct cf_block_work *w, const struct cf_block_now *now);

/* For the stepper: context is a struct cf_block_work. */
void cf_block_rates(const void *context, double t, const double y[], double dydt[]);
void cf_block_variation(const void *context, double t, const double y[], const double s[],
                        double dsdt[]);

/* driven_block_steady.c: the states y and columns s (NULL: none) of steady sliding at V. */
int cf_block_settle(struct cf_block_work *w, double y[], double s[], struct cf_error *err);

#endif
