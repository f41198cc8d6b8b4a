#include "core/encoding.h"

#include <string.h>

const char *const cf_encoding_name[CF_ENCODING_COUNT] = {
    [CF_ENCODING_FOUND] = "auto",
    [CF_ENCODING_UTF8] = "utf-8",
    [CF_ENCODING_UTF16] = "utf-16",
    [CF_ENCODING_WINDOWS_1252] = "windows-1252",
};

/* Bytes 0x80 to 0x9F of Windows-1252; the five that it leaves free are control characters, which
 * readers refuse. */
static const unsigned short from_80[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
};

static const unsigned replacement = 0xFFFD;

static size_t put(unsigned code, char *to)
{
    if (code < 0x80) {
        to[0] = (char) code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char) (0xC0 | code >> 6);
        to[1] = (char) (0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char) (0xE0 | code >> 12);
        to[1] = (char) (0x80 | (code >> 6 & 0x3F));
        to[2] = (char) (0x80 | (code & 0x3F));
        return 3;
    }
    to[0] = (char) (0xF0 | code >> 18);
    to[1] = (char) (0x80 | (code >> 12 & 0x3F));
    to[2] = (char) (0x80 | (code >> 6 & 0x3F));
    to[3] = (char) (0x80 | (code & 0x3F));
    return 4;
}

size_t cf_windows_1252_to_utf8(const char *text, size_t n, char *to)
{
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned byte = (unsigned char) text[i];
        used += put(byte >= 0x80 && byte < 0xA0 ? from_80[byte - 0x80] : byte, to + used);
    }
    return used;
}

size_t cf_utf16_to_utf8(struct cf_utf16 *state, const char *text, size_t n, char *to)
{
    size_t used = 0;

    for (size_t i = 0; i + 1 < n; i += 2) {
        unsigned first = (unsigned char) text[i], second = (unsigned char) text[i + 1];
        unsigned unit = state->big ? first << 8 | second : second << 8 | first;
        bool high = unit >= 0xD800 && unit < 0xDC00, low = unit >= 0xDC00 && unit < 0xE000;

        if (low && state->high) {
            unit = 0x10000 + ((state->high - 0xD800) << 10) + (unit - 0xDC00);
            state->high = 0;
            used += put(unit, to + used);
            continue;
        }
        if (state->high)
            used += put(replacement, to + used);
        state->high = high ? unit : 0;
        if (!high)
            used += put(low ? replacement : unit, to + used);
    }
    return used;
}
