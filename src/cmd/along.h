/* Places of an axis on the command line: --at LIST, or an option named after each channel that a
 * protocol imposes (drop_height: --drop-height LIST). Private to src/cmd. */

#ifndef CF_CMD_ALONG_H
#define CF_CMD_ALONG_H

#include "cmd/along_options.h"
#include "cmd/command.h"
#include "cmd/list.h"
#include "experiment/protocol.h"

#define CF_OPTION_AT                                                                               \
    {                                                                                              \
        "at", 0, "LIST", "places on the axis: 0.1,0.5,2 or FROM:TO:COUNT, spaced as the axis is"   \
    }

/* Which option was given: its name and, unless it is --at, the channel; NULL and CF_NO_CHANNEL for
 * none. CF_EUSAGE for two of them, and for one of another protocol. */
int cf_along_given(const struct cf_arguments *args, const struct cf_protocol *protocol,
                   const char **option, size_t *channel, struct cf_error *err);

/* Places of the axis of a data set like this one, by the option that was given; CF_EUSAGE where
 * none was. */
int cf_along_read(const struct cf_arguments *args, const struct cf_dataset *like,
                  struct cf_list *list, struct cf_error *err);

/* "speed_m_s", "duration_low_s": a name, what stands behind it, and its unit as names of columns
 * have it; nothing for a unit that they have no ending for. */
void cf_along_column(const char *name, const char *end, const char *unit, char out[], size_t size);

/* Does a place lie within a range of the axis, widened by a factor? */
bool cf_along_within(const struct cf_axis *axis, double factor, double low, double high, double x);

#endif
