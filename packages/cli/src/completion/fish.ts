// Completion for fish 3 and newer, as one script. It only calls the program for profile names.

import { byChoices, profileNames, valuedOptions } from "./bash.ts"
import type { Place, Word } from "./words.ts"

/** The script. It completes file names if nothing is known. */
export const fishScript = (places: ReadonlyArray<Place>): string => `# fish completion for footfall
function __footfall_at
    set -g __footfall_commands
    set -g __footfall_options
    set -g __footfall_valued
    set -g __footfall_values
    switch "$argv[1]"
${places.map(placeCase).join("\n")}
    end
end
function __footfall_complete
    set -l current (commandline -ct)
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l at
    set -l before
    __footfall_at ''
    for word in $typed
        if test -n "$before"
            set before
        else if string match -q -- '-*' $word
            contains -- $word $__footfall_valued; and set before $word
        else if string match -q -- "$word"\\t'*' $__footfall_commands
            set at $at $word
            __footfall_at "$at"
        end
    end
    if test -z "$before"; and string match -qr -- '^--[^=]+=' $current
        set before (string replace -r -- '=.*' '' $current)
        set -g __footfall_prefix "$before="
    else
        set -g __footfall_prefix ''
    end
    if test -n "$before"
        switch "$at $before"
            case '* --profile'
                set -g __footfall_values (${profileNames})
${byChoices(places).map(choicesCase).join("\n")}
            case '*'
                __fish_complete_path (string replace -r -- '^--[^=]+=' '' $current)
                return
        end
        printf "$__footfall_prefix%s\\n" $__footfall_values
    else if string match -q -- '-*' $current
        printf '%s\\n' $__footfall_options
    else if set -q __footfall_commands[1]
        printf '%s\\n' $__footfall_commands
    else if set -q __footfall_values[1]
        printf '%s\\n' $__footfall_values
    else
        __fish_complete_path $current
    end
end
complete -c footfall -f -a '(__footfall_complete)'
`

const placeCase = (place: Place): string => {
  const parts = [
    ["commands", place.commands.map(described)],
    ["options", place.options.map(described)],
    ["valued", valuedOptions(place).map(quoted)],
    ["values", place.values.map(quoted)],
  ] as const
  const set = parts
    .filter(([, words]) => words.length > 0)
    .map(([name, words]) => `            set __footfall_${name} ${words.join(" ")}`)
  return [`        case ${quoted(place.path)}`, ...set].join("\n")
}

/** A word, a tab and its description. */
const described = ({ text, does }: Word): string => `${quoted(text)}\\t${quoted(does)}`

const choicesCase = ([choices, at]: readonly [string, ReadonlyArray<string>]): string =>
  [
    `            case ${at.map(quoted).join(" ")}`,
    `                set -g __footfall_values ${choices.split(" ").map(quoted).join(" ")}`,
  ].join("\n")

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
