/* Units, quantities, numbers and column suffixes on spoiled text.
 *
 * seeds: t/fuzz txt
 * words: core
 */

#include "core/units.h"

#include <math.h>
#include <string.h>

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const want[] = {"m", "kg", "m/s", "N/m^1.5", "1"};
    struct cf_error err = {""};
    struct cf_unit unit;
    const char *suffix;
    size_t stem;
    double value;

    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (cf_unit_parse(text, &unit, &err) == CF_OK && !(unit.factor > 0))
        abort(); /* a unit that turns a length into nothing */
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        if (cf_quantity_parse(text, want[i], &value, &err) == CF_OK && !isfinite(value))
            abort();
    if (cf_number_parse(text, size % 2 ? '.' : ',', &value, &err) == CF_OK && !isfinite(value))
        abort();
    if (cf_unit_suffix(text, &stem, &suffix) && stem >= size)
        abort();
    free(text);
    return 0;
}
