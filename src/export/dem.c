/* Particle types and drops of LAMMPS and LIGGGHTS. */

#define _XOPEN_SOURCE 700
#include "export/dem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export/run.h"

static bool alike(const struct cf_types *types, const struct cf_export_body *a,
                  const struct cf_export_body *b)
{
    return cf_export_same_type(a, b) ||
           (types->planes == CF_PLANES_ALIKE && cf_export_same_material(a, b));
}

static int collect(struct cf_types *types, const struct cf_export_body *body, struct cf_error *err)
{
    size_t type = cf_type_of(types, body);

    if (!type && types->n == CF_MAX_TYPE)
        return cf_fail(err, CF_ERANGE, "more than %d materials and bodies", (int) CF_MAX_TYPE);
    if (!type) {
        type = ++types->n;
        types->body[type - 1] = body;
        types->moves[type - 1] = false;
    }
    types->moves[type - 1] = types->moves[type - 1] || !body->fixed;
    return CF_OK;
}

static bool is_pair_of_types(const struct cf_types *types, const struct cf_mapping *a,
                             const struct cf_mapping *b)
{
    const struct cf_export_body *x = a->material->body, *y = b->material->body;

    return (alike(types, &x[0], &y[0]) && alike(types, &x[1], &y[1])) ||
           (alike(types, &x[0], &y[1]) && alike(types, &x[1], &y[0]));
}

/* One pair of types has one value of each. */
static int check_pairs(const struct cf_mapping *a, const struct cf_mapping *b, struct cf_error *err)
{
    const struct cf_export_body *body = a->material->body;

    for (size_t i = 0; i < a->nvalue; i++) {
        const struct cf_value *v = &a->value[i];
        double other = cf_mapping_value(b, v->name);
        bool pure = strcmp(v->unit, "1") == 0;
        if (v->value == other)
            continue;
        return cf_fail(err, CF_EINPUT,
                       "%s and %s are both of %s with %s, and %s has one %s for them, not %.6g and "
                       "%.6g%s%s: leave one out, or give what differs a material of its own",
                       a->material->name, b->material->name, cf_export_type_name(&body[0]),
                       cf_export_type_name(&body[1]), a->target->name, v->name, v->value, other,
                       pure ? "" : " ", pure ? "" : v->unit);
    }
    return CF_OK;
}

int cf_types_collect(const struct cf_mapping *const m[], size_t n, enum cf_planes planes,
                     struct cf_types *types, struct cf_error *err)
{
    int status = CF_OK;

    types->n = 0;
    types->planes = planes;
    for (size_t i = 0; i < 2 * n && !status; i++) {
        const struct cf_export_body *body = &m[i / 2]->material->body[i % 2];
        if (planes != CF_PLANES_LEFT_OUT || !body->plane)
            status = collect(types, body, err);
    }
    for (size_t i = 0; i < n && !status; i++)
        for (size_t j = 0; j < i && !status; j++)
            if (is_pair_of_types(types, m[j], m[i]))
                status = check_pairs(m[j], m[i], err);
    return status;
}

size_t cf_type_of(const struct cf_types *types, const struct cf_export_body *body)
{
    for (size_t i = 0; i < types->n; i++)
        if (alike(types, types->body[i], body))
            return i + 1;
    return 0;
}

const char *cf_type_name(const struct cf_types *types, size_t i)
{
    const struct cf_export_body *body = types->body[i - 1];
    return types->planes == CF_PLANES_ALIKE && body->material[0] ? body->material
                                                                 : cf_export_type_name(body);
}

const struct cf_mapping *cf_pair_of(const struct cf_mapping *const m[], size_t n,
                                    const struct cf_types *types, size_t i, size_t j)
{
    for (size_t k = 0; k < n; k++) {
        size_t a = cf_type_of(types, &m[k]->material->body[0]);
        size_t b = cf_type_of(types, &m[k]->material->body[1]);
        if ((a == i && b == j) || (a == j && b == i))
            return m[k];
    }
    return NULL;
}

bool cf_dem_hertzian(const struct cf_mapping *m)
{
    return strcmp(m->law->name, "azad-featherstone") == 0;
}

enum cf_exactness cf_dem_exactness(const struct cf_law *law, const char *hertz, const char *hooke,
                                   enum cf_exactness of_hooke, const char **why)
{
    if (strcmp(law->name, "azad-featherstone") == 0) {
        *why = hertz;
        return CF_EXACTNESS_LAW_HERE;
    }
    if (strcmp(law->name, "linear") == 0) {
        *why = hooke;
        return of_hooke;
    }
    *why = "its damping is proportional to the width of the patch, or linear";
    return CF_EXACTNESS_NONE;
}

double cf_dem_patch_kt(const struct cf_mapping *m)
{
    return (cf_dem_hertzian(m) ? 1.5 : 1) * cf_mapping_value(m, "kn");
}

/* K_t = kappa K_n: of a Hertz contact kappa 1.5 k sqrt(z). */
static void add_spring(struct cf_mapping *m)
{
    const struct cf_script *script = m->target->script;
    const struct cf_tangential *t = &m->material->tangential;
    double lambda = cf_mapping_parameter(m, "lambda");
    bool supposed = isnan(t->kappa);

    cf_mapping_add(m, "kt", cf_dem_hertzian(m) ? "Pa" : "N/m",
                   (supposed ? 1 : t->kappa) * cf_dem_patch_kt(m), CF_OF_PAIR,
                   supposed ? "K_t = K_n, supposed" : "K_t = kappa K_n");
    double d_t = t->d_t * m->softened_damping;
    if (isnan(d_t))
        return;
    if (script->by_mass)
        cf_mapping_add(m, script->along, cf_dem_hertzian(m) ? "1/(m s)" : "1/s",
                       cf_mapping_value(m, script->damping) * d_t / lambda, CF_OF_PAIR,
                       cf_dem_hertzian(m) ? "d_t/(m* sqrt(R*))" : "d_t/m*");
    else
        cf_mapping_add(m, script->along, "1", d_t / lambda, CF_OF_PAIR, "d_t/lambda");
}

int cf_dem_fill(struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_script *script = m->target->script;
    double root = sqrt(m->material->radius_m), mass = m->material->mass_kg;
    double k = cf_mapping_parameter(m, "k"), lambda = cf_mapping_parameter(m, "lambda");
    double mu = m->material->tangential.mu_C;

    (void) err;
    if (cf_dem_hertzian(m)) {
        cf_mapping_add(m, "kn", "Pa", k / root, CF_OF_PAIR, "k/sqrt(R*)");
        cf_mapping_add(m, script->damping, "1/(m s)", lambda / (root * mass), CF_OF_PAIR,
                       "lambda/(m* sqrt(R*))");
    } else {
        cf_mapping_add(m, "kn", "N/m", k, CF_OF_PAIR, "k");
        cf_mapping_add(m, script->damping, script->by_mass ? "1/s" : "N s/m",
                       script->by_mass ? lambda / mass : lambda, CF_OF_PAIR,
                       script->by_mass ? "lambda/m*" : "lambda");
    }
    if (!isnan(mu)) {
        cf_mapping_add(m, script->friction, "1", mu, CF_OF_PAIR, "friction, one coefficient: mu_C");
        add_spring(m);
    }
    return CF_OK;
}

/* "ball, small": the bodies of a type, each name once. */
static void list_bodies(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                        size_t type, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < 2 * n; i++) {
        const struct cf_export_body *body = &m[i / 2]->material->body[i % 2];
        bool again = cf_type_of(types, body) != type;
        for (size_t j = 0; j < i && !again; j++)
            again = strcmp(body->name, m[j / 2]->material->body[j % 2].name) == 0;
        if (!again && used < size)
            used +=
                (size_t) snprintf(text + used, size - used, "%s%s", used ? ", " : "", body->name);
    }
}

void cf_dem_head(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                 FILE *out)
{
    for (size_t i = 0; i < n; i++)
        cf_export_head(m[i], out);
    bool named = false;
    for (size_t i = 1; i <= types->n; i++) {
        char bodies[256] = "";
        bool wall = types->body[i - 1]->plane, material = types->body[i - 1]->material[0];
        list_bodies(m, n, types, i, bodies, sizeof bodies);
        cf_export_comment(m[0], out, "type %zu: %s%s%s", i, cf_type_name(types, i),
                          material ? wall ? ", a plane of " : ": " : "",
                          material ? wall ? types->body[i - 1]->material : bodies : "");
        named = named || material;
    }
    if (named && !m[0]->target->script->damping)
        cf_export_comment(m[0], out, "types are of materials, of any size");
    else if (named)
        cf_export_comment(
            m[0], out,
            "types are of materials: %s belongs to the m* above%s, another size needs "
            "another export: --mass, --radius",
            m[0]->target->script->damping,
            cf_dem_hertzian(m[0]) ? ", kn to every size" : " and kn to the R*");
}

int cf_dem_run(struct cf_mapping *m, struct cf_curves *curves, struct cf_error *err)
{
    (void) curves;
    (void) err;
    return cf_run_law(m, CF_SCHEME_VERLET);
}

int cf_dem_prepare(const struct cf_mapping *m, const char *folder, struct cf_error *err)
{
    const struct cf_script *script = m->target->script;

    (void) folder;
    return cf_run_find(script->program, m->target->title, script->install, err);
}

/* -var NAME VALUE for each of R m gap v0 dt n, and the folder. */
int cf_dem_drop(const struct cf_mapping *m, const struct cf_drop *drop, struct cf_seen *out,
                struct cf_error *err)
{
    const struct cf_script *script = m->target->script;
    char text[CF_NARGUMENT][32];
    char *command = strdup(script->program), *folder = strdup(drop->folder);
    char *path = cf_run_path(drop->folder, "drop.in");
    int status = command && folder && path ? CF_OK : cf_fail(err, CF_ENOMEM, "out of memory");

    cf_run_arguments(m, drop, text);
    if (!status)
        status = cf_run_write(drop->folder, "drop.in", script->input, err);
    if (!status)
        status = cf_run_export(m, drop->folder, "export.in", err);
    if (!status) {
        char *argv[] = {command, "-log",  "none", "-in", path,    "-var", "folder", folder,  "-var",
                        "R",     text[0], "-var", "m",   text[1], "-var", "gap",    text[2], "-var",
                        "v0",    text[3], "-var", "h",   text[4], "-var", "n",      text[5], NULL};
        status = cf_run_program(argv, m->target->title, script->install, drop->folder,
                                drop->timeout_s, err);
    }
    free(command);
    free(folder);
    free(path);
    return status ? status
                  : cf_run_trajectory(drop->folder, "trajectory", drop->speed_m_s, out, err);
}
