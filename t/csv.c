/* Tables: what is read, the place of each cell, and that no cell depends on how the input is
 * split. */

#define _POSIX_C_SOURCE 200809L

#include "study/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/guess.h"
#include "tap.h"

static char path[] = "/tmp/contactfit-csv-XXXXXX";

static void spew(const char *text, size_t n)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(text, 1, n, out) != n || fclose(out))
        printf("Bail out! cannot write %s\n", path);
}

static struct cf_csv *read_text(const char *text, char delimiter, char decimal)
{
    struct cf_error err = {""};
    struct cf_csv *csv;

    spew(text, strlen(text));
    csv = cf_csv_read(path, delimiter, decimal, &err);
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
    double value = 0;
    char delimiter, decimal;

    ok(csv && cf_csv_number(csv, 0, 0, &value, NULL) == CF_OK && value == 1.5,
       "decimal commas, a byte order mark and Windows line ends");
    ok(csv && cf_csv_column(csv, "v") == 0, "the mark is no part of the first name");
    cf_csv_free(csv);
    ok(cf_guess_marks(path, &delimiter, &decimal, NULL) == CF_OK && delimiter == ';' &&
           decimal == ',',
       "both are guessed");
    csv = read_text("# a; comment, 1,5\nv\te\n1.5\t0.8\n", '\t', '.');
    ok(csv && csv->ncolumn == 2, "tabs");
    cf_csv_free(csv);
    ok(cf_guess_marks(path, &delimiter, &decimal, NULL) == CF_OK && delimiter == '\t' &&
           decimal == '.',
       "tabs are guessed, and comments not looked at");
}

/* The same table however long its cells are: libcsv's buffer grows on the way. */
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
        csv = cf_csv_read(path, ',', '.', &err);
        bad += csv ? csv->nrow == 0 || csv->ncolumn == 0 : !*err.text;
        cf_csv_free(csv);
    }
    ok(bad == 0, "tables cut off anywhere");
}

int main(void)
{
    int file = mkstemp(path);

    if (file < 0)
        return 1;
    close(file);
    plan(31);
    test_table();
    test_ambiguous();
    test_marks();
    test_sizes();
    test_cut();
    unlink(path);
    return done();
}
