/* Is a record one of tosses? Each is looked at, its impacts are cut out as windows, and each window
 * begins as the flight before it says.
 *
 * A window begins at the last row that is surely before its impact, two rows before the first that
 * moves on with another velocity; the flight up to there has at least `flight_rows` rows without
 * impact and support. It ends before the next impact, or after `rows` rows. Rows of the flight say
 * how the window begins, and are left out of what is compared.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/toss_channels.h"

/* Why rows are in no window, or are its start. */
static const char because[] = "flight, or no window behind an impact";

/* What a record comes to. */
struct cut {
    struct cf_dataset *d;
    size_t nwindow, nimpact, ntoss;
    size_t room;
    struct cf_segment *segment;
    struct cf_recorded_drive *drive;
};

/* ---- a toss as such */

static double number_of(const struct cf_dataset *d, const struct cf_toss_rows *toss)
{
    return cf_dataset_value(d, toss->row[0], CF_TOSS_TOSS);
}

static double lowest_of(const struct cf_dataset *d, const struct cf_toss_rows *toss, size_t i)
{
    return toss->place[i][2] + cf_toss_lowest(toss->turn[i], d->apparatus[CF_TOSS_HALF_WIDTH],
                                              d->apparatus[CF_TOSS_CORNER]);
}

static double floor_under(const struct cf_dataset *d, const struct cf_toss_rows *toss, size_t i)
{
    const double *a = d->apparatus;

    return a[CF_TOSS_HEIGHT] + a[CF_TOSS_SLOPE_X] * toss->place[i][0] +
           a[CF_TOSS_SLOPE_Y] * toss->place[i][1];
}

static int check_times(const struct cf_dataset *d, const struct cf_toss_rows *toss, size_t *row,
                       struct cf_error *err)
{
    for (size_t i = 1; i < toss->n; i++) {
        *row = toss->row[i];
        if (!(toss->time_s[i] > toss->time_s[i - 1]))
            return cf_fail(err, CF_EINPUT,
                           "toss %g: time %.9g s behind %.9g s in line %zu: times ascend from row "
                           "to row of a toss; a new toss has a number of its own (columns: {toss: "
                           "})",
                           number_of(d, toss), toss->time_s[i], toss->time_s[i - 1],
                           d->line[toss->row[i - 1]]);
    }
    *row = toss->row[0];
    return CF_OK;
}

static int check_start(const struct cf_dataset *d, const struct cf_toss_rows *toss,
                       struct cf_error *err)
{
    double depth = floor_under(d, toss, 0) - lowest_of(d, toss, 0);

    if (!(depth > 0) && !(toss->n > 1 && toss->jump[1] > d->apparatus[CF_TOSS_JUMP]))
        return CF_OK;
    if (depth > 0)
        return cf_fail(err, CF_EINPUT,
                       "toss %g starts in contact: its lowest corner is %.3g mm below the floor in "
                       "its first row: begin it in flight, leave its first rows out (exclude), or "
                       "state the floor's height (apparatus: {floor_height: })",
                       number_of(d, toss), 1e3 * depth);
    return cf_fail(err, CF_EINPUT,
                   "toss %g starts in an impact, its lowest corner %.3g mm above the floor: begin "
                   "it in flight, or leave its first rows out (exclude)",
                   number_of(d, toss), -1e3 * depth);
}

/* ---- windows */

static int grow(struct cut *c, struct cf_error *err)
{
    size_t room = 2 * c->room + 16;
    struct cf_segment *segment;
    struct cf_drive_piece *piece;

    if (c->nwindow < c->room)
        return CF_OK;
    segment = realloc(c->segment, room * sizeof *segment);
    c->segment = segment ? segment : c->segment;
    piece = realloc(c->drive->piece, room * sizeof *piece);
    c->drive->piece = piece ? piece : c->drive->piece;
    if (!segment || !piece)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu windows", room);
    c->room = room;
    return CF_OK;
}

/* Does the cube fly freely from row `first` to `at`? Its velocity changes by gravity alone. */
static bool flies(const struct cf_dataset *d, const struct cf_toss_rows *toss, size_t first,
                  size_t at)
{
    double lifted = 0, weight;

    if (at < first + 2)
        return false;
    for (size_t i = first + 1; i < at; i++)
        lifted += toss->lift[i];
    weight =
        d->apparatus[CF_TOSS_GRAVITY] *
        (toss->time_s[at] + toss->time_s[at - 1] - toss->time_s[first + 1] - toss->time_s[first]) /
        2;
    return fabs(lifted) < d->apparatus[CF_TOSS_SUPPORT] * weight;
}

/* The rows from `start` to `end`, both included, as a window that flies from row `first` on. */
static int add_window(struct cut *c, const struct cf_toss_rows *toss, size_t first, size_t start,
                      size_t end, struct cf_error *err)
{
    struct cf_dataset *d = c->d;
    int status = grow(c, err);

    if (status)
        return status;
    c->segment[c->nwindow] =
        (struct cf_segment){toss->row[start + 1], toss->row[end] + 1 - toss->row[start + 1]};
    c->drive->piece[c->nwindow] = (struct cf_drive_piece){
        .from_s = toss->time_s[start],
        .to_s = toss->time_s[end],
        .body = cf_toss_flight(toss, first, start, d->apparatus[CF_TOSS_GRAVITY]),
    };
    c->drive->npiece = ++c->nwindow;
    for (size_t i = start + 1; i <= end && !status; i++) {
        status = cf_dataset_put(d, toss->row[i], CF_TOSS_WINDOW, (double) c->nwindow, 0, err);
        if (!status)
            status = cf_dataset_put(d, toss->row[i], CF_TOSS_SINCE,
                                    toss->time_s[i] - toss->time_s[start], 0, err);
        for (size_t k = 0; k < 4 && !status; k++) /* of one sign */
            status = cf_dataset_put(d, toss->row[i], CF_TOSS_QW + k, toss->turn[i][k],
                                    cf_dataset_sigma(d, toss->row[i], CF_TOSS_QW + k), err);
    }
    return status;
}

/* The windows of a toss: *many, how many impacts it has; *found, how many windows. */
static int cut_toss(struct cut *c, const struct cf_toss_rows *toss, size_t *many, size_t *found,
                    struct cf_error *err)
{
    const double *a = c->d->apparatus;
    bool whole = a[CF_TOSS_WHOLE] > 0;
    struct cf_toss_impact impact, next;
    size_t free_from = 0;
    int status = CF_OK;

    *many = *found = 0;
    for (bool any = cf_toss_next_impact(c->d, toss, 1, &impact); any && !status; impact = next) {
        size_t start = impact.first > 1 ? impact.first - 1 : 0, first, end;
        bool more = cf_toss_next_impact(c->d, toss, impact.last + 1, &next);
        ++*many;
        end = more ? next.first : toss->n - 1;
        if ((double) (end - start) > a[CF_TOSS_ROWS])
            end = start + (size_t) a[CF_TOSS_ROWS];
        if (whole)
            end = toss->n - 1;
        first = free_from;
        if ((double) (start + 1 - first) > a[CF_TOSS_FLIGHT_MOST])
            first = start + 1 - (size_t) a[CF_TOSS_FLIGHT_MOST];
        if (start >= free_from && (double) (start + 1 - first) >= a[CF_TOSS_FLIGHT_ROWS] &&
            (double) (end - start) >= a[CF_TOSS_ROWS_LEAST] && flies(c->d, toss, first, start) &&
            !(whole && *found)) {
            status = add_window(c, toss, first, start, end, err);
            ++*found;
        }
        free_from = impact.last + 1;
        any = more;
    }
    return status;
}

static int take_toss(struct cut *c, const struct cf_toss_rows *toss, size_t *row,
                     struct cf_error *err)
{
    const double *a = c->d->apparatus;
    size_t many, found;
    int status = check_times(c->d, toss, row, err);

    if (!status)
        status = check_start(c->d, toss, err);
    if (!status)
        status = cut_toss(c, toss, &many, &found, err);
    if (status)
        return status;
    if (!many)
        return cf_fail(err, CF_EINPUT,
                       "toss %g has no impact: its velocity never changes by more than %g m/s from "
                       "row to row beside gravity's (apparatus: {jump: }); leave it out (exclude)",
                       number_of(c->d, toss), a[CF_TOSS_JUMP]);
    if (!found)
        return cf_fail(err, CF_EINPUT,
                       "toss %g: too few samples: none of its %zu impacts has %g rows of free "
                       "flight before it and %g rows to the next (apparatus: {flight_rows: , "
                       "rows_least: }); sample faster, or leave it out (exclude)",
                       number_of(c->d, toss), many, a[CF_TOSS_FLIGHT_ROWS], a[CF_TOSS_ROWS_LEAST]);
    c->nimpact += many;
    c->ntoss++;
    return CF_OK;
}

/* ---- the record */

/* A number that comes back belongs to two tosses. */
static int check_numbers(const struct cf_dataset *d, size_t first, size_t *row,
                         struct cf_error *err)
{
    double number = cf_dataset_value(d, first, CF_TOSS_TOSS);

    for (size_t i = 0; i < first; i++)
        if (d->use[i] != CF_ROW_EXCLUDED && cf_dataset_value(d, i, CF_TOSS_TOSS) == number) {
            *row = first;
            return cf_fail(err, CF_EINPUT,
                           "toss %g begins anew, and has begun in line %zu: rows of one toss stand "
                           "behind each other, and each has a number of its own",
                           number, d->line[i]);
        }
    return CF_OK;
}

static int leave_out(struct cf_dataset *d, size_t from, size_t to, struct cf_error *err)
{
    int status = CF_OK;

    for (size_t row = from; row < to && !status;) {
        size_t stop = row;
        while (stop < to && d->use[stop] != CF_ROW_EXCLUDED)
            stop++;
        if (stop > row)
            status = cf_dataset_exclude_rows(d, row, stop - row, because, err);
        row = stop + 1;
    }
    return status;
}

static int put_windows(struct cut *c, struct cf_error *err)
{
    struct cf_dataset *d = c->d;
    size_t from = 0;
    int status = CF_OK;

    for (size_t i = 0; i < c->nwindow && !status; i++) {
        status = leave_out(d, from, c->segment[i].first, err);
        from = c->segment[i].first + c->segment[i].count;
    }
    if (!status)
        status = leave_out(d, from, d->nrow, err);
    free(d->segment);
    d->segment = c->segment;
    d->nsegment = c->nwindow;
    c->segment = NULL;
    cf_recorded_drive_release(d->drive);
    d->drive = c->drive;
    c->drive = NULL;
    return status;
}

int cf_toss_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                     struct cf_error *err)
{
    size_t *row = &about->row;
    struct cut c = {.d = d, .drive = cf_recorded_drive_make(0)};
    int status = c.drive ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for windows");

    if (size)
        note[0] = '\0';
    *row = 0;
    for (size_t at = 0; at < d->nrow && !status;) {
        struct cf_toss_rows toss;
        status = cf_toss_rows_make(d, &at, &toss, err);
        if (!status && toss.n) {
            *row = toss.row[0];
            status = check_numbers(d, toss.row[0], row, err);
        }
        if (!status && toss.n)
            status = take_toss(&c, &toss, row, err);
        cf_toss_rows_free(&toss);
    }
    if (!status)
        status = put_windows(&c, err);
    if (!status && size)
        snprintf(note, size, "%zu tosses with %zu impacts, of which %zu have %s", c.ntoss,
                 c.nimpact, c.nwindow,
                 d->apparatus[CF_TOSS_WHOLE] > 0 ? "a whole toss behind them"
                                                 : "a flight before them and a window");
    free(c.segment);
    cf_recorded_drive_release(c.drive);
    return status;
}
