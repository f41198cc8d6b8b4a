/* A record of heights that is being cut into flights; private to the files that do it. */

#ifndef CF_EXPERIMENT_BOUNCE_HEIGHTS_RECORD_H
#define CF_EXPERIMENT_BOUNCE_HEIGHTS_RECORD_H

#include "experiment/bounce_heights.h"
#include "experiment/bounce_track.h"

/* A flight of the record: its samples are rows first to last. */
struct cf_heights_flight {
    struct cf_track_flight fit;
    size_t throw, first_row, last_row;
    bool is_last;            /* of the throw, as it was cut; then */
    double rise_m;           /* what a flight has to rise by, */
    double end_s;            /* the last sample of the throw, */
    double lowest_m, high_m; /* and what those behind the flight lie between */
};

struct cf_heights_record {
    struct cf_dataset *d;
    const struct cf_remarks *remarks;
    const char *file;
    struct cf_track track;
    size_t *row, *low; /* of the track's samples; and its lowest ones */
    double *work;
    size_t turns_up, turns_down; /* sharp ones, of heights as they are read */
    size_t n;
    struct cf_heights_flight *flight;
};

/* The row nearest to a flight's highest point, and how far that is above contact. */
size_t cf_heights_row(const struct cf_dataset *d, const struct cf_heights_flight *f);
double cf_heights_above_contact(const struct cf_heights_record *r,
                                const struct cf_heights_flight *f);

/* Count the sharp turns of the throw that is in the track; then, of all throws: are heights read
 * upwards? CF_EINPUT: downwards (bounce_heights_check.c). */
void cf_heights_count_turns(struct cf_heights_record *r);
int cf_heights_check_upwards(const struct cf_heights_record *r, struct cf_error *err);

/* Do the heights fall so differently from what gravity and drag have that a unit or a rate of
 * frames is another? The check is CF_EINPUT then, which says by how much; and of less a note is
 * told. */
bool cf_heights_fall_otherwise(const struct cf_heights_record *r);
int cf_heights_check_fall(const struct cf_heights_record *r, struct cf_error *err);
int cf_heights_tell_scale(const struct cf_heights_record *r, struct cf_error *err);

/* From the end of flight f[0] to the begin of f[1] where both touch at a height; negative: they
 * overlap. And do they meet at the stated one? CF_EINPUT: most do not.
 */
double cf_heights_between(const struct cf_heights_record *r, const struct cf_heights_flight *f,
                          double contact_m);
int cf_heights_check_contact(struct cf_heights_record *r, struct cf_error *err);

/* Say how throws end, once their ratios are there (bounce_heights_end.c). */
int cf_heights_tell_ends(struct cf_heights_record *r, struct cf_error *err);

#endif
