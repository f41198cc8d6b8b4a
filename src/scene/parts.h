/* The parts of reading a scene; private to src/scene. Each uses what the parts before it have put
 * into the scene: bodies, chain, contacts, springs. */

#ifndef CF_SCENE_PARTS_H
#define CF_SCENE_PARTS_H

#include "file/yaml.h"
#include "scene/scene_file.h"

/* A scene being read. */
struct cf_scene_reader {
    struct cf_scene_file *file;
    struct cf_scene *scene;      /* of the file */
    char *folder;                /* of the file, with its slash */
    const struct cf_yaml **body; /* nbody: place of each in the file */
    const struct cf_yaml **pair; /* room for `room` of them */
    size_t room;
};

/* n quantities in one unit. */
int cf_scene_vector(const struct cf_yaml *at, const char *unit, size_t n, double v[],
                    struct cf_error *err);

/* {axis:, angle:} as a quaternion. */
int cf_scene_attitude(const struct cf_yaml *node, double attitude[4], struct cf_error *err);

/* A direction, of any length but 0, made a unit vector. */
int cf_scene_direction(const struct cf_yaml *at, double v[3], struct cf_error *err);

/* A name for columns of a table: a letter, then letters, digits, "_" and "-". A copy. */
int cf_scene_name(const struct cf_yaml *at, const char *text, char **name, struct cf_error *err);

/* The first of n things that has the name of one before it, and that one; both n: all differ.
 * CF_ENOMEM. */
int cf_scene_twin(const char *(*name)(const void *things, size_t i), const void *things, size_t n,
                  size_t *first, size_t *second, struct cf_error *err);

/* Add a remark for the reader. */
int cf_scene_remark(struct cf_scene_file *file, struct cf_error *err, const char *format, ...)
    __attribute__((__format__(printf, 3, 4)));

/* Points of a number over time, in newtons, from two lists that are as long. */
int cf_scene_course(const struct cf_yaml *times, const struct cf_yaml *values,
                    struct cf_course *course, struct cf_error *err);

int cf_scene_bodies(struct cf_scene_reader *r, const struct cf_yaml *root, struct cf_error *err);
int cf_scene_contacts(struct cf_scene_reader *r, const struct cf_yaml *root, struct cf_error *err);
int cf_scene_springs(struct cf_scene_reader *r, const struct cf_yaml *root, struct cf_error *err);
int cf_scene_forces(struct cf_scene_reader *r, const struct cf_yaml *root, struct cf_error *err);
int cf_scene_solver(struct cf_scene_file *file, const struct cf_yaml *root, struct cf_error *err);

/* ---- bodies that are many: how many, what each is called, and where each of them is */

/* What one entry of `bodies` stands for. */
struct cf_scene_many {
    size_t n;
    int digits;         /* of the numbers in their names, which sort so; 0: one body, no number */
    double (*place)[3]; /* n; NULL: one body, whose place is its own matter */
    const struct cf_yaml *at; /* where the places stand */
};

/* How many: those of the key count, or 1. */
int cf_scene_count(const struct cf_yaml *node, size_t *n, struct cf_error *err);

/* Its keys count, lattice and places. To be cleared, also after a failure. */
int cf_scene_many(const struct cf_yaml *node, struct cf_scene_many *many, struct cf_error *err);
void cf_scene_many_clear(struct cf_scene_many *many);

/* "ball07" of 30; a copy, NULL where there is no memory. */
char *cf_scene_many_name(const struct cf_scene_many *many, const char *key, size_t k);

/* ---- the shapes and motion of a body */

/* What a body is made of: balls and solids; and its inertia where its shape gives it. */
struct cf_scene_shape {
    bool centred; /* one sphere, or cell that is one, about the mass centre, of radius_m > 0 */
    double radius_m;
    bool box; /* a box of these sides */
    double side_m[3];
};
enum { CF_SCENE_SHAPE_KEYS = 25 };
size_t cf_scene_shape_keys(const char *known[CF_SCENE_SHAPE_KEYS]);
int cf_scene_shapes(const struct cf_yaml *node, struct cf_rigid *body, struct cf_scene_shape *shape,
                    struct cf_error *err);

/* Cells of a body: a list of forms with their sizes and places. */
int cf_scene_cells(const struct cf_yaml *list, struct cf_rigid *body, struct cf_scene_shape *shape,
                   struct cf_error *err);

/* One more ball of a body; NULL: no memory. */
struct cf_ball *cf_scene_add_ball(struct cf_rigid *body);

/* Drives of a body: the keys fixed, moving, trace, command. */
int cf_scene_drive(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_rigid *body,
                   struct cf_error *err);

/* A recorded motion: the key trace, or what stands over it. */
int cf_scene_recorded(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_rigid *body,
                      struct cf_error *err);

/* The links of a chain, as bodies after the others. */
int cf_scene_chain(struct cf_scene_reader *r, const struct cf_yaml *node, struct cf_error *err);

/* The body of a name, by its index. */
int cf_scene_find_body(const struct cf_scene_reader *r, const struct cf_yaml *at, size_t *body,
                       struct cf_error *err);

/* ---- contacts */

enum { CF_SCENE_MOST_PAIRS = 1 << 17 }; /* 512 balls, each with each; 2.5 kB each while it runs */

struct cf_scene_pattern; /* an entry with a pattern that was read */

struct cf_scene_pairs {
    size_t n; /* those of the latest entry */
    size_t (*body)[2];
    size_t nclaimed; /* those of entries without a pattern, lower body first, sorted */
    size_t (*claimed)[2];
    size_t npattern;
    struct cf_scene_pattern *pattern;
};

/* Which pairs the entries without a pattern name. To be cleared, also after a failure. */
int cf_scene_pairs_make(struct cf_scene_pairs *pairs, const struct cf_scene_reader *r,
                        const struct cf_yaml *contacts, struct cf_error *err);
void cf_scene_pairs_clear(struct cf_scene_pairs *pairs);

/* Has the entry a pattern? */
bool cf_scene_pairs_many(const struct cf_yaml *node);

/* Those of an entry, in pairs->body, by its `between`: two bodies, or where one is a pattern all
 * pairs but those of entries without one. */
int cf_scene_pairs_of(struct cf_scene_pairs *pairs, struct cf_scene_reader *r,
                      const struct cf_yaml *node, struct cf_error *err);

/* Normal law and friction of a contact, whose bodies, ball and solid are known. */
int cf_scene_normal(struct cf_scene_reader *r, const struct cf_yaml *node,
                    struct cf_contact_pair *pair, struct cf_error *err);
int cf_scene_foundation(struct cf_scene_reader *r, const struct cf_yaml *node,
                        struct cf_contact_pair *pair, struct cf_error *err);
/* A remark on what of a foundation is each body's, once its friction is known. */
int cf_scene_shares(struct cf_scene_reader *r, const struct cf_yaml *node,
                    const struct cf_contact_pair *pair, struct cf_error *err);
int cf_scene_friction(struct cf_scene_reader *r, const struct cf_yaml *node,
                      struct cf_contact_pair *pair, struct cf_error *err);

#endif
