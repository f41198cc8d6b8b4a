/* cc -std=c11 identify.c -o identify $(pkg-config --cflags --libs contactfit) */

#include <contactfit/document/fit.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
    struct cf_error err = {""};
    struct cf_study *study = argc > 1 ? cf_study_read(argv[1], NULL, &err) : NULL;
    struct cf_document *fit = study ? cf_study_fit(study, NULL, &err) : NULL;
    const char *name;

    if (!fit) {
        fprintf(stderr, "identify: %s\n", argc > 1 ? err.text : "a study is wanted");
        cf_study_free(study);
        return 1;
    }
    printf("%s: %s\n", cf_document_verdict(fit), cf_document_summary(fit));
    for (size_t i = 0; (name = cf_document_parameter(fit, i)); i++)
        printf("%-20s %-9s %.4g [%.4g, %.4g] %s (%s)\n", name, cf_document_role(fit, name),
               cf_document_value(fit, name), cf_document_low(fit, name),
               cf_document_high(fit, name), cf_document_unit(fit, name),
               cf_document_worth(fit, name));
    cf_document_free(fit);
    cf_study_free(study);
    return 0;
}
