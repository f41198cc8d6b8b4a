/* Fits of slides as targets take them: a coefficient of friction in the text of a contact that says
 * no more, or the friction of a joint. */

#include <math.h>
#include <string.h>

#include "core/output.h"
#include "export/friction.h"
#include "export/rows.h"

static bool has_place(const struct cf_target *target, bool joint)
{
    return target->any_values || (joint ? target->joint != NULL : target->fill_friction != NULL);
}

/* "csv, json and mujoco" */
static void list_places(bool joint, char *text, size_t size)
{
    size_t used = 0, left = 0;

    for (const struct cf_target *const *t = cf_targets; *t; t++)
        left += has_place(*t, joint);
    text[0] = '\0';
    for (const struct cf_target *const *t = cf_targets; *t && used < size; t++) {
        if (!has_place(*t, joint))
            continue;
        left--;
        used += (size_t) snprintf(text + used, size - used, "%s%s",
                                  used == 0   ? ""
                                  : left == 0 ? " and "
                                              : ", ",
                                  (*t)->name);
    }
}

static int refuse(const struct cf_mapping *m, bool joint, struct cf_error *err)
{
    const char *law = m->law->name, *name = m->target->name;
    char places[512];

    list_places(joint, places, sizeof places);
    if (joint)
        return cf_fail(err, CF_EINPUT,
                       "%s: %s has no place for the friction of a joint, %s: %s have one",
                       m->material->name, name, law, places);
    if (m->target->takes & CF_TAKES_MU_C)
        return cf_fail(err, CF_EINPUT,
                       "%s: %s has no text of friction alone, %s: give it beside a fit of impacts, "
                       "export --to %s IMPACTS.json --friction %s; alone it goes to %s",
                       m->material->name, name, law, name, m->material->file, places);
    return cf_fail(err, CF_EINPUT, "%s: %s has no place for friction, %s: %s have one",
                   m->material->name, name, law, places);
}

/* Of one of each parameter's own, per data set or direction, none is the fit's. */
static int check_known(const struct cf_mapping *m, struct cf_error *err)
{
    const struct cf_material *material = m->material;

    for (size_t i = 0; i < m->law->nparam; i++)
        if (isnan(material->p[i]))
            return cf_fail(err, CF_EINPUT, "%s: %s needs %s, and the fit has none of all its data",
                           material->name, m->law->name, m->law->param[i].name);
    return CF_OK;
}

static void fill_joint(struct cf_mapping *m)
{
    const struct cf_friction_joint *joint = m->target->joint;
    const struct cf_friction_known *s = &m->material->slide;
    bool turns = s->law->family == CF_FAMILY_FRICTION_TORQUE;

    cf_mapping_add(m, joint->dry, turns ? "N m" : "N", s->dry, CF_OF_PAIR, "dry friction");
    cf_mapping_add(m, joint->viscous, turns ? "N m s/rad" : "N s/m", s->viscous, CF_OF_PAIR,
                   "viscous friction");
}

int cf_friction_map(const struct cf_target *target, const struct cf_material *material,
                    const struct cf_question *question, struct cf_mapping *m, struct cf_error *err)
{
    bool joint = cf_friction_is_joint(material);
    int status;

    *m = (struct cf_mapping){
        .target = target, .material = material, .question = *question, .law = material->law};
    memcpy(m->p, material->p, sizeof m->p);
    status = has_place(target, joint) ? check_known(m, err) : refuse(m, joint, err);

    if (status)
        return status;
    m->exactness = material->loss.error > 0 ? CF_EXACTNESS_NEAREST : CF_EXACTNESS_LAW;
    m->why = joint ? "friction of a joint" : "friction of a contact, without its normal force";
    m->prediction.good = true;
    if (target->any_values)
        status = target->fill(m, err);
    else if (joint)
        fill_joint(m);
    else
        target->fill_friction(m);
    return !status && m->failed
               ? cf_fail(err, CF_ENOMEM, "no memory for the values of %s", target->name)
               : status;
}

static bool in_text_of_joints(const struct cf_mapping *m)
{
    return !m->target->any_values && cf_friction_is_joint(m->material);
}

static void write_joints(const struct cf_mapping *const m[], size_t n, FILE *out)
{
    const struct cf_friction_joint *joint = m[0]->target->joint;

    fputs(joint->opening, out);
    for (size_t i = 0; i < n; i++) {
        cf_export_head(m[i], out);
        joint->one(m[i], i, out);
    }
    fputs(joint->closing, out);
}

int cf_export_write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    bool joints = in_text_of_joints(m[0]);

    for (size_t i = 1; i < n; i++)
        if (in_text_of_joints(m[i]) != joints)
            return cf_fail(err, CF_EINPUT, "%s is of a %s and %s of a %s: export them apart",
                           m[0]->material->name, joints ? "joint" : "contact", m[i]->material->name,
                           joints ? "contact" : "joint");
    int status = joints ? CF_OK : m[0]->target->write(m, n, out, err);
    if (joints)
        write_joints(m, n, out);
    if (!status && m[0]->target->comment[0])
        cf_export_comment(m[0], out, CF_OUTPUT_MARK);
    return status;
}
