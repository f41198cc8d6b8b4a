// Impacts that a driver is to run: lines "EXPORT R1 R2 m1 m2 v h gap...", R2 = 0 a plane, m2 = 0
// held. A driver has one function, which tells e of one impact; a line of them is printed for each
// line.
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

struct pair {
    std::string file;
    double R1, R2, m1, m2, v, h;
};

// Steps after which a contact that has not ended is given up.
#ifndef PATIENCE
#define PATIENCE 400000
#endif

template <class Impact> static int run_impacts(const char *path, Impact impact)
{
    std::ifstream in(path);
    std::string line;
    for (int i = 0; std::getline(in, line); i++) {
        std::istringstream word(line);
        pair p;
        double gap;
        word >> p.file >> p.R1 >> p.R2 >> p.m1 >> p.m2 >> p.v >> p.h;
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
template <class Move, class Depth, class Rate>
static double see(double v, Move move, Depth depth, Rate rate)
{
    bool touched = false;
    for (long i = 0; i < PATIENCE; i++) {
        move();
        double x = depth(), u = rate();
        touched = touched || x > 0 || u < v * (1 - 1e-6);
        if (touched && x <= 0 && u < 0)
            return -u / v;
    }
    return NAN;
}
