/* The study reader on spoiled YAML.
 *
 * seeds: fits yaml
 * seeds: t/bad/good yaml
 * words: core study experiment law
 */

#include "study/study.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cf_error err = {""};

    write_input("fuzz-input.yaml", data, size);
    cf_study_free(cf_study_read("fuzz-input.yaml", NULL, &err));
    return 0;
}
