#include "report/body_outline.h"

#include <stdlib.h>
#include <string.h>

static void *more(void *list, size_t n, size_t size, bool *failed)
{
    void *longer = *failed ? NULL : realloc(list, (n + 1) * size);

    *failed = !longer;
    return longer;
}

void cf_body_outline_add_disc(struct cf_body_outline *outline, const double centre_m[3],
                              double radius_m)
{
    struct cf_outline_disc *disc =
        more(outline->disc, outline->ndisc, sizeof *disc, &outline->failed);

    if (!disc)
        return;
    outline->disc = disc;
    disc += outline->ndisc++;
    memcpy(disc->centre_m, centre_m, sizeof disc->centre_m);
    disc->radius_m = radius_m;
}

void cf_body_outline_add_line(struct cf_body_outline *outline, const double at_m[][3], size_t n,
                              bool face)
{
    struct cf_outline_line *line =
        more(outline->line, outline->nline, sizeof *line, &outline->failed);

    if (!line)
        return;
    outline->line = line;
    line += outline->nline;
    *line = (struct cf_outline_line){n, malloc((n + 1) * sizeof *line->at_m), face};
    outline->failed = !line->at_m;
    if (outline->failed)
        return;
    memcpy(line->at_m, at_m, n * sizeof *line->at_m);
    outline->nline++;
}

void cf_body_outline_free(struct cf_body_outline *outline)
{
    for (size_t i = 0; i < outline->nline; i++)
        free(outline->line[i].at_m);
    free(outline->line);
    free(outline->disc);
    *outline = (struct cf_body_outline){0};
}
