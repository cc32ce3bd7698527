#!/bin/sh
# Files that may not be read and folders that may not be written. Root may do everything, so root becomes nobody for this.
. "$(dirname "$0")/../sweep/lib.sh"
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then
  command -v setpriv >/dev/null || { echo "skipped: root without setpriv"; exit 77; }
  cp "$program" "$work/rigplan"
  program=$work/rigplan
  chmod 755 "$work" "$work/rigplan"
  as() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
  as "$program" version >/dev/null 2>&1 || { echo "skipped: nobody may not run the program"; exit 77; }
fi
cp examples/two-7900-xtx.json "$work/rig.json"
head -n 80 data/measurements/collectives.csv >"$work/rows.csv"
chmod 644 "$work/rig.json" "$work/rows.csv"
expect 0 as "$program" topology "$work/rig.json"
chmod 000 "$work/rig.json"
expect 2 as "$program" topology "$work/rig.json"
says "rig.json: cannot be read: Permission denied"
expect 2 as "$program" catalog check "$work/rig.json"
says "Permission denied"
mkdir "$work/closed" "$work/readonly"
cp examples/two-3090-x570.json "$work/closed/x.json"
chmod 000 "$work/closed"
chmod 555 "$work/readonly"
expect 2 as "$program" catalog list gpus --catalog "$work/closed"
says "closed: cannot be listed: Permission denied"
expect 2 as "$program" topology "$work/closed/x.json"
says "Permission denied"
expect 1 as "$program" calibrate "$work/rows.csv" -o "$work/readonly/c.json"
says "readonly/c.json cannot be written: Permission denied"
expect 1 as "$program" sweep --gpu p40 --model qwen2.5-7b --scan users=1..4 --quiet --out "$work/readonly/s.jsonl"
says "cannot be written: Permission denied"
expect 1 as "$program" estimate --gpu p40 --model qwen2.5-7b --fail-on 'fits==no' --summary "$work/readonly/summary.md"
says "summary.md cannot be written: Permission denied"
[ -z "$(ls "$work/readonly")" ] || fail "something was written into a folder that is read-only"
chmod 755 "$work/closed"
