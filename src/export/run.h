/* Running other programs, without a shell and never for longer than a given time. */

#ifndef CF_EXPORT_RUN_H
#define CF_EXPORT_RUN_H

#include "export/target.h"

/* Run argv (NULL-terminated; argv[0] is looked up in PATH) with standard output and error in
 * FOLDER/log, and with a new folder in FOLDER as its TMPDIR. `name` is what messages call it,
 * `install` says how to get it where it is missing. A run that takes longer than timeout_s is
 * ended. Fails with the last line of the log where the exit status is not 0. */
int cf_run_program(char *const argv[], const char *name, const char *install, const char *folder,
                   double timeout_s, struct cf_error *err);

/* Is a program in PATH? Else the message says how to install it. */
int cf_run_find(const char *program, const char *name, const char *install, struct cf_error *err);

/* FOLDER/NAME as a new text; the caller's to free(). NULL when out of memory. */
char *cf_run_path(const char *folder, const char *name);

/* Write FOLDER/NAME. */
int cf_run_write(const char *folder, const char *name, const char *text, struct cf_error *err);

/* Write the export of one mapping, as the user gets it, to FOLDER/NAME. */
int cf_run_export(const struct cf_mapping *m, const char *folder, const char *name,
                  struct cf_error *err);

/* A drop as arguments: radius, mass, gap, speed, step, number of steps, in SI with 17 digits. */
enum { CF_NARGUMENT = 6 };
void cf_run_arguments(const struct cf_mapping *m, const struct cf_drop *drop,
                      char text[CF_NARGUMENT][32]);

/* What FOLDER/NAME, lines "TIME COMPRESSION RATE" in SI (rate > 0 compressing), shows of a drop at
 * speed_m_s: e of the last line, the deepest, and the time in which the rate changed. */
int cf_run_trajectory(const char *folder, const char *name, double speed_m_s, struct cf_seen *out,
                      struct cf_error *err);

/* A new temporary folder, and its end with all that is in it. */
int cf_run_folder(char **folder, struct cf_error *err);
void cf_run_folder_remove(char *folder);

#endif
