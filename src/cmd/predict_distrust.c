/* Reasons against a fit, as the message of a failure. */

#include "cmd/predict_distrust.h"

#include <stdio.h>
#include <string.h>

/* Reasons that are shown, and bytes of a message for each of them: what is left of a message holds
 * the verdict, the numbers of what is left out and the path of the fit. */
enum { SHOWN = 3, NOTE = 48, LONGEST = 1024, LONGEST_PATH = 512 };

/* One reason, `len` bytes, as it is shown. */
static void put_reason(char text[LONGEST + NOTE], const char *reason, size_t len)
{
    size_t kept = len < LONGEST ? len : LONGEST;

    /* at a blank, if there is one, and never within a character */
    for (size_t k = kept; kept == LONGEST && kept < len && k > 0; k--)
        if (reason[k] == ' ')
            kept = k;
    while (kept < len && kept > 0 && (reason[kept] & 0xc0) == 0x80)
        kept--;
    size_t used = (size_t) snprintf(text, LONGEST + NOTE, "%.*s", (int) kept, reason);
    if (kept < len) {
        size_t left = 0;
        for (size_t k = kept; k < len; k++)
            left += (reason[k] & 0xc0) != 0x80;
        snprintf(text + used, LONGEST + NOTE - used, " [and %zu characters more]", left);
    }
}

int cf_predict_distrust(const struct cf_model *model, struct cf_error *err)
{
    char list[SHOWN * (LONGEST + NOTE + 8)] = "", one[LONGEST + NOTE];
    char more[LONGEST_PATH + 40] = "";
    const char *reason = model->reasons;
    size_t n = *reason != '\0', used = 0;

    for (const char *c = reason; *c; c++)
        n += *c == '\n';
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        size_t length = strcspn(reason, "\n");
        put_reason(one, reason, length);
        used += (size_t) snprintf(list + used, sizeof list - used, "%s%s", n == 1 ? ": " : "\n  - ",
                                  one);
        reason += length + (reason[length] == '\n');
    }
    if (n > SHOWN)
        snprintf(more, sizeof more, "\n  - and %zu more, in %s", n - SHOWN,
                 strlen(model->path) < LONGEST_PATH ? model->path : "the fit file");
    return cf_fail(err, CF_EUNTRUSTED, "the fit is not to be trusted: %s%s%s", model->status, list,
                   more);
}
