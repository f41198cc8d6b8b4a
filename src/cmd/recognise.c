/* Protocols are told apart by what their own rows say of their columns: by names and units, and by
 * how the numbers go. One that is clearly ahead and explains most columns is taken; else the user
 * is asked, the likeliest first. */

#include "cmd/recognise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "study/guess.h"
#include "study/header.h"

/* The first is ahead of the second by so much, and explains such a part of the columns; what a
 * column that is explained adds, all of them together; and by how much one that is asked may be
 * behind the first. */
static const double ahead = 0.35, explained = 0.5, of_columns = 2, asked = 1.6;

/* What the numbers alone must say for a question. */
static const double least_numbers = 0.3;

enum { MOST_PROTOCOLS = 32, MOST_ASKED = 3, MOST_REASONS = 3 };

struct candidate {
    const struct cf_protocol *protocol;
    double score;
    size_t ncolumn, nreason; /* columns that are explained */
    const char *reason[MOST_REASONS];
};

static bool is_time(const struct cf_channel_row *channel)
{
    return channel->role == CF_ROLE_IMPOSED && strcmp(channel->unit, "s") == 0;
}

/* A time that was imposed, and that goes up in even steps: the clock of a trace. */
static bool is_clock(const struct cf_survey *survey, const struct cf_protocol *protocol,
                     const struct cf_guess *guess, size_t i)
{
    return is_time(&protocol->channel[i]) && guess->column[i] < survey->ncolumn &&
           cf_survey_goes(&survey->column[guess->column[i]], CF_GAIT_SAMPLED);
}

/* May the table be of this protocol at all, by its names: is there something that drives and
 * something that is measured; of stamps, no clock in their place; of other records, one beside? */
static bool may_be(const struct cf_survey *survey, const struct cf_protocol *protocol,
                   const struct cf_guess *guess)
{
    const struct cf_derived *recording = protocol->recording;
    size_t drives = 0, measured = 0;
    bool clock = false, there;

    for (size_t i = 0; i < protocol->nchannel; i++) {
        there = guess->column[i] < survey->ncolumn || guess->asked[i];
        drives += there && cf_channel_drives(protocol, i);
        measured += there && protocol->channel[i].role == CF_ROLE_MEASURED;
        clock |= is_clock(survey, protocol, guess, i);
    }
    there = drives && measured;
    if (recording)
        there = guess->column[recording->record] < survey->ncolumn &&
                clock != is_time(&protocol->channel[recording->record]);
    for (size_t i = 0; i < protocol->nneeded; i++)
        there = there && guess->column[protocol->needed[i]] < survey->ncolumn;
    return there;
}

/* Columns that hold numbers and mean something: an index, which counts rows, does not. */
static bool is_index(const struct cf_seen_column *seen)
{
    return seen->nnumber > 1 && seen->step == 1 && seen->nstep + 1 == seen->nnumber &&
           seen->neven == seen->nstep && (seen->low == 0 || seen->low == 1);
}

static bool is_taken(const struct cf_survey *survey, const struct cf_protocol *protocol,
                     const struct cf_guess *guess, size_t column)
{
    char unit[32];

    for (size_t i = 0; i < protocol->nchannel; i++)
        if (guess->column[i] == column || guess->sigma[i] == column || guess->floor[i] == column ||
            guess->count[i] == column ||
            cf_guess_may(survey->head, protocol, guess, i, column, unit))
            return true;
    return false;
}

/* The part of the table's columns that the protocol explains. */
static double part_explained(const struct cf_survey *survey, const struct cf_protocol *protocol,
                             const struct cf_guess *guess, size_t *taken)
{
    size_t all = 0;

    *taken = 0;
    for (size_t j = 0; j < survey->ncolumn; j++) {
        bool is = is_taken(survey, protocol, guess, j);
        *taken += is;
        all += is || (survey->column[j].nnumber && *survey->head->full[j] &&
                      !is_index(&survey->column[j]));
    }
    return all ? (double) *taken / (double) all : 0;
}

/* May the column be a clock: has it a unit of time, or, with many numbers, none, and counts no
 * rows?
 */
static bool is_timelike(const struct cf_survey *survey, size_t column)
{
    static const struct cf_channel_row time = {.unit = "s"};
    enum { MANY = 20 };
    struct cf_header reading[CF_HEADER_READINGS];
    size_t n = cf_header_read(survey->head, column, reading);

    for (size_t i = 0; i < n; i++)
        if (*reading[i].unit)
            return cf_guess_by_unit(survey->head, &time, column);
    return survey->column[column].nsample >= MANY && !is_index(&survey->column[column]);
}

/* Is it another quantity than a time, by its name? */
static bool is_known(const struct cf_protocol *protocol, const struct cf_guess *guess,
                     size_t column)
{
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (guess->column[i] == column && !is_time(&protocol->channel[i]))
            return true;
    return false;
}

/* Does any column of the trait have its shape; *there: is there any? */
static bool has_trait(const struct cf_survey *survey, const struct cf_protocol *protocol,
                      const struct cf_guess *guess, const struct cf_trait *trait, bool *there)
{
    bool has = false;

    *there = trait->channel == CF_NO_CHANNEL || trait->gait == CF_GAIT_THERE ||
             guess->column[trait->channel] < survey->ncolumn;
    for (size_t j = 0; j < survey->ncolumn; j++)
        if ((trait->channel == CF_NO_CHANNEL && is_timelike(survey, j) &&
             !is_known(protocol, guess, j)) ||
            (trait->channel != CF_NO_CHANNEL && guess->column[trait->channel] == j))
            has |= cf_survey_goes(&survey->column[j], trait->gait);
    return has;
}

static void judge(const struct cf_survey *survey, const struct cf_protocol *protocol,
                  struct candidate *c)
{
    struct cf_guess guess;
    double part;

    cf_guess_columns(survey->head, protocol, &guess);
    part = part_explained(survey, protocol, &guess, &c->ncolumn);
    c->score = may_be(survey, protocol, &guess) ? of_columns * part : CF_NEVER;
    for (size_t i = 0; i < protocol->ntrait; i++) {
        const struct cf_trait *t = &protocol->trait[i];
        bool there, has = has_trait(survey, protocol, &guess, t, &there);
        double adds = there ? (has ? t->with : t->without) : 0;
        c->score += adds;
        if (adds > 0 && c->nreason < MOST_REASONS)
            c->reason[c->nreason++] = t->what;
    }
    for (size_t i = 0; i < protocol->nchannel; i++)
        if (guess.asked[i] && protocol->channel[i].role == CF_ROLE_MEASURED)
            c->score -= ahead / 4; /* it does not tell what is what */
}

static int compare(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    return (x->score < y->score) - (x->score > y->score);
}

struct list {
    char text[1500];
    size_t used;
};

static void append(struct list *list, const char *text)
{
    if (list->used < sizeof list->text)
        list->used +=
            (size_t) snprintf(list->text + list->used, sizeof list->text - list->used, "%s", text);
}

/* No experiment: what is it then? */
static int refuse(const struct cf_registry *registry, const struct cf_survey *survey,
                  struct cf_error *err)
{
    const struct cf_csv *csv = survey->head;
    char headers[400], shown[CF_SHOWN];
    struct list all = {.used = 0};

    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++) {
        if ((*p)->by_scene)
            continue;
        append(&all, all.used ? ", " : "");
        append(&all, (*p)->name);
    }
    cf_csv_headers(csv, headers, sizeof headers);
    return cf_fail(err, CF_EINPUT,
                   "%s: its columns (%s) are those of no experiment by their names: say which "
                   "it is, contactfit init PROTOCOL DATA.csv (%s), or fit a scene to a trace over "
                   "time: protocol log, contactfit-study(5)",
                   csv->path, cf_show(headers, shown), all.text);
}

/* The question, the likeliest first, each with its reason and the command that takes it. */
static int ask(const struct cf_survey *survey, const struct candidate c[], size_t n,
               const char *table, struct cf_error *err)
{
    char headers[400], shown[CF_SHOWN], name[CF_SHOWN], count[80];
    struct list list = {.used = 0};

    for (size_t i = 0; i < n; i++) {
        append(&list, "\n  contactfit init ");
        append(&list, c[i].protocol->name);
        append(&list, " ");
        append(&list, cf_show(table, name));
        append(&list, "\n    ");
        append(&list, c[i].protocol->what);
        snprintf(count, sizeof count, ": %zu of %zu columns", c[i].ncolumn, survey->ncolumn);
        append(&list, count);
        for (size_t k = 0; k < c[i].nreason; k++) {
            append(&list, ", ");
            append(&list, c[i].reason[k]);
        }
    }
    cf_csv_headers(survey->head, headers, sizeof headers);
    return cf_fail(
        err, CF_EINPUT,
        "%s: which experiment is it? Its columns (%s) do not tell; the likeliest first:%s",
        survey->head->path, cf_show(headers, shown), list.text);
}

static bool is_any_clock(const struct cf_survey *survey, size_t column)
{
    return is_index(&survey->column[column]) ||
           cf_survey_goes(&survey->column[column], CF_GAIT_SAMPLED) ||
           cf_survey_goes(&survey->column[column], CF_GAIT_STAMPS);
}

static bool of_clocks(enum cf_gait gait)
{
    return gait == CF_GAIT_SAMPLED || gait == CF_GAIT_STAMPS;
}

/* Where names say nothing: how many columns, each another one and in a unit that fits, go as those
 * of a protocol do. They are never enough to take it. */
static size_t judge_numbers(const struct cf_registry *registry, const struct cf_survey *survey,
                            struct candidate c[MOST_PROTOCOLS])
{
    size_t n = 0;

    for (const struct cf_protocol *const *p = cf_registry_protocols(registry);
         *p && n < MOST_PROTOCOLS; p++) {
        bool used[CF_SAMPLED_COLUMNS] = {false};
        c[n] = (struct candidate){.protocol = *p};
        for (size_t i = 0; i < (*p)->ntrait; i++) {
            const struct cf_trait *t = &(*p)->trait[i];
            for (size_t j = 0; j < survey->ncolumn && j < CF_SAMPLED_COLUMNS && t->with > 0; j++) {
                if (used[j] || (is_any_clock(survey, j) != of_clocks(t->gait)) ||
                    !cf_survey_goes(&survey->column[j], t->gait) ||
                    (survey->head->unit[j] && t->channel != CF_NO_CHANNEL &&
                     !cf_guess_by_unit(survey->head, &(*p)->channel[t->channel], j)))
                    continue;
                used[j] = true;
                c[n].ncolumn++;
                c[n].score += t->with;
                if (c[n].nreason < MOST_REASONS)
                    c[n].reason[c[n].nreason++] = t->what;
                break;
            }
        }
        n += c[n].score >= least_numbers;
    }
    return n;
}

int cf_recognise(const struct cf_registry *registry, const struct cf_survey *survey,
                 const char *table, const struct cf_protocol **protocol, struct cf_error *err)
{
    struct candidate c[MOST_PROTOCOLS] = {{.score = 0}};
    size_t n = 0, likely = 0;
    bool named = false, most = true; /* no other explains more columns */

    for (const struct cf_protocol *const *p = cf_registry_protocols(registry);
         *p && n < MOST_PROTOCOLS; p++) {
        if ((*p)->by_scene) /* no table says of which scene it is */
            continue;
        c[n].protocol = *p;
        judge(survey, *p, &c[n]);
        n += c[n].score > 0;
        if (n < MOST_PROTOCOLS)
            c[n] = (struct candidate){.score = 0};
    }
    if (n == 0)
        n = judge_numbers(registry, survey, c);
    else
        named = true;
    if (n == 0)
        return refuse(registry, survey, err);
    qsort(c, n, sizeof *c, compare);
    while (likely < n && likely < MOST_ASKED && c[likely].score > c[0].score - asked)
        likely++;
    *protocol = c[0].protocol;
    for (size_t i = 1; i < n; i++)
        most = c[i].ncolumn > c[0].ncolumn ? false : most;
    if (named && most && (likely == 1 || c[0].score >= c[1].score + ahead) &&
        c[0].score >= of_columns * explained)
        return CF_OK;
    return ask(survey, c, likely, table, err);
}
