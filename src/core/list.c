#include "core/list.h"

#include <stdint.h>
#include <stdlib.h>

void *cf_list_grow(void *list, size_t n, size_t size)
{
    size_t room = n ? 2 * n : 1;

    if (list && n & (n - 1)) /* full at each power of 2 */
        return list;
    return room <= SIZE_MAX / 2 / size ? realloc(list, room * size) : NULL;
}
