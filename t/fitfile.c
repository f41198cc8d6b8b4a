/* Fit files: what is written is read back bit for bit, and other files are refused with a message
 * that says where and why. The sample's numbers are invented. */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/fit_file.h"
#include "tap.h"

/* The sample with `find` replaced once by `put`, and the message without the path in front. */
struct refusal {
    const char *find, *put, *message;
};

static const struct refusal refusals[] = {
    {"\"fit/3\"", "\"fit/1\"",
     ": contactfit: \"fit/1\": an older program wrote it: run contactfit fit on its study again"},
    {"\"fit/3\"", "\"fit/4\"", ": contactfit: \"fit/4\" where \"fit/3\" is wanted"},
    {"\"fit/3\"", "\"study/1\"", ": contactfit: \"study/1\" where \"fit/3\" is wanted"},
    {"\"fit/3\"", "1", ": no fit file: it has no \"contactfit\": \"fit/3\""},
    {"\"contactfit\": \"fit/3\",", "", ": no fit file: it has no \"contactfit\": \"fit/3\""},
    {"\"seed\": 1", "\"seed\": -1", ": seed: -1 where a whole number, 0 or more, is wanted"},
    {"\"seed\": 1", "\"seed\": 1.5", ": seed: a number where a whole number, 0 or more, is wanted"},
    {"\"seed\": 1,", "", ": the key \"seed\" is missing"},
    {"\"seed\": 1", "\"seed\": 1, \"sed\": 1", ": unknown key \"sed\": did you mean \"seed\"?"},
    {"\"seed\": 1", "\"seed\": 1, \"a\\nb\": 1", ": unknown key \"a b\""},
    {"\"seed\": 1", "\"seed\": 1, \"seed\": 1", ":7:18: duplicate object key near '\"seed\"'"},
    {"\"value\": 187959000.0", "\"value\": \"187959000.0",
     ":275:25: unexpected newline near '\"187959000.0,'"},
    {"\"seed\": 1", "\"seed\": NaN", ":7:12: invalid token near 'NaN'"},
    {"\"seed\": 1", "\"seed\": 1e999", ":7:14: real number overflow near '1e999'"},
    {"\"seed\": 1", "\"seed\": 99999999999999999999",
     ":7:29: too big integer near '99999999999999999999'"},
    {"\"status\": \"misfit\"", "\"status\": \"fine\"",
     ": verdict.status: \"fine\" is none of good, weak, misfit, undetermined, failed"},
    {"\"trusted\": false", "\"trusted\": \"no\"",
     ": verdict.trusted: a string where true or false is wanted"},
    {"\"unit\": \"N/m^1.5\"", "\"unit\": null",
     ": parameters.k.unit: null where a string is wanted"},
    {"\"scale\": \"log\",\n   \"profile\"", "\"scale\": [],\n   \"profile\"",
     ": parameters.k.scale: a list where a string is wanted"},
    {"\"law_cite\"", "\"law_cites\"", ": unknown key \"law_cites\": did you mean \"law_cite\"?"},
    {"\"because\"", "\"reason\"", ": data[0].excluded[0]: unknown key \"reason\""},
    {"\"tests\": [", "\"tests\": [5,", ": tests[0]: a number where an object is wanted"},
    {"\"threshold\": 3.84146", "\"threshold\": 3.84146, \"depth\": 0",
     ": parameters.k.profile: unknown key \"depth\": did you mean \"delta\"?"},
    {"\"delta\": [", "\"delta\": [0.5,",
     ": parameters.k.profile: 12 numbers in \"delta\" beside 11 in \"value\""},
    {"\"abscissa\": [", "\"abscissa\": [0.5,",
     ": curves[0]: 9 numbers in \"value\" beside 10 in \"abscissa\""},
    {"\"line\": 5,\n   \"channel\": \"restitution\"", "\"line\": 5,\n   \"channel\": \"spin\"",
     ": observations[1]: channel: data 0 has no channel \"spin\""},
    {"\"data\": 1,\n   \"line\": 20", "\"data\": 2,\n   \"line\": 20",
     ": observations[8]: data 2 of 2: counted from 0"},
    {"\"name\": \"speed\"", "\"name\": \"../speed\"",
     ": data[0].axis.name: letters, digits, _ and - are wanted"},
    {"\"label\": \"approach speed\"", "\"label\": \"`speed`\"",
     ": data[0].axis.label: letters, digits, blanks and any of _-+*/^().,% are wanted"},
    {"\"headline\": \"restitution\"", "\"headline\": \"spin\"",
     ": data[0].headline: it has no channel \"spin\""},
    {"\"matrix\": [", "\"matrix\": [[1, 0],",
     ": covariance.matrix is not of 2 rows and columns, one a name"},
};
enum { NREFUSAL = sizeof refusals / sizeof refusals[0] };

static char folder[] = "/tmp/fitfile.XXXXXX";
static char path[64];

static char *slurp(const char *name)
{
    FILE *in = fopen(name, "rb");
    char *text = calloc(1, 1 << 20);
    size_t len = in && text ? fread(text, 1, (1 << 20) - 1, in) : 0;

    if (in)
        fclose(in);
    if (len > 0)
        return text;
    free(text);
    return NULL;
}

static void spew(const char *text, size_t len)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(text, 1, len, out) != len || fclose(out))
        exit(99);
}

/* Read path; the message must be path and `message`. */
static void is_refused(const char *message, const char *name)
{
    struct cf_error err = {""};
    char want[512];
    json_t *fit = NULL;

    int status = cf_fit_file_read(path, &fit, &err);
    snprintf(want, sizeof want, "%s%s", path, message);
    ok(status == CF_EINPUT && !fit, "%s: refused", name);
    is_str(err.text, want, "%s: the message", name);
    json_decref(fit);
}

static void test_refusals(const char *sample)
{
    for (size_t i = 0; i < NREFUSAL; i++) {
        const struct refusal *r = &refusals[i];
        const char *at = strstr(sample, r->find);
        size_t before = at ? (size_t) (at - sample) : 0, len = strlen(sample) + strlen(r->put);
        char *text = malloc(len + 1);
        if (!at || !text)
            exit(99);
        snprintf(text, len + 1, "%.*s%s%s", (int) before, sample, r->put, at + strlen(r->find));
        spew(text, strlen(text));
        free(text);
        is_refused(r->message, r->put[0] ? r->put : r->find);
    }
}

static void test_truncated(const char *sample)
{
    spew(sample, strcspn(sample, "\n") + 1);
    is_refused(":2:0: string or '}' expected near end of file", "after the first line");
    spew("[]", 2);
    is_refused(": no fit file: it has no \"contactfit\": \"fit/3\"", "a list");
    spew("{} {}", 5);
    is_refused(":1:4: end of file expected near '{'", "two documents");
    spew("", 0);
    is_refused(": the file is empty", "empty");
}

/* A fit cut at any place is refused, with some message and no crash. */
static void test_every_cut(const char *sample)
{
    size_t accepted = 0, silent = 0, len = strlen(sample);

    for (size_t cut = 1; cut + 2 < len; cut += 97) {
        struct cf_error err = {""};
        json_t *fit = NULL;
        spew(sample, cut);
        accepted += cf_fit_file_read(path, &fit, &err) == CF_OK;
        silent += !err.text[0];
        json_decref(fit);
    }
    ok(accepted == 0, "no file that is cut short is accepted");
    ok(silent == 0, "every cut is explained");
}

static void write_fit(const json_t *fit)
{
    struct cf_error err = {""};
    FILE *out = fopen(path, "wb");

    if (!out)
        exit(99);
    ok(cf_fit_file_write(fit, out, &err) == CF_OK, "written %s", err.text);
    fclose(out);
}

/* Numbers that need all 17 digits, the smallest, the largest, and both zeros. */
static void test_round_trip(const char *source)
{
    static const double hard[] = {
        0.1,  1.0 / 3, 2.0 / 3 * 1e-5, 5e-324, 1.7976931348623157e308, -0.0, 123456789.123456789,
        1e22, 4.35e-7};
    struct cf_error err = {""};
    json_t *fit, *again;

    if (!ok(cf_fit_file_read(source, &fit, &err) == CF_OK, "the sample is read %s", err.text))
        return;
    json_t *values = json_object_get(json_array_get(json_object_get(fit, "curves"), 0), "value");
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++)
        json_array_set_new(values, i, json_real(hard[i]));
    write_fit(fit);
    char *first = slurp(path);
    if (ok(cf_fit_file_read(path, &again, &err) == CF_OK, "read again %s", err.text)) {
        values = json_object_get(json_array_get(json_object_get(again, "curves"), 0), "value");
        size_t same = 0;
        for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) {
            double x = json_number_value(json_array_get(values, i));
            same += memcmp(&x, &hard[i], sizeof x) == 0;
        }
        ok(same == sizeof hard / sizeof hard[0], "doubles come back bit for bit");
        ok(json_equal(fit, again), "the documents are equal");
        write_fit(again);
        char *second = slurp(path);
        is_str(second, first, "and are written alike: keys keep their order");
        free(second);
        json_decref(again);
    }
    free(first);
    json_decref(fit);
}

static void test_full_disk(const char *source)
{
    struct cf_error err = {""};
    json_t *fit;
    FILE *out = fopen("/dev/full", "w");

    if (!out || cf_fit_file_read(source, &fit, &err)) {
        ok(true, "full disk # SKIP no /dev/full");
        ok(true, "full disk # SKIP no /dev/full");
        return;
    }
    setvbuf(out, NULL, _IONBF, 0);
    ok(cf_fit_file_write(fit, out, &err) == CF_EIO, "a full disk is noticed");
    is_str(err.text, "the document cannot be written", "and said");
    fclose(out);
    json_decref(fit);
}

TEST(fitfile)
{
    const char *srcdir = getenv("srcdir");
    char source[1024];
    char *sample;

    snprintf(source, sizeof source, "%s/t/fits/sample.json", srcdir ? srcdir : ".");
    sample = slurp(source);
    if (!sample || !mkdtemp(folder))
        return 99;
    snprintf(path, sizeof path, "%s/fit.json", folder);
    plan(2 * NREFUSAL + 8 + 2 + 7 + 2);
    test_refusals(sample);
    test_truncated(sample);
    test_every_cut(sample);
    test_round_trip(source);
    test_full_disk(source);
    free(sample);
    unlink(path);
    rmdir(folder);
    return done();
}
