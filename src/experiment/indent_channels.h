/* The channels and apparatus of the indentation protocol; private to its files. */

#ifndef CF_EXPERIMENT_INDENT_CHANNELS_H
#define CF_EXPERIMENT_INDENT_CHANNELS_H

#include "experiment/indent_probe.h"
#include "experiment/protocol.h"

enum cf_indent_channel {
    CF_INDENT_DEPTH,
    CF_INDENT_TIME,
    CF_INDENT_RATE,
    CF_INDENT_DIRECTION,
    CF_INDENT_FORCE,
    CF_INDENT_NCHANNEL
};

enum cf_indent_branch { CF_INDENT_LOADING, CF_INDENT_UNLOADING, CF_INDENT_NBRANCH };

enum cf_indent_apparatus {
    CF_INDENT_CONTACT,
    CF_INDENT_BIAS, /* of each branch */
    CF_INDENT_BIAS_END = CF_INDENT_BIAS + CF_INDENT_NBRANCH - 1,
    CF_INDENT_SLOPE,
    CF_INDENT_SLOPE_END = CF_INDENT_SLOPE + CF_INDENT_NBRANCH - 1,
    CF_INDENT_DRAG,
    CF_INDENT_ADHESION,
    CF_INDENT_ADHESION_RANGE,
    CF_INDENT_COMPLIANCE,
    CF_INDENT_SLOPE_IN_CONTACT,
    CF_INDENT_TILT,
    CF_INDENT_TILT_TOWARDS,
    CF_INDENT_SPHERE_RADIUS, /* sizes of the probe, from here */
    CF_INDENT_CYLINDER_RADIUS,
    CF_INDENT_CYLINDER_LENGTH,
    CF_INDENT_CONE_RADIUS,
    CF_INDENT_CONE_ANGLE,
    CF_INDENT_BOX_LENGTH,
    CF_INDENT_BOX_WIDTH,
    CF_INDENT_BOX_HEIGHT, /* to here */
    CF_INDENT_ONSET,
    CF_INDENT_RATE_ROWS,
    CF_INDENT_REVERSAL,
    CF_INDENT_RISE,
    CF_INDENT_BASELINE,
    CF_INDENT_NAPPARATUS
};

extern const struct cf_param cf_indent_apparatus[CF_INDENT_NAPPARATUS];

/* The rate of a row; 0 where nothing is said of it. */
double cf_indent_rate(const struct cf_dataset *d, size_t row);

/* Which branch a row belongs to: by the sign of its rate, at rest by its direction. */
enum cf_indent_branch cf_indent_branch(const struct cf_dataset *d, size_t row);

/* What is asked of a force: its value alone, its derivatives, that by the compliance of a rigid rig
 * too. */
enum cf_indent_wanted { CF_INDENT_VALUE, CF_INDENT_SLOPES, CF_INDENT_SLOPES_OF_RIG };

/* The force on the probe of a rig at `travel` [m] beyond the contact point, driven at drive_m_s.
 * NAN where the rig jumps into contact: attraction grows faster than it gives way. */
struct cf_indent_force {
    double force_N;
    double by_travel; /* [N/m] */
    double by_param[CF_MAX_PARAM];
    double by_apparatus[CF_INDENT_NAPPARATUS]; /* drag, adhesion and its range, compliance, tilt
                                                */
};

void cf_indent_force(const struct cf_law *law, const double p[], struct cf_indent_probe *probe,
                     const double apparatus[], double travel_m, double drive_m_s,
                     enum cf_indent_wanted wanted, struct cf_indent_force *out);

/* What a row alone must obey, and its record as a whole: which rows load and which unload, their
 * rates, and whether there is a contact with a baseline before it. *row is where it is not. */
int cf_indent_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                        struct cf_error *err);
int cf_indent_complete(struct cf_dataset *d, struct cf_record_about *about, char note[],
                       size_t size, struct cf_error *err);

/* What a record says of its contact by hand: F = level + k (depth - contact)^(3/2), or k V of a
 * probe that is stated, by least squares at each of some places of the contact point, the best of
 * them. Of one branch, in the order in which it is pressed in. */
struct cf_indent_contact {
    size_t n;      /* rows of the branch */
    size_t before; /* of them, above the contact point */
    double contact_m;
    double level_N, noise_N; /* without contact; from second differences of the force */
    double deepest_m, k;     /* k [N/m^1.5], [N/m^3] of a probe */
    double pressed_N;        /* at the deepest, beyond the level */
};

/* out->n = 0 where there are too few rows. Fails without memory. */
int cf_indent_find_contact(const struct cf_dataset *d, struct cf_indent_contact *out,
                           struct cf_error *err);

/* Where a fit looks for a number of the apparatus; starting values of a law. */
int cf_indent_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                    struct cf_error *err);
int cf_indent_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                   struct cf_error *err);

#endif
