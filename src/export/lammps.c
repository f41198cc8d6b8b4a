/* LAMMPS, pair_style granular and fix wall/gran granular.
 *
 * hertz with damping viscoelastic: F = kn sqrt(R*) z^1.5 + gamma m* sqrt(R* z) zdot; hooke with
 * damping velocity: F = kn z + gamma zdot. limit_damping keeps both from pulling. Read in LAMMPS,
 * src/GRANULAR/pair_granular.cpp of 2021 and gran_sub_mod_damping.cpp of newer ones, and run in
 * that of 29 Sep 2021. damping tsuji is off by sqrt 2 until that of 2 Sep 2026, and hertz/material
 * walls by 1 + nu: neither is used. damping coeff_restitution, c = 2 sqrt(5/6) b sqrt(3/2 k m*)
 * x^0.25 for hertz, is that of constant_e.c; read in the source and the manual of 2026.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "export/dem.h"
#include "export/rows.h"
#include "export/run.h"

static enum cf_exactness exactness(const struct cf_law *law, const char **why)
{
    return cf_dem_exactness(law, "hertz with viscoelastic damping, whose gamma is by m* and R*",
                            "hooke with damping by the velocity", CF_EXACTNESS_LAW_RADIUS, why);
}

/* Friction with a tangential spring that goes with the contact patch, kappa 1.5 k sqrt(z), and a
 * damping that goes with the normal one. Where a fit has none of them they are as the clutch of
 * Azad & Featherstone 2010 has them, those of the normal direction. */
static void model(const struct cf_mapping *m, FILE *out)
{
    bool constant = m->twin.law->p == 0.25, hertz = m->twin.law->n == 1.5;
    double mu = cf_mapping_value(m, "mu"), damping = cf_mapping_value(m, "xgammat");

    fprintf(out, "%s %.10g %.10g ", hertz ? "hertz" : "hooke", cf_mapping_value(m, "kn"),
            cf_mapping_value(m, constant ? "e" : "gamma"));
    if (isnan(mu))
        fprintf(out, "tangential linear_nohistory 0 0");
    else
        fprintf(out, "tangential %s %.10g %.10g %.10g", hertz ? "mindlin" : "linear_history",
                cf_mapping_value(m, "kt"), isnan(damping) ? 1 : damping, mu);
    fprintf(out, " damping %s limit_damping",
            constant ? "coeff_restitution"
            : hertz  ? "viscoelastic"
                     : "velocity");
}

static void pairs(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                  FILE *out)
{
    for (size_t i = 1; i <= types->n; i++)
        for (size_t j = i; j <= types->n; j++) {
            const struct cf_mapping *pair = cf_pair_of(m, n, types, i, j);
            if (!pair) {
                cf_export_comment(m[0], out, "pair_coeff %zu %zu: no fit of %s with %s", i, j,
                                  cf_type_name(types, i), cf_type_name(types, j));
                continue;
            }
            fprintf(out, "pair_coeff %zu %zu ", i, j);
            model(pair, out);
            fprintf(out, "\n");
        }
}

/* A wall for each fit on a plane, to be moved where the plane is. */
static void walls(const struct cf_mapping *const m[], size_t n, const struct cf_types *types,
                  FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct cf_export_body *body = m[i]->material->body;
        if (body[0].plane == body[1].plane)
            continue;
        const struct cf_export_body *ball = &body[body[0].plane], *plane = &body[!body[0].plane];
        cf_export_comment(m[0], out, "wall: %s", plane->name);
        fprintf(out, "group contactfit_%zu type %zu\n", i + 1, cf_type_of(types, ball));
        fprintf(out, "fix contactfit_%zu contactfit_%zu wall/gran granular ", i + 1, i + 1);
        model(m[i], out);
        fprintf(out, " zplane 0.0 NULL\n");
    }
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    struct cf_types types;
    int status = cf_types_collect(m, n, CF_PLANES_LEFT_OUT, &types, err);
    if (status)
        return status;

    cf_dem_head(m, n, &types, out);
    fprintf(out, "pair_style granular\n");
    pairs(m, n, &types, out);
    walls(m, n, &types, out);
    return CF_OK;
}

/* Without a neighbour the sphere needs no pair, but LAMMPS wants all pairs set. */
static const char input[] = "units si\n"
                            "atom_style sphere\n"
                            "atom_modify map array\n"
                            "boundary p p f\n"
                            "newton off\n"
                            "comm_modify vel yes\n"
                            "variable far equal 20*v_R\n"
                            "region box block -${far} ${far} -${far} ${far} -${R} ${far}\n"
                            "create_box 1 box\n"
                            "create_atoms 1 single 0 0 $(v_R+v_gap)\n"
                            "set group all diameter $(2*v_R)\n"
                            "set group all density $(v_m/(4/3*PI*v_R^3))\n"
                            "velocity all set 0 0 -${v0}\n"
                            "neighbor ${R} bin\n"
                            "include ${folder}/export.in\n"
                            "pair_coeff 1 1 hooke 1 0 tangential linear_nohistory 0 0 "
                            "damping velocity\n"
                            "fix move all nve/sphere\n"
                            "timestep ${h}\n"
                            "variable t equal step*dt\n"
                            "variable x equal v_R-z[1]\n"
                            "variable v equal -vz[1]\n"
                            "fix log all print 1 \"${t} ${x} ${v}\" "
                            "file ${folder}/trajectory screen no\n"
                            "thermo 1000000\n"
                            "run ${n}\n";

static const struct cf_script script = {
    .program = "lmp",
    .install = "apt-get install lammps",
    .input = input,
    .damping = "gamma",
    .friction = "mu",
    .along = "xgammat",
};

const struct cf_target cf_target_lammps = {
    CF_DEM,
    .by_pair = true,
    .name = "lammps",
    .title = "LAMMPS",
    .what = "input lines: pair_coeff of pair_style granular, fix wall/gran",
    .formula = "hertz, viscoelastic: F = kn sqrt(R*) z^1.5 + gamma m* sqrt(R* z) zdot; "
               "hooke, velocity: F = kn z + gamma zdot; limit_damping: F >= 0",
    .pair_rule = "none: pair_coeff sets each pair of types",
    .source =
        "LAMMPS: src/GRANULAR/pair_granular.cpp of 2021, gran_sub_mod_damping.cpp of newer ones",
    .checked = "run by --verify: LAMMPS 29 Sep 2021, apt-get install lammps",
    .exactness = exactness,
    .write = write,
    .script = &script,
};

static int fill_restitution(struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_tangential *t = &m->material->tangential;
    double kn = cf_mapping_parameter(m, "k") / sqrt(m->material->radius_m);
    bool supposed = isnan(t->kappa);

    (void) err;
    cf_mapping_add(m, "kn", "Pa", kn, CF_OF_PAIR, "k/sqrt(R*)");
    cf_mapping_add(m, "e", "1", cf_constant_e_coefficient(m), CF_OF_PAIR,
                   "that shows this e where nothing pulls: of alpha/sqrt 5");
    if (isnan(t->mu_C))
        return CF_OK;
    cf_mapping_add(m, "mu", "1", t->mu_C, CF_OF_PAIR, "friction, one coefficient: mu_C");
    cf_mapping_add(m, "kt", "Pa", (supposed ? 1 : t->kappa) * 1.5 * kn, CF_OF_PAIR,
                   supposed ? "K_t = K_n, supposed" : "K_t = kappa K_n");
    return CF_OK;
}

/* "Simulator - 29 Sep 2021": does that one have the damping? */
static bool is_new(const char *text, char date[16])
{
    static const char mark[] = "Simulator - ", old[][4] = {"Jan", "Feb", "Mar"};
    const char *at = strstr(text, mark);
    const int since = 2024; /* in April, by pull request 4068 */
    char month[4] = "";
    int day = 0, year = 0;

    date[0] = '\0';
    if (!at || sscanf(at + strlen(mark), "%2d %3s %4d", &day, month, &year) != 3)
        return true; /* what it cannot do it says itself */
    snprintf(date, 16, "%2d %.3s %4d", day % 100, month, year % 10000);
    for (size_t i = 0; i < sizeof old / sizeof *old && year == since; i++)
        if (strcmp(month, old[i]) == 0)
            return false;
    return year >= since;
}

static int prepare_restitution(const struct cf_mapping *m, const char *folder, struct cf_error *err)
{
    char program[] = "lmp", help[] = "-h", *argv[] = {program, help, NULL}, *text, date[16];
    const double limit_s = 20;
    const size_t largest = (size_t) 1 << 20;
    size_t len;

    int status = cf_dem_prepare(m, folder, err);
    if (!status)
        status = cf_run_program(argv, m->target->title, m->target->script->install, folder, limit_s,
                                err);
    char *log = cf_run_path(folder, "log");
    if (!status && !log)
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    if (!status)
        status = cf_file_read(log, largest, &text, &len, NULL, err);
    free(log);
    if (status)
        return status;
    bool good = is_new(text, date);
    free(text);
    return good ? CF_OK
                : cf_fail(err, CF_EIO,
                          "this LAMMPS is of %s, and has no damping coeff_restitution: LAMMPS has "
                          "it since April 2024; liggghts-restitution has the same coefficient",
                          date);
}

static const struct cf_script script_restitution = {
    .program = "lmp",
    .install = "a LAMMPS since April 2024",
    .input = input,
    .least_e = 0,
};

const struct cf_target cf_target_lammps_restitution = {
    CF_DEM_CONSTANT_E,
    .by_pair = true,
    .name = "lammps-restitution",
    .title = "LAMMPS (restitution)",
    .what = "input lines: pair_coeff hertz with damping coeff_restitution, since April 2024",
    .formula = "F = kn sqrt(R*) z^1.5 + c z^0.25 zdot >= 0, "
               "c = sqrt(5) b sqrt(k m*), b = -ln e0/sqrt(pi^2 + ln^2 e0)",
    .pair_rule = "none: pair_coeff sets each pair of types",
    .source = "LAMMPS, pull request 4068 of 2024: src/GRANULAR/gran_sub_mod_damping.cpp",
    .checked = "not run: Debian's LAMMPS, 29 Sep 2021, has no such damping; the same force run as "
               "liggghts-restitution, and as damping tsuji of that alpha",
    .fill = fill_restitution,
    .write = write,
    .prepare = prepare_restitution,
    .script = &script_restitution,
};
