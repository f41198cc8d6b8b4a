/* What the options of contactfit export ask for. */

#ifndef CF_CMD_EXPORT_OPTIONS_H
#define CF_CMD_EXPORT_OPTIONS_H

#include "cmd/command.h"
#include "export/target.h"

struct cf_export_options {
    const struct cf_target *target;
    const struct cf_law *approximate; /* NULL: none */
    struct cf_question question;      /* speed_m_s NAN: the middle of each fit */
    double mass_kg, radius_m;         /* NAN: the fit's */
    struct cf_tangential tangential;
    const char *friction; /* file of a fit of slides; NULL: none */
    bool verify;
    size_t drops;     /* of --verify */
    const char *seen; /* file for what they show; NULL: none */
};

int cf_export_options_read(const struct cf_arguments *args, struct cf_export_options *ask,
                           struct cf_error *err);

#endif
