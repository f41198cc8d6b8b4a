/* The judgement of the balance: groups, exchanges, and what their accounts held. */

#include "motion/observer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/vector.h"

/* An exchange is good to so many tolerances of the largest energy that took part for each body of
 * its group, or to so many for each of its steps, where it takes more of them: a step may be off by
 * one tolerance in place and speed, of which energies have powers of up to 2.5. */
static const double CLOSES = 20, CLOSES_A_STEP = 5;

/* Of several contacts only the last to touch is integrated in the variable in which it is smooth;
 * the others have corners where they begin and end, which steps see as far as their errors show
 * them. */
static const double CLOSES_SEVERAL = 1e-5;

/* A recorded motion has corners in its third derivative, which no step sees. */
static const double CLOSES_RECORDED = 1e-6;

/* The volumes of an octree are some ten times better than the error that is asked for, and their
 * work is, again. */
static const double CLOSES_OCTREE = 1e-2;

/* Errors of exchanges may all have one sign. A height that is off by a hundredth is wrong; half of
 * that is allowed to energies, as the largest account may hold twice of what the height does. */
static const double DRIFT = 5e-3;

/* Of the numbers that are added, or of their scales: what rounding leaves of thousands of steps. */
static const double ROUNDING = 1e-12;

int cf_ledger_make(struct cf_ledger *ledger, const struct cf_system *system,
                   const struct cf_motion_options *options, struct cf_motion_result *result,
                   struct cf_error *err)
{
    const struct cf_scene *scene = system->scene;
    size_t n = scene->nbody + 1; /* none is no want of memory */
    bool made;

    *ledger =
        (struct cf_ledger){.system = system, .result = result, .tolerance = options->tolerance};
    for (size_t m = 0; m < scene->npair; m++)
        if (cf_pair_by_octree(scene, &scene->pair[m]))
            ledger->part = fmax(ledger->part, CLOSES_OCTREE * system->octree.error_relative);
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_RECORDED)
            ledger->part = fmax(ledger->part, CLOSES_RECORDED);
    ledger->now = calloc(n, sizeof *ledger->now);
    ledger->range = calloc(n, sizeof *ledger->range);
    ledger->next = calloc(n, sizeof *ledger->next);
    ledger->changed = calloc(n, sizeof *ledger->changed);
    ledger->touches = calloc(scene->npair + 1, sizeof *ledger->touches);
    ledger->now_touching.pair = calloc(scene->npair + 1, sizeof *ledger->next);
    ledger->were_touching.pair = calloc(scene->npair + 1, sizeof *ledger->next);
    made = ledger->now && ledger->range && ledger->next && ledger->changed && ledger->touches &&
           ledger->now_touching.pair && ledger->were_touching.pair;
    for (int span = 0; span < CF_NSPAN; span++) {
        ledger->start[span] = calloc(n, sizeof *ledger->now);
        ledger->group[span] = calloc(n, sizeof *ledger->group[span]);
        ledger->first[span] = calloc(n, sizeof *ledger->next);
        made = made && ledger->start[span] && ledger->group[span] && ledger->first[span];
        for (int what = 0; what < CF_NCONSERVED; what++)
            result->balance[span][what].body = SIZE_MAX;
    }
    return made ? CF_OK : cf_fail(err, CF_ENOMEM, "out of memory for the energy balance");
}

void cf_ledger_free(struct cf_ledger *ledger)
{
    free(ledger->now);
    free(ledger->range);
    free(ledger->next);
    free(ledger->changed);
    free(ledger->touches);
    free(ledger->now_touching.pair);
    free(ledger->were_touching.pair);
    for (int span = 0; span < CF_NSPAN; span++) {
        free(ledger->start[span]);
        free(ledger->group[span]);
        free(ledger->first[span]);
    }
}

/* The moment of momentum of a body about its mass centre, of the world. */
static void own_spin(const struct cf_rigid *body, const struct cf_pose *pose, double out[3])
{
    const double *I = body->inertia_kg_m2;
    double inside[3];

    memset(out, 0, 3 * sizeof *out);
    if (!cf_rigid_turns(body))
        return;
    if (cf_rigid_round(body)) {
        cf_vec_scale(I[0], pose->w, out);
        return;
    }
    for (int k = 0; k < 3; k++) {
        inside[k] = I[k] * (pose->r[0][k] * pose->w[0] + pose->r[1][k] * pose->w[1] +
                            pose->r[2][k] * pose->w[2]);
    }
    cf_vec_turn(((struct cf_pose *) pose)->r, inside, out);
}

/* What an error of the size of the scales makes of a body's accounts. */
static void tolerate(struct cf_ledger *ledger, size_t b, double lever_m)
{
    const struct cf_rigid *body = &ledger->system->scene->body[b];
    const struct cf_state_layout *layout = &ledger->system->layout[b];
    const struct cf_pose *pose = &ledger->system->pose[b];
    double *unit = ledger->now[b].unit;
    double push = body->mass_kg * ledger->scale[layout->velocity];

    unit[CF_CONSERVED_ENERGY] = push * cf_vec_norm(pose->v);
    unit[CF_CONSERVED_MOMENTUM] = push;
    unit[CF_CONSERVED_SPIN] = push * lever_m;
    for (int k = 0; k < 3 && layout->spin != CF_NONE; k++) {
        double turn = body->inertia_kg_m2[k] * ledger->scale[layout->spin + k];
        unit[CF_CONSERVED_ENERGY] += turn * cf_vec_norm(pose->w);
        unit[CF_CONSERVED_SPIN] += turn;
    }
}

static void enter(struct cf_ledger *ledger, size_t b, const double account[CF_NACCOUNT])
{
    const struct cf_rigid *body = &ledger->system->scene->body[b];
    const struct cf_pose *pose = &ledger->system->pose[b];
    struct cf_ledger_entry *now = &ledger->now[b];
    double lever[3], moment[3], far, *p = now->momentum_N_s, *own = now->spin_N_m_s;

    memcpy(now->account_J, account, sizeof now->account_J);
    for (int a = 0; a < CF_NACCOUNT; a++)
        now->size[CF_CONSERVED_ENERGY] = fmax(now->size[CF_CONSERVED_ENERGY], fabs(account[a]));
    if (body->drive != CF_DRIVE_FREE)
        return;
    cf_vec_scale(body->mass_kg, pose->v, p);
    cf_vec_sub(pose->x, ledger->origin_m, lever);
    cf_vec_cross(lever, p, moment);
    own_spin(body, pose, own);
    far = fmax(cf_vec_norm(pose->x), cf_vec_norm(lever));
    now->held[CF_CONSERVED_MOMENTUM] = now->size[CF_CONSERVED_MOMENTUM] = cf_vec_norm(p);
    now->held[CF_CONSERVED_SPIN] = cf_vec_norm(p) * cf_vec_norm(lever) + cf_vec_norm(own);
    now->size[CF_CONSERVED_SPIN] = cf_vec_norm(p) * far + cf_vec_norm(own);
    cf_vec_add_scaled(own, 1, moment, own);
    tolerate(ledger, b, cf_vec_norm(lever));
}

static void widen(double range[2][3], const double v[3], bool begins)
{
    for (int k = 0; k < 3; k++) {
        range[0][k] = begins ? v[k] : fmin(range[0][k], v[k]);
        range[1][k] = begins ? v[k] : fmax(range[1][k], v[k]);
    }
}

/* The energy of half the range of a velocity: what was exchanged, however fast all of it moves. */
static double half_range(double inertia, double range[2][3])
{
    double apart[3];

    cf_vec_sub(range[1], range[0], apart);
    return 0.125 * inertia * cf_vec_dot(apart, apart);
}

/* What took part of a body in the motion so far. A round body's spin about an axis to which nothing
 * happens does not; any other body turns through its own spin. */
static void go_through(struct cf_ledger *ledger, size_t b, bool begins)
{
    const struct cf_rigid *body = &ledger->system->scene->body[b];
    const struct cf_pose *pose = &ledger->system->pose[b];
    const double *account = ledger->now[b].account_J;
    struct cf_ledger_range *range = &ledger->range[b];
    double potential = account[CF_ACCOUNT_POTENTIAL], kinetic;

    widen(range->velocity, pose->v, begins);
    widen(range->spin, pose->w, begins);
    range->potential[0] = begins ? potential : fmin(range->potential[0], potential);
    range->potential[1] = begins ? potential : fmax(range->potential[1], potential);
    kinetic = half_range(body->mass_kg, range->velocity);
    if (cf_rigid_turns(body) && cf_rigid_round(body))
        kinetic += half_range(body->inertia_kg_m2[0], range->spin);
    else if (cf_rigid_turns(body))
        kinetic += account[CF_ACCOUNT_KINETIC] - 0.5 * body->mass_kg * cf_vec_dot(pose->v, pose->v);
    if (body->drive == CF_DRIVE_LINK) /* it turns about joints */
        kinetic = account[CF_ACCOUNT_KINETIC];
    if (cf_rigid_holds_energy(body))
        range->most[CF_ACCOUNT_KINETIC] = fmax(range->most[CF_ACCOUNT_KINETIC], kinetic);
    range->most[CF_ACCOUNT_POTENTIAL] = range->potential[1] - range->potential[0];
    for (int a = CF_ACCOUNT_CONTACTS; a <= CF_ACCOUNT_SPRINGS; a++)
        range->most[a] = fmax(range->most[a], account[a]);
}

/* A larger one on an account than the group has seen. */
static void hold(struct cf_ledger_group *group, enum cf_conserved what, double size, size_t body)
{
    if (size > group->most[what]) {
        group->most[what] = size;
        group->body[what] = body;
    }
}

static void hold_energy(struct cf_ledger_group *group, double size_J, size_t body,
                        enum cf_account account)
{
    if (size_J > group->most[CF_CONSERVED_ENERGY])
        group->account = account;
    hold(group, CF_CONSERVED_ENERGY, size_J, body);
}

/* What a body's accounts hold in a span so far. */
static void hold_all(struct cf_ledger *ledger, enum cf_span span, size_t b)
{
    const struct cf_ledger_entry *now = &ledger->now[b], *start = &ledger->start[span][b];
    struct cf_ledger_group *group = &ledger->group[span][ledger->first[span][b]];

    for (enum cf_account a = 0; a < CF_NACCOUNT; a++) {
        double change = fabs(now->account_J[a] - start->account_J[a]), held = now->account_J[a];
        bool flows = a == CF_ACCOUNT_LOST || a == CF_ACCOUNT_WORK;
        if (span == CF_SPAN_RUN)
            held = flows ? 0 : ledger->range[b].most[a];
        else if (flows || a == CF_ACCOUNT_POTENTIAL)
            held = change;
        hold_energy(group, held, b, a);
        group->lost_J += a == CF_ACCOUNT_LOST ? change : 0;
        group->work_J += a == CF_ACCOUNT_WORK ? change : 0;
    }
    for (int what = 0; what < CF_NCONSERVED; what++) {
        if (what != CF_CONSERVED_ENERGY)
            hold(group, what, now->held[what], b);
        group->size[what] = fmax(group->size[what], now->size[what]);
        group->unit[what] = fmax(group->unit[what], now->unit[what]);
    }
}

/* A body's share of what its group has now. */
static void add_up(struct cf_ledger *ledger, enum cf_span span, size_t b)
{
    const struct cf_ledger_entry *now = &ledger->now[b], *start = &ledger->start[span][b];
    struct cf_ledger_group *group = &ledger->group[span][ledger->first[span][b]];

    for (int a = 0; a < CF_NACCOUNT; a++)
        group->energy_J +=
            (a == CF_ACCOUNT_WORK ? -1 : 1) * (now->account_J[a] - start->account_J[a]);
    for (int k = 0; k < 3; k++) {
        group->momentum_N_s[k] += now->momentum_N_s[k] - start->momentum_N_s[k];
        group->spin_N_m_s[k] += now->spin_N_m_s[k] - start->spin_N_m_s[k];
    }
}

/* What went through a group, which forgets its errors as far as it loses and takes in energy. */
static double flow(const struct cf_ledger_group *group)
{
    return fmax(group->lost_J, group->work_J);
}

static double rounding(const struct cf_ledger_group *group, enum cf_conserved what)
{
    return ROUNDING * fmax(group->size[what], group->unit[what]);
}

static double limit(const struct cf_ledger *ledger, enum cf_span span,
                    const struct cf_ledger_group *group, enum cf_conserved what)
{
    double rounded = rounding(group, what), most = group->most[what];
    double part = ledger->part, times;

    if (span == CF_SPAN_RUN)
        return DRIFT * (what == CF_CONSERVED_ENERGY ? most + flow(group) : most) + rounded;
    if (group->several)
        part = fmax(part, CLOSES_SEVERAL);
    times = (double) (ledger->result->steps - group->steps);
    times = fmax(CLOSES, CLOSES_A_STEP * times) * (double) group->bodies;
    return fmax(times * ledger->tolerance * fmax(most, group->unit[what]), part * most) + rounded;
}

/* How far the sums of all groups are off now. */
static void compare(struct cf_ledger *ledger, enum cf_span span, double time_s)
{
    size_t nbody = ledger->system->scene->nbody;

    for (size_t b = 0; b < nbody; b++) {
        struct cf_ledger_group *group = &ledger->group[span][b];
        group->energy_J = group->lost_J = group->work_J = 0;
        memset(group->momentum_N_s, 0, sizeof group->momentum_N_s);
        memset(group->spin_N_m_s, 0, sizeof group->spin_N_m_s);
    }
    for (size_t b = 0; b < nbody; b++) {
        hold_all(ledger, span, b);
        add_up(ledger, span, b);
    }
    for (size_t b = 0; b < nbody; b++) {
        struct cf_ledger_group *group = &ledger->group[span][b];
        group->several = group->several || ledger->ntouching > 1;
        double off[CF_NCONSERVED] = {group->energy_J, cf_vec_norm(group->momentum_N_s),
                                     cf_vec_norm(group->spin_N_m_s)};
        for (int what = 0; what < CF_NCONSERVED; what++)
            if (!(fabs(off[what]) <= fabs(group->off[what]))) {
                group->off[what] = off[what];
                group->time_s[what] = time_s;
            }
        if (isnan(group->beyond_s) &&
            !(fabs(off[CF_CONSERVED_ENERGY]) <= limit(ledger, span, group, CF_CONSERVED_ENERGY)))
            group->beyond_s = time_s;
    }
}

/* How much of the limit is used by what is no rounding. */
static double severity(const struct cf_balance_check *check)
{
    double off = fabs(check->off) - check->rounding;

    if (isnan(off))
        return (double) INFINITY;
    return off > 0 ? off / check->limit : 0;
}

/* Of two that are equally good the larger exchange says more. */
static bool is_worse(const struct cf_balance_check *check, const struct cf_balance_check *than)
{
    double now = severity(check), before = severity(than);

    if (than->body == SIZE_MAX || now != before)
        return than->body == SIZE_MAX || now > before;
    return check->most > than->most;
}

/* A group's span has ended: is it the worst so far? */
static void judge(struct cf_ledger *ledger, enum cf_span span, size_t first)
{
    const struct cf_ledger_group *group = &ledger->group[span][first];
    size_t others = 0;

    for (size_t b = 0; b < ledger->system->scene->nbody; b++)
        others += b != first && ledger->first[span][b] == first;
    for (int what = 0; what < CF_NCONSERVED; what++) {
        struct cf_balance_check *worst = &ledger->result->balance[span][what];
        struct cf_balance_check check = {.body = group->body[what],
                                         .others = others,
                                         .account = group->account,
                                         .most = group->most[what],
                                         .off = group->off[what],
                                         .time_s = group->time_s[what],
                                         .limit = limit(ledger, span, group, what),
                                         .rounding = rounding(group, what)};
        if (!group->judged[what] || (check.most == 0 && fabs(check.off) <= check.limit))
            continue;
        if (what == CF_CONSERVED_ENERGY && span == CF_SPAN_RUN) {
            check.most += flow(group);
            check.time_s = isnan(group->beyond_s) ? check.time_s : group->beyond_s;
        }
        if (is_worse(&check, worst))
            *worst = check;
    }
}

static size_t first_of(const size_t first[], size_t b)
{
    while (first[b] != b)
        b = first[b];
    return b;
}

static void join(size_t first[], size_t a, size_t b)
{
    size_t low = first_of(first, a), high = first_of(first, b);

    first[low > high ? low : high] = low < high ? low : high;
}

/* Bodies that hold energy and hand it to each other. */
static void find_groups(struct cf_ledger *ledger)
{
    const struct cf_system *system = ledger->system;
    const struct cf_scene *scene = system->scene;

    for (size_t b = 0; b < scene->nbody; b++)
        ledger->next[b] = b;
    for (size_t i = 1; i < scene->chain.nlink; i++)
        join(ledger->next, scene->chain.link[0].body, scene->chain.link[i].body);
    for (size_t i = 0; i < ledger->now_touching.n; i++) {
        const size_t *body = scene->pair[ledger->now_touching.pair[i]].body;
        if (cf_rigid_holds_energy(&scene->body[body[0]]) &&
            cf_rigid_holds_energy(&scene->body[body[1]]))
            join(ledger->next, body[0], body[1]);
    }
    for (size_t b = 0; b < scene->nbody; b++)
        ledger->next[b] = first_of(ledger->next, b);
}

/* A contact of two groups, old and new, has begun or ended. */
static void change(struct cf_ledger *ledger, size_t m, bool touches)
{
    const size_t *first = ledger->first[CF_SPAN_EXCHANGE], *next = ledger->next;

    ledger->touches[m] = touches;
    for (int side = 0; side < 2; side++) {
        size_t b = ledger->system->scene->pair[m].body[side];
        ledger->changed[first[b]] = ledger->changed[next[b]] = true;
    }
}

/* Marks the groups, old and new, to which something happened since they were last looked at. */
static bool find_changes(struct cf_ledger *ledger, bool all)
{
    const struct cf_scene *scene = ledger->system->scene;
    const size_t *first = ledger->first[CF_SPAN_EXCHANGE], *next = ledger->next;
    const struct cf_ledger_pairs *now = &ledger->now_touching;
    struct cf_ledger_pairs *before = &ledger->were_touching;
    bool any = all;

    for (size_t b = 0; b < scene->nbody; b++)
        ledger->changed[b] = all;
    for (size_t i = 0; i < before->n; i++)
        if (ledger->system->contact[before->pair[i]].mode != CF_MODE_TOUCHING) {
            change(ledger, before->pair[i], false);
            any = true;
        }
    before->n = 0;
    for (size_t i = 0; i < now->n; i++) {
        before->pair[before->n++] = now->pair[i];
        if (!ledger->touches[now->pair[i]]) {
            change(ledger, now->pair[i], true);
            any = true;
        }
    }
    for (size_t b = 0; b < scene->nbody && any; b++)
        if (first[b] != next[b])
            ledger->changed[first[b]] = ledger->changed[next[b]] = true;
    return any;
}

static void open_to_outside(struct cf_ledger_group *group)
{
    group->judged[CF_CONSERVED_MOMENTUM] = group->judged[CF_CONSERVED_SPIN] = false;
}

/* Momentum and spin are kept where nothing outside acts on any body of the group. */
static void find_closed(struct cf_ledger *ledger)
{
    const struct cf_system *system = ledger->system;
    const struct cf_scene *scene = system->scene;
    struct cf_ledger_group *group = ledger->group[CF_SPAN_EXCHANGE];
    const size_t *first = ledger->first[CF_SPAN_EXCHANGE];
    bool weightless = cf_vec_norm(scene->gravity_m_s2) == 0;

    for (size_t b = 0; b < scene->nbody; b++) {
        group[b].touches = false;
        for (int what = 0; what < CF_NCONSERVED; what++)
            group[b].judged[what] = what == CF_CONSERVED_ENERGY || weightless;
    }
    for (size_t b = 0; b < scene->nbody; b++) {
        if (scene->body[b].drive != CF_DRIVE_FREE || system->layout[b].guided)
            open_to_outside(&group[first[b]]);
        if (!cf_rigid_turns(&scene->body[b]))
            group[first[b]].judged[CF_CONSERVED_SPIN] = false;
    }
    for (size_t t = 0; t < scene->ntether; t++)
        open_to_outside(&group[first[scene->tether[t].body]]);
    for (size_t i = 0; i < scene->nforce; i++)
        open_to_outside(&group[first[scene->force[i].body]]);
    for (size_t i = 0; i < ledger->now_touching.n; i++) {
        size_t m = ledger->now_touching.pair[i];
        const size_t *body = scene->pair[m].body;
        group[first[system->contact[m].keeper]].touches = true;
        for (int side = 0; side < 2; side++)
            if (!cf_rigid_holds_energy(&scene->body[body[!side]]))
                open_to_outside(&group[first[body[side]]]);
    }
}

/* A group of the run takes in another that it has touched. */
static void merge(struct cf_ledger_group *into, const struct cf_ledger_group *from)
{
    for (int what = 0; what < CF_NCONSERVED; what++) {
        if (fabs(from->off[what]) > fabs(into->off[what])) {
            into->off[what] = from->off[what];
            into->time_s[what] = from->time_s[what];
        }
        if (from->most[what] > into->most[what]) {
            into->account = what == CF_CONSERVED_ENERGY ? from->account : into->account;
            hold(into, what, from->most[what], from->body[what]);
        }
        into->size[what] = fmax(into->size[what], from->size[what]);
        into->judged[what] = into->judged[what] && from->judged[what];
    }
    into->beyond_s = fmin(into->beyond_s, from->beyond_s); /* a number, if one of them is */
}

/* Over the run what touched once stays one group. */
static void merge_two(struct cf_ledger *ledger, size_t a, size_t b)
{
    struct cf_ledger_group *group = ledger->group[CF_SPAN_RUN];
    size_t *first = ledger->first[CF_SPAN_RUN];
    size_t one = first_of(first, a), other = first_of(first, b);

    if (one == other)
        return;
    join(first, one, other);
    merge(&group[one < other ? one : other], &group[one < other ? other : one]);
    group[one < other ? other : one] = (struct cf_ledger_group){.beyond_s = NAN};
}

static void merge_for_run(struct cf_ledger *ledger)
{
    struct cf_ledger_group *group = ledger->group[CF_SPAN_RUN];
    size_t nbody = ledger->system->scene->nbody, *first = ledger->first[CF_SPAN_RUN];

    for (size_t b = 0; b < nbody; b++) {
        size_t here = ledger->first[CF_SPAN_EXCHANGE][b];
        const bool *judged = ledger->group[CF_SPAN_EXCHANGE][here].judged;
        merge_two(ledger, b, here);
        for (int what = 0; what < CF_NCONSERVED; what++) {
            bool *now = &group[first_of(first, b)].judged[what];
            *now = *now && judged[what];
        }
    }
    for (size_t b = 0; b < nbody; b++)
        first[b] = first_of(first, b);
}

/* Where a contact has begun or ended: those groups' exchanges end, and others begin. */
static void regroup(struct cf_ledger *ledger, bool all)
{
    const enum cf_span span = CF_SPAN_EXCHANGE;
    size_t nbody = ledger->system->scene->nbody, *first = ledger->first[span];
    struct cf_ledger_group *group = ledger->group[span];

    find_groups(ledger);
    if (!find_changes(ledger, all))
        return;
    for (size_t b = 0; b < nbody; b++)
        if (ledger->changed[b] && first[b] == b) {
            judge(ledger, span, b);
            ledger->result->exchanges += group[b].touches;
        }
    for (size_t b = 0; b < nbody; b++)
        if (ledger->changed[ledger->next[b]]) {
            ledger->start[span][b] = ledger->now[b];
            group[b] =
                (struct cf_ledger_group){.steps = ledger->result->steps, .beyond_s = (double) NAN};
        }
    memcpy(first, ledger->next, nbody * sizeof *first);
    for (size_t b = 0; b < nbody; b++)
        if (ledger->changed[first[b]]) {
            group[first[b]].bodies++;
            hold_all(ledger, span, b);
        }
    find_closed(ledger);
    merge_for_run(ledger);
}

/* All bodies; and the energies that the scales of contacts make. */
static void look(struct cf_ledger *ledger, double (*account)[CF_NACCOUNT], bool begins)
{
    const struct cf_system *system = ledger->system;

    for (size_t b = 0; b < system->scene->nbody; b++) {
        memset(&ledger->now[b], 0, sizeof ledger->now[b]);
        enter(ledger, b, account[b]);
        go_through(ledger, b, begins);
    }
    ledger->ntouching = ledger->now_touching.n = 0;
    for (size_t k = 0; k < system->near.n; k++) { /* those that touch are near */
        size_t m = system->near.pair[k];
        const struct cf_contact_state *contact = &system->contact[m];
        double *unit = &ledger->now[contact->keeper].unit[CF_CONSERVED_ENERGY];
        if (contact->mode != CF_MODE_TOUCHING)
            continue;
        ledger->now_touching.pair[ledger->now_touching.n++] = m;
        ledger->ntouching += contact->pair->law != NULL;
        *unit = fmax(*unit, contact->force_scale_N * contact->depth_scale_m);
    }
}

void cf_ledger_start(struct cf_ledger *ledger, double (*account)[CF_NACCOUNT], const double scale[])
{
    const struct cf_scene *scene = ledger->system->scene;
    double mass_kg = 0;

    ledger->scale = scale;
    for (size_t b = 0; b < scene->nbody; b++)
        if (scene->body[b].drive == CF_DRIVE_FREE) {
            double m = scene->body[b].mass_kg, *middle = ledger->origin_m;
            mass_kg += m;
            for (int k = 0; k < 3; k++)
                middle[k] += m / mass_kg * (ledger->system->pose[b].x[k] - middle[k]);
        }
    look(ledger, account, true);
    for (size_t b = 0; b < scene->nbody; b++)
        for (int span = 0; span < CF_NSPAN; span++) {
            ledger->start[span][b] = ledger->now[b];
            ledger->first[span][b] = b;
            ledger->group[span][b] =
                (struct cf_ledger_group){.beyond_s = (double) NAN, .judged = {true, true, true}};
        }
    regroup(ledger, true);
}

void cf_ledger_note(struct cf_ledger *ledger, double time_s, double (*account)[CF_NACCOUNT])
{
    look(ledger, account, false);
    compare(ledger, CF_SPAN_RUN, time_s);
    if (ledger->apart)
        return;
    compare(ledger, CF_SPAN_EXCHANGE, time_s);
    regroup(ledger, false);
}

void cf_ledger_set_apart(struct cf_ledger *ledger)
{
    ledger->apart = true;
}

void cf_ledger_meet(struct cf_ledger *ledger, size_t pair)
{
    const struct cf_scene *scene = ledger->system->scene;
    const size_t *body = scene->pair[pair].body;
    size_t *first = ledger->first[CF_SPAN_RUN];
    bool holds[2];

    for (int side = 0; side < 2; side++)
        holds[side] = cf_rigid_holds_energy(&scene->body[body[side]]);
    if (holds[0] && holds[1])
        merge_two(ledger, body[0], body[1]);
    else
        open_to_outside(&ledger->group[CF_SPAN_RUN][first_of(first, body[holds[1]])]);
    for (size_t b = 0; b < scene->nbody; b++)
        first[b] = first_of(first, b);
}

void cf_ledger_take(struct cf_ledger *ledger, const struct cf_motion_result *island,
                    const size_t body[])
{
    ledger->result->exchanges += island->exchanges;
    for (int what = 0; what < CF_NCONSERVED; what++) {
        struct cf_balance_check check = island->balance[CF_SPAN_EXCHANGE][what];
        struct cf_balance_check *worst = &ledger->result->balance[CF_SPAN_EXCHANGE][what];
        if (check.body == SIZE_MAX)
            continue;
        check.body = body[check.body];
        if (is_worse(&check, worst))
            *worst = check;
    }
}

void cf_ledger_end(struct cf_ledger *ledger)
{
    for (int span = ledger->apart ? CF_SPAN_RUN : 0; span < CF_NSPAN; span++)
        for (size_t b = 0; b < ledger->system->scene->nbody; b++)
            if (ledger->first[span][b] == b)
                judge(ledger, span, b);
}

const struct cf_balance_check *cf_balance_worst(const struct cf_motion_result *result,
                                                enum cf_span *span, enum cf_conserved *what)
{
    const struct cf_balance_check *worst = &result->balance[0][0];

    *span = 0;
    *what = 0;
    for (int s = 0; s < CF_NSPAN; s++)
        for (int w = 0; w < CF_NCONSERVED; w++) {
            const struct cf_balance_check *check = &result->balance[s][w];
            if (check->body != SIZE_MAX && severity(check) > severity(worst)) {
                worst = check;
                *span = s;
                *what = w;
            }
        }
    return worst;
}

double cf_balance_part(const struct cf_balance_check *check)
{
    return check->off == 0 ? 0 : fabs(check->off) / check->most;
}
