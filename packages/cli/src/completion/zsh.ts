// Completion for zsh, as a function file. It only calls the program for profile names.

import { byChoices, pattern, profileNames, quoted, valuedOptions } from "./bash.ts"
import type { Place, Word } from "./words.ts"

/** The script. It completes file names if nothing is known. */
export const zshScript = (places: ReadonlyArray<Place>): string => `#compdef footfall
_footfall_at() {
  commands=() options=() valued=() values=()
  case "$1" in
${places.map(placeCase).join("\n")}
  esac
}
_footfall() {
  local at= word before option= i
  local -a commands options valued values offered
  _footfall_at ""
  for ((i = 2; i < CURRENT; i++)); do
    word="$words[i]"
    if [[ "$word" == -* ]]; then
      (( \${valued[(Ie)$word]} )) && ((i++))
    elif (( \${commands[(I)$word:*]} )); then
      at="\${at:+$at }$word"
      _footfall_at "$at"
    fi
  done
  before="$words[CURRENT-1]"
  if (( \${valued[(Ie)$before]} )); then
    option="$before"
  elif [[ "$words[CURRENT]" == --*=* ]]; then
    option="\${words[CURRENT]%%=*}"
    compset -P 1 '*='
  fi
  if [[ -n "$option" ]]; then
    case "$at $option" in
      *" --profile") offered=(\${(f)"$(${profileNames})"}) ;;
${byChoices(places).map(choicesCase).join("\n")}
      *) _files; return ;;
    esac
    compadd -a offered
  elif [[ "$words[CURRENT]" == -* ]]; then
    _describe -o option options
  elif (( $#commands )); then
    _describe command commands
  elif (( $#values )); then
    compadd -a values
  else
    _files
  fi
}
if [ "$funcstack[1]" = "_footfall" ]; then _footfall "$@"; else compdef _footfall footfall; fi
`

const placeCase = (place: Place): string => {
  const parts = [
    ["commands", place.commands.map(described)],
    ["options", place.options.map(described)],
    ["valued", valuedOptions(place)],
    ["values", place.values],
  ] as const
  const set = parts.filter(([, words]) => words.length > 0)
  const texts = set.map(([name, words]) => `${name}=(${words.map(quoted).join(" ")})`)
  return `  ${quoted(place.path)}) ${texts.join(" ")} ;;`
}

/** A colon separates the two, so the word must not contain one; the description needs no escaping. */
const described = ({ text, does }: Word): string => `${text}:${does}`

const choicesCase = ([choices, at]: readonly [string, ReadonlyArray<string>]): string =>
  `      ${at.map(pattern).join(" | ")}) offered=(${choices.split(" ").map(quoted).join(" ")}) ;;`
