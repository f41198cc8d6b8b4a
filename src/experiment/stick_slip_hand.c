/* Stick-slip by hand: friction from peaks and troughs, and what plates can and cannot identify.
 *
 *   mu_s f_n = peak        mu_c f_n = (peak + trough)/2
 *
 * A block on a spring swings about the force of sliding, from the peak where it lets go to the
 * trough where it turns; the plate's own speed adds (V sqrt(k m))^2 to the square of half of that,
 * which is little where it slips much faster than the plate moves.
 */

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/slider.h"
#include "experiment/stick_slip_channels.h"

/* How far fits may be from it: shares of friction coefficients, factors of the others. A tau_dw of
 * a fifteenth of the stick, three times less than by hand, has no slope left to climb. */
static const double REACH_MU = 0.3, REACH_DWELL = 3, REACH_SPEED = 30;

/* A trough's time is known to this part of the rig's period, its force to this part of the range:
 * the weak prior by which a cycle is not laid over its neighbour's. */
static const double START_PERIODS = 0.05, START_RANGE = 0.05;

/* After so many times tau_dw a stick has its full strength, and after half as many it identifies
 * tau_dw best; a plate this much faster does so where tau_dw is half of what can just be
 * identified. */
static const double DWELLS = 5, CLEARLY = 1.05, FASTER = 4;

/* The Stribeck speed by hand: this part of the plate's. */
static const double SLOW = 0.1;

double cf_stick_load(const struct cf_dataset *d)
{
    for (size_t row = 0; row < d->nrow; row++)
        if (cf_dataset_has(d, row, CF_STICK_LOAD))
            return cf_dataset_value(d, row, CF_STICK_LOAD);
    return d->apparatus[CF_STICK_APPARATUS_LOAD] > 0 ? d->apparatus[CF_STICK_APPARATUS_LOAD]
                                                     : (double) NAN;
}

/* The medians over the whole cycles. */
struct told {
    double trough_N, peak_N, stick_s, range_N;
};

static double median(double x[], size_t n)
{
    gsl_sort(x, 1, n);
    return gsl_stats_median_from_sorted_data(x, 1, n);
}

/* *told: does the record say anything? */
static int tell(const struct cf_dataset *d, struct told *out, bool *told, struct cf_error *err)
{
    struct cf_stick_cycles c;
    struct cf_error why;
    int status = cf_stick_cut(d, &c, &why);
    double *x = status ? NULL : malloc((3 * c.n + 1) * sizeof *x);
    size_t n = 0;

    if (status == CF_ENOMEM || (!status && !x))
        status = cf_fail(err, CF_ENOMEM, "no memory for the cycles of %zu rows", d->nrow);
    else
        status = CF_OK; /* others report what is wrong with the record */
    for (size_t i = 0; x && i < c.n; i++) {
        if (isnan(c.cycle[i].peak_N))
            continue;
        x[n] = c.cycle[i].trough_N;
        x[c.n + n] = c.cycle[i].peak_N;
        x[2 * c.n + n++] = c.cycle[i].peak_s - c.cycle[i].trough_s;
    }
    *told = n > 0;
    if (*told)
        *out = (struct told){median(x, n), median(x + c.n, n), median(x + 2 * c.n, n),
                             c.high_N - c.low_N};
    free(x);
    free(c.cycle);
    return status;
}

int cf_stick_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                  struct cf_error *err)
{
    const double *a = d->apparatus;
    double load = cf_stick_load(d), sliding;
    struct told t;
    bool told;
    int status;

    if (!law->friction || !(load > 0))
        return CF_OK;
    status = tell(d, &t, &told, err);
    if (!told)
        return status;
    sliding = (t.peak_N + t.trough_N) / 2;
    cf_slider_hand(law, "mu_s", "1", t.peak_N / load, REACH_MU * t.peak_N / load, start);
    cf_slider_hand(law, "mu_c", "1", sliding / load, REACH_MU * sliding / load, start);
    cf_slider_hand(law, "tau_dw", "s", t.stick_s / DWELLS, REACH_DWELL, start);
    cf_slider_hand(law, "v_s", "m/s", SLOW * a[CF_STICK_SPEED], REACH_SPEED, start);
    return CF_OK;
}

int cf_stick_start_sd(const struct cf_dataset *d, size_t i, double *sd, struct cf_error *err)
{
    const double *a = d->apparatus;
    struct told t;
    bool told;
    int status = CF_OK;

    if (i == CF_STICK_TROUGH_TIME) {
        *sd = START_PERIODS * 2 * M_PI * sqrt(a[CF_STICK_MASS] / a[CF_STICK_STIFFNESS]);
    } else {
        status = tell(d, &t, &told, err);
        *sd = told ? START_RANGE * t.range_N : (double) INFINITY;
    }
    return status;
}

/* The parameter of friction of that name; SIZE_MAX: it has none. */
static size_t find(const struct cf_law *law, const char *name)
{
    for (size_t i = 0; law->friction && i < law->friction->nparam; i++)
        if (strcmp(law->friction->param[i].name, name) == 0)
            return cf_law_friction_from(law) + i;
    return SIZE_MAX;
}

int cf_stick_foresee(const struct cf_dataset *d, const struct cf_law *law, const double p[],
                     char text[], size_t size, struct cf_error *err)
{
    size_t dwell = find(law, "tau_dw");
    struct told t;
    bool told;
    int status;

    text[0] = '\0';
    if (dwell == SIZE_MAX || !(p[dwell] > 0))
        return CF_OK;
    status = tell(d, &t, &told, err);
    if (!told)
        return status;
    /* by hand tau_dw is just at the limit: then nothing is known of it */
    if (t.stick_s > CLEARLY * DWELLS * p[dwell])
        snprintf(text, size,
                 "%s: a tau_dw of %.3g s has no effect here: sticks at %.4g mm/s last %.3g s, %.2g "
                 "times "
                 "it, and after %g times a contact has its full strength; a plate at %.2g mm/s or "
                 "faster identifies it",
                 d->name, p[dwell], 1e3 * d->apparatus[CF_STICK_SPEED], t.stick_s,
                 t.stick_s / p[dwell], DWELLS,
                 1e3 * d->apparatus[CF_STICK_SPEED] * t.stick_s / (DWELLS / 2 * p[dwell]));
    else
        snprintf(
            text, size,
            "%s: sticks at %.4g mm/s last %.3g s and identify a tau_dw of %.2g s or more; a "
            "shorter one has no effect here, and a plate at %.4g mm/s identifies one half as long",
            d->name, 1e3 * d->apparatus[CF_STICK_SPEED], t.stick_s, t.stick_s / DWELLS,
            1e3 * FASTER * d->apparatus[CF_STICK_SPEED]);
    return CF_OK;
}
