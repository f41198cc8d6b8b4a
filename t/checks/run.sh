#!/bin/sh
# Run one test for prove: a Perl test by perl, any other as the program that it is.
case $1 in
*.t) exec perl "$@" ;;
*) exec "./$@" ;;
esac
