/* contactfit init: the first study of a table, guessed from the names of its columns.
 *
 * It is written to be edited: what only the user knows is marked FILL-IN, which every reader of
 * studies points at, and comments say what else could stand there. Text from the table is quoted.
 */

#include <stdio.h>
#include <string.h>

#include "cmd/commands.h"
#include "core/nearest.h"
#include "core/text.h"
#include "experiment/registry.h"
#include "study/guess.h"
#include "study/survey.h"
#include "study/yaml.h"

struct draft {
    const struct cf_protocol *protocol;
    struct cf_survey survey;
    const struct cf_csv *csv; /* its head */
    struct cf_guess guess;
    char delimiter;
    char name[CF_SHOWN];    /* of the data set and, with blanks, the title: stem of the file */
    bool imposed, measured; /* is there a column of that role? */
    bool beyond_common;     /* does one hold what not all laws predict? */
    const char *kinds;      /* a column that sorts the rows into kinds; NULL: none does */
};

/* The file's name without folder and ending. */
static void set_name(struct draft *draft, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *dot;

    cf_show(slash ? slash + 1 : path, draft->name);
    dot = strrchr(draft->name, '.');
    if (dot && dot > draft->name)
        *dot = '\0';
}

static void look_at_roles(struct draft *draft)
{
    for (size_t i = 0; i < draft->protocol->nchannel; i++) {
        const struct cf_channel_row *c = &draft->protocol->channel[i];
        bool there = draft->guess.column[i] < draft->csv->ncolumn;

        draft->imposed |= there && c->role == CF_ROLE_IMPOSED;
        draft->measured |= there && c->role == CF_ROLE_MEASURED;
        draft->beyond_common |=
            there && c->role == CF_ROLE_MEASURED && !cf_channel_common(draft->protocol, i);
    }
}

static void put_head(const struct draft *draft)
{
    printf(
        "contactfit: study/1\n"
        "# A draft by contactfit init. Put values, with their units, where FILL-IN stands; then\n"
        "#   contactfit check THIS.yaml    says what these data can and cannot identify\n"
        "#   contactfit fit THIS.yaml      fits, and leaves a page beside this file\n"
        "title: ");
    cf_yaml_put(stdout, draft->name);
    printf("\n"
           "bodies:\n"
           "  # What moves. As an example: ball: {sphere: {diameter: 42.7 mm}, mass: 45.9 g}\n"
           "  ball: {sphere: {diameter: " CF_YAML_FILL_IN "}, mass: " CF_YAML_FILL_IN "}\n"
           "  # What it meets. One that can move has a mass instead of fixed: true.\n"
           "  ground: {plane: {}, fixed: true}\n");
}

/* Would a first look compare this law: one that is as easily fitted, and not `own` again? */
static bool is_rival(const struct draft *draft, const struct cf_law *law, const struct cf_law *own)
{
    const struct cf_protocol *protocol = draft->protocol;
    bool two = law->family == CF_FAMILY_NORMAL && law->nparam == 2;
    bool more_than_one = law->family == CF_FAMILY_RESTITUTION && law->nparam > 1;

    /* ground that recovers differs from `own` only after the first impact */
    return law != own && !law->recovery && (two || more_than_one) &&
           cf_channel_predicted(&protocol->channel[protocol->headline], law->family);
}

static void put_law(const struct draft *draft, const struct cf_registry *registry)
{
    const char *name = draft->protocol->begin_with;
    const struct cf_law *own = name ? cf_registry_law(registry, name) : NULL;
    const struct cf_law *const *laws = cf_registry_laws(registry);

    printf("law: %s    # contactfit models lists the laws\n", own ? own->name : CF_YAML_FILL_IN);
    if (!draft->beyond_common && draft->protocol->on_common)
        printf("%s", draft->protocol->on_common);
    printf("fit: {");
    for (size_t i = 0; own && i < own->nparam; i++)
        printf("%s%s: {}", i ? ", " : "", own->param[i].name);
    printf("%s}    # each may have {min: , max: , start: }, with units\n",
           own ? "" : CF_YAML_FILL_IN ": {}");
    printf("rivals: [");
    for (size_t i = 0, n = 0; laws[i]; i++)
        if (is_rival(draft, laws[i], own))
            printf("%s%s", n++ ? ", " : "", laws[i]->name);
    puts("]");
}

/* That range as a comment, and further remarks on the column. */
static void put_remark(const struct draft *draft, size_t i)
{
    const struct cf_seen_column *seen = &draft->survey.column[draft->guess.column[i]];

    printf("    # %zu value%s", seen->nnumber, seen->nnumber == 1 ? "" : "s");
    if (seen->nnumber)
        printf(", %g to %g", seen->low, seen->high);
    if (draft->guess.assumed[i])
        printf("; the table names no unit: is it %s?", draft->protocol->channel[i].unit);
    putchar('\n');
}

/* An example of rows to hold out: the upper fifth of what was imposed, in the table's own unit. */
static void put_hold_out(const struct draft *draft)
{
    size_t i = 0, n = draft->protocol->nchannel;
    const struct cf_seen_column *seen;
    const char *unit;

    while (i < n && (draft->protocol->channel[i].role != CF_ROLE_IMPOSED ||
                     draft->guess.column[i] == draft->csv->ncolumn))
        i++;
    if (i == n || !draft->survey.column[draft->guess.column[i]].nnumber)
        return;
    seen = &draft->survey.column[draft->guess.column[i]];
    unit = draft->csv->unit[draft->guess.column[i]];
    printf("# Rows that the fit must predict without having seen them:\n"
           "# hold-out:\n"
           "#   - {data: ");
    cf_yaml_put(stdout, draft->name);
    printf(", where: \"%s > %.2g %s\"}\n", draft->protocol->channel[i].name,
           seen->low + 0.8 * (seen->high - seen->low), unit ? unit : draft->guess.unit[i]);
}

static void put_column(const struct draft *draft, size_t i)
{
    const struct cf_channel_row *c = &draft->protocol->channel[i];
    const struct cf_guess *guess = &draft->guess;

    printf("      %s: {from: ", c->name);
    cf_yaml_put(stdout, draft->csv->full[guess->column[i]]);
    if (*guess->unit[i]) {
        printf(", unit: ");
        cf_yaml_put(stdout, guess->unit[i]);
    }
    if (guess->sigma[i] < draft->csv->ncolumn) {
        printf(", sigma: {from: ");
        cf_yaml_put(stdout, draft->csv->full[guess->sigma[i]]);
        putchar('}');
    } else if (c->role == CF_ROLE_MEASURED) {
        printf(", sigma: estimate");
    }
    putchar('}');
    put_remark(draft, i);
}

/* A role that no column has: name what could stand there. */
static void put_missing(const struct draft *draft, enum cf_role role)
{
    size_t n = 0, first = draft->protocol->nchannel;
    char headers[400], shown[CF_SHOWN];

    for (size_t i = draft->protocol->nchannel; i-- > 0;)
        if (draft->protocol->channel[i].role == role)
            first = i;
    cf_csv_headers(draft->csv, headers, sizeof headers);
    printf("      # No column looks like ");
    for (size_t i = first; i < draft->protocol->nchannel; i++)
        if (draft->protocol->channel[i].role == role)
            printf("%s%s", n++ ? ", " : "", draft->protocol->channel[i].name);
    printf(".\n      # Say which it is; the table has %s\n", cf_show(headers, shown));
    printf("      %s: {from: " CF_YAML_FILL_IN "}\n", draft->protocol->channel[first].name);
}

static bool is_used(const struct draft *draft, size_t column)
{
    for (size_t i = 0; i < draft->protocol->nchannel; i++)
        if (draft->guess.column[i] == column || draft->guess.sigma[i] == column)
            return true;
    return false;
}

/* A column of text that sorts the rows into a few kinds suits `where`. */
static void put_kinds(struct draft *draft, size_t column)
{
    const struct cf_seen_column *seen = &draft->survey.column[column];
    const struct cf_csv *csv = draft->csv;
    char shown[CF_SHOWN];

    if (!seen->sorts || seen->nkind < 2)
        return;
    draft->kinds = draft->kinds ? draft->kinds : csv->full[column];
    printf("    # where: {");
    cf_yaml_put(stdout, csv->full[column]);
    printf(": ");
    cf_yaml_put(stdout, seen->kind[0]);
    printf("}    # only these rows; or ");
    for (size_t i = 1; i < seen->nkind; i++)
        printf("%s%s", i > 1 ? ", " : "", cf_show(seen->kind[i], shown));
    putchar('\n');
}

static void put_data(struct draft *draft)
{
    char shown[CF_SHOWN];
    bool left = false;

    printf("data:\n  - name: ");
    cf_yaml_put(stdout, draft->name);
    printf("\n    protocol: %s\n    file: ", draft->protocol->name);
    cf_yaml_put(stdout, draft->csv->path);
    printf("    # relative to this file\n");
    if (draft->delimiter != ',')
        printf("    delimiter: %s\n", draft->delimiter == ';' ? "\";\"" : "tab");
    if (draft->csv->decimal == ',')
        printf("    decimal: \",\"\n");
    for (size_t j = 0; j < draft->csv->ncolumn; j++)
        if (!is_used(draft, j))
            put_kinds(draft, j);
    printf("    # sigma: what you know of the error, as 0.002, 0.05 ms or 1 %%; or estimate, from\n"
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
            printf("%s%s", left ? ", " : "      # not used: ", cf_show(draft->csv->full[j], shown));
            left = true;
        }
    if (left)
        putchar('\n');
    put_hold_out(draft);
}

static int find_protocol(const struct cf_registry *registry, const char *name,
                         const struct cf_protocol **protocol, struct cf_error *err)
{
    const struct cf_protocol *const *protocols = cf_registry_protocols(registry);
    const char *known[16], *near;
    char shown[CF_SHOWN];
    size_t n = 0;

    *protocol = cf_registry_protocol(registry, name);
    if (*protocol)
        return cf_dataset_check(*protocol, err);
    while (protocols[n] && n < sizeof known / sizeof *known) {
        known[n] = protocols[n]->name;
        n++;
    }
    near = cf_nearest(name, known, n);
    return cf_fail(err, CF_EUSAGE, "unknown protocol %s: %s %s%s", cf_show(name, shown),
                   near ? "did you mean" : "the first one is", near ? near : known[0],
                   near ? "?" : "");
}

static void say_what_next(const struct draft *draft)
{
    char shown[CF_SHOWN];

    fprintf(stderr,
            "Save this as a .yaml file, fill in what is marked " CF_YAML_FILL_IN
            " (the ball's diameter and mass%s), then run contactfit check on it.\n",
            draft->imposed && draft->measured ? "" : ", and which columns hold what");
    if (draft->kinds)
        fprintf(stderr,
                "The rows are of several kinds (column %s): to fit one of them, take the # "
                "from a line with where.\n",
                cf_show(draft->kinds, shown));
}

static void put(struct draft *draft, const struct cf_arguments *args)
{
    cf_guess_columns(draft->csv, draft->protocol, &draft->guess);
    look_at_roles(draft);
    put_head(draft);
    put_law(draft, args->registry);
    put_data(draft);
    if (!cf_flag(args, "quiet"))
        say_what_next(draft);
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    const char *path = args->operand[1];
    struct draft draft = {0};
    char decimal = '.';
    int status = find_protocol(args->registry, args->operand[0], &draft.protocol, err);

    if (status == CF_OK)
        status = cf_guess_marks(path, &draft.delimiter, &decimal, err);
    if (status)
        return status;
    set_name(&draft, path);
    status = cf_survey_read(&draft.survey, path, draft.delimiter, decimal, err);
    draft.csv = draft.survey.head;
    if (!status)
        put(&draft, args);
    cf_survey_clear(&draft.survey);
    return status;
}

static void list_protocols(const struct cf_registry *registry, FILE *out)
{
    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++)
        fprintf(out, "  %-12s %s\n", (*p)->name, (*p)->what);
}

const struct cf_command cf_command_init = {
    .name = "init",
    .synopsis = "PROTOCOL DATA.csv",
    .what = "write a first study of a table to stdout, guessed from its columns",
    .help = "Reads the table and writes a study with comments: which column is which quantity by\n"
            "its name, in which unit, and what else could stand there. What only you know is\n"
            "marked FILL-IN; contactfit check points at what is left of it.\n"
            "\n"
            "    contactfit init PROTOCOL bounces.csv >bounces.yaml\n"
            "\n"
            "PROTOCOL is what was done:\n",
    .min_operand = 2,
    .max_operand = 2,
    .help_more = list_protocols,
    .run = run,
};
