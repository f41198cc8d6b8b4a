#include "report/next_step.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "document/view.h"

char *cf_shell_word(const char *text, const char *suffix)
{
    bool plain = *text && (*text != '-' || !text[1]);

    for (const char *c = text; *c; c++)
        plain = plain && (isalnum((unsigned char) *c) || strchr("_-./+,:", *c));
    if (plain)
        return cf_format("%s%s", text, suffix);
    /* a quote ends the quoted text, stands for itself, and begins it again */
    char *quoted = calloc(4 * strlen(text) + 1, 1), *end = quoted;
    for (const char *c = text; *c && quoted; c++) {
        memcpy(end, *c == '\'' ? "'\\''" : c, *c == '\'' ? 4 : 1);
        end += *c == '\'' ? 4 : 1;
    }
    char *word = quoted ? cf_format("'%s%s'", quoted, suffix) : NULL;
    free(quoted);
    return word;
}

/* What the verdict says to put behind a flag, "(fit --law power)", with its length; NULL for none.
 */
static const char *advised(const json_t *fit, const char *flag, size_t *length)
{
    const json_t *advice = cf_view(fit, "verdict.advice"), *piece;
    size_t i;

    json_array_foreach(advice, i, piece)
    {
        const char *at = strstr(json_string_value(piece), flag);
        if (!at)
            continue;
        at += strlen(flag);
        *length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
        if (*length > 0)
            return at;
    }
    return NULL;
}

/* The first simulator that comes near enough to the law; NULL where none does. */
static const char *simulator(const json_t *fit)
{
    const json_t *row;
    size_t i;

    json_array_foreach(cf_view(fit, "simulators.rows"), i, row)
    {
        const char *name = cf_view_text(json_array_get(cf_view(row, "targets"), 0), "name");
        bool plain = *name;
        if (!cf_view_true(row, "good"))
            continue;
        for (const char *c = name; *c; c++)
            plain = plain && (isalnum((unsigned char) *c) || *c == '-');
        if (plain)
            return name;
    }
    return NULL;
}

static char *of_good(const json_t *fit, const char *file, const char **why)
{
    const char *target = simulator(fit);

    if (target) {
        *why = "writes the fitted contact for a simulator; --list shows all of them";
        return cf_format("contactfit export --to %s %s", target, file);
    }
    *why = "shows which next measurements would narrow the intervals most";
    return NULL;
}

static char *of_failed(const json_t *fit, const char *study, const char **why)
{
    size_t length = 0;
    const char *time = advised(fit, "fit --time ", &length), *steps;

    if (cf_view_found(fit, CF_RULE_UNFINISHED)) {
        *why = "fits it anew, to its end";
        return time ? cf_format("contactfit fit %s --time %.*s", study, (int) length, time)
                    : cf_format("contactfit fit %s", study);
    }
    steps = advised(fit, "fit --substeps ", &length);
    if (steps) {
        *why = "takes as many steps of the motion from row to row as its error needs";
        return cf_format("contactfit fit %s --substeps %.*s", study, (int) length, steps);
    }
    if (cf_view_found(fit, CF_RULE_SOLVER)) {
        *why = "shows the sigmas and rows, which no search makes any easier to predict";
        return cf_format("contactfit check %s", study);
    }
    *why = "searches the whole range of the parameters for the optimum";
    return cf_format("contactfit fit %s --global crs2", study);
}

static char *of_study(const json_t *fit, const char *study, const char **why)
{
    const char *status = cf_view_text(cf_view(fit, "verdict"), "status");
    bool misfit = strcmp(status, "misfit") == 0;
    size_t length = 0;
    const char *law = misfit ? advised(fit, "fit --law ", &length) : NULL;

    if (cf_view_found(fit, CF_RULE_IMPOSSIBLE) || cf_view_found(fit, CF_RULE_ODD_ROW)) {
        *why = "names the line that is to be corrected before any fit";
        return cf_format("contactfit check %s", study);
    }
    if (law) {
        *why = "fits the best of the rivals that pass their own tests here";
        return cf_format("contactfit fit %s --law %.*s", study, (int) length, law);
    }
    if (misfit && !json_object_get(fit, "tournament")) {
        *why = "fits every law to the same rows and tests each";
        return cf_format("contactfit compare %s", study);
    }
    if (strcmp(status, "failed") == 0)
        return of_failed(fit, study, why);
    *why = "shows which next measurements would narrow the intervals most";
    return cf_format("contactfit design %s", study);
}

char *cf_next_step_of(const json_t *fit, const char *study_path, const char *fit_path,
                      const char **why)
{
    char *study = cf_shell_word(study_path, "");
    char *file = cf_shell_word(fit_path, "");
    char *command = NULL;

    if (study && file) {
        if (strcmp(cf_view_text(cf_view(fit, "verdict"), "status"), "good") == 0)
            command = of_good(fit, file, why);
        if (!command)
            command = of_study(fit, study, why);
    }
    free(study);
    free(file);
    return command;
}

char *cf_next_step(const json_t *fit, const char **why)
{
    const char *path = cf_view_text(cf_view(fit, "study"), "path");
    char *file = cf_format("%s.json", cf_view_text(fit, "name"));
    char *command = file ? cf_next_step_of(fit, *path ? path : "STUDY.yaml", file, why) : NULL;

    free(file);
    return command;
}

char *cf_next_validation(const json_t *validation, const char *study_path, const char *fit_path,
                         const char **why)
{
    bool trusted = cf_view_true(validation, "fit_trusted");
    bool agrees = cf_view_true(cf_view(validation, "verdict"), "agrees");
    bool report = agrees || !trusted;
    char *word = cf_shell_word(report ? fit_path : study_path, "");
    char *command = word ? cf_format("contactfit %s %s", report ? "report" : "check", word) : NULL;

    if (!trusted)
        *why = "writes the page of the fit: why it is not to be trusted, and what to do about that";
    else if (agrees)
        *why =
            "writes the page of the fit, which these data confirm, with its numbers and their use";
    else
        *why = "shows what the study says of the new data: bodies, columns, units and rows";
    free(word);
    return command;
}
