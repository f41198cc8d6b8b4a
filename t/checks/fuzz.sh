#!/bin/sh
# fuzz.sh TARGET...: link each t/fuzz/NAME.c with the build in scratch/fuzz and let libFuzzer run
# it for FUZZ_SECONDS, starting from the inputs of the test suite and with the words that the readers
# know. A crash stops with its input.
#
# A target names its seeds (a folder and an ending) and the folders of src/ whose words are its
# dictionary. Seeds are what ships, made short enough that a hundred and more run in a second:
# lists of fit files are cut to their first items, and what takes a reader long is left out.

set -eu
srcdir=$PWD/scratch/src
cd scratch/fuzz
slow=0.5 # seconds, most of which a sanitizer needs to begin
rm -rf ../data && cp -R "$srcdir/data" ../data # studies name it by ../data

# The words in quotes of some folders, as a dictionary.
words() {
    for folder; do
        grep -oh '"[a-zA-Z0-9_/ .^-]\{1,24\}"' "$srcdir/src/$folder"/*.c
    done | sort -u
}

for target; do
    name=${target##*/}
    # shellcheck disable=SC2086 # LIBS is a list of words
    $CC -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        -I"$srcdir/src" "$srcdir/$target.c" -o "fuzz-$name" \
        libcftool.a libcontactfit.a $LIBS
    mkdir -p "corpus-$name" "seeds-$name"
    sed -n 's/^ \* seeds: *//p' "$srcdir/$target.c" | while read -r folder ending; do
        for seed in "$srcdir/$folder"/*."$ending"; do
            [ -f "$seed" ] || continue
            case $ending in
            json) perl "$srcdir/t/checks/shorter-json.pl" "$seed" >"seeds-$name/${seed##*/}" ;;
            *) head -c 9000 "$seed" >"seeds-$name/${seed##*/}" ;;
            esac
        done
    done
    for seed in "seeds-$name"/*; do
        [ ! -f "$seed" ] || timeout "$slow" "./fuzz-$name" "$seed" >/dev/null 2>&1 || rm -f "$seed"
    done
    # shellcheck disable=SC2046 # a list of folders
    words $(sed -n 's/^ \* words: *//p' "$srcdir/$target.c") >"words-$name"
    echo "fuzz $name: $FUZZ_SECONDS s, from $(ls "seeds-$name" | wc -l) seeds" >&2
    ASAN_OPTIONS=detect_leaks=1 "./fuzz-$name" -max_total_time="$FUZZ_SECONDS" -timeout=10 \
        -max_len=16384 -rss_limit_mb=1024 -print_final_stats=1 -close_fd_mask=1 \
        -dict="words-$name" "corpus-$name" "seeds-$name" >"fuzz-$name.log" 2>&1 ||
        { tail -n 40 "fuzz-$name.log" >&2; exit 1; }
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "fuzz-$name.log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "fuzz-$name.log" | tail -n 1)
    echo "  $runs runs, $((runs / FUZZ_SECONDS)) a second, $edges edges" >&2
done
echo "fuzz: nothing found"
