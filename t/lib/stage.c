#include "stage.h"
#include "scratch.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OVERRIDES = 16 };

static void keep(struct stage *stage, struct stage_event *to, const struct cf_snapshot *at)
{
    const struct cf_scene *scene = &stage->file->scene;

    to->time_s = at->time_s;
    to->body = at->body[stage->follow];
    if (scene->npair > 0)
        to->contact = at->contact[to->index < scene->npair ? to->index : 0];
    memcpy(to->energy_J, at->energy_J, sizeof to->energy_J);
    for (size_t i = 0; i < scene->chain.nlink && i < 2; i++) {
        to->angle_rad[i] = at->angle_rad[i];
        to->rate_rad_s[i] = at->rate_rad_s[i];
    }
}

static void on_event(void *observer, enum cf_motion_event what, size_t index,
                     const struct cf_snapshot *at)
{
    struct stage *stage = observer;

    if (stage->n == stage->room) {
        size_t room = 2 * stage->room + 64;
        struct stage_event *event = realloc(stage->event, room * sizeof *event);
        if (!event)
            return;
        stage->event = event;
        stage->room = room;
    }
    struct stage_event *to = &stage->event[stage->n++];
    *to = (struct stage_event){.what = what, .index = index};
    keep(stage, to, at);
}

static void sampled(void *observer, const struct cf_snapshot *at)
{
    struct stage *stage = observer;

    keep(stage, &stage->end, at);
    memcpy(stage->last, at->body, stage->file->scene.nbody * sizeof *stage->last);
    if (stage->sample)
        stage->sample(stage->observer, at);
}

static void read_scene(struct stage *stage, const char *path, const char *const overrides[])
{
    struct cf_override override[MOST_OVERRIDES];
    size_t n = 0;

    *stage = (struct stage){.status = CF_EINPUT};
    for (; overrides && overrides[2 * n]; n++)
        override[n] = (struct cf_override){overrides[2 * n], overrides[2 * n + 1]};
    stage->file = cf_scene_read(path, override, n, &stage->err);
    if (!stage->file) {
        printf("# %s\n", stage->err.text);
        return;
    }
    const struct cf_scene *scene = &stage->file->scene;
    stage->options = stage->file->options;
    stage->last = calloc(scene->nbody, sizeof *stage->last);
    while (stage->follow < scene->nbody && scene->body[stage->follow].drive == CF_DRIVE_FIXED)
        stage->follow++;
    if (stage->follow == scene->nbody)
        stage->follow = 0;
}

void stage_open(struct stage *stage, const char *name, const char *const overrides[])
{
    const char *srcdir = getenv("srcdir");
    char path[512];

    snprintf(path, sizeof path, "%s/scenes/%s.yaml", srcdir ? srcdir : ".", name);
    read_scene(stage, path, overrides);
}

void stage_write(struct stage *stage, const char *name, const char *text, ...)
{
    char path[256];
    FILE *file;
    va_list args;

    snprintf(path, sizeof path, "tmp/%s.yaml", name);
    va_start(args, text);
    file = scratch_create(path);
    fprintf(file, "contactfit: scene/1\n%s",
            strncmp(text, "gravity", 7) == 0 ? "" : "gravity: 9.81 m/s^2\n");
    vfprintf(file, text, args);
    fclose(file);
    va_end(args);
    read_scene(stage, path, NULL);
}

bool stage_run(struct stage *stage)
{
    if (!stage->file || !stage->last)
        return false;
    stage->n = 0;
    stage->options.sample = sampled;
    stage->options.on_event = on_event;
    stage->options.observer = stage;
    stage->status =
        cf_motion_run(&stage->file->scene, &stage->options, &stage->result, &stage->err);
    if (stage->status)
        printf("# %s\n", stage->err.text);
    return stage->status == CF_OK;
}

const struct stage_event *stage_find(const struct stage *stage, enum cf_motion_event what, size_t n)
{
    for (size_t i = 0; i < stage->n; i++)
        if (stage->event[i].what == what && n-- == 0)
            return &stage->event[i];
    return NULL;
}

double stage_off(const struct stage *stage)
{
    double most = 0;

    for (int span = 0; span < CF_NSPAN; span++)
        most = fmax(most, cf_balance_part(&stage->result.balance[span][CF_CONSERVED_ENERGY]));
    return most;
}

void stage_close(struct stage *stage)
{
    cf_scene_file_free(stage->file);
    free(stage->event);
    free(stage->last);
}

int stage_table(const char *name, const char *begins, size_t columns, size_t most, double cell[])
{
    const char *srcdir = getenv("srcdir");
    char line[1024];
    size_t n = 0;
    FILE *file;

    snprintf(line, sizeof line, "%s/t/reference/%s", srcdir ? srcdir : ".", name);
    file = fopen(line, "r");
    if (!file)
        return -1;
    while (n < most && fgets(line, sizeof line, file)) {
        const char *at = line + strlen(begins);
        if (strncmp(line, begins, strlen(begins)) != 0 || !strchr("-.0123456789", *at))
            continue;
        for (size_t c = 0; c < columns; c++) {
            char *end;
            cell[n * columns + c] = strtod(at, &end);
            if (end == at)
                cell[n * columns + c] = NAN;
            at = end + (*end == ',');
        }
        n++;
    }
    fclose(file);
    return (int) n;
}
