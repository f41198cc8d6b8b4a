/* A scene's results over time as a table of named columns, for files and figures.
 *
 * The first column is time_s, then come bodies that move, the links' angles, contacts, energies;
 * every name ends in its unit: ball_x_m, ball_vx_m_s, ball_qw, ball_wx_rad_s, upper_angle_rad,
 * ball-ground_depth_m, ball-ground_normal_N, energy_kinetic_J, energy_residual_J.
 */

#ifndef CF_SCENE_TRACE_COLUMNS_H
#define CF_SCENE_TRACE_COLUMNS_H

#include "motion/motion.h"

/* Which number of a snapshot: a group of one body, link, contact, or none, and which of its axes.
 */
struct cf_scene_column {
    char *name;
    int group; /* of table.c */
    size_t index;
    int axis;
    const char *of;   /* the body, link or contact, of the scene; "" for none */
    const char *part; /* "x", or which energy; NULL for a number that stands alone */
};

/* What the numbers of a column are, for axes of figures. */
struct cf_scene_quantity {
    const char *words, *symbol; /* "velocity", "v"; a symbol may be NULL */
    const char *unit;           /* SI; "1" for a pure number */
    bool vector;                /* along the axes of the world: three columns beside each other */
};

struct cf_scene_table {
    size_t n;
    struct cf_scene_column *column;
};

/* NULL: no memory. */
struct cf_scene_table *cf_scene_table_make(const struct cf_scene *scene, struct cf_error *err);
void cf_scene_table_free(struct cf_scene_table *table);

/* Column of a name, or table->n. */
size_t cf_scene_table_find(const struct cf_scene_table *table, const char *name);

/* First of the three columns of a vector by its name without the axis, "ball_v_m_s",
 * "ball-ground_friction_N"; or table->n. */
size_t cf_scene_table_vector(const struct cf_scene_table *table, const char *name);

/* First of the columns of the attitude of a body, by the name of its tilt, "ball_tilt_rad": the
 * angle from the world's z axis to the body's, of 0 to pi, which is no column itself; or table->n.
 */
size_t cf_scene_table_tilt(const struct cf_scene_table *table, const char *name);
extern const struct cf_scene_quantity cf_scene_tilt;

/* [rad]; of the four numbers of an attitude, of any length but 0. */
double cf_scene_tilt_rad(const double attitude[4]);

/* The number of a motion that a column shows; false: it is a time or an energy. */
bool cf_scene_column_channel(const struct cf_scene_column *column,
                             struct cf_motion_channel *channel);

const struct cf_scene_quantity *cf_scene_quantity_of(const struct cf_scene_column *column);

/* One row; NAN where there is no such number at this time (the dwell of a contact that is open).
 * start_J: cf_scene_energy() of the first snapshot, which energy_residual_J counts from. */
void cf_scene_table_row(const struct cf_scene_table *table, const struct cf_snapshot *at,
                        double start_J, double row[]);

/* The number of one column of such a row. */
double cf_scene_table_number(const struct cf_scene_table *table, size_t column,
                             const struct cf_snapshot *at, double start_J);

/* The contact that a column is of, or SIZE_MAX. */
size_t cf_scene_column_pair(const struct cf_scene_column *column);

/* Stored and lost energy, less the work that was put in: it is constant. */
double cf_scene_energy(const double energy_J[CF_NENERGY]);

#endif
