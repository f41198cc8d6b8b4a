/* The record of velocity steps: its times, the speeds that its load point has had, and what is no
 * such record.
 */

#include <math.h>

#include "experiment/velocity_step_channels.h"

int cf_step_check_row(const struct cf_dataset *d, size_t row, char note[], size_t size,
                      struct cf_error *err)
{
    if (size)
        note[0] = '\0';
    if (!cf_dataset_has(d, row, CF_STEP_TIME))
        return cf_fail(err, CF_EINPUT, "no time: the rows of a velocity step have one each");
    return CF_OK;
}

/* ---- the record */

static int check_times(const struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    double before = (double) -INFINITY;

    for (size_t i = 0; i < d->nrow; i++) {
        double t = cf_dataset_value(d, i, CF_STEP_TIME);
        if (d->use[i] == CF_ROW_EXCLUDED)
            continue;
        *row = i;
        if (!(t > before))
            return cf_fail(err, CF_EINPUT,
                           "time %.9g s behind %.9g s: times must increase from row to row; of "
                           "several records, each is a data set of its own (where)",
                           t, before);
        before = t;
    }
    return CF_OK;
}

void cf_step_ends(const struct cf_dataset *d, size_t *first, size_t *last)
{
    *first = d->nrow;
    *last = 0;
    for (size_t i = 0; i < d->nrow; i++)
        if (d->use[i] != CF_ROW_EXCLUDED) {
            *first = *first == d->nrow ? i : *first;
            *last = i;
        }
}

/* How many rows from `row` on have its speed; *next: the first behind them, or nrow. */
static size_t run_of(const struct cf_dataset *d, size_t row, size_t *next)
{
    double speed = cf_dataset_value(d, row, CF_STEP_LOAD_POINT);
    size_t n = 0, i = row;

    for (; i < d->nrow; i++) {
        double here = cf_dataset_value(d, i, CF_STEP_LOAD_POINT);
        if (d->use[i] == CF_ROW_EXCLUDED || isnan(here))
            continue;
        if (here != speed)
            break;
        n++;
    }
    *next = i;
    return n;
}

/* The speeds of a column as steps, each half-way between two rows. */
static int read_column(struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    size_t next, piece = 0;

    for (size_t i = *row; i < d->nrow; i = next, piece++) {
        double speed = cf_dataset_value(d, i, CF_STEP_LOAD_POINT);
        size_t n = run_of(d, i, &next);
        *row = i;
        if (piece > CF_BLOCK_STEPS || (n < 2 && speed != 0))
            return cf_fail(err, CF_EINPUT,
                           "the speed of the load point drifts: %g m/s for %zu row%s; the speeds "
                           "that were set are wanted, each for a while, in %d steps at most",
                           speed, n, n == 1 ? "" : "s", CF_BLOCK_STEPS);
        if (n < 2)
            return cf_fail(err, CF_EINPUT, "a hold of no length: one row at 0 m/s");
        d->apparatus[cf_step_speed_of(piece)] = speed;
        if (piece > 0)
            d->apparatus[cf_step_time_of(piece - 1)] =
                0.5 * (cf_step_time(d, i - 1) + cf_step_time(d, i));
    }
    return CF_OK;
}

static const char *name_of(const struct cf_dataset *d, size_t number)
{
    return d->protocol->apparatus[number].name;
}

/* What is stated under apparatus, or read from the column. */
static int take_speeds(struct cf_dataset *d, struct cf_record_about *about, struct cf_error *err)
{
    bool column = d->series[CF_STEP_LOAD_POINT].value != NULL;
    bool stated = !isnan(d->apparatus[CF_BLOCK_SPEED]) || cf_step_count(d->apparatus) > 0;

    if (column && stated) {
        about->number =
            name_of(d, isnan(d->apparatus[CF_BLOCK_SPEED]) ? cf_step_time_of(0) : CF_BLOCK_SPEED);
        return cf_fail(err, CF_EINPUT,
                       "the column load_point_speed gives the speed of the load point: leave "
                       "speed_before and the steps out of apparatus");
    }
    if (column)
        return read_column(d, &about->row, err);
    if (isnan(d->apparatus[CF_BLOCK_SPEED]) || !stated) {
        about->number = "";
        return cf_fail(err, CF_EINPUT,
                       "no speed of the load point: a column load_point_speed, or apparatus: "
                       "{speed_before: 3 um/s, step_1_time: 60 s, step_1_speed: 10 um/s}");
    }
    return CF_OK;
}

/* Is it a part of a record, which began at a time that is stated? Steps may lie behind it. */
static bool is_part(const struct cf_dataset *d)
{
    return !isnan(d->apparatus[CF_BLOCK_START]);
}

static int check_step(const struct cf_dataset *d, size_t j, double from_s, double to_s,
                      const char **number, struct cf_error *err)
{
    double t = d->apparatus[cf_step_time_of(j)], before = d->apparatus[cf_step_speed_of(j)],
           behind = d->apparatus[cf_step_speed_of(j + 1)];

    *number = name_of(d, behind == before ? cf_step_speed_of(j + 1) : cf_step_time_of(j));
    if (isnan(behind))
        return cf_fail(err, CF_EINPUT, "step_%zu_time: %g s, and no step_%zu_speed behind it",
                       j + 1, t, j + 1);
    if (behind == before)
        return cf_fail(err, CF_EINPUT,
                       "a step without a step: at %g s the load point goes from %g m/s to %g m/s",
                       t, before, behind);
    if (j > 0 && !(t > d->apparatus[cf_step_time_of(j - 1)]))
        return cf_fail(err, CF_EINPUT, "%s of no length: step %zu at %g s, step %zu at %g s",
                       before == 0 ? "a hold" : "a piece", j, d->apparatus[cf_step_time_of(j - 1)],
                       j + 1, t);
    if (!(t > from_s && (t < to_s || is_part(d))))
        return cf_fail(err, CF_EINPUT,
                       "step %zu at %g s is not in the record, which goes from %g s to %g s", j + 1,
                       t, from_s, to_s);
    return CF_OK;
}

/* *number: what is wrong, after a failure. */
static int check_steps(const struct cf_dataset *d, double from_s, double to_s, const char **number,
                       struct cf_error *err)
{
    size_t n = cf_step_count(d->apparatus);
    int status = CF_OK;

    *number = name_of(d, CF_BLOCK_SPEED);
    if (!(d->apparatus[CF_BLOCK_SPEED] > 0))
        return cf_fail(err, CF_EINPUT,
                       "speed_before: %g m/s: a record begins in steady sliding, above 0",
                       d->apparatus[CF_BLOCK_SPEED]);
    for (size_t j = 0; j < n && !status; j++)
        status = check_step(d, j, from_s, to_s, number, err);
    for (size_t j = n; j < CF_BLOCK_STEPS && !status; j++)
        if (!isnan(d->apparatus[cf_step_speed_of(j + 1)])) {
            *number = name_of(d, cf_step_speed_of(j + 1));
            status = cf_fail(err, CF_EINPUT, "step_%zu_speed: %g m/s, and no step_%zu_time", j + 1,
                             d->apparatus[cf_step_speed_of(j + 1)], n + 1);
        }
    if (!status && n == 0)
        status =
            cf_fail(err, CF_EINPUT, "a step without a step: the load point has %g m/s all along",
                    d->apparatus[CF_BLOCK_SPEED]);
    return status;
}

/* Rows behind the last step. */
static int check_end(const struct cf_dataset *d, double to_s, struct cf_error *err)
{
    double t = d->apparatus[cf_step_time_of(cf_step_count(d->apparatus) - 1)];
    size_t n = 0;

    if (t >= to_s) /* of a part that ends before */
        return CF_OK;
    for (size_t i = 0; i < d->nrow; i++)
        n += d->use[i] != CF_ROW_EXCLUDED && cf_step_time(d, i) > t;
    if ((double) n < d->apparatus[CF_STEP_LEAST_ROWS])
        return cf_fail(err, CF_EINPUT,
                       "the record is too short behind the step at %g s: %zu rows, at least %g are "
                       "wanted (apparatus: {least_rows: })",
                       t, n, d->apparatus[CF_STEP_LEAST_ROWS]);
    return CF_OK;
}

int cf_step_complete(struct cf_dataset *d, struct cf_record_about *about, char note[], size_t size,
                     struct cf_error *err)
{
    size_t *row = &about->row;
    size_t first, last;
    const char *number = NULL;
    double from_s;
    int status;

    *row = 0;
    if (size)
        note[0] = '\0';
    status = check_times(d, row, err);
    if (status)
        return status;
    cf_step_ends(d, &first, &last);
    *row = first;
    status = take_speeds(d, about, err);
    if (status)
        return status;
    *row = first;
    from_s = is_part(d) ? d->apparatus[CF_BLOCK_START] : cf_step_time(d, first);
    if (!(from_s <= cf_step_time(d, first))) {
        about->number = name_of(d, CF_BLOCK_START);
        return cf_fail(err, CF_EINPUT, "start: %g s, behind the first row at %g s", from_s,
                       cf_step_time(d, first));
    }
    status = check_steps(d, from_s, cf_step_time(d, last), &number, err);
    /* the steps of a column are seen in its rows */
    about->number = status && !d->series[CF_STEP_LOAD_POINT].value ? number : NULL;
    if (!status)
        status = check_end(d, cf_step_time(d, last), err);
    if (!status)
        d->apparatus[CF_BLOCK_START] = from_s;
    return status;
}
