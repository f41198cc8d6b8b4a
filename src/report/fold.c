#include "report/fold.h"

#include <stdlib.h>

#include "document/view.h"
#include "report/html.h"

/* More entries than these would make a page that browsers show slowly. */
static const size_t most_folded = 1000;

/* Up to this part more than are to stand open, all do: a fold for a few is not worth its line. */
static const double slack = 1.5;

static void begin(const struct cf_fold *fold)
{
    if (fold->heads)
        cf_html_table_begin(fold->out, fold->heads, fold->nhead);
    else if (!fold->bare)
        fputs("<ul>\n", fold->out);
}

static void end(const struct cf_fold *fold)
{
    if (fold->heads)
        cf_html_table_end(fold->out);
    else if (!fold->bare)
        fputs("</ul>\n", fold->out);
}

bool cf_fold_is_long(size_t n, size_t open)
{
    return (double) n > slack * (double) open;
}

static bool folds(const struct cf_fold *fold)
{
    return cf_fold_is_long(fold->n, fold->open);
}

void cf_fold_begin(struct cf_fold *fold)
{
    begin(fold);
}

bool cf_fold_next(struct cf_fold *fold)
{
    if (fold->done == fold->open && folds(fold)) {
        end(fold);
        fprintf(fold->out, "<details><summary>and %zu more %s</summary>\n", fold->n - fold->open,
                fold->what);
        begin(fold);
    }
    return fold->done++ < fold->open + most_folded || !folds(fold);
}

void cf_fold_end(struct cf_fold *fold)
{
    size_t written = fold->open + most_folded;

    end(fold);
    if (!folds(fold))
        return;
    if (fold->n > written)
        fprintf(fold->out,
                "<p class=\"note\">These are the first %zu of %zu %s; the JSON of this result has "
                "all of them.</p>\n",
                written, fold->n, fold->what);
    fputs("</details>\n", fold->out);
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

json_t *cf_fold_tests(const json_t *tests)
{
    size_t n = json_array_size(tests);
    struct ordered *order = calloc(n + 1, sizeof *order);
    json_t *sorted = json_array();

    for (size_t i = 0; order && i < n; i++) {
        json_t *test = json_array_get(tests, i);
        order[i] = (struct ordered){test, i, cf_view_number(test, "p")};
    }
    if (order && cf_fold_is_long(n, CF_OPEN_ROWS))
        qsort(order, n, sizeof *order, compare_p);
    for (size_t i = 0; order && i < n; i++)
        json_array_append(sorted, order[i].test);
    free(order);
    return sorted;
}
