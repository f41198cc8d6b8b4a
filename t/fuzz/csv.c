/* The CSV reader and its numbers on spoiled files, and what is seen of tables as they go by.
 *
 * seeds: data csv
 * seeds: t/bad/good csv
 * words: core study
 */

#include "file/csv.h"
#include "file/layout.h"
#include "study/guess.h"
#include "study/survey.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct cf_csv_form forms[] = {
        {',', '.', 0, false}, {';', ',', 0, false}, {'\t', '.', 0, true},
        {',', '.', 2, false}, {',', '.', 3, true},
    };
    struct cf_error err = {""};
    struct cf_csv_form form = forms[size ? data[size - 1] % (sizeof forms / sizeof *forms) : 0];

    write_input("fuzz-input.csv", data, size);
    struct cf_csv *csv = cf_csv_read("fuzz-input.csv", &form, CF_CSV_MEMORY, &err);
    if (csv) {
        double value;
        for (size_t i = 0; i < csv->nrow; i++)
            for (size_t j = 0; j < csv->ncolumn; j++)
                cf_csv_number(csv, i, j, &value, &err);
    }
    cf_csv_free(csv);
    struct cf_survey survey = {.head = NULL};
    static const struct cf_csv_form nothing;
    static struct cf_layout layout;
    if (cf_layout_guess("fuzz-input.csv", &nothing, 0, &layout, &err) == CF_OK &&
        cf_survey_read(&survey, "fuzz-input.csv", &layout.form, 0, &err) == CF_OK)
        for (const struct cf_protocol *const *p = cf_protocols; *p; p++) {
            struct cf_guess guess;
            cf_guess_columns(survey.head, *p, &guess);
        }
    cf_survey_clear(&survey);
    cf_layout_clear(&layout);
    return 0;
}
