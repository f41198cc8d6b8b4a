/* Tables of 10^5 rows: every value to the last bit, messages at the far end, cells that lie one
 * behind the other in one memory, and remarks that do not grow with the table. */

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/csv.h"
#include "lib/scratch.h"
#include "study/study.h"
#include "tap.h"

enum { NROW = 100000, LINE_LIMIT = 1 << 16 };

static struct scratch scratch;

static FILE *create(const char *path)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        printf("Bail out! cannot write %s\n", path);
    return out;
}

static void finish(FILE *out)
{
    if (ferror(out) || fclose(out))
        printf("Bail out! a table cannot be written\n");
}

/* Numbers that look like chance and are the same in every run (SplitMix64). */
static uint64_t draw(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* A double with all its bits in use, of size 1e-9 to 1e9. */
static double draw_number(uint64_t *state)
{
    static const double scale[] = {1e-9, 1e-4, 1, 1e5, 1e9};
    double x = (double) (draw(state) >> 11) / 9007199254740992.0 - 0.5;
    return x * scale[draw(state) % 5];
}

/* Values of random bits, line ends of both kinds, with and without the last of them. */
static void test_values(const char *end, bool last, const char *what)
{
    struct cf_error err = {""};
    struct cf_csv *csv;
    uint64_t state = 1;
    size_t bad = 0;
    FILE *out = create(scratch.table);

    fprintf(out, "# synthetic%sx,y,name%s", end, end);
    for (size_t i = 0; i < NROW; i++) {
        double x = draw_number(&state), y = draw_number(&state);
        fprintf(out, "%.17g, %.17g,\"row %zu\"%s", x, y, i, last || i + 1 < NROW ? end : "");
    }
    finish(out);
    csv = cf_csv_read(scratch.table, &cf_csv_plain, CF_CSV_MEMORY, &err);
    state = 1;
    for (size_t i = 0; csv && i < csv->nrow; i++) {
        double want[2], got[2];
        char name[32], first[32];

        for (size_t j = 0; j < 2; j++) {
            want[j] = draw_number(&state);
            bad += cf_csv_number(csv, i, j, &got[j], NULL) || got[j] != want[j];
        }
        snprintf(name, sizeof name, "row %zu", i);
        snprintf(first, sizeof first, "%.17g", want[0]);
        bad += strcmp((csv->text + csv->cell[3 * i + 2]), name) != 0 || csv->line[i] != i + 3 ||
               csv->cell_at[3 * i] != 1 || csv->cell_at[3 * i + 1] != strlen(first) + 3;
    }
    ok(csv && csv->nrow == NROW && bad == 0, "%d rows are read to the last bit: %s%s", NROW, what,
       err.text);
    cf_csv_free(csv);
}

/* The table of good rows with one more, bad one. */
static void write_bad(const char *row)
{
    FILE *out = create(scratch.table);

    fprintf(out, "speed_m_s,e,ball\n");
    for (size_t i = 1; i < NROW; i++)
        fprintf(out, "%zu,0.8,%s\n", i % 7 + 1, i < NROW / 2 ? "golf" : "tennis");
    fprintf(out, "%s\n", row);
    finish(out);
}

static void test_messages(void)
{
    static const struct {
        const char *row, *message;
    } bad[] = {
        {"1,0.8", "3: 2 cells where the header has 3"},
        {"1,0.8,golf,x", "12: 4 cells where the header has 3"},
        {"#1,0.8", "4: 2 cells where the header has 3; lines that begin with # belong above the "
                   "header"},
        {"1,0,8,5,golf,", "7: 6 cells where the header has 3; are these decimal commas? Then the "
                          "cells need another delimiter"},
        {"\xc3\xa9,\"\xc3\xa9, \"\"\",g\"olf", "12: a quote inside a cell: put the whole cell in "
                                               "quotes and double those within"},
        {"1,0.8, \"golf", "8: a quote that is not closed on its line: a cell may not go on in the "
                          "next"},
        {"1,0.8,\"go\nlf\"", "7: a quote that is not closed on its line: a cell may not go on in "
                             "the next"},
        {"1,\xc3\xa9,go\x1blf", "7: control character 0x1b: text is wanted"},
        {"1,go\xfflf,golf", "3: e go\xc3\xbflf: a number is wanted"}, /* Windows-1252 */
        {"1, nan,golf", "4: e nan: a number is wanted; what was not measured is an empty cell"},
        {"1,\"0,8\",golf", "3: e 0,8: a decimal comma: write decimal: \",\" in the study's data "
                           "set"},
        {"1,0.8 x,golf", "3: e 0.8 x: a number is wanted"},
    };
    char want[1200];

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cf_error err = {""};
        struct cf_csv *csv;
        double value;

        write_bad(bad[i].row);
        csv = cf_csv_read(scratch.table, &cf_csv_plain, CF_CSV_MEMORY, &err);
        if (csv)
            cf_csv_number(csv, csv->nrow - 1, 1, &value, &err);
        cf_csv_free(csv);
        snprintf(want, sizeof want, "%s:%d:%s", scratch.table, NROW + 1, bad[i].message);
        is_str(err.text, want, "the message of a bad row behind %d others", NROW - 1);
    }
}

/* Cells in quotes, which are shorter when read, with everything that may stand in them. Cells of
 * earlier rows must stay as they are while later rows are read. */
static void test_quotes(void)
{
    static const char *const part[] = {"a", "\"", ",", " ", "\xc3\xa9", "\t", ";", "bc"};
    enum { NCOLUMN = 4, MOST = 6 };
    struct cf_error err = {""};
    struct cf_csv *csv;
    uint64_t state = 2;
    size_t bad = 0;
    FILE *out = create(scratch.table);

    fprintf(out, "a,b,c,d\n");
    for (size_t i = 0; i < (size_t) NROW * NCOLUMN; i++) {
        fputs("\"|", out);
        for (size_t n = draw(&state) % MOST; n; n--) {
            const char *text = part[draw(&state) % 8];
            fprintf(out, "%s%s", text, *text == '"' ? text : "");
        }
        fputs(i % NCOLUMN == NCOLUMN - 1 ? "|\"\n" : "|\" , ", out);
    }
    finish(out);
    csv = cf_csv_read(scratch.table, &cf_csv_plain, CF_CSV_MEMORY, &err);
    state = 2;
    for (size_t i = 0; csv && i < csv->nrow * NCOLUMN; i++) {
        char want[32] = "|";
        for (size_t n = draw(&state) % MOST, used = 1; n; n--)
            used +=
                (size_t) snprintf(want + used, sizeof want - used, "%s", part[draw(&state) % 8]);
        strncat(want, "|", sizeof want - strlen(want) - 1);
        bad += strcmp((csv->text + csv->cell[i]), want) != 0;
    }
    ok(csv && csv->nrow == NROW && bad == 0, "cells in quotes: %zu of %d differ; %s", bad,
       NROW * NCOLUMN, err.text);
    cf_csv_free(csv);
}

/* A line as long as it may be, and one byte longer. */
static void test_long_lines(void)
{
    static char word[LINE_LIMIT];
    char want[160];

    memset(word, 'x', sizeof word - 1);
    for (size_t more = 0; more < 2; more++) {
        struct cf_error err = {""};
        struct cf_csv *csv;
        FILE *out = create(scratch.table);

        fprintf(out, "a,b\n1,2\n%s,%s", word + 1, more ? "yz" : "y");
        finish(out);
        csv = cf_csv_read(scratch.table, &cf_csv_plain, CF_CSV_MEMORY, &err);
        snprintf(want, sizeof want,
                 "%s:3:1: a line of more than %d bytes, which is the most that is read",
                 scratch.table, LINE_LIMIT);
        ok(more ? strcmp(err.text, want) == 0 && !csv
                : csv && strcmp((csv->text + csv->cell[2]), word + 1) == 0 &&
                      strcmp((csv->text + csv->cell[3]), "y") == 0,
           "a line of %zu bytes: %s", (size_t) LINE_LIMIT + more, err.text);
        cf_csv_free(csv);
    }
}

/* Read the table as a study with one more key. */
static struct cf_study *read_study(const char *key, struct cf_error *err)
{
    FILE *out = create(scratch.file);

    fprintf(out,
            "contactfit: study/1\n"
            "bodies: {ball: {mass: 30 g}}\n"
            "law: hunt-crossley\n"
            "fit: {a: {}}\n"
            "data:\n"
            "  - name: a\n"
            "    protocol: impact\n"
            "    file: table.csv\n"
            "    %s\n"
            "    columns: {speed: speed, restitution: {from: e, sigma: 0.01}}\n",
            key);
    finish(out);
    err->text[0] = '\0';
    return cf_study_read(scratch.file, NULL, err);
}

static void test_rows(void)
{
    struct cf_error err;
    struct cf_study *study;
    char want[240];

    write_bad("1,0.8,tennis");
    study = read_study("where: {ball: squash}", &err);
    snprintf(want, sizeof want,
             "%s:9:19: where: no row whose ball is squash: there are golf, tennis", scratch.file);
    is_str(err.text, want, "texts that stand half a table apart");
    cf_study_free(study);

    study = read_study("exclude: [{row: 2, because: x}, {row: 100001, because: y}]", &err);
    ok(study && study->spec.data->use[0] == CF_ROW_EXCLUDED &&
           study->spec.data->use[1] == CF_ROW_FIT &&
           study->spec.data->use[NROW - 2] == CF_ROW_FIT &&
           strcmp(cf_dataset_because(study->spec.data, NROW - 1), "y") == 0,
       "the first and the last row are excluded %s", err.text);
    cf_study_free(study);
    study = read_study("exclude: [{row: 100002, because: x}]", &err);
    snprintf(
        want, sizeof want,
        "%s:9:21: row: no row of data set a stands in line 100002 of its file: the first is in "
        "line 2, the last in line 100001",
        scratch.file);
    is_str(err.text, want, "a row behind the last");
    cf_study_free(study);
    study = read_study("exclude: [{row: 50, because: x}, {row: 50, because: y}]", &err);
    snprintf(want, sizeof want, "%s:9:44: row: 50 is excluded already", scratch.file);
    is_str(err.text, want, "a row that is excluded twice");
    cf_study_free(study);
}

/* Rows that are told of: the first five one by one, the others by their number. */
static void test_remarks(size_t n, size_t want, const char *last)
{
    struct cf_error err;
    struct cf_study *study;
    char text[200] = "";
    FILE *out = create(scratch.table);

    fprintf(out, "speed_m_s,e\n1,0.8\n");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%zu,1.005\n", i % 5 + 1);
    fprintf(out, "2,0.8\n");
    finish(out);
    study = read_study("", &err);
    ok(study && study->nnote == want, "remarks on %zu rows: %zu %s", n, study ? study->nnote : 0,
       err.text);
    snprintf(text, sizeof text, "%s%s", scratch.table, last);
    is_str(study && study->nnote ? study->note[study->nnote - 1] : "", text, "the last of them");
    cf_study_free(study);
}

TEST(long_table)
{
    scratch_open(&scratch, "study.yaml");
    plan(31);
    test_values("\n", true, "");
    test_values("\n", false, "without the last newline");
    test_values("\r\n", true, "Windows line ends");
    test_values("\r\n", false, "Windows line ends, without the last");
    test_messages();
    test_quotes();
    test_long_lines();
    test_rows();
    test_remarks(1, 1, ":3: restitution 1.005 is above 1 but within 3 sigma (0.01): accepted");
    test_remarks(5, 5, ":7: restitution 1.005 is above 1 but within 3 sigma (0.01): accepted");
    test_remarks(6, 6, ": and 1 more row like these, the last in line 8");
    test_remarks(NROW, 6, ": and 99995 more rows like these, the last in line 100002");
    scratch_close(&scratch);
    return done();
}
