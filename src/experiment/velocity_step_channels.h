/* The channels and the apparatus of velocity steps; private to their files. */

#ifndef CF_EXPERIMENT_VELOCITY_STEP_CHANNELS_H
#define CF_EXPERIMENT_VELOCITY_STEP_CHANNELS_H

#include "experiment/driven_block.h"
#include "experiment/setting.h"

enum cf_step_channel {
    CF_STEP_TIME,
    CF_STEP_LOAD_POINT, /* its speed */
    CF_STEP_FRICTION,
    CF_STEP_FORCE,
    CF_STEP_NCHANNEL
};

/* The numbers of the block in their order, and rules behind them. */
enum cf_step_apparatus {
    CF_STEP_LEAST_ROWS = 23, /* behind the last step */
    CF_STEP_NAPPARATUS
};
_Static_assert((int) CF_STEP_LEAST_ROWS == (int) CF_BLOCK_NNUMBER, "rules stand behind the block");

static inline size_t cf_step_time_of(size_t step)
{
    return CF_BLOCK_STEP + 2 * step;
}

static inline size_t cf_step_speed_of(size_t piece)
{
    return piece == 0 ? CF_BLOCK_SPEED : CF_BLOCK_STEP + 2 * piece - 1;
}

/* How many steps are stated: their times. */
size_t cf_step_count(const double apparatus[]);

/* Rows of a record that has its apparatus. */
int cf_step_predict(void *work, const struct cf_request *q, struct cf_response *out,
                    struct cf_error *err);

/* velocity_step_record.c: what a row and the record need. */
int cf_step_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                      struct cf_error *err);
int cf_step_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                     struct cf_error *err);

/* The first and the last row that are not excluded; *first is nrow where there is none. */
void cf_step_ends(const struct cf_dataset *d, size_t *first, size_t *last);

static inline double cf_step_time(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_value(d, row, CF_STEP_TIME);
}

/* velocity_step_hand.c: where a fit looks for times of steps, and where it begins. */
int cf_step_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                  struct cf_error *err);
int cf_step_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                 struct cf_error *err);

/* velocity_step_setting.c: what a further record may be made at. */
enum { CF_STEP_NSETTING = 2 };
extern const struct cf_setting cf_step_setting[CF_STEP_NSETTING];

#endif
