/* Numbers over time: applied forces, loads. */

#include <math.h>

#include "motion/system.h"

/* The point behind those that are past at the beginning of a phase; 0 or n: it is constant. */
static size_t next_point(const struct cf_course *course, double began_s)
{
    size_t i = 0;

    while (i < course->n && course->time_s[i] <= began_s)
        i++;
    return i;
}

double cf_course_at(const struct cf_course *course, double began_s, double time_s)
{
    const double *t = course->time_s, *f = course->value;
    size_t i = next_point(course, began_s);

    if (i == 0)
        return f[0];
    if (i == course->n)
        return f[i - 1];
    return f[i - 1] + (f[i] - f[i - 1]) * (time_s - t[i - 1]) / (t[i] - t[i - 1]);
}

double cf_course_slope(const struct cf_course *course, double began_s)
{
    const double *t = course->time_s, *f = course->value;
    size_t i = next_point(course, began_s);

    return i == 0 || i == course->n ? 0 : (f[i] - f[i - 1]) / (t[i] - t[i - 1]);
}

void cf_course_by(const struct cf_course *course, size_t point, double began_s, double time_s,
                  double *by_value, double *by_time)
{
    const double *t = course->time_s;
    size_t i = next_point(course, began_s);
    double part;

    *by_value = *by_time = 0;
    if (i == 0 || i == course->n) {
        *by_value = point == (i == 0 ? 0 : course->n - 1);
        return;
    }
    part = (time_s - t[i - 1]) / (t[i] - t[i - 1]);
    if (point == i || point == i - 1)
        *by_value = point == i ? part : 1 - part;
    *by_time = -*by_value * cf_course_slope(course, began_s);
}

double cf_course_corner(const struct cf_course *course, double time_s)
{
    for (size_t i = 0; i < course->n; i++)
        if (course->time_s[i] > time_s)
            return course->time_s[i];
    return INFINITY;
}
