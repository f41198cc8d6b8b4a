# How the errors of the octree fall with its leaves, of what bench/octree writes: gnuplot -e
# "data='octree.tsv'; out='octree.svg'" bench/octree.gp

set terminal svg size 1150,430 enhanced font 'sans,13' background 'white'
set output out
set datafile separator "\t"
set datafile missing '-'
set logscale xy
set format y '10^{%T}'
set xtics (2, 4, 8, 16, 32, 64, 128)
set xlabel 'leaves along the root'
set xrange [1.7:150]
set yrange [5e-10:1]
set grid linecolor 'gray85'
shapes = "sphere cylinder cone"
names = "V p_c J"
array colour[3] = ['#1b6ca8', '#c0571a', '#3a7d44']
set multiplot layout 1,3 margins 0.06,0.85,0.14,0.82 spacing 0.05 title \
    'Relative errors of the octree, root mean square of 24 poses' font ',14'
do for [k=1:3] {
    set title word(names, k)
    if (k == 3) {
        set key at screen 0.995, 0.82 right top samplen 2 spacing 1.2
    } else {
        unset key
    }
    plot for [s=1:3] data \
             using 3:(strcol(1) eq word(shapes, s) && strcol(2) eq 'flat leaves' ? \
                      column(3+k) : NaN) with linespoints linecolor rgb colour[s] \
             pointtype 6 pointsize 0.5 title word(shapes, s).', flat', \
         for [s=1:3] data \
             using 3:(strcol(1) eq word(shapes, s) && strcol(2) eq 'curved leaves' ? \
                      column(3+k) : NaN) with linespoints linecolor rgb colour[s] \
             pointtype 7 pointsize 0.5 title word(shapes, s).', curved', \
         0.5*x**-2 dashtype 2 linecolor 'gray40' title 'leaf^2', \
         0.5*x**-4 dashtype 3 linecolor 'gray40' title 'leaf^4'
    unset ylabel
}
unset multiplot
