#include "cmd/draft_sound.h"

#include <string.h>

#include "file/yaml.h"

void cf_draft_sound_put(FILE *out, const char *name, const char *file)
{
    fprintf(
        out,
        "contactfit: study/1\n"
        "# A draft by contactfit init. Put values, with their units, where FILL-IN stands; then\n"
        "#   contactfit check THIS.yaml    says what is heard and what it can identify\n"
        "#   contactfit fit THIS.yaml      fits, and leaves a page beside this file\n"
        "title: ");
    cf_yaml_put(out, name);
    fprintf(out, "\nbodies:\n"
                 "  # What bounces, as ball: {sphere: {diameter: 42.7 mm}, mass: 45.9 g}\n"
                 "  ball: {sphere: {diameter: " CF_YAML_FILL_IN "}, mass: " CF_YAML_FILL_IN "}\n"
                 "  ground: {plane: {}, fixed: true}\n"
                 "law: e-log    # contactfit models lists the laws\n"
                 "rivals: [e-constant, e-power]\n"
                 "data:\n  - name: ");
    cf_yaml_put(out, name);
    fprintf(out, "\n    protocol: bounce\n    file: ");
    cf_yaml_put(out, file);
    fprintf(out, "    # relative to this file; contactfit onsets draws what is heard in it\n"
                 "    columns: {time: time_s}\n"
                 "    # Weak onsets are timed worse: without them, where: \"snr_dB > 20\"\n"
                 "    # rules: {dead_time: 60 ms, noise_ratio: 2.5}    # how they are found\n"
                 "    # apparatus: {drag_coefficient: 0.5}    # of a smooth sphere\n");
}
