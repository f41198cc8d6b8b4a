// Impacts that a driver is to run: lines "EXPORT R1 R2 m1 m2 v h g gap...", R2 = 0 a plane, m2 = 0
// held, g the gravity along the approach. A driver has one function, which tells e of one impact; a
// line of them is printed for each line.
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

struct pair {
    std::string file;
    double R1, R2, m1, m2, v, h, g;

    // The rate at a gap from which the touch has the speed v: half a kick of gravity behind that of
    // the flight, in an engine that kicks before it moves.
    double rate_at(double gap) const
    {
        return std::sqrt(std::fmax(v * v - 2 * g * gap, 0)) - g * h / 2;
    }
};

// Steps after which a contact that has not ended is given up.
#ifndef PATIENCE
#    define PATIENCE 400000
#endif

template <class Impact> static int run_impacts(const char *path, Impact impact)
{
    std::ifstream in(path);
    std::string line;
    for (int i = 0; std::getline(in, line); i++) {
        std::istringstream word(line);
        pair p;
        double gap;
        word >> p.file >> p.R1 >> p.R2 >> p.m1 >> p.m2 >> p.v >> p.h >> p.g;
        while (word >> gap) {
            double e = impact(i, p, gap);
            if (std::isnan(e))
                printf("stays ");
            else
                printf("%.9g ", e);
        }
        printf("\n");
    }
    return 0;
}

// e from depths and rates of the pair, a step each: move() makes one, depth() and rate() tell.
// Under gravity it is by the top of the flight away, as high above the surface as energy goes; what
// stays for ten flights of that speed stays.
template <class Move, class Depth, class Rate>
static double see(const pair &p, Move move, Depth depth, Rate rate)
{
    bool touched = false;
    double before = rate();
    for (long i = 0; i < PATIENCE; i++) {
        move();
        double x = depth(), u = rate();
        touched = touched || x > 0 || u < before * (1 - 1e-6);
        before = u;
        if (touched && x <= 0 && u < 0) {
            double up = std::fmax(-u - p.g * p.h / 2, 0);
            return std::sqrt(up * up - 2 * p.g * x) / p.v;
        }
        if (touched && p.g > 0 && i > 1000 && i * p.h > 20 * p.v / p.g)
            break;
    }
    return NAN;
}
