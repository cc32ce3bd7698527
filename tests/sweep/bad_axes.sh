#!/bin/sh
# Nonsense is refused before anything is computed or written.
. "$(dirname "$0")/lib.sh"
base="--gpu mi50-32gb --model qwen2.5-14b"
refuse() {
  expect 2 "$program" sweep $base --out "$work/x.jsonl" "$@"
  [ ! -s "$work/out" ] || fail "a refusal printed something"
  [ ! -e "$work/x.jsonl.part" ] || fail "a refusal left a file"
}
refuse --scan contxt=1,2;              says 'did you mean "context"'
refuse --scan context=;                says "empty value"
refuse --scan users=0;                 says "out of range"
refuse --scan users=1,2,many;          says 'axis users: "many" is not a whole number'
refuse --scan cards=4..1;              says "backwards"
refuse --scan users=1..8 --scan users=1; says "two axes run over users"
refuse --scan gpu=mi50-32gb,mi50-32gbx; says 'did you mean "mi50-32gb"'
refuse --scan model=qwen2.5-41b;       says "no model"
refuse --scan quant=Q4_K_X;            says "no number format"
refuse --scan gpus.mi50-32g.price=1;   says 'no "mi50-32g" in gpus'
refuse --scan gpus.mi50-32gb.price=900,cheap; says "axis gpus.mi50-32gb.price"
refuse --scan prompt=1..1000000 --scan generate=1..1000000; says "1,000,000,000,000 points"
refuse --scan prompt=1..1e9 --scan generate=1..1e9; says "more than 9007199254740992 points"
refuse --shard 0/3;                    says "out of range\|PART/PARTS"
refuse --shard 4/3;                    says "PART/PARTS"
expect 2 "$program" sweep $base --format sqlite; says "needs --out FILE"
expect 2 "$program" sweep --model qwen2.5-14b --scan users=1; says "there is no rig"
expect 2 "$program" sweep --gpu mi50-32gb --scan users=1;     says "there is no model"
expect 2 "$program" sweep $base --scan users=1..3 --resume --format csv; says "resume needs --out"

# A catalog value or a place in a rig that cannot be is a row with its reason, because others can.
"$program" sweep --rig examples/two-7900-xtx.json --model qwen2.5-14b --scan /nodes/0/count=1,0 --format jsonl >"$work/rig.jsonl"
[ "$(grep -c '"fits":true' "$work/rig.jsonl")" -eq 1 ] || fail "one of two points fits"
grep -q '/nodes/0/count' "$work/rig.jsonl" || fail "the reason names the place"

# Shards that do not make a whole.
for part in 1 2 3; do "$program" sweep $base --scan users=1..9 --shard $part/3 --out "$work/p$part.jsonl" --quiet; done
expect 2 "$program" merge "$work/p1.jsonl" "$work/p3.jsonl"; says "points 3 to 5 are missing"
expect 2 "$program" merge "$work/p1.jsonl" "$work/p2.jsonl"; says "points 6 to 8 are missing"
expect 2 "$program" merge "$work/p1.jsonl" "$work/p1.jsonl" "$work/p2.jsonl"; says "is there already"
"$program" sweep $base --scan users=1..8 --shard 1/3 --out "$work/other.jsonl" --quiet
expect 2 "$program" merge "$work/p1.jsonl" "$work/other.jsonl"; says "different sweeps"
expect 2 "$program" merge README.md; says "not an output of rigplan sweep"
