#define _POSIX_C_SOURCE 200809L

#include "study/survey.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/units.h"

static int begin(struct cf_survey *survey, size_t ncolumn, struct cf_error *err)
{
    survey->column = calloc(ncolumn, sizeof *survey->column);
    if (!survey->column)
        return cf_fail(err, CF_ENOMEM, "no memory for %zu columns", ncolumn);
    survey->ncolumn = ncolumn;
    for (size_t i = 0; i < ncolumn && i < CF_SAMPLED_COLUMNS; i++) {
        survey->column[i].sample = malloc(CF_SAMPLED_ROWS * sizeof(double));
        if (!survey->column[i].sample)
            return cf_fail(err, CF_ENOMEM, "no memory for %zu columns", ncolumn);
    }
    for (size_t i = 0; i < ncolumn; i++)
        survey->column[i].sorts = true;
    return CF_OK;
}

static int take_text(struct cf_seen_column *seen, const char *cell, struct cf_error *err)
{
    for (size_t i = 0; i < seen->nkind; i++)
        if (strcmp(seen->kind[i], cell) == 0)
            return CF_OK;
    seen->sorts = seen->nkind < CF_MOST_KINDS;
    if (!seen->sorts)
        return CF_OK;
    seen->kind[seen->nkind] = strdup(cell);
    if (!seen->kind[seen->nkind])
        return cf_fail(err, CF_ENOMEM, "no memory for the texts of a column");
    seen->nkind++;
    return CF_OK;
}

/* A step is even where it is as long as the first, but for the rounding of a clock, or as the one
 * before, for clocks are set to another rate; and a clock has few others. Flights of a ball shrink
 * by more, or are stamped by hand. */
static const double as_first = 0.05, as_before = 0.01, most = 0.9;
enum { LEAST_STEPS = 5 };

bool cf_survey_ticks(const struct cf_seen_column *seen)
{
    return seen->nstep >= LEAST_STEPS && (double) seen->neven >= most * (double) seen->nstep;
}

static void take_step(struct cf_seen_column *seen, double value)
{
    double step = seen->nnumber ? value - seen->last : 0;

    seen->last = value;
    if (!(step > 0))
        return;
    if (!seen->nstep)
        seen->step = seen->before = step;
    seen->nstep++;
    seen->neven += fabs(step - seen->step) <= as_first * seen->step ||
                   fabs(step - seen->before) <= as_before * seen->before;
    seen->before = step;
}

static void take_number(struct cf_seen_column *seen, double value, bool sampled)
{
    if (sampled && seen->sample && seen->nsample < CF_SAMPLED_ROWS)
        seen->sample[seen->nsample++] = value;
    take_step(seen, value);
    seen->low = seen->nnumber ? fmin(seen->low, value) : value;
    seen->high = seen->nnumber ? fmax(seen->high, value) : value;
    seen->nnumber++;
    seen->sorts = false;
}

/* Is the row in one of the pieces that are spread over the table? */
static bool is_sampled(const struct cf_survey *survey, size_t row)
{
    size_t piece = row / CF_SAMPLED_PIECE, every = survey->nrow / CF_SAMPLED_ROWS + 1;
    return piece % every == 0;
}

static int take_row(void *owner, const struct cf_csv *head, size_t row, char *const cell[],
                    struct cf_error *err)
{
    struct cf_survey *survey = owner;
    int status = row == 0 ? begin(survey, head->ncolumn, err) : CF_OK;

    for (size_t i = 0; i < head->ncolumn && !status; i++) {
        double value;
        if (cf_csv_parse(head, cell[i], &value) == CF_OK)
            take_number(&survey->column[i], value, is_sampled(survey, row));
        else if (survey->column[i].sorts)
            status = take_text(&survey->column[i], cell[i], err);
    }
    return status;
}

int cf_survey_read(struct cf_survey *survey, const char *path, const struct cf_csv_form *form,
                   size_t nrow, struct cf_error *err)
{
    *survey = (struct cf_survey){.nrow = nrow};
    survey->head = cf_csv_stream(path, form, take_row, survey, err);
    return survey->head ? CF_OK : CF_EINPUT;
}

void cf_survey_clear(struct cf_survey *survey)
{
    for (size_t i = 0; i < survey->ncolumn; i++)
        for (size_t k = 0; k < survey->column[i].nkind; k++)
            free(survey->column[i].kind[k]);
    for (size_t i = 0; i < survey->ncolumn; i++)
        free(survey->column[i].sample);
    free(survey->column);
    cf_csv_free(survey->head);
    *survey = (struct cf_survey){.head = NULL};
}
