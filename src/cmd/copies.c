/* Copies of files below another folder. */

#define _POSIX_C_SOURCE 200809L

#include "cmd/copies.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/message.h"
#include "core/file.h"
#include "core/file_system.h"
#include "core/list.h"
#include "core/output.h"
#include "core/text.h"

/* "fits/../data/ball.csv" gives "data/ball.csv". Of the caller's text. */
static void straighten(char *path)
{
    char *up;

    while ((up = strstr(path, "/../")) && up != path) {
        char *start = up;
        while (start > path && start[-1] != '/')
            start--;
        memmove(start, up + 4, strlen(up + 4) + 1);
    }
}

void cf_copies_clear(struct cf_copies *c)
{
    while (c->n > 0) {
        free(c->copy[--c->n].from);
        free(c->copy[c->n].to);
    }
    free(c->copy);
}

/* Frees `to`; a file that several data sets name is copied once. */
static int keep_copy(struct cf_copies *c, const char *path, char *to, struct cf_error *err)
{
    struct cf_copy *longer;

    for (size_t i = 0; to && i < c->n; i++)
        if (strcmp(c->copy[i].to, to) == 0) {
            free(to);
            return CF_OK;
        }
    longer = to ? cf_list_grow(c->copy, c->n, sizeof *longer) : NULL;
    if (longer) {
        c->copy = longer;
        longer[c->n++] = (struct cf_copy){strdup(path), to, false};
        if (longer[c->n - 1].from)
            return CF_OK;
    } else
        free(to);
    return cf_fail(err, CF_ENOMEM, "no memory for the copies");
}

int cf_copies_add(struct cf_copies *c, const char *root, const char *path, const char *folder,
                  struct cf_error *err)
{
    size_t len = strlen(root), end = strlen(folder);
    const char *slash = end && folder[end - 1] != '/' ? "/" : "";

    if (strncmp(path, root, len) != 0 || path[len] != '/')
        return cf_fail(err, CF_EINPUT, "%s: is no file among the examples", path);
    char *to = cf_format("%s%s%s", folder, slash, path + len + 1);
    if (to)
        straighten(to + end);
    return keep_copy(c, path, to, err);
}

/* Are both files there, with the same bytes? */
static bool same_bytes(const char *a, const char *b)
{
    enum { PIECE = 1 << 12 };
    char bytes[2][PIECE];
    size_t n[2] = {1, 1};
    int file[2];
    bool same = true;

    if (cf_file_open(a, &file[0]))
        return false;
    if (cf_file_open(b, &file[1])) {
        cf_file_close(file[0]);
        return false;
    }
    for (unsigned long long at = 0; same && n[0] > 0; at += n[0]) {
        for (int i = 0; i < 2; i++)
            same = same && cf_file_read_at(file[i], at, bytes[i], PIECE, &n[i]) == 0;
        same = same && n[0] == n[1] && memcmp(bytes[0], bytes[1], n[0]) == 0;
    }
    cf_file_close(file[0]);
    cf_file_close(file[1]);
    return same;
}

/* What is there stays: a study that was copied has been edited. A table that two examples share is
 * there when the second is copied. */
static int check_free(struct cf_copies *c, struct cf_error *err)
{
    struct cf_file_state state;

    for (size_t i = 0; i < c->n; i++)
        if (same_bytes(c->copy[i].from, c->copy[i].to))
            c->copy[i].there = true;
        else if (cf_file_state(c->copy[i].to, &state) == 0)
            return cf_fail(err, CF_EIO,
                           "%s: is there already: copy to another folder, or over it with --force",
                           c->copy[i].to);
    return CF_OK;
}

/* The folders of a path below its first `end` bytes, and that of those. */
static int make_folders(const char *path, size_t end, struct cf_error *err)
{
    char *copy = strdup(path);
    int code = 0;

    if (!copy)
        return cf_fail(err, CF_ENOMEM, "no memory for a path");
    for (char *slash = strchr(copy + end, '/'); slash && !code; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        code = *copy ? cf_folder_make(copy) : 0;
        *slash = '/';
    }
    free(copy);
    return code ? cf_fail(err, CF_EIO, "%s: no folder can be made for it: %s", path, strerror(code))
                : CF_OK;
}

static int copy_file(const struct cf_copy *c, struct cf_outputs *outputs, struct cf_error *err)
{
    char bytes[1 << 14];
    size_t n = 0, size;
    int file, code, status = cf_file_begin(c->from, &file, &size, err);

    if (status)
        return status;
    struct cf_output *out = cf_output_open(outputs, c->to, err);
    do {
        code = out ? cf_file_read_some(file, bytes, sizeof bytes, &n) : 0;
        if (out && !code)
            fwrite(bytes, 1, n, cf_output_stream(out));
    } while (out && !code && n > 0);
    cf_file_close(file);
    if (!out)
        return CF_EIO;
    if (!code)
        return cf_output_commit(out, err);
    cf_output_discard(out);
    return cf_fail(err, CF_EIO, "%s: cannot be read: %s", c->from, strerror(code));
}

int cf_copies_write(struct cf_copies *c, const struct cf_arguments *args, const char *folder,
                    struct cf_error *err)
{
    int status = cf_flag(args, "force") ? CF_OK : check_free(c, err);

    for (size_t i = 0; i < c->n && !status; i++) {
        if (c->copy[i].there)
            continue;
        status = make_folders(c->copy[i].to, strlen(folder), err);
        if (!status)
            status = copy_file(&c->copy[i], args->outputs, err);
        if (!status && !cf_flag(args, "quiet"))
            cf_message("wrote %s", c->copy[i].to);
    }
    return status;
}
