#include "report/text_width.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Advance widths of DejaVu Sans, from its table hmtx, in parts of its size. Fonts that are drawn
 * instead are narrower: of those in common use it is the widest. */
static const double em = 2048;
static const short ascii[] = {
    651,  821,  942,  1716, 1303, 1946, 1597, 563,  799,  799,  1024, 1716, 651,  739,  651,  690,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 690,  690,  1716, 1716, 1716, 1087,
    2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604,  604,  1343, 1141, 1767, 1532, 1612,
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799,  690,  799,  1716, 1024,
    1024, 1255, 1300, 1126, 1300, 1260, 721,  1300, 1298, 569,  569,  1186, 569,  1995, 1298, 1253,
    1300, 1300, 842,  1067, 803,  1298, 1212, 1675, 1212, 1212, 1075, 1303, 690,  1303, 1716,
};
enum { FIRST = ' ', NASCII = sizeof ascii / sizeof *ascii };

static const struct {
    const char *letter;
    short width;
} others[] = {
    {"°", 1024}, {"µ", 1303}, {"×", 1716}, {"−", 1716}, {"ż", 1075}, {"α", 1350}, {"β", 1307},
    {"γ", 1212}, {"δ", 1253}, {"ε", 1107}, {"ζ", 1114}, {"η", 1298}, {"θ", 1253}, {"ι", 693},
    {"κ", 1207}, {"λ", 1212}, {"μ", 1303}, {"ν", 1144}, {"ξ", 1142}, {"π", 1233}, {"ρ", 1300},
    {"σ", 1298}, {"τ", 1233}, {"υ", 1185}, {"φ", 1351}, {"χ", 1183}, {"ψ", 1351}, {"ω", 1715},
};
enum { NOTHER = sizeof others / sizeof *others };

/* Bold letters are wider than roman ones by at most so much; a letter that the table lacks is taken
 * for as wide as the font is high. */
static const double bold = 1.2;

/* gnuplot draws each level smaller by this factor. */
static const double smaller = 0.8;

static size_t length_of(const char *letter)
{
    size_t n = 1;
    while (((unsigned char) letter[n] & 0xc0) == 0x80)
        n++;
    return n;
}

static double width_of(const char *letter, size_t length)
{
    int c = (unsigned char) *letter - FIRST;

    if (c >= 0 && c < NASCII)
        return ascii[c] / em;
    for (size_t i = 0; i < NOTHER; i++)
        if (strlen(others[i].letter) == length && strncmp(others[i].letter, letter, length) == 0)
            return others[i].width / em;
    return 1;
}

double cf_letters_width(const char *letters)
{
    double width = 0;

    while (*letters) {
        size_t length = length_of(letters);
        width += width_of(letters, length);
        letters += length;
    }
    return width;
}

double cf_text_width(const struct cf_text *text)
{
    double width = 0;

    for (size_t i = 0; i < text->nrun; i++) {
        const struct cf_text_run *run = &text->run[i];
        width += cf_letters_width(cf_text_letters(text, i)) *
                 pow(smaller, fabs((double) run->level)) * (run->face == CF_FACE_BOLD ? bold : 1);
    }
    return width;
}
