/* Studies: every value of the croquet study, then the meaning of each key. What must be refused is
 * in t/bad. */

#define _POSIX_C_SOURCE 200809L

#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/scratch.h"
#include "tap.h"

static struct scratch scratch;

static struct cf_study *read_text(const char *text)
{
    struct cf_error err = {""};
    struct cf_study *study;

    scratch_write(scratch.file, text);
    study = cf_study_read(scratch.file, NULL, &err);
    if (!study)
        printf("# %s\n", err.text);
    return study;
}

/* The example of the design, with its table of ten impacts. */
static const char croquet[] =
    "contactfit: study/1\n"
    "title: Croquet ball on wood\n"
    "bodies:\n"
    "  ball:  {sphere: {diameter: 92.1 mm}, mass: 453.6 g}\n"
    "  block: {plane: {}, fixed: true}\n"
    "law: azad-featherstone\n"
    "fit: {k: {}, lambda: {}}                     # bounds, scale and starts from the law's row\n"
    "rivals: [hunt-crossley, lee-wang, linear, power, e-log, e-power]\n"
    "data:\n"
    "  - name: rebound\n"
    "    protocol: impact\n"
    "    file: table.csv                           # relative to this file\n"
    "    columns:\n"
    "      speed:       {from: speed_m_s}\n"
    "      restitution: {from: e, sigma: 0.002}    # or sigma: estimate\n"
    "  - name: contact time\n"
    "    protocol: impact\n"
    "    rows:                                     # a short table may stand in the study\n"
    "      - {speed: 2.19 m/s, duration: 0.97 ms}\n"
    "      - {speed: 5.50 m/s, duration: 0.79 ms}\n"
    "    sigma: {duration: 0.003 ms}\n"
    "hold-out:\n"
    "  - {data: rebound, where: \"speed > 5 m/s\"}\n";

static const double speed[] = {0.50, 1.00, 1.64, 2.04, 2.00, 2.83, 3.51, 4.43, 5.47, 6.01};
static const double e[] = {0.857, 0.842, 0.829, 0.824, 0.827, 0.817, 0.811, 0.806, 0.799, 0.795};
enum { NROW = sizeof e / sizeof e[0] };

static void write_croquet_table(void)
{
    char text[512] = "# source: Gugan 2002\nspeed_m_s,e\n";
    size_t used = strlen(text);

    for (size_t i = 0; i < NROW; i++)
        used += (size_t) snprintf(text + used, sizeof text - used, "%.2f,%.3f\n", speed[i], e[i]);
    scratch_write(scratch.table, text);
}

static size_t column(const struct cf_dataset *d, const char *name)
{
    return cf_protocol_channel(d->protocol, name);
}

static void test_rebound(const struct cf_dataset *d)
{
    size_t v = column(d, "speed"), r = column(d, "restitution"), bad = 0;

    is_str(d->name, "rebound", "name of the set");
    is_str(d->protocol->name, "impact", "protocol");
    is_str(d->file, "table.csv", "file as written");
    ok(strlen(d->sha256) == 64, "its hash");
    ok(d->nprovenance == 1 && strcmp(d->provenance[0], "source: Gugan 2002") == 0, "provenance");
    ok(d->nrow == NROW, "%zu rows", d->nrow);
    for (size_t i = 0; i < NROW && i < d->nrow; i++)
        bad += cf_dataset_value(d, i, v) != speed[i] || cf_dataset_value(d, i, r) != e[i] ||
               cf_dataset_sigma(d, i, v) != 0 || cf_dataset_sigma(d, i, r) != 0.002 ||
               cf_dataset_has(d, i, column(d, "duration")) || d->line[i] != i + 3 ||
               d->use[i] != (speed[i] > 5 ? CF_ROW_HELD_OUT : CF_ROW_FIT) ||
               cf_dataset_because(d, i);
    ok(bad == 0, "values, sigmas, lines and uses of all rows");
    ok(d->series[v].kind == CF_SIGMA_NONE && d->series[r].kind == CF_SIGMA_GIVEN, "kinds of sigma");
    is_near(d->pair.mass_kg, 0.4536, 1e-15, "mass");
    is_near(d->pair.radius_m, 0.04605, 1e-15, "radius");
    ok(d->pair.modulus_Pa == 0, "no modulus is known");
    ok(d->pair.gravity_m_s2 == 9.80665, "standard gravity");
}

static void test_contact_time(const struct cf_study *study, const struct cf_dataset *d)
{
    size_t v = column(d, "speed"), t = column(d, "duration");

    is_str(d->name, "contact time", "name of the second set");
    ok(d->file == NULL && strcmp(d->sha256, study->sha256) == 0, "its rows stand in the study");
    ok(d->nrow == 2 && d->line[0] == 19 && d->line[1] == 20, "and it knows where");
    is_near(cf_dataset_value(d, 0, v), 2.19, 1e-15, "speed");
    is_near(cf_dataset_value(d, 1, t), 0.79e-3, 1e-18, "duration");
    is_near(cf_dataset_sigma(d, 1, t), 3e-6, 1e-20, "its sigma");
    ok(d->series[t].kind == CF_SIGMA_GIVEN && !cf_dataset_has(d, 0, column(d, "restitution")),
       "no restitution there");
}

static void test_croquet(void)
{
    static const char *const rivals[] = {"hunt-crossley", "lee-wang", "linear",
                                         "power",         "e-log",    "e-power"};
    struct cf_study *study;
    const struct cf_spec *spec;
    size_t bad = 0;

    write_croquet_table();
    study = read_text(croquet);
    if (!ok(study != NULL, "the croquet study is read"))
        return;
    spec = &study->spec;
    is_str(study->path, scratch.file, "path");
    is_str(study->name, "study", "name");
    is_str(study->title, "Croquet ball on wood", "title");
    is_str(study->text, croquet, "text");
    ok(study->nbody == 2 && study->body[0].sphere && !study->body[1].sphere, "bodies");
    is_str(study->body[1].name, "block", "name of the second");
    ok(study->body[1].fixed && isinf(study->body[1].mass_kg), "fixed");
    is_str(spec->law->name, "azad-featherstone", "law");
    ok(spec->nfree == 2 && spec->ngiven == 0, "two parameters to fit, none given");
    is_str(spec->free[0].name, "k", "the first");
    ok(isnan(spec->free[0].min) && isnan(spec->free[0].max) && isnan(spec->free[0].start) &&
           isnan(spec->free[0].prior_sigma) && !spec->free[0].prior_hertz,
       "of which the law's row decides everything");
    ok(study->nrival == 6, "rivals");
    for (size_t i = 0; i < study->nrival; i++)
        bad += strcmp(study->rival[i]->name, rivals[i]) != 0;
    ok(bad == 0, "in their order");
    ok(spec->ndata == 2, "two data sets");
    ok(memcmp(&spec->options, &cf_fit_defaults, sizeof spec->options) == 0, "default options");
    ok(study->nnote == 0, "no remarks");
    test_rebound(&spec->data[0]);
    test_contact_time(study, &spec->data[1]);
    cf_study_free(study);
}

/* Two spheres, materials, a prior, another alias, options; each number by hand. */
static void test_keys(void)
{
    struct cf_study *study = read_text(
        "contactfit: study/1\n"
        "gravity: 1.62 m/s^2\n"
        "bodies:\n"
        "  ball: {sphere: {radius: 10 mm}, mass: 30 g, youngs_modulus: 200 GPa, "
        "poissons_ratio: 0.3}\n"
        "  cup: {sphere: {radius: 30 mm, concave: true}, mass: 60 g, rigid: true}\n"
        "  wall: {fixed: true}\n"
        "law: azad-featherstone\n"
        "fit:\n"
        "  k: {min: 1e9 N/m^1.5, max: 1e12, start: 3e10, prior: {value: hertz, sigma: 20 %}}\n"
        "fixed: {lambda_star: 1e5}\n"
        "data:\n"
        "  - name: a\n"
        "    protocol: impact\n"
        "    between: [cup, ball]\n"
        "    rows:\n"
        "      - {drop_height: 50 cm, rebound_height: 400 mm}\n"
        "      - {drop_height: 60 cm}\n"
        "      - {drop_height: 70 cm, rebound_height: 0.5 m}\n"
        "    sigma: {rebound_height: 2 %, drop_height: 1 mm}\n"
        "    exclude: [{row: 18, because: it slipped}]\n"
        "options: {level: 0.9, screen: 10, starts: 3, weak_factor: 3, p_reject: 5 %, seed: 7, "
        "time: 2 min}\n");
    const struct cf_spec *spec;
    const struct cf_dataset *d;
    size_t h0, h1;

    if (!ok(study != NULL, "a study with every other key is read"))
        return;
    spec = &study->spec;
    d = spec->data;
    h0 = column(d, "drop_height");
    h1 = column(d, "rebound_height");
    is_str(study->title, "study", "a study without a title has its name");
    is_near(d->pair.mass_kg, 0.02, 1e-15, "1/m = 1/30 g + 1/60 g");
    is_near(d->pair.radius_m, 0.015, 1e-15, "1/R = 1/10 mm - 1/30 mm");
    is_near(d->pair.modulus_Pa / 2.197802197802198e11, 1, 1e-14, "E* = 200 GPa/(1 - 0.3^2)");
    ok(d->pair.gravity_m_s2 == 1.62, "gravity");
    ok(spec->nfree == 1 && spec->free[0].min == 1e9 && spec->free[0].max == 1e12 &&
           spec->free[0].start == 3e10,
       "bounds and start");
    /* (4/3) 2.1978e11 Pa sqrt(0.015 m) */
    ok(spec->free[0].prior_hertz, "a prior from Hertz");
    is_near(spec->free[0].prior_value / 3.5889957e10, 1, 1e-7, "its value: %.8g",
            spec->free[0].prior_value);
    is_near(spec->free[0].prior_sigma / spec->free[0].prior_value, 0.2, 1e-15, "its sigma");
    ok(spec->ngiven == 1 && spec->given[0].value == 1e5 && !spec->given[0].hertz, "a given value");
    is_str(spec->given[0].name, "lambda_star", "under another name");
    ok(d->nrow == 3 && d->use[0] == CF_ROW_FIT && d->use[2] == CF_ROW_EXCLUDED, "an excluded row");
    is_str(cf_dataset_because(d, 2), "it slipped", "and why");
    is_near(cf_dataset_sigma(d, 0, h1), 0.008, 1e-16, "2 %% of 400 mm");
    is_near(cf_dataset_sigma(d, 1, h0), 0.001, 1e-18, "1 mm of a drop height");
    ok(d->series[h0].kind == CF_SIGMA_GIVEN, "which is not exact then");
    ok(cf_dataset_has(d, 1, h0) && !cf_dataset_has(d, 1, h1), "what was not measured");
    ok(spec->options.level == 0.9 && spec->options.screen == 10 && spec->options.starts == 3 &&
           spec->options.weak_factor == 3 && spec->options.p_reject == 0.05 &&
           spec->options.time_s == 120 && spec->options.seed == 7,
       "options");
    cf_study_free(study);
}

/* Units, sigmas and filters of a table. */
static void test_table(void)
{
    struct cf_study *study;
    const struct cf_dataset *d;
    size_t v, r, t;

    scratch_write(scratch.table, "v [cm/s];t;s_t;e %;ball\n"
                                 "50;1,2;0,1;86;golf\n"
                                 "70;1,1;0,1;85;tennis\n"
                                 "100;;;84;golf\n"
                                 "150;1,0;0,2;83;golf\n"
                                 "bad;bad;;;golf\n");
    study = read_text("contactfit: study/1\n"
                      "bodies: {ball: {mass: 30 g}}\n"
                      "law: hunt-crossley\n"
                      "fit: {a: {}, k: {}}\n"
                      "data:\n"
                      "  - name: a\n"
                      "    protocol: impact\n"
                      "    file: table.csv\n"
                      "    decimal: \",\"\n"
                      "    where: {ball: golf}\n"
                      "    exclude: [{row: 6, because: 'the \"trigger\" failed'}]\n"
                      "    columns:\n"
                      "      speed: v\n"
                      "      duration: {from: t, unit: ms, sigma: {from: s_t}}\n"
                      "      restitution: {from: e %, unit: \"%\"}\n"
                      "hold-out:\n"
                      "  - data: a\n"
                      "    where: speed >= 1 m/s and speed <= 1 m/s and restitution != 83 %\n");
    if (!ok(study != NULL, "a table with units in the study is read"))
        return;
    d = study->spec.data;
    v = column(d, "speed");
    r = column(d, "restitution");
    t = column(d, "duration");
    ok(d->nrow == 4 && d->line[1] == 4, "the rows that where leaves");
    is_near(cf_dataset_value(d, 0, v), 0.5, 1e-16, "cm/s of the header");
    is_near(cf_dataset_value(d, 0, t), 1.2e-3, 1e-18, "ms of the study");
    is_near(cf_dataset_sigma(d, 0, t), 1e-4, 1e-19, "sigmas are in the unit of their values");
    is_near(cf_dataset_value(d, 0, r), 0.86, 1e-15, "per cent");
    ok(d->series[r].kind == CF_SIGMA_ESTIMATE,
       "a measured quantity without sigma has it estimated");
    ok(!cf_dataset_has(d, 1, t), "an empty cell was not measured");
    ok(d->use[0] == CF_ROW_FIT && d->use[1] == CF_ROW_HELD_OUT && d->use[2] == CF_ROW_FIT,
       "what is held out");
    ok(d->use[3] == CF_ROW_EXCLUDED && !cf_dataset_has(d, 3, v),
       "an excluded row may be unreadable");
    ok(isinf(d->pair.radius_m) && d->pair.mass_kg == 0.03, "a lone body without a shape");
    cf_study_free(study);
}

/* Where only e is measured, Hunt-Crossley's k is not needed and not asked for. */
static void test_needless(void)
{
    struct cf_study *study;

    write_croquet_table();
    study = read_text("contactfit: study/1\n"
                      "bodies: {ball: {mass: 30 g}}\n"
                      "law: hunt-crossley\n"
                      "fit: {a: }\n"
                      "data:\n"
                      "  - {name: a, protocol: impact, file: table.csv,\n"
                      "     columns: {speed: speed, restitution: e}}\n");
    ok(study && study->spec.nfree == 1 && study->spec.ngiven == 0, "k of hunt-crossley from e(v)");
    cf_study_free(study);
}

/* The start of every length of a study is read or refused with a message. */
static void test_cut(void)
{
    char text[sizeof croquet];
    size_t bad = 0, good = 0;

    write_croquet_table();
    for (size_t n = 0; n < sizeof croquet; n++) {
        struct cf_error err = {""};
        struct cf_study *study;

        memcpy(text, croquet, n);
        text[n] = '\0';
        scratch_write(scratch.file, text);
        study = cf_study_read(scratch.file, NULL, &err);
        good += study != NULL;
        bad += !study && !*err.text;
        cf_study_free(study);
    }
    ok(bad == 0 && good > 0, "studies cut off anywhere");
}

/* The studies that ship are read as they are. */
static void test_shipped(void)
{
    static const char *const names[] = {"croquet_ball_on_wood", "golf_ball_drop_rebound",
                                        "tennis_ball_drop_rebound"};
    const char *srcdir = getenv("srcdir");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct cf_error err = {""};
        struct cf_study *study;
        char path[4096];

        snprintf(path, sizeof path, "%s/fits/%s.yaml", srcdir ? srcdir : ".", names[i]);
        study = cf_study_read(path, NULL, &err);
        ok(study && strcmp(study->name, names[i]) == 0, "%s %s", names[i], err.text);
        cf_study_free(study);
    }
}

TEST(study)
{
    scratch_open(&scratch, "study.yaml");
    plan(71);
    test_croquet();
    test_keys();
    test_table();
    test_needless();
    test_cut();
    test_shipped();
    scratch_close(&scratch);
    return done();
}
