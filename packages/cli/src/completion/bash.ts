// Completion for bash 3.2 and newer, as one script. It only calls the program for profile names.
import type { Place } from "./words.ts"

// Pieces that the scripts of several shells share.

/** One argument of a command line in bash or zsh, whatever it contains. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A command that prints the names of the profiles, one per line. */
export const profileNames = `footfall profiles list --json 2>/dev/null | sed -n 's/^ *"name": "\\(.*\\)",*$/\\1/p'`

/** Options that take a value. */
export const valuedOptions = ({ options }: Place): ReadonlyArray<string> =>
  options.filter(({ value }) => value !== null).map(({ text }) => text)

/**
 * Maps each list of values to the places that accept it: `["24h 7d"]: ["visitors list
 * --timeframe"]`. A global option appears once, as `* --output`.
 */
export const byChoices = (
  places: ReadonlyArray<Place>,
): ReadonlyArray<readonly [choices: string, at: ReadonlyArray<string>]> => {
  const found = new Map<string, Set<string>>()
  for (const { path, options } of places) {
    for (const { isGlobal, text, value } of options) {
      if (typeof value !== "object" || value === null) continue
      const choices = value.join(" ")
      found.set(choices, (found.get(choices) ?? new Set()).add(`${isGlobal ? "*" : path} ${text}`))
    }
  }
  return [...found].map(([choices, at]) => [choices, [...at]])
}

/** A pattern for bash and zsh: a star matches any place. */
export const pattern = (at: string): string =>
  at.startsWith("* ") ? `*${quoted(at.slice(1))}` : quoted(at)

/** The script. Bash completes file names if nothing matches. */
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
  `    ${at.map(pattern).join(" | ")}) offered=${quoted(choices)} ;;`
