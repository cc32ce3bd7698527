# The command under "sh cmake/setup.sh run" and what README.md says that it prints, in $work/main_example; sourced by the tests
# of this folder.
main_example="rank --model qwen2.5-32b --quant Q4_K_M --context 8192 --users 1 --budget 30000 --top 5"
grep -qF "rigplan $main_example" cmake/setup.sh || fail "setup.sh runs another example than \"$main_example\""
awk '/^The first ends with:$/ { after = 1 } after && /^```$/ { inside = !inside; if (!inside) exit; next } inside' README.md >"$work/main_example"
[ -s "$work/main_example" ] || fail "README.md has no answer of the main example"
