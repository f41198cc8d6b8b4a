#!/bin/sh
# fuzz.sh TARGET...: link each t/fuzz/NAME.c with the build in scratch/fuzz and let libFuzzer run
# it for FUZZ_SECONDS, starting from the inputs of the test suite. A crash stops with its input.

set -eu
srcdir=$PWD/scratch/src
cd scratch/fuzz
for target; do
    name=${target##*/}
    # shellcheck disable=SC2086 # LIBS is a list of words
    $CC -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        -I"$srcdir/src" "$srcdir/$target.c" -o "fuzz-$name" \
        .libs/libcftool.a .libs/libcontactfit.a $LIBS
    mkdir -p "corpus-$name" "seeds-$name"
    sed -n 's/^ \* seeds: *//p' "$srcdir/$target.c" | while read -r folder ending; do
        find "$srcdir/$folder" -name "*.$ending" -size -9k -exec cp {} "seeds-$name" \;
    done
    echo "fuzz $name: $FUZZ_SECONDS s" >&2
    ASAN_OPTIONS=detect_leaks=1 "./fuzz-$name" -max_total_time="$FUZZ_SECONDS" -timeout=10 \
        -max_len=8192 -rss_limit_mb=1024 -print_final_stats=1 -close_fd_mask=1 \
        "corpus-$name" "seeds-$name" >"fuzz-$name.log" 2>&1 ||
        { tail -n 40 "fuzz-$name.log" >&2; exit 1; }
    sed -n 's/^stat::number_of_executed_units: */  runs: /p' "fuzz-$name.log" >&2
done
echo "fuzz: nothing found"
