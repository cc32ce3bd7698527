#!/bin/sh
# Every command and option of --help-all stands in the manual and is completed; help fits a screen; examples run as stated.
#   manual.sh <rigplan program> <folder with the made pages, if scdoc made any>
. "$(dirname "$0")/../sweep/lib.sh"
pages=$2
[ -f "$pages/rigplan.1" ] || pages=/nowhere
commands=$("$program" --help | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 18 ] || fail "the overview lists only: $commands"

cat >"$work/ask.bash" <<'B'
# ask.bash <script> <words of a command line, the last to be completed>: what bash would offer.
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rigplan
printf '%s\n' "${COMPREPLY[@]}"
B
"$program" completion bash >"$work/completion.bash"
offered() { bash "$work/ask.bash" "$work/completion.bash" "$program" "$@"; }

offered "" >"$work/firsts"
for command in $commands; do
  grep -qx -e "$command" "$work/firsts" || fail "bash does not offer $command"
  source=src/cli/man/$command.scd
  [ -f "$source" ] || fail "$command has no page in the manual: $source"
  sh cmake/man_page.sh "$program" "$source" check || fail "an example of $command ends otherwise than its page says"
  "$program" "$command" --help >"$work/help"
  [ "$(wc -l <"$work/help")" -le 45 ] || fail "$command --help has $(wc -l <"$work/help") lines"
  "$program" "$command" --help-all >"$work/whole"
  grep -oE '^  (-[a-z], )*--[a-z][a-z0-9-]*' "$work/whole" | grep -oE -e "--[a-z0-9-]+" | sort -u >"$work/options"
  [ -s "$work/options" ] || fail "$command --help-all shows no options"
  offered "$command" -- >"$work/offers"
  for sub in $(sed -nE "s/^rigplan $command ([a-z-]+).*/\\1/p" "$work/whole"); do offered "$command" "$sub" -- >>"$work/offers"; done
  [ ! -d "$pages" ] || sed 's/\\//g' "$pages/rigplan-$command.1" >"$work/page"
  while read -r option; do
    grep -qx -e "$option" "$work/offers" || fail "bash does not offer $command $option"
    [ ! -d "$pages" ] || grep -qF "fB${option}fR" "$work/page" || fail "rigplan-$command(1) lacks $option"
  done <"$work/options"
done
sh cmake/man_page.sh "$program" src/cli/man/rigplan.scd check || fail "an example of rigplan(1) ends otherwise than it says"

# Ids of the catalog, also the user's own; choices; subcommands; the part typed so far.
offered rank --gpu mi50 | grep -qx mi50-32gb || fail "ids of cards are not completed"
offered estimate --model qwen2.5-32 | grep -qx qwen2.5-32b || fail "ids of models are not completed"
offered estimate --board supermicro-h12 | grep -qx supermicro-h12ssl-i || fail "ids of boards are not completed"
offered explain W_NO_P | grep -qx W_NO_P2P || fail "warning codes are not completed"
[ "$(offered rank --method q)" = qlora ] || fail "choices are not completed"
[ "$(offered catalog sh)" = show ] || fail "subcommands are not completed"
offered catalog list mo | grep -qx models || fail "families are not completed"

# The other shells, where they are installed: the script is read and offers the same options.
if command -v zsh >/dev/null; then
  "$program" completion zsh >"$work/_rigplan"
  zsh -n "$work/_rigplan" || fail "zsh cannot read its completion"
  for option in --model --budget --min-tokens-per-s --help-all; do
    grep -q -e "'$option:" "$work/_rigplan" || fail "zsh's completion lacks $option"
  done
fi
if command -v fish >/dev/null; then
  "$program" completion fish >"$work/rigplan.fish"
  mkdir "$work/path" && ln -s "$(realpath "$program")" "$work/path/rigplan"
  HOME=$work PATH=$work/path:$PATH fish -c "source $work/rigplan.fish; complete -C 'rigplan rank --'" >"$work/offers"
  "$program" rank --help-all | grep -oE '^  (-[a-z], )*--[a-z][a-z0-9-]*' | grep -oE -e "--[a-z0-9-]+" | while read -r option; do
    grep -qE -e "^$option(=|	|\$)" "$work/offers" || fail "fish does not offer rank $option"
  done || exit 1
  HOME=$work PATH=$work/path:$PATH fish -c "source $work/rigplan.fish; complete -C 'rigplan estimate --gpu mi50'" | grep -q mi50-32gb ||
    fail "fish does not complete ids"
fi
