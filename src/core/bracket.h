/* Regula falsi with the Illinois rule, a step at a time: the caller evaluates the function and
 * knows when to stop. */

#ifndef CF_CORE_BRACKET_H
#define CF_CORE_BRACKET_H

/* Two places where a function has opposite signs, and its values there; b is the last one tried. */
struct cf_bracket {
    double a, fa, b, fb;
};

/* Where to look next: between a and b, where the straight line through both is 0. */
static inline double cf_bracket_next(const struct cf_bracket *s)
{
    return s->b - s->fb * (s->b - s->a) / (s->fb - s->fa);
}

/* x becomes b. An end that stays a second time counts half: else it might stay for ever. */
static inline void cf_bracket_take(struct cf_bracket *s, double x, double f)
{
    if ((f > 0) == (s->fb > 0)) {
        s->fa /= 2;
    } else {
        s->a = s->b;
        s->fa = s->fb;
    }
    s->b = x;
    s->fb = f;
}

#endif
