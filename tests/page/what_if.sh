#!/bin/sh
# What-if of a ranking's page: the WebAssembly in it ranks as the command line does, under 50 random settings, in 50 ms; and a
# slider that is moved in a browser shows that.   what_if.sh <rigplan program>
. "$(dirname "$0")/../sweep/lib.sh"
"$program" rank --model qwen2.5-14b --quant Q4_K_M --gpu p100-pcie-16gb --gpu rtx-2080-ti-22gb --max-cards 4 --top 20 \
  --format json >"$work/ranking.json"
expect 0 "$program" report "$work/ranking.json" -o "$work/page.html"
grep -q '^var rigplan_core_packed' "$work/page.html" || { echo "skipped: built without RIGPLAN_WASM"; exit 77; }
[ "$(wc -c <"$work/page.html")" -lt 5000000 ] || fail "the page has $(wc -c <"$work/page.html") bytes"
for tool in node python3; do command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }; done

# The two parts of the page's own core.
sed -n '/rigplan_core = /,/^var rigplan_core_packed/p' "$work/page.html" | sed '/^var rigplan_core_packed/d' >"$work/core.js"
sed -n 's/^var rigplan_core_packed = "\(.*\)";$/\1/p' "$work/page.html" | base64 -d | gzip -dc >"$work/core.wasm"
python3 tests/page/what_if.py "$program" "$work/ranking.json" "$work/cases.json" 50
node tests/page/what_if.js "$work/core.js" "$work/core.wasm" "$work/ranking.json" "$work/cases.json"

# A page of a ranking with other prices than are built in says that it has none.
"$program" rank --model qwen2.5-14b --quant Q4_K_M --gpu p100-pcie-16gb --set gpus.p100-pcie-16gb.price="5 yuan" --top 3 --format json >"$work/other.json"
expect 0 "$program" report "$work/other.json" -o "$work/other.html"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo "skipped in the browser: no Chromium"; exit 0; }
look() { # look PAGE WIDTH: virtual time does not wait for unpacking, so that the pages below ask millions of times whether it is done
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr \
    --window-size=$2,900 --virtual-time-budget=40000000 --dump-dom "file://$1" >"$work/dom" 2>"$work/log" || { tail -5 "$work/log" >&2; fail "Chromium fails"; }
  ! grep CONSOLE "$work/log" >&2 || fail "the page writes to the console"
}
for page in page other; do sed '/^<\/body>$/d; /^<\/html>$/d' "$work/$page.html" >"$work/$page.moved.html"; done
tee -a "$work/other.moved.html" >>"$work/page.moved.html" <<'H'
<script>
const wait = setInterval(() => {
  const slider = document.querySelector('[data-lever=users]');
  if (!slider && !document.querySelector('main').innerText.includes('Not for this answer')) return;
  clearInterval(wait);
  if (!slider) return;
  const table = document.getElementById('what-if-table'), before = table.dataset.answer;
  slider.value = 16;
  slider.dispatchEvent(new Event('input'));
  const after = JSON.parse(table.dataset.answer).rows, said = document.createElement('p');
  const shown = [...table.querySelectorAll('tbody tr')].map((tr) => tr.children[4].dataset.value ?? null);
  said.textContent = 'MOVED ' + (before !== table.dataset.answer) + ' ' +
      (JSON.stringify(shown) === JSON.stringify(after.map((one) => (one.tokens_per_s === null ? null : String(one.tokens_per_s))))) + ' ' +
      (document.documentElement.scrollWidth <= innerWidth + 1);
  document.body.append(said);
}, 100);
</script></body></html>
H
for width in 1280 390; do
  look "$work/page.moved.html" $width
  grep -oE 'MOVED [a-z]+ [a-z]+ [a-z]+' "$work/dom" | tail -1 >"$work/said"
  grep -q 'MOVED true true true' "$work/said" || fail "in the browser at $width: $(cat "$work/said")"
  echo "$width: $(cat "$work/said")"
done
look "$work/other.moved.html" 1280
grep -q '<div class="soft">Not for this answer: it was made with other prices' "$work/dom" || fail "other prices are not noticed"
