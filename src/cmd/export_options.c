/* The options of contactfit export. */

#include "cmd/export_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/units.h"
#include "export/e_code.h"
#include "export/verify.h"

static int read_keep(const struct cf_arguments *args, enum cf_keep *keep, struct cf_error *err)
{
    static const char *const words[] = {"depth", "duration", "force", "step"};
    enum { NWORD = sizeof words / sizeof words[0] };
    const char *text = cf_argument(args, "keep");
    char shown[CF_SHOWN];

    *keep = CF_KEEP_DEPTH;
    for (size_t i = 0; text && i < NWORD; i++)
        if (strcmp(text, words[i]) == 0) {
            *keep = (enum cf_keep) i;
            return CF_OK;
        }
    return !text ? CF_OK
                 : cf_fail(err, CF_EUSAGE, "--keep: \"%s\": must be depth, duration, force or step",
                           cf_show(text, shown));
}

/* --smooth[=monotone], of targets that have e(v) as code. */
static int read_smooth(const struct cf_arguments *args, struct cf_export_options *ask,
                       struct cf_error *err)
{
    const char *how = cf_argument(args, "smooth");
    char shown[CF_SHOWN], names[120] = "";
    size_t used = 0;

    ask->question.smooth = how != NULL;
    ask->question.monotone = how && strcmp(how, "monotone") == 0;
    if (!how)
        return CF_OK;
    if (*how && !ask->question.monotone)
        return cf_fail(err, CF_EUSAGE, "--smooth: %s: monotone, or nothing, is wanted",
                       cf_show(how, shown));
    if (ask->target->exactness == cf_exactness_e_code)
        return CF_OK;
    for (size_t i = 0; cf_targets[i]; i++)
        if (cf_targets[i]->exactness == cf_exactness_e_code && used < sizeof names)
            used += (size_t) snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                      cf_targets[i]->name);
    return cf_fail(err, CF_EUSAGE, "--smooth: %s has no curve of e: these have one: %s",
                   ask->target->name, names);
}

static bool ask_to_run(const struct cf_arguments *args)
{
    return cf_flag(args, "verify") || cf_argument(args, "seen");
}

/* --slowest and --fastest. */
static int read_range(const struct cf_arguments *args, struct cf_question *q, struct cf_error *err)
{
    const double unknown = (double) NAN;
    const struct {
        const char *name, *unit;
        double *value;
    } option[] = {{"slowest", "m/s", &q->slowest_m_s}, {"fastest", "m/s", &q->fastest_m_s}};
    int status = CF_OK;

    for (size_t i = 0; i < sizeof option / sizeof *option && !status; i++)
        status = cf_argument_quantity(args, option[i].name, option[i].unit, unknown,
                                      option[i].value, err);
    return status;
}

static int read_gravity(const struct cf_arguments *args, struct cf_question *q,
                        struct cf_error *err)
{
    struct cf_error why = {""};
    int status =
        cf_argument_quantity(args, "gravity", "m/s^2", (double) NAN, &q->gravity_m_s2, &why);

    if (status)
        return cf_fail(err, status,
                       "%.900s: what is wanted is one number, its part along the approach, towards "
                       "the other body; where there is none, no option",
                       why.text);
    if (!isnan(q->gravity_m_s2) && isnan(q->dt_s))
        return cf_fail(err, CF_EUSAGE,
                       "--gravity: goes with --dt: without a step e is that of the law");
    if (!isnan(q->gravity_m_s2) && ask_to_run(args))
        return cf_fail(err, CF_EUSAGE, "--gravity: --verify runs without: give one of the two");
    return CF_OK;
}

/* --engine-settings, of targets whose text can have them. */
static int read_settings(const struct cf_arguments *args, struct cf_export_options *ask,
                         struct cf_error *err)
{
    char names[120] = "";
    size_t used = 0;

    ask->question.settings = cf_flag(args, "engine-settings");
    if (!ask->question.settings)
        return CF_OK;
    if (ask->target->settings && ask_to_run(args))
        return cf_fail(err, CF_EUSAGE,
                       "--engine-settings: --verify runs the engine as it comes: give one of the "
                       "two");
    if (ask->target->settings && isnan(ask->question.dt_s))
        return cf_fail(err, CF_EUSAGE,
                       "--engine-settings: goes with --dt: they depend on how far a body goes in a "
                       "step");
    for (size_t i = 0; cf_targets[i]; i++)
        if (cf_targets[i]->settings && used < sizeof names)
            used += (size_t) snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                      cf_targets[i]->name);
    return ask->target->settings ? CF_OK
                                 : cf_fail(err, CF_EUSAGE,
                                           "--engine-settings: the text for %s has no place for "
                                           "any: this is for %s",
                                           ask->target->name, names);
}

/* One -p NAME=Q. */
static int read_parameter(const char *text, struct cf_tangential *t, struct cf_error *err)
{
    const struct {
        const char *name, *unit;
        double *value;
    } known[] = {{"mu_S", "1", &t->mu_S}, {"mu_C", "1", &t->mu_C},
                 {"v_S", "m/s", &t->v_S}, {"sigma_2", "s/m", &t->sigma_2},
                 {"kv", "N/m^3", &t->kv}, {"kappa", "1", &t->kappa}};
    struct cf_error why = {""};
    char shown[CF_SHOWN];

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t len = strlen(known[i].name);
        if (strncmp(text, known[i].name, len) != 0 || text[len] != '=')
            continue;
        if (cf_quantity_parse(text + len + 1, known[i].unit, known[i].value, &why) != CF_OK)
            return cf_fail(err, CF_EUSAGE, "-p %s: %.900s", known[i].name, why.text);
        return *known[i].value >= 0 ? CF_OK
                                    : cf_fail(err, CF_ERANGE, "-p %s: %.15g: must not be below 0",
                                              known[i].name, *known[i].value);
    }
    return cf_fail(
        err, CF_EUSAGE,
        "-p: \"%s\": must be mu_S, mu_C, v_S, sigma_2, kv or kappa, then = and its value",
        cf_show(text, shown));
}

/* --points: what a point of a contact shares with others. */
static int read_points(const struct cf_arguments *args, struct cf_export_options *ask,
                       struct cf_error *err)
{
    enum { MOST_POINTS = 1000 };
    unsigned long long n;
    char names[256];
    int status = cf_argument_count(args, "points", 1, MOST_POINTS, 1, &n, err);

    ask->question.points = (unsigned) n;
    if (status || n == 1)
        return status;
    if (!ask->target->per_point) {
        size_t used = 0;
        for (size_t i = 0; cf_targets[i] && used < sizeof names; i++)
            if (cf_targets[i]->per_point)
                used += (size_t) snprintf(names + used, sizeof names - used, "%s%s",
                                          used ? ", " : "", cf_targets[i]->name);
        return cf_fail(err, CF_EUSAGE,
                       "--points: %s gives no spring to each point of a contact, and so nothing is "
                       "to be shared: this is for %s",
                       ask->target->name, names);
    }
    return ask_to_run(args)
               ? cf_fail(err, CF_EUSAGE,
                         "--points %llu: --verify drops a sphere, which has one point: give one of "
                         "the two",
                         n)
               : CF_OK;
}

/* --allow-missing, as often as it is given: the caller frees the list, not its texts. */
static int read_missing(const struct cf_arguments *args, struct cf_export_options *ask,
                        struct cf_error *err)
{
    struct cf_question *q = &ask->question;

    q->missing = calloc(args->nseen + 1, sizeof *q->missing);
    if (!q->missing)
        return cf_fail(err, CF_ENOMEM, "out of memory");
    for (size_t i = 0; i < args->nseen; i++)
        if (strcmp(args->seen[i].option->name, "allow-missing") == 0)
            q->missing[q->nmissing++] = args->seen[i].value;
    return q->nmissing == 0 || ask->target->every_pair
               ? CF_OK
               : cf_fail(err, CF_EUSAGE,
                         "--allow-missing: %s leaves out what no fit is of: this is for liggghts",
                         ask->target->name);
}

int cf_export_options_read(const struct cf_arguments *args, struct cf_export_options *ask,
                           struct cf_error *err)
{
    const char *to = cf_argument(args, "to"), *law = cf_argument(args, "approximate");
    const double unknown = (double) NAN;
    unsigned long long drops = CF_FEWEST_DROPS;
    struct cf_error why = {""};
    int status;

    ask->tangential = cf_tangential_unknown;
    if (!to)
        return cf_fail(err, CF_EUSAGE, "--to TARGET is wanted: --list shows all");
    status = cf_target_get(to, &ask->target, err);
    if (!status && law && cf_law_get(law, &ask->approximate, &why))
        status = cf_fail(err, CF_EUSAGE, "--approximate: %.900s", why.text);
    if (!status)
        status = cf_argument_quantity(args, "speed", "m/s", unknown, &ask->question.speed_m_s, err);
    if (!status)
        status = cf_argument_quantity(args, "dt", "s", unknown, &ask->question.dt_s, err);
    if (!status)
        status = cf_argument_quantity(args, "bound", "1", unknown, &ask->question.bound_e, err);
    if (!status)
        status = cf_argument_quantity(args, "mass", "kg", unknown, &ask->mass_kg, err);
    if (!status)
        status = cf_argument_quantity(args, "radius", "m", unknown, &ask->radius_m, err);
    if (!status)
        status = read_keep(args, &ask->question.keep, err);
    if (!status)
        status = read_smooth(args, ask, err);
    if (!status)
        status = read_range(args, &ask->question, err);
    if (!status)
        status = read_gravity(args, &ask->question, err);
    if (!status)
        status = read_settings(args, ask, err);
    if (!status)
        status = cf_argument_count(args, "drops", CF_FEWEST_DROPS, CF_MOST_DROPS, CF_FEWEST_DROPS,
                                   &drops, err);
    ask->drops = (size_t) drops;
    for (size_t i = 0; i < args->nseen && !status; i++)
        if (strcmp(args->seen[i].option->name, "parameter") == 0)
            status = read_parameter(args->seen[i].value, &ask->tangential, err);
    if (!status)
        status = read_points(args, ask, err);
    if (!status)
        status = read_missing(args, ask, err);
    ask->question.plain = cf_flag(args, "plain");
    ask->seen = cf_argument(args, "seen");
    ask->verify = ask_to_run(args);
    ask->friction = cf_argument(args, "friction");
    if (!status && ask->tangential.mu_S < ask->tangential.mu_C)
        return cf_fail(err, CF_ERANGE, "mu_S = %.15g is below mu_C = %.15g", ask->tangential.mu_S,
                       ask->tangential.mu_C);
    return status;
}
