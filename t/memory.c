/* Studies out of memory: the same fit as of the files that hold the same, and no file is touched;
 * fits in several threads at once, and GSL's handler after them. */

#define _POSIX_C_SOURCE 200809L

#include <gsl/gsl_errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/fit.h"
#include "impact/flat.h"
#include "lib/scratch.h"
#include "tap.h"

enum { N = 24 };
static double speed[N], e[N], sigma[N];

static void make(void)
{
    for (size_t i = 0; i < N; i++) {
        speed[i] = 0.5 + 0.2 * (double) i;
        sigma[i] = 0.002 + 0.0001 * (double) (i % 3);
        e[i] = 1 - 0.09 * pow(speed[i], 0.2) + sigma[i] * cos(7.0 * (double) i);
    }
}

static const char head[] = "contactfit: study/1\n"
                           "title: Out of memory\n"
                           "bodies:\n"
                           "  ball: {sphere: {diameter: 40 mm}, mass: 50 g}\n"
                           "  floor: {plane: {}, fixed: true}\n"
                           "law: azad-featherstone\n"
                           "fixed: {k: 1e8 N/m^1.5}\n"
                           "fit: {lambda: {}}\n"
                           "rivals: [e-log]\n"
                           "data:\n"
                           "  - name: drops\n"
                           "    protocol: impact\n";
static const char by_name[] = "    file: drops.csv\n"
                              "    columns: {speed: v, restitution: {from: e}}\n";
static const char by_file[] = "    file: table.csv\n"
                              "    columns:\n"
                              "      speed: v_m_s\n"
                              "      restitution: {from: e, sigma: {from: s}}\n";

static void join(char text[2048], const char *data)
{
    snprintf(text, 2048, "%s%s", head, data);
}

static struct cf_tables *tables(size_t n)
{
    struct cf_error err;
    struct cf_tables *t = cf_tables_alloc();
    const struct cf_column_in v = {"v", "m/s", n, speed, NULL}, r = {"e", NULL, n, e, sigma};

    if (cf_tables_add(t, "drops.csv", &v, &err) || cf_tables_add(t, "drops.csv", &r, &err))
        abort();
    return t;
}

static const double at[] = {0.3, 1, 5};
enum { NAT = sizeof at / sizeof at[0] };

/* What the law says on a pair, to compare predictions with. */
static void law_says(double scale, double lambda, double mass_kg, double out[NAT])
{
    const double p[] = {1e8 * scale, lambda * scale};
    struct cf_error err;

    if (cf_restitution("azad-featherstone", 2, p, mass_kg, NAT, at, out, &err))
        abort();
}

static void predicts_elsewhere(const struct cf_document *fit)
{
    struct cf_predict_request asked = {.quantity = "restitution", .mass_kg = 0.4};
    struct cf_predict_answer seen[NAT];
    struct cf_error err = {""};
    double want[NAT], lambda = cf_document_value(fit, "lambda");

    ok(!cf_document_predict(fit, &asked, NAT, at, seen, &err), "of another mass %s", err.text);
    law_says(1, lambda, 0.4, want);
    for (size_t i = 0; i < NAT; i++)
        is_near(seen[i].value, want[i], 1e-9, "e at %g m/s of 400 g", at[i]);
    asked = (struct cf_predict_request){.quantity = "restitution", .radius_m = 0.08};
    ok(!cf_document_predict(fit, &asked, NAT, at, seen, &err), "of another radius %s", err.text);
    law_says(2, lambda, 0.05, want); /* k and lambda grow by the root of the radius, 20 mm */
    for (size_t i = 0; i < NAT; i++)
        is_near(seen[i].value, want[i], 1e-9, "e at %g m/s of 80 mm", at[i]);
    asked = (struct cf_predict_request){.quantity = "duration", .data = "drops"};
    ok(!cf_document_predict(fit, &asked, NAT, at, seen, &err) && seen[0].value > seen[1].value &&
           seen[1].value > seen[2].value && seen[2].value > 0,
       "what was not measured: slow impacts last longer %s", err.text);
}

/* The curve of e and its band, against the law's own. lambda is all that is free: the band's ends
 * are nearly what the ends of its interval make. */
static void predicts(const struct cf_document *fit)
{
    const struct cf_predict_request asked = {.quantity = "restitution"};
    struct cf_predict_answer seen[NAT];
    struct cf_error err = {""};
    double want[NAT], low[NAT], high[NAT];

    law_says(1, cf_document_value(fit, "lambda"), 0.05, want);
    law_says(1, cf_document_high(fit, "lambda"), 0.05, low);
    law_says(1, cf_document_low(fit, "lambda"), 0.05, high);
    ok(!cf_document_predict(fit, &asked, NAT, at, seen, &err), "a fit predicts %s", err.text);
    for (size_t i = 0; i < NAT; i++) {
        is_near(seen[i].value, want[i], 1e-9, "e at %g m/s", at[i]);
        is_near((seen[i].high - seen[i].low) / (high[i] - low[i]), 1, 0.02, "width of its band");
        is_near(seen[i].high - seen[i].value, seen[i].value - seen[i].low, 1e-12, "to both sides");
    }
    ok(!cf_document_predict(fit, &asked, 0, NULL, NULL, &err), "nowhere is no error");
}

static void refuses_to_predict(const struct cf_document *fit)
{
    static const struct {
        struct cf_predict_request asked;
        double at;
        const char *says;
    } wrong[] = {
        {{.quantity = "restitutio"}, 1, "unknown quantity restitutio: did you mean restitution?"},
        {{.quantity = NULL}, 1, "no quantity is named"},
        {{.quantity = "speed"},
         1,
         "unknown quantity \"speed\": azad-featherstone predicts restitution, rebound_speed, "
         "rebound_height, duration, depth, peak_force"},
        {{.quantity = "restitution", .data = "pushes"},
         1,
         "no data set pushes in the document: it has drops"},
        {{.quantity = "restitution", .mass_kg = -1}, 1, "mass = -1 kg: must be above 0"},
        {{.quantity = "restitution", .mass_kg = 1e40},
         1,
         "mass = 1e+40 kg: must be in [1e-33, 1e+33]"},
        {{.quantity = "restitution", .radius_m = NAN}, 1, "radius = nan m: must be above 0"},
        {{.quantity = "restitution"}, -1, "place 0: speed -1 m/s: must be in [1e-06, 10000]"},
        {{.quantity = "restitution"}, NAN, "place 0: speed nan m/s: must be in [1e-06, 10000]"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct cf_predict_answer seen;
        struct cf_error err = {""};
        int status = cf_document_predict(fit, &wrong[i].asked, 1, &wrong[i].at, &seen, &err);
        ok(status == CF_EUSAGE, "refused: %d", status);
        is_str(err.text, wrong[i].says, "says why");
    }
}

static void same_as_files(void)
{
    char text[2048];
    struct cf_error err = {""};
    struct cf_tables *t = tables(N);

    join(text, by_name);
    struct cf_study *study = cf_study_read_text("drops.yaml", text, t, NULL, &err);
    struct cf_document *fit = study ? cf_study_fit(study, NULL, &err) : NULL;
    ok(fit != NULL, "a study of numbers in memory is fitted %s", err.text);
    cf_tables_free(t);

    struct scratch scratch;
    char table[4096], *end = table + sprintf(table, "v_m_s,e,s\n");
    for (size_t i = 0; i < N; i++)
        end += sprintf(end, "%.17g,%.17g,%.17g\n", speed[i], e[i], sigma[i]);
    scratch_open(&scratch, "drops.yaml");
    scratch_write(scratch.table, table);
    join(text, by_file);
    scratch_write(scratch.file, text);
    struct cf_study *other = cf_study_read(scratch.file, NULL, &err);
    struct cf_document *filed = other ? cf_study_fit(other, NULL, &err) : NULL;
    ok(filed != NULL, "and one of files %s", err.text);
    is_str(cf_document_verdict(fit), cf_document_verdict(filed), "the same verdict");
    ok(cf_document_value(fit, "lambda") == cf_document_value(filed, "lambda") &&
           cf_document_low(fit, "lambda") == cf_document_low(filed, "lambda") &&
           cf_document_high(fit, "lambda") == cf_document_high(filed, "lambda"),
       "the same number to the bit: %.17g", cf_document_value(fit, "lambda"));
    ok(cf_document_value(fit, "lambda") > 1e3, "and it is one");
    ok(cf_document_value(fit, "k") == 1e8 && isnan(cf_document_low(fit, "k")) &&
           strcmp(cf_document_role(fit, "k"), "held") == 0,
       "what is held has no interval");
    ok(isnan(cf_document_value(fit, "nothing")) && !cf_document_unit(fit, "nothing") &&
           !cf_document_role(fit, "nothing") && !cf_document_worth(fit, "nothing"),
       "what is not there has nothing");
    cf_document_free(filed);
    cf_study_free(other);
    scratch_close(&scratch);

    char *whole = cf_document_text(fit, &err);
    struct cf_document *again = whole ? cf_document_parse("memory", whole, &err) : NULL;
    ok(again && cf_document_value(again, "lambda") == cf_document_value(fit, "lambda"),
       "a document by its text %s", err.text);
    char *twice = again ? cf_document_text(again, &err) : NULL;
    is_str(twice, whole, "and back");
    free(whole);
    free(twice);
    cf_document_free(again);
    ok(!cf_document_parse("memory", "{\"contactfit\": \"fit/3\"}", &err), "a text that is no fit");
    is_str(err.text, "memory: the key \"version\" is missing", "says why");
    predicts(fit);
    predicts_elsewhere(fit);
    refuses_to_predict(fit);
    ok(cf_document_summary(fit)[0] && !cf_document_reason(fit, 1000) &&
           !cf_document_advice(fit, 1000) && !cf_document_parameter(fit, 1000) &&
           strcmp(cf_document_parameter(fit, 0), "lambda") == 0,
       "lists have an end");
    cf_document_free(fit);
    cf_study_free(study);
}

/* A study that must fail, and its message. */
static void refused(const char *data, struct cf_tables *t, const char *message)
{
    char text[2048];
    struct cf_error err = {""};

    join(text, data);
    struct cf_study *study = cf_study_read_text("drops.yaml", text, t, NULL, &err);
    ok(!study, "refused");
    is_str(err.text, message, "the reason");
    cf_study_free(study);
    cf_tables_free(t);
}

static void refusals(void)
{
    struct cf_error err = {""};
    struct cf_tables *t = tables(N);

    refused(by_name, NULL, "drops.yaml:13:11: file: drops.csv: no table of this name is in memory");
    refused("    file: /etc/passwd\n    columns: {speed: v, restitution: e}\n", tables(N),
            "drops.yaml:13:11: file: /etc/passwd: no table of this name is in memory");
    refused("    file: drops.csv\n    columns: {speed: w, restitution: e}\n", tables(N),
            "drops.yaml:14:22: no column w in drops.csv: it has v, e, sigma of e");
    e[3] = INFINITY;
    refused(by_name, tables(N), "drops.csv:4:2: e inf: a number is wanted");
    e[3] = 1.5;
    refused(by_name, tables(N),
            "drops.csv:4:1: restitution 1.5: must be at most 1 + 3 sigma; an impact gives back no "
            "more than it got");
    make();
    sigma[5] = 0;
    refused(by_name, tables(N), "drops.csv:6:3: sigma of e 0: a sigma must be above 0");
    make();
    ok(cf_tables_add(t, "drops.csv", &(struct cf_column_in){"x", NULL, 3, speed, NULL}, &err) ==
           CF_EINPUT,
       "another number of rows");
    is_str(err.text, "drops.csv: column x has 3 rows where the others have 24", "is said");
    ok(cf_tables_add(t, "drops.csv", &(struct cf_column_in){"e", NULL, N, speed, NULL}, &err) ==
           CF_EINPUT,
       "a second column of a name: %s", err.text);
    cf_tables_free(t);
    refused(by_name, tables(0),
            "drops.yaml:14:15: speed: no row of data set drops has a value: leave it out");
    e[7] = NAN;
    t = tables(N);
    char text[2048];
    join(text, by_name);
    struct cf_study *study = cf_study_read_text("drops.yaml", text, t, NULL, &err);
    ok(study != NULL, "nothing measured in a row: NAN");
    ok(!cf_study_remark(study, 1000), "remarks have an end");
    cf_study_free(study);
    cf_tables_free(t);
    make();
}

static void *fit_one(void *value)
{
    char text[2048];
    struct cf_tables *t = tables(N);
    struct cf_error err = {""};

    join(text, by_name);
    struct cf_study *study = cf_study_read_text("drops.yaml", text, t, NULL, &err);
    struct cf_document *fit = study ? cf_study_fit(study, NULL, &err) : NULL;
    *(double *) value = fit ? cf_document_value(fit, "lambda") : (double) NAN;
    cf_document_free(fit);
    cf_study_free(study);
    cf_tables_free(t);
    return NULL;
}

static void ours(const char *reason, const char *file, int line, int code)
{
    (void) reason;
    (void) file;
    (void) line;
    (void) code;
}

static void threads(void)
{
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    double value[THREADS + 1];
    bool same = true;

    gsl_error_handler_t *before = gsl_set_error_handler(ours);
    fit_one(&value[THREADS]);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, fit_one, &value[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        same = same && value[i] == value[THREADS];
    }
    ok(same && value[0] > 0, "four threads find what one does");
    ok(gsl_set_error_handler(before) == ours, "and GSL's handler is the caller's again");
}

TEST(memory)
{
    plan(71);
    make();
    same_as_files();
    refusals();
    threads();
    return done();
}
