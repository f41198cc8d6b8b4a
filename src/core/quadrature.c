#include "core/quadrature.h"

#include <math.h>
#include <stdbool.h>

/* Beyond |t| = END nodes are within 3e-28 of the ends, of which thin slices need 1e-20. */
static const double END = 3.7, CHANGE = 1e-9;
enum { FIRST = 8, HALVINGS = 12 }; /* FIRST steps on each side */

struct sums {
    size_t n;
    double signed_[CF_MAX_INTEGRALS], size[CF_MAX_INTEGRALS];
};

static int add_node(cf_integrand *f, void *context, double length, double t, struct sums *sums,
                    struct cf_error *err)
{
    double small = exp(-acos(-1.0) * sinh(fabs(t))), near = small / (1 + small),
           far = 1 / (1 + small), weight = acos(-1.0) * cosh(t) * near * far, at[CF_MAX_INTEGRALS];
    int status = f(context, length * (t < 0 ? near : far), length * (t < 0 ? far : near), at, err);

    for (size_t i = 0; i < sums->n && !status; i++) {
        sums->signed_[i] += weight * at[i];
        sums->size[i] += weight * fabs(at[i]);
    }
    return status;
}

/* The trapezoidal rule with `steps` steps on each side, from that with half as many; the first
 * takes all nodes. */
static int refine(cf_integrand *f, void *context, double length, int steps, struct sums *sums,
                  struct cf_error *err)
{
    int stride = steps == FIRST ? 1 : 2, status = CF_OK;

    for (int k = steps == FIRST ? -steps : 1 - steps; k <= steps && !status; k += stride)
        status = add_node(f, context, length, k * END / steps, sums, err);
    return status;
}

static bool settled(const struct sums *sums, double before[], double step)
{
    bool all = true;

    for (size_t i = 0; i < sums->n; i++) {
        double now = sums->signed_[i] * step;
        if (!(fabs(now - before[i]) <= CHANGE * sums->size[i] * step))
            all = false;
        before[i] = now;
    }
    return all;
}

int cf_integrate(cf_integrand *f, void *context, double length, size_t n, double out[],
                 struct cf_error *err)
{
    struct sums sums = {.n = n};
    bool enough = !(length > 0);
    int steps = FIRST;

    for (size_t i = 0; i < n; i++)
        out[i] = enough ? 0 : NAN;
    for (int i = 0; i <= HALVINGS && !enough; i++, steps *= 2) {
        int status = refine(f, context, length, steps, &sums, err);
        if (status)
            return status;
        enough = settled(&sums, out, length * END / steps);
    }
    if (!enough)
        return cf_fail(err, CF_ESOLVE,
                       "an integral over a length of %.6g did not settle within %d halvings of its "
                       "steps",
                       length, HALVINGS);
    return CF_OK;
}
