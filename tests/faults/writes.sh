#!/bin/sh
# Disks that are full and readers that leave, for every command that answers. Row of bad inputs: bad input 82.
. "$(dirname "$0")/../sweep/lib.sh"
"$program" estimate --gpu p40 --model qwen2.5-7b --format json >"$work/a.json" 2>/dev/null
while read -r command; do
  if [ -e /dev/full ]; then
    expect 1 sh -c "'$program' $command >/dev/full"
    says "standard output cannot be written: No space left on device"
    [ "$(wc -l <"$work/err")" -ge 1 ] || fail "no word about a full disk: $command"
  fi
  code=$(exec 3>&1; { "$program" $command 2>"$work/err"; echo $? >&3; } | head -c 1 >/dev/null)
  case $code in
    0) [ ! -s "$work/err" ] || ! grep -qi "pipe\|cannot" "$work/err" || fail "| head -c 1 says: $(cat "$work/err")" ;;
    *) cat "$work/err" >&2; fail "| head -c 1 gives $code: $command" ;;
  esac
done <<END
version
--help
rank --help
explain W_NO_P2P
catalog list gpus
catalog show mi50-32gb
topology examples/four-3090-x399.json
topology examples/four-3090-x399.json --format json
collective examples/two-rtx-a6000.json --op all-reduce --bytes 1KiB..1MiB
estimate examples/two-7900-xtx.json --model qwen2.5-14b
import nccl examples/four-3090-x399.nccl.xml
import rent examples/rent-list.csv
check-claim examples/claims/a01.json
rent-or-buy --gpu rtx-4090 --schedule 24/7
diff $work/a.json $work/a.json
check $work/a.json --warn-on fits==no
END
head -n 80 data/measurements/collectives.csv >"$work/rows.csv"
# A limit on the size of files stands for a full disk.
expect 1 sh -c "trap '' XFSZ; ulimit -f 1; exec '$program' calibrate '$work/rows.csv' -o '$work/c.json'"
says "c.json cannot be written: File too large"
[ ! -e "$work/c.json" ] && [ ! -e "$work/c.json.part" ] || fail "a half file was left"
if [ -e /dev/full ]; then
  expect 1 "$program" estimate --gpu p40 --model qwen2.5-7b --fail-on 'fits==no' --summary /dev/full
  says "/dev/full cannot be written: No space left on device"
fi
