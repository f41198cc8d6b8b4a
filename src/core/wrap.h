/* Text for people, folded between words at the width of what shows it.
 *
 * Whoever writes a line leaves it whole and may mark where it folds; who knows the width folds it,
 * last. The marks are control characters, which nothing else that is shown may hold. */

#ifndef CF_CORE_WRAP_H
#define CF_CORE_WRAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define CF_WRAP_HANG "\001" /* folded lines go on at this column */
#define CF_WRAP_FIRST                                                                              \
    "\002" /* where the rest of the line does not fit, it begins a new one here                    \
            */
#define CF_WRAP_COMMAND "\003" /* the rest is a shell command, whose folds end in a backslash */
#define CF_WRAP_KEEP "\004"    /* a blank that is not folded at */
#define CF_WRAP_BOLD "\005"
#define CF_WRAP_GOOD "\006"  /* bold, green */
#define CF_WRAP_DOUBT "\016" /* bold, yellow */
#define CF_WRAP_BAD "\017"   /* bold, red */
#define CF_WRAP_PLAIN "\020" /* the end of these four */

struct cf_wrap {
    size_t width; /* columns; 0: never fold */
    bool colour;  /* colours and bold as ANSI codes; else nothing stands for them */
};

/* Write text, each of its lines folded at blanks to at most `width` columns; a word that is wider
 * stands alone and whole. Lines go on at the mark CF_WRAP_HANG, behind the bullet of a list item,
 * or else 2 columns further in than they began; not beyond the middle. A control character that is
 * no mark becomes '?'. Bytes of UTF-8 count as one column for each character. */
void cf_wrap_write(const char *text, const struct cf_wrap *how, FILE *out);

#endif
