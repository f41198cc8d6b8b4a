/* The calls of a run's observer, and the check of the energy balance; private to src/motion. */

#ifndef CF_MOTION_OBSERVER_H
#define CF_MOTION_OBSERVER_H

#include "motion/values.h"

/* ledger.c: the judgement of a run's balance of energy, momentum and spin.
 *
 * Bodies that touch each other are a group, whose accounts add up to what they did before unless
 * the run is wrong. Each exchange of a group is compared with the largest that one account held in
 * it, so that neither a heavy body elsewhere nor a long run makes an error look small; and the
 * whole run with what took part in its motion. */

/* A body's accounts at one time. */
struct cf_ledger_entry {
    double account_J[CF_NACCOUNT];
    double momentum_N_s[3], spin_N_m_s[3];
    double held[CF_NCONSERVED]; /* sizes of both: of the spin, without regard to directions */
    double size[CF_NCONSERVED]; /* and those of the numbers that they were made of */
    double unit[CF_NCONSERVED]; /* what one tolerance of the scales of speed and spin makes, over
                                 * the tolerance: they are those of the fastest that touches */
};

/* What was seen of a group, kept with its first body. */
struct cf_ledger_group {
    double energy_J, momentum_N_s[3], spin_N_m_s[3];  /* now, beyond those at the start */
    double lost_J, work_J;                            /* since the start, without signs */
    double off[CF_NCONSERVED], time_s[CF_NCONSERVED]; /* at its largest, and when */
    double most[CF_NCONSERVED];
    double size[CF_NCONSERVED]; /* of the numbers that were added, which are rounded */
    double unit[CF_NCONSERVED]; /* of a tolerance, beyond that of the most */
    double beyond_s;            /* when its energy was first beyond its limit; NAN: never */
    size_t body[CF_NCONSERVED]; /* that held most, */
    enum cf_account account;    /* and where */
    bool judged[CF_NCONSERVED];
    bool touches;
    bool several; /* contacts at one time, of this group or of others: their steps are shared */
    size_t bodies;
    size_t steps; /* of the run when it began */
};

/* What a body went through. */
struct cf_ledger_range {
    double velocity[2][3], spin[2][3], potential[2]; /* the least and the largest */
    double most[CF_NACCOUNT];
};

/* Contacts that touch, by their numbers. */
struct cf_ledger_pairs {
    size_t n, *pair;
};

struct cf_ledger {
    const struct cf_system *system;
    struct cf_motion_result *result;
    const double *scale; /* of the states, as the stepper has them */
    double tolerance;    /* of each step */
    double part;         /* of the most that may be off in an exchange, whatever the tolerance */
    bool apart; /* exchanges are judged by others, where they happen: see cf_ledger_take() */
    double origin_m[3];                      /* that spins are about */
    struct cf_ledger_entry *now;             /* nbody, and so are the following */
    struct cf_ledger_entry *start[CF_NSPAN]; /* of the group's exchange, of the run */
    struct cf_ledger_group *group[CF_NSPAN];
    struct cf_ledger_range *range;
    size_t *first[CF_NSPAN];                            /* the first body of its group */
    size_t *next;                                       /* the same, in the making */
    bool *changed;                                      /* of groups, by their first bodies */
    struct cf_ledger_pairs now_touching, were_touching; /* and when last looked at, */
    bool *touches;                                      /* npair: which said so */
    size_t ntouching;                                   /* now, with a law */
};

int cf_ledger_make(struct cf_ledger *ledger, const struct cf_system *system,
                   const struct cf_motion_options *options, struct cf_motion_result *result,
                   struct cf_error *err);
void cf_ledger_free(struct cf_ledger *ledger);

/* Poses must be those of the time; account: of each body, cf_system_energies(); scale: of the
 * states, which outlives the ledger and is read at any time. */
void cf_ledger_start(struct cf_ledger *ledger, double (*account)[CF_NACCOUNT],
                     const double scale[]);
void cf_ledger_note(struct cf_ledger *ledger, double time_s, double (*account)[CF_NACCOUNT]);

/* Of a run by islands: from here on these judge exchanges. A pair has touched; and what an island
 * came to, whose bodies are these of the whole. */
void cf_ledger_set_apart(struct cf_ledger *ledger);
void cf_ledger_meet(struct cf_ledger *ledger, size_t pair);
void cf_ledger_take(struct cf_ledger *ledger, const struct cf_motion_result *island,
                    const size_t body[]);

/* Ends all exchanges, and judges the run. */
void cf_ledger_end(struct cf_ledger *ledger);

struct cf_observer {
    const struct cf_system *system;
    const struct cf_motion_options *options;
    struct cf_motion_result *result;
    struct cf_body_state *body;
    struct cf_contact_snapshot *contact;
    double angle[CF_MAX_LINK], rate[CF_MAX_LINK];
    struct cf_sensitivity *sensitivity; /* NULL: no sensitivities */
    double *time_by;                    /* nwrt, and so are the following, times their number */
    struct cf_body_state *body_by;
    struct cf_contact_snapshot *contact_by;
    struct cf_value_list values;    /* where they are asked for */
    double sum_J;                   /* of energies, at the start */
    double (*account)[CF_NACCOUNT]; /* nbody: of each body, now */
    struct cf_ledger ledger;
    size_t nsample;   /* so far */
    double sampled_s; /* the last one */
};

int cf_observer_make(struct cf_observer *observer, const struct cf_system *system,
                     const struct cf_motion_options *options, struct cf_motion_result *result,
                     struct cf_error *err);
void cf_observer_free(struct cf_observer *observer);

/* The start of the energy balance. The scales of the error test are read throughout the run. */
void cf_observer_start(struct cf_observer *observer, const double state[], const double scale[]);

void cf_observer_event(struct cf_observer *observer, enum cf_motion_event what, size_t index,
                       double time_s, const double state[]);
void cf_observer_sample(struct cf_observer *observer, double time_s, const double state[]);

/* The first sample, if there is one at the start. */
void cf_observer_begin(struct cf_observer *observer, const double state[]);

/* Is no more wanted of a sample than some states? Then from a step, at t. */
bool cf_observer_takes_states(const struct cf_observer *observer);
void cf_observer_states(struct cf_observer *observer, double time_s,
                        const struct cf_ode_dense *dense, double t);

/* CF_ECANCELLED where the run is to stop here. */
int cf_observer_stop(const struct cf_observer *observer, double time_s, struct cf_error *err);

/* The end, unless a sample fell on it, and the energy balance there. */
void cf_observer_end(struct cf_observer *observer, double time_s, const double state[]);

/* When the next sample is due; INFINITY: none. */
double cf_observer_due(const struct cf_observer *observer);

/* The last time that is earlier than this one, and not its rounding. */
double cf_observer_before(double time_s);

/* Judges the balance; behind the last call of the others. */
void cf_observer_judge(struct cf_observer *observer);

/* The energy balance at a time, without calling the observer. */
void cf_observer_balance(struct cf_observer *observer, double time_s, const double state[]);

#endif
