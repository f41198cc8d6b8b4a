/* The path data of an SVG, shortened. */

#ifndef CF_REPORT_SVG_PATH_H
#define CF_REPORT_SVG_PATH_H

#include <stddef.h>
#include <stdio.h>

/* Write path data of absolute moves and lines ("M85.49,225.49 L509.39,225.49 z") as relative ones
 * to a tenth of a unit, without the points that lie within a tenth of the line between their
 * neighbours; loops of many corners about a circle become the circle. Data with other commands are
 * written as they are where they hold nothing but numbers and commands, and else not at all. */
void cf_svg_path(const char *data, size_t len, FILE *out);

/* Numbers that stand for tenths: "-12.3" for -123, without a zero before the point and without one
 * behind it. */
void cf_svg_tenths(long tenths, FILE *out);

#endif
