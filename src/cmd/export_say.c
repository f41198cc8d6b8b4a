/* What contactfit export says on standard error of each mapping. */

#include "cmd/export_say.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/closing.h"
#include "cmd/message.h"
#include "cmd/terminal.h"
#include "core/text.h"
#include "export/friction.h"
#include "report/next_step.h"

static void say_e(const struct cf_mapping *m, FILE *out)
{
    const struct cf_outlook *p = &m->prediction;

    if (m->target->run)
        fprintf(out, "; at %.4g m/s e = %.4f, by the fit %.4f", m->question.speed_m_s,
                p->stepped ? p->spread.e_mean : p->e_target, p->e_fit);
    if (m->target->run && cf_export_as_fit(p))
        fprintf(out, ", at fine steps as the fit everywhere");
    if (p->stepped && m->question.keep != CF_KEEP_STEP)
        fprintf(out, "; dt up to %.3g s keeps it", p->largest_dt_s);
}

/* The reason, and which targets are good where it is e. */
static void say_not_good(const struct cf_mapping *m, struct cf_curves *curves)
{
    char names[CF_SERVING], advice[CF_ADVICE];

    cf_export_advise(m->target, m->material, &m->question, curves, advice, sizeof advice);
    cf_message("%s to %s: not good: %s%s", m->material->name, m->target->title,
               m->prediction.reason, advice);
    cf_export_serving(m->target, m->material, &m->question, curves, names, sizeof names);
    cf_message("%s: --bound, --slowest and --fastest ask for less%s%s", m->material->name,
               *names ? "; as it is asked serve: " : "", names);
}

void cf_export_say(const struct cf_mapping *m, struct cf_curves *curves)
{
    const struct cf_outlook *p = &m->prediction;
    struct cf_text_stream line;
    char text[CF_WHY];

    if (cf_text_begin(&line)) {
        fprintf(line.out, "%s to %s: %s", m->material->name, m->target->title,
                cf_mapping_exactness(m));
        if (!cf_material_is_friction(m->material))
            say_e(m, line.out);
        fputc('\n', line.out);
    }
    cf_terminal_end(&line, stderr);
    cf_friction_words(m->material, text, sizeof text);
    if (text[0])
        cf_message("%s to %s: friction: %s", m->material->name, m->target->title, text);
    cf_export_left(m, text, sizeof text);
    if (text[0])
        cf_message("%s to %s: not carried, there is no place for it: %s", m->material->name,
                   m->target->title, text);
    if (p->heavy.error > p->bound_e)
        cf_message(
            "%s to %s: under gravity of 9.81 m/s^2 along the approach e is off by up to %.2g "
            "at %.4g m/s: --gravity chooses for it",
            m->material->name, m->target->title, p->heavy.error, p->heavy.speed_m_s);
    if (!p->good)
        say_not_good(m, curves);
    if (!cf_export_trusted(m->target, &m->question, m->material))
        cf_message("%s: the verdict of the fit is %s: not to be trusted", m->material->name,
                   m->material->verdict);
}

/* What else was asked for, as words of a shell: "--dt=1ms --keep=step". NULL: no memory. */
static char *also_asked(const struct cf_arguments *args)
{
    static const char *const left[] = {"to", "json", "output", "force", "quiet", "verify"};
    char *all = cf_format("%s", "");

    for (size_t i = 0; all && i < args->nseen; i++) {
        const char *name = args->seen[i].option->name, *value = args->seen[i].value;
        bool is_left = false;
        for (size_t j = 0; j < sizeof left / sizeof *left; j++)
            is_left = is_left || strcmp(name, left[j]) == 0;
        if (is_left)
            continue;
        char *word = value ? cf_shell_word(value, "") : NULL, *before = all;
        all = value && !word ? NULL
                             : cf_format("%s%s--%s%s%s", before, *before ? " " : "", name,
                                         word ? "=" : "", word ? word : "");
        free(word);
        free(before);
    }
    return all;
}

/* Proved as it was asked for, where the target can be run so here; else what the target's row says.
 */
void cf_export_say_closing(const struct cf_arguments *args, const struct cf_target *target,
                           bool verified, bool good)
{
    bool elsewhere = cf_argument(args, "gravity") || cf_flag(args, "engine-settings") ||
                     cf_argument(args, "points");
    bool prove = target->prepare && !verified && !elsewhere;
    char *more = also_asked(args);
    char *options =
             cf_format(prove ? "export --verify --to %s" : "export --list --to %s", target->name),
         *command = NULL;

    if (options && more)
        command = prove ? cf_closing_command(options, args->operand[0], more)
                        : cf_format("contactfit %s", options);
    cf_closing_say(cf_flag(args, "quiet"), good ? CF_CLOSING_GOOD : CF_CLOSING_BAD,
                   good ? "exported; e is within the bound, and the fit is to be trusted"
                        : "exported, but not good (exit status 3): the reasons stand above",
                   command);
    free(options);
    free(more);
}
