#include "sound/recording.h"

#include <math.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/file_system.h"

struct cf_recording {
    SNDFILE *file;
    char *path;
    struct cf_recording_info info;
    unsigned long long read; /* samples of the channel so far */
    double *block;           /* CF_RECORDING_BLOCK frames of all channels */
};

/* ---- what kind of file it is */

/* A WAV, whose head holds the bytes that follow it, as far as that is known: 0 and all ones are
 * what recorders write that cannot go back to the head. */
static unsigned long long missing_bytes(const char *path, unsigned long long size)
{
    unsigned char head[8] = {0};
    size_t n = 0;
    int file;
    unsigned long long told;

    if (cf_file_open(path, &file))
        return 0;
    if (cf_file_read_at(file, 0, (char *) head, sizeof head, &n))
        n = 0;
    cf_file_close(file);
    if (n < sizeof head || memcmp(head, "RIFF", 4) != 0)
        return 0;
    told = head[4] | (unsigned long long) head[5] << 8 | (unsigned long long) head[6] << 16 |
           (unsigned long long) head[7] << 24;
    if (told == 0 || told == 0xffffffff || told + 8 <= size)
        return 0;
    return told + 8 - size;
}

/* Bits of the whole numbers that an encoding holds; 0 for all others. */
static int bits_of(int format)
{
    static const struct {
        int encoding, bits;
    } row[] = {
        {SF_FORMAT_PCM_S8, 8},  {SF_FORMAT_PCM_U8, 8},  {SF_FORMAT_PCM_16, 16},
        {SF_FORMAT_PCM_24, 24}, {SF_FORMAT_PCM_32, 32},
    };

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        if ((format & SF_FORMAT_SUBMASK) == row[i].encoding)
            return row[i].bits;
    return 0;
}

static bool is_exact(int format)
{
    int encoding = format & SF_FORMAT_SUBMASK;

    return bits_of(format) || encoding == SF_FORMAT_FLOAT || encoding == SF_FORMAT_DOUBLE ||
           encoding == SF_FORMAT_ALAC_16 || encoding == SF_FORMAT_ALAC_20 ||
           encoding == SF_FORMAT_ALAC_24 || encoding == SF_FORMAT_ALAC_32;
}

static void describe(int format, char text[], size_t size)
{
    SF_FORMAT_INFO container = {.format = format & SF_FORMAT_TYPEMASK};
    SF_FORMAT_INFO encoding = {.format = format & SF_FORMAT_SUBMASK};

    sf_command(NULL, SFC_GET_FORMAT_INFO, &container, sizeof container);
    sf_command(NULL, SFC_GET_FORMAT_INFO, &encoding, sizeof encoding);
    snprintf(text, size, "%s, %s", container.name ? container.name : "unnamed format",
             encoding.name ? encoding.name : "unnamed encoding");
}

/* ---- opening */

/* libsndfile ends the process where it has no memory for the state of a FLAC. More than that of the
 * largest blocks is asked for before, so that the want of it is an error. */
enum { SPARE = 8 << 20 };

static bool has_spare_memory(void)
{
    void *volatile spare = malloc(SPARE); /* volatile: compilers leave out what is only freed */

    free(spare);
    return spare != NULL;
}

static int check_channel(const char *path, size_t channels, size_t channel, struct cf_error *err)
{
    if (channel == 0 && channels > 1)
        return cf_fail(err, CF_EINPUT,
                       "%s: %zu channels: state which one has the impacts: channel: 1 to %zu", path,
                       channels, channels);
    if (channel > channels)
        return cf_fail(err, CF_EINPUT, "%s: channel: %zu: it has %zu channel%s", path, channel,
                       channels, channels == 1 ? "" : "s");
    return CF_OK;
}

static int check_file(const char *path, struct cf_file_state *state, struct cf_error *err)
{
    int code = cf_file_state(path, state);

    if (code)
        return cf_fail(err, CF_EIO, "%s: %s", path, strerror(code));
    if (state->kind != CF_FILE_REGULAR)
        return cf_fail(err, CF_EIO, "%s: no file: a recording is read twice, from a file", path);
    if (state->size == 0)
        return cf_fail(err, CF_EINPUT, "%s: the file is empty", path);
    return CF_OK;
}

static int open_file(struct cf_recording *r, const char *path, size_t channel, struct cf_error *err)
{
    struct cf_file_state state;
    SF_INFO info = {0};
    int status = check_file(path, &state, err), bits;

    if (status)
        return status;
    if (!has_spare_memory())
        return cf_fail(err, CF_ENOMEM, "%s: no memory to read it", path);
    r->file = sf_open(path, SFM_READ, &info);
    if (!r->file)
        return cf_fail(err, CF_EINPUT, "%s: no sound file (WAV, FLAC, OGG): %s", path,
                       sf_strerror(NULL));
    if (info.channels < 1 || info.samplerate < 1)
        return cf_fail(err, CF_EINPUT, "%s: %d channels at %d samples a second: nothing to be read",
                       path, info.channels, info.samplerate);
    status = check_channel(path, (size_t) info.channels, channel, err);
    if (status)
        return status;
    bits = bits_of(info.format);
    r->info = (struct cf_recording_info){
        .rate_Hz = info.samplerate,
        .channels = (size_t) info.channels,
        .channel = channel ? channel : 1,
        .step = bits ? ldexp(1, 1 - bits) : 0,
        .lossy = !is_exact(info.format),
        .frames = info.frames > 0 ? (unsigned long long) info.frames : 0,
        .missing = missing_bytes(path, state.size),
    };
    describe(info.format, r->info.format, sizeof r->info.format);
    if (r->info.frames == 0)
        return cf_fail(err, CF_EINPUT, "%s: a sound file (%s) without any sample", path,
                       r->info.format);
    return CF_OK;
}

bool cf_is_sound(const char *path)
{
    static const char *const ends[] = {".wav",  ".flac", ".ogg", ".oga", ".opus",
                                       ".aiff", ".aif",  ".au",  ".caf", ".w64"};
    size_t n = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (n > strlen(ends[i]) && strcasecmp(path + n - strlen(ends[i]), ends[i]) == 0)
            return true;
    return false;
}

int cf_recording_open(const char *path, size_t channel, struct cf_recording **recording,
                      struct cf_error *err)
{
    struct cf_recording *r = calloc(1, sizeof *r);
    int status = r ? open_file(r, path, channel, err)
                   : cf_fail(err, CF_ENOMEM, "%s: no memory to read it", path);

    *recording = NULL;
    if (!status) {
        r->path = malloc(strlen(path) + 1);
        r->block = malloc(CF_RECORDING_BLOCK * r->info.channels * sizeof *r->block);
        if (!r->path || !r->block)
            status = cf_fail(err, CF_ENOMEM, "%s: no memory to read %zu channels", path,
                             r->info.channels);
    }
    if (status) {
        cf_recording_close(r);
        return status;
    }
    memcpy(r->path, path, strlen(path) + 1);
    *recording = r;
    return CF_OK;
}

void cf_recording_close(struct cf_recording *r)
{
    if (!r)
        return;
    if (r->file)
        sf_close(r->file);
    free(r->path);
    free(r->block);
    free(r);
}

const struct cf_recording_info *cf_recording_info(const struct cf_recording *r)
{
    return &r->info;
}

int cf_recording_read(struct cf_recording *r, double sample[CF_RECORDING_BLOCK], size_t *n,
                      struct cf_error *err)
{
    const double most = pow(10, CF_RECORDING_MOST_dB / 20);
    sf_count_t frames = sf_readf_double(r->file, r->block, CF_RECORDING_BLOCK);
    size_t stride = r->info.channels, first = r->info.channel - 1;

    *n = 0;
    if (sf_error(r->file) != SF_ERR_NO_ERROR)
        return cf_fail(err, CF_EINPUT,
                       "%s: damaged or cut short: it cannot be decoded behind %.6g s: %s", r->path,
                       (double) r->read / r->info.rate_Hz, sf_strerror(r->file));
    for (size_t i = 0; i < (size_t) frames; i++) {
        sample[i] = r->block[i * stride + first];
        if (!isfinite(sample[i]))
            return cf_fail(err, CF_EINPUT, "%s: sample %llu, at %.6g s, is %s: no finite number",
                           r->path, r->read + i + 1, (double) (r->read + i) / r->info.rate_Hz,
                           isnan(sample[i]) ? "NaN" : "infinite");
        if (fabs(sample[i]) > most)
            return cf_fail(err, CF_EINPUT,
                           "%s: sample %llu, at %.6g s, is %g: must be in [-%g, %g], in parts of "
                           "full scale: divide all samples by the greatest of them",
                           r->path, r->read + i + 1, (double) (r->read + i) / r->info.rate_Hz,
                           sample[i], most, most);
    }
    *n = (size_t) frames;
    r->read += *n;
    return CF_OK;
}

int cf_recording_rewind(struct cf_recording *r, struct cf_error *err)
{
    r->read = 0;
    if (sf_seek(r->file, 0, SEEK_SET) != 0)
        return cf_fail(err, CF_EINPUT, "%s: it cannot be read from the start again: %s", r->path,
                       sf_strerror(r->file));
    return CF_OK;
}
