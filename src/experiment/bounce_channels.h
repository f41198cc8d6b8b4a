/* The channels, apparatus and rules of the bounce protocol; private to its files. */

#ifndef CF_EXPERIMENT_BOUNCE_CHANNELS_H
#define CF_EXPERIMENT_BOUNCE_CHANNELS_H

#include "experiment/protocol.h"

enum cf_bounce_channel {
    CF_BOUNCE_TIME,
    CF_BOUNCE_THROW,
    CF_BOUNCE_RELEASE,
    CF_BOUNCE_INTERVAL,
    CF_BOUNCE_SPEED,
    CF_BOUNCE_RATIO,
    CF_BOUNCE_RESTITUTION,
    CF_BOUNCE_NCHANNEL
};

enum cf_bounce_apparatus {
    CF_BOUNCE_DRAG,
    CF_BOUNCE_AIR_DENSITY,
    CF_BOUNCE_CONTACT_TIME,
    CF_BOUNCE_RELEASE_HEIGHT,
    CF_BOUNCE_RELEASE_OFFSET,
    CF_BOUNCE_GRAVITY,
    CF_BOUNCE_NAPPARATUS
};

enum cf_bounce_rule {
    CF_BOUNCE_PENALTY,
    CF_BOUNCE_MOST_MISSED,
    CF_BOUNCE_MOST_SPURIOUS,
    CF_BOUNCE_NRULE
};

extern const struct cf_param cf_bounce_rules[CF_BOUNCE_NRULE];

/* kappa of the ball's flight, see flight.h. */
double cf_bounce_drag(const struct cf_dataset *d, const double apparatus[]);

/* Pass a remark on, which is freed; NULL: there was no memory for it. */
int cf_bounce_remark(const struct cf_remarks *remarks, char *text, struct cf_error *err);

/* The number of a row's throw; does one begin at a row, at another number in the column or in
 * another group? Number them as they come: the numbers of a column may repeat (bounce_throws.c). */
size_t cf_bounce_throw(const struct cf_dataset *d, size_t row);
bool cf_bounce_begins(const struct cf_dataset *d, size_t row);
int cf_bounce_number_throws(struct cf_dataset *d, struct cf_error *err);

/* Stamps into throws and intervals (bounce_stamps.c); see struct cf_derived. */
int cf_bounce_derive(struct cf_dataset *d, const struct cf_remarks *remarks, struct cf_error *err);
/* The speed at which a row's interval ends, or the row's own. */
double cf_bounce_speed(const struct cf_dataset *d, size_t row);
bool cf_bounce_headline(const struct cf_dataset *d, size_t from, double v_m_s, double *value,
                        double *sigma);
int cf_bounce_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                        struct cf_error *err);
int cf_bounce_check_law(const struct cf_dataset *d, const struct cf_law *law, struct cf_error *err);
bool cf_bounce_stamped(const struct cf_dataset *d, size_t row, double ratio,
                       struct cf_stamped *out);

/* What stamps are when the sequence of intervals between them is explained best
 * (bounce_triggers.c). */
enum cf_trigger {
    CF_TRIGGER_IMPACT,
    CF_TRIGGER_SPURIOUS, /* no impact */
};

/* In the place of a number of missed impacts: their number is unknown. */
enum { CF_TRIGGER_LOST = 255 };

struct cf_trigger_rules {
    double penalty;           /* standard deviations of scatter that a word is worth */
    size_t missed, spurious;  /* in a row, at most */
    double intercept, slope;  /* ln(next interval/s) - ln(interval/s) = intercept + slope ln
                               * (interval/s) of two flights in a row */
    double scatter, jitter_s; /* sd of it: scatter^2 + (jitter_s/interval)^2 */
};

/* Explain n ascending stamps t[n] of one throw: kind[n]; missed[n], how many impacts were missed
 * between a stamp and the impact before it. */
int cf_triggers_explain(const struct cf_trigger_rules *rules, size_t n, const double t_s[],
                        enum cf_trigger kind[], unsigned char missed[], struct cf_error *err);

/* The line that ratios of successive intervals lie about, robustly, and their scatter. ratio[n] =
 * ln of next over this, interval[n] = ln of this. *known: are they enough?
 */
int cf_triggers_learn(size_t n, const double interval[], const double ratio[],
                      struct cf_trigger_rules *rules, bool *known, struct cf_error *err);

/* How throws end, said once they have their intervals (bounce_stamps_end.c). */
int cf_bounce_stamps_end(struct cf_dataset *d, const struct cf_remarks *remarks,
                         struct cf_error *err);

/* The first intervals of throws that were let fall from a known height; `usual`: what is usual of
 * two intervals, NULL where it is not known (bounce_release.c). */
int cf_bounce_release(struct cf_dataset *d, const struct cf_trigger_rules *usual,
                      const struct cf_remarks *remarks, struct cf_error *err);

#endif
