#include "cmd/onsets_text.h"

#include <math.h>
#include <string.h>

#include "core/decimal.h"
#include "core/output.h"
#include "core/text.h"
#include "core/wrap.h"

static double in_dB(double level)
{
    return 20 * log10(level);
}

static const char *unit_of(const struct cf_param *rule)
{
    return strcmp(rule->unit, "1") == 0 ? "" : rule->unit;
}

void cf_onsets_print(const struct cf_onsets *o, const char *path, FILE *out)
{
    char shown[CF_SHOWN];

    fprintf(out, "%s\n", cf_show(path, shown));
    fprintf(out, "  recording   %s, %g samples a second, channel %zu of %zu, %.6g s\n",
            o->info.format, o->info.rate_Hz, o->info.channel, o->info.channels, o->duration_s);
    fprintf(out, "  envelope    noise %.3g (%.1f dB of full scale), threshold %.3g, loudest %.3g\n",
            o->noise, in_dB(o->noise), o->threshold, o->loudest);
    fprintf(out, "  onsets      %zu, of which %zu below the limit of noise, %zu clipped\n", o->n,
            o->nweak, o->nclipped);
    if (o->n == 0)
        return;
    fprintf(out, "\n  %4s %12s %12s %10s %8s\n", "", "time [s]", "since [ms]", "peak", "snr [dB]");
    for (size_t i = 0; i < o->n; i++) {
        const struct cf_onset *onset = &o->onset[i];
        fprintf(out, "  %4zu %12.6f ", i + 1, onset->time_s);
        if (i > 0)
            fprintf(out, "%12.3f", 1e3 * (onset->time_s - o->onset[i - 1].time_s));
        else
            fprintf(out, "%12s", "");
        fprintf(out, " %10.4g %8.1f%s%s\n", onset->peak, onset->snr_dB, onset->weak ? "  weak" : "",
                onset->clipped ? "  clipped" : "");
    }
}

/* A line of the head; what it holds of files cannot end it. */
static void put_head(FILE *out, const char *key, const char *text)
{
    fprintf(out, "# %s: ", key);
    for (const char *c = text; *c; c++)
        fputc((unsigned char) *c < ' ' ? '?' : *c, out);
    fputc('\n', out);
}

void cf_onsets_csv(const struct cf_onsets *o, const struct cf_onset_rules *rules, const char *path,
                   FILE *out)
{
    const char *slash = strrchr(path, '/');

    fputs("# " CF_OUTPUT_MARK "\n# made by: contactfit onsets\n", out);
    put_head(out, "source", slash ? slash + 1 : path);
    fprintf(out, "# recording: %s, %g samples a second, channel %zu of %zu, %.9g s\n",
            o->info.format, o->info.rate_Hz, o->info.channel, o->info.channels, o->duration_s);
    fprintf(out, "# levels: parts of full scale; noise %.6g, threshold %.6g\n", o->noise,
            o->threshold);
    for (int i = 0; i < CF_ONSET_NRULE; i++) {
        const struct cf_param *rule = &cf_onset_rule_table[i];
        fprintf(out, "# rule: %s = ", rule->name);
        cf_decimal_put(rules->value[i], out);
        fprintf(out, "%s%s\n", *unit_of(rule) ? " " : "", unit_of(rule));
    }
    for (size_t i = 0; i < o->nnote; i++)
        put_head(out, "note", o->note[i]);
    fputs("time_s,peak,snr_dB,clipped\n", out);
    for (size_t i = 0; i < o->n; i++) {
        const struct cf_onset *onset = &o->onset[i];
        const double cell[] = {onset->time_s, onset->peak, onset->snr_dB, onset->clipped};
        for (size_t k = 0; k < sizeof cell / sizeof *cell; k++) {
            fputs(k ? "," : "", out);
            cf_decimal_put(cell[k], out);
        }
        fputc('\n', out);
    }
}

void cf_onset_rules_print(FILE *out)
{
    fprintf(out, "\nRules:\n");
    for (int i = 0; i < CF_ONSET_NRULE; i++) {
        const struct cf_param *rule = &cf_onset_rule_table[i];
        char value[40];
        snprintf(value, sizeof value, "%g%s%s", rule->typical, *unit_of(rule) ? " " : "",
                 unit_of(rule));
        fprintf(out, "  %-11s  %-8s  " CF_WRAP_HANG "%s\n", rule->name, value, rule->what);
    }
}
