#include "report/listing.h"

#include <math.h>
#include <stdint.h>

#include "document/view.h"
#include "report/html.h"

/* More entries than these would make a page that browsers show slowly. */
static const size_t most_folded = 400;

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

/* Is test i before k? By p; equal ones, and those without, in their order. */
static bool is_before(const json_t *tests, size_t i, size_t k)
{
    double p = cf_view_number(json_array_get(tests, i), "p");
    double q = cf_view_number(json_array_get(tests, k), "p");
    return p == q || (isnan(p) && isnan(q)) ? i < k : p < q || isnan(q);
}

size_t cf_listing_next_test(const json_t *tests, size_t before)
{
    size_t n = json_array_size(tests), next = SIZE_MAX;

    if (!cf_listing_is_long(n, CF_OPEN_ROWS))
        return before + 1 < n ? before + 1 : SIZE_MAX;
    for (size_t i = 0; i < n; i++)
        if ((before == SIZE_MAX || is_before(tests, before, i)) &&
            (next == SIZE_MAX || is_before(tests, i, next)))
            next = i;
    return next;
}
