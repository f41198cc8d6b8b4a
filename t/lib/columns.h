/* Columns of runs against differences of runs, by all numbers of a scene. */

#ifndef COLUMNS_H
#define COLUMNS_H

#include "stage.h"

enum { COLUMNS_NUMBERS = 80, COLUMNS_CHANNELS = 128, COLUMNS_TOLERANCES = 2 };

/* What a scene may be differentiated by, and what is differentiated. Delays of recorded motions are
 * left out: a trace cannot be shifted. */
struct columns {
    struct stage *stage;
    size_t nnumber, nchannel;
    struct cf_wrt number[COLUMNS_NUMBERS];
    struct cf_motion_channel channel[COLUMNS_CHANNELS];
    double *time_s, *by[COLUMNS_TOLERANCES];
    double size[COLUMNS_CHANNELS];                  /* the largest value of a channel's vector */
    double most[COLUMNS_NUMBERS][COLUMNS_CHANNELS]; /* the largest that a column is */
    size_t steps[COLUMNS_TOLERANCES];
};

/* The largest errors in parts of the largest value of their column: of motions, gaps and normal
 * forces, and of what goes on in friction. */
struct columns_worst {
    double off[COLUMNS_TOLERANCES], inner[COLUMNS_TOLERANCES];
    size_t number[COLUMNS_TOLERANCES], channel[COLUMNS_TOLERANCES]; /* of `off` */
    double time_s[COLUMNS_TOLERANCES], want[COLUMNS_TOLERANCES], found[COLUMNS_TOLERANCES];
    size_t compared, unsure; /* values; those that differences do not settle */
};

extern const double columns_tolerance[COLUMNS_TOLERANCES]; /* 1e-8, 1e-10 */

/* A number of a scene; NULL: it is none alone, as the tilt of a body. */
double *columns_number(struct cf_scene *scene, const struct cf_wrt *number);

/* Adds h to a number of a scene. */
void columns_shift(struct cf_scene *scene, const struct cf_wrt *number, double h);

/* All numbers and channels of a scene. Of the numbers one in so many, from the first on: carrying
 * many through a long run takes most of a test's time. */
void columns_list(struct columns *columns, struct stage *stage);
void columns_thin(struct columns *columns, size_t first, size_t step);

/* The columns by what is listed; false where the scene does not run: stage->err. */
bool columns_carry(struct columns *columns);

/* All columns of a scene at all its numbers. */
bool columns_run(struct columns *columns, struct stage *stage);

/* Against differences by one number. */
void columns_compare(struct columns *columns, size_t number, struct columns_worst *worst);
void columns_free(struct columns *columns);

/* "by friction 3 of contact 0", of a static buffer. */
const char *columns_name(const struct cf_wrt *number);

#endif
