/* On from where a search ended to what a descent without derivatives finds lower: from beside the
 * optimum to it, and from it nowhere. */

#include "estimate/lower.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/optimum.h"
#include "lab.h"
#include "tap.h"

enum { N = 12 };

/* Restitutions that fall with ln v, and a scatter on them, whose best line is known by hand. */
static void make(struct cf_dataset *d, double *height, double *slope)
{
    static const double scatter[N] = {1, -1, 0.5, -0.3, 0.8, -1.1, 0.2, 0.6, -0.9, 0.4, -0.7, 0.5};
    double speed[N], e[N], sx = 0, sxx = 0, sy = 0, sxy = 0;

    for (size_t i = 0; i < N; i++) {
        speed[i] = exp(0.15 * (double) i);
        e[i] = 0.85 - 0.03 * log(speed[i]) + 0.003 * scatter[i];
        sx += log(speed[i]);
        sxx += log(speed[i]) * log(speed[i]);
        sy += e[i];
        sxy += log(speed[i]) * e[i];
    }
    *slope = (N * sxy - sx * sy) / (N * sxx - sx * sx);
    *height = (sy - *slope * sx) / N;
    lab_dataset(d, "restitution", N, speed, e, 0.003, lab_pair(0.1, 0.02));
}

static void test_line(void)
{
    static const char *const free_names[] = {"e_at_1", "b", NULL};
    struct cf_dataset d;
    struct cf_curves *curves = cf_curves_alloc();
    struct cf_solution *s = cf_solutions_alloc(1, 2);
    struct cf_solver *solver;
    struct cf_problem q;
    struct cf_spec spec;
    double height, slope, lowest, away[2];
    bool moved = true;

    make(&d, &height, &slope);
    spec = lab_spec("e-log", free_names, &d, 1);
    ok(!cf_problem_init(&q, &spec, spec.law, curves, CF_ROW_FIT, CF_SCOPE_ALL, NULL), "a problem");
    solver = cf_solver_alloc(&q);
    away[0] = height + 0.0004; /* some 0.2 standard errors beside */
    away[1] = -slope - 0.0002;
    memcpy(s->theta, away, sizeof away);
    s->end = CF_END_CONVERGED;
    ok(!cf_cost(&q, away, &s->cost, NULL), "its cost beside the optimum");
    ok(!cf_solution_lower(&q, solver, s, NULL), "goes on");
    ok(fabs(s->theta[0] - height) < 1e-7 && fabs(s->theta[1] + slope) < 1e-7, "to the optimum");
    ok(s->end == CF_END_CONVERGED && !cf_cost(&q, s->theta, &lowest, NULL) &&
           fabs(s->cost - lowest) < 1e-9,
       "with its cost");
    ok(!cf_solution_try(&q, solver, s, away, &moved, NULL) && fabs(s->theta[0] - height) < 1e-7 &&
           s->cost <= lowest + 1e-9,
       "from beside it comes nothing better");
    s->theta[0] = height; /* the best of all: nothing may move it */
    s->theta[1] = -slope;
    ok(!cf_cost(&q, s->theta, &s->cost, NULL) && !cf_solution_lower(&q, solver, s, NULL) &&
           fabs(s->theta[0] - height) < 1e-9 && fabs(s->theta[1] + slope) < 1e-9,
       "at the optimum it stays");
    cf_solver_free(solver);
    cf_problem_free(&q);
    free(s);
    cf_curves_free(curves);
    cf_dataset_clear(&d);
}

TEST(lower)
{
    gsl_set_error_handler_off();
    plan(7);
    test_line();
    return done();
}
