#include "core/nearest.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"

enum { LONGEST = 63 }; /* no known word is longer */

/* ASCII only, so that the answer does not depend on the locale */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char) (c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits that turn a[m] into b[n], neighbours swapped counting as one (optimal string alignment). */
static size_t distance(const char *a, size_t m, const char *b, size_t n)
{
    size_t row[3][LONGEST + 1]; /* the last three rows of the table, in turn */

    for (size_t j = 0; j <= n; j++)
        row[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *earlier = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= n; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            now[j] = least(least(before[j], now[j - 1]) + 1, before[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                now[j] = least(now[j], earlier[j - 2] + 1);
        }
    }
    return row[m % 3][n];
}

static int begins_with(const char *text, const char *start)
{
    while (*start && lower(*text) == lower(*start))
        text++, start++;
    return *start == '\0';
}

const char *cf_nearest(const char *word, const char *const words[], size_t n)
{
    const char *best = NULL;
    size_t fewest = 0, gap = 0, m = strlen(word);

    if (m == 0 || m > LONGEST)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        size_t len = strlen(words[i]);
        if (len > LONGEST)
            continue;
        size_t edits = distance(word, m, words[i], len);
        size_t longer = len > m ? len : m, off = longer - least(len, m);
        if (2 * edits > longer)
            continue;
        /* of equals, a typing slip keeps the length more often than not */
        if (!best || edits < fewest || (edits == fewest && off < gap))
            best = words[i], fewest = edits, gap = off;
    }
    for (size_t i = 0; !best && m >= 3 && i < n; i++)
        if (begins_with(words[i], word))
            best = words[i];
    return best;
}

void cf_nearest_hint(const char *word, const char *const words[], size_t n, char out[CF_HINT])
{
    const char *nearest = cf_nearest(word, words, n);
    char list[CF_HINT - 16];

    cf_join_some(list, sizeof list, words, n);
    if (nearest)
        snprintf(out, CF_HINT, "did you mean %s?", nearest);
    else
        snprintf(out, CF_HINT, "must be one of %s", n ? list : "none");
}
