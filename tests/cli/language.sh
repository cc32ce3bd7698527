#!/bin/sh
# Who is asked in which language: --lang, then RIGPLAN_LANG, then a file of options, then the locale; and what programs read is the
# same in all of them.   language.sh <rigplan program>
. "$(dirname "$0")/../sweep/lib.sh"
speaks() {  # speaks en|zh COMMAND...
  wanted=$1; shift
  [ "$wanted" = zh ] && word=怎么办 || word="What to do"
  "$@" >"$work/out" 2>&1 || fail "$*"
  grep -q "$word" "$work/out" || { cat "$work/out" >&2; fail "not in $wanted: $*"; }
}
unset LC_ALL LC_MESSAGES LANG RIGPLAN_LANG RIGPLAN_CONFIG 2>/dev/null || true
explain="$program explain W_VBIOS"
speaks en $explain
for locale in zh zh_CN zh_CN.UTF-8 zh_TW.UTF-8; do speaks zh env LANG=$locale $explain; done
for locale in C POSIX C.UTF-8 en_US.UTF-8 de_DE.UTF-8 ""; do speaks en env LANG=$locale $explain; done
speaks zh env LANG=C LC_MESSAGES=zh_CN.UTF-8 $explain
speaks en env LANG=zh_CN.UTF-8 LC_MESSAGES=C $explain
speaks en env LANG=zh_CN.UTF-8 LC_ALL=C.UTF-8 LC_MESSAGES=zh_CN.UTF-8 $explain
speaks zh env LC_ALL=C RIGPLAN_LANG=zh $explain
speaks en env LC_ALL=zh_CN.UTF-8 RIGPLAN_LANG=en $explain
speaks en env RIGPLAN_LANG=zh $explain --lang en
speaks zh $explain --lang=zh
speaks zh "$program" --lang zh explain W_VBIOS
echo '{"schema": "rigplan/config/1", "options": {"lang": "zh"}}' >"$work/rigplan.json"
speaks zh $explain --config "$work/rigplan.json"
speaks en env RIGPLAN_LANG=en $explain --config "$work/rigplan.json"
expect 2 $explain --lang fr
says '"fr" is none of en, zh'
expect 2 env RIGPLAN_LANG=fr $explain
says 'RIGPLAN_LANG'

# What programs read: the same bytes, keys and codes.
same_in_both() {
  code=0; "$@" --lang en >"$work/en" 2>/dev/null || code=$?
  other=0; "$@" --lang zh >"$work/zh" 2>/dev/null || other=$?
  [ "$code" = "$other" ] || fail "exit codes $code and $other: $*"
  cmp -s "$work/en" "$work/zh" || { diff "$work/en" "$work/zh" | head -5 >&2; fail "other bytes in Chinese: $*"; }
  [ -s "$work/en" ] || fail "nothing printed: $*"
}
two="--model qwen2.5-14b --gpu rtx-3090 --gpu p100-pcie-16gb --max-cards 2 --top 3"
for format in json csv markdown bench-bigger; do same_in_both "$program" rank $two --all --format $format; done
same_in_both "$program" rank $two --flip --format json
same_in_both "$program" rank --model qwen2.5-14b --budget 5000 --why-not "2x rtx-3090 on x99" --format json
same_in_both "$program" rank $two --explain 1 --format json
same_in_both "$program" estimate examples/two-7900-xtx.json --model qwen2.5-14b --format json
same_in_both "$program" estimate examples/ten-radeon-pro-vii-server-board.json --model qwen2.5-7b --method full --format csv
for format in json dot svg mermaid; do same_in_both "$program" topology examples/four-3090-x399.json --format $format; done
same_in_both "$program" topology examples/four-3090-x399.json --plan-slots --format json
same_in_both "$program" collective examples/two-rtx-a6000.json --format json
same_in_both "$program" rent-or-buy examples/sixty-four-mi450.json --says 166000 --format json
same_in_both "$program" check-claim examples/claims --format json
same_in_both "$program" catalog show W_NO_P2P --format json
same_in_both "$program" catalog list boards --format json
same_in_both "$program" catalog list --ids engines
same_in_both "$program" import nccl examples/four-3090-x399.nccl.xml
same_in_both "$program" verify examples/four-3090-x399.json --nccl examples/four-3090-x399.nccl.xml --format json
for format in jsonl csv; do same_in_both "$program" sweep --gpu mi50-32gb --model qwen2.5-72b --scan cards=1,2 --format $format; done
same_in_both "$program" check tests/data/answers/branch.json --fail-on 'price_yuan.likely>8000' --quiet --format json
same_in_both "$program" validate data/measurements/memory.csv --format json
same_in_both "$program" completion bash
