/* Keys of data sets that belong to traces, records over time, and have no meaning for a table. */

#include <string.h>

#include "study/parts.h"

int cf_source_trace_keys(const struct cf_yaml *set, const struct cf_registry *registry,
                         struct cf_error *err)
{
    static const char *const words[] = {"segments", "rules"};
    const struct cf_yaml *named = cf_yaml_get(set, "protocol");
    const struct cf_protocol *protocol =
        named && named->kind == CF_YAML_TEXT ? cf_registry_protocol(registry, named->text) : NULL;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const struct cf_yaml *at = cf_yaml_get(set, words[i]);
        bool scene = protocol && protocol->by_scene && strcmp(words[i], "segments") == 0;
        bool ruled = protocol && (protocol->recording || cf_is_timed(protocol));
        if (at && protocol && !scene && !(ruled && strcmp(words[i], "rules") == 0))
            return cf_yaml_fail_key(at, err,
                                    "%s belongs to traces, and protocol %s is a table: leave it "
                                    "out",
                                    words[i], protocol->name);
    }
    return CF_OK;
}
