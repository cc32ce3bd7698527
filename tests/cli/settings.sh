#!/bin/sh
# Command line above environment above file above default, and --print-config says which it was.
. "$(dirname "$0")/../sweep/lib.sh"
cat >"$work/config.json" <<'END'
{
  "schema": "rigplan/config/1",
  "options": {
    "model": "qwen2.5-14b",
    "tariff": "0.5 yuan/kWh",
    "context": "16k",
    "quiet": true
  }
}
END
rig=examples/two-7900-xtx.json
line() { grep -e "^--$1 " "$work/out" | tr -s ' '; }

expect 0 env RIGPLAN_TARIFF="0.7 yuan/kWh" RIGPLAN_USERS=3 "$program" estimate $rig --config "$work/config.json" --users 2 --print-config
[ "$(line users)" = "--users 2 command line" ] || fail "$(line users)"
[ "$(line tariff)" = "--tariff 0.7 yuan/kWh RIGPLAN_TARIFF" ] || fail "$(line tariff)"
[ "$(line context)" = "--context 16k $work/config.json:6" ] || fail "$(line context)"
[ "$(line count)" = "--count 1 default" ] || fail "$(line count)"

# What is shown is what counts.
expect 0 env RIGPLAN_TARIFF="0.7 yuan/kWh" "$program" estimate $rig --config "$work/config.json" --format json
cp "$work/out" "$work/set.json"
expect 0 "$program" estimate $rig --model qwen2.5-14b --context 16k --tariff "0.7 yuan/kWh" --format json
same "$work/set.json" "$work/out"

expect 0 env RIGPLAN_CONFIG="$work/config.json" RIGPLAN_FORMAT=json "$program" estimate $rig --tariff "0.7 yuan/kWh"
same "$work/set.json" "$work/out"
sed -i 's/"tariff"/"tarif"/' "$work/config.json"
expect 2 "$program" estimate $rig --config "$work/config.json"
says "config.json:5: /options/tarif: no command has an option --tarif; did you mean \"tariff\"?"
expect 2 env RIGPLAN_USERS=many "$program" estimate $rig --model qwen2.5-14b
says "set by RIGPLAN_USERS"
expect 2 "$program" estimate $rig --config "$work/none.json"
says "none.json"
