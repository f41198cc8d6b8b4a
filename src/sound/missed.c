#include "sound/missed.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* What a ratio of flights may be for them to be of one throw; how far flights may be from what is
 * expected, e changing by some per cent from one to the next; and loudness by chance. */
static const double least_e = 0.3, most_e = 0.98, off = 0.12, louder = 1.4;

enum { FEW = 3 }; /* ratios that are needed */

static double flight(const struct cf_onsets *o, size_t i)
{
    return o->onset[i + 1].time_s - o->onset[i].time_s;
}

/* The median ratio of flights that follow each other; NAN where there are few. */
static double usual_e(const struct cf_onsets *o)
{
    double *ratio = o->n > 2 ? malloc(o->n * sizeof *ratio) : NULL, e = NAN;
    size_t n = 0;

    for (size_t i = 1; ratio && i + 1 < o->n; i++) {
        double r = flight(o, i) / flight(o, i - 1);
        if (r > least_e && r < most_e)
            ratio[n++] = r;
    }
    if (n >= FEW)
        e = gsl_stats_median(ratio, 1, n);
    free(ratio);
    return e;
}

/* Impacts too quiet to be found behind the last of a throw, in the time that is left. */
static size_t tail(const struct cf_onsets *o, size_t last, double last_flight_s, double left_s,
                   double e, double dead_time_s)
{
    double next = e * last_flight_s, level = e * o->onset[last].level;
    size_t n = 0;

    if (level > louder * o->threshold)
        return 0;
    for (; next >= dead_time_s && next < left_s; next *= e) {
        left_s -= next;
        n++;
    }
    return n;
}

/* Does a flight last as long as m + 1 of which the first is expected? */
static bool lasts(double flight_s, double expected_s, double e, size_t m)
{
    double sum = 1;

    for (size_t i = 0; i < m; i++)
        sum = 1 + e * sum;
    return fabs(flight_s / (expected_s * sum) - 1) < off;
}

size_t cf_onsets_missed(const struct cf_onsets *o, double dead_time_s)
{
    const size_t most = 2;             /* beyond that a pause fits as well as a flight */
    double e = usual_e(o), last = NAN; /* the flight before, within the throw */
    size_t missed = 0;

    if (isnan(e))
        return 0;
    for (size_t i = 0; i + 1 < o->n; i++) {
        double now = flight(o, i);
        bool follows = o->onset[i + 1].level < louder * o->onset[i].level;
        size_t m = 0;
        if (isnan(last)) {
            last = follows ? now : last; /* the first flight of a throw */
            continue;
        }
        while (m <= most && !(follows && lasts(now, e * last, e, m)))
            m++;
        if (m > most)
            missed += tail(o, i, last, now, e, dead_time_s);
        else
            missed += m;
        last = m > most ? (double) NAN : m ? last * pow(e, (double) m + 1) : now;
    }
    if (!isnan(last))
        missed +=
            tail(o, o->n - 1, last, o->duration_s - o->onset[o->n - 1].time_s, e, dead_time_s);
    return missed;
}
