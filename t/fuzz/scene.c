/* The reader of scene files on spoiled YAML; no scene is run.
 *
 * seeds: scenes yaml
 * seeds: t/bad/good yaml
 * words: study scene law geometry
 */

#include <gsl/gsl_errno.h>

#include "scene/scene_file.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cf_error err = {""};

    gsl_set_error_handler_off();
    write_input("fuzz-input.yaml", data, size);
    cf_scene_file_free(cf_scene_read("fuzz-input.yaml", NULL, 0, &err));
    return 0;
}
