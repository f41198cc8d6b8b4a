#include "estimate/variance_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/effects.h"
#include "estimate/records.h"
#include "estimate/serial.h"

/* So many places go side by side: a processor does the same with all of them. */
enum { LANES = 4 };
typedef double lanes[LANES];

/* Logarithms are taken of the product over so many rows: with sigmas of any use it neither
 * overflows nor vanishes. */
enum { ROWS_PER_LOG = 8 };

struct cf_variance_stream {
    uint32_t *group;  /* nobservation: from 1 on; 0: of none */
    uint32_t *effect; /* of each group, which effect it is of */
};

void cf_variance_stream_free(struct cf_variance_stream *stream)
{
    if (!stream)
        return;
    free(stream->group);
    free(stream->effect);
    free(stream);
}

/* ---- what it can do */

static bool rows_are_plain(const struct cf_problem *q)
{
    for (size_t e = 0; e < q->neffect; e++)
        if (q->effect[e].of != CF_GROUPS_SHIFT)
            return false; /* parameters may differ by thousands of sigmas: sums lose that */
    for (size_t i = 0; i < q->nobservation; i++) {
        const struct cf_observation *o = &q->observation[i];
        if (o->shared != 0 || (o->weight != 1 && o->weight != 0) || o->robust != 1)
            return false;
    }
    for (size_t c = 0; c < q->nchannel; c++)
        if (q->channel[c].partner != CF_NO_CHANNEL)
            return false;
    return true;
}

/* Number the groups; false where one is not side by side, or an observation is of two. */
static bool number_groups(const struct cf_problem *q, struct cf_variance_stream *s)
{
    uint32_t n = 0;

    for (size_t e = 0; e < q->neffect; e++) {
        const struct cf_effect *effect = &q->effect[e];
        for (size_t g = 0; g < effect->ngroup; g++) {
            s->effect[++n] = (uint32_t) e;
            for (size_t k = effect->first[g]; k < effect->first[g + 1]; k++) {
                size_t i = effect->member[k];
                if (s->group[i] || i != effect->member[effect->first[g]] + k - effect->first[g])
                    return false;
                s->group[i] = n;
            }
        }
    }
    return true;
}

int cf_variance_stream_make(const struct cf_problem *q, struct cf_variance_stream **stream,
                            struct cf_error *err)
{
    struct cf_variance_stream *s;
    size_t ngroup = 0;

    *stream = NULL;
    if (!rows_are_plain(q) || cf_serial_any(q))
        return CF_OK;
    for (size_t e = 0; e < q->neffect; e++)
        ngroup += q->effect[e].ngroup;
    s = calloc(1, sizeof *s);
    if (s) {
        s->group = calloc(q->nobservation + 1, sizeof *s->group);
        s->effect = calloc(ngroup + 1, sizeof *s->effect);
    }
    if (!s || !s->group || !s->effect) {
        cf_variance_stream_free(s);
        return cf_fail(err, CF_ENOMEM, "no memory for the groups of %zu rows", q->nobservation);
    }
    if (number_groups(q, s))
        *stream = s;
    else
        cf_variance_stream_free(s);
    return CF_OK;
}

/* ---- the pass over the observations */

/* The variances at each place. */
struct noise {
    lanes *base, *slope; /* of channels: sigma^2 = base + slope growth + sigma0^2 */
    lanes *effect, *record;
};

/* A row made independent of those before it. */
struct row {
    lanes *x; /* columns, then the load of the row's effect */
    lanes scale, diagonal, before;
};

struct walk {
    const struct cf_variance_work *work;
    const struct cf_variance_stream *stream;
    size_t columns;
    struct noise noise;
    struct row row[3];
    lanes *sum, *dot, length; /* of a group: products of its columns, and with the load */
    lanes *all;               /* products of columns: columns * columns, the lower half of it */
    lanes product, log_det;
    size_t rows; /* in the product */
};

/* Room for all of it, as one. */
static lanes *walk_make(struct walk *k, const struct cf_variance_work *w)
{
    const struct cf_problem *q = &w->problem;
    size_t m = w->columns,
           n = 2 * q->nchannel + q->neffect + q->nrecord + 3 * (m + 1) + 2 * m * m + m;
    lanes *room = calloc(n, sizeof *room);

    *k = (struct walk){.work = w, .stream = w->stream, .columns = m};
    if (!room)
        return NULL;
    k->noise.base = room;
    k->noise.slope = k->noise.base + q->nchannel;
    k->noise.effect = k->noise.slope + q->nchannel;
    k->noise.record = k->noise.effect + q->neffect;
    for (size_t i = 0; i < 3; i++)
        k->row[i].x = k->noise.record + q->nrecord + i * (m + 1);
    k->sum = k->row[2].x + m + 1;
    k->all = k->sum + m * m;
    k->dot = k->all + m * m;
    for (size_t l = 0; l < LANES; l++) {
        k->product[l] = 1;
        for (size_t i = 0; i < 3; i++)
            k->row[i].diagonal[l] = 1;
    }
    return room;
}

static void put_one(struct noise *noise, const struct cf_variance_part *part, double v, size_t lane)
{
    switch (part->kind) {
    case CF_VARIANCE_SIGMA:
    case CF_VARIANCE_BASE:
        noise->base[part->index][lane] = v;
        break;
    case CF_VARIANCE_SLOPE:
        noise->slope[part->index][lane] = v;
        break;
    case CF_VARIANCE_EFFECT:
        noise->effect[part->index][lane] = v;
        break;
    case CF_VARIANCE_RECORD:
        noise->record[part->index][lane] = v;
        break;
    case CF_VARIANCE_SHARED: /* none of these here */
        break;
    }
}

static void put_noise(struct walk *k, const double v[], size_t lane)
{
    const struct cf_problem *q = &k->work->problem;

    for (size_t r = 0; r < q->nrecord; r++)
        k->noise.record[r][lane] = 1; /* its band has its variance */
    for (size_t i = 0; i < k->work->nvariance; i++)
        put_one(&k->noise, &k->work->part[i], v[i], lane);
}

static size_t record_of(const struct cf_problem *q, size_t data)
{
    for (size_t r = 0; r < q->nrecord; r++)
        if (q->record[r].data == data)
            return r;
    return q->nrecord;
}

/* 1/sigma of an observation, by its channel's variances. */
static void scale_row(struct walk *k, const struct cf_observation *o, lanes scale)
{
    const struct cf_channel *c = &k->work->problem.channel[o->channel];
    const double *base = k->noise.base[o->channel], *slope = k->noise.slope[o->channel];
    double growth = c->model == CF_SIGMA_CONSTANT ? 0 : cf_channel_growth(c, o->abscissa);
    double known = cf_channel_is_plain(c) ? 0 : o->sigma0 * o->sigma0 + o->carried * o->carried;

    for (size_t l = 0; l < LANES; l++)
        scale[l] = c->estimated ? 1 / sqrt(base[l] + slope[l] * growth + known) : 1 / o->sigma;
    if (!(o->weight > 0)) /* left out: as if nothing were known of it */
        memset(scale, 0, sizeof(lanes));
}

/* Its row of the Cholesky factor of what records add (records.c), and the columns by it. */
static void make_independent(struct walk *k, size_t i, const struct cf_reading_link *link,
                             const double record[])
{
    struct row *here = &k->row[i % 3], *last = &k->row[(i + 2) % 3], *second = &k->row[(i + 1) % 3];
    const double *band = link->band;
    lanes before;

    for (size_t l = 0; l < LANES; l++) {
        double share = record[l] * here->scale[l], a, b;
        a = share * second->scale[l] * band[2] / second->diagonal[l];
        b = (share * last->scale[l] * band[1] - a * last->before[l]) / last->diagonal[l];
        before[l] = a;
        here->before[l] = b;
        here->diagonal[l] = sqrt(1 + share * here->scale[l] * band[0] +
                                 here->scale[l] * here->scale[l] * link->known - a * a - b * b);
    }
    for (size_t j = 0; j <= k->columns; j++)
        for (size_t l = 0; l < LANES; l++)
            here->x[j][l] =
                (here->x[j][l] - here->before[l] * last->x[j][l] - before[l] * second->x[j][l]) /
                here->diagonal[l];
}

/* The row's columns in sigmas, independent of those before. */
static void take_row(struct walk *k, size_t i, const double record[])
{
    const struct cf_problem *q = &k->work->problem;
    struct row *here = &k->row[i % 3];
    size_t m = k->columns, n = k->work->n;
    double load = k->stream->group[i] ? 1 : 0;

    scale_row(k, &q->observation[i], here->scale);
    for (size_t j = 0; j < m; j++)
        for (size_t l = 0; l < LANES; l++)
            here->x[j][l] = k->work->A[j * n + i] * here->scale[l];
    for (size_t l = 0; l < LANES; l++) {
        here->x[m][l] = load * here->scale[l];
        here->diagonal[l] = 1;
        here->before[l] = 0;
    }
    if (record)
        make_independent(k, i, &q->link[i], record);
    for (size_t l = 0; l < LANES && q->observation[i].weight > 0; l++)
        k->product[l] *= here->diagonal[l] / here->scale[l];
    for (size_t l = 0; l < LANES && k->rows + 1 == ROWS_PER_LOG; l++) {
        k->log_det[l] += 2 * log(k->product[l]);
        k->product[l] = 1;
    }
    k->rows = (k->rows + 1) % ROWS_PER_LOG;
}

/* Add the row's products to those of its group. */
static void add_products(struct walk *k, size_t i)
{
    lanes *x = k->row[i % 3].x;
    size_t m = k->columns;

    for (size_t a = 0; a < m; a++) {
        for (size_t b = 0; b <= a; b++)
            for (size_t l = 0; l < LANES; l++)
                k->sum[a * m + b][l] += x[a][l] * x[b][l];
        for (size_t l = 0; l < LANES; l++)
            k->dot[a][l] += x[a][l] * x[m][l];
    }
    for (size_t l = 0; l < LANES; l++)
        k->length[l] += x[m][l] * x[m][l];
}

/* A group ends; the next one begins with nothing. */
static void end_group(struct walk *k, uint32_t group)
{
    const double *variance = group ? k->noise.effect[k->stream->effect[group]] : NULL;
    size_t m = k->columns;
    lanes factor = {0};

    for (size_t l = 0; l < LANES && variance; l++) {
        double grown = 1 + variance[l] * k->length[l];
        k->log_det[l] += log(grown); /* NaN: not positive definite */
        factor[l] = variance[l] / grown;
    }
    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++)
            for (size_t l = 0; l < LANES; l++)
                k->all[a * m + b][l] +=
                    k->sum[a * m + b][l] - factor[l] * k->dot[a][l] * k->dot[b][l];
    memset(k->sum, 0, m * m * sizeof *k->sum);
    memset(k->dot, 0, m * sizeof *k->dot);
    memset(k->length, 0, sizeof k->length);
}

static void walk(struct walk *k)
{
    const struct cf_problem *q = &k->work->problem;
    const uint32_t *group = k->stream->group;
    const double *record = NULL;

    for (size_t i = 0; i < k->work->n; i++) {
        if (q->nrecord && (i == 0 || q->observation[i].data != q->observation[i - 1].data)) {
            size_t r = record_of(q, q->observation[i].data);
            record = r < q->nrecord ? k->noise.record[r] : NULL;
        }
        if (i > 0 && group[i] != group[i - 1])
            end_group(k, group[i - 1]);
        take_row(k, i, record);
        add_products(k, i);
    }
    if (k->work->n)
        end_group(k, group[k->work->n - 1]);
    for (size_t l = 0; l < LANES; l++)
        k->log_det[l] += 2 * log(k->product[l]);
}

/* ---- what the sums come to */

static void add_priors(const struct walk *k, double C[], size_t lane)
{
    size_t m = k->columns;

    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++) {
            C[a * m + b] = k->all[a * m + b][lane];
            for (size_t i = 0; i < k->work->problem.nprior; i++)
                C[a * m + b] += k->work->prior[i * m + a] * k->work->prior[i * m + b];
        }
}

/* ln det of the columns but the last, and what of the last they leave, by Cholesky's factor of
 * their products C[m * m], in place of its lower half. */
static struct cf_variance_value value_of(double C[], size_t m, double log_det)
{
    struct cf_variance_value at = {log_det, NAN};

    for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b <= a; b++) {
            double rest = C[a * m + b];
            for (size_t c = 0; c < b; c++)
                rest -= C[a * m + c] * C[b * m + c];
            if (a == b && a + 1 == m)
                at.square = fmax(rest, 0); /* a fit that is exact */
            else if (a == b)
                at.log_det += log(rest);
            C[a * m + b] = a == b ? sqrt(rest) : rest / C[b * m + b];
        }
    return at;
}

int cf_variance_stream(const struct cf_variance_work *w, const double v[], size_t n,
                       struct cf_variance_value at[], struct cf_error *err)
{
    size_t m = w->columns;

    for (size_t first = 0; first < n; first += LANES) {
        size_t count = n - first < LANES ? n - first : LANES;
        struct walk k;
        lanes *room = walk_make(&k, w);
        double *C = calloc(m * m + 1, sizeof *C);
        for (size_t l = 0; l < LANES && room && C; l++) /* the last one fills up */
            put_noise(&k, &v[(first + (l < count ? l : count - 1)) * w->nvariance], l);
        if (room && C)
            walk(&k);
        for (size_t l = 0; l < count && room && C; l++) {
            add_priors(&k, C, l);
            at[first + l] = value_of(C, m, k.log_det[l]);
        }
        free(room);
        free(C);
        if (!room || !C)
            return cf_fail(err, CF_ENOMEM, "no memory for the variances of %zu rows", w->n);
    }
    return CF_OK;
}
