#include "report/image.h"

#include <string.h>

#include "core/output.h"

/* The last chunk of each PNG file, which has no content: its length, its name and their CRC. */
static const char png_end[] = "\0\0\0\0IEND\xae\x42\x60\x82";

/* A chunk of text: 29 bytes, its name, the key with its NUL and the value, and their CRC. */
static const char png_comment[] = "\0\0\0\035tEXtComment\0" CF_OUTPUT_MARK "\x43\xaf\x88\x60";

enum { PNG_END = sizeof png_end - 1, PNG_COMMENT = sizeof png_comment - 1 };

void cf_image_write(const char bytes[], size_t size, FILE *out)
{
    if (size > PNG_END && memcmp(bytes, "\x89PNG", 4) == 0 &&
        memcmp(bytes + size - PNG_END, png_end, PNG_END) == 0) {
        fwrite(bytes, 1, size - PNG_END, out);
        fwrite(png_comment, 1, PNG_COMMENT, out);
        fwrite(png_end, 1, PNG_END, out);
        return;
    }
    fwrite(bytes, 1, size, out);
    fputs(memcmp(bytes, "%PDF", size < 4 ? size : 4) == 0 ? "% " CF_OUTPUT_MARK "\n"
                                                          : "<!-- " CF_OUTPUT_MARK " -->\n",
          out);
}
