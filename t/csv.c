/* Tables: what is read, the place of each cell, and that no cell depends on how the input is
 * split. */

#define _POSIX_C_SOURCE 200809L

#include "file/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/layout.h"
#include "study/guess.h"
#include "study/survey.h"
#include "tap.h"

static char path[] = "/tmp/contactfit-csv-XXXXXX";

static void spew(const char *text, size_t n)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(text, 1, n, out) != n || fclose(out))
        printf("Bail out! cannot write %s\n", path);
}

static int guess_form(struct cf_csv_form *form)
{
    static const struct cf_csv_form nothing;
    static struct cf_layout layout;
    int status = cf_layout_guess(path, &nothing, 0, &layout, NULL);

    *form = layout.form;
    cf_layout_clear(&layout);
    return status;
}

static struct cf_csv *read_text(const char *text, char delimiter, char decimal)
{
    struct cf_csv_form form = cf_csv_plain;
    struct cf_error err = {""};
    struct cf_csv *csv;

    spew(text, strlen(text));
    form.delimiter = delimiter;
    form.decimal = decimal;
    csv = cf_csv_read(path, &form, CF_CSV_MEMORY, &err);
    if (!csv)
        printf("# %s\n", err.text);
    return csv;
}

static void test_table(void)
{
    struct cf_csv *csv =
        read_text("# source: a \"quoted\" word, and commas\n"
                  "#\n"
                  "speed_m_s, e [-],contact time [ms] ,\"the \"\"ball\"\"\",h0_cm\n"
                  "\n"
                  "0.5,0.857, 1.2,\"golf, white\",1.27\n"
                  ",,,,\n"
                  "  2.0 ,,1e-3,\xc3\xa9t\xc3\xa9 ,20.4",
                  ',', '.');
    double value = 0;

    if (!ok(csv != NULL, "a table is read"))
        return;
    ok(csv->nprovenance == 2, "two lines of provenance");
    is_str(csv->provenance[0], "source: a \"quoted\" word, and commas", "the first");
    is_str(csv->provenance[1], "", "the second");
    ok(csv->ncolumn == 5 && csv->nrow == 2, "5 columns, 2 rows: empty ones are none");
    ok(csv->header_line == 3 && csv->line[0] == 5 && csv->line[1] == 7, "lines of the file");
    is_str(csv->header[0], "speed", "a unit at the end of a name is cut off");
    is_str(csv->unit[0], "m/s", "and read");
    is_str(csv->header[1], "e", "a unit in brackets");
    is_str(csv->unit[1], "1", "a dash is a pure number");
    is_str(csv->header[2], "contact time", "a name of two words");
    is_str(csv->unit[2], "ms", "its unit");
    is_str(csv->full[3], "the \"ball\"", "quotes within quotes");
    ok(csv->unit[3] == NULL, "a name without a unit");
    is_str((csv->text + csv->cell[3]), "golf, white", "a delimiter within quotes");
    is_str((csv->text + csv->cell[5]), "2.0", "blanks around a cell are cut off");
    is_str((csv->text + csv->cell[8]), "\xc3\xa9t\xc3\xa9", "UTF-8");
    ok(csv->cell_at[3] == 16 && csv->cell_at[5] == 3 && csv->cell_at[7] == 9 &&
           csv->cell_at[9] == 19,
       "where cells begin, in characters and not in bytes: %u %u %u %u", csv->cell_at[3],
       csv->cell_at[5], csv->cell_at[7], csv->cell_at[9]);
    ok(csv->full_at[1] == 12 && csv->full_at[3] == 37, "where names begin: %zu %zu",
       csv->full_at[1], csv->full_at[3]);
    ok(cf_csv_column(csv, "speed") == 0 && cf_csv_column(csv, "speed_m_s") == 0 &&
           cf_csv_column(csv, "h0") == 4 && cf_csv_column(csv, "speed_m") == 5,
       "columns by their names with and without units");
    ok(cf_csv_number(csv, 1, 2, &value, NULL) == CF_OK && value == 1e-3, "a number");
    cf_csv_free(csv);
}

static void test_ambiguous(void)
{
    struct cf_csv *csv = read_text("v_m_s,v_km_h,v\n1,3.6,1\n", ',', '.');
    char list[16];

    ok(csv && cf_csv_column(csv, "v") == 2, "a whole name goes before a shortened one");
    if (csv) {
        cf_csv_headers(csv, list, sizeof list);
        is_str(list, "v_m_s, ...", "a list that does not fit says so");
    }
    cf_csv_free(csv);
    csv = read_text("v_m_s,v_km_h\n1,3.6\n", ',', '.');
    ok(csv && cf_csv_column(csv, "v") == 2, "a shortened name of two columns is neither's");
    cf_csv_free(csv);
}

static void test_marks(void)
{
    struct cf_csv *csv = read_text("\xef\xbb\xbfv;e\r\n1,5;0,8\r\n", ';', ',');
    struct cf_csv_form form;
    double value = 0;

    ok(csv && cf_csv_number(csv, 0, 0, &value, NULL) == CF_OK && value == 1.5,
       "decimal commas, a byte order mark and Windows line ends");
    ok(csv && cf_csv_column(csv, "v") == 0, "the mark is no part of the first name");
    cf_csv_free(csv);
    ok(guess_form(&form) == CF_OK && form.delimiter == ';' && form.decimal == ',',
       "both are guessed");
    csv = read_text("# a; comment, 1,5\nv\te\n1.5\t0.8\n", '\t', '.');
    ok(csv && csv->ncolumn == 2, "tabs");
    cf_csv_free(csv);
    ok(guess_form(&form) == CF_OK && form.delimiter == '\t' && form.decimal == '.',
       "tabs are guessed, and comments not looked at");
}

/* Titles, names in any line, units below them. */
static void test_head(void)
{
    static const char text[] = "Drops of 3 May\n\n# of\nspeed_m_s;e;tc [ms];F_N;ball\n"
                               "mm/s;[-]; ms ;(mN);\n1;0.8;2;3;golf\n";
    struct cf_csv_form form = {';', '.', 4, true};
    struct cf_csv *csv;
    double value = 0;

    spew(text, strlen(text));
    csv = cf_csv_read(path, &form, CF_CSV_MEMORY, NULL);
    if (!ok(csv != NULL, "a table below a title"))
        return;
    ok(csv->header_line == 4 && csv->unit_line == 5 && csv->nrow == 1 && csv->line[0] == 6,
       "lines of names, units and rows are those of the file");
    ok(csv->nprovenance == 2 && strcmp(csv->provenance[0], "Drops of 3 May") == 0 &&
           strcmp(csv->provenance[1], "of") == 0,
       "a title is provenance");
    is_str(csv->unit[0], "mm/s", "a row of units stands for brackets:");
    is_str(csv->header[0], "speed_m_s", "the name is as it is written");
    is_str(csv->unit[1], "1", "a dash in brackets");
    is_str(csv->unit[2], "ms", "what stands in both is the same");
    is_str(csv->header[2], "tc", "and the name without it");
    is_str(csv->unit[3], "mN", "in parentheses");
    ok(csv->unit[4] == NULL, "an empty cell is no unit");
    ok(csv->unit_at[0] == 1 && csv->unit_at[3] == 15 && csv->unit_at[2] == 0 &&
           csv->unit_at[4] == 0,
       "where units stand: %zu %zu", csv->unit_at[0], csv->unit_at[3]);
    ok(cf_csv_number(csv, 0, 3, &value, NULL) == CF_OK && value == 3, "a number below it");
    cf_csv_free(csv);
    spew("# a\n# v,e\n1,2\n", 14);
    form = (struct cf_csv_form){',', '.', 2, false};
    csv = cf_csv_read(path, &form, CF_CSV_MEMORY, NULL);
    ok(csv && csv->ncolumn == 2 && strcmp(csv->full[0], "v") == 0 && csv->full_at[0] == 3 &&
           csv->nprovenance == 1,
       "names in a comment");
    cf_csv_free(csv);
}

/* How tables are written, and what is seen of it. */
static void test_form(void)
{
    static const struct {
        const char *text;
        struct cf_csv_form form;
    } row[] = {
        {"v,e\n1,2\n", {',', '.', 0, false}},
        {"v,e\n", {',', '.', 0, false}},
        {"v\n1\n", {',', '.', 0, false}},
        {"v\n", {',', '.', 0, false}},
        {"# only\n", {',', '.', 0, false}},
        {"1,2\n3,4\n", {',', '.', 0, false}},
        {"# of\n1,2\n3,4\n", {',', '.', 0, false}},
        {"# v,e\n1,2\n3,4\n", {',', '.', 1, false}},
        {"# v,e\n# made up, really so\n1,2\n3,4\n", {',', '.', 2, false}},
        {"v;e\n1,5;2\n", {';', ',', 0, false}},
        {"v;e\n1;2\n1,5;2\n", {';', ',', 0, false}},
        {"v;e\n1.5;2\n", {';', '.', 0, false}},
        {"v\te\n1,5\t2\n", {'\t', ',', 0, false}},
        {"a title\nv,e\n1,2\n", {',', '.', 2, false}},
        {"a title, with a comma\nv,e\n1,2\n", {',', '.', 2, false}},
        {"a title; with a mark\nv,e\n1,2\n", {',', '.', 2, false}},
        {"a title,,\n,,\n\nv,e,t\n1,2,3\n", {',', '.', 4, false}},
        {"of,2024\nv,e\n1,2\n", {',', '.', 2, false}},
        {"v,e\nm/s,-\n1,2\n", {',', '.', 0, true}},
        {"v,e\nm/s,1\n1,2\n", {',', '.', 0, true}},
        {"v,e\n[m/s],\n1,2\n", {',', '.', 0, true}},
        {"\"v\",\"e\"\n\"m/s\",\"-\"\n1,2\n", {',', '.', 0, true}},
        {"a title\n\nv,e,date\nm/s,%,day\n1,2,3\n", {',', '.', 3, true}},
        {"v,e\nm/s,-\n", {',', '.', 0, false}},           /* no row shows that it is of units */
        {"ball,v\nm,1\ns,2\n", {',', '.', 0, false}},     /* a word that could be a unit */
        {"ball,of\nm,golf\n1,2\n", {',', '.', 2, false}}, /* one unit of two words is none */
        {"v,e\nfast,good\n1,2\n", {',', '.', 2, false}},
    };
    struct cf_csv_form form;

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const struct cf_csv_form *want = &row[i].form;
        spew(row[i].text, strlen(row[i].text));
        int status = guess_form(&form);
        ok(!status && form.delimiter == want->delimiter && form.decimal == want->decimal &&
               form.header_line == want->header_line && form.unit_row == want->unit_row,
           "form %zu: '%c' '%c' %zu %d", i, form.delimiter, form.decimal, form.header_line,
           form.unit_row);
    }
}

/* A clock ticks; flights of a ball, counted or not, do not. */
static void test_ticks(void)
{
    static const struct {
        const char *what, *text;
        bool ticks;
    } row[] = {
        {"even steps", "t\n0\n1\n2\n3\n4\n5\n", true},
        {"too few of them", "t\n0\n1\n2\n3\n4\n", false},
        {"rounded ones", "t\n0.033\n0.067\n0.100\n0.133\n0.167\n0.200\n", true},
        {"several times over", "t\n0\n1\n2\n3\n0\n1\n2\n3\n0\n1\n2\n3\n", true},
        {"at two rates", "t\n0\n1\n2\n3\n3.1\n3.2\n3.3\n3.4\n3.5\n3.6\n3.7\n3.8\n3.9\n", true},
        {"flights of e = 0.97", "t\n0\n1\n1.97\n2.911\n3.824\n4.709\n5.568\n", false},
        {"one value", "t\n7\n7\n7\n7\n7\n7\n7\n", false},
        {"words", "t\na\nb\n", false},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct cf_survey survey;
        spew(row[i].text, strlen(row[i].text));
        ok(cf_survey_read(&survey, path, &cf_csv_plain, 0, NULL) == CF_OK &&
               cf_survey_ticks(&survey.column[0]) == row[i].ticks,
           "%s", row[i].what);
        cf_survey_clear(&survey);
    }
}

/* The same table however long its cells are. */
static void test_sizes(void)
{
    enum { LONGEST = 4000 };
    static char text[3 * LONGEST], word[LONGEST + 1];
    size_t bad = 0;

    for (size_t n = 1; n <= LONGEST; n = n * 3 / 2 + 1) {
        struct cf_csv *csv;

        memset(word, 'x', n);
        word[n] = '\0';
        snprintf(text, sizeof text, "a,b\n%s,\"%s\"\n", word, word);
        csv = read_text(text, ',', '.');
        bad += !csv || strcmp((csv->text + csv->cell[0]), word) != 0 ||
               strcmp((csv->text + csv->cell[1]), word) != 0 || csv->cell_at[1] != n + 2;
        cf_csv_free(csv);
    }
    ok(bad == 0, "cells of 1 to %d characters", LONGEST);
}

/* Every start of a table is read or refused with a message; none is half read. */
static void test_cut(void)
{
    static const char text[] = "# head\nv_m_s,e,\"a b\"\n1,0.8,\"x, y\"\n2,0.7,z\n";
    size_t bad = 0;

    for (size_t n = 0; n < sizeof text; n++) {
        struct cf_error err = {""};
        struct cf_csv *csv;

        spew(text, n);
        csv = cf_csv_read(path, &cf_csv_plain, CF_CSV_MEMORY, &err);
        bad += csv ? csv->nrow == 0 || csv->ncolumn == 0 : !*err.text;
        cf_csv_free(csv);
    }
    ok(bad == 0, "tables cut off anywhere");
}

struct told {
    const struct cf_csv *kept;
    size_t bad, stop_at;
};

/* Is the row that goes by the one that is kept? */
static int compare(void *owner, const struct cf_csv *head, size_t row, char *const cell[],
                   struct cf_error *err)
{
    struct told *told = owner;
    char room[CF_CSV_ROOM];

    if (row == told->stop_at)
        return cf_fail(err, CF_EINPUT, "row %zu ends it", row);
    told->bad += head->nrow != row + 1 || head->ncolumn != told->kept->ncolumn;
    for (size_t i = 0; i < head->ncolumn; i++)
        told->bad += strcmp(cell[i], cf_csv_cell(told->kept, row, i, room)) != 0;
    return CF_OK;
}

static void test_stream(void)
{
    struct cf_error err = {""};
    struct cf_csv *csv =
        read_text("# of\nv_m_s,name,e\n1,\"a, b\",0.5\n\n2, c ,\n,,0.7\n", ',', '.');
    struct told told = {.kept = csv, .stop_at = 9};
    struct cf_csv *head = cf_csv_stream(path, &cf_csv_plain, compare, &told, &err);

    ok(csv && head && told.bad == 0 && head->nrow == 3 && csv->nrow == 3,
       "rows that go by are those that would be kept %s", err.text);
    ok(head && !head->text && !head->cell && strcmp(head->header[0], "v") == 0 &&
           strcmp(head->unit[0], "m/s") == 0 && head->nprovenance == 1,
       "the head is the same, and holds none");
    is_str(head ? head->sha256 : "", csv ? csv->sha256 : "none", "the hash is that of the file");
    cf_csv_free(head);
    told.stop_at = 1;
    ok(!cf_csv_stream(path, &cf_csv_plain, compare, &told, &err), "a row may end the reading");
    is_str(err.text, "row 1 ends it", "by its own words");
    cf_csv_free(csv);
}

/* The memory that is allowed: 2 cells of "1", their NULs, 8 bytes a cell and 8 a row are 28. */
static void test_memory(void)
{
    struct cf_error err = {""};
    char want[200];

    static const char table[] = "a,b\n1,1\n1,1\n1,1\n";

    spew(table, strlen(table));
    struct cf_csv *csv = cf_csv_read(path, &cf_csv_plain, 84, &err);
    ok(csv && csv->nrow == 3, "three rows in 84 bytes %s", err.text);
    cf_csv_free(csv);
    snprintf(want, sizeof want,
             "%s:4:1: the table takes more than %g MiB of memory up to here: split the file, or "
             "take out columns that the study does not read",
             path, 83 / 1048576.0);
    ok(!cf_csv_read(path, &cf_csv_plain, 83, &err), "and not in 83");
    is_str(err.text, want, "which is said");
    ok(!cf_csv_read(path, &cf_csv_plain, 0, &err) && strstr(err.text, ":2:1: the table takes more"),
       "no row in none");
}

static void test_survey(void)
{
    const struct cf_csv_form german = {.delimiter = ';', .decimal = ','},
                             semicolons = {.delimiter = ';', .decimal = '.'};
    struct cf_error err = {""};
    struct cf_survey survey;

    static const char table[] = "n;kind;mixed;many;none\n"
                                "-2,5;a;x;1a;\n7;b;1;2a;\n;a;x;3a;\n4;c;y;4a;\n4;c;y;5a;\n"
                                "4;c;y;6a;\n4;c;y;7a;\n4;c;y;8a;\n4;c;y;9a;\n";

    spew(table, strlen(table));
    int status = cf_survey_read(&survey, path, &german, 0, &err);
    const struct cf_seen_column *c = survey.column;
    if (!ok(!status && survey.ncolumn == 5 && survey.head->nrow == 9, "a survey %s", err.text))
        return;
    ok(c[0].nnumber == 8 && c[0].low == -2.5 && c[0].high == 7 && !c[0].sorts,
       "numbers: %zu, %g to %g", c[0].nnumber, c[0].low, c[0].high);
    ok(c[1].sorts && c[1].nkind == 3 && !strcmp(c[1].kind[0], "a") && !strcmp(c[1].kind[1], "b") &&
           !strcmp(c[1].kind[2], "c") && c[1].nnumber == 0,
       "kinds in the order in which they come");
    ok(!c[2].sorts && c[2].nnumber == 1, "a number among texts: no kinds");
    ok(!c[3].sorts && c[3].nkind == CF_MOST_KINDS, "nine texts are too many");
    ok(c[4].sorts && c[4].nkind == 1 && !*c[4].kind[0], "empty cells are of one kind");
    cf_survey_clear(&survey);
    spew("x\n-3\n-2\n-7\n", 11);
    ok(!cf_survey_read(&survey, path, &cf_csv_plain, 0, &err) && survey.column[0].low == -7 &&
           survey.column[0].high == -2,
       "numbers below 0 alone");
    cf_survey_clear(&survey);
    ok(cf_survey_read(&survey, path, &semicolons, 0, &err) == CF_OK, "one column by any delimiter");
    cf_survey_clear(&survey);
    spew("a,b\n1\n", 6);
    ok(cf_survey_read(&survey, path, &cf_csv_plain, 0, &err) == CF_EINPUT && *err.text,
       "what is no table: %s", err.text);
    cf_survey_clear(&survey);
    cf_survey_clear(&survey);
}

TEST(csv)
{
    int file = mkstemp(path);

    if (file < 0)
        return 1;
    close(file);
    plan(97);
    test_table();
    test_ambiguous();
    test_marks();
    test_head();
    test_form();
    test_ticks();
    test_sizes();
    test_cut();
    test_stream();
    test_memory();
    test_survey();
    unlink(path);
    return done();
}
