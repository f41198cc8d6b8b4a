/* One more record of stick-slip, at another speed of the plate. */

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#include "experiment/plate.h"
#include "experiment/stick_slip_channels.h"

/* As that of fits; no derivatives hang on it here. */
static const double TOLERANCE = 1e-9;

/* The plate has run for as long as the record, or so many swings of the block on its spring, before
 * it begins: the cycles are then those that it comes to, wherever its spring was at first, and a
 * swing that does not last is over. */
static const double WARM_UP_SWINGS = 50;

static bool varies(size_t parameter)
{
    return parameter == CF_STICK_SPEED || parameter == CF_STICK_RIPPLE_RATE ||
           parameter == CF_STICK_RIPPLE_COSINE || parameter == CF_STICK_RIPPLE_SINE;
}

static double read_speed(const struct cf_dataset *d, bool *done)
{
    *done = true;
    return d->apparatus[CF_STICK_SPEED];
}

static void ends(const struct cf_dataset *d, double *first_s, double *last_s)
{
    *first_s = *last_s = (double) NAN;
    for (size_t row = 0; row < d->nrow; row++) {
        double t = cf_dataset_value(d, row, CF_STICK_TIME);
        *first_s = isnan(*first_s) ? t : *first_s;
        *last_s = isnan(t) ? *last_s : t;
    }
}

/* The force of the spring from which the run begins: that of the first trough. */
static double trough_of(const struct cf_dataset *d)
{
    for (size_t row = 0; row < d->nrow; row++)
        if (cf_dataset_has(d, row, CF_STICK_TROUGH))
            return cf_dataset_value(d, row, CF_STICK_TROUGH);
    return 0;
}

static double swing(const double a[])
{
    return 2 * M_PI * sqrt(a[CF_STICK_MASS] / a[CF_STICK_STIFFNESS]);
}

/* No cycle is shorter than a swing of the block on its spring, and the steps that one cycle may
 * take are known. */
static size_t most_steps(const double a[], double time_s)
{
    return (size_t) (CF_STICK_MOST_STEPS * fmin(1 + time_s / swing(a), CF_SETTING_MOST_ROWS));
}

static int run(const struct cf_plate *plate, const double apparatus[], struct cf_dataset *out,
               struct cf_error *err)
{
    const struct cf_plate_columns none = {0, NULL};
    size_t n = out->nrow;
    double *y = malloc((2 * n + 1) * sizeof *y);
    struct cf_plate_samples to = {.n = n,
                                  .time_s = out->series[CF_STICK_TIME].value,
                                  .force_N = y,
                                  .place_m = y ? y + n : NULL};
    double time_s = to.time_s[n - 1] - plate->number[CF_PLATE_TROUGH_S];
    int status = y ? cf_plate_run(plate, &none, TOLERANCE, most_steps(apparatus, time_s), &to, err)
                   : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);

    for (size_t i = 0; i < n && !status; i++) {
        status = cf_dataset_put(out, i, CF_STICK_FORCE, to.force_N[i], 0, err);
        if (!status)
            status = cf_dataset_put(out, i, CF_STICK_PLACE, to.place_m[i], 0, err);
    }
    free(y);
    return status;
}

static void drop_missing(const struct cf_dataset *like, struct cf_dataset *out)
{
    static const size_t read[] = {CF_STICK_FORCE, CF_STICK_PLACE};

    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (!like->series[read[i]].value)
            cf_dataset_drop(out, read[i]);
    cf_dataset_drop(out, CF_STICK_LOAD); /* the first row's is in the apparatus */
    cf_dataset_drop(out, CF_STICK_TROUGH_AT);
    cf_dataset_drop(out, CF_STICK_TROUGH);
}

static int record(const struct cf_dataset *like, const struct cf_law *law, const double value[],
                  double setting, double length_s, struct cf_dataset *out, struct cf_error *err)
{
    const double *apparatus = value + cf_apparatus_value(law, 0);
    struct cf_plate plate = {.law = law->friction, .p = value + cf_law_friction_from(law)};
    double first_s, last_s, load = cf_stick_load(like), begin_s;
    int status;

    ends(like, &first_s, &last_s);
    length_s = isnan(length_s) ? last_s - first_s : length_s;
    begin_s = first_s + fmax(length_s, WARM_UP_SWINGS * swing(apparatus));
    status = cf_setting_rows(like, apparatus, CF_STICK_TIME, begin_s, begin_s + length_s,
                             cf_setting_step(like, CF_STICK_TIME), out, err);
    if (status)
        return status;
    out->apparatus[CF_STICK_SPEED] = setting;
    if (!(out->apparatus[CF_STICK_APPARATUS_LOAD] > 0))
        out->apparatus[CF_STICK_APPARATUS_LOAD] = load;
    cf_stick_plate(out->apparatus, &plate);
    plate.number[CF_PLATE_TROUGH_S] = first_s;
    plate.number[CF_PLATE_TROUGH_N] = trough_of(like);
    status = run(&plate, out->apparatus, out, err);
    if (!status)
        drop_missing(like, out);
    return status;
}

const struct cf_setting cf_stick_setting[CF_STICK_NSETTING] = {{.name = "plate_speed",
                                                                .unit = "m/s",
                                                                .one = "a plate speed",
                                                                .many = "plate speeds",
                                                                .what = "speed of the plate",
                                                                .lower = 1e-12,
                                                                .upper = 1e3,
                                                                .varies = varies,
                                                                .read = read_speed,
                                                                .record = record}};
