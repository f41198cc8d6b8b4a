/* The CSV reader and its numbers on spoiled files, and what is seen of tables as they go by.
 *
 * seeds: data csv
 * seeds: t/bad/good csv
 * words: core study
 */

#include "study/csv.h"
#include "study/survey.h"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char delimiter[] = {',', ';', '\t', ','}, decimal[] = {'.', ',', '.', '.'};
    struct cf_error err = {""};
    size_t variant = size ? data[size - 1] % 4 : 0;

    write_input("fuzz-input.csv", data, size);
    struct cf_csv *csv =
        cf_csv_read("fuzz-input.csv", delimiter[variant], decimal[variant], CF_CSV_MEMORY, &err);
    if (csv) {
        double value;
        for (size_t i = 0; i < csv->nrow; i++)
            for (size_t j = 0; j < csv->ncolumn; j++)
                cf_csv_number(csv, i, j, &value, &err);
    }
    cf_csv_free(csv);
    struct cf_survey survey;
    cf_survey_read(&survey, "fuzz-input.csv", delimiter[variant], decimal[variant], &err);
    cf_survey_clear(&survey);
    return 0;
}
