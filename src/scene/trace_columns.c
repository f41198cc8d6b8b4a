/* The columns of a scene. */

#define _POSIX_C_SOURCE 200809L

#include "scene/trace_columns.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "law/patch.h"

/* Adjacent numbers of a snapshot. */
enum group {
    TIME,
    PLACE,
    VELOCITY,
    ATTITUDE,
    SPIN,
    ANGLE,
    RATE,
    DEPTH,
    DEPTH_RATE,
    SURFACE,
    NORMAL,
    FRICTION,
    SLIP,
    BRISTLE,
    DWELL,
    VOLUME,
    AXIS,
    TURN,
    TORSION,
    MOMENT,
    ENERGY,
    RESIDUAL
};

static const char *const xyz[] = {"x", "y", "z"};
static const char *const wxyz[] = {"w", "x", "y", "z"};

static const struct {
    const char *before, *unit; /* NAME_<before><axis>_<unit> */
    const char *const *axes;
    int naxis;
    struct cf_scene_quantity quantity;
} rows[] = {
    [TIME] = {"time", "_s", NULL, 0, {"time", "t", "s", false}},
    [PLACE] = {"_", "_m", xyz, 3, {"position", NULL, "m", true}},
    [VELOCITY] = {"_v", "_m_s", xyz, 3, {"velocity", "v", "m/s", true}},
    [ATTITUDE] = {"_q", "", wxyz, 4, {"attitude", "q", "1", false}},
    [SPIN] = {"_w", "_rad_s", xyz, 3, {"angular velocity", "ω", "rad/s", true}},
    [ANGLE] = {"_angle", "_rad", NULL, 0, {"angle", "φ", "rad", false}},
    [RATE] = {"_rate", "_rad_s", NULL, 0, {"angular velocity", "ω", "rad/s", false}},
    [DEPTH] = {"_depth", "_m", NULL, 0, {"compression", "z", "m", false}},
    [DEPTH_RATE] = {"_rate", "_m_s", NULL, 0, {"rate of compression", NULL, "m/s", false}},
    [SURFACE] = {"_surface", "_m", NULL, 0, {"depth of the surface", NULL, "m", false}},
    [NORMAL] = {"_normal", "_N", NULL, 0, {"normal force", "f_n", "N", false}},
    [FRICTION] = {"_friction_", "_N", xyz, 3, {"friction", "f", "N", true}},
    [SLIP] = {"_slip_", "_m_s", xyz, 3, {"slip", "v", "m/s", true}},
    [BRISTLE] = {"_bristle_", "_m", xyz, 3, {"deformation of the bristles", "s", "m", true}},
    [DWELL] = {"_dwell", "", NULL, 0, {"dwell state", "s_dw", "1", false}},
    [VOLUME] = {"_volume", "_m3", NULL, 0, {"volume of interference", "V", "m³", false}},
    [AXIS] = {"_n", "", xyz, 3, {"normal", "n", "1", true}},
    [TURN] = {"_spin", "_rad_s", NULL, 0, {"spin about the normal", "ω_n", "rad/s", false}},
    [TORSION] = {"_torsion", "_rad", NULL, 0, {"torsion of the bristles", "θ_n", "rad", false}},
    [MOMENT] = {"_moment_", "_N_m", xyz, 3, {"torque", "τ", "N m", true}},
    [ENERGY] = {"energy_", "_J", cf_energy_names, CF_NENERGY, {"energy", "E", "J", false}},
    [RESIDUAL] = {"energy_residual", "_J", NULL, 0, {"energy residual", "E", "J", false}},
};

static int add_column(struct cf_scene_table *table, enum group group, const char *of, size_t index,
                      int axis)
{
    struct cf_scene_column *column = realloc(table->column, (table->n + 1) * sizeof *table->column);
    const char *axis_name = rows[group].axes ? rows[group].axes[axis] : "";
    size_t size;

    if (!column)
        return CF_ENOMEM;
    table->column = column;
    column += table->n;
    size =
        strlen(of) + strlen(rows[group].before) + strlen(axis_name) + strlen(rows[group].unit) + 1;
    *column = (struct cf_scene_column){
        malloc(size), (int) group, index, axis, of, rows[group].axes ? axis_name : NULL};
    if (!column->name)
        return CF_ENOMEM;
    snprintf(column->name, size, "%s%s%s%s", of, rows[group].before, axis_name, rows[group].unit);
    table->n++;
    return CF_OK;
}

static int add(struct cf_scene_table *table, enum group group, const char *of, size_t index)
{
    int status = CF_OK, axis = 0;

    do
        status = add_column(table, group, of, index, axis);
    while (status == CF_OK && ++axis < rows[group].naxis);
    return status;
}

static bool turns(const struct cf_rigid *body)
{
    const double *w = body->spin_rad_s;
    return (body->drive == CF_DRIVE_FREE && isfinite(body->inertia_kg_m2[0])) ||
           (body->drive == CF_DRIVE_STEADY && (w[0] != 0 || w[1] != 0 || w[2] != 0));
}

static int add_body(struct cf_scene_table *table, const struct cf_rigid *body, size_t index)
{
    int status = CF_OK;

    if (body->drive == CF_DRIVE_FIXED)
        return CF_OK;
    status = add(table, PLACE, body->name, index);
    if (status == CF_OK)
        status = add(table, VELOCITY, body->name, index);
    if (status == CF_OK && turns(body))
        status = add(table, ATTITUDE, body->name, index);
    if (status == CF_OK && turns(body))
        status = add(table, SPIN, body->name, index);
    return status;
}

static int add_pair(struct cf_scene_table *table, const struct cf_contact_pair *pair, size_t index)
{
    const struct cf_friction_law *friction = pair->friction;
    const bool over_area = cf_pair_is_patch(pair);
    const bool there[] = {[DEPTH] = pair->law != NULL,
                          [DEPTH_RATE] = pair->law != NULL,
                          [SURFACE] = pair->law && pair->law->recovery,
                          [NORMAL] = true,
                          [FRICTION] = friction != NULL,
                          [SLIP] = true,
                          [BRISTLE] = friction && friction->nvector > 0,
                          [DWELL] = friction && friction->dwell,
                          [VOLUME] = over_area,
                          [AXIS] = over_area,
                          [TURN] = over_area,
                          [TORSION] = over_area && friction && friction->patch->torsion,
                          [MOMENT] = over_area};
    int status = CF_OK;

    for (enum group g = DEPTH; g <= MOMENT && status == CF_OK; g++)
        if (there[g])
            status = add(table, g, pair->name, index);
    return status;
}

struct cf_scene_table *cf_scene_table_make(const struct cf_scene *scene, struct cf_error *err)
{
    struct cf_scene_table *table = calloc(1, sizeof *table);
    int status = table ? add(table, TIME, "", 0) : CF_ENOMEM;

    for (size_t i = 0; i < scene->nbody && status == CF_OK; i++)
        status = add_body(table, &scene->body[i], i);
    for (size_t i = 0; i < scene->chain.nlink && status == CF_OK; i++) {
        const char *name = scene->body[scene->chain.link[i].body].name;
        status = add(table, ANGLE, name, i);
        if (status == CF_OK)
            status = add(table, RATE, name, i);
    }
    for (size_t i = 0; i < scene->npair && status == CF_OK; i++)
        status = add_pair(table, &scene->pair[i], i);
    if (status == CF_OK)
        status = add(table, ENERGY, "", 0);
    if (status == CF_OK)
        status = add(table, RESIDUAL, "", 0);
    if (status == CF_OK)
        return table;
    cf_fail(err, status, "no memory for the columns of a scene");
    cf_scene_table_free(table);
    return NULL;
}

void cf_scene_table_free(struct cf_scene_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->n; i++)
        free(table->column[i].name);
    free(table->column);
    free(table);
}

size_t cf_scene_table_find(const struct cf_scene_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->n && strcmp(table->column[i].name, name) != 0)
        i++;
    return i;
}

const struct cf_scene_quantity *cf_scene_quantity_of(const struct cf_scene_column *column)
{
    return &rows[column->group].quantity;
}

bool cf_scene_column_channel(const struct cf_scene_column *column,
                             struct cf_motion_channel *channel)
{
    static const enum cf_channel_kind kind[] = {
        [PLACE] = CF_CHANNEL_POSITION,    [VELOCITY] = CF_CHANNEL_VELOCITY,
        [ATTITUDE] = CF_CHANNEL_ATTITUDE, [SPIN] = CF_CHANNEL_SPIN,
        [ANGLE] = CF_CHANNEL_ANGLE,       [RATE] = CF_CHANNEL_ANGLE_RATE,
        [DEPTH] = CF_CHANNEL_DEPTH,       [DEPTH_RATE] = CF_CHANNEL_DEPTH_RATE,
        [SURFACE] = CF_CHANNEL_SURFACE,   [NORMAL] = CF_CHANNEL_NORMAL_FORCE,
        [FRICTION] = CF_CHANNEL_FRICTION, [SLIP] = CF_CHANNEL_SLIP,
        [BRISTLE] = CF_CHANNEL_BRISTLE,   [DWELL] = CF_CHANNEL_DWELL,
    };

    if (column->group < PLACE || column->group > DWELL)
        return false;
    *channel =
        (struct cf_motion_channel){kind[column->group], column->index, (size_t) column->axis};
    return true;
}

/* The name of a vector: "_" before an axis goes with it. */
static bool is_vector(const struct cf_scene_column *column, const char *name)
{
    const char *before = rows[column->group].before;
    size_t of = strlen(column->of), len = strlen(before);

    if (!rows[column->group].quantity.vector || column->axis != 0)
        return false;
    len -= before[len - 1] == '_';
    return strncmp(name, column->of, of) == 0 && strncmp(name + of, before, len) == 0 &&
           strcmp(name + of + len, rows[column->group].unit) == 0;
}

size_t cf_scene_table_vector(const struct cf_scene_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->n && !is_vector(&table->column[i], name))
        i++;
    return i;
}

const struct cf_scene_quantity cf_scene_tilt = {"tilt", "θ", "rad", false};

size_t cf_scene_table_tilt(const struct cf_scene_table *table, const char *name)
{
    size_t i = 0, of;

    for (; i < table->n; i++) {
        const struct cf_scene_column *column = &table->column[i];
        if (column->group != ATTITUDE || column->axis != 0)
            continue;
        of = strlen(column->of);
        if (strncmp(name, column->of, of) == 0 && strcmp(name + of, "_tilt_rad") == 0)
            break;
    }
    return i;
}

/* The half of it is the angle of the turn that is left after any about z; exact near 0 and pi. */
double cf_scene_tilt_rad(const double attitude[4])
{
    return 2 * atan2(hypot(attitude[1], attitude[2]), hypot(attitude[0], attitude[3]));
}

double cf_scene_energy(const double energy_J[CF_NENERGY])
{
    double sum = 0;

    for (int e = 0; e < CF_NENERGY; e++)
        sum += e == CF_ENERGY_WORK ? -energy_J[e] : energy_J[e];
    return sum;
}

static double value(const struct cf_scene_column *c, const struct cf_snapshot *at, double start_J)
{
    const struct cf_body_state *body = at->body + c->index;
    const struct cf_contact_snapshot *contact = at->contact + c->index;

    switch ((enum group) c->group) {
    case TIME:
        return at->time_s;
    case PLACE:
        return body->position_m[c->axis];
    case VELOCITY:
        return body->velocity_m_s[c->axis];
    case ATTITUDE:
        return body->attitude[c->axis];
    case SPIN:
        return body->spin_rad_s[c->axis];
    case ANGLE:
        return at->angle_rad[c->index];
    case RATE:
        return at->rate_rad_s[c->index];
    case DEPTH:
        return contact->depth_m;
    case DEPTH_RATE:
        return contact->rate_m_s;
    case SURFACE:
        return contact->surface_m;
    case NORMAL:
        return contact->normal_N;
    case FRICTION:
        return contact->friction_N[c->axis];
    case SLIP:
        return contact->slip_m_s[c->axis];
    case BRISTLE:
        return contact->bristle_m[c->axis];
    case DWELL:
        return contact->dwell;
    case VOLUME:
        return contact->volume_m3;
    case AXIS:
        return contact->normal[c->axis];
    case TURN:
        return contact->spin_rad_s;
    case TORSION:
        return contact->torsion_rad;
    case MOMENT:
        return contact->moment_N_m[c->axis];
    case ENERGY:
        return at->energy_J[c->axis];
    case RESIDUAL:
        return cf_scene_energy(at->energy_J) - start_J;
    }
    return (double) NAN;
}

double cf_scene_table_number(const struct cf_scene_table *table, size_t column,
                             const struct cf_snapshot *at, double start_J)
{
    return value(&table->column[column], at, start_J);
}

size_t cf_scene_column_pair(const struct cf_scene_column *column)
{
    return column->group >= DEPTH && column->group <= MOMENT ? column->index : SIZE_MAX;
}

void cf_scene_table_row(const struct cf_scene_table *table, const struct cf_snapshot *at,
                        double start_J, double row[])
{
    for (size_t i = 0; i < table->n; i++)
        row[i] = value(&table->column[i], at, start_J);
}
