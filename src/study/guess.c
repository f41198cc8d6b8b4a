/* Names of columns are compared without case, without unit and with blanks as underscores:
 * "Contact time (ms)", "contact_time_ms" and "contact_time [ms]" are one. */

#define _POSIX_C_SOURCE 200809L

#include "study/guess.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lines.h"
#include "core/units.h"
#include "study/csv_line.h"

enum { NAME_SIZE = 64 };

/* A copy of the next line that is no comment and not empty; NULL, with CF_OK, at the end. */
static int next_line(struct cf_lines *lines, char **copy, struct cf_error *err)
{
    struct cf_line line;
    int status;

    *copy = NULL;
    do
        status = cf_lines_next(lines, &line, err);
    while (!status && line.text && (line.n == 0 || line.text[0] == '#'));
    if (status || !line.text)
        return status;
    *copy = strndup(line.text, line.n);
    return *copy ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a line");
}

static size_t count(const char *line, char c)
{
    size_t n = 0;
    bool quoted = false;

    for (; *line; line++) {
        quoted ^= *line == '"';
        n += !quoted && *line == c;
    }
    return n;
}

/* A digit, a comma, a digit. */
static bool has_decimal_comma(const char *line)
{
    for (const char *c = strchr(line, ','); c; c = strchr(c + 1, ','))
        if (c > line && isdigit((unsigned char) c[-1]) && isdigit((unsigned char) c[1]))
            return true;
    return false;
}

int cf_guess_marks(const char *path, char *delimiter, char *decimal, struct cf_error *err)
{
    struct cf_lines *lines = cf_lines_open(path, CF_CSV_LONGEST_LINE, err);
    char *header = NULL, *row = NULL;
    int status = lines ? next_line(lines, &header, err) : CF_EINPUT;

    if (!status && header)
        status = next_line(lines, &row, err);
    if (!status) {
        *delimiter = header && count(header, ';')    ? ';'
                     : header && count(header, '\t') ? '\t'
                                                     : ',';
        *decimal = *delimiter != ',' && row && has_decimal_comma(row) ? ',' : '.';
    }
    free(header);
    free(row);
    cf_lines_close(lines);
    return status;
}

/* The plain name of a column, and the unit in parentheses. */
static void plain(const char *header, char name[NAME_SIZE], char unit[32])
{
    const char *open = strchr(header, '('), *close = open ? strchr(open, ')') : NULL;
    size_t n = 0;

    unit[0] = '\0';
    if (open > header && close && !close[1])
        snprintf(unit, 32, "%.*s", (int) (close - open - 1), open + 1);
    else
        open = NULL;
    for (; *header && header != open && n < NAME_SIZE - 1; header++)
        name[n++] =
            *header == ' ' || *header == '-' ? '_' : (char) tolower((unsigned char) *header);
    while (n && name[n - 1] == '_')
        n--;
    name[n] = '\0';
}

static bool is_called(const struct cf_channel_row *column, const char *name, size_t pass)
{
    if (pass == 0)
        return strcmp(column->name, name) == 0;
    for (const char *const *guess = column->guesses; guess && *guess; guess++)
        if (strcmp(*guess, name) == 0)
            return true;
    return false;
}

static bool has_dimension(const char *unit, const char *want)
{
    struct cf_unit a, b;
    return cf_unit_parse(unit, &a, NULL) == CF_OK && cf_unit_parse(want, &b, NULL) == CF_OK &&
           cf_unit_same_dimension(&a, &b);
}

static bool is_taken(const struct cf_guess *guess, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++)
        if (guess->column[i] == column)
            return true;
    return false;
}

/* The names by which a column of sigmas goes beside a column `of`. */
static bool is_sigma(const char *name, const char *of)
{
    static const char *const forms[] = {"sigma_%s", "%s_sigma", "%s_err", "%s_error",
                                        "%s_std",   "%s_sd",    "%s_unc", "u_%s"};
    size_t n = strlen(of);

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *mark = strstr(forms[i], "%s");
        size_t before = (size_t) (mark - forms[i]);
        if (strncmp(name, forms[i], before) == 0 && strncmp(name + before, of, n) == 0 &&
            strcmp(name + before + n, mark + 2) == 0)
            return true;
    }
    return false;
}

static void guess_sigma(const struct cf_csv *csv, const char *of, size_t *sigma)
{
    char name[NAME_SIZE], unit[32];

    for (size_t j = 0; j < csv->ncolumn; j++) {
        plain(csv->header[j], name, unit);
        if (is_sigma(name, of))
            *sigma = j;
    }
}

/* "velocity" of "velocity_mean" or "mean_velocity": was there such a word? The sd beside a mean is
 * that of what was averaged, and no sigma of the mean. */
static bool strip_mean(char name[NAME_SIZE])
{
    static const char before[] = "mean_", behind[] = "_mean";
    size_t n = strlen(name), m = sizeof before - 1;

    if (n <= m)
        return false;
    if (strcmp(name + n - m, behind) == 0) {
        name[n - m] = '\0';
        return true;
    }
    if (strncmp(name, before, m) != 0)
        return false;
    memmove(name, name + m, n - m + 1);
    return true;
}

void cf_guess_columns(const struct cf_csv *csv, const struct cf_protocol *protocol,
                      struct cf_guess *guess)
{
    size_t n = protocol->nchannel;

    for (size_t i = 0; i < n; i++) {
        guess->column[i] = guess->sigma[i] = csv->ncolumn;
        guess->unit[i][0] = '\0';
        guess->assumed[i] = false;
    }
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < cf_protocol_read(protocol); i++)
            for (size_t j = 0; j < csv->ncolumn && guess->column[i] == csv->ncolumn; j++) {
                const struct cf_channel_row *c = &protocol->channel[i];
                char name[NAME_SIZE], unit[32];
                bool mean;

                plain(csv->header[j], name, unit);
                mean = strip_mean(name);
                if (is_taken(guess, n, j) || !is_called(c, name, pass) ||
                    (csv->unit[j] && !has_dimension(csv->unit[j], c->unit)) ||
                    (*unit && !has_dimension(unit, c->unit)))
                    continue;
                guess->column[i] = j;
                guess->assumed[i] = !csv->unit[j] && !*unit && strcmp(c->unit, "1") != 0;
                snprintf(guess->unit[i], sizeof guess->unit[i], "%s",
                         guess->assumed[i] ? c->unit : unit);
                if (!mean)
                    guess_sigma(csv, name, &guess->sigma[i]);
            }
}
