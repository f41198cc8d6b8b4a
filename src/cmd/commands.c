/* The table of the commands; the order is that of help. */

#include "cmd/commands.h"

#include <string.h>

#include "core/nearest.h"

const struct cf_command *const cf_commands[] = {
    &cf_command_init,
    &cf_command_check,
    &cf_command_fit,
    &cf_command_compare,
    &cf_command_predict,
    &cf_command_validate,
    &cf_command_design,
    &cf_command_selftest,
    &cf_command_report,
    &cf_command_plot,
    &cf_command_export,
    &cf_command_models,
    &cf_command_restitution,
    &cf_command_simulate,
    &cf_command_onsets,
    &cf_command_examples,
    &cf_command_schema,
    &cf_command_completion,
    NULL,
};

enum { NCOMMAND = sizeof cf_commands / sizeof cf_commands[0] - 1 };

const struct cf_command *cf_command_find(const char *name, const char **nearest)
{
    const char *names[NCOMMAND];

    *nearest = NULL;
    for (size_t i = 0; i < NCOMMAND; i++) {
        names[i] = cf_commands[i]->name;
        if (strcmp(names[i], name) == 0)
            return cf_commands[i];
    }
    *nearest = cf_nearest(name, names, NCOMMAND);
    return NULL;
}
