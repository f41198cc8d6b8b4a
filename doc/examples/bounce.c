/* cc -std=c11 bounce.c -o bounce $(pkg-config --cflags --libs contactfit) */

#include <contactfit/impact/impact.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const struct cf_named given[] = {{"k", 1e10}, {"lambda", 1e5}}; /* N/m^1.5, N s/m^1.5 */
    const struct cf_contact contact = {.depth_m = 1e-4, .rate_m_s = 0.5};
    const struct cf_law *law;
    double p[CF_MAX_PARAM], answer[CF_NIMPACT], mass_kg = 0.066, speed_m_s = 5;
    struct cf_error err;

    if (cf_law_get("azad-featherstone", &law, &err) ||
        cf_law_params(law, given, 2, NAN, 0, p, &err) ||
        cf_impact_integrate(law, p, mass_kg, speed_m_s, 1e-12, answer, &err)) {
        fprintf(stderr, "bounce: %s\n", err.text);
        return 1;
    }
    printf("force %.9g N\n", law->force(law, p, &contact));
    printf("restitution %.9f\n", answer[CF_IMPACT_RESTITUTION]);
    return 0;
}
