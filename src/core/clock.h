/* Time that passes, whatever the date is set to. */

#ifndef CF_CORE_CLOCK_H
#define CF_CORE_CLOCK_H

/* Seconds since some moment of this process's past. */
double cf_clock_s(void);

#endif
