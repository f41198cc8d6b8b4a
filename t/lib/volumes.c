#include "volumes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"

double keep_worst(double most, double d)
{
    return d <= most ? most : d;
}

static int kind(int metric)
{
    return metric == 0 ? 0 : metric < 4 ? 1 : 2;
}

static const int entry[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {2, 0}, {0, 1}};

void volume_metrics(const struct cf_volume *v, double out[1 + CF_TWIST][NMETRIC])
{
    out[0][0] = v->volume_m3;
    memcpy(out[0] + 1, v->centroid_m, sizeof v->centroid_m);
    for (int e = 0; e < 6; e++)
        out[0][4 + e] = v->inertia_m5[entry[e][0]][entry[e][1]];
    for (int t = 0; t < CF_TWIST; t++) {
        out[1 + t][0] = v->volume_by[t];
        for (int i = 0; i < 3; i++)
            out[1 + t][1 + i] = v->centroid_by[i][t];
        for (int e = 0; e < 6; e++)
            out[1 + t][4 + e] = v->inertia_by[entry[e][0]][entry[e][1]][t];
    }
}

void compare_volumes(const struct cf_volume *v, const double want[NEXPECTED], double size_m,
                     struct worst_volume *worst)
{
    double got[1 + CF_TWIST][NMETRIC], size[2][3] = {{0, size_m, 0}, {0}}, off[2][3] = {{0}};

    worst->rows++;
    volume_metrics(v, got);
    for (int t = 0; t <= CF_TWIST; t++)
        for (int m = 0; m < NMETRIC; m++) {
            double *s = &size[t > 0][kind(m)], *o = &off[t > 0][kind(m)];
            *s = fmax(*s, fabs(want[t * NMETRIC + m]));
            *o = keep_worst(*o, fabs(got[t][m] - want[t * NMETRIC + m]));
        }
    for (int k = 0; k < 3; k++) {
        worst->of[k] = keep_worst(worst->of[k], off[0][k] / size[0][k]);
        worst->by[k] = keep_worst(worst->by[k], off[1][k] / size[1][k]);
    }
}

static bool read_row(const char *line, int n, double row[])
{
    for (int i = 0; i < n; i++) {
        char *end;
        row[i] = strtod(line, &end);
        if (end == line || *end != (i + 1 < n ? ',' : '\n'))
            return false;
        line = end + 1;
    }
    return true;
}

void each_volume_row(const char *name, int ninput,
                     void (*row)(const double input[], const double want[NEXPECTED], void *data),
                     void *data)
{
    const char *srcdir = getenv("srcdir");
    char path[1000], line[4000];
    double number[MAX_VOLUME_INPUT + NEXPECTED];
    FILE *in;

    snprintf(path, sizeof path, "%s/t/reference/%s", srcdir ? srcdir : ".", name);
    in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in))
        if (read_row(line, ninput + NEXPECTED, number))
            row(number, number + ninput, data);
    if (in)
        fclose(in);
}

void check_worst(const struct worst_volume *w, int rows, const char *name, double metric, double by)
{
    ok(w->rows == rows && w->of[0] < metric && w->of[1] < metric && w->of[2] < metric,
       "%d %s: V to %.0e, p_c to %.0e, J to %.0e", w->rows, name, w->of[0], w->of[1], w->of[2]);
    ok(w->rows == rows && w->by[0] < by && w->by[1] < by && w->by[2] < by,
       "%s: derivatives of V to %.0e, of p_c to %.0e, of J to %.0e", name, w->by[0], w->by[1],
       w->by[2]);
}
