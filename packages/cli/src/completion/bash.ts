// Completion for bash 3.2 and newer, as one script. It asks the program for nothing but profile names.

import { byChoices, profileNames, quoted, valuedOptions } from "./shell-text.ts"
import type { Place } from "./words.ts"

/** The script; where nothing matches, bash offers files. */
export const bashScript = (places: ReadonlyArray<Place>): string => `# bash completion for footfall
_footfall_at() {
  commands= options= valued= values=
  case "$1" in
${places.map(placeCase).join("\n")}
  esac
}
_footfall() {
  local at= commands= options= valued= values= offered= word before i
  local current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  _footfall_at ""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $word == -* ]]; then
      if [[ " $valued " == *" $word "* && \${COMP_WORDS[i + 1]} != "=" ]]; then ((i++)); fi
    elif [[ " $commands " == *" $word "* ]]; then
      at="\${at:+$at }$word"
      _footfall_at "$at"
    fi
  done
  before="\${COMP_WORDS[COMP_CWORD - 1]}"
  # An equals sign is a word of its own.
  if [[ $current == "=" ]]; then
    current=
  elif [[ $before == "=" ]]; then
    before="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  if [[ $before == -* && " $valued " == *" $before "* ]]; then
    case "$at $before" in
    *" --profile") offered="$(${profileNames})" ;;
${byChoices(places).map(choicesCase).join("\n")}
    esac
  elif [[ $current == -* ]]; then
    offered="$options"
  else
    offered="$commands $values"
  fi
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$offered" -- "$current")
}
complete -o default -F _footfall footfall
`

const placeCase = (place: Place): string => {
  const parts = [
    ["commands", place.commands.map(({ text }) => text)],
    ["options", place.options.map(({ text }) => text)],
    ["valued", valuedOptions(place)],
    ["values", place.values],
  ] as const
  const set = parts.filter(([, words]) => words.length > 0)
  return `  ${quoted(place.path)}) ${set.map(([name, words]) => `${name}=${quoted(words.join(" "))}`).join(" ")} ;;`
}

const choicesCase = ([choices, at]: readonly [string, ReadonlyArray<string>]): string =>
  `    ${at.map(quoted).join(" | ")}) offered=${quoted(choices)} ;;`
