#include "cmd/draft_data.h"

#include <string.h>

#include "file/yaml.h"

static void look_at_roles(struct cf_draft *draft)
{
    draft->measured = draft->protocol->recording != NULL;
    for (size_t i = 0; i < draft->protocol->nchannel; i++) {
        const struct cf_channel_row *c = &draft->protocol->channel[i];
        bool there = draft->guess.column[i] < draft->csv->ncolumn || draft->guess.asked[i];

        draft->asked |= draft->guess.asked[i];
        draft->imposed |= there && cf_channel_drives(draft->protocol, i);
        draft->measured |= there && c->role == CF_ROLE_MEASURED;
        draft->beyond_common |=
            there && c->role == CF_ROLE_MEASURED && !cf_channel_common(draft->protocol, i);
    }
}

static void put_head(const struct cf_draft *draft)
{
    fprintf(
        draft->out,
        "contactfit: study/1\n"
        "# A draft by contactfit init. Put values, with their units, where FILL-IN stands; then\n"
        "#   contactfit check THIS.yaml    says what these data can and cannot identify\n"
        "#   contactfit fit THIS.yaml      fits, and leaves a page beside this file\n"
        "title: ");
    cf_yaml_put(draft->out, draft->name);
    fputc('\n', draft->out);
    if (draft->protocol->bodiless)
        return;
    fprintf(draft->out,
            "bodies:\n"
            "  # What moves. As an example: ball: {sphere: {diameter: 42.7 mm}, mass: 45.9 g}\n"
            "  ball: {sphere: {diameter: " CF_YAML_FILL_IN "}, mass: " CF_YAML_FILL_IN "}\n"
            "  # What it meets. One that can move has a mass instead of fixed: true.\n"
            "  ground: {plane: {}, fixed: true}\n");
}

/* Would a first look compare this law: one that is as easily fitted, not `own` again, and asks for
 * nothing that experiments of this kind, such as `none` without rows, do not have? */
static bool is_rival(const struct cf_draft *draft, const struct cf_law *law,
                     const struct cf_law *own, const struct cf_dataset *none)
{
    const struct cf_protocol *protocol = draft->protocol;
    bool two = law->family == CF_FAMILY_NORMAL && law->nparam == 2;
    bool curve = law->curve && own && law->family == own->family;
    bool more_than_one = law->family == CF_FAMILY_RESTITUTION && law->nparam > 1;

    /* ground that recovers differs from `own` only after the first impact */
    return law != own && !law->recovery && (two || more_than_one || curve) &&
           cf_law_suits(law, none, NULL) == CF_OK &&
           cf_channel_predicted(&protocol->channel[protocol->headline], law->family);
}

/* Does the law predict a column that was measured, or is there none? */
static bool predicts_some(const struct cf_draft *draft, const struct cf_law *law)
{
    bool some = false;

    for (size_t i = 0; i < draft->protocol->nchannel; i++)
        some |= draft->guess.column[i] < draft->csv->ncolumn &&
                cf_channel_predicted(&draft->protocol->channel[i], law->family);
    return some || !draft->measured;
}

/* The law to begin with: one that these columns can identify. */
static const struct cf_law *first_law(const struct cf_draft *draft,
                                      const struct cf_registry *registry)
{
    const struct cf_protocol *protocol = draft->protocol;
    const char *name = draft->beyond_common || !protocol->begin_common ? protocol->begin_with
                                                                       : protocol->begin_common;
    const struct cf_law *law = name ? cf_registry_law(registry, name) : NULL;

    if (law && protocol->begin_else && !predicts_some(draft, law))
        law = cf_registry_law(registry, protocol->begin_else);
    return law;
}

/* The law of friction beside it, and those that it may be compared with. */
static void put_friction(const struct cf_draft *draft)
{
    const char *own = draft->protocol->begin_friction;
    const char *name[CF_MOST_FRICTIONS];
    size_t n = cf_contact_friction_names(name), shown = 0;

    fprintf(draft->out, "rivals: [");
    for (size_t i = 0; i < n; i++)
        if (strcmp(name[i], own) != 0 && cf_contact_friction_find(name[i])->impulse)
            fprintf(draft->out, "%s%s", shown++ ? ", " : "", name[i]);
    fprintf(draft->out, "]    # other laws of friction, or of the normal\n%s",
            draft->protocol->on_law ? draft->protocol->on_law : "");
}

static void put_law(const struct cf_draft *draft, const struct cf_registry *registry,
                    const struct cf_dataset *none)
{
    const struct cf_law *own = draft->law;
    const struct cf_law *const *laws = cf_registry_laws(registry);
    const char *beside = draft->protocol->begin_friction;
    const struct cf_friction_law *friction = beside ? cf_contact_friction_find(beside) : NULL;

    /* friction may be the law alone */
    if (own || !friction || draft->protocol->begin_with)
        fprintf(draft->out, "law: %s    # contactfit models lists the laws\n",
                own ? own->name : CF_YAML_FILL_IN);
    if (friction)
        fprintf(draft->out, "friction: %s\n", friction->name);
    if (!draft->beyond_common && draft->protocol->on_common)
        fprintf(draft->out, "%s", draft->protocol->on_common);
    fprintf(draft->out, "fit: {");
    for (size_t i = 0; own && i < own->nparam; i++)
        fprintf(draft->out, "%s%s: {}", i ? ", " : "", own->param[i].name);
    for (size_t i = 0; friction && i < friction->nparam; i++)
        fprintf(draft->out, "%s%s: {}", own || i ? ", " : "", friction->param[i].name);
    fprintf(draft->out, "%s}    # each may have {min: , max: , start: }, with units\n",
            own || friction ? "" : CF_YAML_FILL_IN ": {}");
    if (friction && !own) {
        fputs(draft->protocol->on_law ? draft->protocol->on_law : "", draft->out);
        return;
    }
    if (friction) {
        put_friction(draft);
        return;
    }
    fprintf(draft->out, "rivals: [");
    for (size_t i = 0, n = 0; laws[i]; i++)
        if (is_rival(draft, laws[i], own, none))
            fprintf(draft->out, "%s%s", n++ ? ", " : "", laws[i]->name);
    fputs("]\n", draft->out);
}

/* Times without a unit that are counts since 1970, as computers have them: which fraction of a
 * second they count, by their size in this century. */
static void see_epoch(struct cf_draft *draft)
{
    static const struct {
        double from_s, to_s;
    } century = {1e9, 5e9};
    static const struct {
        const char *unit;
        double in_s;
    } count[] = {{"ns", 1e9}, {"us", 1e6}, {"ms", 1e3}};

    for (size_t i = 0; i < draft->protocol->nchannel; i++) {
        const struct cf_seen_column *seen;
        if (draft->guess.column[i] == draft->csv->ncolumn || !draft->guess.assumed[i] ||
            strcmp(draft->protocol->channel[i].unit, "s") != 0)
            continue;
        seen = &draft->survey.column[draft->guess.column[i]];
        for (size_t k = 0; k < sizeof count / sizeof *count; k++)
            if (seen->low > century.from_s * count[k].in_s &&
                seen->high < century.to_s * count[k].in_s)
                snprintf(draft->guess.unit[i], sizeof draft->guess.unit[i], "%s", count[k].unit);
    }
}

int cf_draft_put(struct cf_draft *draft, const struct cf_registry *registry, struct cf_error *err)
{
    struct cf_dataset none = {0};
    int status = cf_dataset_alloc(&none, draft->protocol, 0, err);

    if (status) {
        cf_dataset_clear(&none);
        return status;
    }
    /* what bodies will say: without it some protocols suit no law */
    none.pair.gravity_m_s2 = none.pair.mass_kg = none.pair.radius_m = 1;
    cf_guess_columns(draft->csv, draft->protocol, &draft->guess);
    for (size_t i = 0; i < draft->protocol->nchannel; i++) /* words alone are no quantity */
        if (draft->guess.column[i] < draft->csv->ncolumn &&
            !draft->survey.column[draft->guess.column[i]].nnumber)
            draft->guess.column[i] = draft->csv->ncolumn;
    see_epoch(draft);
    look_at_roles(draft);
    draft->law = first_law(draft, registry);
    put_head(draft);
    put_law(draft, registry, &none);
    cf_draft_put_data(draft);
    cf_dataset_clear(&none);
    return CF_OK;
}
