/* Starting values of friction curves by hand: dry and viscous friction are a line through the fast
 * half of the rows; sticking is stronger by as much as the slow ones lie above it.
 *
 * What does not change its sign with the speed, gravity or a zero that is off, is taken out first:
 * half the sum of the medians of both directions.
 */

#include <gsl/gsl_fit.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/slide_channels.h"
#include "experiment/slider.h"

/* One reading as the law has it: friction at a speed > 0. */
struct point {
    double v, y;
    bool backwards;
};

/* Of what was measured first in each row. */
static size_t collect(const struct cf_dataset *d, const struct cf_law *law, struct point out[])
{
    size_t n = 0;

    for (size_t row = 0; row < d->nrow; row++)
        for (size_t c = CF_SLIDE_FORCE; c < CF_SLIDE_NCHANNEL; c++) {
            struct cf_slide_reading r;
            double w = cf_dataset_value(d, row, CF_SLIDE_SPEED);
            if (d->use[row] != CF_ROW_FIT || !cf_dataset_has(d, row, c))
                continue;
            r = cf_slide_reading(d, law, d->apparatus, row, c);
            if (!(r.factor > 0))
                continue;
            out[n++] =
                (struct point){r.by_speed * fabs(w), cf_dataset_value(d, row, c) / r.factor, w < 0};
            break;
        }
    return n;
}

/* The median of y in one direction; NAN: there is none. */
static double median_of(const struct point p[], size_t n, bool backwards, double room[])
{
    size_t m = 0;

    for (size_t i = 0; i < n; i++)
        if (p[i].backwards == backwards)
            room[m++] = p[i].y;
    gsl_sort(room, 1, m);
    return m ? gsl_stats_median_from_sorted_data(room, 1, m) : (double) NAN;
}

/* Friction without bias, of both directions. */
static void fold(struct point p[], size_t n, double room[])
{
    double bias = (median_of(p, n, false, room) + median_of(p, n, true, room)) / 2;

    for (size_t i = 0; i < n; i++) {
        double y = p[i].y - (isnan(bias) ? 0 : bias);
        p[i].y = p[i].backwards ? -y : y;
    }
}

static int by_speed(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    return (p->v > q->v) - (p->v < q->v);
}

struct shape {
    double level, slope, rise;
    double slow, fastest; /* speeds: in the middle of the slow half, and of all */
};

static struct shape shape_of(struct point p[], size_t n)
{
    static const double LEAST_RISE = 0.05;
    size_t half = n / 2, quarter = (n + 3) / 4;
    struct shape s;
    double cov00, cov01, cov11, sum = 0, above = 0;

    qsort(p, n, sizeof *p, by_speed);
    gsl_fit_linear(&p[half].v, sizeof *p / sizeof(double), &p[half].y, sizeof *p / sizeof(double),
                   n - half, &s.level, &s.slope, &cov00, &cov01, &cov11, &sum);
    if (!(s.slope > 0)) /* falls on: all of it is the fall from sticking */
        s.slope = 0;
    if (!(s.level > 0) || s.slope == 0) {
        s.level = 0;
        for (size_t i = half; i < n; i++)
            s.level += p[i].y / (double) (n - half);
    }
    for (size_t i = 0; i < quarter; i++)
        above += (p[i].y - s.slope * p[i].v) / (double) quarter;
    s.rise = fmax(above / s.level - 1, LEAST_RISE);
    s.slow = p[quarter < n ? quarter : n - 1].v;
    s.fastest = p[n - 1].v;
    return s;
}

/* By what a parameter of a friction curve is called. What speed adds may be nothing; it is sought
 * up to so many times what the readings leave room for, since a gain may be fitted beside it. */
static struct cf_hand start_of(const char *name, const struct shape *s)
{
    static const double FACTOR = 30, FEW = 3, WIDE = 20;
    double slope = fmax(s->slope, s->level / s->fastest);

    if (strcmp(name, "rise") == 0)
        return (struct cf_hand){s->rise, 1, 0};
    if (strcmp(name, "v_s") == 0 || strcmp(name, "w_s") == 0)
        return (struct cf_hand){s->slow, FACTOR, 0};
    if (strcmp(name, "v_t") == 0 || strcmp(name, "w_t") == 0)
        return (struct cf_hand){s->slow / 10, FACTOR, 0}; /* settled where it was measured */
    if (strcmp(name, "sigma_2") == 0 || strcmp(name, "d_2") == 0)
        return (struct cf_hand){s->slope, slope, WIDE * slope};
    if (strcmp(name, "b") == 0)
        return (struct cf_hand){fmax(s->slope, 1e-3 * slope), slope * fmax(1, s->fastest),
                                WIDE * slope * fmax(1, s->fastest)};
    if (strcmp(name, "alpha") == 0)
        return (struct cf_hand){1, FEW, 0};
    return (struct cf_hand){s->level, FEW, 0};
}

/* Of a friction law, by what its parameters are called and measured in. */
static void put_friction(const struct cf_law *law, const struct shape *s, struct cf_hand start[])
{
    static const double FACTOR = 30, REACH = 0.3;
    double stuck = s->level * (1 + s->rise);

    cf_slider_hand(law, "mu_c", "1", s->level, REACH * s->level, start);
    cf_slider_hand(law, "mu_s", "1", stuck, REACH * stuck, start);
    cf_slider_hand(law, "v_s", "m/s", s->slow, FACTOR, start);
    cf_slider_hand(law, "sigma_2", "s/m", fmax(s->slope, 1e-3 * s->level / s->fastest), FACTOR,
                   start);
}

int cf_slide_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                  struct cf_error *err)
{
    struct point *point = calloc(d->nrow + 1, sizeof *point);
    double *room = calloc(d->nrow + 1, sizeof *room);
    size_t n = point && room && (law->curve || law->friction) ? collect(d, law, point) : 0;
    int status = point && room ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);

    if (n > 0) {
        struct shape s;
        fold(point, n, room);
        s = shape_of(point, n);
        bool good = s.level > 0;
        if (good && law->friction)
            put_friction(law, &s, start);
        for (size_t i = 0; i < law->nparam && good && law->curve; i++)
            start[i] = start_of(law->param[i].name, &s);
    }
    free(point);
    free(room);
    return status;
}
