/* Keys of tables in studies: apparatus and nuisances, by whom a parameter is shared, fixed
 * conversions, and comparisons in `where`. What must be refused is in t/bad. */

#define _POSIX_C_SOURCE 200809L

#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/scratch.h"
#include "tap.h"

static struct scratch scratch;

/* A study with this `fit` and these data sets. */
static struct cf_study *try_study(const char *fit, const char *data, struct cf_error *err)
{
    char text[4096];

    snprintf(text, sizeof text,
             "contactfit: study/1\n"
             "bodies:\n"
             "  ball: {sphere: {diameter: 40 mm}, mass: 50 g}\n"
             "  marble: {sphere: {diameter: 20 mm}, mass: 20 g}\n"
             "  floor: {plane: {}, fixed: true}\n"
             "law: azad-featherstone\n"
             "fit: {%s}\n"
             "data:\n"
             "%s",
             fit, data);
    scratch_write(scratch.file, text);
    return cf_study_read(scratch.file, NULL, err);
}

static struct cf_study *read_study(const char *fit, const char *data)
{
    struct cf_error err = {""};
    struct cf_study *study = try_study(fit, data, &err);

    if (!study)
        printf("# %s\n", err.text);
    return study;
}

static size_t channel(const struct cf_dataset *d, const char *name)
{
    return cf_protocol_channel(d->protocol, name);
}

static bool is_nuisance(const struct cf_nuisance *n, size_t data, enum cf_nuisance_kind kind,
                        size_t index)
{
    return n->data == data && n->kind == kind && n->index == index;
}

static bool bounded(const struct cf_nuisance *n, double min, double max, double start)
{
    return n->min == min && n->max == max && n->start == start;
}

/* Every number arrives in SI, to the last bit. */
static void test_nuisances(void)
{
    struct cf_study *study =
        read_study("k: {}, lambda: {}",
                   "  - name: heights\n"
                   "    protocol: impact\n"
                   "    between: [ball, floor]\n"
                   "    rows:\n"
                   "      - {drop_height: 30 cm, rebound_height: 20 cm, duration: 1.1 ms}\n"
                   "      - {drop_height: 60 cm, rebound_height: 38 cm, duration: 1.0 ms}\n"
                   "      - {drop_height: 90 cm, rebound_height: 55 cm, duration: 0.9 ms}\n"
                   "    sigma: {rebound_height: 2 mm, duration: 1 %}\n"
                   "    apparatus: {height_scale: 1.03}\n"
                   "    nuisance:\n"
                   "      height_scale: {prior: {value: 1, sigma: 2 %}, min: 80 %, max: 1.2}\n"
                   "      rebound_height.bias: {min: -5 mm, max: 1 cm, start: 2 mm}\n"
                   "      duration.gain: {prior: {value: 1.01, sigma: 0.005}}\n"
                   "      duration.bias:\n"
                   "  - name: speeds\n"
                   "    protocol: impact\n"
                   "    between: [ball, floor]\n"
                   "    rows: [{speed: 1 m/s, restitution: 0.8, duration: 1.1 ms}]\n"
                   "    sigma: {restitution: 0.01, duration: 1 %}\n"
                   "    nuisance: {restitution.bias: {min: -0.1, max: 0.1,\n"
                   "               prior: {value: 10 %, sigma: 3 %}}}\n");
    const struct cf_nuisance *n;
    const struct cf_dataset *d;

    if (!ok(study != NULL, "a study with nuisances is read"))
        return;
    d = study->spec.data;
    n = study->spec.nuisance;
    ok(d[0].apparatus[0] == 1.03 && d[1].apparatus[0] == 1, "the apparatus of each set");
    if (!ok(study->spec.nnuisance == 5, "nuisances of both sets"))
        return;
    ok(is_nuisance(&n[0], 0, CF_NUISANCE_APPARATUS, 0) && bounded(&n[0], 0.8, 1.2, 1.03),
       "of the apparatus: the search starts at the value that it is given");
    ok(n[0].prior_value == 1 && n[0].prior_sigma == 0.02, "a prior whose sigma is a share");
    ok(is_nuisance(&n[1], 0, CF_NUISANCE_BIAS, channel(d, "rebound_height")) &&
           bounded(&n[1], -0.005, 0.01, 0.002),
       "a bias in units");
    ok(isnan(n[1].prior_value) && isnan(n[1].prior_sigma), "without a prior");
    ok(is_nuisance(&n[2], 0, CF_NUISANCE_GAIN, channel(d, "duration")) &&
           n[2].prior_value == 1.01 && n[2].prior_sigma == 0.005,
       "a gain with a prior");
    ok(is_nuisance(&n[3], 0, CF_NUISANCE_BIAS, channel(d, "duration")) && isnan(n[3].min) &&
           isnan(n[3].max) && isnan(n[3].start) && isnan(n[3].prior_sigma),
       "a bias of which nothing is said");
    ok(is_nuisance(&n[4], 1, CF_NUISANCE_BIAS, channel(d, "restitution")) &&
           n[4].prior_value == 0.1 && n[4].prior_sigma == 0.03 * 0.1,
       "of the second set; a percentage is a share of the prior's value");
    cf_study_free(study);
}

static void test_sharing(void)
{
    static const enum cf_sharing per[] = {CF_SHARED_BY_PAIR, CF_SHARED_BY_DATA};
    struct cf_study *study =
        read_study("k: {per: pair}, lambda: {min: 1, per: data}",
                   "  - {name: a, protocol: impact, between: [ball, floor],\n"
                   "     rows: [{speed: 1 m/s, restitution: 0.8, duration: 1 ms}],\n"
                   "     sigma: {restitution: 0.01, duration: 1 %}}\n"
                   "  - {name: b, protocol: impact, between: [marble, floor],\n"
                   "     rows: [{speed: 1 m/s, restitution: 0.8, duration: 1 ms}],\n"
                   "     sigma: {restitution: 0.01, duration: 1 %}}\n");

    ok(study && study->spec.free[0].per == per[0] && study->spec.free[1].per == per[1] &&
           study->spec.free[1].min == 1,
       "one value a pair, one value a data set");
    cf_study_free(study);
    study = read_study("k: {per: material}, lambda: {}",
                       "  - {name: a, protocol: impact, between: [ball, floor],\n"
                       "     rows: [{speed: 1 m/s, restitution: 0.8, duration: 1 ms}],\n"
                       "     sigma: {restitution: 0.01, duration: 1 %}}\n");
    ok(study && study->spec.free[0].per == CF_SHARED_BY_ALL &&
           study->spec.free[1].per == CF_SHARED_BY_ALL,
       "the material's, said or not");
    cf_study_free(study);
}

/* value = sign * scale * read + offset; sigmas by |scale|, shares of what comes out. */
static void test_conversions(void)
{
    struct cf_study *study;
    const struct cf_dataset *d;
    size_t v, t, f, e, bad = 0;
    static const double cm_s[] = {-50, -100, -200}, ms[] = {1.2, 1.0, 0.9},
                        s_ms[] = {0.1, 0.2, 0.1};
    static const double counts[] = {300, 700, 1500}, restitution[] = {0.86, 0.84, 0.82};

    scratch_write(scratch.table, "v_cm_s,t_ms,s_ms,counts,e\n"
                                 "-50,1.2,0.1,300,0.86\n"
                                 "-100,1.0,0.2,700,0.84\n"
                                 "-200,0.9,0.1,1500,0.82\n");
    study = read_study(
        "k: {}, lambda: {}",
        "  - name: a\n"
        "    protocol: impact\n"
        "    between: [ball, floor]\n"
        "    file: table.csv\n"
        "    columns:\n"
        "      speed: {from: v_cm_s, sign: -1, offset: 2 cm/s, sigma: 1 cm/s}\n"
        "      duration: {from: t_ms, scale: 2, offset: -0.1 ms, sigma: {from: s_ms, unit: ms}}\n"
        "      peak_force: {from: counts, unit: N, sign: -1, scale: -0.25, sigma: 4}\n"
        "      restitution: {from: e, scale: 50 %, offset: 0.5, sigma: 1 %}\n");
    if (!ok(study != NULL, "a study with conversions is read"))
        return;
    d = study->spec.data;
    v = channel(d, "speed");
    t = channel(d, "duration");
    f = channel(d, "peak_force");
    e = channel(d, "restitution");
    for (size_t i = 0; i < 3; i++)
        bad += cf_dataset_value(d, i, v) != -1 * (cm_s[i] * 0.01) + 0.02 ||
               cf_dataset_sigma(d, i, v) != 0.01;
    ok(bad == 0, "sign and offset; a stated sigma stays");
    bad = 0;
    for (size_t i = 0; i < 3; i++)
        bad += cf_dataset_value(d, i, t) != 2 * (ms[i] * 0.001) + -0.0001 ||
               cf_dataset_sigma(d, i, t) != 2 * (s_ms[i] * 0.001);
    ok(bad == 0, "scale and offset; sigmas of a column are scaled");
    bad = 0;
    for (size_t i = 0; i < 3; i++)
        bad += cf_dataset_value(d, i, f) != 0.25 * counts[i] || cf_dataset_sigma(d, i, f) != 1;
    ok(bad == 0, "a sign and a negative scale; a stated sigma is scaled by its size");
    bad = 0;
    for (size_t i = 0; i < 3; i++) {
        double value = 0.5 * restitution[i] + 0.5;
        bad += cf_dataset_value(d, i, e) != value || cf_dataset_sigma(d, i, e) != 0.01 * value;
    }
    ok(bad == 0, "a sigma in per cent is of what comes out");
    cf_study_free(study);
}

static const char table[] = "v_cm_s,e,t_ms,h,height_cm,run,ball,speed\n"
                            "50,0.86,1.2,5,50,1,golf,slow\n"
                            "100,0.84,1.1,6,50.0,1,golf,slow\n"
                            "200,0.82,,7,60,2,golf,fast\n"
                            "300,0.81,0.9,8,60,x,golf,fast\n"
                            "400,0.80,0.8,9,65,3,golf,fast\n"
                            "500,0.79,0.7,,70,3,tennis,fast\n";

/* The lines of the rows that `where` leaves, "2 3 4"; "-" where the study is not read. */
static const char *lines_where(const char *where, const char *more)
{
    static char lines[64];
    char data[1024];
    struct cf_error err;
    struct cf_study *study;
    size_t used = 0;

    snprintf(data, sizeof data,
             "  - name: a\n"
             "    protocol: impact\n"
             "    between: [ball, floor]\n"
             "    file: table.csv\n"
             "    columns: {speed: {from: v_cm_s, scale: 2}, restitution: {from: e, sigma: 0.01},\n"
             "              duration: {from: t_ms, sigma: 1 %%}}\n"
             "    where: %s\n"
             "%s",
             where, more);
    study = try_study("k: {}, lambda: {}", data, &err);
    snprintf(lines, sizeof lines, "-");
    for (size_t i = 0; study && i < study->spec.data->nrow; i++)
        used += (size_t) snprintf(lines + used, sizeof lines - used, "%s%zu", used ? " " : "",
                                  study->spec.data->line[i]);
    cf_study_free(study);
    return lines;
}

static void test_where(void)
{
    static const struct {
        const char *where, *lines, *what;
    } cases[] = {
        {"\"speed <= 6 m/s and duration <= 1.1 ms\"", "3 5", "a condition as in hold-out"},
        {"\"speed >= 400 cm/s and h < 9\"", "4 5", "on a column of the table, too"},
        {"\"height_cm == 0.5 m\"", "2 3", "with another unit than the column's"},
        {"\"t_ms > 1.1\"", "2", "a bare number is in the column's unit"},
        {"{ball: golf, height_cm: 50}", "2 3", "a number is compared as a number"},
        {"{height_cm: 50 cm, ball: golf}", "2 3", "and so is a quantity"},
        {"{ball: golf, run: x}", "5", "a text in a column of numbers"},
        {"{ball: golf, run: 1.0}", "2 3", "a number beside a text"},
        {"{speed: {from: 2 m/s, to: 6 m/s}, ball: golf}", "3 4 5",
         "a range of a quantity, ends included, as it is converted"},
        {"{v_cm_s: {from: 200, to: 300}, ball: golf}", "4 5", "of a column, as it stands there"},
        {"{v_cm_s: {to: 1 m/s}, ball: golf}", "2 3", "without a lower end"},
        {"{h: {from: 60 mm, to: 80 mm, unit: cm}, ball: golf}", "3 4 5",
         "of a column whose unit the study says"},
        {"{h: {from: 8}, ball: tennis}", "-", "what was not measured is in no range"},
        {"{ball: golf, duration: 1.1 ms}", "3", "one value of a quantity"},
        {"{speed: 2 m/s, ball: golf}", "3", "of a quantity that shares its name with a column"},
        {"{speed: slow}", "2 3", "a text in a column that shares its name with a quantity"},
    };

    scratch_write(scratch.table, table);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_str(lines_where(cases[i].where, ""), cases[i].lines, "where: %s: %s", cases[i].where,
               cases[i].what);
}

/* Cells that cannot be read matter in the rows that are left only. */
static void test_unreadable(void)
{
    static const char exclude[] = "    exclude: [{row: 4, because: it slipped}]\n";

    scratch_write(scratch.table, "v_cm_s,e,t_ms,h,height_cm,run,ball\n"
                                 "50,0.86,1.2,5,50,1,golf\n"
                                 "100,0.84,1.1,6,60,1,golf\n"
                                 "200,bad,1.0,7,bad,2,golf\n"
                                 "300,0.81,0.9,8,70,2,golf\n"
                                 "bad,bad,bad,bad,bad,bad,tennis\n");
    is_str(lines_where("{height_cm: {from: 55}, ball: golf}", exclude), "3 4 5",
           "an excluded row is kept where its cell cannot be read");
    is_str(lines_where("{height_cm: {from: 55}, ball: golf}", ""), "-", "another one is an error");
    is_str(lines_where("{h: {to: 6}, height_cm: {from: 55}, ball: golf}", ""), "3",
           "but not where another comparison drops it");
    is_str(lines_where("\"h > 6 and height_cm > 55 and height_cm < 80\"", exclude), "-",
           "nor one that nothing drops");
}

TEST(study_keys)
{
    scratch_open(&scratch, "study.yaml");
    plan(37);
    test_nuisances();
    test_sharing();
    test_conversions();
    test_where();
    test_unreadable();
    scratch_close(&scratch);
    return done();
}
