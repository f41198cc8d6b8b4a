/* `missing` of a data set: texts that stand where nothing was measured. */

#include <string.h>

#include "study/parts.h"

int cf_source_missing(const struct cf_yaml *set, struct cf_error *err)
{
    const struct cf_yaml *at = cf_yaml_get(set, "missing");
    const char *text;
    int status = CF_OK;

    if (at && at->kind != CF_YAML_LIST)
        return cf_yaml_text(at, &text, err);
    for (size_t i = 0; at && i < at->n && !status; i++)
        status = cf_yaml_text(&at->item[i], &text, err);
    return status;
}

bool cf_source_is_missing(const struct cf_source *source, const char *text)
{
    const struct cf_yaml *at = source->missing;

    if (!at || at->kind == CF_YAML_TEXT)
        return at && strcmp(at->text, text) == 0;
    for (size_t i = 0; i < at->n; i++)
        if (strcmp(at->item[i].text, text) == 0)
            return true;
    return false;
}

bool cf_source_is_blank(const struct cf_source *source, size_t row, size_t column)
{
    char room[CF_CSV_ROOM];

    return cf_csv_blank(source->csv, row, column) ||
           (source->missing &&
            cf_source_is_missing(source, cf_csv_cell(source->csv, row, column, room)));
}
