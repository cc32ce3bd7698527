#!/bin/sh
# Instructions that commands take, counted by callgrind and compared with what instructions.txt states: seconds are noisy, these
# are not. More than 3 % away in either direction fails; after a change that is meant, UPDATE_COUNTS=1 writes the new counts.
#   sh tests/benchmark/instructions.sh PROGRAM
set -eu
program=$1
here=$(dirname "$0")
counts=$here/instructions.txt
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count_of() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" "$@" 2>&1 >/dev/null |
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}

failed=0
while read -r line; do
  case $line in '' | '#'*) echo "$line" >>"$work/new"; continue ;; esac
  arguments=${line%|*}
  stated=${line##*|}
  # shellcheck disable=SC2086  # a list of arguments
  count=$(count_of $arguments)
  echo "$arguments|$count" >>"$work/new"
  [ -n "${UPDATE_COUNTS:-}" ] && continue
  if [ $((count * 100)) -gt $((stated * 103)) ] || [ $((count * 100)) -lt $((stated * 97)) ]; then
    echo "rigplan $arguments: $count instructions, $stated stated; UPDATE_COUNTS=1 if that is meant"
    failed=1
  else
    echo "rigplan $arguments: $count of $stated"
  fi
done <"$counts"
[ -z "${UPDATE_COUNTS:-}" ] || cp "$work/new" "$counts"
exit $failed
