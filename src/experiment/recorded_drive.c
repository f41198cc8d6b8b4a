#include "experiment/recorded_drive.h"

#include <stdlib.h>

struct cf_recorded_drive *cf_recorded_drive_make(size_t npiece)
{
    struct cf_recorded_drive *drive = calloc(1, sizeof *drive);

    if (!drive)
        return NULL;
    drive->piece = calloc(npiece + 1, sizeof *drive->piece);
    drive->npiece = npiece;
    if (drive->piece)
        return drive;
    free(drive);
    return NULL;
}

struct cf_recorded_drive *cf_recorded_drive_share(struct cf_recorded_drive *drive)
{
    if (drive)
        drive->shared++;
    return drive;
}

void cf_recorded_drive_release(struct cf_recorded_drive *drive)
{
    if (!drive || drive->shared--)
        return;
    for (size_t i = 0; i < drive->npiece; i++) {
        cf_smoothing_free(drive->piece[i].driven);
        cf_smoothing_free(drive->piece[i].load);
    }
    free(drive->piece);
    free(drive);
}

const struct cf_drive_piece *cf_recorded_drive_at(const struct cf_recorded_drive *drive,
                                                  double time_s)
{
    size_t low = 0, high = drive->npiece;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (time_s < drive->piece[middle].from_s)
            high = middle;
        else
            low = middle;
    }
    return &drive->piece[low];
}
