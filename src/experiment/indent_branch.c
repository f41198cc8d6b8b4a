/* Whether a row loads or unloads, and how fast. */

#include <math.h>

#include "experiment/indent_channels.h"

double cf_indent_rate(const struct cf_dataset *d, size_t row)
{
    return cf_dataset_has(d, row, CF_INDENT_RATE) ? cf_dataset_value(d, row, CF_INDENT_RATE) : 0;
}

enum cf_indent_branch cf_indent_branch(const struct cf_dataset *d, size_t row)
{
    double rate = cf_indent_rate(d, row);
    bool back = rate < 0 || (rate == 0 && cf_dataset_value(d, row, CF_INDENT_DIRECTION) < 0);
    return back ? CF_INDENT_UNLOADING : CF_INDENT_LOADING;
}
