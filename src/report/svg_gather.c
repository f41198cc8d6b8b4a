#include "report/svg_gather.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What may change places with its like: lines of the grid, lines in ink, and text, which lies on
 * both. Data of a path are up to the quote; each begins with an absolute move, so that they may
 * follow each other. */
static const struct {
    const char *begin, *end;
} parts[] = {{"<path class=\"g\" d=\"", "\"/>"}, {"<path d=\"", "\"/>"}, {"<text", "</text>"}};
enum { NPART = sizeof parts / sizeof *parts, TEXT = NPART - 1 };

/* Behind the element at `at`, which is a part of this kind; NULL: it is not. */
static const char *behind(const char *at, size_t kind)
{
    if (strncmp(at, parts[kind].begin, strlen(parts[kind].begin)) != 0)
        return NULL;
    const char *end = strstr(at, parts[kind].end);
    return end ? end + strlen(parts[kind].end) : NULL;
}

static const char *part_at(const char *at, size_t *kind)
{
    const char *end = NULL;

    for (*kind = 0; *kind < NPART; ++*kind)
        if ((end = behind(at, *kind)))
            break;
    return end;
}

/* The parts of one kind from `at` up to `end`. */
static void put_kind(const char *at, const char *end, size_t kind, FILE *out)
{
    const size_t before = strlen(parts[kind].begin), after = strlen(parts[kind].end);
    bool any = false;

    while (at < end) {
        size_t is;
        const char *next = part_at(at, &is);
        if (is == kind && kind == TEXT) {
            fwrite(at, 1, (size_t) (next - at), out);
        } else if (is == kind) {
            fputs(any ? "" : parts[kind].begin, out);
            fwrite(at + before, 1, (size_t) (next - at) - before - after, out);
            any = true;
        }
        at = next;
    }
    fputs(any ? parts[kind].end : "", out);
}

void cf_svg_gather(const char *svg, FILE *out)
{
    while (*svg) {
        size_t kind;
        const char *end = svg, *next;
        while ((next = part_at(end, &kind)))
            end = next;
        for (kind = 0; kind < NPART; kind++)
            put_kind(svg, end, kind, out);
        svg = end;
        if (*svg) { /* up to the next element */
            next = strchr(svg + 1, '<');
            next = next ? next : svg + strlen(svg);
            fwrite(svg, 1, (size_t) (next - svg), out);
            svg = next;
        }
    }
}
