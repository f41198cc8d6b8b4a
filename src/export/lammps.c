/* LAMMPS, pair_style granular and fix wall/gran granular.
 *
 * hertz with damping viscoelastic: F = kn sqrt(R*) z^1.5 + gamma m* sqrt(R* z) zdot; hooke with
 * damping velocity: F = kn z + gamma zdot. limit_damping keeps both from pulling. Read in LAMMPS,
 * src/GRANULAR/pair_granular.cpp of 2021 and gran_sub_mod_damping.cpp of newer ones, and run in
 * that of 29 Sep 2021. damping tsuji is off by sqrt 2 there, and hertz/material walls by 1 + nu:
 * neither is used.
 */

#include <math.h>

#include "export/dem.h"
#include "export/rows.h"

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
    double mu = cf_mapping_value(m, "mu"), damping = cf_mapping_value(m, "xgammat");

    fprintf(out, "%s %.10g %.10g ", cf_dem_hertzian(m) ? "hertz" : "hooke",
            cf_mapping_value(m, "kn"), cf_mapping_value(m, "gamma"));
    if (isnan(mu))
        fprintf(out, "tangential linear_nohistory 0 0");
    else
        fprintf(out, "tangential %s %.10g %.10g %.10g",
                cf_dem_hertzian(m) ? "mindlin" : "linear_history", cf_mapping_value(m, "kt"),
                isnan(damping) ? 1 : damping, mu);
    fprintf(out, " damping %s limit_damping", cf_dem_hertzian(m) ? "viscoelastic" : "velocity");
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
