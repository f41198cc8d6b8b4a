/* Scene files: bodies, what they touch, and what drives them, made ready to run. */

#ifndef CF_SCENE_SCENE_FILE_H
#define CF_SCENE_SCENE_FILE_H

#include <stdint.h>

#include "core/paths.h"
#include "motion/motion.h"

struct cf_yaml;

/* "bodies.ball.mass" and "70 g", in place of what the file says there. */
struct cf_override {
    const char *path, *value;
};

/* A recorded motion of a body that stands over the one of its trace. */
struct cf_scene_input {
    const char *body;
    const struct cf_yaml *node;  /* time, x, y, z, scale, offset, smoothing: chosen if left out */
    const struct cf_yaml *table; /* says how the file is cut */
    const struct cf_yaml *file;
    const char *folder; /* that the file's name is relative to, with its slash */
    bool own;           /* the file has the record, too, and so one zero of dates */
};

/* What a sensor would add to a trace: normal scatter of positions and forces; 0: none. Streams
 * depend on the seed alone, so that a scene gives the same table each time. */
struct cf_scene_noise {
    double place_m, force_N;
    uint64_t seed;
};

/* Texts belong to the file's tree, which lives as long as the scene. */
struct cf_scene_file {
    char *path, *name; /* as given; file name without folder and extension */
    char *text;        /* the file, as read */
    char sha256[65];
    struct cf_yaml *root;
    const char *title;            /* the name where the file gives none */
    const char *source, *caption; /* NULL when not given */
    size_t nnote;
    const char **note; /* what the source says, and what this scene shows */
    struct cf_scene scene;
    struct cf_motion_options options; /* of its keys solver and output; every_s 0: not given */
    struct cf_scene_noise noise;
    const struct cf_yaml *relaxation; /* of the first contact that has one; NULL: none has */
    const struct cf_yaml *figures; /* a list of mappings, for the drawing; NULL: none */
    size_t nremark;
    char **remark; /* what was assumed as the file asks, and other remarks for the reader */
    size_t noverride;
    char **override; /* "bodies.ball.mass=70 g" */
    size_t ninput;
    struct cf_scene_input *input; /* what they point to is the caller's */
    struct cf_paths read;         /* recorded motions */
    char **label; /* where messages place what stands in them, "-p bodies.ball.mass" */
};

/* The tolerances that scenes may ask for. */
extern const double cf_scene_least_tolerance, cf_scene_most_tolerance;

/* Read a scene and the traces that it names, relative to its folder; what it returns has passed
 * cf_scene_check(). The message of a failure is "FILE:LINE:COLUMN: what was found: what is
 * allowed", and for an override "-p PATH:LINE:COLUMN: …". NULL on failure. */
struct cf_scene_file *cf_scene_read(const char *path, const struct cf_override override[], size_t n,
                                    struct cf_error *err);

/* With motions that stand over those of the file, whose own are then not read; they outlive the
 * reading of this scene and of its numbers by their paths. One of a body that is not there or has
 * no trace has no effect. */
struct cf_scene_file *cf_scene_read_with(const char *path, const struct cf_override override[],
                                         size_t n, const struct cf_scene_input input[],
                                         size_t ninput, struct cf_error *err);

/* The same scene again, with its overrides and inputs, and with the values of `set`, a mapping of
 * paths, "contacts.1.friction.mu", to what shall stand there; NULL: none. Keys that the file does
 * not have are added. `set` outlives it; messages about its values have their places. */
struct cf_scene_file *cf_scene_read_varied(const struct cf_scene_file *file,
                                           const struct cf_yaml *set, struct cf_error *err);

/* What the file asks for against the steps it is to run in, the scheme of options or those that are
 * chosen by their error: CF_EINPUT, at the key of a relaxation, which only fixed steps have. */
int cf_scene_steps_check(const struct cf_scene_file *file, const struct cf_motion_options *options,
                         struct cf_error *err);

void cf_scene_file_free(struct cf_scene_file *file);

#endif
