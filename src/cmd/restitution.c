/* contactfit restitution: what a law with given parameters predicts for impacts at given speeds. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/list.h"
#include "cmd/message.h"
#include "core/decimal.h"
#include "core/text.h"
#include "core/units.h"
#include "document/json_dump.h"
#include "document/json_value.h"
#include "experiment/registry.h"
#include "impact/impact.h"

static const char *const column[CF_NIMPACT] = {
    [CF_IMPACT_RESTITUTION] = "restitution",
    [CF_IMPACT_DURATION] = "duration_s",
    [CF_IMPACT_DEPTH] = "depth_m",
    [CF_IMPACT_FORCE] = "peak_force_N",
};

/* The question, as the command line puts it. */
struct speeds_question {
    const struct cf_law *law;
    double p[CF_MAX_PARAM];
    double mass_kg; /* NAN when not given */
    double radius_m;
    struct cf_list speeds;
    bool only_restitution;
};

/* The SI unit of a name that cf_law_params() takes; NULL for a name that it will refuse. */
static const char *unit_of(const struct cf_law *law, const char *name)
{
    static const struct {
        const char *start, *unit;
    } material[] = {
        {"youngs_modulus_", "Pa"}, {"poissons_ratio_", "1"}, {"radius_", "m"}, {"pivot", "m"}};
    size_t i = cf_param_find(law->param, law->nparam, name);
    const struct cf_alias *alias = cf_law_alias(law, name);

    if (i < law->nparam)
        return law->param[i].unit;
    if (alias)
        return alias->unit;
    for (i = 0; i < sizeof material / sizeof material[0]; i++)
        if (strncmp(name, material[i].start, strlen(material[i].start)) == 0)
            return material[i].unit;
    return NULL;
}

/* One NAME=VALUE; the name becomes a copy, the caller's to free. */
static int read_named(const struct cf_law *law, const char *text, char **name, double *value,
                      struct cf_error *err)
{
    const char *equals = strchr(text, '='), *unit;
    struct cf_error why = {""};
    char shown[CF_SHOWN];

    if (!equals || equals == text)
        return cf_fail(err, CF_EUSAGE, "-p: \"%s\": NAME=VALUE is wanted, such as %s=%g",
                       cf_show(text, shown), law->param[0].name, law->param[0].typical);
    *name = strndup(text, (size_t) (equals - text));
    if (!*name)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    unit = unit_of(law, *name);
    *value = 0;
    if (unit && cf_quantity_parse(equals + 1, unit, value, &why) != CF_OK)
        return cf_fail(err, CF_EUSAGE, "-p %s: %.900s", cf_show(*name, shown), why.text);
    return CF_OK;
}

static int read_parameters(const struct cf_arguments *args, struct speeds_question *q,
                           struct cf_error *err)
{
    struct cf_named given[CF_MAX_SEEN];
    char *name[CF_MAX_SEEN] = {NULL};
    size_t n = 0;
    int status = CF_OK;

    for (size_t i = 0; i < args->nseen && !status; i++) {
        if (strcmp(args->seen[i].option->name, "parameter") != 0)
            continue;
        status = read_named(q->law, args->seen[i].value, &name[n], &given[n].value, err);
        given[n].name = name[n];
        n++;
    }
    if (!status)
        status = cf_law_params(q->law, given, n, q->radius_m, 1, q->p, err);
    while (n > 0)
        free(name[--n]);
    return status;
}

/* Everything that e depends on must be given; what else the other columns need and is missing is
 * named in `note`. */
static int check_complete(struct speeds_question *q, char note[], size_t size, struct cf_error *err)
{
    const struct cf_law *law = q->law;
    double k_power = 0, mass_power = 0;
    bool all_needed = false;
    size_t k = cf_law_k(law);
    const char *rest = "duration_s, depth_m and peak_force_N stay empty";

    note[0] = '\0';
    if (law->family == CF_FAMILY_NORMAL)
        all_needed = !cf_impact_group(law, &k_power, &mass_power);
    for (size_t i = 0; i < law->nparam; i++)
        if (isnan(q->p[i]) && (i != k || k_power != 0 || all_needed))
            return cf_fail(err, CF_EUSAGE, "%s needs %s [%s] (%s): give -p %s=VALUE", law->name,
                           law->param[i].name, law->param[i].unit, law->param[i].what,
                           law->param[i].name);
    if (isnan(q->mass_kg) && law->family == CF_FAMILY_NORMAL && (mass_power != 0 || all_needed))
        return cf_fail(err, CF_EUSAGE, "%s needs the mass that bounces: give --mass, such as %s",
                       law->name, "--mass=\"66 g\"");

    bool no_k = k < law->nparam && isnan(q->p[k]), no_mass = isnan(q->mass_kg);
    q->only_restitution = law->family == CF_FAMILY_RESTITUTION || no_k || no_mass;
    if (law->family == CF_FAMILY_RESTITUTION)
        snprintf(note, size, "%s predicts the restitution only: %s", law->name, rest);
    else if (no_k || no_mass)
        snprintf(note, size, "%s%s%s not given: %s", no_k ? "k" : "",
                 no_k && no_mass ? " and " : "",
                 no_mass ? (no_k ? "--mass are" : "--mass is") : " is", rest);
    return CF_OK;
}

static int answer(struct cf_curves *curves, const struct speeds_question *q, double speed_m_s,
                  struct cf_impact *out, struct cf_error *err)
{
    /* where the mass does not matter for e, any mass gives it */
    double mass_kg = isnan(q->mass_kg) ? 1 : q->mass_kg;
    int status = cf_impact(curves, q->law, q->p, mass_kg, speed_m_s, out, err);
    for (int w = CF_IMPACT_DURATION; w < CF_NIMPACT && !status; w++)
        out->known[w] = out->known[w] && !q->only_restitution;
    return status;
}

static void print_row(double speed_m_s, const double value[CF_NIMPACT])
{
    cf_decimal_put(speed_m_s, stdout);
    for (int w = 0; w < CF_NIMPACT; w++) {
        putchar(',');
        if (!isnan(value[w]))
            cf_decimal_put(value[w], stdout);
    }
    printf("\n");
}

/* The whole table, or none of it. */
static int print_csv(struct cf_curves *curves, const struct speeds_question *q,
                     struct cf_error *err)
{
    double *value = malloc((q->speeds.n + 1) * CF_NIMPACT * sizeof *value);
    int status = value ? CF_OK : cf_fail(err, CF_ENOMEM, "no memory for %zu rows", q->speeds.n);

    for (size_t i = 0; i < q->speeds.n && !status; i++) {
        struct cf_impact a;
        status = answer(curves, q, q->speeds.value[i], &a, err);
        for (int w = 0; w < CF_NIMPACT; w++)
            value[i * CF_NIMPACT + (size_t) w] = a.known[w] ? a.value[w] : (double) NAN;
    }
    for (int w = 0; w < CF_NIMPACT && !status; w++)
        printf("%s%s%s", w ? "" : "speed_m_s,", column[w], w + 1 < CF_NIMPACT ? "," : "\n");
    for (size_t i = 0; i < q->speeds.n && !status && !ferror(stdout); i++)
        print_row(q->speeds.value[i], &value[i * CF_NIMPACT]);
    free(value);
    return status;
}

static json_t *number(double x, bool known)
{
    return cf_json_number(known ? x : (double) NAN);
}

static int print_json(struct cf_curves *curves, const struct speeds_question *q,
                      struct cf_error *err)
{
    json_t *p = json_object(), *rows = json_array();
    int status = CF_OK;

    for (size_t i = 0; i < q->law->nparam; i++)
        cf_json_put(&p, q->law->param[i].name, number(q->p[i], true));
    for (size_t i = 0; i < q->speeds.n && !status; i++) {
        struct cf_impact a;
        json_t *row = json_pack("{sf}", "speed_m_s", q->speeds.value[i]);
        status = answer(curves, q, q->speeds.value[i], &a, err);
        for (int w = 0; w < CF_NIMPACT && !status; w++)
            cf_json_put(&row, column[w], number(a.value[w], a.known[w]));
        cf_json_add(&rows, row);
    }
    json_t *all = json_pack("{ss so so so}", "law", q->law->name, "mass_kg",
                            number(q->mass_kg, true), "parameters", p, "rows", rows);
    if (!status && cf_json_dump(all, stdout, JSON_INDENT(2)) != 0)
        status = cf_fail(err, CF_EIO, "the rows cannot be written as JSON");
    json_decref(all);
    if (!status)
        printf("\n");
    return status;
}

/* Errors in the question are errors of the command line. */
static int read_question(const struct cf_arguments *args, struct speeds_question *q, char note[],
                         size_t size, struct cf_error *err)
{
    static const struct cf_list_kind kind = {"--speed", "m/s", "a speed", "speeds", false};
    const char *speed = cf_argument(args, "speed");
    int status;

    if ((status = cf_registry_law_get(args->registry, args->operand[0], &q->law, err)) ||
        (status = cf_argument_quantity(args, "mass", "kg", (double) NAN, &q->mass_kg, err)) ||
        (status = cf_argument_quantity(args, "radius", "m", (double) NAN, &q->radius_m, err)) ||
        (status = read_parameters(args, q, err)) || (status = check_complete(q, note, size, err)))
        return status == CF_ENOMEM ? status : CF_EUSAGE;
    if (!speed)
        return cf_fail(err, CF_EUSAGE,
                       "--speed is missing: give 0.1,0.5,2 or FROM:TO:COUNT (log-spaced)");
    status = cf_list_parse(&kind, speed, &q->speeds, err);
    return status && status != CF_ENOMEM ? CF_EUSAGE : status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct speeds_question q = {.law = NULL};
    char note[256];
    int status = read_question(args, &q, note, sizeof note, err);
    if (status)
        return status;

    struct cf_curves *curves = cf_curves_alloc();
    if (!curves)
        status = cf_fail(err, CF_ENOMEM, "out of memory");
    else if (cf_flag(args, "json"))
        status = print_json(curves, &q, err);
    else
        status = print_csv(curves, &q, err);
    if (!status && note[0] && !cf_flag(args, "quiet"))
        cf_message("contactfit restitution: %s", note);
    cf_curves_free(curves);
    cf_list_clear(&q.speeds);
    return status;
}

static const struct cf_option option[] = {
    {"parameter", 'p', "NAME=VALUE", "a parameter, or another alias of it; once for each"},
    {"mass", 0, "Q", "effective mass, 1/m = 1/m1 + 1/m2; what stands fixed does not count"},
    {"speed", 0, "LIST", "approach speeds: 0.1,0.5,2 or FROM:TO:COUNT, log-spaced"},
    {"radius", 0, "Q", "effective radius, 1/R = 1/R1 + 1/R2, for aliases that need it"},
    {"json", 0, NULL, "print JSON instead of CSV"},
};

const struct cf_command cf_command_restitution = {
    .name = "restitution",
    .synopsis = "LAW -p NAME=VALUE... --mass Q --speed LIST [--radius Q] [--json]",
    .what = "restitution, duration, depth and peak force of single impacts by a law",
    .help =
        "Quantities carry units (66 g, 12.7 mm, 50 cm/s); a bare number is SI. The table goes to\n"
        "standard output as CSV; a cell that the given parameters do not\n"
        "determine is empty. The duration ends when the force first returns to zero.\n"
        "\n"
        "Examples:\n"
        "  contactfit restitution azad-featherstone -p k=1e10 -p lambda=1e5 --mass \"66 g\" \\\n"
        "      --speed 0.01:5:20\n"
        "  contactfit restitution hunt-crossley -p a=0.1 --speed 0.5,1,2\n"
        "\n"
        "contactfit models LAW lists a law's parameters.\n",
    .noption = sizeof option / sizeof option[0],
    .option = option,
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
