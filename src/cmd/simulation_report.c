/* The report on a scene that has run. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/simulation.h"
#include "core/wrap.h"
#include "document/json_dump.h"
#include "document/json_value.h"
#include "scene/balance_words.h"

/* Where energy can be, as a table says it. */
static const char *const what[CF_NENERGY] = {
    [CF_ENERGY_KINETIC] = "kinetic",
    [CF_ENERGY_POTENTIAL] = "potential",
    [CF_ENERGY_NORMAL_SPRING] = "normal springs",
    [CF_ENERGY_TANGENTIAL_SPRING] = "tangential springs",
    [CF_ENERGY_TETHER] = "springs",
    [CF_ENERGY_NORMAL_DAMPER] = "lost: normal dampers",
    [CF_ENERGY_LOOP] = "lost: closed loops",
    [CF_ENERGY_TANGENTIAL_DAMPER] = "lost: tangential dampers",
    [CF_ENERGY_SLIDE] = "lost: sliding",
    [CF_ENERGY_VISCOUS] = "lost: viscous",
    [CF_ENERGY_ROLLING] = "lost: rolling",
    [CF_ENERGY_SPINNING] = "lost: spinning",
    [CF_ENERGY_TETHER_DAMPER] = "lost: springs' dampers",
    [CF_ENERGY_WORK] = "put in by what is moved",
};

/* Of energy: in the exchange, and over the run, that were judged most severely. */
static int print_balance(const struct cf_simulation *s, FILE *out)
{
    const struct cf_motion_result *r = &s->result;
    const struct cf_balance_check *once = &r->balance[CF_SPAN_EXCHANGE][CF_CONSERVED_ENERGY];
    const struct cf_balance_check *run = &r->balance[CF_SPAN_RUN][CF_CONSERVED_ENERGY];
    char *account;

    if (once->body == SIZE_MAX || run->body == SIZE_MAX)
        return CF_OK;
    account = cf_balance_account(&s->file->scene, once, CF_CONSERVED_ENERGY);
    if (!account)
        return CF_ENOMEM;
    fprintf(out, "  residual " CF_WRAP_HANG "%.2g J, %.2g of the %.4g J that %s had at most%s\n",
            once->off, cf_balance_part(once), once->most, account,
            s->options.scheme ? "; fixed steps promise nothing" : "");
    fprintf(out, "  drift " CF_WRAP_HANG "%.2g J, %.2g of the %.4g J that took part\n", run->off,
            cf_balance_part(run), run->most);
    free(account);
    return CF_OK;
}

static int print_energies(const struct cf_simulation *s, FILE *out)
{
    const struct cf_motion_result *r = &s->result;
    double largest = 0;

    for (int e = 0; e < CF_NENERGY; e++)
        largest = fmax(largest, fmax(fabs(s->start_J[e]), fabs(r->energy_J[e])));
    bool small = largest < 1;
    double unit = small ? 1e3 : 1;

    fprintf(out, "\n  %-26s %14s %14s %14s\n", small ? "energy [mJ]" : "energy [J]", "at the start",
            "at the end", "change");
    for (int e = 0; e < CF_NENERGY; e++)
        if (s->start_J[e] != 0 || r->energy_J[e] != 0)
            fprintf(out, "  %-26s %14.6f %14.6f %14.6f\n", what[e], unit * s->start_J[e],
                    unit * r->energy_J[e], unit * (r->energy_J[e] - s->start_J[e]));
    return print_balance(s, out);
}

/* What a normal force without a potential took, or gave, by where it was led; nothing where all
 * have one. */
static void print_loops(const struct cf_motion_result *r, FILE *out)
{
    double loop = r->energy_J[CF_ENERGY_LOOP], held = r->energy_J[CF_ENERGY_NORMAL_SPRING];

    if (!(r->pressed_J > 0))
        return;
    fprintf(out, "  loops       " CF_WRAP_HANG
                 "normal forces over edges and between cells have no potential: springs ");
    if (loop == 0)
        fprintf(out, "have not been relieved yet");
    else
        fprintf(out, "%s %.4g J %s, %.2g of the most that they held", loop < 0 ? "gave" : "took",
                fabs(loop), loop < 0 ? "that they never took" : "for good",
                fabs(loop) / r->pressed_J);
    if (held > 0)
        fprintf(out, "%s and hold %.4g J", loop == 0 ? "" : ",", held);
    fputc('\n', out);
}

/* "never", "once", "3 times" */
static const char *times(size_t n, char text[32])
{
    if (n < 2)
        return n ? "once" : "never";
    snprintf(text, 32, "%zu times", n);
    return text;
}

static void print_events(const struct cf_simulation *s, FILE *out)
{
    const struct cf_motion_result *r = &s->result;
    const size_t *n = r->events;
    char one[32], other[32];

    fprintf(out, "  contact     " CF_WRAP_HANG "made %s", times(n[CF_EVENT_MAKE], one));
    if (n[CF_EVENT_MAKE] == 1)
        fprintf(out, ", at %.10g s", s->first_make_s);
    else if (n[CF_EVENT_MAKE] > 1)
        fprintf(out, ", from %.10g s to %.10g s", s->first_make_s, s->last_make_s);
    fprintf(out, ", lost %s\n", times(n[CF_EVENT_BREAK], one));
    if (n[CF_EVENT_SLIP] + n[CF_EVENT_STICK] > 0)
        fprintf(out, "  friction    slipped %s, stuck %s\n", times(n[CF_EVENT_SLIP], one),
                times(n[CF_EVENT_STICK], other));
    if (isfinite(r->rest_s))
        fprintf(out, "  rest        from %.10g s on\n", r->rest_s);
}

int cf_simulation_print(const struct cf_simulation *s, FILE *out, struct cf_error *err)
{
    const struct cf_motion_result *r = &s->result;
    const struct cf_scene_file *file = s->file;

    fprintf(out, "%s\n", file->title);
    if (file->source)
        fprintf(out, "  source      " CF_WRAP_HANG "%s\n", file->source);
    for (size_t i = 0; i < file->noverride; i++)
        fprintf(out, "  overridden  " CF_WRAP_HANG "%s\n", file->override[i]);
    for (size_t i = 0; i < file->nremark; i++)
        fprintf(out, "  remark      " CF_WRAP_HANG "%s\n", file->remark[i]);
    if (s->options.scheme)
        fprintf(out, "  run         " CF_WRAP_HANG "%.10g s by %s, steps of %.6g s\n", r->time_s,
                s->options.scheme->name, s->options.dt_s);
    else
        fprintf(out, "  run         " CF_WRAP_HANG "%.10g s, tolerance %.3g\n", r->time_s,
                s->options.tolerance);
    fprintf(out,
            "  steps       %zu, %zu more rejected, %zu evaluations, %zu flights in closed form\n",
            r->steps, r->rejected, r->evaluations, r->flights);
    print_events(s, out);
    if (print_energies(s, out))
        return cf_fail(err, CF_ENOMEM, "out of memory for the words of the energy balance");
    print_loops(r, out);
    return CF_OK;
}

static json_t *energies(const double energy_J[CF_NENERGY])
{
    json_t *all = json_object();

    for (int e = 0; e < CF_NENERGY; e++)
        cf_json_put(&all, cf_energy_names[e], cf_json_number(energy_J[e]));
    return all;
}

static json_t *texts(size_t n, char *const text[])
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        cf_json_add(&list, json_string(text[i]));
    return list;
}

static json_t *bodies(const struct cf_simulation *s)
{
    json_t *all = json_object();

    for (size_t i = 0; i < s->file->scene.nbody; i++)
        cf_json_put(&all, s->file->scene.body[i].name,
                    json_pack("{so so so so}", "position_m",
                              cf_json_numbers(s->body[i].position_m, 3), "attitude",
                              cf_json_numbers(s->body[i].attitude, 4), "velocity_m_s",
                              cf_json_numbers(s->body[i].velocity_m_s, 3), "spin_rad_s",
                              cf_json_numbers(s->body[i].spin_rad_s, 3)));
    return all;
}

static json_t *motion_events(const size_t events[CF_NEVENT])
{
    json_t *all = json_object();

    for (int i = 0; i < CF_NEVENT; i++)
        cf_json_put(&all, cf_motion_event_names[i], json_integer((json_int_t) events[i]));
    return all;
}

/* One check: null where there was nothing to judge. */
static json_t *check_json(const struct cf_simulation *s, enum cf_span span, enum cf_conserved what)
{
    const struct cf_balance_check *check = &s->result.balance[span][what];
    const char *suffix = cf_conserved_suffixes[what];
    enum { ROOM = 16 };
    char off[ROOM], most[ROOM];

    if (check->body == SIZE_MAX)
        return json_null();
    snprintf(off, sizeof off, "off_%s", suffix);
    snprintf(most, sizeof most, "most_%s", suffix);
    return json_pack("{ss sI ss* so so so so so}", "body", s->file->scene.body[check->body].name,
                     "other_bodies", (json_int_t) check->others, "account",
                     what == CF_CONSERVED_ENERGY ? cf_account_names[check->account] : NULL,
                     "time_s", cf_json_number(check->time_s), off, cf_json_number(check->off), most,
                     cf_json_number(check->most), "residual",
                     cf_json_number(cf_balance_part(check)), "allowed",
                     s->options.scheme ? json_null() : cf_json_number(check->limit / check->most));
}

static json_t *balance(const struct cf_simulation *s)
{
    enum cf_balance_verdict verdict = cf_balance_verdict(&s->options, &s->result);
    char *words = cf_balance_words(&s->file->scene, &s->options, &s->result);
    json_t *all = json_object();

    cf_json_put(&all, "closes",
                verdict == CF_BALANCE_NOT_JUDGED ? json_null()
                                                 : json_boolean(verdict == CF_BALANCE_CLOSES));
    cf_json_put(&all, "verdict", words ? json_string(words) : NULL);
    cf_json_put(&all, "tolerance_that_helps",
                cf_json_number(cf_balance_helps(&s->options, &s->result)));
    for (enum cf_span span = 0; span < CF_NSPAN; span++) {
        json_t *checks = json_object();
        for (enum cf_conserved what = 0; what < CF_NCONSERVED; what++)
            cf_json_put(&checks, cf_conserved_names[what], check_json(s, span, what));
        cf_json_put(&all, cf_span_names[span], checks);
    }
    free(words);
    return all;
}

int cf_simulation_json(const struct cf_simulation *s, FILE *out, struct cf_error *err)
{
    const struct cf_motion_result *r = &s->result;
    const struct cf_scene_file *file = s->file;
    const struct cf_ode_scheme *scheme = s->options.scheme;
    json_t *all = json_pack(
        "{ss ss* ss so so ss so so so sI sI sI sI so so so so so so so so}", "title", file->title,
        "source", file->source, "sha256", file->sha256, "overridden",
        texts(file->noverride, file->override), "remarks", texts(file->nremark, file->remark),
        "method", scheme ? scheme->name : "adaptive", "tolerance",
        scheme ? json_null() : cf_json_number(s->options.tolerance), "step_s",
        scheme ? cf_json_number(s->options.dt_s) : json_null(), "time_s", cf_json_number(r->time_s),
        "steps", (json_int_t) r->steps, "rejected", (json_int_t) r->rejected, "evaluations",
        (json_int_t) r->evaluations, "flights", (json_int_t) r->flights, "events",
        motion_events(r->events), "rest_s", cf_json_number(r->rest_s), "energy_at_start_J",
        energies(s->start_J), "energy_at_end_J", energies(r->energy_J), "pressed_J",
        cf_json_number(r->pressed_J), "residual_J", cf_json_number(r->residual_J), "balance",
        balance(s), "bodies", bodies(s));
    int status = CF_OK;

    if (!all || cf_json_dump(all, out, JSON_INDENT(2)) != 0)
        status = cf_fail(err, CF_EIO, "the summary cannot be written as JSON");
    json_decref(all);
    if (!status)
        fputc('\n', out);
    return status;
}
