#include "cmd/draft_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/yaml.h"

/* What is below 0 but for this part of its range. */
static const double little = 0.1;

/* Does it belong to one side of 0, as what presses does? */
static bool is_to_one_side(const struct cf_draft *draft, size_t i)
{
    const struct cf_protocol *p = draft->protocol;

    for (size_t k = 0; k < p->ntrait; k++)
        if (p->trait[k].channel == i &&
            (p->trait[k].gait == CF_GAIT_ONE_SIGN || p->trait[k].gait == CF_GAIT_RETURNS) &&
            p->trait[k].with >= 0 && p->trait[k].without <= 0)
            return true;
    return false;
}

/* Where a quantity must not be below 0, and is in all rows, the axis points the other way. */
static bool is_turned(const struct cf_draft *draft, size_t i)
{
    const struct cf_seen_column *seen = &draft->survey.column[draft->guess.column[i]];

    return seen->nnumber && ((seen->high < 0 && draft->protocol->channel[i].lower >= 0) ||
                             (is_to_one_side(draft, i) && seen->high < little * -seen->low));
}

/* That range as a comment, and further remarks on the column. */
static void put_remark(const struct cf_draft *draft, size_t i)
{
    const struct cf_seen_column *seen = &draft->survey.column[draft->guess.column[i]];

    fprintf(draft->out, "    # %zu value%s", seen->nnumber, seen->nnumber == 1 ? "" : "s");
    if (seen->nnumber)
        fprintf(draft->out, ", %g to %g", seen->low, seen->high);
    if (draft->csv->unit_at[draft->guess.column[i]])
        fprintf(draft->out, " %s", draft->csv->unit[draft->guess.column[i]]);
    if (*draft->guess.as_force[i])
        fprintf(draft->out, "; the table says a mass: is it %s?", draft->guess.as_force[i]);
    if (draft->guess.assumed[i])
        fprintf(draft->out, "; the table names no unit: is it %s?", draft->guess.unit[i]);
    if (is_turned(draft, i))
        fprintf(draft->out, "; all below 0: turned by sign");
    fputc('\n', draft->out);
}

/* An example of rows to hold out: the upper fifth of what was imposed, in the table's own unit. */
static void put_hold_out(const struct cf_draft *draft)
{
    size_t i = 0, n = draft->protocol->nchannel;
    const struct cf_seen_column *seen;
    const char *unit;
    char limit[32];
    double low, high;

    while (i < n && (!cf_channel_drives(draft->protocol, i) ||
                     draft->guess.column[i] == draft->csv->ncolumn))
        i++;
    if (i == n || draft->protocol->recording ||
        !draft->survey.column[draft->guess.column[i]].nnumber)
        return;
    seen = &draft->survey.column[draft->guess.column[i]];
    low = is_turned(draft, i) ? -seen->high : seen->low;
    high = is_turned(draft, i) ? -seen->low : seen->high;
    unit = draft->guess.unit[i];
    if (!*unit && draft->csv->unit[draft->guess.column[i]])
        unit = draft->csv->unit[draft->guess.column[i]];
    fprintf(draft->out, "# Rows that the fit must predict without having seen them:\n"
                        "# hold-out:\n"
                        "#   - {data: ");
    cf_yaml_put(draft->out, draft->name);
    /* two digits, and 160 for 1.6e+02 */
    snprintf(limit, sizeof limit, "%.1e", low + 0.8 * (high - low));
    fprintf(draft->out, ", where: \"%s > %g%s%s\"}\n", draft->protocol->channel[i].name,
            strtod(limit, NULL), *unit ? " " : "", unit);
}

/* What a log says of its mean is the least that its error can be. */
static void put_floor(const struct cf_draft *draft, size_t i)
{
    const struct cf_guess *guess = &draft->guess;

    fprintf(draft->out, ", sigma: {estimate: constant, floor: {from: ");
    cf_yaml_put(draft->out, draft->csv->full[guess->floor[i]]);
    if (guess->count[i] < draft->csv->ncolumn) {
        fprintf(draft->out, ", count: ");
        cf_yaml_put(draft->out, draft->csv->full[guess->count[i]]);
    }
    fprintf(draft->out, "}}");
}

static void put_unit(const struct cf_draft *draft, const char *unit)
{
    if (!*unit)
        return;
    fprintf(draft->out, ", unit: ");
    cf_yaml_put(draft->out, unit);
}

/* A measured column of which the law says nothing stands there as a comment. */
static void put_column(const struct cf_draft *draft, size_t i)
{
    const struct cf_channel_row *c = &draft->protocol->channel[i];
    const struct cf_guess *guess = &draft->guess;
    bool measured = c->role == CF_ROLE_MEASURED;
    bool beside = measured && draft->law && !cf_channel_predicted(c, draft->law->family) &&
                  !draft->protocol->begin_friction;

    fprintf(draft->out, "      %s%s: {from: ", beside ? "# " : "", c->name);
    cf_yaml_put(draft->out, draft->csv->full[guess->column[i]]);
    put_unit(draft, guess->unit[i]);
    if (is_turned(draft, i))
        fprintf(draft->out, ", sign: -1");
    if (guess->sigma[i] < draft->csv->ncolumn) {
        fprintf(draft->out, ", sigma: {from: ");
        cf_yaml_put(draft->out, draft->csv->full[guess->sigma[i]]);
        put_unit(draft, guess->sigma_unit[i]);
        fputc('}', draft->out);
    } else if (guess->floor[i] < draft->csv->ncolumn) {
        put_floor(draft, i);
    } else if (measured) {
        fprintf(draft->out, ", sigma: estimate");
    }
    fputc('}', draft->out);
    if (beside)
        fprintf(draft->out, "    # %s predicts no %s\n", draft->law->name, c->name);
    else
        put_remark(draft, i);
}

static bool is_used(const struct cf_draft *draft, size_t column)
{
    for (size_t i = 0; i < draft->protocol->nchannel; i++)
        if (draft->guess.column[i] == column || draft->guess.sigma[i] == column ||
            draft->guess.floor[i] == column || draft->guess.count[i] == column)
            return true;
    return false;
}

static bool is_asked(const struct cf_draft *draft, size_t column)
{
    char unit[32];

    for (size_t i = 0; i < draft->protocol->nchannel; i++)
        if (cf_guess_may(draft->csv, draft->protocol, &draft->guess, i, column, unit))
            return true;
    return false;
}

/* Quantities that several columns may be, or that share one with others: the user says which. */
static void put_asked(const struct cf_draft *draft)
{
    const struct cf_protocol *protocol = draft->protocol;
    char unit[32];

    fprintf(draft->out,
            "      # Which is it? Names and units do not tell: put what stands behind # in "
            "the place of\n      # FILL-IN where it belongs, and take the other lines out\n");
    for (size_t i = 0; i < protocol->nchannel; i++) {
        size_t n = 0;
        for (size_t j = 0; j < draft->csv->ncolumn; j++) {
            if (!cf_guess_may(draft->csv, protocol, &draft->guess, i, j, unit))
                continue;
            if (n++ == 0)
                fprintf(draft->out, "      %s: " CF_YAML_FILL_IN "    # ",
                        protocol->channel[i].name);
            fprintf(draft->out, "%s{from: ", n > 1 ? " or " : "");
            cf_yaml_put(draft->out, draft->csv->full[j]);
            put_unit(draft, unit);
            fputc('}', draft->out);
        }
        if (n)
            fputc('\n', draft->out);
    }
}

/* Columns that have a unit of what is missing, and another name. */
static void put_by_unit(const struct cf_draft *draft, enum cf_role role)
{
    char shown[CF_SHOWN];

    for (size_t j = 0; j < draft->csv->ncolumn; j++) {
        size_t n = 0;
        for (size_t i = 0; i < draft->protocol->nchannel; i++) {
            const struct cf_channel_row *c = &draft->protocol->channel[i];
            if (c->role != role || is_used(draft, j) || !cf_guess_by_unit(draft->csv, c, j))
                continue;
            if (n++ == 0)
                fprintf(draft->out, "      # By its unit %s could be ",
                        cf_show(draft->csv->full[j], shown));
            fprintf(draft->out, "%s%s", n > 1 ? ", " : "", c->name);
        }
        if (n)
            fputc('\n', draft->out);
    }
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
    put_by_unit(draft, role);
    fprintf(draft->out, "      %s: {from: " CF_YAML_FILL_IN "}\n",
            draft->protocol->channel[first].name);
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

/* The texts that stand where nothing was measured. */
static void put_missing_marks(const struct cf_draft *draft)
{
    if (!draft->layout.nmark)
        return;
    fprintf(draft->out, "    missing: [");
    for (size_t i = 0; i < draft->layout.nmark; i++) {
        fputs(i ? ", " : "", draft->out);
        cf_yaml_put(draft->out, draft->layout.mark[i]);
    }
    fprintf(draft->out, "]\n");
}

/* Where in its file the table is. */
static void put_place(const struct cf_draft *draft)
{
    const struct cf_csv_form *form = &draft->layout.form;

    if (!draft->layout.alone && draft->layout.nblock)
        fprintf(draft->out, "    block: %zu    # of %zu table%s in the file\n",
                draft->layout.taken + 1, draft->layout.nblock,
                draft->layout.nblock == 1 ? ", which text follows" : "s");
    if (form->header_line)
        fprintf(draft->out, "    header_line: %zu\n", form->header_line);
    if (form->names == CF_CSV_NAMELESS)
        fprintf(draft->out, "    names: none    # columns are c1, c2 and so on\n");
    else if (form->names > 1)
        fprintf(draft->out, "    names: %zu    # lines\n", form->names);
    if (form->unit_row)
        fprintf(draft->out, "    unit_row: true\n");
}

/* How the table is written, where that is not the usual. */
static void put_form(const struct cf_draft *draft)
{
    const struct cf_csv_form *form = &draft->layout.form;

    if (form->delimiter != ',')
        fprintf(draft->out, "    delimiter: %s\n",
                form->delimiter == ';'             ? "\";\""
                : form->delimiter == CF_CSV_BLANKS ? "blanks"
                                                   : "tab");
    if (form->decimal == ',')
        fprintf(draft->out, "    decimal: \",\"\n");
    if (form->thousands)
        fprintf(draft->out, "    thousands: \"%c\"\n", form->thousands);
    if (form->encoding == CF_ENCODING_WINDOWS_1252 || form->encoding == CF_ENCODING_UTF16)
        fprintf(draft->out, "    encoding: %s\n", cf_encoding_name[form->encoding]);
    put_place(draft);
    put_missing_marks(draft);
}

/* Lines above the table with numbers that may fill a FILL-IN: they are shown, and not taken. */
static void put_remarks(const struct cf_draft *draft)
{
    char shown[CF_SHOWN];

    if (draft->layout.nremark)
        fprintf(draft->out, "    # Above the table stands, if a number of it belongs below:\n");
    for (size_t i = 0; i < draft->layout.nremark; i++)
        fprintf(draft->out, "    #   %s\n", cf_show(draft->layout.remark[i], shown));
}

void cf_draft_put_data(struct cf_draft *draft)
{
    char shown[CF_SHOWN];
    bool left = false;

    fprintf(draft->out, "data:\n  - name: ");
    cf_yaml_put(draft->out, draft->name);
    fprintf(draft->out, "\n    protocol: %s\n    file: ", draft->protocol->name);
    cf_yaml_put(draft->out, draft->file);
    fprintf(draft->out, "    # relative to this file\n");
    put_form(draft);
    put_remarks(draft);
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
    if (draft->asked)
        put_asked(draft);
    if (!draft->measured)
        put_missing(draft, CF_ROLE_MEASURED);
    for (size_t j = 0; j < draft->csv->ncolumn; j++)
        if (!is_used(draft, j) && !is_asked(draft, j)) {
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
