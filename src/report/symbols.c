#include "report/symbols.h"

#include <string.h>

struct cf_symbol cf_symbol_of(const char *name, size_t length)
{
    /* omicron looks like a Latin o, and nobody means it */
    static const struct {
        const char *name, *letter;
    } greek[] = {{"alpha", "α"},   {"beta", "β"},  {"gamma", "γ"},   {"delta", "δ"},
                 {"epsilon", "ε"}, {"zeta", "ζ"},  {"eta", "η"},     {"theta", "θ"},
                 {"iota", "ι"},    {"kappa", "κ"}, {"lambda", "λ"},  {"mu", "μ"},
                 {"nu", "ν"},      {"xi", "ξ"},    {"pi", "π"},      {"rho", "ρ"},
                 {"sigma", "σ"},   {"tau", "τ"},   {"upsilon", "υ"}, {"phi", "φ"},
                 {"chi", "χ"},     {"psi", "ψ"},   {"omega", "ω"},   {"zdot", "ż"}};
    /* what papers write for names that are made of words */
    static const struct {
        const char *name, *symbol;
    } known[] = {{"effective_modulus", "E*"}, {"kk_time", "A"}, {"lambda_star", "λ*"}};
    const char *end = memchr(name, '_', length);
    struct cf_symbol symbol = {.length = end ? (size_t) (end - name) : length};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].name) == length && strncmp(known[i].name, name, length) == 0)
            return (struct cf_symbol){.letter = true, .greek = known[i].symbol, .length = length};
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (strlen(greek[i].name) == symbol.length &&
            strncmp(greek[i].name, name, symbol.length) == 0)
            symbol.greek = greek[i].letter;
    symbol.letter = symbol.greek || symbol.length == 1;
    return symbol;
}
