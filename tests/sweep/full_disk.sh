#!/bin/sh
# A full disk is one clear error that says what is safe; when there is room again, --resume ends the work.
. "$(dirname "$0")/lib.sh"
long="--gpu mi50-32gb --model qwen2.5-14b --scan users=1..10 --scan prompt=100..2099"
if [ -e /dev/full ]; then
  expect 1 sh -c "'$program' sweep $long --quiet --format csv >/dev/full"
  says "standard output cannot be written: No space left on device"
  expect 1 "$program" sweep $long --quiet --out /dev/full --format jsonl
  says "No space left on device"
fi
for ending in jsonl csv sqlite; do
  "$program" sweep $long --quiet --out "$work/whole.$ending"
  # A limit on the size of files stands for the disk: the write fails in the same place, without a mount.
  expect 1 sh -c "trap '' XFSZ; ulimit -f 4000; exec '$program' sweep $long --quiet --out '$work/full.$ending'"
  says "full.$ending.part cannot be written"
  [ ! -e "$work/full.$ending" ] || fail "an unfinished file got its final name"
  if [ $ending != sqlite ]; then says "rows are safe, and --resume goes on behind them"; fi
  expect 0 "$program" sweep $long --quiet --resume --out "$work/full.$ending"
  same "$work/whole.$ending" "$work/full.$ending" "after a full disk"
done
expect 1 "$program" sweep $long --quiet --out "$work/missing/x.jsonl"
says "cannot be written"
