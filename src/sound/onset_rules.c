/* The settings of the onsets. */

#include <math.h>

#include "core/nearest.h"
#include "core/text.h"
#include "core/units.h"
#include "sound/onsets.h"

/* the bounds that a fit would need; these are never fitted */
#define NOT_FITTED 0, 0

const struct cf_param cf_onset_rule_table[CF_ONSET_NRULE] = {
    [CF_ONSET_CHANNEL] = {"channel", "1", 0, 1024, NOT_FITTED, 0, CF_SCALE_LINEAR,
                          "channel that is read, from 1; 0: the only one"},
    [CF_ONSET_HIGH_PASS] =
        {"high_pass", "Hz", 1, 1e5, NOT_FITTED, 500, CF_SCALE_LINEAR,
         "cutoff of the filter that takes out lower frequencies: hum, steps, wind"},
    [CF_ONSET_ENVELOPE] = {"envelope", "s", 1e-5, 0.1, NOT_FITTED, 0.5e-3, CF_SCALE_LINEAR,
                           "length over which the rms of the sound is taken"},
    [CF_ONSET_NOISE] = {"noise", "1", 0, 1, NOT_FITTED, 0, CF_SCALE_LINEAR,
                        "rms of the noise in parts of full scale; 0: the median of the envelope"},
    [CF_ONSET_NOISE_RATIO] = {"noise_ratio", "1", 1, 1e6, NOT_FITTED, 2.5, CF_SCALE_LINEAR,
                              "an onset has this many times the noise"},
    [CF_ONSET_RISE_RATIO] = {"rise_ratio", "1", 1, 1e6, NOT_FITTED, 2, CF_SCALE_LINEAR,
                             "and this many times the rms of the rise_time before it"},
    [CF_ONSET_RISE_TIME] = {"rise_time", "s", 1e-4, 1, NOT_FITTED, 20e-3, CF_SCALE_LINEAR,
                            "length of the sound before an onset that it stands out from"},
    [CF_ONSET_DEAD_TIME] = {"dead_time", "s", 1e-3, 60, NOT_FITTED, 60e-3, CF_SCALE_LINEAR,
                            "time after an onset in which there is no other: shortest flight"},
    [CF_ONSET_PEAK_TIME] = {"peak_time", "s", 1e-4, 1, NOT_FITTED, 5e-3, CF_SCALE_LINEAR,
                            "time after the crossing in which the peak is looked for"},
    [CF_ONSET_PICK_BEFORE] = {"pick_before", "s", 1e-4, 1, NOT_FITTED, 2e-3, CF_SCALE_LINEAR,
                              "time before the crossing from where on the onset is looked for"},
    [CF_ONSET_PICK_AFTER] = {"pick_after", "s", 0, 1, NOT_FITTED, 0.5e-3, CF_SCALE_LINEAR,
                             "time behind the peak that counts as sound when it is timed"},
    [CF_ONSET_PICK_FLOOR] = {"pick_floor", "1", 1e-9, 0.5, NOT_FITTED, 1e-6, CF_SCALE_LINEAR,
                             "parts of the peak below which all is noise when it is timed"},
    [CF_ONSET_WEAK] = {"weak", "1", 0, 200, NOT_FITTED, 20, CF_SCALE_LINEAR,
                       "signal-to-noise ratio in dB below which an onset is marked"},
    [CF_ONSET_CLIP_LEVEL] =
        {"clip_level", "1", 0.5, 1, NOT_FITTED, 0.99, CF_SCALE_LINEAR,
         "magnitude in parts of the highest from which a sample may be clipped"},
    [CF_ONSET_CLIP_RUN] = {"clip_run", "1", 2, 1000, NOT_FITTED, 3, CF_SCALE_LINEAR,
                           "number of such samples in a row from which they are taken as clipped"},
    [CF_ONSET_SILENCE] = {"silence", "s", 1e-3, 3600, NOT_FITTED, 20e-3, CF_SCALE_LINEAR,
                          "length of a run of equal samples that is reported as a gap"},
};

void cf_onset_rules_init(struct cf_onset_rules *rules)
{
    for (int i = 0; i < CF_ONSET_NRULE; i++)
        rules->value[i] = cf_onset_rule_table[i].typical;
}

int cf_onset_rules_set(struct cf_onset_rules *rules, const char *name, const char *text,
                       struct cf_error *err)
{
    const char *known[CF_ONSET_NRULE];
    size_t i = cf_param_find(cf_onset_rule_table, CF_ONSET_NRULE, name);
    char shown[CF_SHOWN], hint[CF_HINT];
    struct cf_error why = {""};

    if (i == CF_ONSET_NRULE) {
        for (i = 0; i < CF_ONSET_NRULE; i++)
            known[i] = cf_onset_rule_table[i].name;
        cf_nearest_hint(name, known, CF_ONSET_NRULE, hint);
        return cf_fail(err, CF_EINPUT, "unknown rule %s: %s", cf_show(name, shown), hint);
    }
    if (cf_quantity_parse(text, cf_onset_rule_table[i].unit, &rules->value[i], &why))
        return cf_fail(err, CF_EINPUT, "%s: %.900s", name, why.text);
    return cf_param_check(&cf_onset_rule_table[i], 1, &rules->value[i], err);
}

int cf_onset_rules_check(const struct cf_onset_rules *rules, struct cf_error *err)
{
    static const enum cf_onset_rule whole[] = {CF_ONSET_CHANNEL, CF_ONSET_CLIP_RUN};
    const double *v = rules->value;
    int status = cf_param_check(cf_onset_rule_table, CF_ONSET_NRULE, v, err);

    for (size_t i = 0; i < sizeof whole / sizeof *whole && !status; i++)
        if (v[whole[i]] != floor(v[whole[i]]))
            status = cf_fail(err, CF_ERANGE, "%s = %g: must be a whole number",
                             cf_onset_rule_table[whole[i]].name, v[whole[i]]);
    if (!status && v[CF_ONSET_DEAD_TIME] < v[CF_ONSET_PEAK_TIME] + v[CF_ONSET_PICK_AFTER])
        status = cf_fail(err, CF_ERANGE,
                         "dead_time = %g s: must not be below peak_time + pick_after = %g s",
                         v[CF_ONSET_DEAD_TIME], v[CF_ONSET_PEAK_TIME] + v[CF_ONSET_PICK_AFTER]);
    return status;
}
