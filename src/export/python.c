/* Python: a module of the standard library's own means, with e(v) of one pair or of many. */

#include <string.h>

#include "export/e_code.h"
#include "export/rows.h"

/* A comment of the first two lines could name another encoding: those are ours. */
static const char shared[] =
    "\"\"\"e(v), the coefficient of restitution over the speed of approach.\n"
    "\n"
    "NAME_e(speed), NAME_is_fitted(speed), NAME_band(speed) of each pair; find(one, other).\n"
    "\"\"\"\n"
    "from bisect import bisect_right\n"
    "from math import log\n"
    "\n"
    "\n"
    "class Restitution:\n"
    "    \"\"\"e(v) of two bodies; rows ascend in the logarithm of the speed.\"\"\"\n"
    "\n"
    "    def __init__(self, fit, bodies, materials, speeds, row, band):\n"
    "        self.fit = fit\n"
    "        self.bodies = bodies\n"
    "        self.materials = materials  # of the bodies; '': not named\n"
    "        self.speeds = speeds  # that were fitted [m/s]; (0, 0): none\n"
    "        self._row = row  # ln(v/(m/s)), e, de/d ln v\n"
    "        self._band = band  # ln(v/(m/s)), lowest e, highest e\n"
    "        self._place = [r[0] for r in row]\n"
    "        self._band_place = [r[0] for r in band]\n"
    "\n"
    "    def e(self, speed):\n"
    "        \"\"\"e at a speed of approach [m/s].\n"
    "\n"
    "        Below and beyond the table, and for speeds that are not above 0, e of its first and\n"
    "        of its last row; of a speed that is no number, no number.\n"
    "        \"\"\"\n"
    "        if speed != speed:\n"
    "            return speed\n"
    "        first, last = self._row[0], self._row[-1]\n"
    "        x = log(speed) if speed > 0 else first[0]\n"
    "        if x <= first[0] or x >= last[0]:\n"
    "            return first[1] if x <= first[0] else last[1]\n"
    "        i = bisect_right(self._place, x)\n"
    "        a, b = self._row[i - 1], self._row[i]\n"
    "        h = b[0] - a[0]\n"
    "        t = (x - a[0]) / h\n"
    "        s = 1 - t\n"
    "        return (s * s * (a[1] * (1 + 2 * t) + h * t * a[2])\n"
    "                + t * t * (b[1] * (3 - 2 * t) - h * s * b[2]))\n"
    "\n"
    "    def is_fitted(self, speed):\n"
    "        \"\"\"Is the speed among those that were fitted? Else e is EXTRAPOLATED there.\"\"\"\n"
    "        return speed > 0 and self.speeds[0] <= speed <= self.speeds[1]\n"
    "\n"
    "    def band(self, speed):\n"
    "        \"\"\"Ends of the fit's confidence band of e; None where it has none.\"\"\"\n"
    "        rounding = 1e-9\n"
    "        row, place = self._band, self._band_place\n"
    "        if len(row) < 2 or not speed > 0:\n"
    "            return None\n"
    "        x = log(speed)\n"
    "        if x < place[0] - rounding or x > place[-1] + rounding:\n"
    "            return None\n"
    "        i = min(max(bisect_right(place, x), 1), len(row) - 1)\n"
    "        a, b = row[i - 1], row[i]\n"
    "        t = (x - a[0]) / (b[0] - a[0])\n"
    "        return a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])\n";

static void text(const char *value, FILE *out)
{
    fputc('"', out);
    for (; *value; value++) {
        if (strchr("\"\\", *value))
            fputc('\\', out);
        fputc(*value, out);
    }
    fputc('"', out);
}

static void pair(const struct cf_mapping *m, const struct cf_e_code *code, FILE *out)
{
    const struct cf_material *material = m->material;
    const char *name = code->name;

    fputs("\n\n", out);
    cf_e_code_head(m, code, out);
    fprintf(out, "_pair_%s = Restitution(\n    ", name);
    text(material->name, out);
    fputs(", (", out);
    text(material->body[0].name, out);
    fputs(", ", out);
    text(material->body[1].name, out);
    fputs("), (", out);
    text(material->body[0].material, out);
    fputs(", ", out);
    text(material->body[1].material, out);
    fputs("), (", out);
    cf_e_code_speeds(material, out);
    fputs("),\n    [\n", out);
    cf_e_code_rows(&code->table, "        (", "),\n", out);
    fputs("    ],\n    [\n", out);
    if (cf_e_code_band_rows(material))
        cf_e_code_band(material, "        (", "),\n", out);
    fprintf(out,
            "    ])\n\n\ndef %s_e(speed):\n"
            "    \"\"\"e at a speed of approach [m/s]: Restitution.e().\"\"\"\n"
            "    return _pair_%s.e(speed)\n\n\n"
            "def %s_is_fitted(speed):\n"
            "    \"\"\"Is the speed among those that were fitted? Else e is EXTRAPOLATED.\"\"\"\n"
            "    return _pair_%s.is_fitted(speed)\n\n\n"
            "def %s_band(speed):\n"
            "    \"\"\"Ends of the confidence band of e; None where there is none.\"\"\"\n"
            "    return _pair_%s.band(speed)\n",
            name, name, name, name, name, name);
}

static void find(const struct cf_mapping *const m[], const struct cf_e_code code[], size_t n,
                 FILE *out)
{
    fputs("\n\n", out);
    cf_e_code_not_found(m, code, n, out);
    fputs("_pairs = [", out);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "_pair_%s, ", code[i].name);
    fputs("]\n\n\n"
          "def find(one, other):\n"
          "    \"\"\"The Restitution of two bodies, by their names or those of their materials.\n\n"
          "    In either order; None where there is none, or more than one.\n"
          "    \"\"\"\n"
          "    found = []\n"
          "    for pair in _pairs:\n"
          "        a, b = ({body, material} - {''} | {body}\n"
          "                for body, material in zip(pair.bodies, pair.materials))\n"
          "        if (one in a and other in b) or (other in a and one in b):\n"
          "            found.append(pair)\n"
          "    return found[0] if len(found) == 1 else None\n",
          out);
}

static int write(const struct cf_mapping *const m[], size_t n, FILE *out, struct cf_error *err)
{
    struct cf_e_code *code;

    int status = cf_e_code_make(m, n, &code, err);
    if (status)
        return status;
    fputs(shared, out);
    for (size_t i = 0; i < n; i++)
        pair(m[i], &code[i], out);
    find(m, code, n, out);
    cf_e_code_free(code, n);
    return CF_OK;
}

/* The touch as an engine does it: a step that begins in touch turns the speed round. */
static const char drop_source[] =
    "import sys\n"
    "sys.dont_write_bytecode = True\n"
    "folder, R, m, gap, v, h, steps = sys.argv[1:8]\n"
    "sys.path.insert(0, folder)\n"
    "import export\n"
    "e, = [f for name, f in vars(export).items() if name.endswith('_e')]\n"
    "x, v, h = -float(gap), float(v), float(h)\n"
    "with open(folder + '/trajectory', 'w') as out:\n"
    "    for i in range(int(steps) + 1):\n"
    "        print(i * h, x, v, file=out)\n"
    "        if x > 0 and v > 0:\n"
    "            v *= -e(v)\n"
    "        x += h * v\n";

static const char *const python[] = {"python3", NULL};

static const struct cf_runner runner = {
    .install = "apt-get install python3",
    .command = python,
    .file = "export.py",
    .script = "drop.py",
    .source = drop_source,
};

const struct cf_target cf_target_python = {
    CF_E_CODE,
    .name = "python",
    .title = "Python",
    .what = "a module with e at each speed, for engines that take e at the touch",
    .checked = "run by --verify: Python 3, apt-get install python3",
    .comment = {"# ", ""},
    .write = write,
    .runner = &runner,
};
