#include "report/svg_marks.h"

#include <math.h>
#include <string.h>

#include "report/svg_path.h"

static const char before[] = " transform=\"translate(";

/* The tag without its place, "<use stroke-width="1" scale(2)" href="#a"", and the place in tenths.
 */
static bool read_mark(const char *tag, char kind[CF_SVG_MARK], long *x, long *y)
{
    const char *place = strstr(tag, before);
    double at[2];
    int used = 0;

    if (strncmp(tag, "<use", 4) != 0 || !place || strlen(tag) >= CF_SVG_MARK ||
        sscanf(place + strlen(before), "%lf,%lf) %n", &at[0], &at[1], &used) != 2 || !used ||
        !(fabs(at[0]) < 1e6) || !(fabs(at[1]) < 1e6))
        return false;
    *x = lround(10 * at[0]);
    *y = lround(10 * at[1]);
    snprintf(kind, CF_SVG_MARK, "%.*s transform=\"%s", (int) (place - tag), tag,
             place + strlen(before) + used);
    return true;
}

/* A minus sign parts two numbers as well as a blank does. */
static void put_number(FILE *out, long tenths, bool behind)
{
    if (behind && tenths >= 0)
        fputc(' ', out);
    cf_svg_tenths(tenths, out);
}

static void put_corner(struct cf_svg_marks *marks, long x, long y, bool first)
{
    if (!first && x == marks->x && y == marks->y)
        return;
    fputs(first ? "M" : marks->corners == 1 ? "l" : "", marks->out);
    put_number(marks->out, x - (first ? 0 : marks->x), marks->corners > 1);
    put_number(marks->out, y - (first ? 0 : marks->y), true);
    marks->corners++;
    marks->x = x;
    marks->y = y;
}

/* The kind as a marker, and the path as far as the marks that are held. */
static void begin_path(struct cf_svg_marks *marks)
{
    static const char *const corners[] = {"start", "mid", "end"};
    char kind[CF_SVG_MARK];

    fprintf(marks->out,
            "<marker id=\"%s-m%zu\" markerUnits=\"userSpaceOnUse\" overflow=\"visible\">%s/>"
            "</marker><path stroke=\"none\"",
            marks->id, ++marks->paths, marks->kind);
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++)
        fprintf(marks->out, " marker-%s=\"url(#%s-m%zu)\"", corners[i], marks->id, marks->paths);
    fputs(" d=\"", marks->out);
    marks->corners = 0;
    for (size_t i = 0; i < CF_SVG_MARKS_ALONE; i++) {
        long x, y;
        if (read_mark(marks->held[i], kind, &x, &y))
            put_corner(marks, x, y, i == 0);
    }
}

bool cf_svg_mark(struct cf_svg_marks *marks, const char *tag)
{
    char kind[CF_SVG_MARK];
    long x, y;

    if (!read_mark(tag, kind, &x, &y))
        return false;
    if (marks->n > 0 && strcmp(kind, marks->kind) != 0)
        cf_svg_marks_end(marks);
    snprintf(marks->kind, sizeof marks->kind, "%s", kind);
    if (marks->n < CF_SVG_MARKS_ALONE) {
        snprintf(marks->held[marks->n++], CF_SVG_MARK, "%s", tag);
        return true;
    }
    if (marks->n++ == CF_SVG_MARKS_ALONE)
        begin_path(marks);
    put_corner(marks, x, y, false);
    return true;
}

void cf_svg_marks_end(struct cf_svg_marks *marks)
{
    if (marks->n > CF_SVG_MARKS_ALONE)
        fputs("\"/>", marks->out);
    else
        for (size_t i = 0; i < marks->n; i++)
            fprintf(marks->out, "%s/>", marks->held[i]);
    marks->n = 0;
}
