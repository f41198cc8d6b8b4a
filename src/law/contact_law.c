#include "law/contact_law.h"

#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "law/rigid_friction.h"

struct cf_made_law {
    struct cf_law law;
    char *name, *cite, *what, *formula;
    struct cf_param param[CF_MAX_PARAM];
    struct cf_alias *alias;
};

const struct cf_friction_law *cf_contact_friction_find(const char *name)
{
    const struct cf_friction_law *const *law = cf_rigid_friction_laws;

    while (*law && strcmp((*law)->name, name) != 0)
        law++;
    return *law ? *law : cf_friction_find(name);
}

size_t cf_contact_friction_names(const char *name[CF_MOST_FRICTIONS])
{
    size_t n = 0;

    for (const struct cf_friction_law *const *l = cf_friction_laws; *l; l++)
        if (n < CF_MOST_FRICTIONS)
            name[n++] = (*l)->name;
    for (const struct cf_friction_law *const *l = cf_rigid_friction_laws; *l; l++)
        if (n < CF_MOST_FRICTIONS)
            name[n++] = (*l)->name;
    return n;
}

int cf_contact_law_check(const struct cf_law *normal, const struct cf_friction_law *friction,
                         struct cf_error *err)
{
    bool force = normal->family == CF_FAMILY_NORMAL || normal->family == CF_FAMILY_FOUNDATION;

    if (normal->family == CF_FAMILY_FOUNDATION && !friction->over_area)
        return cf_fail(err, CF_EINPUT,
                       "%s acts on a volume, over which friction %s has no form: bristle, coulomb "
                       "and viscous-load have",
                       normal->name, friction->name);
    if (!force && normal->family != CF_FAMILY_RESTITUTION)
        return cf_fail(err, CF_EINPUT,
                       "%s is a friction curve: friction %s wants a law of the normal direction "
                       "beside it, such as azad-featherstone",
                       normal->name, friction->name);
    if (!force && !friction->impulse)
        return cf_fail(err, CF_EINPUT,
                       "%s has no force over time, which friction %s needs: take a force law such "
                       "as azad-featherstone, or friction rigid-coulomb or walton",
                       normal->name, friction->name);
    if (normal->nparam + friction->nparam > CF_MAX_PARAM)
        return cf_fail(err, CF_EINPUT, "%s and %s have %zu parameters together: at most %d",
                       normal->name, friction->name, normal->nparam + friction->nparam,
                       CF_MAX_PARAM);
    for (size_t i = 0; i < friction->nparam; i++) {
        const char *name = friction->param[i].name;
        if (cf_param_find(normal->param, normal->nparam, name) < normal->nparam ||
            cf_law_alias(normal, name))
            return cf_fail(err, CF_EINPUT, "%s and %s both have a parameter %s", normal->name,
                           friction->name, name);
    }
    return CF_OK;
}

/* K_t/K_n, of springs that go with the same power of depth: f_n = k z^n has the stiffness n k
 * z^(n-1), and k_t z^(n-1) that along the surface. */
static bool kappa(const struct cf_law *law, const struct cf_law *normal, struct cf_alias *out)
{
    size_t k = cf_law_k(law), k_t = cf_param_find(law->param, law->nparam, "k_t");

    *out = (struct cf_alias){.name = "kappa",
                             .unit = "1",
                             .target = k_t,
                             .factor = normal->n,
                             .k_power = 1,
                             .what = "stiffness along the surface over that along the normal"};
    return k < normal->nparam && k_t < law->nparam && normal->n > 0 &&
           strcmp(law->param[k].unit, law->param[k_t].unit) == 0;
}

static void free_made(struct cf_made_law *made)
{
    if (!made)
        return;
    free(made->name);
    free(made->cite);
    free(made->what);
    free(made->formula);
    free(made->alias);
    free(made);
}

static struct cf_made_law *make_alone(const struct cf_friction_law *friction)
{
    struct cf_made_law *made = calloc(1, sizeof *made);

    if (made)
        made->law = (struct cf_law){.name = friction->name,
                                    .cite = friction->cite,
                                    .what = friction->what,
                                    .formula = friction->formula,
                                    .family = CF_FAMILY_TANGENTIAL,
                                    .nparam = friction->nparam,
                                    .param = friction->param,
                                    .friction = friction};
    return made;
}

static struct cf_made_law *make(const struct cf_law *normal, const struct cf_friction_law *friction)
{
    struct cf_made_law *made = normal ? calloc(1, sizeof *made) : make_alone(friction);

    if (!made || !normal)
        return made;
    made->law = *normal;
    made->name = cf_format("%s + %s", normal->name, friction->name);
    made->cite = cf_format("%s; friction: %s", normal->cite, friction->cite);
    made->what = cf_format("%s; %s", normal->what, friction->what);
    made->formula = cf_format("%s;  friction: %s", normal->formula, friction->formula);
    made->alias = calloc(normal->nalias + 1, sizeof *made->alias);
    if (!made->name || !made->cite || !made->what || !made->formula || !made->alias) {
        free_made(made);
        return NULL;
    }
    memcpy(made->param, normal->param, normal->nparam * sizeof *made->param);
    memcpy(made->param + normal->nparam, friction->param, friction->nparam * sizeof *made->param);
    if (normal->nalias)
        memcpy(made->alias, normal->alias, normal->nalias * sizeof *made->alias);
    made->law.name = made->name;
    made->law.cite = made->cite;
    made->law.what = made->what;
    made->law.formula = made->formula;
    made->law.nparam = normal->nparam + friction->nparam;
    made->law.param = made->param;
    made->law.alias = made->alias;
    made->law.normal = normal;
    made->law.friction = friction;
    if (kappa(&made->law, normal, &made->alias[normal->nalias]))
        made->law.nalias++;
    return made;
}

int cf_contact_law(struct cf_contact_laws *laws, const struct cf_law *normal,
                   const struct cf_friction_law *friction, const struct cf_law **out,
                   struct cf_error *err)
{
    struct cf_made_law **longer, *made;
    int status = normal ? cf_contact_law_check(normal, friction, err) : CF_OK;

    for (size_t i = 0; i < laws->n && !status; i++)
        if (laws->made[i]->law.normal == normal && laws->made[i]->law.friction == friction) {
            *out = &laws->made[i]->law;
            return CF_OK;
        }
    if (status)
        return status;
    longer = realloc(laws->made, (laws->n + 1) * sizeof *longer);
    if (longer)
        laws->made = longer;
    made = longer ? make(normal, friction) : NULL;
    if (!made)
        return cf_fail(err, CF_ENOMEM, "no memory for the law %s%s%s", normal ? normal->name : "",
                       normal ? " + " : "", friction->name);
    laws->made[laws->n++] = made;
    *out = &made->law;
    return CF_OK;
}

void cf_contact_laws_clear(struct cf_contact_laws *laws)
{
    for (size_t i = 0; i < laws->n; i++)
        free_made(laws->made[i]);
    free(laws->made);
    *laws = (struct cf_contact_laws){0};
}
