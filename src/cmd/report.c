/* contactfit report: the pages of fits. */

#include <stdint.h>
#include <stdlib.h>

#include "cmd/commands.h"
#include "cmd/output_path.h"
#include "core/file.h"
#include "report/page.h"
#include "study/fitfile.h"

static const struct cf_option options[] = {
    {"output", 'o', "DIR", "write into DIR and not beside the fit file"},
};

static int write_page(const json_t *fit, const char *target, struct cf_error *err)
{
    struct cf_output *out = cf_output_open(target, err);
    if (!out)
        return CF_EIO;
    int status = cf_page_write(fit, cf_output_stream(out), err);
    if (status) {
        cf_output_discard(out);
        return status;
    }
    return cf_output_commit(out, err);
}

static int run(const struct cf_arguments *args, struct cf_error *err)
{
    for (size_t i = 0; i < args->noperand; i++) {
        const char *path = args->operand[i];
        json_t *fit;
        int status = cf_fitfile_read(path, &fit, err);
        if (status)
            return status;
        char *target = cf_output_path(path, cf_argument(args, "output"), ".html");
        status = target ? write_page(fit, target, err)
                        : cf_fail(err, CF_ENOMEM, "%s: out of memory", path);
        if (!status && !cf_flag(args, "quiet"))
            fprintf(stderr, "wrote %s\n", target);
        free(target);
        json_decref(fit);
        if (status)
            return status;
    }
    return CF_OK;
}

const struct cf_command cf_command_report = {
    .name = "report",
    .synopsis = "FIT.json... [-o DIR]",
    .what = "write the pages of fits",
    .help =
        "Writes FIT.html beside each fit file, or in DIR, and says so on standard error. A page\n"
        "is one file that loads nothing else; gnuplot draws its figures.\n",
    .noption = sizeof options / sizeof options[0],
    .option = options,
    .min_operand = 1,
    .max_operand = SIZE_MAX,
    .run = run,
};
