/* Makes the synthetic recording that ships, FOLDER/NAME.flac, and what is known of it,
 * FOLDER/NAME_truth.csv: bench/recording FOLDER/NAME */

#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>

#include "../t/lib/ball_sound.h"

static void write_head(const struct ball_sound *s, const struct ball_record *r, FILE *out)
{
    fprintf(out,
            "# SYNTHETIC: no ball was dropped and nothing was recorded. This is what is known of\n"
            "# synthetic_bounce_recording.flac, which was computed by the project (make recording; "
            "t/lib/ball_sound.c)\n"
            "# licence: as of the project, GPL-3.0-or-later\n"
            "# what: %zu throws from %g m, in vacuum, at %g m/s^2; e = %g (v / 1 m/s)^-%g with a "
            "scatter of sd %g\n"
            "# at each impact; impacts take no time; a throw ends where the flight falls below %g "
            "s\n",
            s->throws, s->drop_m, s->gravity_m_s2, s->e_at_1, s->q, s->e_scatter, s->shortest_s);
    fprintf(out,
            "# sound: %g samples a second, %.6g s, rounded to %g; rings of 2.3, 4.9 and 8.7 kHz "
            "that set in at once,\n"
            "# of 4, 2.5 and 1.2 ms; as loud as the impact is fast, peak %g of full scale at the "
            "first of a throw\n"
            "# (more than 1 is clipped); white noise %g dB below the loudest 0.5 ms of that; hum "
            "of %g at 50 and 150 Hz; seed %llu\n"
            "# time_s: from the first sample; peak: of the ring, before noise and clipping\n"
            "throw,time_s,speed_m_s,restitution,peak\n",
            s->rate_Hz, (double) r->n / s->rate_Hz, s->step, s->peak, s->snr_dB, s->hum,
            (unsigned long long) s->seed);
}

static int write_truth(const char *path, const struct ball_sound *s, const struct ball_record *r)
{
    FILE *out = fopen(path, "w");

    if (!out)
        return 1;
    write_head(s, r, out);
    for (size_t i = 0; i < r->nimpact; i++) {
        const struct ball_impact *impact = &r->impact[i];
        fprintf(out, "%zu,%.7f,%.6f,%.6f,%.4f\n", impact->throw, impact->time_s, impact->speed_m_s,
                impact->e, impact->peak);
    }
    return fclose(out) != 0;
}

int main(int argc, char *argv[])
{
    struct ball_sound sound = ball_sound_shipped();
    struct ball_record record;
    char path[4096];
    int failed;

    if (argc != 2) {
        fprintf(stderr, "usage: bench/recording FOLDER/NAME\n");
        return 2;
    }
    ball_record_make(&sound, &record);
    snprintf(path, sizeof path, "%s.flac", argv[1]);
    ball_record_write(path, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, record.rate_Hz, 1, record.sample,
                      record.n);
    snprintf(path, sizeof path, "%s_truth.csv", argv[1]);
    failed = write_truth(path, &sound, &record);
    if (failed)
        fprintf(stderr, "%s: cannot be written\n", path);
    ball_record_clear(&record);
    return failed;
}
