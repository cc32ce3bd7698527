#!/bin/sh
# With too little memory the program says so and ends with 1; it neither dies of a signal nor prints half an answer as JSON.
. "$(dirname "$0")/../sweep/lib.sh"
"$program" estimate --gpu p40 --model qwen2.5-7b --format json >"$work/whole" 2>/dev/null
refused=0
# From too little to load the libraries (127, the loader speaks) up to plenty.
for limit in 30000 40000 45000 50000 60000 70000 80000 100000 150000 200000 400000; do
  code=0
  (ulimit -v $limit; exec "$program" estimate --gpu p40 --model qwen2.5-7b --format json) >"$work/out" 2>"$work/err" || code=$?
  case $code in
    0) same "$work/whole" "$work/out" "with $limit KiB" ;;
    1) says "out of memory"; refused=$((refused + 1))
       [ ! -s "$work/out" ] || fail "half an answer with $limit KiB" ;;
    127) says "shared" ;;
    *) cat "$work/err" >&2; fail "exit code $code with $limit KiB" ;;
  esac
done
[ "$code" -eq 0 ] || fail "400 MB are not enough"
echo "refused at $refused limits"
