/* contactfit models: the laws, their parameters and the unit table, as the program knows them. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "core/nearest.h"
#include "core/units.h"
#include "core/wrap.h"
#include "document/json_dump.h"
#include "document/json_value.h"
#include "law/law.h"
#include "law/rigid_friction.h"
#include "volume/hydroelastic.h"

/* The families in the order of help: those of law.h, friction, and shapes. */
enum { FRICTION = CF_FAMILY_TANGENTIAL, RIGID = CF_NFAMILY, HYDROELASTIC, NFAMILY };

static const struct {
    const char *name, *title, *symbol;
    const char *always; /* what is true of every formula */
} families[NFAMILY] = {
    [CF_FAMILY_NORMAL] = {"normal", "FORCE LAWS: the force at depth z and rate zdot, never pulling",
                          "F", ";  0 where that is negative and where z <= 0"},
    [CF_FAMILY_FOUNDATION] = {"foundation",
                              "FOUNDATIONS: the force over a volume of interference V and its "
                              "speed of approach, never pulling",
                              "F", ";  0 where that is negative"},
    [CF_FAMILY_RESTITUTION] =
        {"restitution",
         "RESTITUTION LAWS: e at approach speed v; they predict no duration and no "
         "force",
         "e", ""},
    [CF_FAMILY_COEFFICIENT] = {"friction-coefficient",
                               "FRICTION CURVES: steady friction over the load at slip speed v, of "
                               "the friction laws named",
                               "mu", ""},
    [CF_FAMILY_FRICTION_FORCE] = {"friction-force",
                                  "FRICTION CURVES of a force, where no load is known", "f", ""},
    [CF_FAMILY_FRICTION_TORQUE] = {"friction-torque",
                                   "FRICTION CURVES of a torque at the speed w of an axis, where "
                                   "no lever is known",
                                   "t", ""},
    [FRICTION] = {"friction",
                  "FRICTION LAWS: the force in the plane of contact at slip v under the load f_n",
                  "f", ""},
    [RIGID] = {"rigid-friction",
               "FRICTION OF RIGID IMPACTS: the impulse in the plane of contact beside that along "
               "the normal, J_n",
               "J_t", ""},
    [HYDROELASTIC] = {"hydroelastic",
                      "HYDROELASTIC SHAPES: estimates of the force at depth x, to leading order, "
                      "for contactfit predict",
                      "f", ""},
};

/* What is shown of a law of any family. */
struct law_entry {
    const char *name, *cite, *what, *formula;
    int family;
    size_t nparam;
    const struct cf_param *param;
    const struct cf_law *law; /* NULL: of what has no aliases, friction and shapes */
};

/* All laws; the caller frees them, NULL where there is no memory. */
static struct law_entry *all_entries(size_t *count)
{
    struct law_entry *out;
    size_t n = 0;

    for (const struct cf_law *const *l = cf_laws; *l; l++)
        n++;
    for (const struct cf_friction_law *const *l = cf_friction_laws; *l; l++)
        n++;
    for (const struct cf_friction_law *const *l = cf_rigid_friction_laws; *l; l++)
        n++;
    for (const struct cf_hydroelastic *const *s = cf_hydroelastic_shapes; *s; s++)
        n++;
    out = calloc(n, sizeof *out);
    *count = n;
    if (!out)
        return NULL;
    n = 0;
    for (const struct cf_law *const *l = cf_laws; *l; l++)
        out[n++] = (struct law_entry){(*l)->name,         (*l)->cite,   (*l)->what,  (*l)->formula,
                                      (int) (*l)->family, (*l)->nparam, (*l)->param, *l};
    for (const struct cf_friction_law *const *l = cf_friction_laws; *l; l++)
        out[n++] = (struct law_entry){(*l)->name, (*l)->cite,   (*l)->what,  (*l)->formula,
                                      FRICTION,   (*l)->nparam, (*l)->param, NULL};
    for (const struct cf_friction_law *const *l = cf_rigid_friction_laws; *l; l++)
        out[n++] = (struct law_entry){(*l)->name, (*l)->cite,   (*l)->what,  (*l)->formula,
                                      RIGID,      (*l)->nparam, (*l)->param, NULL};
    for (const struct cf_hydroelastic *const *s = cf_hydroelastic_shapes; *s; s++)
        out[n++] = (struct law_entry){(*s)->name,   (*s)->cite,   (*s)->what,  (*s)->formula,
                                      HYDROELASTIC, (*s)->nparam, (*s)->param, NULL};
    return out;
}

/* The entry of this name, or a failure with the nearest one. */
static int find_entry(const struct law_entry all[], size_t n, const char *name,
                      const struct law_entry **out, struct cf_error *err)
{
    const char **names, *nearest;

    for (size_t i = 0; i < n; i++) {
        *out = &all[i];
        if (strcmp(name, all[i].name) == 0)
            return CF_OK;
    }
    names = calloc(n, sizeof *names);
    for (size_t i = 0; i < n && names; i++)
        names[i] = all[i].name;
    nearest = names ? cf_nearest(name, names, n) : NULL;
    free(names);
    if (nearest)
        return cf_fail(err, CF_EUSAGE, "unknown law %s: did you mean %s?", name, nearest);
    return cf_fail(err, CF_EUSAGE, "unknown law %s: contactfit models lists them", name);
}

static const char *const scale_name[] = {[CF_SCALE_LINEAR] = "linear", [CF_SCALE_LOG] = "log"};

static void print_list(FILE *out, const struct law_entry all[], size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n; i++)
        width = (int) strlen(all[i].name) > width ? (int) strlen(all[i].name) : width;
    for (int f = 0; f < NFAMILY; f++) {
        fprintf(out, "%s%s\n", f ? "\n" : "", families[f].title);
        for (size_t i = 0; i < n; i++)
            if (all[i].family == f)
                fprintf(out, "  %-*s  " CF_WRAP_HANG "%s\n  %*s  " CF_WRAP_HANG "%s\n", width,
                        all[i].name, all[i].what, width, "", all[i].cite);
    }
    fprintf(out,
            "\ncontactfit models NAME shows a law's formula and parameters, --units the units.\n");
}

static void range_text(double lower, double upper, char out[32])
{
    snprintf(out, 32, "%g to %g", lower, upper);
}

static void print_parameters(FILE *out, const struct law_entry *law)
{
    char accepted[32], fitted[32], typical[32];
    int name = 9, unit = 10; /* of most laws */

    for (size_t i = 0; i < law->nparam; i++) {
        int name_len = (int) strlen(law->param[i].name),
            unit_len = (int) strlen(law->param[i].unit);
        name = name_len > name ? name_len : name;
        unit = unit_len > unit ? unit_len : unit;
    }
    fprintf(out, "\nPARAMETERS\n");
    fprintf(out, "  %-*s %-*s %-15s %-15s %-8s %s\n", name, "name", unit, "unit", "accepted",
            "fitted in", "typical", "scale");
    for (const struct cf_param *q = law->param; q < law->param + law->nparam; q++) {
        range_text(q->lower, q->upper, accepted);
        range_text(q->fit_lower, q->fit_upper, fitted);
        snprintf(typical, sizeof typical, "%g", q->typical);
        fprintf(out, "  %-*s %-*s %-15s %-15s %-8s %-7s" CF_WRAP_FIRST " %s\n", name, q->name, unit,
                q->unit, accepted, fitted, typical, scale_name[q->scale], q->what);
    }
}

static void print_aliases(FILE *out, const struct cf_law *law)
{
    size_t k = cf_law_k(law);
    if (law->nalias)
        fprintf(out, "\nOTHER SPELLINGS   R is the effective radius, 1/R = 1/R1 + 1/R2\n");
    for (size_t i = 0; i < law->nalias; i++)
        fprintf(out, "  %-18s %-10s " CF_WRAP_HANG "%s\n", law->alias[i].name, law->alias[i].unit,
                law->alias[i].what);
    if (k < law->nparam && cf_law_alias(law, "effective_modulus"))
        fprintf(
            out,
            "  k also follows from youngs_modulus_1, poissons_ratio_1 and radius_1 of the ball, "
            "and from youngs_modulus_2, poissons_ratio_2, radius_2 where body 2 is not rigid or "
            "flat.\n");
}

static void print_law(FILE *out, const struct law_entry *law)
{
    fprintf(out, "%s: %s\n\n  %s = " CF_WRAP_HANG "%s%s\n\n  source: " CF_WRAP_HANG "%s\n",
            law->name, law->what, families[law->family].symbol, law->formula,
            families[law->family].always, law->cite);
    print_parameters(out, law);
    if (law->law)
        print_aliases(out, law->law);
}

static json_t *law_json(const struct law_entry *law)
{
    json_t *params = json_array(), *aliases = json_array();

    for (const struct cf_param *q = law->param; q < law->param + law->nparam; q++)
        cf_json_add(&params,
                    json_pack("{ss ss ss so so so so so ss}", "name", q->name, "unit", q->unit,
                              "what", q->what, "lower", cf_json_number(q->lower), "upper",
                              cf_json_number(q->upper), "fit_lower", cf_json_number(q->fit_lower),
                              "fit_upper", cf_json_number(q->fit_upper), "typical",
                              cf_json_number(q->typical), "scale", scale_name[q->scale]));
    for (size_t i = 0; law->law && i < law->law->nalias; i++) {
        const struct cf_alias *s = &law->law->alias[i];
        cf_json_add(&aliases,
                    json_pack("{ss ss ss ss sf sf sf}", "name", s->name, "unit", s->unit, "what",
                              s->what, "target", law->param[s->target].name, "factor", s->factor,
                              "radius_power", s->radius_power, "k_power", s->k_power));
    }
    return json_pack("{ss ss ss ss ss so so}", "name", law->name, "family",
                     families[law->family].name, "what", law->what, "formula", law->formula, "cite",
                     law->cite, "parameters", params, "aliases", aliases);
}

static int print_json(const struct law_entry all[], size_t n, struct cf_error *err)
{
    json_t *laws = json_array();
    for (size_t i = 0; i < n; i++)
        cf_json_add(&laws, law_json(&all[i]));
    json_t *whole = json_pack("{so}", "laws", laws);
    int failed = cf_json_dump(whole, stdout, JSON_INDENT(2));
    json_decref(whole);
    if (failed)
        return cf_fail(err, CF_EIO, "the laws cannot be written as JSON");
    printf("\n");
    return CF_OK;
}

static int print(const struct cf_arguments *args, const struct law_entry all[], size_t n,
                 struct cf_error *err)
{
    const struct law_entry *one = NULL;
    bool units = cf_flag(args, "units"), json = cf_flag(args, "json");

    if (units && (json || args->noperand))
        return cf_fail(err, CF_EUSAGE, "--units stands alone, without %s",
                       json ? "--json" : "the name of a law");
    if (args->noperand && find_entry(all, n, args->operand[0], &one, err) != CF_OK)
        return CF_EUSAGE;
    if (json)
        return print_json(one ? one : all, one ? 1 : n, err);
    if (units)
        cf_units_print(args->text);
    else if (one)
        print_law(args->text, one);
    else
        print_list(args->text, all, n);
    return CF_OK;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    size_t n;
    struct law_entry *all = all_entries(&n);
    int status = all ? print(args, all, n, err) : cf_fail(err, CF_ENOMEM, "no memory for the laws");

    free(all);
    return status;
}

static const struct cf_option option[] = {
    {"units", 0, NULL, "list units, prefixes and the unit endings of column names"},
    {"json", 0, NULL, "print the laws as JSON"},
};

const struct cf_command cf_command_models = {
    .name = "models",
    .synopsis = "[NAME] [--units] [--json]",
    .what = "list the laws; with a NAME its formula, parameters, units, ranges and source",
    .help = "Parameters are given by the names shown, in the units shown or with a unit of their\n"
            "own (k=\"2.5 N/mm^1.5\"). \"fitted in\" is where a fit looks unless a study says\n"
            "otherwise; a typical value is an example and never taken silently.\n",
    .noption = sizeof option / sizeof option[0],
    .option = option,
    .max_operand = 1,
    .run = run,
};
