/* Nearest words, parameter tables, text, random streams, and whole files in and out. */

#define _XOPEN_SOURCE 700

#include <Random123/philox.h>
#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/chi_square.h"
#include "core/file.h"
#include "core/file_system.h"
#include "core/limits.h"
#include "core/list.h"
#include "core/nearest.h"
#include "core/output.h"
#include "core/param.h"
#include "core/random.h"
#include "core/status.h"
#include "core/text.h"
#include "lib/scratch.h"
#include "tap.h"

#define COUNT(table) (sizeof table / sizeof table[0])

/* Against the probability of what is found; GSL's inverse is off at some of these by a third. */
static void try_chi_square(void)
{
    static const double dof[] = {0.7, 10, 2999, 3000, 5296.39, 21095.5, 50000, 1e5, 6.9e4, 8e5};
    static const double q[] = {0.0005, 0.025, 0.3, 0.975};

    for (size_t i = 0; i < COUNT(dof); i++) {
        double worst = 0;
        for (size_t k = 0; k < COUNT(q); k++) {
            double at = cf_chi_square_above(q[k], dof[i]);
            worst = fmax(worst, fabs(gsl_cdf_chisq_Q(at, dof[i]) / q[k] - 1));
        }
        ok(worst < 1e-3, "chi^2 on %g degrees of freedom: %.1g", dof[i], worst);
    }
}

static void try_nearest(void)
{
    static const char *const words[] = {"hunt-crossley", "lee-wang", "linear",
                                        "gonthier",      "e-log",    "azad-featherstone"};
    static const struct {
        const char *word, *want;
    } row[] = {
        {"hunt-crosley", "hunt-crossley"},
        {"hunt_crossley", "hunt-crossley"},
        {"LINEAR", "linear"},
        {"lienar", "linear"},
        {"azad", "azad-featherstone"},
        {"e-lgo", "e-log"},
        {"coulomb", "none"},
        {"", "none"},
        {"az", "none"},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        const char *got = cf_nearest(row[i].word, words, COUNT(words));
        is_str(got ? got : "none", row[i].want, "nearest to \"%s\"", row[i].word);
    }
    ok(cf_nearest("x", words, 0) == NULL, "no words, no nearest");
}

static void try_param(void)
{
    static const struct cf_param table[] = {
        {"k", "N/m^1.5", 1, 1e13, 1e2, 1e12, 1e8, CF_SCALE_LOG, "stiffness"},
        {"e", "1", 0, 1, 0.1, 1, 0.7, CF_SCALE_LINEAR, "restitution"},
    };
    struct cf_error err = {""};
    ok(cf_param_check(table, 2, (double[]){1, 1}, &err) == CF_OK, "ends are in the range");
    ok(cf_param_check(table, 2, (double[]){1, 1 + 1e-12}, &err) == CF_ERANGE, "just beyond is not");
    is_str(err.text, "e = 1.000000000001: must be in [0, 1]", "a pure number has no unit");
    cf_param_check(table, 2, (double[]){-2.5, 1}, &err);
    is_str(err.text, "k = -2.5 N/m^1.5: must be in [1, 1e+13]", "name, value, unit, range");
    cf_param_check(table, 2, (double[]){(double) NAN, 1}, &err);
    is_str(err.text, "k is not a number: a value in [1, 1e+13] N/m^1.5 is wanted", "NaN fails");
    ok(cf_param_find(table, 2, "e") == 1 && cf_param_find(table, 2, "E") == 2, "find by name");
}

static void try_text(void)
{
    static const struct {
        const char *bytes;
        size_t len, want;
    } row[] = {
        {"a", 1, 1},
        {"\xC2\xB5", 2, 2},
        {"\xE2\x82\xAC", 3, 3},
        {"\xF0\x9F\x8E\xBE", 4, 4},
        {"\xF4\x8F\xBF\xBF", 4, 4},
        {"\xC2", 1, 0},             /* cut short */
        {"\x80", 1, 0},             /* a continuation alone */
        {"\xC0\xAF", 2, 0},         /* overlong */
        {"\xE0\x80\xAF", 3, 0},     /* overlong */
        {"\xF0\x80\x80\xAF", 4, 0}, /* overlong */
        {"\xED\xA0\x80", 3, 0},     /* a surrogate */
        {"\xF4\x90\x80\x80", 4, 0}, /* beyond U+10FFFF */
        {"\xFF", 1, 0},
        {"", 0, 0},
    };
    char shown[CF_SHOWN], many[300];
    for (size_t i = 0; i < COUNT(row); i++)
        ok(cf_utf8_length(row[i].bytes, row[i].len) == row[i].want, "UTF-8 sequence %zu", i);
    is_str(cf_show("a\x1b[2J\nb\xFF\xC2\x9B\xE2\x80\xAE", shown), "a?[2J?b???",
           "what could move a terminal is not shown");
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    cf_show(many, shown);
    ok(strlen(shown) == CF_SHOWN - 1 && strcmp(shown + CF_SHOWN - 4, "...") == 0,
       "long text is cut");
}

/* A text that could not grow is none, also where there is memory again for what follows. */
static void try_growing_text(void)
{
    enum { LINES = 100000 };
    struct cf_text_stream text;
    struct rlimit memory, none;

    cf_text_begin(&text);
    for (int i = 0; i < LINES; i++)
        fprintf(text.out, "%07d\n", i);
    ok(cf_text_end(&text) && text.size == 8 * LINES && strlen(text.bytes) == text.size &&
           strcmp(text.bytes + text.size - 8, "0099999\n") == 0,
       "a text grows");
    free(text.bytes);
    ok(cf_text_begin(&text) && cf_text_end(&text) && text.size == 0 && strcmp(text.bytes, "") == 0,
       "an empty one is one");
    free(text.bytes);
#ifdef __SANITIZE_ADDRESS__
    ok(true, "# skip no limit of memory here");
    (void) memory, (void) none;
#else
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    getrlimit(RLIMIT_AS, &memory);
    none = (struct rlimit){0, memory.rlim_max};
    cf_text_begin(&text);
    setrlimit(RLIMIT_AS, &none);
    for (int i = 0; i < 1000 && !ferror(text.out); i++)
        fwrite(line, 1, sizeof line, text.out);
    setrlimit(RLIMIT_AS, &memory);
    clearerr(text.out);
    fputs("the rest", text.out);
    ok(!cf_text_end(&text) && !text.bytes && text.size == 0, "one that could not grow is none");
#endif
}

/* Random123's own known answers, tests/kat_vectors, philox4x64 10 */
/* Texts and lists of any length; of a list that must be short, how many are left out is told. */
static void try_lists(void)
{
    enum { N = 1000 };
    static const char *const few[] = {"a", "b", "c"};
    static char names[N][8];
    const char *many[N];
    char text[40], *whole;
    size_t *list = NULL, n = 0;

    for (size_t i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "s%zu", i + 1);
        many[i] = names[i];
    }
    cf_join_some(text, sizeof text, few, COUNT(few));
    is_str(text, "a, b, c", "what has room is listed");
    cf_join_some(text, sizeof text, many, N);
    is_str(text, "s1, s2, s3, s4, s5, s6 and 994 more", "of more, whole words and the number left");
    cf_join_some(text, 13, many, N);
    is_str(text, "1000 of them", "or how many there are");
    cf_join_some(text, sizeof text, many, 0);
    is_str(text, "", "nothing of nothing");
    whole = cf_joined(many, N, " and ");
    ok(whole && strlen(whole) == 5894 && !strcmp(whole + 5874, "s998, s999 and s1000"),
       "a thousand names in a sentence");
    free(whole);
    whole = cf_format("%0*d|%s", 5000, 7, "end");
    ok(whole && strlen(whole) == 5004 && !strcmp(whole + 4999, "7|end"), "a text of 5004 letters");
    free(whole);
    for (; n < N; n++) {
        size_t *longer = cf_list_grow(list, n, sizeof *list);
        if (!longer)
            break;
        list = longer;
        list[n] = n;
    }
    ok(n == N && list[0] == 0 && list[511] == 511 && list[N - 1] == N - 1, "a list of a thousand");
    ok(!cf_list_grow(list, (size_t) 1 << 62, sizeof *list), "there is no memory for all numbers");
    free(list);
}

static void try_random(void)
{
    static const uint64_t row[][10] = {
        /* counter, key, answer */
        {0, 0, 0, 0, 0, 0, 0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b,
         0x7e68b68aec7ba23b},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x87b092c3013fe90b,
         0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0},
        {0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89,
         0x452821e638d01377, 0xbe5466cf34e90c6c, 0xa528f45403e61d95, 0x38c72dbd566e9788,
         0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6},
    };
    for (size_t i = 0; i < COUNT(row); i++) {
        philox4x64_ctr_t counter;
        philox4x64_key_t key;
        memcpy(counter.v, row[i], sizeof counter.v);
        memcpy(key.v, row[i] + 4, sizeof key.v);
        philox4x64_ctr_t got = philox4x64(counter, key);
        ok(memcmp(got.v, row[i] + 6, sizeof got.v) == 0, "Random123 was built right, vector %zu",
           i);
    }

    gsl_rng *r = cf_random_stream(0, 0);
    bool same = true;
    for (int i = 0; i < 4; i++)
        same = same && gsl_rng_get(r) == row[0][6 + i];
    ok(same, "stream (0, 0) starts with the known answer");
    gsl_rng_free(r);

    /* word 4 n + i of stream (seed, index) is word i of the block with counter n */
    uint64_t seed = row[2][4], index = row[2][5];
    philox4x64_key_t key = {{seed, index}};
    r = cf_random_stream(seed, index);
    same = true;
    for (uint64_t i = 0; i < 4003; i++) {
        philox4x64_ctr_t counter = {{i / 4, 0, 0, 0}};
        philox4x64_ctr_t block = philox4x64(counter, key);
        same = same && gsl_rng_get(r) == block.v[i % 4];
    }
    ok(same, "stream (seed, index) is the sequence of its blocks");
    gsl_rng_free(r);

    double sum = 0, least = 1, most = 0;
    enum { N = 100000 };
    r = cf_random_stream(1, 7);
    for (int i = 0; i < N; i++) {
        double u = gsl_rng_uniform(r);
        sum += u;
        least = fmin(least, u);
        most = fmax(most, u);
    }
    /* the mean of N uniforms has the standard deviation 1/sqrt(12 N) = 0.00091 */
    ok(least >= 0 && most < 1 && fabs(sum / N - 0.5) < 0.004, "uniform numbers in [0, 1)");
    ok(gsl_rng_uniform_int(r, 6) < 6, "whole numbers below a limit");
    gsl_rng_set(r, 0);
    ok(gsl_rng_get(r) == row[0][6], "gsl_rng_set starts stream (seed, 0)");
    gsl_rng_free(r);
}

static void put(const char *path, const char *bytes, size_t len)
{
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(bytes, 1, len, f);
        fclose(f);
    }
}

static void try_read(void)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *message;
    } bad[] = {
        {"", 0, "in.txt: the file is empty"},
        {"\xEF\xBB\xBF", 3, "in.txt: the file is empty"},
        {"ab\n\xC2\xB5 \xE9t", 8, "in.txt:2:3: byte 0xE9 is not UTF-8: save the file as UTF-8"},
        {"ab\r\n\xC0\xAF", 6, "in.txt:2:1: byte 0xC0 is not UTF-8: save the file as UTF-8"},
        {"a\xED\xA0\x80", 4, "in.txt:1:2: byte 0xED is not UTF-8: save the file as UTF-8"},
        {"a\nb\0c", 5, "in.txt:2:2: a NUL byte: a text file is wanted"},
        {"\xFF\xFE"
         "a\0",
         4, "in.txt:1:1: text in UTF-16: save the file as UTF-8"},
        {"123456789012345678901", 21, "in.txt: 21 bytes: the limit is 20 bytes"},
    };
    struct cf_error err;
    char *text = NULL, sha[65];
    size_t len;

    for (size_t i = 0; i < COUNT(bad); i++) {
        err.text[0] = '\0';
        put("in.txt", bad[i].bytes, bad[i].len);
        cf_file_read("in.txt", 20, &text, &len, NULL, &err);
        is_str(err.text, bad[i].message, "refused text %zu", i);
    }
    put("in.txt",
        "\xEF\xBB\xBF"
        "a\r\nb\rc\n",
        10);
    ok(cf_file_read("in.txt", 20, &text, &len, sha, &err) == CF_OK && len == 6 &&
           strcmp(text, "a\nb\rc\n") == 0,
       "mark dropped, line ends mended");
    free(text);
    put("in.txt", "abc", 3); /* FIPS 180-2, appendix B.1 */
    ok(cf_file_read("in.txt", 3, &text, &len, sha, &err) == CF_OK, "as long as the limit");
    is_str(sha, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "SHA-256");
    free(text);

    cf_file_read("none.txt", 20, &text, &len, NULL, &err);
    is_str(err.text, "none.txt: cannot be read: No such file or directory", "a missing file");
    cf_file_read(".", 20, &text, &len, NULL, &err);
    is_str(err.text, ".: is a folder, not a file", "a folder");
    mkfifo("pipe", 0600);
    cf_file_read("pipe", 20, &text, &len, NULL, &err);
    is_str(err.text,
           "pipe: a pipe, a terminal or a device: files are read more than once: write it into a "
           "file, and name that",
           "a named pipe is not waited for");

    /* a hole of 100 MB: refused before a byte is read */
    put("big.txt", "x", 1);
    ok(truncate("big.txt", 100000000) == 0, "100 MB made");
    cf_file_read("big.txt", (size_t) 16 << 20, &text, &len, NULL, &err);
    is_str(err.text, "big.txt: 95.4 MiB: the limit is 16 MiB", "too long a file");
    unlink("big.txt");
}

/* A bad byte behind n good characters, which are looked at eight bytes at a time where they can
 * be: with and without a character of two bytes before it. */
static void try_bad_bytes(void)
{
    static const struct {
        const char *start, *message;
        size_t line;
        char byte;
    } bad[] = {
        {"", "byte 0x80 is not UTF-8: save the file as UTF-8", 1, '\x80'},
        {"\xC3\xA9", "byte 0xC3 is not UTF-8: save the file as UTF-8", 1, '\xC3'},
        {"123\n", "a NUL byte: a text file is wanted", 2, '\0'},
    };
    struct cf_error err;
    char bytes[64], want[80], *text;
    size_t wrong = 0, len;

    for (size_t i = 0; i < COUNT(bad); i++)
        for (size_t n = 0; n < 40; n++) {
            size_t start = strlen(bad[i].start), characters = n + (i == 1);

            memset(bytes, '\x01', sizeof bytes);
            memcpy(bytes, bad[i].start, start);
            bytes[start + n] = bad[i].byte;
            put("in.txt", bytes, start + n + 10);
            snprintf(want, sizeof want, "in.txt:%zu:%zu: %s", bad[i].line, characters + 1,
                     bad[i].message);
            wrong += cf_file_read("in.txt", 60, &text, &len, NULL, &err) == CF_OK ||
                     strcmp(err.text, want) != 0;
        }
    ok(wrong == 0, "bad bytes are found wherever they stand");
}

/* All texts of up to seven characters of three kinds against a rule that takes one at a time. */
static void try_line_ends(void)
{
    enum { MOST = 7 };
    size_t wrong = 0;

    for (size_t n = 1, count = 3; n <= MOST; n++, count *= 3)
        for (size_t code = 0; code < count; code++) {
            char bytes[MOST + 1] = "", want[MOST + 1] = "", *text = NULL;
            size_t used = 0, len, rest = code;

            for (size_t i = 0; i < n; i++, rest /= 3)
                bytes[i] = "x\r\n"[rest % 3];
            for (size_t i = 0; i < n; i++)
                if (bytes[i] != '\r' || bytes[i + 1] != '\n')
                    want[used++] = bytes[i];
            put("in.txt", bytes, n);
            wrong += cf_file_read("in.txt", 60, &text, &len, NULL, NULL) || len != used ||
                     strcmp(text, want) != 0;
            free(text);
        }
    ok(wrong == 0, "line ends in texts of up to %d characters", MOST);
}

/* Write text to path; the message, "" when it went well. */
static const char *write_out(const char *path, const char *text, struct cf_error *err)
{
    err->text[0] = '\0';
    struct cf_output *out = cf_output_open(NULL, path, err);
    if (out) {
        fputs(text, cf_output_stream(out));
        cf_output_commit(out, err);
    }
    return err->text;
}

static bool holds(const char *path, const char *want)
{
    char *text;
    size_t len;
    if (cf_file_read(path, 100000, &text, &len, NULL, NULL) != CF_OK)
        return false;
    bool same = strcmp(text, want) == 0;
    free(text);
    return same;
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? st.st_mode & 0777 : 0;
}

static void try_write(void)
{
    struct cf_error err;
    struct rlimit full;

    umask(027);
    is_str(write_out("out.txt", "one\n", &err), "", "a new file");
    ok(holds("out.txt", "one\n") && mode_of("out.txt") == 0640, "whole, its mode by the umask");
    chmod("out.txt", 0604);
    is_str(write_out("out.txt", "two\n", &err), "", "an existing file");
    ok(holds("out.txt", "two\n") && mode_of("out.txt") == 0604, "replaced, its mode kept");
    ok(symlink("out.txt", "link.txt") == 0, "a link");
    is_str(write_out("link.txt", "three\n", &err), "", "is written through");
    ok(holds("out.txt", "three\n") && readlink("link.txt", (char[8]){0}, 8) == 7, "and stays one");

    struct cf_output *out = cf_output_open(NULL, "out.txt", &err);
    fputs("four\n", cf_output_stream(out));
    cf_output_discard(out);
    cf_output_discard(NULL);
    ok(holds("out.txt", "three\n"), "discarded: as it was");

    is_str(write_out("no/x.txt", "x", &err), "no/x.txt: cannot be written: there is no folder no",
           "no folder");
    is_str(write_out("out.txt/x", "x", &err),
           "out.txt/x: cannot be written: out.txt is not a folder", "a file as folder");
    is_str(write_out(".", "x", &err), ".: cannot be written: it is a folder", "a folder as file");
    is_str(write_out("/dev/null", "x", &err),
           "/dev/null: cannot be written: it is not a regular file", "a device stays");

    /* a full disk, by a limit on the size of files */
    char *large = malloc(50001);
    memset(large, 'x', 50000);
    large[50000] = '\0';
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &full);
    rlim_t before = full.rlim_cur;
    full.rlim_cur = 20000;
    setrlimit(RLIMIT_FSIZE, &full);
    write_out("out.txt", large, &err);
    full.rlim_cur = before;
    setrlimit(RLIMIT_FSIZE, &full);
    is_str(err.text, "out.txt: cannot be written: File too large", "a full disk is reported");
    ok(holds("out.txt", "three\n"), "and the old file stands");
    is_str(write_out("out.txt", large, &err), "", "50 kB");
    ok(holds("out.txt", large), "arrive whole");
    free(large);

    ok(system("ls -A | grep -q contactfit") != 0, "no temporary file is left");
}

/* What a file is and which, after try_write(): out.txt, and link.txt that leads to it. */
static void try_state(void)
{
    struct cf_file_state file, link, folder;
    char own[] = "own-XXXXXX", inner[64];

    ok(cf_file_state("out.txt", &file) == 0 && file.kind == CF_FILE_REGULAR && file.size == 50000,
       "a file of 50 kB");
    ok(cf_file_state("link.txt", &link) == 0 && link.device == file.device &&
           link.inode == file.inode,
       "is the same by another name");
    ok(cf_file_state(".", &folder) == 0 && folder.kind == CF_FILE_FOLDER &&
           folder.inode != file.inode,
       "a folder is another thing");
    ok(cf_file_state("none", &file) == ENOENT && cf_file_open("none", &(int){0}) == ENOENT &&
           cf_file_rename("none", "other") == ENOENT && cf_file_remove("none") == ENOENT &&
           cf_folder_sync("none") == ENOENT && cf_file_may_write("none") == ENOENT,
       "what is not there is told");
    ok(cf_folder_make_temporary(own) == 0 && cf_folder_may_hold(own) == 0, "a folder of one's own");
    snprintf(inner, sizeof inner, "%s/inner", own);
    ok(mkdir(inner, 0700) == 0, "with another in it");
    cf_folder_remove(own);
    ok(cf_file_state(own, &folder) == ENOENT, "and both are gone");
}

/* Both ends are inside, and nothing beyond them. */
static void limits(void)
{
    struct cf_error err = {""};

    ok(!cf_limits_check("radius", "m", 1e-12, &err) && !cf_limits_check("radius", "m", 1e9, &err),
       "the ends are inside");
    ok(cf_limits_check("radius", "m", 0.999e-12, &err) == CF_ERANGE &&
           cf_limits_check("radius", "m", 1.001e9, &err) == CF_ERANGE,
       "what is beyond is not");
    is_str(err.text, "radius = 1001000000 m: must be in [1e-12, 1e+09]", "and says the range");
    ok(cf_limits_check("mass", "kg", (double) NAN, &err) == CF_ERANGE, "nor is what is none");
    ok(!cf_limits_check("stiffness", "N/m", 1e300, &err), "other units have none");
    ok(!cf_limits_check_spin(-9.9e5, 0.01, &err) && !cf_limits_check_spin(1e20, 0, &err) &&
           !cf_limits_check_spin(1e20, (double) INFINITY, &err),
       "9.9 km/s hold, and where nothing has an extent all do");
    ok(cf_limits_check_spin(-1.1e6, 0.01, &err) == CF_ERANGE, "11 km/s do not");
}

/* What is wrong in several things is told in one go, and counted where it is too much. */
static void try_gather(void)
{
    struct cf_error err = {""}, one = {""};
    int status = cf_gather(&err, CF_OK, CF_OK, &one);

    ok(status == CF_OK && !err.text[0], "nothing wrong, nothing said");
    status = cf_gather(&err, status, cf_fail(&one, CF_EINPUT, "first"), &one);
    status = cf_gather(&err, status, CF_OK, &one);
    status = cf_gather(&err, status, cf_fail(&one, CF_ERANGE, "second\nthird"), &one);
    ok(status == CF_EINPUT && strcmp(err.text, "first\nsecond\nthird") == 0,
       "a line for each thing, and the first status");
    for (size_t i = 3; i < 20; i++)
        status = cf_gather(&err, status, cf_fail(&one, CF_EINPUT, "thing %zu", i), &one);
    ok(strstr(err.text, "thing 11\nand 8 more") && !strstr(err.text, "thing 12"),
       "twelve lines, and the rest counted");
    status = cf_gather(&err, status, cf_fail(&one, CF_ENOMEM, "no memory"), &one);
    ok(status == CF_ENOMEM && strcmp(err.text, "no memory") == 0,
       "what ends the whole replaces all");
    cf_fail(&err, CF_EINPUT, "%4000d", 1);
    status = cf_gather(&err, CF_EINPUT, cf_fail(&one, CF_EINPUT, "%200d", 2), &one);
    ok(status == CF_EINPUT && strlen(err.text) == 4011 && strstr(err.text, "1\nand 1 more"),
       "no more than there is room");
    ok(cf_gather(NULL, CF_EINPUT, CF_ERANGE, NULL) == CF_EINPUT &&
           cf_gather(NULL, CF_EINPUT, CF_ENOMEM, NULL) == CF_ENOMEM,
       "and without a message");
}

TEST(core)
{
    char folder[] = "tmp/core-XXXXXX";

    plan(12 + 6 + 10 + 6 + 16 + 8 + 8 + 15 + 2 + 18 + 7 + 5 + 3);
    try_chi_square();
    try_gather();
    limits();
    try_nearest();
    try_param();
    try_text();
    try_lists();
    try_growing_text();
    try_random();
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    try_read();
    try_bad_bytes();
    try_line_ends();
    try_write();
    try_state();
    if (chdir("../..") == 0) {
        static const char *const made[] = {"in.txt", "out.txt", "link.txt", "pipe", ""};
        char path[64];
        for (size_t i = 0; i < COUNT(made); i++) {
            snprintf(path, sizeof path, "%s/%s", folder, made[i]);
            remove(path);
        }
    }
    return done();
}
