/* LIGGGHTS, models hertz/stiffness and hooke/stiffness.
 *
 * hertz/stiffness: F = kn sqrt(R* z) z + gamman m* sqrt(R* z) zdot; hooke/stiffness: F = kn z +
 * gamman m* zdot. limitForce keeps both from pulling (a wall takes it after its place). Both
 * dampings are by m*: gamman of a 10 g sphere used at 80 g showed e = 0.593 for 0.930, and 0.571
 * where it may pull. Read in LIGGGHTS 3.8.0, src/normal_model_hertz_stiffness.h and
 * normal_model_hooke_stiffness.h, and run.
 */

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "export/dem.h"
#include "export/join.h"
#include "export/rows.h"

static enum cf_exactness exactness(const struct cf_law *law, const char **why)
{
    return cf_dem_exactness(law, "hertz/stiffness, whose gamman is by m* and R*",
                            "hooke/stiffness, whose gamman is by m*", CF_EXACTNESS_LAW_HERE, why);
}

/* A spring as stiff as the normal one where nothing is known of it. */
static double kt_of(const struct cf_mapping *m)
{
    double kt = cf_mapping_value(m, "kt");
    return isnan(kt) ? cf_dem_patch_kt(m) : kt;
}

/* A symmetric table over all types. What stands of pairs that never meet, or that the user lets
 * through each other and that are excluded from the neighbours, is not read: `nothing`. */
static void property(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                     const char *name, double nothing, FILE *out)
{
    fprintf(out, "fix contactfit_%s all property/global %s peratomtypepair %zu", name, name,
            types->n);
    for (size_t i = 1; i <= types->n; i++)
        for (size_t j = 1; j <= types->n; j++) {
            const struct cf_mapping *pair = cf_pair_of(m, n, types, i, j);
            double value = nothing;
            if (pair)
                value = strcmp(name, "kt") == 0 ? kt_of(pair) : cf_mapping_value(pair, name);
            fprintf(out, " %.10g", isnan(value) ? nothing : value);
        }
    fprintf(out, "\n");
}

/* Is the text "A,B" or "B,A"? */
static bool names(const char *text, const char *a, const char *b)
{
    char one[2 * CF_NAME + 1], other[2 * CF_NAME + 1];

    snprintf(one, sizeof one, "%s,%s", a, b);
    snprintf(other, sizeof other, "%s,%s", b, a);
    return strcmp(text, one) == 0 || strcmp(text, other) == 0;
}

/* Can types i and j meet, and is no fit of them? Planes are walls, and what is fixed stays. */
static bool is_missing(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                       size_t i, size_t j)
{
    return !cf_pair_of(m, n, types, i, j) && (types->moves[i - 1] || types->moves[j - 1]);
}

/* Does a word of --allow-missing mean these types, by their names or by those of bodies? */
static bool means(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                  const char *text, size_t i, size_t j)
{
    for (size_t k = 0; k < 2 * n; k++)
        for (size_t l = 0; l < 2 * n; l++) {
            const struct cf_export_body *a = &m[k / 2]->material->body[k % 2];
            const struct cf_export_body *b = &m[l / 2]->material->body[l % 2];
            if (cf_type_of(types, a) != i || cf_type_of(types, b) != j)
                continue;
            if (names(text, a->name, b->name) || names(text, cf_type_name(types, i), b->name) ||
                names(text, a->name, cf_type_name(types, j)) ||
                names(text, cf_type_name(types, i), cf_type_name(types, j)))
                return true;
        }
    return false;
}

/* Values of 0 would let their bodies through each other without a word: what is missing is to be
 * named, and what is named must be missing. */
static int check_missing(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                         struct cf_error *err)
{
    const struct cf_question *q = &m[0]->question;
    char text[640] = "", first[2 * CF_NAME + 1] = "", shown[CF_SHOWN];
    size_t used = 0, left = 0;

    for (size_t k = 0; k < q->nmissing; k++) {
        bool is = false;
        for (size_t i = 1; i <= types->n; i++)
            for (size_t j = i; j <= types->n; j++)
                is = is ||
                     (is_missing(m, n, types, i, j) && means(m, n, types, q->missing[k], i, j));
        if (!is)
            return cf_fail(
                err, CF_EUSAGE,
                "--allow-missing: \"%s\": must be two bodies or materials of these fits that "
                "can meet and of which none is",
                cf_show(q->missing[k], shown));
    }
    for (size_t i = 1; i <= types->n && !q->any_missing; i++)
        for (size_t j = i; j <= types->n; j++) {
            const char *a = cf_type_name(types, i), *b = cf_type_name(types, j);
            bool named = !is_missing(m, n, types, i, j);
            for (size_t k = 0; k < q->nmissing && !named; k++)
                named = means(m, n, types, q->missing[k], i, j);
            if (named)
                continue;
            if (!*first)
                snprintf(first, sizeof first, "%s,%s", a, b);
            if (used + 2 * CF_NAME + 16 < sizeof text)
                used += (size_t) snprintf(text + used, sizeof text - used, "%s%s with %s",
                                          used ? ", " : "", a, b);
            else
                left++;
        }
    if (left)
        snprintf(text + used, sizeof text - used, " and %zu more", left);
    return !*first ? CF_OK
                   : cf_fail(err, CF_EINPUT,
                             "%s sets every pair of types, and no fit is of %s: give such "
                             "fits, too, or let them through each other: --allow-missing \"%s\"",
                             m[0]->target->name, text, first);
}

static void unknown_pairs(const struct cf_mapping *const m[], size_t n,
                          const struct cf_types *types, FILE *out)
{
    for (size_t i = 1; i <= types->n; i++)
        for (size_t j = i; j <= types->n; j++)
            if (is_missing(m, n, types, i, j)) {
                cf_export_comment(m[0], out,
                                  "NO CONTACT of %s with %s (%zu %zu): no fit is of them, and they "
                                  "pass through each other, as was asked",
                                  cf_type_name(types, i), cf_type_name(types, j), i, j);
                fprintf(out, "neigh_modify exclude type %zu %zu\n", i, j);
            }
}

static void walls(const struct cf_mapping *const m[], const struct cf_types *types,
                  const char *model, FILE *out)
{
    for (size_t i = 1; i <= types->n; i++) {
        if (!types->body[i - 1]->plane)
            continue;
        cf_export_comment(m[0], out, "wall: %s", types->body[i - 1]->name);
        fprintf(out,
                "fix contactfit_wall_%zu all wall/gran %s primitive type %zu "
                "zplane 0.0 limitForce on\n",
                i, model, i);
    }
}

static const char *const properties[] = {
    "kn", "kt", "gamman", "gammat", "gamman_abs", "gammat_abs", "coefficientFriction"};

static int collect(const struct cf_mapping *const m[], size_t n, struct cf_types *types,
                   struct cf_error *err)
{
    int status = cf_types_collect(m, n, CF_PLANES_OWN, types, err);
    return status ? status : check_missing(m, n, types, err);
}

/* "model hertz tangential history" */
static void name_model(const struct cf_mapping *const m[], size_t n, const char *normal, char *text,
                       size_t size)
{
    bool friction = false;

    for (size_t i = 0; i < n; i++)
        friction = friction || !isnan(m[i]->material->tangential.mu_C);
    snprintf(text, size, "model %s tangential %s", normal, friction ? "history" : "no_history");
}

static void put_styles(const struct cf_mapping *const m[], const struct cf_types *types,
                       const char *model, FILE *out)
{
    fprintf(out, "pair_style gran %s limitForce on\npair_coeff * *\n", model);
    walls(m, types, model, out);
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    struct cf_types types;
    char model[128];
    int status = CF_OK;

    for (size_t i = 0; i < n && !status; i++)
        if (cf_dem_hertzian(m[i]) != cf_dem_hertzian(m[0]))
            status = cf_fail(
                err, CF_EINPUT, "liggghts has one model for all pairs: %s is %s, %s is %s",
                m[0]->material->name, m[0]->law->name, m[i]->material->name, m[i]->law->name);
    if (!status)
        status = collect(m, n, &types, err);
    if (status)
        return status;
    name_model(m, n, cf_dem_hertzian(m[0]) ? "hertz/stiffness" : "hooke/stiffness", model,
               sizeof model);
    cf_dem_head(m, n, &types, out);
    unknown_pairs(m, n, &types, out);
    /* no tangential damping but friction, where no fit has one */
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        property(m, n, &types, properties[i], 0, out);
    put_styles(m, &types, model, out);
    return CF_OK;
}

/* The wall of the export is type 2. */
static const char input[] = "atom_style granular\n"
                            "atom_modify map array\n"
                            "boundary f f f\n"
                            "newton off\n"
                            "communicate single vel yes\n"
                            "units si\n"
                            "variable far equal 20*v_R\n"
                            "region box block -${far} ${far} -${far} ${far} -${R} ${far} "
                            "units box\n"
                            "create_box 2 box\n"
                            "neighbor ${R} bin\n"
                            "neigh_modify delay 0\n"
                            "soft_particles yes\n"
                            "include ${folder}/export.in\n"
                            "timestep ${h}\n"
                            "create_atoms 1 single 0 0 $(v_R+v_gap)\n"
                            "set group all diameter $(2*v_R)\n"
                            "set group all density $(v_m/(4/3*PI*v_R^3))\n"
                            "velocity all set 0 0 -${v0}\n"
                            "fix move all nve/sphere\n"
                            "variable t equal step*dt\n"
                            "variable x equal v_R-z[1]\n"
                            "variable v equal -vz[1]\n"
                            "fix log all print 1 \"${t} ${x} ${v}\" "
                            "file ${folder}/trajectory screen no\n"
                            "thermo 1000000\n"
                            "run ${n}\n";

static const struct cf_script script = {
    .program = "liggghts",
    .install = "apt-get install liggghts",
    .input = input,
    .damping = "gamman",
    .friction = "coefficientFriction",
    .along = "gammat",
    .by_mass = true,
};

const struct cf_target cf_target_liggghts = {
    CF_DEM,
    .by_pair = true,
    .name = "liggghts",
    .title = "LIGGGHTS",
    .what = "input lines: property/global tables of all pairs, pair_style gran, fix wall/gran",
    .formula = "hertz/stiffness: F = kn sqrt(R* z) z + gamman m* sqrt(R* z) zdot; "
               "hooke/stiffness: F = kn z + gamman m* zdot; limitForce: F >= 0",
    .pair_rule = "none: peratomtypepair sets each pair of types",
    .source = "LIGGGHTS 3.8.0: src/normal_model_hertz_stiffness.h, normal_model_hooke_stiffness.h",
    .checked = "run by --verify: LIGGGHTS 3.8.0, apt-get install liggghts",
    .exactness = exactness,
    .write = write,
    .script = &script,
    .every_pair = true,
};

/* Model hertz: K_n is by the moduli in series and K_t by those of shear, which with one Poisson's
 * ratio have the same share; the restitution is by pair of types. */
static int fill_restitution(struct cf_mapping *m, struct cf_error *err)
{
    const double least_poisson = -1e-12; /* LIGGGHTS takes 0 to 0.5 */
    double poisson = cf_export_poisson(m, least_poisson), mu = m->material->tangential.mu_C;
    double modulus = 0.75 * cf_mapping_parameter(m, "k") / sqrt(m->material->radius_m);
    bool told = !isnan(m->material->tangential.kappa) && !(m->beyond & CF_TAKES_KAPPA);

    (void) err;
    poisson = fmax(poisson, 0);
    cf_mapping_add(m, "youngsModulus", "Pa", 2 * (1 - poisson * poisson) * modulus, CF_OF_BOTH,
                   "2 (1 - nu^2) E*");
    cf_mapping_add(m, "poissonsRatio", "1", poisson, CF_OF_BOTH,
                   told ? "(2 - 2 kappa)/(2 - kappa)" : "supposed");
    cf_mapping_add(m, "coefficientRestitution", "1", cf_constant_e_coefficient(m), CF_OF_PAIR,
                   "that shows this e where nothing pulls: of alpha/sqrt 5");
    if (!isnan(mu))
        cf_mapping_add(m, "coefficientFriction", "1", mu, CF_OF_PAIR,
                       "friction, one coefficient: mu_C");
    return CF_OK;
}

/* A value of each type, whichever fit has it: they agree. */
static double of_type(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                      size_t type, const char *name)
{
    for (size_t i = 0; i < 2 * n; i++)
        if (cf_type_of(types, &m[i / 2]->material->body[i % 2]) == type)
            return cf_mapping_of(m[i / 2], name, (int) (i % 2));
    return (double) NAN;
}

static void by_type(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                    const char *name, FILE *out)
{
    fprintf(out, "fix contactfit_%s all property/global %s peratomtype", name, name);
    for (size_t i = 1; i <= types->n; i++)
        fprintf(out, " %.10g", of_type(m, n, types, i, name));
    fprintf(out, "\n");
}

/* Moduli that LIGGGHTS takes without being told, in SI. */
static const double softest_Pa = 5e6, hardest_Pa = 1e9;

static int write_restitution(const struct cf_mapping *const m[], size_t n, FILE *out,
                             struct cf_error *err)
{
    struct cf_types types;
    bool soft = false, hard = false;
    char model[128];

    int status = collect(m, n, &types, err);
    if (status)
        return status;
    name_model(m, n, "hertz", model, sizeof model);
    cf_dem_head(m, n, &types, out);
    for (size_t i = 1; i <= types.n; i++) {
        double modulus = of_type(m, n, &types, i, "youngsModulus");
        soft = soft || modulus < softest_Pa;
        hard = hard || modulus > hardest_Pa;
    }
    fprintf(out, "%s%s", soft ? "soft_particles yes\n" : "", hard ? "hard_particles yes\n" : "");
    unknown_pairs(m, n, &types, out);
    by_type(m, n, &types, "youngsModulus", out);
    by_type(m, n, &types, "poissonsRatio", out);
    property(m, n, &types, "coefficientRestitution", 1, out);
    property(m, n, &types, "coefficientFriction", 0, out);
    put_styles(m, &types, model, out);
    return CF_OK;
}

static const struct cf_script script_restitution = {
    .program = "liggghts",
    .install = "apt-get install liggghts",
    .input = input,
    .least_e = 0.05,
};

static const struct cf_join joins[] = {{"youngsModulus", CF_JOINED_SERIES, .neutral = (double) NAN},
                                       {0}};

const struct cf_target cf_target_liggghts_restitution = {
    CF_DEM_CONSTANT_E,
    .name = "liggghts-restitution",
    .title = "LIGGGHTS (restitution)",
    .what = "input lines: moduli of all types, restitution of all pairs, model hertz",
    .formula = "hertz: F = (4/3) E* sqrt(R*) z^1.5 + c z^0.25 zdot >= 0, "
               "c = sqrt(5) b sqrt(k m*), b = -ln e0/sqrt(pi^2 + ln^2 e0)",
    .pair_rule = "moduli of types in series; peratomtypepair sets restitution and friction",
    .source = "LIGGGHTS 3.8.0: src/normal_model_hertz.h, global_properties.cpp",
    .checked = "run by --verify: LIGGGHTS 3.8.0, apt-get install liggghts",
    .fill = fill_restitution,
    .write = write_restitution,
    .prepare = cf_dem_prepare,
    .script = &script_restitution,
    .joins = joins,
    .every_pair = true,
};
