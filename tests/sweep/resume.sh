#!/bin/sh
# kill -9 at ten moments, then --resume: nothing is lost, nothing is there twice, the bytes are those of an undisturbed run.
. "$(dirname "$0")/lib.sh"
long="--gpu mi50-32gb --model qwen2.5-14b --scan users=1..10 --scan hours-per-day=0.5..20+0.5 --scan prompt=100..799"
interrupted=0
for ending in jsonl csv sqlite; do
  "$program" sweep $long --quiet --out "$work/whole.$ending"
  begin=$(date +%s%N)
  "$program" sweep $long --quiet --out "$work/again.$ending"
  took=$(( ($(date +%s%N) - begin) / 1000000 ))
  for moment in 1 2 3 4 5 6 7 8 9 10; do
    out=$work/run.$ending
    "$program" sweep $long --quiet --out "$out" &
    process=$!
    pause=$(awk -v took="$took" -v moment="$moment" 'BEGIN { srand(moment * 7919); printf "%.3f", took * (moment - rand()) / 10000 }')
    sleep "$pause"
    kill -9 "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
    if [ -e "$out.part" ]; then interrupted=$((interrupted + 1)); fi
    [ ! -e "$out" ] || [ ! -e "$out.part" ] || fail "a finished and an unfinished file stand side by side"
    "$program" sweep $long --quiet --resume --out "$out"
    same "$work/whole.$ending" "$out" "killed after $pause s"
    [ ! -e "$out.part" ] && [ ! -e "$out.resume" ] || fail "something unfinished was left behind"
    rm "$out"
  done
done
[ "$interrupted" -ge 10 ] || fail "only $interrupted of 30 runs were interrupted"

# Killed twice, and taken up by another number of threads.
out=$work/twice.jsonl
for threads in 1 2; do
  "$program" sweep $long --quiet --resume --jobs $threads --out "$out" & process=$!
  sleep 0.2; kill -9 $process 2>/dev/null || true; wait $process 2>/dev/null || true
done
"$program" sweep $long --quiet --resume --out "$out"
same "$work/whole.jsonl" "$out" "killed twice"

# What belongs to another sweep is not continued.
head -c 5000 "$work/whole.jsonl" >"$work/other.jsonl.part"
head -n 1 "$work/whole.jsonl" >"$work/other.jsonl.resume"
expect 2 "$program" sweep $long --scan pue=1,1.2 --resume --out "$work/other.jsonl"
says "belongs to another sweep"
# A damaged database is told, not taken for an empty one and written anew: 4 KiB from its middle are overwritten.
cp "$work/whole.sqlite" "$work/damaged.sqlite.part"
pages=$(($(wc -c <"$work/damaged.sqlite.part") / 4096))
tr '\0' '\377' </dev/zero | dd of="$work/damaged.sqlite.part" bs=4096 seek=$((pages / 2)) count=1 iflag=fullblock conv=notrunc 2>/dev/null
cp "$work/damaged.sqlite.part" "$work/before"
expect 2 "$program" sweep $long --resume --out "$work/damaged.sqlite"
says "cannot be read"
same "$work/before" "$work/damaged.sqlite.part" "a damaged file that --resume refused"
echo "interrupted $interrupted of 30 runs"
