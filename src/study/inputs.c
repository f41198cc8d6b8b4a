/* `inputs` of a data set of a scene: recorded motions that stand over those of the scene, in the
 * data set's own file or in another one, their times those of the record. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/keys.h"
#include "study/parts.h"

static const char before[] = "bodies.", behind[] = ".trace";

/* The body of "bodies.slider.trace", a copy. */
static int read_body(const struct cf_yaml *at, const char **body, struct cf_error *err)
{
    size_t n = strlen(at->key), first = strlen(before), last = strlen(behind);

    if (n <= first + last || strncmp(at->key, before, first) != 0 ||
        strcmp(at->key + n - last, behind) != 0)
        return cf_yaml_fail_key(at, err,
                                "inputs: %.60s: a recorded motion of the scene is wanted, as "
                                "bodies.NAME.trace",
                                at->key);
    *body = cf_format("%.*s", (int) (n - first - last), at->key + first);
    return *body ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for the name of a body");
}

static int read_input(const struct cf_yaml *set, const struct cf_yaml *at,
                      const struct cf_study_reading *reading, struct cf_scene_input *input,
                      struct cf_error *err)
{
    const struct cf_schema_key *const keys = cf_study_input_schema.key;
    const struct cf_yaml *where = cf_yaml_get(set, "where");
    int status = cf_schema_check(at, &cf_study_input_schema, err);

    if (status)
        return status;
    input->node = at;
    input->table = at;
    input->folder = reading->places.folder;
    input->file = cf_yaml_get(at, "file");
    if (input->file)
        return CF_OK;
    input->own = true;
    input->table = set;
    input->file = cf_yaml_get(set, "file");
    if (!input->file)
        return cf_yaml_fail(at, err,
                            "%s: no key file here, and the data set has no single one: state the "
                            "file of the motion",
                            at->key);
    for (size_t i = cf_study_input_schema.nkey; i-- > 8;) {
        const struct cf_yaml *mark = cf_yaml_get(at, keys[i].name);
        if (mark)
            return cf_yaml_fail_key(mark, err,
                                    "%s: of the data set's own file it stands under the data set",
                                    mark->key);
    }
    if (where)
        return cf_yaml_fail(at, err,
                            "%s: where chooses among the rows of the data set's file: name a file "
                            "that has this motion alone",
                            at->key);
    return CF_OK;
}

int cf_source_inputs(const struct cf_yaml *set, const struct cf_study_reading *reading,
                     struct cf_scene_input **input, size_t *n, struct cf_error *err)
{
    const struct cf_yaml *inputs = cf_yaml_get(set, "inputs");
    int status = inputs ? cf_yaml_map(inputs, err) : CF_OK;

    *input = status ? NULL : calloc((inputs ? inputs->n : 0) + 1, sizeof **input);
    if (!status && !*input)
        return cf_fail(err, CF_ENOMEM, "no memory for inputs");
    for (size_t i = 0; inputs && i < inputs->n && !status; i++) {
        const struct cf_yaml *at = &inputs->item[i];
        struct cf_scene_input *in = &(*input)[*n];
        status = read_body(at, &in->body, err);
        if (status)
            return status;
        ++*n;
        status = read_input(set, at, reading, in, err);
    }
    return status;
}

void cf_source_inputs_free(struct cf_scene_input *input, size_t n)
{
    for (size_t i = 0; input && i < n; i++)
        free((char *) input[i].body);
    free(input);
}

/* Fail with the bodies that have a recorded motion. */
static int unknown(const struct cf_scene *scene, const struct cf_yaml *at, const char *body,
                   struct cf_error *err)
{
    const char **known = calloc(scene->nbody + 1, sizeof *known);
    struct cf_yaml key = *at; /* its place */
    size_t n = 0;
    int status;

    if (!known)
        return cf_fail(err, CF_ENOMEM, "no memory for names");
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].trace)
            known[n++] = scene->body[b].name;
    key.line = at->key_line;
    key.column = at->key_column;
    status = cf_yaml_unknown(&key, "body with a trace", body, known, n, err);
    free(known);
    return status;
}

int cf_source_recorded(const struct cf_yaml *set, const struct cf_scene_file *file,
                       size_t **recorded, size_t *n, struct cf_error *err)
{
    const struct cf_yaml *inputs = cf_yaml_get(set, "inputs");
    const struct cf_scene *scene = &file->scene;

    *recorded = calloc(file->ninput + 1, sizeof **recorded);
    if (!*recorded)
        return cf_fail(err, CF_ENOMEM, "no memory for inputs");
    for (size_t i = 0; i < file->ninput; i++) {
        const char *body = file->input[i].body;
        size_t b = 0;
        while (b < scene->nbody && strcmp(scene->body[b].name, body) != 0)
            b++;
        if (b < scene->nbody && !scene->body[b].trace)
            return cf_yaml_fail_key(&inputs->item[i], err,
                                    "inputs: body %.60s of %s has no trace: a recorded motion "
                                    "takes the place of another one",
                                    body, file->path);
        if (b == scene->nbody)
            return unknown(scene, &inputs->item[i], body, err);
        (*recorded)[(*n)++] = b;
    }
    return CF_OK;
}

int cf_source_start(const struct cf_yaml *set, double *start_s, struct cf_error *err)
{
    const struct cf_yaml *apparatus = cf_yaml_get(set, "apparatus");
    const struct cf_yaml *start = apparatus ? cf_yaml_get(apparatus, "start") : NULL;

    *start_s = 0;
    return start ? cf_yaml_quantity(start, "s", start_s, err) : CF_OK;
}

bool cf_is_smoothing(const char *name)
{
    static const char end[] = ".trace.smoothing";
    size_t n = strlen(name);

    return n > strlen(end) && strcmp(name + n - strlen(end), end) == 0;
}

/* The times of the rows that are used. */
static void find_times(const struct cf_dataset *d, double *low, double *high)
{
    *low = (double) INFINITY;
    *high = -(double) INFINITY;
    for (size_t row = 0; row < d->nrow; row++) {
        double t = cf_dataset_value(d, row, d->protocol->clock);
        if (d->use[row] == CF_ROW_EXCLUDED)
            continue;
        *low = fmin(*low, t);
        *high = fmax(*high, t);
    }
}

int cf_source_note_rest(struct cf_study *study, const struct cf_yaml *set,
                        const struct cf_dataset *d, struct cf_error *err)
{
    double low, high, from = 0, to = 0;
    const char *body;
    int status = CF_OK;

    find_times(d, &low, &high);
    for (size_t i = 0; !status && (body = cf_rig_recorded(d, i, &from, &to)) != NULL; i++)
        if (low < from || high > to)
            status = cf_study_note(study, err,
                                   "%s:%zu: the motion of %s is recorded from %.6g s to %.6g s, "
                                   "and the rows go from %.6g s to %.6g s: before and after it it "
                                   "is at rest",
                                   set->file, set->line, body, from, to, low, high);
    return status;
}
