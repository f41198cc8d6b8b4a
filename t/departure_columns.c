/* Columns of tests of departures: places on an axis, polynomials against GSL's, right angles to the
 * last digits, what is left of a column, and how many a test has. */

#include <gsl/gsl_sf_legendre.h>
#include <math.h>

#include "judge/departure_columns.h"
#include "tap.h"

static void check_axes(void)
{
    double even[] = {2, 1, 3}, wide[] = {4, 1, 2}, both[] = {-1, 9, 4}, same[] = {5, 5};
    double none[] = {1, (double) NAN};

    ok(cf_scale_axis(even, 3) && even[0] == 0 && even[1] == -1 && even[2] == 1,
       "a factor of 3 is none to take logarithms of");
    ok(cf_scale_axis(wide, 3) && wide[0] == 1 && wide[1] == -1 && fabs(wide[2]) < 1e-15,
       "a factor of 4 is: 2 lies between 1 and 4");
    ok(cf_scale_axis(both, 3) && both[0] == -1 && both[1] == 1 && both[2] == 0,
       "of numbers of both signs there are none");
    ok(!cf_scale_axis(same, 2), "one number is no axis");
    ok(!cf_scale_axis(none, 2), "nor is what is no number");
}

static void check_polynomials(void)
{
    enum { DEGREE = 6 };
    double value[DEGREE + 1], worst = 0;

    for (double x = -1; x <= 1; x += 0.125) {
        cf_legendre(x, DEGREE, value);
        for (int k = 0; k <= DEGREE; k++)
            worst = fmax(worst, fabs(value[k] - gsl_sf_legendre_Pl(k, x)));
    }
    is_within(worst, 0, 1e-14, "Legendre's polynomials to degree %d", DEGREE);
}

/* How many columns there are with one behind (1, 0, 0) of which a part of the length lies beside
 * it. */
static size_t count_with(double length, double part)
{
    double column[] = {1, 0, 0, length * sqrt(1 - part * part), length * part, 0};
    return cf_append_column(column, 1, 3, cf_length(&column[3], 3));
}

static void check_right_angles(void)
{
    enum { N = 4 };
    /* all but parallel: one pass leaves angles of some 1e-13 */
    double column[3 * N] = {1, 1e-3, 0, 0, 1, 0, 1e-3, 0, 1, 0, 0, 1e-3}, worst = 0;
    size_t have = 0;

    for (size_t j = 0; j < 3; j++)
        have = cf_append_column(column, have, N, cf_length(&column[have * N], N));
    for (size_t j = 0; j < have; j++)
        for (size_t k = 0; k <= j; k++) {
            double dot = 0;
            for (size_t i = 0; i < N; i++)
                dot += column[j * N + i] * column[k * N + i];
            worst = fmax(worst, fabs(dot - (j == k)));
        }
    ok(have == 3, "three columns");
    is_within(worst, 0, 1e-15, "of length 1 and at right angles");
    ok(count_with(1, 1e-3) == 2 && count_with(1, 1e-5) == 1, "what others make is none");
    ok(count_with(1e4, 1e-3) == 2 && count_with(1e4, 1e-5) == 1, "whatever its length,");
    ok(count_with(1e-4, 1e-3) == 2 && count_with(1e-4, 1e-5) == 1, "great or small");
    ok(count_with(0, 1) == 1, "nor is one of zeros");
}

TEST(departure_columns)
{
    plan(5 + 1 + 6 + 4);
    check_axes();
    check_polynomials();
    check_right_angles();
    ok(cf_columns_held(4, 9, 2) == 4, "nine rows of a line leave three beside four columns");
    ok(cf_columns_held(4, 8, 2) == 3 && cf_columns_held(4, 7, 2) == 2, "of fewer there are fewer");
    ok(cf_columns_held(4, 6, 2) == 0, "six leave no test");
    ok(cf_columns_held(1, 100, 2) == 0, "nor is there one of a single column");
    return done();
}
