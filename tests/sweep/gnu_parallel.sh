#!/bin/sh
# examples/gnu-parallel gives the bytes of a single run. Skipped (77) without GNU parallel.
. "$(dirname "$0")/lib.sh"
command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q "GNU parallel" || { echo "skipped: there is no GNU parallel"; exit 77; }
mkdir "$work/bin"
ln -s "$program" "$work/bin/rigplan"
PATH=$work/bin:$PATH
export PATH
plan=examples/sweeps/context-and-users.json
for ending in jsonl csv; do
  "$program" sweep $plan --quiet --out "$work/whole.$ending"
  sh examples/gnu-parallel/sweep.sh $plan "$work/results.$ending" 5 2>/dev/null
  same "$work/whole.$ending" "$work/results.$ending"
  [ "$(ls "$work" | grep -c shard)" -eq 0 ] || fail "shards were left behind"
done
