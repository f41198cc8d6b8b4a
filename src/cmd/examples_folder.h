/* Where the examples lie that came with this program. Private to src/cmd. */

#ifndef CF_CMD_EXAMPLES_FOLDER_H
#define CF_CMD_EXAMPLES_FOLDER_H

#include "core/status.h"

/* The folder that holds fits/, scenes/, figures/ and data/: of a program in its build tree that of
 * its sources, else where `make install` put it, also when all of it was moved together. The
 * caller's to free(); NULL, with the places that were tried, where there is none. */
char *cf_examples_folder(struct cf_error *err);

#endif
