#!/bin/sh
# Makes pages of answers of every kind and opens them in headless Chromium: no console message, what the charts say equals the
# JSON, tables sort, a phone's width is kept, and text that looks like markup stays text.
#   run.sh <rigplan program>
. "$(dirname "$0")/../sweep/lib.sh"
expect 2 "$program" report README.md -o "$work/x.html"
[ ! -e "$work/x.html" ] || fail "a page was written of what is no answer"
"$program" catalog show mi50-32gb --format json >"$work/entry.json"
expect 2 "$program" report "$work/entry.json" -o "$work/x.html"; says 'is "rigplan/catalog-entry/1"; expected an answer'

"$program" rank --model qwen2.5-32b --quant Q4_K_M --budget 30000 --format json >"$work/rank.json"
"$program" estimate examples/ten-radeon-pro-vii-asm2824.json --model qwen2.5-32b --quant Q4_K_M --format json >"$work/estimate.json"
"$program" estimate --gpu rtx-3090 --model qwen2.5-72b --format json >"$work/misfit.json" || [ $? = 3 ]
"$program" rent-or-buy examples/sixty-four-mi450.json --rent-price "1.2 yuan/h" --schedule "8h x 22d" --horizon 3mo --format json >"$work/rent.json"
"$program" rent-or-buy examples/two-7900-xtx.json --rent-price "6 yuan/h" --schedule 24/7 --horizon 24mo --format json >"$work/crossing.json"
"$program" rent-or-buy examples/two-7900-xtx.json examples/two-rtx-a6000.json --model qwen2.5-32b --quant Q4_K_M --schedule "8h x 22d" \
  --horizon 24mo --format json >"$work/ways.json"
"$program" sweep --gpu mi50-32gb --model qwen2.5-32b --scan cards=1,2,4 --scan context=8k..32k*2 --format jsonl >"$work/sweep.jsonl"
"$program" validate data/measurements/memory.csv --format json >"$work/validation.json"
"$program" collective examples/two-rtx-a6000.json --format json >"$work/collective.json"
"$program" topology examples/four-3090-x399.json --format json >"$work/topology.json"
# A name that would be a script if it were let, in the JSON and in the page.
sed 's|"qwen2.5-32b"|"</script><script>window.harm=1</script><img src=x onerror=harm=2>"|; s|"Tesla P100|"<b onclick=1>Tesla|' "$work/rank.json" >"$work/hostile.json"
for name in rank estimate misfit rent crossing ways sweep validation collective topology hostile; do
  answer=$work/$name.json
  [ "$name" != sweep ] || answer=$work/sweep.jsonl
  expect 0 "$program" report "$answer" -o "$work/$name.html"
  ! grep -qE '(src|href)="?(https?:)?//|url\(|@import' "$work/$name.html" || fail "$name.html asks something of a network"
done
[ "$(grep -c '<script' "$work/hostile.html")" = "$(grep -c '<script' "$work/rank.html")" ] || fail "the JSON opens a script"
# In Chinese the same data and scripts, with the translations beside them; no message of the console, and words of the answer.
"$program" report "$work/rank.json" -o "$work/chinese.html" --lang zh --quiet
grep -q "<html lang=\"zh\">" "$work/chinese.html" || fail "the page does not say that it is Chinese"
! grep -q messages\": "$work/rank.html" || fail "an English page carries translations"
"$program" report - -o - <"$work/rank.json" | cmp - "$work/rank.html" || fail "standard input gives another page"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo "skipped in the browser: no Chromium"; exit 0; }
for name in rank estimate misfit rent crossing ways sweep validation collective topology hostile; do
  sed 's|^<head>$|&<script>window.faults = []; addEventListener("error", (e) => faults.push(e.message));</script>|; /^<\/body>$/d; /^<\/html>$/d' \
    "$work/$name.html" >"$work/checked.html"
  { echo '<script>'; cat tests/page/check.js; echo '</script></body></html>'; } >>"$work/checked.html"
  sizes=390,844
  case $name in rank | estimate | crossing | topology | ways) sizes="1280,900 390,844" ;; esac
  for size in $sizes; do
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr --window-size=$size \
      --virtual-time-budget=4000 --dump-dom "file://$work/checked.html" >"$work/dom" 2>"$work/log" || { tail -5 "$work/log" >&2; fail "Chromium fails"; }
    ! grep "CONSOLE" "$work/log" >&2 || fail "$name.html writes to the console"
    grep -oE 'CHECKED [0-9]+|FAULT[^<]*' "$work/dom" >"$work/said" || fail "$name.html was not checked"
    ! grep FAULT "$work/said" >&2 || fail "$name.html at $size"
    echo "$name $size: $(cat "$work/said")"
  done
done
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --dump-dom "$work/chinese.html" >"$work/chinese.dom" 2>/dev/null || true
grep -q '：选哪种配置</h1>' "$work/chinese.dom" || fail "the page's first words are not Chinese"
