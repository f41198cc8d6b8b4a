/* Programs that contactfit writes no file for; private to src/export. */

#ifndef CF_EXPORT_ELSEWHERE_H
#define CF_EXPORT_ELSEWHERE_H

#include <stdbool.h>

/* Is it such a program, in large or small letters, with or without hyphens? What it is called, and
 * which numbers of the tables csv and latex are to be entered there. */
bool cf_elsewhere(const char *name, const char **title, const char **what);

#endif
