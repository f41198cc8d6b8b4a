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
    ok(!cf_document_parse("memory", "{\"contactfit\": \"fit/2\"}", &err), "a text that is no fit");
    is_str(err.text, "memory: the key \"version\" is missing", "says why");
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

int main(void)
{
    plan(33);
    make();
    same_as_files();
    refusals();
    threads();
    return done();
}
