/* Groups that stand off: against the classical test of a mean among means, how often a faultless
 * fit names one, and how often one that is off is named. Synthetic. */

#define _POSIX_C_SOURCE 200809L

#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "lab.h"
#include "tap.h"

enum { GROUPS = 8, ROWS = 6, N = GROUPS * ROWS };

static const double sigma = 0.002, tau = 0.002;

/* Sessions of ROWS rows over the whole range of speeds, one of which is off by `shift` taus. */
static void draw(unsigned stream, double shift, double slope, double x[], double e[])
{
    gsl_rng *rng = cf_random_stream(23, stream);

    for (size_t g = 0; g < GROUPS; g++) {
        double own = gsl_ran_gaussian(rng, tau) + (g == 2 ? shift * tau : 0);
        for (size_t k = 0; k < ROWS; k++) {
            size_t i = g * ROWS + k;
            x[i] = 0.4 * pow(12, ((double) k + gsl_rng_uniform(rng)) / ROWS);
            e[i] = 0.8 - slope * log(x[i]) + own + gsl_ran_gaussian(rng, sigma);
        }
    }
    gsl_rng_free(rng);
}

/* The groups: of `shape` 0 the sessions, 1 days of two sessions around them. */
static void group(struct cf_spec *spec, struct cf_dataset *d, int shape)
{
    static const char *const name[] = {"day", "session"};
    size_t within = SIZE_MAX;

    spec->grouping.origin = CF_GROUPS_STATED;
    for (int i = 1 - shape; i < 2; i++) {
        size_t level = 0;
        cf_grouping_level(&spec->grouping, name[i], within, &level, NULL);
        cf_dataset_group_room(d, level + 1, NULL);
        for (size_t row = 0; row < N; row++) {
            uint32_t outer = within == SIZE_MAX ? CF_NO_GROUP : d->group[within * d->nrow + row];
            char text[32];
            snprintf(text, sizeof text, "%zu", row / ROWS / (i == 0 ? 2 : 1) + 1);
            cf_grouping_number(&spec->grouping, level, outer, text,
                               &d->group[level * d->nrow + row], NULL);
        }
        within = level;
    }
}

/* The reason that names a group, or NULL: a copy. */
static char *named(const char *law, const double x[], const double e[], int shape,
                   struct cf_curves *curves, enum cf_verdict_status *status)
{
    static const char *const line[] = {"e_at_1", "b", NULL}, *const constant[] = {"e", NULL};
    struct cf_dataset d;
    struct cf_spec spec;
    char *text = NULL;

    lab_dataset(&d, "restitution", N, x, e, 0, lab_pair(0.1, 0.02));
    spec = lab_spec(law, strcmp(law, "e-constant") ? line : constant, &d, 1);
    spec.options.starts = 4;
    spec.options.screen = 64;
    group(&spec, &d, shape);
    struct cf_fit *fit = lab_fit(&spec, curves);
    *status = fit ? fit->status : CF_VERDICT_FAILED;
    for (size_t i = 0; fit && i < fit->findings.n; i++)
        if (strstr(fit->findings.item[i].text, "is an outlier"))
            text = strdup(fit->findings.item[i].text);
    cf_fit_free(fit);
    cf_grouping_clear(&spec.grouping);
    cf_dataset_clear(&d);
    return text;
}

/* Of groups of one size and a law without slope: t of a mean against the other means. */
static void by_hand(struct cf_curves *curves)
{
    double x[N], e[N], mean[GROUPS] = {0}, others = 0, squares = 0, t;
    enum cf_verdict_status status;
    char *text, wanted[160];

    draw(1, 9, 0, x, e);
    text = named("e-constant", x, e, 0, curves, &status);
    for (size_t i = 0; i < N; i++)
        mean[i / ROWS] += e[i] / ROWS;
    for (size_t g = 0; g < GROUPS; g++)
        others += g == 2 ? 0 : mean[g] / (GROUPS - 1);
    for (size_t g = 0; g < GROUPS; g++)
        squares += g == 2 ? 0 : pow(mean[g] - others, 2);
    t = (mean[2] - others) / sqrt(squares / (GROUPS - 2) * (1 + 1.0 / (GROUPS - 1)));
    snprintf(wanted, sizeof wanted,
             "restitution: session 3 is an outlier: the error that its 6 rows share lies above by "
             "%.1f standard deviations of the other groups",
             t);
    ok(text && strncmp(text, wanted, strlen(wanted)) == 0, "%s: %s", wanted, text ? text : "none");
    ok(status == CF_VERDICT_WEAK, "the fit is weak");
    free(text);
}

static void rates(struct cf_curves *curves, int shape)
{
    enum { STUDIES = 40 };
    size_t cried = 0, seen = 0, wrong = 0;

    for (unsigned s = 0; s < STUDIES; s++) {
        double x[N], e[N];
        enum cf_verdict_status status;
        char *text;
        draw(100 + s, 0, 0.03, x, e);
        text = named("e-log", x, e, shape, curves, &status);
        cried += text != NULL;
        free(text);
        draw(300 + s, -14, 0.03, x, e);
        text = named("e-log", x, e, shape, curves, &status);
        seen += text && strstr(text, shape ? "session 2, 3 is an" : "session 3 is an") &&
                strstr(text, "below");
        wrong += text && status == CF_VERDICT_GOOD;
        free(text);
    }
    ok(cried <= 2, "shape %d: of %d faultless fits %zu name a group", shape, STUDIES, cried);
    ok(seen >= (shape ? 0 : 36), "a group that is off by 14 tau is named in %zu", seen);
    ok(wrong == 0, "and such a fit is never good");
}

TEST(outlying_groups)
{
    struct cf_curves *curves = cf_curves_alloc();

    plan(8);
    gsl_set_error_handler_off();
    by_hand(curves);
    rates(curves, 0);
    rates(curves, 1);
    cf_curves_free(curves);
    return done();
}
