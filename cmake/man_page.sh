#!/bin/sh
# A page of the manual from its source, from the program, which knows its own options, and from what its examples print.
#   man_page.sh <rigplan program> <source.scd> page     the page in scdoc's language, on standard output
#   man_page.sh <rigplan program> <source.scd> check    runs the examples; fails when one ends otherwise than the source says
# An example is a line "	$ rigplan ..."; below it stands "	[exit N]" unless N is 0. Examples run in a folder that holds
# examples/ and data/.
set -eu
unset COLUMNS CLICOLOR_FORCE 2>/dev/null || true
program=$(realpath "$1") source=$(realpath "$2") mode=$3
root=$(realpath "$(dirname "$0")/..")
name=$(basename "$source" .scd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/run"
ln -s "$program" "$work/bin/rigplan"
ln -s "$root/examples" "$root/data" "$work/run"
PATH=$work/bin:$PATH
cd "$work/run"
tab=$(printf '\t')
longest=14 widest=96

# The source with a literal block for each example: the command, the beginning of what it prints, its exit code.
with_answers() {
  stated=
  while IFS= read -r line; do
    case $line in
      "$tab\$ "*)
        command=${line#"$tab\$ "} code=0
        sh -c "$command" >"$work/out" 2>"$work/err" </dev/null || code=$?
        echo "$code $command" >>"$work/codes"
        printf '```\n$ %s\n' "$command"
        cat "$work/out" "$work/err" | head -n $longest | LC_ALL=C.UTF-8 sed -E "s/^(.{$widest}).+/\\1.../"
        [ "$(cat "$work/out" "$work/err" | wc -l)" -le $longest ] || echo ...
        [ "$code" = 0 ] || echo "[exit $code]"
        printf '```\n' ;;
      "$tab[exit "*) stated=${line#"$tab[exit "} && echo "${stated%]}" >>"$work/stated" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done
}

if [ "$mode" = check ]; then
  with_answers <"$source" >/dev/null
  grep -c . "$work/codes" >/dev/null || { echo "$name: no example" >&2; exit 1; }
  # The codes other than 0, in order, are those that the source states.
  awk '$1 != 0 { print $1 }' "$work/codes" >"$work/found"
  touch "$work/stated"
  cmp -s "$work/found" "$work/stated" || { echo "$name: examples end with" >&2; cat "$work/codes" >&2; exit 1; }
  exit 0
fi

with_answers <"$source" >"$work/body"
if [ "$name" = rigplan ]; then
  printf 'rigplan(1)\n\n# NAME\n\nrigplan - plans GPU rigs\n\n# SYNOPSIS\n\nrigplan COMMAND [OPTIONS]\n\n# COMMANDS\n\n'
  rigplan --help | sed -nE 's/^  ([a-z][a-z-]*) +(.*)/*rigplan-\1*(1)\n\t\2.\n/p'
  cat "$work/body"
else
  rigplan completion scdoc "$name" >"$work/frame"
  sed '/^@DESCRIPTION@$/,$d' "$work/frame"
  sed '/^# EXAMPLE$/,$d' "$work/body"
  sed '1,/^@DESCRIPTION@$/d' "$work/frame"
  sed -n '/^# EXAMPLE$/,$p' "$work/body"
fi
