#!/bin/sh
# Answers on a screen: no line is wider than it, what is left out is named, pipes get all, colours only where they are wanted.
#   screen.sh <rigplan program>
. "$(dirname "$0")/../sweep/lib.sh"
unset COLUMNS NO_COLOR CLICOLOR_FORCE CLICOLOR 2>/dev/null || true
export TERM=xterm LC_ALL=C.UTF-8
job="--model qwen2.5-32b --quant Q4_K_M"
sed 's/"says": ".*"/"says": "一张显卡有二十四吉字节的显存，能够用量化的低秩适配微调七百亿个参数的模型，因为它的权重只占十八点九吉字节，其余的留给激活"/' \
  examples/claims/1x4090-70b-qlora.json >"$work/zh.json"
cat >"$work/commands" <<C
rank $job --gpu p100 --gpu v100 --budget 30000 --top 3
rank $job --gpu p100 --draws 100 --pareto price,decode,usable
estimate examples/ten-radeon-pro-vii-asm2824.json $job
estimate --gpu rtx-3090 --model qwen2.5-72b
rent-or-buy examples/two-7900-xtx.json --rent-price 6yuan/h --schedule 24/7 --horizon 24mo
sweep --gpu mi50-32gb $job --scan cards=1,2,4 --scan context=8k..32k*2
topology examples/ten-radeon-pro-vii-asm2824.json
collective examples/two-rtx-a6000.json
catalog list gpus
catalog show mi50-32gb
validate data/measurements/memory.csv
check-claim $work/zh.json
check-claim $work/zh.json $(echo examples/claims/*.json)
C
while read -r command; do
  code=0; "$program" $command >"$work/pipe" 2>"$work/err" || code=$?
  [ $code = 0 ] || [ $code = 3 ] || { cat "$work/err"; fail "$command"; }
  ! grep -q "$(printf '\033')" "$work/pipe" || fail "colours in a pipe: $command"
  for columns in 60 80 120; do
    "$program" $command --columns $columns >"$work/$columns" || [ $? = $code ]
    # Commands to copy stay whole; so do words that are longer than a line.
    grep -v '^rigplan ' "$work/$columns" >"$work/lines"
    [ "$(wc -L <"$work/lines")" -le $columns ] || { awk -v n=$columns 'length > n' "$work/lines" >&2; fail "wider than $columns: $command"; }
  done
  "$program" $command --lang zh --columns 80 | grep -v '^rigplan ' >"$work/lines" || true
  [ "$(wc -L <"$work/lines")" -le 80 ] || fail "wider than 80 in Chinese: $command"
done <"$work/commands"

# What a narrow screen leaves out is named, and is there with --wide; no figure that stays is cut.
"$program" rank $job --gpu p100 --top 1 --columns 60 >"$work/narrow"
tr '\n' ' ' <"$work/narrow" | grep -q 'Left out, for want of room: .*doubts (W_...).*(--wide shows all)' || fail "it is not said what is left out"
COLUMNS=60 "$program" rank $job --gpu p100 --top 1 | cmp - "$work/narrow" || fail "COLUMNS differs from --columns"
"$program" rank $job --gpu p100 --top 1 >"$work/pipe"
"$program" rank $job --gpu p100 --top 1 --columns 60 --wide | cmp - "$work/pipe" || fail "--wide differs from a pipe"
[ "$("$program" rank $job --gpu p100 --top 1 --columns 60 --format json | wc -L)" -gt 60 ] || fail "--columns changes what programs read"

# Colours: asked for, forced, and refused.
escape=$(printf '\033')
has_colours() { "$@" | grep -q "$escape\["; }
has_colours "$program" rank $job --gpu p100 --top 1 --color always || fail "--color always"
has_colours env CLICOLOR_FORCE=1 "$program" rank $job --gpu p100 --top 1 || fail "CLICOLOR_FORCE"
! has_colours env CLICOLOR_FORCE=0 "$program" rank $job --gpu p100 --top 1 || fail "CLICOLOR_FORCE=0"
! has_colours env CLICOLOR_FORCE=1 NO_COLOR=1 "$program" rank $job --gpu p100 --top 1 || fail "NO_COLOR stands above CLICOLOR_FORCE"
! has_colours env CLICOLOR_FORCE=1 "$program" rank $job --gpu p100 --top 1 --color never || fail "--color never"
has_colours env NO_COLOR=1 "$program" rank $job --gpu p100 --top 1 --color always || fail "the command line stands above NO_COLOR"
"$program" rank $job --gpu p100 --top 1 --color always | sed "s/$escape\[[0-9]*m//g" | cmp - "$work/pipe" || fail "colours change the text"
expect 2 "$program" rank $job --color red; expect 2 "$program" rank $job --columns 3

# A terminal, where script(1) makes one: its width counts, colours come by themselves, another encoding than UTF-8 gets ASCII.
if command -v script >/dev/null && script --version 2>/dev/null | grep -q util-linux; then
  on_terminal() { script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r'; }
  on_terminal 72 "$program rank $job --gpu p100 --top 1 --quiet" >"$work/terminal"
  grep -q "$escape\[" "$work/terminal" || fail "no colours on a terminal"
  sed "s/$escape\[[0-9]*[mK]//g" "$work/terminal" | grep -v '^rigplan ' >"$work/plain"
  [ "$(wc -L <"$work/plain")" -le 72 ] || fail "wider than the terminal"
  grep -q 'Left out' "$work/plain" || fail "the terminal's width is not seen"
  on_terminal 72 "NO_COLOR=1 $program estimate examples/two-7900-xtx.json $job" >"$work/terminal"
  ! grep -q "$escape\[[0-9]*m" "$work/terminal" || fail "NO_COLOR on a terminal"
  grep -A1 'time goes to' "$work/terminal" | grep -q '█' || fail "no bar of where the time goes"
  on_terminal 72 "LC_ALL=C NO_COLOR=1 $program estimate examples/two-7900-xtx.json $job" >"$work/terminal"
  ! LC_ALL=C grep -qP '[^\x00-\x7F]' "$work/terminal" || fail "letters beyond ASCII on a terminal that has none"
  grep 'time goes to' "$work/terminal" | grep -q '##*==*' || fail "parts of the bar are not told apart in ASCII"
  # Work of more than half a second moves a bar, which is gone when the answer comes.
  on_terminal 100 "$program rent-or-buy --model qwen2.5-32b --schedule '8h x 22d' --horizon 12mo" >"$work/terminal"
  grep -q '\[ *==== *\] [0-9.]* s' "$work/terminal" || fail "nothing moves while an answer is made"
  on_terminal 100 "$program rent-or-buy --model qwen2.5-32b --schedule '8h x 22d' --horizon 12mo --quiet" >"$work/terminal"
  ! grep -q '====' "$work/terminal" || fail "--quiet moves a bar"
fi
