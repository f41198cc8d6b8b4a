/* contactfit predict hydroelastic-SHAPE: force and depth of hydroelastic contact by its closed form
 * and by the exact overlap volume; the stiffness from moduli, from a wanted contact radius, or from
 * a measured force and depth. */

#include "cmd/predict_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/list.h"
#include "core/decimal.h"
#include "core/nearest.h"
#include "core/text.h"
#include "core/units.h"
#include "document/json_value.h"

/* The standard acceleration, CGPM 1901, unless -p gravity says otherwise. */
static const double gravity = 9.80665;

static const char prefix[] = "hydroelastic-";

enum { CONTACT_RADIUS, GRAVITY, NEXTRA, MOST_PARAMETERS = 16 };

static const struct cf_param extra[NEXTRA] = {
    [CONTACT_RADIUS] = {"contact_radius", "m", 1e-9, 1e6, 1e-6, 1e6, 1e-3, CF_SCALE_LOG,
                        "of the contact that a load is to have"},
    [GRAVITY] = {"gravity", "m/s^2", 1e-6, 1e6, 1e-6, 1e6, 9.80665, CF_SCALE_LOG, "of --mass"},
};

struct shape_question {
    const struct cf_hydroelastic *shape;
    double value[MOST_PARAMETERS]; /* of the shape's table; NAN: not given */
    double extra[NEXTRA];
    struct cf_list modulus, depth, force; /* n = 0: not given */
};

int cf_predict_shape_named(const char *operand, const struct cf_hydroelastic **shape,
                           struct cf_error *err)
{
    const char *names[MOST_PARAMETERS];
    char hint[CF_HINT], shown[CF_SHOWN];
    size_t n = 0;

    *shape = cf_hydroelastic_find(operand);
    if (*shape || strncmp(operand, prefix, strlen(prefix)) != 0 || strchr(operand, '.'))
        return CF_OK;
    for (; cf_hydroelastic_shapes[n] && n < MOST_PARAMETERS; n++)
        names[n] = cf_hydroelastic_shapes[n]->name;
    cf_nearest_hint(operand, names, n, hint);
    return cf_fail(err, CF_EUSAGE, "unknown shape %s: %s", cf_show(operand, shown), hint);
}

/* ---- the question */

/* Where a parameter is kept; row (may be NULL) receives what it is. NULL: there is none. */
static double *value_of(struct shape_question *q, const char *name, const struct cf_param **row)
{
    const struct cf_hydroelastic *shape = q->shape;
    size_t i = cf_param_find(shape->param, shape->nparam, name);
    size_t k = cf_param_find(extra, NEXTRA, name);

    if (i == shape->nparam && k == NEXTRA)
        return NULL;
    if (row)
        *row = i < shape->nparam ? &shape->param[i] : &extra[k];
    return i < shape->nparam ? &q->value[i] : &q->extra[k];
}

/* NAN where it is not given. */
static double given(struct shape_question *q, const char *name)
{
    return *value_of(q, name, NULL);
}

static int unknown_parameter(const struct shape_question *q, const char *name, struct cf_error *err)
{
    const char *names[MOST_PARAMETERS + NEXTRA];
    char hint[CF_HINT], shown[CF_SHOWN];
    size_t n = 0;

    for (; n < q->shape->nparam; n++)
        names[n] = q->shape->param[n].name;
    for (size_t i = 0; i < NEXTRA; i++)
        names[n++] = extra[i].name;
    cf_nearest_hint(name, names, n, hint);
    return cf_fail(err, CF_EUSAGE, "-p: %s has no parameter %s: %s", q->shape->name,
                   cf_show(name, shown), hint);
}

/* One NAME=VALUE. */
static int read_parameter(struct shape_question *q, const char *text, struct cf_error *err)
{
    static const struct cf_list_kind moduli = {"-p modulus", "Pa", "a modulus", "moduli", false};
    const char *equals = strchr(text, '=');
    char name[CF_SHOWN], shown[CF_SHOWN];
    struct cf_error why = {""};
    const struct cf_param *row;
    double *value;

    if (!equals || equals == text)
        return cf_fail(err, CF_EUSAGE, "-p: \"%s\": NAME=VALUE is wanted, such as radius=0.05",
                       cf_show(text, shown));
    snprintf(name, sizeof name, "%.*s", (int) (equals - text), text);
    value = value_of(q, name, &row);
    if (!value)
        return unknown_parameter(q, name, err);
    if (!isnan(*value))
        return cf_fail(err, CF_EUSAGE, "-p: %s is given twice", name);
    if (strcmp(name, "modulus") == 0) {
        int status = cf_list_parse(&moduli, equals + 1, &q->modulus, err);
        if (!status)
            *value = q->modulus.value[0];
        return status;
    }
    if (cf_quantity_parse(equals + 1, row->unit, value, &why))
        return cf_fail(err, CF_EUSAGE, "-p %s: %.900s", name, why.text);
    return CF_OK;
}

static int check_parameters(struct shape_question *q, struct cf_error *err)
{
    for (size_t i = 0; i < q->shape->nsize; i++)
        if (isnan(q->value[i]))
            return cf_fail(err, CF_EUSAGE, "%s needs %s [%s] (%s): give -p %s=VALUE",
                           q->shape->name, q->shape->param[i].name, q->shape->param[i].unit,
                           q->shape->param[i].what, q->shape->param[i].name);
    for (size_t i = 0; i < NEXTRA; i++)
        if (!isnan(q->extra[i]) && cf_param_check(&extra[i], 1, &q->extra[i], err))
            return CF_EUSAGE;
    return cf_hydroelastic_check(q->shape, q->value, err);
}

/* Options of fits say nothing of a shape. */
static int check_options(const struct cf_arguments *args, const struct cf_hydroelastic *shape,
                         struct cf_error *err)
{
    static const char *const own[] = {"parameter", "depth", "force", "mass", "json", "quiet"};

    for (size_t i = 0; i < args->nseen; i++) {
        const char *name = args->seen[i].option->name;
        bool known = false;
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            known = known || strcmp(name, own[k]) == 0;
        if (!known && strcmp(name, "radius") == 0)
            return cf_fail(err, CF_EUSAGE, "--radius is of a fit: give %s -p radius=VALUE",
                           shape->name);
        if (!known)
            return cf_fail(err, CF_EUSAGE,
                           "--%s is of a fit: %s is asked by --depth, --force or --mass", name,
                           shape->name);
    }
    return CF_OK;
}

static int read_list(const struct cf_arguments *args, const struct cf_list_kind *kind,
                     struct cf_list *list, struct cf_error *err)
{
    const char *text = cf_argument(args, kind->option + 2);

    return text ? cf_list_parse(kind, text, list, err) : CF_OK;
}

/* --mass: its weight is the load. */
static int read_mass(const struct cf_arguments *args, struct shape_question *q,
                     struct cf_error *err)
{
    double mass_kg;
    int status = cf_argument_quantity(args, "mass", "kg", (double) NAN, &mass_kg, err);

    if (status || isnan(mass_kg)) {
        if (!status && !isnan(q->extra[GRAVITY]))
            status = cf_fail(err, CF_EUSAGE, "-p gravity is of the weight of a --mass");
        return status;
    }
    if (q->force.n > 0)
        return cf_fail(err, CF_EUSAGE, "--force and --mass: one of them is wanted");
    q->force.value = malloc(sizeof *q->force.value);
    if (!q->force.value)
        return cf_fail(err, CF_ENOMEM, "no memory for a weight");
    q->force.n = 1;
    q->force.value[0] = mass_kg * (isnan(q->extra[GRAVITY]) ? gravity : q->extra[GRAVITY]);
    return CF_OK;
}

static bool has_stiffness(struct shape_question *q)
{
    for (size_t i = q->shape->nsize; i < q->shape->nparam; i++)
        if (!isnan(q->value[i]))
            return true;
    return false;
}

/* The stiffness is given, or it follows of a radius and a load, or of a depth and a load. */
static int check_asked(struct shape_question *q, struct cf_error *err)
{
    bool stiffness = has_stiffness(q), radius = !isnan(q->extra[CONTACT_RADIUS]);

    if (radius && stiffness)
        return cf_fail(err, CF_EUSAGE,
                       "-p contact_radius says the stiffness: kv and modulus are given, too");
    if (radius && (q->depth.n > 0 || q->force.n == 0))
        return cf_fail(err, CF_EUSAGE,
                       "-p contact_radius says the stiffness under a load: give --force or --mass, "
                       "and no --depth");
    if (q->depth.n > 0 && q->force.n > 0 && stiffness)
        return cf_fail(err, CF_EUSAGE,
                       "--depth and a load say the stiffness, which -p gives, too: leave one of "
                       "the three out");
    if (q->depth.n > 0 && q->force.n > 0 && (q->depth.n > 1 || q->force.n > 1))
        return cf_fail(err, CF_EUSAGE,
                       "--depth and --force together are one measurement: one value each");
    if (q->depth.n == 0 && q->force.n == 0)
        return cf_fail(err, CF_EUSAGE, "--depth, --force or --mass is missing: give one of them");
    return CF_OK;
}

static int read_question(const struct cf_arguments *args, struct shape_question *q,
                         struct cf_error *err)
{
    static const struct cf_list_kind depths = {"--depth", "m", "a depth", "depths", false};
    static const struct cf_list_kind forces = {"--force", "N", "a force", "forces", false};
    int status = check_options(args, q->shape, err);

    for (size_t i = 0; i < args->nseen && !status; i++)
        if (strcmp(args->seen[i].option->name, "parameter") == 0)
            status = read_parameter(q, args->seen[i].value, err);
    if (!status)
        status = check_parameters(q, err);
    if (!status)
        status = read_list(args, &depths, &q->depth, err);
    if (!status)
        status = read_list(args, &forces, &q->force, err);
    if (!status)
        status = read_mass(args, q, err);
    if (!status)
        status = check_asked(q, err);
    return status && status != CF_ENOMEM ? CF_EUSAGE : status;
}

/* ---- the answer */

enum {
    MODULUS,
    THICKNESS,
    MODULUS_2,
    THICKNESS_2,
    KV,
    FORCE,
    DEPTH,
    VOLUME,
    EXACT_FORCE,
    EXACT_DEPTH,
    EXACT_VOLUME,
    NCOLUMN
};

static const char *const column[NCOLUMN] = {
    [MODULUS] = "modulus_Pa",
    [THICKNESS] = "thickness_m",
    [MODULUS_2] = "modulus_2_Pa",
    [THICKNESS_2] = "thickness_2_m",
    [KV] = "kv_N_m3",
    [FORCE] = "force_N",
    [DEPTH] = "depth_m",
    [VOLUME] = "volume_m3",
    [EXACT_FORCE] = "exact_force_N",
    [EXACT_DEPTH] = "exact_depth_m",
    [EXACT_VOLUME] = "exact_volume_m3",
};

/* The stiffness of the modulus i of the list. */
static int stiffness_of(struct shape_question *q, size_t i, struct cf_hydroelastic_stiffness *s,
                        struct cf_error *err)
{
    const double *size = q->value;
    int status = CF_OK;

    *s = (struct cf_hydroelastic_stiffness){
        .kv_N_m3 = given(q, "kv"),
        .modulus_Pa = {q->modulus.n > 0 ? q->modulus.value[i] : (double) NAN,
                       given(q, "modulus_2")},
        .thickness_m = {given(q, "thickness"), given(q, "thickness_2")}};
    if (!isnan(q->extra[CONTACT_RADIUS]))
        status = cf_hydroelastic_kv_of_radius(q->shape, size, q->force.value[0],
                                              q->extra[CONTACT_RADIUS], &s->kv_N_m3, err);
    else if (q->depth.n > 0 && q->force.n > 0)
        status = cf_hydroelastic_kv_of_depth(q->shape, size, q->force.value[0], q->depth.value[0],
                                             &s->kv_N_m3, err);
    return status ? status : cf_hydroelastic_stiffness(q->shape, size, s, err);
}

static int answer_row(struct shape_question *q, size_t modulus, size_t place, double out[NCOLUMN],
                      struct cf_error *err)
{
    struct cf_hydroelastic_contact contact[CF_HYDROELASTIC_NFORM];
    struct cf_hydroelastic_stiffness s;
    int status = stiffness_of(q, modulus, &s, err);

    if (!status && q->depth.n > 0)
        status =
            cf_hydroelastic_at(q->shape, q->value, s.kv_N_m3, q->depth.value[place], contact, err);
    else if (!status)
        status = cf_hydroelastic_under(q->shape, q->value, s.kv_N_m3, q->force.value[place],
                                       contact, err);
    if (status)
        return status;
    out[MODULUS] = s.modulus_Pa[0];
    out[THICKNESS] = s.thickness_m[0];
    out[MODULUS_2] = s.modulus_Pa[1];
    out[THICKNESS_2] = s.thickness_m[1];
    out[KV] = s.kv_N_m3;
    for (int form = 0; form < CF_HYDROELASTIC_NFORM; form++) {
        size_t first = form == CF_HYDROELASTIC_EXACT ? EXACT_FORCE : FORCE;
        out[first] = contact[form].force_N;
        out[first + 1] = contact[form].depth_m;
        out[first + 2] = contact[form].volume_m3;
    }
    return CF_OK;
}

static void print_row(const double row[NCOLUMN])
{
    for (int c = 0; c < NCOLUMN; c++) {
        if (c > 0)
            putchar(',');
        if (!isnan(row[c]))
            cf_decimal_put(row[c], stdout);
    }
    putchar('\n');
}

static void put_row(json_t **rows, const double row[NCOLUMN])
{
    json_t *one = json_object();

    for (int c = 0; c < NCOLUMN; c++)
        cf_json_put(&one, column[c], cf_json_number(row[c]));
    cf_json_add(rows, one);
}

/* Moduli times places. A table that fails on its way has printed nothing: it is gone through
 * twice. */
static int answer(const struct cf_arguments *args, struct shape_question *q, struct cf_error *err)
{
    size_t nmodulus = q->modulus.n > 0 ? q->modulus.n : 1;
    size_t nplace = q->depth.n > 0 ? q->depth.n : q->force.n;
    bool json = cf_flag(args, "json");
    json_t *rows = json ? json_array() : NULL;
    double row[NCOLUMN];
    int status = CF_OK;

    for (int print = 0; print < 2 && !status; print++) {
        for (int c = 0; print && !json && c < NCOLUMN; c++)
            printf("%s%s", column[c], c + 1 < NCOLUMN ? "," : "\n");
        for (size_t i = 0; i < nmodulus * nplace && !status; i++) {
            status = answer_row(q, i / nplace, i % nplace, row, err);
            if (!status && print && json)
                put_row(&rows, row);
            else if (!status && print)
                print_row(row);
        }
    }
    if (json) {
        json_t *all = json_object();
        cf_json_put(&all, "shape", json_string(q->shape->name));
        cf_json_put(&all, "rows", rows);
        status = status ? status : cf_json_write(all, stdout, err);
        json_decref(all);
    }
    return status;
}

int cf_predict_shape(const struct cf_arguments *args, const struct cf_hydroelastic *shape,
                     struct cf_error *err)
{
    struct shape_question q = {.shape = shape};
    int status;

    for (size_t i = 0; i < MOST_PARAMETERS; i++)
        q.value[i] = (double) NAN;
    for (size_t i = 0; i < NEXTRA; i++)
        q.extra[i] = (double) NAN;
    status = read_question(args, &q, err);
    if (!status)
        status = answer(args, &q, err);
    cf_list_clear(&q.modulus);
    cf_list_clear(&q.depth);
    cf_list_clear(&q.force);
    return status;
}
