# Shared by the tests of this folder. $1 is the program; tests run in the root of the repository.
set -eu
LC_ALL=C.UTF-8; export LC_ALL  # messages are compared in English
program=$1
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ${3:+: $3}"; }
# expect CODE COMMAND...: the exit code; what is printed lands in $work/out and $work/err.
expect() {
  wanted=$1; shift
  code=0
  "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
  [ "$code" -eq "$wanted" ] || { cat "$work/err" >&2; fail "exit code $code, expected $wanted: $*"; }
}
says() { grep -q -e "$1" "$work/err" || { cat "$work/err" >&2; fail "stderr does not say: $1"; }; }

# A sweep with fitting points, points that do not fit, points that cannot be asked, and linked, job, price and rig axes.
small="--gpu mi50-32gb --model qwen2.5-14b --scan cards=1,2,4 --scan quant=Q4_K_M,Q8_0 --scan context,users=4k:1,16k:4,512:1
  --scan gpus.mi50-32gb.price=800..1000yuan+100 --scan prompt=256..1024*2"
