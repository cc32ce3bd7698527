#!/bin/sh
# Inputs of a size that nobody meant: refused at once, or answered in seconds.
. "$(dirname "$0")/../sweep/lib.sh"
truncate -s 1G "$work/big.json"
for command in topology "catalog check" validate "import lspci" "import rent" check-claim sweep "version --config" \
  "estimate --gpu p40 --model" "estimate --gpu p40 --model qwen2.5-7b --policy" "catalog list gpus --catalog"; do
  expect 2 timeout 20 "$program" $command "$work/big.json"
  says "has 1024 MiB; files of up to 256 MiB are read"
done
# A model file may be of any size: its head decides, and a gigabyte of nothing is none.
mv "$work/big.json" "$work/big.gguf"
expect 2 timeout 20 "$program" estimate --gpu p40 --model "$work/big.gguf"
says "big.gguf"
# What has no size is read up to the same limit.
expect 2 timeout 60 sh -c "head -c 300000000 /dev/zero | '$program' topology -"
says "has more than 256 MiB"
expect 2 timeout 60 "$program" topology /dev/zero
says "has more than 256 MiB"

# Ten thousand cards: 1,250 machines are a rig; one board with as many is a mistake that is named.
cards='{"gpu": "mi50-32gb"}'
eight=$cards; for _ in 2 3 4 5 6 7 8; do eight="$eight, $cards"; done
node='"board": "asrock-rack-romed8-2t", "cpu": "epyc-7302p"'
printf '{"schema": "rigplan/rig/1", "network": {"rate": "100 Gbit/s"}, "nodes": [{"count": 1250, %s, "cards": [%s]}]}' \
  "$node" "$eight" >"$work/many.json"
expect 0 timeout 60 "$program" estimate "$work/many.json" --model qwen2.5-7b
grep -q "320,000 GiB in all" "$work/out" || fail "10,000 cards of 32 GiB are 320,000 GiB"
expect 0 timeout 60 "$program" topology "$work/many.json"
{ printf '{"schema": "rigplan/rig/1", "nodes": [{%s, "cards": [%s' "$node" "$cards"
  yes ", $cards" | head -n 9999
  printf ']}]}'; } >"$work/one.json"
expect 2 timeout 60 "$program" topology "$work/one.json"
says "finds no free slot"

# A user's catalog of 100,000 cards, and a mistake in its last one.
entry='"name": "Card", "vendor": "amd", "architecture": "gfx906", "vram": "16 GiB", "vram_bandwidth": "1024 GB/s", "source": "s"'
{ printf '{"schema": "rigplan/gpus/1",\n "sources": {"s": {"where": "here", "date": "2026"}},\n "gpus": [\n'
  seq 1 100000 | sed "s|.*|  {\"id\": \"card-&\", $entry},|"
  printf '  {"id": "last", %s, "vramm": "1 GiB"}]}\n' "$entry"; } >"$work/cards.json"
expect 2 timeout 120 "$program" catalog check "$work/cards.json"
says 'cards.json:100004: /gpus/100000/vramm: has the unknown key "vramm"; did you mean "vram"'
