/* contactfit simulate: runs a scene, reports what happened, and whether the energy balance
 * closes. */

#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/progress.h"
#include "cmd/simulation.h"
#include "core/nearest.h"
#include "core/text.h"
#include "scene/balance_words.h"

enum { DEFAULT_SAMPLES = 1000, MAX_SCHEMES = 8 }; /* a picture is no wider */

static const struct cf_option option[] = {
    {"parameter", 'p', "PATH=VALUE", "in place of what the file says there; once for each"},
    {"trace", 0, "FILE.csv", "write places, speeds, forces and energies over time"},
    {"events", 0, "FILE.csv", "write what happened when: make, break, stick, slip, apex, rest"},
    {"every", 0, "Q",
     "time between the rows of --trace (default: as the file says, else a "
     "thousandth)"},
    {"tolerance", 0, "X", "of each step, relative (default: as the file says, else 1e-10)"},
    {"method", 0, "NAME", "adaptive, or fixed steps by euler, rk3, rk4, rk5"},
    {"step", 0, "Q", "length of fixed steps"},
    {"json", 0, NULL, "print the summary as JSON"},
    CF_OPTION_FORCE,
};

/* The overrides of the command line; paths are copies, the caller's to free. */
static int read_overrides(const struct cf_arguments *args, struct cf_override override[CF_MAX_SEEN],
                          char *path[CF_MAX_SEEN], size_t *n, struct cf_error *err)
{
    char shown[CF_SHOWN];

    *n = 0;
    for (size_t i = 0; i < args->nseen; i++) {
        const char *text = args->seen[i].value, *equals;
        if (strcmp(args->seen[i].option->name, "parameter") != 0)
            continue;
        equals = strchr(text, '=');
        if (!equals || equals == text)
            return cf_fail(err, CF_EUSAGE,
                           "-p: \"%s\": PATH=VALUE is wanted, such as bodies.ball.mass=70g",
                           cf_show(text, shown));
        path[*n] = strndup(text, (size_t) (equals - text));
        if (!path[*n])
            return cf_fail(err, CF_ENOMEM, "out of memory");
        override[*n] = (struct cf_override){path[*n], equals + 1};
        (*n)++;
    }
    return CF_OK;
}

static int read_scene(const struct cf_arguments *args, struct cf_scene_file **file,
                      struct cf_error *err)
{
    struct cf_override override[CF_MAX_SEEN] = {{NULL, NULL}};
    char *path[CF_MAX_SEEN] = {NULL};
    size_t n;
    int status = read_overrides(args, override, path, &n, err);

    if (status == CF_OK) {
        *file = cf_scene_read(args->operand[0], override, n, err);
        status = *file ? CF_OK : CF_EINPUT;
    }
    while (n > 0)
        free(path[--n]);
    return status;
}

static int read_method(const struct cf_arguments *args, struct cf_motion_options *o,
                       struct cf_error *err)
{
    const char *name = cf_argument(args, "method"), *known[MAX_SCHEMES] = {"adaptive"}, *nearest;
    size_t n = 1;

    if (name) {
        o->scheme = cf_ode_scheme_find(name);
        for (size_t i = 0; cf_ode_schemes[i] && n < MAX_SCHEMES; i++)
            known[n++] = cf_ode_schemes[i]->name;
        nearest = cf_nearest(name, known, n);
        if (!o->scheme && strcmp(name, "adaptive") != 0)
            return nearest
                       ? cf_fail(err, CF_EUSAGE, "--method %s: did you mean %s?", name, nearest)
                       : cf_fail(err, CF_EUSAGE,
                                 "--method %s: adaptive, euler, rk3, rk4 and rk5 are known", name);
    }
    int status = cf_argument_quantity(args, "step", "s", o->dt_s, &o->dt_s, err);
    if (status == CF_OK && cf_flag(args, "step") && !o->scheme)
        status = cf_fail(err, CF_EUSAGE,
                         "--step: the adaptive method chooses its own: give --method, too");
    if (status == CF_OK && o->scheme && !(o->dt_s > 0))
        status = cf_fail(err, CF_EUSAGE, "--method %s: fixed steps: give --step, such as 1ms",
                         o->scheme->name);
    return status;
}

/* Rows of a trace: a hundred gigabytes of them are a slip of the keyboard. */
static const double most_rows = 1e9;

static int read_options(const struct cf_arguments *args, const struct cf_scene_file *file,
                        struct cf_motion_options *o, struct cf_error *err)
{
    double otherwise = file->options.every_s, least = cf_scene_least_tolerance;
    int status;

    *o = file->options;
    if (!(otherwise > 0))
        otherwise = file->scene.duration_s / DEFAULT_SAMPLES;
    status = cf_argument_quantity(args, "every", "s", otherwise, &o->every_s, err);
    if (status == CF_OK && cf_flag(args, "trace") &&
        file->scene.duration_s / o->every_s > most_rows)
        return cf_fail(err, CF_EUSAGE,
                       "--every %g s: a trace of %.3g rows: at most %g are written: make the time "
                       "between rows longer, or the duration shorter",
                       o->every_s, file->scene.duration_s / o->every_s, most_rows);
    if (!cf_flag(args, "trace"))
        o->every_s = 0; /* start and end are enough */
    if (status == CF_OK)
        status = cf_argument_quantity(args, "tolerance", "1", o->tolerance, &o->tolerance, err);
    if (status == CF_OK && !(o->tolerance >= least && o->tolerance <= cf_scene_most_tolerance))
        status = cf_fail(err, CF_EUSAGE, "--tolerance %g: must be in [%g, %g]", o->tolerance, least,
                         cf_scene_most_tolerance);
    return status == CF_OK ? read_method(args, o, err) : status;
}

static int open_table(const struct cf_arguments *args, const char *name, struct cf_output **out,
                      struct cf_error *err)
{
    const char *path = cf_argument(args, name);

    *out = path ? cf_output_open(args->outputs, path, err) : NULL;
    return path && !*out ? CF_EIO : CF_OK;
}

static int commit(const struct cf_arguments *args, const char *name, struct cf_output **out,
                  struct cf_error *err)
{
    struct cf_output *made = *out;

    *out = NULL;
    if (!made)
        return CF_OK;
    int status = cf_output_commit(made, err);
    if (status == CF_OK && !cf_flag(args, "quiet"))
        cf_message("wrote %s", cf_argument(args, name));
    return status;
}

/* Why a run was stopped: the table that could not be written says it. */
static int tell_lost(const struct cf_arguments *args, struct cf_simulation *s, struct cf_error *err)
{
    int status = CF_OK;

    if (s->trace && cf_output_failed(s->trace))
        status = commit(args, "trace", &s->trace, err);
    else if (s->events && cf_output_failed(s->events))
        status = commit(args, "events", &s->events, err);
    return status ? status : cf_fail(err, CF_ECANCELLED, "stopped: nothing was written");
}

/* The result exists, but can it be trusted? */
static int judge(const struct cf_simulation *s, struct cf_error *err)
{
    char *words;

    if (cf_balance_verdict(&s->options, &s->result) != CF_BALANCE_OPEN)
        return CF_OK;
    words = cf_balance_words(&s->file->scene, &s->options, &s->result);
    int status = words ? cf_fail(err, CF_EUNTRUSTED, "%s: %s", s->file->path, words)
                       : cf_fail(err, CF_ENOMEM, "out of memory for the words of the verdict");
    free(words);
    return status;
}

static int put_closing(const struct cf_simulation *s, const char *path, FILE *out,
                       struct cf_error *err)
{
    static const enum cf_closing kind[] = {
        [CF_BALANCE_CLOSES] = CF_CLOSING_GOOD,
        [CF_BALANCE_OPEN] = CF_CLOSING_BAD,
        [CF_BALANCE_NOT_JUDGED] = CF_CLOSING_DOUBT,
    };
    enum cf_balance_verdict verdict = cf_balance_verdict(&s->options, &s->result);
    char *words = cf_balance_words(&s->file->scene, &s->options, &s->result);
    char *text =
        words ? cf_format("%s%s", words, verdict == CF_BALANCE_OPEN ? " (exit status 3)" : "")
              : NULL;
    int status =
        cf_closing_put(out, kind[verdict], text, cf_closing_command("plot", path, ""), err);

    free(words);
    free(text);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    struct cf_scene_file *file = NULL;
    struct cf_simulation s = {.file = NULL};
    struct cf_error why = {""};
    int status = read_scene(args, &file, err);

    s.file = file;
    s.shows_progress = cf_progress_wanted(cf_flag(args, "quiet"));
    if (status == CF_OK)
        status = read_options(args, file, &s.options, err);
    if (status == CF_OK)
        status = cf_scene_steps_check(file, &s.options, err);
    if (status == CF_OK)
        status = cf_outputs_protect_all(args->outputs, &file->read, err);
    if (status == CF_OK)
        status = open_table(args, "trace", &s.trace, err);
    if (status == CF_OK)
        status = open_table(args, "events", &s.events, err);
    int ran = status == CF_OK ? cf_simulation_run(&s, &why) : CF_OK;
    if (ran == CF_ECANCELLED)
        status = tell_lost(args, &s, err);
    else if (ran)
        status = cf_fail(err, CF_ESOLVE, "%s: %.900s", file->path, why.text);
    if (status == CF_OK)
        status = commit(args, "trace", &s.trace, err);
    if (status == CF_OK)
        status = commit(args, "events", &s.events, err);
    if (status == CF_OK && cf_flag(args, "json"))
        status = cf_simulation_json(&s, stdout, err);
    else if (status == CF_OK) {
        status = cf_simulation_print(&s, args->text, err);
        if (status == CF_OK)
            status = put_closing(&s, args->operand[0], args->text, err);
    }
    if (status == CF_OK)
        status = judge(&s, err);
    cf_simulation_clear(&s);
    cf_scene_file_free(file);
    return status;
}

const struct cf_command cf_command_simulate = {
    .name = "simulate",
    .synopsis = "SCENE.yaml [-p PATH=VALUE]... [--trace FILE.csv] [--events FILE.csv] [--every Q] "
                "[--tolerance X] [--method NAME --step Q] [--json]",
    .what = "run a scene of bodies in contact and check its energy balance",
    .help =
        "A scene file (contactfit: scene/1) says which bodies there are, what they touch and by\n"
        "which laws: see contactfit-scene(5). The summary goes to standard output: what happened,\n"
        "what it cost, where energy was and went. PATH is the keys that lead to a value, divided\n"
        "by dots; an entry of a list goes by its name or its number from 1.\n"
        "\n"
        "The trace has time_s first, then columns whose names end in their unit; both tables say\n"
        "at their head that they are simulated.\n"
        "\n"
        "Exit status 3: the run is there, but its energy balance does not close: an exchange\n"
        "between bodies that touch is off by more than twenty tolerances of the largest account,\n"
        "or the run drifted by more than 0.5 % of what took part in it. The verdict says whose\n"
        "energy, when, by how much, and which tolerance helps. Fixed steps are not judged.\n"
        "\n"
        "Examples:\n"
        "  contactfit simulate scenes/af14_steel_66g.yaml --events impacts.csv\n"
        "  contactfit simulate scenes/af14_steel_66g.yaml -p bodies.ball.mass=70g \\\n"
        "      -p contacts.1.normal.lambda=2e5 --trace drop.csv --every 1ms\n",
    .noption = sizeof option / sizeof option[0],
    .option = option,
    .min_operand = 1,
    .max_operand = 1,
    .run = run,
};
