/* Limits of how far a curve is from reality, counted: laws that are true, and laws that are off by
 * just the need or by half of it. Numbers here are drawn, nobody's measurements.
 */

#include "judge/adequacy.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/random.h"
#include "tap.h"

enum { GRID = CF_ADEQUACY_GRID, MOST_P = 5 };

/* Shapes of reality beside a law that is linear in x. */
enum shape { TRUE_LAW, BOW, S_SHAPE, TREND, KINK, STEP, NSHAPE };
static const char *const shape_name[] = {"law true", "bow", "s-shape", "trend", "kink", "step"};

static double shape_at(enum shape shape, double x)
{
    const double z = 2 * x - 1;
    const double value[NSHAPE] = {0, z * z, z * z * z, z, fabs(z - 0.1), z > 0.07};
    return value[shape];
}

/* An experiment: n rows evenly over [0, 1], a law of p powers about an offset that is fitted by
 * least squares, a reality that is off by D = amplitude sigma/sqrt n from its best. */
struct experiment {
    size_t n, p;
    enum shape shape;
    double amplitude, ar; /* ar: lag-1 correlation of the errors */
    bool known;
    double offset; /* the law's level: for shares of it */
};

static double power_of(double x, size_t k)
{
    return gsl_pow_int(2 * x - 1, (int) k);
}

/* Coefficients b[p] of the powers that come nearest to y[n] at x[n], by normal equations: few
 * powers on [-1, 1]. */
static void fit_powers(size_t n, size_t p, const double x[], const double y[], double b[])
{
    double A[MOST_P][MOST_P + 1] = {{0}};

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            for (size_t k = 0; k < p; k++)
                A[j][k] += power_of(x[i], j) * power_of(x[i], k);
            A[j][p] += power_of(x[i], j) * y[i];
        }
    for (size_t j = 0; j < p; j++)
        for (size_t i = 0; i < p; i++)
            if (i != j) {
                double by = A[i][j] / A[j][j];
                for (size_t k = j; k <= p; k++)
                    A[i][k] -= by * A[j][k];
            }
    for (size_t j = 0; j < p; j++)
        b[j] = A[j][p] / A[j][j];
}

static double curve_at(size_t p, const double b[], double x)
{
    double sum = 0;

    for (size_t k = 0; k < p; k++)
        sum += b[k] * power_of(x, k);
    return sum;
}

/* One such experiment's rows, in room[]. */
struct room {
    double *x, *truth, *y, *best;
    double scale;      /* of the shape, that it is off by D */
    double grid[GRID]; /* reality at the grid */
    struct cf_adequacy_rows rows;
};

static void open_room(const struct experiment *e, struct room *room)
{
    size_t n = e->n, p = e->p;
    double b[MOST_P], most = 0;

    *room = (struct room){.x = calloc(n * (7 + p) + GRID * (1 + p), sizeof(double))};
    room->truth = room->x + n;
    room->y = room->truth + n;
    room->rows = (struct cf_adequacy_rows){.n = n,
                                           .p = p,
                                           .x = room->x,
                                           .r = room->y + n,
                                           .weight = room->y + 2 * n,
                                           .law = room->y + 3 * n,
                                           .slope = room->y + 4 * n,
                                           .serial = e->ar > 0,
                                           .sigma = e->known ? 1 : (double) NAN,
                                           .level = 0.95,
                                           .seed = 1};
    room->rows.grid_law = room->rows.slope + n * p;
    room->rows.grid_slope = room->rows.grid_law + GRID;
    for (size_t i = 0; i < n; i++) {
        room->x[i] = n > 1 ? (double) i / (double) (n - 1) : 0;
        room->truth[i] = shape_at(e->shape, room->x[i]);
        room->rows.weight[i] = 1;
        for (size_t k = 0; k < p; k++)
            room->rows.slope[i * p + k] = power_of(room->x[i], k);
    }
    fit_powers(n, p, room->x, room->truth, b);
    for (size_t i = 0; i < GRID; i++) {
        double x = (double) i / (GRID - 1);
        room->grid[i] = shape_at(e->shape, x);
        most = fmax(most, fabs(room->grid[i] - curve_at(p, b, x)));
        for (size_t k = 0; k < p; k++)
            room->rows.grid_slope[i * p + k] = power_of(x, k);
    }
    room->scale = e->shape == TRUE_LAW ? 0 : e->amplitude / sqrt((double) n) / most;
}

/* Draw and fit; the largest difference of the fitted curve from reality, and of its share. */
static void draw(const struct experiment *e, gsl_rng *rng, struct room *room, double *off,
                 double *off_share)
{
    double b[MOST_P], error = 0;

    for (size_t i = 0; i < e->n; i++) {
        double fresh = gsl_ran_gaussian(rng, i ? sqrt(1 - e->ar * e->ar) : 1);
        error = e->ar * error + fresh;
        room->y[i] = e->offset + room->scale * room->truth[i] + error;
    }
    fit_powers(e->n, e->p, room->x, room->y, b);
    for (size_t i = 0; i < e->n; i++) {
        room->rows.law[i] = curve_at(e->p, b, room->x[i]);
        room->rows.r[i] = room->y[i] - room->rows.law[i];
    }
    *off = *off_share = 0;
    for (size_t i = 0; i < GRID; i++) {
        room->rows.grid_law[i] = curve_at(e->p, b, (double) i / (GRID - 1));
        double d = fabs(e->offset + room->scale * room->grid[i] - room->rows.grid_law[i]);
        *off = fmax(*off, d);
        *off_share = fmax(*off_share, d / fabs(room->rows.grid_law[i]));
    }
}

/* How often, of so many experiments. */
struct counts {
    double below;                     /* U is below what the curve is off by */
    double beyond;                    /* L is above it */
    double share_below, share_beyond; /* the same of shares of the law */
    double falsely;                   /* need D: adequate, though off by D and more */
    double power;                     /* need 2 D: adequate */
    double U;                         /* median, in sigma/sqrt n */
};

static struct counts count(const struct experiment *e, size_t of, uint64_t seed)
{
    struct room room;
    struct counts c = {0};
    double D = e->amplitude / sqrt((double) e->n), off, off_share, sum = 0;
    gsl_rng *rng = cf_random_stream(seed, 77);
    struct cf_adequacy_curve curve;
    struct cf_error err;

    open_room(e, &room);
    for (size_t i = 0; i < of; i++) {
        draw(e, rng, &room, &off, &off_share);
        if (cf_adequacy_find(&room.rows, &curve, &err))
            abort();
        c.below += curve.in_unit.at_most.value < off;
        c.beyond += curve.in_unit.at_least > off;
        c.share_below += curve.relative.at_most.value < off_share;
        c.share_beyond += curve.relative.at_least > off_share;
        c.falsely += off >= D && cf_adequacy_answer(&curve, D, false) == CF_ADEQUATE;
        c.power += cf_adequacy_answer(&curve, 2 * D, false) == CF_ADEQUATE;
        sum += curve.in_unit.at_most.value * sqrt((double) e->n);
    }
    c = (struct counts){
        c.below / of, c.beyond / of, c.share_below / of, c.share_beyond / of, c.falsely / of,
        c.power / of, sum / of};
    gsl_rng_free(rng);
    free(room.x);
    return c;
}

/* A probability that is counted stays below `most` within three standard deviations. */
static bool is_below(double rate, double most, size_t of)
{
    return rate <= most + 3 * sqrt(most * (1 - most) / (double) of);
}

static void test_counts(size_t n, size_t of)
{
    static const double amplitude[] = {3, 6, 12, 30};
    struct counts worst = {0};

    for (size_t s = 0; s < NSHAPE; s++)
        for (size_t a = 0; a < 4; a++) {
            struct experiment e = {n,  s == TREND ? 1 : 2, (enum shape) s, amplitude[a], 0, false,
                                   200};
            struct counts c = count(&e, of, 100 * n + 10 * s + a);
            printf("# "
                   "n %zu %s %g: U<D %.1f %% L>D %.1f %% share %.1f %.1f falsely %.1f power %.0f U "
                   "%.2f"
                   "\n",
                   n, shape_name[s], amplitude[a], 100 * c.below, 100 * c.beyond,
                   100 * c.share_below, 100 * c.share_beyond, 100 * c.falsely, 100 * c.power, c.U);
            worst.falsely = fmax(worst.falsely, c.falsely);
        }
    ok(is_below(worst.falsely, 0.05, of), "n = %zu", n);
}

TEST(adequacy)
{
    static const size_t rows[] = {6, 10, 24, 100};
    plan(4);
    for (size_t i = 0; i < 4; i++)
        test_counts(rows[i], 400);
    return done();
}
