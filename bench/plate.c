/* How fast a block on a moving plate is run, derivatives included. */

#include "plate.h"

#include <math.h>
#include <stdlib.h>

#include "experiment/plate.h"
#include "timing.h"

enum { TURNS = 3, ROWS = 60000, PARAMETERS = 7, MOST_STEPS = 1000000 };
static const double RATE_HZ = 1000, TOLERANCE = 1e-9;

int bench_plate(struct cf_error *err)
{
    static const double p[PARAMETERS] = {0.15, 0.1, 1e4, 30, 0.1, 3e-3, 0.15};
    static const size_t of[PARAMETERS] = {0, 1, 2, 3, 4, 5, 6};
    const struct cf_plate_columns columns = {PARAMETERS, of};
    const struct cf_plate plate = {
        .law = cf_friction_find("bristle"),
        .p = p,
        .number = {[CF_PLATE_LOAD] = 10,
                   [CF_PLATE_MASS] = 1,
                   [CF_PLATE_STIFFNESS] = 50,
                   [CF_PLATE_SPEED] = 0.035,
                   [CF_PLATE_RIPPLE_RATE] = 1.7,
                   [CF_PLATE_RIPPLE_COSINE] = 0.003,
                   [CF_PLATE_RIPPLE_SINE] = 0.004,
                   [CF_PLATE_TROUGH_N] = 0.56},
    };
    double *time_s = malloc((size_t) ROWS * (2 + PARAMETERS) * sizeof *time_s), best = INFINITY;
    struct cf_plate_samples samples = {.n = ROWS, .time_s = time_s};
    int status = time_s ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %d rows", ROWS);

    for (size_t i = 0; i < ROWS && !status; i++)
        time_s[i] = (double) i / RATE_HZ;
    for (int turn = 0; turn < TURNS && !status; turn++) {
        double begin = bench_now_s();
        samples.force_N = time_s + ROWS;
        samples.force_by = samples.force_N + ROWS;
        status = cf_plate_run(&plate, &columns, TOLERANCE, MOST_STEPS, &samples, err);
        best = fmin(best, bench_now_s() - begin);
    }
    if (!status)
        bench_print("plate", best, samples.force_N[ROWS - 1],
                    "60 s of stick-slip at 1 kHz, 7 derivatives");
    free(time_s);
    return status;
}
