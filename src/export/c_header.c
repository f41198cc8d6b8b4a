/* C: a header that needs no other but math.h, with e(v) of one pair or of many.
 *
 * C99 and C++. What pairs share stands under a guard of its own, so that two such headers go
 * together; the guard of the file is of its numbers.
 */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "export/e_code.h"
#include "export/rows.h"

static const char shared[] =
    "#ifndef CONTACTFIT_RESTITUTION\n"
    "#define CONTACTFIT_RESTITUTION 1\n"
    "\n"
    "#include <math.h>\n"
    "\n"
    "/* e(v) of two bodies; rows ascend in the logarithm of the speed. */\n"
    "struct contactfit_restitution {\n"
    "    const char *fit, *body_1, *body_2;\n"
    "    const char *material_1, *material_2; /* of the bodies; \"\": not named */\n"
    "    double speed_low, speed_high; /* that were fitted [m/s]; 0 and 0: none */\n"
    "    int rows, band_rows;          /* band_rows 0: there is no band */\n"
    "    const double (*row)[3];       /* ln(v/(m/s)), e, de/d ln v */\n"
    "    const double (*band)[3];      /* ln(v/(m/s)), lowest e, highest e */\n"
    "};\n"
    "\n"
    "/* The row, but the last, that x lies behind. */\n"
    "static inline int contactfit_row(const double (*row)[3], int rows, double x)\n"
    "{\n"
    "    int low = 0, high = rows - 1;\n"
    "    while (high - low > 1) {\n"
    "        int middle = (low + high) / 2;\n"
    "        if (row[middle][0] <= x)\n"
    "            low = middle;\n"
    "        else\n"
    "            high = middle;\n"
    "    }\n"
    "    return low;\n"
    "}\n"
    "\n"
    "/* e at a speed of approach [m/s]. Below and beyond the table, and for speeds that are not\n"
    " * above 0, e of its first and of its last row; of a speed that is no number, no number. */\n"
    "static inline double contactfit_e(const struct contactfit_restitution *pair, double speed)\n"
    "{\n"
    "    const double *first = pair->row[0], *last = pair->row[pair->rows - 1], *a, *b;\n"
    "    double x, h, s, t;\n"
    "    if (speed != speed)\n"
    "        return speed;\n"
    "    x = speed > 0 ? log(speed) : first[0];\n"
    "    if (x <= first[0] || x >= last[0])\n"
    "        return x <= first[0] ? first[1] : last[1];\n"
    "    a = pair->row[contactfit_row(pair->row, pair->rows, x)];\n"
    "    b = a + 3;\n"
    "    h = b[0] - a[0];\n"
    "    t = (x - a[0]) / h;\n"
    "    s = 1 - t;\n"
    "    return s * s * (a[1] * (1 + 2 * t) + h * t * a[2]) +\n"
    "           t * t * (b[1] * (3 - 2 * t) - h * s * b[2]);\n"
    "}\n"
    "\n"
    "/* 1: the speed is among those that were fitted; 0: e is EXTRAPOLATED there. */\n"
    "static inline int contactfit_is_fitted(const struct contactfit_restitution *pair,\n"
    "                                       double speed)\n"
    "{\n"
    "    return speed > 0 && speed >= pair->speed_low && speed <= pair->speed_high;\n"
    "}\n"
    "\n"
    "/* The fit's confidence band of e: 1, and its ends; 0, and both as they were, where it has\n"
    " * none at that speed. */\n"
    "static inline int contactfit_band(const struct contactfit_restitution *pair, double speed,\n"
    "                                  double *low, double *high)\n"
    "{\n"
    "    const double rounding = 1e-9;\n"
    "    const double *a, *b;\n"
    "    double x, t;\n"
    "    if (pair->band_rows < 2 || !(speed > 0))\n"
    "        return 0;\n"
    "    x = log(speed);\n"
    "    if (x < pair->band[0][0] - rounding ||\n"
    "        x > pair->band[pair->band_rows - 1][0] + rounding)\n"
    "        return 0;\n"
    "    a = pair->band[contactfit_row(pair->band, pair->band_rows, x)];\n"
    "    b = a + 3;\n"
    "    t = (x - a[0]) / (b[0] - a[0]);\n"
    "    *low = a[1] + t * (b[1] - a[1]);\n"
    "    *high = a[2] + t * (b[2] - a[2]);\n"
    "    return 1;\n"
    "}\n"
    "\n"
    "#elif CONTACTFIT_RESTITUTION != 1\n"
    "#error \"headers of contactfits that do not go together: export them all with one\"\n"
    "#endif\n";

/* Bytes beyond ASCII as three octal digits, which no digit behind them can join; a question mark so
 * that no three characters spell another one. */
static void text(const char *value, FILE *out)
{
    fputc('"', out);
    for (; *value; value++) {
        unsigned char c = (unsigned char) *value;
        if (c < ' ' || c > '~')
            fprintf(out, "\\%03o", c);
        else if (strchr("\"\\?", c))
            fprintf(out, "\\%c", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void functions(const char *name, FILE *out)
{
    fprintf(out,
            "/* e at a speed of approach [m/s]: contactfit_e() above. */\n"
            "static inline double %s_e(double speed)\n{\n"
            "    return contactfit_e(&contactfit_pair_%s, speed);\n}\n\n"
            "/* 1: the speed is among those that were fitted; 0: EXTRAPOLATED. */\n"
            "static inline int %s_is_fitted(double speed)\n{\n"
            "    return contactfit_is_fitted(&contactfit_pair_%s, speed);\n}\n\n"
            "/* 1 and the ends of the confidence band, or 0 where there is none. */\n"
            "static inline int %s_band(double speed, double *low, double *high)\n{\n"
            "    return contactfit_band(&contactfit_pair_%s, speed, low, high);\n}\n",
            name, name, name, name, name, name);
}

static void pair(const struct cf_mapping *m, const struct cf_e_code *code, FILE *out)
{
    const struct cf_material *material = m->material;
    size_t band = cf_e_code_band_rows(material);
    const char *name = code->name;

    fputc('\n', out);
    cf_e_code_head(m, code, out);
    fprintf(out, "\nstatic const double contactfit_rows_%s[][3] = {\n", name);
    cf_e_code_rows(&code->table, "    {", "},\n", out);
    fprintf(out, "};\n");
    if (band) {
        fprintf(out, "static const double contactfit_band_rows_%s[][3] = {\n", name);
        cf_e_code_band(material, "    {", "},\n", out);
        fprintf(out, "};\n");
    }
    fprintf(out, "static const struct contactfit_restitution contactfit_pair_%s = {\n    ", name);
    text(material->name, out);
    fputs(", ", out);
    text(material->body[0].name, out);
    fputs(", ", out);
    text(material->body[1].name, out);
    fputs(", ", out);
    text(material->body[0].material, out);
    fputs(", ", out);
    text(material->body[1].material, out);
    fputs(", ", out);
    cf_e_code_speeds(material, out);
    fprintf(out, ", %zu, %zu, contactfit_rows_%s, %s%s\n};\n\n", code->table.n, band, name,
            band ? "contactfit_band_rows_" : "0", band ? name : "");
    functions(name, out);
}

static const char lookup[] =
    "    0,\n"
    "};\n"
    "\n"
    "static inline int contactfit_same(const char *a, const char *b)\n"
    "{\n"
    "    for (; *a && *a == *b; a++)\n"
    "        b++;\n"
    "    return *a == *b;\n"
    "}\n"
    "\n"
    "static inline int contactfit_is_called(const char *body, const char *material,\n"
    "                                       const char *name)\n"
    "{\n"
    "    return contactfit_same(body, name) || (*material && contactfit_same(material, name));\n"
    "}\n"
    "\n"
    "/* The pair of two bodies, by their names or those of their materials, in either order;\n"
    " * 0 where there is none, or more than one. */\n"
    "static inline const struct contactfit_restitution *contactfit_find(const char *one,\n"
    "                                                                   const char *other)\n"
    "{\n"
    "    const struct contactfit_restitution *found = 0;\n"
    "    int i, n = 0;\n"
    "    for (i = 0; contactfit_pairs[i]; i++) {\n"
    "        const struct contactfit_restitution *p = contactfit_pairs[i];\n"
    "        if ((contactfit_is_called(p->body_1, p->material_1, one) &&\n"
    "             contactfit_is_called(p->body_2, p->material_2, other)) ||\n"
    "            (contactfit_is_called(p->body_1, p->material_1, other) &&\n"
    "             contactfit_is_called(p->body_2, p->material_2, one))) {\n"
    "            found = p;\n"
    "            n++;\n"
    "        }\n"
    "    }\n"
    "    return n == 1 ? found : 0;\n"
    "}\n";

/* Of many pairs. Two headers that had it could not go together, and one pair is called by name. */
static void find(const struct cf_mapping *const m[], const struct cf_e_code code[], size_t n,
                 FILE *out)
{
    fputc('\n', out);
    cf_e_code_not_found(m, code, n, out);
    fprintf(out, "static const struct contactfit_restitution *const contactfit_pairs[] = {\n");
    for (size_t i = 0; i < n; i++)
        fprintf(out, "    &contactfit_pair_%s,\n", code[i].name);
    fputs(lookup, out);
}

/* Of what the header says, in eight digits (FNV-1a): a guard that no other header has. */
static uint32_t add(uint32_t hash, const void *data, size_t size)
{
    const unsigned char *byte = data;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT32_C(16777619);
    return hash;
}

static uint32_t hash_of(const struct cf_mapping *const m[], const struct cf_e_code code[], size_t n)
{
    uint32_t hash = UINT32_C(2166136261);

    for (size_t i = 0; i < n; i++) {
        hash = add(hash, m[i]->material->sha256, strlen(m[i]->material->sha256));
        hash = add(hash, code[i].name, strlen(code[i].name));
        for (size_t j = 0; j < code[i].table.n; j++)
            hash = add(hash, &code[i].table.row[j].e, sizeof(double));
    }
    return hash;
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    struct cf_e_code *code;

    int status = cf_e_code_make(m, n, &code, err);
    if (status)
        return status;
    uint32_t hash = hash_of(m, code, n);
    fprintf(out,
            "// e(v), the coefficient of restitution over the speed of approach: C99 and C++\n"
            "#ifndef CONTACTFIT_E_%08" PRIX32 "\n#define CONTACTFIT_E_%08" PRIX32 "\n\n%s",
            hash, hash, shared);
    for (size_t i = 0; i < n; i++)
        pair(m[i], &code[i], out);
    if (n > 1)
        find(m, code, n, out);
    fputs("\n#endif\n", out);
    cf_e_code_free(code, n);
    return CF_OK;
}

/* The touch as an engine does it: a step that begins in touch turns the speed round. */
static const char drop_source[] =
    "#include \"export.h\"\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "int main(int n, char **arg)\n"
    "{\n"
    "    double x = -atof(arg[3]), v = atof(arg[4]), h = atof(arg[5]); /* 1, 2: R, m */\n"
    "    long i, steps = atol(arg[6]);\n"
    "    FILE *out = fopen(\"trajectory\", \"w\");\n"
    "    if (!out || n < 7)\n"
    "        return 1;\n"
    "    for (i = 0; i <= steps; i++) {\n"
    "        fprintf(out, \"%.17g %.17g %.17g\\n\", (double) i * h, x, v);\n"
    "        if (x > 0 && v > 0)\n"
    "            v *= -E(v);\n"
    "        x += h * v;\n"
    "    }\n"
    "    return fclose(out) != 0;\n"
    "}\n";

/* The function that the header ends in has the name of the fit. */
static const char drop_script[] =
    "set -e\n"
    "cd \"$1\"\n"
    "name=$(sed -n 's/^static inline double \\([A-Za-z0-9_]*_e\\)(double speed)$/\\1/p' export.h)\n"
    "test -x drop ||\n"
    "    cc -std=c99 -pedantic -Wall -Wextra -Werror -DE=\"$name\" -o drop drop.c -lm\n"
    "shift\n"
    "exec ./drop \"$@\"\n";

static const char *const shell[] = {"sh", NULL};

static const struct cf_runner runner = {
    .install = "apt-get install gcc libc6-dev",
    .command = shell,
    .also = "cc",
    .file = "export.h",
    .script = "drop.sh",
    .source = drop_script,
    .module = "drop.c",
    .module_source = drop_source,
};

const struct cf_target cf_target_c_header = {
    CF_E_CODE,
    .name = "c-header",
    .title = "C",
    .what = "C99 and C++: a header with e at each speed, for engines that take e at the touch",
    .checked = "run by --verify: a C compiler, apt-get install gcc libc6-dev",
    .comment = {"// ", ""},
    .write = write,
    .runner = &runner,
};
