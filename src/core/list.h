/* Lists that grow by one thing at a time, and have no size that they stop at. */

#ifndef CF_CORE_LIST_H
#define CF_CORE_LIST_H

#include <stddef.h>

/* Room for one more in a list of n things of this size that has grown in this way from NULL and 0:
 * the list, which may have moved. NULL where there is no memory; the list is then as it was. */
void *cf_list_grow(void *list, size_t n, size_t size);

#endif
