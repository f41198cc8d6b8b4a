/* A protocol's request as runs of a slider. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/slider.h"

/* Derivatives that are wanted, as columns of the slider: column[k] of by[k], or SIZE_MAX. */
struct columns {
    size_t n, of[CF_MAX_PARAM + CF_SLIDER_NNUMBER];
    size_t *column;
};

/* The slider's column of a value of the request; SIZE_MAX: none. */
static size_t column_of(const struct cf_slider_reading *r, size_t value)
{
    const struct cf_law *law = r->q->law;
    size_t from = cf_law_friction_from(law), nparam = law->friction->nparam;
    enum cf_slider_number number;

    if (value < law->nparam)
        return value < from ? SIZE_MAX : value - from;
    number = value - law->nparam < r->napparatus ? r->number_of[value - law->nparam]
                                                 : CF_SLIDER_NO_NUMBER;
    return number == CF_SLIDER_NO_NUMBER || (number == CF_SLIDER_DEFLECTION && !r->deflected)
               ? SIZE_MAX
               : nparam + number;
}

/* Of several numbers that are one of the slider's, as the masses of block and sensor, the column is
 * one. */
static size_t place_of(struct columns *c, size_t of)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->of[i] == of)
            return i;
    c->of[c->n] = of;
    return c->n++;
}

static int columns_make(struct columns *c, const struct cf_slider_reading *r, struct cf_error *err)
{
    size_t delay = r->q->law->friction->nparam + CF_SLIDER_DELAY;

    c->n = 0;
    c->column = malloc((r->q->nby + 1) * sizeof *c->column);
    if (!c->column)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu derivatives", r->q->nby);
    for (size_t k = 0; k < r->q->nby; k++) {
        size_t of = column_of(r, r->q->by[k]);
        c->column[k] = of == SIZE_MAX || of == delay ? of : place_of(c, of);
    }
    return CF_OK;
}

void cf_slider_put(struct cf_slider *s, const struct cf_slider_reading *r)
{
    const double *a = r->q->value + cf_apparatus_value(r->q->law, 0);

    for (size_t i = 0; i < r->napparatus; i++)
        if (r->number_of[i] != CF_SLIDER_NO_NUMBER)
            s->number[r->number_of[i]] += a[i];
}

static void hand_out(const struct cf_slider_reading *r, size_t c, const struct columns *columns,
                     const double y[], const double by[], const double by_time[],
                     struct cf_response *out)
{
    const struct cf_request *q = r->q;
    size_t delay = q->law->friction->nparam + CF_SLIDER_DELAY;

    for (size_t i = 0; i < q->nrow; i++) {
        size_t to = i * q->nchannel + c;
        out->y[to] = y[i];
        if (out->by_imposed && by_time)
            out->by_imposed[to] = by_time[i];
        for (size_t k = 0; out->by_value && by_time && k < q->nby; k++) {
            size_t column = columns->column[k];
            out->by_value[to * q->nby + k] = column == SIZE_MAX ? 0
                                             : column == delay  ? -by_time[i]
                                                                : by[i * columns->n + column];
        }
    }
}

int cf_slider_predict(struct cf_slider *s, const struct cf_slider_reading *r, size_t c,
                      struct cf_response *out, struct cf_error *err)
{
    const struct cf_request *q = r->q;
    bool slopes = (out->by_value || out->by_imposed) && !(q->tolerance > 0);
    struct columns columns;
    int status = columns_make(&columns, r, err);
    const struct cf_slider_columns wanted = {columns.n, columns.of};
    double *time_s = malloc((q->nrow * (3 + columns.n) + 1) * sizeof *time_s);
    double *y = time_s + q->nrow, *by_time = y + q->nrow, *by = by_time + q->nrow;

    if (!status && !time_s)
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->nrow);
    s->law = q->law->friction;
    s->p = q->value + cf_law_friction_from(q->law);
    for (size_t i = 0; i < q->nrow && !status; i++)
        time_s[i] = cf_dataset_value(q->data, q->row[i], r->clock);
    if (!status)
        status = cf_slider_run(s, q->nrow, time_s, &wanted,
                               q->tolerance > 0 ? q->tolerance : r->tolerance, r->max_steps, y,
                               slopes && columns.n ? by : NULL, slopes ? by_time : NULL, err);
    if (!status)
        hand_out(r, c, &columns, y, by, slopes ? by_time : NULL, out);
    free(columns.column);
    free(time_s);
    return status;
}

/* ---- laws */

int cf_slider_check_law(const struct cf_dataset *d, const struct cf_law *law, size_t load,
                        size_t apparatus, struct cf_error *err)
{
    const struct cf_friction_law *friction = law->friction;
    const char *what = d->protocol->name;

    if (!friction)
        return cf_fail(err, CF_EINPUT, "%s has no friction: a %s needs one, such as bristle",
                       law->name, what);
    if (friction->impulse || !friction->nvector)
        return cf_fail(err, CF_EINPUT,
                       "friction %s has no deflection before it slides: bristle, lugre and iwan-2 "
                       "have",
                       friction->name);
    if (cf_friction_check_load(friction, what, err))
        return CF_EINPUT;
    for (size_t row = 0; row < d->nrow; row++)
        if (d->use[row] != CF_ROW_EXCLUDED && !cf_dataset_has(d, row, load) &&
            !(d->apparatus[apparatus] > 0))
            return cf_fail(err, CF_EINPUT,
                           "%s needs the load: a column load, or apparatus: {load: 10 N}",
                           friction->name);
    return CF_OK;
}

void cf_slider_hand(const struct cf_law *law, const char *name, const char *unit, double value,
                    double reach, struct cf_hand start[])
{
    size_t from = cf_law_friction_from(law);

    for (size_t i = 0; i < law->friction->nparam; i++)
        if (strcmp(law->friction->param[i].name, name) == 0 &&
            strcmp(law->friction->param[i].unit, unit) == 0 && value > 0)
            start[from + i] = (struct cf_hand){value, reach};
}
