/* Images as files of their own. */

#ifndef CF_REPORT_IMAGE_H
#define CF_REPORT_IMAGE_H

#include <stddef.h>
#include <stdio.h>

/* Write an image in SVG, PDF or PNG as gnuplot made it, with the name of this program in it where
 * the format has a place for it: an SVG's comment, a PDF's, a PNG's Software. */
void cf_image_write(const char bytes[], size_t size, FILE *out);

#endif
