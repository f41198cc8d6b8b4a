/* A high-pass filter that runs along with the samples. */

#ifndef CF_SOUND_FILTER_H
#define CF_SOUND_FILTER_H

enum { CF_FILTER_SECTIONS = 2 };

/* Butterworth of order 4, two sections of order 2 by the bilinear transform with the cutoff kept
 * (A. V. Oppenheim and R. W. Schafer, Discrete-Time Signal Processing, 7.3). It is causal: where a
 * sound sets in, its output does, and not before. A filter run forth and back would move onsets. */
struct cf_filter {
    struct cf_filter_section {
        double b0, a1, a2; /* H(z) = b0 (1 - z^-1)^2/(1 + a1 z^-1 + a2 z^-2) */
        double s1, s2;     /* state, transposed direct form II */
    } section[CF_FILTER_SECTIONS];
};

/* At rest, as after an endless time at the level `start`: an offset makes no onset. Needs
 * 0 < cutoff_Hz < rate_Hz/2. */
void cf_filter_init(struct cf_filter *filter, double cutoff_Hz, double rate_Hz, double start);

/* The next sample, filtered. */
double cf_filter_next(struct cf_filter *filter, double sample);

#endif
