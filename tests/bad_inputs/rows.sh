#!/bin/sh
# Every one of the rows 1 to $1 has a test: prints where, and fails for a row that has none.
set -eu
cd "$(dirname "$0")/.."
missing=0
row=1
while [ "$row" -le "$1" ]; do
  # A heading counts only where a command follows it.
  where=$({
    grep -l "\[bad-input-$row\]" -r --include='*.cpp' . || true
    grep -l "bad input $row\b" -r --include='*.sh' . || true
    for transcript in bad_inputs/*.txt; do
      if grep -A1 "^# $row " "$transcript" | grep -q '^\$ '; then echo "./$transcript"; fi
    done
  } | tr '\n' ' ')
  if [ -n "$where" ]; then
    echo "$row: $where"
  else
    echo "$row: no test" >&2
    missing=$((missing + 1))
  fi
  row=$((row + 1))
done
[ "$missing" -eq 0 ] || { echo "$missing of $1 rows have no test" >&2; exit 1; }
