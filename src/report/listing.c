#include "report/listing.h"

#include <stdlib.h>

#include "document/view.h"
#include "report/html.h"

/* More entries than these would make a page that browsers show slowly. */
static const size_t most_folded = 1000;

/* Up to this part more than are to stand open, all do: a listing for a few is not worth its line.
 */
static const double slack = 1.5;

static void begin(const struct cf_listing *listing)
{
    if (listing->heads)
        cf_html_table_begin(listing->out, listing->heads, listing->nhead);
    else if (!listing->bare)
        fputs("<ul>\n", listing->out);
}

static void end(const struct cf_listing *listing)
{
    if (listing->heads)
        cf_html_table_end(listing->out);
    else if (!listing->bare)
        fputs("</ul>\n", listing->out);
}

bool cf_listing_is_long(size_t n, size_t open)
{
    return (double) n > slack * (double) open;
}

static bool folds(const struct cf_listing *listing)
{
    return cf_listing_is_long(listing->n, listing->open);
}

void cf_listing_begin(struct cf_listing *listing)
{
    begin(listing);
}

bool cf_listing_next(struct cf_listing *listing)
{
    if (listing->done == listing->open && folds(listing)) {
        end(listing);
        fprintf(listing->out, "<details><summary>and %zu more %s</summary>\n",
                listing->n - listing->open, listing->what);
        begin(listing);
    }
    return listing->done++ < listing->open + most_folded || !folds(listing);
}

void cf_listing_end(struct cf_listing *listing)
{
    size_t written = listing->open + most_folded;

    end(listing);
    if (!folds(listing))
        return;
    if (listing->n > written)
        fprintf(listing->out,
                "<p class=\"note\">These are the first %zu of %zu %s; the JSON of this result has "
                "all of them.</p>\n",
                written, listing->n, listing->what);
    fputs("</details>\n", listing->out);
}

/* By p; equal ones in their order. */
struct ordered {
    json_t *test;
    size_t index;
    double p;
};

static int compare_p(const void *a, const void *b)
{
    const struct ordered *s = a, *t = b;
    if (s->p != t->p)
        return s->p < t->p ? -1 : 1;
    return (s->index > t->index) - (s->index < t->index);
}

json_t *cf_listing_tests(const json_t *tests)
{
    size_t n = json_array_size(tests);
    struct ordered *order = calloc(n + 1, sizeof *order);
    json_t *sorted = json_array();

    for (size_t i = 0; order && i < n; i++) {
        json_t *test = json_array_get(tests, i);
        order[i] = (struct ordered){test, i, cf_view_number(test, "p")};
    }
    if (order && cf_listing_is_long(n, CF_OPEN_ROWS))
        qsort(order, n, sizeof *order, compare_p);
    for (size_t i = 0; order && i < n; i++)
        json_array_append(sorted, order[i].test);
    free(order);
    return sorted;
}
