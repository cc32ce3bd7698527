#!/bin/sh
# The program without shared libraries: it asks for none, runs in an empty folder that is all it can see (as root), and says the
# same as the other one, also what a fit says.
#   static.sh <rigplan program> <static program>
. "$(dirname "$0")/../sweep/lib.sh"
. tests/package/main_example.sh
[ -x "$2" ] || { echo "skipped: $2 was not built (target rigplan_static)"; exit 77; }
mkdir "$work/moved" && cp "$2" "$work/moved/rigplan"
! LC_ALL=C readelf -d "$work/moved/rigplan" 2>/dev/null | grep NEEDED >&2 || fail "needs shared libraries"
moved=$work/moved/rigplan
[ "$("$moved" --version)" = "$("$program" --version)" ] || fail "another version"
expect 0 env -i "$moved" $main_example; same "$work/out" "$work/main_example"
if [ "$(id -u)" = 0 ]; then
  expect 0 chroot "$work/moved" /rigplan $main_example; same "$work/out" "$work/main_example"
fi

# A fit goes through Ceres, CHOLMOD, LAPACK and the run-time library of Fortran; a sweep into SQLite through SQLite.
"$program" calibrate data/measurements/collectives.csv -o "$work/shared.json" >"$work/shared.txt"
"$moved" calibrate data/measurements/collectives.csv -o "$work/static.json" >"$work/static.txt"
same "$work/shared.json" "$work/static.json" "a fit"
same "$work/shared.txt" "$work/static.txt" "the report of a fit"
expect 0 "$moved" sweep $small --out "$work/rows.sqlite"
expect 0 "$program" sweep $small --out "$work/rows.shared.sqlite"
if command -v sqlite3 >/dev/null; then
  for one in rows rows.shared; do sqlite3 "$work/$one.sqlite" .dump >"$work/$one.sql"; done
  same "$work/rows.sql" "$work/rows.shared.sql" "the rows of a sweep"
fi
expect 2 "$moved" rank --model no-such-model
