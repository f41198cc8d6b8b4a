/* What a command reads and writes. Files are the same where device and inode are; one that is not
 * there yet is known by its folder and its name. */

#define _POSIX_C_SOURCE 200809L

#include "core/outputs.h"

#include <errno.h>
#include <sha256.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"

/* How a file says that we wrote it, and nothing else that people write does: its first line or its
 * last is a comment, and nothing but the mark. A table without comments has it in its last cell. */
struct form {
    const char *before, *behind;
};
static const struct form first_line = {"# ", "\n"};
static const struct form last_line[] = {
    {"\n# ", "\n"}, {"\n// ", "\n"}, {"\n% ", "\n"}, {"\n<!-- ", " -->\n"}, {",", "\n"}};

/* JSON has no comments: its first member says which document it is. Studies, scenes and figure
 * files, which people write and YAML allows to write so, are none of these. */
static const char document[] = "\"contactfit\": \"";
static const char *const kind[] = {"fit/", "material/", "chrono-json/"};

/* A PNG has it in its last chunk but one: before the CRC of that, and the chunk IEND. */
static const char png[] = "\x89PNG";
enum { PNG_END = 16 };

/* Bytes that are looked at, at each end. */
enum { END = 64 };

struct input {
    unsigned long long device, inode;
    const char *why; /* it is not written over */
};

struct content {
    char sha256[65];
};

static const char is_read[] = "is read by this command", is_source[] = "a fit was made from it";

struct place {
    unsigned long long device, inode; /* of the folder */
    char *name;                       /* NULL: given up */
};

struct cf_outputs {
    FILE *console; /* NULL: "-" is a file like others */
    bool force;
    size_t ninput, ncontent, noutput;
    struct input *input;
    struct content *content;
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
        free(o->content);
        free(o->output);
    }
    free(o);
}

static int protect(struct cf_outputs *o, const char *path, const char *why, struct cf_error *err)
{
    struct cf_file_state state;
    struct input *longer;

    if (cf_file_state(path, &state) || state.kind != CF_FILE_REGULAR)
        return CF_OK;
    longer = cf_list_grow(o->input, o->ninput, sizeof *longer);
    if (!longer)
        return cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
    o->input = longer;
    longer[o->ninput++] = (struct input){state.device, state.inode, why};
    return CF_OK;
}

int cf_outputs_protect(struct cf_outputs *o, const char *path, struct cf_error *err)
{
    return protect(o, path, is_read, err);
}

int cf_outputs_protect_source(struct cf_outputs *o, const char *path, struct cf_error *err)
{
    return protect(o, path, is_source, err);
}

int cf_outputs_protect_content(struct cf_outputs *o, const char *sha256, struct cf_error *err)
{
    struct content *longer = cf_list_grow(o->content, o->ncontent, sizeof *longer);

    if (!longer)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    o->content = longer;
    snprintf(longer[o->ncontent].sha256, sizeof longer->sha256, "%s", sha256);
    o->ncontent += *sha256 != '\0';
    return CF_OK;
}

int cf_outputs_protect_all(struct cf_outputs *o, const struct cf_paths *paths, struct cf_error *err)
{
    int status = CF_OK;
    for (size_t i = 0; i < paths->n && !status; i++)
        status = cf_outputs_protect(o, paths->path[i], err);
    return status;
}

static bool is_at(const char *bytes, size_t size, size_t at, const char *wanted)
{
    size_t n = strlen(wanted);
    return at <= size && n <= size - at && memcmp(bytes + at, wanted, n) == 0;
}

/* Do the bytes begin so, at `at`? */
static bool has_form(const char *bytes, size_t size, size_t at, const struct form *form)
{
    size_t mark = at + strlen(form->before), behind = mark + strlen(CF_OUTPUT_MARK);

    return is_at(bytes, size, at, form->before) && is_at(bytes, size, mark, CF_OUTPUT_MARK) &&
           is_at(bytes, size, behind, form->behind);
}

static bool is_document(const char *bytes, size_t size)
{
    size_t at = 1;

    while (at < size && (bytes[at] == ' ' || bytes[at] == '\n'))
        at++;
    if (!is_at(bytes, size, 0, "{") || !is_at(bytes, size, at, document))
        return false;
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        if (is_at(bytes, size, at + strlen(document), kind[i]))
            return true;
    return false;
}

static bool begins_as_ours(const char *bytes, size_t size)
{
    return has_form(bytes, size, 0, &first_line) || is_document(bytes, size);
}

static bool ends_as_ours(const char *bytes, size_t size, bool image)
{
    size_t n = strlen(CF_OUTPUT_MARK);

    if (image)
        return size >= n + PNG_END && is_at(bytes, size, size - PNG_END - n, CF_OUTPUT_MARK);
    for (size_t i = 0; i < sizeof last_line / sizeof *last_line; i++) {
        size_t whole = n + strlen(last_line[i].before) + strlen(last_line[i].behind);
        if (size >= whole && has_form(bytes, size, size - whole, &last_line[i]))
            return true;
    }
    return false;
}

/* Did we write this file? An empty one is nobody's. Returns 0 or an errno. */
static int is_ours(const char *path, unsigned long long size, bool *ours)
{
    char first[END], last[END];
    size_t nfirst = 0, nlast = 0;
    int file, code = cf_file_open(path, &file);

    if (code)
        return code;
    code = cf_file_read_at(file, 0, first, END, &nfirst);
    if (!code)
        code = cf_file_read_at(file, size > END ? size - END : 0, last, END, &nlast);
    *ours = size == 0 || begins_as_ours(first, nfirst) ||
            ends_as_ours(last, nlast, is_at(first, nfirst, 0, png));
    cf_file_close(file);
    return code;
}

/* Why a file that is there must stay; *why NULL: no reason. Returns 0 or an errno. */
static int find_reason(const struct cf_outputs *o, const char *path,
                       const struct cf_file_state *state, const char **why)
{
    char sha256[65];

    *why = NULL;
    for (size_t i = 0; i < o->ninput && !*why; i++)
        if (o->input[i].device == state->device && o->input[i].inode == state->inode)
            *why = o->input[i].why;
    if (*why || o->ncontent == 0 || state->size == 0)
        return 0;
    if (!SHA256File(path, sha256))
        return errno;
    for (size_t i = 0; i < o->ncontent; i++)
        if (strcmp(o->content[i].sha256, sha256) == 0)
            *why = is_source;
    return 0;
}

/* A file that is there already. */
static int check_existing(const struct cf_outputs *o, const char *path,
                          const struct cf_file_state *state, struct cf_error *err)
{
    const char *why;
    bool ours = true;
    int code = find_reason(o, path, state, &why);

    if (why)
        return cf_fail(err, CF_EUSAGE, "%s: %s: write to another file", path, why);
    if (!code && !o->force)
        code = is_ours(path, state->size, &ours);
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
