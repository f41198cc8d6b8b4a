/* The LIST of --speed. */

#ifndef CF_CMD_SPEEDS_H
#define CF_CMD_SPEEDS_H

#include <stddef.h>

#include "core/status.h"

struct cf_speeds {
    size_t n;
    double *m_s;
};

/* "0.1,0.5 m/s,2" or "FROM:TO:COUNT", log-spaced with exact ends; a list may hold ranges too. Each
 * number may carry a unit. cf_speeds_clear() frees what is in it. */
int cf_speeds_parse(const char *text, struct cf_speeds *speeds, struct cf_error *err);

/* The same for --drop-height: the speeds that a free fall from these heights ends with. */
int cf_heights_parse(const char *text, double gravity_m_s2, struct cf_speeds *speeds,
                     struct cf_error *err);
void cf_speeds_clear(struct cf_speeds *speeds);

#endif
