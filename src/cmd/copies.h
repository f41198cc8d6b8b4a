/* Copies of files, which keep their places below a folder. Private to src/cmd. */

#ifndef CF_CMD_COPIES_H
#define CF_CMD_COPIES_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/command.h"

/* One file, as it is, to the same place below another folder. */
struct cf_copy {
    char *from, *to;
    bool there; /* already, as it is */
};

struct cf_copies {
    size_t n;
    struct cf_copy *copy;
};

/* Add the file `path` below the folder `root`, whose copy has the same place below `folder` ("":
 * the current one), once. */
int cf_copies_add(struct cf_copies *c, const char *root, const char *path, const char *folder,
                  struct cf_error *err);

/* Make them, and the folders below `folder` and itself; says so on stderr. Without --force nothing
 * is written where any of them is there already; one that is the same counts as written. */
int cf_copies_write(struct cf_copies *c, const struct cf_arguments *args, const char *folder,
                    struct cf_error *err);

void cf_copies_clear(struct cf_copies *c);

#endif
