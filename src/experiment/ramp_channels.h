/* The channels and the apparatus of ramps; private to their files. */

#ifndef CF_EXPERIMENT_RAMP_CHANNELS_H
#define CF_EXPERIMENT_RAMP_CHANNELS_H

#include "experiment/protocol.h"
#include "experiment/slider.h"

enum cf_ramp_channel {
    CF_RAMP_TIME,
    CF_RAMP_DISPLACEMENT,
    CF_RAMP_LOAD,
    CF_RAMP_FORCE,
    CF_RAMP_NCHANNEL
};

enum cf_ramp_apparatus {
    CF_RAMP_APPARATUS_LOAD,
    CF_RAMP_MASS,
    CF_RAMP_STIFFNESS,
    CF_RAMP_RATIO,
    CF_RAMP_DAMPING,
    CF_RAMP_BACKLASH,
    CF_RAMP_DELAY,
    CF_RAMP_BANDWIDTH,
    CF_RAMP_ORDER,
    CF_RAMP_DEFLECTION,
    CF_RAMP_SMOOTHING, /* rules by which the record is read, from here on */
    CF_RAMP_SUBSTEPS,
    CF_RAMP_GAP,
    CF_RAMP_TURN,
    CF_RAMP_NAPPARATUS
};

/* Of the rows of one piece. */
int cf_ramp_predict(void *work, const struct cf_request *q, struct cf_response *out,
                    struct cf_error *err);

/* Which of both is imposed, the other being measured. */
enum cf_ramp_channel cf_ramp_driven(const struct cf_dataset *d);

/* The load of a row, from its column or the apparatus; NAN: none is known. */
double cf_ramp_load(const struct cf_dataset *d, size_t row);

/* What a row needs, and the record: where it is cut, and the drive of each piece. */
int cf_ramp_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                      struct cf_error *err);
int cf_ramp_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                     struct cf_error *err);

/* Where the deflection at the start is sought, and how well the first force determines it. */
int cf_ramp_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                  struct cf_error *err);
int cf_ramp_is_unknown(const struct cf_dataset *d, size_t parameter, bool *unknown, double *sd,
                       struct cf_error *err);

/* What drives the record at another cutoff [Hz]; NULL: it has no rows. The caller releases it. */
int cf_ramp_drive(const struct cf_dataset *d, double cutoff_Hz, struct cf_recorded_drive **out,
                  struct cf_error *err);

/* The levels between which the force goes, and their middle, the zero of its sensor: 0 unless the
 * block slid to both sides, so that they are those of friction. All 0 where nothing is known. */
struct cf_ramp_levels {
    double load_N, level_N, middle_N;
    double way_m;   /* in which the force goes from one level to their middle; 0: not known */
    double noise_N; /* the sd of a row's force, from second differences */

    /* The work of the drive over that against friction at its level all the way, of the ways forth
     * and of those back, the lesser and the greater: 0 on springs or where there are none, below 0
     * where the force is read with the wrong sign. */
    double least_sliding, most_sliding;
};

int cf_ramp_levels(const struct cf_dataset *d, struct cf_ramp_levels *out, struct cf_error *err);

/* A block slides on ways of which that is above this; below its negative, the force is turned. */
#define CF_RAMP_SLIDING 0.25

/* Has it slid to both sides, so that both levels were seen? */
bool cf_ramp_slides(const struct cf_ramp_levels *levels);

/* Friction and stiffness by hand: [G07] 3.46. */
int cf_ramp_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                 struct cf_error *err);

#endif
