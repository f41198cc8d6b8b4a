#define _POSIX_C_SOURCE 200809L

#include "scratch.h"

#include <stdlib.h>
#include <unistd.h>

static void bail_out(const char *path)
{
    printf("Bail out! cannot write %s\n", path);
    exit(99);
}

FILE *scratch_create(const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file)
        bail_out(path);
    return file;
}

void scratch_open(struct scratch *scratch, const char *name)
{
    snprintf(scratch->folder, sizeof scratch->folder, "/tmp/contactfit-test-XXXXXX");
    if (!mkdtemp(scratch->folder))
        bail_out(scratch->folder);
    snprintf(scratch->file, sizeof scratch->file, "%s/%.30s", scratch->folder, name);
    snprintf(scratch->table, sizeof scratch->table, "%s/table.csv", scratch->folder);
}

void scratch_write(const char *path, const char *text)
{
    FILE *out = fopen(path, "wb");

    if (!out || fputs(text, out) < 0 || fclose(out))
        bail_out(path);
}

void scratch_close(const struct scratch *scratch)
{
    unlink(scratch->file);
    unlink(scratch->table);
    rmdir(scratch->folder);
}
