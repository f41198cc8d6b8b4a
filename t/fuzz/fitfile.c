/* The reader of fit files on spoiled JSON, and the writer on whatever was accepted.
 *
 * seeds: fits json
 * seeds: t/fits json
 * words: document
 */

#include "document/fit_file.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cf_error err = {""};
    json_t *fit = NULL, *again = NULL;

    write_input("fuzz-input.json", data, size);
    if (cf_fit_file_read("fuzz-input.json", &fit, &err) == CF_OK) {
        FILE *out = fopen("fuzz-output.json", "wb");
        if (!out || cf_fit_file_write(fit, out, &err) != CF_OK || fclose(out) != 0)
            abort(); /* what was read must be written */
        if (cf_fit_file_read("fuzz-output.json", &again, &err) != CF_OK || !json_equal(fit, again))
            abort(); /* and read again as the same */
        json_decref(again);
    }
    json_decref(fit);
    return 0;
}
