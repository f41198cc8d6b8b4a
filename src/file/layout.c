/* Tables are found by their rows. Lines with numbers that follow each other, of as many cells, with
 * numbers in the same columns, are the rows of a table; a line of words ends it, an empty one does
 * not. The names are the nearest line of as many words above. What is cut otherwise has fewer rows,
 * or fewer numbers in them, so that the same search finds delimiter and decimal mark.
 */

#define _POSIX_C_SOURCE 200809L

#include "file/layout.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/lines.h"
#include "core/number.h"
#include "core/text.h"
#include "core/units.h"
#include "file/parts.h"

/* Lines that are looked at to guess how the file is written; lines of words above a table among
 * which its names may be. */
enum { SAMPLE = 400, ABOVE = 8 };

/* Fewer rows without names are no table. */
enum { LEAST_NAMELESS = 3 };

/* A way to cut lines finds a table by its rows, and as well as numbers fill them; less well one
 * without names or of one column, and one whose numbers have marks between their thousands: these
 * may be decimal marks. */
static const double of_nameless = 0.7, of_narrow = 0.75, of_grouped = 0.1;

/* ---- cells */

enum kind {
    CELL_EMPTY,
    CELL_MISSING, /* a mark that says that there is no number */
    CELL_TEXT,
    CELL_ONE, /* 1, which a row of units has, too */
    CELL_NUMBER,
    CELL_GROUPED, /* a number with its thousands apart */
};

static const char *const marks[] = {
    "n/a",  "na",  "nan",  "#n/a", "-",    "--",   "---",  "*", "**",      "***", ".",
    "null", "nil", "none", "inf",  "+inf", "-inf", "-nan", "?", "#div/0!", "oor", "#value!"};

static bool is_mark(const char *cell)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strcasecmp(cell, marks[i]) == 0)
            return true;
    return false;
}

static char other_mark(char decimal)
{
    return decimal == '.' ? ',' : '.';
}

static enum kind kind_of(const char *cell, char decimal)
{
    char room[CF_CSV_ROOM];
    size_t n = cf_number_scan(cell, decimal);

    if (!*cell)
        return CELL_EMPTY;
    if (n && !cell[n])
        return strcmp(cell, "1") == 0 ? CELL_ONE : CELL_NUMBER;
    if (cf_csv_ungrouped(cell, other_mark(decimal), decimal, room))
        return CELL_GROUPED;
    return is_mark(cell) ? CELL_MISSING : CELL_TEXT;
}

static bool is_number(enum kind kind)
{
    return kind >= CELL_ONE;
}

/* Are units in most cells with text? */
static bool has_units(const struct cf_csv_line *line)
{
    size_t words, units = cf_csv_head_count_units(line, &words);
    return 2 * units > words;
}

/* ---- a search over lines */

struct words { /* a line of them */
    size_t number;
    char *text;
    size_t n, size;
};

struct run { /* rows that follow each other */
    bool open;
    size_t first, last, nrow, ncell, ncut, numbers, texts, grouped, marked;
    bool gap;               /* an empty line since the last row */
    unsigned char *numeric; /* [ncell]: a row had a number there */
    size_t room;
    size_t nabove; /* the lines of words above, when it began: those that the search held then */
    struct words above[ABOVE];
};

struct search {
    const char *path;
    char delimiter, decimal;
    struct cf_csv_line line;
    char *copy; /* of the line, to be cut */
    enum kind *kind;
    size_t nkind, ncut; /* cells of the line with those that are empty at its end */
    struct words held[ABOVE];
    size_t nheld;
    struct run run;
    size_t last_text; /* number of the last line that is neither row nor empty */
    size_t first; /* where names are looked for that nothing is stated of: the first line that is
                   * neither empty nor begins with # */
    struct cf_layout *found;
    double score;    /* of the best table */
    size_t strictly; /* tables with more numbers than words */
    bool is_strict[CF_MOST_BLOCKS];
    bool grouped, marked;
};

static int no_memory(const struct search *s, struct cf_error *err)
{
    return cf_fail(err, CF_ENOMEM, "%s: no memory for its layout", s->path);
}

static void free_words(struct words words[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(words[i].text);
}

static void clear_search(struct search *s)
{
    free_words(s->held, s->nheld);
    free_words(s->run.above, s->run.nabove);
    free(s->run.numeric);
    free(s->copy);
    free(s->kind);
    cf_csv_line_free(&s->line);
}

/* Cut a line; without its empty cells at the end. One whose quotes are wrong has one cell. */
static int cut(struct search *s, const char *text, size_t n, size_t number, struct cf_error *err)
{
    int status;

    memcpy(s->copy, text, n);
    s->copy[n] = '\n';
    status = cf_csv_line_split(&(struct cf_csv_cut){s->path, number, s->copy, n, s->delimiter},
                               s->copy, &s->line, NULL);
    if (status == CF_ENOMEM)
        return no_memory(s, err);
    if (status)
        s->line.n = s->line.n ? 1 : 0;
    s->ncut = s->line.n;
    while (s->line.n && !*s->line.cell[s->line.n - 1])
        s->line.n--;
    if (s->line.n > s->nkind) {
        enum kind *more = realloc(s->kind, s->line.n * sizeof *more);
        if (!more)
            return no_memory(s, err);
        s->kind = more;
        s->nkind = s->line.n;
    }
    for (size_t i = 0; i < s->line.n; i++)
        s->kind[i] = kind_of(s->line.cell[i], s->decimal);
    return CF_OK;
}

struct count {
    size_t numbers, ones, texts, marked, grouped;
};

static struct count count_kinds(const struct search *s)
{
    struct count count = {0};

    for (size_t i = 0; i < s->line.n; i++) {
        count.numbers += is_number(s->kind[i]);
        count.ones += s->kind[i] == CELL_ONE;
        count.texts += s->kind[i] == CELL_TEXT;
        count.marked += s->kind[i] == CELL_MISSING;
        count.grouped += s->kind[i] == CELL_GROUPED;
    }
    return count;
}

/* Hold a line of words, and no more than the nearest ones. */
static int hold(struct search *s, const char *text, size_t size, size_t number,
                struct cf_error *err)
{
    if (s->nheld == ABOVE) {
        free(s->held[0].text);
        memmove(s->held, s->held + 1, (ABOVE - 1) * sizeof *s->held);
        s->nheld--;
    }
    s->held[s->nheld].text = strndup(text, size);
    if (!s->held[s->nheld].text)
        return no_memory(s, err);
    s->held[s->nheld].number = number;
    s->held[s->nheld].size = size;
    s->held[s->nheld].n = s->line.n;
    s->nheld++;
    return CF_OK;
}

/* ---- the names of a run */

/* Cut a line of words that is held; a comment without its mark. */
static int cut_words(struct search *s, const struct words *words, struct cf_error *err)
{
    const char *text = words->text;
    bool mark = *text == '#' || (*text == '%' && text[1] == ' ');

    return cut(s, text + mark, words->size - mark, words->number, err);
}

/* Are the cells names of that many columns, of which the last may have no cells in the rows? */
static bool are_names(const struct search *s, size_t ncell, bool comment)
{
    size_t texts = 0;

    if ((s->line.n != ncell && !(ncell > 1 && s->line.n == ncell + 1)) || (comment && ncell == 1))
        return false;
    for (size_t i = 0; i < s->line.n; i++)
        texts += s->kind[i] == CELL_TEXT || s->kind[i] == CELL_MISSING;
    return texts && 2 * texts >= s->line.n && count_kinds(s).numbers == 0;
}

static bool is_unit(const char *cell)
{
    struct cf_unit unit;
    return cf_unit_parse(cell, &unit, NULL) == CF_OK;
}

static bool has_twins(const struct search *s)
{
    for (size_t i = 0; i < s->line.n; i++)
        for (size_t j = 0; *s->line.cell[i] && j < i && i < 1000; j++)
            if (strcmp(s->line.cell[i], s->line.cell[j]) == 0)
                return true;
    return false;
}

/* Symbols of one or two letters, as they stand below whole names. */
static bool are_symbols(const struct search *s)
{
    for (size_t i = 0; i < s->line.n; i++)
        if (strlen(s->line.cell[i]) > 2)
            return false;
    return true;
}

/* Are units in most cells, above numbers? */
static bool are_units(const struct search *s, const struct run *run)
{
    size_t above_words = 0, above_numbers = 0;

    if (s->line.n > run->ncell + 1 || !has_units(&s->line))
        return false;
    for (size_t i = 0; i < s->line.n && i < run->ncell; i++) {
        if (s->kind[i] == CELL_NUMBER)
            return false;
        if (s->kind[i] != CELL_TEXT || !is_unit(s->line.cell[i]))
            continue;
        above_numbers += run->numeric[i];
        above_words += !run->numeric[i];
    }
    return !above_words || above_numbers > 2 * above_words;
}

/* Lines of names above the one that has them: where names have twins they are told apart by what
 * stands above, and symbols stand below whole names. */
static int widen_names(struct search *s, const struct run *run, size_t at, struct cf_block *block,
                       struct cf_error *err)
{
    bool twins = has_twins(s), symbols = are_symbols(s) && block->unit_row;
    int status = CF_OK;

    while (at > 0 && (twins || symbols) && !status) {
        status = cut_words(s, &run->above[--at], err);
        if (status || !are_names(s, run->ncell, false) || (symbols && are_symbols(s)))
            break;
        block->names += !symbols;
        block->header_line = run->above[at].number;
        twins = twins && has_twins(s);
        symbols = false;
    }
    return status;
}

/* The line with names among those above, and how many lines they take. One of units is a line of
 * names where there is no other. */
static int find_names(struct search *s, const struct run *run, struct cf_block *block,
                      struct cf_error *err)
{
    size_t at, units = run->nabove;
    bool names = false;
    int status = CF_OK;

    for (at = run->nabove; at > 0 && !status && !names; at -= !names) {
        status = cut_words(s, &run->above[at - 1], err);
        if (!status && units == run->nabove && are_units(s, run))
            units = at - 1;
        else
            names = !status && are_names(s, run->ncell, *run->above[at - 1].text == '#');
    }
    if (!status && !names && units < run->nabove) {
        at = units + 1;
        units = run->nabove;
        status = cut_words(s, &run->above[at - 1], err);
        names = !status && are_names(s, run->ncell, *run->above[at - 1].text == '#');
    }
    if (status || !names)
        return status;
    block->header_line = run->above[--at].number;
    block->names = 1;
    block->unit_row = units < run->nabove;
    block->ncolumn = s->line.n;
    return widen_names(s, run, at, block, err);
}

/* ---- tables */

static int end_run(struct search *s, struct cf_error *err)
{
    struct run *run = &s->run;
    struct cf_block block = {.header_line = run->first,
                             .names = CF_CSV_NAMELESS,
                             .last_line = run->last,
                             .nrow = run->nrow,
                             .ncolumn = run->ncell};
    double score;
    int status;

    if (!run->open)
        return CF_OK;
    run->open = false;
    status = find_names(s, run, &block, err);
    if (!status && block.names == CF_CSV_NAMELESS)
        block.unit_row = false;
    free_words(run->above, run->nabove);
    run->nabove = 0;
    if (status || (block.names == CF_CSV_NAMELESS && (run->nrow < LEAST_NAMELESS || run->texts))) {
        s->last_text = run->last;
        return status;
    }
    score = (double) run->nrow * ((double) run->numbers - (double) run->grouped * of_grouped) /
            (double) (run->numbers + run->texts + run->marked) *
            (block.names == CF_CSV_NAMELESS ? of_nameless : 1) * (run->ncell == 1 ? of_narrow : 1);
    s->score = score > s->score ? score : s->score;
    s->grouped |= run->grouped > 0;
    s->marked |= run->marked > 0;
    if (s->found && s->found->nblock < CF_MOST_BLOCKS) {
        s->is_strict[s->found->nblock] = run->numbers > run->texts;
        s->strictly += run->numbers > run->texts;
        s->found->block[s->found->nblock++] = block;
    }
    return CF_OK;
}

static int begin_run(struct search *s, size_t number, struct cf_error *err)
{
    struct run *run = &s->run;

    if (s->ncut > run->room) {
        unsigned char *more = realloc(run->numeric, s->ncut);
        if (!more)
            return no_memory(s, err);
        run->numeric = more;
        run->room = s->ncut;
    }
    memset(run->numeric, 0, s->ncut);
    memcpy(run->above, s->held, sizeof run->above);
    run->nabove = s->nheld;
    s->nheld = 0;
    run->open = true;
    run->first = number;
    run->ncell = s->line.n;
    run->ncut = s->ncut;
    run->nrow = run->numbers = run->texts = run->grouped = run->marked = 0;
    return CF_OK;
}

/* Is the line a further row of the run? */
static bool goes_on(const struct search *s, const struct count *count)
{
    const struct run *run = &s->run;
    size_t both = 0;

    if (!run->open)
        return false;
    if (!count->texts && (count->numbers || count->marked) && !run->gap && !run->texts)
        return true; /* of numbers alone: a row, or one that is spoiled */
    if (s->line.n > run->ncut || (s->kind[0] == CELL_TEXT && run->numeric[0] && run->nrow > 1))
        return false;
    for (size_t i = 0; i < s->line.n; i++)
        both += is_number(s->kind[i]) && run->numeric[i];
    return both > 0 &&
           (s->line.n == run->ncell || s->ncut == run->ncut || (!count->texts && run->nrow > 1));
}

static void add_row(struct search *s, const struct count *count, size_t number)
{
    struct run *run = &s->run;

    if (s->line.n > run->ncell && s->line.n <= run->ncut)
        run->ncell = s->line.n;
    for (size_t i = 0; i < s->line.n && i < run->ncell; i++)
        run->numeric[i] |= is_number(s->kind[i]);
    run->last = number;
    run->gap = false;
    run->nrow++;
    run->numbers += count->numbers;
    run->texts += count->texts;
    run->grouped += count->grouped;
    run->marked += count->marked;
}

static int look_at(struct search *s, const struct cf_line *line, struct cf_error *err)
{
    struct count count;
    bool comment = *line->text == '#' || (*line->text == '%' && line->text[1] == ' ');
    bool words;
    int status = cut(s, line->text, line->n, line->number, err);

    if (status)
        return status;
    if (s->line.n == 0) {
        s->run.gap = true;
        return CF_OK;
    }
    s->first = s->first || *line->text == '#' ? s->first : line->number;
    count = count_kinds(s);
    words = comment || count.numbers == 0 ||
            (count.numbers == count.ones && count.texts && has_units(&s->line));
    if (words && count.texts == 0 && !comment && s->run.open) {
        add_row(s, &count, line->number); /* of marks alone: nothing was measured */
        return CF_OK;
    }
    if (words) {
        status = end_run(s, err);
        s->last_text = line->number;
        return status ? status : hold(s, line->text, line->n, line->number, err);
    }
    if (!goes_on(s, &count)) {
        status = end_run(s, err);
        if (!status)
            status = cut(s, line->text, line->n, line->number, err); /* names were cut there */
        if (!status)
            status = begin_run(s, line->number, err);
    }
    if (!status)
        add_row(s, &count, line->number);
    return status;
}

static int begin_search(struct search *s, const char *path, const struct cf_csv_form *form,
                        struct cf_layout *found, struct cf_error *err)
{
    *s = (struct search){
        .path = path, .delimiter = form->delimiter, .decimal = form->decimal, .found = found};
    s->copy = malloc(CF_UTF8_OF_BYTE * CF_CSV_LONGEST_LINE + 2);
    return s->copy ? CF_OK : no_memory(s, err);
}

/* ---- how cells are cut */

struct sample {
    size_t n;
    struct cf_line line[SAMPLE];
};

static int take_sample(const char *path, const struct cf_csv_form *form, struct sample *sample,
                       struct cf_error *err)
{
    struct cf_lines *lines = cf_lines_open(path, CF_CSV_LONGEST_LINE, form->encoding, err);
    struct cf_line line;
    int status = lines ? CF_OK : CF_EINPUT;

    while (!status && sample->n < SAMPLE) {
        status = cf_lines_next(lines, &line, err);
        if (status || !line.text)
            break;
        sample->line[sample->n] = line;
        sample->line[sample->n].text = strndup(line.text, line.n);
        if (!sample->line[sample->n++].text)
            status = cf_fail(err, CF_ENOMEM, "no memory for a line");
    }
    cf_lines_close(lines);
    return status;
}

/* Of two ways that find as much the first is taken. */
static const struct cf_csv_form ways[] = {
    {.delimiter = ',', .decimal = '.'},  {.delimiter = ';', .decimal = '.'},
    {.delimiter = '\t', .decimal = '.'}, {.delimiter = ';', .decimal = ','},
    {.delimiter = '\t', .decimal = ','}, {.delimiter = ' ', .decimal = '.'},
    {.delimiter = ' ', .decimal = ','},
};

static int score_way(const char *path, const struct sample *sample, const struct cf_csv_form *way,
                     double *score, struct cf_error *err)
{
    struct search s;
    int status = begin_search(&s, path, way, NULL, err);

    for (size_t i = 0; i < sample->n && !status; i++)
        status = look_at(&s, &sample->line[i], err);
    if (!status)
        status = end_run(&s, err);
    *score = s.score;
    clear_search(&s);
    return status;
}

static int guess_marks(const char *path, const struct sample *sample,
                       const struct cf_csv_form *stated, struct cf_csv_form *form,
                       struct cf_error *err)
{
    double best = -1, score;
    int status = CF_OK;

    for (size_t i = 0; i < sizeof ways / sizeof *ways && !status; i++) {
        if ((stated->delimiter && ways[i].delimiter != stated->delimiter) ||
            (stated->decimal && ways[i].decimal != stated->decimal))
            continue;
        status = score_way(path, sample, &ways[i], &score, err);
        if (status || !(score > best))
            continue;
        best = score;
        form->delimiter = ways[i].delimiter;
        form->decimal = ways[i].decimal;
    }
    return status;
}

/* ---- the whole file */

static int search_file(const char *path, const struct cf_csv_form *form, struct search *s,
                       struct cf_layout *layout, struct cf_error *err)
{
    struct cf_lines *lines;
    struct cf_line line;
    size_t first;
    int status = begin_search(s, path, form, layout, err);

    if (status)
        return status;
    lines = cf_lines_open(path, CF_CSV_LONGEST_LINE, form->encoding, err);
    status = lines ? CF_OK : CF_EINPUT;
    while (!status && !(status = cf_lines_next(lines, &line, err)) && line.text)
        status = look_at(s, &line, err);
    if (!status)
        status = end_run(s, err);
    if (!status && cf_lines_encoding(lines, &first) != CF_ENCODING_UTF8)
        layout->form.encoding = cf_lines_encoding(lines, &first);
    cf_lines_close(lines);
    return status;
}

/* Where any table has more numbers than words, those that have not are lines such as "cells: 3". */
static void drop_pairs(struct cf_layout *layout, const struct search *s)
{
    size_t n = 0;

    if (!s->strictly)
        return;
    for (size_t i = 0; i < layout->nblock; i++)
        if (s->is_strict[i])
            layout->block[n++] = layout->block[i];
    layout->nblock = n;
}

/* The first of those that have half as many rows as the longest; the number of one from 1. */
static int take_block(struct cf_layout *layout, const char *path, size_t number,
                      const struct search *s, struct cf_error *err)
{
    size_t most = 0, i = 0;
    const struct cf_block *b;

    if (number > layout->nblock)
        return cf_fail(err, CF_EINPUT, "%s: block: %zu: the file has %zu table%s", path, number,
                       layout->nblock, layout->nblock == 1 ? "" : "s");
    for (size_t j = 0; j < layout->nblock; j++)
        most = layout->block[j].nrow > most ? layout->block[j].nrow : most;
    while (!number && layout->nblock && 2 * layout->block[i].nrow < most)
        i++;
    layout->taken = number ? number - 1 : i;
    if (!layout->nblock)
        return CF_OK;
    b = &layout->block[layout->taken];
    layout->alone = layout->nblock == 1 && s->last_text < b->last_line;
    layout->form.header_line = layout->alone && b->header_line == s->first ? 0 : b->header_line;
    layout->form.names = b->names == 1 ? 0 : b->names;
    layout->form.unit_row = b->unit_row;
    layout->form.end_line = layout->alone ? 0 : b->last_line;
    return CF_OK;
}

static bool has_digit(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isdigit((unsigned char) text[i]))
            return true;
    return false;
}

/* A remark in one line, with blanks for tabs and without what spreadsheets add. */
static char *remark_of(const char *text, size_t n)
{
    char *copy, *to, *from;

    while (n && strchr(" \t;,", text[n - 1]))
        n--;
    while (n && strchr(" \t#%", *text))
        text++, n--;
    copy = strndup(text, n);
    for (to = from = copy; copy && *from; from++) {
        char c = *from == '\t' ? ' ' : *from;
        if (!(c == ' ' && to > copy && to[-1] == ' '))
            *to++ = c;
    }
    if (copy) {
        *to = '\0';
        cf_text_make_safe(copy);
    }
    return copy;
}

/* Lines above the table that was taken. */
static int take_remarks(struct cf_layout *layout, const struct sample *sample, struct cf_error *err)
{
    for (size_t i = 0; i < sample->n && sample->line[i].number < layout->form.header_line &&
                       layout->nremark < CF_MOST_REMARKS;
         i++) {
        if (!has_digit(sample->line[i].text, sample->line[i].n))
            continue;
        layout->remark[layout->nremark] = remark_of(sample->line[i].text, sample->line[i].n);
        if (!layout->remark[layout->nremark])
            return cf_fail(err, CF_ENOMEM, "no memory for a remark");
        layout->nremark++;
    }
    return CF_OK;
}

/* ---- marks of what is missing, and of thousands */

static int add_mark(struct cf_layout *layout, const char *cell, struct cf_error *err)
{
    for (size_t i = 0; i < layout->nmark; i++)
        if (strcmp(layout->mark[i], cell) == 0)
            return CF_OK;
    if (layout->nmark == CF_MOST_MARKS)
        return CF_OK;
    layout->mark[layout->nmark] = strdup(cell);
    return layout->mark[layout->nmark++] ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for a mark");
}

static int take_marks_of_row(void *owner, const struct cf_csv *head, size_t row, char *const cell[],
                             struct cf_error *err)
{
    struct cf_layout *layout = owner;
    int status = CF_OK;

    (void) row;
    for (size_t i = 0; i < head->ncolumn && !status; i++)
        if (kind_of(cell[i], head->decimal) == CELL_MISSING)
            status = add_mark(layout, cell[i], err);
    return status;
}

static int take_marks(const char *path, const struct search *s, struct cf_layout *layout,
                      struct cf_error *err)
{
    struct cf_csv *csv;

    if (s->grouped)
        layout->form.thousands = other_mark(layout->form.decimal);
    if (!s->marked)
        return CF_OK;
    csv = cf_csv_stream(path, &layout->form, take_marks_of_row, layout, err);
    cf_csv_free(csv);
    return csv ? CF_OK : CF_EINPUT;
}

/* ---- entries */

void cf_layout_clear(struct cf_layout *layout)
{
    for (size_t i = 0; i < layout->nremark; i++)
        free(layout->remark[i]);
    for (size_t i = 0; i < layout->nmark; i++)
        free(layout->mark[i]);
    layout->nremark = layout->nmark = 0;
}

/* Where the names are, as it is stated; the table is the one that goes on below that line. */
static void take_stated(struct cf_layout *layout, const struct cf_csv_form *stated)
{
    size_t i = 0;

    if (stated->header_line) {
        while (i + 1 < layout->nblock && layout->block[i].last_line <= stated->header_line)
            i++;
        layout->taken = i;
        layout->form.header_line = stated->header_line;
        if (layout->nblock) {
            layout->form.unit_row = layout->block[i].unit_row;
            layout->form.end_line = layout->alone ? 0 : layout->block[i].last_line;
        }
        layout->form.names = 0;
    }
    if (stated->names)
        layout->form.names = stated->names == 1 ? 0 : stated->names;
}

static int search_and_take(const char *path, const struct cf_csv_form *stated, size_t number,
                           const struct sample *sample, struct cf_layout *layout,
                           struct cf_error *err)
{
    struct search s;
    int status = search_file(path, &layout->form, &s, layout, err);

    if (!status) {
        drop_pairs(layout, &s);
        status = take_block(layout, path, number, &s, err);
    }
    if (!status) {
        take_stated(layout, stated);
        status = take_remarks(layout, sample, err);
    }
    if (!status && layout->nblock)
        status = take_marks(path, &s, layout, err);
    clear_search(&s);
    return status;
}

int cf_layout_guess(const char *path, const struct cf_csv_form *stated, size_t number,
                    struct cf_layout *layout, struct cf_error *err)
{
    struct sample *sample = calloc(1, sizeof *sample);
    int status = CF_OK;

    memset(layout, 0, sizeof *layout);
    if (!sample)
        return cf_fail(err, CF_ENOMEM, "%s: no memory for its first lines", path);
    layout->form = cf_csv_plain;
    layout->form.encoding = stated->encoding;
    status = take_sample(path, &layout->form, sample, err);
    if (!status)
        status = guess_marks(path, sample, stated, &layout->form, err);
    if (!status)
        status = search_and_take(path, stated, number, sample, layout, err);
    for (size_t i = 0; i < sample->n; i++)
        free(sample->line[i].text);
    free(sample);
    return status;
}

int cf_layout_find(const char *path, size_t number, struct cf_csv_form *form, struct cf_error *err)
{
    struct cf_layout *layout = calloc(1, sizeof *layout);
    struct search s = {.path = path};
    const struct cf_block *b;
    int status;

    if (!layout)
        return no_memory(&s, err);
    layout->form = *form;
    status = search_file(path, form, &s, layout, err);
    if (!status) {
        drop_pairs(layout, &s);
        status = take_block(layout, path, number, &s, err);
    }
    if (!status) {
        b = &layout->block[layout->taken];
        if (!form->header_line) {
            form->header_line = b->header_line;
            form->names = form->names ? form->names : layout->form.names;
            form->unit_row |= b->unit_row;
        }
        form->end_line = b->last_line;
    }
    clear_search(&s);
    free(layout);
    return status;
}
