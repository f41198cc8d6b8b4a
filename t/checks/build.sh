#!/bin/sh
# build.sh NAME CONFIGURE-ARGUMENT...: build scratch/src in scratch/NAME, tests included.
# CHECK_CFLAGS are for make alone: configure's own tests do not survive -Werror. The folder is kept,
# so that a second run compiles only what has changed.

set -eu
name=$1
shift
mkdir -p "scratch/$name"
cd "scratch/$name"
echo "building scratch/$name" >&2
if [ ! -e config.status ] || [ "$(cat arguments 2>/dev/null)" != "$* ${CHECK_CFLAGS-}" ] ||
    [ ../src/configure -nt config.status ]; then
    rm -rf ./*
    ../src/configure --quiet "$@" >configure.log 2>&1 ||
        { tail -n 15 configure.log >&2; exit 1; }
    echo "$* ${CHECK_CFLAGS-}" >arguments
fi
rm -f make.log
build()
{
    make -s -k -j "${CHECK_JOBS:-1}" ${CHECK_CFLAGS:+"CFLAGS=$CHECK_CFLAGS"} "$@"
}

# one after the other: two makes must not build the same library at once
for target in all ${CHECK_TARGET-} check-programs; do
    build "$target" >>make.log 2>&1 ||
        { grep -Ev '^make|^  [A-Z]+ ' make.log | tail -n 60 >&2; exit 1; }
done
