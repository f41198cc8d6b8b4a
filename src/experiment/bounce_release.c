/* The first interval of a throw that was let fall from rest at a known height.
 *
 * The fall gives the speed v of the first impact, drag included, and v what the first interval is
 * to be. It becomes a reading like the others by a divisor: the interval of a flight that ends at
 * v, by the apparatus as it is stated; the ratio of both is nearly e. The divisor is a mere number
 * and has no error. That of the height belongs to the throw; it is in this one reading, and goes
 * into its variance. No stamp is asked of the release itself: the time of a fall would give its
 * height, but worse than a ruler does.
 *
 * The fall ends at the first stamp of the throw that is not left out. Where the first interval
 * does not follow from it, within what is usual of two intervals in a row, an impact was missed or
 * the height is not of this throw: it is then not used, which is said.
 */

#define _POSIX_C_SOURCE 200809L

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "core/text.h"
#include "experiment/bounce_channels.h"
#include "experiment/flight.h"

static const char *file_of(const struct cf_dataset *d)
{
    return d->file ? d->file : d->name;
}

/* The rows of a throw, and its height; row SIZE_MAX: it has none in a column. */
struct fall {
    size_t first, end, row;
    double height_m, sigma_m;
};

/* One height for the throw that begins at `first`, whichever of its rows have it. */
static int height_of(const struct cf_dataset *d, size_t first, struct fall *f, struct cf_error *err)
{
    *f = (struct fall){
        .first = first, .row = SIZE_MAX, .height_m = d->apparatus[CF_BOUNCE_RELEASE_HEIGHT]};
    for (f->end = first;
         f->end < d->nrow && cf_bounce_throw(d, f->end) == cf_bounce_throw(d, first); f->end++) {
        double height = cf_dataset_value(d, f->end, CF_BOUNCE_RELEASE);
        if (isnan(height))
            continue;
        if (f->row != SIZE_MAX && height != f->height_m)
            return cf_fail(err, CF_EINPUT,
                           "%s:%zu: release_height %.6g m, and %.6g m in line %zu of the same "
                           "throw: a throw has one; where another throw begins, name the column "
                           "that numbers them: columns: {throw: HEADER}",
                           file_of(d), d->line[f->end], height, f->height_m, d->line[f->row]);
        f->row = f->end;
        f->height_m = height;
        f->sigma_m = cf_dataset_sigma(d, f->end, CF_BOUNCE_RELEASE);
    }
    return CF_OK;
}

/* The first two impacts, where no impact is missing between them. */
static bool first_interval(const struct cf_dataset *d, const struct fall *f, size_t *from,
                           size_t *to)
{
    for (*from = f->first; *from < f->end && d->use[*from] == CF_ROW_EXCLUDED;)
        ++*from;
    for (*to = *from + 1; *to < f->end && d->use[*to] == CF_ROW_EXCLUDED;)
        ++*to;
    return *to < f->end && cf_dataset_has(d, *to, CF_BOUNCE_INTERVAL);
}

/* How far a first interval is from what the fall has it be, in sds of what is usual; 0 where
 * nothing is. */
static double off(const struct cf_trigger_rules *usual, double divisor, double interval,
                  const struct fall *f)
{
    double scatter;

    if (!usual)
        return 0;
    scatter = gsl_hypot3(usual->scatter, usual->jitter_s / divisor, f->sigma_m / f->height_m / 2);
    return (log(interval / divisor) - usual->intercept - usual->slope * log(divisor)) / scatter;
}

/* The heights stand where the readings are, and nowhere else. */
static int clear(struct cf_dataset *d, const struct fall *f, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t row = f->first; row < f->end && !status && d->series[CF_BOUNCE_RELEASE].value;
         row++)
        status = cf_dataset_put(d, row, CF_BOUNCE_RELEASE, (double) NAN, 0, err);
    return status;
}

static int put(struct cf_dataset *d, size_t row, const struct fall *f, double divisor, double v,
               double interval, struct cf_error *err)
{
    int status = cf_dataset_put(d, row, CF_BOUNCE_RELEASE, f->height_m, f->sigma_m, err);

    if (!status && f->sigma_m > 0) /* where only the apparatus has one, there is no column */
        d->series[CF_BOUNCE_RELEASE].kind = CF_SIGMA_GIVEN;
    if (!status)
        status = cf_dataset_put(d, row, CF_BOUNCE_INTERVAL, divisor, 0, err);
    if (!status)
        status = cf_dataset_put(d, row, CF_BOUNCE_SPEED, v, 0, err);
    return status ? status : cf_dataset_put(d, row, CF_BOUNCE_RATIO, interval / divisor, 0, err);
}

/* The fall of one throw. */
static int use(struct cf_dataset *d, const struct fall *f, const struct cf_trigger_rules *usual,
               const struct cf_remarks *remarks, struct cf_error *err)
{
    double kappa = cf_bounce_drag(d, d->apparatus), g = d->pair.gravity_m_s2;
    double height = f->height_m + d->apparatus[CF_BOUNCE_RELEASE_OFFSET];
    double v, divisor, interval, z;
    size_t from, to;
    int status = clear(d, f, err);

    if (status || !(f->height_m > 0) || !first_interval(d, f, &from, &to))
        return status;
    if (!(height > 0))
        return cf_fail(err, CF_EINPUT,
                       "%s:%zu: release_height %.6g m with a release_offset of %.6g m is no fall: "
                       "apparatus: {release_offset: } changes it",
                       file_of(d), d->line[from], f->height_m, height - f->height_m);
    v = cf_fall_speed(height, g, kappa).value;
    divisor = cf_flight(cf_flight_launch_of_landing(v, g, kappa), g, kappa).time_s +
              d->apparatus[CF_BOUNCE_CONTACT_TIME];
    if (!isfinite(divisor)) /* radius and mass are not known: the law's check says so */
        return CF_OK;
    interval = cf_dataset_value(d, to, CF_BOUNCE_INTERVAL);
    z = off(usual, divisor, interval, f);
    if (usual && !(fabs(z) < usual->penalty))
        return cf_bounce_remark(
            remarks,
            cf_format("%s:%zu: the first interval, %.4g s, does not follow a fall from %.4g m "
                      "(%.1f sd off): the height is not used (rules: {penalty: %.3g} is the "
                      "limit)",
                      file_of(d), d->line[from], interval, height, z, usual->penalty),
            err);
    return put(d, from, f, divisor, v, interval, err);
}

int cf_bounce_release(struct cf_dataset *d, const struct cf_trigger_rules *usual,
                      const struct cf_remarks *remarks, struct cf_error *err)
{
    struct fall f;
    int status = CF_OK;

    if (!d->series[CF_BOUNCE_RELEASE].value && !(d->apparatus[CF_BOUNCE_RELEASE_HEIGHT] > 0))
        return CF_OK;
    for (size_t row = 0; row < d->nrow && !status; row = f.end) {
        status = height_of(d, row, &f, err);
        if (!status)
            status = use(d, &f, usual, remarks, err);
    }
    return status;
}
