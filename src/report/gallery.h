/* The page of figure files and scenes. */

#ifndef CF_REPORT_GALLERY_H
#define CF_REPORT_GALLERY_H

#include <stdio.h>

#include "figure/figure.h"
#include "figure/law_figure.h"

struct cf_gallery {
    size_t ndrawing, nscene;
    struct cf_drawing **drawing;
    struct cf_scene_figures **scene; /* which have been run */
};

/* One page that loads nothing else: each picture with its caption, its source, what is said of it,
 * the laws of figure files with their parameters, and what happened in scenes. */
int cf_gallery_write(const struct cf_gallery *gallery, FILE *out, struct cf_error *err);

#endif
