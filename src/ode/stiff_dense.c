/* States within a step of the stiff method.
 *
 * What the rows leave behind is of low order. So the step is taken anew from its start to the nodes
 * of Chebyshev, where each state is as good as the step's end, and the polynomial through them is
 * used if its last coefficients are below the allowed error. Where it is not smooth enough, right
 * behind a kick, each state asked for is a step of its own.
 */

#include <math.h>
#include <string.h>

#include "ode/stiff.h"

static const double PI = 3.14159265358979323846;

static double *node_at(const struct cf_stiff *s, int i, int degree)
{
    return s->node + (size_t) (i * (CF_STIFF_DEGREE / degree)) * s->n;
}

/* Nodes of the degree that are not those of half of it. */
static void take_nodes(struct cf_ode *ode, int degree)
{
    struct cf_stiff *s = ode->stiff;
    bool all = degree == CF_STIFF_LEAST_DEGREE;

    if (all) {
        memcpy(node_at(s, 0, degree), ode->y, s->n * sizeof *ode->y);
        memcpy(node_at(s, degree, degree), ode->next, s->n * sizeof *ode->y);
    }
    for (int i = 1; i < degree; i += all ? 1 : 2)
        cf_stiff_state(ode, ode->h * 0.5 * (1 - cos(PI * i / degree)), node_at(s, i, degree));
}

/* The last two coefficients, of each state, within the allowed error? */
static bool smooth(const struct cf_ode *ode, int degree)
{
    const struct cf_stiff *s = ode->stiff;

    for (size_t d = 0; d < s->n; d++) {
        double last = 0, before = 0;
        double size = fmax(fabs(ode->y[d]), fabs(ode->next[d]));
        for (int i = 0; i <= degree; i++) {
            double y = node_at(s, i, degree)[d] - ode->y[d];
            double weight = (i == 0 || i == degree ? 0.5 : 1.0) * (i % 2 ? -1 : 1) / degree;
            last += weight * y;
            before += 2 * weight * cos(PI * i / degree) * y;
        }
        if (!(fabs(last) + fabs(before) <=
              ode->options->tolerance * fmax(size, ode->options->scale[d])))
            return false;
    }
    return true;
}

static void make(struct cf_ode *ode)
{
    int degree = CF_STIFF_LEAST_DEGREE;

    for (; degree <= CF_STIFF_DEGREE; degree *= 2) {
        take_nodes(ode, degree);
        if (smooth(ode, degree))
            break;
    }
    ode->stiff->degree = degree <= CF_STIFF_DEGREE ? degree : -1;
}

/* The polynomial through the nodes, in barycentric form. */
static void interpolate(const struct cf_stiff *s, double x, double y[])
{
    double sum = 0;

    memset(y, 0, s->n * sizeof *y);
    for (int i = 0; i <= s->degree; i++) {
        double apart = x - 0.5 * (1 - cos(PI * i / s->degree)), weight;
        const double *node = node_at(s, i, s->degree);
        if (apart == 0) {
            memcpy(y, node, s->n * sizeof *y);
            return;
        }
        weight = (i == 0 || i == s->degree ? 0.5 : 1.0) * (i % 2 ? -1 : 1) / apart;
        sum += weight;
        for (size_t d = 0; d < s->n; d++)
            y[d] += weight * node[d];
    }
    for (size_t d = 0; d < s->n; d++)
        y[d] /= sum;
}

void cf_stiff_dense_at(struct cf_ode *ode, double t, double y[])
{
    struct cf_stiff *s = ode->stiff;
    double x = (t - ode->t) / ode->h;

    if (x == 0 || x == 1) {
        memcpy(y, x == 0 ? ode->y : ode->next, s->n * sizeof *y);
        return;
    }
    if (s->degree == 0)
        make(ode);
    if (s->degree > 0)
        interpolate(s, x, y);
    else
        cf_stiff_state(ode, x * ode->h, y);
}
