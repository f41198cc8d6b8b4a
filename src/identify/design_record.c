/* One more record of a rig: what it would say, with what is unknown of it alone eliminated.
 *
 * The record is made at the study's fit with its noise, and read as any record is: so one in which
 * nothing slips, or that ends before a cycle is complete, is reported in the words of its protocol.
 * The residuals of such a record do not matter, but their derivatives.
 */

#define _POSIX_C_SOURCE 200809L

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "estimate/evaluate.h"
#include "estimate/serial.h"
#include "estimate/solve.h"
#include "estimate/triangle.h"
#include "identify/design.h"

/* ---- the record */

/* What a record is made of. */
struct source {
    const struct cf_problem *q;
    size_t data;
    const double *theta, *value; /* value[]: of its set, at the fit */
    const struct cf_setting *setting;
    double length_s;
    const double *stated; /* sigmas of its channels; NAN: the study's */
};

static double normal(void *rng)
{
    return gsl_ran_gaussian(rng, 1);
}

/* The study's channel of a column, and the model of its errors; NULL where they are independent. */
static const struct cf_channel *channel_of(const struct source *s, size_t column,
                                           const struct cf_serial **serial)
{
    size_t c = cf_channel_of(s->q, s->data, column);

    *serial = c == CF_NO_CHANNEL ? NULL : cf_serial_of(s->q, c);
    return c == CF_NO_CHANNEL ? NULL : &s->q->channel[c];
}

/* Errors of unit variance that follow each other as the model says. */
static int draw(const struct cf_serial *serial, size_t n, gsl_rng *rng, double e[],
                struct cf_error *err)
{
    const struct cf_serial_model white = {.kind = CF_SERIAL_WHITE};
    uint32_t *place = malloc((n + 1) * sizeof *place);
    struct cf_serial_filter filter = {.n = 0};
    int status = place ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", n);

    for (size_t i = 0; i < n && !status; i++)
        place[i] = (uint32_t) i;
    if (!status)
        status = cf_serial_filter_make(serial ? &serial->model : &white, n, place, &filter, err);
    if (!status)
        cf_serial_filter_draw(&filter, normal, rng, e);
    cf_serial_filter_clear(&filter);
    free(place);
    return status;
}

/* A measured column as the channel of the study would read it; one that the study does not read is
 * dropped. */
static int read_column(const struct source *s, size_t column, gsl_rng *rng, struct cf_dataset *d,
                       struct cf_error *err)
{
    const struct cf_set *set = &s->q->set[s->data];
    const struct cf_serial *serial;
    const struct cf_channel *channel = channel_of(s, column, &serial);
    struct cf_series *series = &d->series[column];
    double sigma, gain, bias, *e;
    int status;

    if (!channel || !series->value) {
        cf_dataset_drop(d, column);
        return CF_OK;
    }
    sigma = isnan(s->stated[column]) ? channel->sigma : s->stated[column];
    gain = s->value[cf_set_gain(set, set->index[column])];
    bias = s->value[cf_set_bias(set, set->index[column])];
    e = malloc((d->nrow + 1) * sizeof *e);
    status = e ? draw(serial, d->nrow, rng, e, err)
               : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    for (size_t i = 0; i < d->nrow && !status; i++)
        if (!isnan(series->value[i]))
            status = cf_dataset_put(d, i, column, gain * series->value[i] + bias + sigma * e[i],
                                    sigma, err);
    series->kind = CF_SIGMA_GIVEN;
    series->dense = serial != NULL;
    free(e);
    return status;
}

static int make_record(const struct source *s, double x, struct cf_dataset *d, struct cf_error *err)
{
    const struct cf_spec *spec = s->q->spec;
    const struct cf_protocol *protocol = spec->data[s->data].protocol;
    gsl_rng *rng = cf_random_stream(spec->options.seed, 0);
    int status =
        rng ? s->setting->record(&spec->data[s->data], s->q->law, s->value, x, s->length_s, d, err)
            : cf_fail(err, CF_ENOMEM, "no memory for random numbers");
    struct cf_record_about about = {0};

    for (size_t c = 0; c < protocol->nchannel && !status; c++)
        if (protocol->channel[c].role == CF_ROLE_MEASURED)
            status = read_column(s, c, rng, d, err);
    if (rng)
        gsl_rng_free(rng);
    if (!status && !(d->name = strdup(spec->data[s->data].name)))
        status = cf_fail(err, CF_ENOMEM, "no memory for a name");
    return status || !protocol->complete ? status : protocol->complete(d, &about, NULL, 0, err);
}

/* ---- what it says */

/* The study with this record alone, and its nuisances. */
static int narrow(const struct source *s, struct cf_dataset *d, struct cf_spec *spec,
                  struct cf_error *err)
{
    const struct cf_spec *from = s->q->spec;

    *spec = *from;
    spec->ndata = 1;
    spec->data = d;
    spec->grouping = (struct cf_grouping){0};
    spec->nnuisance = 0;
    spec->nuisance = calloc(from->nnuisance + 1, sizeof *spec->nuisance);
    if (!spec->nuisance)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu nuisances", from->nnuisance);
    for (size_t i = 0; i < from->nnuisance; i++) {
        struct cf_nuisance *to = &spec->nuisance[spec->nnuisance];
        *to = from->nuisance[i];
        if (to->data != s->data ||
            (to->kind == CF_NUISANCE_APPARATUS && isnan(d->apparatus[to->index])))
            continue;
        to->data = 0;
        to->min = to->max = to->start = NAN; /* where a fit looks is nothing to a record */
        spec->nnuisance++;
    }
    return CF_OK;
}

/* The study's unknown of the same parameter of the law, or nfree: there is none. */
static size_t same_as(const struct source *s, const struct cf_unknown *w)
{
    const struct cf_set *set = &s->q->set[s->data];

    if (w->kind != CF_UNKNOWN_LAW)
        return s->q->nfree;
    for (size_t k = 0; k < set->nactive; k++) {
        const struct cf_unknown *u = &s->q->unknown[set->active[k]];
        if (u->kind == CF_UNKNOWN_LAW && u->target == w->target && u->alias == w->alias)
            return set->active[k];
    }
    return s->q->nfree;
}

/* The same, which the record has in common with the study; nfree: it is one of its own. */
static size_t shared_with(const struct source *s, const struct cf_unknown *w)
{
    return w->per == CF_SHARED_BY_DATA ? s->q->nfree : same_as(s, w);
}

/* Where an unknown of the record is at the study's fit. */
static double theta_of(const struct source *s, const struct cf_problem *p,
                       const struct cf_unknown *w)
{
    const struct cf_dataset *d = &p->spec->data[0];
    size_t apparatus = cf_set_apparatus(p, 0), start = cf_set_start(p, 0, 0), same = same_as(s, w);

    if (same < s->q->nfree)
        return s->theta[same];
    if (w->kind == CF_UNKNOWN_VALUE && w->target >= start)
        return cf_unknown_theta(w, d->protocol->start[w->target - start].typical);
    if (w->kind == CF_UNKNOWN_VALUE)
        return cf_unknown_theta(w, d->apparatus[w->target - apparatus]);
    return cf_unknown_theta(w, s->value[w->target]);
}

/* The study's models of errors that follow each other. */
static int put_models(const struct source *s, struct cf_problem *p, struct cf_error *err)
{
    struct cf_serial *old = calloc(p->nchannel + 1, sizeof *old);
    size_t n = 0;
    int status;

    if (!old)
        return cf_fail(err, CF_ENOMEM, "no memory for the errors of %zu channels", p->nchannel);
    for (size_t c = 0; c < p->nchannel; c++) {
        const struct cf_serial *serial;
        channel_of(s, p->channel[c].column, &serial);
        if (!serial)
            continue;
        old[n] = *serial; /* its model is read, no more */
        old[n++].channel = c;
    }
    cf_serial_free(p);
    status = cf_serial_make(p, old, n, err);
    free(old);
    return status;
}

/* The factor of the record's residuals, its own unknowns eliminated with their priors, becomes rows
 * of a candidate; to[p->nfree]: the study's unknown of each, its nfree for one of the record's. */
static int eliminate(const struct source *s, const struct cf_problem *p, const double factor[],
                     const size_t to[], double x, struct cf_design *design, size_t kind,
                     struct cf_error *err)
{
    size_t n = p->nfree, nfree = s->q->nfree, nown = 0, at = 0;
    double *A = calloc((2 * n + 1) * n + n * n + 1, sizeof *A), *R = A + (2 * n + 1) * n;
    size_t *place = calloc(n + 1, sizeof *place), ld = 2 * n + 1;
    struct cf_candidate *c;

    for (size_t j = 0; j < n; j++)
        nown += to[j] == nfree;
    c = A && place ? cf_design_append(design, kind, n - nown) : NULL;
    for (size_t j = 0, own = 0; j < n && c; j++) {
        place[j] = to[j] == nfree ? own++ : nown + at++;
        for (size_t i = 0; i <= j; i++)
            A[place[j] * ld + i] = factor[i * (n + 1) + j];
        if (to[j] == nfree && p->unknown[j].has_prior)
            A[place[j] * ld + n + j] = 1 / p->unknown[j].prior_sigma;
    }
    if (c)
        cf_triangle_add(R, n, A, 2 * n, ld);
    for (size_t j = 0; j < n && c; j++)
        for (size_t i = nown; i <= place[j] && to[j] < nfree; i++)
            c->g[(i - nown) * nfree + to[j]] = R[i * n + place[j]];
    if (c) {
        c->data = s->data;
        c->column = CF_NO_CHANNEL;
        c->setting = s->setting;
        c->abscissa = x;
        c->sigma = NAN;
        c->count = (double) p->nobservation - (double) nown;
    }
    free(A);
    free(place);
    return c ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu measurements", n);
}

static double length_of(const struct cf_dataset *d)
{
    size_t clock = d->protocol->clock;

    return clock == CF_NO_CHANNEL || !d->nrow
               ? (double) NAN
               : cf_dataset_value(d, d->nrow - 1, clock) - cf_dataset_value(d, 0, clock);
}

/* Into the candidate, whether its noise is one that the study estimates, and its length. */
static void describe(const struct source *s, const struct cf_dataset *d, struct cf_candidate *c)
{
    c->length_s = length_of(d);
    for (size_t k = 0; k < s->q->set[s->data].nchannel && !c->estimated; k++) {
        const struct cf_channel *channel = &s->q->channel[s->q->set[s->data].fitted[k]];
        c->estimated = channel->estimated && d->series[channel->column].value &&
                       isnan(s->stated[channel->column]);
        c->channel = s->q->set[s->data].fitted[k];
    }
}

/* A problem of the record alone, folded at the study's fit. */
static int say(const struct source *s, struct cf_dataset *d, double x, size_t kind,
               struct cf_design *design, struct cf_error *err)
{
    struct cf_spec spec = {.nuisance = NULL};
    struct cf_problem p = {.nfree = 0};
    struct cf_fold fold = {.n = 0};
    double *theta = NULL;
    size_t *to = NULL;
    int status = narrow(s, d, &spec, err);

    if (!status)
        status = cf_problem_init(&p, &spec, s->q->law, s->q->curves, CF_ROW_FIT, CF_SCOPE_ALL, err);
    if (!status)
        status = put_models(s, &p, err);
    theta = calloc(p.nfree + 1, sizeof *theta);
    to = calloc(p.nfree + 1, sizeof *to);
    if (!status && (!theta || !to))
        status = cf_fail(err, CF_ENOMEM, "no memory for %zu unknowns", p.nfree);
    for (size_t i = 0; i < p.nfree && !status; i++) {
        theta[i] = theta_of(s, &p, &p.unknown[i]);
        to[i] = shared_with(s, &p.unknown[i]);
    }
    if (!status) {
        cf_sigma_reset(&p);
        status = cf_fold_alloc(&fold, &p, err);
    }
    if (!status)
        status = cf_problem_fold(&p, theta, &fold, err);
    if (!status)
        status = eliminate(s, &p, fold.data, to, x, design, kind, err);
    if (!status)
        describe(s, d, &design->candidate[design->ncandidate - 1]);
    cf_fold_clear(&fold);
    cf_problem_free(&p);
    free(spec.nuisance);
    free(theta);
    free(to);
    return status;
}

/* ---- all of them */

static int miss(struct cf_design *d, const struct source *s, double x, const struct cf_error *why,
                struct cf_error *err)
{
    struct cf_missed *more = realloc(d->missed, (d->nmissed + 1) * sizeof *more);

    if (!more)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu records", d->nmissed + 1);
    d->missed = more;
    d->missed[d->nmissed++] = (struct cf_missed){s->data, s->setting, x, *why};
    return CF_OK;
}

/* The values of the set at the fit, its locals at their best. */
static int set_values(const struct cf_design *d, const double theta[], size_t data, double value[],
                      struct cf_error *err)
{
    const double *local = d->fold.local;

    for (size_t i = 0; i < d->problem->npart; i++)
        if (d->problem->part[i].data == data) {
            local += d->problem->part[i].local;
            break;
        }
    return cf_set_values(d->problem, data, 0, theta, local, value, NULL, err);
}

int cf_design_add_records(struct cf_design *design, const double theta[], size_t data,
                          const struct cf_setting *setting, const double value[], size_t n,
                          double length_s, const double sigma[], struct cf_error *err)
{
    const struct cf_problem *q = design->problem;
    size_t rows = q->spec->ndata * CF_MAX_COLUMN, /* kinds of single readings */
        kind = design->nkind > rows ? design->nkind : rows;
    double *at = calloc(q->set[data].nplace + 1, sizeof *at);
    const struct source s = {q, data, theta, at, setting, length_s, sigma + data * CF_MAX_COLUMN};
    int status = at ? set_values(design, theta, data, at, err)
                    : cf_fail(err, CF_ENOMEM, "no memory for %zu values", q->set[data].nplace);

    for (size_t i = 0; i < n && !status; i++) {
        struct cf_dataset d = {.nrow = 0};
        struct cf_error why = {""};
        status = make_record(&s, value[i], &d, &why);
        if (!status)
            status = say(&s, &d, value[i], kind, design, &why);
        cf_dataset_clear(&d);
        if (cf_status_ends(status))
            status = cf_fail(err, status, "%s", why.text);
        else if (status)
            status = miss(design, &s, value[i], &why, err);
    }
    free(at);
    return status;
}
