/* GSL's error handler, which ends the process where nobody has set another. */

#ifndef CF_CORE_GSL_GUARD_H
#define CF_CORE_GSL_GUARD_H

/* Between these GSL's errors come back as codes. The handler is one for the process: the first that
 * enters, in whatever thread, switches it off, and the last that leaves puts back what was there.
 * Every call of cf_gsl_enter() needs one of cf_gsl_leave(). */
void cf_gsl_enter(void);
void cf_gsl_leave(void);

#endif
