/* A record of a ramp: where it is cut into pieces, and what drives each of them.
 *
 * The imposed displacement or force is differentiated, so that it is smoothed first (smoothing.h):
 * at the frequency that the study states, or at the one that cross-validation finds in the longest
 * piece. A gap in time cuts the record: what the surfaces did meanwhile is not known, and friction
 * begins anew with what is measured there.
 */

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "experiment/ramp_channels.h"

int cf_ramp_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                      struct cf_error *err)
{
    enum cf_ramp_channel driven = cf_ramp_driven(d);

    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_RAMP_TIME))
        return cf_fail(err, CF_EINPUT, "no time: a ramp's rows have one each");
    if (!cf_dataset_has(d, row, driven))
        return cf_fail(err, CF_EINPUT, "no %s: it is what the block is drawn by",
                       d->protocol->channel[driven].name);
    if (d->series[CF_RAMP_LOAD].value && !cf_dataset_has(d, row, CF_RAMP_LOAD))
        return cf_fail(err, CF_EINPUT,
                       "no load, which other rows have: give it, or exclude the "
                       "row");
    return CF_OK;
}

/* ---- pieces: runs of rows that count, without a gap between them */

struct record {
    const struct cf_dataset *d;
    size_t n, *row; /* those that count */
    double *t, *x;  /* room for n each */
    double spacing_s;
    size_t npiece, *first; /* of each piece, in row[]; npiece + 1 */
};

static void free_record(struct record *r)
{
    free(r->row);
    free(r->t);
    free(r->x);
    free(r->first);
}

static int gather(struct record *r, const struct cf_dataset *d, struct cf_error *err)
{
    *r = (struct record){.d = d};
    r->row = malloc((d->nrow + 1) * sizeof *r->row);
    r->t = malloc((d->nrow + 1) * sizeof *r->t);
    r->x = malloc((d->nrow + 1) * sizeof *r->x);
    r->first = malloc((d->nrow + 1) * sizeof *r->first);
    if (!r->row || !r->t || !r->x || !r->first)
        return cf_fail(err, CF_ENOMEM, "no memory for a record of %zu rows", d->nrow);
    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED) {
            r->t[r->n] = cf_dataset_value(d, row, CF_RAMP_TIME);
            r->row[r->n++] = row;
        }
    return CF_OK;
}

static int check_times(const struct record *r, size_t *row, struct cf_error *err)
{
    for (size_t i = 1; i < r->n; i++) {
        *row = r->row[i];
        if (!(r->t[i] > r->t[i - 1]))
            return cf_fail(err, CF_EINPUT,
                           "time %.9g s behind %.9g s: a ramp's times must increase from row to "
                           "row",
                           r->t[i], r->t[i - 1]);
    }
    return CF_OK;
}

static void cut(struct record *r)
{
    double most = r->d->apparatus[CF_RAMP_GAP];

    for (size_t i = 1; i < r->n; i++)
        r->x[i - 1] = r->t[i] - r->t[i - 1];
    if (r->n > 1) {
        gsl_sort(r->x, 1, r->n - 1);
        r->spacing_s = gsl_stats_median_from_sorted_data(r->x, 1, r->n - 1);
    }
    for (size_t i = 0; i < r->n; i++)
        if (i == 0 || r->t[i] - r->t[i - 1] > most * r->spacing_s)
            r->first[r->npiece++] = i;
    r->first[r->npiece] = r->n;
}

/* ---- drives */

static struct cf_smoothing *smooth(struct record *r, size_t piece, size_t channel, double cutoff_Hz,
                                   struct cf_error *err)
{
    size_t from = r->first[piece], n = r->first[piece + 1] - from;

    for (size_t i = 0; i < n; i++)
        r->x[i] = cf_dataset_value(r->d, r->row[from + i], channel);
    return cf_smoothing_make(n, r->t + from, r->x, cutoff_Hz, err);
}

static size_t longest(const struct record *r)
{
    size_t best = 0;

    for (size_t p = 1; p < r->npiece; p++)
        if (r->first[p + 1] - r->first[p] > r->first[best + 1] - r->first[best])
            best = p;
    return best;
}

static int put_piece(struct record *r, size_t piece, double cutoff_Hz, struct cf_drive_piece *to,
                     struct cf_error *err)
{
    size_t from = r->first[piece], behind = r->first[piece + 1];
    struct cf_error why;

    to->from_s = r->t[from];
    to->to_s = r->t[behind - 1];
    to->driven = smooth(r, piece, cf_ramp_driven(r->d), cutoff_Hz, err);
    if (to->driven && r->d->series[CF_RAMP_LOAD].value)
        to->load = smooth(r, piece, CF_RAMP_LOAD, cutoff_Hz, err);
    if (to->driven && (to->load || !r->d->series[CF_RAMP_LOAD].value))
        return CF_OK;
    why = *err;
    return cf_fail(err, CF_EINPUT,
                   "the piece of the record from %.9g s to %.9g s, %zu row%s between gaps: %s "
                   "(exclude it, or apparatus: {gap: })",
                   to->from_s, to->to_s, behind - from, behind - from == 1 ? "" : "s", why.text);
}

/* Friction is in balance with the force where a piece begins: with the one that draws the block, or
 * with what its sensor shows beyond its zero: in the first row, for in a few it may have gone far.
 */
static int put_starts(struct record *r, struct cf_recorded_drive *drive, struct cf_error *err)
{
    struct cf_ramp_levels levels = {.middle_N = 0};
    int status = CF_OK;

    if (cf_ramp_driven(r->d) != CF_RAMP_FORCE)
        status = cf_ramp_levels(r->d, &levels, err);
    for (size_t p = 0; p < r->npiece; p++) {
        double force = cf_dataset_value(r->d, r->row[r->first[p]], CF_RAMP_FORCE);
        if (!isnan(force))
            drive->piece[p].start_N = force - levels.middle_N;
    }
    return status;
}

/* The drives of all pieces at this cutoff; 0: at the one that is chosen in the longest of them. */
static int make_drive(struct record *r, double cutoff_Hz, struct cf_recorded_drive **out,
                      struct cf_error *err)
{
    size_t main = longest(r);
    struct cf_recorded_drive *drive = cf_recorded_drive_make(r->npiece);
    int status = drive ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a drive");

    *out = NULL;
    if (!status)
        status = put_piece(r, main, cutoff_Hz, &drive->piece[main], err);
    if (!status)
        cutoff_Hz = cf_smoothing_cutoff_Hz(drive->piece[main].driven);
    for (size_t p = 0; p < r->npiece && !status; p++)
        if (p != main)
            status = put_piece(r, p, cutoff_Hz, &drive->piece[p], err);
    if (!status)
        status = put_starts(r, drive, err);
    if (status) {
        cf_recorded_drive_release(drive);
        return status;
    }
    *out = drive;
    return CF_OK;
}

int cf_ramp_drive(const struct cf_dataset *d, double cutoff_Hz, struct cf_recorded_drive **out,
                  struct cf_error *err)
{
    struct record r;
    int status = gather(&r, d, err);

    *out = NULL;
    if (!status && r.n) {
        cut(&r);
        status = make_drive(&r, cutoff_Hz, out, err);
    }
    free_record(&r);
    return status;
}

static int put_drive(struct record *r, struct cf_dataset *d, char note[], size_t size,
                     struct cf_error *err)
{
    double *cutoff_Hz = &d->apparatus[CF_RAMP_SMOOTHING];
    bool chosen = !(*cutoff_Hz > 0);
    const struct cf_channel_row *driven = &d->protocol->channel[cf_ramp_driven(d)];
    struct cf_recorded_drive *drive;
    int status = make_drive(r, chosen ? 0 : *cutoff_Hz, &drive, err);
    const struct cf_smoothing *main = status ? NULL : drive->piece[longest(r)].driven;

    if (status)
        return status;
    *cutoff_Hz = cf_smoothing_cutoff_Hz(main);
    if (size)
        snprintf(note, size,
                 "the %s is smoothed at %.3g Hz (%s; apparatus: {smoothing: }), which removes "
                 "a standard deviation of %.3g %s",
                 driven->name, *cutoff_Hz, chosen ? "chosen by cross-validation" : "as stated",
                 cf_smoothing_noise(main), driven->unit);
    cf_recorded_drive_release(d->drive);
    d->drive = drive;
    return CF_OK;
}

static int put_segments(const struct record *r, struct cf_dataset *d, struct cf_error *err)
{
    struct cf_segment *segment = calloc(r->npiece + 1, sizeof *segment);

    if (!segment)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu segments", r->npiece);
    for (size_t p = 0; p < r->npiece; p++) {
        size_t from = p ? r->row[r->first[p]] : 0;
        size_t behind = p + 1 < r->npiece ? r->row[r->first[p + 1]] : d->nrow;
        segment[p] = (struct cf_segment){from, behind - from};
    }
    free(d->segment);
    d->segment = segment;
    d->nsegment = r->npiece;
    return CF_OK;
}

/* Friction takes work from the drive. */
static int check_sign(const struct cf_dataset *d, struct cf_error *err)
{
    struct cf_ramp_levels levels;
    int status = cf_ramp_levels(d, &levels, err);

    if (!(levels.most_sliding < -CF_RAMP_SLIDING))
        return status;
    return cf_fail(err, CF_EINPUT,
                   "the force does work on the drive, %.2g of what friction at its level of %.3g N "
                   "takes from it: it is read against the motion, sign: -1 of its column turns it",
                   -levels.most_sliding, levels.level_N);
}

int cf_ramp_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                     struct cf_error *err)
{
    size_t *row = &about->row;
    struct record r;
    int status = gather(&r, d, err);

    if (size)
        note[0] = '\0';
    *row = 0;
    if (!status && r.n)
        *row = r.row[0];
    if (!status)
        status = check_times(&r, row, err);
    if (!status && r.n) {
        *row = r.row[0];
        cut(&r);
        status = check_sign(d, err);
        if (!status)
            status = put_drive(&r, d, note, size, err);
        if (!status)
            status = put_segments(&r, d, err);
    }
    free_record(&r);
    return status;
}
