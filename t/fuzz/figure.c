/* The reader of figure files on spoiled YAML.
 *
 * seeds: figures yaml
 * words: study scene law
 */

#include <gsl/gsl_errno.h>

#include "figure/law_figure.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cf_error err = {""};

    gsl_set_error_handler_off();
    write_input("fuzz-input.yaml", data, size);
    cf_drawing_free(cf_drawing_read("fuzz-input.yaml", &err));
    return 0;
}
