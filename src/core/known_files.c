#include "core/file.h"

#include <string.h>

#define PICTURE "a picture: read the numbers off it, as with WebPlotDigitizer, and save them as CSV"

static const struct {
    const char *bytes;
    size_t n, at;
    const char *what;
} known[] = {
    {"PK\x03\x04", 4, 0,
     "a spreadsheet (.xlsx, .ods) or another archive: save the sheet as CSV, or run "
     "libreoffice --convert-to csv FILE"},
    {"\xD0\xCF\x11\xE0", 4, 0,
     "a spreadsheet (.xls) or another document of Microsoft Office: save the sheet as CSV, or run "
     "libreoffice --convert-to csv FILE"},
    {"MATLAB 5.0", 10, 0,
     "variables of Matlab: in Matlab or Octave run load FILE; csvwrite('table.csv', VARIABLE)"},
    {"MATLAB 7.3", 10, 0,
     "variables of Matlab: in Matlab run load FILE; writematrix(VARIABLE, 'table.csv')"},
    {"\x89HDF\r\n\x1a\n", 8, 0,
     "HDF5: run h5dump -d DATASET -y -w 0 -o table.txt FILE, or pandas.read_hdf(FILE).to_csv() in "
     "Python"},
    {"\x89MCAP0\r\n", 8, 0,
     "a recording in MCAP: play it with ros2 bag play FILE, and beside it run "
     "ros2 topic echo --csv TOPIC >table.csv"},
    {"#ROSBAG V", 9, 0, "a bag of ROS: run rostopic echo -b FILE -p TOPIC >table.csv"},
    {"SQLite format 3", 15, 0,
     "a data base of SQLite (a bag of ROS 2 is one: play it with ros2 bag play FILE, and beside it "
     "run ros2 topic echo --csv TOPIC >table.csv)"},
    {"TDSm", 4, 0, "TDMS of LabVIEW: run tdmsinfo and nptdms's to_csv, or export it from DIAdem"},
    {"PAR1", 4, 0, "Parquet: run pandas.read_parquet(FILE).to_csv() in Python"},
    {"\x93NUMPY", 6, 0, "an array of NumPy: run numpy.savetxt('table.csv', numpy.load(FILE))"},
    {"\x1f\x8b", 2, 0, "packed by gzip: run gunzip FILE"},
    {"%PDF-", 5, 0,
     "a PDF: ask for the numbers behind it, or run pdftotext -layout FILE table.txt"},
    {"\x89PNG", 4, 0, PICTURE},
    {"\xFF\xD8\xFF", 3, 0, PICTURE},
    {"GIF8", 4, 0, PICTURE},
    {"II*\0", 4, 0, PICTURE},
    {"MM\0*", 4, 0, PICTURE},
    {"ftyp", 4, 4,
     "a video: follow the ball in it with Tracker or ImageJ, and save the places as text"},
    {"RIFF", 4, 0, "a recording of sound or pictures: give a sound as a .wav file"},
};

const char *cf_known_file(const char *text, size_t n)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (n >= known[i].at + known[i].n &&
            memcmp(text + known[i].at, known[i].bytes, known[i].n) == 0)
            return known[i].what;
    return NULL;
}
