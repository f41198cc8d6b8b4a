/* Forces of indentations by hand, with all derivatives by differences; what a record is made into;
 * starts by hand formulas; which laws an indentation knows enough for. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "experiment/protocol.h"
#include "lab.h"
#include "tap.h"

enum {
    CONTACT,
    BIAS_IN,
    BIAS_OUT,
    SLOPE_IN,
    SLOPE_OUT,
    DRAG,
    ADHESION,
    RANGE,
    COMPLIANCE,
    NRIG,
    PART = NRIG
};
enum { MOST = CF_MAX_PARAM + 32 };
enum { DEPTH, TIME, RATE, DIRECTION, FORCE };

/* A probe at a depth z and the rate of its drive; what the sensor must read, and where the drive
 * then stands: depth as read = contact + z + compliance force on the probe. */
struct row {
    const char *law;
    double z, drive, p[4], rig[NRIG];
    double on_probe; /* NAN: of the law by hand, as below */
};

static const struct row rows[] = {
    {"azad-featherstone", 4e-4, 1e-3, {600, 30}, {0}, 600 * 8e-6 + 30 * 0.02 * 1e-3},
    {"azad-featherstone", 4e-4, 1e-3, {600, 30}, {1.5e-4}, 600 * 8e-6 + 30 * 0.02 * 1e-3},
    {"azad-featherstone", 4e-4, 2e-3, {600, 30}, {1.5e-4, 1e-4, 7, 0.3, 8}, 6e-3},
    {"azad-featherstone", 4e-4, -2e-3, {600, 30}, {-1e-4, 5, 1e-4, 6, 0.3}, 3.6e-3},
    {"azad-featherstone", -1e-4, 1e-3, {600, 30}, {1.5e-4, 1e-4, 0, 0.3, 0, 0.02}, 2e-5},
    {"azad-featherstone", 1e-8, -2, {600, 30}, {0}, 0}, /* it never pulls */
    {"hunt-crossley", 4e-4, -2e-3, {600, 5}, {0}, 4.8e-3 * 0.99},
    {"linear", 4e-4, 1e-3, {10, 2}, {0}, 6e-3},
    {"power", 4e-4, 1e-3, {600, 30, 1.5, 0.5}, {0}, 4.8e-3 + 6e-4},
    {"azad-featherstone", 4e-4, 0, {600, 30}, {1e-4, 0, 0, 0, 0, 0.1, 2e-3, 5e-5}, 2.8e-3},
    {"azad-featherstone", -1e-4, 1e-3, {600, 30}, {1e-4, 0, 0, 0, 0, 0, 2e-3, 5e-5}, NAN},
    /* a rig that gives way: the rate at the probe is that of the drive over 1 + c dF/dz */
    {"azad-featherstone", 4e-4, 1e-3, {600, 30}, {1e-4, 1e-4, 0, 0.2, 0, 0.02, 0, 0, 0.02}, NAN},
    {"azad-featherstone", 4e-4, -1e-3, {600, 30}, {1e-4, 0, 1e-4, 0, 0.2, 0.02, 0, 0, 0.02}, NAN},
    {"power", 4e-4, 1e-3, {600, 30, 1.7, 0.6}, {1e-4, 0, 0, 0, 0, 0.02, 0, 0, 0.05}, NAN},
    {"hunt-crossley", 4e-4, 1e-3, {600, 5}, {1e-4, 0, 0, 0, 0, 0.02, 2e-3, 5e-5, 0.02}, NAN},
    {"azad-featherstone", -3e-5, 1e-3, {600, 30}, {1e-4, 0, 0, 0, 0, 0.02, 2e-3, 5e-5, 0.02}, NAN},
    {"azad-featherstone", -3e-4, 1e-3, {600, 30}, {1e-4, 0, 0, 0, 0, 0.02, 0, 0, 0.02}, NAN},
    {"linear", 4e-4, -1e-3, {10, 2}, {1e-4, 0, 0, 0, 0, 0, 0, 0, 0.5}, NAN},
};
enum { NROW = sizeof rows / sizeof rows[0] };

/* The exponents of k z^n + lambda z^p w; a = lambda/k of hunt-crossley. */
static void exponents(const struct row *r, double *n, double *p, double *lambda)
{
    *n = *p = 1.5;
    *lambda = r->p[1];
    if (strcmp(r->law, "azad-featherstone") == 0)
        *p = 0.5;
    if (strcmp(r->law, "hunt-crossley") == 0)
        *lambda = r->p[0] * r->p[1];
    if (strcmp(r->law, "linear") == 0) {
        *n = 1;
        *p = 0;
    }
    if (strcmp(r->law, "power") == 0) {
        *n = r->p[2];
        *p = r->p[3];
    }
}

static double on_probe(const struct row *r)
{
    double n, p, lambda, z = r->z, K = 0, F = 0, w;

    exponents(r, &n, &p, &lambda);
    if (z > 0)
        K = n * r->p[0] * pow(z, n - 1);
    else if (r->rig[ADHESION] > 0)
        K = -r->rig[ADHESION] / r->rig[RANGE] * exp(z / r->rig[RANGE]);
    w = r->drive / (1 + r->rig[COMPLIANCE] * K);
    if (z > 0)
        F = fmax(0, r->p[0] * pow(z, n) + lambda * pow(z, p) * w) - r->rig[ADHESION];
    else if (r->rig[ADHESION] > 0)
        F = -r->rig[ADHESION] * exp(z / r->rig[RANGE]);
    return F + r->rig[DRAG] * w;
}

/* By a difference of fourth order, so that rounding and truncation are both small: central, or
 * forward from 0. */
static double slope_at(struct cf_dataset *d, const struct cf_law *law, double value[], double *x,
                       double h, bool forward)
{
    static const double step[2][5] = {{-2, -1, 0, 1, 2}, {0, 1, 2, 3, 4}},
                        weight[2][5] = {{1, -8, 0, 8, -1}, {-25, 48, -36, 16, -3}};
    double kept = *x, sum = 0;

    for (int i = 0; i < 5; i++) {
        *x = kept + step[forward][i] * h;
        sum +=
            weight[forward][i] * lab_reading(NULL, d, law, FORCE, value, 0, NULL, NULL) / (12 * h);
    }
    *x = kept;
    return sum;
}

/* `part` of the baseline's slope goes on in contact. */
static void test(const struct row *r, double part)
{
    const struct cf_protocol *protocol = cf_protocol_find("indent");
    const struct cf_law *law = cf_law_find(r->law);
    double value[MOST], by[MOST], by_depth, y, worst = 0, force, slope;
    size_t branch = r->drive < 0, n = law->nparam;
    struct cf_dataset d = {0};
    struct cf_error err;

    force = isnan(r->on_probe) ? on_probe(r) : r->on_probe;
    for (size_t i = 0; i < protocol->napparatus; i++)
        value[n + i] = i < NRIG ? r->rig[i] : protocol->apparatus[i].typical;
    memcpy(value, r->p, n * sizeof *value);
    value[n + PART] = part;
    if (!(value[n + RANGE] > 0))
        value[n + RANGE] = 1e-4; /* so that a derivative by adhesion is there */
    cf_dataset_alloc(&d, protocol, 1, &err);
    double travel = r->z + r->rig[COMPLIANCE] * force;
    cf_dataset_put(&d, 0, DEPTH, r->rig[CONTACT] + travel, 0, &err);
    cf_dataset_put(&d, 0, RATE, r->drive, 0, &err);
    y = lab_reading(NULL, &d, law, FORCE, value, 0, by, &by_depth);
    slope = r->rig[SLOPE_IN + branch];
    is_near(y, force + r->rig[BIAS_IN + branch] + slope * (travel > 0 ? part : 1) * travel, 1e-12,
            "%s at %g m, %g m/s, %g of the slope", r->law, r->z, r->drive, part);
    for (size_t k = 0; k <= n + PART; k++) {
        bool forward = (k == n + COMPLIANCE || k == n + ADHESION) && value[k] == 0;
        double h = 1e-3 * (k < n ? value[k] : k == n + COMPLIANCE && forward ? 0.1 : 1e-3), want;
        if (k == n + CONTACT || k == n + RANGE)
            h = 1e-7;
        want = slope_at(&d, law, value, &value[k], h, forward);
        worst = fmax(worst, fabs(by[k] - want) / fmax(fabs(want), 1e-3));
    }
    double want = slope_at(&d, law, value, &d.series[DEPTH].value[0], 1e-7, false);
    worst = fmax(worst, fabs(by_depth - want) / fmax(fabs(want), 1e-3));
    ok(worst < 2e-6, "its derivatives are %.0e off", worst);
    cf_dataset_clear(&d);
}

/* How contact sets in: max(0, z) but for |z| < onset, there smooth, with all derivatives. */
static void sets_in(void)
{
    static const struct {
        double z, e; /* in onsets */
    } at[] = {{-1, 0}, {-0.999, 0}, {0, 5.0 / 32}, {1, 1}, {1.001, 1.001}, {3, 3}};
    const double onset = 2e-5, drive = 1e-3;
    const struct cf_protocol *protocol = cf_protocol_find("indent");
    const struct cf_law *law = cf_law_find("azad-featherstone");
    size_t n = law->nparam,
           index = cf_param_find(protocol->apparatus, protocol->napparatus, "onset");
    double value[MOST] = {600, 30}, by_depth, worst = 0, off = 0, before = 0;
    bool grows = true;
    struct cf_dataset d = {0};
    struct cf_error err;

    value[n + RANGE] = 1e-4;
    value[n + index] = onset;
    cf_dataset_alloc(&d, protocol, 1, &err);
    cf_dataset_put(&d, 0, RATE, 0, 0, &err);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        double e = at[i].e * onset;
        cf_dataset_put(&d, 0, DEPTH, at[i].z * onset, 0, &err);
        off = fmax(
            off, fabs(lab_reading(NULL, &d, law, FORCE, value, 0, NULL, NULL) - 600 * e * sqrt(e)));
    }
    ok(off < 1e-13, "contact sets in about touch: %.0e N off", off);
    cf_dataset_put(&d, 0, RATE, drive, 0, &err);
    for (double c = 0; c < 0.03; c += 0.02) /* rigid, and a rig that gives way */
        for (double z = -1.5; z < 2; z += 0.0625) {
            double by[MOST], y, want;
            value[n + COMPLIANCE] = c;
            d.series[DEPTH].value[0] = (z + 1e-3) * onset;
            y = lab_reading(NULL, &d, law, FORCE, value, 0, by, &by_depth);
            grows = grows && (y >= before || z == -1.5);
            before = y;
            want = slope_at(&d, law, value, &d.series[DEPTH].value[0], 1e-9, false);
            worst = fmax(worst, fabs(by_depth - want) / 10);
            want = slope_at(&d, law, value, &value[1], 0.03, false);
            worst = fmax(worst, fabs(by[1] - want) / 1e-6);
        }
    ok(grows, "the force grows throughout");
    ok(worst < 1e-3, "by its derivatives: %.0e off", worst);
    cf_dataset_clear(&d);
}

/* ---- what is made of a record: triangle of depths, one row a second at 2 um/s */

enum { HALF = 40, WHOLE = 2 * HALF - 1 };

static void record(struct cf_dataset *d, double contact, double k, double lambda, double level)
{
    struct cf_error err;

    *d = (struct cf_dataset){0};
    cf_dataset_alloc(d, cf_protocol_find("indent"), WHOLE, &err);
    for (size_t i = 0; i < WHOLE; i++) {
        double up = i < HALF ? (double) i : 2 * (HALF - 1) - (double) i, z = 2e-6 * up - contact;
        double w = i < HALF ? 2e-6 : -2e-6;
        double F = z > 0 ? fmax(0, k * z * sqrt(z) + lambda * sqrt(z) * w) : 0;
        cf_dataset_put(d, i, DEPTH, 2e-6 * up, 0, &err);
        cf_dataset_put(d, i, TIME, 7 + (double) i, 0, &err);
        cf_dataset_put(d, i, FORCE, level + F, 0, &err);
    }
}

static int complete(struct cf_dataset *d, size_t *row, struct cf_error *err)
{
    struct cf_record_about about = {0};
    char note[256];
    int status = d->protocol->complete(d, &about, note, sizeof note, err);

    *row = about.row;
    return status;
}

static void completed(void)
{
    struct cf_dataset d;
    struct cf_error err = {""};
    size_t row, n = 0;
    double worst = 0, condition[3];

    record(&d, 25e-6, 3e3, 1e3, 1e-6);
    ok(!complete(&d, &row, &err), "a record of two strokes");
    for (size_t i = 0; i < WHOLE; i++) {
        double w = i < HALF ? 2e-6 : -2e-6;
        worst = fmax(worst, fabs(cf_dataset_value(&d, i, RATE) - w));
        n += cf_dataset_value(&d, i, DIRECTION) == (i < HALF ? 1 : -1) &&
             d.protocol->branch(&d, i) == (size_t) (i >= HALF);
    }
    ok(n == WHOLE, "it turns at the greatest depth");
    ok(worst < 1e-17, "its rates are slopes in time, within a stroke: %.0e off", worst);
    ok(!cf_dataset_branch(&d, 1, condition, &n, &err) && n == HALF - 1, "the rows of a stroke");
    is_near(condition[0], -2e-6, 1e-12, "and their rate");
    ok(!cf_dataset_conditions(&d, &err) && d.condition[0] > 0, "bands are of the first");

    struct cf_hand start[CF_MAX_PARAM];
    const struct cf_law *law = cf_law_find("azad-featherstone");
    ok(!d.protocol->hand(&d, law, start, &err), "starts by hand");
    is_near(start[0].value, 3e3, 0.05, "k");
    is_near(start[1].value, 1e3, 0.1, "lambda, by the loop");
    struct cf_param contact;
    ok(!cf_apparatus_param(&d, CONTACT, &contact, &err), "where a fit looks for the contact point");
    is_near(contact.typical, 25e-6, 0.03, "the contact point");
    ok(contact.fit_lower < 0 && contact.fit_upper == 2e-6 * (HALF - 1), "it is sought up to the "
                                                                        "greatest depth");
    law = cf_law_find("power");
    ok(!d.protocol->hand(&d, law, start, &err), "starts of a power law");
    is_near(start[2].value, 1.5, 0.1, "n");
    cf_dataset_clear(&d);
}

/* Rows that are excluded do not matter. */
static void left_out(void)
{
    struct cf_dataset d;
    struct cf_error err = {""};
    size_t row;

    record(&d, 25e-6, 3e3, 1e3, 1e-6);
    d.series[DEPTH].value[5] = 1;
    d.series[TIME].value[5] = 1e6;
    ok(complete(&d, &row, &err) != CF_OK, "a row that went wrong");
    cf_dataset_clear(&d);
    record(&d, 25e-6, 3e3, 1e3, 1e-6);
    d.series[DEPTH].value[5] = 1;
    d.series[TIME].value[5] = 1e6;
    cf_dataset_exclude(&d, 5, "slip", &err);
    ok(!complete(&d, &row, &err), "is none where it is excluded %s", err.text);
    is_near(cf_dataset_value(&d, 4, RATE), 2e-6, 1e-12, "nor for its neighbours' rates");
    cf_dataset_clear(&d);
}

/* Noise about the turn is no rate of the other stroke. */
static void turns(void)
{
    struct cf_dataset d;
    struct cf_error err = {""};
    size_t row, index;

    record(&d, 25e-6, 3e3, 1e3, 1e-6);
    index = cf_param_find(d.protocol->apparatus, d.protocol->napparatus, "rate_rows");
    d.apparatus[index] = 3;
    d.series[DEPTH].value[HALF] = 2e-6 * (HALF - 1) - 4e-7;
    d.series[DEPTH].value[HALF + 1] = 2e-6 * (HALF - 1) - 2e-7;
    ok(!complete(&d, &row, &err) && cf_dataset_value(&d, HALF, RATE) == 0 &&
           d.protocol->branch(&d, HALF) == 1,
       "a row that rests belongs to its stroke");
    is_near(cf_dataset_value(&d, HALF - 2, RATE), 2e-6, 1e-12, "three rows tell a rate");
    cf_dataset_clear(&d);
}

/* One row, two rows, and a record of 10^5. */
static void sizes(void)
{
    struct cf_dataset d = {0};
    struct cf_error err = {""};
    size_t row;

    cf_dataset_alloc(&d, cf_protocol_find("indent"), 1, &err);
    cf_dataset_put(&d, 0, DEPTH, 1e-4, 0, &err);
    cf_dataset_put(&d, 0, TIME, 0, 0, &err);
    cf_dataset_put(&d, 0, FORCE, 1, 0, &err);
    ok(!complete(&d, &row, &err) && cf_dataset_value(&d, 0, RATE) == 0, "one row is at rest");
    cf_dataset_clear(&d);
    cf_dataset_alloc(&d, cf_protocol_find("indent"), 100000, &err);
    for (size_t i = 0; i < d.nrow; i++) {
        double z = 1e-8 * (double) i - 4e-4;
        cf_dataset_put(&d, i, DEPTH, z + 4e-4, 0, &err);
        cf_dataset_put(&d, i, TIME, 1e-3 * (double) i, 0, &err);
        cf_dataset_put(&d, i, FORCE, z > 0 ? 600 * z * sqrt(z) : 0, 0, &err);
    }
    ok(!complete(&d, &row, &err), "10^5 rows");
    struct cf_param contact;
    ok(!cf_apparatus_param(&d, CONTACT, &contact, &err), "where a fit looks in them");
    is_near(contact.typical, 4e-4, 0.01, "and their contact point");
    cf_dataset_clear(&d);
}

/* ---- laws */

static void laws(void)
{
    static const char *const good[] = {
        "azad-featherstone", "hunt-crossley", "lee-wang", "linear", "power", NULL};
    struct cf_dataset d = {.protocol = cf_protocol_find("indent")};
    struct cf_error err;
    size_t right = 0, n = 0;

    for (; cf_laws[n]; n++) {
        bool suits = cf_laws[n]->family == CF_FAMILY_NORMAL && !cf_law_suits(cf_laws[n], &d, &err);
        bool wanted = strcmp(cf_laws[n]->name, "exponential") == 0;
        for (size_t i = 0; good[i]; i++)
            wanted = wanted || strcmp(good[i], cf_laws[n]->name) == 0;
        right += suits == wanted;
        if (suits != wanted)
            printf("# %s: %s\n", cf_laws[n]->name, suits ? "suits" : err.text);
    }
    ok(right == n, "laws of depth and rate suit, others do not");
}

TEST(indent_readings)
{
    plan(4 * NROW + 3 + 14 + 3 + 2 + 4 + 1);
    for (int i = 0; i < NROW; i++)
        for (size_t k = 0; k < 2; k++)
            test(&rows[i], k ? 0.4 : 1);
    sets_in();
    completed();
    left_out();
    turns();
    sizes();
    laws();
    return done();
}
