/* Mappings, predictions and verifications as JSON. */

#include "export/answer.h"
#include "document/json_value.h"

#include <math.h>

static json_t *values(const struct cf_mapping *m)
{
    static const char *const whose[] = {"pair", "body 1", "body 2", "each body", "scene"};
    json_t *list = json_array();

    for (size_t i = 0; i < m->nvalue; i++) {
        const struct cf_value *v = &m->value[i];
        cf_json_add(&list, json_pack("{s:s,s:o,s:s,s:s,s:s}", "name", v->name, "value",
                                     cf_json_number(v->value), "unit", v->unit, "of",
                                     whose[v->whose], "what", v->what));
    }
    return list;
}

/* At the user's step; null where none was given or e does not depend on it. */
static json_t *at_step(const struct cf_mapping *m)
{
    const struct cf_outlook *p = &m->prediction;

    if (!p->stepped)
        return json_null();
    return json_pack("{s:f,s:o,s:o,s:o,s:o,s:o,s:b,s:b}", "dt_s", m->question.dt_s, "e",
                     cf_json_number(p->spread.e_mean), "low", cf_json_number(p->spread.e_low),
                     "high", cf_json_number(p->spread.e_high), "range_error",
                     cf_json_number(p->miss.error), "range_speed_m_s",
                     cf_json_number(p->miss.speed_m_s), "ends", p->spread.left && p->miss.left,
                     "compensated", m->compensated && m->compensable);
}

/* Where the target does not bounce; null where it always does. */
static json_t *still(const struct cf_mapping *m)
{
    return m->twin.still_m_s > 0 ? json_pack("{s:f,s:f}", "speed_m_s", m->twin.still_m_s, "e_most",
                                             m->target->pushed_out)
                                 : json_null();
}

/* The speeds that e is held over, and what is wrong of depth and duration there, by the fit's. */
static json_t *range(const struct cf_mapping *m)
{
    const struct cf_outlook *p = &m->prediction;

    return json_pack("{s:o,s:o,s:o,s:[o,o],s:[o,o]}", "slowest_m_s", cf_json_number(p->slowest_m_s),
                     "fastest_m_s", cf_json_number(p->fastest_m_s), "error_speed_m_s",
                     cf_json_number(p->range_speed_m_s), "depth", cf_json_number(p->depth_low),
                     cf_json_number(p->depth_high), "duration", cf_json_number(p->duration_low),
                     cf_json_number(p->duration_high));
}

/* What --keep step chose, and costs. */
static json_t *kept(const struct cf_mapping *m)
{
    const struct cf_outlook *p = &m->prediction;

    return json_pack("{s:o,s:o,s:o,s:o}", "softened", cf_json_number(m->softened), "deepest_m",
                     cf_json_number(p->deepest_m), "gravity_error", cf_json_number(p->heavy.error),
                     "gravity_speed_m_s", cf_json_number(p->heavy.speed_m_s));
}

static json_t *drops(const struct cf_verification *seen)
{
    json_t *list = json_array();

    for (size_t i = 0; i < seen->n; i++) {
        const struct cf_drop_result *d = &seen->drop[i];
        cf_json_add(&list,
                    json_pack("{s:f,s:f,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:b}", "speed_m_s",
                              d->speed_m_s, "dt_s", d->dt_s, "e_fit", cf_json_number(d->e_fit),
                              "e_asked", cf_json_number(d->asked.e), "e_twin",
                              cf_json_number(d->twin.e), "e_seen", cf_json_number(d->seen.e),
                              "depth_asked_m", cf_json_number(d->asked.depth_m), "depth_seen_m",
                              cf_json_number(d->seen.depth_m), "duration_asked_s",
                              cf_json_number(d->asked.duration_s), "duration_seen_s",
                              cf_json_number(d->seen.duration_s), "predicted", d->predicted, "good",
                              d->good));
    }
    return list;
}

/* Of a friction curve: what became of it, and the largest difference. */
static json_t *friction(const struct cf_mapping *m)
{
    const struct cf_friction_known *s = &m->material->slide;
    const struct cf_friction_loss *loss = &m->material->loss;

    return json_pack("{s:s,s:s,s:s,s:o,s:s,s:o,s:o,s:[o,o]}", "fit", s->name, "law", s->law->name,
                     "as", loss->form, "error", cf_json_number(loss->error), "unit",
                     s->law->param[0].unit, "share", cf_json_number(loss->share), "at",
                     cf_json_number(loss->at), "speeds", cf_json_number(s->low),
                     cf_json_number(s->high));
}

json_t *cf_export_answer(const struct cf_mapping *m, const struct cf_verification *seen)
{
    const struct cf_outlook *p = &m->prediction;
    const struct cf_material *material = m->material;
    json_t *all = json_pack(
        "{s:s,s:s,s:b,s:s,s:s,s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:s,s:o}",
        "fit", material->name, "verdict", material->verdict, "trusted", material->trusted, "target",
        m->target->name, "exactness", cf_mapping_exactness(m), "instead",
        m->approximated ? json_string(m->law->name) : json_null(), "why", m->why, "mass_kg",
        cf_json_number(material->mass_kg), "radius_m", cf_json_number(material->radius_m),
        "speed_m_s", cf_json_number(m->question.speed_m_s), "e_fit", cf_json_number(p->e_fit),
        "e_low", cf_json_number(p->e_low), "e_high", cf_json_number(p->e_high), "bound",
        cf_json_number(p->bound_e), "e_target", cf_json_number(p->e_target), "range_error",
        cf_json_number(p->range_error), "step", at_step(m), "largest_dt_s",
        cf_json_number(p->largest_dt_s), "good", p->good, "reason", p->reason, "values", values(m));

    cf_json_put(&all, "range", range(m));
    if (m->question.keep == CF_KEEP_STEP)
        cf_json_put(&all, "kept", kept(m));
    cf_json_put(&all, "still", still(m));
    if (all && material->loss.form)
        cf_json_put(&all, "friction", friction(m));
    if (all && seen)
        cf_json_put(&all, "drops", drops(seen));
    return all;
}
