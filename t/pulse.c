/* Pulses against other ways to the same: the closed form of a linear contact; matrix exponentials
 * of one on a rig behind a slow sensor; the curves of impacts for all laws, by greatest force, end
 * and momentum; a head that is hit twice, against small steps; and all derivatives by differences.
 */

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/protocol.h"
#include "lab.h"
#include "tap.h"

enum { SINCE, TIME, SPEED, IMPACT, FORCE };
enum { STIFFNESS, HEAD, DAMPING, BANDWIDTH, ORDER, DRIFT, GAIN, NRIG };
enum { MOST = 64 };

static const struct cf_protocol *pulse;

/* Rows at the times of one impact, or of several by their speeds. */
static struct cf_dataset rows_of(size_t n, const double time_s[], double speed_m_s, double mass_kg)
{
    struct cf_dataset d = {.pair = lab_pair(mass_kg, 0.02)};
    struct cf_error err;

    cf_dataset_alloc(&d, pulse, n, &err);
    for (size_t i = 0; i < n; i++) {
        lab_put(&d, i, SINCE, time_s[i], 0);
        lab_put(&d, i, SPEED, speed_m_s, 0);
    }
    return d;
}

/* The law's parameters, the rig's numbers, the touch. */
static void put_values(const struct cf_law *law, const double p[], const double rig[NRIG],
                       double touch_s, double value[MOST])
{
    for (size_t i = 0; i < pulse->napparatus; i++)
        value[law->nparam + i] = i < NRIG ? rig[i] : pulse->apparatus[i].typical;
    for (size_t i = 0; i < law->nparam; i++)
        value[i] = p ? p[i] : law->param[i].typical;
    value[law->nparam + pulse->napparatus] = touch_s;
}

static bool predict(const struct cf_dataset *d, const struct cf_law *law, const double value[],
                    double tolerance, size_t nby, const size_t by[], double y[], double by_value[],
                    double by_imposed[])
{
    const size_t channel = FORCE;
    size_t *row = calloc(d->nrow + 1, sizeof *row);
    struct cf_request q = {.data = d,
                           .law = law,
                           .value = value,
                           .nrow = d->nrow,
                           .row = row,
                           .nchannel = 1,
                           .channel = &channel,
                           .nby = nby,
                           .by = by,
                           .tolerance = tolerance};
    struct cf_response out = {y, by_value, by_imposed};
    struct cf_error err = {""};
    int status;

    for (size_t i = 0; i < d->nrow; i++)
        row[i] = i;
    status = cf_protocol_predict(NULL, &q, &out, &err);
    free(row);
    if (status)
        printf("# %s\n", err.text);
    return status == CF_OK;
}

static const double rigid[NRIG] = {[ORDER] = 1, [GAIN] = 1};

/* ---- a linear contact */

static const double K = 2e6, C = 60, M = 0.1, V = 2;

static void closed(void)
{
    enum { N = 41 };
    double w0 = sqrt(K / M), damp = C / (2 * M), w = sqrt(w0 * w0 - damp * damp), t[N], y[N];
    double worst = 0, peak = 0, p[2] = {K, C}, value[MOST], end;
    const struct cf_law *law = cf_law_find("linear");
    struct cf_dataset d;

    /* the force k z + c z' of z = v/w exp(-d t) sin(w t) ends where tan(w t) = -c w/(k - c d) */
    end = (M_PI - atan2(C * w, K - C * damp)) / w;
    for (size_t i = 0; i < N; i++)
        t[i] = 1.2 * end * ((double) i - 3) / N;
    d = rows_of(N, t, V, M);
    put_values(law, p, rigid, 0, value);
    if (!predict(&d, law, value, 0, 0, NULL, y, NULL, NULL))
        y[0] = NAN;
    for (size_t i = 0; i < N; i++) {
        double z = V / w * exp(-damp * t[i]) * sin(w * t[i]);
        double rate = V * exp(-damp * t[i]) * (cos(w * t[i]) - damp / w * sin(w * t[i]));
        double F = t[i] > 0 && t[i] < end ? K * z + C * rate : 0;
        worst = fmax(worst, fabs(y[i] - F));
        peak = fmax(peak, F);
    }
    ok(worst < 1e-8 * peak, "a linear contact: %.1e of the greatest force off", worst / peak);
    cf_dataset_clear(&d);
}

/* Its states on a rig, behind a sensor, all linear: x' = A x, until the force is 0. They are
 * forces, k z and k z'/w of the contact, those of the rig, what is shown and its rate over the
 * sensor's w, so that A has frequencies alone. */
static double shown(const double rig[NRIG], double t)
{
    enum { Z, W, X, U, Y, YRATE, N };
    double a[N * N] = {0}, e[N * N], w = 2 * M_PI * rig[BANDWIDTH], w0 = sqrt(K / M), sum = 0;
    double felt[N] = {[X] = 1, [U] = rig[DAMPING] * w0 / rig[STIFFNESS]};
    double F[N] = {[Z] = 1, [W] = C * w0 / K};
    gsl_matrix_view A = gsl_matrix_view_array(a, N, N), E = gsl_matrix_view_array(e, N, N);

    a[Z * N + W] = a[X * N + U] = w0;
    for (size_t i = 0; i < N; i++) {
        double head = (F[i] - felt[i]) / rig[HEAD];
        a[U * N + i] = rig[STIFFNESS] / w0 * head;
        a[W * N + i] = -K / w0 * (F[i] / M + head);
        a[(rig[ORDER] > 1 ? YRATE : Y) * N + i] = w * felt[i];
    }
    if (rig[ORDER] > 1) {
        a[Y * N + YRATE] = w;
        a[YRATE * N + Y] = -w;
        a[YRATE * N + YRATE] = -M_SQRT2 * w;
    } else {
        a[Y * N + Y] = -w;
    }
    for (size_t i = 0; i < N * N; i++)
        a[i] *= t;
    gsl_linalg_exponential_ss(&A.matrix, &E.matrix, GSL_PREC_DOUBLE);
    for (size_t i = 0; i < N; i++)
        sum += (w > 0 ? i == Y : felt[i]) * e[i * N + W] * K * V / w0;
    return sum;
}

static void on_a_rig(void)
{
    static const double rig[][NRIG] = {
        {4e6, 0.03, 20, 0, 1, 0, 1},   {4e6, 0.03, 0, 3e3, 1, 0, 1}, {4e7, 0.01, 50, 3e3, 2, 0, 1},
        {4e8, 0.02, 50, 2e4, 2, 0, 1}, {2e6, 0.05, 5, 5e4, 1, 0, 1},
    };
    enum { N = 31, NCASE = sizeof rig / sizeof rig[0] };
    const struct cf_law *law = cf_law_find("linear");
    double t[N], y[N], p[2] = {K, C}, value[MOST];

    for (size_t k = 0; k < NCASE; k++) {
        double worst = 0, peak = 0;
        struct cf_dataset d;
        for (size_t i = 0; i < N; i++) /* less than the contact lasts */
            t[i] = 3e-4 * (double) i / N;
        d = rows_of(N, t, V, M);
        put_values(law, p, rig[k], 0, value);
        if (!predict(&d, law, value, 0, 0, NULL, y, NULL, NULL))
            y[0] = NAN;
        for (size_t i = 0; i < N; i++) {
            double F = shown(rig[k], t[i]);
            worst = fmax(worst, fabs(y[i] - F));
            peak = fmax(peak, F);
        }
        ok(worst < 1e-8 * peak, "on a rig of %g N/m, seen at %g Hz of order %g: %.1e off",
           rig[k][STIFFNESS], rig[k][BANDWIDTH], rig[k][ORDER], worst / peak);
        cf_dataset_clear(&d);
    }
}

/* ---- all laws, by what impacts are computed with elsewhere */

static void law_by_impact(const struct cf_law *law, struct cf_curves *curves)
{
    enum { N = 4001 };
    double *t = malloc(2 * N * sizeof *t), *y = t + N, value[MOST], peak = 0, sum = 0, step, tail;
    double p[CF_MAX_PARAM];
    struct cf_impact at;
    struct cf_error err = {""};
    struct cf_dataset d;

    for (size_t i = 0; i < law->nparam; i++)
        p[i] = law->param[i].typical;
    if (cf_impact(curves, law, p, M, V, &at, &err)) {
        ok(false, "%s: %s", law->name, err.text);
        free(t);
        return;
    }
    step = at.value[CF_IMPACT_DURATION] / (N - 1);
    for (size_t i = 0; i < N; i++) /* in the middles of N - 1 parts, and just behind the end */
        t[i] = step * ((double) i + 0.5);
    d = rows_of(N, t, V, M);
    put_values(law, p, rigid, 0, value);
    if (!predict(&d, law, value, 0, 0, NULL, y, NULL, NULL))
        y[0] = NAN;
    for (size_t i = 0; i < N; i++) {
        peak = fmax(peak, y[i]);
        sum += y[i] * step;
    }
    tail = y[N - 1];
    is_near(peak, at.value[CF_IMPACT_FORCE], 1e-5, "%s: the greatest force", law->name);
    is_near(sum, M * V * (1 + at.value[CF_IMPACT_RESTITUTION]), 2e-5, "%s: its momentum",
            law->name);
    ok(fabs(tail) < 1e-6 * peak, "%s: ends when it ends", law->name);
    cf_dataset_clear(&d);
    free(t);
}

static void laws(void)
{
    struct cf_curves *curves = cf_curves_alloc();

    for (const struct cf_law *const *law = cf_laws; *law; law++)
        if ((*law)->family == CF_FAMILY_NORMAL)
            law_by_impact(*law, curves);
    cf_curves_free(curves);
}

/* ---- a head that swings back and is hit again, by small steps of a law of one's own */

static double by_steps(const struct cf_law *law, const double p[], const double rig[NRIG],
                       double t_end, bool *twice)
{
    enum { N = 4 };
    size_t steps = (size_t) ceil(t_end / 2e-8);
    double x[N] = {0, V, 0, 0}, h = t_end / (double) steps, felt;
    bool lost = false;

    for (size_t i = 0; i < steps; i++) {
        static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
        double sum[N] = {0}, f[N] = {0};
        for (int k = 0; k < 4; k++) {
            double at[N], F;
            for (int j = 0; j < N; j++)
                at[j] = x[j] + part[k] * h * f[j];
            struct cf_contact c = {.depth_m = fmax(at[0], i == 0 && k == 0 ? 1e-15 : at[0]),
                                   .rate_m_s = at[1],
                                   .approach_m_s = V,
                                   .mass_kg = M,
                                   .radius_m = 0.02};
            F = law->force(law, p, &c);
            felt = rig[STIFFNESS] * at[2] + rig[DAMPING] * at[3];
            f[0] = at[1];
            f[1] = -F / M - (F - felt) / rig[HEAD];
            f[2] = at[3];
            f[3] = (F - felt) / rig[HEAD];
            for (int j = 0; j < N; j++)
                sum[j] += weight[k] * f[j];
        }
        for (int j = 0; j < N; j++)
            x[j] += h / 6 * sum[j];
        lost = lost || (i > 10 && x[0] < 0);
        *twice = *twice || (lost && x[0] > 0);
    }
    return rig[STIFFNESS] * x[2] + rig[DAMPING] * x[3];
}

/* Softer than the contact, so that the head swings far and comes back. */
static const double swinging[NRIG] = {2e5, 0.05, 3, 0, 1, 0, 1};

static void hit_twice(void)
{
    enum { N = 12 };
    const struct cf_law *law = cf_law_find("hunt-crossley");
    double p[2] = {5e7, 0.1}, t[N], y[N], value[MOST], worst = 0, peak = 0;
    struct cf_dataset d;
    bool twice = false;

    for (size_t i = 0; i < N; i++)
        t[i] = 6e-3 * (double) (i + 1) / N;
    d = rows_of(N, t, V, M);
    put_values(law, p, swinging, 0, value);
    if (!predict(&d, law, value, 0, 0, NULL, y, NULL, NULL))
        y[0] = NAN;
    for (size_t i = 0; i < N; i++) {
        double F = by_steps(law, p, swinging, t[i], &twice);
        worst = fmax(worst, fabs(y[i] - F));
        peak = fmax(peak, fabs(F));
    }
    ok(twice, "the head is hit again");
    ok(worst < 1e-6 * peak, "as small steps have it: %.1e off", worst / peak);
    cf_dataset_clear(&d);
}

/* ---- derivatives */

struct derivatives {
    const char *law;
    double p[4];
    double rig[NRIG];
    double last_s;
};

static const struct derivatives cases[] = {
    {"azad-featherstone", {5e7, 2e3}, {[ORDER] = 1, [GAIN] = 1.02}, 1.2e-3},
    {"linear", {2e6, 60}, {0, 0, 0, 3e3, 1, 40, 0.98}, 1.2e-3},
    {"power", {5e7, 2e3, 1.45, 0.55}, {4e7, 0.02, 30, 8e3, 2, -30, 1}, 1.5e-3},
    {"hunt-crossley", {5e7, 0.1}, {2e5, 0.05, 3, 5e3, 2, 10, 1}, 6e-3},
    {"linear", {2e6, 30}, {2e5, 0.05, 3, 5e3, 1, 0, 1}, 6e-3},
    {"tsuji", {5e7, 0.1}, {2e5, 0.05, 3, 5e3, 1, 0, 1}, 4e-3},
    {"lankarani-nikravesh", {5e7, 0.8}, {2e5, 0.05, 3, 0, 1, 0, 1}, 6e-3},
    {"power", {5e7, 0, 1.5, 0.5}, {4e7, 0.02, 0, 8e3, 2, 0, 1}, 1.2e-3},
};

static void derivative(const struct derivatives *c)
{
    enum { N = 24, STEPS = 4 };
    static const double at[STEPS] = {-2, -1, 1, 2}, weight[STEPS] = {1, -8, 8, -1};
    const struct cf_law *law = cf_law_find(c->law);
    size_t nby = law->nparam + NRIG + 1, by[MOST];
    double t[N], y[N], shifted[N], value[MOST], slope[N * MOST], imposed[N], peak = 0;
    struct cf_dataset d;
    bool good;

    for (size_t i = 0; i < N; i++)
        t[i] = c->last_s * ((double) i + 0.31) / N;
    d = rows_of(N, t, V, M);
    put_values(law, c->p, c->rig, 1e-5, value);
    for (size_t k = 0; k < nby; k++)
        by[k] = k < nby - 1 ? k : law->nparam + pulse->napparatus;
    good = predict(&d, law, value, 0, nby, by, y, slope, imposed);
    for (size_t i = 0; i < N; i++)
        peak = fmax(peak, fabs(y[i]));
    for (size_t k = 0; k < nby && good; k++) {
        double kept = value[by[k]], unit = kept != 0 ? fabs(kept) : k < law->nparam ? 100 : 1;
        bool time = k == nby - 1, forward = kept == 0 && k < law->nparam, none = false;
        double worst = 0, size = 0, sum[N] = {0}, h;
        if (k == law->nparam + ORDER)
            continue;
        none = k >= law->nparam && k < law->nparam + NRIG && kept == 0 &&
               k != law->nparam + DRIFT && k != law->nparam + DAMPING;
        if (none)
            continue; /* there is no rig, or no lag */
        if (time)
            unit = 1e-3;
        h = 3e-4 * unit;
        for (int s = 0; s < STEPS && !forward; s++) {
            value[by[k]] = kept + at[s] * h;
            good = good && predict(&d, law, value, 1e-13, 0, NULL, shifted, NULL, NULL);
            for (size_t i = 0; i < N; i++)
                sum[i] += weight[s] * shifted[i] / (12 * h);
        }
        for (int s = 0; s < 5 && forward; s++) {
            static const double one_sided[] = {-25, 48, -36, 16, -3};
            value[by[k]] = kept + s * h;
            good = good && predict(&d, law, value, 1e-13, 0, NULL, shifted, NULL, NULL);
            for (size_t i = 0; i < N; i++)
                sum[i] += one_sided[s] * shifted[i] / (12 * h);
        }
        value[by[k]] = kept;
        for (size_t i = 0; i < N; i++) {
            worst = fmax(worst, fabs(slope[i * nby + k] - sum[i]));
            size = fmax(size, fabs(sum[i]));
            if (time && fabs(imposed[i] + slope[i * nby + k] - value[law->nparam + DRIFT]) >
                            1e-9 * peak / unit)
                worst = INFINITY;
        }
        ok(worst <= 2e-5 * size + 1e-9 * peak / unit, "%s: by value %zu, at most %.2g: %.1e off",
           c->law, by[k], size, worst);
    }
    ok(good, "%s: derivatives", c->law);
    cf_dataset_clear(&d);
}

/* ---- rows of several impacts, in any order */

static void several(void)
{
    enum { N = 20 };
    const struct cf_law *law = cf_law_find("azad-featherstone");
    double p[2] = {5e7, 2e3}, value[MOST], t[N], y[N], alone, worst = 0, reference[N];
    const double speed[2] = {1, 3};
    struct cf_dataset d;

    for (size_t i = 0; i < N; i++)
        t[i] = 1e-3 * (double) ((i * 7) % N) / N;
    d = rows_of(N, t, 1, M);
    for (size_t i = 0; i < N; i++)
        lab_put(&d, i, SPEED, speed[i % 2], 0);
    put_values(law, p, rigid, 0, value);
    if (!predict(&d, law, value, 0, 0, NULL, y, NULL, NULL) ||
        !predict(&d, law, value, 1e-12, 0, NULL, reference, NULL, NULL))
        y[0] = NAN;
    for (size_t i = 0; i < N; i++) {
        struct cf_dataset one = rows_of(1, &t[i], speed[i % 2], M);
        if (!predict(&one, law, value, 0, 0, NULL, &alone, NULL, NULL))
            alone = NAN;
        worst = fmax(worst, fabs(y[i] - alone));
        cf_dataset_clear(&one);
    }
    ok(worst < 1e-5, "rows of two impacts in any order are those of each: %.1e N off", worst);
    worst = 0;
    for (size_t i = 0; i < N; i++)
        worst = fmax(worst, fabs(y[i] - reference[i]));
    ok(worst < 1e-5, "the fast way is the sure way: %.1e N off", worst);
    cf_dataset_clear(&d);
}

TEST(pulse)
{
    size_t nlaw = 0;

    pulse = cf_protocol_find("pulse");
    for (const struct cf_law *const *law = cf_laws; *law; law++)
        nlaw += (*law)->family == CF_FAMILY_NORMAL;
    plan((int) (1 + 5 + 3 * nlaw + 2 + 79 + 2));
    closed();
    on_a_rig();
    laws();
    hit_twice();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        derivative(&cases[i]);
    several();
    return done();
}
