/* The rows of the commands; private to src/cmd. */

#ifndef CF_CMD_COMMANDS_H
#define CF_CMD_COMMANDS_H

#include "cmd/command.h"

extern const struct cf_command cf_command_models;
extern const struct cf_command cf_command_restitution;
extern const struct cf_command cf_command_init;
extern const struct cf_command cf_command_check;
extern const struct cf_command cf_command_fit;
extern const struct cf_command cf_command_compare;
extern const struct cf_command cf_command_predict;
extern const struct cf_command cf_command_validate;
extern const struct cf_command cf_command_report;
extern const struct cf_command cf_command_plot;
extern const struct cf_command cf_command_export;
extern const struct cf_command cf_command_selftest;
extern const struct cf_command cf_command_design;
extern const struct cf_command cf_command_simulate;
extern const struct cf_command cf_command_onsets;
extern const struct cf_command cf_command_completion;
extern const struct cf_command cf_command_schema;
extern const struct cf_command cf_command_examples;

/* All of them; NULL-terminated, the order is that of help. */
extern const struct cf_command *const cf_commands[];

/* The command of that name; else NULL, and the nearest name, or NULL where none is near. */
const struct cf_command *cf_command_find(const char *name, const char **nearest);

#endif
