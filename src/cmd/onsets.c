/* contactfit onsets: the stamps of a bouncing ball's impacts, out of the sound of them. */

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/message.h"
#include "cmd/onsets_text.h"
#include "core/text.h"
#include "report/image.h"
#include "report/render.h"
#include "report/sound_drawing.h"

static int read_rules(const struct cf_arguments *args, struct cf_onset_rules *rules,
                      struct cf_error *err)
{
    char shown[CF_SHOWN];
    struct cf_error why = {""};
    int status = CF_OK;

    cf_onset_rules_init(rules);
    for (size_t i = 0; i < args->nseen && !status; i++) {
        const char *text = args->seen[i].value, *equals;
        char *name;
        if (strcmp(args->seen[i].option->name, "rule") != 0)
            continue;
        equals = strchr(text, '=');
        if (!equals || equals == text)
            return cf_fail(err, CF_EUSAGE, "--rule: \"%s\": NAME=VALUE is wanted, such as %s",
                           cf_show(text, shown), "dead_time=80ms");
        name = strndup(text, (size_t) (equals - text));
        status = name ? cf_onset_rules_set(rules, name, equals + 1, &why) : CF_ENOMEM;
        free(name);
    }
    if (!status)
        status = cf_onset_rules_check(rules, &why);
    if (status == CF_ENOMEM)
        return cf_fail(err, status, "out of memory");
    return status ? cf_fail(err, CF_EUSAGE, "--rule: %.3900s", why.text) : CF_OK;
}

/* The ending of a figure's name is its format; NULL where it is none. */
static const char *format_of(const char *path)
{
    static const char *const known[] = {"svg", "pdf", "png"};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
        if (strcmp(dot + 1, known[i]) == 0)
            return known[i];
    return NULL;
}

static int finish(const struct cf_arguments *args, struct cf_output *out, const char *path,
                  struct cf_error *err)
{
    int status = cf_output_commit(out, err);

    if (!status && !cf_flag(args, "quiet"))
        cf_message("wrote %s", path);
    return status;
}

static int write_csv(const struct cf_arguments *args, const struct cf_onsets *onsets,
                     const struct cf_onset_rules *rules, struct cf_error *err)
{
    const char *path = cf_argument(args, "csv");
    struct cf_output *out = path ? cf_output_open(args->outputs, path, err) : NULL;

    if (!path)
        return CF_OK;
    if (!out)
        return CF_EIO;
    cf_onsets_csv(onsets, rules, args->operand[0], cf_output_stream(out));
    return finish(args, out, path, err);
}

static int write_figure(const struct cf_arguments *args, const struct cf_onsets *onsets,
                        const struct cf_onset_rules *rules, const struct cf_sound_picture *picture,
                        struct cf_error *err)
{
    const char *path = cf_argument(args, "figure");
    struct cf_plotter plotter = CF_PLOTTER;
    struct cf_chart chart;
    struct cf_output *out;
    char *bytes = NULL;
    size_t len = 0;
    int status;

    if (!path)
        return CF_OK;
    status = cf_sound_drawing_chart(onsets, rules, picture, &chart, err);
    if (!status)
        status = cf_chart_render(&chart, format_of(path), &plotter, &bytes, &len, err);
    cf_chart_free(&chart);
    cf_plotter_end(&plotter);
    if (status)
        return status;
    out = cf_output_open(args->outputs, path, err);
    if (out)
        cf_image_write(bytes, len, cf_output_stream(out));
    free(bytes);
    return out ? finish(args, out, path, err) : CF_EIO;
}

static int find(const struct cf_arguments *args, const struct cf_onset_rules *rules,
                struct cf_sound_picture *picture, struct cf_error *err)
{
    struct cf_onsets onsets;
    int status = cf_onsets_find(args->operand[0], rules, picture, &onsets, err);

    if (!status)
        status = write_csv(args, &onsets, rules, err);
    if (!status && picture)
        status = write_figure(args, &onsets, rules, picture, err);
    if (!status) {
        cf_onsets_print(&onsets, args->operand[0], args->text);
        for (size_t i = 0; i < onsets.nnote && !cf_flag(args, "quiet"); i++)
            cf_message("%s", onsets.note[i]);
    }
    cf_onsets_clear(&onsets);
    return status;
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    const char *figure = cf_argument(args, "figure");
    struct cf_onset_rules rules;
    struct cf_sound_picture picture = {0, NULL};
    int status = read_rules(args, &rules, err);

    if (status)
        return status;
    if (figure && !format_of(figure))
        return cf_fail(err, CF_EUSAGE, "--figure %s: must end in .svg, .pdf or .png", figure);
    if (figure) {
        picture.n = CF_SOUND_COLUMNS;
        picture.column = malloc(picture.n * sizeof *picture.column);
        if (!picture.column)
            return cf_fail(err, CF_ENOMEM, "no memory for a figure");
    }
    status = find(args, &rules, figure ? &picture : NULL, err);
    free(picture.column);
    return status;
}

static void help_more(const struct cf_registry *registry, FILE *out)
{
    (void) registry;
    cf_onset_rules_print(out);
}

static const struct cf_option option[] = {
    {"rule", 'r', "NAME=VALUE", "a rule by which onsets are found; once for each"},
    {"csv", 0, "FILE.csv", "write the onsets as a table"},
    {"figure", 0, "FILE.svg", "draw recording, envelope and onsets: .svg, .pdf or .png"},
    CF_OPTION_FORCE,
};

const struct cf_command cf_command_onsets = {
    .name = "onsets",
    .synopsis = "RECORDING [-r NAME=VALUE]... [--csv FILE.csv] [--figure FILE.svg]",
    .what = "find the impacts of a bouncing ball in a sound recording",
    .help =
        "The recording is WAV, FLAC, OGG or whatever else libsndfile opens, and is streamed:\n"
        "its length costs time and no memory. An onset is where the rms of envelope exceeds\n"
        "noise_ratio times its median, and rise_ratio times the rms of rise_time before. It is\n"
        "timed by the least AIC of noise before and sound behind, not by that crossing, which\n"
        "comes the later the weaker the impact. Quantities carry units: dead_time=80ms.\n"
        "\n"
        "Examples:\n"
        "  contactfit onsets ball.wav --csv ball.csv --figure ball.svg\n"
        "  contactfit onsets stereo.flac -r channel=2 -r noise_ratio=2\n",
    .noption = sizeof option / sizeof option[0],
    .option = option,
    .min_operand = 1,
    .max_operand = 1,
    .help_more = help_more,
    .run = run,
};
