/* Limits of how far a curve is from reality: held against numbers that were computed apart from
 * this program (numpy and scipy, the same construction), and counted: laws that are true, and laws
 * that are off by just the need or by half of it. CHECK_FULL counts 2000 experiments each. Numbers
 * here are drawn, nobody's measurements.
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
#include "judge/parts.h"
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
    double amplitude, ar; /* ar: lag-1 correlation of the errors, below 0 where nobody says so */
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
        double ar = fabs(e->ar), fresh = gsl_ran_gaussian(rng, i ? sqrt(1 - ar * ar) : 1);
        error = ar * error + fresh;
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

/* The worst of all shapes and amplitudes. */
static void test_counts(size_t n)
{
    static const double amplitude[] = {3, 6, 12, 30};
    enum { NAMPLITUDE = sizeof amplitude / sizeof *amplitude, AT_12 = 2 };
    size_t of = is_full_check() ? 2000 : 100;
    struct counts worst = {0};
    double true_below = 0, power = 1;

    for (size_t s = 0; s < NSHAPE; s++)
        for (size_t a = 0; a < NAMPLITUDE; a++) {
            struct experiment e = {n,  s == TREND ? 1 : 2, (enum shape) s, amplitude[a], 0, false,
                                   200};
            struct counts c = count(&e, of, 100 * n + 10 * s + a);
            worst.falsely = fmax(worst.falsely, c.falsely);
            worst.beyond = fmax(worst.beyond, fmax(c.beyond, c.share_beyond));
            if (s == TRUE_LAW)
                true_below = fmax(true_below, fmax(c.below, c.share_below));
            if (s == BOW && a == AT_12)
                power = c.power;
            if (is_full_check())
                printf("# %zu rows, %s, %g: U < D %.1f %%, L > D %.1f %%; of shares %.1f, %.1f; "
                       "falsely %.1f; need 2 D %.0f; U %.2f\n",
                       n, shape_name[s], amplitude[a], 100 * c.below, 100 * c.beyond,
                       100 * c.share_below, 100 * c.share_beyond, 100 * c.falsely, 100 * c.power,
                       c.U);
        }
    ok(is_below(worst.falsely, 0.05, of), "%zu rows: adequate, falsely, in %.1f %%", n,
       100 * worst.falsely);
    ok(is_below(true_below, 0.05, of), "a true law is off by more than the limit in %.1f %%",
       100 * true_below);
    ok(is_below(worst.beyond, 0.05, of), "a law is surely off by too much in %.1f %%",
       100 * worst.beyond);
    ok(power > 0.75 - 3 * sqrt(0.19 / (double) of), "adequate for twice the difference in %.0f %%",
       100 * power);
}

/* A law of as many numbers as the reference shares its noise. */
static void test_many_parameters(void)
{
    size_t of = is_full_check() ? 2000 : 200;
    struct experiment e = {10, MOST_P, TRUE_LAW, 12, 0, false, 200};
    struct counts c = count(&e, of, 5);

    ok(is_below(c.below, 0.05, of), "five numbers of ten rows: below in %.1f %%", 100 * c.below);
}

/* Errors that follow each other: blocks know it, rows taken as they come do not. */
static void test_serial(void)
{
    size_t of = is_full_check() ? 2000 : 200;
    struct experiment e = {100, 2, TRUE_LAW, 12, 0.8, false, 200}, blind = e;
    struct counts c = count(&e, of, 6);

    ok(is_below(c.beyond, 0.1, of), "surely off, of a true law: %.1f %%", 100 * c.beyond);
    blind.ar = -0.8; /* the same errors, which nobody says */
    ok(count(&blind, of, 6).beyond > 0.3, "and often where nobody says that errors follow");
}

/* ---- numbers from elsewhere */

enum { MOST_N = 30 };

static const struct known {
    size_t n, p;
    double sigma;
    size_t columns;
    double x[MOST_N], y[MOST_N];
    double at_most, at_least, relative_at_most, relative_at_least;
} known[] = {
    {6,
     2,
     NAN,
     4,
     {0, 0.144, 0.512, 0.949, 0.95, 1},
     {2.791, 2.749, 2.963, 4.009, 3.99, 4.129},
     0.427204313946,
     0.103165022645,
     0.127523594425,
     0.0315706888581},
    {12,
     2,
     NAN,
     4,
     {0, 0.055, 0.092, 0.188, 0.262, 0.275, 0.298, 0.6, 0.657, 0.729, 0.814, 1},
     {2.798, 2.663, 2.662, 2.64, 2.803, 2.756, 2.837, 3.095, 3.272, 3.315, 3.682, 4.119},
     0.430792587928,
     0.0730696825285,
     0.12897466974,
     0.0200509450957},
    {12,
     2,
     0.1,
     4,
     {0, 0.081, 0.175, 0.376, 0.511, 0.544, 0.607, 0.802, 0.872, 0.943, 0.976, 1},
     {2.724, 2.852, 2.746, 2.902, 2.866, 3.29, 2.977, 3.679, 3.709, 3.846, 3.963, 4.033},
     0.388897923232,
     0.0618918019652,
     0.153349121543,
     0.0191850491559},
    {30,
     3,
     NAN,
     4,
     {0,     0.045, 0.049, 0.054, 0.061, 0.064, 0.227, 0.235, 0.271, 0.286,
      0.383, 0.392, 0.408, 0.435, 0.493, 0.515, 0.556, 0.652, 0.677, 0.679,
      0.805, 0.808, 0.844, 0.87,  0.88,  0.895, 0.898, 0.974, 0.999, 1},
     {2.602, 2.677, 2.565, 2.696, 2.69,  2.663, 2.632, 2.702, 2.654, 2.638,
      2.881, 2.757, 3.002, 2.987, 2.79,  3.049, 2.973, 3.253, 3.302, 3.103,
      3.552, 3.557, 3.767, 3.619, 3.837, 3.693, 3.778, 3.939, 4.242, 4.157},
     0.159092139962,
     0,
     0.0563339557857,
     0},
    {30,
     2,
     NAN,
     8,
     {0,     0.009, 0.048, 0.052, 0.107, 0.122, 0.123, 0.186, 0.207, 0.33,
      0.343, 0.369, 0.374, 0.432, 0.497, 0.538, 0.54,  0.627, 0.633, 0.674,
      0.68,  0.759, 0.785, 0.827, 0.85,  0.85,  0.866, 0.979, 0.987, 1},
     {3.504, 3.486, 3.483, 3.473, 3.439, 3.429, 3.435, 3.387, 3.387, 3.297,
      3.292, 3.272, 3.282, 3.241, 3.193, 3.197, 3.172, 3.231, 3.256, 3.409,
      3.411, 3.688, 3.77,  3.897, 3.998, 4,     4.042, 4.428, 4.441, 4.485},
     0.676260732707,
     0.4761110972,
     0.170550742823,
     0.120073660005},
    {10,
     4,
     NAN,
     4,
     {0, 0.319, 0.327, 0.373, 0.391, 0.438, 0.789, 0.87, 0.987, 1},
     {2.396, 2.886, 2.835, 2.817, 2.933, 3.064, 3.339, 3.579, 3.678, 3.844},
     0.284758873554,
     0,
     0.118964535528,
     0},
};

static void test_known(const struct known *k)
{
    struct experiment e = {k->n, k->p, TRUE_LAW, 0, 0, !isnan(k->sigma), 0};
    struct cf_adequacy_curve curve;
    struct cf_error err;
    struct room room;
    double b[MOST_P];

    open_room(&e, &room);
    fit_powers(k->n, k->p, k->x, k->y, b);
    room.rows.sigma = k->sigma;
    for (size_t i = 0; i < k->n; i++) {
        room.x[i] = k->x[i];
        room.rows.law[i] = curve_at(k->p, b, k->x[i]);
        room.rows.r[i] = k->y[i] - room.rows.law[i];
        for (size_t j = 0; j < k->p; j++)
            room.rows.slope[i * k->p + j] = power_of(k->x[i], j);
    }
    for (size_t i = 0; i < GRID; i++)
        room.rows.grid_law[i] = curve_at(k->p, b, (double) i / (GRID - 1));
    bool found = !cf_adequacy_find(&room.rows, &curve, &err);
    ok(found && curve.columns == k->columns, "%zu rows: %zu columns", k->n, curve.columns);
    is_near(curve.in_unit.at_most.value, k->at_most, 1e-8, "the upper limit");
    is_within(curve.in_unit.at_least, k->at_least, 1e-8, "the lower limit");
    is_near(curve.relative.at_most.value, k->relative_at_most, 1e-8, "as a share");
    is_within(curve.relative.at_least, k->relative_at_least, 1e-8, "and the lower one");
    free(room.x);
}

/* The simultaneous quantile, by drawing: a cubic through so many places. */
static void test_tube(size_t places, double dof)
{
    enum { K = 4, DRAWS = 20000 };
    double *l = calloc(GRID * K, sizeof *l), *q = calloc(places * K, sizeof *q), beyond = 0;
    double R[K][K] = {{0}};
    gsl_rng *rng = cf_random_stream(places, 3);

    for (size_t j = 0; j < K; j++) { /* Gram and Schmidt */
        for (size_t i = 0; i < places; i++)
            q[i * K + j] = power_of((double) i / (double) (places - 1), j);
        for (size_t k = 0; k < j; k++) {
            for (size_t i = 0; i < places; i++)
                R[k][j] += q[i * K + k] * q[i * K + j];
            for (size_t i = 0; i < places; i++)
                q[i * K + j] -= R[k][j] * q[i * K + k];
        }
        for (size_t i = 0; i < places; i++)
            R[j][j] += gsl_pow_2(q[i * K + j]);
        R[j][j] = sqrt(R[j][j]);
        for (size_t i = 0; i < places; i++)
            q[i * K + j] /= R[j][j];
    }
    for (size_t g = 0; g < GRID; g++)
        for (size_t j = 0; j < K; j++) {
            l[g * K + j] = power_of((double) g / (GRID - 1), j);
            for (size_t k = 0; k < j; k++)
                l[g * K + j] -= R[k][j] * l[g * K + k];
            l[g * K + j] /= R[j][j];
        }
    double c = cf_tube_quantile(l, GRID, K, dof, 0.95);
    for (size_t d = 0; d < DRAWS; d++) {
        double z[K], most = 0, s = isinf(dof) ? 1 : sqrt(gsl_ran_chisq(rng, dof) / dof);
        for (size_t j = 0; j < K; j++)
            z[j] = gsl_ran_ugaussian(rng);
        for (size_t g = 0; g < GRID; g++) {
            double sum = 0, squares = 0;
            for (size_t j = 0; j < K; j++) {
                sum += l[g * K + j] * z[j];
                squares += gsl_pow_2(l[g * K + j]);
            }
            most = fmax(most, fabs(sum) / sqrt(squares) / s);
        }
        beyond += most > c;
    }
    beyond /= DRAWS;
    ok(beyond > 0.034 && beyond < 0.055, "%zu places, %g degrees: the band is left in %.2f %%",
       places, dof, 100 * beyond);
    gsl_rng_free(rng);
    free(l);
    free(q);
}

/* ---- rows that share errors */

/* Places, or throws over places; rows of one share an error of standard deviation tau; the law is a
 * line, and true or off by the need. */
struct grouped {
    size_t groups, each;
    bool crossing; /* each group has one row at each of `each` places */
    double tau, amplitude;
};

/* How often the limit is below what the curve is off by, and a true law surely off; blind: nobody
 * says that rows share an error. */
static void count_grouped(const struct grouped *g, bool blind, size_t of, double *below,
                          double *beyond)
{
    size_t n = g->groups * g->each;
    struct experiment e = {n, 2, TRUE_LAW, 0, 0, false, 0};
    gsl_rng *rng = cf_random_stream(n, 11);
    struct cf_adequacy_curve curve = {0};
    struct cf_error err;
    struct room room;
    double b[2];

    open_room(&e, &room);
    room.rows.group = calloc(n, sizeof *room.rows.group);
    *below = *beyond = 0;
    for (size_t d = 0; d < of; d++) {
        double *shared = room.y, off = 0; /* groups <= n */
        for (size_t k = 0; k < g->groups; k++)
            shared[k] = gsl_ran_gaussian(rng, g->tau);
        double *own = calloc(n, sizeof *own);
        for (size_t i = 0; i < n; i++) { /* along the axis */
            size_t places = g->crossing ? g->each : g->groups, rest = n / places;
            size_t place = i / rest, in = i % rest;
            room.x[i] = (double) place / (double) (places - 1);
            room.rows.group[i] = (uint32_t) (g->crossing ? in : place);
            own[i] = g->amplitude * gsl_pow_2(2 * room.x[i] - 1) + shared[room.rows.group[i]] +
                     gsl_ran_ugaussian(rng);
            for (size_t k = 0; k < 2; k++)
                room.rows.slope[2 * i + k] = power_of(room.x[i], k);
        }
        fit_powers(n, 2, room.x, own, b);
        for (size_t i = 0; i < n; i++) {
            room.rows.law[i] = curve_at(2, b, room.x[i]);
            room.rows.r[i] = own[i] - room.rows.law[i];
        }
        for (size_t i = 0; i < GRID; i++) {
            double x = (double) i / (GRID - 1);
            room.rows.grid_law[i] = curve_at(2, b, x);
            off = fmax(off, fabs(g->amplitude * gsl_pow_2(2 * x - 1) - room.rows.grid_law[i]));
        }
        struct cf_adequacy_rows rows = room.rows;
        rows.group = blind ? NULL : rows.group;
        if (cf_adequacy_find(&rows, &curve, &err))
            abort();
        *below += curve.in_unit.at_most.value < off;
        *beyond += curve.in_unit.at_least > off;
        free(own);
    }
    *below /= (double) of;
    *beyond /= (double) of;
    ok(blind || curve.columns > 0 || g->groups < CF_ADEQUACY_PLACES, "%zu groups of %zu", g->groups,
       g->each);
    free(room.rows.group);
    free(room.x);
    gsl_rng_free(rng);
}

static void test_groups(void)
{
    static const struct grouped kind[] = {
        {6, 4, false, 1, 0}, {10, 4, false, 1, 1}, {24, 3, false, 0.5, 0.3}, {20, 7, true, 1, 0.3}};
    size_t of = is_full_check() ? 2000 : 150;
    double below, beyond;

    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        count_grouped(&kind[i], false, of, &below, &beyond);
        ok(is_below(below, 0.07, of) && is_below(beyond, 0.05, of),
           "below the difference in %.1f %%, beyond it in %.1f %%", 100 * below, 100 * beyond);
    }
    count_grouped(&(struct grouped){5, 8, false, 1, 0}, true, of, &below, &beyond);
    ok(below > 0.2, "rows of five places, taken as independent: below in %.0f %%", 100 * below);
}

/* The variance of a mean of some rows, of which groups share an error: w'V w with V as it stands.
 */
static void test_means(void)
{
    enum { N = 9 };
    uint32_t group[N] = {0, 1, 2, 0, 1, 2, 2, 1, 0};
    struct experiment e = {N, 1, TRUE_LAW, 0, 0, false, 0};
    struct cf_adequacy_cells c = {0};
    struct room room;
    const double share = 0.7;
    bool right = true;

    open_room(&e, &room);
    for (size_t i = 0; i < N; i++)
        room.rows.weight[i] = 1 + 0.3 * (double) (i % 4);
    if (!cf_cells_even(&room.rows, N, &c) || !cf_cells_group(&c, group))
        abort();
    c.share = share;
    for (size_t first = 0; first < N; first++)
        for (size_t end = first + 1; end <= N; end++) {
            double all = 0, want = 0;
            for (size_t i = first; i < end; i++)
                all += room.rows.weight[i];
            for (size_t i = first; i < end; i++)
                for (size_t k = first; k < end; k++) {
                    double w = room.rows.weight[i] * room.rows.weight[k] / (all * all);
                    want += w * ((i == k) / room.rows.weight[i] + share * (group[i] == group[k]));
                }
            right = right && fabs(cf_cells_variance(&c, first, end) / want - 1) < 1e-12;
        }
    ok(right, "means of rows that share errors");
    cf_cells_clear(&c);
    free(room.x);
}

/* All rows of one group: how groups differ is not known, and nothing is said. */
static void test_one_group(void)
{
    enum { N = 8 };
    uint32_t group[N] = {0};
    struct experiment e = {N, 2, TRUE_LAW, 0, 0, false, 10};
    struct cf_adequacy_curve curve;
    struct cf_error err;
    struct room room;
    gsl_rng *rng = cf_random_stream(1, 1);
    double off, share;

    open_room(&e, &room);
    draw(&e, rng, &room, &off, &share);
    room.rows.group = group;
    bool found = !cf_adequacy_find(&room.rows, &curve, &err);
    ok(found && curve.columns == 0, "a single group tells nothing");
    gsl_rng_free(rng);
    free(room.x);
}

/* Fewer places than six, whose groups share an error: nothing is said; where sigma is given and
 * nothing is shared, a curve through the means. */
static void test_few(void)
{
    struct experiment e = {4, 2, TRUE_LAW, 0, 0, true, 10};
    uint32_t group[] = {0, 1, 2, 3};
    struct cf_adequacy_curve curve;
    struct cf_error err;
    struct room room;

    open_room(&e, &room);
    for (size_t i = 0; i < 4; i++)
        room.rows.r[i] = i % 2 ? 0.5 : -0.5;
    ok(!cf_adequacy_find(&room.rows, &curve, &err) && curve.columns == 4 && isinf(curve.dof),
       "four places of given sigma: a curve through them");
    ok(curve.in_unit.at_most.value > 0.5 + 1.6, "its limit is that of one row at its ends: %g",
       curve.in_unit.at_most.value);
    room.rows.group = group;
    ok(!cf_adequacy_find(&room.rows, &curve, &err) && curve.columns == 0 &&
           cf_adequacy_answer(&curve, 100, false) == CF_CANNOT_TELL,
       "with groups: it cannot be told");
    room.rows.group = NULL;
    room.rows.sigma = (double) NAN;
    ok(!cf_adequacy_find(&room.rows, &curve, &err) && curve.columns == 0,
       "with an estimated sigma: neither");
    free(room.x);
}

/* More rows, at the places of the smaller experiment. */
static void repeat_places(struct room *room, const struct experiment *of)
{
    for (size_t i = 0; i < room->rows.n; i++) {
        room->x[i] = (double) (i * of->n / room->rows.n) / (double) (of->n - 1);
        for (size_t k = 0; k < of->p; k++)
            room->rows.slope[i * of->p + k] = power_of(room->x[i], k);
    }
}

/* As many times as many measurements as are told: the need is met in four of five. */
static void test_more(void)
{
    struct experiment e = {12, 2, TRUE_LAW, 12, 0, false, 200};
    size_t of = is_full_check() ? 400 : 60, told = 0, meets = 0;
    gsl_rng *rng = cf_random_stream(4, 4);
    struct cf_adequacy_curve curve;
    struct cf_error err;
    struct room room, larger;
    double need = 1.4, off, share, times;

    open_room(&e, &room);
    for (size_t i = 0; i < of; i++) {
        draw(&e, rng, &room, &off, &share);
        if (cf_adequacy_find(&room.rows, &curve, &err))
            abort();
        if (cf_adequacy_answer(&curve, need, false) != CF_CANNOT_TELL)
            continue;
        if (cf_adequacy_more(&room.rows, need, false, &times, &err))
            abort();
        if (isinf(times) || times > 20)
            continue;
        struct experiment more = e;
        more.n = (size_t) ceil((double) e.n * times);
        open_room(&more, &larger);
        repeat_places(&larger, &e);
        draw(&more, rng, &larger, &off, &share);
        if (cf_adequacy_find(&larger.rows, &curve, &err))
            abort();
        told++;
        meets += cf_adequacy_answer(&curve, need, false) == CF_ADEQUATE;
        free(larger.x);
    }
    double rate = (double) meets / (double) told;
    ok(told > of / 4 && rate > 0.65 && rate < 0.95,
       "%zu were told how many more: %.0f %% met the need", told, 100 * rate);
    ok(!cf_adequacy_more(&room.rows, 1e-3, false, &times, &err) && isinf(times),
       "a thousandth of the noise: hardly any number");
    gsl_rng_free(rng);
    free(room.x);
}

/* Many rows at few places: no cell has rows of two of them, and places stay what they are. */
static void test_places(void)
{
    enum { PLACES = 7, EACH = 61 };
    struct experiment e = {PLACES * EACH, 2, BOW, 60, 0, false, 200};
    struct experiment few = {PLACES, 2, BOW, 0, 0, false, 0};
    struct cf_adequacy_curve curve;
    struct cf_error err;
    struct room room;
    gsl_rng *rng = cf_random_stream(8, 8);
    double off, share;

    open_room(&e, &room);
    repeat_places(&room, &few);
    for (size_t i = 0; i < room.rows.n; i++)
        room.truth[i] = shape_at(BOW, room.x[i]);
    draw(&e, rng, &room, &off, &share);
    bool found = !cf_adequacy_find(&room.rows, &curve, &err);
    ok(found && curve.places == PLACES && curve.cells > CF_ADEQUACY_CELLS / 2 &&
           curve.cells <= CF_ADEQUACY_CELLS + PLACES,
       "%d rows at %zu places, in %zu cells", PLACES * EACH, curve.places, curve.cells);
    ok(curve.in_unit.at_least < off && off < curve.in_unit.at_most.value, "off by %g: %g to %g",
       off, curve.in_unit.at_least, curve.in_unit.at_most.value);
    gsl_rng_free(rng);
    free(room.x);
}

/* Shares of a law that passes 0 in the range are none. */
static void test_zero(void)
{
    struct experiment e = {24, 2, TREND, 12, 0, false, 0};
    struct cf_adequacy_curve curve;
    struct cf_error err;
    struct room room;
    gsl_rng *rng = cf_random_stream(7, 7);
    double off, share;

    open_room(&e, &room);
    draw(&e, rng, &room, &off, &share);
    bool found = !cf_adequacy_find(&room.rows, &curve, &err);
    ok(found && isnan(curve.relative.at_most.value) &&
           cf_adequacy_answer(&curve, 10, true) == CF_CANNOT_TELL,
       "a law that passes 0: no share of it is adequate");
    ok(cf_adequacy_answer(&curve, 100, false) == CF_ADEQUATE, "in its unit it may be");
    gsl_rng_free(rng);
    free(room.x);
}

static void test_million(void)
{
    struct experiment e = {1000000, 2, BOW, 1e4, 0, false, 200};
    struct cf_adequacy_curve curve;
    struct cf_error err;
    struct room room;
    gsl_rng *rng = cf_random_stream(9, 9);
    double off, share;

    open_room(&e, &room);
    draw(&e, rng, &room, &off, &share);
    ok(!cf_adequacy_find(&room.rows, &curve, &err) && curve.cells == CF_ADEQUACY_CELLS,
       "a million rows in %zu cells", curve.cells);
    ok(curve.in_unit.at_least < off && curve.in_unit.at_most.value > off &&
           curve.in_unit.at_most.value < 1.2 * off,
       "off by %g: %g to %g", off, curve.in_unit.at_least, curve.in_unit.at_most.value);
    gsl_rng_free(rng);
    free(room.x);
}

TEST(adequacy)
{
    static const size_t rows[] = {6, 10, 24, 100};
    enum { NKNOWN = sizeof known / sizeof *known, NROWS = sizeof rows / sizeof *rows };

    plan(5 * NKNOWN + 3 + 4 * NROWS + 1 + 2 + 10 + 1 + 1 + 4 + 2 + 2 + 2 + 2);
    for (size_t i = 0; i < NKNOWN; i++)
        test_known(&known[i]);
    test_tube(6, 2);
    test_tube(24, 20);
    test_tube(100, (double) INFINITY);
    for (size_t i = 0; i < NROWS; i++)
        test_counts(rows[i]);
    test_many_parameters();
    test_serial();
    test_groups();
    test_means();
    test_one_group();
    test_few();
    test_more();
    test_places();
    test_zero();
    test_million();
    return done();
}
