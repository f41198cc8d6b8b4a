/* Figures of a scene: the key `figures` of its file, and their numbers.
 *
 * A run is sampled far more densely than a figure shows, and at every event, so that loops are
 * smooth and corners sharp; the drawing omits what cannot be seen.
 */

#ifndef CF_FIGURE_FIGURE_H
#define CF_FIGURE_FIGURE_H

#include "scene/scene_file.h"
#include "scene/trace_columns.h"

enum cf_scene_figure_kind {
    CF_SCENE_SERIES,   /* columns over time */
    CF_SCENE_PATH,     /* columns over a column */
    CF_SCENE_PATH3D,   /* path of a body, in space and on the ground */
    CF_SCENE_ENERGY,   /* the energy balance over time */
    CF_SCENE_SWEEP,    /* a result of many runs over the varied value */
    CF_SCENE_VARIANTS, /* columns over time of variants of the scene */
    CF_SCENE_BODIES,   /* the bodies to scale, at some of the times */
    CF_SCENE_NKIND
};

struct cf_scene_kind {
    const char *name, *what; /* "series": value of the key `kind`; one line for help */
};
extern const struct cf_scene_kind cf_scene_kinds[CF_SCENE_NKIND];

enum { CF_SCENE_MAX_PANEL = 4, CF_SCENE_MAX_CURVE = 8, CF_SCENE_MAX_TERM = 16 };
_Static_assert((int) CF_NENERGY <= (int) CF_SCENE_MAX_TERM, "the total adds up all energies");

enum cf_scene_part { CF_PART_NUMBER, CF_PART_LENGTH, CF_PART_TILT };

/* A part of a curve's sum: a column, the length of the vector that begins there, or the tilt of the
 * attitude that does. */
struct cf_scene_term {
    size_t column;
    enum cf_scene_part part;
    double weight;
};

struct cf_scene_curve {
    const char *as; /* words for the key: letters, digits, blanks, marks; NULL: by its columns */
    size_t nterm;
    struct cf_scene_term term[CF_SCENE_MAX_TERM];
    double less;  /* what is taken from the sum, SI */
    double value; /* the value of a sweep's line, in its unit */
    double *y;    /* cf_scene_curve_rows() of them, SI; NAN where there is no number */
};

/* The quantity on an axis. */
struct cf_scene_axis {
    const struct cf_scene_quantity *quantity; /* NULL: a pure number, named by `as` */
    const char *as;                           /* words in place of the quantity's; NULL */
    const char *unit; /* to be shown in, known to units.h; NULL: SI with a prefix that fits */
    double factor;    /* SI over that unit */
    double from, to;  /* range to be shown, SI; NAN: all */
};

struct cf_scene_panel {
    struct cf_scene_axis axis;
    size_t ncurve;
    struct cf_scene_curve curve[CF_SCENE_MAX_CURVE];
};

/* Values given to keys of the scene, all of them the same one. */
struct cf_scene_variation {
    const char *as; /* safe words for it */
    size_t nset;
    const char **set; /* paths */
    const char *unit; /* "" for none */
    size_t n;
    double *value; /* in that unit */
};

/* The scene with other values for some of its keys: curve i of each panel is of variant i. */
struct cf_scene_variant {
    const char *as;            /* safe words for it */
    const struct cf_yaml *set; /* of cf_scene_read_varied(); NULL: the scene as it is */
    size_t n;
    double *time_s; /* n: of its rows */
};

/* Where a body is, as struct cf_rigid says. */
struct cf_scene_pose {
    double position_m[3], attitude[4];
};

struct cf_scene_figure {
    const char *name;         /* "heights": letters, digits, "_", "-" */
    const char *source;       /* "Fig. 8"; NULL */
    const char *what;         /* one line; NULL */
    const struct cf_yaml *at; /* its place in the file; NULL: the file does not ask for it */
    enum cf_scene_figure_kind kind;
    double from_s, to_s;
    bool equal;         /* a length is as long on both axes */
    bool start;         /* a mark where the path begins */
    double frame[3][3]; /* rows: axes of the figure, in the world */
    struct cf_scene_curve x;
    struct cf_scene_axis x_axis;
    size_t npanel;
    struct cf_scene_panel *panel;
    struct cf_scene_variation over, lines; /* of a sweep */
    size_t result;                         /* of a sweep, sweep.c */
    size_t nvariant;
    struct cf_scene_variant *variant;
    double from[3];             /* of bodies: from where they are seen; 0: chosen */
    size_t ntime;               /* when they are drawn, in order; 0: chosen */
    double *time_s;             /* ntime */
    struct cf_scene_pose *pose; /* n times all of the scene's bodies, at samples alone */
    size_t n, room;             /* rows of x and of every y, but for variants */
};

/* One touch, for the list of them. */
struct cf_scene_touch {
    size_t pair;
    double made_s, made_m_s, lost_s, lost_m_s; /* NAN: not lost any more */
};

struct cf_scene_figures {
    const struct cf_scene_file *file;
    struct cf_scene_table *table;
    size_t n;
    struct cf_scene_figure *figure;
    struct cf_motion_result result; /* of the whole scene, by cf_scene_figures_run() */
    double start_J[CF_NENERGY];
    size_t ntouch, room;
    struct cf_scene_touch *touch;
};

/* The figures that a scene's file asks for; messages as cf_scene_read() gives them. Where it asks
 * for none of its bodies, and there are some that move and have an extent, the first one is that of
 * the whole scene, called "bodies", unless another has the name. `file` must outlive it. NULL on
 * failure. */
struct cf_scene_figures *cf_scene_figures_read(const struct cf_scene_file *file,
                                               struct cf_error *err);
void cf_scene_figures_free(struct cf_scene_figures *figures);

/* Index of a name, or n. */
size_t cf_scene_figures_find(const struct cf_scene_figures *figures, const char *name);

/* Run the scene and fill the figures, or one of them where only < n. */
int cf_scene_figures_run(struct cf_scene_figures *figures, size_t only, struct cf_error *err);

/* How many rows a curve of a filled figure has, and their x: variants have times of their own. */
size_t cf_scene_curve_rows(const struct cf_scene_figure *figure, size_t curve, const double **x);

/* What a part is. */
const struct cf_scene_quantity *cf_scene_term_quantity(const struct cf_scene_table *table,
                                                       const struct cf_scene_term *term);

/* Words of a sweep's result. */
const char *cf_scene_result_words(const struct cf_scene_figure *figure);

#endif
