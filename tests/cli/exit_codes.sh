#!/bin/sh
# Every exit code that README.md documents, and a reader that leaves early.
. "$(dirname "$0")/../sweep/lib.sh"
estimate="estimate examples/two-7900-xtx.json --model qwen2.5-14b"
expect 0 "$program" $estimate --format json
cp "$work/out" "$work/a.json"
if [ -e /dev/full ]; then expect 1 sh -c "'$program' $estimate >/dev/full"; says "No space left on device"; fi
expect 2 "$program" $estimate --contxt 4k; says 'did you mean "--context"'
expect 2 "$program" estimate nowhere.json --model qwen2.5-14b; says "nowhere.json"
expect 3 "$program" estimate --gpu mi50-32gb --model deepseek-v3 --quant Q8_0
expect 4 "$program" $estimate --fail-on 'decode_tokens_per_s<100000'; says "below 100000"
expect 4 "$program" estimate --gpu mi50-32gb --model deepseek-v3 --quant Q8_0 --fail-on 'fits==no'  # the rule is the stronger word
expect 0 "$program" $estimate --fail-on 'decode_tokens_per_s<0.001'
expect 0 "$program" $estimate --warn-on 'decode_tokens_per_s<100000'; says "warns"
expect 2 "$program" $estimate --fail-on 'decode_tokens<1'; says "no field"
[ ! -s "$work/out" ] || fail "a wrong rule printed an answer"
expect 2 "$program" $estimate --fail-on 'warning:W_NO_P2'; says 'did you mean "W_NO_P2P"'

expect 0 "$program" $estimate --hours-per-day 2 --format json
cp "$work/out" "$work/b.json"
expect 0 "$program" diff "$work/a.json" "$work/a.json" --exit-code
expect 0 "$program" diff "$work/a.json" "$work/b.json"
expect 5 "$program" diff "$work/a.json" "$work/b.json" --exit-code
expect 2 "$program" diff "$work/a.json" README.md
expect 4 "$program" check "$work/a.json" --fail-on 'money.price_yuan>1'
expect 0 "$program" check "$work/a.json" --fail-on 'money.price_yuan<1'
expect 2 "$program" check "$work/a.json"
expect 0 "$program" check "$work/b.json" --baseline "$work/a.json" --fail-on 'money.cost_yuan>+1%'
expect 4 "$program" check "$work/b.json" --baseline "$work/a.json" --fail-on 'money.cost_yuan<-1%'

# A reader that has enough: nothing on stderr, and no error.
for command in "$estimate" "catalog list models" "sweep --gpu mi50-32gb --model qwen2.5-14b --scan prompt=1..4000 --format jsonl"; do
  code=$(exec 3>&1; { "$program" $command 2>"$work/err"; echo $? >&3; } | head -n 1 >/dev/null)
  [ "$code" = 0 ] || fail "| head -1 gives $code: $command"
  [ ! -s "$work/err" ] || fail "| head -1 says: $(cat "$work/err")"
done
