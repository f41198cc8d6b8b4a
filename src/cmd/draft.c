#include "cmd/draft.h"

#include <string.h>

#include "study/yaml.h"

static void look_at_roles(struct cf_draft *draft)
{
    draft->measured = draft->protocol->recording != NULL;
    for (size_t i = 0; i < draft->protocol->nchannel; i++) {
        const struct cf_channel_row *c = &draft->protocol->channel[i];
        bool there = draft->guess.column[i] < draft->csv->ncolumn;

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

/* Does the law ask for nothing that experiments of this kind do not have? */
static bool suits(const struct cf_protocol *protocol, const struct cf_law *law)
{
    struct cf_dataset none = {0};
    struct cf_error why;
    bool good = cf_dataset_alloc(&none, protocol, 0, &why) == CF_OK &&
                cf_law_suits(law, &none, &why) == CF_OK;

    cf_dataset_clear(&none);
    return good;
}

/* Would a first look compare this law: one that is as easily fitted, and not `own` again? */
static bool is_rival(const struct cf_draft *draft, const struct cf_law *law,
                     const struct cf_law *own)
{
    const struct cf_protocol *protocol = draft->protocol;
    bool two = law->family == CF_FAMILY_NORMAL && law->nparam == 2;
    bool curve = law->curve && own && law->family == own->family;
    bool more_than_one = law->family == CF_FAMILY_RESTITUTION && law->nparam > 1;

    /* ground that recovers differs from `own` only after the first impact */
    return law != own && !law->recovery && (two || more_than_one || curve) &&
           suits(protocol, law) &&
           cf_channel_predicted(&protocol->channel[protocol->headline], law->family);
}

/* The law to begin with: one that these columns can identify. */
static const struct cf_law *first_law(const struct cf_draft *draft,
                                      const struct cf_registry *registry)
{
    const struct cf_protocol *protocol = draft->protocol;
    const char *name = draft->beyond_common || !protocol->begin_common ? protocol->begin_with
                                                                       : protocol->begin_common;
    return name ? cf_registry_law(registry, name) : NULL;
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

static void put_law(const struct cf_draft *draft, const struct cf_registry *registry)
{
    const struct cf_law *own = first_law(draft, registry);
    const struct cf_law *const *laws = cf_registry_laws(registry);
    const char *beside = draft->protocol->begin_friction;
    const struct cf_friction_law *friction = beside ? cf_contact_friction_find(beside) : NULL;

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
        fprintf(draft->out, ", %s: {}", friction->param[i].name);
    fprintf(draft->out, "%s}    # each may have {min: , max: , start: }, with units\n",
            own ? "" : CF_YAML_FILL_IN ": {}");
    if (friction) {
        put_friction(draft);
        return;
    }
    fprintf(draft->out, "rivals: [");
    for (size_t i = 0, n = 0; laws[i]; i++)
        if (is_rival(draft, laws[i], own))
            fprintf(draft->out, "%s%s", n++ ? ", " : "", laws[i]->name);
    fputs("]\n", draft->out);
}

/* That range as a comment, and further remarks on the column. */
static void put_remark(const struct cf_draft *draft, size_t i)
{
    const struct cf_seen_column *seen = &draft->survey.column[draft->guess.column[i]];

    fprintf(draft->out, "    # %zu value%s", seen->nnumber, seen->nnumber == 1 ? "" : "s");
    if (seen->nnumber)
        fprintf(draft->out, ", %g to %g", seen->low, seen->high);
    if (draft->guess.assumed[i])
        fprintf(draft->out, "; the table names no unit: is it %s?",
                draft->protocol->channel[i].unit);
    fputc('\n', draft->out);
}

/* An example of rows to hold out: the upper fifth of what was imposed, in the table's own unit. */
static void put_hold_out(const struct cf_draft *draft)
{
    size_t i = 0, n = draft->protocol->nchannel;
    const struct cf_seen_column *seen;
    const char *unit;

    while (i < n && (!cf_channel_drives(draft->protocol, i) ||
                     draft->guess.column[i] == draft->csv->ncolumn))
        i++;
    if (i == n || draft->protocol->recording ||
        !draft->survey.column[draft->guess.column[i]].nnumber)
        return;
    seen = &draft->survey.column[draft->guess.column[i]];
    unit = draft->csv->unit[draft->guess.column[i]];
    fprintf(draft->out, "# Rows that the fit must predict without having seen them:\n"
                        "# hold-out:\n"
                        "#   - {data: ");
    cf_yaml_put(draft->out, draft->name);
    fprintf(draft->out, ", where: \"%s > %.2g %s\"}\n", draft->protocol->channel[i].name,
            seen->low + 0.8 * (seen->high - seen->low), unit ? unit : draft->guess.unit[i]);
}

static void put_column(const struct cf_draft *draft, size_t i)
{
    const struct cf_channel_row *c = &draft->protocol->channel[i];
    const struct cf_guess *guess = &draft->guess;

    fprintf(draft->out, "      %s: {from: ", c->name);
    cf_yaml_put(draft->out, draft->csv->full[guess->column[i]]);
    if (*guess->unit[i]) {
        fprintf(draft->out, ", unit: ");
        cf_yaml_put(draft->out, guess->unit[i]);
    }
    if (guess->sigma[i] < draft->csv->ncolumn) {
        fprintf(draft->out, ", sigma: {from: ");
        cf_yaml_put(draft->out, draft->csv->full[guess->sigma[i]]);
        fputc('}', draft->out);
    } else if (c->role == CF_ROLE_MEASURED) {
        fprintf(draft->out, ", sigma: estimate");
    }
    fputc('}', draft->out);
    put_remark(draft, i);
}

/* A role that no column has: name what could stand there. */
static void put_missing(const struct cf_draft *draft, enum cf_role role)
{
    size_t n = 0, first = draft->protocol->nchannel;
    char headers[400], shown[CF_SHOWN];

    for (size_t i = draft->protocol->nchannel; i-- > 0;)
        if (draft->protocol->channel[i].role == role)
            first = i;
    cf_csv_headers(draft->csv, headers, sizeof headers);
    fprintf(draft->out, "      # No column looks like ");
    for (size_t i = first; i < draft->protocol->nchannel; i++)
        if (draft->protocol->channel[i].role == role)
            fprintf(draft->out, "%s%s", n++ ? ", " : "", draft->protocol->channel[i].name);
    fprintf(draft->out, ".\n      # Say which it is; the table has %s\n", cf_show(headers, shown));
    fprintf(draft->out, "      %s: {from: " CF_YAML_FILL_IN "}\n",
            draft->protocol->channel[first].name);
}

static bool is_used(const struct cf_draft *draft, size_t column)
{
    for (size_t i = 0; i < draft->protocol->nchannel; i++)
        if (draft->guess.column[i] == column || draft->guess.sigma[i] == column)
            return true;
    return false;
}

/* A column of text that sorts the rows into a few kinds suits `where`. */
static void put_kinds(struct cf_draft *draft, size_t column)
{
    const struct cf_seen_column *seen = &draft->survey.column[column];
    const struct cf_csv *csv = draft->csv;
    char shown[CF_SHOWN];

    if (!seen->sorts || seen->nkind < 2)
        return;
    draft->kinds = draft->kinds ? draft->kinds : csv->full[column];
    fprintf(draft->out, "    # where: {");
    cf_yaml_put(draft->out, csv->full[column]);
    fprintf(draft->out, ": ");
    cf_yaml_put(draft->out, seen->kind[0]);
    fprintf(draft->out, "}    # only these rows; or ");
    for (size_t i = 1; i < seen->nkind; i++)
        fprintf(draft->out, "%s%s", i > 1 ? ", " : "", cf_show(seen->kind[i], shown));
    fputc('\n', draft->out);
}

static void put_data(struct cf_draft *draft)
{
    char shown[CF_SHOWN];
    bool left = false;

    fprintf(draft->out, "data:\n  - name: ");
    cf_yaml_put(draft->out, draft->name);
    fprintf(draft->out, "\n    protocol: %s\n    file: ", draft->protocol->name);
    cf_yaml_put(draft->out, draft->file);
    fprintf(draft->out, "    # relative to this file\n");
    if (draft->delimiter != ',')
        fprintf(draft->out, "    delimiter: %s\n", draft->delimiter == ';' ? "\";\"" : "tab");
    if (draft->csv->decimal == ',')
        fprintf(draft->out, "    decimal: \",\"\n");
    for (size_t j = 0; j < draft->csv->ncolumn; j++)
        if (!is_used(draft, j))
            put_kinds(draft, j);
    fprintf(
        draft->out,
        "    # sigma: what you know of the error, as 0.002, 0.05 ms or 1 %%; or estimate, from\n"
        "    # the scatter about the fitted law\n"
        "    columns:\n");
    if (!draft->imposed)
        put_missing(draft, CF_ROLE_IMPOSED);
    for (size_t i = 0; i < draft->protocol->nchannel; i++)
        if (draft->guess.column[i] < draft->csv->ncolumn)
            put_column(draft, i);
    if (!draft->measured)
        put_missing(draft, CF_ROLE_MEASURED);
    for (size_t j = 0; j < draft->csv->ncolumn; j++)
        if (!is_used(draft, j)) {
            fprintf(draft->out, "%s%s",
                    left ? ", " : "      # not used: ", cf_show(draft->csv->full[j], shown));
            left = true;
        }
    if (left)
        fputc('\n', draft->out);
    if (draft->protocol->on_data)
        fputs(draft->protocol->on_data, draft->out);
    put_hold_out(draft);
}

void cf_draft_put(struct cf_draft *draft, const struct cf_registry *registry)
{
    cf_guess_columns(draft->csv, draft->protocol, &draft->guess);
    look_at_roles(draft);
    put_head(draft);
    put_law(draft, registry);
    put_data(draft);
}
