/* Are a fit's statements about its numbers true? Synthetic studies, counted.
 *
 * study TABLE REPLICATES JOBS [NAME]: fit REPLICATES synthetic studies of each design of the table
 * and print how often the profile intervals of parameters called `fine` cover the truth, beside
 * those of Wald, how often each verdict is given, and how often a fit that is called good is wrong.
 *
 * Many machines share the work: with --tasks FROM:TO and --records FOLDER each makes those of all
 * studies, counted from 0 through the designs, as files in the folder; --records FOLDER alone
 * counts what all have made, and prints what one run over all of them would.
 */

#include <config.h>

#define _POSIX_C_SOURCE 200809L

#include <getopt.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "designs.h"
#include "share.h"

/* The bootstraps cost more than the rest together: they are made in the first studies only. */
enum { BOOTSTRAPPED = 50, RESAMPLES = 200 };

/* Over all designs. */
struct total {
    size_t studies, false_success, own_law, misfit, other_law, passed, intervals, covered, outside;
    size_t broken, broken_false, broken_good; /* studies whose data are not as the fit assumes */
    size_t wald, resampled[CF_NBOOTSTRAP], resampled_covered[CF_NBOOTSTRAP];
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void print_head(size_t replicates)
{
    printf(
        "contactfit " PACKAGE_VERSION
        ": %zu synthetic studies a design (fewer where the table says so), seeds in the\n"
        "table of designs.\n"
        "Coverage is that of 95 %% intervals of parameters called `fine`; n counts them, the\n"
        "band is the exact binomial 99.9 %% one for n; ! lies outside of it. Where it depends on "
        "the\n"
        "noise whether a parameter is fine (*), those called so are those whose scatter came out\n"
        "small, and the row is judged with those called weak. Bias is in standard errors.\n"
        "Bootstraps (BCa, of rows and parametric, %d resamples) of the first %d studies.\n"
        "Verdicts: good/weak/misfit/undetermined/failed. False: good, and the truth outside of\n"
        "a 99.99 %% region. + after it: the design breaks what the fit assumes, so that no "
        "interval\n"
        "need hold, and the verdict is what counts.\n\n",
        replicates, RESAMPLES, BOOTSTRAPPED);
    printf("%-20s %-8s %5s %7s %13s %6s %6s %6s %6s %7s  %-16s %s\n", "design", "of", "n",
           "profile", "band", "Wald", "boot n", "rows", "param.", "bias", "verdicts", "false");
}

static void print_verdicts(const struct design *d, const struct cf_selftest *t)
{
    char text[80];
    size_t used = 0;

    for (int i = 0; i < CF_NVERDICT; i++)
        used += (size_t) snprintf(text + used, sizeof text - used, "%s%zu", i ? "/" : "",
                                  t->verdict[i]);
    printf("  %-16s ", text);
    if (t->same_law)
        printf("%zu%s\n", t->false_success, d->broken ? " +" : "");
    else
        printf("another law\n");
}

/* Both bootstraps of the studies that had them. */
static void print_resampled(const struct cf_recovery *r)
{
    size_t n = r->resampled[CF_BOOTSTRAP_ROWS];

    printf(" %6zu", n);
    for (size_t k = 0; k < CF_NBOOTSTRAP; k++)
        if (r->resampled[k])
            printf(" %6.1f", 100 * (double) r->resampled_covered[k] / (double) r->resampled[k]);
        else
            printf(" %6s", "-");
}

/* "92.6 to 97.1", in percent of n. */
static void band_text(size_t n, double level, char text[], size_t size)
{
    size_t low, high;
    double share = 100 / (double) n;

    cf_binomial_band(n, level, cf_coverage_band, &low, &high);
    snprintf(text, size, "%.1f to %.1f", share * (double) low, share * (double) high);
}

/* Where being fine depends on the noise: the count that the row is judged by. */
static void print_usable(const struct cf_recovery *r, double level)
{
    size_t n, covered;
    bool holds = cf_recovery_holds(r, level, &n, &covered);
    char band[40];

    if (!r->known || r->worth[CF_WORTH_FINE] == 0 || n == r->worth[CF_WORTH_FINE])
        return;
    band_text(n, level, band, sizeof band);
    printf("%-20s %-8s %5zu %6.1f%c %13s\n", "", "and weak", n, 100 * (double) covered / (double) n,
           holds ? ' ' : '!', band);
}

static void print_parameter(const struct cf_recovery *r, double level)
{
    size_t n = r->worth[CF_WORTH_FINE], judged;

    printf(" %-8s %5zu", r->name, n);
    if (!r->known || n == 0) {
        printf(" %7s %13s %6s", "-", "-", "-");
    } else {
        char band[40];
        double share = 100 / (double) n;
        bool holds = cf_recovery_holds(r, level, &judged, NULL);
        band_text(n, level, band, sizeof band);
        printf(" %6.1f%c %13s %6.1f", share * (double) r->covered,
               judged != n ? '*'
               : holds     ? ' '
                           : '!',
               band, share * (double) r->wald_covered);
    }
    print_resampled(r);
    if (r->known && r->identified > 1)
        printf(" %7.3f", r->bias);
    else
        printf(" %7s", "-");
}

static void print_design(const struct design *d, const struct cf_selftest *t, double level)
{
    for (size_t j = 0; j < t->nfree; j++) {
        printf("%-20s", j ? "" : d->name);
        print_parameter(&t->parameter[j], level);
        if (j == 0)
            print_verdicts(d, t);
        else
            putchar('\n');
        print_usable(&t->parameter[j], level);
    }
    fflush(stdout);
}

static void add(struct total *sum, const struct design *d, const struct cf_selftest *t,
                double level)
{
    sum->studies += t->replicates;
    if (d->broken) {
        sum->broken += t->replicates;
        sum->broken_false += t->false_success;
        sum->broken_good += t->verdict[CF_VERDICT_GOOD];
        return;
    }
    sum->false_success += t->false_success;
    if (!t->same_law) {
        sum->other_law += t->replicates;
        sum->passed += t->verdict[CF_VERDICT_GOOD] + t->verdict[CF_VERDICT_WEAK];
        return;
    }
    sum->own_law += t->replicates;
    sum->misfit += t->verdict[CF_VERDICT_MISFIT];
    for (size_t j = 0; j < t->nfree; j++) {
        sum->intervals += t->parameter[j].worth[CF_WORTH_FINE];
        sum->covered += t->parameter[j].covered;
        sum->wald += t->parameter[j].wald_covered;
        for (size_t k = 0; k < CF_NBOOTSTRAP; k++) {
            sum->resampled[k] += t->parameter[j].resampled[k];
            sum->resampled_covered[k] += t->parameter[j].resampled_covered[k];
        }
        sum->outside += !cf_recovery_holds(&t->parameter[j], level, NULL, NULL);
    }
}

static double percent(size_t count, size_t n)
{
    return n ? 100 * (double) count / (double) n : 0;
}

static void print_total(const struct total *s)
{
    printf("\nall: %zu of %zu intervals of fine parameters cover the truth (%.2f %%); %zu rows lie "
           "outside their band\n",
           s->covered, s->intervals, percent(s->covered, s->intervals), s->outside);
    printf("     Wald %.2f %%; bootstrap of rows %.2f %% of %zu, parametric %.2f %% of %zu\n",
           percent(s->wald, s->intervals),
           percent(s->resampled_covered[CF_BOOTSTRAP_ROWS], s->resampled[CF_BOOTSTRAP_ROWS]),
           s->resampled[CF_BOOTSTRAP_ROWS],
           percent(s->resampled_covered[CF_BOOTSTRAP_PARAMETRIC],
                   s->resampled[CF_BOOTSTRAP_PARAMETRIC]),
           s->resampled[CF_BOOTSTRAP_PARAMETRIC]);
    printf("false success: %zu of %zu studies of the true law (%.2f %%)\n", s->false_success,
           s->own_law, percent(s->false_success, s->own_law));
    printf("misfit cried of the true law: %zu of %zu (%.2f %%; 1 %% is what the tests allow)\n",
           s->misfit, s->own_law, percent(s->misfit, s->own_law));
    printf("another law made the data, and the fit was called good or weak: %zu of %zu (%.1f %%)\n",
           s->passed, s->other_law, percent(s->passed, s->other_law));
    printf("what the fit assumes was broken (+): good in %zu of %zu (%.1f %%), false success %zu "
           "(%.2f %%)\n",
           s->broken_good, s->broken, percent(s->broken_good, s->broken), s->broken_false,
           percent(s->broken_false, s->broken));
}

/* So many of a design, which may ask for fewer. */
static size_t replicates_of(const struct design *d, size_t replicates)
{
    return d->most && d->most < replicates ? d->most : replicates;
}

static int count(const struct design *d, const struct design_case *c,
                 const struct cf_selftest_plan *plan, const struct cf_replicates *seen,
                 struct total *sum, struct cf_error *err)
{
    struct cf_selftest t = {0};
    int status = cf_selftest_count(plan, seen, &t, err);

    if (!status) {
        print_design(d, &t, c->fitted.options.level);
        add(sum, d, &t, c->fitted.options.level);
    }
    cf_selftest_clear(&t);
    return status;
}

static int run(const struct design *d, size_t replicates, const struct cf_workers *workers,
               struct share *share, struct total *sum, struct cf_error *err)
{
    struct cf_curves *curves = cf_curves_alloc();
    struct design_case c;
    struct cf_replicates seen = {0};
    int status = curves ? design_prepare(d, curves, &c, err)
                        : cf_fail(err, CF_ENOMEM, "no memory for the curves");
    struct cf_selftest_plan plan = {.truth = &c.problem,
                                    .theta = c.theta,
                                    .sigma = c.sigma,
                                    .disturbance = d->ndisturb ? &c.disturbance : NULL,
                                    .generator = d->throws.n ? &c.generator : NULL,
                                    .fitted = &c.fitted,
                                    .replicates = replicates_of(d, replicates),
                                    .seed = d->seed,
                                    .bootstrapped = d->never_resampled ? 0 : BOOTSTRAPPED,
                                    .bootstrap = RESAMPLES};
    double begin = now_s();

    if (!status)
        status = share_run(share, d->name, &plan, workers, &seen, err);
    if (!status && !share->tasks)
        status = count(d, &c, &plan, &seen, sum, err);
    if (!status && seen.n)
        fprintf(stderr, "%s: %.1f s\n", d->name, now_s() - begin);
    cf_replicates_clear(&seen);
    if (curves)
        design_case_clear(&c);
    cf_curves_free(curves);
    return status;
}

/* The designs of that name, or all, come first. */
static void choose(struct design *list, size_t *n, const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < *n && name; i++)
        if (strcmp(name, list[i].name) == 0) {
            struct design first = list[kept];
            list[kept++] = list[i];
            list[i] = first;
        }
    if (name)
        *n = kept;
}

static int run_all(char *operand[], struct share *share, struct total *sum, struct cf_error *err)
{
    struct cf_workers workers = {.jobs = strtoul(operand[2], NULL, 10)};
    struct design *list = NULL;
    size_t n = 0, all, most = 0, replicates = strtoul(operand[1], NULL, 10);
    int status = design_read(operand[0], &list, &n, err);

    all = n;
    if (!status)
        choose(list, &n, operand[3]);
    for (size_t i = 0; i < n; i++)
        most += replicates_of(&list[i], replicates);
    if (!status)
        status = share_begin(share, operand[0], most, err);
    if (!status && !share->tasks)
        print_head(replicates);
    for (size_t i = 0; i < n && !status; i++)
        status = run(&list[i], replicates, &workers, share, sum, err);
    design_free(list, all);
    return status;
}

static int usage(void)
{
    fprintf(stderr, "usage: study [--records FOLDER [--tasks FROM:TO]] TABLE REPLICATES JOBS "
                    "[NAME]\n");
    return 2;
}

int main(int argc, char *argv[])
{
    static const struct option option[] = {{"tasks", required_argument, NULL, 't'},
                                           {"records", required_argument, NULL, 'r'},
                                           {NULL, 0, NULL, 0}};
    struct cf_error err = {""};
    struct share share = {0};
    struct total sum = {0};

    for (int c; (c = getopt_long(argc, argv, "", option, NULL)) != -1;)
        if (c == 't')
            share.tasks = optarg;
        else if (c == 'r')
            share.folder = optarg;
        else
            return usage();
    if (argc - optind < 3 || argc - optind > 4 || strtoul(argv[optind + 1], NULL, 10) < 1 ||
        (share.tasks && !share.folder))
        return usage();
    gsl_set_error_handler_off();
    int status = run_all(argv + optind, &share, &sum, &err);
    if (status)
        fprintf(stderr, "study: %s\n", err.text);
    else if (!share.tasks)
        print_total(&sum);
    return status || sum.outside || sum.false_success * 100 > sum.own_law;
}
