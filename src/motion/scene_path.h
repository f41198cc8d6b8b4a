/* A number of a scene file: what it moves in the scene, found by comparing.
 *
 * One number of a file may move several of the scene: the stiffness of a contact of four corners
 * moves four, a mass the moments of inertia, too. Scenes that were read with several values of it
 * say which, and how far: so every key can be freed, aliases included, that the scene follows along
 * a straight line and by which derivatives are taken.
 */

#ifndef CF_MOTION_SCENE_PATH_H
#define CF_MOTION_SCENE_PATH_H

#include "motion/numbers.h"

struct cf_scene_move {
    size_t number; /* in cf_scene_numbers */
    double slope;
};

struct cf_scene_turn {
    size_t body;
    double
        axis[3]; /* of the world; as long as the angle [rad] for each unit of the file's number */
};

/* Derivatives by the file's number are the sum of slope times the derivative by wrt. */
struct cf_scene_reach {
    struct cf_wrt wrt;
    double slope;
};

struct cf_scene_path {
    double value; /* in the file, SI */
    size_t nmove, nturn, nreach;
    struct cf_scene_move *move;
    struct cf_scene_turn *turn;
    struct cf_scene_reach *reach;
};

/* scene[i] has been read with the number at x[i], x[0] being that of the file. CF_EINPUT where it
 * moves nothing, where the scene does not follow it along a straight line, or where it moves what
 * derivatives are not taken by: the message says which, without the number's name. *path is to be
 * cleared, also after a failure. */
enum { CF_PATH_SCENES = 3 };
int cf_scene_path_make(struct cf_scene_path *path, struct cf_scene *const scene[CF_PATH_SCENES],
                       const double x[CF_PATH_SCENES], struct cf_error *err);
void cf_scene_path_clear(struct cf_scene_path *path);

/* Move the numbers of a scene to where the file's number has this value, and its bodies. The scene
 * is one as the file says, or moved by other paths. */
void cf_scene_path_put(const struct cf_scene_path *path, const struct cf_scene_numbers *numbers,
                       struct cf_scene *scene, double value);

/* About how large such a number is: what it moves, each by its own size. */
double cf_scene_path_size(const struct cf_scene_path *path, const struct cf_scene *scene);

/* The number that it moves alone and as its own, or NULL: a parameter of a law, a mass. */
const struct cf_scene_number *cf_scene_path_alone(const struct cf_scene_path *path,
                                                  const struct cf_scene_numbers *numbers);

#endif
