#!/bin/sh
# The bytes of a sweep depend neither on threads nor on the locale nor on how it is divided.
. "$(dirname "$0")/lib.sh"
sweep() { "$program" sweep $small --quiet "$@"; }

for ending in jsonl csv sqlite; do
  whole=$work/whole.$ending
  sweep --jobs 1 --out "$whole"
  sweep --jobs 2 --out "$work/two.$ending"
  same "$whole" "$work/two.$ending" "two threads"
  sweep --jobs 7 --out "$work/seven.$ending"
  same "$whole" "$work/seven.$ending" "seven threads"

  for shards in 1 2 3 4 5 6 7; do
    parts=""
    for part in $(seq "$shards" -1 1); do  # not in order
      sweep --shard "$part/$shards" --out "$work/part$part.$ending"
      parts="$parts $work/part$part.$ending"
    done
    "$program" merge $parts --out "$work/merged.$ending"
    same "$whole" "$work/merged.$ending" "$shards shards"
  done
done
[ "$(tail -n +2 "$work/whole.jsonl" | wc -l)" -eq 162 ] || fail "3 x 2 x 3 x 3 x 3 points are 162 rows"
grep -q '"fits":true' "$work/whole.jsonl" || fail "no point fits"
grep -q 'more than the context' "$work/whole.jsonl" || fail "no point is contradictory"

sweep --format jsonl | cmp - "$work/whole.jsonl" || fail "standard output differs"

# The order of catalog files that do not touch each other changes nothing in the rows.
mkdir "$work/one" "$work/two"
price() { printf '{"schema": "rigplan/gpus/1", "gpus": [{"id": "%s", "aliases": ["%s"]}]}' "$1" "$2"; }
price mi50-32gb card-one >"$work/one/a.json"
price rtx-3090 card-two >"$work/two/b.json"
sweep --format csv --catalog "$work/one" --catalog "$work/two" >"$work/order1.csv"
sweep --format csv --catalog "$work/two" --catalog "$work/one" >"$work/order2.csv"
same "$work/order1.csv" "$work/order2.csv" "catalog files in another order"

for locale in de_DE.UTF-8 zh_CN.UTF-8; do
  if ! locale -a 2>/dev/null | grep -qi "^$(echo $locale | sed 's/UTF-8/utf-\\?8/')$" && command -v localedef >/dev/null; then
    localedef -i "${locale%.*}" -f UTF-8 "$work/$locale" 2>/dev/null && LOCPATH=$work && export LOCPATH
  fi
  LC_ALL=$locale sweep --out "$work/$locale.jsonl"
  same "$work/whole.jsonl" "$work/$locale.jsonl" "$locale"
  LC_ALL=$locale RIGPLAN_LANG=en "$program" sweep $small --format table >"$work/$locale.txt"
  LC_ALL=C "$program" sweep $small --format table | cmp - "$work/$locale.txt" || fail "the table differs in $locale"
done
