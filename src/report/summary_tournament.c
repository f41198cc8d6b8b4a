#include "report/summary_tournament.h"

#include <math.h>
#include <string.h>

#include "core/wrap.h"
#include "document/view.h"
#include "report/summary.h"

static void number(FILE *out, double x, int width, int decimals)
{
    if (isnan(x))
        fprintf(out, " %*s", width, "-");
    else
        fprintf(out, " %*.*f", width, decimals, x);
}

/* What a law is worth in one word and, for laws with the curve of a better one, whose. */
static void worth(const json_t *contender, FILE *out)
{
    const char *same = cf_view_text(contender, "same_as");
    const char *word = cf_view_true(contender, "rejected") ? "no" : "-";
    fprintf(out, " %4s", cf_view_true(contender, "describes") ? "yes" : word);
    if (*same)
        fprintf(out, CF_WRAP_FIRST "  the curve of %s", same);
    fputc('\n', out);
}

static void row(const json_t *rival, const json_t *contender, int width, bool loo, FILE *out)
{
    fprintf(out, "%c %-*s" CF_WRAP_HANG, cf_view_true(rival, "own") ? '*' : ' ', width,
            cf_view_text(rival, "law"));
    if (strcmp(cf_view_text(rival, "status"), "ok") != 0) {
        fprintf(out, "  %s\n", cf_view_text(contender, "verdict"));
        return;
    }
    number(out, cf_view_number(rival, "delta_aicc"), 8, 2);
    number(out, cf_view_number(rival, "weight"), 6, 3);
    number(out, cf_view_number(rival, "rms_sigma"), 6, 2);
    number(out, cf_view_number(rival, "held_out_rms_sigma"), 8, 2);
    if (loo)
        number(out, cf_view_number(rival, "leave_one_out_rms_sigma"), 8, 2);
    worth(contender, out);
}

void cf_summary_tournament_write(const json_t *fit, FILE *out)
{
    const json_t *rivals = json_object_get(fit, "rivals");
    const json_t *tournament = json_object_get(fit, "tournament");
    const json_t *contenders = json_object_get(tournament, "contenders");
    const json_t *statements = json_object_get(tournament, "statements");
    const json_t *verdict = json_object_get(fit, "verdict");
    bool loo = cf_view_has_leave_one_out(rivals);
    int width = cf_summary_law_width(rivals);
    char first[64];

    snprintf(first, sizeof first, "%s: ", cf_view_text(verdict, "status"));
    cf_summary_text(out, first, cf_view_text(verdict, "summary"));
    cf_summary_text(out, "\nTournament: ", cf_view_text(tournament, "summary"));
    cf_summary_list(out, "  - ", statements, "statements");
    fprintf(out, "\n  %-*s %8s %6s %6s %8s%s fits\n", width, "law", "dAICc", "weight", "rms/s",
            "held-out", loo ? " left-out" : "");
    for (size_t i = 0; i < json_array_size(rivals); i++)
        row(json_array_get(rivals, i), json_array_get(contenders, i), width, loo, out);
    fputs("  * the study's own law; rms in its sigmas; fits: the law describes the data\n", out);
    fputs(
        "\n  Intervals of a law that is chosen here do not know of the choice, and are too narrow: "
        "fit --choose-by hold-out chooses by the held-out rows alone.\n",
        out);
}
