/* The impact protocol: one body meets another at a known speed, or falls on it from a known
 * height, and restitution, contact time, peak compression, peak force, rebound speed or rebound
 * height are measured, in any subset.
 *
 *   v = speed, or sqrt(2 g h_0);   rebound speed = e v;   rebound height = (e v)^2/(2 g)
 *
 * Heights are those of the same point of the body above its height at touch. The flight is free
 * of drag and the weight is neglected during the contact: the peak force is then many weights.
 */

#include <math.h>
#include <stdio.h>

#include "experiment/rows.h"

enum {
    SPEED,
    DROP_HEIGHT,
    RESTITUTION,
    REBOUND_SPEED,
    REBOUND_HEIGHT,
    DURATION,
    DEPTH,
    PEAK_FORCE,
    NCOLUMN
};

static const char *const speed_names[] = {"v", "velocity", "impact_speed", "v_in", "vi", NULL};
static const char *const drop_names[] = {"h0", "h_0", "height", "drop", NULL};
static const char *const restitution_names[] = {"e", "cor", "restitution_coefficient", NULL};
static const char *const rebound_names[] = {"v_out", "vo", "rebound_velocity", NULL};
static const char *const height_names[] = {"h1", "h_1", "bounce_height", NULL};
static const char *const duration_names[] = {"contact_time", "t_c", "tc", NULL};
static const char *const depth_names[] = {"compression", "penetration", "indentation", NULL};
static const char *const force_names[] = {"force_peak", "f_max", "fmax", "force", NULL};

/* Ranges cover anything that can be dropped on a bench: 1 um/s to 10 km/s, 1 ns to 10 s. */
static const struct cf_column column[NCOLUMN] = {
    [SPEED] = {"speed", "m/s", "approach speed at first touch", CF_ROLE_IMPOSED, 1e-6, 1e4, false,
               speed_names},
    [DROP_HEIGHT] = {"drop_height", "m", "height of free fall before the impact", CF_ROLE_IMPOSED,
                     1e-9, 1e4, false, drop_names},
    [RESTITUTION] = {"restitution", "1", "rebound speed over approach speed", CF_ROLE_MEASURED, 0,
                     10, true, restitution_names},
    [REBOUND_SPEED] = {"rebound_speed", "m/s", "speed after the impact", CF_ROLE_MEASURED, 0, 1e4,
                       true, rebound_names},
    [REBOUND_HEIGHT] = {"rebound_height", "m", "height of the first rebound", CF_ROLE_MEASURED, 0,
                        1e4, true, height_names},
    [DURATION] = {"duration", "s", "contact time, first touch to first zero of the force",
                  CF_ROLE_MEASURED, 1e-9, 10, false, duration_names},
    [DEPTH] = {"depth", "m", "peak compression", CF_ROLE_MEASURED, 1e-12, 10, false, depth_names},
    [PEAK_FORCE] = {"peak_force", "N", "largest force during the contact", CF_ROLE_MEASURED, 1e-9,
                    1e12, false, force_names},
};

static size_t imposed(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_has(d, row, SPEED) ? SPEED : DROP_HEIGHT;
}

static double fall_speed(double height_m, double gravity_m_s2)
{
    return sqrt(2 * gravity_m_s2 * height_m);
}

static double abscissa(const struct cf_dataset *d, size_t row)
{
    if (imposed(d, row) == SPEED)
        return cf_dataset_value(d, row, SPEED);
    return fall_speed(cf_dataset_value(d, row, DROP_HEIGHT), d->pair.gravity_m_s2);
}

/* A speed and a drop height in one row must agree. Drag and a rough height make some difference; a
 * factor of 1.5 is a wrong unit. */
static int check_fall(const struct cf_dataset *d, size_t row, struct cf_error *err)
{
    const double most = 1.5;
    double v = cf_dataset_value(d, row, SPEED), h = cf_dataset_value(d, row, DROP_HEIGHT);
    double fall = fall_speed(h, d->pair.gravity_m_s2);

    if (fall < most * v && v < most * fall)
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   "speed %g m/s against drop_height %g m is implausible: a fall from there ends "
                   "at %.3g m/s, and %g m/s takes %.3g m; is one of them in another unit (mm, cm)?",
                   v, h, fall, v, v * v / (2 * d->pair.gravity_m_s2));
}

/* No rebound may exceed its impact by more than 3 sigma. */
static int check_gain(const struct cf_dataset *d, size_t row, size_t out, double whole, char note[],
                      size_t size, struct cf_error *err)
{
    const struct cf_column *c = &column[out];
    double value = cf_dataset_value(d, row, out), sigma = cf_dataset_sigma(d, row, out);
    const char *unit = out == RESTITUTION ? "" : c->unit, *space = *unit ? " " : "";

    if (value <= whole)
        return CF_OK;
    if (value <= whole + 3 * sigma) {
        snprintf(note, size, "%s %g%s%s is above %g%s%s but within 3 sigma (%g): accepted", c->name,
                 value, space, unit, whole, space, unit, sigma);
        return CF_OK;
    }
    return cf_fail(err, CF_EINPUT,
                   "%s %g%s%s: must be at most %g%s%s + 3 sigma%s; an impact gives back no more "
                   "than it got",
                   c->name, value, space, unit, whole, space, unit,
                   sigma > 0 ? "" : " (and no sigma is given)");
}

static int check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                     struct cf_error *err)
{
    bool has_speed = cf_dataset_has(d, row, SPEED), has_drop = cf_dataset_has(d, row, DROP_HEIGHT);
    double v, g = d->pair.gravity_m_s2;

    if (size)
        note[0] = '\0';
    if (!has_speed && !has_drop)
        return cf_fail(err, CF_EINPUT, "neither speed nor drop_height: one of them is needed");
    if (has_speed && has_drop) {
        int status = check_fall(d, row, err);
        if (status)
            return status;
    }
    v = abscissa(d, row);
    const double whole[NCOLUMN] = {
        [RESTITUTION] = 1, [REBOUND_SPEED] = v, [REBOUND_HEIGHT] = v * v / (2 * g)};
    for (size_t i = RESTITUTION; i <= REBOUND_HEIGHT; i++) {
        int status = CF_OK;
        if (cf_dataset_has(d, row, i))
            status = check_gain(d, row, i, whole[i], note, size, err);
        if (status)
            return status;
    }
    return CF_OK;
}

/* Copy one answer of the impact to a column. */
static void take(const struct cf_impact *impact, enum cf_impact_what what, size_t nparam,
                 double dv_dimposed, size_t to, struct cf_prediction *out)
{
    if (!impact->known[what])
        return;
    out->known |= 1u << to;
    out->value[to] = impact->value[what];
    out->by_imposed[to] = impact->by_speed[what] * dv_dimposed;
    for (size_t i = 0; i < nparam; i++)
        out->by_param[to][i] = impact->by_param[what][i];
}

/* The rebound's speed u = e v and height u^2/(2 g) from e. */
static void rebound(double v, double g, size_t nparam, double dv_dimposed,
                    struct cf_prediction *out)
{
    double e = out->value[RESTITUTION], u = e * v;
    double du = out->by_imposed[RESTITUTION] * v + e * dv_dimposed;

    out->known |= 1u << REBOUND_SPEED | 1u << REBOUND_HEIGHT;
    out->value[REBOUND_SPEED] = u;
    out->value[REBOUND_HEIGHT] = u * u / (2 * g);
    out->by_imposed[REBOUND_SPEED] = du;
    out->by_imposed[REBOUND_HEIGHT] = u / g * du;
    for (size_t i = 0; i < nparam; i++) {
        double slope = v * out->by_param[RESTITUTION][i];
        out->by_param[REBOUND_SPEED][i] = slope;
        out->by_param[REBOUND_HEIGHT][i] = u / g * slope;
    }
}

static void take_all(const struct cf_impact *impact, size_t nparam, double dv_dimposed, double v,
                     double g, struct cf_prediction *out)
{
    take(impact, CF_IMPACT_RESTITUTION, nparam, dv_dimposed, RESTITUTION, out);
    take(impact, CF_IMPACT_DURATION, nparam, dv_dimposed, DURATION, out);
    take(impact, CF_IMPACT_DEPTH, nparam, dv_dimposed, DEPTH, out);
    take(impact, CF_IMPACT_FORCE, nparam, dv_dimposed, PEAK_FORCE, out);
    if (impact->known[CF_IMPACT_RESTITUTION])
        rebound(v, g, nparam, dv_dimposed, out);
}

static int predict(struct cf_curves *curves, const struct cf_law *law, const double p[],
                   const struct cf_dataset *d, size_t row, struct cf_prediction *out,
                   struct cf_error *err)
{
    struct cf_impact impact;
    double g = d->pair.gravity_m_s2, v = abscissa(d, row);
    double dv = imposed(d, row) == SPEED ? 1 : g / v;
    int status = cf_impact(curves, law, p, d->pair.mass_kg, v, &impact, err);

    if (status)
        return status;
    out->known = 0;
    take_all(&impact, law->nparam, dv, v, g, out);
    return CF_OK;
}

static int integrate(const struct cf_law *law, const double p[], const struct cf_dataset *d,
                     size_t row, double tolerance, struct cf_prediction *out, struct cf_error *err)
{
    struct cf_impact impact = {.known = {false}};
    double g = d->pair.gravity_m_s2, v = abscissa(d, row);
    int status = cf_impact_integrate(law, p, d->pair.mass_kg, v, tolerance, impact.value, err);

    if (status)
        return status;
    for (size_t i = 0; i < CF_NIMPACT; i++)
        impact.known[i] = true;
    *out = (struct cf_prediction){.known = 0};
    take_all(&impact, 0, 0, v, g, out);
    return CF_OK;
}

const struct cf_protocol cf_protocol_impact = {
    .name = "impact",
    .what = "drops and collisions: restitution, contact time, compression, force against speed",
    .ncolumn = NCOLUMN,
    .column = column,
    .check_row = check_row,
    .imposed = imposed,
    .abscissa = abscissa,
    .predict = predict,
    .integrate = integrate,
};
