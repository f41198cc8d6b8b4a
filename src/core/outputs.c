/* What a command reads and writes. Files are the same where device and inode are; one that is not
 * there yet is known by its folder and its name. */

#define _POSIX_C_SOURCE 200809L

#include "core/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "core/list.h"

/* Where a file says that we wrote it: in its first bytes or, of formats that have no place for it
 * there, in its last. */
static const char mark[] = "contactfit";
enum { HEAD = 4096, TAIL = 1024 };

struct input {
    unsigned long long device, inode;
};

struct place {
    unsigned long long device, inode; /* of the folder */
    char *name;                       /* NULL: given up */
};

struct cf_outputs {
    FILE *console; /* NULL: "-" is a file like others */
    bool force;
    size_t ninput, noutput;
    struct input *input;
    struct place *output;
};

struct cf_outputs *cf_outputs_alloc(bool force)
{
    struct cf_outputs *o = calloc(1, sizeof *o);
    if (o)
        o->force = force;
    return o;
}

void cf_outputs_free(struct cf_outputs *o)
{
    for (size_t i = 0; o && i < o->noutput; i++)
        free(o->output[i].name);
    if (o) {
        free(o->input);
        free(o->output);
    }
    free(o);
}

int cf_outputs_protect(struct cf_outputs *o, const char *path, struct cf_error *err)
{
    struct cf_file_state state;
    struct input *longer;

    if (cf_file_state(path, &state) || state.kind != CF_FILE_REGULAR)
        return CF_OK;
    longer = cf_list_grow(o->input, o->ninput, sizeof *longer);
    if (!longer)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    o->input = longer;
    longer[o->ninput++] = (struct input){state.device, state.inode};
    return CF_OK;
}

int cf_outputs_protect_all(struct cf_outputs *o, const struct cf_paths *paths, struct cf_error *err)
{
    int status = CF_OK;
    for (size_t i = 0; i < paths->n && !status; i++)
        status = cf_outputs_protect(o, paths->path[i], err);
    return status;
}

static bool has_mark(const char *bytes, size_t size)
{
    size_t n = strlen(mark);

    for (size_t i = 0; i + n <= size; i++)
        if (memcmp(bytes + i, mark, n) == 0)
            return true;
    return false;
}

/* Did we write this file? An empty one is nobody's. Returns 0 or an errno. */
static int is_ours(const char *path, unsigned long long size, bool *ours)
{
    char bytes[HEAD];
    size_t n = 0;
    int file, code = cf_file_open(path, &file);

    if (code)
        return code;
    code = cf_file_read_at(file, 0, bytes, HEAD, &n);
    *ours = size == 0 || has_mark(bytes, n);
    if (!code && !*ours && size > HEAD) {
        code = cf_file_read_at(file, size - TAIL, bytes, TAIL, &n);
        *ours = has_mark(bytes, n);
    }
    cf_file_close(file);
    return code;
}

/* A file that is there already. */
static int check_existing(const struct cf_outputs *o, const char *path,
                          const struct cf_file_state *state, struct cf_error *err)
{
    bool ours = true;

    for (size_t i = 0; i < o->ninput; i++)
        if (o->input[i].device == state->device && o->input[i].inode == state->inode)
            return cf_fail(err, CF_EUSAGE, "%s: is read by this command: write to another file",
                           path);
    if (o->force)
        return CF_OK;
    int code = is_ours(path, state->size, &ours);
    if (code)
        return cf_fail(err, CF_EIO, "%s: cannot be read: %s", path, strerror(code));
    return ours ? CF_OK
                : cf_fail(err, CF_EIO,
                          "%s: is there already, and not written by contactfit: write to another "
                          "file, or over this one with --force",
                          path);
}

int cf_outputs_enter(struct cf_outputs *o, const char *path, const char *target,
                     const struct cf_file_state *folder, size_t *place, struct cf_error *err)
{
    const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
    struct cf_file_state state;
    struct place *longer;
    bool console = cf_outputs_stream(o, path) != NULL;
    int status =
        console || cf_file_state(path, &state) ? CF_OK : check_existing(o, path, &state, err);

    for (size_t i = 0; i < o->noutput && !status; i++)
        if (o->output[i].name && strcmp(o->output[i].name, name) == 0 &&
            o->output[i].device == folder->device && o->output[i].inode == folder->inode)
            status =
                cf_fail(err, CF_EUSAGE,
                        "%s: is written by this command already: another name is wanted", path);
    if (status)
        return status;
    longer = cf_list_grow(o->output, o->noutput, sizeof *longer);
    if (longer)
        o->output = longer;
    char *copy = longer ? strdup(name) : NULL;
    if (!copy)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    *place = o->noutput++;
    longer[*place] = (struct place){folder->device, folder->inode, copy};
    return CF_OK;
}

void cf_outputs_leave(struct cf_outputs *o, size_t place)
{
    free(o->output[place].name);
    o->output[place].name = NULL;
}

void cf_outputs_set_console(struct cf_outputs *o, FILE *console)
{
    o->console = console;
}

FILE *cf_outputs_stream(const struct cf_outputs *o, const char *path)
{
    return o && strcmp(path, "-") == 0 ? o->console : NULL;
}

/* No folder has device and inode 0. */
bool cf_outputs_console(const struct cf_outputs *o)
{
    for (size_t i = 0; o && i < o->noutput; i++)
        if (o->output[i].name && strcmp(o->output[i].name, "-") == 0 && o->output[i].inode == 0)
            return true;
    return false;
}
