/* What the targets of libFuzzer share: the spoiled bytes as a file, for readers that take a path.
 */

#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Write the bytes under one fixed name in the working folder, which fuzz.sh gives to this target
 * alone. */
static inline void write_input(const char *path, const uint8_t *data, size_t size)
{
    FILE *out = fopen(path, "wb");
    if (!out || (size && fwrite(data, 1, size, out) != size) || fclose(out) != 0)
        abort(); /* a broken machine, not a finding */
}

#endif
