#!/bin/sh
# Runs every reader under the fuzzer for an equal share of the time, and says how often each was called.
#   run.sh PROGRAM [SECONDS] [CORPUS]
# SECONDS for all readers together, 60 unless given; CORPUS keeps what was found for the next run. A finding is left as
# CORPUS/<reader>.findings/...; put it into tests/fuzz/findings/<reader>/ together with its mending, and it is a test for good.
# Each reader begins with the same random numbers, so that a longer run elsewhere has seen all that a short one sees.
set -eu
program=$1
seconds=${2:-60}
corpus=${3:-}
cd "$(dirname "$0")/../.."
if [ -z "$corpus" ]; then
  corpus=$(mktemp -d)
  trap 'rm -rf "$corpus"' EXIT
fi
readers=$("$program" --list)
share=$((seconds / $(echo "$readers" | wc -w)))
[ "$share" -ge 1 ] || share=1
dictionary=$corpus/words
mkdir -p "$corpus"
# The keys of all file formats, so that the fuzzer need not guess words.
grep -oh '"[a-z_]\{3,\}"' data/schema/*.json src/import/hf_*.cpp | sort -u >"$dictionary"
failed=0
all=0
printf '%-16s %12s %8s\n' reader executions corpus
for reader in $readers; do
  mkdir -p "$corpus/$reader" "$corpus/$reader.findings"
  "$program" "--reader=$reader" "--seeds=$corpus/$reader"
  code=0
  ASAN_OPTIONS=allocator_may_return_null=0 "$program" "--reader=$reader" -seed="${FUZZ_SEED:-1}" -max_total_time="$share" -timeout=30 \
    -rss_limit_mb=2048 -max_len=16384 -dict="$dictionary" -print_final_stats=1 -verbosity=1 \
    -artifact_prefix="$corpus/$reader.findings/" "$corpus/$reader" >"$corpus/$reader.log" 2>&1 || code=$?
  count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$corpus/$reader.log")
  all=$((all + ${count:-0}))
  printf '%-16s %12s %8s\n' "$reader" "${count:-?}" "$(ls "$corpus/$reader" | wc -l)"
  if [ "$code" -ne 0 ]; then
    failed=1
    echo "FINDING in $reader:"
    grep -E 'ERROR|SUMMARY|runtime error|terminate|what\(\)' "$corpus/$reader.log" | head -5
    ls "$corpus/$reader.findings" | sed 's/^/  /'
    [ -n "${3:-}" ] || cat "$corpus/$reader.log"
  fi
done
printf '%-16s %12s\n' all "$all"
exit $failed
