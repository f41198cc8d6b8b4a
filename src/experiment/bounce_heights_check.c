/* Are heights read upwards, do they fall as they should, and do the flights of a throw meet at the
 * height of contact? Pictures count their rows downwards; and a film that follows the ball's centre
 * reads its radius at contact: with 0 in its place every restitution is off. */

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "core/decimal.h"
#include "core/text.h"
#include "experiment/bounce_channels.h"
#include "experiment/bounce_heights_record.h"
#include "experiment/flight.h"

/* From the median of |deviations| to an sd, and from that to the sd of a median, of a normal
 * distribution. */
static const double SD_OF_MEDIAN_DEVIATION = 1.4826, SD_OF_MEDIAN = 1.2533;

static double median(double x[], size_t n)
{
    gsl_sort(x, 1, n);
    return gsl_stats_median_from_sorted_data(x, 1, n);
}

/* ---- which way is up */

/* A turn is as sharp as this many sds of the usual second differences, and this part of the
 * sharpest one: of a ball that rests for half a record, in whole pixels, usual is 0. */
static const double SHARP = 6, OF_SHARPEST = 0.25;

/* By fewer of them nothing is known; and a sample that was misread makes one turn down and two up.
 */
enum { LEAST_TURNS = 3, OF_MISREAD = 2 };

void cf_heights_count_turns(struct cf_heights_record *r)
{
    const double *h = r->track.height_m;
    size_t n = r->track.n < 3 ? 0 : r->track.n - 2;
    double limit, sharpest = 0;

    for (size_t i = 0; i < n; i++) {
        r->work[i] = fabs(h[i] - 2 * h[i + 1] + h[i + 2]);
        sharpest = fmax(sharpest, r->work[i]);
    }
    limit =
        n ? fmax(SHARP * SD_OF_MEDIAN_DEVIATION * median(r->work, n), OF_SHARPEST * sharpest) : 0;
    for (size_t i = 0; i < n; i++) {
        double bend = h[i] - 2 * h[i + 1] + h[i + 2];
        r->turns_up += bend > limit;
        r->turns_down += bend < -limit;
    }
}

int cf_heights_check_upwards(const struct cf_heights_record *r, struct cf_error *err)
{
    if (r->turns_down <= LEAST_TURNS || r->turns_down <= OF_MISREAD * r->turns_up)
        return CF_OK;
    return cf_fail(err, CF_EINPUT,
                   "%s: heights turn sharply downwards at %zu places and upwards at %zu: a ball "
                   "does so upwards, where it bounces; these are read downwards (columns: {height: "
                   "{scale: -1}})",
                   r->file, r->turns_down, r->turns_up);
}

/* ---- how heights fall */

/* How much more flights curve than gravity and drag have them, and its sd, by what is left about
 * paths of that curvature. */
struct fall {
    double scale, sd;
};

/* Less than `enough` moves nothing here. A ruler beside the ball is right to some per cent: what is
 * off by a factor of `gross` is no calibration. */
static const double enough = 0.005, sure = 4, gross = 1.2;

/* false: by no more than chance. */
static bool find_fall(const struct cf_heights_record *r, struct fall *fall)
{
    double weight = 0, sum = 0, squares = 0, dof = 0;

    for (size_t i = 0; i < r->n; i++) {
        const struct cf_track_flight *fit = &r->flight[i].fit;
        weight += 1 / fit->scale_v;
        sum += fit->scale / fit->scale_v;
        squares += fit->square - fit->scale * fit->scale / fit->scale_v;
        dof += (double) fit->n - 3;
    }
    fall->scale = sum / weight;
    fall->sd = sqrt((r->track.sigma_m ? 1 : squares / dof) / weight);
    return dof > 0 && fabs(fall->scale) > sure * fall->sd; /* of no flights: NAN */
}

bool cf_heights_fall_otherwise(const struct cf_heights_record *r)
{
    struct fall fall;

    return find_fall(r, &fall) && !(1 + fall.scale < gross && 1 + fall.scale > 1 / gross);
}

int cf_heights_check_fall(const struct cf_heights_record *r, struct cf_error *err)
{
    struct fall fall;
    double g = r->d->pair.gravity_m_s2, ratio;
    char falls[2 * CF_DECIMAL], mend[240] = "";

    if (!find_fall(r, &fall) || !cf_heights_fall_otherwise(r))
        return CF_OK;
    ratio = 1 + fall.scale;
    if (ratio > sure * fall.sd)
        snprintf(mend, sizeof mend,
                 ", %s%.3g %s it: times are %.3g times too %s, as where frames were taken at "
                 "another rate (columns: {time: {from: ..., scale: %.4g}}), or heights %.3g times "
                 "too %s (columns: {height: {from: ..., scale: %.4g}})",
                 ratio < 1 ? "1/" : "", fmax(ratio, 1 / ratio), ratio < 1 ? "of" : "times",
                 fmax(sqrt(ratio), sqrt(1 / ratio)), ratio < 1 ? "long" : "short", sqrt(ratio),
                 fmax(ratio, 1 / ratio), ratio < 1 ? "small" : "large", 1 / ratio);
    return cf_fail(
        err, CF_EINPUT,
        "%s: data set %s: heights fall with %s m/s^2 where the gravity stated is %.4g m/s^2%s",
        r->file, r->d->name, cf_decimal_plus_minus(g * ratio, g * fall.sd, falls, sizeof falls), g,
        mend);
}

int cf_heights_tell_scale(const struct cf_heights_record *r, struct cf_error *err)
{
    struct fall fall;
    char both[2 * CF_DECIMAL];

    if (!find_fall(r, &fall) || !(fabs(fall.scale) > enough))
        return CF_OK;
    return cf_bounce_remark(
        r->remarks,
        cf_format("data set %s: the flights curve %s times as much as gravity has them: "
                  "heights or times are read on another scale (columns: {height: {scale: %.4g}} "
                  "would mend it)",
                  r->d->name, cf_decimal_plus_minus(1 + fall.scale, fall.sd, both, sizeof both),
                  1 / (1 + fall.scale)),
        err);
}

/* ---- where flights meet */

/* So far from the stated height, in sds, the flights surely meet elsewhere. */
static const double SURE = 4;

/* No contact lasts longer: flights that are further apart meet lower than is stated. */
static const double LONGEST_CONTACT_S = 0.01;

/* Fewer neighbours show no height of their own. */
enum { LEAST = 3 };

double cf_heights_between(const struct cf_heights_record *r, const struct cf_heights_flight *f,
                          double contact_m)
{
    double g = r->d->pair.gravity_m_s2, kappa = cf_bounce_drag(r->d, r->d->apparatus);

    return f[1].fit.time_s - cf_rise_time(f[1].fit.apex_m - contact_m, g, kappa) - f->fit.time_s -
           cf_fall_time(f->fit.apex_m - contact_m, g, kappa);
}

/* Where two flights would meet: with heights h and h' above it, (sqrt(h) + sqrt(h'))^2 = g T^2/2 of
 * the time T between their highest points, and h - h' is known. */
static double meets_at(const struct cf_heights_record *r, const struct cf_heights_flight *f)
{
    double sum = (f[1].fit.time_s - f->fit.time_s) * sqrt(r->d->pair.gravity_m_s2 / 2);
    double root = (sum + (f->fit.apex_m - f[1].fit.apex_m) / sum) / 2;

    return f->fit.apex_m - root * root;
}

struct meeting {
    size_t n, apart; /* neighbours, and those that do not meet at the stated height */
    double height_m, sd_m, between_s;
};

/* By the record's work, which has room for 2 values of each flight. */
static struct meeting find(struct cf_heights_record *r)
{
    double *height = r->work, *between = r->work + r->n,
           stated = r->d->apparatus[CF_HEIGHTS_CONTACT];
    struct meeting m = {.n = 0};

    for (size_t i = 0; i + 1 < r->n; i++) {
        const struct cf_heights_flight *f = &r->flight[i];
        if (f->throw != f[1].throw)
            continue;
        height[m.n] = meets_at(r, f);
        between[m.n] = cf_heights_between(r, f, stated);
        /* a flight that never rises above contact has its own message */
        if (isnan(height[m.n]) || isnan(between[m.n]))
            continue;
        m.apart += fabs(between[m.n++]) > r->d->rule[CF_HEIGHTS_MEET];
    }
    if (m.n < LEAST)
        return m;
    m.between_s = median(between, m.n);
    m.height_m = median(height, m.n);
    for (size_t i = 0; i < m.n; i++)
        height[i] = fabs(height[i] - m.height_m);
    m.sd_m = SD_OF_MEDIAN * SD_OF_MEDIAN_DEVIATION * median(height, m.n) / sqrt((double) m.n);
    return m;
}

/* How far the stated height lies above that of contact, by how the time between two flights goes
 * with their speeds v and v': it is that of contact, plus off (1/v + 1/v'). */
struct level {
    double off_m, sd_m, dof;
};

/* With contacts that last as v^-power. */
static struct level find_level(const struct cf_heights_record *r, double power)
{
    double stated = r->d->apparatus[CF_HEIGHTS_CONTACT], g = r->d->pair.gravity_m_s2;
    double kappa = cf_bounce_drag(r->d, r->d->apparatus), n = 0;
    double uu = 0, ux = 0, xx = 0, uy = 0, xy = 0, yy = 0;

    for (size_t i = 0; i + 1 < r->n; i++) {
        const struct cf_heights_flight *f = &r->flight[i];
        double y = cf_heights_between(r, f, stated);
        if (f->throw != f[1].throw || isnan(y) || fabs(y) > r->d->rule[CF_HEIGHTS_MEET])
            continue;
        double v = cf_fall_speed(f->fit.apex_m - stated, g, kappa).value;
        double back = cf_flight_launch_of_landing(
            cf_fall_speed(f[1].fit.apex_m - stated, g, kappa).value, g, kappa);
        double u = pow(v, -power), x = 1 / v + 1 / back;
        uu += u * u;
        ux += u * x;
        xx += x * x;
        uy += u * y;
        xy += x * y;
        yy += y * y;
        n++;
    }
    double det = uu * xx - ux * ux, off = (uu * xy - ux * uy) / det, by = (xx * uy - ux * xy) / det;
    double left = fmax(yy - off * xy - by * uy, 0);
    return (struct level){off, sqrt(left / (n - 2) * uu / det), n - 2};
}

/* Is it off for sure, whether contacts last equally long or, as those of elastic spheres, a little
 * longer where slow? By less than what the ball falls in the longest contact it may seem so. */
static bool is_level_off(const struct cf_heights_record *r, struct level *level)
{
    double least_m = r->d->pair.gravity_m_s2 * gsl_pow_2(LONGEST_CONTACT_S);
    static const double power[] = {0.2, 0};
    bool off = true;

    for (size_t i = 0; i < sizeof power / sizeof *power && off; i++) {
        *level = find_level(r, power[i]);
        off = level->dof > 1 && fabs(level->off_m) > least_m &&
              gsl_cdf_tdist_Q(fabs(level->off_m) / level->sd_m, level->dof) <
                  gsl_cdf_ugaussian_Q(SURE);
    }
    return off;
}

static int contradict(struct cf_heights_record *r, char *contradiction, struct cf_error *err)
{
    r->d->contradiction = contradiction;
    r->d->contradicted = CF_HEIGHTS_CONTACT;
    return cf_bounce_remark(
        r->remarks, cf_format("data set %s: %s", r->d->name, contradiction ? contradiction : ""),
        err);
}

int cf_heights_check_contact(struct cf_heights_record *r, struct cf_error *err)
{
    double stated = r->d->apparatus[CF_HEIGHTS_CONTACT];
    struct meeting m = find(r);
    bool sure = m.n >= LEAST && fabs(m.height_m - stated) > SURE * m.sd_m;

    if (sure && 2 * m.apart > m.n)
        return cf_fail(err, CF_EINPUT,
                       "%s: %zu of %zu neighbouring flights do not meet at contact_height %.4g m "
                       "within rules: {meet: %.3g s}: they meet near %.3g m; apparatus: "
                       "{contact_height: } is the height as read at which the ball touches, its "
                       "radius where its centre is followed",
                       r->file, m.apart, m.n, stated, r->d->rule[CF_HEIGHTS_MEET], m.height_m);
    if (sure && (m.between_s < 0 || m.between_s > LONGEST_CONTACT_S))
        return contradict(
            r,
            cf_format("neighbouring flights %s by %.3g s at contact_height %.4g m, and would meet "
                      "near %.3g m: apparatus: {contact_height: } is the height as read at which "
                      "the ball touches",
                      m.between_s < 0 ? "overlap" : "are apart", fabs(m.between_s), stated,
                      m.height_m),
            err);
    struct level level;
    if (!is_level_off(r, &level))
        return CF_OK;
    return contradict(r,
                      cf_format("the time between neighbouring flights goes with 1/v, as where "
                                "contact_height %.4g m is %.2g +- %.1g m too %s: apparatus: "
                                "{contact_height: } is the height as read at which the ball "
                                "touches",
                                stated, fabs(level.off_m), level.sd_m,
                                level.off_m > 0 ? "high" : "low"),
                      err);
}
