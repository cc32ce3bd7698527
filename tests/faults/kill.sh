#!/bin/sh
# Killed at any moment, a command that writes a file leaves the old file or the whole new one under its name.
. "$(dirname "$0")/../sweep/lib.sh"
head -n 80 data/measurements/collectives.csv >"$work/rows.csv"
fit="calibrate $work/rows.csv"
"$program" $fit -o "$work/whole.json" 2>/dev/null
echo old >"$work/old"
for delay in 0.01 0.03 0.1 0.2 0.4; do
  cp "$work/old" "$work/x.json"
  timeout -s KILL "$delay" "$program" $fit -o "$work/x.json" >/dev/null 2>&1 || true
  cmp -s "$work/x.json" "$work/old" || same "$work/x.json" "$work/whole.json" "killed after $delay s"
done
# The point that matters most, between writing and renaming, on purpose: what is in the way of the new name.
mkdir "$work/folder.json"
expect 1 "$program" $fit -o "$work/folder.json"
says "folder.json cannot be written"
[ ! -e "$work/folder.json.part" ] || fail "a half file was left"
