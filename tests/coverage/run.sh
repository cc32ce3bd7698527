#!/bin/sh
# Line coverage of the layers of formulas and links by their own tests: a table of files with the lines that no test reaches, and
# an error when less than $1 % (90) of a layer are reached. TESTS names others; those of search take half an hour without
# optimisation.
#   [TESTS="topology estimate simulate economics search"] tests/coverage/run.sh [PERCENT] [BUILD]
set -eu
least=${1:-90}
cd "$(dirname "$0")/../.."
build=${2:-build/coverage}
command -v gcovr >/dev/null || { echo "gcovr is missing (Debian: gcovr)" >&2; exit 77; }
tests=${TESTS:-topology estimate simulate economics}
cmake -S . -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=None -D CMAKE_CXX_FLAGS="-O0 -g0 --coverage" -D CMAKE_UNITY_BUILD=ON >/dev/null
# shellcheck disable=SC2046,SC2086
cmake --build "$build" --target $(printf 'test_%s ' $tests) >&2
find "$build" -name '*.gcda' -delete
for layer in $tests; do "$build/tests/$layer/test_$layer" >/dev/null || echo "test_$layer fails" >&2; done
gcovr --root . --filter 'src/(topology|estimate|simulate|economics)/' --exclude-throw-branches --gcov-ignore-parse-errors \
  --object-directory "$build" --sort-uncovered --json "$build/lines.json" --txt
missed=
for layer in topology estimate simulate economics; do
  echo "$layer"
  gcovr --root . --add-tracefile "$build/lines.json" --filter "src/$layer/" --fail-under-line "$least" --print-summary \
    --output /dev/null || missed="$missed $layer"
done
[ -z "$missed" ] || { echo "less than $least %:$missed" >&2; exit 1; }
