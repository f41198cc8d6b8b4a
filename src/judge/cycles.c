#include "judge/cycles.h"

#include <math.h>
#include <stdbool.h>

/* A stroke of a cycle is one of so much of the range at least. */
static const double stroke_share = 0.25;

static double range_of(const double signal[], size_t n)
{
    double low = (double) INFINITY, high = -low;

    for (size_t i = 0; i < n; i++) {
        low = fmin(low, signal[i]);
        high = fmax(high, signal[i]);
    }
    return high - low;
}

void cf_cycle_directions(const double signal[], size_t n, double share, double direction[])
{
    double back = share * range_of(signal, n), least = (double) INFINITY, most = -least, way = 0;
    size_t turned = 0, lowest = 0, highest = 0;

    for (size_t i = 0; i < n; i++) {
        if (signal[i] < least) {
            least = signal[i];
            lowest = i;
        }
        if (signal[i] > most) {
            most = signal[i];
            highest = i;
        }
        bool up = way <= 0 && signal[i] - least > back;
        bool down = way >= 0 && most - signal[i] > back;
        if (up || down) {
            size_t extreme = up ? lowest : highest;
            double before = way != 0 ? way : up ? -1 : 1;
            for (; turned < extreme; turned++)
                direction[turned] = before;
            way = up ? 1 : -1;
            least = most = signal[i];
            lowest = highest = i;
        }
    }
    for (; turned < n; turned++)
        direction[turned] = way;
}

/* Where the signal rises through the middle of a stroke that begins with row `from`: a time; NAN:
 * it does not rise there, or by less than `height`, as where a record begins with the end of a
 * stroke. *next: the stroke behind it begins. */
static double rise(const double signal[], const double t[], const double direction[], size_t from,
                   size_t n, double height, size_t *next)
{
    size_t end = from;
    double least = signal[from], most = signal[from], middle;

    for (; end < n && direction[end] == direction[from]; end++) {
        least = fmin(least, signal[end]);
        most = fmax(most, signal[end]);
    }
    *next = end;
    middle = (least + most) / 2;
    for (size_t i = from + 1; i < end && direction[from] > 0 && most - least > height; i++)
        if (signal[i - 1] < middle && signal[i] >= middle)
            return t[i - 1] +
                   (t[i] - t[i - 1]) * (middle - signal[i - 1]) / (signal[i] - signal[i - 1]);
    return (double) NAN;
}

/* Phases of rows from `row` on up to `until`, in the cycle of that length that begins at `begin`.
 */
static size_t put_phases(const double t[], size_t n, size_t row, double begin, double length,
                         double until, double phase[])
{
    for (; row < n && t[row] < until; row++) {
        double here = (t[row] - begin) / length;
        phase[row] = here >= 0 && here < 1 ? here : (double) NAN;
    }
    return row;
}

double cf_cycle_phases(const double signal[], const double t[], size_t n, double phase[])
{
    double height = stroke_share * range_of(signal, n);
    double last = (double) NAN, length = (double) NAN, cycles = 0;
    size_t row = 0;

    cf_cycle_directions(signal, n, stroke_share, phase); /* lies there until a stroke is used up */
    for (size_t from = 0, next; from < n; from = next) {
        double begin = rise(signal, t, phase, from, n, height, &next);
        if (isnan(begin))
            continue;
        if (!isnan(last)) {
            if (isnan(length))
                row = put_phases(t, n, 0, last - (begin - last), begin - last, last, phase);
            length = begin - last;
            row = put_phases(t, n, row, last, length, begin, phase);
        }
        last = begin;
    }
    put_phases(t, n, row, last, length, (double) INFINITY, phase);
    for (size_t i = 0; i < n; i++)
        if (isnan(length) || isnan(phase[i]))
            phase[i] = (double) NAN;
    if (isnan(length))
        return 0;
    for (size_t i = 1; i < n; i++)
        cycles += !isnan(phase[i]) && !isnan(phase[i - 1]) && phase[i] >= phase[i - 1]
                      ? phase[i] - phase[i - 1]
                      : 0;
    return cycles;
}
