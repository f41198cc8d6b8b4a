/* The key of a figure file's picture: what its curves differ in. Private to src/report. */

#ifndef CF_REPORT_DRAWING_KEY_H
#define CF_REPORT_DRAWING_KEY_H

#include "figure/law_figure.h"
#include "report/chart.h"

enum { CF_MAX_LEGEND = 24 };

struct cf_legend_entry {
    struct cf_text text; /* names of laws and parameters from their tables, and numbers */
    const struct cf_law *law;
};

/* One key for all panels: curves with the same text look the same. */
struct cf_legend {
    const struct cf_drawing *drawing;
    bool laws_differ; /* there is more than one law */
    bool by_law;      /* some law has several curves, each with a dash of its own */
    bool points;      /* some panel has points: an entry behind the others */
    size_t n;
    struct cf_legend_entry entry[CF_MAX_LEGEND];
};

/* Entries for all curves of a figure. */
int cf_legend_make(struct cf_legend *legend, const struct cf_drawing *drawing,
                   struct cf_error *err);

/* The entry of a curve of a panel. */
size_t cf_legend_find(const struct cf_legend *legend, const struct cf_drawn_panel *panel,
                      const struct cf_drawn *curve);

/* How an entry's curves look: a law by its own colour and dash; laws with several curves by their
 * colours, and curves of one law alone by colours and dashes in turn. */
struct cf_style cf_legend_style(const struct cf_legend *legend, size_t entry);

#endif
