/* What the tables of keys cannot say of a fit file; private to src/document. */

#ifndef CF_DOCUMENT_FIT_LINKS_H
#define CF_DOCUMENT_FIT_LINKS_H

#include <jansson.h>

#include "document/json_place.h"

/* Do lists that belong together have one length, and do indices and names lead somewhere? Of a fit
 * whose keys are checked. */
int cf_fit_check_links(struct cf_json_place *place, const json_t *fit);

#endif
