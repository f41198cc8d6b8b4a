/* The rows of a data set that its study excludes: a line for each run of rows, or for each reason
 * that many runs have. */

#include <string.h>

#include "document/view.h"
#include "report/html.h"
#include "report/listing.h"
#include "report/sections.h"

/* Runs of one reason that have a line each; reasons that are put together, of more the runs have a
 * line each; and lines of runs that are listed for a reason. */
enum { FEW = 4, MOST_REASONS = 16, MOST_LINES = 1000 };

/* Entries [first, end), which are lines one behind the other. */
struct run {
    size_t first, end;
};

static const char *reason_of(const json_t *excluded, size_t i)
{
    return cf_view_text(json_array_get(excluded, i), "because");
}

static size_t last_line(const json_t *row)
{
    return cf_view_count(row, cf_view_count(row, "rows") > 1 ? "to_line" : "line");
}

static size_t rows_of(const json_t *excluded, struct run run)
{
    size_t n = 0;

    for (size_t i = run.first; i < run.end; i++) {
        size_t rows = cf_view_count(json_array_get(excluded, i), "rows");
        n += rows > 1 ? rows : 1;
    }
    return n;
}

/* The run from here on, excluded for one reason. */
static struct run run_from(const json_t *excluded, size_t i)
{
    struct run run = {i, i + 1};

    while (run.end < json_array_size(excluded) &&
           cf_view_count(json_array_get(excluded, run.end), "line") ==
               last_line(json_array_get(excluded, run.end - 1)) + 1 &&
           strcmp(reason_of(excluded, run.end), reason_of(excluded, i)) == 0)
        run.end++;
    return run;
}

static size_t next(const json_t *excluded, size_t i)
{
    return run_from(excluded, i).end;
}

/* How many runs and rows have the reason of entry i. */
static size_t count(const json_t *excluded, size_t i, size_t *rows)
{
    size_t n = 0;

    *rows = 0;
    for (size_t k = 0; k < json_array_size(excluded); k = next(excluded, k)) {
        if (strcmp(reason_of(excluded, k), reason_of(excluded, i)) != 0)
            continue;
        *rows += rows_of(excluded, run_from(excluded, k));
        n++;
    }
    return n;
}

/* A reason that many runs have. */
struct reason {
    size_t first; /* entry */
    size_t runs, rows;
};

static size_t find_reasons(const json_t *excluded, struct reason reason[MOST_REASONS])
{
    size_t n = 0, all = 0;
    const char *seen[MOST_REASONS];

    for (size_t i = 0; i < json_array_size(excluded) && all < MOST_REASONS; i = next(excluded, i)) {
        size_t k = 0, rows;
        while (k < all && strcmp(seen[k], reason_of(excluded, i)) != 0)
            k++;
        if (k < all)
            continue;
        seen[all++] = reason_of(excluded, i);
        size_t runs = count(excluded, i, &rows);
        if (runs > FEW)
            reason[n++] = (struct reason){i, runs, rows};
    }
    return n;
}

/* The lines of a run: "12", "12 to 20". */
static void put_lines(const json_t *excluded, struct run run, FILE *out)
{
    size_t first = cf_view_count(json_array_get(excluded, run.first), "line");
    size_t last = last_line(json_array_get(excluded, run.end - 1));

    fprintf(out, last > first ? "%zu to %zu" : "%zu", first, last);
}

static void put_reason(const json_t *excluded, const struct reason *reason, FILE *out)
{
    const char *between = "";
    size_t left = MOST_LINES;

    fprintf(out, "<li>%zu rows in %zu runs: ", reason->rows, reason->runs);
    cf_html_text(out, reason_of(excluded, reason->first));
    fputs("<details><summary>their lines</summary>\n<p>", out);
    for (size_t i = reason->first; i < json_array_size(excluded) && left > 0;
         i = next(excluded, i)) {
        if (strcmp(reason_of(excluded, i), reason_of(excluded, reason->first)) != 0)
            continue;
        fputs(between, out);
        between = ", ";
        put_lines(excluded, run_from(excluded, i), out);
        left--;
    }
    if (reason->runs > MOST_LINES)
        fprintf(out, "; and %zu more runs, which the fit file has", reason->runs - MOST_LINES);
    fputs("</p>\n</details></li>\n", out);
}

static void put_run(const json_t *excluded, struct run run, FILE *out)
{
    fputs("<li>line ", out);
    put_lines(excluded, run, out);
    if (run.end - run.first > 1 || cf_view_count(json_array_get(excluded, run.first), "rows") > 1)
        fprintf(out, ", %zu rows", rows_of(excluded, run));
    fputs(": ", out);
    cf_html_text(out, reason_of(excluded, run.first));
    fputs("</li>\n", out);
}

static const struct reason *find(const json_t *excluded, const struct reason reason[], size_t n,
                                 size_t i)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(reason_of(excluded, reason[k].first), reason_of(excluded, i)) == 0)
            return &reason[k];
    return NULL;
}

void cf_section_excluded(const json_t *excluded, FILE *out)
{
    struct cf_listing listing = {.out = out, .what = "runs of rows", .open = CF_OPEN_ROWS};
    struct reason reason[MOST_REASONS];
    size_t n = json_array_size(excluded), nreason = find_reasons(excluded, reason);

    if (!n)
        return;
    for (size_t i = 0; i < n; i = next(excluded, i)) {
        const struct reason *of = find(excluded, reason, nreason, i);
        listing.n += !of || of->first == i;
    }
    fputs("<p>Excluded by the study:</p>\n", out);
    cf_listing_begin(&listing);
    for (size_t i = 0; i < n; i = next(excluded, i)) {
        const struct reason *of = find(excluded, reason, nreason, i);
        if ((of && of->first != i) || !cf_listing_next(&listing))
            continue;
        if (of)
            put_reason(excluded, of, out);
        else
            put_run(excluded, run_from(excluded, i), out);
    }
    cf_listing_end(&listing);
}
