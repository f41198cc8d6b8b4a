/* One row for all targets that do the same with a fit: what it is worth there, and at which step.
 */

#include "export/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/list.h"
#include "document/json_value.h"
#include "export/convert.h"
#include "export/e_code.h"
#include "export/predict.h"
#include "export/tables.h"

/* Speeds at which curves are given, and marks; steps that are tried: ten times finer and coarser
 * than a round one, the usual, of which a contact takes 4 or more. */
enum { NSPEED = 33, NMARK = 3, NSTEP = 3, USUAL = 1 };
static const double steps_a_contact = 4;

/* Targets that share a twin, or that have none for the same reason. */
struct row {
    struct cf_mapping m;
    json_t *targets;
};

struct survey {
    struct cf_material material;
    struct cf_question question;
    struct cf_curves *curves;
    double dt_s[NSTEP];
    size_t nrow;
    struct row *row;
};

static bool same_law(const struct cf_mapping *a, const struct cf_mapping *b)
{
    if (a->approximated != b->approximated || a->twin.scheme != b->twin.scheme ||
        a->twin.law != b->twin.law || a->twin.e != b->twin.e ||
        a->twin.still_m_s != b->twin.still_m_s)
        return false;
    for (size_t i = 0; a->twin.law && i < a->twin.law->nparam; i++)
        if (a->twin.p[i] != b->twin.p[i])
            return false;
    return true;
}

static bool same(const struct cf_mapping *a, const struct cf_mapping *b)
{
    return strcmp(cf_mapping_exactness(a), cf_mapping_exactness(b)) == 0 &&
           (a->exactness == CF_EXACTNESS_NONE ? strcmp(a->why, b->why) == 0 : same_law(a, b));
}

static int add(struct survey *s, const struct cf_mapping *m, struct cf_error *err)
{
    size_t i = 0;

    while (i < s->nrow && !same(&s->row[i].m, m))
        i++;
    if (i == s->nrow) {
        struct row *longer = cf_list_grow(s->row, s->nrow, sizeof *s->row);
        if (!longer)
            return cf_fail(err, CF_ENOMEM, "no memory for the simulators");
        s->row = longer;
        s->row[i] = (struct row){.m = *m, .targets = json_array()};
        s->nrow++;
    }
    json_t *target = json_pack("{s:s,s:s}", "name", m->target->name, "title", m->target->title);
    cf_json_add(&s->row[i].targets, target);
    return s->row[i].targets ? CF_OK : cf_fail(err, CF_ENOMEM, "out of memory");
}

/* Each target with the law itself, else with the first that may stand for it, else as impossible.
 * What a target needs and the fit does not have is no row: export will say it. */
static int collect(struct survey *s, struct cf_error *err)
{
    int status = CF_OK;

    for (const struct cf_target *const *target = cf_targets; *target && !status; target++) {
        struct cf_mapping m;
        if ((*target)->exactness == cf_exactness_table ||
            (*target)->exactness == cf_exactness_e_code)
            continue;
        status = cf_export_try(*target, &s->material, &s->question, NULL, s->curves, &m, err);
        if (!status && m.exactness == CF_EXACTNESS_NONE && (*target)->approximate) {
            const struct cf_law *law = cf_law_find((*target)->approximate[0]);
            status = cf_export_try(*target, &s->material, &s->question, law, s->curves, &m, err);
        }
        if (!status)
            status = add(s, &m, err);
        else if (!cf_status_ends(status))
            status = CF_OK; /* no row */
    }
    return status;
}

/* e at the tried steps, with the damping that is chosen for each. */
static int at_steps(const struct survey *s, const struct cf_mapping *m, json_t **steps,
                    struct cf_error *err)
{
    double mass = s->material.mass_kg > 0 ? s->material.mass_kg : 1;
    struct cf_goal goal;
    int status = cf_export_goal(m, mass, s->curves, &goal, err);

    for (int i = 0; i < NSTEP && !status; i++) {
        struct cf_twin twin = m->twin;
        struct cf_spread spread;
        struct cf_miss miss;
        bool possible;
        if (cf_twin_compensates(&twin))
            status = cf_twin_compensate(&twin, s->curves, goal.design_m_s, s->dt_s[i],
                                        goal.design_e, &possible, err);
        if (!status)
            status = cf_twin_spread(&twin, s->curves, goal.design_m_s, s->dt_s[i], &spread, err);
        if (!status)
            status = cf_twin_miss(&twin, s->curves, &goal, s->dt_s[i], &miss, err);
        if (status)
            break;
        bool good = miss.left && miss.e_high <= 1 && miss.error <= goal.bound;
        cf_json_add(steps, json_pack("{s:o,s:o,s:o,s:b}", "e", cf_json_number(spread.e_mean), "low",
                                     cf_json_number(spread.e_low), "high",
                                     cf_json_number(spread.e_high), "good", good));
    }
    return status;
}

static double speed_at(const struct survey *s, int i)
{
    double low = s->material.speed_low_m_s, high = s->material.speed_high_m_s;
    return low * pow(high / low, (double) i / (NSPEED - 1));
}

static int curve(const struct survey *s, const struct cf_mapping *m, json_t **out,
                 struct cf_error *err)
{
    int status = CF_OK;

    for (int i = 0; i < NSPEED && !status; i++) {
        double e;
        status = cf_predict_e(m, speed_at(s, i), s->curves, &e, err);
        if (!status)
            cf_json_add(out, cf_json_number(e));
    }
    return status;
}

static bool is_stepped(const struct cf_mapping *m)
{
    return m->exactness != CF_EXACTNESS_NONE && m->twin.scheme != CF_SCHEME_CONTINUOUS &&
           m->twin.scheme != CF_SCHEME_RESTITUTION;
}

/* Marks for a figure: e at the usual step, at speeds that are this row's own, spread evenly over
 * the fitted ones in the logarithm and between those of the other rows. */
static int at_marks(const struct survey *s, const struct row *row, json_t **marks,
                    struct cf_error *err)
{
    const double low = s->material.speed_low_m_s, high = s->material.speed_high_m_s;
    struct cf_twin twin = row->m.twin;
    size_t place = 0, places = 0;
    bool possible;
    int status = CF_OK;

    for (size_t i = 0; i < s->nrow; i++) {
        place += is_stepped(&s->row[i].m) && &s->row[i] < row;
        places += is_stepped(&s->row[i].m);
    }
    if (cf_twin_compensates(&twin))
        status = cf_twin_compensate(&twin, s->curves, s->question.speed_m_s, s->dt_s[USUAL],
                                    row->m.prediction.e_fit, &possible, err);
    for (int i = 0; i < NMARK && !status; i++) {
        double share = (i + ((double) place + 0.5) / (double) places) / NMARK;
        double speed = low * pow(high / low, share);
        struct cf_spread spread;
        status = cf_twin_spread(&twin, s->curves, speed, s->dt_s[USUAL], &spread, err);
        cf_json_add(marks,
                    json_pack("{s:f,s:o,s:o,s:o}", "speed_m_s", speed, "e",
                              cf_json_number(spread.e_mean), "low", cf_json_number(spread.e_low),
                              "high", cf_json_number(spread.e_high)));
    }
    return status;
}

static int write_row(struct survey *s, struct row *row, json_t **out, struct cf_error *err)
{
    struct cf_mapping *m = &row->m;
    json_t *e = json_array(), *steps = json_array(), *marks = json_array();
    bool stepped = is_stepped(m);
    int status = CF_OK;

    m->plain_damping = cf_mapping_parameter(m, "lambda");
    if (m->exactness != CF_EXACTNESS_NONE) {
        status = cf_export_predict(m, s->curves, err);
        if (!status)
            status = curve(s, m, &e, err);
        if (!status && stepped)
            status = at_steps(s, m, &steps, err);
        if (!status && stepped)
            status = at_marks(s, row, &marks, err);
    }
    const struct cf_outlook *p = &m->prediction;
    bool possible = m->exactness != CF_EXACTNESS_NONE;
    cf_json_add(
        out, json_pack("{s:O,s:s,s:s,s:o,s:o,s:o,s:o,s:o,s:b,s:o,s:o,s:o}", "targets", row->targets,
                       "exactness", cf_mapping_exactness(m), "why", m->why, "instead",
                       m->approximated ? json_string(m->law->name) : json_null(), "e",
                       cf_json_number(possible ? p->e_target : (double) NAN), "range_error",
                       cf_json_number(possible ? p->range_error : (double) NAN), "range_speed_m_s",
                       cf_json_number(possible ? p->range_speed_m_s : (double) NAN), "largest_dt_s",
                       cf_json_number(possible && stepped ? p->largest_dt_s : (double) NAN), "good",
                       possible && p->good, "steps", steps, "curve", e, "marks", marks));
    return status;
}

/* The law's own curve, and the steps by its contact. */
static int begin(struct survey *s, json_t **fit_curve, json_t **speeds, struct cf_error *err)
{
    const struct cf_material *m = &s->material;
    double mass = m->mass_kg > 0 ? m->mass_kg : 1;
    struct cf_impact impact;
    int status = cf_impact(s->curves, m->law, m->p, mass, s->question.speed_m_s, &impact, err);

    if (status)
        return status;
    double usual = impact.known[CF_IMPACT_DURATION] ? impact.value[CF_IMPACT_DURATION] : 1e-3;
    double middle = pow(10, floor(log10(usual / steps_a_contact)));
    for (int i = 0; i < NSTEP; i++)
        s->dt_s[i] = middle * pow(10, i - 1);
    for (int i = 0; i < NSPEED && !status; i++) {
        double e;
        status = cf_restitution_at(s->curves, m->law, m->p, mass, speed_at(s, i), &e, err);
        cf_json_add(speeds, json_real(speed_at(s, i)));
        cf_json_add(fit_curve, cf_json_number(e));
    }
    return status;
}

static int write_survey(struct survey *s, json_t **out, struct cf_error *err)
{
    const struct cf_material *material = &s->material;
    json_t *e = json_array(), *speeds = json_array(), *rows = json_array(), *dt = json_array();
    struct cf_outlook of_fit;
    int status = begin(s, &e, &speeds, err);

    if (!status)
        status =
            cf_predict_fit(material, &s->question, material->mass_kg > 0 ? material->mass_kg : 1,
                           s->curves, &of_fit, err);
    if (!status)
        status = collect(s, err);
    for (size_t i = 0; i < s->nrow && !status; i++)
        status = write_row(s, &s->row[i], &rows, err);
    for (int i = 0; i < NSTEP; i++)
        cf_json_add(&dt, cf_json_number(s->dt_s[i]));
    if (!status && !rows)
        status = cf_fail(err, CF_ENOMEM, "no memory for the simulators");
    if (!status && s->nrow) {
        *out = json_pack("{s:f,s:o,s:o,s:O,s:O,s:O,s:O}", "speed_m_s", s->question.speed_m_s, "e",
                         cf_json_number(of_fit.e_fit), "bound", cf_json_number(of_fit.bound_e),
                         "dt_s", dt, "speeds_m_s", speeds, "fit", e, "rows", rows);
        if (!*out)
            status = cf_fail(err, CF_ENOMEM, "no memory for the simulators");
    }
    json_decref(e);
    json_decref(speeds);
    json_decref(rows);
    json_decref(dt);
    for (size_t i = 0; i < s->nrow; i++)
        json_decref(s->row[i].targets);
    free(s->row);
    return status;
}

int cf_export_survey(const json_t *fit, struct cf_curves *curves, json_t **out,
                     struct cf_error *err)
{
    const double unknown = (double) NAN;
    struct survey s = {.curves = curves};

    *out = NULL;
    int status = cf_material_read(fit, "", "", &s.material, err);
    if (status)
        return status == CF_ENOMEM ? status : CF_OK;
    s.question = (struct cf_question){
        .speed_m_s = cf_material_middle_speed(&s.material), .dt_s = unknown, .bound_e = unknown};
    /* a law that has no curve here, a parameter out of its range: a fit is one all the same */
    if (s.material.trusted && s.material.speed_low_m_s > 0 && !cf_material_is_friction(&s.material))
        status = write_survey(&s, out, err);
    cf_material_free(&s.material);
    return status == CF_ENOMEM ? status : CF_OK;
}
