/* Rows that are unlike all beside them: slips of typing are found in tables of several protocols,
 * at every place inside, and named with file and line; tables without a slip have none, whatever
 * they measure. The tables are made here, by no law of the program. */

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge/odd_rows.h"
#include "lab.h"
#include "tap.h"

enum { MOST = 40 };

/* A table of one protocol: places on the axis, and one reading. */
struct table {
    const char *protocol, *axis, *reading;
    size_t n;
    double x[MOST], y[MOST];
    const char *condition; /* NULL: none */
    double at[MOST];
};

/* The odd rows of the table. */
static struct cf_odd_rows judge(const struct table *t)
{
    const struct cf_protocol *protocol = cf_protocol_find(t->protocol);
    struct cf_dataset d = {.pair = lab_pair(0.03, 0.02)};
    struct cf_spec spec = {.ndata = 1, .data = &d};
    struct cf_odd_rows found;
    static const char name[] = "drops.csv";

    if (cf_dataset_alloc(&d, protocol, t->n, NULL) || !(d.name = malloc(sizeof name)) ||
        !(d.file = malloc(sizeof name)))
        abort();
    memcpy(d.name, name, sizeof name);
    memcpy(d.file, name, sizeof name);
    size_t y = cf_protocol_channel(protocol, t->reading);
    size_t x = cf_protocol_channel(protocol, t->axis);
    size_t at = t->condition ? cf_protocol_channel(protocol, t->condition) : x;
    if (y >= protocol->nchannel || x >= protocol->nchannel || at >= protocol->nchannel)
        abort();
    d.series[y].kind = CF_SIGMA_ESTIMATE;
    for (size_t i = 0; i < t->n; i++) {
        d.line[i] = i + 2; /* below a header */
        lab_put(&d, i, x, t->x[i], 0);
        lab_put(&d, i, y, t->y[i], 0);
        if (t->condition)
            lab_put(&d, i, at, t->at[i], 0);
    }
    if (cf_odd_rows(&spec, &found, NULL))
        abort();
    cf_dataset_clear(&d);
    return found;
}

/* Is this row the only one? SIZE_MAX: none is. */
static void finds(const struct table *t, size_t row, const char *what)
{
    struct cf_odd_rows found = judge(t);
    char place[40] = "";

    if (row == SIZE_MAX) {
        ok(found.n == 0, "%s: none", what);
        if (found.n)
            printf("# %s\n", found.item[0].text);
    } else {
        snprintf(place, sizeof place, "drops.csv:%zu: ", row + 2);
        bool named = found.n == 1 && strncmp(found.item[0].text, place, strlen(place)) == 0;
        ok(named, "%s: %s", what, place);
        if (!named)
            printf("# %zu: %s\n", found.n, found.n ? found.item[0].text : "");
    }
    cf_odd_rows_clear(&found);
}

/* ---- tables */

/* A reading that goes as a power of the axis, with a scatter of some per cent. */
static struct table power(const char *protocol, const char *axis, const char *reading, size_t n,
                          double first, double step, double scale, double exponent)
{
    static const double scatter[] = {0.3, -0.8, 0.5, 1, -0.2, -1, 0.7, 0.1, -0.6, 0.9};
    struct table t = {.protocol = protocol, .axis = axis, .reading = reading, .n = n};

    for (size_t i = 0; i < n; i++) {
        t.x[i] = first * pow(step, (double) i);
        t.y[i] = scale * pow(t.x[i], exponent) * (1 + 0.02 * scatter[i % 10]);
    }
    return t;
}

static struct table restitution(void)
{
    return power("impact", "speed", "restitution", 12, 0.4, 1.25, 0.72, -0.04);
}

static void slips_of_readings(void)
{
    /* an inner row of each is multiplied by what a slip makes of it */
    static const struct {
        const char *what, *protocol, *axis, *reading;
        double first, step, scale, exponent, slip;
    } kind[] = {
        {"1.72 for 0.72", "impact", "speed", "restitution", 0.4, 1.25, 0.72, -0.04, 1.72 / 0.72},
        {"0.27 for 0.72", "impact", "speed", "restitution", 0.4, 1.25, 0.72, -0.04, 0.27 / 0.72},
        {"7.2 for 0.72", "impact", "speed", "restitution", 0.4, 1.25, 0.72, -0.04, 10},
        {"ms read as s", "impact", "speed", "duration", 0.1, 1.5, 2e-4, -0.2, 1e3},
        {"a point too far right", "impact", "speed", "peak_force", 0.1, 1.5, 500, 1.2, 10},
        {"a point too far left", "impact", "speed", "depth", 0.1, 1.5, 1e-4, 0.8, 0.1},
        {"a spin of another unit", "oblique", "angle", "rebound_spin", 0.1, 1.2, 300, 0.9, 9.55},
        {"N for kN", "slide", "speed", "force", 1e-4, 2, 12, -0.05, 1e-3},
        {"a digit twice", "slide", "speed", "coefficient", 1e-3, 2, 0.33, -0.03, 0.1},
    };

    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (size_t row = 1; row < 11; row += 3) {
            struct table t = power(kind[k].protocol, kind[k].axis, kind[k].reading, 12,
                                   kind[k].first, kind[k].step, kind[k].scale, kind[k].exponent);
            finds(&t, SIZE_MAX, "as measured");
            t.y[row] *= kind[k].slip;
            finds(&t, row, kind[k].what);
        }
    struct table t = restitution();
    t.y[0] = 1.72; /* at the end of the axis, where no restitution is */
    finds(&t, 0, "1.72 at the slowest");
    t = restitution();
    t.y[11] = 6.6;
    finds(&t, 11, "6.6 at the fastest");
    t = restitution(); /* the first six rows are a table, too */
    t.n = 6;
    t.y[2] = 1.72;
    finds(&t, 2, "1.72 of six");
}

static void shuffle(struct table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        size_t k = (i * 7 + 3) % t->n;
        double x = t->x[i], y = t->y[i];
        t->x[i] = t->x[k];
        t->y[i] = t->y[k];
        t->x[k] = x;
        t->y[k] = y;
    }
}

static void slips_of_places(void)
{
    for (size_t row = 1; row < 11; row++) {
        struct table t = restitution();
        t.x[row] *= 100;
        finds(&t, row, "a speed of 200 for 2.00");
        t = restitution();
        shuffle(&t);
        t.x[row] *= 1000;
        finds(&t, row, "in any order, mm/s read as m/s");
    }
    struct table t = power("slide", "speed", "force", 9, 1e-3, 1.5, 12, -0.05);
    t.x[4] /= 100;
    finds(&t, 4, "a speed of 0.00005");
    t = power("oblique", "angle", "rebound_spin", 9, 0.5, 1.1, 300, 0.9);
    t.x[3] /= 57.3;
    finds(&t, 3, "an angle in rad among deg");
}

/* ---- what is not odd */

static void behaviours(void)
{
    struct table t = restitution();
    t.y[11] = 0.2;
    finds(&t, SIZE_MAX, "an onset at the last row");
    t = restitution();
    t.y[10] = 0.3;
    t.y[11] = 0.25;
    finds(&t, SIZE_MAX, "an onset at the last two");
    t = restitution();
    for (size_t i = 6; i < t.n; i++)
        t.y[i] *= 0.2;
    finds(&t, SIZE_MAX, "a step");
    t = power("impact", "speed", "peak_force", 7, 1e-3, 10, 500, 1.2);
    finds(&t, SIZE_MAX, "decades of speed");
    t = restitution();
    t.x[11] *= 20;
    finds(&t, SIZE_MAX, "one fast row behind the others");
    t = restitution();
    t.x[0] /= 20;
    finds(&t, SIZE_MAX, "one slow row before them");
    t = restitution();
    for (size_t i = 0; i < t.n; i++)
        t.x[i] = i % 2 ? 100 : 1;
    finds(&t, SIZE_MAX, "two speeds in turn");
    t = power("slide", "speed", "force", 12, 1e-4, 2, 12, -0.05);
    for (size_t i = 0; i < 6; i++) {
        t.x[i] = -t.x[i];
        t.y[i] = -t.y[i];
    }
    finds(&t, SIZE_MAX, "both directions");
    t = power("slide", "speed", "force", 12, 1e-4, 2, 12, -0.05);
    t.condition = "load";
    for (size_t i = 0; i < t.n; i++) {
        t.at[i] = i == 5 ? 100 : 20 * (1 + 0.01 * (double) (i % 3));
        t.y[i] *= t.at[i] / 20;
    }
    finds(&t, SIZE_MAX, "one row under another load");
    t.y[8] *= 10;
    finds(&t, 8, "a slip among rows of a measured load");
    for (size_t i = 2; i < 11; i += 2)
        t.y[i] *= 3;
    finds(&t, SIZE_MAX, "every other row of another kind");
}

/* Scatter alone makes no row odd, be it small or as large as the reading. */
static void scatter(void)
{
    uint64_t state = 20;
    size_t odd = 0;

    for (size_t k = 0; k < 2000; k++) {
        struct table t = restitution();
        t.n = 5 + k % 8;
        for (size_t i = 0; i < t.n; i++) {
            double sum = 0; /* of 12 uniform numbers: nearly normal */
            for (size_t u = 0; u < 12; u++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                sum += (double) (state >> 33) / 2147483648.0;
            }
            t.y[i] *= exp((k % 4 == 0 ? 0.4 : k % 4 == 1 ? 0.1 : 0.01) * (sum - 6));
        }
        struct cf_odd_rows found = judge(&t);
        odd += found.n;
        cf_odd_rows_clear(&found);
    }
    ok(odd == 0, "of 2000 tables that scatter, %zu rows are odd", odd);
}

TEST(odd_rows)
{
    plan(9 * 4 * 2 + 3 + 20 + 2 + 11 + 1);
    gsl_set_error_handler_off();
    slips_of_readings();
    slips_of_places();
    behaviours();
    scatter();
    return done();
}
