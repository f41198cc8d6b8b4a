/* Remarks on a study that are no errors. */

#define _POSIX_C_SOURCE 200809L

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/parts.h"

int cf_study_note(struct cf_study *study, struct cf_error *err, const char *format, ...)
{
    struct cf_error text;
    char **note = realloc(study->note, (study->nnote + 1) * sizeof *note);
    va_list args;

    if (note) {
        study->note = note;
        va_start(args, format);
        vsnprintf(text.text, sizeof text.text, format, args);
        va_end(args);
        note[study->nnote] = strdup(text.text);
    }
    if (!note || !note[study->nnote])
        return cf_fail(err, CF_ENOMEM, "no memory for a remark");
    study->nnote++;
    return CF_OK;
}
