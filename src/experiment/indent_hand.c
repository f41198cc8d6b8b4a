/* An indentation by hand: where the contact is, and Hertz through two points.
 *
 * The contact point is the best of the places on a grid between the readings, each with a level of
 * the force and k of k z^m by least squares, or of k V(z) where the shape of the probe is stated.
 * m is that of a flat punch, a sphere or a cone, whichever is nearest: a Hertz spring would put the
 * contact of a linear one before the first row. With it n is the slope of ln force over ln depth
 * between half and all of the depth, k follows from the deepest rows, and lambda from the loop:
 * half the difference of loading and unloading over half the difference of their rates. kv follows
 * from the same rows by the probe's volume.
 */

#include <gsl/gsl_fit.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/indent_channels.h"
#include "law/foundation_family.h"

/* A branch in the order of pressing in. */
struct stroke {
    size_t n;
    double *z, *F, *w; /* depth, force, rate; w is freed with z */
    struct cf_indent_probe probe;
};

static bool has_reading(const struct cf_dataset *d, size_t row)
{
    return d->use[row] != CF_ROW_EXCLUDED && cf_dataset_has(d, row, CF_INDENT_FORCE) &&
           cf_dataset_has(d, row, CF_INDENT_DEPTH);
}

/* Of a flat punch, a sphere and a cone. */
static const double exponents[] = {1, 1.5, 2};
enum { NEXPONENT = sizeof exponents / sizeof exponents[0] };

/* How the force grows with depth, by hand: with an exponent unless the probe is stated. */
static double grown(const struct stroke *s, double exponent, double z)
{
    if (!(z > 0))
        return 0;
    return cf_indent_is_stated(&s->probe) ? cf_indent_volume(&s->probe, z) : pow(z, exponent);
}

/* That which is stated; a round one as if it stood straight, whose volume is a closed form: it is
 * asked for at all rows and places of the grid. None where it is no probe, which others report. */
static struct cf_indent_probe probe_by_hand(const struct cf_dataset *d)
{
    struct cf_indent_probe probe;
    double a[CF_INDENT_NAPPARATUS];

    memcpy(a, d->apparatus, sizeof a);
    if (!(a[CF_INDENT_BOX_LENGTH] > 0))
        a[CF_INDENT_TILT] = 0;
    if (cf_indent_probe(a, d->press, &probe, NULL))
        probe = (struct cf_indent_probe){.err = NULL};
    return probe;
}

/* The caller frees s->z. */
static int stroke_of(const struct cf_dataset *d, enum cf_indent_branch branch, struct stroke *s,
                     struct cf_error *err)
{
    *s = (struct stroke){.probe = probe_by_hand(d), .z = malloc((3 * d->nrow + 1) * sizeof *s->z)};
    if (!s->z)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", d->nrow);
    s->F = s->z + d->nrow;
    s->w = s->F + d->nrow;
    for (size_t i = 0; i < d->nrow; i++) {
        size_t row = branch == CF_INDENT_LOADING ? i : d->nrow - 1 - i;
        double rate = cf_dataset_value(d, row, CF_INDENT_RATE);
        if (!has_reading(d, row) || cf_indent_branch(d, row) != branch)
            continue;
        s->z[s->n] = cf_dataset_value(d, row, CF_INDENT_DEPTH);
        s->F[s->n] = cf_dataset_value(d, row, CF_INDENT_FORCE);
        s->w[s->n++] = isnan(rate) ? 0 : rate;
    }
    return CF_OK;
}

/* The longer branch; they are distinguished by the contact that it shows. */
static int longer_stroke(const struct cf_dataset *d, struct stroke *s, struct cf_error *err)
{
    struct stroke back;
    int status = stroke_of(d, CF_INDENT_LOADING, s, err);

    if (status)
        return status;
    status = stroke_of(d, CF_INDENT_UNLOADING, &back, err);
    if (status) {
        free(s->z);
        return status;
    }
    if (back.n > s->n) {
        struct stroke swap = *s;
        *s = back;
        back = swap;
    }
    free(back.z);
    return CF_OK;
}

/* The sd of independent noise: the median of |second differences|, which have sqrt(6) times as
 * much, and 0.6745 of an sd of a normal distribution as its median. x[]: room for n. */
static double noise_of(const struct stroke *s, double x[])
{
    size_t n = s->n - 2;

    for (size_t i = 0; i < n; i++)
        x[i] = fabs(s->F[i] - 2 * s->F[i + 1] + s->F[i + 2]);
    gsl_sort(x, 1, n);
    return gsl_stats_median_from_sorted_data(x, 1, n) / (0.6745 * M_SQRT3 * M_SQRT2);
}

/* Level and k about a contact point, of every step-th row; the sum of squares. */
static double fit_at(const struct stroke *s, size_t step, double exponent, double contact,
                     double x[], struct cf_indent_contact *out)
{
    double cov00, cov01, cov11, sum;
    size_t n = (s->n + step - 1) / step;

    for (size_t i = 0; i < n; i++)
        x[i] = grown(s, exponent, s->z[i * step] - contact);
    gsl_fit_linear(x, 1, s->F, step, n, &out->level_N, &out->k, &cov00, &cov01, &cov11, &sum);
    return sum;
}

static double lowest(const double z[], size_t n)
{
    double low = z[0];
    for (size_t i = 1; i < n; i++)
        low = fmin(low, z[i]);
    return low;
}

static double highest(const double z[], size_t n)
{
    double high = z[0];
    for (size_t i = 1; i < n; i++)
        high = fmax(high, z[i]);
    return high;
}

/* A grid over the depth, then one between the neighbours of its best place. The sum of squares. */
static double seek(const struct stroke *s, double exponent, double x[],
                   struct cf_indent_contact *out)
{
    enum { GRID = 40, ROWS = 400 };
    size_t step = s->n / ROWS + 1;
    double low = lowest(s->z, s->n), high = highest(s->z, s->n), least = (double) INFINITY;

    for (int round = 0; round < 2; round++) {
        double from = low, gap = (high - low) / GRID;
        for (int i = 0; i < GRID; i++) { /* at the upper end nothing would be in contact */
            struct cf_indent_contact at = *out;
            double sum = fit_at(s, step, exponent, from + i * gap, x, &at);
            if (!(sum < least) || !(at.k > 0))
                continue;
            least = sum;
            out->contact_m = from + i * gap;
            out->k = at.k;
            out->pressed_N = at.k * grown(s, exponent, out->deepest_m - out->contact_m);
            out->level_N = at.level_N;
        }
        low = fmax(from, out->contact_m - gap);
        high = fmin(high, out->contact_m + gap);
    }
    return least;
}

/* With the exponent that is nearest; a probe that is stated has its volume in its place. */
static void seek_best(const struct stroke *s, double x[], struct cf_indent_contact *out)
{
    size_t n = cf_indent_is_stated(&s->probe) ? 1 : NEXPONENT;
    const struct cf_indent_contact from = *out;
    double least = (double) INFINITY;

    for (size_t i = 0; i < n; i++) {
        struct cf_indent_contact at = from;
        double sum = seek(s, exponents[i], x, &at);
        if (!(sum < least))
            continue;
        least = sum;
        *out = at;
    }
}

static int contact_of(const struct stroke *s, struct cf_indent_contact *out, struct cf_error *err)
{
    enum { LEAST = 5 };
    double *x = malloc((s->n + 1) * sizeof *x);

    *out = (struct cf_indent_contact){.n = 0};
    if (!x)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu rows", s->n);
    if (s->n >= LEAST) {
        *out = (struct cf_indent_contact){.n = s->n,
                                          .contact_m = lowest(s->z, s->n),
                                          .level_N = gsl_stats_mean(s->F, 1, s->n),
                                          .deepest_m = highest(s->z, s->n)};
        out->noise_N = noise_of(s, x);
        seek_best(s, x, out);
        while (out->before < s->n && s->z[out->before] < out->contact_m)
            out->before++;
    }
    free(x);
    return CF_OK;
}

/* The caller frees s->z, also after a failure. */
static int look_for_contact(const struct cf_dataset *d, struct stroke *s,
                            struct cf_indent_contact *out, struct cf_error *err)
{
    int status = longer_stroke(d, s, err);

    *out = (struct cf_indent_contact){.n = 0};
    if (status)
        s->z = NULL;
    return status ? status : contact_of(s, out, err);
}

int cf_indent_find_contact(const struct cf_dataset *d, struct cf_indent_contact *out,
                           struct cf_error *err)
{
    struct stroke s;
    int status = look_for_contact(d, &s, out, err);

    free(s.z);
    return status;
}

/* ---- where a fit looks */

int cf_indent_range(const struct cf_dataset *d, size_t parameter, struct cf_param *row,
                    struct cf_error *err)
{
    struct cf_indent_contact c;
    struct stroke s;
    double span, force;
    int status;

    if (parameter >= CF_INDENT_ONSET)
        return CF_OK;
    status = look_for_contact(d, &s, &c, err);
    if (!c.n) {
        free(s.z);
        return status;
    }
    span = c.deepest_m - lowest(s.z, s.n);
    force = highest(s.F, s.n) - lowest(s.F, s.n);
    if (parameter == CF_INDENT_CONTACT) {
        row->fit_lower = c.deepest_m - 2 * span;
        row->fit_upper = c.deepest_m;
        row->typical = c.contact_m;
    } else if (parameter <= CF_INDENT_BIAS_END) {
        row->fit_lower = c.level_N - force;
        row->fit_upper = c.level_N + force;
        row->typical = c.level_N;
    } else if (parameter <= CF_INDENT_SLOPE_END && span > 0) {
        row->fit_upper = force / span;
        row->fit_lower = -row->fit_upper;
    } else if (parameter == CF_INDENT_DRAG && highest(s.w, s.n) != lowest(s.w, s.n)) {
        row->fit_upper = force / fmax(fabs(highest(s.w, s.n)), fabs(lowest(s.w, s.n)));
    } else if (parameter == CF_INDENT_ADHESION) {
        row->fit_upper = force;
    } else if (parameter == CF_INDENT_ADHESION_RANGE) {
        row->fit_upper = span;
    } else if (parameter == CF_INDENT_COMPLIANCE && force > 0) {
        row->fit_upper = span / force;
    }
    free(s.z);
    return CF_OK;
}

/* ---- the law */

/* The mean of force less level, of depth and of rate where the depth is in this part of the
 * deepest. */
struct mean {
    size_t n;
    double z, F, w;
};

static struct mean mean_of(const struct stroke *s, const struct cf_indent_contact *c, double low,
                           double high)
{
    struct mean m = {0, 0, 0, 0};

    for (size_t i = 0; i < s->n; i++) {
        double z = s->z[i] - c->contact_m, share = z / (c->deepest_m - c->contact_m);
        if (!(share >= low && share <= high))
            continue;
        m.n++;
        m.z += z;
        m.F += s->F[i] - c->level_N;
        m.w += s->w[i];
    }
    m.z /= (double) m.n;
    m.F /= (double) m.n;
    m.w /= (double) m.n;
    return m;
}

/* What both branches say: the elastic force at half and at all of the depth, and damping [N s/m]
 * at half of it. */
struct loop {
    struct mean half, deep;
    double damping;
};

/* *found: do both say it? */
static int loop_of(const struct cf_dataset *d, const struct cf_indent_contact *c, struct loop *out,
                   bool *found, struct cf_error *err)
{
    struct stroke load, back;
    struct mean in = {0}, off = {0};
    int status = stroke_of(d, CF_INDENT_LOADING, &load, err);

    *found = false;
    if (status)
        return status;
    status = stroke_of(d, CF_INDENT_UNLOADING, &back, err);
    if (status) {
        free(load.z);
        return status;
    }
    in = mean_of(&load, c, 0.45, 0.55);
    off = mean_of(&back, c, 0.45, 0.55);
    *out =
        (struct loop){.half = in.n ? in : off, .deep = mean_of(load.n ? &load : &back, c, 0.9, 1)};
    if (in.n && off.n) {
        out->damping = in.w > off.w ? fmax(0, (in.F - off.F) / (in.w - off.w)) : 0;
        out->half.F = in.F - out->damping * in.w;
        out->deep.F -= out->damping * out->deep.w;
    }
    free(load.z);
    free(back.z);
    *found = out->half.n && out->deep.n && out->half.F > 0 && out->deep.F > out->half.F &&
             out->half.z > 0;
    return CF_OK;
}

/* By what a parameter is called; n and k are known by then. */
static struct cf_hand start_of(const char *name, const struct cf_law *law, const struct loop *l,
                               double n, double k)
{
    enum { FEW = 3, MANY = 30 };
    double p = law->damping ? law->p : 0.5, z = l->half.z; /* 0.5: as the width of the patch */

    if (strcmp(name, "k") == 0)
        return (struct cf_hand){k, FEW};
    if (strcmp(name, "n") == 0)
        return (struct cf_hand){n, 0.3};
    if (strcmp(name, "p") == 0)
        return (struct cf_hand){p, 0.5};
    if (strcmp(name, "lambda") == 0 && l->damping > 0)
        return (struct cf_hand){l->damping / pow(z, p), MANY};
    if (strcmp(name, "a") == 0 && l->damping > 0)
        return (struct cf_hand){l->damping / (k * pow(z, p)), MANY};
    return (struct cf_hand){(double) NAN, (double) NAN};
}

/* Of a foundation: kv from the deepest rows, a from the loop at half of the depth. */
static int foundation_hand(const struct cf_dataset *d, const struct cf_law *law,
                           const struct loop *l, struct cf_hand start[], struct cf_error *err)
{
    enum { FEW = 3, MANY = 30 };
    struct cf_indent_probe probe;
    struct cf_force_slope deep, half;
    double p[CF_MAX_PARAM] = {0}, kv;
    struct cf_error why;
    int status = cf_indent_probe(d->apparatus, d->press, &probe, &why);

    if (status == CF_ENOMEM)
        return cf_fail(err, status, "%s", why.text);
    if (status || !cf_indent_is_stated(&probe)) /* others report what is none */
        return CF_OK;
    cf_indent_law(law, p, &probe, l->deep.z, 0, &deep, NULL); /* at rest, by kv it is the volume */
    cf_indent_law(law, p, &probe, l->half.z, 0, &half, NULL);
    kv = l->deep.F / deep.by_param[CF_FOUNDATION_KV];
    if (!(kv > 0 && isfinite(kv)))
        return CF_OK;
    start[CF_FOUNDATION_KV] = (struct cf_hand){kv, FEW};
    for (size_t i = 0; i < law->nparam && l->damping > 0; i++)
        if (strcmp(law->param[i].name, "a") == 0)
            start[i] = (struct cf_hand){l->damping / (kv * half.by_param[CF_FOUNDATION_KV]), MANY};
    return CF_OK;
}

int cf_indent_hand(const struct cf_dataset *d, const struct cf_law *law, struct cf_hand start[],
                   struct cf_error *err)
{
    struct cf_indent_contact c;
    struct loop l;
    double n, k;
    bool found = false;
    int status = cf_indent_find_contact(d, &c, err);

    if (!status && c.n)
        status = loop_of(d, &c, &l, &found, err);
    if (status || !found)
        return status;
    if (cf_indent_has_volume(law))
        return foundation_hand(d, law, &l, start, err);
    n = law->damping ? law->n : log(l.deep.F / l.half.F) / log(l.deep.z / l.half.z);
    n = fmin(fmax(n, 1), 3);
    k = l.deep.F / pow(l.deep.z, n);
    for (size_t i = 0; i < law->nparam; i++)
        start[i] = start_of(law->param[i].name, law, &l, n, k);
    return CF_OK;
}
