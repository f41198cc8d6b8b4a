/* The bodies of a scene in motion: what a script of the page needs in order to move them along the
 * run. Without scripts the page has their picture. Private to src/report.
 *
 * The block of a picture has its view and window, the outlines of the bodies that move, in their
 * own frames, and poses at times between which they may be interpolated. It is data, as live.h
 * says.
 */

#ifndef CF_REPORT_MOTION_H
#define CF_REPORT_MOTION_H

#include <stdio.h>

#include "report/chart.h"
#include "report/scene_bodies.h"

/* Scenes of a page beyond which their pictures do not move: the page would become heavy. It then
 * says so. */
enum { CF_MOTION_SCENES = 8 };

/* The script as it is written, piece by piece, NULL-terminated. */
extern const char *const cf_motion_pieces[];

/* The block of a figure of bodies, whose chart was settled as it was drawn. Nothing where no body
 * moves. */
int cf_motion_block(const struct cf_scene *scene, const struct cf_scene_figure *figure,
                    const struct cf_chart *chart, FILE *out, struct cf_error *err);

#endif
