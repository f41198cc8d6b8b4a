/* Text that is not UTF-8 made UTF-8. */

#ifndef CF_CORE_ENCODING_H
#define CF_CORE_ENCODING_H

#include <stdbool.h>
#include <stddef.h>

enum cf_encoding {
    CF_ENCODING_FOUND, /* UTF-16 where a mark says so, else UTF-8, but Windows-1252 in lines that
                        * are none */
    CF_ENCODING_UTF8,
    CF_ENCODING_UTF16, /* as its mark says, or little-endian */
    CF_ENCODING_WINDOWS_1252,
    CF_ENCODING_COUNT
};

/* "auto", "utf-8", "utf-16", "windows-1252". */
extern const char *const cf_encoding_name[CF_ENCODING_COUNT];

/* Bytes that a byte of Windows-1252 and a unit of UTF-16 take in UTF-8 at most. */
enum { CF_UTF8_OF_BYTE = 3, CF_UTF8_OF_UNIT = 3 };

/* text[0..n) of Windows-1252, of which ISO 8859-1 is a part, in UTF-8; returns its length. */
size_t cf_windows_1252_to_utf8(const char *text, size_t n, char *to);

/* Where a stream of UTF-16 is. */
struct cf_utf16 {
    bool big;      /* the high byte goes first */
    unsigned high; /* the first half of a pair that is not whole yet; 0: none */
};

/* text[0..n), n even, in UTF-8; half a pair becomes U+FFFD. Returns its length. */
size_t cf_utf16_to_utf8(struct cf_utf16 *state, const char *text, size_t n, char *to);

#endif
