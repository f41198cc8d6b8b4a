/* contactfit export --list: the targets, and all that a target's row says. */

#include "cmd/export_list.h"

#include <string.h>

#include "core/wrap.h"

enum { INDENT = 14 };

/* A heading and its text. */
static void put(FILE *out, const char *heading, const char *text)
{
    fprintf(out, "  %-*s" CF_WRAP_HANG "%s\n", INDENT - 2, heading, text);
}

/* The laws that become this here, in the order of `models`. */
static void put_laws(FILE *out, const struct cf_target *target, enum cf_exactness exactness)
{
    char names[1024] = "";
    const char *why;
    size_t used = 0;

    for (const struct cf_law *const *law = cf_laws; *law && used < sizeof names; law++)
        if (!(*law)->curve && cf_target_exactness(target, *law, &why) == exactness)
            used += (size_t) snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                      (*law)->name);
    if (names[0] && exactness == CF_EXACTNESS_NONE)
        snprintf(names, sizeof names, "all others");
    if (names[0])
        put(out, cf_exactness_word(exactness), names);
}

static void describe(FILE *out, const struct cf_target *target)
{
    static const char *const carried[] = {"mu_S", "mu_C", "v_S", "sigma_2", "kv", "kappa", "d_t"};
    char takes[64] = "", needs[64] = "";
    size_t used = 0;

    for (size_t i = 0; i < sizeof carried / sizeof *carried; i++)
        if (target->takes & (1U << i))
            used += (size_t) snprintf(takes + used, sizeof takes - used, "%s%s", used ? ", " : "",
                                      carried[i]);
    snprintf(needs, sizeof needs, "%s%s%s", target->needs & CF_NEEDS_MASS ? "m*" : "",
             target->needs == (CF_NEEDS_MASS | CF_NEEDS_RADIUS) ? ", " : "",
             target->needs & CF_NEEDS_RADIUS ? "R*" : "");
    fprintf(out, "%s\n", target->title);
    put(out, "writes", target->what);
    put(out, "force", target->formula);
    put(out, "pair", target->pair_rule);
    for (int i = CF_EXACTNESS_LAW; i <= CF_EXACTNESS_NONE; i++)
        put_laws(out, target, (enum cf_exactness) i);
    if (needs[0])
        put(out, "needs", needs);
    put(out, "friction", takes[0] ? takes : "none");
    put(out, "slides",
        target->any_values                       ? "coefficient, joint"
        : target->fill_friction && target->joint ? "coefficient, joint"
        : target->fill_friction                  ? "coefficient"
        : target->takes & CF_TAKES_MU_C          ? "beside a fit of impacts"
                                                 : "none");
    put(out, "source", target->source);
    put(out, "checked", target->checked);
}

int cf_export_list(FILE *out, const char *name, struct cf_error *err)
{
    const struct cf_target *one;

    if (name) {
        int status = cf_target_get(name, &one, err);
        if (!status)
            describe(out, one);
        return status;
    }
    for (const struct cf_target *const *target = cf_targets; *target; target++)
        fprintf(out, "%-22s " CF_WRAP_HANG "%s\n", (*target)->name, (*target)->what);
    return CF_OK;
}
