/* Protocols are told apart by what their own rows say of their columns, and a trace, which none of
 * them is fitted to, by its clock. */

#include "cmd/recognise.h"

#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "study/guess.h"

static bool is_time(const struct cf_channel_row *channel)
{
    return channel->role == CF_ROLE_IMPOSED && strcmp(channel->unit, "s") == 0;
}

/* A time that was imposed, and that goes up in even steps: the clock of a trace. */
static bool is_clock(const struct cf_survey *survey, const struct cf_protocol *protocol,
                     const struct cf_guess *guess, size_t i)
{
    return is_time(&protocol->channel[i]) && guess->column[i] < survey->ncolumn &&
           cf_survey_ticks(&survey->column[guess->column[i]]);
}

/* How well the table suits: by how many of its columns. 0: nothing that drives, or nothing that is
 * measured; of stamps, a clock in their place; of other records, none beside. */
static size_t suits(const struct cf_survey *survey, const struct cf_protocol *protocol)
{
    const struct cf_derived *recording = protocol->recording;
    struct cf_guess guess;
    size_t drives = 0, measured = 0, all = 0;
    bool clock = false, there;

    cf_guess_columns(survey->head, protocol, &guess);
    for (size_t i = 0; i < protocol->nchannel; i++) {
        there = guess.column[i] < survey->ncolumn || guess.asked[i];
        drives += there && cf_channel_drives(protocol, i);
        measured += there && protocol->channel[i].role == CF_ROLE_MEASURED;
        all += there;
        clock |= is_clock(survey, protocol, &guess, i);
    }
    if (recording)
        there = guess.column[recording->record] < survey->ncolumn &&
                clock != is_time(&protocol->channel[recording->record]);
    else
        there = drives && measured;
    for (size_t i = 0; i < protocol->nneeded; i++)
        there = there && guess.column[protocol->needed[i]] < survey->ncolumn;
    return there ? all : 0;
}

/* The column of a clock, by what any protocol calls one; ncolumn: none. */
static size_t find_clock(const struct cf_registry *registry, const struct cf_survey *survey)
{
    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++) {
        struct cf_guess guess;
        cf_guess_columns(survey->head, *p, &guess);
        for (size_t i = 0; i < cf_protocol_read(*p); i++)
            if (is_clock(survey, *p, &guess, i))
                return guess.column[i];
    }
    return survey->ncolumn;
}

struct list {
    char text[300];
    size_t used;
};

static void append(struct list *list, const char *between, const char *word)
{
    if (list->used < sizeof list->text)
        list->used += (size_t) snprintf(list->text + list->used, sizeof list->text - list->used,
                                        "%s%s", list->used ? between : "", word);
}

/* No experiment: what is it then? */
static int refuse(const struct cf_registry *registry, const struct cf_survey *survey,
                  const struct list *all, struct cf_error *err)
{
    const struct cf_csv *csv = survey->head;
    size_t clock = find_clock(registry, survey);
    char headers[400], shown[CF_SHOWN], time[CF_SHOWN];
    struct list beside = {.used = 0};

    if (clock == survey->ncolumn) {
        cf_csv_headers(csv, headers, sizeof headers);
        return cf_fail(err, CF_EINPUT,
                       "%s: its columns (%s) are those of no experiment by their names: say which "
                       "it is, contactfit init PROTOCOL DATA.csv (%s)%s",
                       csv->path, cf_show(headers, shown), all->text,
                       csv->ncolumn == 1 ? "; it has one column: cells are parted by commas, "
                                           "semicolons or tabs"
                                         : "");
    }
    for (size_t j = 0; j < csv->ncolumn; j++)
        if (j != clock && survey->column[j].nnumber)
            append(&beside, ", ", csv->full[j]);
    return cf_fail(
        err, CF_EINPUT,
        "%s: a trace: %s over %s, which goes up in even steps of %g. No protocol (%s) is "
        "fitted to it: make a table of what can be read off it, as peak and duration of "
        "the force of each impact, or fit a scene to it: protocol log, contactfit-study(5)",
        csv->path, cf_show(beside.used ? beside.text : "nothing", shown),
        cf_show(csv->full[clock], time), survey->column[clock].step, all->text);
}

int cf_recognise(const struct cf_registry *registry, const struct cf_survey *survey,
                 const struct cf_protocol **protocol, struct cf_error *err)
{
    struct list all = {.used = 0}, best = {.used = 0};
    char headers[400], shown[CF_SHOWN];
    size_t most = 0, n = 0;

    for (const struct cf_protocol *const *p = cf_registry_protocols(registry); *p; p++) {
        size_t well;
        if ((*p)->by_scene) /* no table says of which scene it is */
            continue;
        well = suits(survey, *p);
        append(&all, ", ", (*p)->name);
        if (well > most)
            most = well, n = 0, best = (struct list){.used = 0};
        if (well == 0 || well < most)
            continue;
        *protocol = *p;
        append(&best, " or ", (*p)->name);
        n++;
    }
    if (n == 1)
        return CF_OK;
    if (n == 0)
        return refuse(registry, survey, &all, err);
    cf_csv_headers(survey->head, headers, sizeof headers);
    return cf_fail(err, CF_EINPUT,
                   "%s: its columns (%s) suit %s: say which, contactfit init PROTOCOL DATA.csv",
                   survey->head->path, cf_show(headers, shown), best.text);
}
